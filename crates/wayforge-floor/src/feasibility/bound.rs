//! What no floor can be, by counting cells and their sides.
//!
//! Nothing here looks at floors: each argument holds for all of them, so what is refused is proved impossible. `n` cells have `4 n` sides, and the
//! rim of the grid has `2 (width + height)`.
//!
//! *Ways.* A shortest way of `w` cells has `2 w + 2` sides that do not lead along it, because no two of its cells are neighbours but those that follow
//! each other. Each of them is at the rim, at a closed cell, which has four, or at an open cell off the way, which has two at most: its neighbours on
//! a shortest way are two steps apart, and no third one is.
//!
//! *Doors.* A door takes a side each of two closed cells, or one of a closed cell and one of the rim. The two hang together, by sides, by corners or over
//! the rim: otherwise one could walk around the door. Of the `4 c` sides of `c` closed cells and those of the rim some are lost to doors:
//! - Two for every two closed cells that touch by a side, and for every side of a closed cell at the rim.
//! - Where two closed cells touch by their corners only, two open cells lie beside both, which cannot be doors, as the closed sides of a door are opposite
//!   each other. Such a cell has two or three closed sides, and serves one or two pairs of closed cells: so each pair costs two sides and more.
//! - Two at every corner of the grid: they belong to one cell, which cannot be a door; or it is closed, and both are at the rim.
//! - One at least of every other cell at the rim that is no door, and two if it is closed: the cells at the rim beside it cannot be doors and lose two
//!   each.
//!
//! `c` cells that all hang together with the rim need `c` touches, which cost `2 c` sides. So with `r` doors at the rim `d` doors need
//! `2 d <= 2 c + r - 1`: where there are doors at the rim, a closed cell at the rim joins them to it. Cells that hang together away from the rim
//! need one touch less; but four of the cells around them, the outermost on each side, are no doors, so for them `2 d <= 2 c`.
//! And the doors at the rim have as many closed cells beside them on their other sides, but for those that lie beside two or three.

use crate::config::Budget;
use crate::task::{Safety, Task, Things};
use wayforge_core::grid::Size;

/// Whether counting alone proves a task impossible, whatever the floor.
///
/// * **Complexity.** Linear in the cells.
/// * **Guarantees.** Never true of a task that some floor meets, and whoever asks for more than is impossible asks for the impossible.
pub(super) fn is_beyond(task: &Task) -> bool {
    let cells = task.size.cells() as u32;
    let around = u32::from(task.size.width) + u32::from(task.size.height);
    let Things { chests, traps, enemies, .. } = task.things();
    let off_path = chests + traps + if task.safety == Safety::Route { enemies } else { 0 };
    let Some(way) = least_way(task) else { return true };
    let doors = task.count(Budget::Door);
    let closed = task.count(Budget::Water).max(least_closed(task.size, doors));
    // For every way as few cells are open off it as things need: more would only take closed ones away.
    let fits = |way: u32| {
        let open = task.least_open().max(way + off_path);
        let (sides, off) = (2 * way + 2, open - way);
        open + closed <= cells && chests <= sides && sides <= 4 * (cells - open) + 2 * off + 2 * around
    };
    !(way..=cells).any(fits)
}

/// The fewest closed cells beside so many doors.
fn least_closed(size: Size, doors: u32) -> u32 {
    let Size { width, height } = size;
    let rim = 2 * (u32::from(width) + u32::from(height));
    // Besides its corners, the closed cell and those beside it; of these one or both may be at corners.
    let (free, narrow) = (rim - if width.min(height) == 3 { 9 } else { 10 }, width.min(height) == 3);
    let fits = |closed: u32| {
        let joined = closed.saturating_sub(1);
        let at_rim = free.min(if narrow { 2 * joined + 2 } else { joined + 4 });
        2 * doors < 2 * closed + at_rim
    };
    if doors == 0 { 0 } else { (1..=doors).find(|&closed| fits(closed)).unwrap_or(doors) }
}

/// The fewest cells of a way; `None` if there is none so long.
fn least_way(task: &Task) -> Option<u32> {
    let (Some(entrance), Some(exit)) = (task.entrance, task.exit) else {
        return Some(task.min_path.max(1) + 1);
    };
    // Between given ends every way has the same parity, and beside each other they are one step apart.
    match entrance.taxi_distance(exit) {
        1 if task.min_path > 1 => None,
        apart => {
            let least = task.min_path.max(apart);
            Some(least + (least + apart) % 2 + 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::exhaustive;
    use super::super::tests::random_task;
    use super::*;
    use crate::task::Anywhere;
    use wayforge_core::MapRng;

    /// What counting refuses, no search finds.
    #[test]
    fn what_is_beyond_counting_is_not_there() {
        let mut rng = MapRng::from_u64(3);
        let (mut beyond, mut there) = (0, 0);
        for (size, count) in
            [((3, 3), 2000), ((4, 3), 2000), ((5, 3), 1000), ((4, 4), 1000), ((5, 4), 300), ((5, 5), 60)]
        {
            for _ in 0..count {
                let task = random_task(Size::new(size.0, size.1), &mut rng);
                let found = exhaustive::find(&task, u64::MAX, &mut Anywhere).is_some();
                assert!(!found || !is_beyond(&task), "{task:?}");
                beyond += u32::from(is_beyond(&task));
                there += u32::from(found);
            }
        }
        assert!(beyond > 100 && there > 100, "{beyond} {there}");
    }

    /// The bound of doors holds wherever all floors were looked at.
    #[test]
    fn the_bound_of_doors_holds() {
        for (width, height, most) in exhaustive::BESIDE_DOORS {
            let size = Size::new(width, height);
            for (doors, &(open, _)) in (0..).zip(most) {
                let (closed, bound) = (size.cells() as u32 - open, least_closed(size, doors));
                assert!(bound <= closed, "{size}: {doors} doors beside {closed} closed cells, not {bound}");
            }
        }
    }
}
