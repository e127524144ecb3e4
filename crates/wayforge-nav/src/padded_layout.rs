//! Tile indices of a grid padded with blocked tiles, so that no step leaves the array.

use wayforge_core::grid::{Pos, Size};

/// Row-major indices of the tiles of a grid and its padding.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PaddedLayout {
    /// Tiles per row, padding included.
    pub(super) stride: usize,
    /// Number of tiles, padding included.
    pub(super) len: usize,
}

impl PaddedLayout {
    pub(super) fn new(size: Size) -> PaddedLayout {
        let stride = usize::from(size.width) + 2;
        PaddedLayout { stride, len: stride * (usize::from(size.height) + 2) }
    }

    #[inline]
    pub(super) fn index(self, pos: Pos) -> usize {
        (usize::from(pos.y) + 1) * self.stride + usize::from(pos.x) + 1
    }

    #[inline]
    pub(super) fn pos(self, index: usize) -> Pos {
        Pos::new((index % self.stride - 1) as u16, (index / self.stride - 1) as u16)
    }

    /// Writes the path that ends at tile `last`, first tile first. `previous` returns the tile
    /// before a tile of the path; `None` for the first one.
    pub(super) fn write_path(
        self,
        last: usize,
        previous: impl FnMut(&usize) -> Option<usize>,
        tiles: &mut Vec<Pos>,
    ) {
        tiles.clear();
        tiles.extend(std::iter::successors(Some(last), previous).map(|index| self.pos(index)));
        tiles.reverse();
    }

    /// Returns the index differences of steps north, west, east, south, then of the four diagonals.
    #[inline]
    pub(super) fn steps(self) -> [isize; 8] {
        let row = self.stride as isize;
        [-row, -1, 1, row, -row - 1, -row + 1, row - 1, row + 1]
    }
}

/// Indices of the two straight steps beside each diagonal step.
pub(super) const ADJACENT_STRAIGHT_STEPS: [(usize, usize); 4] = [(0, 1), (0, 2), (3, 1), (3, 2)];

/// Calls `step` for the neighbours of a tile.
///
/// `step` takes the index of the neighbour and the number of the [step](PaddedLayout::steps), and
/// returns true if the neighbour is open. With eight neighbours, a diagonal step is tried if both
/// tiles beside it are open.
#[inline(always)]
pub(super) fn visit_neighbours<const EIGHT: bool>(
    layout: PaddedLayout,
    index: usize,
    mut step: impl FnMut(usize, u8) -> bool,
) {
    let (above, below) = (index - layout.stride, index + layout.stride);
    let (north, west, east, south) =
        (step(above, 0), step(index - 1, 1), step(index + 1, 2), step(below, 3));
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
