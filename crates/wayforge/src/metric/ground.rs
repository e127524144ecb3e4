//! What ground looks like, whatever it is made of.

use crate::grid::{BitGrid, Dir, Size};

/// The shape of open ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Open cells.
    pub(super) open: usize,
    /// Open cells with one open neighbour along rows and columns, or none.
    pub(super) dead_ends: usize,
    /// Open cells with three or four.
    pub(super) junctions: usize,
    /// Open neighbours of all open cells together.
    pub(super) links: usize,
}

impl Shape {
    /// The shape of the ground of `size` whose cells are open or not, in reading order. `open` is memory.
    pub(super) fn of(open: &mut BitGrid, size: Size, is_open: impl Iterator<Item = bool>) -> Shape {
        open.reset(size);
        size.iter().zip(is_open).filter(|cell| cell.1).for_each(|(pos, _)| open.insert(pos));
        let mut shape = Shape { open: open.len(), ..Shape::default() };
        for pos in open.iter() {
            let beside = Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, size));
            let beside = beside.filter(|&to| open.contains(to)).count();
            shape.links += beside;
            match beside {
                0 | 1 => shape.dead_ends += 1,
                2 => {}
                _ => shape.junctions += 1,
            }
        }
        shape
    }
}
