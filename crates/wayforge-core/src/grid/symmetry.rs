//! The eight symmetries of a rectangular grid (dihedral group of order 8).

use crate::grid::{Pos, Size};
use serde::{Deserialize, Serialize};

/// Symmetry of a grid: an optional reflection left to right, then a clockwise rotation in degrees.
///
/// # Examples
/// ```
/// use wayforge_core::grid::Symmetry;
/// use wayforge_core::grid::{Pos, Size};
/// let size = Size::new(5, 3);
/// assert_eq!(Symmetry::R90.apply(Pos::new(4, 0), size), Pos::new(2, 4));
/// assert_eq!(Symmetry::R90.size(size), Size::new(3, 5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Symmetry {
    #[default]
    R0,
    R90,
    R180,
    R270,
    M0,
    M90,
    M180,
    M270,
}

impl Symmetry {
    /// All eight symmetries.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::R0,
        Symmetry::R90,
        Symmetry::R180,
        Symmetry::R270,
        Symmetry::M0,
        Symmetry::M90,
        Symmetry::M180,
        Symmetry::M270,
    ];

    /// Returns the image of a cell of a grid of `size`. Positions outside the grid are clamped
    /// first.
    pub fn apply(self, pos: Pos, size: Size) -> Pos {
        let (right, bottom) = (size.width.saturating_sub(1), size.height.saturating_sub(1));
        let (x, y) = (pos.x.min(right), pos.y.min(bottom));
        let x = if self as u8 >= 4 { right - x } else { x };
        match self as u8 % 4 {
            0 => Pos { x, y },
            1 => Pos { x: bottom - y, y: x },
            2 => Pos { x: right - x, y: bottom - y },
            _ => Pos { x: y, y: right - x },
        }
    }

    /// Returns the size of the transformed grid.
    pub fn size(self, size: Size) -> Size {
        match self as u8 % 2 {
            0 => size,
            _ => Size { width: size.height, height: size.width },
        }
    }

    /// Returns the name in documents.
    pub const fn name(self) -> &'static str {
        ["r0", "r90", "r180", "r270", "m0", "m90", "m180", "m270"][self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_distinct_bijections() {
        let size = Size::new(4, 3);
        let mut seen = Vec::new();
        for symmetry in Symmetry::ALL {
            let cells: Vec<Pos> = size.iter().map(|pos| symmetry.apply(pos, size)).collect();
            let mut sorted = cells.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, symmetry.size(size).iter().collect::<Vec<_>>(), "{symmetry:?}");
            assert!(!seen.contains(&cells));
            seen.push(cells);
            assert_eq!(
                serde_json::to_string(&symmetry).unwrap(),
                format!("\"{}\"", symmetry.name())
            );
            // Positions outside the grid, and an empty grid.
            assert_eq!(symmetry.apply(Pos::new(9, 7), size), symmetry.apply(Pos::new(3, 2), size));
            assert_eq!(symmetry.apply(Pos::new(9, 7), Size::new(0, 0)), Pos::new(0, 0));
        }
        let quarter_turns = |pos, n: u8| {
            (0..n)
                .fold((pos, size), |(pos, size), _| {
                    (Symmetry::R90.apply(pos, size), Symmetry::R90.size(size))
                })
                .0
        };
        for pos in size.iter() {
            assert_eq!(Symmetry::R180.apply(pos, size), quarter_turns(pos, 2));
            assert_eq!(Symmetry::R270.apply(pos, size), quarter_turns(pos, 3));
        }
    }
}
