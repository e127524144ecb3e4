//! Which columns a row takes: a draw among all sets that leave no node of the row below without a way.

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

/// How much more likely a column is that can be reached from two nodes or more, or from the end of a lane. Without it rows
/// fall apart into lanes that never meet.
const MEETING: u128 = 3;

/// Weights of the ways to choose the remaining columns, kept between draws.
///
/// All sets of 64 columns together weigh at most 4^64, those of one size less than a quarter of it: 128 bits hold
/// every sum exactly.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    ways: Vec<u128>,
}

impl Ways {
    /// Draws `count` columns of `within` such that each of `nodes` has one within one column. A set's chance is in
    /// proportion to [`MEETING`] to the power of its columns that two nodes or more, or one of `lanes`, can reach. There
    /// must be a set.
    pub(super) fn draw(
        &mut self,
        rng: &mut MapRng,
        cols: u32,
        (nodes, lanes): (u64, u64),
        within: u64,
        count: u32,
    ) -> u64 {
        let size = count as usize + 1;
        let at = |col: u32, before: usize, left: usize| (col as usize * 4 + before) * size + left;
        self.ways.clear();
        self.ways.resize((cols as usize + 1) * 4 * size, 0);
        // `before` holds whether the last two columns are taken, the nearer one in bit 0. Whether a node is served is
        // known one column after it.
        let unserved = |col: u32, three: usize| col > 0 && nodes >> (col - 1) & 1 != 0 && three == 0;
        let weight = |col: u32| {
            let below = nodes & within_one(1 << col);
            if below.count_ones() >= 2 || below & lanes != 0 { MEETING } else { 1 }
        };
        for before in 0..4 {
            self.ways[at(cols, before, 0)] = u128::from(!unserved(cols, before));
        }
        for col in (0..cols).rev() {
            let weight = if within >> col & 1 != 0 { weight(col) } else { 0 };
            for before in 0..4 {
                for left in 0..size {
                    let (without, with) = (before << 1, before << 1 | 1);
                    let mut ways = 0;
                    if !unserved(col, without) {
                        ways += self.ways[at(col + 1, without & 3, left)];
                    }
                    if left > 0 {
                        ways += weight * self.ways[at(col + 1, with & 3, left - 1)];
                    }
                    self.ways[at(col, before, left)] = ways;
                }
            }
        }
        let mut number = rng.below_u128(self.ways[at(0, 0, count as usize)]);
        let (mut chosen, mut before, mut left) = (0, 0, count as usize);
        for col in 0..cols {
            let three = before << 1;
            let without = if unserved(col, three) { 0 } else { self.ways[at(col + 1, three & 3, left)] };
            let taken = usize::from(number >= without);
            if taken == 1 {
                number = (number - without) / weight(col);
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
    fn draws_follow_the_weights_of_all_sets_that_serve() {
        let (nodes, within) = (0b0101_1001, 0b111_1111);
        for count in fewest(nodes, within)..=7 {
            let all: Vec<u64> =
                (0..128).filter(|s: &u64| s.count_ones() == count && serves(nodes, *s)).collect();
            let meeting = |col: &u32| (nodes & within_one(1 << col)).count_ones() >= 2 || *col <= 1;
            let weights: Vec<i64> =
                all.iter().map(|&s| 3_i64.pow(bits(s).filter(meeting).count() as u32)).collect();
            let mut drawn = vec![0_i64; all.len()];
            let mut rng = MapRng::from_u64(u64::from(count));
            let mut ways = Ways::default();
            let draws = 1_000 * weights.iter().sum::<i64>();
            for _ in 0..draws {
                let chosen = ways.draw(&mut rng, 7, (nodes, 1), within, count);
                drawn[all.iter().position(|&s| s == chosen).unwrap()] += 1;
            }
            // 1,000 for each unit of weight, with a standard deviation of its root.
            for (n, weight) in drawn.iter().zip(&weights) {
                let expected = 1_000 * weight;
                assert!((n - expected).abs() < 6 * expected.isqrt(), "{count}: {drawn:?} {weights:?}");
            }
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
        for count in [22, 32, 48, 63, 64] {
            assert_eq!(
                Ways::default().draw(&mut rng, 64, (u64::MAX, 0), u64::MAX, count).count_ones(),
                count
            );
        }
    }
}
