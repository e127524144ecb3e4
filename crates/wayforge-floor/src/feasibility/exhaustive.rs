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

/// The bound of [`find_bounded`] in nodes of the search: about a millisecond.
const EASY: u64 = 4_000;

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

/// Returns a layout with room for everything that ends at one of `exits`; `None` if there is none, or if the grid is larger
/// than [`MAX_CELLS`].
///
/// # Complexity
/// Exponential in the cells; milliseconds at 5 x 5.
pub(super) fn find(task: &Task, exits: &mut dyn Exits) -> Option<Fallback> {
    search_paths(task, u64::MAX, exits)
}

/// As [`find`] with a small bound of work: `None` proves nothing.
pub(super) fn find_bounded(task: &Task, exits: &mut dyn Exits) -> Option<Fallback> {
    search_paths(task, EASY, exits)
}

fn search_paths(task: &Task, effort: u64, exits: &mut dyn Exits) -> Option<Fallback> {
    let (open, chests) = beside_doors(task);
    if task.size.cells() > MAX_CELLS || task.least_open() > open || task.count(Budget::Chest) > chests {
        return None;
    }
    look_at_all(task, open, effort, exits)
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

fn look_at_all(task: &Task, most: u32, effort: u64, exits: &mut dyn Exits) -> Option<Fallback> {
    let frame = <u64 as Board>::frame(task.size);
    let all = task.size.iter().fold(0, |set, pos| set | 1_u64 << frame.cell(pos));
    let ends = task.size.iter().filter(|&pos| task.exit.is_none_or(|exit| pos == exit) && exits.accept(pos));
    let exits = ends.fold(0, |set, pos| set | 1 << frame.cell(pos));
    // What is turned or mirrored is as possible: where any end will do, one entrance of each kind is enough.
    let even = exits == all && task.entrance.is_none();
    let entrances = task.size.iter().filter(|&pos| match task.entrance {
        Some(entrance) => pos == entrance,
        None => !even || is_first_of_its_kind(task, pos),
    });
    let mut search = Search {
        frame: &frame,
        task,
        all,
        exits,
        most,
        effort: effort.into(),
        found: None,
        scratch: RefCell::default(),
    };
    for entrance in entrances {
        let entrance = frame.cell(entrance);
        if search.follow(&mut vec![entrance], 1 << entrance) {
            break;
        }
    }
    search.found
}

/// Whether a cell is the first in reading order of those that turning and mirroring the grid bring it to.
fn is_first_of_its_kind(task: &Task, pos: Pos) -> bool {
    let (width, height) = (task.size.width, task.size.height);
    let square = width == height;
    pos.x <= (width - 1) / 2 && pos.y <= (height - 1) / 2 && (!square || pos.y <= pos.x)
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
    scratch: RefCell<(Tracks, Vec<u16>)>,
}

/// What a way leaves to be decided.
struct Around {
    shape: Shape<u64>,
    length: u32,
    /// Off the way and beside it.
    beside: u64,
    /// One step from the entrance.
    near: u64,
    /// The first parts of the way that can be kept free of enemies, one of them for all chests. Empty if none is.
    safe: Vec<u64>,
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

/// A cell that a door could stand in: what it opens to, and what has to be closed beside it.
struct Doorway {
    door: u64,
    open: u64,
    closed: u64,
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
        let on_way = way.iter().fold(0_u64, |set, &cell| set | 1 << cell);
        let beside = on_way.beside(self.frame) & !on_way;
        let mut may = self.all;
        // A cell that joins steps further apart than two would be a short cut by itself.
        let step = |cell: u16| way.iter().position(|&other| other == cell).unwrap_or(0);
        beside.each(|cell| {
            let (mut low, mut high) = (usize::MAX, 0);
            ((1_u64 << cell).beside(self.frame) & on_way).each(|cell| {
                low = low.min(step(cell));
                high = high.max(step(cell));
            });
            if high > low + 2 {
                may &= !(1 << cell);
            }
        });
        let shape = Shape { open: on_way, on_way, entrance: way[0], exit: way[way.len() - 1] };
        let near = (1_u64 << way[0]).beside(self.frame);
        let safe = match self.task.safety {
            Safety::None => Vec::new(),
            Safety::Route => vec![on_way],
            Safety::Chests => way
                .iter()
                .scan(0, |part, &cell| Some(std::mem::replace(part, *part | 1 << cell) | 1 << cell))
                .collect(),
        };
        let around = Around { shape, length: way.len() as u32 - 1, beside, near, safe };
        let ground = Ground { may: may.flood(self.frame, way[0]), must: on_way, doors: 0 };
        let Some((open, doors)) = self.add_doors(&around, ground, self.task.count(Budget::Door), 0) else {
            return false;
        };
        self.found = Some(Fallback::of(self.frame, &Shape { open, ..around.shape }, &doors));
        true
    }

    /// Puts doors wherever they can stand, those in earlier cells first, and fills the rest.
    fn add_doors(&self, around: &Around, ground: Ground, doors: u32, from: u16) -> Option<(u64, u64)> {
        let effort = self.effort.get();
        self.effort.set(effort.saturating_sub(1));
        if effort == 0 || !self.has_room(around, &ground, doors) {
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
        let doorways = |door: u64| {
            let across = door.moved(self.frame, Dir::East) | door.moved(self.frame, Dir::West);
            let along = door.beside(self.frame) & !across;
            let ways = [(upright, along, across), (level, across, along)].into_iter();
            ways.filter(move |(fits, ..)| fits & door != 0)
                .map(move |(_, open, closed)| Doorway { door, open, closed: closed & ground.may })
                .filter(move |way| way.closed.len() <= spare)
        };
        let mut rest = upright | level;
        while rest != 0 {
            let door = rest & rest.wrapping_neg();
            rest ^= door;
            for way in doorways(door) {
                let next = Ground {
                    may: ground.may & !way.closed,
                    must: ground.must | way.door | way.open,
                    doors: ground.doors | way.door,
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
    fn settle(&self, around: &Around, mut ground: Ground) -> Option<(u64, u64)> {
        let effort = self.effort.get();
        self.effort.set(effort.saturating_sub(1));
        if effort == 0 {
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
    fn close_one_of(&self, around: &Around, mut ground: Ground, mut cells: u64) -> Option<(u64, u64)> {
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
    fn find_fault(&self, around: &Around, ground: &Ground) -> Option<u64> {
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
                let mut sides = [0; 2];
                let mut count = 0;
                (door.beside(self.frame) & rest).each(|cell| {
                    sides[count & 1] = cell;
                    count += 1;
                });
                return Some(self.shortest(rest, sides[0], sides[1]));
            }
        }
        None
    }

    /// The cells of a shortest path through `open`; none if there is no path.
    fn shortest(&self, open: u64, from: u16, to: u16) -> u64 {
        let (tracks, path) = &mut *self.scratch.borrow_mut();
        let found = open.find_way(self.frame, from, to, &0, tracks, path);
        if found { u64::collect(self.frame, path.iter()) } else { 0 }
    }

    /// Everything may be open, but water needs some of it: cells are left out until it has enough.
    fn leave_out(&self, around: &Around, ground: Ground) -> Option<(u64, u64)> {
        let most = self.task.most_open();
        if ground.must.len() > most {
            return None;
        }
        let loose = ground.may & !ground.must;
        let cell = loose & loose.wrapping_neg();
        if cell == 0 {
            return None;
        }
        self.settle(around, Ground { may: ground.may & !cell, ..ground })
            .or_else(|| self.settle(around, Ground { must: ground.must | cell, ..ground }))
    }

    /// Whether all that may be open would be enough, with so many doors still to come.
    fn has_room(&self, around: &Around, ground: &Ground, doors: u32) -> bool {
        match around.safe.is_empty() {
            true => self.has_room_beside(around, ground, doors, around.beside, 0),
            false => around.safe.iter().any(|&safe| {
                let beside = safe.beside(self.frame) & around.beside;
                self.has_room_beside(around, ground, doors, beside, safe)
            }),
        }
    }

    /// The same with chests on cells of `chests` and no enemies on those of `safe`.
    fn has_room_beside(&self, around: &Around, ground: &Ground, doors: u32, chests: u64, safe: u64) -> bool {
        let Shape { entrance, exit, on_way, .. } = around.shape;
        let free = ground.may & !ground.doors & !(1 << entrance) & !(1 << exit);
        let (on, off) = (free & on_way, free & !on_way);
        let (beside, barred) = (off & chests, around.near | safe);
        let counts = [
            (beside & around.near).len(),
            (beside & !around.near).len(),
            (off & !chests).len(),
            (on & barred).len(),
            (on & !barred).len(),
        ];
        let mut needs = self.task.things();
        needs.others += doors;
        // Off the way so many tiles are free at most, whichever they are.
        let most = self.most.saturating_sub((on_way | ground.doors).len());
        let Things { chests, traps, enemies, others } = needs;
        needs.fit(&counts)
            && chests + traps <= most
            && chests + traps + enemies <= most + counts[4]
            && chests + traps + enemies + others <= most + counts[3] + counts[4]
    }
}

#[cfg(test)]
mod tests;
