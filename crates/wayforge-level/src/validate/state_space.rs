//! Movement rules, and plain breadth-first searches over cells and progress.

use super::View;
use crate::spec::{Chain, Step};
use crate::{InteriorWalls, Mover, Symbol};
use std::collections::VecDeque;
use wayforge_core::Work;
use wayforge_core::grid::{Dir, Pos, Size};

/// The level as a grid for movers.
pub(super) struct MovementGrid<'a> {
    pub(super) size: Size,
    symbols: &'a [Symbol],
    /// Cells that people can enter, ignoring locks.
    person: Vec<bool>,
    /// Cells that cars can enter, ignoring locks.
    car: Vec<bool>,
    /// Two such cells beside a diagonal step block it.
    corner: Vec<bool>,
    work: &'a Work,
}

impl<'a> MovementGrid<'a> {
    pub(super) fn of(view: &View<'a>) -> MovementGrid<'a> {
        let (config, symbols) = (view.config, view.blueprint.cells());
        let solid = config.interior_walls == Some(InteriorWalls::Solid);
        let is_solid = |cell: usize| {
            symbols[cell] == Symbol::Wall
                && (solid || view.tags.reinforced.contains(view.size.pos(cell)))
        };
        let enters = |blocked: &str| {
            (0..symbols.len())
                .map(|cell| !is_solid(cell) && !blocked.contains(symbols[cell].to_char()))
                .collect()
        };
        MovementGrid {
            size: view.size,
            symbols,
            person: enters(&config.blocked.person),
            car: enters(&config.blocked.car),
            corner: (0..symbols.len())
                .map(|cell| symbols[cell] == Symbol::Band || is_solid(cell))
                .collect(),
            work: view.work,
        }
    }

    /// Returns the target of a step, or `None` if the step is not allowed. Ignores locks.
    ///
    /// Cars move in four directions. People move in eight, but not off a moving floor against its
    /// direction, and not diagonally between two corners.
    pub(super) fn step(&self, mover: Mover, pos: Pos, dir: Dir) -> Option<usize> {
        if mover == Mover::Car && dir.is_diagonal() {
            return None;
        }
        let goal = pos.step(dir, self.size)?;
        let to = self.size.index(goal);
        if mover == Mover::Car {
            return self.car[to].then_some(to);
        }
        if !self.person[to] {
            return None;
        }
        let (dx, dy) = dir.delta();
        let against = match self.symbols[self.size.index(pos)] {
            Symbol::MovesNorth => dy > 0,
            Symbol::MovesSouth => dy < 0,
            Symbol::MovesWest => dx > 0,
            Symbol::MovesEast => dx < 0,
            _ => false,
        };
        let beside = [Pos { x: pos.x, y: goal.y }, Pos { x: goal.x, y: pos.y }];
        let blocked =
            dir.is_diagonal() && beside.iter().all(|pos| self.corner[self.size.index(*pos)]);
        (!against && !blocked).then_some(to)
    }

    /// Returns for every cell the distance from `starts`, or with `back` the distance to them,
    /// ignoring locks and the order of steps.
    pub(super) fn flood(
        &self,
        mover: Mover,
        starts: impl IntoIterator<Item = Pos>,
        back: bool,
    ) -> Vec<u32> {
        let starts = starts.into_iter().map(|pos| self.size.index(pos));
        let mut search = Bfs::new(self.symbols.len(), starts, self.work);
        while let Some(cell) = search.next_state() {
            let pos = self.size.pos(cell);
            for dir in Dir::ALL {
                let next =
                    if back { self.step_back(mover, pos, dir) } else { self.step(mover, pos, dir) };
                next.into_iter().for_each(|next| search.reach(next));
            }
        }
        search.steps
    }

    /// Returns the origin of a step in direction `dir` to the cell `to`, if it is allowed.
    #[inline]
    fn step_back(&self, mover: Mover, to: Pos, dir: Dir) -> Option<usize> {
        let from = to.step(dir.opposite(), self.size)?;
        self.step(mover, from, dir).map(|_| self.size.index(from))
    }
}

/// The state space of a chain.
///
/// The *progress* of a mover is the index of its last reached step, 0 at the start. Entering a cell
/// of the next step advances it. A state is a pair of progress and cell.
pub(super) struct StateSpace<'a> {
    grid: &'a MovementGrid<'a>,
    mover: Mover,
    /// Progress at which the chain is finished.
    last: usize,
    /// Bit `n` is set if the cell belongs to step `n`.
    steps: Vec<u8>,
    /// Progress that is needed to enter the cell.
    unlocked_at: Vec<u8>,
    pub(super) starts: Vec<Pos>,
}

/// Steps of work per state of a search.
const STEPS_PER_STATE: u64 = 8;

/// Value of `unlocked_at` for cells that are never unlocked.
const NEVER: u8 = u8::MAX;

/// Distance of unreachable states.
pub(super) const UNREACHABLE: u32 = u32::MAX;

impl<'a> StateSpace<'a> {
    pub(super) fn of(view: &View<'_>, grid: &'a MovementGrid<'a>, chain: &Chain) -> StateSpace<'a> {
        let mut steps = vec![0; view.size.cells()];
        for (n, step) in chain.steps.iter().enumerate() {
            let mut mark = |pos: Pos| {
                if view.size.contains(pos) {
                    steps[view.size.index(pos)] |= 1 << n;
                }
            };
            match *step {
                Step::Symbol(symbol) => view.blueprint.find(symbol).for_each(mark),
                Step::Mark(i) => {
                    view.tags.marks.get(i).into_iter().flatten().for_each(|pos| mark(*pos));
                }
            }
        }
        let mut unlocked_at = vec![0; view.size.cells()];
        for (mark, cells) in view.config.marks.iter().zip(&view.tags.marks) {
            let Some(key) = &mark.locked_until else { continue };
            let step = chain.steps.iter().position(|step| view.spec.step_name(*step) == *key);
            let from = step.map_or(NEVER, |step| step as u8);
            for pos in cells.iter().filter(|pos| view.size.contains(**pos)) {
                let cell = view.size.index(*pos);
                unlocked_at[cell] = from.max(unlocked_at[cell]);
            }
        }
        let starts = view.size.iter().filter(|pos| steps[view.size.index(*pos)] & 1 != 0).collect();
        StateSpace {
            grid,
            mover: chain.mover,
            last: chain.steps.len() - 1,
            steps,
            unlocked_at,
            starts,
        }
    }

    /// Returns the progress of a mover after it enters a cell.
    pub(super) fn arrive(&self, cell: usize, mut progress: usize) -> usize {
        while progress < self.last && self.steps[cell] >> (progress + 1) & 1 == 1 {
            progress += 1;
        }
        progress
    }

    /// Checks whether a mover can step from one cell to another.
    ///
    /// # Errors
    /// The reason why the step is not allowed.
    pub(super) fn check_step(
        &self,
        from: Pos,
        to: Pos,
        progress: usize,
    ) -> Result<(), &'static str> {
        let size = self.grid.size;
        if !size.contains(from) || !size.contains(to) {
            return Err("leaves the grid");
        }
        let dir = Dir::between(from, to).ok_or("does not connect neighbours")?;
        let to = self.grid.step(self.mover, from, dir).ok_or("is blocked")?;
        if usize::from(self.unlocked_at[to]) > progress {
            Err("enters a locked cell")
        } else {
            Ok(())
        }
    }

    /// Returns, for every state, the distance to the end of the chain, or [`UNREACHABLE`]. The
    /// index of a state is `progress * cells + cell`.
    pub(super) fn steps_to_finish(&self) -> Vec<u32> {
        let cells = self.steps.len();
        let goals = (0..cells).filter(|cell| self.steps[*cell] >> self.last & 1 == 1);
        let goals = goals.map(|cell| self.last * cells + cell);
        let mut search = Bfs::new(cells * (self.last + 1), goals, self.grid.work);
        while let Some(state) = search.next_state() {
            let (after, to) = (state / cells, state % cells);
            let (pos, unlocked_at) = (self.grid.size.pos(to), usize::from(self.unlocked_at[to]));
            // Every progress before the step that results in this state.
            for before in (unlocked_at..=after.min(self.last - 1)).rev() {
                if self.arrive(to, before) != after {
                    break;
                }
                for dir in Dir::ALL {
                    let Some(from) = self.grid.step_back(self.mover, pos, dir) else { continue };
                    if self.arrive(from, before) == before {
                        search.reach(before * cells + from);
                    }
                }
            }
        }
        search.steps
    }

    /// Returns, for every state, the distance from some starts, or [`UNREACHABLE`]. Finished states
    /// are not expanded.
    pub(super) fn reachable(&self, starts: impl IntoIterator<Item = Pos>) -> Vec<u32> {
        let cells = self.steps.len();
        let starts = starts.into_iter().map(|pos| self.start(pos));
        let mut search = Bfs::new(cells * (self.last + 1), starts, self.grid.work);
        while let Some(state) = search.next_state() {
            let (progress, from) = (state / cells, self.grid.size.pos(state % cells));
            let dirs = if progress == self.last { &[][..] } else { &Dir::ALL[..] };
            for to in dirs.iter().filter_map(|dir| self.grid.step(self.mover, from, *dir)) {
                if usize::from(self.unlocked_at[to]) <= progress {
                    search.reach(self.arrive(to, progress) * cells + to);
                }
            }
        }
        search.steps
    }

    /// Returns for every cell the distance from the starts at progress 0, or [`UNREACHABLE`].
    pub(super) fn distances_without_progress(&self) -> Vec<u32> {
        let starts = self.starts.iter().map(|pos| self.grid.size.index(*pos));
        let mut search = Bfs::new(self.steps.len(), starts, self.grid.work);
        while let Some(from) = search.next_state() {
            let from = self.grid.size.pos(from);
            let to = Dir::ALL.into_iter().filter_map(|dir| self.grid.step(self.mover, from, dir));
            to.filter(|to| self.unlocked_at[*to] == 0).for_each(|to| search.reach(to));
        }
        search.steps
    }

    /// Returns the initial state of a mover.
    pub(super) fn start(&self, pos: Pos) -> usize {
        let cell = self.grid.size.index(pos);
        self.arrive(cell, 0) * self.steps.len() + cell
    }
}

/// Breadth-first search over numbered states.
struct Bfs {
    /// Distance of every state from the starts, or [`UNREACHABLE`].
    steps: Vec<u32>,
    queue: VecDeque<usize>,
    /// Distance of the successors of the current state.
    next_distance: u32,
}

impl Bfs {
    /// Creates a search. If `work` is stopped, the search reaches nothing.
    fn new(states: usize, starts: impl IntoIterator<Item = usize>, work: &Work) -> Bfs {
        let mut search =
            Bfs { steps: vec![UNREACHABLE; states], queue: VecDeque::new(), next_distance: 0 };
        if work.spend(STEPS_PER_STATE * states as u64) {
            starts.into_iter().for_each(|start| search.reach(start));
        }
        search
    }

    /// Returns the next state to expand.
    fn next_state(&mut self) -> Option<usize> {
        let state = self.queue.pop_front()?;
        self.next_distance = self.steps[state] + 1;
        Some(state)
    }

    fn reach(&mut self, state: usize) {
        if self.steps[state] == UNREACHABLE {
            self.steps[state] = self.next_distance;
            self.queue.push_back(state);
        }
    }
}
