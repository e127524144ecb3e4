//! A level with cells taken away, and what stands in the way of its movers.

use super::super::config::{Mover, Reachable};
use super::super::ground::Ground;
use super::super::map::Level;
use super::super::search::Scene;
use super::super::spec::{Chain, Step};
use super::super::symbol::Symbol;
use super::super::table::flag;
use super::tree::{Cell, Net, Places};
use crate::grid::{Dir, Pos};
use std::collections::VecDeque;

/// The ground of a level, some of it removed.
pub(super) struct Terrain<'a> {
    level: &'a Level,
    ground: Ground,
    /// What each cell was before anything was removed.
    before: Vec<u8>,
    removable: Vec<bool>,
    tasks: Vec<Task<'a>>,
}

/// One start that must reach places in order.
struct Task<'a> {
    mover: Mover,
    /// The cells of each step; the first holds the start alone.
    steps: Vec<Vec<usize>>,
    /// The chain it comes from, for its locks; none for a candidate that must be reached.
    chain: Option<&'a Chain>,
}

/// The cost of what cannot be reached whatever is removed.
const UNREACHED: u32 = u32::MAX;

/// Failing tasks times cells: more would take seconds, and hundreds of faults explain nothing.
const MOST_WORK: usize = 16 << 20;
/// The most failing tasks on any grid.
const MOST_TASKS: usize = 256;

/// Which movers a tree is for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Passing {
    /// A cell is open if one of the movers can enter it, and all eight directions count: no remedy is cheaper.
    Any,
    /// A cell is open if every mover can enter it, and only four directions count.
    All,
}

/// Which way a region grows.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Forward,
    Backward,
}

impl<'a> Terrain<'a> {
    /// The level with nothing removed; `None` if more fails than can be looked into.
    pub(super) fn of(level: &'a Level, removable: impl Fn(Pos, Symbol) -> bool) -> Option<Terrain<'a>> {
        let mut ground = Ground::default();
        ground.read(&level.spec, &level.blueprint, &level.tags);
        let size = level.blueprint.size();
        let cells = level.blueprint.cells().iter().enumerate();
        let removable = cells.map(|(cell, symbol)| removable(size.pos(cell), *symbol)).collect();
        let before = ground.flags.clone();
        let mut terrain = Terrain { level, ground, before, removable, tasks: Vec::new() };
        let starts = level.spec.chains().iter().map(|chain| terrain.cells(chain.steps[0]).len());
        if starts.sum::<usize>() > 4 * terrain.most_tasks() {
            return None;
        }
        terrain.tasks = terrain.failing_tasks();
        (terrain.tasks.len() <= terrain.most_tasks()).then_some(terrain)
    }

    /// Turns cells into plain floor.
    pub(super) fn remove(&mut self, cells: &[usize]) {
        cells.iter().for_each(|&cell| self.ground.flags[cell] = flag::PERSON | flag::CAR);
    }

    /// Brings cells back.
    pub(super) fn restore(&mut self, cells: &[usize]) {
        cells.iter().for_each(|&cell| self.ground.flags[cell] = self.before[cell]);
    }

    /// True if nothing fails.
    pub(super) fn is_whole(&self) -> bool {
        self.find_failing(0..self.tasks.len()).is_none()
    }

    /// The smallest cut of the first task that fails; `None` if none does. It is empty if nothing removable is in the way.
    pub(super) fn smallest_cut(&self) -> Option<Vec<usize>> {
        let failing = &self.tasks[self.find_failing(0..self.tasks.len())?];
        let mut cuts: Vec<Vec<usize>> = self.cuts(failing);
        cuts.push(self.whole_cut(failing));
        cuts.into_iter().min_by_key(Vec::len)
    }

    /// The first task of an order that fails. Candidates of one start share one look at what it reaches.
    fn find_failing(&self, mut order: impl Iterator<Item = usize>) -> Option<usize> {
        let mut seen: Option<(usize, Vec<bool>)> = None;
        order.find(|&at| {
            let task = &self.tasks[at];
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

    /// How many cuts share no cell: at least so many cells must go.
    pub(super) fn disjoint_cuts(&self) -> usize {
        let failing = self.tasks.iter().filter(|task| !self.holds(task));
        let mut cuts: Vec<Vec<usize>> = failing.flat_map(|task| self.layers(task)).flatten().collect();
        cuts.sort_by_key(Vec::len);
        let mut used = vec![false; self.removable.len()];
        let mut count = 0;
        for cut in cuts {
            if cut.iter().all(|&cell| !used[cell]) {
                cut.iter().for_each(|&cell| used[cell] = true);
                count += 1;
            }
        }
        count
    }

    /// The fewest removable cells that join every place that must be joined, for movers that pass as `passing` says; `None`
    /// if some need not be joined with the others, or if that is too large a question.
    pub(super) fn joined(&self, passing: Passing) -> Option<Vec<usize>> {
        let (mut all, mut any) = (Vec::new(), Vec::new());
        for step in self.level.spec.chains().iter().flat_map(|chain| &chain.steps) {
            let cells = self.cells(*step);
            match step {
                Step::Symbol(Symbol::Exit) => any = cells,
                _ if cells.len() > 1 && self.level.spec.config().reachable != Reachable::Candidates => {
                    return None;
                }
                _ => all.extend(cells),
            }
        }
        if self.level.spec.config().reachable == Reachable::Candidates {
            let marks = (0..self.level.tags.marks.len()).map(Step::Mark);
            let steps = Symbol::CANDIDATES.into_iter().map(Step::Symbol).chain(marks);
            all.extend(steps.flat_map(|step| self.cells(step)));
        }
        let entered = |flags: u8| match passing {
            Passing::Any => flags & (flag::PERSON | flag::CAR) != 0,
            Passing::All => flags & (flag::PERSON | flag::CAR) == flag::PERSON | flag::CAR,
        };
        let cells = self.ground.flags.iter().zip(&self.removable).map(|(flags, removable)| match removable {
            _ if entered(*flags) => Cell::Open,
            true => Cell::Wall,
            false => Cell::Closed,
        });
        let cells: Vec<Cell> = cells.collect();
        let size = self.ground.size;
        let net = Net::build(&cells, |cell, give| {
            for dir in Dir::ALL.into_iter().filter(|dir| passing == Passing::Any || !dir.is_diagonal()) {
                let (dx, dy) = dir.delta();
                let pos = size.pos(cell);
                let Some(to) = pos.step(dir, size) else { continue };
                let beside = Pos { x: pos.x.wrapping_add_signed(dx), y: pos.y };
                let ahead = Pos { x: pos.x, y: pos.y.wrapping_add_signed(dy) };
                let corner = |pos| self.ground.flags[size.index(pos)] & flag::CORNER != 0;
                if !dir.is_diagonal() || !corner(beside) || !corner(ahead) {
                    give(size.index(to));
                }
            }
        });
        net.join(&Places { all: &all, any: &any })
    }

    /// True if nothing fails once `cells` are removed.
    pub(super) fn mended(&mut self, cells: &[usize]) -> bool {
        self.remove(cells);
        let mended = self.is_whole();
        self.restore(cells);
        mended
    }

    /// The fewest cells to remove for one failing task, the first or the last one; `None` if none fails, empty if nothing
    /// removable is in its way.
    pub(super) fn cheapest_remedy(&self, last: bool) -> Option<Vec<usize>> {
        let tasks = 0..self.tasks.len();
        let failing = if last { self.find_failing(tasks.rev()) } else { self.find_failing(tasks) };
        let task = failing.map(|at| &self.tasks[at]);
        Some(self.cheapest_route(task?).unwrap_or_default())
    }

    /// True if the task's places can be reached in order.
    fn holds(&self, task: &Task<'_>) -> bool {
        let mut from = task.steps[0].clone();
        (1..task.steps.len()).all(|step| {
            let region = self.region(task, step - 1, &from);
            from = task.steps[step].iter().copied().filter(|&cell| region[cell]).collect();
            !from.is_empty()
        })
    }

    /// The cut around everything that the task's start can reach at any progress.
    fn whole_cut(&self, task: &Task<'_>) -> Vec<usize> {
        let mut from = task.steps[0].clone();
        let mut cut = Vec::new();
        for step in 1..task.steps.len() {
            let region = self.region(task, step - 1, &from);
            cut.extend(self.cut_around(task, step - 1, &region));
            from = task.steps[step].iter().copied().filter(|&cell| region[cell]).collect();
        }
        cut.sort_unstable();
        cut.dedup();
        cut
    }

    /// The cuts of those legs of a task that fail, around the places before and around the places after.
    fn cuts(&self, task: &Task<'_>) -> Vec<Vec<usize>> {
        self.layers(task).into_iter().filter_map(|layers| layers.into_iter().next()).collect()
    }

    /// For every failing leg and both ways, the cuts at each number of removals: the cells that are paid for first there.
    /// No two of one leg and way share a cell, and every remedy takes one of each.
    fn layers(&self, task: &Task<'_>) -> Vec<Vec<Vec<usize>>> {
        let mut all = Vec::new();
        for leg in 0..task.steps.len() - 1 {
            for (way, from, to) in [(Way::Forward, leg, leg + 1), (Way::Backward, leg + 1, leg)] {
                let costs = self.costs(task, leg, &task.steps[from], way);
                let price = task.steps[to].iter().map(|&cell| costs[cell]).min().unwrap_or(UNREACHED);
                if price == 0 {
                    continue;
                }
                let mut layers: Vec<Vec<usize>> = Vec::new();
                for cell in (0..costs.len()).filter(|&cell| costs[cell] < price) {
                    self.steps(task, leg, cell, way, |to, blocker| {
                        let Some(blocker) = blocker.filter(|&blocker| self.removable[blocker]) else {
                            return;
                        };
                        let layer = costs[cell] as usize;
                        if costs[to] == costs[cell] + 1 {
                            layers.resize_with(layers.len().max(layer + 1), Vec::new);
                            layers[layer].push(blocker);
                        }
                    });
                }
                for layer in &mut layers {
                    layer.sort_unstable();
                    layer.dedup();
                }
                // Nothing removable at all in the way: an empty cut, which no remedy hits.
                if layers.is_empty() {
                    layers.push(Vec::new());
                }
                all.push(layers);
            }
        }
        all
    }

    /// How many cells must be removed to come from `from` to each cell, or from each cell to `from`.
    fn costs(&self, task: &Task<'_>, progress: usize, from: &[usize], way: Way) -> Vec<u32> {
        let mut costs = vec![UNREACHED; self.removable.len()];
        let mut queue: VecDeque<(usize, u32)> = VecDeque::new();
        for &cell in from.iter().filter(|&&cell| self.open(task, progress, cell)) {
            costs[cell] = 0;
            queue.push_back((cell, 0));
        }
        while let Some((cell, paid)) = queue.pop_front() {
            if paid > costs[cell] {
                continue;
            }
            self.steps(task, progress, cell, way, |to, blocker| {
                let price = paid + u32::from(blocker.is_some());
                if price < costs[to] && blocker.is_none_or(|blocker| self.removable[blocker]) {
                    costs[to] = price;
                    match blocker {
                        None => queue.push_front((to, price)),
                        Some(_) => queue.push_back((to, price)),
                    }
                }
            });
        }
        costs
    }

    /// The cells that can be reached from `from`.
    fn region(&self, task: &Task<'_>, progress: usize, from: &[usize]) -> Vec<bool> {
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

    /// The removable cells that keep a region from growing.
    fn cut_around(&self, task: &Task<'_>, progress: usize, region: &[bool]) -> Vec<usize> {
        let mut cut = Vec::new();
        for cell in (0..region.len()).filter(|&cell| region[cell]) {
            self.steps(task, progress, cell, Way::Forward, |to, blocker| {
                cut.extend(blocker.filter(|&blocker| !region[to] && self.removable[blocker]));
            });
        }
        cut.sort_unstable();
        cut.dedup();
        cut
    }

    /// A route over cells and progress that removes the fewest cells, as the cells it removes; `None` if there is none.
    fn cheapest_route(&self, task: &Task<'_>) -> Option<Vec<usize>> {
        let (cells, legs) = (self.removable.len(), task.steps.len() - 1);
        let mut cost = vec![u32::MAX; cells * legs];
        // Where each state was entered from, and what was removed for it.
        let mut entered: Vec<(u32, u32)> = vec![(u32::MAX, u32::MAX); cells * legs];
        let mut wanted = vec![false; cells * legs];
        for (progress, step) in task.steps[1..].iter().enumerate() {
            step.iter().for_each(|&cell| wanted[progress * cells + cell] = true);
        }
        let mut queue: VecDeque<(usize, u32)> = VecDeque::new();
        for &start in task.steps[0].iter().filter(|&&cell| self.open(task, 0, cell)) {
            cost[start] = 0;
            queue.push_back((start, 0));
        }
        while let Some((state, paid)) = queue.pop_front() {
            if paid > cost[state] {
                continue;
            }
            let (progress, cell) = (state / cells, state % cells);
            if wanted[state] {
                if progress + 1 == legs {
                    return Some(removed_on_the_way(&entered, state));
                }
                if paid < cost[state + cells] {
                    cost[state + cells] = paid;
                    entered[state + cells] = (state as u32, u32::MAX);
                    queue.push_front((state + cells, paid));
                }
                continue;
            }
            self.steps(task, progress, cell, Way::Forward, |to, blocker| {
                if blocker.is_some_and(|blocker| !self.removable[blocker]) {
                    return;
                }
                let (next, price) = (progress * cells + to, paid + u32::from(blocker.is_some()));
                if price < cost[next] {
                    cost[next] = price;
                    entered[next] = (state as u32, blocker.map_or(u32::MAX, |blocker| blocker as u32));
                    match blocker {
                        None => queue.push_front((next, price)),
                        Some(_) => queue.push_back((next, price)),
                    }
                }
            });
        }
        None
    }

    /// Hands out the neighbours of a cell with what blocks the step, if something does. Squeezed diagonal steps are left
    /// out: whoever removes one of the corners can go around by it.
    fn steps(
        &self,
        task: &Task<'_>,
        progress: usize,
        cell: usize,
        way: Way,
        mut give: impl FnMut(usize, Option<usize>),
    ) {
        const STEPS: [(isize, isize, u8); 8] = [
            (0, -1, flag::NOT_NORTH),
            (1, 0, flag::NOT_EAST),
            (0, 1, flag::NOT_SOUTH),
            (-1, 0, flag::NOT_WEST),
            (1, -1, flag::NOT_NORTH | flag::NOT_EAST),
            (1, 1, flag::NOT_SOUTH | flag::NOT_EAST),
            (-1, 1, flag::NOT_SOUTH | flag::NOT_WEST),
            (-1, -1, flag::NOT_NORTH | flag::NOT_WEST),
        ];
        let size = self.ground.size;
        let (width, height) = (isize::from(size.width as i16), isize::from(size.height as i16));
        let (x, y) = (cell as isize % width, cell as isize / width);
        let (steps, turn) =
            (if task.mover == Mover::Car { 4 } else { 8 }, if way == Way::Forward { 1 } else { -1 });
        for (dx, dy, held) in STEPS[..steps].iter().map(|&(dx, dy, held)| (dx * turn, dy * turn, held)) {
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
            let marks = (0..level.tags.marks.len()).map(Step::Mark);
            let steps = Symbol::CANDIDATES.into_iter().map(Step::Symbol).chain(marks);
            let places: Vec<usize> = steps.flat_map(|step| self.cells(step)).collect();
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
        (MOST_WORK / self.removable.len()).clamp(4, MOST_TASKS)
    }

    fn cells(&self, step: Step) -> Vec<usize> {
        let places = match step {
            Step::Symbol(symbol) => self.ground.places(symbol),
            Step::Mark(mark) => self.level.tags.marks.get(mark).map_or(&[][..], |cells| cells),
        };
        places.iter().map(|pos| self.ground.size.index(*pos)).collect()
    }

    /// True if the mover can enter the cell at this progress.
    fn open(&self, task: &Task<'_>, progress: usize, cell: usize) -> bool {
        let flags = self.ground.flags[cell];
        if flags & task.mover.bit() == 0 {
            return false;
        }
        match task.chain {
            Some(chain) if flags & flag::LOCKED != 0 => {
                let Level { blueprint, tags, .. } = self.level;
                let scene = Scene { ground: &self.ground, blueprint, tags };
                scene.opens(self.ground.size.pos(cell), chain, progress as u32)
            }
            _ => true,
        }
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
    removed.sort_unstable();
    removed.dedup();
    removed
}
