//! Neighbour statistics of the open cells of a grid.

use crate::grid::{BitGrid, Dir, Size};

/// Numbers of open cells by the number of their open neighbours in four directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OpenCellCounts {
    /// Open cells.
    pub(super) open: usize,
    /// Open cells with at most one open neighbour.
    pub(super) dead_ends: usize,
    /// Open cells with three or four open neighbours.
    pub(super) junctions: usize,
    /// Sum of the numbers of open neighbours over all open cells.
    pub(super) neighbours: usize,
}

impl OpenCellCounts {
    /// Counts the open cells of a grid. `is_open` lists its cells in row-major order; `open` is a
    /// scratch buffer.
    ///
    /// # Complexity
    /// O(cells).
    pub(super) fn of(
        open: &mut BitGrid,
        size: Size,
        is_open: impl Iterator<Item = bool>,
    ) -> OpenCellCounts {
        open.reset(size);
        size.iter().zip(is_open).filter(|cell| cell.1).for_each(|(pos, _)| open.insert(pos));
        let mut counts = OpenCellCounts { open: open.len(), ..OpenCellCounts::default() };
        for pos in open.iter() {
            let neighbours = Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, size));
            let neighbours = neighbours.filter(|&to| open.contains(to)).count();
            counts.neighbours += neighbours;
            match neighbours {
                0 | 1 => counts.dead_ends += 1,
                2 => {}
                _ => counts.junctions += 1,
            }
        }
        counts
    }
}
