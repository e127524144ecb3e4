//! The edges between two rows.

use super::columns::within_one;
use crate::MapRng;
use crate::act::skeleton::bits;

/// Draws edges between the columns `lower` and `upper`: one or two from each lower node, then one to each upper node that
/// has none yet. Writes each edge's ends into `from` and `to`. Nodes in `lanes` draw two edges if they can.
///
/// Only the two diagonals between neighbouring columns can cross, and where both are possible, so are the two straight edges
/// beside them: one diagonal, drawn by lot, is left out from the start, and nothing that remains can cross.
pub(super) fn draw(
    rng: &mut MapRng,
    (lower, upper): (u64, u64),
    lanes: u64,
    from: &mut Vec<u8>,
    to: &mut Vec<u8>,
) {
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
        let wanted = 1 + u32::from(rng.chance(TWO_EDGES.0, TWO_EDGES.1) || lanes >> col & 1 != 0);
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

/// The upper nodes at the end of a lane: one edge leads to them, alone, from a node to which the same applies.
///
/// `single` holds the lower nodes that one edge alone leads to from a node that it alone leaves; answers with the same for
/// the upper row, and the lanes.
pub(super) fn find_lanes(single: u64, from: &[u8], to: &[u8]) -> (u64, u64) {
    let once = |cols: &[u8]| {
        cols.iter().fold((0_u64, 0_u64), |(once, twice), &col| (once | 1 << col, twice | once & 1 << col))
    };
    let ((leaving, split), (entered, merged)) = (once(from), once(to));
    let (alone_below, alone_above) = (leaving & !split, entered & !merged);
    let pairs =
        from.iter().zip(to).filter(|(a, b)| alone_below >> **a & 1 != 0 && alone_above >> **b & 1 != 0);
    pairs.fold((0, 0), |(singles, lanes), (a, b)| (singles | 1 << b, lanes | (single >> a & 1) << b))
}

/// How often a node draws two edges instead of one.
const TWO_EDGES: (u32, u32) = (1, 2);
