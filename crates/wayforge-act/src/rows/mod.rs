//! Act maps by rows (`act.rows/1`): a bounded number of nodes on every row between one start and one boss.
//!
//! **Method.** Row by row: draw how many nodes the next row has, at most one more or fewer than this one; then draw its columns
//! and the edges to it together, in proportion to their weights among all legal sets ([`gap`]).
//!
//! **The double cone.** Edges lead to the same or a neighbouring column, so row `k` lies within `k` columns of the start and
//! within `rows - 1 - k` columns of the boss: rows next to either hold at most three nodes, the next ones five. On
//! such rows the least and the most number of nodes are cut to what the cone holds; only where the least number fills
//! the cone do neighbouring rows differ by two.
//!
//! **Centred ends.** Start and boss are on the middle column. With an even number of columns each takes one of the two
//! middle ones by lot; they take the same one where rows would otherwise lose room for their least number of nodes.
//!
//! **One or two edges.** Sets in which a node has three edges have weight 0. Only if no other set has an allowed number
//! of nodes is a third edge allowed: at the start, if `min_nodes` is 3 or more.
//!
//! **Lanes meet.** The second row has two or three nodes, and what is above them is connected through them. As long as two
//! neighbouring lanes have not met, their distance must allow them to meet by row [`meeting_row`]; if a free step could
//! exceed it, the gap forces their nearest nodes towards each other. A step closes two columns, and a third of the map's
//! rows is more than a cone needs. If a lane of one node cannot lead to both of its neighbours, only the outer lanes are
//! forced: their distance still shrinks by two columns. Once met, lanes stay connected.
//!
//! **Choices.** A node is *due* if a route reaches it after [`PATIENCE`] rows in which it had no choice. Two edges of a
//! node that is due have a high weight, and so have edges between lanes that are far from each other, because lanes must be
//! close for another split. The next row then gets a number of nodes that such sets of edges have. Weights make long
//! stretches without a choice rare; they exclude none, because the lanes must converge below the boss.
//!
//! **Balance.** On a row that reaches further to one side of the middle than to the other, the outermost node of the shorter
//! side is drawn outwards: that edge has a higher weight.
//!
//! **It never fails and never retries.** Call a row's columns `A` and those of the next row `B`. Every node has an edge
//! out and an edge in exactly if each column of `A` has one of `B` within one column, and the other way round. All
//! columns within one of `A` and inside the cone are such a `B`; there are at least as many of them as
//! columns in `A`, or they fill the cone. A least such `B` has no more columns than `A`, and anything between
//! the two is such a `B` too. So the number of nodes can stay as it is, unless a cone forces it up or down, and then the
//! forced number lies between the least and the most: `t` rows below the boss a row of at most `2t + 1` columns is served by a
//! third of them, rounded up, and the next row may always hold `t + 1`.
//!
//! **Determinism.** One stream, `act.rows`. Weights do not distinguish left from right, so a map and its mirror image are
//! equally likely.
//!
//! **Complexity.** O(rows * cols * nodes of a row).

mod gap;

use super::skeleton::{Skeleton, bits};
use super::{Edge, Event};
use gap::{Gap, Sums};
use wayforge_core::trace::Tracer;
use wayforge_core::{ConfigError, MapRng, Seed, Stage};

const STAGE: Stage = Stage::named("act.rows");

/// After this many rows without a choice a route should offer one.
const PATIENCE: usize = 2;

/// If a node is due, a number of nodes is excluded whose sets of edges have less than this part of the largest weight.
const RELEVANT: u64 = 16;

/// The rows ruleset, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowsSpec {
    rows: u32,
    cols: u32,
    /// The fewest and the most nodes of each row, if start and boss are on the same column and if they are not.
    sizes: [Vec<(u32, u32)>; 2],
    /// Whether start and boss may be on different middle columns.
    free_ends: bool,
}

/// Memory of the generator.
#[derive(Clone, Debug, Default)]
pub(super) struct RowScratch {
    sums: Sums,
    from: Vec<u8>,
    to: Vec<u8>,
}

/// Draws the rows of an attempt of `seed` onto `skeleton`.
pub(super) fn build(
    seed: &Seed,
    attempt: u32,
    spec: &RowsSpec,
    scratch: &mut RowScratch,
    skeleton: &mut Skeleton,
    tracer: &mut impl Tracer<Event>,
) {
    let mut rng = seed.stream(STAGE.attempt(attempt));
    skeleton.reset(spec.rows as usize, spec.cols as usize);
    let (start, boss) = spec.draw_ends(&mut rng);
    let sizes = &spec.sizes[usize::from(start != boss)];
    let RowScratch { sums, from, to } = scratch;
    let mut nodes = 1_u64 << start;
    skeleton.set_bottom(&[start as u8]);
    tell_row(0, nodes, (&[], &[]), tracer);
    let (mut stale, mut apart) = ([0; PATIENCE], 0);
    for row in 0..spec.rows - 1 {
        let within = (nodes | nodes << 1 | nodes >> 1) & spec.cone(row + 1, start, boss);
        let (due, widen) = (stale[PATIENCE - 1], spec.widen(nodes));
        let mut gap = Gap { nodes, within, due, widen, ..Gap::default() };
        let (least, most) = sizes[row as usize + 1];
        // Where a cone forces two more nodes, every column is taken: no lane drifts, and not all of them can meet.
        if least <= nodes.count_ones() + 1 {
            spec.close(row, apart, &mut gap);
        }
        let count = draw_count(&mut rng, row, &mut gap, (least, most), sums);
        sums.draw(&mut rng, &gap, count, from, to);
        let next = to.iter().fold(0, |cols, &col| cols | 1_u64 << col);
        tell_row(row + 1, next, (from, to), tracer);
        stale = without_choice(stale, from, to);
        apart = if row == 0 { left_of_another(next) } else { still_apart(apart, nodes, from, to) };
        skeleton.set_edges(row as usize, from, to);
        nodes = next;
    }
}

/// Draws how many nodes the next row gets. Every allowed number is equally likely; if a node is due, only numbers with a
/// relevant weight are allowed. Leaves the sums of `gap` in `sums`.
fn draw_count(rng: &mut MapRng, row: u32, gap: &mut Gap, (least, most): (u32, u32), sums: &mut Sums) -> u32 {
    let size = gap.nodes.count_ones();
    let most = most.min(gap.within.count_ones());
    // The start says nothing about the size of the rows above it.
    let (smaller, larger) = if row == 0 { (1, 3) } else { (size - 1, size + 1) };
    let range = least.max(smaller.min(most))..=most.min(larger.max(least));
    let mut largest = |gap: &Gap| {
        sums.count(gap, *range.end());
        range.clone().map(|count| sums.weight(count)).max().unwrap_or(0)
    };
    let mut weight = largest(gap);
    let middle = gap.rise & gap.fall;
    if weight == 0 && middle != 0 {
        (gap.rise, gap.fall) = (gap.rise & !middle, gap.fall & !middle);
        weight = largest(gap);
    }
    if weight == 0 {
        gap.three = 1;
        weight = largest(gap);
    }
    debug_assert!(weight != 0, "no number of nodes fits row {}", row + 1);
    let relevant = if gap.due == 0 { 1 } else { weight / RELEVANT };
    let allowed = range.filter(|&count| sums.weight(count) >= relevant.max(1));
    rng.bit(allowed.fold(0_u64, |mask, count| mask | 1 << (count - 1))).map_or(1, |bit| bit + 1)
}

/// The upper nodes that a route reaches after 1, 2, ... [`PATIENCE`] rows without a choice, from the lower ones.
fn without_choice(stale: [u64; PATIENCE], from: &[u8], to: &[u8]) -> [u64; PATIENCE] {
    let (some, several) = from.iter().fold((0_u64, 0_u64), |(some, several), col| {
        let bit = 1 << col;
        (some | bit, several | some & bit)
    });
    let single = some & !several;
    let mut next = [0; PATIENCE];
    for (&from, &to) in from.iter().zip(to) {
        let mut reached = single >> from & 1;
        for (next, stale) in next.iter_mut().zip(stale) {
            *next |= reached << to;
            reached &= stale >> from;
        }
    }
    next
}

/// The nodes that have another one to their right.
fn left_of_another(nodes: u64) -> u64 {
    nodes & !(1_u64 << 63 >> (nodes | 1).leading_zeros())
}

/// The node next to the right of `col`.
fn next_right(nodes: u64, col: u32) -> u32 {
    (nodes >> col >> 1).trailing_zeros() + col + 1
}

/// The upper nodes whose lane has not met the lane next to the right, from the lower ones: lanes meet where the last node of one
/// and the first node of the other lead to the same node.
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

/// Tells which columns a row takes, and the edges that lead to it.
#[inline]
fn tell_row<T: Tracer<Event>>(row: u32, cols: u64, (from, to): (&[u8], &[u8]), tracer: &mut T) {
    if T::LISTENS {
        bits(cols).for_each(|col| tracer.tell(Event::Node { row: row as u16, col: col as u16 }));
        for (&from, &to) in from.iter().zip(to) {
            tracer.tell(Event::Join(Edge { row: row as u16 - 1, from: from.into(), to: to.into() }));
        }
    }
}

impl RowsSpec {
    pub(super) fn resolve(rows: u16, cols: u16, min: u16, max: u16) -> Result<RowsSpec, ConfigError> {
        let mut spec = RowsSpec {
            rows: rows.into(),
            cols: cols.into(),
            sizes: [Vec::new(), Vec::new()],
            free_ends: false,
        };
        let middle = (spec.cols - 1) / 2;
        let cones = [middle, spec.cols / 2]
            .map(|boss| (0..spec.rows).map(|row| spec.cone(row, middle, boss)).collect::<Vec<u64>>());
        // A map of start and boss alone has no row to fill; any number that fits the columns will do.
        let widest = match rows {
            2 => spec.cols,
            _ => cones[0].iter().map(|cols| cols.count_ones()).max().unwrap_or(1),
        };
        if u32::from(min) > widest {
            let problem =
                format!("no row of {rows} rows by {cols} columns can hold so many between start and boss");
            return Err(ConfigError::new("min_nodes", min, problem, format!("use 1 to {widest}")));
        }
        spec.sizes = cones.map(|cone| row_sizes(&cone, min.into(), max.into()));
        let [same, other] = &spec.sizes;
        spec.free_ends = same.iter().zip(other).all(|(same, other)| same.0 == other.0);
        Ok(spec)
    }

    /// The columns of a row that lie inside the cones of both ends.
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

    /// The row by which all lanes have met.
    fn meeting_row(&self) -> u32 {
        (self.rows / 2 + 1).min(self.rows - 2)
    }

    /// Whether a row should widen to the left and to the right: to the side on which it reaches less far from the middle,
    /// by more than one column.
    fn widen(&self, nodes: u64) -> [bool; 2] {
        let side = self.cols as i32 - 1;
        // Twice the columns, so that the middle is a whole number.
        let left = side - 2 * nodes.trailing_zeros() as i32;
        let right = 2 * (63 - nodes.leading_zeros() as i32) - side;
        [left + 2 < right, right + 2 < left]
    }

    /// Forces lanes towards each other that could otherwise fail to meet in time.
    fn close(&self, row: u32, apart: u64, gap: &mut Gap) {
        for col in bits(apart) {
            let right = next_right(gap.nodes, col);
            let steps = (right - col).div_ceil(2);
            // A free step can add two columns, and one step is gone.
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

/// The fewest and the most nodes of each row: what was asked for, cut to the cones, and from the top down at most one more than the
/// next row can hold, so that rows narrow towards the boss one node at a time.
fn row_sizes(cone: &[u64], min: u32, max: u32) -> Vec<(u32, u32)> {
    let mut sizes: Vec<(u32, u32)> =
        cone.iter().map(|cols| (min.min(cols.count_ones()), max.min(cols.count_ones()))).collect();
    for row in (1..cone.len().saturating_sub(2)).rev() {
        let next = sizes[row + 1].1;
        let (least, most) = &mut sizes[row];
        *most = (*most).min((next + 1).max(*least));
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns 0, 3, 6 and 7 are taken. Lanes 0 and 3 should close, and 3 and 6: that would take five nodes.
    #[test]
    fn lanes_close_from_the_outside_where_the_middle_one_cannot() {
        let (mut sums, mut from, mut to) = (Sums::default(), Vec::new(), Vec::new());
        for seed in 0..200 {
            let mut rng = MapRng::from_u64(seed);
            let mut gap =
                Gap { nodes: 0b1100_1001, within: 0xff, rise: 0b1001, fall: 0b100_1000, ..Gap::default() };
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
    fn a_node_is_due_if_one_route_had_no_choice() {
        // 1 leads to 1 alone; 3 leads to 2 and 3. Both routes of the next row's single edges meet at 2.
        let stale = without_choice([0; PATIENCE], &[1, 3, 3], &[1, 2, 3]);
        assert_eq!(stale, [0b0010, 0]);
        let stale = without_choice(stale, &[1, 2, 3, 3], &[2, 2, 3, 4]);
        assert_eq!(stale, [0b0100, 0b0100]);
        let stale = without_choice(stale, &[2, 2, 3, 4], &[1, 2, 3, 4]);
        assert_eq!(stale, [0b1_1000, 0]);
    }
}
