//! The document's method: a search inside a corridor that widens while the search goes on.
//!
//! One breadth-first search runs over the tiles of allowed coarse nodes. When its queue is empty, the corridor is widened by
//! one ring around the coarse nodes it visited, and the search *resumes*: what was visited stays visited, and the tiles that
//! the mask had blocked are enqueued where they are now allowed. Two ways to find those:
//!
//! * **F1** keeps all blocked tiles in one list and scans it after each widening;
//! * **F2** keeps a list per coarse node, in flat arrays, and looks only at those of newly allowed nodes.
//!
//! The baseline **A2** forgets the search instead and starts over in the wider corridor. After [`Tuning::most_expansions`]
//! widenings the guardrail falls back to all water.

use super::bfs::{LAND, MultiSourceAnyTargetBFS};
use super::coarse::{Coarse, CoarseRule};
use super::corridor::Corridor;
use super::query::{Counts, Guarantee, Method, Moves, Query, Way};
use super::water::Water;
use crate::ConfigError;
use crate::grid::{BitGrid, Pos};

/// The corridor's measures.
///
/// ```
/// use wayforge::nav::{CoarseRule, Tuning};
/// let document = Tuning::document();
/// assert_eq!((document.factor, document.radius, document.rule), (4, 2, CoarseRule::AnyTile));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Tiles a side of a coarse cell.
    pub factor: u16,
    /// What a coarse node is.
    pub rule: CoarseRule,
    /// How many cells the corridor reaches to each side of the spine at first (r0).
    pub radius: u16,
    /// How many widenings are tried before all water is searched (k).
    pub most_expansions: u32,
}

impl Tuning {
    /// The document's defaults.
    pub const fn document() -> Tuning {
        Tuning { factor: 4, rule: CoarseRule::AnyTile, radius: 2, most_expansions: 6 }
    }

    /// What works best on connected pieces of water.
    pub const fn pieces() -> Tuning {
        Tuning { factor: 8, rule: CoarseRule::Pieces, radius: 2, most_expansions: 6 }
    }
}

/// How blocked tiles are found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frontier {
    One,
    PerNode,
}

/// No entry of a list.
const END: u32 = u32::MAX;

/// A coarse map with the scratch of all corridor searches.
#[derive(Clone, Debug)]
pub(super) struct MaskSearch {
    pub(super) tuning: Tuning,
    pub(super) coarse: Coarse,
    pub(super) corridor: Corridor,
    pub(super) fine: MultiSourceAnyTargetBFS,
    /// The query that blocked each tile last: a tile is put off once.
    pub(super) put_off: Vec<u32>,
    /// Tiles that were blocked, the tile they were seen from, and the next of the same node.
    blocked: Vec<(u32, u32, u32)>,
    /// For each node the first of its blocked tiles (F2).
    first_blocked: Vec<u32>,
    /// The nodes with blocked tiles.
    waiting: Vec<u32>,
    pub(super) dist: Vec<u32>,
    pub(super) buckets: Vec<Vec<u32>>,
}

impl MaskSearch {
    pub(super) fn new(water: &Water, tuning: Tuning) -> Result<MaskSearch, ConfigError> {
        let coarse = Coarse::new(water, tuning.factor, tuning.rule)?;
        let corridor = Corridor::new(&coarse);
        let fine = MultiSourceAnyTargetBFS::new(water);
        Ok(MaskSearch {
            tuning,
            put_off: vec![0; fine.cells.len()],
            first_blocked: vec![END; coarse.len()],
            coarse,
            corridor,
            fine,
            blocked: Vec::new(),
            waiting: Vec::new(),
            dist: Vec::new(),
            buckets: Vec::new(),
        })
    }

    /// Answers a checked query by one of the corridor methods.
    pub(super) fn find_into(&mut self, query: &Query, method: Method, way: &mut Way) -> bool {
        way.counts = Counts::default();
        let radius = self.tuning.radius;
        let spine = self.corridor.begin(&self.coarse, &query.sources, &query.targets, radius);
        let found = match (spine, method, query.moves) {
            // Coarse nodes join whatever tiles do: without a coarse way there is no fine one.
            (false, ..) => None,
            (_, Method::Restart, Moves::Four) => self.restart::<false>(query, &mut way.counts),
            (_, Method::Restart, Moves::Eight) => self.restart::<true>(query, &mut way.counts),
            (_, Method::MaskOptimal, Moves::Four) => self.optimal::<false>(query, &mut way.counts),
            (_, Method::MaskOptimal, Moves::Eight) => self.optimal::<true>(query, &mut way.counts),
            (_, Method::MaskF1, Moves::Four) => self.resume::<false>(query, Frontier::One, &mut way.counts),
            (_, Method::MaskF1, Moves::Eight) => self.resume::<true>(query, Frontier::One, &mut way.counts),
            (_, _, Moves::Four) => self.resume::<false>(query, Frontier::PerNode, &mut way.counts),
            (_, _, Moves::Eight) => self.resume::<true>(query, Frontier::PerNode, &mut way.counts),
        };
        self.forget_blocked();
        if found.is_none() && spine && !way.counts.fallback {
            // The corridor ran out of water that the coarse map promised: only all water can tell.
            way.counts.fallback = true;
        }
        if way.counts.fallback {
            let corridor = way.counts;
            let found = self.fine.find_into(query, way);
            way.counts.visited += corridor.visited;
            (way.counts.expansions, way.counts.fallback) = (corridor.expansions, true);
            way.method = method;
            return found;
        }
        let Some(at) = found else { return false };
        self.fine.trace(at, &mut way.tiles);
        way.settle(query);
        way.source = self.fine.cells[at].start_of as usize;
        way.method = method;
        way.guarantee = match method {
            Method::MaskOptimal | Method::Restart => Guarantee::ShortestInRegion,
            // Without a widening the fast variant is a plain search of its region.
            _ if way.counts.expansions == 0 => Guarantee::ShortestInRegion,
            _ => Guarantee::Valid,
        };
        true
    }

    /// The tiles that the last query visited.
    pub(super) fn visited(&self) -> BitGrid {
        self.fine.visited()
    }

    /// A2: search, widen, search again from the start.
    fn restart<const EIGHT: bool>(&mut self, query: &Query, counts: &mut Counts) -> Option<usize> {
        loop {
            self.seed_all(query);
            let found = self.flood::<EIGHT>(&mut 0, None);
            counts.visited += self.fine.queue.len() as u64;
            if found.is_some() {
                return found;
            }
            if counts.expansions >= self.tuning.most_expansions {
                counts.fallback = true;
                return None;
            }
            counts.expansions += 1;
            self.corridor.widen(&self.coarse, false);
            if self.corridor.fresh.is_empty() {
                return None;
            }
            self.corridor.begin_phase();
        }
    }

    /// The fast variant: search, widen, go on.
    fn resume<const EIGHT: bool>(
        &mut self,
        query: &Query,
        frontier: Frontier,
        counts: &mut Counts,
    ) -> Option<usize> {
        self.seed_all(query);
        let mut head = 0;
        loop {
            let found = self.flood::<EIGHT>(&mut head, Some(frontier));
            counts.visited = self.fine.queue.len() as u64;
            if found.is_some() {
                return found;
            }
            let mut all = false;
            // A ring around the last phase may meet no blocked tile although others wait: then look around all phases.
            while head == self.fine.queue.len() {
                if counts.expansions >= self.tuning.most_expansions {
                    counts.fallback = true;
                    return None;
                }
                counts.expansions += 1;
                self.corridor.widen(&self.coarse, all);
                if self.corridor.fresh.is_empty() && all {
                    return None;
                }
                self.activate(frontier);
                all = true;
            }
            self.corridor.begin_phase();
        }
    }

    fn seed_all(&mut self, query: &Query) {
        self.fine.begin(query);
        for (i, &pos) in query.sources.iter().enumerate() {
            if self.corridor.is_allowed(self.coarse.node(pos)) {
                self.fine.seed(pos, i);
            }
        }
    }

    /// Breadth-first search over allowed tiles until a target is dequeued or the queue is empty.
    fn flood<const EIGHT: bool>(&mut self, head: &mut usize, frontier: Option<Frontier>) -> Option<usize> {
        let stride = self.fine.stride;
        while *head < self.fine.queue.len() {
            let at = self.fine.queue[*head] as usize;
            *head += 1;
            if self.fine.cells[at].goal == self.fine.stamp {
                return Some(at);
            }
            self.corridor.visit(self.coarse.node_of[at]);
            let north = self.step(at, at - stride, frontier);
            let west = self.step(at, at - 1, frontier);
            let east = self.step(at, at + 1, frontier);
            let south = self.step(at, at + stride, frontier);
            if EIGHT {
                if north && west {
                    self.step(at, at - stride - 1, frontier);
                }
                if north && east {
                    self.step(at, at - stride + 1, frontier);
                }
                if south && west {
                    self.step(at, at + stride - 1, frontier);
                }
                if south && east {
                    self.step(at, at + stride + 1, frontier);
                }
            }
        }
        None
    }

    /// Visits a neighbour, or puts it off if the mask blocks it; true if it is water.
    #[inline]
    fn step(&mut self, at: usize, to: usize, frontier: Option<Frontier>) -> bool {
        let seen = self.fine.cells[to].seen;
        if seen < self.fine.stamp {
            let node = self.coarse.node_of[to];
            if self.corridor.is_allowed(node) {
                self.enter(at, to);
            } else if let Some(frontier) = frontier
                && self.put_off[to] != self.fine.stamp
            {
                self.put_off[to] = self.fine.stamp;
                self.put_off(at, to, node, frontier);
            }
        }
        seen != LAND
    }

    fn enter(&mut self, at: usize, to: usize) {
        let start_of = self.fine.cells[at].start_of;
        let cell = &mut self.fine.cells[to];
        (cell.seen, cell.prev, cell.start_of) = (self.fine.stamp, at as u32, start_of);
        self.fine.queue.push(to as u32);
    }

    fn put_off(&mut self, at: usize, to: usize, node: u32, frontier: Frontier) {
        let mut next = END;
        if frontier == Frontier::PerNode {
            next = self.first_blocked[node as usize];
            if next == END {
                self.waiting.push(node);
            }
            self.first_blocked[node as usize] = self.blocked.len() as u32;
        }
        self.blocked.push((to as u32, at as u32, next));
    }

    /// Enqueues the blocked tiles that are now allowed.
    fn activate(&mut self, frontier: Frontier) {
        match frontier {
            Frontier::One => {
                let mut blocked = std::mem::take(&mut self.blocked);
                blocked.retain(|&(to, at, _)| {
                    let allowed = self.corridor.is_allowed(self.coarse.node_of[to as usize]);
                    if allowed && self.fine.cells[to as usize].seen < self.fine.stamp {
                        self.enter(at as usize, to as usize);
                    }
                    !allowed
                });
                self.blocked = blocked;
            }
            Frontier::PerNode => {
                for i in 0..self.corridor.fresh.len() {
                    let node = self.corridor.fresh[i] as usize;
                    let mut entry = std::mem::replace(&mut self.first_blocked[node], END);
                    while entry != END {
                        let (to, at, next) = self.blocked[entry as usize];
                        if self.fine.cells[to as usize].seen < self.fine.stamp {
                            self.enter(at as usize, to as usize);
                        }
                        entry = next;
                    }
                }
            }
        }
    }

    fn forget_blocked(&mut self) {
        self.blocked.clear();
        for node in self.waiting.drain(..) {
            self.first_blocked[node as usize] = END;
        }
    }

    pub(super) fn set(&mut self, pos: Pos, open: bool) {
        self.fine.set(pos, open);
    }
}
