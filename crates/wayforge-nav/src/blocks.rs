//! Water in blocks of 8 x 8 tiles, a word each: bit `8 * y + x` is column `x` and row `y` of the block.

use super::straighten::Run;
use super::water::Water;
use wayforge_core::grid::{Pos, Size};

/// The leftmost column of a block.
pub(super) const WEST: u64 = 0x0101_0101_0101_0101;
/// The rightmost column.
pub(super) const EAST: u64 = WEST << 7;
/// The uppermost row.
pub(super) const NORTH: u64 = 0xff;
/// The lowest row.
pub(super) const SOUTH: u64 = NORTH << 56;

/// The grid as blocks, with a border of land around it: every block has eight neighbours.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub(super) size: Size,
    /// Blocks of a row, border included.
    pub(super) wide: usize,
    /// The water of each block.
    pub(super) open: Vec<u64>,
    /// For each block the tiles that may step north-east, north-west, south-east and south-west.
    pub(super) slants: Vec<[u64; 4]>,
}

impl Blocks {
    pub(super) fn new(water: &Water) -> Blocks {
        let size = water.size();
        let wide = usize::from(size.width).div_ceil(8) + 2;
        let high = usize::from(size.height).div_ceil(8) + 2;
        let mut blocks = Blocks { size, wide, open: vec![0; wide * high], slants: vec![[0; 4]; wide * high] };
        for y in 0..size.height {
            let first = (usize::from(y) / 8 + 1) * wide + 1;
            let row = &mut blocks.open[first..first + wide - 2];
            for (eight, word) in row.chunks_mut(8).zip(water.open().row(y)) {
                for (block, byte) in eight.iter_mut().zip(word.to_le_bytes()) {
                    *block |= u64::from(byte) << (y % 8 * 8);
                }
            }
        }
        (0..wide * high).for_each(|block| blocks.renew(block));
        blocks
    }

    /// The block and the bit of a tile.
    #[inline]
    pub(super) fn place(&self, pos: Pos) -> (usize, u32) {
        let block = (usize::from(pos.y) / 8 + 1) * self.wide + usize::from(pos.x) / 8 + 1;
        (block, u32::from(pos.y % 8 * 8 + pos.x % 8))
    }

    /// The tile of a block's bit; the block must not be of the border.
    #[inline]
    pub(super) fn pos(&self, block: usize, bit: u32) -> Pos {
        let (bx, by) = (block % self.wide - 1, block / self.wide - 1);
        Pos::new((bx * 8) as u16 + (bit % 8) as u16, (by * 8) as u16 + (bit / 8) as u16)
    }

    /// Turns a tile into water or land; [`renew`](Self::renew) the blocks around it afterwards.
    pub(super) fn set(&mut self, pos: Pos, open: bool) {
        let (block, bit) = self.place(pos);
        self.open[block] = self.open[block] & !(1 << bit) | u64::from(open) << bit;
    }

    /// True if every step of a run is legal. Looks at up to eight tiles at once; the run must lie on the grid.
    pub(super) fn is_clear(&self, run: &Run) -> bool {
        let (dx, dy) = run.step;
        // A diagonal run needs its steps to be legal, a straight one its tiles to be open.
        let slant = run.is_diagonal().then_some(usize::from(dy > 0) * 2 + usize::from(dx < 0));
        let mut rest = u32::from(run.len) + u32::from(slant.is_none());
        let (mut x, mut y) = (i32::from(run.from.x), i32::from(run.from.y));
        let stride = (dx + 8 * dy).unsigned_abs();
        let line = match stride {
            1 => NORTH,
            7 => 0x0002_0408_1020_4081,
            8 => WEST,
            _ => 0x8040_2010_0804_0201,
        };
        let room = |at: i32, step: i32| match step {
            0 => 8,
            1 => 8 - at as u32 % 8,
            _ => at as u32 % 8 + 1,
        };
        while rest > 0 {
            let (block, bit) = self.place(Pos::new(x as u16, y as u16));
            let tiles = room(x, dx).min(room(y, dy)).min(rest);
            let reach = stride * (tiles - 1);
            let low = if dx + 8 * dy > 0 { bit } else { bit - reach };
            let needed = (line & u64::MAX >> (63 - reach)) << low;
            let free = slant.map_or(self.open[block], |slant| self.slants[block][slant]);
            if needed & !free != 0 {
                return false;
            }
            (x, y, rest) = (x + dx * tiles as i32, y + dy * tiles as i32, rest - tiles);
        }
        true
    }

    /// Works out which tiles of a block may step diagonally.
    pub(super) fn renew(&mut self, block: usize) {
        let open = &self.open;
        // Also true of the border, which has no neighbours outside.
        if open[block] == 0 {
            self.slants[block] = [0; 4];
            return;
        }
        // The water to the east and west of each tile, in this block and in those above and below.
        let east = |b: usize| open[b] >> 1 & !EAST | (open[b + 1] & WEST) << 7;
        let west = |b: usize| open[b] << 1 & !WEST | (open[b - 1] & EAST) >> 7;
        let (above, below) = (block - self.wide, block + self.wide);
        let upper = |here: u64, there: u64| here << 8 | there >> 56;
        let lower = |here: u64, there: u64| here >> 8 | there << 56;
        let (e, w) = (east(block), west(block));
        let north = open[block] & upper(open[block], open[above]);
        let south = open[block] & lower(open[block], open[below]);
        self.slants[block] = [
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
    fn slants_are_the_legal_diagonal_steps() {
        let size = Size::new(21, 19);
        let mut rng = MapRng::from_u64(5);
        let open = BitGrid::of(size, size.iter().filter(|_| rng.chance(7, 10)));
        let water = Water::new(open).unwrap();
        let blocks = Blocks::new(&water);
        for pos in size.iter() {
            let (block, bit) = blocks.place(pos);
            assert_eq!(blocks.pos(block, bit), pos);
            assert_eq!(blocks.open[block] >> bit & 1 == 1, water.is_open(pos));
            let dirs = [Dir::NorthEast, Dir::NorthWest, Dir::SouthEast, Dir::SouthWest];
            for (dir, mask) in dirs.into_iter().zip(blocks.slants[block]) {
                let open = |to: Pos| water.is_open(to);
                let legal = pos.step(dir, size).is_some_and(|to| {
                    open(pos) && open(to) && open(Pos::new(to.x, pos.y)) && open(Pos::new(pos.x, to.y))
                });
                assert_eq!(mask >> bit & 1 == 1, legal, "{pos} {dir:?}");
            }
        }
    }

    #[test]
    fn runs_are_clear_as_tile_by_tile() {
        let size = Size::new(40, 37);
        let mut rng = MapRng::from_u64(6);
        for land in [0, 1, 4] {
            let open = BitGrid::of(size, size.iter().filter(|_| !rng.chance(land, 100)));
            let water = Water::new(open).unwrap();
            let blocks = Blocks::new(&water);
            let mut clear = 0;
            for from in size.iter().filter(|&pos| water.is_open(pos)) {
                for dir in Dir::ALL {
                    let mut end = from;
                    for len in 1.. {
                        let Some(to) = end.step(dir, size) else { break };
                        end = to;
                        let step = (dir.delta().0.into(), dir.delta().1.into());
                        let run = Run { from, step, len };
                        let expected = run.is_clear(|pos| water.is_open(pos));
                        assert_eq!(blocks.is_clear(&run), expected, "{run:?}\n{}", water.open());
                        clear += usize::from(expected);
                    }
                }
            }
            assert!(clear > 10_000);
        }
    }
}
