//! Choke points made on purpose: doors on the path, and doors to dead ends beside it.
//!
//! Choke points that are left over by chance are rare and guard little. So doors are chosen before room is opened, each
//! between two *regions*. A cell is opened only where all open cells beside it are of one region and none is a door; so a
//! door stays between two walls, and nothing leads around it.

use super::board::{Board, Frame};
use super::choke::MIN_GUARDED;
use wayforge_core::MapRng;
use wayforge_core::grid::Dir;

/// The region of a door.
pub(super) const DOOR: u16 = u16::MAX;
/// A door and the cells of a dead end behind it.
const DEAD_END: usize = 1 + MIN_GUARDED as usize;
/// How often a dead end is tried for one door.
const TRIES: u32 = 24;

/// What is open so far, with its regions and doors.
pub(super) struct Regions<'a, B> {
    pub(super) frame: &'a Frame,
    /// The path.
    pub(super) way: &'a [u16],
    pub(super) open: &'a mut B,
    pub(super) doors: &'a mut B,
    /// The region of each open cell.
    pub(super) of: &'a mut Vec<u16>,
    /// Cells opened besides the path, each after one beside it.
    pub(super) opened: &'a mut Vec<u16>,
    /// The most cells that may be open.
    pub(super) most: u32,
    /// The number of the next region.
    pub(super) next: u16,
}

impl<B: Board> Regions<'_, B> {
    /// Chooses `count` doors, on the straight steps of the path and before new dead ends in turn, as the dice say.
    ///
    /// * **Returns.** False if there is no room for that many.
    /// * **Guarantees.** Every door separates [`MIN_GUARDED`] cells from the entrance, and no two are beside each other.
    pub(super) fn reserve(&mut self, count: u32, rng: &mut MapRng) -> bool {
        self.of.clear();
        self.of.resize(self.frame.span(), 0);
        self.opened.clear();
        let found = (0..count).all(|_| match rng.chance(1, 2) {
            true => self.add_on_path(rng) || self.add_dead_end(rng),
            false => self.add_dead_end(rng) || self.add_on_path(rng),
        });
        // A new region begins after every door of the path.
        for &cell in self.way {
            self.next += u16::from(self.doors.has(cell));
            self.of[usize::from(cell)] = self.next;
        }
        self.doors.each(|cell| self.of[usize::from(cell)] = DOOR);
        found
    }

    /// A door on a straight step of the path, with enough of the path behind it and no dead end beside it.
    fn add_on_path(&mut self, rng: &mut MapRng) -> bool {
        let (way, open, doors) = (self.way, &*self.open, &*self.doors);
        // The exit is one of the cells behind the door.
        let last = way.len().saturating_sub(1 + usize::from(MIN_GUARDED));
        let (mut fitting, mut chosen) = (0, None);
        for step in 1..=last {
            let [a, b, c] = [way[step - 1], way[step], way[step + 1]];
            let (before, after) = (self.frame.pos(a), self.frame.pos(c));
            let straight = before.x == after.x || before.y == after.y;
            let alone =
                |&beside: &u16| (beside == a || beside == c || !open.has(beside)) && !doors.has(beside);
            if straight && !doors.has(b) && self.frame.neighbours(b).iter().all(alone) {
                fitting += 1;
                if rng.below(fitting) == 0 {
                    chosen = Some(b);
                }
            }
        }
        chosen.inspect(|&door| self.doors.add(door)).is_some()
    }

    /// A door beside an open cell, with a new dead end of [`MIN_GUARDED`] cells behind it.
    fn add_dead_end(&mut self, rng: &mut MapRng) -> bool {
        let count = self.way.len() + self.opened.len();
        if count + DEAD_END > self.most as usize {
            return false;
        }
        (0..TRIES).any(|_| {
            let at = rng.below(count as u32) as usize;
            let from = self.way.get(at).copied().unwrap_or_else(|| self.opened[at - self.way.len()]);
            let dir = Dir::STRAIGHT[rng.below(4) as usize];
            let ahead = |cell: u16| Some(self.frame.cell(self.frame.pos(cell).step(dir, self.frame.size)?));
            let Some(door) = ahead(from) else { return false };
            let Some(first) = ahead(door) else { return false };
            let beside = |cell: u16| self.frame.neighbours(cell).iter().copied();
            let lonely = |cell: u16, before: u16| {
                !self.open.has(cell) && beside(cell).all(|beside| beside == before || !self.open.has(beside))
            };
            // A door beside it would be closed on no two sides any more.
            let beside_door = self.doors.has(from) || beside(from).any(|beside| self.doors.has(beside));
            if beside_door || !lonely(door, from) || !lonely(first, door) {
                return false;
            }
            let mut cells = [DOOR; DEAD_END];
            (cells[0], cells[1]) = (door, first);
            let mut len = 2;
            while len < cells.len() {
                let start = 1 + rng.below(len as u32 - 1) as usize;
                let around = self.frame.neighbours(cells[start]);
                let cell = around[rng.below(around.len() as u32) as usize];
                let free = |beside: u16| !self.open.has(beside) && beside != door;
                if !cells.contains(&cell) && !self.open.has(cell) && beside(cell).all(free) {
                    cells[len] = cell;
                    len += 1;
                } else if rng.chance(1, 4) {
                    // One try in a dead end: the next one begins elsewhere.
                    return false;
                }
            }
            for cell in cells {
                self.open.add(cell);
                self.of[usize::from(cell)] = self.next;
                self.opened.push(cell);
            }
            self.doors.add(door);
            self.next += 1;
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge_core::grid::{Pos, Size};

    /// The doors that a straight path of `length` cells gets over 64 seeds, as indices of the path.
    fn doors_on(length: u16) -> Vec<usize> {
        let frame = <u64 as Board>::frame(Size::new(8, 3));
        let way: Vec<u16> = (0..length).map(|x| frame.cell(Pos::new(x, 1))).collect();
        let mut found: Vec<usize> = (0..64)
            .filter_map(|seed| {
                let (mut open, mut doors) = (<u64 as Board>::empty(&frame), <u64 as Board>::empty(&frame));
                way.iter().for_each(|&cell| open.add(cell));
                let (mut of, mut opened) = (Vec::new(), Vec::new());
                let mut regions = Regions {
                    frame: &frame,
                    way: &way,
                    open: &mut open,
                    doors: &mut doors,
                    of: &mut of,
                    opened: &mut opened,
                    most: 24,
                    next: 1,
                };
                regions.add_on_path(&mut MapRng::from_u64(seed));
                way.iter().position(|&cell| doors.has(cell))
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn a_door_on_the_path_may_leave_exactly_three_tiles_behind_it() {
        assert!(doors_on(4).is_empty());
        assert_eq!(doors_on(5), [1]);
        assert_eq!(doors_on(8), [1, 2, 3, 4]);
    }
}
