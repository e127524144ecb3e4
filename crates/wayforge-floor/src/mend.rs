//! Mending: a floor that nearly will do is changed cell by cell until it does.
//!
//! Where no known floor and no drawn one has room for everything, one may still exist. Cells are opened and closed at random, and a change stays if
//! what is missing did not grow, or seldom even if it did. It proves nothing if it fails, but it reaches floors that nothing else here makes.

use super::board::{Board, Frame, Rows, Tracks};
use super::choke::{Tides, find_chokepoints};
use super::config::Budget;
use super::draft::{Draft, Safe, Shape};
use super::place::Free;
use super::streams::Streams;
use super::task::{Exits, Task};
use wayforge_core::grid::BitGrid;
use wayforge_core::{MapRng, Seed};

/// How many cells are looked at in all: the bound of the time it takes.
const EFFORT: usize = 1_500_000;
/// How many floors are begun with.
const STARTS: u32 = 16;
/// What is missing on a floor that is none.
const RUIN: u32 = u32::MAX;

/// Changes drawn floors, and those of `sketches`, until one has room for all that `task` asks for.
///
/// * **Complexity.** Bounded: some 1.5 million looks at cells.
/// * **Determinism.** The changes are always the same ones.
pub(super) fn mend(task: &Task, exits: &mut dyn Exits, sketches: &[Safe]) -> Option<Safe> {
    match task.size.cells() <= 64 {
        true => Mender::<u64>::new(task).mend(exits, sketches),
        false => Mender::<Rows>::new(task).mend(exits, sketches),
    }
}

struct Mender<'a, B> {
    task: &'a Task,
    draft: Draft<B>,
    frame: Frame,
    cells: Vec<u16>,
    tides: Tides,
    tracks: Tracks,
    way: Vec<u16>,
}

/// A floor, and what is missing on it.
#[derive(Clone)]
struct Try<B> {
    shape: Shape<B>,
    doors: B,
    missing: u32,
}

impl<'a, B: Board> Mender<'a, B> {
    fn new(task: &'a Task) -> Mender<'a, B> {
        let draft = Draft::new(task);
        let frame = draft.frame.clone();
        let cells = task.size.iter().map(|pos| frame.cell(pos)).collect();
        Mender {
            task,
            draft,
            frame,
            cells,
            tides: Tides::default(),
            tracks: Tracks::default(),
            way: Vec::new(),
        }
    }

    fn mend(&mut self, exits: &mut dyn Exits, sketches: &[Safe]) -> Option<Safe> {
        let changes = EFFORT / self.cells.len() / (STARTS as usize + sketches.len());
        let mut streams = Streams::of(&Seed::new(1));
        let taken = sketches.len() as u32;
        (0..taken + STARTS).find_map(|n| {
            let shape = match sketches.get(n as usize) {
                Some(sketch) => self.take(sketch),
                None => self.draft.sketch(self.task, n - taken, &mut streams, &mut &mut *exits)?,
            };
            let mut rng = MapRng::from_u64(n.into());
            let found = self.change(shape, changes, &mut rng)?;
            exits.accept(self.frame.pos(found.shape.exit)).then(|| self.keep(&found))
        })
    }

    /// Changes a floor until nothing is missing.
    fn change(&mut self, shape: Shape<B>, changes: usize, rng: &mut MapRng) -> Option<Try<B>> {
        let mut now = Try { doors: B::empty(&self.frame), shape, missing: RUIN };
        self.weigh(&mut now);
        for _ in 0..changes {
            if now.missing == 0 {
                return Some(now);
            }
            let mut next = now.clone();
            self.step(&mut next.shape, rng);
            self.weigh(&mut next);
            if next.missing == RUIN {
                continue;
            }
            let worse = next.missing.saturating_sub(now.missing).min(8);
            if worse == 0 || rng.chance(1, 12 << (2 * worse)) {
                now = next;
            }
        }
        (now.missing == 0).then_some(now)
    }

    /// One cell, or two that are near, opened or closed; sometimes an end that nobody gave moves on.
    fn step(&self, shape: &mut Shape<B>, rng: &mut MapRng) {
        if rng.chance(1, 12) {
            let exit = rng.chance(1, 2);
            let (end, given) = match exit {
                true => (&mut shape.exit, self.task.exit),
                false => (&mut shape.entrance, self.task.entrance),
            };
            let beside = self.frame.neighbours(*end);
            if given.is_none() && !beside.is_empty() {
                *end = beside[rng.below(beside.len() as u32) as usize];
                shape.open.add(*end);
            }
            return;
        }
        let first = self.cells[rng.below(self.cells.len() as u32) as usize];
        let mut cell = first;
        for _ in 0..1 + rng.below(2) {
            if cell != shape.entrance && cell != shape.exit {
                match shape.open.has(cell) {
                    true => shape.open.remove(cell),
                    false => shape.open.add(cell),
                }
            }
            for _ in 0..1 + rng.below(2) {
                let beside = self.frame.neighbours(cell);
                cell = beside[rng.below(beside.len() as u32) as usize];
            }
            if cell == first {
                break;
            }
        }
    }

    /// Counts what is missing, and puts doors where they are least in the way.
    fn weigh(&mut self, floor: &mut Try<B>) {
        floor.missing = RUIN;
        let Try { shape, doors, missing } = floor;
        let Mender { task, frame, tides, tracks, way, .. } = self;
        if shape.entrance == shape.exit || !shape.open.has(shape.entrance) || !shape.open.has(shape.exit) {
            return;
        }
        shape.open = shape.open.flood(frame, shape.entrance);
        let liked = shape.on_way.clone();
        if !shape.open.find_way(frame, shape.entrance, shape.exit, &liked, tracks, way) {
            return;
        }
        shape.on_way = B::empty(frame);
        way.iter().for_each(|&cell| shape.on_way.add(cell));
        let short = (task.min_path + 1).saturating_sub(way.len() as u32);
        let crowded = shape.open.len().saturating_sub(task.most_open());
        *doors = B::empty(frame);
        let wanted = task.count(Budget::Door);
        let mut left = wanted;
        let safe = task.guards_path().then_some(&shape.on_way);
        let mut free = Free::of(frame, shape, doors, safe);
        if wanted > 0 {
            let chokepoints = find_chokepoints(frame, shape, tides);
            // The first step has room for least, a tile beside the way for most.
            for class in [3, 4, 2, 0, 1] {
                let here = chokepoints.and(&free.tiles[class]);
                here.each(|cell| {
                    if left > 0 && frame.neighbours(cell).iter().all(|&beside| !doors.has(beside)) {
                        left -= 1;
                        doors.add(cell);
                        free.counts[class] -= 1;
                    }
                });
            }
        }
        *missing = short + crowded + left + task.things().missing(&free.counts);
    }

    fn take(&self, sketch: &Safe) -> Shape<B> {
        let set = |cells: &BitGrid| {
            let mut set = B::empty(&self.frame);
            cells.iter().for_each(|pos| set.add(self.frame.cell(pos)));
            set
        };
        Shape {
            open: set(&sketch.open),
            on_way: set(&sketch.way),
            entrance: self.frame.cell(sketch.entrance),
            exit: self.frame.cell(sketch.exit),
        }
    }

    fn keep(&self, found: &Try<B>) -> Safe {
        let set = |set: &B| {
            let mut cells = BitGrid::new(self.frame.size);
            set.each(|cell| cells.insert(self.frame.pos(cell)));
            cells
        };
        Safe {
            entrance: self.frame.pos(found.shape.entrance),
            exit: self.frame.pos(found.shape.exit),
            open: set(&found.shape.open),
            way: set(&found.shape.on_way),
            doors: set(&found.doors),
        }
    }
}
