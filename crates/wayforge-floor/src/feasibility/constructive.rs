//! Constructive search: serpentine (boustrophedon) paths, with as many open cells around each as
//! possible.
//!
//! The list of paths depends only on the size and the ends, so the search is monotone: if it finds
//! a layout for a task, it finds one for any smaller task. Around a path, it opens every cell that
//! leaves the path a shortest one. Doors are placed in a *corridor*: the first steps of the path,
//! beside which no cell is opened. A longer corridor has room for more doors but leaves fewer open
//! cells.

use super::Fallback;
use crate::cell_set::{CellSet, GridShape, RowSet};
use crate::choke::MIN_GUARDED;
use crate::config::Budget;
use crate::draft::Layout;
use crate::task::{Exits, Task};
use wayforge_core::grid::{Pos, Size, Symmetry};

/// Maximum number of cells of a grid on which every path length is tried. On larger grids, lengths
/// above 64 grow by a tenth.
const MAX_CELLS_ALL_LENGTHS: usize = 128;

/// Distances between the rows of a serpentine: small for long paths, large for more open cells
/// between rows.
const GAPS: [u16; 2] = [2, 4];

/// The paths of one grid size with given ends, built gap by gap on demand.
pub(super) struct Constructive {
    shape: GridShape,
    ends: [Option<Pos>; 2],
    /// Path lengths to try.
    lengths: Vec<u32>,
    paths: Vec<Vec<u16>>,
    /// Prefixes of the paths, sorted by length within each gap. The room around a prefix is counted
    /// on demand.
    prefixes: Vec<(Prefix, Option<RoomCounts>)>,
    /// Number of [`GAPS`] whose paths are built.
    gaps_used: usize,
}

/// The first `length` steps of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Prefix {
    length: u32,
    path: u32,
    /// Whether entrance and exit are swapped: the entrance is the last cell of the prefix.
    reversed: bool,
}

/// Number of cells that can be opened around a path.
#[derive(Clone, Copy, Default)]
struct RoomCounts {
    /// Cells beside the path, but not beside the entrance.
    beside_path: u32,
    beside_entrance: u32,
    elsewhere: u32,
    /// Maximum number of doors on the path.
    doors: u32,
}

impl Constructive {
    /// Creates a search for a task's size and ends. The other constraints do not matter.
    pub(super) fn new(task: &Task) -> Constructive {
        let cells = task.size.cells() as u32;
        // Every length below this one is tried.
        let limit = if cells as usize <= MAX_CELLS_ALL_LENGTHS { cells } else { 64 };
        let growing = std::iter::successors(Some(limit), |length| Some(length + length / 10));
        let lengths = (1..limit).chain(growing.take_while(|&length| length < cells)).collect();
        Constructive {
            shape: <RowSet as CellSet>::shape(task.size),
            ends: [task.entrance, task.exit],
            lengths,
            paths: Vec::new(),
            prefixes: Vec::new(),
            gaps_used: 0,
        }
    }

    /// Finds a layout with room for the objects of `task` whose path ends at one of `exits`.
    pub(super) fn find(&mut self, task: &Task, exits: &mut dyn Exits) -> Option<Fallback> {
        let mut tried = 0;
        while tried < self.prefixes.len() || self.add_next_gap() {
            let found =
                (tried..self.prefixes.len()).find_map(|index| self.try_prefix(index, task, exits));
            if found.is_some() {
                return found;
            }
            tried = self.prefixes.len();
        }
        None
    }

    /// Adds the paths of the next gap. Returns false if there are no more.
    fn add_next_gap(&mut self) -> bool {
        let Some(&gap) = GAPS.get(self.gaps_used) else { return false };
        self.gaps_used += 1;
        let [entrance, exit] = self.ends;
        // A path to a given exit is the reverse of a path from it.
        let (from, to) = if entrance.is_some() { (entrance, exit) } else { (exit, None) };
        let reversed = entrance.is_none() && exit.is_some();
        let first = self.paths.len();
        self.paths.extend(serpentines(&self.shape, gap, from));
        if let Some(to) = to.map(|to| self.shape.cell(to)) {
            // If both ends are given, only the part between them is usable.
            for path in &mut self.paths[first..] {
                let end = path.iter().position(|&cell| cell == to).unwrap_or(0);
                path.truncate(end + 1);
            }
        }
        let mut prefixes: Vec<Prefix> = Vec::new();
        for (path, cells) in (first as u32..).zip(&self.paths[first..]) {
            let full_length = cells.len() as u32 - 1;
            let shorter =
                self.lengths.iter().copied().filter(|&length| length < full_length && to.is_none());
            let lengths = shorter.chain([full_length].into_iter().filter(|&length| length > 0));
            prefixes.extend(lengths.map(|length| Prefix { length, path, reversed }));
        }
        prefixes.sort_unstable();
        self.prefixes.extend(prefixes.into_iter().map(|prefix| (prefix, None)));
        true
    }

    /// Returns the cells of a prefix from entrance to exit.
    fn path_cells(&self, prefix: Prefix) -> Vec<u16> {
        let mut path = self.paths[prefix.path as usize][..=prefix.length as usize].to_vec();
        if prefix.reversed {
            path.reverse();
        }
        path
    }

    fn try_prefix(&mut self, index: usize, task: &Task, exits: &mut dyn Exits) -> Option<Fallback> {
        let (prefix, room) = self.prefixes[index];
        let objects = task.objects();
        let doors = task.count(Budget::Door);
        let (max_open, path_is_safe) = (task.max_open(), task.keeps_path_safe());
        let length = prefix.length;
        if length < task.min_path_length
            || length + 1 > max_open
            || (doors > 0 && 2 * doors + u32::from(MIN_GUARDED) > length + 1)
            || objects.chests > 2 * (length + 1) + 2
            || length + 1 + objects.chests + objects.traps > max_open
        {
            return None;
        }
        let path = self.path_cells(prefix);
        let room = room.unwrap_or_else(|| Surroundings::new(&self.shape, &path).room(0).1);
        self.prefixes[index].1 = Some(room);
        // Quick check: assume that doors need no corridor and fit on any tile.
        let mut with_doors = objects;
        with_doors.others += doors;
        if room.doors < doors
            || !with_doors.fit_into(&room.free(length, 0, false, max_open, path_is_safe))
        {
            return None;
        }
        let exit = path[length as usize];
        let surroundings = Surroundings::new(&self.shape, &path);
        let door_steps = surroundings.door_steps(doors);
        let door_on_first_step = doors > 0 && door_steps.first().is_some_and(|&step| step == 1);
        let corridor_len = door_steps.last().map_or(0, |&step| step + 1);
        let (opened, room) = surroundings.room(corridor_len);
        if !objects.fit_into(&room.free(length, doors, door_on_first_step, max_open, path_is_safe))
            || !exits.accepts(self.shape.pos(exit))
        {
            return None;
        }
        // Open the requested number of cells, and more if the objects need them.
        let requested = task.open.saturating_sub(length + 1);
        let all = room.beside_path + room.beside_entrance + room.elsewhere;
        let count = (requested..=all)
            .find(|&count| {
                objects.fit_into(&room.free(
                    length,
                    doors,
                    door_on_first_step,
                    length + 1 + count,
                    path_is_safe,
                ))
            })
            .unwrap_or(all)
            .min(max_open - length - 1);
        let set = |cells: &[u16]| RowSet::from_cells(&self.shape, cells.iter().copied());
        let doors: Vec<u16> = door_steps.iter().map(|&step| path[step as usize]).collect();
        let on_path = set(&path);
        let open = on_path.or(&set(&opened[..count as usize]));
        Some(Fallback::new(
            &self.shape,
            &Layout { open, on_path, entrance: path[0], exit },
            &set(&doors),
        ))
    }
}

impl RoomCounts {
    /// Returns the free tiles by class if at most `max_open` tiles are open.
    ///
    /// Tiles beside the path are opened first, because every object fits there.
    fn free(
        &self,
        length: u32,
        doors: u32,
        door_on_first_step: bool,
        max_open: u32,
        path_is_safe: bool,
    ) -> [u32; 5] {
        let mut left = max_open.saturating_sub(length + 1);
        let mut take = |count: u32| {
            let count = count.min(left);
            left -= count;
            count
        };
        let beside_path = take(self.beside_path);
        let (beside_entrance, elsewhere) = (take(self.beside_entrance), take(self.elsewhere));
        let has_first_step = u32::from(length > 1);
        let first_step = has_first_step - u32::from(door_on_first_step);
        let on_path = length - 1 - has_first_step;
        let on_path = on_path - (doors - u32::from(door_on_first_step)).min(on_path);
        if path_is_safe {
            [beside_entrance, beside_path, elsewhere, first_step + on_path, 0]
        } else {
            [beside_entrance, beside_path, elsewhere, first_step, on_path]
        }
    }
}

/// Cells that can be opened around one path.
struct Surroundings<'a> {
    shape: &'a GridShape,
    path: &'a [u16],
    /// Index of each path cell, from 1; 0 for cells off the path.
    steps: Vec<u16>,
    /// Cells off the path that can be open, with their class: beside the path (0), beside the
    /// entrance (1), elsewhere (2). Within a class, cells are in BFS order.
    cells: Vec<(usize, u16)>,
}

impl Surroundings<'_> {
    fn new<'a>(shape: &'a GridShape, path: &'a [u16]) -> Surroundings<'a> {
        let mut steps = vec![0_u16; shape.array_len()];
        (1..).zip(path).for_each(|(step, &cell)| steps[usize::from(cell)] = step);
        // Potentials of neighbours differ by at most 1, so no path is shorter than this one. If the
        // path is as short as the Manhattan distance, no potentials are needed.
        let [entrance, exit] = [path[0], path[path.len() - 1]].map(|cell| shape.pos(cell));
        let has_potentials = entrance.manhattan_distance(exit) as usize + 1 < path.len();
        let mut potentials = steps.clone();
        let class = |cell: u16| {
            let neighbours = shape.neighbours(cell);
            let beside_path = neighbours.iter().any(|&next| steps[usize::from(next)] != 0);
            if beside_path { usize::from(neighbours.contains(&path[0])) } else { 2 }
        };
        let mut cells: Vec<(usize, u16)> = Vec::new();
        let mut head = 0;
        let mut closed = vec![false; shape.array_len()];
        while head < path.len() + cells.len() {
            let current = if head < path.len() { path[head] } else { cells[head - path.len()].1 };
            head += 1;
            for &cell in shape.neighbours(current) {
                if potentials[usize::from(cell)] != 0 || closed[usize::from(cell)] {
                    continue;
                }
                let (low, high) = shape
                    .neighbours(cell)
                    .iter()
                    .map(|&next| potentials[usize::from(next)])
                    .filter(|&potential| potential != 0)
                    .fold((u16::MAX, 0), |(low, high), potential| {
                        (low.min(potential), high.max(potential))
                    });
                if has_potentials && high > low + 2 {
                    closed[usize::from(cell)] = true;
                    continue;
                }
                potentials[usize::from(cell)] = (low + high) / 2;
                cells.push((class(cell), cell));
            }
        }
        cells.sort_by_key(|&(class, _)| class);
        Surroundings { shape, path, steps, cells }
    }

    /// Returns the first `doors` path indices where doors can be placed.
    ///
    /// Doors are on straight steps, are not neighbours, and have enough path cells behind them.
    fn door_steps(&self, doors: u32) -> Vec<u32> {
        let cells_behind = usize::from(MIN_GUARDED) + 1;
        let mut steps: Vec<u32> = Vec::new();
        for step in 1..=self.path.len().saturating_sub(cells_behind) {
            if steps.len() == doors as usize {
                break;
            }
            let [a, b] =
                [self.path[step - 1], self.path[step + 1]].map(|cell| self.shape.pos(cell));
            if steps.last().is_none_or(|&last| last as usize + 1 < step)
                && (a.x == b.x || a.y == b.y)
            {
                steps.push(step as u32);
            }
        }
        steps
    }

    /// Returns the cells that can be opened if the first `corridor_len` path cells are a corridor.
    ///
    /// Each cell is next to an open cell or the rest of the path, and not next to the corridor.
    fn room(&self, corridor_len: u32) -> (Vec<u16>, RoomCounts) {
        let mut open = vec![false; self.shape.array_len()];
        self.path
            .iter()
            .skip(corridor_len as usize)
            .for_each(|&cell| open[usize::from(cell)] = true);
        let (mut opened, mut counts) = (Vec::with_capacity(self.cells.len()), [0; 3]);
        for &(class, cell) in &self.cells {
            let neighbours = self.shape.neighbours(cell);
            let step = |&cell: &u16| u32::from(self.steps[usize::from(cell)]);
            let beside_corridor =
                neighbours.iter().map(step).any(|step| step != 0 && step <= corridor_len);
            if !beside_corridor && neighbours.iter().any(|&cell| open[usize::from(cell)]) {
                open[usize::from(cell)] = true;
                opened.push(cell);
                counts[class] += 1;
            }
        }
        let [beside_path, beside_entrance, elsewhere] = counts;
        let doors = self.door_steps(u32::MAX).len() as u32;
        (opened, RoomCounts { beside_path, beside_entrance, elsewhere, doors })
    }
}

/// Returns chordless serpentine paths over the whole grid with rows `gap` apart, in all
/// orientations.
///
/// With `end`, returns the two parts of each path that start there.
///
/// # Complexity
/// O(cells) per path.
fn serpentines(shape: &GridShape, gap: u16, end: Option<Pos>) -> Vec<Vec<u16>> {
    let mut paths: Vec<Vec<u16>> = Vec::new();
    let end = end.map(|end| shape.cell(end));
    let firsts = if end.is_some() { gap } else { 2 };
    for symmetry in Symmetry::ALL {
        // The size of the grid before the symmetry is applied.
        let base_size = symmetry.size(shape.size);
        for first in 0..firsts.min(base_size.height) {
            let path = serpentine(base_size, first, gap)
                .map(|pos| shape.cell(symmetry.apply(pos, base_size)));
            let full_path: Vec<u16> = path.collect();
            match end.map(|end| full_path.iter().position(|&cell| cell == end)) {
                None => paths.push(full_path),
                Some(None) => {}
                Some(Some(start)) => {
                    paths.extend([
                        full_path[start..].to_vec(),
                        full_path[..=start].iter().rev().copied().collect(),
                    ]);
                }
            }
        }
    }
    paths.retain(|path| path.len() > 1);
    paths.sort();
    paths.dedup();
    paths
}

/// Returns a path along every `gap`th row, alternately right and left, and down between rows.
///
/// After the last row it continues down to the edge of the grid.
fn serpentine(size: Size, first: u16, gap: u16) -> impl Iterator<Item = Pos> {
    let Size { width, height } = size;
    (first..height).step_by(gap.into()).enumerate().flat_map(move |(n, y)| {
        let column = move |x: u16| if n % 2 == 0 { x } else { width - 1 - x };
        let row = (0..width).map(move |x| Pos { x: column(x), y });
        let down = (y + 1..(y + gap).min(height)).map(move |y| Pos { x: column(width - 1), y });
        row.chain(down)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carve::tests::assert_chordless;
    use wayforge_core::grid::Size;

    #[test]
    fn serpentines_are_chordless_and_long() {
        for size in [Size::new(6, 5), Size::new(7, 7), Size::new(3, 20), Size::new(17, 12)] {
            let shape = <RowSet as CellSet>::shape(size);
            for gap in GAPS {
                for end in [None, Some(Pos::new(0, 0)), Some(Pos::new(2, 1)), Some(Pos::new(1, 4))]
                {
                    let paths = serpentines(&shape, gap, end);
                    assert!(!paths.is_empty(), "{size} {gap} {end:?}");
                    for path in paths {
                        assert_chordless(&shape, &path);
                        assert!(end.is_none_or(|end| shape.pos(path[0]) == end));
                    }
                }
            }
            let longest = serpentines(&shape, 2, None).iter().map(Vec::len).max().unwrap();
            assert!(longest >= size.cells() / 2, "{size}: {longest}");
        }
    }
}
