//! Opens tiles around the carved path without shortening it below the minimum length.
//!
//! If entrance and exit are closer than the minimum length, every open cell has a *potential*.
//! Potentials of neighbours differ by at most 1; the entrance has 0 and the exit has the minimum
//! length. So every path from entrance to exit has at least that many steps. A cell whose open
//! neighbours have potentials more than 2 apart stays closed. This is final, because the potential
//! of an open cell never changes.

use super::cell_set::{CellSet, GridShape};
use super::config::{Budget, OpenMethod};
use super::doors::{DOOR, DoorPlanner};
use super::draft::{Attempt, Draft};
use super::trace::Event;
use wayforge_core::MapRng;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::trace::Tracer;

/// Reusable buffers for opening tiles.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenScratch {
    /// Closed cells next to open ones.
    frontier: Vec<u16>,
    /// Potential of each open cell.
    potentials: Vec<u16>,
    /// Region of each open cell; doors separate regions.
    regions: Vec<u16>,
    /// Cells of dead ends behind doors.
    dead_ends: Vec<u16>,
}

impl<S: CellSet> Draft<S> {
    /// Opens tiles around the carved path until the target is reached or no tile can be opened.
    ///
    /// Returns the number of open cells, or `None` if there is no room for the doors. All open
    /// cells are connected. If the carved path has the minimum length, so has the shortest path.
    /// Every door is a choke point that guards enough tiles.
    ///
    /// # Determinism
    /// Stream `floor.open`.
    pub(super) fn open_space(
        &mut self,
        attempt: &mut Attempt<'_, impl Tracer<Event>>,
    ) -> Option<u32> {
        let Draft { shape, layout, carved_path: path, open_scratch: scratch, placed, .. } = self;
        let (task, rng, tracer) = (attempt.task, &mut attempt.streams.open, &mut *attempt.tracer);
        let (open, doors) = (&mut layout.open, &mut placed[Budget::Door as usize]);
        *doors = S::empty(shape);
        let door_count = task.count(Budget::Door);
        let (has_doors, max_open) = (door_count > 0, task.max_open());
        scratch.dead_ends.clear();
        if has_doors {
            let OpenScratch { regions, dead_ends, .. } = scratch;
            let mut planner =
                DoorPlanner { shape, path, open, doors, regions, dead_ends, max_open, region: 1 };
            if !planner.reserve(door_count, rng) {
                return None;
            }
            scratch.dead_ends.iter().for_each(|&cell| tracer.record(Event::Open(shape.pos(cell))));
        }
        let open_count = (path.len() + scratch.dead_ends.len()) as u32;
        let ends = [path[0], path[path.len() - 1]].map(|cell| shape.pos(cell));
        let has_potentials = ends[0].manhattan_distance(ends[1]) < task.min_path_length;
        if has_potentials {
            set_path_potentials(shape, task.min_path_length, path, &mut scratch.potentials);
            set_dead_end_potentials(shape, open, scratch);
        }
        let mut opener = TileOpener {
            shape,
            open,
            scratch,
            has_potentials,
            has_doors,
            open_count,
            max_open,
            tracer,
        };
        // Objects that fit by number may still not fit by position, so each further attempt opens
        // one more tile.
        let min_open = task.min_open() + attempt.index;
        let target = task.open.max(min_open);
        match task.opening {
            OpenMethod::Density => opener.grow(target, rng),
            OpenMethod::Rooms => {
                opener.add_rooms(target, rng);
                opener.grow(min_open, rng);
            }
        }
        Some(opener.open_count)
    }
}

/// Gives each dead-end cell the potential of the cell it was opened from, its only open neighbour
/// at that time.
fn set_dead_end_potentials<S: CellSet>(shape: &GridShape, open: &S, scratch: &mut OpenScratch) {
    let OpenScratch { potentials, dead_ends, .. } = scratch;
    for (index, &cell) in dead_ends.iter().enumerate() {
        let has_potential = |neighbour: &&u16| {
            open.contains(**neighbour) && !dead_ends[index..].contains(neighbour)
        };
        potentials[usize::from(cell)] = shape
            .neighbours(cell)
            .iter()
            .find(has_potential)
            .map_or(0, |&neighbour| potentials[usize::from(neighbour)]);
    }
}

/// Sets the potentials of the path: they rise evenly from 0 to `min_length`, by 0 or 1 per step.
fn set_path_potentials(
    shape: &GridShape,
    min_length: u32,
    path: &[u16],
    potentials: &mut Vec<u16>,
) {
    potentials.clear();
    potentials.resize(shape.array_len(), 0);
    let steps = (path.len() - 1) as u32;
    for (step, &cell) in (0..).zip(path) {
        potentials[usize::from(cell)] = (step * min_length / steps) as u16;
    }
}

/// Opens tiles and records them.
struct TileOpener<'a, S, T> {
    shape: &'a GridShape,
    open: &'a mut S,
    scratch: &'a mut OpenScratch,
    has_potentials: bool,
    has_doors: bool,
    open_count: u32,
    max_open: u32,
    tracer: &'a mut T,
}

impl<S: CellSet, T: Tracer<Event>> TileOpener<'_, S, T> {
    /// Opens random frontier cells until `target` cells are open or the frontier is empty.
    fn grow(&mut self, target: u32, rng: &mut MapRng) {
        let target = target.min(self.max_open);
        if self.open_count >= target {
            return;
        }
        let mut frontier = std::mem::take(&mut self.scratch.frontier);
        frontier.clear();
        let adjacent = self.open.adjacent(self.shape).minus(self.open);
        adjacent.for_each(|cell| frontier.push(cell));
        let mut seen = self.open.or(&adjacent);
        while self.open_count < target && !frontier.is_empty() {
            let cell = frontier.swap_remove(rng.below(frontier.len() as u32) as usize);
            if !self.try_open(cell) {
                continue;
            }
            for &next in self.shape.neighbours(cell) {
                if !seen.contains(next) {
                    seen.insert(next);
                    frontier.push(next);
                }
            }
        }
        self.scratch.frontier = frontier;
    }

    /// Opens rooms with sides of two or three tiles that touch open cells.
    fn add_rooms(&mut self, target: u32, rng: &mut MapRng) {
        let Size { width, height } = self.shape.size;
        let target = target.min(self.max_open);
        for _ in 0..8 + self.shape.size.cells() / 2 {
            if self.open_count >= target {
                return;
            }
            let mut draw_range = |grid_side: u16| {
                let length = 2 + rng.below(2) as u16;
                let first = rng.below(u32::from(grid_side - length) + 1) as u16;
                first..first + length
            };
            let (columns, rows) = (draw_range(width), draw_range(height));
            let cells = rows.flat_map(|y| columns.clone().map(move |x| Pos { x, y }));
            // Two passes, from the top and from the bottom, reach the whole room from any corner.
            for pos in cells.clone().chain(cells.rev()) {
                let cell = self.shape.cell(pos);
                let reached =
                    self.shape.neighbours(cell).iter().any(|&next| self.open.contains(next));
                if reached && !self.open.contains(cell) && self.open_count < self.max_open {
                    self.try_open(cell);
                }
            }
        }
    }

    /// Opens a cell unless that would shorten the path too much or bypass a door.
    #[inline]
    fn try_open(&mut self, cell: u16) -> bool {
        let OpenScratch { regions, potentials, .. } = &mut *self.scratch;
        let open_neighbours =
            || self.shape.neighbours(cell).iter().filter(|&&next| self.open.contains(next));
        if self.has_doors {
            let mut neighbour_regions = open_neighbours().map(|&next| regions[usize::from(next)]);
            let Some(first) = neighbour_regions.next() else { return false };
            if first == DOOR || neighbour_regions.any(|region| region != first) {
                return false;
            }
            regions[usize::from(cell)] = first;
        }
        if self.has_potentials {
            let (low, high) = open_neighbours()
                .map(|&next| potentials[usize::from(next)])
                .fold((u16::MAX, 0), |(low, high), value| (low.min(value), high.max(value)));
            if high > low + 2 {
                return false;
            }
            potentials[usize::from(cell)] = (low + high) / 2;
        }
        self.open.insert(cell);
        self.open_count += 1;
        self.tracer.record(Event::Open(self.shape.pos(cell)));
        true
    }
}
