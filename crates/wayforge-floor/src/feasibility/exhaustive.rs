//! Exhaustive search: backtracking with pruning over all floors of up to 25 cells.
//!
//! Every floor has a shortest path, and a shortest path is chordless. The search enumerates all
//! chordless paths and, around each, all positions of doors. Then it opens every remaining cell,
//! because more open cells only give more room, and looks for a fault: a shorter path, or a path
//! around a door. One cell of a fault must be closed, so the search branches over these cells. It
//! prunes a branch as soon as the remaining cells have too little room.

use super::Fallback;
use crate::cell_set::{CellSet, GridShape, PathScratch};
use crate::choke::MIN_GUARDED;
use crate::config::Budget;
use crate::draft::Layout;
use crate::task::{Exits, ObjectCounts, Safety, Task};
use std::cell::{Cell, RefCell};
use wayforge_core::grid::{Dir, Pos, Size};

/// Maximum number of cells of a grid that is searched.
pub(super) const MAX_CELLS: usize = 25;

/// Node limit of a quick search: about a millisecond.
pub(super) const QUICK_NODES: u64 = 4_000;

/// Width and height, and the limits by number of doors.
pub(super) type DoorLimits = (u16, u16, &'static [(u32, u32)]);

/// Maximum number of open cells, and of chests if nothing else is required, by number of doors.
///
/// More doors than listed are infeasible. The tests recompute the table by search. Tasks with many
/// doors are rejected six times as fast with the table.
#[rustfmt::skip]
pub(super) const DOOR_LIMITS: [DoorLimits; 10] = [
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

/// Finds a layout that has room for all objects and whose path ends at one of `exits`.
///
/// `None` proves infeasibility only if the grid has at most [`MAX_CELLS`] cells and the search
/// visits at most `max_nodes` nodes.
///
/// # Complexity
/// Exponential in the number of cells: usually milliseconds at 5 x 5, about 1 s in the worst case.
pub(super) fn find(task: &Task, max_nodes: u64, exits: &mut dyn Exits) -> Option<Fallback> {
    let (max_open, max_chests) = door_limits(task);
    if task.size.cells() > MAX_CELLS
        || task.min_open() > max_open
        || task.count(Budget::Chest) > max_chests
    {
        return None;
    }
    search_all(task, max_open, max_nodes, exits)
}

/// Searches like [`find`], without the table of door limits. At most `max_open` cells may be open.
fn search_all(
    task: &Task,
    max_open: u32,
    max_nodes: u64,
    exits: &mut dyn Exits,
) -> Option<Fallback> {
    let shape = <u64 as CellSet>::shape(task.size);
    let all = u64::from_positions(&shape, task.size.iter());
    let ends = task
        .size
        .iter()
        .filter(|&pos| task.exit.is_none_or(|exit| pos == exit) && exits.accepts(pos));
    let exits = u64::from_positions(&shape, ends);
    // Symmetric floors are equally feasible. If entrance and exit are free, one entrance per
    // symmetry class is enough.
    let use_symmetry = exits == all && task.entrance.is_none();
    let entrances = task.size.iter().filter(|&pos| match task.entrance {
        Some(entrance) => pos == entrance,
        None => !use_symmetry || is_canonical(task, pos),
    });
    let mut entrances = entrances.map(|entrance| shape.cell(entrance));
    let (nodes_left, path_scratch) = (max_nodes.into(), RefCell::default());
    let mut search =
        Search { shape: &shape, task, all, exits, max_open, nodes_left, found: None, path_scratch };
    entrances.any(|entrance| search.extend_path(&mut vec![entrance], 1 << entrance));
    search.found
}

/// Returns the maximum numbers of open cells and of chests, given the doors and water of a task.
fn door_limits(task: &Task) -> (u32, u32) {
    let Size { width, height } = task.size;
    let (long, short) = (width.max(height), width.min(height));
    let row = DOOR_LIMITS.iter().find(|row| (row.0, row.1) == (long, short));
    let doors = task.count(Budget::Door) as usize;
    let limits =
        row.map_or((u32::MAX, u32::MAX), |row| row.2.get(doors).copied().unwrap_or((0, 0)));
    (limits.0.min(task.max_open()), limits.1)
}

/// Returns whether a cell represents its class under the symmetries of the grid.
fn is_canonical(task: &Task, pos: Pos) -> bool {
    let Size { width, height } = task.size;
    pos.x <= (width - 1) / 2 && pos.y <= (height - 1) / 2 && (width != height || pos.y <= pos.x)
}

/// State of the search.
struct Search<'a> {
    shape: &'a GridShape,
    task: &'a Task,
    all: u64,
    exits: u64,
    /// Maximum number of open cells.
    max_open: u32,
    /// Number of search nodes left.
    nodes_left: Cell<u64>,
    found: Option<Fallback>,
    /// Scratch buffers of [`Search::shortest_path`].
    path_scratch: RefCell<PathScratch>,
}

/// A fixed path and values derived from it.
struct PathContext<'a> {
    layout: Layout<u64>,
    length: u32,
    /// Cells one step from the entrance.
    near: u64,
    /// Alternatives: cells that are allowed for chests, and the part of the path without enemies.
    safe: &'a [(u64, u64)],
}

/// A partially decided floor.
#[derive(Clone, Copy)]
struct PartialFloor {
    /// Cells that may be open.
    allowed: u64,
    /// Cells that must be open.
    required: u64,
    doors: u64,
}

impl Search<'_> {
    /// Enumerates all chordless paths that start with `path`. Returns true if the search is over.
    fn extend_path(&mut self, path: &mut Vec<u16>, closed: u64) -> bool {
        let last = path[path.len() - 1];
        if self.nodes_left.get() == 0 {
            return true;
        }
        // A path longer than this leaves too few closed cells for the water.
        if path.len() > self.task.max_open() as usize {
            return false;
        }
        let neighbours = (1_u64 << last).adjacent(self.shape);
        let reachable = self.all & !closed | 1 << last;
        if path.len() + (reachable.flood_fill(self.shape, last).len() as usize)
            <= self.task.min_path_length as usize + 1
        {
            return false;
        }
        if path.len() > 1
            && path.len() > self.task.min_path_length as usize
            && self.exits.contains(last)
            && self.search_around_path(path)
        {
            return true;
        }
        let mut next = neighbours & !closed;
        while next != 0 {
            path.push(next.trailing_zeros() as u16);
            if self.extend_path(path, closed | neighbours) {
                return true;
            }
            path.pop();
            next &= next - 1;
        }
        false
    }

    /// Searches all floors around one path. Returns true if one is found.
    fn search_around_path(&mut self, path: &[u16]) -> bool {
        let on_path = u64::from_cells(self.shape, path.iter().copied());
        let beside = on_path.adjacent(self.shape) & !on_path;
        let mut allowed = self.all;
        // A cell that touches two path cells more than two steps apart would be a shortcut.
        beside.for_each(|cell| {
            let neighbours = (1_u64 << cell).adjacent(self.shape);
            let joins = |&other: &u16| neighbours.contains(other);
            if path.iter().rposition(joins) > path.iter().position(joins).map(|first| first + 2) {
                allowed &= !(1 << cell);
            }
        });
        let layout =
            Layout { open: on_path, on_path, entrance: path[0], exit: path[path.len() - 1] };
        let near = (1_u64 << path[0]).adjacent(self.shape);
        let whole = [(beside, if self.task.safety == Safety::Route { on_path } else { 0 })];
        let prefixes = path.iter().scan(0, |prefix, &cell| {
            *prefix |= 1_u64 << cell;
            Some((prefix.adjacent(self.shape) & beside, *prefix))
        });
        let prefixes =
            if self.task.safety == Safety::Chests { prefixes.collect() } else { Vec::new() };
        let safe = if prefixes.is_empty() { &whole[..] } else { &prefixes };
        let context = PathContext { layout, length: path.len() as u32 - 1, near, safe };
        let partial = PartialFloor {
            allowed: allowed.flood_fill(self.shape, path[0]),
            required: on_path,
            doors: 0,
        };
        let Some((open, doors)) =
            self.add_doors(&context, partial, self.task.count(Budget::Door), 0)
        else {
            return false;
        };
        self.found = Some(Fallback::new(self.shape, &Layout { open, ..context.layout }, &doors));
        true
    }

    /// Counts one search node. Returns false if the limit is reached.
    fn count_node(&self) -> bool {
        let left = self.nodes_left.get().checked_sub(1);
        self.nodes_left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Branches over the positions of the remaining doors, in cell order from `from`.
    fn add_doors(
        &self,
        context: &PathContext<'_>,
        partial: PartialFloor,
        doors: u32,
        from: u16,
    ) -> Option<(u64, u64)> {
        if !self.count_node() || !self.has_room(context, &partial, doors) {
            return None;
        }
        if doors == 0 {
            return self.resolve_faults(context, partial);
        }
        let Layout { entrance, exit, .. } = context.layout;
        let ends = 1_u64 << entrance | 1 << exit;
        let blocked = partial.doors | partial.doors.adjacent(self.shape);
        let candidates = partial.allowed & !ends & !blocked & (u64::MAX << from);
        let [north, east, south, west] = Dir::STRAIGHT.map(|dir| {
            (
                partial.allowed.shifted(self.shape, dir.opposite()),
                partial.required.shifted(self.shape, dir.opposite()),
            )
        });
        let vertical = candidates & north.0 & south.0 & !east.1 & !west.1;
        let horizontal = candidates & east.0 & west.0 & !north.1 & !south.1;
        let free = partial.allowed & !partial.doors & !ends;
        let spare = free.len().saturating_sub(self.task.objects().count() + doors);
        let mut rest = vertical | horizontal;
        while rest != 0 {
            let door = rest & rest.wrapping_neg();
            rest ^= door;
            let across = door.shifted(self.shape, Dir::East) | door.shifted(self.shape, Dir::West);
            let along = door.adjacent(self.shape) & !across;
            for (fits, open, closed) in [(vertical, along, across), (horizontal, across, along)] {
                if fits & door == 0 || (closed & partial.allowed).len() > spare {
                    continue;
                }
                let next = PartialFloor {
                    allowed: partial.allowed & !closed,
                    required: partial.required | door | open,
                    doors: partial.doors | door,
                };
                let found =
                    self.add_doors(context, next, doors - 1, door.trailing_zeros() as u16 + 1);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Opens all allowed cells, then closes one cell of each fault, by backtracking.
    fn resolve_faults(
        &self,
        context: &PathContext<'_>,
        mut partial: PartialFloor,
    ) -> Option<(u64, u64)> {
        if !self.count_node() {
            return None;
        }
        partial.allowed = partial.allowed.flood_fill(self.shape, context.layout.entrance);
        if partial.required & !partial.allowed != 0 || !self.has_room(context, &partial, 0) {
            return None;
        }
        let Some(fault) = self.find_fault(context, &partial) else {
            return if partial.allowed.len() <= self.task.max_open() {
                Some((partial.allowed, partial.doors))
            } else {
                self.close_for_water(context, partial)
            };
        };
        self.branch_on_closing(context, partial, fault & !partial.required)
    }

    /// Closes each of `cells` in turn. Cells already tried stay open, because closing them failed.
    fn branch_on_closing(
        &self,
        context: &PathContext<'_>,
        mut partial: PartialFloor,
        mut cells: u64,
    ) -> Option<(u64, u64)> {
        while cells != 0 {
            let cell = cells & cells.wrapping_neg();
            cells ^= cell;
            let found = self.resolve_faults(
                context,
                PartialFloor { allowed: partial.allowed & !cell, ..partial },
            );
            if found.is_some() {
                return found;
            }
            partial.required |= cell;
        }
        None
    }

    /// Returns the cells of a path that is too short, or of a path around a door.
    fn find_fault(&self, context: &PathContext<'_>, partial: &PartialFloor) -> Option<u64> {
        let Layout { entrance, exit, .. } = context.layout;
        let path = self.shortest_path(partial.allowed, entrance, exit);
        if path.len() < context.length + 1 {
            return Some(path & !(1 << entrance) & !(1 << exit));
        }
        let mut doors = partial.doors;
        while doors != 0 {
            let door = doors & doors.wrapping_neg();
            doors ^= door;
            let rest = partial.allowed & !door;
            let guarded = (rest & !rest.flood_fill(self.shape, entrance)).len();
            if guarded > 0 && guarded < MIN_GUARDED.into() {
                // Closing cells never enlarges the part behind the door, so the branch fails.
                return Some(0);
            }
            if guarded == 0 {
                let sides = door.adjacent(self.shape) & rest;
                let [first, last] =
                    [sides.trailing_zeros(), 63 - sides.leading_zeros()].map(|side| side as u16);
                return Some(self.shortest_path(rest, first, last));
            }
        }
        None
    }

    /// Returns the cells of a shortest path through `open`, or 0 if there is none.
    fn shortest_path(&self, open: u64, from: u16, to: u16) -> u64 {
        let scratch = &mut *self.path_scratch.borrow_mut();
        let found = open.find_path(self.shape, [from, to], &0, scratch);
        if found { u64::from_cells(self.shape, scratch.path.iter().copied()) } else { 0 }
    }

    /// Branches on closing one cell until enough cells are closed for the water.
    fn close_for_water(
        &self,
        context: &PathContext<'_>,
        partial: PartialFloor,
    ) -> Option<(u64, u64)> {
        let optional = partial.allowed & !partial.required;
        let cell = optional & optional.wrapping_neg();
        if partial.required.len() > self.task.max_open() || cell == 0 {
            return None;
        }
        self.resolve_faults(context, PartialFloor { allowed: partial.allowed & !cell, ..partial })
            .or_else(|| {
                self.resolve_faults(
                    context,
                    PartialFloor { required: partial.required | cell, ..partial },
                )
            })
    }

    /// Returns whether the allowed cells have room for all objects and `doors` further doors.
    fn has_room(&self, context: &PathContext<'_>, partial: &PartialFloor, doors: u32) -> bool {
        let Layout { entrance, exit, on_path, .. } = context.layout;
        let free = partial.allowed & !partial.doors & !(1 << entrance) & !(1 << exit);
        let (on, off) = (free & on_path, free & !on_path);
        let mut objects = self.task.objects();
        objects.others += doors;
        let ObjectCounts { chests, traps, enemies, others } = objects;
        // Maximum number of free tiles off the path.
        let max_free = self.max_open.saturating_sub((on_path | partial.doors).len());
        context.safe.iter().any(|&(beside, safe)| {
            let (beside, remote, enemy_free) = (off & beside, off & !beside, context.near | safe);
            let near = beside & context.near;
            let (enemy_free, rest) = (on & enemy_free, on & !enemy_free);
            let counts = [near, beside & !near, remote, enemy_free, rest].map(|cells| cells.len());
            objects.fit_into(&counts)
                && chests + traps <= max_free
                && chests + traps + enemies <= max_free + counts[4]
                && chests + traps + enemies + others <= max_free + counts[3] + counts[4]
        })
    }
}

#[cfg(test)]
mod tests;
