//! Grids with a border of land: every tile has eight neighbours, and no step needs a check against the edge.

use wayforge_core::grid::{Pos, Size};

/// Numbers the tiles of a grid with its border, in reading order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// Tiles of a row.
    pub(super) stride: usize,
    /// Tiles in all.
    pub(super) len: usize,
}

impl Frame {
    pub(super) fn new(size: Size) -> Frame {
        let stride = usize::from(size.width) + 2;
        Frame { stride, len: stride * (usize::from(size.height) + 2) }
    }

    #[inline]
    pub(super) fn index(self, pos: Pos) -> usize {
        (usize::from(pos.y) + 1) * self.stride + usize::from(pos.x) + 1
    }

    #[inline]
    pub(super) fn pos(self, at: usize) -> Pos {
        Pos::new((at % self.stride - 1) as u16, (at / self.stride - 1) as u16)
    }

    /// North, west, east, south, then the diagonals, as differences of numbers.
    #[inline]
    pub(super) fn steps(self) -> [isize; 8] {
        let row = self.stride as isize;
        [-row, -1, 1, row, -row - 1, -row + 1, row - 1, row + 1]
    }
}

/// For each diagonal step the two straight ones beside it.
pub(super) const BESIDE: [(usize, usize); 4] = [(0, 1), (0, 2), (3, 1), (3, 2)];

/// Tries the straight [steps](Frame::steps) from a tile, and with eight neighbours every diagonal one whose two straight
/// steps lead to water. `step` takes the tile that a step leads to and the step's number, and returns true for water.
#[inline(always)]
pub(super) fn try_steps<const EIGHT: bool>(frame: Frame, at: usize, mut step: impl FnMut(usize, u8) -> bool) {
    let (above, below) = (at - frame.stride, at + frame.stride);
    let (north, west, east, south) = (step(above, 0), step(at - 1, 1), step(at + 1, 2), step(below, 3));
    if EIGHT {
        if north && west {
            step(above - 1, 4);
        }
        if north && east {
            step(above + 1, 5);
        }
        if south && west {
            step(below - 1, 6);
        }
        if south && east {
            step(below + 1, 7);
        }
    }
}
