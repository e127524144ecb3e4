//! The rows ruleset (`act.rows/1`): a bounded number of nodes on every row between start and boss.
//!
//! The map is generated row by row. The number of nodes of the next row is drawn first, at most one
//! more or fewer than on the current row. Then its columns and the edges to it are drawn together,
//! with probability proportional to the weight of the set of edges; see [`gap`].
//!
//! # Double cone
//! Edges lead to the same or a neighbouring column. So row `k` is within `k` columns of the start
//! and within `rows - 1 - k` columns of the boss. Rows next to either have at most three nodes, the
//! next ones five. The cone also limits the minimum and maximum number of nodes. Neighbouring rows
//! differ by two nodes only where the minimum fills the cone.
//!
//! # Centred ends
//! Start and boss are in the middle column. With an even number of columns, each is in a random one
//! of the two middle columns. They share a column if some row could not have its minimum otherwise.
//!
//! # One or two edges
//! Sets in which a node has three edges have weight 0, unless no other set has an allowed number of
//! nodes. That happens at the start if `min_nodes` is 3 or more.
//!
//! # Lanes meet
//! The second row has two or three nodes. Each starts a *lane*: the nodes reachable from it. As
//! long as two neighbouring lanes have not met, they must be close enough to meet by row
//! [`meeting_row`]. A free step adds at most two columns to their distance. Where that could be too
//! much, the step is *forced*: their nearest nodes lead towards each other, which removes two
//! columns. If a lane of one node cannot lead to both of its neighbours, only the outer lanes are
//! forced; their distance still shrinks by two columns. Lanes that have met stay connected.
//!
//! # Choices
//! A node is *due* if some route reaches it after [`MAX_ROWS_WITHOUT_CHOICE`] rows without a
//! choice. Two edges from a due node have a high weight. So do edges between distant lanes, because
//! lanes must be close for another split. The number of nodes of the next row is then drawn among
//! those that such sets of edges have. This makes long stretches without a choice rare, but not
//! impossible, because the lanes must converge below the boss.
//!
//! # Balance
//! If a row extends further to one side of the middle, the outward edge of the outermost node on
//! the other side has a higher weight.
//!
//! # Correctness
//! Generation never fails and never retries. Let `A` be the columns of a row and `B` those of the
//! next row. Every node can have an outgoing and an incoming edge if and only if each column of `A`
//! is within one column of `B` and vice versa. The largest such `B` has all columns within one of
//! `A` and inside the cone. It has at least as many columns as `A`, or fills the cone. A smallest
//! such `B` has at most as many columns as `A`, and every size in between is possible. So the
//! number of nodes can stay the same unless a cone forces it to change. The forced number is also
//! possible: a row `t` rows below the boss has at most `2t + 1` nodes. The next row needs only a
//! third as many, rounded up, and may always have `t + 1`.
//!
//! # Determinism
//! Uses one stream, `act.rows`. Weights are symmetric, so a map and its mirror image are equally
//! likely.
//!
//! # Complexity
//! O(rows * cols * nodes per row).
//!
//! [`meeting_row`]: RowsSpec::meeting_row

mod gap;

use super::skeleton::{Skeleton, bits};
use super::{Edge, Event};
use gap::{Gap, Sums};
use wayforge_core::trace::Tracer;
use wayforge_core::{ConfigError, MapRng, Seed, StreamId};

const STREAM: StreamId = StreamId::named("act.rows");

/// Number of rows without a choice after which a route should offer one.
const MAX_ROWS_WITHOUT_CHOICE: usize = 2;

/// If a node is due, numbers of nodes whose weight is smaller than the largest by more than this
/// factor are excluded.
const MAX_WEIGHT_RATIO: u64 = 16;

/// Checked configuration of the rows ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowsSpec {
    rows: u32,
    cols: u32,
    /// Minimum and maximum number of nodes of each row: for start and boss in the same column, and
    /// in different columns.
    sizes: [Vec<(u32, u32)>; 2],
    /// Whether start and boss may be in different middle columns.
    free_ends: bool,
}

/// Scratch buffers of the generator.
#[derive(Clone, Debug, Default)]
pub(super) struct RowScratch {
    sums: Sums,
    /// Columns of the lower ends of the edges of a gap.
    from: Vec<u8>,
    /// Columns of the upper ends.
    to: Vec<u8>,
}

/// Generates the rows of one attempt into `skeleton`.
pub(super) fn build(
    seed: &Seed,
    attempt: u32,
    spec: &RowsSpec,
    scratch: &mut RowScratch,
    skeleton: &mut Skeleton,
    tracer: &mut impl Tracer<Event>,
) {
    let mut rng = seed.stream(STREAM.attempt(attempt));
    skeleton.reset(spec.rows as usize, spec.cols as usize);
    let (start, boss) = spec.draw_ends(&mut rng);
    let sizes = &spec.sizes[usize::from(start != boss)];
    let RowScratch { sums, from, to } = scratch;
    let mut nodes = 1_u64 << start;
    skeleton.set_bottom(&[start as u8]);
    record_row(0, nodes, (&[], &[]), tracer);
    let (mut no_choice, mut apart) = ([0; MAX_ROWS_WITHOUT_CHOICE], 0);
    for row in 0..spec.rows - 1 {
        let within = (nodes | nodes << 1 | nodes >> 1) & spec.cone(row + 1, start, boss);
        let (due, widen) = (no_choice[MAX_ROWS_WITHOUT_CHOICE - 1], spec.widen(nodes));
        let mut gap = Gap { nodes, within, due, widen, ..Gap::default() };
        let (min, max) = sizes[row as usize + 1];
        // If a cone forces two more nodes, every column has a node and lanes cannot be forced.
        if min <= nodes.count_ones() + 1 {
            spec.force_lanes(row, apart, &mut gap);
        }
        let count = draw_count(&mut rng, row, &mut gap, (min, max), sums);
        sums.draw(&mut rng, &gap, count, from, to);
        let next = to.iter().fold(0, |cols, &col| cols | 1_u64 << col);
        record_row(row + 1, next, (from, to), tracer);
        no_choice = rows_without_choice(no_choice, from, to);
        apart =
            if row == 0 { all_but_rightmost(next) } else { still_apart(apart, nodes, from, to) };
        skeleton.set_edges(row as usize, from, to);
        nodes = next;
    }
}

/// Draws the number of nodes of the next row, uniformly among the allowed numbers.
///
/// If a node is due, numbers with a low weight are excluded. Leaves the sums of `gap` in `sums`.
fn draw_count(
    rng: &mut MapRng,
    row: u32,
    gap: &mut Gap,
    (min, max): (u32, u32),
    sums: &mut Sums,
) -> u32 {
    let size = gap.nodes.count_ones();
    let max = max.min(gap.within.count_ones());
    // The row above the start may have up to three nodes.
    let (smaller, larger) = if row == 0 { (1, 3) } else { (size - 1, size + 1) };
    let range = min.max(smaller.min(max))..=max.min(larger.max(min));
    let mut largest_weight = |gap: &Gap| {
        sums.count(gap, *range.end());
        range.clone().map(|count| sums.weight(count)).max().unwrap_or(0)
    };
    let mut weight = largest_weight(gap);
    let both = gap.rise & gap.fall;
    if weight == 0 && both != 0 {
        (gap.rise, gap.fall) = (gap.rise & !both, gap.fall & !both);
        weight = largest_weight(gap);
    }
    if weight == 0 {
        gap.three_edges = 1;
        weight = largest_weight(gap);
    }
    debug_assert!(weight != 0, "no number of nodes fits row {}", row + 1);
    let min_weight = if gap.due == 0 { 1 } else { weight / MAX_WEIGHT_RATIO };
    let allowed = range.filter(|&count| sums.weight(count) >= min_weight.max(1));
    rng.choose_bit(allowed.fold(0_u64, |mask, count| mask | 1 << (count - 1)))
        .map_or(1, |bit| bit + 1)
}

/// Returns the upper nodes that some route reaches after 1, 2, ... rows without a choice.
///
/// Entry `i` is for `i + 1` rows. `no_choice` is the same for the lower nodes.
fn rows_without_choice(
    no_choice: [u64; MAX_ROWS_WITHOUT_CHOICE],
    from: &[u8],
    to: &[u8],
) -> [u64; MAX_ROWS_WITHOUT_CHOICE] {
    let (some, several) = from.iter().fold((0_u64, 0_u64), |(some, several), col| {
        let bit = 1 << col;
        (some | bit, several | some & bit)
    });
    let single = some & !several;
    let mut next = [0; MAX_ROWS_WITHOUT_CHOICE];
    for (&from, &to) in from.iter().zip(to) {
        let mut reached = single >> from & 1;
        for (next, no_choice) in next.iter_mut().zip(no_choice) {
            *next |= reached << to;
            reached &= no_choice >> from;
        }
    }
    next
}

/// Returns all nodes except the rightmost one.
fn all_but_rightmost(nodes: u64) -> u64 {
    nodes & !(1_u64 << 63 >> (nodes | 1).leading_zeros())
}

/// Returns the next node to the right of `col`.
fn next_right(nodes: u64, col: u32) -> u32 {
    (nodes >> col >> 1).trailing_zeros() + col + 1
}

/// Returns the rightmost upper node of each lane that has not met the lane to its right.
///
/// `apart` is the same for the lower row. Lanes meet if the rightmost node of one and the leftmost
/// node of the other lead to the same node.
fn still_apart(apart: u64, nodes: u64, from: &[u8], to: &[u8]) -> u64 {
    let targets = |col: u32| {
        let edges = from.iter().zip(to).filter(|(lower, _)| u32::from(**lower) == col);
        edges.fold(0_u64, |targets, (_, upper)| targets | 1 << upper)
    };
    bits(apart).fold(0, |still, col| {
        let (left, right) = (targets(col), targets(next_right(nodes, col)));
        if left & right == 0 { still | 1_u64 << 63 >> (left | 1).leading_zeros() } else { still }
    })
}

/// Records the nodes of a row and the edges to it.
#[inline]
fn record_row<T: Tracer<Event>>(row: u32, cols: u64, (from, to): (&[u8], &[u8]), tracer: &mut T) {
    if T::ENABLED {
        bits(cols)
            .for_each(|col| tracer.record(Event::AddNode { row: row as u16, col: col as u16 }));
        for (&from, &to) in from.iter().zip(to) {
            tracer.record(Event::AddEdge(Edge {
                row: row as u16 - 1,
                from: from.into(),
                to: to.into(),
            }));
        }
    }
}

impl RowsSpec {
    pub(super) fn resolve(
        rows: u16,
        cols: u16,
        min: u16,
        max: u16,
    ) -> Result<RowsSpec, ConfigError> {
        let mut spec = RowsSpec {
            rows: rows.into(),
            cols: cols.into(),
            sizes: [Vec::new(), Vec::new()],
            free_ends: false,
        };
        let middle = (spec.cols - 1) / 2;
        let cones = [middle, spec.cols / 2].map(|boss| {
            (0..spec.rows).map(|row| spec.cone(row, middle, boss)).collect::<Vec<u64>>()
        });
        // Without rows between start and boss, only the columns limit `min_nodes`.
        let widest = match rows {
            2 => spec.cols,
            _ => cones[0].iter().map(|cols| cols.count_ones()).max().unwrap_or(1),
        };
        if u32::from(min) > widest {
            let problem = format!(
                "no row between start and boss has that many columns on a grid of {rows} rows \
                 by {cols} columns"
            );
            return Err(ConfigError::new("min_nodes", min, problem, format!("use 1 to {widest}")));
        }
        spec.sizes = cones.map(|cone| row_sizes(&cone, min.into(), max.into()));
        let [same, other] = &spec.sizes;
        spec.free_ends = same.iter().zip(other).all(|(same, other)| same.0 == other.0);
        Ok(spec)
    }

    /// Returns the columns of a row that are inside the cones of both ends.
    fn cone(&self, row: u32, start: u32, boss: u32) -> u64 {
        let reach = |col: u32, steps: u32| {
            let (first, last) = (col.saturating_sub(steps), (col + steps).min(self.cols - 1));
            (u64::MAX << first) & (u64::MAX >> (63 - last))
        };
        reach(start, row) & reach(boss, self.rows - 1 - row)
    }

    /// Draws the columns of start and boss.
    fn draw_ends(&self, rng: &mut MapRng) -> (u32, u32) {
        let middle = (self.cols - 1) / 2;
        if self.cols % 2 == 1 {
            return (middle, middle);
        }
        let start = middle + rng.below(2);
        (start, if self.free_ends { middle + rng.below(2) } else { start })
    }

    /// Returns the row by which all lanes have met.
    fn meeting_row(&self) -> u32 {
        (self.rows / 2 + 1).min(self.rows - 2)
    }

    /// Whether a row should widen to the left and to the right.
    ///
    /// True for the side on which it extends less far from the middle, by more than one column.
    fn widen(&self, nodes: u64) -> [bool; 2] {
        // Doubled columns, so that the middle is an integer.
        let middle = self.cols as i32 - 1;
        let left = middle - 2 * nodes.trailing_zeros() as i32;
        let right = 2 * (63 - nodes.leading_zeros() as i32) - middle;
        [left + 2 < right, right + 2 < left]
    }

    /// Requires edges between lanes that might otherwise not meet in time.
    fn force_lanes(&self, row: u32, apart: u64, gap: &mut Gap) {
        for col in bits(apart) {
            let right = next_right(gap.nodes, col);
            let steps = (right - col).div_ceil(2);
            // A free step can add two columns and costs one step.
            if row + steps + 2 <= self.meeting_row() {
                continue;
            }
            if right - col == 1 {
                gap.join |= 1 << col;
            } else {
                gap.rise |= 1 << col;
                gap.fall |= 1 << right;
            }
        }
    }
}

/// Returns the minimum and maximum number of nodes of each row, limited by the cones.
///
/// From the top down, a row has at most one node more than the next row, so that rows narrow
/// towards the boss one node at a time.
fn row_sizes(cone: &[u64], min: u32, max: u32) -> Vec<(u32, u32)> {
    let mut sizes: Vec<(u32, u32)> =
        cone.iter().map(|cols| (min.min(cols.count_ones()), max.min(cols.count_ones()))).collect();
    for row in (1..cone.len().saturating_sub(2)).rev() {
        let next = sizes[row + 1].1;
        let (min, max) = &mut sizes[row];
        *max = (*max).min((next + 1).max(*min));
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes 0 and 3, and 3 and 6, should meet, but that needs five nodes.
    #[test]
    fn only_outer_lanes_are_forced_if_the_middle_one_cannot_lead_to_both() {
        let (mut sums, mut from, mut to) = (Sums::default(), Vec::new(), Vec::new());
        for seed in 0..200 {
            let mut rng = MapRng::from_u64(seed);
            let mut gap = Gap {
                nodes: 0b1100_1001,
                within: 0xff,
                rise: 0b1001,
                fall: 0b100_1000,
                ..Gap::default()
            };
            let count = draw_count(&mut rng, 5, &mut gap, (3, 4), &mut sums);
            assert!((3..=4).contains(&count));
            sums.draw(&mut rng, &gap, count, &mut from, &mut to);
            let edges: Vec<(u8, u8)> = from.iter().copied().zip(to.iter().copied()).collect();
            assert!(edges.contains(&(0, 1)) && edges.contains(&(6, 5)), "{edges:?}");
            let upper = to.iter().fold(0_u64, |cols, &col| cols | 1 << col);
            assert_eq!(upper.count_ones(), count, "{edges:?}");
        }
    }

    #[test]
    fn tracks_nodes_that_a_route_reaches_without_a_choice() {
        // 1 leads only to 1; 3 leads to 2 and 3. The single edges from 1 and 2 then meet at 2.
        let no_choice = rows_without_choice([0; MAX_ROWS_WITHOUT_CHOICE], &[1, 3, 3], &[1, 2, 3]);
        assert_eq!(no_choice, [0b0010, 0]);
        let no_choice = rows_without_choice(no_choice, &[1, 2, 3, 3], &[2, 2, 3, 4]);
        assert_eq!(no_choice, [0b0100, 0b0100]);
        let no_choice = rows_without_choice(no_choice, &[2, 2, 3, 4], &[1, 2, 3, 4]);
        assert_eq!(no_choice, [0b1_1000, 0]);
    }
}
