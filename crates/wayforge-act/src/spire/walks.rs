//! Path generation of the game: six walks from row 0 to the top without crossings.
//!
//! The parents of a row are one word: bit `q` of byte `t` of row `y + 1` is the edge from column
//! `q` of row `y` to column `t`. Edges lead at most one column to the side and never cross. This
//! simplifies the rules of the game:
//! - An edge from `x` to a neighbouring column `t` crosses only the edge from `t` to `x`. The game
//!   clamps between the targets of the neighbours, which is equivalent.
//! - The game redraws a step for each parent `q` of its target that has a common ancestor with `x`.
//!   Of the two nodes it calls one `l` and one `r`, and tests whether the largest parent of `l` is
//!   the smallest parent of `r`. If `l` is left of `r`, this means that they have a common parent,
//!   because parents are ordered like their children. But the game decides which is `l` by
//!   comparing `q` with the row instead of `x`. If that swaps them, the condition holds only if
//!   both have exactly one parent, the same one. Nodes with equal parents cannot have more than one
//!   without a crossing.
//! - The number of redraws is the number of entries in the parent list of the target that satisfy
//!   the condition. The list has one entry per walk, and the order does not matter.

use super::game_rng::GameRng;
use super::{COLS, ROWS};
use crate::{Edge, Event};
use std::hint::select_unpredictable;
use wayforge_core::trace::Tracer;

const WALKS: usize = 6;

/// The six walks of a map.
#[derive(Clone, Debug, Default)]
pub(super) struct GameWalks {
    /// Parents as the game stores them: pruning row 0 removes edges but not parents.
    parents: [u64; ROWS + 1],
    /// Parents according to the edges, after pruning. The row above the last has none.
    edges: [u64; ROWS + 1],
    /// Columns of the walks on each row.
    paths: [[u8; 8]; ROWS],
    /// Columns with nodes, one byte per row, in two words.
    nodes: [u64; 2],
}

/// 1 in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Target of the first draw of a step by the drawn bits modulo 6, with one byte per column.
///
/// It determines the remainders modulo 3, for inner columns, and modulo 2, for the outer ones.
const STEPS: [u64; 6] = {
    let mut table = [0; 6];
    let mut rest = 0;
    while rest < 6 {
        table[rest] = (rest as u64 % 2) | (5 + rest as u64 % 2) << 48;
        let mut col = 1;
        while col < COLS - 1 {
            table[rest] |= (col as u64 + rest as u64 % 3 - 1) << (8 * col);
            col += 1;
        }
        rest += 1;
    }
    table
};

/// Per row: mask of the bytes of the columns with a smaller index than the row.
const BELOW_ROW: [u64; ROWS] = {
    let mut table = [u64::MAX; ROWS];
    let mut row = 0;
    while row < 8 {
        table[row] = (1 << (8 * row)) - 1;
        row += 1;
    }
    table
};

impl GameWalks {
    /// Generates all walks, prunes row 0 and computes the nodes.
    pub(super) fn run(&mut self, rng: &mut GameRng) {
        self.parents = [0; ROWS + 1];
        // Row 0 has no parents. Distinct artificial parents have the same effect: none in common.
        self.parents[0] = 0x0040_2010_0804_0201;
        let first = rng.below(COLS as u64);
        self.generate_walk::<true>(0, first, rng);
        for walk in 1..WALKS {
            let mut start = rng.below(COLS as u64);
            while walk == 1 && start == first {
                start = rng.below(COLS as u64);
            }
            self.generate_walk::<false>(walk, start, rng);
        }
        self.prune();
    }

    /// Records the events of the walks and of the pruning.
    #[inline]
    pub(super) fn record<T: Tracer<Event>>(&self, tracer: &mut T) {
        if !T::ENABLED {
            return;
        }
        for walk in 0..WALKS {
            for (row, cols) in (0..).zip(&self.paths) {
                tracer.record(Event::Step { walk: walk as u32, row, col: cols[walk].into() });
            }
            tracer.record(Event::Commit { walk: walk as u32 });
        }
        let pruned = self.parents[1] & !self.edges[1];
        for (to, from) in
            (0..COLS as u16).flat_map(|to| (0..COLS as u16).map(move |from| (to, from)))
        {
            if pruned >> (8 * to + from) & 1 != 0 {
                tracer.record(Event::Prune(Edge { row: 0, from, to }));
            }
        }
    }

    /// Returns the parents that constrain the kinds of each node of `row`, one byte per node.
    #[inline]
    pub(super) fn parents(&self, row: usize) -> u64 {
        self.parents[row & 15]
    }

    /// Returns the lower ends of the edges to each node of `row`, one byte per node.
    #[inline]
    pub(super) fn edges_to(&self, row: usize) -> u64 {
        self.edges[row & 15]
    }

    /// Returns the nodes: eight rows per word, one byte per row, one bit per column.
    #[inline]
    pub(super) fn nodes(&self) -> [u64; 2] {
        self.nodes
    }

    /// Returns the number of nodes that sizes the bag. Omits row 13, which is a bug of the game.
    pub(super) fn counted(&self) -> usize {
        (self.nodes[0].count_ones() + (self.nodes[1] & !(0xFF << 40)).count_ones()) as usize
    }

    /// Returns the number of nodes that get their kind from the bag: all except rows 0, 8 and 14.
    pub(super) fn untyped(&self) -> usize {
        ((self.nodes[0] >> 8).count_ones() + (self.nodes[1] & 0xFFFF_FFFF_FF00).count_ones())
            as usize
    }

    /// Generates one walk. The first one cannot cross another and needs no redraws.
    #[inline]
    fn generate_walk<const FIRST: bool>(&mut self, walk: usize, start: u64, rng: &mut GameRng) {
        let mut x = start;
        self.paths[0][walk] = x as u8;
        let mut parents = self.parents[0];
        for y in 0..ROWS - 1 {
            let bits = rng.bits();
            let mut next = (STEPS[(bits % 6) as usize] >> (8 * x)) & 7;
            if bits >= i64::MAX as u64 - 1 {
                next = first_step_near_limit(x, bits, rng);
            }
            let mut above = self.parents[y + 1];
            if !FIRST {
                let others = with_common_ancestor(x, y, parents) & (above >> (8 * next));
                if others != 0 {
                    for _ in 0..self.entries(walk, y, next, others) {
                        next = redraw_step(x, next, rng);
                    }
                }
                let is_crossed = (above >> (8 * x + next)) & 1 != 0;
                next = select_unpredictable(is_crossed, x, next);
            }
            above |= 1 << (8 * next + x);
            self.parents[y + 1] = above;
            self.paths[y + 1][walk] = next as u8;
            (x, parents) = (next, above);
        }
    }

    /// Counts the earlier walks that step from one of the columns `from` of row `y` to `target`.
    #[cold]
    fn entries(&self, walk: usize, y: usize, target: u64, from: u64) -> u64 {
        let steps = self.paths[y].iter().zip(&self.paths[y + 1]).take(walk);
        steps.fold(0, |count, (&q, &t)| count + (u64::from(u64::from(t) == target) & (from >> q)))
    }

    /// Removes all but the leftmost edge from row 0 to each target, and computes the nodes.
    fn prune(&mut self) {
        self.edges = self.parents;
        let first = self.parents[1];
        self.edges[1] = first & (0x80 * ONES - first);
        self.nodes = [0; 2];
        for row in 1..ROWS {
            let present = ((self.edges[row] + 0x7F * ONES) >> 7) & ONES;
            let cols = present.wrapping_mul(0x0102_0408_1020_4080) >> 56;
            self.nodes[row / 8] |= cols << (8 * (row % 8));
        }
        let mut starts = self.edges[1];
        starts |= starts >> 32;
        starts |= starts >> 16;
        starts |= starts >> 8;
        self.nodes[0] |= starts & 0x7F;
    }
}

/// Returns the columns of row `y` whose nodes have a common ancestor with `x`, in the game's sense.
///
/// The game redraws a step from `x` to a target of such a node.
#[inline]
fn with_common_ancestor(x: u64, y: usize, parents: u64) -> u64 {
    let own = ((parents >> (8 * x)) & 0x7F) * ONES;
    let swapped = ((1 << (8 * x)) - 1) ^ BELOW_ROW[y];
    let (common, differing) = (parents & own, parents ^ own);
    let bytes = common ^ ((common ^ differing) & swapped);
    // The top bit of each byte is set if the byte is not zero; inverted for swapped ones.
    let related = ((bytes + 0x7F * ONES) ^ swapped) & (0x80 * ONES);
    (((related >> 7).wrapping_mul(0x0102_0408_1020_4080)) >> 56) & !(1 << x)
}

/// First draw of a step if the game's rejection sampling may reject its bits.
#[cold]
fn first_step_near_limit(x: u64, bits: u64, rng: &mut GameRng) -> u64 {
    match x {
        0 => bits % 2,
        6 => 5 + bits % 2,
        // 2^63 is two more than a multiple of three, so these bits are rejected.
        _ => x + rng.below(3) - 1,
    }
}

/// Redraws the step from `x` to `next`.
#[inline]
fn redraw_step(x: u64, next: u64, rng: &mut GameRng) -> u64 {
    let last = COLS as u64 - 1;
    match next.cmp(&x) {
        std::cmp::Ordering::Greater => (x + rng.below(2)).saturating_sub(1),
        std::cmp::Ordering::Less => (x + rng.below(2)).min(last),
        std::cmp::Ordering::Equal => match (x + rng.below(3)).checked_sub(1) {
            None => x + 1,
            Some(beyond) if beyond > last => x - 1,
            Some(col) => col,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_draws_agree_with_the_game_where_it_rejects_bits() {
        let last = i64::MAX as u64;
        for bits in (0..12).chain(last - 12..=last) {
            for start in 0..COLS as u64 {
                let (mut rng, mut game) =
                    (GameRng::with_next_bits(bits), GameRng::with_next_bits(bits));
                let mut walks = GameWalks::default();
                walks.generate_walk::<true>(0, start, &mut rng);
                let expected = match start {
                    0 => game.below(2),
                    6 => 5 + game.below(2),
                    _ => start + game.below(3) - 1,
                };
                assert_eq!(u64::from(walks.paths[1][0]), expected, "{bits} at column {start}");
            }
        }
    }
}
