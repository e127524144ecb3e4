//! Whether any floor can be what a task asks for, decided by looking at all of them.
//!
//! Every floor has a shortest way, and a shortest way is taut. So all taut ways are gone through. Around each, doors are put
//! wherever they can stand; then every cell that is left is opened at once, because room only grows with cells, and where that
//! makes a short cut or a way around a door, one cell of it has to be closed: each in turn. So what is looked at are the
//! faults of the largest floors, not all the small ones, and a branch is left as soon as its cells are too few.

use super::board::{Board, Frame};
use super::config::Budget;
use super::draft::{Safe, Shape};
use super::place::{Free, find_chokepoints};
use super::task::{Exits, Task, Things};
use crate::grid::{BitGrid, Dir, Pos, Size};

/// The largest floor that is gone through.
pub(super) const MOST_CELLS: usize = 25;

/// The most cells that can be open beside 0, 1, 2 ... doors, and nothing else asked for, by size; more doors there cannot be. Found by
/// this very search, which without the table takes a hundred times as long to refuse many doors.
#[rustfmt::skip]
const MOST_OPEN: [(u16, u16, &[u32]); 10] = [
    (3, 3, &[9, 7, 7, 7]),
    (4, 3, &[12, 10, 10, 9, 9, 9]),
    (5, 3, &[15, 13, 13, 12, 12, 11, 11, 11]),
    (6, 3, &[18, 16, 16, 15, 15, 14, 14, 13, 13, 13]),
    (7, 3, &[21, 19, 19, 18, 18, 17, 17, 16, 16, 15, 15, 15]),
    (8, 3, &[24, 22, 22, 21, 21, 20, 20, 19, 19, 18, 18, 17, 17, 17]),
    (4, 4, &[16, 14, 13, 13, 12, 12, 11]),
    (5, 4, &[20, 18, 17, 17, 16, 15, 15, 15, 14]),
    (6, 4, &[24, 22, 21, 21, 20, 19, 18, 18, 17, 17, 16]),
    (5, 5, &[25, 23, 22, 21, 21, 20, 19, 19, 18, 18, 18, 17]),
];

/// Looks at every floor of the task's size; `exits` says where a floor may end.
///
/// * **Returns.** A shape with room for everything; `None` if there is no such floor, or the floor is larger than [`MOST_CELLS`].
/// * **Complexity.** Exponential in the cells, of which there are few; some milliseconds at 5 x 5.
pub(super) fn find(task: &Task, exits: &mut dyn Exits) -> Option<Safe> {
    if task.size.cells() > MOST_CELLS || task.least_open() > most_open(task) {
        return None;
    }
    look_at_all(task, most_open(task), exits)
}

/// The most cells that can be open beside a task's doors and water.
fn most_open(task: &Task) -> u32 {
    let Size { width, height } = task.size;
    let (long, short) = (width.max(height), width.min(height));
    let row = MOST_OPEN.iter().find(|row| (row.0, row.1) == (long, short));
    let doors = task.count(Budget::Door) as usize;
    let most = row.map_or(task.most_open(), |row| row.2.get(doors).copied().unwrap_or(0));
    most.min(task.most_open())
}

fn look_at_all(task: &Task, most: u32, exits: &mut dyn Exits) -> Option<Safe> {
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
    let mut search = Search { frame: &frame, task, all, exits, most, found: None };
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
    found: Option<Safe>,
}

/// What a way leaves to be decided.
struct Around {
    shape: Shape<u64>,
    length: u32,
    /// Off the way and beside it.
    beside: u64,
    /// One step from the entrance.
    near: u64,
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
        let around = Around { shape, length: way.len() as u32 - 1, beside, near };
        let ground = Ground { may: may.flood(self.frame, way[0]), must: on_way, doors: 0 };
        let Some((open, doors)) = self.add_doors(&around, ground, self.task.count(Budget::Door), 0) else {
            return false;
        };
        // Of the floors around this way the plainest is kept.
        let (open, doors) = self.open_one_by_one(&around, may).unwrap_or((open, doors));
        self.found = Some(self.keep(&Shape { open, ..around.shape }, doors));
        true
    }

    /// Puts doors wherever they can stand, those in earlier cells first, and fills the rest.
    fn add_doors(&self, around: &Around, ground: Ground, doors: u32, from: u16) -> Option<(u64, u64)> {
        if !self.has_room(around, &ground, doors) {
            return None;
        }
        if doors == 0 {
            return self.settle(around, ground);
        }
        let Shape { entrance, exit, .. } = around.shape;
        let ends = 1_u64 << entrance | 1 << exit;
        let places = ground.may & !ends & !ground.doors & (u64::MAX << from);
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
        let mut costs = [0_u32; 3];
        (upright | level).each(|door| {
            if let Some(least) = doorways(1 << door).map(|way| way.closed.len()).min() {
                costs[least as usize] += 1;
            }
        });
        // Around a closed cell at most three doors stand: four would have a way around them. So many cells the cheapest doors cost.
        let dearer = doors.saturating_sub(costs[0]);
        if dearer > costs[1] + costs[2] || (dearer + dearer.saturating_sub(costs[1])).div_ceil(3) > spare {
            return None;
        }
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
        let way = shortest(self.frame, ground.may, entrance, exit);
        if way.len() < around.length + 1 {
            return Some(way & !(1 << entrance) & !(1 << exit));
        }
        let mut doors = ground.doors;
        while doors != 0 {
            let door = doors & doors.wrapping_neg();
            doors ^= door;
            let rest = ground.may & !door;
            if rest.flood(self.frame, entrance) == rest {
                let mut sides = [0; 2];
                let mut count = 0;
                (door.beside(self.frame) & rest).each(|cell| {
                    sides[count & 1] = cell;
                    count += 1;
                });
                return Some(shortest(self.frame, rest, sides[0], sides[1]));
            }
        }
        None
    }

    /// Everything may be open, but water needs some of it: cells are left out until it has enough.
    fn leave_out(&self, around: &Around, ground: Ground) -> Option<(u64, u64)> {
        let most = self.task.most_open();
        if ground.must.len() > most {
            return None;
        }
        // What is beside the way has room for anything, and leads to the rest.
        let loose = ground.may & !ground.must;
        let (near, beside) = (loose & around.beside & around.near, loose & around.beside & !around.near);
        for parts in [[beside, near, loose & !around.beside], [beside, loose & !around.beside, near]] {
            let mut open = ground.must;
            for part in parts {
                // Cells that are reached first: the others hang on them.
                let mut ring = part & open.beside(self.frame);
                while ring != 0 && open.len() < most {
                    let cell = ring & ring.wrapping_neg();
                    open |= cell;
                    ring = part & open.beside(self.frame) & !open;
                }
            }
            let kept = Ground { may: open, ..ground };
            if open.flood(self.frame, around.shape.entrance) == open && self.has_room(around, &kept, 0) {
                return Some((open, ground.doors));
            }
        }
        let cell = loose & loose.wrapping_neg();
        if cell == 0 {
            return None;
        }
        self.settle(around, Ground { may: ground.may & !cell, ..ground })
            .or_else(|| self.settle(around, Ground { must: ground.must | cell, ..ground }))
    }

    /// Whether all that may be open would be enough, with so many doors still to come.
    fn has_room(&self, around: &Around, ground: &Ground, doors: u32) -> bool {
        let Shape { entrance, exit, on_way, .. } = around.shape;
        let free = ground.may & !ground.doors & !(1 << entrance) & !(1 << exit);
        let (on, off) = (free & on_way, free & !on_way);
        let beside = off & around.beside;
        let counts = [
            (beside & around.near).len(),
            (beside & !around.near).len(),
            (off & !around.beside).len(),
            (on & around.near).len(),
            (on & !around.near).len(),
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

    /// Opens cells around a way one by one, those beside it first, until everything has room.
    fn open_one_by_one(&self, around: &Around, may: u64) -> Option<(u64, u64)> {
        let mut shape = around.shape.clone();
        let loose = may & !shape.on_way;
        let mut cells: Vec<u16> = Vec::new();
        (loose & around.beside).each(|cell| cells.push(cell));
        (loose & !around.beside).each(|cell| cells.push(cell));
        let mut cells = cells.into_iter();
        loop {
            if shape.open.len() > self.task.most_open() {
                return None;
            }
            if let Some(doors) = self.doors_of(&shape) {
                return Some((shape.open, doors));
            }
            let opens = |&cell: &u16| {
                let wider = shape.open | 1 << cell;
                let way = shortest(self.frame, wider, shape.entrance, shape.exit);
                way.len() == around.length + 1
            };
            shape.open |= 1 << cells.find(opens)?;
        }
    }

    /// Doors with which everything has room on a shape; `None` if there are none.
    fn doors_of(&self, shape: &Shape<u64>) -> Option<u64> {
        let reached = shape.open.flood(self.frame, shape.entrance);
        let count = reached.len();
        if reached != shape.open || count < self.task.least_open() || count > self.task.most_open() {
            return None;
        }
        let wanted = self.task.count(Budget::Door);
        if wanted == 0 {
            let free = Free::of(self.frame, shape, &0);
            return self.task.things().fit(&free.counts).then_some(0);
        }
        let chokepoints = find_chokepoints(self.frame, shape);
        if chokepoints.len() < wanted {
            return None;
        }
        self.choose_doors(shape, chokepoints, 0, wanted)
    }

    /// Only the class of a door's tile matters, so of each class doors are taken in order.
    fn choose_doors(&self, shape: &Shape<u64>, chokepoints: u64, doors: u64, wanted: u32) -> Option<u64> {
        let free = Free::of(self.frame, shape, &doors);
        if wanted == 0 {
            return self.task.things().fit(&free.counts).then_some(doors);
        }
        free.tiles.iter().find_map(|tiles| {
            let here = chokepoints & tiles;
            (here != 0).then_some(())?;
            let door = here & here.wrapping_neg();
            self.choose_doors(shape, chokepoints & !door, doors | door, wanted - 1)
        })
    }

    fn keep(&self, shape: &Shape<u64>, doors: u64) -> Safe {
        let set = |cells: u64| {
            let mut set = BitGrid::new(self.task.size);
            cells.each(|cell| set.insert(self.frame.pos(cell)));
            set
        };
        Safe {
            entrance: self.frame.pos(shape.entrance),
            exit: self.frame.pos(shape.exit),
            open: set(shape.open),
            way: set(shape.on_way),
            doors: set(doors),
        }
    }
}

/// The cells of a shortest way through `open`; none if there is no way.
fn shortest(frame: &Frame, open: u64, from: u16, to: u16) -> u64 {
    let mut waves = [0_u64; MOST_CELLS + 1];
    let (mut wave, mut left, mut steps) = (1_u64 << to, open & !(1 << to), 0);
    while !wave.has(from) {
        waves[steps] = wave;
        steps += 1;
        wave = wave.beside(frame) & left;
        left &= !wave;
        if wave == 0 || steps > MOST_CELLS {
            return 0;
        }
    }
    let mut here = 1_u64 << from;
    let mut way = here;
    for &wave in waves[..steps].iter().rev() {
        let next = here.beside(frame) & wave;
        here = next & next.wrapping_neg();
        way |= here;
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor::task::{Anywhere, Things};
    use crate::floor::{Carve, Opening};

    /// What one floor has room for, found by looking at every set of open cells and every shortest way.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Room {
        length: u32,
        closed: u32,
        doors: u32,
        free: [u32; 5],
    }

    fn steps(size: Size, open: u32, from: usize) -> Vec<u32> {
        let mut steps = vec![u32::MAX; size.cells()];
        let mut queue = vec![from];
        steps[from] = 0;
        let mut at = 0;
        while at < queue.len() {
            let cell = queue[at];
            at += 1;
            for next in beside(size, cell) {
                if open >> next & 1 == 1 && steps[next] == u32::MAX {
                    steps[next] = steps[cell] + 1;
                    queue.push(next);
                }
            }
        }
        steps
    }

    fn beside(size: Size, cell: usize) -> Vec<usize> {
        let next = |dir: Dir| size.pos(cell).step(dir, size).map(|pos| size.index(pos));
        Dir::STRAIGHT.into_iter().filter_map(next).collect()
    }

    fn ways(size: Size, open: u32, steps: &[u32], way: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        let here = way[way.len() - 1];
        if steps[here] == 0 {
            return all.push(way.clone());
        }
        for next in beside(size, here) {
            if open >> next & 1 == 1 && steps[next] == steps[here] - 1 {
                way.push(next);
                ways(size, open, steps, way, all);
                way.pop();
            }
        }
    }

    fn rooms(size: Size) -> Vec<Room> {
        let cells = size.cells();
        let mut rooms = std::collections::BTreeSet::new();
        for open in 0_u32..1 << cells {
            let there = |cell: usize| open >> cell & 1 == 1;
            for entrance in (0..cells).filter(|&cell| there(cell)) {
                let from = steps(size, open, entrance);
                if (0..cells).any(|cell| there(cell) && from[cell] == u32::MAX) {
                    break;
                }
                let chokes: Vec<usize> =
                    (0..cells).filter(|&cell| there(cell) && is_choke(size, open, cell)).collect();
                for exit in (0..cells).filter(|&cell| there(cell) && cell != entrance) {
                    let mut all = Vec::new();
                    ways(size, open, &steps(size, open, exit), &mut vec![entrance], &mut all);
                    for way in all {
                        add_rooms(size, open, &way, &chokes, &mut rooms);
                    }
                }
            }
        }
        rooms.into_iter().collect()
    }

    fn is_choke(size: Size, open: u32, cell: usize) -> bool {
        let there =
            |dir: Dir| size.pos(cell).step(dir, size).is_some_and(|pos| open >> size.index(pos) & 1 == 1);
        let [north, east, south, west] = Dir::STRAIGHT.map(there);
        let between = (north && south && !east && !west) || (east && west && !north && !south);
        let rest = open & !(1 << cell);
        between && {
            let from = steps(size, rest, rest.trailing_zeros() as usize);
            (0..size.cells()).any(|cell| rest >> cell & 1 == 1 && from[cell] == u32::MAX)
        }
    }

    fn add_rooms(
        size: Size,
        open: u32,
        way: &[usize],
        chokes: &[usize],
        rooms: &mut std::collections::BTreeSet<Room>,
    ) {
        let ends = [way[0], way[way.len() - 1]];
        let chokes: Vec<usize> = chokes.iter().copied().filter(|cell| !ends.contains(cell)).collect();
        for chosen in 0_u32..1 << chokes.len() {
            let doors: Vec<usize> =
                (0..chokes.len()).filter(|i| chosen >> i & 1 == 1).map(|i| chokes[i]).collect();
            let mut free = [0; 5];
            for cell in (0..size.cells()).filter(|&cell| open >> cell & 1 == 1) {
                if ends.contains(&cell) || doors.contains(&cell) {
                    continue;
                }
                let first = beside(size, cell).contains(&way[0]);
                let near_way = beside(size, cell).iter().any(|next| way.contains(next));
                free[match (way.contains(&cell), near_way, first) {
                    (true, _, true) => 3,
                    (true, _, false) => 4,
                    (false, true, true) => 0,
                    (false, true, false) => 1,
                    (false, false, _) => 2,
                }] += 1;
            }
            rooms.insert(Room {
                length: way.len() as u32 - 1,
                closed: size.cells() as u32 - open.count_ones(),
                doors: doors.len() as u32,
                free,
            });
        }
    }

    /// A task with nothing but doors, and things for which every tile will do.
    fn crowded(size: Size, doors: u32, open: u32) -> Task {
        let mut counts = [0; 8];
        counts[Budget::Door as usize] = doors;
        counts[Budget::Item as usize] = open.saturating_sub(doors + 2);
        Task {
            size,
            carve: Carve::Walk,
            opening: Opening::Density,
            open: 0,
            min_path: 0,
            entrance: None,
            exit: None,
            counts,
        }
    }

    #[test]
    fn the_table_of_doors_is_what_the_search_finds() {
        for (width, height, most) in MOST_OPEN {
            let size = Size::new(width, height);
            for (doors, &open) in (0..).zip(most) {
                let there =
                    |open: u32| look_at_all(&crowded(size, doors, open), u32::MAX, &mut Anywhere).is_some();
                assert!(there(open), "{size}: {doors} doors and {open} open cells");
                // The largest floors take minutes without optimization.
                if size.cells() < 24 || doors > 8 || !cfg!(debug_assertions) {
                    assert!(open == size.cells() as u32 || !there(open + 1), "{size}: {doors} doors, {open}");
                }
            }
            let doors = most.len() as u32;
            let none = look_at_all(&crowded(size, doors, doors + 2), u32::MAX, &mut Anywhere).is_none();
            assert!(none, "{size}: {doors} doors");
        }
    }

    /// Every small demand on every small floor: the search finds a floor exactly where one is.
    #[test]
    fn agrees_with_looking_at_every_floor() {
        for (size, most) in [(Size::new(3, 3), 4), (Size::new(4, 3), 3)] {
            let rooms = rooms(size);
            let (mut possible, mut impossible) = (0, 0);
            for n in 0..most * most * most * most * most * most * 12_u32 {
                let digit = |place: u32| n / most.pow(place) % most;
                let min_path = n / most.pow(6);
                let [doors, chests, traps, water, enemies, others] =
                    std::array::from_fn(|i| 2 * digit(i as u32));
                let doors = doors / 2;
                let fits = rooms.iter().any(|room| {
                    let things = Things { chests, traps, enemies, others };
                    room.length >= min_path
                        && room.closed >= water
                        && room.doors == doors
                        && things.fit(&room.free)
                });
                let task = Task {
                    size,
                    carve: Carve::Walk,
                    opening: Opening::Density,
                    open: 0,
                    min_path,
                    entrance: None,
                    exit: None,
                    counts: [doors, chests, traps, water, enemies, others, 0, 0],
                };
                assert_eq!(find(&task, &mut Anywhere).is_some(), fits, "{task:?}");
                *if fits { &mut possible } else { &mut impossible } += 1;
            }
            assert!(possible > 100 && impossible > 1000, "{possible} {impossible}");
        }
    }
}
