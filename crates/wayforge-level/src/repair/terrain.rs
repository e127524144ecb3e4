//! A level with some cells removed, and the tasks that fail on it.

use super::{RepairPart, sorted_set};
use crate::flood::Way;
use crate::ground::Ground;
use crate::search::{DIRECTIONS, Scene};
use crate::table::flag;
use crate::{Chain, Level, Mover, Reachable, Step, Symbol};
use std::collections::VecDeque;
use wayforge_core::grid::Pos;

/// The ground of a level, some of it removed.
pub(super) struct Terrain<'a> {
    pub(super) level: &'a Level,
    pub(super) ground: Ground,
    /// What each cell was before anything was removed.
    before: Vec<u8>,
    pub(super) removable: Vec<bool>,
    pub(super) tasks: Vec<Task<'a>>,
    /// A part of the repair that is switched off.
    off: Option<RepairPart>,
}

/// One start that must reach places in order.
pub(super) struct Task<'a> {
    mover: Mover,
    /// The cells of each step; the first holds the start alone.
    pub(super) steps: Vec<Vec<usize>>,
    /// The chain it comes from, for its locks; none for a candidate that must be reached.
    chain: Option<&'a Chain>,
}

/// Failing tasks times cells: more would take seconds.
const MAX_WORK: usize = 16 << 20;
/// The most failing tasks on any grid.
const MAX_TASKS: usize = 256;

impl<'a> Terrain<'a> {
    /// The level with nothing removed.
    pub(super) fn of(
        level: &'a Level,
        removable: impl Fn(Pos, Symbol) -> bool,
        off: Option<RepairPart>,
    ) -> Terrain<'a> {
        let mut ground = Ground::default();
        ground.read(&level.spec, &level.blueprint, &level.tags);
        let size = level.blueprint.size();
        let cells = level.blueprint.cells().iter().enumerate();
        let removable = cells.map(|(cell, symbol)| removable(size.pos(cell), *symbol)).collect();
        let before = ground.flags.clone();
        Terrain { level, ground, before, removable, tasks: Vec::new(), off }
    }

    /// True unless a part of the repair is switched off.
    pub(super) fn uses(&self, part: RepairPart) -> bool {
        self.off != Some(part)
    }

    /// Collects the tasks that fail; false if they are too many to search, which are fewer if a remedy is `known`.
    pub(super) fn find_tasks(&mut self, known: bool) -> bool {
        let starts = self.level.spec.chains().iter().map(|chain| self.cells(chain.steps[0]).len());
        if starts.sum::<usize>() > 4 * self.most_tasks() {
            return false;
        }
        self.tasks = self.failing_tasks();
        self.tasks.len() <= if known { self.most_tasks() / 16 } else { self.most_tasks() }
    }

    /// True if something may be removed for one kind of mover that the other can enter.
    pub(super) fn opens_for_one(&self) -> bool {
        let both = flag::PERSON | flag::CAR;
        let mut cells = self.ground.flags.iter().zip(&self.removable);
        cells.any(|(flags, removable)| *removable && flags & both != 0 && flags & both != both)
    }

    /// Turns cells into plain floor.
    pub(super) fn remove(&mut self, cells: &[usize]) {
        cells.iter().for_each(|&cell| self.ground.flags[cell] = flag::PERSON | flag::CAR);
    }

    /// Brings cells back.
    pub(super) fn restore(&mut self, cells: &[usize]) {
        cells.iter().for_each(|&cell| self.ground.flags[cell] = self.before[cell]);
    }

    /// The first task that fails. Candidates of one start share one flood.
    pub(super) fn find_failing(&self) -> Option<&Task<'a>> {
        let mut seen: Option<(usize, Vec<bool>)> = None;
        self.tasks.iter().find(|task| {
            if task.chain.is_some() {
                return !self.holds(task);
            }
            let start = task.steps[0][0];
            if seen.as_ref().is_none_or(|(of, _)| *of != start) {
                seen = Some((start, self.region(task, 0, &task.steps[0])));
            }
            seen.as_ref().is_some_and(|(_, region)| task.steps[1].iter().all(|&place| !region[place]))
        })
    }

    /// True if the task's places can be reached in order.
    pub(super) fn holds(&self, task: &Task<'_>) -> bool {
        let mut from = task.steps[0].clone();
        (1..task.steps.len()).all(|step| {
            let region = self.region(task, step - 1, &from);
            from = task.steps[step].iter().copied().filter(|&cell| region[cell]).collect();
            !from.is_empty()
        })
    }

    /// The cells that can be reached from `from`.
    pub(super) fn region(&self, task: &Task<'_>, progress: usize, from: &[usize]) -> Vec<bool> {
        let mut region = vec![false; self.removable.len()];
        let mut queue: Vec<usize> =
            from.iter().copied().filter(|&cell| self.open(task, progress, cell)).collect();
        queue.iter().for_each(|&cell| region[cell] = true);
        while let Some(cell) = queue.pop() {
            self.steps(task, progress, cell, Way::Forward, |to, blocker| {
                if !region[to] && blocker.is_none() {
                    region[to] = true;
                    queue.push(to);
                }
            });
        }
        region
    }

    /// A route over cells and progress that removes the fewest cells, as the cells it removes; `None` if there is none.
    pub(super) fn cheapest_route(&self, task: &Task<'_>) -> Option<Vec<usize>> {
        let (cells, legs) = (self.removable.len(), task.steps.len() - 1);
        // Where each state was entered from, and what was removed for it.
        let mut entered: Vec<(u32, u32)> = vec![(u32::MAX, u32::MAX); cells * legs];
        let mut wanted = vec![false; cells * legs];
        for (progress, step) in task.steps[1..].iter().enumerate() {
            step.iter().for_each(|&cell| wanted[progress * cells + cell] = true);
        }
        let starts = task.steps[0].iter().copied().filter(|&cell| self.open(task, 0, cell));
        let mut search = ZeroOneBfs::new(cells * legs, starts);
        while let Some(state) = search.pop() {
            let (progress, cell) = (state / cells, state % cells);
            if wanted[state] {
                if progress + 1 == legs {
                    return Some(removed_on_the_way(&entered, state));
                }
                if search.reach(state + cells, 0) {
                    entered[state + cells] = (state as u32, u32::MAX);
                }
                continue;
            }
            self.steps(task, progress, cell, Way::Forward, |to, blocker| {
                let next = progress * cells + to;
                let may = blocker.is_none_or(|blocker| self.removable[blocker]);
                if may && search.reach(next, blocker.is_some().into()) {
                    entered[next] = (state as u32, blocker.map_or(u32::MAX, |blocker| blocker as u32));
                }
            });
        }
        None
    }

    /// Hands out the neighbours of a cell with what blocks the step, if something does. Squeezed diagonal steps are left
    /// out: whoever removes one of the corners can go around by it.
    pub(super) fn steps(
        &self,
        task: &Task<'_>,
        progress: usize,
        cell: usize,
        way: Way,
        mut give: impl FnMut(usize, Option<usize>),
    ) {
        let size = self.ground.size;
        let (width, height) = (isize::from(size.width as i16), isize::from(size.height as i16));
        let (x, y) = (cell as isize % width, cell as isize / width);
        let (diagonal, straight) = DIRECTIONS.split_at(4);
        let diagonal = if task.mover == Mover::Car { &[] } else { diagonal };
        let sign = if way == Way::Forward { 1 } else { -1 };
        for &(_, dx, dy, held) in straight.iter().chain(diagonal) {
            let (dx, dy) = (dx * sign, dy * sign);
            if x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height {
                continue;
            }
            let to = ((y + dy) * width + x + dx) as usize;
            let flags = &self.ground.flags;
            if dx != 0 && dy != 0 {
                let (beside, ahead) = ((y * width + x + dx) as usize, ((y + dy) * width + x) as usize);
                if flags[beside] & flags[ahead] & flag::CORNER != 0 {
                    continue;
                }
            }
            // The cell that is stepped from must let go, the one that is joined must be open.
            let leaving = if way == Way::Forward { cell } else { to };
            let stuck = task.mover == Mover::Person && flags[leaving] & held != 0;
            let blocker = match (self.open(task, progress, to), stuck) {
                (false, _) => Some(to),
                (true, true) => Some(leaving),
                (true, false) => None,
            };
            give(to, blocker);
        }
    }

    /// Every start of every chain, and every candidate that must be reached from every player start, as far as it fails:
    /// what holds now holds whatever is removed.
    fn failing_tasks(&self) -> Vec<Task<'a>> {
        let level = self.level;
        let mut tasks = Vec::new();
        for chain in level.spec.chains() {
            let steps: Vec<Vec<usize>> = chain.steps.iter().map(|step| self.cells(*step)).collect();
            for start in &steps[0] {
                let mut task = Task { mover: chain.mover, steps: steps.clone(), chain: Some(chain) };
                task.steps[0] = vec![*start];
                if !self.holds(&task) {
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
                if tasks.len() > self.most_tasks() {
                    break;
                }
            }
        }
        tasks
    }

    fn most_tasks(&self) -> usize {
        (MAX_WORK / self.removable.len()).clamp(4, MAX_TASKS)
    }

    fn scene(&self) -> Scene<'_> {
        Scene { ground: &self.ground, blueprint: &self.level.blueprint, tags: &self.level.tags }
    }

    /// The cells of a step.
    pub(super) fn cells(&self, step: Step) -> Vec<usize> {
        self.scene().cells(step).iter().map(|pos| self.ground.size.index(*pos)).collect()
    }

    /// The cells of every candidate and mark.
    pub(super) fn candidates(&self) -> Vec<usize> {
        let marks = (0..self.level.tags.marks.len()).map(Step::Mark);
        let steps = Symbol::CANDIDATES.into_iter().map(Step::Symbol).chain(marks);
        steps.flat_map(|step| self.cells(step)).collect()
    }

    /// True if the mover can enter the cell at this progress.
    pub(super) fn open(&self, task: &Task<'_>, progress: usize, cell: usize) -> bool {
        let flags = self.ground.flags[cell];
        if flags & task.mover.bit() == 0 {
            return false;
        }
        match task.chain {
            Some(chain) if flags & flag::LOCKED != 0 => {
                self.scene().opens(self.ground.size.pos(cell), chain, progress as u32)
            }
            _ => true,
        }
    }
}

/// 0-1 breadth-first search: Dijkstra's algorithm for steps that cost 0 or 1, with a deque as its queue.
pub(super) struct ZeroOneBfs {
    /// The cost of every state; [`u32::MAX`] if it is not reached.
    pub(super) cost: Vec<u32>,
    queue: VecDeque<(usize, u32)>,
    paid: u32,
}

impl ZeroOneBfs {
    pub(super) fn new(states: usize, starts: impl Iterator<Item = usize>) -> ZeroOneBfs {
        let mut search = ZeroOneBfs { cost: vec![u32::MAX; states], queue: VecDeque::new(), paid: 0 };
        for start in starts {
            search.cost[start] = 0;
            search.queue.push_back((start, 0));
        }
        search
    }

    /// The next state in order of cost.
    pub(super) fn pop(&mut self) -> Option<usize> {
        loop {
            let (state, paid) = self.queue.pop_front()?;
            if paid <= self.cost[state] {
                self.paid = paid;
                return Some(state);
            }
        }
    }

    /// Reaches a state from the last one at a price of 0 or 1; false if it was reached as cheaply before.
    pub(super) fn reach(&mut self, state: usize, price: u32) -> bool {
        let paid = self.paid + price;
        let cheaper = paid < self.cost[state];
        if cheaper {
            self.cost[state] = paid;
            match price {
                0 => self.queue.push_front((state, paid)),
                _ => self.queue.push_back((state, paid)),
            }
        }
        cheaper
    }
}

fn removed_on_the_way(entered: &[(u32, u32)], goal: usize) -> Vec<usize> {
    let mut removed = Vec::new();
    let mut state = goal as u32;
    while state != u32::MAX {
        let (from, blocker) = entered[state as usize];
        removed.extend((blocker != u32::MAX).then_some(blocker as usize));
        state = from;
    }
    sorted_set(removed)
}
