//! Grids with a border of land: every tile has eight neighbours, and no step needs a check against the edge.

use super::query::Moves;
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

/// For each diagonal the two straight steps beside it.
const BESIDE: [(usize, usize); 4] = [(0, 1), (0, 2), (3, 1), (3, 2)];

/// Tries the straight [steps](Frame::steps), and with eight neighbours every diagonal one whose two straight steps lead to
/// water. `step` returns true if a step leads to water.
#[inline(always)]
pub(super) fn try_steps(moves: Moves, mut step: impl FnMut(usize) -> bool) {
    let open = [step(0), step(1), step(2), step(3)];
    if moves == Moves::Eight {
        for (i, (one, two)) in BESIDE.into_iter().enumerate() {
            if open[one] && open[two] {
                step(4 + i);
            }
        }
    }
}
