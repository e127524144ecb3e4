//! Walks that must pass pinned nodes.
//!
//! Uncrossed walks can be ordered from left to right. The fewest walks that pass all pins are found by peeling: the
//! walk that is furthest right while nowhere right of an unmet pin meets at least every pin that the leftmost
//! walk of any solution meets, so taking it away leaves a smaller problem of the same kind. Each pin then belongs to
//! one walk, and bounds the walks to its left and right on its row. Clamping (see the module above) shows that walks
//! drawn within these bounds, in any order, are never stuck.

use super::WalksSpec;
use super::near::Near;
use crate::ActMap;
use crate::skeleton::{Skeleton, bits};
use std::cmp::Ordering;
use wayforge_core::{ConfigError, MapRng};

/// The columns of each row that a walk may use: within the bounds of all pins, with its own pins still ahead.
pub(super) type Lane = Vec<u64>;

/// The cells of each row from which the top can be reached over `open` cells.
pub(super) fn hopeful(near: &[Near], open: &[u64]) -> Vec<u64> {
    let mut hopeful = open.to_vec();
    for row in (0..open.len() - 1).rev() {
        let above = hopeful[row + 1];
        let leads_up = bits(open[row]).filter(|&col| near[col as usize].any() & above != 0);
        hopeful[row] = leads_up.fold(0, |mask, col| mask | 1 << col);
    }
    hopeful
}

/// Rejects blocked cells that no walk can pass, and those that leave the first two walks only one start.
pub(super) fn reject_walls(spec: &WalksSpec) -> Result<(), ConfigError> {
    let blocked = |row: usize| {
        let closed = !spec.open[row] & (u64::MAX >> (64 - spec.cols));
        format!("{} cells of row {row}", closed.count_ones())
    };
    let mut reached = spec.open[0];
    for row in 0..spec.rows {
        if row > 0 {
            reached = steps_from(&spec.near, reached) & spec.open[row];
        }
        if reached == 0 {
            let problem = format!("a wall: no walk can step onto row {row}");
            let remedy =
                format!("leave a cell of row {row} open within a step of a cell that can be reached");
            return Err(ConfigError::new("blocked", blocked(row), problem, remedy));
        }
    }
    if spec.walks >= 2 && spec.hopeful[0].count_ones() < 2 {
        let problem =
            "only one start leads to the top, and the first two walks must start on different columns";
        let remedy = "open a second way up, or use 1 walk";
        return Err(ConfigError::new("blocked", blocked(0), problem, remedy));
    }
    Ok(())
}

/// The fewest walks that pass all `pins`, from left to right.
pub(super) fn cover(spec: &WalksSpec, pins: &[(u16, u16)]) -> Result<Vec<Lane>, ConfigError> {
    reject_lost_pins(spec, pins)?;
    let walks = spec.walks as usize;
    // Every pin can be passed, and the leftmost of the walks that pass them is one that keeps left of all.
    let owned = peel(spec, pins, 63).unwrap_or_default();
    if owned.len() > walks {
        let needed = owned.len();
        let (row, col) = owned[needed - 1][0];
        let problem = format!(
            "{needed} walks are needed to pass them all, {walks} are asked for (one too many: {col},{row})"
        );
        let remedy = format!("use at least {needed} walks, or fewer pins");
        return Err(ConfigError::new("pins", format!("{} pins", pins.len()), problem, remedy));
    }
    let first = lanes(spec, &owned);
    if walks < 2 || owned.len() < walks || starts_apart(&first) {
        return Ok(first);
    }
    // Every walk is pinned and all start on one column. If any other sharing of the pins starts further apart, then
    // also one whose leftmost walk keeps left of some column from the beginning.
    let others = (0..spec.cols as u32 - 1).rev().filter_map(|start| peel(spec, pins, start));
    let mut others = others.filter(|owned| owned.len() <= walks).map(|owned| lanes(spec, &owned));
    others.find(|lanes| starts_apart(lanes)).ok_or_else(|| {
        let problem =
            "they all must start on one column, and the first two walks must start on different ones";
        let remedy = "use one more walk, or pin fewer nodes";
        ConfigError::new("pins", format!("{walks} walks are pinned"), problem, remedy)
    })
}

/// Shares the pins among the fewest walks, the first of which starts no further right than `start`; `None` if no walk
/// can start there and keep left of the pins.
fn peel(spec: &WalksSpec, pins: &[(u16, u16)], start: u32) -> Option<Vec<Vec<(u16, u16)>>> {
    let mut rest: Vec<(u16, u16)> = pins.to_vec();
    let mut owned: Vec<Vec<(u16, u16)>> = Vec::new();
    while !rest.is_empty() {
        let bound = if owned.is_empty() { start } else { 63 };
        let walk = rightmost_under(spec, &rest, bound)?;
        let (met, unmet): (Vec<_>, Vec<_>) =
            rest.iter().partition(|&&(row, col)| walk[usize::from(row)] == u32::from(col));
        owned.push(met);
        rest = unmet;
    }
    Some(owned)
}

/// The cells that each walk may use: on its own pins, right of those of walks to its left, left of the others.
fn lanes(spec: &WalksSpec, owned: &[Vec<(u16, u16)>]) -> Vec<Lane> {
    let lane = |index: usize| {
        let mut open = spec.open.clone();
        for (owner, pins) in owned.iter().enumerate() {
            for &(row, col) in pins {
                open[usize::from(row)] &= match owner.cmp(&index) {
                    Ordering::Less => u64::MAX << col,
                    Ordering::Equal => 1 << col,
                    Ordering::Greater => u64::MAX >> (63 - col),
                };
            }
        }
        hopeful(&spec.near, &open)
    };
    (0..owned.len()).map(lane).collect()
}

/// Whether the pinned walks can start on two columns. The outermost two reach furthest apart, so they decide.
pub(super) fn starts_apart(lanes: &[Lane]) -> bool {
    let (Some(first), Some(last)) = (lanes.first(), lanes.last()) else { return false };
    first[0].trailing_zeros() < 63 - last[0].leading_zeros() && lanes.len() >= 2
}

/// Draws the pinned walks: the outermost two first, because their starts must differ, then the others between them.
pub(super) fn draw_pinned(rng: &mut MapRng, spec: &WalksSpec, skeleton: &mut Skeleton, map: &mut ActMap) {
    let count = spec.pinned.len();
    for number in 0..count {
        // Which of the walks from left to right is drawn, and which of those drawn before it stands next to its left.
        let (index, left) = match number {
            0 => (0, None),
            1 => (count - 1, Some(0)),
            2 => (1, Some(0)),
            _ => (number - 1, Some(number - 1)),
        };
        let right = (number >= 2).then_some(1);
        let lane = &spec.pinned[index];
        let within = |map: &ActMap, row: usize| {
            let from = left.map_or(0, |walk| map.walks.get(walk)[row]);
            let to = right.map_or(63, |walk| map.walks.get(walk)[row]);
            (u64::MAX << from) & (u64::MAX >> (63 - to))
        };
        let mut starts = lane[0] & within(map, 0);
        if number == 0 && count >= 2 && spec.pins_apart {
            // Leave the outermost walk on the right a start further right.
            let last = 63 - spec.pinned[count - 1][0].leading_zeros();
            starts &= (1 << last) - 1;
        } else if number == 1 && spec.pins_apart {
            starts &= !(1 << map.walks.first_start());
        }
        debug_assert_ne!(starts, 0, "a pinned walk has no start");
        let mut col = rng.bit(starts).unwrap_or_default();
        map.walks.push_blank(spec.rows);
        map.walks.last_mut()[0] = col as u16;
        for (row, lane) in lane.iter().enumerate().skip(1) {
            let choices = spec.near[col as usize].any() & lane & within(map, row);
            debug_assert_ne!(choices, 0, "a pinned walk is stuck below row {row}");
            col = rng.bit(choices).unwrap_or(col);
            map.walks.last_mut()[row] = col as u16;
        }
        skeleton.add_walk(map.walks.last_mut());
    }
}

fn steps_from(near: &[Near], cols: u64) -> u64 {
    bits(cols).fold(0, |mask, c| mask | near[c as usize].any())
}

/// Rejects pins that no walk can pass at all.
fn reject_lost_pins(spec: &WalksSpec, pins: &[(u16, u16)]) -> Result<(), ConfigError> {
    let mut passable = spec.hopeful.clone();
    for row in 1..spec.rows {
        passable[row] &= steps_from(&spec.near, passable[row - 1]);
    }
    let lost = pins.iter().position(|&(row, col)| passable[usize::from(row)] >> col & 1 == 0);
    lost.map_or(Ok(()), |i| {
        let (field, value) = (format!("pins[{i}]"), format!("{},{}", pins[i].1, pins[i].0));
        let remedy = "pin another cell, or open a way to and from it";
        Err(ConfigError::new(field, value, "blocked cells keep every walk from passing it", remedy))
    })
}

/// The walk that is furthest right on every row while nowhere right of a pin, nor of `start` on row 0.
fn rightmost_under(spec: &WalksSpec, pins: &[(u16, u16)], start: u32) -> Option<Vec<u32>> {
    let mut open = spec.open.clone();
    open[0] &= u64::MAX >> (63 - start);
    for &(row, col) in pins {
        open[usize::from(row)] &= u64::MAX >> (63 - col);
    }
    let hopeful = hopeful(&spec.near, &open);
    let mut choices = hopeful[0];
    let steps = (0..spec.rows).map(|row| {
        let col = 63 - (choices | 1).leading_zeros();
        choices = hopeful.get(row + 1).map_or(0, |above| spec.near[col as usize].any() & above);
        col
    });
    (hopeful[0] != 0).then(|| steps.collect())
}
