//! The edges between two rows.

use super::columns::within_one;
use crate::MapRng;
use crate::act::skeleton::bits;

/// Draws edges between the columns `lower` and `upper`: one or two from each lower node, then one to each upper node that
/// has none yet. Writes each edge's ends into `from` and `to`.
///
/// Only the two diagonals between neighbouring columns can cross, and where both are possible, so are the two straight edges
/// beside them: one diagonal, drawn by lot, is left out from the start, and nothing that remains can cross.
pub(super) fn draw(rng: &mut MapRng, lower: u64, upper: u64, from: &mut Vec<u8>, to: &mut Vec<u8>) {
    let mut rising = u64::MAX;
    let mut falling = u64::MAX;
    for col in bits(lower & lower >> 1 & upper & upper >> 1) {
        if rng.below(2) == 0 {
            rising &= !(1 << col);
        } else {
            falling &= !(1 << (col + 1));
        }
    }
    let leads_to = |col: u32| {
        let right = if rising >> col & 1 != 0 { 1_u64 << col << 1 } else { 0 };
        let left = if falling >> col & 1 != 0 { 1_u64 << col >> 1 } else { 0 };
        upper & (1 << col | left | right)
    };
    from.clear();
    to.clear();
    let mut reached = 0;
    for col in bits(lower) {
        let mut targets = leads_to(col);
        let wanted = 1 + u32::from(rng.chance(TWO_EDGES.0, TWO_EDGES.1));
        while targets.count_ones() > wanted {
            targets &= !rng.bit(targets).map_or(0, |dropped| 1 << dropped);
        }
        reached |= targets;
        for target in bits(targets) {
            from.push(col as u8);
            to.push(target as u8);
        }
    }
    for target in bits(upper & !reached) {
        let sources = bits(lower & within_one(1 << target)).filter(|&col| leads_to(col) >> target & 1 != 0);
        let sources = sources.fold(0, |mask, col| mask | 1 << col);
        if let Some(col) = rng.bit(sources) {
            from.push(col as u8);
            to.push(target as u8);
        }
    }
}

/// How often a node draws two edges instead of one.
const TWO_EDGES: (u32, u32) = (2, 5);
