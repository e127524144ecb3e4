//! Constructive search: serpentines (boustrophedon paths) along rows or columns, and all the room around each.
//!
//! The list of paths depends on the size and the ends only, so it is monotone: a task with less has a layout where one with
//! more has. Around a path every cell is opened that keeps it a shortest one. Doors stand in a *corridor*, the first steps of
//! the path, beside which nothing is opened: the longer it is, the more doors and the less room.

use super::Fallback;
use crate::board::{Board, Frame, Rows};
use crate::choke::MIN_GUARDED;
use crate::config::Budget;
use crate::draft::Shape;
use crate::task::{Exits, Task};
use wayforge_core::grid::{Pos, Size, Symmetry};

/// Up to this many cells paths of every length are tried; beyond, lengths grow by a tenth.
const MANY: usize = 128;

/// Rows of a serpentine are this far apart: close together for length, further apart for room between them.
const GAPS: [u16; 2] = [2, 4];

/// The paths of one size with given ends, built gap by gap when needed.
pub(super) struct Constructive {
    frame: Frame,
    ends: [Option<Pos>; 2],
    /// The lengths that ways are looked at in; all of them where floors are small.
    lengths: Vec<u32>,
    paths: Vec<Vec<u16>>,
    /// Parts of paths by length, with the room around them once it was counted.
    parts: Vec<(Part, Option<Room>)>,
    /// How many of [`GAPS`] were used.
    stage: usize,
}

/// The first steps of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    length: u32,
    path: u32,
    /// Whether it is walked backwards.
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

impl Constructive {
    /// The paths of a task's size and ends; what else it asks for does not matter.
    pub(super) fn of(task: &Task) -> Constructive {
        let cells = task.size.cells() as u32;
        let every = if cells as usize <= MANY { cells } else { 64 };
        let growing = std::iter::successors(Some(every), |length| Some(length + length / 10));
        let lengths = (1..every).chain(growing.take_while(|&length| length < cells)).collect();
        Constructive {
            frame: <Rows as Board>::frame(task.size),
            ends: [task.entrance, task.exit],
            lengths,
            paths: Vec::new(),
            parts: Vec::new(),
            stage: 0,
        }
    }

    /// A floor that has room for all that `task` asks for and ends at one of `exits`.
    pub(super) fn find(&mut self, task: &Task, exits: &mut dyn Exits) -> Option<Fallback> {
        let mut at = 0;
        while at < self.parts.len() || self.add_stage() {
            let found = (at..self.parts.len()).find_map(|at| self.try_part(at, task, exits));
            if found.is_some() {
                return found;
            }
            at = self.parts.len();
        }
        None
    }

    /// Adds the paths of the next gap; false if there are no more.
    fn add_stage(&mut self) -> bool {
        let Some(&gap) = GAPS.get(self.stage) else { return false };
        self.stage += 1;
        let [entrance, exit] = self.ends;
        // A path to the exit is one from the exit, walked backwards.
        let (from, to) = if entrance.is_some() { (entrance, exit) } else { (exit, None) };
        let back = entrance.is_none() && exit.is_some();
        let first = self.paths.len();
        self.paths.extend(serpentines(&self.frame, gap, from));
        if let Some(to) = to.map(|to| self.frame.cell(to)) {
            // With both ends given only the part between them will do.
            for path in &mut self.paths[first..] {
                let end = path.iter().position(|&cell| cell == to).unwrap_or(0);
                path.truncate(end + 1);
            }
        }
        let mut parts: Vec<Part> = Vec::new();
        for (path, cells) in (first as u32..).zip(&self.paths[first..]) {
            let whole = cells.len() as u32 - 1;
            let shorter = self.lengths.iter().copied().filter(|&length| length < whole && to.is_none());
            let lengths = shorter.chain([whole].into_iter().filter(|&whole| whole > 0));
            parts.extend(lengths.map(|length| Part { length, path, back }));
        }
        parts.sort_unstable();
        self.parts.extend(parts.into_iter().map(|part| (part, None)));
        true
    }

    /// The cells of a part from its entrance to its exit.
    fn way(&self, part: Part) -> Vec<u16> {
        let mut way = self.paths[part.path as usize][..=part.length as usize].to_vec();
        if part.back {
            way.reverse();
        }
        way
    }

    fn try_part(&mut self, at: usize, task: &Task, exits: &mut dyn Exits) -> Option<Fallback> {
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
        let way = self.way(part);
        let room = room.unwrap_or_else(|| Around::of(&self.frame, &way).room(0).1);
        self.parts[at].1 = Some(room);
        // With the doors wherever they are best, as if they closed nothing.
        let mut needs = things;
        needs.others += doors;
        if room.doors < doors || !needs.fit(&room.free(length, 0, false, most, guarded)) {
            return None;
        }
        let exit = way[length as usize];
        let around = Around::of(&self.frame, &way);
        let corridor = around.corridor(doors);
        let first = doors > 0 && corridor.first().is_some_and(|&step| step == 1);
        let bare = corridor.last().map_or(0, |&step| step + 1);
        let (opened, room) = around.room(bare);
        if !things.fit(&room.free(length, doors, first, most, guarded)) || !exits.accept(self.frame.pos(exit))
        {
            return None;
        }
        // As open as asked for, and as much more as things need.
        let wanted = task.open.saturating_sub(length + 1);
        let all = room.beside + room.near + room.far;
        let count = (wanted..=all)
            .find(|&count| things.fit(&room.free(length, doors, first, length + 1 + count, guarded)))
            .unwrap_or(all)
            .min(most - length - 1);
        let set = |cells: &[u16]| Rows::collect(&self.frame, cells.iter().copied());
        let doors: Vec<u16> = corridor.iter().map(|&step| way[step as usize]).collect();
        let on_way = set(&way);
        let open = on_way.or(&set(&opened[..count as usize]));
        Some(Fallback::of(&self.frame, &Shape { open, on_way, entrance: way[0], exit }, &set(&doors)))
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
    /// The cells that can be open besides the way, by class: beside it (0), beside the entrance (1), further away (2); each
    /// after one that it hangs on.
    cells: Vec<(usize, u16)>,
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
        let class = |cell: u16| {
            let beside = frame.neighbours(cell);
            let on_way = beside.iter().any(|&beside| steps[usize::from(beside)] != 0);
            if on_way { usize::from(beside.contains(&way[0])) } else { 2 }
        };
        let mut cells: Vec<(usize, u16)> = Vec::new();
        let mut at = 0;
        let mut closed = vec![false; frame.span()];
        while at < way.len() + cells.len() {
            let here = if at < way.len() { way[at] } else { cells[at - way.len()].1 };
            at += 1;
            for &cell in frame.neighbours(here) {
                if marks[usize::from(cell)] != 0 || closed[usize::from(cell)] {
                    continue;
                }
                let beside = frame.neighbours(cell).iter().map(|&cell| marks[usize::from(cell)]);
                let beside = beside.filter(|&mark| mark != 0);
                let (low, high) =
                    beside.fold((u16::MAX, 0), |(low, high), mark| (low.min(mark), high.max(mark)));
                if bound && high > low + 2 {
                    closed[usize::from(cell)] = true;
                    continue;
                }
                marks[usize::from(cell)] = (low + high) / 2;
                cells.push((class(cell), cell));
            }
        }
        cells.sort_by_key(|&(class, _)| class);
        Around { frame, way, steps, cells }
    }

    /// The steps of the first doors that the way has room for: apart from each other, and with enough of the way behind them.
    fn corridor(&self, doors: u32) -> Vec<u32> {
        let behind = usize::from(MIN_GUARDED) + 1;
        let mut steps: Vec<u32> = Vec::new();
        for step in 1..=self.way.len().saturating_sub(behind) {
            if steps.len() == doors as usize {
                break;
            }
            let [a, b] = [self.way[step - 1], self.way[step + 1]].map(|cell| self.frame.pos(cell));
            if steps.last().is_none_or(|&last| last as usize + 1 < step) && (a.x == b.x || a.y == b.y) {
                steps.push(step as u32);
            }
        }
        steps
    }

    /// The cells that are opened if the first `bare` cells of the path are a corridor: not beside it, and beside an open cell
    /// or the rest of the path.
    fn room(&self, bare: u32) -> (Vec<u16>, Room) {
        let mut open = vec![false; self.frame.span()];
        self.way.iter().skip(bare as usize).for_each(|&cell| open[usize::from(cell)] = true);
        let (mut kept, mut counts) = (Vec::with_capacity(self.cells.len()), [0; 3]);
        for &(class, cell) in &self.cells {
            let beside = self.frame.neighbours(cell);
            let step = |&cell: &u16| u32::from(self.steps[usize::from(cell)]);
            let corridor = beside.iter().map(step).any(|step| step != 0 && step <= bare);
            if !corridor && beside.iter().any(|&cell| open[usize::from(cell)]) {
                open[usize::from(cell)] = true;
                kept.push(cell);
                counts[class] += 1;
            }
        }
        let [beside, near, far] = counts;
        (kept, Room { beside, near, far, doors: self.corridor(u32::MAX).len() as u32 })
    }
}

/// Paths to and fro over the whole grid with rows `gap` apart, in all orientations. With `end`, those that pass it begin there.
/// No two cells of a path are neighbours except consecutive ones.
///
/// # Complexity
/// O(cells) for each path.
fn serpentines(frame: &Frame, gap: u16, end: Option<Pos>) -> Vec<Vec<u16>> {
    let mut paths: Vec<Vec<u16>> = Vec::new();
    let end = end.map(|end| frame.cell(end));
    let firsts = if end.is_some() { gap } else { 2 };
    for symmetry in Symmetry::ALL {
        // The grid that is this one when it is turned.
        let flat = symmetry.size(frame.size);
        for first in 0..firsts.min(flat.height) {
            let path = serpentine(flat, first, gap).map(|pos| frame.cell(symmetry.apply(pos, flat)));
            let whole: Vec<u16> = path.collect();
            match end.map(|end| whole.iter().position(|&cell| cell == end)) {
                None => paths.push(whole),
                Some(None) => {}
                Some(Some(at)) => {
                    paths.extend([whole[at..].to_vec(), whole[..=at].iter().rev().copied().collect()]);
                }
            }
        }
    }
    paths.retain(|path| path.len() > 1);
    paths.sort();
    paths.dedup();
    paths
}

/// Along every `gap`th row to the right and to the left in turn, and down between them; after the last row as if another
/// followed.
fn serpentine(size: Size, first: u16, gap: u16) -> impl Iterator<Item = Pos> {
    let Size { width, height } = size;
    (first..height).step_by(gap.into()).enumerate().flat_map(move |(n, y)| {
        let at = move |x: u16| if n % 2 == 0 { x } else { width - 1 - x };
        let row = (0..width).map(move |x| Pos { x: at(x), y });
        let down = (y + 1..(y + gap).min(height)).map(move |y| Pos { x: at(width - 1), y });
        row.chain(down)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge_core::grid::Size;

    fn assert_taut(frame: &Frame, path: &[u16]) {
        for (i, &a) in path.iter().enumerate() {
            for (j, &b) in path.iter().enumerate().skip(i + 1) {
                let apart = frame.pos(a).taxi_distance(frame.pos(b));
                assert_eq!(apart == 1, j == i + 1, "{:?} {:?}", frame.pos(a), frame.pos(b));
                assert_ne!(apart, 0);
            }
        }
    }

    #[test]
    fn serpentines_are_shortest_paths_and_long() {
        for size in [Size::new(6, 5), Size::new(7, 7), Size::new(3, 20), Size::new(17, 12)] {
            let frame = <Rows as Board>::frame(size);
            for gap in GAPS {
                for end in [None, Some(Pos::new(0, 0)), Some(Pos::new(2, 1)), Some(Pos::new(1, 4))] {
                    let paths = serpentines(&frame, gap, end);
                    assert!(!paths.is_empty(), "{size} {gap} {end:?}");
                    for path in paths {
                        assert_taut(&frame, &path);
                        assert!(end.is_none_or(|end| frame.pos(path[0]) == end));
                    }
                }
            }
            let longest = serpentines(&frame, 2, None).iter().map(Vec::len).max().unwrap();
            assert!(longest >= size.cells() / 2, "{size}: {longest}");
        }
    }
}
