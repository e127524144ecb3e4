//! Breadth-first search (Moore 1959) from several sources to any target: the reference for all
//! other methods.

use super::nav_grid::NavGrid;
use super::padded_layout::{PaddedLayout, visit_neighbours};
use super::query::{Connectivity, Guarantee, Method, Path, Query, SearchStats};
use super::work::count_tile;
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{InputError, Work};

/// Breadth-first search from several sources to any target, with reusable memory.
///
/// Paths have the minimum number of steps. If several sources reach a tile at the same distance,
/// the path starts at the one enqueued first, in the order of the query.
///
/// # Complexity
/// O(visited tiles) per query, because generation stamps make clearing unnecessary. Uses 20 bytes
/// per tile.
///
/// # Determinism
/// Neighbours are visited in a fixed order: north, west, east, south, then the diagonals.
///
/// # Examples
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_nav::{MultiSourceBfs, NavGrid, Path, Query};
/// let grid = NavGrid::from_text("....\n.##.\n....")?;
/// let mut search = MultiSourceBfs::new(&grid);
/// let mut path = Path::default();
/// let query = Query::new([Pos::new(0, 0), Pos::new(3, 0)], [Pos::new(3, 2)]);
/// assert!(search.find_into(&query, &mut path));
/// assert_eq!((path.steps(), path.source), (2, 1));
/// assert!(!search.find_into(&Query::new([Pos::new(0, 0)], [Pos::new(9, 9)]), &mut path));
/// # Ok::<(), wayforge_core::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MultiSourceBfs {
    size: Size,
    pub(super) layout: PaddedLayout,
    pub(super) cells: Vec<Cell>,
    pub(super) queue: Vec<u32>,
    pub(super) stamp: u32,
}

/// Search state of a tile, stored together because a visit reads all fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Stamp of the last query that visited the tile, or [`BLOCKED`].
    pub(super) seen: u32,
    /// Predecessor on the path; a source is its own predecessor.
    pub(super) prev: u32,
    /// Index in the query of the source that the path starts at.
    pub(super) source: u32,
    /// Stamp of the last query that has the tile as a target.
    pub(super) goal: u32,
}

/// Value of [`Cell::seen`] for blocked tiles.
pub(super) const BLOCKED: u32 = u32::MAX;

impl MultiSourceBfs {
    /// Allocates the search state for `grid`.
    pub fn new(grid: &NavGrid) -> MultiSourceBfs {
        let (size, layout) = (grid.size(), PaddedLayout::new(grid.size()));
        let mut cells = vec![Cell { seen: BLOCKED, prev: 0, source: 0, goal: 0 }; layout.len];
        grid.open().iter().for_each(|pos| cells[layout.index(pos)].seen = 0);
        MultiSourceBfs { size, layout, cells, queue: Vec::new(), stamp: 0 }
    }

    /// Opens or blocks a tile; does nothing outside the grid.
    pub fn set_open(&mut self, pos: Pos, open: bool) {
        if self.size.contains(pos) {
            self.cells[self.layout.index(pos)].seen = if open { 0 } else { BLOCKED };
        }
    }

    /// Runs a [validated](Query::validate) query and writes the result into `path`; returns false
    /// if no path exists, or if a source or target is outside the grid.
    ///
    /// Ignores the query's metric, method, depths and smoothing.
    pub fn find_into(&mut self, query: &Query, path: &mut Path) -> bool {
        let mut ends = query.sources.iter().chain(&query.targets);
        ends.all(|pos| self.size.contains(*pos))
            && self.find_filtered(query, path, |_| true, &Work::default())
    }

    /// Like [`find_into`](Self::find_into), restricted to tiles for which `is_allowed` returns
    /// true.
    pub(super) fn find_filtered(
        &mut self,
        query: &Query,
        path: &mut Path,
        is_allowed: impl Fn(usize) -> bool,
        work: &Work,
    ) -> bool {
        self.begin(query);
        for (i, &pos) in query.sources.iter().enumerate() {
            if is_allowed(self.layout.index(pos)) {
                self.enqueue_source(pos, i);
            }
        }
        let found = match query.connectivity {
            Connectivity::Four => self.search::<false>(is_allowed, work),
            Connectivity::Eight => self.search::<true>(is_allowed, work),
        };
        path.stats = SearchStats { visited: self.queue.len() as u64, ..SearchStats::default() };
        let Some(tile) = found else { return false };
        self.reconstruct(tile, &mut path.tiles);
        path.count_steps();
        path.set_ends(query);
        path.source = self.cells[tile].source as usize;
        (path.guarantee, path.method) = (Guarantee::Exact, Method::Bfs);
        true
    }

    /// Validates the query and finds a path with the fewest steps.
    ///
    /// Returns `Ok(None)` if no path exists.
    ///
    /// # Errors
    /// A source or target is blocked or outside the grid.
    pub fn find(&mut self, grid: &NavGrid, query: &Query) -> Result<Option<Path>, InputError> {
        query.validate(grid)?;
        let mut path = Path::default();
        Ok(self.find_into(query, &mut path).then_some(path))
    }

    /// Returns the tiles visited by the last query.
    pub fn visited(&self) -> BitGrid {
        BitGrid::from_cells(self.size, self.visit_order())
    }

    /// Returns the tiles visited by the last query, in the order of their visits.
    pub(super) fn visit_order(&self) -> impl Iterator<Item = Pos> {
        self.queue.iter().map(|&tile| self.layout.pos(tile as usize))
    }

    /// Starts a query: increments the stamp and marks the targets.
    pub(super) fn begin(&mut self, query: &Query) {
        self.stamp += 1;
        if self.stamp == BLOCKED {
            // The stamp overflows after 2^32 queries: reset all cells.
            for cell in &mut self.cells {
                cell.goal = 0;
                if cell.seen != BLOCKED {
                    cell.seen = 0;
                }
            }
            self.stamp = 1;
        }
        self.queue.clear();
        for &pos in &query.targets {
            self.cells[self.layout.index(pos)].goal = self.stamp;
        }
    }

    /// Enqueues an open source, unless it is already in the queue.
    pub(super) fn enqueue_source(&mut self, pos: Pos, index: usize) {
        let tile = self.layout.index(pos);
        let cell = &mut self.cells[tile];
        if cell.seen != BLOCKED && cell.seen != self.stamp {
            (cell.seen, cell.prev, cell.source) = (self.stamp, tile as u32, index as u32);
            self.queue.push(tile as u32);
        }
    }

    fn search<const EIGHT: bool>(
        &mut self,
        is_allowed: impl Fn(usize) -> bool,
        work: &Work,
    ) -> Option<usize> {
        let (layout, stamp) = (self.layout, self.stamp);
        let mut head = 0;
        while head < self.queue.len() {
            let tile = self.queue[head] as usize;
            head += 1;
            if !count_tile(work, head) {
                return None;
            }
            let current = self.cells[tile];
            if current.goal == stamp {
                return Some(tile);
            }
            // Returns true if the neighbour is allowed and open.
            visit_neighbours::<EIGHT>(layout, tile, |to, _| {
                let cell = &mut self.cells[to];
                let seen = cell.seen;
                if !is_allowed(to) {
                    return false;
                }
                if seen < stamp {
                    (cell.seen, cell.prev, cell.source) = (stamp, tile as u32, current.source);
                    self.queue.push(to as u32);
                }
                seen != BLOCKED
            });
        }
        None
    }

    /// Writes the tiles from the source to `tile` into `tiles`.
    fn reconstruct(&self, tile: usize, tiles: &mut Vec<Pos>) {
        let previous =
            |&tile: &usize| Some(self.cells[tile].prev as usize).filter(|&to| to != tile);
        self.layout.write_path(tile, previous, tiles);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(
        text: &str,
        connectivity: Connectivity,
        from: (u16, u16),
        to: (u16, u16),
    ) -> Option<u32> {
        let grid = NavGrid::from_text(text).unwrap();
        let query = Query::between(from.into(), to.into()).connectivity(connectivity);
        let path = MultiSourceBfs::new(&grid).find(&grid, &query).unwrap()?;
        assert_eq!(path.first_illegal_step(&grid, connectivity), None);
        assert_eq!((path.tiles[0], *path.tiles.last().unwrap()), (from.into(), to.into()));
        Some(path.steps())
    }

    #[test]
    fn diagonal_steps_do_not_cut_corners() {
        assert_eq!(steps("..\n..", Connectivity::Eight, (0, 0), (1, 1)), Some(1));
        assert_eq!(steps("..\n..", Connectivity::Four, (0, 0), (1, 1)), Some(2));
        assert_eq!(steps(".#\n..", Connectivity::Eight, (0, 0), (1, 1)), Some(2));
        assert_eq!(steps(".#\n#.", Connectivity::Eight, (0, 0), (1, 1)), None);
        assert_eq!(steps("...", Connectivity::Eight, (1, 0), (1, 0)), Some(0));
    }

    #[test]
    fn stamps_are_reset_on_overflow() {
        let grid = NavGrid::from_text("....").unwrap();
        let mut search = MultiSourceBfs::new(&grid);
        search.stamp = BLOCKED - 3;
        let query = Query::between(Pos::new(0, 0), Pos::new(3, 0));
        let mut path = Path::default();
        for _ in 0..6 {
            assert!(search.find_into(&query, &mut path));
            assert_eq!((path.steps(), path.stats.visited), (3, 4));
        }
        assert!(search.stamp < 10);
    }
}
