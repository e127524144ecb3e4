//! Making room around the way, without ever making it too short.
//!
//! Where the exit is too near for the way to be long by itself, every open cell carries a *mark*, and neighbours' marks differ
//! by at most one. The entrance has 0 and the exit the least length, so no way can be shorter. A cell whose neighbours'
//! marks are further apart than two stays closed for good, because marks are never changed.

use super::board::{Board, Frame};
use super::config::{Budget, Opening};
use super::doors::{DOOR, Regions};
use super::draft::{Attempt, Draft};
use super::trace::Event;
use wayforge_core::MapRng;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::trace::Tracer;

/// Memory for growing: the rim of what is open, the marks, and the regions between doors.
#[derive(Clone, Debug, Default)]
pub(super) struct Rim {
    cells: Vec<u16>,
    marks: Vec<u16>,
    regions: Vec<u16>,
    /// Cells of dead ends behind doors.
    dead_ends: Vec<u16>,
}

impl<B: Board> Draft<B> {
    /// Opens room around the carved way until as many tiles are open as the task asks for, or no more can be.
    ///
    /// * **Determinism.** Stream `floor.open`.
    /// * **Returns.** How many cells are open, or `None` if there is no room for the doors.
    /// * **Guarantees.** All open cells are connected, and the shortest way has at least the least length if the carved one
    ///   has. Every door is a choke point that guards enough.
    pub(super) fn open_room(&mut self, attempt: &mut Attempt<'_, impl Tracer<Event>>) -> Option<u32> {
        let Draft { frame, shape, carved: way, rim, placed, .. } = self;
        let (task, rng, tracer) = (attempt.task, &mut attempt.streams.open, &mut *attempt.tracer);
        let (open, doors) = (&mut shape.open, &mut placed[Budget::Door as usize]);
        *doors = B::empty(frame);
        let wanted = task.count(Budget::Door);
        let (split, most) = (wanted > 0, task.most_open());
        rim.dead_ends.clear();
        if split {
            let Rim { regions: of, dead_ends: opened, .. } = rim;
            if !(Regions { frame, way, open, doors, of, opened, most, next: 1 }).reserve(wanted, rng) {
                return None;
            }
            rim.dead_ends.iter().for_each(|&cell| tracer.tell(Event::Open(frame.pos(cell))));
        }
        let count = (way.len() + rim.dead_ends.len()) as u32;
        let ends = [way[0], way[way.len() - 1]].map(|cell| frame.pos(cell));
        let bound = ends[0].taxi_distance(ends[1]) < task.min_path;
        if bound {
            mark_way(frame, task.min_path, way, &mut rim.marks);
            mark_dead_ends(frame, open, rim);
        }
        let mut room = Room { frame, open, rim, bound, split, count, most, tracer };
        // Things that fit by number may still not fit by place: every further attempt gives them a tile more.
        let least = task.least_open() + attempt.index;
        let target = task.open.max(least);
        match task.opening {
            Opening::Density => room.grow(target, rng),
            Opening::Rooms => {
                room.add_rooms(target, rng);
                room.grow(least, rng);
            }
        }
        Some(room.count)
    }
}

/// Gives every cell of a dead end the mark of the cell that it was opened from: nothing else is beside it.
fn mark_dead_ends<B: Board>(frame: &Frame, open: &B, rim: &mut Rim) {
    let Rim { marks, dead_ends, .. } = rim;
    for (at, &cell) in dead_ends.iter().enumerate() {
        let known = |beside: &&u16| open.has(**beside) && !dead_ends[at..].contains(beside);
        marks[usize::from(cell)] =
            frame.neighbours(cell).iter().find(known).map_or(0, |&beside| marks[usize::from(beside)]);
    }
}

/// Spreads the least length over the way: marks rise from 0 to it by 0 or 1 a step.
fn mark_way(frame: &Frame, least: u32, way: &[u16], marks: &mut Vec<u16>) {
    marks.clear();
    marks.resize(frame.span(), 0);
    let steps = (way.len() - 1) as u32;
    for (step, &cell) in (0..).zip(way) {
        marks[usize::from(cell)] = (step * least / steps) as u16;
    }
}

struct Room<'a, B, T> {
    frame: &'a Frame,
    open: &'a mut B,
    rim: &'a mut Rim,
    /// Whether marks bind.
    bound: bool,
    /// Whether doors separate regions.
    split: bool,
    count: u32,
    most: u32,
    tracer: &'a mut T,
}

impl<B: Board, T: Tracer<Event>> Room<'_, B, T> {
    /// Opens single cells of the rim.
    fn grow(&mut self, target: u32, rng: &mut MapRng) {
        let target = target.min(self.most);
        if self.count >= target {
            return;
        }
        let mut cells = std::mem::take(&mut self.rim.cells);
        cells.clear();
        let beside = self.open.beside(self.frame).minus(self.open);
        beside.each(|cell| cells.push(cell));
        let mut seen = self.open.or(&beside);
        while self.count < target && !cells.is_empty() {
            let cell = cells.swap_remove(rng.below(cells.len() as u32) as usize);
            if !self.try_open(cell) {
                continue;
            }
            for &next in self.frame.neighbours(cell) {
                if !seen.has(next) {
                    seen.add(next);
                    cells.push(next);
                }
            }
        }
        self.rim.cells = cells;
    }

    /// Opens rooms of two or three tiles a side that touch what is open.
    fn add_rooms(&mut self, target: u32, rng: &mut MapRng) {
        let Size { width, height } = self.frame.size;
        let target = target.min(self.most);
        for _ in 0..8 + self.frame.size.cells() / 2 {
            if self.count >= target {
                return;
            }
            let mut side = |length: u16| {
                let long = 2 + rng.below(2) as u16;
                (rng.below(u32::from(length - long) + 1) as u16, long)
            };
            let ((left, wide), (top, tall)) = (side(width), side(height));
            let cells = (top..top + tall).flat_map(|y| (left..left + wide).map(move |x| Pos { x, y }));
            // Once from the top and once from the bottom: whichever corner touches, the room is reached.
            for pos in cells.clone().chain(cells.rev()) {
                let cell = self.frame.cell(pos);
                let reached = self.frame.neighbours(cell).iter().any(|&beside| self.open.has(beside));
                if reached && !self.open.has(cell) && self.count < self.most {
                    self.try_open(cell);
                }
            }
        }
    }

    /// Opens a cell unless a way through it would be too short.
    #[inline]
    fn try_open(&mut self, cell: u16) -> bool {
        let Rim { regions, marks, .. } = &mut *self.rim;
        let open = || self.frame.neighbours(cell).iter().filter(|&&beside| self.open.has(beside));
        if self.split {
            let mut beside = open().map(|&beside| regions[usize::from(beside)]);
            let Some(first) = beside.next() else { return false };
            if first == DOOR || beside.any(|region| region != first) {
                return false;
            }
            regions[usize::from(cell)] = first;
        }
        if self.bound {
            let beside = open().map(|&beside| marks[usize::from(beside)]);
            let (low, high) = beside.fold((u16::MAX, 0), |(low, high), mark| (low.min(mark), high.max(mark)));
            if high > low + 2 {
                return false;
            }
            marks[usize::from(cell)] = (low + high) / 2;
        }
        self.open.add(cell);
        self.count += 1;
        self.tracer.tell(Event::Open(self.frame.pos(cell)));
        true
    }
}
