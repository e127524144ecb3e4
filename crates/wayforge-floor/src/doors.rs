//! Reserves doors before tiles are opened: on the path, and in front of new dead ends.
//!
//! Choke points that arise by chance are rare and guard few tiles, so doors are chosen first. Each
//! door separates two *regions*. A cell is opened later only if all its open neighbours belong to
//! one region and none is a door. So every door keeps walls on two sides, and no path bypasses it.

use super::cell_set::{CellSet, GridShape};
use super::choke::MIN_GUARDED;
use wayforge_core::MapRng;
use wayforge_core::grid::Dir;

/// Region number of door cells.
pub(super) const DOOR: u16 = u16::MAX;
/// Number of cells of a dead end, its door included.
const DEAD_END_CELLS: usize = 1 + MIN_GUARDED as usize;
/// Maximum number of attempts to place a dead end for one door.
const DEAD_END_TRIES: u32 = 24;

/// Chooses doors and records the regions that they separate.
pub(super) struct DoorPlanner<'a, S> {
    pub(super) shape: &'a GridShape,
    pub(super) path: &'a [u16],
    pub(super) open: &'a mut S,
    pub(super) doors: &'a mut S,
    /// Region of each open cell.
    pub(super) regions: &'a mut Vec<u16>,
    /// Opened dead-end cells. Each comes after the cell it was opened from.
    pub(super) dead_ends: &'a mut Vec<u16>,
    /// Maximum number of open cells.
    pub(super) max_open: u32,
    /// Number of the next unused region.
    pub(super) region: u16,
}

impl<S: CellSet> DoorPlanner<'_, S> {
    /// Reserves `count` doors, each on a straight step of the path or in front of a new dead end.
    ///
    /// Returns false if there is no room for all of them. Every door separates at least
    /// [`MIN_GUARDED`] cells from the entrance, and no two doors are neighbours.
    pub(super) fn reserve(&mut self, count: u32, rng: &mut MapRng) -> bool {
        self.regions.clear();
        self.regions.resize(self.shape.array_len(), 0);
        self.dead_ends.clear();
        let all_reserved = (0..count).all(|_| {
            // The branches differ in the order of attempts, which Clippy ignores.
            #[expect(clippy::if_same_then_else)]
            if rng.chance(1, 2) {
                self.add_on_path(rng) || self.add_dead_end(rng)
            } else {
                self.add_dead_end(rng) || self.add_on_path(rng)
            }
        });
        // A new region starts after every door on the path.
        for &cell in self.path {
            self.region += u16::from(self.doors.contains(cell));
            self.regions[usize::from(cell)] = self.region;
        }
        self.doors.for_each(|cell| self.regions[usize::from(cell)] = DOOR);
        all_reserved
    }

    /// Adds a door on a straight step of the path.
    ///
    /// At least [`MIN_GUARDED`] path cells follow the step, and no dead end or door is next to it.
    /// Returns false if there is no such step.
    fn add_on_path(&mut self, rng: &mut MapRng) -> bool {
        let (path, open, doors) = (self.path, &*self.open, &*self.doors);
        // The exit counts as one of the guarded cells.
        let last = path.len().saturating_sub(1 + usize::from(MIN_GUARDED));
        // Reservoir sampling over the suitable steps.
        let (mut suitable, mut chosen) = (0, None);
        for step in 1..=last {
            let [a, b, c] = [path[step - 1], path[step], path[step + 1]];
            let (before, after) = (self.shape.pos(a), self.shape.pos(c));
            let is_straight = before.x == after.x || before.y == after.y;
            let is_free = |&neighbour: &u16| {
                (neighbour == a || neighbour == c || !open.contains(neighbour))
                    && !doors.contains(neighbour)
            };
            if is_straight && !doors.contains(b) && self.shape.neighbours(b).iter().all(is_free) {
                suitable += 1;
                if rng.below(suitable) == 0 {
                    chosen = Some(b);
                }
            }
        }
        chosen.inspect(|&door| self.doors.insert(door)).is_some()
    }

    /// Adds a door next to an open cell, with a new dead end of [`MIN_GUARDED`] cells behind it.
    /// Returns false if no attempt finds room.
    fn add_dead_end(&mut self, rng: &mut MapRng) -> bool {
        let count = self.path.len() + self.dead_ends.len();
        if count + DEAD_END_CELLS > self.max_open as usize {
            return false;
        }
        (0..DEAD_END_TRIES).any(|_| {
            let index = rng.below(count as u32) as usize;
            let from = self
                .path
                .get(index)
                .copied()
                .unwrap_or_else(|| self.dead_ends[index - self.path.len()]);
            let dir = Dir::STRAIGHT[rng.below(4) as usize];
            let ahead =
                |cell: u16| Some(self.shape.cell(self.shape.pos(cell).step(dir, self.shape.size)?));
            let Some(door) = ahead(from) else { return false };
            let Some(first) = ahead(door) else { return false };
            let neighbours = |cell: u16| self.shape.neighbours(cell).iter().copied();
            let is_isolated = |cell: u16, parent: u16| {
                !self.open.contains(cell)
                    && neighbours(cell).all(|next| next == parent || !self.open.contains(next))
            };
            // Opening a cell next to another door would remove one of that door's walls.
            let beside_door =
                self.doors.contains(from) || neighbours(from).any(|next| self.doors.contains(next));
            if beside_door || !is_isolated(door, from) || !is_isolated(first, door) {
                return false;
            }
            let mut cells = [DOOR; DEAD_END_CELLS];
            (cells[0], cells[1]) = (door, first);
            let mut len = 2;
            while len < cells.len() {
                let start = 1 + rng.below(len as u32 - 1) as usize;
                let options = self.shape.neighbours(cells[start]);
                let cell = options[rng.below(options.len() as u32) as usize];
                let is_free = |next: u16| !self.open.contains(next) && next != door;
                if !cells.contains(&cell)
                    && !self.open.contains(cell)
                    && neighbours(cell).all(is_free)
                {
                    cells[len] = cell;
                    len += 1;
                } else if rng.chance(1, 4) {
                    // Give up this dead end; the next try starts elsewhere.
                    return false;
                }
            }
            for cell in cells {
                self.open.insert(cell);
                self.regions[usize::from(cell)] = self.region;
                self.dead_ends.push(cell);
            }
            self.doors.insert(door);
            self.region += 1;
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge_core::grid::{Pos, Size};

    /// Returns the doors of a straight path of `length` cells over 64 seeds, as path indices.
    fn doors_on_path(length: u16) -> Vec<usize> {
        let shape = <u64 as CellSet>::shape(Size::new(8, 3));
        let path: Vec<u16> = (0..length).map(|x| shape.cell(Pos::new(x, 1))).collect();
        let mut found: Vec<usize> = (0..64)
            .filter_map(|seed| {
                let (mut open, mut doors) =
                    (<u64 as CellSet>::empty(&shape), <u64 as CellSet>::empty(&shape));
                path.iter().for_each(|&cell| open.insert(cell));
                let (mut regions, mut dead_ends) = (Vec::new(), Vec::new());
                let mut planner = DoorPlanner {
                    shape: &shape,
                    path: &path,
                    open: &mut open,
                    doors: &mut doors,
                    regions: &mut regions,
                    dead_ends: &mut dead_ends,
                    max_open: 24,
                    region: 1,
                };
                planner.add_on_path(&mut MapRng::from_u64(seed));
                path.iter().position(|&cell| doors.contains(cell))
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn doors_on_the_path_guard_at_least_three_tiles() {
        assert!(doors_on_path(4).is_empty());
        assert_eq!(doors_on_path(5), [1]);
        assert_eq!(doors_on_path(8), [1, 2, 3, 4]);
    }
}
