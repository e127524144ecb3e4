//! Dealing the kinds: row by row, left to right, each node takes the first entry of the bag that may stand there.
//!
//! One word a row of parents says what their children may not be: byte `p + 1` holds the kind of parent `p`, if it may
//! not repeat, and the kinds of its children so far. A node reads the bytes of its parents and writes its kind to them.

use super::bag::{Bag, bit};
use super::climb::Climb;
use super::{ELITE, KindId, MONSTER, REST, ROWS, SHOP, TREASURE};
use crate::{Edge, Node};
use std::hint::select_unpredictable;

/// Room for the nodes and edges of the largest map, and what is written in vain behind them.
#[derive(Clone, Debug)]
pub(super) struct Deal {
    nodes: [Node; 128],
    edges: [Edge; 256],
}

/// How many nodes and edges have been written. Kept apart from them so that it can stay in registers.
#[derive(Clone, Copy)]
struct Counts {
    nodes: usize,
    edges: usize,
}

/// Kinds that never follow themselves.
const NO_REPEAT: u8 = bit(REST) | bit(ELITE) | bit(SHOP);

/// Kinds that may not stand on a row.
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

/// A byte for each of three bits.
const SPREAD: [u64; 8] = [0, 0xFF, 0xFF00, 0xFFFF, 0xFF_0000, 0xFF_00FF, 0xFF_FF00, 0xFF_FFFF];

impl Default for Deal {
    fn default() -> Deal {
        Deal {
            nodes: [Node { row: 0, col: 0, kind: None }; 128],
            edges: [Edge { row: 0, from: 0, to: 0 }; 256],
        }
    }
}

impl Deal {
    /// Deals the kinds and writes all nodes and edges in order.
    pub(super) fn run(&mut self, climb: &Climb, bag: &mut Bag, nodes: &mut Vec<Node>, edges: &mut Vec<Edge>) {
        let mut counts = Counts { nodes: 0, edges: 0 };
        let [low, high] = climb.nodes();
        counts = self.fixed(climb, 0, low & 0x7F, MONSTER, counts);
        counts = self.dealt(climb, 0, low & !0x7F, bag, counts);
        counts = self.fixed(climb, 8, high & 0x7F, TREASURE, counts);
        counts = self.dealt(climb, 8, high & 0x0000_FFFF_FFFF_FF00, bag, counts);
        counts = self.fixed(climb, 14, high >> 48, REST, counts);
        // Room for the largest map at once: a forge allocates for its first map only.
        nodes.clear();
        nodes.reserve(self.nodes.len());
        nodes.extend_from_slice(&self.nodes[..counts.nodes.min(128)]);
        edges.clear();
        edges.reserve(self.edges.len());
        edges.extend_from_slice(&self.edges[..counts.edges.min(256)]);
    }

    /// A row that is all of one kind. None of these kinds is forbidden to the row above.
    #[inline]
    fn fixed(
        &mut self,
        climb: &Climb,
        row: usize,
        mut cols: u64,
        kind: KindId,
        mut counts: Counts,
    ) -> Counts {
        while cols != 0 {
            counts = self.put(climb, row, cols.trailing_zeros() as usize, kind, counts);
            cols &= cols - 1;
        }
        counts
    }

    /// Rows whose nodes take their kinds out of the bag: the `cells` of the eight rows from `base` on. The row below the
    /// first of them is fixed.
    fn dealt(
        &mut self,
        climb: &Climb,
        base: usize,
        mut cells: u64,
        bag: &mut Bag,
        mut counts: Counts,
    ) -> Counts {
        let (mut row, mut below, mut here) = (0, 0, 0);
        while cells != 0 {
            let cell = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let col = cell % 8;
            let is_new = base + cell / 8 != row;
            row = base + cell / 8;
            below = select_unpredictable(is_new, here, below);
            here = select_unpredictable(is_new, 0, here);

            let from = SPREAD[((climb.parents(row) << 1) >> (9 * col)) as usize & 7];
            let to = SPREAD[((climb.edges_to(row) << 1) >> (9 * col)) as usize & 7];
            let families = (below >> (8 * col)) & from;
            let forbidden = (families | families >> 8 | families >> 16) as u8 | ROW_FORBIDS[row & 15];
            let kind = u64::from(bag.take(forbidden));
            below |= ((kind * 0x01_0101) & to) << (8 * col);
            here |= ((kind & u64::from(NO_REPEAT)) << 8) << (8 * col);
            // Nothing fits: it counts as no kind while others are dealt, and is a monster in the end.
            counts = self.put(climb, row, col, KindId(kind.trailing_zeros() as u8 & 7), counts);
        }
        counts
    }

    /// Writes a node and its edges: all three that there can be, and the next one over those that there are not.
    #[inline]
    fn put(&mut self, climb: &Climb, row: usize, col: usize, kind: KindId, mut counts: Counts) -> Counts {
        let (here, from) = (row as u16, col as u16);
        self.nodes[counts.nodes % 128] = Node { row: here, col: from, kind: Some(kind) };
        counts.nodes += 1;
        let up = (climb.edges_to(row + 1) << 8) >> (9 * col);
        for (i, to) in [from.wrapping_sub(1), from, from + 1].into_iter().enumerate() {
            self.edges[counts.edges % 256] = Edge { row: here, from, to };
            counts.edges += (up >> (8 * i)) as usize & 1;
        }
        counts
    }
}
