//! Bitboards: blocks of 8 x 8 tiles, one `u64` per block.
//!
//! Bit `8 * y + x` is column `x` and row `y` of the block.

use super::nav_grid::NavGrid;
use super::straighten::Run;
use wayforge_core::grid::{Pos, Size};

/// Leftmost column of a block.
pub(super) const WEST: u64 = 0x0101_0101_0101_0101;
/// Rightmost column of a block.
pub(super) const EAST: u64 = WEST << 7;
/// Top row of a block.
pub(super) const NORTH: u64 = 0xff;
/// Bottom row of a block.
pub(super) const SOUTH: u64 = NORTH << 56;

/// Grid as blocks, padded with blocked blocks so that every block of the grid has eight neighbours.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub(super) size: Size,
    /// Number of blocks per row, padding included.
    pub(super) stride: usize,
    /// Open tiles of each block.
    pub(super) open: Vec<u64>,
    /// Tiles of each block that may step north-east, north-west, south-east and south-west.
    pub(super) diagonals: Vec<[u64; 4]>,
}

impl Blocks {
    pub(super) fn new(grid: &NavGrid) -> Blocks {
        let size = grid.size();
        let stride = usize::from(size.width).div_ceil(8) + 2;
        let height = usize::from(size.height).div_ceil(8) + 2;
        let mut blocks = Blocks {
            size,
            stride,
            open: vec![0; stride * height],
            diagonals: vec![[0; 4]; stride * height],
        };
        for y in 0..size.height {
            let first = (usize::from(y) / 8 + 1) * stride + 1;
            let row = &mut blocks.open[first..first + stride - 2];
            for (chunk, word) in row.chunks_mut(8).zip(grid.open().row(y)) {
                for (block, byte) in chunk.iter_mut().zip(word.to_le_bytes()) {
                    *block |= u64::from(byte) << (y % 8 * 8);
                }
            }
        }
        (0..stride * height).for_each(|block| blocks.update_diagonals(block));
        blocks
    }

    /// Returns the block and bit of a tile.
    #[inline]
    pub(super) fn locate(&self, pos: Pos) -> (usize, u32) {
        let block = (usize::from(pos.y) / 8 + 1) * self.stride + usize::from(pos.x) / 8 + 1;
        (block, u32::from(pos.y % 8 * 8 + pos.x % 8))
    }

    /// Returns the tile of a block's bit; the block must not be padding.
    #[inline]
    pub(super) fn pos(&self, block: usize, bit: u32) -> Pos {
        let (bx, by) = (block % self.stride - 1, block / self.stride - 1);
        Pos::new((bx * 8) as u16 + (bit % 8) as u16, (by * 8) as u16 + (bit / 8) as u16)
    }

    /// Opens or blocks a tile.
    ///
    /// Call [`update_diagonals`](Self::update_diagonals) on the surrounding blocks afterwards.
    pub(super) fn set_open(&mut self, pos: Pos, open: bool) {
        let (block, bit) = self.locate(pos);
        self.open[block] = self.open[block] & !(1 << bit) | u64::from(open) << bit;
    }

    /// Returns true if every step of a run is legal.
    ///
    /// The run must be inside the grid. Tests up to eight tiles at once.
    pub(super) fn is_clear(&self, run: &Run) -> bool {
        let (dx, dy) = run.step;
        // A diagonal run needs legal steps, a straight run needs open tiles.
        let diagonal = run.is_diagonal().then_some(usize::from(dy > 0) * 2 + usize::from(dx < 0));
        let mut remaining = u32::from(run.len) + u32::from(diagonal.is_none());
        let (mut x, mut y) = (i32::from(run.from.x), i32::from(run.from.y));
        let bit_step = (dx + 8 * dy).unsigned_abs();
        let line = match bit_step {
            1 => NORTH,
            7 => 0x0002_0408_1020_4081,
            8 => WEST,
            _ => 0x8040_2010_0804_0201,
        };
        let tiles_to_edge = |at: i32, step: i32| match step {
            0 => 8,
            1 => 8 - at as u32 % 8,
            _ => at as u32 % 8 + 1,
        };
        while remaining > 0 {
            let (block, bit) = self.locate(Pos::new(x as u16, y as u16));
            let tiles = tiles_to_edge(x, dx).min(tiles_to_edge(y, dy)).min(remaining);
            let reach = bit_step * (tiles - 1);
            let low = if dx + 8 * dy > 0 { bit } else { bit - reach };
            let needed = (line & u64::MAX >> (63 - reach)) << low;
            let free =
                diagonal.map_or(self.open[block], |diagonal| self.diagonals[block][diagonal]);
            if needed & !free != 0 {
                return false;
            }
            (x, y, remaining) = (x + dx * tiles as i32, y + dy * tiles as i32, remaining - tiles);
        }
        true
    }

    /// Computes which tiles of a block may step diagonally.
    pub(super) fn update_diagonals(&mut self, block: usize) {
        let open = &self.open;
        // Padding blocks return here; they lack some neighbours.
        if open[block] == 0 {
            self.diagonals[block] = [0; 4];
            return;
        }
        // Open tiles to the east and west of each tile of a block.
        let east = |b: usize| open[b] >> 1 & !EAST | (open[b + 1] & WEST) << 7;
        let west = |b: usize| open[b] << 1 & !WEST | (open[b - 1] & EAST) >> 7;
        let (above, below) = (block - self.stride, block + self.stride);
        let upper = |own: u64, other: u64| own << 8 | other >> 56;
        let lower = |own: u64, other: u64| own >> 8 | other << 56;
        let (e, w) = (east(block), west(block));
        let north = open[block] & upper(open[block], open[above]);
        let south = open[block] & lower(open[block], open[below]);
        self.diagonals[block] = [
            north & e & upper(e, east(above)),
            north & w & upper(w, west(above)),
            south & e & lower(e, east(below)),
            south & w & lower(w, west(below)),
        ];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge_core::MapRng;
    use wayforge_core::grid::{BitGrid, Dir};

    #[test]
    fn diagonals_match_the_definition_of_legal_steps() {
        let size = Size::new(21, 19);
        let mut rng = MapRng::from_u64(5);
        let open = BitGrid::from_cells(size, size.iter().filter(|_| rng.chance(7, 10)));
        let grid = NavGrid::new(open).unwrap();
        let blocks = Blocks::new(&grid);
        for pos in size.iter() {
            let (block, bit) = blocks.locate(pos);
            assert_eq!(blocks.pos(block, bit), pos);
            assert_eq!(blocks.open[block] >> bit & 1 == 1, grid.is_open(pos));
            let dirs = [Dir::NorthEast, Dir::NorthWest, Dir::SouthEast, Dir::SouthWest];
            for (dir, mask) in dirs.into_iter().zip(blocks.diagonals[block]) {
                let open = |to: Pos| grid.is_open(to);
                let legal = pos.step(dir, size).is_some_and(|to| {
                    open(pos)
                        && open(to)
                        && open(Pos::new(to.x, pos.y))
                        && open(Pos::new(pos.x, to.y))
                });
                assert_eq!(mask >> bit & 1 == 1, legal, "{pos} {dir:?}");
            }
        }
    }

    #[test]
    fn is_clear_matches_tile_by_tile_check() {
        let size = Size::new(40, 37);
        let mut rng = MapRng::from_u64(6);
        for blocked_percent in [0, 1, 4] {
            let open = BitGrid::from_cells(
                size,
                size.iter().filter(|_| !rng.chance(blocked_percent, 100)),
            );
            let grid = NavGrid::new(open).unwrap();
            let blocks = Blocks::new(&grid);
            let mut clear = 0;
            for from in size.iter().filter(|&pos| grid.is_open(pos)) {
                for dir in Dir::ALL {
                    let mut end = from;
                    for len in 1.. {
                        let Some(to) = end.step(dir, size) else { break };
                        end = to;
                        let step = (dir.delta().0.into(), dir.delta().1.into());
                        let run = Run { from, step, len };
                        let expected = run.is_clear(|pos| grid.is_open(pos));
                        assert_eq!(blocks.is_clear(&run), expected, "{run:?}\n{}", grid.open());
                        clear += usize::from(expected);
                    }
                }
            }
            assert!(clear > 10_000);
        }
    }
}
