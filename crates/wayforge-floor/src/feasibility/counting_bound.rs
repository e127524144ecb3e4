//! Counting bounds: proves tasks infeasible from the number of cells and their sides.
//!
//! The arguments hold for every floor, so every rejected task is provably infeasible. `n` cells
//! have `4 n` sides, and the edge of the grid has `2 (width + height)`.
//!
//! *Paths.* A shortest path of `w` cells is chordless, so `2 w + 2` sides of its cells do not touch
//! the path. Each of these sides touches the grid edge, a closed cell or an open cell off the path.
//! A closed cell has four sides. An open cell off the path touches at most two path cells: they are
//! exactly two steps apart on a shortest path, so there is no third one.
//!
//! *Doors.* A door touches one side each of two closed cells, or one side of a closed cell and one
//! of the grid edge. The two are connected through the grid edge or through closed cells that touch
//! by sides or corners; otherwise a path would bypass the door. Doors cannot use all of the `4 c`
//! sides of `c` closed cells and the sides of the grid edge:
//!
//! - Two are lost for every pair of closed cells that share a side, and for every side of a closed
//!   cell at the edge.
//! - If two closed cells touch only by corners, two open cells are adjacent to both. These cannot
//!   be doors, because the closed sides of a door are opposite. Such an open cell has two or three
//!   closed sides and serves one or two pairs, so each pair loses at least two sides.
//! - Two are lost at every corner of the grid: they belong to one cell, which cannot be a door. If
//!   that cell is closed, both are sides of a closed cell at the edge.
//! - At least one is lost for every other edge cell that is not a door, and two if it is closed:
//!   its neighbours at the edge cannot be doors and lose two each.
//!
//! `c` closed cells that are all connected to the edge need `c` contacts, which lose `2 c` sides.
//! So `d` doors, `r` of them at the edge, need `2 d <= 2 c + r - 1`: if there are doors at the
//! edge, a closed cell at the edge connects them to it. Closed cells that are connected to each
//! other but not to the edge need one contact less. But the outermost cell on each of their four
//! sides is not a door, so they need `2 d <= 2 c`. Every door at the edge has a closed cell on its
//! other side, but one closed cell may serve two or three doors.

use crate::config::Budget;
use crate::task::{ObjectCounts, Safety, Task};
use wayforge_core::grid::Size;

/// Returns whether counting alone proves a task infeasible.
///
/// Never returns true for a feasible task. Monotone: if it returns true for a task, it returns true
/// for any larger task.
///
/// # Complexity
/// O(cells).
pub(super) fn is_provably_infeasible(task: &Task) -> bool {
    let cells = task.size.cells() as u32;
    let half_perimeter = u32::from(task.size.width) + u32::from(task.size.height);
    let ObjectCounts { chests, traps, enemies, .. } = task.objects();
    let off_path = chests + traps + if task.safety == Safety::Route { enemies } else { 0 };
    let Some(path_cells) = min_path_cells(task) else { return true };
    let doors = task.count(Budget::Door);
    let closed = task.count(Budget::Water).max(min_closed_cells(task.size, doors));
    // For each path length, open only as many cells off the path as the objects need. More open
    // cells would only leave fewer closed ones.
    let fits = |path_cells: u32| {
        let open = task.min_open().max(path_cells + off_path);
        let (sides, off) = (2 * path_cells + 2, open - path_cells);
        open + closed <= cells
            && chests <= sides
            && sides <= 4 * (cells - open) + 2 * off + 2 * half_perimeter
    };
    !(path_cells..=cells).any(fits)
}

/// Returns a lower bound on the number of closed cells of a floor with `doors` doors.
fn min_closed_cells(size: Size, doors: u32) -> u32 {
    let Size { width, height } = size;
    let perimeter = 2 * (u32::from(width) + u32::from(height));
    // Edge sides that doors can use: not those of the corners, of one closed edge cell and of its
    // neighbours at the edge, one or both of which may be corners.
    let (free, narrow) =
        (perimeter - if width.min(height) == 3 { 9 } else { 10 }, width.min(height) == 3);
    let fits = |closed: u32| {
        let touching = closed.saturating_sub(1);
        let doors_at_edge = free.min(if narrow { 2 * touching + 2 } else { touching + 4 });
        2 * doors < 2 * closed + doors_at_edge
    };
    if doors == 0 { 0 } else { (1..=doors).find(|&closed| fits(closed)).unwrap_or(doors) }
}

/// Returns the minimum number of path cells, or `None` if no path is long enough.
fn min_path_cells(task: &Task) -> Option<u32> {
    let (Some(entrance), Some(exit)) = (task.entrance, task.exit) else {
        return Some(task.min_path_length.max(1) + 1);
    };
    // All paths between two cells have lengths of the same parity. Neighbours are always one step
    // apart.
    match entrance.manhattan_distance(exit) {
        1 if task.min_path_length > 1 => None,
        distance => {
            let min_length = task.min_path_length.max(distance);
            Some(min_length + (min_length + distance) % 2 + 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::exhaustive;
    use super::super::tests::random_task;
    use super::*;
    use crate::task::AnyExit;
    use wayforge_core::MapRng;

    /// Exhaustive search finds no floor for a task that counting refutes.
    #[test]
    fn exhaustive_search_finds_nothing_that_counting_refutes() {
        let mut rng = MapRng::from_u64(3);
        let (mut infeasible, mut feasible) = (0, 0);
        for (size, count) in [
            ((3, 3), 2000),
            ((4, 3), 2000),
            ((5, 3), 1000),
            ((4, 4), 1000),
            ((5, 4), 300),
            ((5, 5), 60),
        ] {
            for _ in 0..count {
                let task = random_task(Size::new(size.0, size.1), &mut rng);
                let found = exhaustive::find(&task, u64::MAX, &mut AnyExit).is_some();
                assert!(!found || !is_provably_infeasible(&task), "{task:?}");
                infeasible += u32::from(is_provably_infeasible(&task));
                feasible += u32::from(found);
            }
        }
        assert!(infeasible > 100 && feasible > 100, "{infeasible} {feasible}");
    }

    /// The door bound holds for every grid whose limits are known exactly.
    #[test]
    fn door_bound_holds_for_all_small_floors() {
        for (width, height, limits) in exhaustive::DOOR_LIMITS {
            let size = Size::new(width, height);
            for (doors, &(open, _)) in (0..).zip(limits) {
                let (closed, bound) = (size.cells() as u32 - open, min_closed_cells(size, doors));
                assert!(
                    bound <= closed,
                    "{size}: {doors} doors need {closed} closed cells, the bound is {bound}"
                );
            }
        }
    }
}
