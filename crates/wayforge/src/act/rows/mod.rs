//! Act maps by rows (`act.rows/1`): a bounded number of nodes on every row between one start and one boss.
//!
//! **What it does.** Row by row it draws how many nodes the next row has (at most one more or fewer than this one), then
//! which columns they take, by lot among all sets that leave no node without a way ([`columns`]), then the edges
//! between the two rows ([`edges`]).
//!
//! **The double cone.** Edges lead to the same or a neighbouring column, so row `k` lies within `k` columns of the start and
//! within `rows - 1 - k` columns of the boss: rows next to either hold at most three nodes, the next ones five. On
//! such rows the least and the most number of nodes are cut to what the cone holds; only where the least number fills
//! the cone do neighbouring rows differ by two. Start and boss stand on the middle column; with an even number of columns, on the left one
//! of the two middle ones.
//!
//! **It never fails and never retries.** Call a row's columns `A` and those of the next row `B`. Every node has a
//! way out and a way in exactly if each column of `A` has one of `B` within one column, and the other way round. All
//! columns within one of `A` and inside the cone are such a `B`; there are at least as many of them as
//! columns in `A`, or they fill the cone. A least such `B` has no more columns than `A`, and anything between
//! the two is such a `B` too. So the number of nodes can stay as it is, unless a cone forces it up or down, and then the
//! forced number lies between the least and the most: `t` rows below the boss a row of at most `2t + 1` columns is served by a
//! third of them, rounded up, and the next row may always hold `t + 1`.
//!
//! **Determinism.** One stream, `act.rows`. Sets and edges are drawn by rules that know no sides, so a map and its mirror
//! image are equally likely.
//!
//! **Complexity.** Linear in rows; a row costs columns times nodes.

mod columns;
mod edges;

use super::skeleton::{Skeleton, bits};
use super::{ActEvent, Edge};
use crate::trace::Tracer;
use crate::{ConfigError, MapRng, Seed, Stage};

const STAGE: Stage = Stage::named("act.rows");

/// The rows ruleset, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowsSpec {
    cols: u32,
    /// The columns of each row that lie inside both cones.
    cone: Vec<u64>,
    /// The fewest and the most nodes of each row.
    sizes: Vec<(u32, u32)>,
}

/// Memory of the generator.
#[derive(Clone, Debug, Default)]
pub(super) struct RowScratch {
    columns: columns::Ways,
    from: Vec<u8>,
    to: Vec<u8>,
}

/// Draws the rows of an attempt of `seed` onto `skeleton`.
pub(super) fn build(
    seed: Seed,
    attempt: u32,
    spec: &RowsSpec,
    scratch: &mut RowScratch,
    skeleton: &mut Skeleton,
    tracer: &mut impl Tracer<ActEvent>,
) {
    let mut rng = seed.stream(STAGE.attempt(attempt));
    skeleton.reset(spec.cone.len(), spec.cols as usize);
    let mut nodes = spec.cone[0];
    skeleton.set_bottom(&[nodes.trailing_zeros() as u8]);
    tell_row(0, nodes, tracer);
    let (mut single, mut lanes) = (0, 0);
    for row in 0..spec.cone.len() - 1 {
        let within = columns::within_one(nodes) & spec.cone[row + 1];
        let count = spec.draw_count(&mut rng, row, nodes, within);
        let next = scratch.columns.draw(&mut rng, spec.cols, (nodes, lanes), within, count);
        edges::draw(&mut rng, (nodes, next), lanes, &mut scratch.from, &mut scratch.to);
        tell_row(row + 1, next, tracer);
        tell_edges(row, &scratch.from, &scratch.to, tracer);
        (single, lanes) = edges::find_lanes(single, &scratch.from, &scratch.to);
        skeleton.set_edges(row, &scratch.from, &scratch.to);
        nodes = next;
    }
}

/// Tells which columns a row takes.
#[inline]
fn tell_row<T: Tracer<ActEvent>>(row: usize, cols: u64, tracer: &mut T) {
    if T::LISTENS {
        bits(cols).for_each(|col| tracer.tell(ActEvent::Node { row: row as u16, col: col as u16 }));
    }
}

/// Tells the edges that leave a row.
#[inline]
fn tell_edges<T: Tracer<ActEvent>>(row: usize, from: &[u8], to: &[u8], tracer: &mut T) {
    if T::LISTENS {
        for (&from, &to) in from.iter().zip(to) {
            tracer.tell(ActEvent::Join(Edge { row: row as u16, from: from.into(), to: to.into() }));
        }
    }
}

impl RowsSpec {
    pub(super) fn resolve(rows: u16, cols: u16, min: u16, max: u16) -> Result<RowsSpec, ConfigError> {
        let (rows, cols) = (i32::from(rows), i32::from(cols));
        let middle = (cols - 1) / 2;
        let cone = (0..rows).map(|row| {
            let reach = row.min(rows - 1 - row);
            let (first, last) = ((middle - reach).max(0), (middle + reach).min(cols - 1));
            (u64::MAX << first) & (u64::MAX >> (63 - last))
        });
        let cone: Vec<u64> = cone.collect();
        // A map of start and boss alone has no row to fill; any number that fits the columns will do.
        let widest = match rows {
            2 => cols as u32,
            _ => cone.iter().map(|cols| cols.count_ones()).max().unwrap_or(1),
        };
        if u32::from(min) > widest {
            return Err(ConfigError::new(
                "min_nodes",
                min,
                format!("no row of {rows} rows by {cols} columns can hold so many between start and boss"),
                format!("use 1 to {widest}"),
            ));
        }
        let sizes = row_sizes(&cone, min.into(), max.into());
        Ok(RowsSpec { cols: cols as u32, cone, sizes })
    }

    /// How many nodes the row after `row` gets: `nodes` are this row's columns, `within` those that the next may use.
    fn draw_count(&self, rng: &mut MapRng, row: usize, nodes: u64, within: u64) -> u32 {
        let (least, most) = self.sizes[row + 1];
        let most = most.min(within.count_ones());
        let least = least.max(columns::fewest(nodes, within));
        // The start says nothing about the size of the rows above it.
        let (smaller, larger) = match row {
            0 => (1, 3),
            _ => (nodes.count_ones() - 1, nodes.count_ones() + 1),
        };
        let (first, last) = (least.max(smaller.min(most)), most.min(larger.max(least)));
        debug_assert!(first <= last, "no number of nodes fits row {}", row + 1);
        first + rng.below(last - first + 1)
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
