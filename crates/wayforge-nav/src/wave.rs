//! A bit-parallel breadth-first wave: 64 tiles a word.
//!
//! A wave keeps for each block of 8 x 8 tiles what it has not reached, and for what it has reached the distance modulo
//! `2^P - 1`, plus one, in `P` bits. Neighbouring tiles differ by at most one in distance, so the three values of two bits are
//! enough to tell which of them is nearer, and to walk back. With four bits a tile's distance is told from that of its
//! block's nearest tile.

use super::blocks::{Blocks, EAST, NORTH, SOUTH, WEST};
use super::query::Moves;
use wayforge_core::grid::{BitGrid, Pos};

/// One wave and its memory.
#[derive(Clone, Debug)]
pub(super) struct Wave<const P: usize> {
    cells: Vec<Cell<P>>,
    /// The blocks that the last level reached, and their new tiles.
    front: Vec<(u32, u64)>,
    /// The blocks that the next level reaches.
    next: Vec<u32>,
    /// The blocks that have been reached at all.
    touched: Vec<u32>,
    level: u32,
}

/// What a wave knows of a block.
#[derive(Clone, Copy, Debug)]
struct Cell<const P: usize> {
    /// Water not yet reached.
    rest: u64,
    /// Tiles that the next level reaches.
    next: u64,
    /// The code of each tile's distance, bit by bit; 0 where nothing was reached.
    code: [u64; P],
}

/// What stands for a distance.
#[inline]
fn code_of<const P: usize>(level: u32) -> u32 {
    level % ((1 << P) - 1) + 1
}

impl<const P: usize> Wave<P> {
    pub(super) fn new(blocks: &Blocks) -> Wave<P> {
        let cells = blocks.open.iter().map(|&rest| Cell { rest, next: 0, code: [0; P] }).collect();
        Wave { cells, front: Vec::new(), next: Vec::new(), touched: Vec::new(), level: 0 }
    }

    /// Forgets the last query and starts at `tiles`.
    pub(super) fn begin(&mut self, blocks: &Blocks, tiles: &[Pos]) {
        self.clear(blocks);
        for &pos in tiles {
            let (block, bit) = blocks.place(pos);
            reach(&mut self.cells[block], &mut self.next, block, 1 << bit);
        }
        self.settle(|_, _| {});
    }

    /// The front: blocks and the tiles that the last level reached in them.
    pub(super) fn front(&self) -> &[(u32, u64)] {
        &self.front
    }

    /// How many levels the wave has grown.
    pub(super) fn level(&self) -> u32 {
        self.level
    }

    /// One level on.
    pub(super) fn grow(&mut self, blocks: &Blocks, moves: Moves) {
        match moves {
            Moves::Four => self.advance::<false>(blocks, |_, _| {}),
            Moves::Eight => self.advance::<true>(blocks, |_, _| {}),
        }
    }

    /// One level on; calls for every block and the tiles of it that were reached.
    #[inline]
    pub(super) fn advance<const EIGHT: bool>(&mut self, blocks: &Blocks, reached: impl FnMut(usize, u64)) {
        let mut spread = Spread { blocks, cells: &mut self.cells, next: &mut self.next };
        for &(block, tiles) in &self.front {
            spread.spread::<EIGHT>(block as usize, tiles);
        }
        self.front.clear();
        self.level += 1;
        self.settle(reached);
    }

    /// Those of `open`, tiles of a block, that were reached.
    #[inline]
    pub(super) fn reached(&self, block: usize, open: u64) -> u64 {
        open & !self.cells[block].rest
    }

    /// True if a tile may be at this distance, as far as its code tells.
    #[inline]
    pub(super) fn may_be_at(&self, block: usize, bit: u32, level: u32) -> bool {
        let code = self.code(block).iter().rev().fold(0, |code, plane| code << 1 | (plane >> bit & 1) as u32);
        code == code_of::<P>(level)
    }

    /// The codes of a block's tiles, bit by bit.
    #[inline]
    pub(super) fn code(&self, block: usize) -> &[u64; P] {
        &self.cells[block].code
    }

    /// The blocks that were reached.
    pub(super) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Adds all tiles that were reached.
    pub(super) fn mark(&self, blocks: &Blocks, onto: &mut BitGrid) {
        for &block in &self.touched {
            let reached = self.reached(block as usize, blocks.open[block as usize]);
            each_bit(reached, |bit| onto.insert(blocks.pos(block as usize, bit)));
        }
    }

    /// How many tiles were reached, without those of a block that `but` tells.
    pub(super) fn visited(&self, blocks: &Blocks, but: impl Fn(usize) -> u64) -> u64 {
        let reached = |block: usize| self.reached(block, blocks.open[block]) & !but(block);
        self.touched.iter().map(|&block| u64::from(reached(block as usize).count_ones())).sum()
    }

    /// Takes over blocks that were edited.
    pub(super) fn renew(&mut self, blocks: &Blocks, edited: &[usize]) {
        self.clear(blocks);
        for &block in edited {
            self.cells[block].rest = blocks.open[block];
        }
    }

    fn clear(&mut self, blocks: &Blocks) {
        for &block in self.touched.iter().chain(&self.next) {
            let rest = blocks.open[block as usize];
            self.cells[block as usize] = Cell { rest, next: 0, code: [0; P] };
        }
        self.touched.clear();
        self.front.clear();
        self.next.clear();
        self.level = 0;
    }

    /// Makes the next level the front.
    #[inline]
    fn settle(&mut self, mut reached: impl FnMut(usize, u64)) {
        let code = code_of::<P>(self.level);
        let planes: [u64; P] = std::array::from_fn(|i| 0_u64.wrapping_sub(u64::from(code >> i & 1)));
        for &block in &self.next {
            let cell = &mut self.cells[block as usize];
            let new = cell.next;
            if cell.code == [0; P] {
                self.touched.push(block);
            }
            cell.next = 0;
            cell.rest &= !new;
            for (bits, plane) in cell.code.iter_mut().zip(planes) {
                *bits |= new & plane;
            }
            self.front.push((block, new));
            reached(block as usize, new);
        }
        self.next.clear();
    }
}

/// Notes tiles for the next level, if they are water that was not reached before.
#[inline(always)]
fn reach<const P: usize>(cell: &mut Cell<P>, next: &mut Vec<u32>, block: usize, tiles: u64) {
    let new = tiles & cell.rest;
    if new != 0 {
        if cell.next == 0 {
            next.push(block as u32);
        }
        cell.next |= new;
    }
}

/// A level of a wave that spreads to the next.
struct Spread<'a, const P: usize> {
    blocks: &'a Blocks,
    cells: &'a mut [Cell<P>],
    next: &'a mut Vec<u32>,
}

const CORNERS: u64 = (NORTH | SOUTH) & (EAST | WEST);

impl<const P: usize> Spread<'_, P> {
    /// Reaches the neighbours of `f`, tiles of `block`, in this block and in those beside it.
    #[inline]
    fn spread<const EIGHT: bool>(&mut self, block: usize, f: u64) {
        if EIGHT && self.blocks.slants[block] == [u64::MAX; 4] {
            return self.spread_freely(block, f);
        }
        let (inner_e, inner_w) = (f & !EAST, f & !WEST);
        let mut inside = inner_e << 1 | inner_w >> 1 | f << 8 | f >> 8;
        let (mut north, mut south) = (f << 56, f >> 56);
        let (mut east, mut west) = ((f & EAST) >> 7, (f & WEST) << 7);
        if EIGHT {
            let [ne, nw, se, sw] = self.blocks.slants[block];
            let (ne_in, nw_in) = (inner_e & ne, inner_w & nw);
            let (se_in, sw_in) = (inner_e & se, inner_w & sw);
            inside |= ne_in >> 7 | nw_in >> 9 | se_in << 9 | sw_in << 7;
            // `ne_in << 57` would carry only the upper row: exactly what crosses to the block above.
            north |= ne_in << 57 | (nw_in & NORTH) << 55;
            south |= (se_in & SOUTH) >> 55 | sw_in >> 57;
            east |= (f & EAST & ne) >> 15 | (f & EAST & se) << 1;
            west |= (f & WEST & nw) >> 1 | (f & WEST & sw) << 15;
            self.reach_corners(block, f, [ne, nw, se, sw]);
        }
        self.reach_row(block, [west, inside, east]);
        self.reach(block - self.blocks.wide, north);
        self.reach(block + self.blocks.wide, south);
    }

    /// The same with eight neighbours where nothing is in the way: most of a sea.
    #[inline]
    fn spread_freely(&mut self, block: usize, f: u64) {
        let wide = f | (f & !EAST) << 1 | (f & !WEST) >> 1;
        let high = f | f << 8 | f >> 8;
        self.reach_row(block, [(high & WEST) << 7, wide | wide << 8 | wide >> 8, (high & EAST) >> 7]);
        self.reach(block - self.blocks.wide, wide << 56);
        self.reach(block + self.blocks.wide, wide >> 56);
        self.reach_corners(block, f, [u64::MAX; 4]);
    }

    /// Reaches the blocks at the corners, from tiles that may step north-east, north-west, south-east and south-west.
    #[inline(always)]
    fn reach_corners(&mut self, block: usize, f: u64, [ne, nw, se, sw]: [u64; 4]) {
        if f & CORNERS != 0 {
            let (above, below) = (block - self.blocks.wide, block + self.blocks.wide);
            self.reach(above + 1, (f & ne & NORTH & EAST) << 49);
            self.reach(above - 1, (f & nw & NORTH & WEST) << 63);
            self.reach(below + 1, (f & se & SOUTH & EAST) >> 63);
            self.reach(below - 1, (f & sw & SOUTH & WEST) >> 49);
        }
    }

    /// Reaches tiles of a block and of those to its west and east: one look at the three instead of three.
    #[inline(always)]
    fn reach_row(&mut self, block: usize, [west, inside, east]: [u64; 3]) {
        if let Some([left, here, right]) = self.cells.get_mut(block - 1..block + 2) {
            reach(here, self.next, block, inside);
            reach(right, self.next, block + 1, east);
            reach(left, self.next, block - 1, west);
        }
    }

    /// Reaches tiles of a block, if there are any.
    #[inline(always)]
    fn reach(&mut self, block: usize, tiles: u64) {
        if tiles != 0 {
            reach(&mut self.cells[block], self.next, block, tiles);
        }
    }
}

/// Calls for every set bit of a word.
#[inline]
pub(super) fn each_bit(mut word: u64, mut call: impl FnMut(u32)) {
    while word != 0 {
        call(word.trailing_zeros());
        word &= word - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Water;
    use wayforge_core::MapRng;
    use wayforge_core::grid::{Dir, Size};

    #[test]
    fn spreading_freely_reaches_the_eight_neighbours_of_every_tile() {
        let size = Size::new(40, 40);
        let blocks = Blocks::new(&Water::new(BitGrid::of(size, size.iter())).unwrap());
        let (block, _) = blocks.place(Pos::new(16, 16));
        assert_eq!(blocks.slants[block], [u64::MAX; 4], "else it is not the free spread that is tested");
        let mut rng = MapRng::from_u64(8);
        let single = (0..64).map(|bit| 1 << bit);
        let many = (0..200).map(|_| u64::from(rng.below(u32::MAX)) << 32 | u64::from(rng.below(u32::MAX)));
        for tiles in single.chain(many.collect::<Vec<u64>>()) {
            let mut wave: Wave<2> = Wave::new(&blocks);
            let mut from = BitGrid::new(size);
            each_bit(tiles, |bit| from.insert(blocks.pos(block, bit)));
            wave.begin(&blocks, &from.iter().collect::<Vec<Pos>>());
            wave.grow(&blocks, Moves::Eight);
            let mut reached = BitGrid::new(size);
            for &(block, new) in wave.front() {
                each_bit(new, |bit| reached.insert(blocks.pos(block as usize, bit)));
            }
            let beside = |pos: &Pos| {
                let near = |dir: Dir| pos.step(dir, size).is_some_and(|to| from.contains(to));
                !from.contains(*pos) && Dir::ALL.into_iter().any(near)
            };
            assert_eq!(reached, BitGrid::of(size, size.iter().filter(beside)), "{tiles:x}");
        }
    }
}
