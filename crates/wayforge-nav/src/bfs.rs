//! Plain breadth-first search: many sources, any target. The measure of everything else.

use super::frame::{Frame, try_steps};
use super::query::{Counts, Guarantee, Method, Moves, Query, Way};
use super::water::Water;
use wayforge_core::InputError;
use wayforge_core::grid::{BitGrid, Pos, Size};

/// Breadth-first search from many sources to any target, in memory that is reused.
///
/// * **Guarantees.** The way is as short as any in steps. Among the sources, the earlier in the list wins a tie at the same tile.
/// * **Complexity.** Linear in the tiles visited; stamps instead of clearing, so a query touches nothing else. 20 bytes a tile.
/// * **Determinism.** Neighbours are tried in one order: north, west, east, south, then the diagonals.
///
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::{MultiSourceAnyTargetBFS, Query, Water, Way};
/// let water = Water::from_text("....\n.##.\n....")?;
/// let mut search = MultiSourceAnyTargetBFS::new(&water);
/// let mut way = Way::default();
/// let query = Query::new([Pos::new(0, 0), Pos::new(3, 0)], [Pos::new(3, 2)]);
/// assert!(search.find_into(&query, &mut way));
/// assert_eq!((way.steps(), way.source), (2, 1));
/// # Ok::<(), wayforge_core::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MultiSourceAnyTargetBFS {
    size: Size,
    pub(super) frame: Frame,
    pub(super) cells: Vec<Cell>,
    pub(super) queue: Vec<u32>,
    pub(super) stamp: u32,
}

/// What the search knows of a tile. Together, because they are read together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The query that visited it last, or [`LAND`].
    pub(super) seen: u32,
    /// The tile it was reached from; a source's is itself.
    pub(super) prev: u32,
    /// The source its way began at, as the place in the query's list.
    pub(super) start_of: u32,
    /// The query whose target it was last.
    pub(super) goal: u32,
}

pub(super) const LAND: u32 = u32::MAX;

impl MultiSourceAnyTargetBFS {
    /// Scratch for searches on `water`.
    pub fn new(water: &Water) -> MultiSourceAnyTargetBFS {
        let (size, frame) = (water.size(), Frame::new(water.size()));
        let mut cells = vec![Cell { seen: LAND, prev: 0, start_of: 0, goal: 0 }; frame.len];
        water.open().iter().for_each(|pos| cells[frame.index(pos)].seen = 0);
        MultiSourceAnyTargetBFS { size, frame, cells, queue: Vec::new(), stamp: 0 }
    }

    /// Turns a tile into water or land.
    pub fn set(&mut self, pos: Pos, open: bool) {
        if self.size.contains(pos) {
            self.cells[self.frame.index(pos)].seen = if open { 0 } else { LAND };
        }
    }

    /// Answers a query, which must have been [checked](Query::check); false if there is no way. Only the query's tiles and
    /// moves are looked at.
    pub fn find_into(&mut self, query: &Query, way: &mut Way) -> bool {
        self.find_where(query, way, |_| true)
    }

    /// [`find_into`](Self::find_into) through the tiles that `pass` lets through.
    pub(super) fn find_where(&mut self, query: &Query, way: &mut Way, pass: impl Fn(usize) -> bool) -> bool {
        self.begin(query);
        for (i, &pos) in query.sources.iter().enumerate() {
            if pass(self.frame.index(pos)) {
                self.seed(pos, i);
            }
        }
        let found = match query.moves {
            Moves::Four => self.flood::<false>(pass),
            Moves::Eight => self.flood::<true>(pass),
        };
        way.counts = Counts { visited: self.queue.len() as u64, ..Counts::default() };
        let Some(at) = found else { return false };
        self.trace(at, &mut way.tiles);
        way.count_steps();
        way.set_ends(query);
        way.source = self.cells[at].start_of as usize;
        (way.guarantee, way.method) = (Guarantee::Exact, Method::Bfs);
        true
    }

    /// [`find_into`](Self::find_into) with the query checked first and a way of its own.
    pub fn find(&mut self, water: &Water, query: &Query) -> Result<Option<Way>, InputError> {
        query.check(water)?;
        let mut way = Way::default();
        Ok(self.find_into(query, &mut way).then_some(way))
    }

    /// The tiles that the last query visited.
    pub fn visited(&self) -> BitGrid {
        BitGrid::of(self.size, self.visits())
    }

    /// The same in the order of the visits.
    pub(super) fn visits(&self) -> impl Iterator<Item = Pos> {
        self.queue.iter().map(|&at| self.frame.pos(at as usize))
    }

    /// Takes a new stamp and marks the targets.
    pub(super) fn begin(&mut self, query: &Query) {
        self.stamp += 1;
        if self.stamp == LAND {
            // Four thousand million queries later the stamps run out: start over.
            for cell in &mut self.cells {
                cell.goal = 0;
                if cell.seen != LAND {
                    cell.seen = 0;
                }
            }
            self.stamp = 1;
        }
        self.queue.clear();
        for &pos in &query.targets {
            self.cells[self.frame.index(pos)].goal = self.stamp;
        }
    }

    /// Puts a source into the queue, unless it is there.
    pub(super) fn seed(&mut self, pos: Pos, number: usize) {
        let at = self.frame.index(pos);
        let cell = &mut self.cells[at];
        if cell.seen != LAND && cell.seen != self.stamp {
            (cell.seen, cell.prev, cell.start_of) = (self.stamp, at as u32, number as u32);
            self.queue.push(at as u32);
        }
    }

    fn flood<const EIGHT: bool>(&mut self, pass: impl Fn(usize) -> bool) -> Option<usize> {
        let (frame, stamp) = (self.frame, self.stamp);
        let mut head = 0;
        while head < self.queue.len() {
            let at = self.queue[head] as usize;
            head += 1;
            let here = self.cells[at];
            if here.goal == stamp {
                return Some(at);
            }
            // Visits a neighbour; true if it is water.
            try_steps::<EIGHT>(frame, at, |to, _| {
                let cell = &mut self.cells[to];
                let seen = cell.seen;
                if !pass(to) {
                    return false;
                }
                if seen < stamp {
                    (cell.seen, cell.prev, cell.start_of) = (stamp, at as u32, here.start_of);
                    self.queue.push(to as u32);
                }
                seen != LAND
            });
        }
        None
    }

    /// The tiles from a source to `at`.
    fn trace(&self, mut at: usize, tiles: &mut Vec<Pos>) {
        tiles.clear();
        tiles.push(self.frame.pos(at));
        while self.cells[at].prev as usize != at {
            at = self.cells[at].prev as usize;
            tiles.push(self.frame.pos(at));
        }
        tiles.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str, moves: Moves, from: (u16, u16), to: (u16, u16)) -> Option<u32> {
        let water = Water::from_text(text).unwrap();
        let query = Query::between(from.into(), to.into()).moves(moves);
        let way = MultiSourceAnyTargetBFS::new(&water).find(&water, &query).unwrap()?;
        assert_eq!(way.fault(&water, moves), None);
        assert_eq!((way.tiles[0], *way.tiles.last().unwrap()), (from.into(), to.into()));
        Some(way.steps())
    }

    #[test]
    fn corners_are_not_cut() {
        assert_eq!(steps("..\n..", Moves::Eight, (0, 0), (1, 1)), Some(1));
        assert_eq!(steps("..\n..", Moves::Four, (0, 0), (1, 1)), Some(2));
        assert_eq!(steps(".#\n..", Moves::Eight, (0, 0), (1, 1)), Some(2));
        assert_eq!(steps(".#\n#.", Moves::Eight, (0, 0), (1, 1)), None);
        assert_eq!(steps("...", Moves::Eight, (1, 0), (1, 0)), Some(0));
    }

    #[test]
    fn stamps_that_run_out_start_over() {
        let water = Water::from_text("....").unwrap();
        let mut search = MultiSourceAnyTargetBFS::new(&water);
        search.stamp = LAND - 3;
        let query = Query::between(Pos::new(0, 0), Pos::new(3, 0));
        let mut way = Way::default();
        for _ in 0..6 {
            assert!(search.find_into(&query, &mut way));
            assert_eq!((way.steps(), way.counts.visited), (3, 4));
        }
        assert!(search.stamp < 10);
    }
}
