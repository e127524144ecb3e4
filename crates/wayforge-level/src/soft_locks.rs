//! Soft locks: cells that a player can enter but from which the objective cannot be finished.
//!
//! Found by forward and backward flood fills over cells and progress.

use crate::bit_flood::{BitFlood, Direction};
use crate::cell_flags::MoverGrid;
use crate::search::SearchInput;
use crate::{Chain, Mover, Spec, Step, rules};
use wayforge_core::grid::BitGrid;
use wayforge_core::{Place, Violation, Work};

/// Scratch buffers of the check.
#[derive(Clone, Debug, Default)]
pub(super) struct SoftLockScratch {
    /// For each progress, the cells where the player can be.
    reachable: Vec<BitGrid>,
    /// Cells from which the player can finish, at the current progress.
    finish: BitGrid,
    step_cells: BitGrid,
    grid: MoverGrid,
    stopping: MoverGrid,
}

/// Checks all chains of people.
///
/// # Errors
/// The first soft lock.
pub(super) fn check(
    spec: &Spec,
    input: SearchInput<'_>,
    grid: &MoverGrid,
    flood: &mut BitFlood,
    scratch: &mut SoftLockScratch,
    work: &Work,
) -> Result<(), Violation> {
    for chain in spec.chains().iter().filter(|chain| chain.mover == Mover::Person) {
        let mut first = None;
        find(input, grid, chain, flood, scratch, work, |progress, locked| {
            first = first.or(locked.iter().next().map(|pos| (progress, pos)));
        });
        if let Some((progress, pos)) = first {
            let reached = spec.step_name(chain.steps[progress]);
            let why = format!("entering this cell after {reached} leaves no path to the goal");
            return Err(Violation { rule: rules::NO_SOFT_LOCKS, place: Place::Cell(pos), why });
        }
    }
    Ok(())
}

/// Calls `report` with the soft locks of a chain, from the last progress to the first.
///
/// Returns early once `work` is stopped.
///
/// A cell is a soft lock at some progress if it is in the first of these sets and not in the
/// second:
/// 1. Cells reachable from the cells of the current step without crossing a cell of the next step,
///    because entering such a cell advances the progress.
/// 2. Cells from which the player can reach a cell of the next step and finish the chain from
///    there.
///
/// # Complexity
/// O(cells * steps).
pub(super) fn find(
    input: SearchInput<'_>,
    grid: &MoverGrid,
    chain: &Chain,
    flood: &mut BitFlood,
    scratch: &mut SoftLockScratch,
    work: &Work,
    mut report: impl FnMut(usize, &BitGrid),
) {
    let SoftLockScratch { reachable, finish, step_cells, grid: opened, stopping } = scratch;
    let legs = chain.steps.len() - 1;
    reachable.resize_with(legs.max(reachable.len()), BitGrid::default);
    let cells = grid.open.size().cells() as u64;
    for progress in 0..legs {
        if !work.spend(cells) {
            return;
        }
        read_step_cells(input, chain.steps[progress], step_cells);
        intersect(
            step_cells,
            progress.checked_sub(1).map_or(&grid.open, |before| &reachable[before]),
        );
        let set = &mut reachable[progress];
        set.clone_from(step_cells);
        read_step_cells(input, chain.steps[progress + 1], step_cells);
        let grid = unlocked_grid(input, grid, chain, progress, opened);
        flood.spread(stop_at(grid, step_cells, stopping), Direction::Forward, set);
    }
    for progress in (0..legs).rev() {
        if !work.spend(cells) {
            return;
        }
        read_step_cells(input, chain.steps[progress + 1], step_cells);
        if progress + 1 < legs {
            intersect(step_cells, finish);
        }
        let grid = unlocked_grid(input, grid, chain, progress, opened);
        intersect(step_cells, &grid.open);
        finish.clone_from(step_cells);
        flood.spread(grid, Direction::Backward, finish);
        let locked = &mut reachable[progress];
        locked
            .words_mut()
            .iter_mut()
            .zip(finish.words())
            .for_each(|(reachable, finish)| *reachable &= !finish);
        // Entering a cell of the next step advances the progress, so it is reported there.
        read_step_cells(input, chain.steps[progress + 1], step_cells);
        locked
            .words_mut()
            .iter_mut()
            .zip(step_cells.words())
            .for_each(|(reachable, place)| *reachable &= !place);
        if !locked.is_empty() {
            report(progress, locked);
        }
    }
}

/// Returns the grid without the cells that are locked at this progress.
fn unlocked_grid<'a>(
    input: SearchInput<'_>,
    grid: &'a MoverGrid,
    chain: &Chain,
    progress: usize,
    opened: &'a mut MoverGrid,
) -> &'a MoverGrid {
    if chain.unlocked_at.iter().all(|unlocked_at| *unlocked_at <= progress as u32) {
        return grid;
    }
    opened.clone_from(grid);
    for (cells, unlocked_at) in input.tags.marks.iter().zip(&chain.unlocked_at) {
        if *unlocked_at > progress as u32 {
            cells.iter().for_each(|pos| opened.open.remove(*pos));
        }
    }
    opened
}

/// Returns the grid with all exits of `step_cells` blocked: they can be entered but not left.
fn stop_at<'a>(
    grid: &MoverGrid,
    step_cells: &BitGrid,
    stopping: &'a mut MoverGrid,
) -> &'a MoverGrid {
    stopping.clone_from(grid);
    stopping.blocked_exits.resize_with(4, || BitGrid::new(step_cells.size()));
    for blocked_exits in &mut stopping.blocked_exits {
        blocked_exits
            .words_mut()
            .iter_mut()
            .zip(step_cells.words())
            .for_each(|(blocked_exits, place)| *blocked_exits |= place);
    }
    stopping
}

fn read_step_cells(input: SearchInput<'_>, step: Step, step_cells: &mut BitGrid) {
    step_cells.reset(input.cell_flags.size);
    input.cells(step).iter().for_each(|pos| step_cells.insert(*pos));
}

fn intersect(set: &mut BitGrid, other: &BitGrid) {
    set.words_mut().iter_mut().zip(other.words()).for_each(|(word, other)| *word &= other);
}
