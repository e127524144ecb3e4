//! Samples the edges between two rows, and thereby the columns of the upper row.
//!
//! Exact sampling by the transfer-matrix method (Stanley 1986): weighted counts from right to left,
//! then one draw per column from left to right. Between columns `c` and `c + 1` there is at most
//! one diagonal edge, because the rising one (`c` to `c + 1`) and the falling one (`c + 1` to `c`)
//! cross. That diagonal is the state of the transfer matrix, so there are three states. The
//! probability of a set of edges is proportional to the product of its weights. There are no
//! retries, and neither side is preferred.

use wayforge_core::MapRng;

/// The diagonal between two neighbouring columns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Diagonal {
    Absent,
    Rising,
    Falling,
}
use Diagonal::{Absent, Falling, Rising};

/// The edges of a set at one column.
struct Choice {
    /// The diagonal to the left of the column.
    left: Diagonal,
    /// The diagonal to the right of the column.
    right: Diagonal,
    /// Whether the upper row has a node in the column.
    upper: bool,
    /// Whether there is a straight edge in the column.
    straight: bool,
    /// Number of edges from the lower node of the column.
    out: u8,
    /// Requirements of the choice, of [`UPPER`], [`RISES`] and [`FALLS`].
    needs: u8,
}

/// The upper row may have a node in the column.
const UPPER: u8 = 1;
/// The upper row may have a node in the next column.
const RISES: u8 = 2;
/// The next column has a lower node.
const FALLS: u8 = 4;

const fn choice(left: Diagonal, upper: bool, straight: bool, right: Diagonal, out: u8) -> Choice {
    let diagonal = match right {
        Absent => 0,
        Rising => RISES,
        Falling => FALLS,
    };
    Choice { left, right, upper, straight, out, needs: diagonal | (upper as u8 * UPPER) }
}

/// Choices of a column without a lower node: an upper node needs a diagonal edge.
const EMPTY: [Choice; 4] = [
    choice(Absent, false, false, Absent, 0),
    choice(Absent, true, false, Falling, 0),
    choice(Rising, true, false, Absent, 0),
    choice(Rising, true, false, Falling, 0),
];

/// Choices of a column with a lower node, which needs an edge. An upper node needs one, too.
const NODE: [Choice; 14] = [
    choice(Absent, false, false, Rising, 1),
    choice(Absent, true, true, Absent, 1),
    choice(Absent, true, true, Rising, 2),
    choice(Absent, true, true, Falling, 1),
    choice(Rising, true, false, Rising, 1),
    choice(Rising, true, true, Absent, 1),
    choice(Rising, true, true, Rising, 2),
    choice(Rising, true, true, Falling, 1),
    choice(Falling, false, false, Absent, 1),
    choice(Falling, false, false, Rising, 2),
    choice(Falling, true, false, Falling, 1),
    choice(Falling, true, true, Absent, 2),
    choice(Falling, true, true, Rising, 3),
    choice(Falling, true, true, Falling, 2),
];

/// Maximum number of choices with the same diagonal on their left.
const MAX_CHOICES: usize = 6;

/// Weight of a node with two edges; a node with one edge has weight 1. The second value is for
/// [due](Gap::due) nodes.
const TWO_EDGES: [u64; 2] = [2, 64];

/// Weight of an edge towards a neighbour three or more columns away, and of an edge that
/// [widens](Gap::widen) its row; other edges have weight 1.
///
/// Prevents lanes from drifting apart and maps from leaning to one side. The second value is for
/// gaps with a [due](Gap::due) node, because lanes must be close for another split.
const PULL: [u64; 2] = [3, 16];

/// Number of bits to which sums of weights are scaled down. The other 16 bits leave room for one
/// more weight (10 bits) and a sum of [`MAX_CHOICES`] terms (3 bits).
const SUM_BITS: u32 = 48;
/// Number of columns whose sums need no scaling.
const UNSCALED_COLUMNS: u32 = 7;

/// Constraints and weights of the edges between two rows. Columns are bit masks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gap {
    /// Columns of the lower nodes.
    pub nodes: u64,
    /// Columns in which the upper row may have nodes.
    pub within: u64,
    /// Lower nodes that a route reaches after too many rows without a choice.
    pub due: u64,
    /// Weight of a node with three edges: 0 or 1.
    pub three_edges: u64,
    /// Lower nodes that must lead one column to the right.
    pub rise: u64,
    /// Lower nodes that must lead one column to the left.
    pub fall: u64,
    /// Lower nodes that must share an upper node with the lower node in the next column.
    pub join: u64,
    /// Whether the row should widen to the left and to the right.
    pub widen: [bool; 2],
}

/// Constraints and weights at one column.
struct Column<'a> {
    gap: &'a Gap,
    col: u32,
    /// Which requirements are met, of [`UPPER`], [`RISES`] and [`FALLS`].
    met: u8,
    /// Whether the gap requires edges.
    has_required: bool,
    /// Weights of 0 to 3 outgoing edges.
    out_weights: [u64; 4],
    /// Weights of the diagonal to the right.
    diagonal_weights: [u64; 3],
}

impl Gap {
    #[inline]
    fn column(&self, col: u32) -> Column<'_> {
        let bit = |mask: u64, col: u32| mask.checked_shr(col).unwrap_or(0) & 1;
        let next = col + 1;
        let met = bit(self.within, col) as u8 * UPPER
            + bit(self.within, next) as u8 * RISES
            + bit(self.nodes, next) as u8 * FALLS;
        let right = self.nodes >> col >> 1;
        let left = self.nodes & !(u64::MAX << col << 1);
        // Edges towards a distant neighbour, and outward edges of the outermost nodes.
        let far = PULL[usize::from(self.due != 0)];
        let pull = |pulls: bool, weight: u64| if pulls { weight } else { 1 };
        let rises = match right {
            0 => pull(self.widen[1], PULL[0]),
            _ => pull(right & 3 == 0, far),
        };
        let falls = match left {
            0 => pull(self.widen[0], PULL[0]),
            _ => pull(left.leading_zeros() + next > 65, far),
        };
        Column {
            gap: self,
            col,
            met,
            has_required: self.rise | self.fall | self.join != 0,
            out_weights: [1, 1, TWO_EDGES[bit(self.due, col) as usize], self.three_edges],
            diagonal_weights: [1, rises, falls],
        }
    }
}

impl Column<'_> {
    /// Returns all choices.
    #[inline]
    fn choices(&self) -> &'static [Choice] {
        if self.gap.nodes >> self.col & 1 != 0 { &NODE } else { &EMPTY }
    }

    /// Returns the choices with a given diagonal on their left.
    #[inline]
    fn choices_after(&self, left: Diagonal) -> &'static [Choice] {
        match (self.gap.nodes >> self.col & 1 != 0, left) {
            (true, Absent) => &NODE[..4],
            (true, Rising) => &NODE[4..8],
            (true, Falling) => &NODE[8..],
            (false, Absent) => &EMPTY[..2],
            (false, _) => &EMPTY[2..],
        }
    }

    /// Returns the weight of a choice; 0 if it is not allowed.
    #[inline]
    fn weight(&self, choice: &Choice) -> u64 {
        if choice.needs & !self.met != 0 || self.has_required && !self.has_required_edges(choice) {
            return 0;
        }
        self.diagonal_weights[choice.right as usize] * self.out_weights[usize::from(choice.out & 3)]
    }

    /// Computes the sums at this column for gaps without required edges: [`NODE`] or [`EMPTY`]
    /// written out.
    ///
    /// `sums` and `next` have one block per diagonal, with one sum per number of upper nodes, up to
    /// `max_count`.
    #[inline]
    fn sum(&self, sums: &mut [u64], next: &[u64], max_count: usize) {
        let stride = sums.len() / 3;
        let (absent, others) = sums.split_at_mut(stride);
        let (rising, falling) = others.split_at_mut(stride);
        let (next_absent, others) = next.split_at(stride);
        let (next_rising, next_falling) = others.split_at(stride);
        let weight = |need: u8, weight: u64| if self.met & need != 0 { weight } else { 0 };
        let upper = weight(UPPER, 1);
        let [_, rises, falls] = self.diagonal_weights;
        let (rises, falls) = (weight(RISES, rises), weight(FALLS, falls));
        let [_, _, two, three] = self.out_weights;
        let is_node = self.gap.nodes >> self.col & 1 != 0;
        // Sums for one upper node less, for choices with an upper node in this column.
        let (mut a, mut r, mut f) = (0, 0, 0);
        for count in 0..=max_count {
            let [next_a, next_r, next_f] =
                [next_absent[count], rises * next_rising[count], falls * next_falling[count]];
            if is_node {
                let straight = a + two * r + f;
                absent[count] = next_r + straight;
                rising[count] = r + straight;
                falling[count] = next_a + two * next_r + f + two * (a + f) + three * r;
            } else {
                absent[count] = next_a + f;
                rising[count] = a + f;
            }
            [a, r, f] = [upper * next_a, upper * next_r, upper * next_f];
        }
    }

    /// Computes the sums at this column for gaps with required edges.
    #[cold]
    fn sum_required(&self, sums: &mut [u64], next: &[u64], max_count: usize) {
        let stride = sums.len() / 3;
        for choice in self.choices() {
            let (weight, upper) = (self.weight(choice), usize::from(choice.upper));
            if weight == 0 || upper > max_count {
                continue;
            }
            let to = &mut sums[choice.left as usize * stride..][upper..=max_count];
            let from = &next[choice.right as usize * stride..][..stride];
            for (sum, next) in to.iter_mut().zip(from) {
                *sum += weight * next;
            }
        }
    }

    /// Whether a choice has the edges that the gap requires.
    #[cold]
    fn has_required_edges(&self, choice: &Choice) -> bool {
        let own = |mask: u64| mask >> self.col & 1 != 0;
        let next = |mask: u64| mask >> self.col >> 1 & 1 != 0;
        let Gap { rise, fall, join, .. } = *self.gap;
        !(own(rise) && choice.right != Rising
            || next(fall) && choice.right != Falling
            || own(join) && !(choice.right == Rising || choice.right == Falling && choice.straight)
            || own(join << 1) && choice.left == Rising && !choice.straight)
    }
}

/// Total weights of the edge sets from each column to the right, by the diagonal to the left of the
/// column and the number of upper nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    sums: Vec<u64>,
    /// Maximum number of upper nodes.
    max_count: u32,
    /// First column with a lower or possible upper node.
    first: u32,
    /// Last such column.
    last: u32,
}

impl Sums {
    #[inline]
    fn index(&self, col: u32, left: Diagonal, count: u32) -> usize {
        let row = (col - self.first) as usize * 3 + left as usize;
        row * (self.max_count as usize + 1) + count as usize
    }

    /// Computes the total weights for up to `max_count` upper nodes.
    ///
    /// Large sums are scaled down: all sums of a column by the same power of two, to at least 1.
    /// Only wide rows need it.
    pub(super) fn count(&mut self, gap: &Gap, max_count: u32) {
        let all = gap.nodes | gap.within;
        (self.first, self.last, self.max_count) =
            (all.trailing_zeros(), 63 - (all | 1).leading_zeros(), max_count);
        let end = self.index(self.last + 1, Absent, 0);
        self.sums.clear();
        self.sums.resize(end + 3 * (max_count as usize + 1), 0);
        self.sums[end] = 1;
        for col in (self.first..=self.last).rev() {
            let max_count = (gap.within >> col).count_ones().min(max_count) as usize;
            let (start, end) = (self.index(col, Absent, 0), self.index(col + 1, Absent, 0));
            let (sums, next) = self.sums[start..].split_at_mut(end - start);
            let column = gap.column(col);
            if column.has_required {
                column.sum_required(sums, next, max_count);
            } else {
                column.sum(sums, next, max_count);
            }
            if self.last - col >= UNSCALED_COLUMNS - 1 && col > self.first {
                let bits = 64 - sums.iter().fold(0, |bits, sum| bits | sum).leading_zeros();
                let excess = bits.saturating_sub(SUM_BITS);
                sums.iter_mut()
                    .filter(|sum| **sum > 0)
                    .for_each(|sum| *sum = (*sum >> excess).max(1));
            }
        }
    }

    /// Returns the total weight of all sets of edges with `count` upper nodes; 0 if there is none.
    pub(super) fn weight(&self, count: u32) -> u64 {
        if count <= self.max_count { self.sums[self.index(self.first, Absent, count)] } else { 0 }
    }

    /// Draws a set of edges with `count` upper nodes, whose [weight](Self::weight) must not be 0.
    ///
    /// Writes the columns of the lower and upper ends to `from` and `to`, sorted.
    pub(super) fn draw(
        &self,
        rng: &mut MapRng,
        gap: &Gap,
        count: u32,
        from: &mut Vec<u8>,
        to: &mut Vec<u8>,
    ) {
        from.clear();
        to.clear();
        let (mut left, mut count) = (Absent, count);
        for col in self.first..=self.last {
            let column = gap.column(col);
            let (mut options, mut length, mut total) = ([(0, &EMPTY[0]); MAX_CHOICES], 0, 0);
            for choice in column.choices_after(left) {
                let upper = u32::from(choice.upper);
                if upper > count {
                    continue;
                }
                let weight = column.weight(choice)
                    * self.sums[self.index(col + 1, choice.right, count - upper)];
                if weight > 0 {
                    options[length] = (weight, choice);
                    length += 1;
                    total += weight;
                }
            }
            let mut number = if length > 1 { rng.below_u64(total) } else { 0 };
            let chosen = options[..length].iter().find(|(weight, _)| {
                let found = number < *weight;
                number = number.wrapping_sub(*weight);
                found
            });
            let Some((_, choice)) = chosen else { return };
            let mut push = |lower: u32, upper: u32| {
                from.push(lower as u8);
                to.push(upper as u8);
            };
            if choice.straight {
                push(col, col);
            }
            match choice.right {
                Absent => (),
                Rising => push(col, col + 1),
                Falling => push(col + 1, col),
            }
            left = choice.right;
            count -= u32::from(choice.upper);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Returns all legal sets of edges over six columns with their weights; exhaustive.
    fn all_sets(gap: &Gap, count: u32) -> BTreeMap<Vec<(u8, u8)>, u64> {
        let all = (0..6).flat_map(|a| (0..6).map(move |b| (a, b)));
        let possible: Vec<(u8, u8)> = all
            .filter(|&(a, b)| gap.nodes >> a & gap.within >> b & 1 == 1 && u8::abs_diff(a, b) <= 1)
            .collect();
        let sets = (0..1_u32 << possible.len()).filter_map(|set| {
            let edges: Vec<(u8, u8)> =
                (0..possible.len()).filter(|i| set >> i & 1 == 1).map(|i| possible[i]).collect();
            let cols = |end: fn(&(u8, u8)) -> u8| {
                edges.iter().fold(0_u64, |mask, edge| mask | 1 << end(edge))
            };
            let crossed = edges.iter().any(|(a, b)| edges.iter().any(|(c, d)| a < c && b > d));
            if cols(|edge| edge.0) != gap.nodes
                || cols(|edge| edge.1).count_ones() != count
                || crossed
            {
                return None;
            }
            let weight =
                (0..6_u8).map(|col| match edges.iter().filter(|edge| edge.0 == col).count() {
                    2 if gap.due >> col & 1 == 1 => 64,
                    2 => 2,
                    3 => gap.three_edges,
                    _ => 1,
                });
            let closing = edges.iter().filter(|&&(from, to)| {
                let is_node = |col: i32| (0..6).contains(&col) && gap.nodes >> col & 1 == 1;
                let (from, to) = (i32::from(from), i32::from(to));
                let side = to - from;
                let distant = (3..6).any(|steps| is_node(from + side * steps));
                side != 0 && !is_node(from + side) && !is_node(from + 2 * side) && distant
            });
            let required = |cols: u64, step: fn(u8) -> u8| {
                (0..6)
                    .filter(|col| cols >> col & 1 == 1)
                    .all(|col| edges.contains(&(col, step(col))))
            };
            if !required(gap.rise, |col| col + 1) || !required(gap.fall, |col| col - 1) {
                return None;
            }
            let outermost = [
                (gap.widen[0], gap.nodes.trailing_zeros() as u8, u8::MAX),
                (gap.widen[1], 63 - gap.nodes.leading_zeros() as u8, 1),
            ];
            let widening = outermost.into_iter().filter(|&(widen, col, step)| {
                widen && edges.contains(&(col, col.wrapping_add(step)))
            });
            let widening = 3_u64.pow(widening.count() as u32);
            let pull = if gap.due == 0 { 3_u64 } else { 16 };
            Some((
                edges.clone(),
                weight.product::<u64>() * widening * pull.pow(closing.count() as u32),
            ))
        });
        sets.filter(|(_, weight)| *weight > 0).collect()
    }

    #[test]
    fn draws_sets_in_proportion_to_their_weights() {
        let (mut sums, mut from, mut to) = (Sums::default(), Vec::new(), Vec::new());
        let mut checked = 0;
        let gaps = [
            Gap { nodes: 0b10_1001, within: 0b11_1111, ..Gap::default() },
            Gap { nodes: 0b01_1010, within: 0b01_1110, ..Gap::default() },
            Gap { nodes: 0b00_1000, within: 0b01_1100, three_edges: 1, ..Gap::default() },
            Gap { nodes: 0b10_0001, within: 0b11_0011, three_edges: 1, ..Gap::default() },
            Gap { nodes: 0b00_1010, within: 0b01_1111, due: 0b00_1000, ..Gap::default() },
            Gap {
                nodes: 0b10_0001,
                within: 0b11_0011,
                due: 0b00_0001,
                three_edges: 1,
                ..Gap::default()
            },
            Gap { nodes: 0b00_1010, within: 0b01_1111, widen: [false, true], ..Gap::default() },
            Gap { nodes: 0b00_1010, within: 0b01_1111, widen: [true, false], ..Gap::default() },
            Gap {
                nodes: 0b10_1001,
                within: 0b11_1111,
                rise: 0b00_0001,
                fall: 0b00_1000,
                ..Gap::default()
            },
        ];
        for gap in gaps {
            let Gap { nodes, within, .. } = gap;
            sums.count(&gap, 6);
            for count in 1..=6 {
                let all = all_sets(&gap, count);
                assert_eq!(
                    sums.weight(count),
                    all.values().sum::<u64>(),
                    "{nodes:b} {within:b} {count}"
                );
                if all.is_empty() {
                    continue;
                }
                let mut drawn: BTreeMap<Vec<(u8, u8)>, u64> = BTreeMap::new();
                let mut rng = MapRng::from_u64(u64::from(count));
                for _ in 0..200 * all.values().sum::<u64>() {
                    sums.draw(&mut rng, &gap, count, &mut from, &mut to);
                    let edges = from.iter().copied().zip(to.iter().copied()).collect();
                    *drawn.entry(edges).or_default() += 1;
                }
                assert!(
                    drawn.keys().all(|edges| all.contains_key(edges)),
                    "{nodes:b} {within:b} {count}"
                );
                // Expected: 200 per unit of weight; the standard deviation is about its square
                // root.
                for (edges, weight) in &all {
                    let (n, expected) = (drawn.get(edges).copied().unwrap_or(0), 200 * weight);
                    assert!(
                        n.abs_diff(expected) < 6 * expected.isqrt(),
                        "{edges:?}: {n} instead of {expected}"
                    );
                    checked += 1;
                }
            }
        }
        assert!(checked > 100, "{checked}");
    }

    #[test]
    fn weights_of_the_widest_row_do_not_overflow() {
        let (mut sums, mut from, mut to) = (Sums::default(), Vec::new(), Vec::new());
        let mut rng = MapRng::from_u64(1);
        let gap = Gap {
            nodes: u64::MAX,
            within: u64::MAX,
            due: u64::MAX,
            three_edges: 1,
            ..Gap::default()
        };
        sums.count(&gap, 64);
        for count in [22, 32, 48, 63, 64] {
            assert!(sums.weight(count) > 0);
            sums.draw(&mut rng, &gap, count, &mut from, &mut to);
            let upper = to.iter().fold(0_u64, |mask, &col| mask | 1 << col);
            let lower = from.iter().fold(0_u64, |mask, &col| mask | 1 << col);
            assert_eq!((upper.count_ones(), lower), (count, u64::MAX));
        }
        assert_eq!(sums.weight(21), 0);
    }

    #[test]
    fn seven_columns_need_no_scaling() {
        let mut sums = Sums::default();
        let mut largest = 0;
        for (nodes, due) in (1..128).flat_map(|nodes| (0..128).map(move |due| (nodes, due & nodes)))
        {
            sums.count(&Gap { nodes, within: 127, due, three_edges: 1, ..Gap::default() }, 7);
            largest = sums.sums.iter().copied().max().unwrap().max(largest);
        }
        // One more column adds at most 13 bits.
        assert!(largest < 1 << (64 - 13), "{largest}");
    }
}
