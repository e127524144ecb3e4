//! Chokepoints: where a door can stand.

use super::board::{Board, Frame};
use super::draft::Shape;
use wayforge_core::grid::Dir;

/// Memory for finding chokepoints.
#[derive(Clone, Debug, Default)]
pub(super) struct Tides {
    /// The order in which cells were come to, from 1; 0 for those that were not.
    order: Vec<u16>,
    /// The earliest cell that can be come to from a cell or what hangs on it, without going back the way one came.
    low: Vec<u16>,
    /// How many cells cannot be reached without a cell.
    behind: Vec<u16>,
    /// The cells from the entrance to where the search stands, and how many neighbours of each were looked at.
    trail: Vec<(u16, u8)>,
}

/// A door separates at least this many tiles from the entrance.
pub(super) const MIN_GUARDED: u16 = 3;

/// The tiles that a door can close: closed left and right or above and below, open on the other two sides, and with at least
/// [`MIN_GUARDED`] tiles behind them that no other route leads to.
///
/// * **Complexity.** O(cells), one depth-first search.
pub(super) fn find_chokepoints<B: Board>(frame: &Frame, shape: &Shape<B>, tides: &mut Tides) -> B {
    let open = &shape.open;
    let [north, east, south, west] = Dir::STRAIGHT.map(|dir| open.moved(frame, dir.opposite()));
    let upright = north.and(&south).minus(&east.or(&west));
    let level = east.and(&west).minus(&north.or(&south));
    let mut frames = upright.or(&level).and(open);
    frames.remove(shape.entrance);
    frames.remove(shape.exit);
    if frames.is_empty() {
        return frames;
    }
    frames.and(&find_cuts(frame, open, shape.entrance, MIN_GUARDED, tides))
}

/// Tarjan's articulation points: the cells without which at least `least` of the others cannot be reached from `root`;
/// `root` itself is left out.
pub(super) fn find_cuts<B: Board>(frame: &Frame, open: &B, root: u16, least: u16, tides: &mut Tides) -> B {
    let mut cuts = B::empty(frame);
    let Tides { order, low, behind, trail } = tides;
    for cells in [&mut *order, &mut *behind] {
        cells.clear();
        cells.resize(frame.span(), 0);
    }
    low.resize(frame.span(), 0);
    trail.clear();
    let mut count = 1;
    order[usize::from(root)] = count;
    low[usize::from(root)] = count;
    trail.push((root, 0));
    while let Some((cell, looked)) = trail.last_mut() {
        let (cell, at) = (*cell, usize::from(*looked));
        if let Some(&next) = frame.neighbours(cell).get(at) {
            *looked += 1;
            if !open.has(next) {
                continue;
            }
            let there = order[usize::from(next)];
            if there == 0 {
                count += 1;
                order[usize::from(next)] = count;
                low[usize::from(next)] = count;
                trail.push((next, 0));
            } else {
                // The cell before this one counts too: that makes no cut look like none, as it comes earlier than itself only.
                low[usize::from(cell)] = low[usize::from(cell)].min(there);
            }
            continue;
        }
        trail.pop();
        let Some(&(before, _)) = trail.last() else { break };
        let reach = low[usize::from(cell)];
        low[usize::from(before)] = low[usize::from(before)].min(reach);
        if before != root && reach >= order[usize::from(before)] {
            let behind = &mut behind[usize::from(before)];
            *behind += count + 1 - order[usize::from(cell)];
            if *behind >= least {
                cuts.add(before);
            }
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::super::board::Rows;
    use super::*;
    use wayforge_core::MapRng;
    use wayforge_core::grid::Size;

    /// The same by their definition: take the cell away and look at what can be reached.
    fn by_flood<B: Board>(frame: &Frame, open: &B, root: u16, least: u16) -> Vec<u16> {
        let all = open.flood(frame, root);
        let mut cuts = Vec::new();
        all.each(|cell| {
            let mut rest = all.clone();
            rest.remove(cell);
            if cell != root && rest.flood(frame, root).len() + 1 + u32::from(least) <= all.len() {
                cuts.push(cell);
            }
        });
        cuts
    }

    fn compare<B: Board>(size: Size, rng: &mut MapRng) -> usize {
        let frame = B::frame(size);
        let mut tides = Tides::default();
        let mut found = 0;
        for share in 3..10 {
            for _ in 0..60 {
                let mut open = B::empty(&frame);
                let cells = size.iter().map(|pos| frame.cell(pos));
                cells.filter(|_| rng.chance(share, 10)).for_each(|cell| open.add(cell));
                let root = frame.cell(size.pos(rng.below(size.cells() as u32) as usize));
                open.add(root);
                for least in 1..5 {
                    let mut cuts = Vec::new();
                    find_cuts(&frame, &open, root, least, &mut tides).each(|cell| cuts.push(cell));
                    assert_eq!(cuts, by_flood(&frame, &open, root, least));
                    found += cuts.len();
                }
            }
        }
        found
    }

    #[test]
    fn cuts_are_the_cells_that_cannot_be_walked_around() {
        let mut rng = MapRng::from_u64(4);
        assert!(compare::<u64>(Size::new(5, 5), &mut rng) > 500);
        assert!(compare::<u64>(Size::new(8, 8), &mut rng) > 500);
        assert!(compare::<Rows>(Size::new(17, 9), &mut rng) > 500);
    }
}
