//! Local search: opens and closes single cells of a layout until everything has room.
//!
//! A change is kept if the number of missing things does not grow, and seldom if it does. It proves nothing when it fails.

use super::Fallback;
use crate::board::{Board, Rows};
use crate::choke::find_chokepoints;
use crate::config::Budget;
use crate::draft::{Draft, Shape};
use crate::place::Free;
use crate::streams::Streams;
use crate::task::{Exits, Task};
use wayforge_core::{MapRng, Seed};

/// The most cell visits, which bounds the time.
const EFFORT: usize = 1_500_000;
/// Number of layouts to start from.
const STARTS: u32 = 16;
/// The cost of cells that are no floor, because no path leads to the exit.
const RUIN: u32 = u32::MAX;

/// Changes drawn layouts until one has room for everything that `task` asks for.
///
/// # Complexity
/// At most [`EFFORT`] cell visits, each O(cells / 64) words of work.
///
/// # Determinism
/// Constant seeds.
pub(super) fn find(task: &Task, exits: &mut dyn Exits) -> Option<Fallback> {
    match task.size.cells() <= 64 {
        true => LocalSearch::<u64>::new(task).search(exits),
        false => LocalSearch::<Rows>::new(task).search(exits),
    }
}

struct LocalSearch<'a, B> {
    task: &'a Task,
    draft: Draft<B>,
    cells: Vec<u16>,
}

/// A floor, and what is missing on it.
#[derive(Clone)]
struct Try<B> {
    shape: Shape<B>,
    doors: B,
    missing: u32,
}

impl<'a, B: Board> LocalSearch<'a, B> {
    fn new(task: &'a Task) -> LocalSearch<'a, B> {
        let draft = Draft::<B>::new(task.size);
        let cells = task.size.iter().map(|pos| draft.frame.cell(pos)).collect();
        LocalSearch { task, draft, cells }
    }

    fn search(&mut self, exits: &mut dyn Exits) -> Option<Fallback> {
        let changes = EFFORT / self.cells.len() / STARTS as usize;
        let mut streams = Streams::of(&Seed::new(1));
        (0..STARTS).find_map(|n| {
            let shape = self.draft.sketch(self.task, n, &mut streams, exits)?;
            let found = self.change(shape, changes, &mut MapRng::from_u64(n.into()))?;
            let fallback = Fallback::of(&self.draft.frame, &found.shape, &found.doors);
            exits.accept(fallback.exit).then_some(fallback)
        })
    }

    /// Changes a floor until nothing is missing.
    fn change(&mut self, shape: Shape<B>, changes: usize, rng: &mut MapRng) -> Option<Try<B>> {
        let mut now = Try { doors: B::empty(&self.draft.frame), shape, missing: RUIN };
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

    /// Opens or closes one cell, or two that are near each other; sometimes moves an end that is not fixed.
    fn step(&self, shape: &mut Shape<B>, rng: &mut MapRng) {
        if rng.chance(1, 12) {
            let (end, fixed) = match rng.chance(1, 2) {
                true => (&mut shape.exit, self.task.exit),
                false => (&mut shape.entrance, self.task.entrance),
            };
            let beside = self.draft.frame.neighbours(*end);
            if fixed.is_none() && !beside.is_empty() {
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
                let beside = self.draft.frame.neighbours(cell);
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
        let (task, Draft { frame, tides, tracks, .. }) = (self.task, &mut self.draft);
        if shape.entrance == shape.exit || !shape.open.has(shape.entrance) || !shape.open.has(shape.exit) {
            return;
        }
        shape.open = shape.open.flood(frame, shape.entrance);
        if !shape.open.find_way(frame, [shape.entrance, shape.exit], &shape.on_way, tracks) {
            return;
        }
        shape.on_way = B::collect(frame, tracks.way.iter().copied());
        let short = (task.min_path + 1).saturating_sub(tracks.way.len() as u32);
        let crowded = shape.open.len().saturating_sub(task.most_open());
        *doors = B::empty(frame);
        let mut left = task.count(Budget::Door);
        let safe = task.guards_path().then_some(&shape.on_way);
        let mut free = Free::of(frame, shape, doors, safe);
        if left > 0 {
            let chokepoints = find_chokepoints(frame, shape, tides);
            // The first step has room for least, a tile beside the way for most.
            for class in [3, 4, 2, 0, 1] {
                chokepoints.and(&free.tiles[class]).each(|cell| {
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
}
