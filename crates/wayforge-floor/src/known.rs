//! Floors that are known to be possible: a fixed list of ways for every size, and all the room around each.
//!
//! Beyond [`exact`](super::exact) not every floor can be looked at. What is accepted there is what one of these floors has
//! room for: the list depends on the size and on the ends alone, never on what is asked for, so whoever asks for less is never
//! refused what was granted to more.
//!
//! Around a way everything is opened that leaves it a shortest one. Doors stand in a *corridor*, the first steps of the way, along
//! which nothing is opened; the longer it is, the more doors and the less room.

use super::board::{Board, Frame, Rows};
use super::choke::MIN_GUARDED;
use super::config::Budget;
use super::draft::Safe;
use super::snakes::{self, Snake};
use super::task::{Exits, Task};
use wayforge_core::grid::{BitGrid, Pos};

/// Floors of so many cells are looked at in every length, and from many ends.
const MANY: usize = 128;

/// So many floors are sketched.
const SKETCHES: usize = 16;

/// The known floors of one size with given ends. They are made when they are first asked for.
pub(super) struct Known {
    frame: Frame,
    ends: [Option<Pos>; 2],
    /// The lengths that ways are looked at in; all of them where floors are small.
    lengths: Vec<u32>,
    snakes: Vec<Snake>,
    /// Parts of snakes by length, with the room around them once it was counted.
    parts: Vec<(Part, Option<Room>)>,
    /// How many stages of snakes were made.
    stage: usize,
}

/// The first steps of a snake.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    length: u32,
    snake: u32,
    /// Whether it is walked the other way.
    back: bool,
}

/// How many cells can be opened around a way: beside it, beside the entrance, further away.
#[derive(Clone, Copy, Default)]
struct Room {
    beside: u32,
    near: u32,
    far: u32,
    /// The most doors that the way has room for.
    doors: u32,
}

impl Known {
    /// The floors of a task's size and ends; what else it asks for does not matter.
    pub(super) fn of(task: &Task) -> Known {
        let cells = task.size.cells() as u32;
        let every = if cells as usize <= MANY { cells } else { 64 };
        let mut lengths: Vec<u32> = (1..every).collect();
        let mut next = every;
        while next < cells {
            lengths.push(next);
            next += next / 10;
        }
        Known {
            frame: <Rows as Board>::frame(task.size),
            ends: [task.entrance, task.exit],
            lengths,
            snakes: Vec::new(),
            parts: Vec::new(),
            stage: 0,
        }
    }

    /// A floor that has room for all that `task` asks for and ends at one of `exits`.
    pub(super) fn find(&mut self, task: &Task, exits: &mut dyn Exits) -> Option<Safe> {
        let mut at = 0;
        loop {
            while at < self.parts.len() {
                if let Some(safe) = self.try_part(at, task, exits) {
                    return Some(safe);
                }
                at += 1;
            }
            if !self.add_stage(exits) {
                return None;
            }
        }
    }

    /// A floor with many doors beside much room: ways that are close together at first, and further apart then.
    pub(super) fn find_mixed(task: &Task, exits: &mut dyn Exits) -> Option<Safe> {
        let mut known = Known::of(task);
        let (from, to) = match known.ends {
            [Some(entrance), exit] => (Some(entrance), exit.map(|exit| known.frame.cell(exit))),
            [None, exit] => (exit, None),
        };
        let back = known.ends[0].is_none() && from.is_some();
        let doors = task.count(Budget::Door);
        let sides = [task.size.width, task.size.height].map(u32::from);
        let mut rows: Vec<u32> =
            sides.iter().flat_map(|side| [0, 1].map(|more| 2 * doors / (side - 1) + more)).collect();
        rows.sort_unstable();
        rows.dedup();
        for (close, gap) in rows.into_iter().flat_map(|close| [(close as u16, 4), (close as u16, 3)]) {
            for mut snake in snakes::mixed(&known.frame, close, gap, from) {
                if let Some(end) = to.map(|to| snake.iter().position(|&cell| cell == to)) {
                    snake.truncate(end.map_or(0, |end| end + 1));
                }
                let whole = (snake.len() as u32).saturating_sub(1);
                let least = task.min_path.max(2 * doors + 2).max(task.count(Budget::Chest) / 2).max(1);
                if whole < least {
                    continue;
                }
                known.snakes.push(snake);
                let number = known.snakes.len() as u32 - 1;
                let shares = if to.is_some() { 4..=4 } else { 0..=4 };
                for share in shares {
                    let length = least + (whole - least) * share / 4;
                    known.parts.push((Part { length, snake: number, back }, None));
                    let safe = known.try_part(known.parts.len() - 1, task, exits);
                    if safe.is_some() {
                        return safe;
                    }
                }
            }
        }
        None
    }

    /// Some floors with ways as long as `task` asks for and all the doors that they have room for, whatever else they lack.
    pub(super) fn sketches(&self, task: &Task) -> Vec<Safe> {
        let least = task.min_path.max((2 * task.count(Budget::Door)).min(task.size.cells() as u32 / 3) + 1);
        let long: Vec<Part> =
            self.parts.iter().map(|part| part.0).filter(|part| part.length >= least).collect();
        let step = (long.len() / SKETCHES).max(1);
        let sketch = |part: Part| {
            let way = self.way(part);
            let around = Around::of(&self.frame, &way);
            let bare = around.corridor(task.count(Budget::Door)).last().map_or(0, |&step| step + 1);
            let room = task.most_open().saturating_sub(part.length + 1) as usize;
            let set = |cells: &mut dyn Iterator<Item = u16>| {
                BitGrid::of(task.size, cells.map(|cell| self.frame.pos(cell)))
            };
            Safe {
                entrance: self.frame.pos(way[0]),
                exit: self.frame.pos(way[part.length as usize]),
                open: set(&mut way.iter().copied().chain(around.opened(bare).into_iter().take(room))),
                way: set(&mut way.iter().copied()),
                doors: BitGrid::new(task.size),
            }
        };
        long.into_iter().step_by(step).take(SKETCHES).map(sketch).collect()
    }

    /// Makes further snakes; false if there are no more.
    fn add_stage(&mut self, exits: &dyn Exits) -> bool {
        let (stage, gaps) = (self.stage, snakes::gaps());
        if stage > gaps {
            return false;
        }
        self.stage += 1;
        let [entrance, exit] = self.ends;
        let first = self.snakes.len();
        // A way to the exit is one from the exit, walked the other way.
        let (from, to) = if entrance.is_some() { (entrance, exit) } else { (exit, None) };
        let back = entrance.is_none() && exit.is_some();
        if stage < gaps {
            self.snakes.extend(snakes::serpentines(&self.frame, stage, from));
            if let Some(to) = to.map(|to| self.frame.cell(to)) {
                // With both ends given only the part between them will do.
                for snake in &mut self.snakes[first..] {
                    let end = snake.iter().position(|&cell| cell == to).unwrap_or(0);
                    snake.truncate(end + 1);
                }
            }
        } else {
            for ends in self.pairs(from, to, exits) {
                self.snakes.extend(snakes::arched(&self.frame, ends, &self.lengths));
            }
        }
        let mut parts: Vec<Part> = Vec::new();
        for (snake, cells) in (first as u32..).zip(&self.snakes[first..]) {
            let whole = cells.len() as u32 - 1;
            let shorter = self.lengths.iter().copied().filter(|&length| length < whole && to.is_none());
            let lengths = shorter.chain([whole].into_iter().filter(|&whole| whole > 0));
            parts.extend(lengths.map(|length| Part { length, snake, back }));
        }
        parts.sort_unstable();
        self.parts.extend(parts.into_iter().map(|part| (part, None)));
        true
    }

    /// The ends between which ways are made longer by arches.
    fn pairs(&self, from: Option<Pos>, to: Option<Pos>, exits: &dyn Exits) -> Vec<[Pos; 2]> {
        let size = self.frame.size;
        let (right, bottom) = (size.width - 1, size.height - 1);
        let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)].map(Pos::from);
        let from = from.unwrap_or(corners[0]);
        let mut goals: Vec<Pos> = match (to, exits.few()) {
            (Some(to), _) => vec![to],
            (None, Some(few)) => few.iter().copied().filter(|&pos| size.contains(pos)).take(16).collect(),
            (None, None) => corners.to_vec(),
        };
        if to.is_none() && exits.few().is_none() && size.cells() <= MANY {
            goals.extend(size.iter().step_by(5));
        }
        goals.into_iter().filter(|&to| to != from).map(|to| [from, to]).collect()
    }

    /// The cells of a part from its entrance to its exit.
    fn way(&self, part: Part) -> Vec<u16> {
        let mut way = self.snakes[part.snake as usize][..=part.length as usize].to_vec();
        if part.back {
            way.reverse();
        }
        way
    }

    fn try_part(&mut self, at: usize, task: &Task, exits: &mut dyn Exits) -> Option<Safe> {
        let (part, room) = self.parts[at];
        let things = task.things();
        let doors = task.count(Budget::Door);
        let (most, guarded) = (task.most_open(), task.guards_path());
        let length = part.length;
        if length < task.min_path
            || length + 1 > most
            || (doors > 0 && 2 * doors + u32::from(MIN_GUARDED) > length + 1)
            || things.chests > 2 * (length + 1) + 2
            || length + 1 + things.chests + things.traps > most
        {
            return None;
        }
        let mut way = None;
        let room = room.unwrap_or_else(|| {
            let cells = way.insert(self.way(part));
            Around::of(&self.frame, cells).room(0)
        });
        self.parts[at].1 = Some(room);
        // With the doors wherever they are best, as if they closed nothing.
        let mut needs = things;
        needs.others += doors;
        if room.doors < doors || !needs.fit(&room.free(length, 0, false, most, guarded)) {
            return None;
        }
        let way = way.unwrap_or_else(|| self.way(part));
        let exit = self.frame.pos(way[length as usize]);
        let around = Around::of(&self.frame, &way);
        let corridor = around.corridor(doors);
        let first = doors > 0 && corridor.first().is_some_and(|&step| step == 1);
        let bare = corridor.last().map_or(0, |&step| step + 1);
        let room = around.room(bare);
        if !things.fit(&room.free(length, doors, first, most, guarded)) || !exits.accept(exit) {
            return None;
        }
        // As open as asked for, and as much more as things need.
        let wanted = task.open.saturating_sub(length + 1);
        let all = room.beside + room.near + room.far;
        let count = (wanted..=all)
            .find(|&count| things.fit(&room.free(length, doors, first, length + 1 + count, guarded)))
            .unwrap_or(all)
            .min(most - length - 1);
        let set = |cells: &mut dyn Iterator<Item = u16>| {
            BitGrid::of(task.size, cells.map(|cell| self.frame.pos(cell)))
        };
        Some(Safe {
            entrance: self.frame.pos(way[0]),
            exit,
            open: set(&mut way.iter().copied().chain(around.opened(bare).into_iter().take(count as usize))),
            way: set(&mut way.iter().copied()),
            doors: set(&mut corridor.iter().map(|&step| way[step as usize])),
        })
    }
}

impl Room {
    /// Free tiles by class if at most `most` tiles are open, those beside the way first: they have room for anything. `first` says
    /// whether a door stands on the first step, `guarded` whether no enemy stands on the way.
    fn free(&self, length: u32, doors: u32, first: bool, most: u32, guarded: bool) -> [u32; 5] {
        let mut left = most.saturating_sub(length + 1);
        let mut take = |count: u32| {
            let taken = count.min(left);
            left -= taken;
            taken
        };
        let (beside, near, far) = (take(self.beside), take(self.near), take(self.far));
        let step = u32::from(length > 1);
        let (on, steps) = (length - 1 - step, step - u32::from(first));
        let on = on - (doors - u32::from(first)).min(on);
        match guarded {
            true => [near, beside, far, steps + on, 0],
            false => [near, beside, far, steps, on],
        }
    }
}

/// What can be opened around one way.
struct Around<'a> {
    frame: &'a Frame,
    way: &'a [u16],
    /// The step of each cell of the way, from 1; 0 off it.
    steps: Vec<u16>,
    /// The cells that can be open besides the way: beside it, beside the entrance, further away; each after one that it hangs on.
    cells: Vec<u16>,
    parts: [usize; 2],
}

impl Around<'_> {
    fn of<'a>(frame: &'a Frame, way: &'a [u16]) -> Around<'a> {
        let mut steps = vec![0_u16; frame.span()];
        (1..).zip(way).for_each(|(step, &cell)| steps[usize::from(cell)] = step);
        // Marks of open cells; neighbours' marks never differ by more than one, so no way is shorter than this one. A way that goes
        // straight for the exit is shortest whatever is open.
        let [entrance, exit] = [way[0], way[way.len() - 1]].map(|cell| frame.pos(cell));
        let bound = entrance.taxi_distance(exit) as usize + 1 < way.len();
        let mut marks = steps.clone();
        let mut cells: Vec<u16> = Vec::new();
        let mut at = 0;
        let mut closed = vec![false; frame.span()];
        while at < way.len() + cells.len() {
            let here = if at < way.len() { way[at] } else { cells[at - way.len()] };
            at += 1;
            for &cell in frame.neighbours(here) {
                if marks[usize::from(cell)] != 0 || closed[usize::from(cell)] {
                    continue;
                }
                let beside = frame.neighbours(cell).iter().map(|&cell| marks[usize::from(cell)]);
                let (mut low, mut high) = (u16::MAX, 0);
                beside.filter(|&mark| mark != 0).for_each(|mark| {
                    (low, high) = (low.min(mark), high.max(mark));
                });
                if bound && high > low + 2 {
                    closed[usize::from(cell)] = true;
                    continue;
                }
                marks[usize::from(cell)] = (low + high) / 2;
                cells.push(cell);
            }
        }
        let class = |cell: u16| {
            let on = |&&beside: &&u16| steps[usize::from(beside)] != 0;
            let mut ways = frame.neighbours(cell).iter().filter(on).peekable();
            match (ways.peek().is_some(), ways.any(|&beside| beside == way[0])) {
                (false, _) => 2,
                (true, near) => u8::from(near),
            }
        };
        cells.sort_by_key(|&cell| class(cell));
        let parts = [1, 2].map(|limit| cells.partition_point(|&cell| class(cell) < limit));
        Around { frame, way, steps, cells, parts }
    }

    /// The steps of the first doors that the way has room for: apart from each other, and with enough of the way behind them.
    fn corridor(&self, doors: u32) -> Vec<u32> {
        let behind = u32::from(MIN_GUARDED) + 1;
        let mut steps: Vec<u32> = Vec::new();
        for step in 1..=(self.way.len() as u32).saturating_sub(behind) {
            if steps.len() == doors as usize {
                break;
            }
            if steps.last().is_none_or(|&last| last + 1 < step) && self.is_straight(step) {
                steps.push(step);
            }
        }
        steps
    }

    fn is_straight(&self, step: u32) -> bool {
        let step = step as usize;
        let [a, b] = [self.way[step - 1], self.way[step + 1]].map(|cell| self.frame.pos(cell));
        a.x == b.x || a.y == b.y
    }

    /// What is opened if the first `bare` cells of the way are a corridor.
    fn opened(&self, bare: u32) -> Vec<u16> {
        self.keep(bare).0
    }

    fn room(&self, bare: u32) -> Room {
        let [beside, near, far] = self.keep(bare).1;
        Room { beside, near, far, doors: self.corridor(u32::MAX).len() as u32 }
    }

    /// The cells that stay, and how many of each part: not beside the corridor, and on one that stays or on the rest of the way.
    fn keep(&self, bare: u32) -> (Vec<u16>, [u32; 3]) {
        let mut open = vec![false; self.frame.span()];
        self.way.iter().skip(bare as usize).for_each(|&cell| open[usize::from(cell)] = true);
        let (mut kept, mut counts) = (Vec::with_capacity(self.cells.len()), [0; 3]);
        for (at, &cell) in self.cells.iter().enumerate() {
            let beside = self.frame.neighbours(cell);
            let step = |&cell: &u16| u32::from(self.steps[usize::from(cell)]);
            let corridor = beside.iter().map(step).any(|step| step != 0 && step <= bare);
            if !corridor && beside.iter().any(|&cell| open[usize::from(cell)]) {
                open[usize::from(cell)] = true;
                kept.push(cell);
                counts[self.parts.iter().filter(|&&part| at >= part).count()] += 1;
            }
        }
        (kept, counts)
    }
}
