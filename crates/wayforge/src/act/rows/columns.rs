//! Which columns a row takes: a uniform draw among all sets that leave no node of the row below without a way.

use crate::MapRng;
use crate::act::skeleton::bits;

/// The columns within one of `cols`.
pub(super) fn within_one(cols: u64) -> u64 {
    cols | cols << 1 | cols >> 1
}

/// The fewest columns of `within` such that each of `nodes` has one within one column.
///
/// From the left, the first node without one takes the rightmost column that serves it: it serves the most of those to come.
pub(super) fn fewest(nodes: u64, within: u64) -> u32 {
    let (mut count, mut served) = (0, 0);
    for node in bits(nodes) {
        if served >> node & 1 == 0 {
            let choices = within & within_one(1 << node);
            let chosen = 63 - (choices | 1).leading_zeros();
            served |= within_one(1 << chosen);
            count += 1;
        }
    }
    count
}

/// Numbers of ways to choose the remaining columns, kept between draws.
///
/// No number exceeds the sets of 32 out of 64 columns, some 1.8 * 10^18, so 64 bits hold them exactly.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    ways: Vec<u64>,
}

impl Ways {
    /// Draws `count` columns of `within` such that each of `nodes` has one within one column; all such sets are equally
    /// likely. There must be one.
    pub(super) fn draw(&mut self, rng: &mut MapRng, cols: u32, nodes: u64, within: u64, count: u32) -> u64 {
        let size = count as usize + 1;
        let at = |col: u32, before: usize, left: usize| (col as usize * 4 + before) * size + left;
        self.ways.clear();
        self.ways.resize((cols as usize + 1) * 4 * size, 0);
        // `before` holds whether the last two columns are taken, the nearer one in bit 0. Whether a node is served is
        // known one column after it.
        let unserved = |col: u32, three: usize| col > 0 && nodes >> (col - 1) & 1 != 0 && three == 0;
        for before in 0..4 {
            self.ways[at(cols, before, 0)] = u64::from(!unserved(cols, before));
        }
        for col in (0..cols).rev() {
            for before in 0..4 {
                for left in 0..size {
                    let mut ways = 0;
                    for taken in 0..=usize::from(within >> col & 1 != 0) {
                        let three = before << 1 | taken;
                        if taken <= left && !unserved(col, three) {
                            ways += self.ways[at(col + 1, three & 3, left - taken)];
                        }
                    }
                    self.ways[at(col, before, left)] = ways;
                }
            }
        }
        let mut number = rng.below_u64(self.ways[at(0, 0, count as usize)]);
        let (mut chosen, mut before, mut left) = (0, 0, count as usize);
        for col in 0..cols {
            let three = before << 1;
            let without = if unserved(col, three) { 0 } else { self.ways[at(col + 1, three & 3, left)] };
            let taken = usize::from(number >= without);
            if taken == 1 {
                number -= without;
                chosen |= 1 << col;
                left = left.saturating_sub(1);
            }
            before = (three | taken) & 3;
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn serves(nodes: u64, chosen: u64) -> bool {
        bits(nodes).all(|node| chosen & within_one(1 << node) != 0)
    }

    #[test]
    fn draws_are_uniform_over_all_sets_that_serve() {
        let (nodes, within) = (0b0101_1001, 0b111_1111);
        for count in fewest(nodes, within)..=7 {
            let all: Vec<u64> =
                (0..128).filter(|s: &u64| s.count_ones() == count && serves(nodes, *s)).collect();
            let mut drawn = vec![0_i32; all.len()];
            let mut rng = MapRng::from_u64(u64::from(count));
            let mut ways = Ways::default();
            for _ in 0..2_000 * all.len() {
                let chosen = ways.draw(&mut rng, 7, nodes, within, count);
                drawn[all.iter().position(|&s| s == chosen).unwrap()] += 1;
            }
            // 2,000 each, with a standard deviation of 45.
            assert!(drawn.iter().all(|n| (n - 2_000).abs() < 250), "{count}: {drawn:?}");
        }
    }

    #[test]
    fn fewest_is_the_size_of_the_smallest_set() {
        for nodes in 1..128_u64 {
            for within in [0b111_1111, 0b011_1110, 0b001_1100] {
                let smallest = (0..128_u64)
                    .filter(|s| s & !within == 0 && serves(nodes, *s))
                    .map(|s| s.count_ones())
                    .min();
                if let Some(smallest) = smallest {
                    assert_eq!(fewest(nodes, within), smallest, "{nodes:b} {within:b}");
                }
            }
        }
    }

    #[test]
    fn the_widest_row_does_not_overflow() {
        let mut rng = MapRng::from_u64(1);
        for count in [32, 63, 64] {
            assert_eq!(Ways::default().draw(&mut rng, 64, u64::MAX, u64::MAX, count).count_ones(), count);
        }
    }
}
