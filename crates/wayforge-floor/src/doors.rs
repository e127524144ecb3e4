//! Choke points made on purpose: doors on the path, and doors to dead ends beside it.
//!
//! Choke points that are left over by chance are rare and guard little. So doors are chosen before room is opened, each
//! between two *regions*. A cell is opened only where all open cells beside it are of one region and none is a door; so a
//! door stays between two walls, and nothing leads around it.

use super::board::{Board, Frame};
use super::choke::MIN_GUARDED;
use wayforge_core::MapRng;
use wayforge_core::grid::{Dir, Pos};

/// The region of a door.
pub(super) const DOOR: u16 = u16::MAX;
/// A door and the cells of a dead end behind it.
const DEAD_END: usize = 1 + MIN_GUARDED as usize;
/// How often a dead end is tried for one door.
const TRIES: u32 = 24;

/// What is open so far, with its regions.
pub(super) struct Regions<'a, B> {
    pub(super) frame: &'a Frame,
    pub(super) open: &'a mut B,
    /// The region of each open cell.
    pub(super) of: &'a mut Vec<u16>,
    /// Cells opened besides the path, each after one beside it.
    pub(super) opened: &'a mut Vec<u16>,
}

impl<B: Board> Regions<'_, B> {
    /// Chooses `count` doors, on the straight steps of `way` and before new dead ends in turn, as the dice say. At most
    /// `most` cells may be open.
    ///
    /// * **Returns.** False if there is no room for that many.
    /// * **Guarantees.** Every door separates [`MIN_GUARDED`] cells from the entrance, and no two are beside each other.
    pub(super) fn reserve(
        &mut self,
        way: &[u16],
        count: u32,
        most: u32,
        rng: &mut MapRng,
        doors: &mut B,
    ) -> bool {
        self.of.clear();
        self.of.resize(self.frame.span(), 0);
        self.opened.clear();
        let mut next = 1;
        for _ in 0..count {
            let on_path = rng.chance(1, 2);
            let found = match on_path {
                true => {
                    self.add_on_path(way, rng, doors) || self.add_dead_end(way, most, &mut next, rng, doors)
                }
                false => {
                    self.add_dead_end(way, most, &mut next, rng, doors) || self.add_on_path(way, rng, doors)
                }
            };
            if !found {
                return false;
            }
        }
        self.number(way, &mut next, doors);
        true
    }

    /// A door on a straight step of the path, with enough of the path behind it and no dead end beside it.
    fn add_on_path(&self, way: &[u16], rng: &mut MapRng, doors: &mut B) -> bool {
        // The exit is one of the cells behind the door.
        let last = way.len().saturating_sub(1 + usize::from(MIN_GUARDED));
        let (mut fitting, mut chosen) = (0, None);
        for step in 1..=last {
            let [a, b, c] = [way[step - 1], way[step], way[step + 1]];
            let (before, after) = (self.frame.pos(a), self.frame.pos(c));
            let straight = before.x == after.x || before.y == after.y;
            let alone =
                |&beside: &u16| (beside == a || beside == c || !self.open.has(beside)) && !doors.has(beside);
            if straight && !doors.has(b) && self.frame.neighbours(b).iter().all(alone) {
                fitting += 1;
                if rng.below(fitting) == 0 {
                    chosen = Some(b);
                }
            }
        }
        chosen.inspect(|&door| doors.add(door)).is_some()
    }

    /// A door beside an open cell, with a new dead end of [`MIN_GUARDED`] cells behind it.
    fn add_dead_end(
        &mut self,
        way: &[u16],
        most: u32,
        next: &mut u16,
        rng: &mut MapRng,
        doors: &mut B,
    ) -> bool {
        let count = (way.len() + self.opened.len()) as u32;
        if count + 1 + u32::from(MIN_GUARDED) > most {
            return false;
        }
        (0..TRIES).any(|_| {
            let at = rng.below(count) as usize;
            let from = if at < way.len() { way[at] } else { self.opened[at - way.len()] };
            let dir = Dir::STRAIGHT[rng.below(4) as usize];
            let Some([door, first]) = self.ahead(from, dir) else { return false };
            let lonely = |cell: u16, before: u16, open: &B| {
                !open.has(cell)
                    && self.frame.neighbours(cell).iter().all(|&beside| beside == before || !open.has(beside))
            };
            if doors.has(from) || !lonely(door, from, self.open) || !lonely(first, door, self.open) {
                return false;
            }
            // A door beside it would be closed on no two sides any more.
            if self.frame.neighbours(from).iter().any(|&beside| doors.has(beside)) {
                return false;
            }
            let mut cells = [DOOR; DEAD_END];
            (cells[0], cells[1]) = (door, first);
            let mut len = 2;
            while len < cells.len() {
                let start = 1 + rng.below(len as u32 - 1) as usize;
                let beside = self.frame.neighbours(cells[start]);
                let cell = beside[rng.below(beside.len() as u32) as usize];
                let free = |&beside: &u16| !self.open.has(beside) && beside != door;
                if cells.contains(&cell)
                    || self.open.has(cell)
                    || !self.frame.neighbours(cell).iter().all(free)
                {
                    // One try in a dead end: the next one begins elsewhere.
                    if rng.chance(1, 4) {
                        return false;
                    }
                    continue;
                }
                cells[len] = cell;
                len += 1;
            }
            for cell in cells {
                self.open.add(cell);
                self.of[usize::from(cell)] = *next;
                self.opened.push(cell);
            }
            doors.add(door);
            *next += 1;
            true
        })
    }

    fn ahead(&self, from: u16, dir: Dir) -> Option<[u16; 2]> {
        let door: Pos = self.frame.pos(from).step(dir, self.frame.size)?;
        let first = door.step(dir, self.frame.size)?;
        Some([self.frame.cell(door), self.frame.cell(first)])
    }

    /// Numbers the regions of the path, a new one after every door, and marks the doors.
    fn number(&mut self, way: &[u16], next: &mut u16, doors: &B) {
        for &cell in way {
            *next += u16::from(doors.has(cell));
            self.of[usize::from(cell)] = *next;
        }
        doors.each(|cell| self.of[usize::from(cell)] = DOOR);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge_core::grid::Size;

    /// The doors that a straight path of `length` cells gets over 64 seeds, as indices of the path.
    fn doors_on(length: u16) -> Vec<usize> {
        let frame = <u64 as Board>::frame(Size::new(8, 3));
        let way: Vec<u16> = (0..length).map(|x| frame.cell(Pos::new(x, 1))).collect();
        let mut found: Vec<usize> = (0..64)
            .filter_map(|seed| {
                let (mut open, mut doors) = (<u64 as Board>::empty(&frame), <u64 as Board>::empty(&frame));
                way.iter().for_each(|&cell| open.add(cell));
                let (mut of, mut opened) = (Vec::new(), Vec::new());
                let regions = Regions { frame: &frame, open: &mut open, of: &mut of, opened: &mut opened };
                regions.add_on_path(&way, &mut MapRng::from_u64(seed), &mut doors);
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
