//! Bit-parallel breadth-first search: 64 tiles per word, two bits per tile (Cooperman & Finkelstein
//! 1992).
//!
//! For each block of 8 x 8 tiles the search stores the unreached tiles, and for reached tiles a
//! code of `P` bits: the distance modulo `2^P - 1`, plus one. Distances of adjacent tiles differ by
//! at most one, so two bits are enough to find a nearer neighbour and walk back. With four bits, a
//! tile's distance follows from its code and the smallest distance in its block, unless the
//! distances in the block differ by 15 or more.

use super::blocks::{Blocks, EAST, NORTH, SOUTH, WEST};
use super::query::Connectivity;
use wayforge_core::grid::{BitGrid, Pos};

/// State of one search.
#[derive(Clone, Debug)]
pub(super) struct BitBfs<const P: usize> {
    states: Vec<BlockState<P>>,
    /// Blocks reached by the last level, with their new tiles.
    frontier: Vec<(u32, u64)>,
    /// Blocks reached by the next level.
    next: Vec<u32>,
    /// Blocks reached by any level.
    reached_blocks: Vec<u32>,
    level: u32,
}

/// Search state of a block.
#[derive(Clone, Copy, Debug)]
struct BlockState<const P: usize> {
    /// Open tiles not reached yet.
    unreached: u64,
    /// Tiles reached by the next level.
    next: u64,
    /// Bit planes of the tiles' distance codes; code 0 means unreached.
    code: [u64; P],
}

/// Returns the code of a distance.
#[inline]
fn encode_level<const P: usize>(level: u32) -> u32 {
    level % ((1 << P) - 1) + 1
}

impl<const P: usize> BitBfs<P> {
    pub(super) fn new(blocks: &Blocks) -> BitBfs<P> {
        let states = blocks
            .open
            .iter()
            .map(|&unreached| BlockState { unreached, next: 0, code: [0; P] })
            .collect();
        BitBfs {
            states,
            frontier: Vec::new(),
            next: Vec::new(),
            reached_blocks: Vec::new(),
            level: 0,
        }
    }

    /// Resets the search and starts it at `tiles`.
    pub(super) fn begin(&mut self, blocks: &Blocks, tiles: &[Pos]) {
        self.clear(blocks);
        for &pos in tiles {
            let (block, bit) = blocks.locate(pos);
            reach(&mut self.states[block], &mut self.next, block, 1 << bit);
        }
        self.commit_level(|_, _| {});
    }

    /// Returns the frontier: blocks and the tiles that the last level reached in them.
    pub(super) fn frontier(&self) -> &[(u32, u64)] {
        &self.frontier
    }

    /// Returns the number of levels expanded so far.
    pub(super) fn level(&self) -> u32 {
        self.level
    }

    /// Expands the search by one level.
    pub(super) fn expand(&mut self, blocks: &Blocks, connectivity: Connectivity) {
        match connectivity {
            Connectivity::Four => self.expand_with::<false>(blocks, |_, _| {}),
            Connectivity::Eight => self.expand_with::<true>(blocks, |_, _| {}),
        }
    }

    /// Expands the search by one level and calls `reached` with each block and its new tiles.
    #[inline]
    pub(super) fn expand_with<const EIGHT: bool>(
        &mut self,
        blocks: &Blocks,
        reached: impl FnMut(usize, u64),
    ) {
        let mut expansion = Expansion { blocks, states: &mut self.states, next: &mut self.next };
        for &(block, tiles) in &self.frontier {
            expansion.expand::<EIGHT>(block as usize, tiles);
        }
        self.frontier.clear();
        self.level += 1;
        self.commit_level(reached);
    }

    /// Returns the tiles of `open` that were reached, where `open` is a set of tiles of `block`.
    #[inline]
    pub(super) fn reached(&self, block: usize, open: u64) -> u64 {
        open & !self.states[block].unreached
    }

    /// Returns true if the code of a tile equals the code of distance `level`.
    #[inline]
    pub(super) fn has_code_of(&self, block: usize, bit: u32, level: u32) -> bool {
        let code = self
            .code(block)
            .iter()
            .rev()
            .fold(0, |code, plane| code << 1 | (plane >> bit & 1) as u32);
        code == encode_level::<P>(level)
    }

    /// Returns the bit planes of a block's distance codes.
    #[inline]
    pub(super) fn code(&self, block: usize) -> &[u64; P] {
        &self.states[block].code
    }

    /// Returns the blocks reached by any level.
    pub(super) fn reached_blocks(&self) -> &[u32] {
        &self.reached_blocks
    }

    /// Adds all reached tiles to `set`.
    pub(super) fn add_visited(&self, blocks: &Blocks, set: &mut BitGrid) {
        for &block in &self.reached_blocks {
            let reached = self.reached(block as usize, blocks.open[block as usize]);
            for_each_bit(reached, |bit| set.insert(blocks.pos(block as usize, bit)));
        }
    }

    /// Returns the number of reached tiles, except the tiles that `excluded` returns for each
    /// block.
    pub(super) fn visited_count(&self, blocks: &Blocks, excluded: impl Fn(usize) -> u64) -> u64 {
        let reached = |block: usize| self.reached(block, blocks.open[block]) & !excluded(block);
        self.reached_blocks
            .iter()
            .map(|&block| u64::from(reached(block as usize).count_ones()))
            .sum()
    }

    /// Resets the search and updates blocks after an edit.
    pub(super) fn update_blocks(&mut self, blocks: &Blocks, edited: &[usize]) {
        self.clear(blocks);
        for &block in edited {
            self.states[block].unreached = blocks.open[block];
        }
    }

    fn clear(&mut self, blocks: &Blocks) {
        for &block in self.reached_blocks.iter().chain(&self.next) {
            let unreached = blocks.open[block as usize];
            self.states[block as usize] = BlockState { unreached, next: 0, code: [0; P] };
        }
        self.reached_blocks.clear();
        self.frontier.clear();
        self.next.clear();
        self.level = 0;
    }

    /// Makes the tiles of the next level the frontier.
    #[inline]
    fn commit_level(&mut self, mut reached: impl FnMut(usize, u64)) {
        let code = encode_level::<P>(self.level);
        let planes: [u64; P] =
            std::array::from_fn(|i| 0_u64.wrapping_sub(u64::from(code >> i & 1)));
        for &block in &self.next {
            let state = &mut self.states[block as usize];
            let new = state.next;
            if state.code == [0; P] {
                self.reached_blocks.push(block);
            }
            state.next = 0;
            state.unreached &= !new;
            for (bits, plane) in state.code.iter_mut().zip(planes) {
                *bits |= new & plane;
            }
            self.frontier.push((block, new));
            reached(block as usize, new);
        }
        self.next.clear();
    }
}

/// Adds the unreached open tiles of `tiles` to the next level.
#[inline(always)]
fn reach<const P: usize>(state: &mut BlockState<P>, next: &mut Vec<u32>, block: usize, tiles: u64) {
    let new = tiles & state.unreached;
    if new != 0 {
        if state.next == 0 {
            next.push(block as u32);
        }
        state.next |= new;
    }
}

/// Expansion of one level into the next.
struct Expansion<'a, const P: usize> {
    blocks: &'a Blocks,
    states: &'a mut [BlockState<P>],
    next: &'a mut Vec<u32>,
}

const CORNERS: u64 = (NORTH | SOUTH) & (EAST | WEST);

impl<const P: usize> Expansion<'_, P> {
    /// Reaches the neighbours of `tiles`, which belong to `block`, in this and the adjacent blocks.
    #[inline(always)]
    fn expand<const EIGHT: bool>(&mut self, block: usize, tiles: u64) {
        if EIGHT && self.blocks.diagonals[block] == [u64::MAX; 4] {
            return self.expand_unobstructed(block, tiles);
        }
        let (inner_e, inner_w) = (tiles & !EAST, tiles & !WEST);
        let mut inside = inner_e << 1 | inner_w >> 1 | tiles << 8 | tiles >> 8;
        let (mut north, mut south) = (tiles << 56, tiles >> 56);
        let (mut east, mut west) = ((tiles & EAST) >> 7, (tiles & WEST) << 7);
        if EIGHT {
            let [ne, nw, se, sw] = self.blocks.diagonals[block];
            let (ne_in, nw_in) = (inner_e & ne, inner_w & nw);
            let (se_in, sw_in) = (inner_e & se, inner_w & sw);
            inside |= ne_in >> 7 | nw_in >> 9 | se_in << 9 | sw_in << 7;
            // `ne_in << 57` keeps only the top row, whose steps cross into the block above.
            north |= ne_in << 57 | (nw_in & NORTH) << 55;
            south |= (se_in & SOUTH) >> 55 | sw_in >> 57;
            east |= (tiles & EAST & ne) >> 15 | (tiles & EAST & se) << 1;
            west |= (tiles & WEST & nw) >> 1 | (tiles & WEST & sw) << 15;
            self.reach_corners(block, tiles, [ne, nw, se, sw]);
        }
        self.reach_row(block, [west, inside, east]);
        self.reach(block - self.blocks.stride, north);
        self.reach(block + self.blocks.stride, south);
    }

    /// Like [`expand`](Self::expand) with eight neighbours, for blocks where every step is legal.
    #[inline]
    fn expand_unobstructed(&mut self, block: usize, tiles: u64) {
        let horizontal = tiles | (tiles & !EAST) << 1 | (tiles & !WEST) >> 1;
        let vertical = tiles | tiles << 8 | tiles >> 8;
        self.reach_row(
            block,
            [
                (vertical & WEST) << 7,
                horizontal | horizontal << 8 | horizontal >> 8,
                (vertical & EAST) >> 7,
            ],
        );
        self.reach(block - self.blocks.stride, horizontal << 56);
        self.reach(block + self.blocks.stride, horizontal >> 56);
        self.reach_corners(block, tiles, [u64::MAX; 4]);
    }

    /// Reaches the diagonally adjacent blocks.
    ///
    /// The masks contain the tiles that may step north-east, north-west, south-east and south-west.
    #[inline(always)]
    fn reach_corners(&mut self, block: usize, tiles: u64, [ne, nw, se, sw]: [u64; 4]) {
        if tiles & CORNERS != 0 {
            let (above, below) = (block - self.blocks.stride, block + self.blocks.stride);
            self.reach(above + 1, (tiles & ne & NORTH & EAST) << 49);
            self.reach(above - 1, (tiles & nw & NORTH & WEST) << 63);
            self.reach(below + 1, (tiles & se & SOUTH & EAST) >> 63);
            self.reach(below - 1, (tiles & sw & SOUTH & WEST) >> 49);
        }
    }

    /// Reaches tiles of a block and its western and eastern neighbours with one bounds check.
    #[inline(always)]
    fn reach_row(&mut self, block: usize, [west, inside, east]: [u64; 3]) {
        if let Some([left, centre, right]) = self.states.get_mut(block - 1..block + 2) {
            reach(centre, self.next, block, inside);
            reach(right, self.next, block + 1, east);
            reach(left, self.next, block - 1, west);
        }
    }

    /// Reaches tiles of a block, if `tiles` is not empty.
    #[inline(always)]
    fn reach(&mut self, block: usize, tiles: u64) {
        if tiles != 0 {
            reach(&mut self.states[block], self.next, block, tiles);
        }
    }
}

/// Calls `f` with the index of every set bit, lowest first.
#[inline]
pub(super) fn for_each_bit(mut word: u64, mut f: impl FnMut(u32)) {
    while word != 0 {
        f(word.trailing_zeros());
        word &= word - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NavGrid;
    use wayforge_core::MapRng;
    use wayforge_core::grid::{Dir, Size};

    #[test]
    fn unobstructed_expansion_reaches_all_eight_neighbours() {
        let size = Size::new(40, 40);
        let blocks = Blocks::new(&NavGrid::new(BitGrid::from_cells(size, size.iter())).unwrap());
        let (block, _) = blocks.locate(Pos::new(16, 16));
        assert_eq!(blocks.diagonals[block], [u64::MAX; 4], "the test needs an unobstructed block");
        let mut rng = MapRng::from_u64(8);
        let single = (0..64).map(|bit| 1 << bit);
        let many =
            (0..200).map(|_| u64::from(rng.below(u32::MAX)) << 32 | u64::from(rng.below(u32::MAX)));
        for tiles in single.chain(many.collect::<Vec<u64>>()) {
            let mut bfs: BitBfs<2> = BitBfs::new(&blocks);
            let mut from = BitGrid::new(size);
            for_each_bit(tiles, |bit| from.insert(blocks.pos(block, bit)));
            bfs.begin(&blocks, &from.iter().collect::<Vec<Pos>>());
            bfs.expand(&blocks, Connectivity::Eight);
            let mut reached = BitGrid::new(size);
            for &(block, new) in bfs.frontier() {
                for_each_bit(new, |bit| reached.insert(blocks.pos(block as usize, bit)));
            }
            let is_adjacent = |pos: &Pos| {
                let touches = |dir: Dir| pos.step(dir, size).is_some_and(|to| from.contains(to));
                !from.contains(*pos) && Dir::ALL.into_iter().any(touches)
            };
            assert_eq!(
                reached,
                BitGrid::from_cells(size, size.iter().filter(is_adjacent)),
                "{tiles:x}"
            );
        }
    }
}
