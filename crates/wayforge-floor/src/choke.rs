//! Choke points: articulation points (Hopcroft & Tarjan 1973) where a door separates part of a
//! floor.
//!
//! A door needs walls on two opposite sides and must be an articulation point of the open tiles:
//! closing it disconnects at least [`MIN_GUARDED`] tiles from the entrance. Articulation points are
//! found by Tarjan's low-link depth-first search, iteratively, because floors may have thousands of
//! tiles.

use super::cell_set::{CellSet, GridShape};
use super::draft::Layout;
use wayforge_core::grid::Dir;

/// Reusable buffers of the depth-first search.
#[derive(Clone, Debug, Default)]
pub(super) struct DfsScratch {
    /// Discovery index of each cell, starting at 1; 0 means undiscovered.
    discovered: Vec<u16>,
    /// Smallest discovery index reachable from the cell's DFS subtree.
    low: Vec<u16>,
    /// Number of other cells that become unreachable from the root when the cell is closed.
    separated: Vec<u16>,
    /// Path from the root to the current cell, with the number of neighbours already examined.
    stack: Vec<(u16, u8)>,
}

/// Minimum number of tiles that a door separates from the entrance.
pub(super) const MIN_GUARDED: u16 = 3;

/// Returns the cells where a door can be placed.
///
/// A choke point has closed cells or the grid edge on two opposite sides, and open cells on the
/// other two. Closing it separates at least [`MIN_GUARDED`] tiles from the entrance. Entrance and
/// exit are never choke points.
///
/// # Complexity
/// O(cells).
pub(super) fn find_choke_points<S: CellSet>(
    shape: &GridShape,
    layout: &Layout<S>,
    scratch: &mut DfsScratch,
) -> S {
    let open = &layout.open;
    let [north, east, south, west] = Dir::STRAIGHT.map(|dir| open.shifted(shape, dir.opposite()));
    let vertical_passage = north.and(&south).minus(&east.or(&west));
    let horizontal_passage = east.and(&west).minus(&north.or(&south));
    let mut candidates = vertical_passage.or(&horizontal_passage).and(open);
    candidates.remove(layout.entrance);
    candidates.remove(layout.exit);
    if candidates.is_empty() {
        return candidates;
    }
    candidates.and(&articulation_points(shape, open, layout.entrance, MIN_GUARDED, scratch))
}

/// Returns the articulation points of the component of `open` that contains `root`, except `root`.
///
/// Only points that separate at least `min_separated` cells from `root` are returned.
///
/// # Complexity
/// O(cells).
pub(super) fn articulation_points<S: CellSet>(
    shape: &GridShape,
    open: &S,
    root: u16,
    min_separated: u16,
    scratch: &mut DfsScratch,
) -> S {
    let mut points = S::empty(shape);
    let DfsScratch { discovered, low, separated, stack } = scratch;
    for values in [&mut *discovered, &mut *separated] {
        values.clear();
        values.resize(shape.array_len(), 0);
    }
    low.resize(shape.array_len(), 0);
    stack.clear();
    let mut last_index = 1;
    discovered[usize::from(root)] = last_index;
    low[usize::from(root)] = last_index;
    stack.push((root, 0));
    while let Some((cell, examined)) = stack.last_mut() {
        let (cell, neighbour) = (*cell, usize::from(*examined));
        if let Some(&next) = shape.neighbours(cell).get(neighbour) {
            *examined += 1;
            if !open.contains(next) {
                continue;
            }
            let index = discovered[usize::from(next)];
            if index == 0 {
                last_index += 1;
                discovered[usize::from(next)] = last_index;
                low[usize::from(next)] = last_index;
                stack.push((next, 0));
            } else {
                // A back edge. The edge to the parent is included: it cannot lower `low` below the
                // parent's own index, so the test below still holds.
                low[usize::from(cell)] = low[usize::from(cell)].min(index);
            }
            continue;
        }
        stack.pop();
        let Some(&(parent, _)) = stack.last() else { break };
        let cell_low = low[usize::from(cell)];
        low[usize::from(parent)] = low[usize::from(parent)].min(cell_low);
        if parent != root && cell_low >= discovered[usize::from(parent)] {
            // The subtree of `cell` consists of all cells discovered since `cell`.
            let separated = &mut separated[usize::from(parent)];
            *separated += last_index + 1 - discovered[usize::from(cell)];
            if *separated >= min_separated {
                points.insert(parent);
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::super::cell_set::RowSet;
    use super::*;
    use wayforge_core::MapRng;
    use wayforge_core::grid::Size;

    /// Reference implementation: removes each cell in turn and counts the cells that are no longer
    /// reachable.
    fn articulation_points_by_definition<S: CellSet>(
        shape: &GridShape,
        open: &S,
        root: u16,
        min_separated: u16,
    ) -> Vec<u16> {
        let component = open.flood_fill(shape, root);
        let mut points = Vec::new();
        component.for_each(|cell| {
            let mut rest = component.clone();
            rest.remove(cell);
            let reachable = rest.flood_fill(shape, root).len();
            if cell != root && reachable + 1 + u32::from(min_separated) <= component.len() {
                points.push(cell);
            }
        });
        points
    }

    fn count_matching_points<S: CellSet>(size: Size, rng: &mut MapRng) -> usize {
        let shape = S::shape(size);
        let mut scratch = DfsScratch::default();
        let mut count = 0;
        for tenths_open in 3..10 {
            for _ in 0..60 {
                let mut open = S::empty(&shape);
                let cells = size.iter().map(|pos| shape.cell(pos));
                cells.filter(|_| rng.chance(tenths_open, 10)).for_each(|cell| open.insert(cell));
                let root = shape.cell(size.pos(rng.below(size.cells() as u32) as usize));
                open.insert(root);
                for min_separated in 1..5 {
                    let mut points = Vec::new();
                    articulation_points(&shape, &open, root, min_separated, &mut scratch)
                        .for_each(|cell| points.push(cell));
                    let expected =
                        articulation_points_by_definition(&shape, &open, root, min_separated);
                    assert_eq!(points, expected);
                    count += points.len();
                }
            }
        }
        count
    }

    #[test]
    fn articulation_points_match_their_definition() {
        let mut rng = MapRng::from_u64(4);
        assert!(count_matching_points::<u64>(Size::new(5, 5), &mut rng) > 500);
        assert!(count_matching_points::<u64>(Size::new(8, 8), &mut rng) > 500);
        assert!(count_matching_points::<RowSet>(Size::new(17, 9), &mut rng) > 500);
    }
}
