//! The walks: six climb from row 0 to the top, one after another, and keep away from each other's crossings.
//!
//! Parents are one word a row: byte `t`, bit `q` of row `y + 1` says that an edge leads from column `q` of row `y` to
//! column `t`. Edges lead at most one column aside and never cross; both facts shorten the game's definitions:
//! - An edge from `x` to its neighbour `t` crosses only the edge from `t` to `x`. That is what the game's clamping between
//!   the neighbours' targets comes to.
//! - The game draws again for each parent `q` of the drawn target that has an ancestor in common: the greatest parent of
//!   `l` is the least of `r`. If `l` stands left of `r`, as the names intend, that is to have a parent in common, for
//!   parents are ordered like their children. But the game compares `q` with the row, not with `x`, to say which is
//!   which; where that takes them the wrong way round, the condition holds only if both have one and the same parent,
//!   and two nodes with the same parents cannot have more than one without a crossing.
//! - How often it draws again depends on how many entries of the target's parent list meet the condition, not on their
//!   order; the list has an entry for each walk that came that way.

use super::game_rng::GameRng;
use super::{COLS, ROWS};
use crate::{Edge, Event};
use std::hint::select_unpredictable;
use wayforge_core::trace::Tracer;

const WALKS: usize = 6;

/// Where walks have been.
#[derive(Clone, Debug, Default)]
pub(super) struct Climb {
    /// Parents as the game keeps them: pruning row 0 takes edges away and leaves the parents.
    parents: [u64; ROWS + 1],
    /// Parents as edges say: row 1 is pruned. The row above the last has none.
    edges: [u64; ROWS + 1],
    /// The columns of the walks on each row.
    paths: [[u8; 8]; ROWS],
    /// The columns with nodes, a byte a row, in two words.
    nodes: [u64; 2],
}

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The column that a first draw leads to, a byte for each column, by the drawn bits modulo 6: those say what they are
/// modulo 3 inside and modulo 2 at the borders.
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

/// The bytes of the columns whose number is below a row's number.
const BELOW_ROW: [u64; ROWS] = {
    let mut table = [u64::MAX; ROWS];
    let mut row = 0;
    while row < 8 {
        table[row] = (1 << (8 * row)) - 1;
        row += 1;
    }
    table
};

impl Climb {
    /// Draws all walks, prunes the first row and finds the nodes.
    pub(super) fn run(&mut self, rng: &mut GameRng) {
        self.parents = [0; ROWS + 1];
        // Row 0 has no parents. One of its own for each node stands for that: none in common, none the same.
        self.parents[0] = 0x0040_2010_0804_0201;
        let first = rng.below(COLS as u64);
        self.climb::<true>(0, first, rng);
        for walk in 1..WALKS {
            let mut start = rng.below(COLS as u64);
            while walk == 1 && start == first {
                start = rng.below(COLS as u64);
            }
            self.climb::<false>(walk, start, rng);
        }
        self.prune();
    }

    /// Tells the walks one after the other, and what was pruned.
    #[inline]
    pub(super) fn tell<T: Tracer<Event>>(&self, tracer: &mut T) {
        if !T::LISTENS {
            return;
        }
        for walk in 0..WALKS {
            for (row, cols) in (0..).zip(&self.paths) {
                tracer.tell(Event::Step { walk: walk as u32, row, col: cols[walk].into() });
            }
            tracer.tell(Event::Stand { walk: walk as u32 });
        }
        let pruned = self.parents[1] & !self.edges[1];
        for (to, from) in (0..COLS as u16).flat_map(|to| (0..COLS as u16).map(move |from| (to, from))) {
            if pruned >> (8 * to + from) & 1 != 0 {
                tracer.tell(Event::Prune(Edge { row: 0, from, to }));
            }
        }
    }

    /// The parents that a node of `row` is checked against, a byte each.
    #[inline]
    pub(super) fn parents(&self, row: usize) -> u64 {
        self.parents[row & 15]
    }

    /// The lower ends of the edges to each node of `row`, a byte each.
    #[inline]
    pub(super) fn edges_to(&self, row: usize) -> u64 {
        self.edges[row & 15]
    }

    /// The nodes: eight rows a word, a byte a row, a bit a column.
    #[inline]
    pub(super) fn nodes(&self) -> [u64; 2] {
        self.nodes
    }

    /// How many nodes decide the portions of the bag: row 13 is not counted, and should be.
    pub(super) fn counted(&self) -> usize {
        (self.nodes[0].count_ones() + (self.nodes[1] & !(0xFF << 40)).count_ones()) as usize
    }

    /// How many nodes get their kind out of the bag: those outside rows 0, 8 and 14.
    pub(super) fn untyped(&self) -> usize {
        ((self.nodes[0] >> 8).count_ones() + (self.nodes[1] & 0xFFFF_FFFF_FF00).count_ones()) as usize
    }

    /// One walk. The first meets nobody, so that nothing is drawn again and nothing crosses.
    #[inline]
    fn climb<const FIRST: bool>(&mut self, walk: usize, start: u64, rng: &mut GameRng) {
        let mut x = start;
        self.paths[0][walk] = x as u8;
        let mut parents = self.parents[0];
        for y in 0..ROWS - 1 {
            let bits = rng.bits();
            let mut next = (STEPS[(bits % 6) as usize] >> (8 * x)) & 7;
            if bits >= i64::MAX as u64 - 1 {
                next = first_step_again(x, bits, rng);
            }
            let mut above = self.parents[y + 1];
            if !FIRST {
                let others = with_common_ancestor(x, y, parents) & (above >> (8 * next));
                if others != 0 {
                    for _ in 0..self.entries(walk, y, next, others) {
                        next = step_again(x, next, rng);
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

    /// How many of the walks before this one came to `target` from one of the columns `from` of row `y`.
    #[cold]
    fn entries(&self, walk: usize, y: usize, target: u64, from: u64) -> u64 {
        let steps = self.paths[y].iter().zip(&self.paths[y + 1]).take(walk);
        steps.fold(0, |count, (&q, &t)| count + (u64::from(u64::from(t) == target) & (from >> q)))
    }

    /// Takes away edges of row 0 whose target an earlier node leads to, and finds the nodes that are left.
    fn prune(&mut self) {
        self.edges = self.parents;
        let first = self.parents[1];
        self.edges[1] = first & (0x80 * ONES - first);
        self.nodes = [0; 2];
        for row in 1..ROWS {
            let there = ((self.edges[row] + 0x7F * ONES) >> 7) & ONES;
            let cols = there.wrapping_mul(0x0102_0408_1020_4080) >> 56;
            self.nodes[row / 8] |= cols << (8 * (row % 8));
        }
        let mut starts = self.edges[1];
        starts |= starts >> 32;
        starts |= starts >> 16;
        starts |= starts >> 8;
        self.nodes[0] |= starts & 0x7F;
    }
}

/// The other columns of row `y` whose nodes make the game draw again when `x` leads where they lead, given the parents
/// of the row.
#[inline]
fn with_common_ancestor(x: u64, y: usize, parents: u64) -> u64 {
    let own = ((parents >> (8 * x)) & 0x7F) * ONES;
    let swapped = ((1 << (8 * x)) - 1) ^ BELOW_ROW[y];
    let (common, differing) = (parents & own, parents ^ own);
    let bytes = common ^ ((common ^ differing) & swapped);
    // The top bit of each byte says that the byte is not zero; for the swapped ones zero is the condition.
    let alike = ((bytes + 0x7F * ONES) ^ swapped) & (0x80 * ONES);
    (((alike >> 7).wrapping_mul(0x0102_0408_1020_4080)) >> 56) & !(1 << x)
}

/// The first draw of a step when its bits are among the last that the game may refuse.
#[cold]
fn first_step_again(x: u64, bits: u64, rng: &mut GameRng) -> u64 {
    match x {
        0 => bits % 2,
        6 => 5 + bits % 2,
        // 2^63 is two more than a multiple of three: these bits are refused.
        _ => x + rng.below(3) - 1,
    }
}

/// One more draw for the step from `x`, after it was to lead to `next`.
#[inline]
fn step_again(x: u64, next: u64, rng: &mut GameRng) -> u64 {
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
    fn first_draws_are_the_games_even_where_it_refuses_bits() {
        let last = i64::MAX as u64;
        for bits in (0..12).chain(last - 12..=last) {
            for start in 0..COLS as u64 {
                let (mut rng, mut game) = (GameRng::with_next_bits(bits), GameRng::with_next_bits(bits));
                let mut climb = Climb::default();
                climb.climb::<true>(0, start, &mut rng);
                let expected = match start {
                    0 => game.below(2),
                    6 => 5 + game.below(2),
                    _ => start + game.below(3) - 1,
                };
                assert_eq!(u64::from(climb.paths[1][0]), expected, "{bits} at column {start}");
            }
        }
    }
}
