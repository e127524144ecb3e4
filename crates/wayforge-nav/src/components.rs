//! Connected components of open tiles, by union-find (Tarjan 1975) over 8 x 8 blocks.
//!
//! A *component* in this module is a connected component inside one block of 8 x 8 tiles.
//! Union-find joins the components of adjacent blocks that touch, so two tiles are connected if and
//! only if their components have the same root. Queries between different roots fail without a
//! search. After tiles are blocked, tiles with the same root may be disconnected until the labels
//! are recomputed.
//!
//! The result is the same for four and eight neighbours, because a diagonal step needs both tiles
//! beside it.

use super::blocks::{Blocks, EAST, WEST};
use wayforge_core::grid::Pos;

/// All components of a grid, by index.
#[derive(Clone, Debug, Default)]
pub(super) struct Components {
    /// First component of each block; the others of the block follow.
    first: Vec<u32>,
    /// Number of components of each block.
    count: Vec<u8>,
    /// Tiles of each component.
    pub(super) tiles: Vec<u64>,
    /// Block of each component.
    pub(super) block: Vec<u32>,
    /// Union-find parent of each component.
    parent: Vec<u32>,
    /// Whether tiles were blocked since labelling, which may have split a connected component.
    stale: bool,
}

impl Components {
    pub(super) fn new(blocks: &Blocks) -> Components {
        let count = blocks.open.len();
        let mut components =
            Components { first: vec![0; count], count: vec![0; count], ..Components::default() };
        components.relabel(blocks);
        components
    }

    /// Labels all blocks from scratch.
    pub(super) fn relabel(&mut self, blocks: &Blocks) {
        self.tiles.clear();
        self.block.clear();
        self.parent.clear();
        self.stale = false;
        for block in 0..blocks.open.len() {
            self.label_block(blocks, block);
            // The blocks to the west and north are labelled already.
            if self.count[block] > 0 {
                self.union_adjacent(block, block - 1);
                self.union_adjacent(block, block - blocks.stride);
            }
        }
        for component in 0..self.parent.len() {
            // A parent has a lower index than its child, so it points to its root already.
            self.parent[component] = self.parent[self.parent[component] as usize];
        }
    }

    /// Relabels edited blocks; `any_blocked` is true if a tile was blocked.
    pub(super) fn update(&mut self, blocks: &Blocks, edited: &[usize], any_blocked: bool) {
        for &block in edited {
            self.label_block(blocks, block);
        }
        for &block in edited {
            for neighbour in [block - 1, block + 1, block - blocks.stride, block + blocks.stride] {
                self.union_adjacent(block, neighbour);
            }
        }
        self.stale |= any_blocked;
        // Replaced components accumulate; relabel everything when the table grows too large.
        if self.tiles.len() > 1024 + 2 * blocks.open.len() {
            self.relabel(blocks);
        }
    }

    /// Returns true if tiles with the same root may no longer be connected.
    pub(super) fn is_stale(&self) -> bool {
        self.stale
    }

    /// Returns the component of an open tile.
    #[inline]
    pub(super) fn component_at(&self, blocks: &Blocks, pos: Pos) -> u32 {
        let (block, bit) = blocks.locate(pos);
        let first = self.first[block];
        if self.count[block] <= 1 {
            return first;
        }
        let component =
            self.in_block(block).find(|&component| self.tiles[component] >> bit & 1 == 1);
        component.map_or(first, |component| component as u32)
    }

    /// Returns the components of a block.
    #[inline]
    pub(super) fn in_block(&self, block: usize) -> std::ops::Range<usize> {
        let first = self.first[block] as usize;
        first..first + usize::from(self.count[block])
    }

    /// Returns all components that edits have not replaced.
    pub(super) fn live(&self) -> impl Iterator<Item = u32> {
        (0..self.first.len())
            .flat_map(|block| self.in_block(block))
            .map(|component| component as u32)
    }

    /// Returns the union-find root of a component.
    pub(super) fn root(&self, component: u32) -> u32 {
        let mut root = component;
        while self.parent[root as usize] != root {
            root = self.parent[root as usize];
        }
        root
    }

    /// Finds the components of one block; each starts as its own root.
    fn label_block(&mut self, blocks: &Blocks, block: usize) {
        self.first[block] = self.tiles.len() as u32;
        self.count[block] = 0;
        let mut remaining = blocks.open[block];
        while remaining != 0 {
            let component = flood_fill(remaining & remaining.wrapping_neg(), remaining);
            remaining &= !component;
            self.parent.push(self.tiles.len() as u32);
            self.tiles.push(component);
            self.block.push(block as u32);
            self.count[block] += 1;
        }
    }

    /// Joins components of two adjacent blocks that touch.
    fn union_adjacent(&mut self, block: usize, neighbour: usize) {
        for component in self.in_block(block) {
            let tiles = self.tiles[component];
            let touching = match neighbour {
                west if west + 1 == block => (tiles & WEST) << 7,
                east if east == block + 1 => (tiles & EAST) >> 7,
                north if north < block => tiles << 56,
                _ => tiles >> 56,
            };
            for other in self.in_block(neighbour) {
                if self.tiles[other] & touching != 0 {
                    self.union(component as u32, other as u32);
                }
            }
        }
    }

    fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.compress_to_root(a), self.compress_to_root(b));
        // The lower index becomes the root, so `relabel` can flatten in order.
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
    }

    /// Returns the root of a component, with path halving.
    fn compress_to_root(&mut self, component: u32) -> u32 {
        let mut at = component as usize;
        while self.parent[at] as usize != at {
            self.parent[at] = self.parent[self.parent[at] as usize];
            at = self.parent[at] as usize;
        }
        at as u32
    }
}

/// Returns the tiles of `open` connected to `seed` inside the block.
fn flood_fill(seed: u64, open: u64) -> u64 {
    if open == u64::MAX {
        return open;
    }
    let mut reached = seed;
    loop {
        let horizontal = reached | reached << 1 & !WEST | reached >> 1 & !EAST;
        let expanded = (horizontal | reached << 8 | reached >> 8) & open;
        if expanded == reached {
            return reached;
        }
        reached = expanded;
    }
}
