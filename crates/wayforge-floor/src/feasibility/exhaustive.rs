//! Exhaustive search over all floors of up to 25 cells.
//!
//! Every floor has a shortest path, and no two cells of a shortest path are neighbours except consecutive ones. The search
//! enumerates all such paths and, around each, all positions of doors. Then it opens every remaining cell, because more open
//! cells only give more room, and looks for a fault: a shorter path, or a path around a door. One cell of a fault must be
//! closed, so it branches over these cells. A branch ends as soon as its cells have too little room.

use super::Fallback;
use crate::board::{Board, Frame, Tracks};
use crate::choke::MIN_GUARDED;
use crate::config::Budget;
use crate::draft::Shape;
use crate::task::{Exits, Safety, Task, Things};
use std::cell::{Cell, RefCell};
use wayforge_core::grid::{Dir, Pos, Size};

/// The largest grid that is searched.
pub(super) const MAX_CELLS: usize = 25;

/// A small bound of [`find`] in nodes of the search: about a millisecond.
pub(super) const EASY: u64 = 4_000;

/// Columns and rows, and what they have room for.
pub(super) type BesideDoors = (u16, u16, &'static [(u32, u32)]);

/// By size and number of doors (0, 1, 2, ...; more are impossible): the most open cells, and the most chests if nothing else is
/// asked for. The search computes the table, see the tests; with it, many doors are rejected six times as fast.
#[rustfmt::skip]
pub(super) const BESIDE_DOORS: [BesideDoors; 10] = [
    (3, 3, &[(9, 6), (7, 4), (7, 1)]),
    (4, 3, &[(12, 8), (10, 6), (10, 4), (9, 1)]),
    (5, 3, &[(15, 10), (13, 8), (13, 6), (12, 3), (11, 1)]),
    (6, 3, &[(18, 12), (16, 10), (16, 8), (15, 6), (14, 5), (13, 1)]),
    (7, 3, &[(21, 14), (19, 12), (19, 10), (18, 8), (17, 7), (16, 4), (15, 1)]),
    (8, 3, &[(24, 16), (22, 14), (22, 12), (21, 10), (20, 8), (19, 7), (18, 5), (17, 1)]),
    (4, 4, &[(16, 9), (14, 7), (13, 6), (13, 4)]),
    (5, 4, &[(20, 11), (18, 9), (17, 8), (16, 7), (16, 5), (15, 3)]),
    (6, 4, &[(24, 13), (22, 12), (21, 11), (20, 9), (19, 8), (19, 6)]),
    (5, 5, &[(25, 13), (23, 12), (22, 11), (21, 10), (20, 8), (20, 7), (19, 6), (17, 1)]),
];

/// Returns a layout with room for everything that ends at one of `exits`; `None` if there is none, if the grid is larger
/// than [`MAX_CELLS`], or if the search visits more than `effort` nodes: then it proves nothing.
///
/// # Complexity
/// Exponential in the cells; milliseconds at 5 x 5.
pub(super) fn find(task: &Task, effort: u64, exits: &mut dyn Exits) -> Option<Fallback> {
    let (most, chests) = beside_doors(task);
    if task.size.cells() > MAX_CELLS || task.least_open() > most || task.count(Budget::Chest) > chests {
        return None;
    }
    look_at_all(task, most, effort, exits)
}

/// As [`find`], without the table of doors; at most `most` cells can be open.
fn look_at_all(task: &Task, most: u32, effort: u64, exits: &mut dyn Exits) -> Option<Fallback> {
    let frame = <u64 as Board>::frame(task.size);
    let all = u64::of(&frame, task.size.iter());
    let ends = task.size.iter().filter(|&pos| task.exit.is_none_or(|exit| pos == exit) && exits.accept(pos));
    let exits = u64::of(&frame, ends);
    // What is turned or mirrored is as possible: where any end will do, one entrance of each kind is enough.
    let even = exits == all && task.entrance.is_none();
    let entrances = task.size.iter().filter(|&pos| match task.entrance {
        Some(entrance) => pos == entrance,
        None => !even || is_first_of_its_kind(task, pos),
    });
    let mut entrances = entrances.map(|entrance| frame.cell(entrance));
    let (effort, tracks) = (effort.into(), RefCell::default());
    let mut search = Search { frame: &frame, task, all, exits, most, effort, found: None, tracks };
    entrances.any(|entrance| search.follow(&mut vec![entrance], 1 << entrance));
    search.found
}

/// The most cells that can be open, and the most chests, beside a task's doors and water.
fn beside_doors(task: &Task) -> (u32, u32) {
    let Size { width, height } = task.size;
    let (long, short) = (width.max(height), width.min(height));
    let row = BESIDE_DOORS.iter().find(|row| (row.0, row.1) == (long, short));
    let doors = task.count(Budget::Door) as usize;
    let most = row.map_or((u32::MAX, u32::MAX), |row| row.2.get(doors).copied().unwrap_or((0, 0)));
    (most.0.min(task.most_open()), most.1)
}

/// Whether a cell is the first in reading order of those that turning and mirroring the grid bring it to.
fn is_first_of_its_kind(task: &Task, pos: Pos) -> bool {
    let Size { width, height } = task.size;
    pos.x <= (width - 1) / 2 && pos.y <= (height - 1) / 2 && (width != height || pos.y <= pos.x)
}

struct Search<'a> {
    frame: &'a Frame,
    task: &'a Task,
    all: u64,
    exits: u64,
    /// The most cells that can be open.
    most: u32,
    /// How many floors may still be looked at.
    effort: Cell<u64>,
    found: Option<Fallback>,
    /// Scratch buffers of [`Search::shortest`].
    tracks: RefCell<Tracks>,
}

/// What a way leaves to be decided.
struct Around<'a> {
    shape: Shape<u64>,
    length: u32,
    /// One step from the entrance.
    near: u64,
    /// Where all chests may stand, and the first part of the way that is kept free of enemies for them; one of these will do.
    safe: &'a [(u64, u64)],
}

/// Cells as far as they are decided.
#[derive(Clone, Copy)]
struct Ground {
    /// What may be open.
    may: u64,
    /// What must be open.
    must: u64,
    doors: u64,
}

impl Search<'_> {
    /// Goes through all taut ways that begin with `way`; true if the search is over.
    fn follow(&mut self, way: &mut Vec<u16>, closed: u64) -> bool {
        let here = way[way.len() - 1];
        if self.effort.get() == 0 {
            return true;
        }
        // Water needs the rest.
        if way.len() > self.task.most_open() as usize {
            return false;
        }
        let beside = (1_u64 << here).beside(self.frame);
        let ahead = self.all & !closed | 1 << here;
        if way.len() + (ahead.flood(self.frame, here).len() as usize) <= self.task.min_path as usize + 1 {
            return false;
        }
        if way.len() > 1 && way.len() > self.task.min_path as usize && self.exits.has(here) && self.fill(way)
        {
            return true;
        }
        let mut next = beside & !closed;
        while next != 0 {
            way.push(next.trailing_zeros() as u16);
            if self.follow(way, closed | beside) {
                return true;
            }
            way.pop();
            next &= next - 1;
        }
        false
    }

    /// Goes through what can be open around one way.
    fn fill(&mut self, way: &[u16]) -> bool {
        let on_way = u64::collect(self.frame, way.iter().copied());
        let beside = on_way.beside(self.frame) & !on_way;
        let mut may = self.all;
        // A cell that joins steps further apart than two would be a short cut by itself.
        beside.each(|cell| {
            let around = (1_u64 << cell).beside(self.frame);
            let joins = |&other: &u16| around.has(other);
            if way.iter().rposition(joins) > way.iter().position(joins).map(|first| first + 2) {
                may &= !(1 << cell);
            }
        });
        let shape = Shape { open: on_way, on_way, entrance: way[0], exit: way[way.len() - 1] };
        let near = (1_u64 << way[0]).beside(self.frame);
        let whole = [(beside, if self.task.safety == Safety::Route { on_way } else { 0 })];
        let parts = way.iter().scan(0, |part, &cell| {
            *part |= 1_u64 << cell;
            Some((part.beside(self.frame) & beside, *part))
        });
        let parts = if self.task.safety == Safety::Chests { parts.collect() } else { Vec::new() };
        let safe = if parts.is_empty() { &whole[..] } else { &parts };
        let around = Around { shape, length: way.len() as u32 - 1, near, safe };
        let ground = Ground { may: may.flood(self.frame, way[0]), must: on_way, doors: 0 };
        let Some((open, doors)) = self.add_doors(&around, ground, self.task.count(Budget::Door), 0) else {
            return false;
        };
        self.found = Some(Fallback::of(self.frame, &Shape { open, ..around.shape }, &doors));
        true
    }

    /// Takes one node off the effort; false if there is none left.
    fn spend(&self) -> bool {
        let left = self.effort.get().checked_sub(1);
        self.effort.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Puts doors wherever they can stand, those in earlier cells first, and fills the rest.
    fn add_doors(&self, around: &Around<'_>, ground: Ground, doors: u32, from: u16) -> Option<(u64, u64)> {
        if !self.spend() || !self.has_room(around, &ground, doors) {
            return None;
        }
        if doors == 0 {
            return self.settle(around, ground);
        }
        let Shape { entrance, exit, .. } = around.shape;
        let ends = 1_u64 << entrance | 1 << exit;
        let taken = ground.doors | ground.doors.beside(self.frame);
        let places = ground.may & !ends & !taken & (u64::MAX << from);
        let [north, east, south, west] = Dir::STRAIGHT.map(|dir| {
            (ground.may.moved(self.frame, dir.opposite()), ground.must.moved(self.frame, dir.opposite()))
        });
        let upright = places & north.0 & south.0 & !east.1 & !west.1;
        let level = places & east.0 & west.0 & !north.1 & !south.1;
        let free = ground.may & !ground.doors & !ends;
        let spare = free.len().saturating_sub(self.task.things().count() + doors);
        let mut rest = upright | level;
        while rest != 0 {
            let door = rest & rest.wrapping_neg();
            rest ^= door;
            let across = door.moved(self.frame, Dir::East) | door.moved(self.frame, Dir::West);
            let along = door.beside(self.frame) & !across;
            for (fits, open, closed) in [(upright, along, across), (level, across, along)] {
                if fits & door == 0 || (closed & ground.may).len() > spare {
                    continue;
                }
                let next = Ground {
                    may: ground.may & !closed,
                    must: ground.must | door | open,
                    doors: ground.doors | door,
                };
                let found = self.add_doors(around, next, doors - 1, door.trailing_zeros() as u16 + 1);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Opens all that may be open, and closes a cell of every fault, each in turn.
    fn settle(&self, around: &Around<'_>, mut ground: Ground) -> Option<(u64, u64)> {
        if !self.spend() {
            return None;
        }
        ground.may = ground.may.flood(self.frame, around.shape.entrance);
        if ground.must & !ground.may != 0 || !self.has_room(around, &ground, 0) {
            return None;
        }
        let Some(fault) = self.find_fault(around, &ground) else {
            return match ground.may.len() <= self.task.most_open() {
                true => Some((ground.may, ground.doors)),
                false => self.leave_out(around, ground),
            };
        };
        self.close_one_of(around, ground, fault & !ground.must)
    }

    /// Closes one of `cells`, each in turn; those before it stay open, because without them the case was looked at.
    fn close_one_of(&self, around: &Around<'_>, mut ground: Ground, mut cells: u64) -> Option<(u64, u64)> {
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            cells ^= cell;
            let found = self.settle(around, Ground { may: ground.may & !cell, ..ground });
            if found.is_some() {
                return found;
            }
            ground.must |= cell;
        }
        None
    }

    /// The cells of a way that is too short, or of one around a door.
    fn find_fault(&self, around: &Around<'_>, ground: &Ground) -> Option<u64> {
        let Shape { entrance, exit, .. } = around.shape;
        let way = self.shortest(ground.may, entrance, exit);
        if way.len() < around.length + 1 {
            return Some(way & !(1 << entrance) & !(1 << exit));
        }
        let mut doors = ground.doors;
        while doors != 0 {
            let door = doors & doors.wrapping_neg();
            doors ^= door;
            let rest = ground.may & !door;
            let guarded = (rest & !rest.flood(self.frame, entrance)).len();
            if guarded > 0 && guarded < MIN_GUARDED.into() {
                // What is behind the door never grows: no cell is left to close.
                return Some(0);
            }
            if guarded == 0 {
                let sides = door.beside(self.frame) & rest;
                let [first, last] =
                    [sides.trailing_zeros(), 63 - sides.leading_zeros()].map(|side| side as u16);
                return Some(self.shortest(rest, first, last));
            }
        }
        None
    }

    /// The cells of a shortest path through `open`; none if there is no path.
    fn shortest(&self, open: u64, from: u16, to: u16) -> u64 {
        let tracks = &mut *self.tracks.borrow_mut();
        let found = open.find_way(self.frame, [from, to], &0, tracks);
        if found { u64::collect(self.frame, tracks.way.iter().copied()) } else { 0 }
    }

    /// Everything may be open, but water needs some of it: cells are left out until it has enough.
    fn leave_out(&self, around: &Around<'_>, ground: Ground) -> Option<(u64, u64)> {
        let loose = ground.may & !ground.must;
        let cell = loose & loose.wrapping_neg();
        if ground.must.len() > self.task.most_open() || cell == 0 {
            return None;
        }
        self.settle(around, Ground { may: ground.may & !cell, ..ground })
            .or_else(|| self.settle(around, Ground { must: ground.must | cell, ..ground }))
    }

    /// Whether all that may be open would be enough, with `doors` still to come.
    fn has_room(&self, around: &Around<'_>, ground: &Ground, doors: u32) -> bool {
        let Shape { entrance, exit, on_way, .. } = around.shape;
        let free = ground.may & !ground.doors & !(1 << entrance) & !(1 << exit);
        let (on, off) = (free & on_way, free & !on_way);
        let mut needs = self.task.things();
        needs.others += doors;
        let Things { chests, traps, enemies, others } = needs;
        // The most tiles that are free off the way, whichever they are.
        let most = self.most.saturating_sub((on_way | ground.doors).len());
        around.safe.iter().any(|&(beside, safe)| {
            let (beside, far, barred) = (off & beside, off & !beside, around.near | safe);
            let near = beside & around.near;
            let (first, rest) = (on & barred, on & !barred);
            let counts = [near, beside & !near, far, first, rest].map(|cells| cells.len());
            needs.fit(&counts)
                && chests + traps <= most
                && chests + traps + enemies <= most + counts[4]
                && chests + traps + enemies + others <= most + counts[3] + counts[4]
        })
    }
}

#[cfg(test)]
mod tests;
