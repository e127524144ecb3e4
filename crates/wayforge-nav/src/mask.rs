//! The document's method: a search inside a corridor that widens while the search goes on.
//!
//! One breadth-first search runs over the tiles of allowed coarse nodes. When its queue is empty, the corridor is widened by
//! one ring around the coarse nodes it visited, and the search *resumes*: what was visited stays visited, and sources and
//! tiles that the mask had blocked are enqueued where they are now allowed. Two strategies find the blocked tiles:
//!
//! * **F1** keeps all blocked tiles in one list and scans it after each widening;
//! * **F2** keeps a list per coarse node, in flat arrays, and looks only at those of newly allowed nodes.
//!
//! The baseline **A2** forgets the search instead and starts over in the wider corridor. After [`CorridorOptions::max_expansions`]
//! widenings the guardrail falls back to all water.

use super::coarse::{Coarse, NONE};
use super::corridor::Corridor;
use super::corridor_options::CorridorOptions;
use super::frontier::{END, Frontier};
use super::query::{Counts, Guarantee, Method, Moves, Query, Way};
use super::search_trace::SearchEvent;
use super::water::Water;
use wayforge_core::InputError;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;

/// A coarse map with the scratch of all corridor searches.
#[derive(Clone, Debug)]
pub(super) struct MaskSearch {
    pub(super) options: CorridorOptions,
    pub(super) stride: usize,
    pub(super) coarse: Coarse,
    pub(super) corridor: Corridor,
    pub(super) tiles: Vec<Tile>,
    pub(super) queue: Vec<u32>,
    pub(super) stamp: u16,
    /// Tiles that were blocked, the tile they were seen from, and the next of the same node.
    pub(super) blocked: Vec<(u32, u32, u32)>,
    /// For each node the first of its blocked tiles (F2).
    pub(super) first_blocked: Vec<u32>,
    /// The nodes with blocked tiles.
    pub(super) waiting: Vec<u32>,
    ends: (Vec<u32>, Vec<u32>),
    /// Whether the last query fell back to all water.
    fell_back: bool,
    /// Steps that the mask blocked: the tile and the place of the step (optimal variant).
    pub(super) blocked_steps: Vec<(u32, u8)>,
    pub(super) dist: Vec<u32>,
    pub(super) buckets: Vec<Vec<u32>>,
}

/// What the search knows of a tile. Eight bytes, because a corridor is narrow and every row of it is fetched anew: its cost
/// is the memory it touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    /// The coarse node, or [`NONE`] for land.
    pub(super) node: u32,
    /// The query that visited it last.
    pub(super) seen: u16,
    /// The step that led here, as a place in [`MaskSearch::steps`]; [`SOURCE`] for a source.
    pub(super) step: u8,
    /// [`GOAL`] and [`PUT_OFF`], taken back after each query.
    pub(super) flags: u8,
}

pub(super) const SOURCE: u8 = 8;
pub(super) const GOAL: u8 = 1;
const PUT_OFF: u8 = 2;

impl MaskSearch {
    pub(super) fn new(water: &Water, options: CorridorOptions) -> Result<MaskSearch, InputError> {
        let mut coarse = Coarse::new(water, options.factor, options.rule)?;
        let tile = |node| Tile { node, seen: 0, step: 0, flags: 0 };
        let tiles = std::mem::take(&mut coarse.node_of).into_iter().map(tile).collect();
        Ok(MaskSearch {
            options,
            stride: coarse.stride,
            corridor: Corridor::new(&coarse),
            tiles,
            queue: Vec::new(),
            stamp: 0,
            first_blocked: vec![END; coarse.len()],
            coarse,
            blocked: Vec::new(),
            waiting: Vec::new(),
            ends: (Vec::new(), Vec::new()),
            fell_back: false,
            blocked_steps: Vec::new(),
            dist: Vec::new(),
            buckets: Vec::new(),
        })
    }

    /// Answers a checked query by one of the corridor methods, and tells how.
    pub(super) fn find_into(
        &mut self,
        query: &Query,
        method: Method,
        way: &mut Way,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> bool {
        way.counts = Counts::default();
        let found = self.run(query, method, &mut way.counts, tracer);
        self.fell_back = way.counts.fallback;
        self.take_back(query);
        let Some(at) = found else { return false };
        self.trace(at, &mut way.tiles);
        way.method = method;
        way.guarantee = match method {
            _ if way.counts.fallback => Guarantee::Exact,
            Method::MaskOptimal | Method::Restart => Guarantee::ShortestInRegion,
            // Without a widening the fast variant is a plain search of its region.
            _ if way.counts.expansions == 0 => Guarantee::ShortestInRegion,
            _ => Guarantee::Valid,
        };
        true
    }

    fn run(
        &mut self,
        query: &Query,
        method: Method,
        counts: &mut Counts,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> Option<usize> {
        let (mut sources, mut targets) = std::mem::take(&mut self.ends);
        sources.clear();
        sources.extend(query.sources.iter().map(|&pos| self.tiles[self.index(pos)].node));
        targets.clear();
        targets.extend(query.targets.iter().map(|&pos| self.tiles[self.index(pos)].node));
        let spine = self.corridor.begin(&self.coarse, (&sources, &targets), self.options.radius, query.moves);
        self.ends = (sources, targets);
        if !spine {
            // Coarse nodes join whatever tiles do: without a coarse way there is no fine one.
            return None;
        }
        self.tell_allowed(tracer);
        for &pos in &query.targets {
            let at = self.index(pos);
            self.tiles[at].flags |= GOAL;
        }
        match query.moves {
            Moves::Four => self.search::<false>(query, method, counts, tracer),
            Moves::Eight => self.search::<true>(query, method, counts, tracer),
        }
    }

    fn search<const EIGHT: bool>(
        &mut self,
        query: &Query,
        method: Method,
        counts: &mut Counts,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> Option<usize> {
        let found = match method {
            Method::Restart => self.restart::<EIGHT>(query, counts, tracer),
            Method::MaskOptimal => self.optimal::<EIGHT>(query, counts, tracer),
            Method::MaskF1 => self.resume::<EIGHT>(query, Frontier::One, counts, tracer),
            _ => self.resume::<EIGHT>(query, Frontier::PerNode, counts, tracer),
        };
        if found.is_some() {
            return found;
        }
        // The guardrail. Also when the corridor ran out of water that the coarse map promised: only all water can tell.
        counts.fallback = true;
        tracer.tell(SearchEvent::Flood);
        self.begin_search();
        self.seed(query, false);
        let found = self.flood::<EIGHT, false>(&mut 0, Frontier::Forget);
        counts.visited += self.queue.len() as u64;
        self.tell_visits(0, tracer);
        found
    }

    /// Tells what the last widening allowed.
    pub(super) fn tell_allowed<T: Tracer<SearchEvent>>(&self, tracer: &mut T) {
        if T::LISTENS {
            let side = self.options.factor;
            for &node in &self.corridor.fresh {
                let Pos { x, y } = self.coarse.cell(node);
                tracer.tell(SearchEvent::Allow { corner: Pos::new(x * side, y * side), side });
            }
        }
    }

    /// Tells which tiles were visited after the first `told`, and how many are told then.
    pub(super) fn tell_visits<T: Tracer<SearchEvent>>(&self, told: usize, tracer: &mut T) -> usize {
        if T::LISTENS {
            self.queue[told..].iter().for_each(|&at| tracer.tell(SearchEvent::Visit(self.pos(at as usize))));
        }
        self.queue.len()
    }

    /// The tiles that the last query visited, or its last search if it started over.
    pub(super) fn mark(&self, onto: &mut BitGrid) {
        self.queue.iter().for_each(|&at| onto.insert(self.pos(at as usize)));
    }

    /// Inserts the tiles of the region that the last query ended with.
    pub(super) fn mark_region(&self, onto: &mut BitGrid) {
        for (at, tile) in self.tiles.iter().enumerate() {
            if tile.node != NONE && (self.fell_back || self.corridor.is_allowed(tile.node)) {
                onto.insert(self.pos(at));
            }
        }
    }

    /// A2: search, widen, search again from the start.
    fn restart<const EIGHT: bool>(
        &mut self,
        query: &Query,
        counts: &mut Counts,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> Option<usize> {
        loop {
            self.begin_search();
            self.seed(query, true);
            let found = self.flood::<EIGHT, true>(&mut 0, Frontier::Forget);
            counts.visited += self.queue.len() as u64;
            self.tell_visits(0, tracer);
            if found.is_some() || !self.widen(false, counts, tracer) || self.corridor.fresh.is_empty() {
                return found;
            }
            tracer.tell(SearchEvent::Restart);
            self.corridor.begin_phase();
        }
    }

    /// The fast variant: search, widen, go on.
    fn resume<const EIGHT: bool>(
        &mut self,
        query: &Query,
        frontier: Frontier,
        counts: &mut Counts,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> Option<usize> {
        self.begin_search();
        self.seed(query, true);
        let (mut head, mut told) = (0, 0);
        loop {
            let found = self.flood::<EIGHT, true>(&mut head, frontier);
            counts.visited = self.queue.len() as u64;
            told = self.tell_visits(told, tracer);
            if found.is_some() {
                return found;
            }
            let mut all = false;
            // A ring around the last phase may meet no blocked tile although others wait: then look around all phases.
            while head == self.queue.len() {
                if !self.widen(all, counts, tracer) {
                    return None;
                }
                self.seed(query, true);
                self.activate(frontier);
                all = true;
            }
            self.corridor.begin_phase();
        }
    }

    /// Widens the corridor by one ring; false if the guardrail forbids it or `all` visits have no further ring.
    pub(super) fn widen(
        &mut self,
        all: bool,
        counts: &mut Counts,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> bool {
        if counts.expansions >= self.options.max_expansions {
            return false;
        }
        counts.expansions += 1;
        self.corridor.widen(&self.coarse, all);
        tracer.tell(SearchEvent::Widen);
        self.tell_allowed(tracer);
        !all || !self.corridor.fresh.is_empty()
    }

    /// Starts a search in which no tile is visited yet.
    pub(super) fn begin_search(&mut self) {
        if self.stamp == u16::MAX {
            self.tiles.iter_mut().for_each(|tile| tile.seen = 0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.queue.clear();
    }

    /// Enqueues the sources that are not visited yet; if `masked`, only those inside the corridor.
    fn seed(&mut self, query: &Query, masked: bool) {
        for &pos in &query.sources {
            let at = self.index(pos);
            let tile = &mut self.tiles[at];
            if tile.seen != self.stamp && (!masked || self.corridor.is_allowed(tile.node)) {
                (tile.seen, tile.step) = (self.stamp, SOURCE);
                self.queue.push(at as u32);
            }
        }
    }

    /// Breadth-first search over allowed tiles until a target is dequeued or the queue is empty.
    fn flood<const EIGHT: bool, const MASKED: bool>(
        &mut self,
        head: &mut usize,
        frontier: Frontier,
    ) -> Option<usize> {
        let steps = self.steps();
        while *head < self.queue.len() {
            let at = self.queue[*head] as usize;
            *head += 1;
            let here = self.tiles[at];
            if here.flags & GOAL != 0 {
                return Some(at);
            }
            if MASKED {
                self.corridor.visit(here.node);
            }
            let mut open = [false; 4];
            for i in 0..4 {
                open[i] = self.step::<MASKED>(at, here.node, at.wrapping_add_signed(steps[i]), i, frontier);
            }
            if EIGHT {
                for i in 4..8 {
                    if open[BESIDE[i - 4].0] && open[BESIDE[i - 4].1] {
                        self.step::<MASKED>(at, here.node, at.wrapping_add_signed(steps[i]), i, frontier);
                    }
                }
            }
        }
        None
    }

    /// Visits a neighbour, or puts it off if the mask blocks it; true if it is water.
    #[inline(always)]
    fn step<const MASKED: bool>(
        &mut self,
        at: usize,
        from: u32,
        to: usize,
        step: usize,
        frontier: Frontier,
    ) -> bool {
        let tile = &mut self.tiles[to];
        if tile.node == NONE {
            return false;
        }
        if tile.seen != self.stamp {
            if !MASKED || tile.node == from || self.corridor.is_allowed(tile.node) {
                (tile.seen, tile.step) = (self.stamp, step as u8);
                self.queue.push(to as u32);
            } else if frontier != Frontier::Forget && tile.flags & PUT_OFF == 0 {
                tile.flags |= PUT_OFF;
                let node = tile.node;
                self.put_off(at, to, node, frontier);
            }
        }
        true
    }

    /// Takes over a tile that turned to land. Its coarse node stays: a corridor that leads nowhere is widened.
    pub(super) fn dry(&mut self, pos: Pos) {
        let at = self.index(pos);
        self.tiles[at].node = NONE;
    }

    /// Takes the query's marks back.
    fn take_back(&mut self, query: &Query) {
        for i in 0..self.blocked.len() {
            self.tiles[self.blocked[i].0 as usize].flags = 0;
        }
        self.blocked.clear();
        for node in self.waiting.drain(..) {
            self.first_blocked[node as usize] = END;
        }
        for &pos in &query.targets {
            let at = self.index(pos);
            self.tiles[at].flags = 0;
        }
    }

    /// The tiles from a source to `at`.
    fn trace(&self, mut at: usize, tiles: &mut Vec<Pos>) {
        let steps = self.steps();
        tiles.clear();
        tiles.push(self.pos(at));
        while self.tiles[at].step < SOURCE {
            at = at.wrapping_add_signed(-steps[usize::from(self.tiles[at].step)]);
            tiles.push(self.pos(at));
        }
        tiles.reverse();
    }

    /// North, west, east, south, then the diagonals, as distances between tiles.
    pub(super) fn steps(&self) -> [isize; 8] {
        let row = self.stride as isize;
        [-row, -1, 1, row, -row - 1, -row + 1, row - 1, row + 1]
    }

    pub(super) fn index(&self, pos: Pos) -> usize {
        (usize::from(pos.y) + 1) * self.stride + usize::from(pos.x) + 1
    }

    fn pos(&self, at: usize) -> Pos {
        Pos::new((at % self.stride - 1) as u16, (at / self.stride - 1) as u16)
    }
}

/// For each diagonal the two straight steps beside it.
pub(super) const BESIDE: [(usize, usize); 4] = [(0, 1), (0, 2), (3, 1), (3, 2)];
