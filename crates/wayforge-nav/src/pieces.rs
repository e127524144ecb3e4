//! Connected pieces of water inside each block of 8 x 8 tiles, and the seas that they form.
//!
//! Pieces are the coarse nodes that the document's own rule lacks: two of them are linked only where their tiles touch, so
//! a way over pieces always has a way over tiles inside it. They also label the seas: two tiles in different seas have no
//! way between them, and no search needs to start.
//!
//! With or without diagonals the seas are the same, because a diagonal step needs both tiles beside it.

use super::blocks::{Blocks, EAST, WEST};
use wayforge_core::grid::Pos;

/// All pieces of a grid, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    /// For each block its first piece; its others follow.
    first: Vec<u32>,
    /// For each block how many pieces it has.
    count: Vec<u8>,
    /// The tiles of each piece.
    pub(super) tiles: Vec<u64>,
    /// The block of each piece.
    pub(super) block: Vec<u32>,
    /// The piece that stands for a piece's sea, perhaps over several hops.
    sea: Vec<u32>,
    /// True if land was added since the seas were labelled: one may have fallen apart.
    stale: bool,
}

impl Pieces {
    pub(super) fn new(blocks: &Blocks) -> Pieces {
        let all = blocks.open.len();
        let mut pieces = Pieces { first: vec![0; all], count: vec![0; all], ..Pieces::default() };
        pieces.label(blocks);
        pieces
    }

    /// Labels everything anew.
    pub(super) fn label(&mut self, blocks: &Blocks) {
        self.tiles.clear();
        self.block.clear();
        self.sea.clear();
        self.stale = false;
        for block in 0..blocks.open.len() {
            self.split(blocks, block);
            // The blocks to the west and north are split already.
            if self.count[block] > 0 {
                self.join_with(block, block - 1);
                self.join_with(block, block - blocks.wide);
            }
        }
        for piece in 0..self.sea.len() {
            // A piece's sea has a lower number, and is flat already.
            self.sea[piece] = self.sea[self.sea[piece] as usize];
        }
    }

    /// Takes over blocks that were edited; `dried` if any tile turned to land.
    pub(super) fn renew(&mut self, blocks: &Blocks, edited: &[usize], dried: bool) {
        for &block in edited {
            self.split(blocks, block);
        }
        for &block in edited {
            for beside in [block - 1, block + 1, block - blocks.wide, block + blocks.wide] {
                self.join_with(block, beside);
            }
        }
        self.stale |= dried;
        // Dead pieces pile up; when most are dead, start over.
        if self.tiles.len() > 1024 + 2 * blocks.open.len() {
            self.label(blocks);
        }
    }

    /// True if the labels may join what has fallen apart.
    pub(super) fn is_stale(&self) -> bool {
        self.stale
    }

    /// The piece of a water tile.
    #[inline]
    pub(super) fn of(&self, blocks: &Blocks, pos: Pos) -> u32 {
        let (block, bit) = blocks.place(pos);
        let first = self.first[block];
        if self.count[block] <= 1 {
            return first;
        }
        let mine = self.range(block).find(|&piece| self.tiles[piece] >> bit & 1 == 1);
        mine.map_or(first, |piece| piece as u32)
    }

    /// The pieces of a block.
    #[inline]
    pub(super) fn range(&self, block: usize) -> std::ops::Range<usize> {
        let first = self.first[block] as usize;
        first..first + usize::from(self.count[block])
    }

    /// All pieces that edits have left.
    pub(super) fn live(&self) -> impl Iterator<Item = u32> {
        (0..self.first.len()).flat_map(|block| self.range(block)).map(|piece| piece as u32)
    }

    /// The sea of a piece: equal for two pieces if water joins them.
    pub(super) fn sea(&self, piece: u32) -> u32 {
        let mut at = piece;
        while self.sea[at as usize] != at {
            at = self.sea[at as usize];
        }
        at
    }

    /// Finds the pieces of one block; each is a sea of its own at first.
    fn split(&mut self, blocks: &Blocks, block: usize) {
        self.first[block] = self.tiles.len() as u32;
        self.count[block] = 0;
        let mut rest = blocks.open[block];
        while rest != 0 {
            let piece = spread_in(rest & rest.wrapping_neg(), rest);
            rest &= !piece;
            self.sea.push(self.tiles.len() as u32);
            self.tiles.push(piece);
            self.block.push(block as u32);
            self.count[block] += 1;
        }
    }

    /// Joins the seas of two neighbouring blocks where they touch.
    fn join_with(&mut self, block: usize, beside: usize) {
        for mine in self.range(block) {
            let tiles = self.tiles[mine];
            let touching = match beside {
                west if west + 1 == block => (tiles & WEST) << 7,
                east if east == block + 1 => (tiles & EAST) >> 7,
                north if north < block => tiles << 56,
                _ => tiles >> 56,
            };
            for other in self.range(beside) {
                if self.tiles[other] & touching != 0 {
                    self.unite(mine as u32, other as u32);
                }
            }
        }
    }

    fn unite(&mut self, one: u32, two: u32) {
        let (one, two) = (self.root(one), self.root(two));
        // The lower number stands for both, so that flattening in order works.
        let (low, high) = (one.min(two), one.max(two));
        self.sea[high as usize] = low;
    }

    fn root(&mut self, piece: u32) -> u32 {
        let mut at = piece as usize;
        while self.sea[at] as usize != at {
            self.sea[at] = self.sea[self.sea[at] as usize];
            at = self.sea[at] as usize;
        }
        at as u32
    }
}

/// All tiles of `open` that are joined to `seed` inside the block.
fn spread_in(seed: u64, open: u64) -> u64 {
    if open == u64::MAX {
        return open;
    }
    let mut reached = seed;
    loop {
        let aside = reached | reached << 1 & !WEST | reached >> 1 & !EAST;
        let grown = (aside | reached << 8 | reached >> 8) & open;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}
