//! The repair problem: a level with some cells removed, and its failing tasks.
//!
//! 0-1 BFS (Dijkstra's algorithm (1959) with a deque instead of a heap, because steps cost 0 or 1)
//! over cells and progress finds the routes with the fewest removals.

use super::sorted_set;
use crate::bit_flood::Direction;
use crate::cell_flags::CellFlags;
use crate::movement::flag;
use crate::search::{DIRECTIONS, SearchInput};
use crate::{Chain, Level, Mover, Reachable, Step, Symbol};
use std::collections::VecDeque;
use wayforge_core::Work;
use wayforge_core::grid::Pos;

/// A repair problem: a level, its removable cells and its failing tasks. Cells can be removed and
/// restored.
pub(super) struct RepairProblem<'a> {
    pub(super) level: &'a Level,
    pub(super) cell_flags: CellFlags,
    /// Flags of all cells before any removal.
    before: Vec<u8>,
    pub(super) removable: Vec<bool>,
    pub(super) tasks: Vec<Task<'a>>,
    /// Once this is stopped, searches find nothing.
    pub(super) work: &'a Work,
}

/// A start from which a mover must reach steps in order.
pub(super) struct Task<'a> {
    mover: Mover,
    /// Cells of each step; the first contains the start only.
    pub(super) steps: Vec<Vec<usize>>,
    /// The chain, for its locks; `None` for a candidate that must be reachable.
    chain: Option<&'a Chain>,
}

/// Steps of work per cell of a search.
const STEPS_PER_CELL: u64 = 8;
/// Maximum number of failing tasks times cells: a few seconds of work.
const MAX_WORK: usize = 16 << 20;
/// Maximum number of failing tasks on any grid.
const MAX_TASKS: usize = 256;

impl<'a> RepairProblem<'a> {
    /// Creates the problem of a level, with nothing removed.
    pub(super) fn of(
        level: &'a Level,
        removable: impl Fn(Pos, Symbol) -> bool,
        work: &'a Work,
    ) -> RepairProblem<'a> {
        let mut cell_flags = CellFlags::default();
        cell_flags.read(&level.spec, &level.blueprint, &level.tags);
        let size = level.blueprint.size();
        let cells = level.blueprint.cells().iter().enumerate();
        let removable = cells.map(|(cell, symbol)| removable(size.pos(cell), *symbol)).collect();
        let before = cell_flags.flags.clone();
        RepairProblem { level, cell_flags, before, removable, tasks: Vec::new(), work }
    }

    /// Collects the failing tasks. Returns false if there are too many; the limit is lower if a
    /// repair was already found.
    pub(super) fn find_tasks(&mut self, has_repair: bool) -> bool {
        let starts = self.level.spec.chains().iter().map(|chain| self.cells(chain.steps[0]).len());
        if starts.sum::<usize>() > 4 * self.max_tasks() {
            return false;
        }
        self.tasks = self.failing_tasks();
        self.tasks.len() <= if has_repair { self.max_tasks() / 16 } else { self.max_tasks() }
    }

    /// Returns true if a removable cell is open to one kind of mover only.
    pub(super) fn has_cells_open_to_one_mover(&self) -> bool {
        let both = flag::PERSON | flag::CAR;
        let mut cells = self.cell_flags.flags.iter().zip(&self.removable);
        cells.any(|(flags, removable)| *removable && flags & both != 0 && flags & both != both)
    }

    /// Replaces cells with plain floor.
    pub(super) fn remove(&mut self, cells: &[usize]) {
        cells.iter().for_each(|&cell| self.cell_flags.flags[cell] = flag::PERSON | flag::CAR);
    }

    /// Restores removed cells.
    pub(super) fn restore(&mut self, cells: &[usize]) {
        cells.iter().for_each(|&cell| self.cell_flags.flags[cell] = self.before[cell]);
    }

    /// Returns the first failing task. Candidates of one start share one flood fill.
    pub(super) fn find_failing(&self) -> Option<&Task<'a>> {
        let mut seen: Option<(usize, Vec<bool>)> = None;
        self.tasks.iter().find(|task| {
            if task.chain.is_some() {
                return !self.is_satisfied(task);
            }
            let start = task.steps[0][0];
            if seen.as_ref().is_none_or(|(of, _)| *of != start) {
                seen = Some((start, self.region(task, 0, &task.steps[0])));
            }
            seen.as_ref()
                .is_some_and(|(_, region)| task.steps[1].iter().all(|&place| !region[place]))
        })
    }

    /// Returns true if the steps of the task can be reached in order.
    pub(super) fn is_satisfied(&self, task: &Task<'_>) -> bool {
        let mut from = task.steps[0].clone();
        (1..task.steps.len()).all(|step| {
            let region = self.region(task, step - 1, &from);
            from = task.steps[step].iter().copied().filter(|&cell| region[cell]).collect();
            !from.is_empty()
        })
    }

    /// Returns the cells reachable from `from`.
    pub(super) fn region(&self, task: &Task<'_>, progress: usize, from: &[usize]) -> Vec<bool> {
        let mut region = vec![false; self.removable.len()];
        if !self.spend(1) {
            return region;
        }
        let mut queue: Vec<usize> =
            from.iter().copied().filter(|&cell| self.is_open(task, progress, cell)).collect();
        queue.iter().for_each(|&cell| region[cell] = true);
        while let Some(cell) = queue.pop() {
            self.steps(task, progress, cell, Direction::Forward, |to, blocker| {
                if !region[to] && blocker.is_none() {
                    region[to] = true;
                    queue.push(to);
                }
            });
        }
        region
    }

    /// Returns the cells removed by a route with the fewest removals; `None` without a route.
    ///
    /// # Complexity
    /// O(cells * steps).
    pub(super) fn cheapest_route(&self, task: &Task<'_>) -> Option<Vec<usize>> {
        let (cells, legs) = (self.removable.len(), task.steps.len() - 1);
        if !self.spend(legs) {
            return None;
        }
        // Predecessor of each state, and the cell removed to enter it.
        let mut entered: Vec<(u32, u32)> = vec![(u32::MAX, u32::MAX); cells * legs];
        let mut is_goal = vec![false; cells * legs];
        for (progress, step) in task.steps[1..].iter().enumerate() {
            step.iter().for_each(|&cell| is_goal[progress * cells + cell] = true);
        }
        let starts = task.steps[0].iter().copied().filter(|&cell| self.is_open(task, 0, cell));
        let mut search = ZeroOneBfs::new(cells * legs, starts);
        while let Some(state) = search.pop() {
            let (progress, cell) = (state / cells, state % cells);
            if is_goal[state] {
                if progress + 1 == legs {
                    return Some(removed_on_route(&entered, state));
                }
                if search.relax(state + cells, 0) {
                    entered[state + cells] = (state as u32, u32::MAX);
                }
                continue;
            }
            self.steps(task, progress, cell, Direction::Forward, |to, blocker| {
                let next = progress * cells + to;
                let may = blocker.is_none_or(|blocker| self.removable[blocker]);
                if may && search.relax(next, blocker.is_some().into()) {
                    entered[next] =
                        (state as u32, blocker.map_or(u32::MAX, |blocker| blocker as u32));
                }
            });
        }
        None
    }

    /// Calls `visit` with each neighbour of a cell and the cell that blocks the step, if any.
    ///
    /// Omits diagonal steps between two corners: removing one of them opens a path of two steps.
    pub(super) fn steps(
        &self,
        task: &Task<'_>,
        progress: usize,
        cell: usize,
        direction: Direction,
        mut visit: impl FnMut(usize, Option<usize>),
    ) {
        let size = self.cell_flags.size;
        let (width, height) = (isize::from(size.width as i16), isize::from(size.height as i16));
        let (x, y) = (cell as isize % width, cell as isize / width);
        let (diagonal, straight) = DIRECTIONS.split_at(4);
        let diagonal = if task.mover == Mover::Car { &[] } else { diagonal };
        let sign = if direction == Direction::Forward { 1 } else { -1 };
        for &(_, dx, dy, blocking) in straight.iter().chain(diagonal) {
            let (dx, dy) = (dx * sign, dy * sign);
            if x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height {
                continue;
            }
            let to = ((y + dy) * width + x + dx) as usize;
            let flags = &self.cell_flags.flags;
            if dx != 0 && dy != 0 {
                let (beside, ahead) =
                    ((y * width + x + dx) as usize, ((y + dy) * width + x) as usize);
                if flags[beside] & flags[ahead] & flag::CORNER != 0 {
                    continue;
                }
            }
            // The cell that the step leaves must be leavable, the other one must be open.
            let leaving = if direction == Direction::Forward { cell } else { to };
            let stuck = task.mover == Mover::Person && flags[leaving] & blocking != 0;
            let blocker = match (self.is_open(task, progress, to), stuck) {
                (false, _) => Some(to),
                (true, true) => Some(leaving),
                (true, false) => None,
            };
            visit(to, blocker);
        }
    }

    /// Returns the failing tasks: starts of chains, and candidates that must be reachable from
    /// player starts. Removals never break a satisfied task, so the others need no further check.
    fn failing_tasks(&self) -> Vec<Task<'a>> {
        let level = self.level;
        let mut tasks = Vec::new();
        for chain in level.spec.chains() {
            let steps: Vec<Vec<usize>> = chain.steps.iter().map(|step| self.cells(*step)).collect();
            for start in &steps[0] {
                let mut task =
                    Task { mover: chain.mover, steps: steps.clone(), chain: Some(chain) };
                task.steps[0] = vec![*start];
                if !self.is_satisfied(&task) {
                    tasks.push(task);
                }
            }
        }
        if level.spec.config().reachable == Reachable::Candidates {
            let places = self.candidates();
            for start in self.cells(Step::Symbol(Symbol::Player)) {
                let task = |steps| Task { mover: Mover::Person, steps, chain: None };
                let region = self.region(&task(Vec::new()), 0, &[start]);
                let missed = places.iter().filter(|&&place| !region[place]);
                tasks.extend(missed.map(|place| task(vec![vec![start], vec![*place]])));
                if tasks.len() > self.max_tasks() {
                    break;
                }
            }
        }
        tasks
    }

    /// Counts the work of searches over all cells.
    pub(super) fn spend(&self, searches: usize) -> bool {
        self.work.spend(STEPS_PER_CELL * searches as u64 * self.removable.len() as u64)
    }

    fn max_tasks(&self) -> usize {
        (MAX_WORK / self.removable.len()).clamp(4, MAX_TASKS)
    }

    fn search_input(&self) -> SearchInput<'_> {
        SearchInput {
            cell_flags: &self.cell_flags,
            blueprint: &self.level.blueprint,
            tags: &self.level.tags,
        }
    }

    /// Returns the cells of a step.
    pub(super) fn cells(&self, step: Step) -> Vec<usize> {
        self.search_input().cells(step).iter().map(|pos| self.cell_flags.size.index(*pos)).collect()
    }

    /// Returns the cells of all candidates and marks.
    pub(super) fn candidates(&self) -> Vec<usize> {
        let marks = (0..self.level.tags.marks.len()).map(Step::Mark);
        let steps = Symbol::CANDIDATES.into_iter().map(Step::Symbol).chain(marks);
        steps.flat_map(|step| self.cells(step)).collect()
    }

    /// Returns true if the mover can enter the cell at this progress.
    pub(super) fn is_open(&self, task: &Task<'_>, progress: usize, cell: usize) -> bool {
        let flags = self.cell_flags.flags[cell];
        if flags & task.mover.bit() == 0 {
            return false;
        }
        match task.chain {
            Some(chain) if flags & flag::LOCKED != 0 => self.search_input().is_unlocked(
                self.cell_flags.size.pos(cell),
                chain,
                progress as u32,
            ),
            _ => true,
        }
    }
}

/// 0-1 breadth-first search: Dijkstra's algorithm (1959) for edge costs 0 and 1, with a deque as
/// priority queue.
pub(super) struct ZeroOneBfs {
    /// Cost of every state; [`u32::MAX`] if not reached.
    pub(super) cost: Vec<u32>,
    queue: VecDeque<(usize, u32)>,
    /// Cost of the last state returned by [`pop`](Self::pop).
    current_cost: u32,
}

impl ZeroOneBfs {
    pub(super) fn new(states: usize, starts: impl Iterator<Item = usize>) -> ZeroOneBfs {
        let mut search =
            ZeroOneBfs { cost: vec![u32::MAX; states], queue: VecDeque::new(), current_cost: 0 };
        for start in starts {
            search.cost[start] = 0;
            search.queue.push_back((start, 0));
        }
        search
    }

    /// Returns the next state in order of cost.
    pub(super) fn pop(&mut self) -> Option<usize> {
        loop {
            let (state, cost) = self.queue.pop_front()?;
            if cost <= self.cost[state] {
                self.current_cost = cost;
                return Some(state);
            }
        }
    }

    /// Relaxes an edge of cost 0 or 1 from the last state returned by [`pop`](Self::pop). Returns
    /// true if the cost of `state` decreased.
    pub(super) fn relax(&mut self, state: usize, price: u32) -> bool {
        let cost = self.current_cost + price;
        let cheaper = cost < self.cost[state];
        if cheaper {
            self.cost[state] = cost;
            if price == 0 {
                self.queue.push_front((state, cost));
            } else {
                self.queue.push_back((state, cost));
            }
        }
        cheaper
    }
}

fn removed_on_route(entered: &[(u32, u32)], goal: usize) -> Vec<usize> {
    let mut removed = Vec::new();
    let mut state = goal as u32;
    while state != u32::MAX {
        let (from, blocker) = entered[state as usize];
        removed.extend((blocker != u32::MAX).then_some(blocker as usize));
        state = from;
    }
    sorted_set(removed)
}
