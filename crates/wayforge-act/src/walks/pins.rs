//! Walks through pinned nodes: greedy minimum path cover without crossings.
//!
//! Uncrossed walks can be ordered from left to right. The first walk is the rightmost one that is
//! nowhere to the right of a pin. It passes every pin that the leftmost walk of any solution
//! passes, so the greedy choice is optimal; the remaining pins are a smaller problem of the same
//! kind.
//!
//! Each pin then belongs to one walk, and bounds the walks to its left and right on its row. By the
//! clamping argument of the [parent module](super), walks within these bounds never get stuck,
//! regardless of the order in which they are generated.

use super::WalksSpec;
use super::nearest::NearestColumns;
use crate::ActMap;
use crate::skeleton::{Skeleton, bits};
use std::cmp::Ordering;
use wayforge_core::{ConfigError, MapRng};

/// Columns of each row that a pinned walk may use.
///
/// They respect the bounds of all pins, and the walk can still reach the top through its own pins.
pub(super) type Corridor = Vec<u64>;

/// Returns the cells of each row from which the top can be reached over `open` cells.
pub(super) fn reaches_top(nearest: &[NearestColumns], open: &[u64]) -> Vec<u64> {
    let mut reaches_top = open.to_vec();
    for row in (0..open.len() - 1).rev() {
        let above = reaches_top[row + 1];
        let leads_up = bits(open[row]).filter(|&col| nearest[col as usize].any() & above != 0);
        reaches_top[row] = leads_up.fold(0, |mask, col| mask | 1 << col);
    }
    reaches_top
}

/// Rejects blocked cells that separate bottom and top, or leave one start for two walks.
pub(super) fn reject_barriers(spec: &WalksSpec) -> Result<(), ConfigError> {
    let blocked = |row: usize| {
        let closed = !spec.open[row] & (u64::MAX >> (64 - spec.cols));
        format!("{} cells of row {row}", closed.count_ones())
    };
    let mut reached = spec.open[0];
    for row in 0..spec.rows {
        if row > 0 {
            reached = steps_from(&spec.nearest, reached) & spec.open[row];
        }
        if reached == 0 {
            let problem = format!("no walk can step onto row {row}");
            let remedy = format!("open a cell of row {row} that is one step from a reachable cell");
            return Err(ConfigError::new("blocked", blocked(row), problem, remedy));
        }
    }
    if spec.walks >= 2 && spec.reaches_top[0].count_ones() < 2 {
        let problem = "only one start leads to the top, \
                       but the first two walks must start on different columns";
        let remedy = "open a second path to the top, or use 1 walk";
        return Err(ConfigError::new("blocked", blocked(0), problem, remedy));
    }
    Ok(())
}

/// Returns the corridors of the minimum number of walks that pass all `pins`, from left to right.
///
/// # Errors
/// A pin cannot be passed, the pins need more walks than configured, or all walks would start on
/// the same column.
pub(super) fn cover(spec: &WalksSpec, pins: &[(u16, u16)]) -> Result<Vec<Corridor>, ConfigError> {
    reject_unreachable_pins(spec, pins)?;
    let walks = spec.walks as usize;
    // Every pin is passable, so a walk that stays left of all remaining pins always exists.
    let cover = greedy_cover(spec, pins, 63).unwrap_or_default();
    if cover.len() > walks {
        let needed = cover.len();
        let (row, col) = cover[needed - 1][0];
        let problem = format!(
            "{needed} walks are needed to pass all pins, \
             but there are only {walks} (one too many: {col},{row})"
        );
        let remedy = format!("use at least {needed} walks, or fewer pins");
        return Err(ConfigError::new("pins", format!("{} pins", pins.len()), problem, remedy));
    }
    let first = corridors(spec, &cover);
    if walks < 2 || cover.len() < walks || can_start_apart(&first) {
        return Ok(first);
    }
    // All walks are pinned and start on the same column. If another assignment of the pins has
    // different starts, there is one whose leftmost walk starts left of some column.
    let others =
        (0..spec.cols as u32 - 1).rev().filter_map(|start| greedy_cover(spec, pins, start));
    let mut others =
        others.filter(|cover| cover.len() <= walks).map(|cover| corridors(spec, &cover));
    others.find(|corridors| can_start_apart(corridors)).ok_or_else(|| {
        let problem = "all walks must start on the same column, \
                       but the first two must start on different columns";
        let remedy = "use one more walk, or pin fewer nodes";
        ConfigError::new("pins", format!("{walks} walks are pinned"), problem, remedy)
    })
}

/// Assigns the pins to the minimum number of walks, the first of which starts at most at `start`.
///
/// Returns `None` if no walk can start there and stay left of the pins.
fn greedy_cover(spec: &WalksSpec, pins: &[(u16, u16)], start: u32) -> Option<Vec<Vec<(u16, u16)>>> {
    let mut remaining: Vec<(u16, u16)> = pins.to_vec();
    let mut cover: Vec<Vec<(u16, u16)>> = Vec::new();
    while !remaining.is_empty() {
        let bound = if cover.is_empty() { start } else { 63 };
        let walk = rightmost_walk(spec, &remaining, bound)?;
        let (passed, missed): (Vec<_>, Vec<_>) =
            remaining.iter().partition(|&&(row, col)| walk[usize::from(row)] == u32::from(col));
        cover.push(passed);
        remaining = missed;
    }
    Some(cover)
}

/// Returns the corridor of each walk: on its own pins, right of the pins of walks to its left, and
/// left of all others.
fn corridors(spec: &WalksSpec, cover: &[Vec<(u16, u16)>]) -> Vec<Corridor> {
    let corridor = |index: usize| {
        let mut open = spec.open.clone();
        for (owner, pins) in cover.iter().enumerate() {
            for &(row, col) in pins {
                open[usize::from(row)] &= match owner.cmp(&index) {
                    Ordering::Less => u64::MAX << col,
                    Ordering::Equal => 1 << col,
                    Ordering::Greater => u64::MAX >> (63 - col),
                };
            }
        }
        reaches_top(&spec.nearest, &open)
    };
    (0..cover.len()).map(corridor).collect()
}

/// Whether the pinned walks can start on different columns. The two outermost corridors decide.
pub(super) fn can_start_apart(corridors: &[Corridor]) -> bool {
    let (Some(first), Some(last)) = (corridors.first(), corridors.last()) else { return false };
    first[0].trailing_zeros() < 63 - last[0].leading_zeros() && corridors.len() >= 2
}

/// Generates the pinned walks: first the two outermost, whose starts must differ, then the others.
pub(super) fn generate_pinned(
    rng: &mut MapRng,
    spec: &WalksSpec,
    skeleton: &mut Skeleton,
    map: &mut ActMap,
) {
    let count = spec.pinned.len();
    for number in 0..count {
        // Index of the corridor, and number of the finished walk to its left.
        let (index, left) = match number {
            0 => (0, None),
            1 => (count - 1, Some(0)),
            2 => (1, Some(0)),
            _ => (number - 1, Some(number - 1)),
        };
        let right = (number >= 2).then_some(1);
        let corridor = &spec.pinned[index];
        let within = |map: &ActMap, row: usize| {
            let from = left.map_or(0, |walk| map.walks.get(walk)[row]);
            let to = right.map_or(63, |walk| map.walks.get(walk)[row]);
            (u64::MAX << from) & (u64::MAX >> (63 - to))
        };
        let mut starts = corridor[0] & within(map, 0);
        if number == 0 && count >= 2 && spec.pins_apart {
            // Leave a start further to the right for the rightmost walk.
            let last = 63 - spec.pinned[count - 1][0].leading_zeros();
            starts &= (1 << last) - 1;
        } else if number == 1 && spec.pins_apart {
            starts &= !(1 << map.walks.first_start());
        }
        debug_assert_ne!(starts, 0, "a pinned walk has no start");
        let mut col = rng.choose_bit(starts).unwrap_or_default();
        map.walks.push_zeros(spec.rows);
        map.walks.last_mut()[0] = col as u16;
        for (row, corridor) in corridor.iter().enumerate().skip(1) {
            let choices = spec.nearest[col as usize].any() & corridor & within(map, row);
            debug_assert_ne!(choices, 0, "a pinned walk is stuck below row {row}");
            col = rng.choose_bit(choices).unwrap_or(col);
            map.walks.last_mut()[row] = col as u16;
        }
        skeleton.add_walk(map.walks.last_mut());
    }
}

fn steps_from(nearest: &[NearestColumns], cols: u64) -> u64 {
    bits(cols).fold(0, |mask, col| mask | nearest[col as usize].any())
}

/// Rejects pins that no walk can pass.
fn reject_unreachable_pins(spec: &WalksSpec, pins: &[(u16, u16)]) -> Result<(), ConfigError> {
    let mut passable = spec.reaches_top.clone();
    for row in 1..spec.rows {
        passable[row] &= steps_from(&spec.nearest, passable[row - 1]);
    }
    let unreachable =
        pins.iter().position(|&(row, col)| passable[usize::from(row)] >> col & 1 == 0);
    unreachable.map_or(Ok(()), |i| {
        let (field, value) = (format!("pins[{i}]"), format!("{},{}", pins[i].1, pins[i].0));
        let problem = "blocked cells prevent every walk from passing it";
        let remedy = "pin another cell, or open a path to and from it";
        Err(ConfigError::new(field, value, problem, remedy))
    })
}

/// Returns the rightmost walk that is nowhere to the right of a pin, nor of `start` on row 0.
fn rightmost_walk(spec: &WalksSpec, pins: &[(u16, u16)], start: u32) -> Option<Vec<u32>> {
    let mut open = spec.open.clone();
    open[0] &= u64::MAX >> (63 - start);
    for &(row, col) in pins {
        open[usize::from(row)] &= u64::MAX >> (63 - col);
    }
    let reaches_top = reaches_top(&spec.nearest, &open);
    let mut choices = reaches_top[0];
    let steps = (0..spec.rows).map(|row| {
        let col = 63 - (choices | 1).leading_zeros();
        let above = reaches_top.get(row + 1);
        choices = above.map_or(0, |above| spec.nearest[col as usize].any() & above);
        col
    });
    (reaches_top[0] != 0).then(|| steps.collect())
}
