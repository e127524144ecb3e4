//! One gap between two rows: the columns of the upper row and the edges to it, drawn together.
//!
//! The draw is a transfer-matrix count from right to left and a walk through the counts from left to right. Between column
//! `c` and column `c + 1` at most one diagonal edge exists, because the rising one (`c` to `c + 1`) and the falling one
//! (`c + 1` to `c`) cross. That diagonal is all that the columns on one side need to know of the other side: three states.
//! A set of edges is drawn in proportion to the product of its weights, so no set is retried and no side is preferred.

use wayforge_core::MapRng;

/// The diagonal between two neighbouring columns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Diagonal {
    Absent,
    Rising,
    Falling,
}
use Diagonal::{Absent, Falling, Rising};

/// One column's part of a set of edges.
struct Choice {
    /// The diagonals to the left and to the right of the column.
    left: Diagonal,
    right: Diagonal,
    /// Whether the upper row takes the column.
    taken: bool,
    straight: bool,
    /// How many edges leave the column's lower node.
    out: u8,
    /// What the column must have, of [`TAKES`], [`RISES`] and [`FALLS`].
    needs: u8,
}

/// The upper row may take the column.
const TAKES: u8 = 1;
/// The upper row may take the next column.
const RISES: u8 = 2;
/// The next column has a lower node.
const FALLS: u8 = 4;

const fn choice(left: Diagonal, taken: bool, straight: bool, right: Diagonal, out: u8) -> Choice {
    let diagonal = match right {
        Absent => 0,
        Rising => RISES,
        Falling => FALLS,
    };
    Choice { left, right, taken, straight, out, needs: diagonal | (taken as u8 * TAKES) }
}

/// The choices of a column without a lower node: an upper node needs an edge from the left or from the right.
const EMPTY: [Choice; 4] = [
    choice(Absent, false, false, Absent, 0),
    choice(Absent, true, false, Falling, 0),
    choice(Rising, true, false, Absent, 0),
    choice(Rising, true, false, Falling, 0),
];

/// The choices of a column with a lower node: the node needs an edge out, an upper node needs one in.
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

/// The most choices that share a diagonal on their left.
const MAX_CHOICES: usize = 6;

/// The weight of a node with two edges; a node with one has weight 1. The second value is for nodes that are
/// [due](Gap::due).
const TWO_EDGES: [u64; 2] = [2, 64];

/// The weight of an edge towards a neighbour three or more columns away, and of an edge that [widens](Gap::widen) its row;
/// other edges have weight 1. Without it lanes drift apart, and maps lean to one side. The second value is for gaps with a node that is [due](Gap::due): only lanes close to each other leave
/// room for another split.
const PULL: [u64; 2] = [3, 16];

/// Sums of weights are scaled down to this many bits. The other 16 bits hold one more weight (10 bits) and a sum of
/// [`MAX_CHOICES`] terms (3 bits). The sums of seven columns need no scaling.
const SUM_BITS: u32 = 48;
const UNSCALED_COLUMNS: u32 = 7;

/// What may be drawn across one gap.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gap {
    /// The columns of the lower nodes.
    pub nodes: u64,
    /// The columns that the upper row may take.
    pub within: u64,
    /// Lower nodes that a route reaches after too many rows without a choice. They should have two edges.
    pub due: u64,
    /// The weight of a node with three edges: 0 or 1.
    pub three: u64,
    /// Lower nodes that must lead one column to the right or to the left.
    pub rise: u64,
    pub fall: u64,
    /// Lower nodes that must share an upper node with the lower node in the next column.
    pub join: u64,
    /// Whether the row should widen to the left and to the right.
    pub widen: [bool; 2],
}

/// What may be drawn at one column.
struct Column<'a> {
    gap: &'a Gap,
    col: u32,
    /// What the column has, of [`TAKES`], [`RISES`] and [`FALLS`].
    has: u8,
    /// Whether the gap requires edges.
    ordered: bool,
    /// The weights of 0 to 3 edges out.
    outs: [u64; 4],
    /// The weights of the diagonals to the right of it.
    diagonals: [u64; 3],
}

impl Gap {
    #[inline]
    fn column(&self, col: u32) -> Column<'_> {
        let bit = |mask: u64, col: u32| mask.checked_shr(col).unwrap_or(0) & 1;
        let next = col + 1;
        let has = bit(self.within, col) as u8 * TAKES
            + bit(self.within, next) as u8 * RISES
            + bit(self.nodes, next) as u8 * FALLS;
        let right = self.nodes >> col >> 1;
        let left = self.nodes & !(u64::MAX << col << 1);
        // Nodes without a neighbour within two columns on a side, but with one further on, and the outermost nodes.
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
            has,
            ordered: self.rise | self.fall | self.join != 0,
            outs: [1, 1, TWO_EDGES[bit(self.due, col) as usize], self.three],
            diagonals: [1, rises, falls],
        }
    }
}

impl Column<'_> {
    /// All choices.
    #[inline]
    fn choices(&self) -> &'static [Choice] {
        if self.gap.nodes >> self.col & 1 != 0 { &NODE } else { &EMPTY }
    }

    /// The choices with a diagonal on their left.
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

    /// The weight of a choice; 0 if it is not allowed.
    #[inline]
    fn weight(&self, choice: &Choice) -> u64 {
        if choice.needs & !self.has != 0 || self.ordered && !self.follows_orders(choice) {
            return 0;
        }
        self.diagonals[choice.right as usize] * self.outs[usize::from(choice.out & 3)]
    }

    /// Sums the weights of all choices at this column: [`NODE`] or [`EMPTY`] multiplied out, for gaps without required
    /// edges. `here` and `next` hold the sums for each diagonal, up to the same number of columns.
    #[inline]
    fn sum(&self, here: &mut [u64], next: &[u64], high: usize) {
        let stride = here.len() / 3;
        let (absent, others) = here.split_at_mut(stride);
        let (rising, falling) = others.split_at_mut(stride);
        let (next_absent, others) = next.split_at(stride);
        let (next_rising, next_falling) = others.split_at(stride);
        let weight = |need: u8, weight: u64| if self.has & need != 0 { weight } else { 0 };
        let takes = weight(TAKES, 1);
        let [_, rises, falls] = self.diagonals;
        let (rises, falls) = (weight(RISES, rises), weight(FALLS, falls));
        let [_, _, two, three] = self.outs;
        let is_node = self.gap.nodes >> self.col & 1 != 0;
        // The sums with one column less: those of choices that take this column.
        let (mut a, mut r, mut f) = (0, 0, 0);
        for count in 0..=high {
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
            [a, r, f] = [takes * next_a, takes * next_r, takes * next_f];
        }
    }

    /// The same for gaps with required edges.
    #[cold]
    fn sum_required(&self, here: &mut [u64], next: &[u64], high: usize) {
        let stride = here.len() / 3;
        for choice in self.choices() {
            let (weight, taken) = (self.weight(choice), usize::from(choice.taken));
            if weight == 0 || taken > high {
                continue;
            }
            let to = &mut here[choice.left as usize * stride..][taken..=high];
            let from = &next[choice.right as usize * stride..][..stride];
            for (sum, next) in to.iter_mut().zip(from) {
                *sum += weight * next;
            }
        }
    }

    /// Whether a choice has the edges that the gap requires.
    #[cold]
    fn follows_orders(&self, choice: &Choice) -> bool {
        let here = |mask: u64| mask >> self.col & 1 != 0;
        let next = |mask: u64| mask >> self.col >> 1 & 1 != 0;
        let Gap { rise, fall, join, .. } = *self.gap;
        !(here(rise) && choice.right != Rising
            || next(fall) && choice.right != Falling
            || here(join) && !(choice.right == Rising || choice.right == Falling && choice.straight)
            || here(join << 1) && choice.left == Rising && !choice.straight)
    }
}

/// Summed weights of the edge sets right of each column, by the diagonal left of it and the number of columns to be taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    sums: Vec<u64>,
    most: u32,
    first: u32,
    last: u32,
}

impl Sums {
    #[inline]
    fn at(&self, col: u32, left: Diagonal, count: u32) -> usize {
        let row = (col - self.first) as usize * 3 + left as usize;
        row * (self.most as usize + 1) + count as usize
    }

    /// Sums the weights of all sets of edges that take up to `most` columns.
    ///
    /// Large sums are scaled down, those of one column by the same power of two, and stay above 0. Only rows with many
    /// nodes need it.
    pub(super) fn count(&mut self, gap: &Gap, most: u32) {
        let all = gap.nodes | gap.within;
        (self.first, self.last, self.most) = (all.trailing_zeros(), 63 - (all | 1).leading_zeros(), most);
        let end = self.at(self.last + 1, Absent, 0);
        self.sums.clear();
        self.sums.resize(end + 3 * (most as usize + 1), 0);
        self.sums[end] = 1;
        for col in (self.first..=self.last).rev() {
            let high = (gap.within >> col).count_ones().min(most) as usize;
            let (start, end) = (self.at(col, Absent, 0), self.at(col + 1, Absent, 0));
            let (here, next) = self.sums[start..].split_at_mut(end - start);
            let column = gap.column(col);
            if column.ordered {
                column.sum_required(here, next, high);
            } else {
                column.sum(here, next, high);
            }
            if self.last - col >= UNSCALED_COLUMNS - 1 && col > self.first {
                let bits = 64 - here.iter().fold(0, |bits, sum| bits | sum).leading_zeros();
                let excess = bits.saturating_sub(SUM_BITS);
                here.iter_mut().filter(|sum| **sum > 0).for_each(|sum| *sum = (*sum >> excess).max(1));
            }
        }
    }

    /// The summed weights of all sets of edges that take `count` columns; 0 if there is no such set.
    pub(super) fn weight(&self, count: u32) -> u64 {
        if count <= self.most { self.sums[self.at(self.first, Absent, count)] } else { 0 }
    }

    /// Draws a set of edges that takes `count` columns. The [weight](Self::weight) of `count` must not be 0. Writes each edge's ends
    /// into `from` and `to`, by columns.
    pub(super) fn draw(&self, rng: &mut MapRng, gap: &Gap, count: u32, from: &mut Vec<u8>, to: &mut Vec<u8>) {
        from.clear();
        to.clear();
        let (mut left, mut count) = (Absent, count);
        for col in self.first..=self.last {
            let column = gap.column(col);
            let (mut options, mut length, mut total) = ([(0, &EMPTY[0]); MAX_CHOICES], 0, 0);
            for choice in column.choices_after(left) {
                let taken = u32::from(choice.taken);
                if taken > count {
                    continue;
                }
                let weight = column.weight(choice) * self.sums[self.at(col + 1, choice.right, count - taken)];
                if weight > 0 {
                    options[length] = (weight, choice);
                    length += 1;
                    total += weight;
                }
            }
            let mut number = if length > 1 { rng.below_u64(total) } else { 0 };
            let chosen = options[..length].iter().find(|(weight, _)| {
                let here = number < *weight;
                number = number.wrapping_sub(*weight);
                here
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
            count -= u32::from(choice.taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// All legal sets of edges from `nodes` over six columns with their weights, by trying every set.
    fn all_sets(gap: &Gap, count: u32) -> BTreeMap<Vec<(u8, u8)>, u64> {
        let all = (0..6).flat_map(|a| (0..6).map(move |b| (a, b)));
        let possible: Vec<(u8, u8)> = all
            .filter(|&(a, b)| gap.nodes >> a & gap.within >> b & 1 == 1 && u8::abs_diff(a, b) <= 1)
            .collect();
        let sets = (0..1_u32 << possible.len()).filter_map(|set| {
            let edges: Vec<(u8, u8)> =
                (0..possible.len()).filter(|i| set >> i & 1 == 1).map(|i| possible[i]).collect();
            let cols =
                |end: fn(&(u8, u8)) -> u8| edges.iter().fold(0_u64, |mask, edge| mask | 1 << end(edge));
            let crossed = edges.iter().any(|(a, b)| edges.iter().any(|(c, d)| a < c && b > d));
            if cols(|edge| edge.0) != gap.nodes || cols(|edge| edge.1).count_ones() != count || crossed {
                return None;
            }
            let weight = (0..6_u8).map(|col| match edges.iter().filter(|edge| edge.0 == col).count() {
                2 if gap.due >> col & 1 == 1 => 64,
                2 => 2,
                3 => gap.three,
                _ => 1,
            });
            let closing = edges.iter().filter(|&&(from, to)| {
                let beside = |step: i32| (0..6).contains(&step) && gap.nodes >> step & 1 == 1;
                let (from, to) = (i32::from(from), i32::from(to));
                let side = to - from;
                let further = (3..6).any(|steps| beside(from + side * steps));
                side != 0 && !beside(from + side) && !beside(from + 2 * side) && further
            });
            let required = |cols: u64, step: fn(u8) -> u8| {
                (0..6).filter(|col| cols >> col & 1 == 1).all(|col| edges.contains(&(col, step(col))))
            };
            if !required(gap.rise, |col| col + 1) || !required(gap.fall, |col| col - 1) {
                return None;
            }
            let outermost = [
                (gap.widen[0], gap.nodes.trailing_zeros() as u8, u8::MAX),
                (gap.widen[1], 63 - gap.nodes.leading_zeros() as u8, 1),
            ];
            let wider = outermost
                .into_iter()
                .filter(|&(widen, col, step)| widen && edges.contains(&(col, col.wrapping_add(step))));
            let wider = 3_u64.pow(wider.count() as u32);
            let pull = if gap.due == 0 { 3_u64 } else { 16 };
            Some((edges.clone(), weight.product::<u64>() * wider * pull.pow(closing.count() as u32)))
        });
        sets.filter(|(_, weight)| *weight > 0).collect()
    }

    #[test]
    fn draws_follow_the_weights_of_all_legal_sets() {
        let (mut sums, mut from, mut to) = (Sums::default(), Vec::new(), Vec::new());
        let mut checked = 0;
        let gaps = [
            Gap { nodes: 0b10_1001, within: 0b11_1111, ..Gap::default() },
            Gap { nodes: 0b01_1010, within: 0b01_1110, ..Gap::default() },
            Gap { nodes: 0b00_1000, within: 0b01_1100, three: 1, ..Gap::default() },
            Gap { nodes: 0b10_0001, within: 0b11_0011, three: 1, ..Gap::default() },
            Gap { nodes: 0b00_1010, within: 0b01_1111, due: 0b00_1000, ..Gap::default() },
            Gap { nodes: 0b10_0001, within: 0b11_0011, due: 0b00_0001, three: 1, ..Gap::default() },
            Gap { nodes: 0b00_1010, within: 0b01_1111, widen: [false, true], ..Gap::default() },
            Gap { nodes: 0b00_1010, within: 0b01_1111, widen: [true, false], ..Gap::default() },
            Gap { nodes: 0b10_1001, within: 0b11_1111, rise: 0b00_0001, fall: 0b00_1000, ..Gap::default() },
        ];
        for gap in gaps {
            let Gap { nodes, within, .. } = gap;
            sums.count(&gap, 6);
            for count in 1..=6 {
                let all = all_sets(&gap, count);
                assert_eq!(sums.weight(count), all.values().sum::<u64>(), "{nodes:b} {within:b} {count}");
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
                assert!(drawn.keys().all(|edges| all.contains_key(edges)), "{nodes:b} {within:b} {count}");
                // 200 for each unit of weight, with a standard deviation of its root.
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
    fn the_widest_row_does_not_overflow() {
        let (mut sums, mut from, mut to) = (Sums::default(), Vec::new(), Vec::new());
        let mut rng = MapRng::from_u64(1);
        let gap = Gap { nodes: u64::MAX, within: u64::MAX, due: u64::MAX, three: 1, ..Gap::default() };
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
        for (nodes, due) in (1..128).flat_map(|nodes| (0..128).map(move |due| (nodes, due & nodes))) {
            sums.count(&Gap { nodes, within: 127, due, three: 1, ..Gap::default() }, 7);
            largest = sums.sums.iter().copied().max().unwrap().max(largest);
        }
        // One more column adds at most 13 bits.
        assert!(largest < 1 << (64 - 13), "{largest}");
    }
}
