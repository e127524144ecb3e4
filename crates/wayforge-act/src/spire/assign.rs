//! The game's assignment of kinds: row by row and left to right, each node takes the first allowed
//! entry of the [`bag`](super::bag).
//!
//! One word per row contains the kinds that children may not have: byte `p + 1` holds the kind of
//! parent `p`, if it must not repeat, and the kinds of its children so far. A node reads the bytes
//! of its parents and adds its kind to them.

use super::bag::{Bag, bit};
use super::walks::GameWalks;
use super::{ELITE, KindId, MONSTER, REST, ROWS, SHOP, TREASURE};
use crate::{Edge, Node};
use std::hint::select_unpredictable;

/// Buffers for the nodes and edges of the largest map.
#[derive(Clone, Debug)]
pub(super) struct KindAssignment {
    nodes: [Node; 128],
    edges: [Edge; 256],
}

/// Numbers of nodes and edges written. Separate from the buffers, so that they stay in registers.
#[derive(Clone, Copy)]
struct Counts {
    nodes: usize,
    edges: usize,
}

/// Kinds that never follow themselves.
const NO_REPEAT: u8 = bit(REST) | bit(ELITE) | bit(SHOP);

/// Kinds that are not allowed on a row.
const ROW_FORBIDS: [u8; 16] = {
    let mut table = [0; 16];
    let mut row = 0;
    while row < ROWS {
        table[row] = match row {
            0..5 => bit(REST) | bit(ELITE),
            5..13 => 0,
            _ => bit(REST),
        };
        row += 1;
    }
    table
};

/// Expands three bits to three bytes.
const SPREAD: [u64; 8] = [0, 0xFF, 0xFF00, 0xFFFF, 0xFF_0000, 0xFF_00FF, 0xFF_FF00, 0xFF_FFFF];

impl Default for KindAssignment {
    fn default() -> KindAssignment {
        KindAssignment {
            nodes: [Node { row: 0, col: 0, kind: None }; 128],
            edges: [Edge { row: 0, from: 0, to: 0 }; 256],
        }
    }
}

impl KindAssignment {
    /// Assigns the kinds and writes all nodes and edges in sorted order.
    pub(super) fn run(
        &mut self,
        walks: &GameWalks,
        bag: &mut Bag,
        nodes: &mut Vec<Node>,
        edges: &mut Vec<Edge>,
    ) {
        let mut counts = Counts { nodes: 0, edges: 0 };
        let [low, high] = walks.nodes();
        counts = self.fixed(walks, 0, low & 0x7F, MONSTER, counts);
        counts = self.assign_from_bag(walks, 0, low & !0x7F, bag, counts);
        counts = self.fixed(walks, 8, high & 0x7F, TREASURE, counts);
        counts = self.assign_from_bag(walks, 8, high & 0x0000_FFFF_FFFF_FF00, bag, counts);
        counts = self.fixed(walks, 14, high >> 48, REST, counts);
        // Reserve for the largest map, so that a generator allocates only once.
        nodes.clear();
        nodes.reserve(self.nodes.len());
        nodes.extend_from_slice(&self.nodes[..counts.nodes.min(128)]);
        edges.clear();
        edges.reserve(self.edges.len());
        edges.extend_from_slice(&self.edges[..counts.edges.min(256)]);
    }

    /// Writes a row whose nodes are all of one kind. None of these kinds restricts the row above.
    #[inline]
    fn fixed(
        &mut self,
        walks: &GameWalks,
        row: usize,
        mut cols: u64,
        kind: KindId,
        mut counts: Counts,
    ) -> Counts {
        while cols != 0 {
            counts = self.put(walks, row, cols.trailing_zeros() as usize, kind, counts);
            cols &= cols - 1;
        }
        counts
    }

    /// Assigns kinds from the bag to the `cells` of the eight rows from `base` on.
    ///
    /// The row below the first of them is fixed.
    fn assign_from_bag(
        &mut self,
        walks: &GameWalks,
        base: usize,
        mut cells: u64,
        bag: &mut Bag,
        mut counts: Counts,
    ) -> Counts {
        let (mut row, mut below, mut current) = (0, 0, 0);
        while cells != 0 {
            let cell = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let col = cell % 8;
            let is_new = base + cell / 8 != row;
            row = base + cell / 8;
            below = select_unpredictable(is_new, current, below);
            current = select_unpredictable(is_new, 0, current);

            let from = SPREAD[((walks.parents(row) << 1) >> (9 * col)) as usize & 7];
            let to = SPREAD[((walks.edges_to(row) << 1) >> (9 * col)) as usize & 7];
            let parents = (below >> (8 * col)) & from;
            let forbidden = (parents | parents >> 8 | parents >> 16) as u8 | ROW_FORBIDS[row & 15];
            let kind = u64::from(bag.take(forbidden));
            below |= ((kind * 0x01_0101) & to) << (8 * col);
            current |= ((kind & u64::from(NO_REPEAT)) << 8) << (8 * col);
            // If no entry is allowed, `kind` is 0: it restricts nothing, and the node is a monster.
            counts = self.put(walks, row, col, KindId(kind.trailing_zeros() as u8 & 7), counts);
        }
        counts
    }

    /// Writes a node and its edges. Branch-free: a missing edge is overwritten by the next one.
    #[inline]
    fn put(
        &mut self,
        walks: &GameWalks,
        row: usize,
        col: usize,
        kind: KindId,
        mut counts: Counts,
    ) -> Counts {
        let up = (walks.edges_to(row + 1) << 8) >> (9 * col);
        let (row, from) = (row as u16, col as u16);
        self.nodes[counts.nodes % 128] = Node { row, col: from, kind: Some(kind) };
        counts.nodes += 1;
        for (i, to) in [from.wrapping_sub(1), from, from + 1].into_iter().enumerate() {
            self.edges[counts.edges % 256] = Edge { row, from, to };
            counts.edges += (up >> (8 * i)) as usize & 1;
        }
        counts
    }
}
