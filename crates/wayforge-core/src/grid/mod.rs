//! Grid coordinates, directions, symmetries and sets of cells.
//!
//! The origin is the top left cell; `x` increases to the right, `y` downwards. The *index* of a
//! cell is its position in row-major order.

mod bits;
mod symmetry;

pub use bits::BitGrid;
pub use symmetry::Symmetry;

use serde::{Deserialize, Serialize};
use std::fmt;

/// Position of a cell; `[x, y]` in JSON.
///
/// # Examples
/// ```
/// use wayforge_core::grid::{Dir, Pos, Size};
/// let pos = Pos::new(3, 5);
/// assert_eq!(pos.step(Dir::NorthEast, Size::new(8, 8)), Some(Pos::new(4, 4)));
/// assert_eq!(serde_json::to_string(&pos).unwrap(), "[3,5]");
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "(u16, u16)"))]
#[serde(from = "(u16, u16)", into = "(u16, u16)")]
pub struct Pos {
    /// The row, from the top. It is the first field so that positions are ordered by row.
    pub y: u16,
    /// The column, from the left.
    pub x: u16,
}

/// Size of a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Size {
    /// Number of columns.
    pub width: u16,
    /// Number of rows.
    pub height: u16,
}

/// One of the eight directions, clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Dir {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Pos {
    /// Creates the position of column `x` and row `y`.
    pub const fn new(x: u16, y: u16) -> Pos {
        Pos { y, x }
    }

    /// Returns the neighbour in direction `dir`, if it is on a grid of `size`.
    #[inline]
    pub fn step(self, dir: Dir, size: Size) -> Option<Pos> {
        let (dx, dy) = dir.delta();
        let x = self.x.checked_add_signed(dx).filter(|&x| x < size.width)?;
        let y = self.y.checked_add_signed(dy).filter(|&y| y < size.height)?;
        Some(Pos { x, y })
    }

    /// Returns the Chebyshev distance: the number of steps with eight neighbours.
    #[inline]
    pub fn chebyshev_distance(self, other: Pos) -> u16 {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }

    /// Returns the Manhattan distance: the number of steps with four neighbours.
    #[inline]
    pub fn manhattan_distance(self, other: Pos) -> u32 {
        u32::from(self.x.abs_diff(other.x)) + u32::from(self.y.abs_diff(other.y))
    }
}

impl Size {
    /// Creates a size.
    pub const fn new(width: u16, height: u16) -> Size {
        Size { width, height }
    }

    /// Returns the number of cells.
    #[inline]
    pub const fn cells(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns true if the cell is on the grid.
    #[inline]
    pub const fn contains(self, pos: Pos) -> bool {
        pos.x < self.width && pos.y < self.height
    }

    /// Returns the index of a cell of the grid.
    #[inline]
    pub const fn index(self, pos: Pos) -> usize {
        pos.y as usize * self.width as usize + pos.x as usize
    }

    /// Returns the cell at an index.
    ///
    /// # Panics
    /// Panics if the width is 0.
    #[inline]
    pub const fn pos(self, index: usize) -> Pos {
        Pos { x: (index % self.width as usize) as u16, y: (index / self.width as usize) as u16 }
    }

    /// Iterates over all cells in row-major order.
    pub fn iter(self) -> impl Iterator<Item = Pos> {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| Pos { x, y }))
    }
}

impl Dir {
    /// All eight directions, clockwise from north.
    pub const ALL: [Dir; 8] = [
        Dir::North,
        Dir::NorthEast,
        Dir::East,
        Dir::SouthEast,
        Dir::South,
        Dir::SouthWest,
        Dir::West,
        Dir::NorthWest,
    ];
    /// The four cardinal directions.
    pub const STRAIGHT: [Dir; 4] = [Dir::North, Dir::East, Dir::South, Dir::West];

    /// Returns the column and row offset of one step.
    #[inline]
    pub const fn delta(self) -> (i16, i16) {
        match self {
            Dir::North => (0, -1),
            Dir::NorthEast => (1, -1),
            Dir::East => (1, 0),
            Dir::SouthEast => (1, 1),
            Dir::South => (0, 1),
            Dir::SouthWest => (-1, 1),
            Dir::West => (-1, 0),
            Dir::NorthWest => (-1, -1),
        }
    }

    /// Returns true for the four diagonal directions.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self as u8 % 2 == 1
    }

    /// Returns the opposite direction.
    #[inline]
    pub const fn opposite(self) -> Dir {
        Dir::ALL[(self as usize + 4) % 8]
    }

    /// Returns the direction from a cell to a neighbour, or `None` if `to` is not a neighbour.
    pub fn between(from: Pos, to: Pos) -> Option<Dir> {
        Dir::ALL.into_iter().find(|dir| {
            let (dx, dy) = dir.delta();
            from.x.checked_add_signed(dx) == Some(to.x)
                && from.y.checked_add_signed(dy) == Some(to.y)
        })
    }
}

impl From<(u16, u16)> for Pos {
    fn from((x, y): (u16, u16)) -> Pos {
        Pos { x, y }
    }
}

impl From<Pos> for (u16, u16) {
    fn from(pos: Pos) -> (u16, u16) {
        (pos.x, pos.y)
    }
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {}", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stay_on_the_grid_and_are_reversible() {
        let size = Size::new(3, 2);
        for pos in size.iter() {
            assert_eq!(size.pos(size.index(pos)), pos);
            for dir in Dir::ALL {
                if let Some(next) = pos.step(dir, size) {
                    assert!(size.contains(next));
                    assert_eq!(next.step(dir.opposite(), size), Some(pos));
                    assert_eq!(Dir::between(pos, next), Some(dir));
                }
            }
        }
        let neighbours =
            |pos: Pos| Dir::ALL.iter().filter(|&&dir| pos.step(dir, size).is_some()).count();
        assert_eq!((neighbours(Pos::new(0, 0)), neighbours(Pos::new(1, 1))), (3, 5));
        assert_eq!(Dir::between(Pos::new(0, 0), Pos::new(2, 0)), None);
    }
}
