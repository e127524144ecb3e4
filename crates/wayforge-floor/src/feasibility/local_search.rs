//! Local search with Metropolis acceptance (Metropolis et al. 1953), that is, simulated annealing
//! (Kirkpatrick, Gelatt & Vecchi 1983) at constant temperature: opens and closes single cells of a
//! layout until all objects fit.
//!
//! The penalty of a layout counts missing path steps, missing doors, missing tiles for objects and
//! surplus open tiles. A change that raises the penalty by `d` > 0 is kept with probability
//! 1 / (12 * 4^d), with `d` capped at 8. A change that disconnects the exit is rejected; any other
//! change is kept. A failed search proves nothing.

use super::Fallback;
use crate::cell_set::{CellSet, RowSet};
use crate::choke::find_choke_points;
use crate::config::Budget;
use crate::draft::{Draft, Layout};
use crate::place::FreeTiles;
use crate::streams::Streams;
use crate::task::{Exits, Task};
use wayforge_core::{MapRng, Seed};

/// Maximum number of cell visits, which bounds the time.
const MAX_CELL_VISITS: usize = 1_500_000;
/// Number of layouts to start from.
const STARTS: u32 = 16;
/// Penalty of a layout without a path to the exit.
const INFINITE_PENALTY: u32 = u32::MAX;

/// Changes random layouts until one has room for all objects of `task`.
///
/// # Complexity
/// At most [`MAX_CELL_VISITS`] / cells steps. Each step takes a flood fill, a BFS and a depth-first
/// search.
///
/// # Determinism
/// Uses constant seeds.
pub(super) fn find(task: &Task, exits: &mut dyn Exits) -> Option<Fallback> {
    if task.size.cells() <= 64 {
        LocalSearch::<u64>::new(task).search(exits)
    } else {
        LocalSearch::<RowSet>::new(task).search(exits)
    }
}

struct LocalSearch<'a, S> {
    task: &'a Task,
    draft: Draft<S>,
    cells: Vec<u16>,
}

/// A layout and its penalty.
#[derive(Clone)]
struct Candidate<S> {
    layout: Layout<S>,
    doors: S,
    penalty: u32,
}

impl<'a, S: CellSet> LocalSearch<'a, S> {
    fn new(task: &'a Task) -> LocalSearch<'a, S> {
        let draft = Draft::<S>::new(task.size);
        let cells = task.size.iter().map(|pos| draft.shape.cell(pos)).collect();
        LocalSearch { task, draft, cells }
    }

    fn search(&mut self, exits: &mut dyn Exits) -> Option<Fallback> {
        let max_steps = MAX_CELL_VISITS / self.cells.len() / STARTS as usize;
        let mut streams = Streams::new(&Seed::new(1));
        (0..STARTS).find_map(|n| {
            let layout = self.draft.sketch(self.task, n, &mut streams, exits)?;
            let found = self.improve(layout, max_steps, &mut MapRng::from_u64(n.into()))?;
            let fallback = Fallback::new(&self.draft.shape, &found.layout, &found.doors);
            exits.accepts(fallback.exit).then_some(fallback)
        })
    }

    /// Changes a layout until its penalty is 0.
    fn improve(
        &mut self,
        layout: Layout<S>,
        max_steps: usize,
        rng: &mut MapRng,
    ) -> Option<Candidate<S>> {
        let mut current =
            Candidate { doors: S::empty(&self.draft.shape), layout, penalty: INFINITE_PENALTY };
        self.evaluate(&mut current);
        for _ in 0..max_steps {
            if current.penalty == 0 {
                return Some(current);
            }
            let mut next = current.clone();
            self.mutate(&mut next.layout, rng);
            self.evaluate(&mut next);
            if next.penalty == INFINITE_PENALTY {
                continue;
            }
            let worse = next.penalty.saturating_sub(current.penalty).min(8);
            if worse == 0 || rng.chance(1, 12 << (2 * worse)) {
                current = next;
            }
        }
        (current.penalty == 0).then_some(current)
    }

    /// Opens or closes one cell or two nearby cells. Sometimes moves entrance or exit instead,
    /// unless it is fixed.
    fn mutate(&self, layout: &mut Layout<S>, rng: &mut MapRng) {
        if rng.chance(1, 12) {
            let (end, fixed) = if rng.chance(1, 2) {
                (&mut layout.exit, self.task.exit)
            } else {
                (&mut layout.entrance, self.task.entrance)
            };
            let neighbours = self.draft.shape.neighbours(*end);
            if fixed.is_none() && !neighbours.is_empty() {
                *end = neighbours[rng.below(neighbours.len() as u32) as usize];
                layout.open.insert(*end);
            }
            return;
        }
        let first = self.cells[rng.below(self.cells.len() as u32) as usize];
        let mut cell = first;
        for _ in 0..1 + rng.below(2) {
            if cell != layout.entrance && cell != layout.exit {
                if layout.open.contains(cell) {
                    layout.open.remove(cell)
                } else {
                    layout.open.insert(cell)
                }
            }
            for _ in 0..1 + rng.below(2) {
                let neighbours = self.draft.shape.neighbours(cell);
                cell = neighbours[rng.below(neighbours.len() as u32) as usize];
            }
            if cell == first {
                break;
            }
        }
    }

    /// Computes the penalty and places doors on the least useful tiles.
    fn evaluate(&mut self, candidate: &mut Candidate<S>) {
        candidate.penalty = INFINITE_PENALTY;
        let Candidate { layout, doors, penalty } = candidate;
        let (task, Draft { shape, dfs_scratch, path_scratch: scratch, .. }) =
            (self.task, &mut self.draft);
        if layout.entrance == layout.exit
            || !layout.open.contains(layout.entrance)
            || !layout.open.contains(layout.exit)
        {
            return;
        }
        layout.open = layout.open.flood_fill(shape, layout.entrance);
        if !layout.open.find_path(shape, [layout.entrance, layout.exit], &layout.on_path, scratch) {
            return;
        }
        layout.on_path = S::from_cells(shape, scratch.path.iter().copied());
        let missing_steps = (task.min_path_length + 1).saturating_sub(scratch.path.len() as u32);
        let excess_open = layout.open.len().saturating_sub(task.max_open());
        *doors = S::empty(shape);
        let mut missing_doors = task.count(Budget::Door);
        let safe = task.keeps_path_safe().then_some(&layout.on_path);
        let mut free = FreeTiles::new(shape, layout, doors, safe);
        if missing_doors > 0 {
            let choke_points = find_choke_points(shape, layout, dfs_scratch);
            // Enemy-free path tiles suit the fewest kinds of objects, tiles beside the path the
            // most.
            for class in [3, 4, 2, 0, 1] {
                choke_points.and(&free.tiles[class]).for_each(|cell| {
                    if missing_doors > 0
                        && shape.neighbours(cell).iter().all(|&next| !doors.contains(next))
                    {
                        missing_doors -= 1;
                        doors.insert(cell);
                        free.counts[class] -= 1;
                    }
                });
            }
        }
        *penalty = missing_steps
            + excess_open
            + missing_doors
            + task.objects().total_shortfall(&free.counts);
    }
}
