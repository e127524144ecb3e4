//! Mask-expanding BFS: breadth-first search inside a coarse corridor that widens on demand.
//!
//! A breadth-first search visits the tiles of allowed coarse nodes. When its queue is empty, the
//! corridor is widened by one ring around the visited coarse nodes, and the search *resumes*.
//! Visited tiles stay visited. Open tiles that the search reaches outside the mask are *deferred*.
//! Sources and deferred tiles are enqueued when the mask allows them. Two strategies store the
//! deferred tiles:
//!
//! - **F1** stores all deferred tiles in one list and scans it after each widening.
//! - **F2** stores a list per coarse node, in flat arrays, and reads only the lists of newly
//!   allowed nodes.
//!
//! The baseline **A2** discards the search and restarts in the wider corridor. After
//! [`CorridorOptions::max_expansions`] widenings, the guardrail falls back to a search of all open
//! tiles. `docs/origins.md` lists the original names.

use super::coarse::{CoarseMap, NO_NODE};
use super::corridor::Corridor;
use super::corridor_options::CorridorOptions;
use super::nav_grid::NavGrid;
use super::padded_layout::{ADJACENT_STRAIGHT_STEPS, PaddedLayout};
use super::query::{Connectivity, Guarantee, Method, Path, Query, SearchStats};
use super::search_trace::SearchEvent;
use super::work::count_tile;
use wayforge_core::Work;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;

/// Coarse map with the scratch buffers of all corridor searches.
#[derive(Clone, Debug)]
pub(super) struct MaskExpandingBfs {
    options: CorridorOptions,
    pub(super) layout: PaddedLayout,
    coarse: CoarseMap,
    pub(super) corridor: Corridor,
    pub(super) tiles: Vec<Tile>,
    pub(super) queue: Vec<u32>,
    pub(super) stamp: u16,
    /// Deferred tiles, each with the tile that it was reached from and the next entry of the same
    /// node.
    deferred: Vec<(u32, u32, u32)>,
    /// First entry in `deferred` of each node (F2).
    first_deferred: Vec<u32>,
    /// Nodes with deferred tiles (F2).
    nodes_with_deferred: Vec<u32>,
    /// Whether the last query fell back to all open tiles.
    fell_back: bool,
    /// Steps blocked by the mask: tile and index into [`PaddedLayout::steps`] (optimal variant).
    pub(super) blocked_steps: Vec<(u32, u8)>,
    /// Distance of each visited tile (optimal variant).
    pub(super) dist: Vec<u32>,
    /// Tiles to visit by distance (optimal variant).
    pub(super) buckets: Vec<Vec<u32>>,
}

/// Search state of a tile.
///
/// Takes only eight bytes, because cache misses dominate the cost of a narrow corridor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// Coarse node, or [`NO_NODE`] if the tile is blocked.
    pub(super) node: u32,
    /// Stamp of the last search that visited the tile.
    pub(super) seen: u16,
    /// Step by which the tile was reached, as an index into [`PaddedLayout::steps`]; [`SOURCE`] for
    /// a source.
    pub(super) step: u8,
    /// [`GOAL`] and [`DEFERRED`]; reset after each query.
    pub(super) flags: u8,
}

/// [`Tile::step`] of a source.
pub(super) const SOURCE: u8 = 8;
/// The tile is a target.
pub(super) const GOAL: u8 = 1;
/// The tile is deferred.
const DEFERRED: u8 = 2;

/// Strategy for tiles that the search reaches outside the mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deferral {
    /// Ignore them: the search restarts after a widening.
    Discard,
    /// Store them in one list (F1).
    SingleList,
    /// Store them in one list per coarse node (F2).
    ListPerNode,
}

/// End of a linked list.
const END: u32 = u32::MAX;

/// Query with its statistics, tracer and counter of work.
pub(super) struct QueryContext<'a, T> {
    pub(super) query: &'a Query,
    stats: &'a mut SearchStats,
    tracer: &'a mut T,
    pub(super) work: &'a Work,
}

impl MaskExpandingBfs {
    pub(super) fn new(grid: &NavGrid, options: CorridorOptions) -> MaskExpandingBfs {
        let mut coarse = CoarseMap::new(grid, options.factor, options.rule);
        let tile = |node| Tile { node, seen: 0, step: 0, flags: 0 };
        let tiles = std::mem::take(&mut coarse.node_of).into_iter().map(tile).collect();
        MaskExpandingBfs {
            options,
            layout: coarse.layout,
            corridor: Corridor::new(&coarse),
            tiles,
            queue: Vec::new(),
            stamp: 0,
            first_deferred: vec![END; coarse.len()],
            coarse,
            deferred: Vec::new(),
            nodes_with_deferred: Vec::new(),
            fell_back: false,
            blocked_steps: Vec::new(),
            dist: Vec::new(),
            buckets: Vec::new(),
        }
    }

    /// Runs a validated query with a corridor method and records its events; returns false if no
    /// path exists.
    pub(super) fn find_into<T: Tracer<SearchEvent>>(
        &mut self,
        query: &Query,
        method: Method,
        path: &mut Path,
        tracer: &mut T,
        work: &Work,
    ) -> bool {
        path.stats = SearchStats::default();
        let stats = &mut path.stats;
        let found = self.run(method, &mut QueryContext { query, stats, tracer, work });
        self.fell_back = path.stats.fallback;
        self.reset_flags(query);
        let Some(index) = found else { return false };
        self.reconstruct(index, &mut path.tiles);
        path.method = method;
        path.guarantee = match method {
            _ if path.stats.fallback => Guarantee::Exact,
            Method::MaskOptimal | Method::Restart => Guarantee::ShortestInRegion,
            // Without a widening the fast variants are breadth-first searches of their region.
            _ if path.stats.expansions == 0 => Guarantee::ShortestInRegion,
            _ => Guarantee::Valid,
        };
        true
    }

    fn run<T: Tracer<SearchEvent>>(
        &mut self,
        method: Method,
        context: &mut QueryContext<'_, T>,
    ) -> Option<usize> {
        let query = context.query;
        let node = |&pos: &Pos| self.tiles[self.layout.index(pos)].node;
        let ends = (query.sources.iter().map(node), query.targets.iter().map(node));
        let options = (self.options.radius, query.connectivity);
        if !self.corridor.begin(&self.coarse, ends, options, context.work) {
            // Connected tiles have connected coarse nodes, so without a coarse path no path exists.
            return None;
        }
        self.record_allowed(context.tracer);
        for &pos in &query.targets {
            self.tiles[self.layout.index(pos)].flags |= GOAL;
        }
        match query.connectivity {
            Connectivity::Four => self.search::<false, T>(method, context),
            Connectivity::Eight => self.search::<true, T>(method, context),
        }
    }

    /// Runs a method, and the fallback if it finds no path.
    fn search<const EIGHT: bool, T: Tracer<SearchEvent>>(
        &mut self,
        method: Method,
        context: &mut QueryContext<'_, T>,
    ) -> Option<usize> {
        let found = match method {
            Method::Restart => self.restart::<EIGHT, T>(context),
            Method::MaskOptimal => self.optimal::<EIGHT, T>(context),
            Method::MaskF1 => self.resume::<EIGHT, T>(Deferral::SingleList, context),
            _ => self.resume::<EIGHT, T>(Deferral::ListPerNode, context),
        };
        if found.is_some() || context.work.stopped().is_some() {
            return found;
        }
        // Guardrail. It also applies if the corridor cannot be widened further, because the coarse
        // map may connect nodes whose tiles are not connected.
        context.stats.fallback = true;
        context.tracer.record(SearchEvent::Fallback);
        self.begin_search();
        self.enqueue_sources(context.query, false);
        let found = self.bfs::<EIGHT, false>(&mut 0, Deferral::Discard, context.work);
        self.record_visits(0, context);
        found
    }

    /// Records the nodes allowed by the last widening.
    fn record_allowed<T: Tracer<SearchEvent>>(&self, tracer: &mut T) {
        if T::ENABLED {
            let side = self.options.factor;
            for &node in &self.corridor.newly_allowed {
                let Pos { x, y } = self.coarse.cell(node);
                tracer.record(SearchEvent::Allow { corner: Pos::new(x * side, y * side), side });
            }
        }
    }

    /// Counts and records the visits after the first `recorded` ones; returns the total number of
    /// visits.
    pub(super) fn record_visits<T: Tracer<SearchEvent>>(
        &self,
        recorded: usize,
        context: &mut QueryContext<'_, T>,
    ) -> usize {
        let new = &self.queue[recorded..];
        context.stats.visited += new.len() as u64;
        if T::ENABLED {
            new.iter().for_each(|&index| {
                context.tracer.record(SearchEvent::Visit(self.layout.pos(index as usize)))
            });
        }
        self.queue.len()
    }

    /// Adds the tiles visited by the last query, since its last restart, to `set`.
    pub(super) fn add_visited(&self, set: &mut BitGrid) {
        self.queue.iter().for_each(|&index| set.insert(self.layout.pos(index as usize)));
    }

    /// Adds the tiles of the last query's final region to `set`.
    pub(super) fn add_region(&self, set: &mut BitGrid) {
        for (index, tile) in self.tiles.iter().enumerate() {
            if tile.node != NO_NODE && (self.fell_back || self.corridor.is_allowed(tile.node)) {
                set.insert(self.layout.pos(index));
            }
        }
    }

    /// A2: searches, widens the corridor and restarts.
    fn restart<const EIGHT: bool, T: Tracer<SearchEvent>>(
        &mut self,
        context: &mut QueryContext<'_, T>,
    ) -> Option<usize> {
        loop {
            self.begin_search();
            self.enqueue_sources(context.query, true);
            let found = self.bfs::<EIGHT, true>(&mut 0, Deferral::Discard, context.work);
            self.record_visits(0, context);
            if found.is_some()
                || context.work.stopped().is_some()
                || !self.widen(false, context)
                || self.corridor.newly_allowed.is_empty()
            {
                return found;
            }
            context.tracer.record(SearchEvent::Restart);
            self.corridor.begin_phase();
        }
    }

    /// F1 and F2: searches, widens the corridor and resumes.
    fn resume<const EIGHT: bool, T: Tracer<SearchEvent>>(
        &mut self,
        strategy: Deferral,
        context: &mut QueryContext<'_, T>,
    ) -> Option<usize> {
        self.begin_search();
        self.enqueue_sources(context.query, true);
        let (mut head, mut recorded) = (0, 0);
        loop {
            let found = self.bfs::<EIGHT, true>(&mut head, strategy, context.work);
            recorded = self.record_visits(recorded, context);
            if found.is_some() || context.work.stopped().is_some() {
                return found;
            }
            let mut all = false;
            // The ring around the last phase may contain no deferred tile, while rings around
            // earlier phases do. Then the next widening covers all phases.
            while head == self.queue.len() {
                if !self.widen(all, context) {
                    return None;
                }
                self.enqueue_sources(context.query, true);
                self.activate(strategy, context.work);
                all = true;
            }
            self.corridor.begin_phase();
        }
    }

    /// Widens the corridor by one ring.
    ///
    /// Returns false if the guardrail or the work limit is reached, or if `all` is true and no node
    /// is left to allow.
    pub(super) fn widen<T: Tracer<SearchEvent>>(
        &mut self,
        all: bool,
        context: &mut QueryContext<'_, T>,
    ) -> bool {
        if context.stats.expansions >= self.options.max_expansions {
            return false;
        }
        context.stats.expansions += 1;
        if !self.corridor.widen(&self.coarse, all, context.work) {
            return false;
        }
        context.tracer.record(SearchEvent::Widen);
        self.record_allowed(context.tracer);
        !all || !self.corridor.newly_allowed.is_empty()
    }

    /// Starts a new search, in which no tile has been visited.
    pub(super) fn begin_search(&mut self) {
        if self.stamp == u16::MAX {
            self.tiles.iter_mut().for_each(|tile| tile.seen = 0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.queue.clear();
    }

    /// Enqueues unvisited sources; if `masked`, only those inside the corridor.
    fn enqueue_sources(&mut self, query: &Query, masked: bool) {
        for &pos in &query.sources {
            let index = self.layout.index(pos);
            if !masked || self.corridor.is_allowed(self.tiles[index].node) {
                self.enter(index as u32, SOURCE);
            }
        }
    }

    /// Searches allowed tiles until a target is dequeued or the queue is empty.
    fn bfs<const EIGHT: bool, const MASKED: bool>(
        &mut self,
        head: &mut usize,
        strategy: Deferral,
        work: &Work,
    ) -> Option<usize> {
        let steps = self.layout.steps();
        while *head < self.queue.len() {
            let index = self.queue[*head] as usize;
            *head += 1;
            if !count_tile(work, *head) {
                return None;
            }
            let tile = self.tiles[index];
            if tile.flags & GOAL != 0 {
                return Some(index);
            }
            if MASKED {
                self.corridor.visit(tile.node);
            }
            // Uses loops instead of `visit_neighbours`, which would inline eight copies of `step`
            // and be slower.
            let mut open = [false; 4];
            for i in 0..4 {
                open[i] = self.step::<MASKED>(
                    index,
                    tile.node,
                    index.wrapping_add_signed(steps[i]),
                    i,
                    strategy,
                );
            }
            if EIGHT {
                for i in 4..8 {
                    if open[ADJACENT_STRAIGHT_STEPS[i - 4].0]
                        && open[ADJACENT_STRAIGHT_STEPS[i - 4].1]
                    {
                        self.step::<MASKED>(
                            index,
                            tile.node,
                            index.wrapping_add_signed(steps[i]),
                            i,
                            strategy,
                        );
                    }
                }
            }
        }
        None
    }

    /// Visits a neighbour, or defers it if it is outside the mask; returns true if it is open.
    #[inline(always)]
    fn step<const MASKED: bool>(
        &mut self,
        index: usize,
        from: u32,
        to: usize,
        step: usize,
        strategy: Deferral,
    ) -> bool {
        let tile = &mut self.tiles[to];
        if tile.node == NO_NODE {
            return false;
        }
        if tile.seen != self.stamp {
            if !MASKED || tile.node == from || self.corridor.is_allowed(tile.node) {
                (tile.seen, tile.step) = (self.stamp, step as u8);
                self.queue.push(to as u32);
            } else if strategy != Deferral::Discard && tile.flags & DEFERRED == 0 {
                tile.flags |= DEFERRED;
                let node = tile.node;
                self.defer(index, to, node, strategy);
            }
        }
        true
    }

    /// Adds a tile outside the mask to the deferred tiles.
    #[inline(never)]
    fn defer(&mut self, index: usize, to: usize, node: u32, strategy: Deferral) {
        let mut next = END;
        if strategy == Deferral::ListPerNode {
            next = std::mem::replace(
                &mut self.first_deferred[node as usize],
                self.deferred.len() as u32,
            );
            if next == END {
                self.nodes_with_deferred.push(node);
            }
        }
        self.deferred.push((to as u32, index as u32, next));
    }

    /// Enqueues deferred tiles that are now allowed.
    fn activate(&mut self, strategy: Deferral, work: &Work) {
        if strategy == Deferral::SingleList {
            if !work.spend(self.deferred.len() as u64) {
                return;
            }
            for i in 0..self.deferred.len() {
                let (to, index, _) = self.deferred[i];
                if self.corridor.is_allowed(self.tiles[to as usize].node) {
                    self.enter_from(index, to);
                }
            }
            return;
        }
        for i in 0..self.corridor.newly_allowed.len() {
            let node = self.corridor.newly_allowed[i] as usize;
            let mut entry = std::mem::replace(&mut self.first_deferred[node], END);
            while entry != END {
                let (to, index, next) = self.deferred[entry as usize];
                self.enter_from(index, to);
                entry = next;
            }
        }
    }

    /// Visits a deferred tile.
    fn enter_from(&mut self, index: u32, to: u32) {
        let reaches = |step: &isize| (index as usize).wrapping_add_signed(*step) == to as usize;
        let step = self.layout.steps().iter().position(reaches);
        self.enter(to, step.unwrap_or(0) as u8);
    }

    /// Visits a tile, unless it has been visited.
    fn enter(&mut self, index: u32, step: u8) {
        let tile = &mut self.tiles[index as usize];
        if tile.seen != self.stamp {
            (tile.seen, tile.step) = (self.stamp, step);
            self.queue.push(index);
        }
    }

    /// Blocks a tile after an edit.
    ///
    /// The coarse map is unchanged; if it has become too optimistic, the corridor widens.
    pub(super) fn block(&mut self, pos: Pos) {
        self.tiles[self.layout.index(pos)].node = NO_NODE;
    }

    /// Resets the flags and lists set by a query.
    fn reset_flags(&mut self, query: &Query) {
        for (to, ..) in self.deferred.drain(..) {
            self.tiles[to as usize].flags = 0;
        }
        for node in self.nodes_with_deferred.drain(..) {
            self.first_deferred[node as usize] = END;
        }
        for &pos in &query.targets {
            self.tiles[self.layout.index(pos)].flags = 0;
        }
    }

    /// Writes the tiles from a source to `index` into `tiles`.
    fn reconstruct(&self, index: usize, tiles: &mut Vec<Pos>) {
        let steps = self.layout.steps();
        let previous = |&index: &usize| {
            let step = self.tiles[index].step;
            (step < SOURCE).then(|| index.wrapping_add_signed(-steps[usize::from(step)]))
        };
        self.layout.write_path(index, previous, tiles);
    }
}
