//! Who can step where, and plain breadth-first searches over cells and progress.

use super::View;
use crate::spec::{Chain, Step};
use crate::{InteriorWalls, Mover, Symbol};
use std::collections::VecDeque;
use wayforge_core::grid::{Dir, Pos, Size};

/// The ground as movers meet it.
pub(super) struct Land<'a> {
    pub(super) size: Size,
    symbols: &'a [Symbol],
    /// Which cells people and cars can enter, locks aside.
    person: Vec<bool>,
    car: Vec<bool>,
    /// Two of these beside a diagonal step block it.
    corner: Vec<bool>,
}

impl<'a> Land<'a> {
    pub(super) fn of(view: &View<'a>) -> Land<'a> {
        let (config, symbols) = (view.config, view.blueprint.cells());
        let solid = config.interior_walls == Some(InteriorWalls::Solid);
        let is_solid = |cell: usize| {
            symbols[cell] == Symbol::Wall && (solid || view.tags.reinforced.contains(view.size.pos(cell)))
        };
        let enters = |blocked: &str| {
            (0..symbols.len())
                .map(|cell| !is_solid(cell) && !blocked.contains(symbols[cell].to_char()))
                .collect()
        };
        Land {
            size: view.size,
            symbols,
            person: enters(&config.blocked.person),
            car: enters(&config.blocked.car),
            corner: (0..symbols.len()).map(|cell| symbols[cell] == Symbol::Band || is_solid(cell)).collect(),
        }
    }

    /// Where a step leads, if it can be made, locks aside.
    ///
    /// Cars step in four directions. People step in eight, not off a moving floor against its direction, and not between two
    /// corners that block.
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
        let held = match self.symbols[self.size.index(pos)] {
            Symbol::MovesNorth => dy > 0,
            Symbol::MovesSouth => dy < 0,
            Symbol::MovesWest => dx > 0,
            Symbol::MovesEast => dx < 0,
            _ => false,
        };
        let beside = [Pos { x: pos.x, y: goal.y }, Pos { x: goal.x, y: pos.y }];
        let squeezed = dir.is_diagonal() && beside.iter().all(|pos| self.corner[self.size.index(*pos)]);
        (!held && !squeezed).then_some(to)
    }

    /// For every cell the steps from `starts` to it, or with `back` from it to `starts`; locks and order do not count.
    pub(super) fn flood(&self, mover: Mover, starts: impl IntoIterator<Item = Pos>, back: bool) -> Vec<u32> {
        let starts = starts.into_iter().map(|pos| self.size.index(pos));
        let mut search = Bfs::new(self.symbols.len(), starts);
        while let Some(cell) = search.next_state() {
            let pos = self.size.pos(cell);
            for dir in Dir::ALL {
                let next = if back { self.step_back(mover, pos, dir) } else { self.step(mover, pos, dir) };
                next.into_iter().for_each(|next| search.reach(next));
            }
        }
        search.steps
    }

    /// Where a step in direction `dir` to the cell `to` comes from, if it can be made.
    #[inline]
    fn step_back(&self, mover: Mover, to: Pos, dir: Dir) -> Option<usize> {
        let from = to.step(dir.opposite(), self.size)?;
        self.step(mover, from, dir).map(|_| self.size.index(from))
    }
}

/// A chain on the ground: which cells are its steps, and which are locked until one of them.
///
/// The *progress* of a mover is the last step that it has reached, from 0 at its start. Standing on a cell of the next step is
/// to have reached it. A state is a cell with a progress.
pub(super) struct Walk<'a> {
    land: &'a Land<'a>,
    mover: Mover,
    /// The progress at which a chain is finished.
    last: usize,
    /// Bit `n` is set if the cell belongs to step `n`.
    steps: Vec<u8>,
    /// The progress from which on the cell can be entered.
    opens: Vec<u8>,
    pub(super) starts: Vec<Pos>,
}

/// No progress opens the cell.
const NEVER: u8 = u8::MAX;

/// The distance of what cannot be reached.
pub(super) const FAR: u32 = u32::MAX;

impl<'a> Walk<'a> {
    pub(super) fn of(view: &View<'_>, land: &'a Land<'a>, chain: &Chain) -> Walk<'a> {
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
        let mut opens = vec![0; view.size.cells()];
        for (mark, cells) in view.config.marks.iter().zip(&view.tags.marks) {
            let Some(key) = &mark.locked_until else { continue };
            let step = chain.steps.iter().position(|step| view.spec.step_name(*step) == *key);
            let from = step.map_or(NEVER, |step| step as u8);
            for pos in cells.iter().filter(|pos| view.size.contains(**pos)) {
                let cell = view.size.index(*pos);
                opens[cell] = from.max(opens[cell]);
            }
        }
        let starts = view.size.iter().filter(|pos| steps[view.size.index(*pos)] & 1 != 0).collect();
        Walk { land, mover: chain.mover, last: chain.steps.len() - 1, steps, opens, starts }
    }

    /// The progress of a mover that comes to a cell with a progress.
    pub(super) fn arrive(&self, cell: usize, mut progress: usize) -> usize {
        while progress < self.last && self.steps[cell] >> (progress + 1) & 1 == 1 {
            progress += 1;
        }
        progress
    }

    /// True if a mover can go from one cell to another with a progress, and why not otherwise.
    pub(super) fn may_step(&self, from: Pos, to: Pos, progress: usize) -> Result<(), &'static str> {
        let size = self.land.size;
        if !size.contains(from) || !size.contains(to) {
            return Err("leads off the grid");
        }
        let dir = Dir::between(from, to).ok_or("is no step to a neighbour")?;
        let to = self.land.step(self.mover, from, dir).ok_or("cannot be made")?;
        if usize::from(self.opens[to]) > progress { Err("leads into a locked cell") } else { Ok(()) }
    }

    /// For every state the fewest steps to the end of the chain, or [`FAR`]. The number of a state is its progress times
    /// the cells, plus its cell.
    pub(super) fn steps_to_finish(&self) -> Vec<u32> {
        let cells = self.steps.len();
        let goals = (0..cells).filter(|cell| self.steps[*cell] >> self.last & 1 == 1);
        let goals = goals.map(|cell| self.last * cells + cell);
        let mut search = Bfs::new(cells * (self.last + 1), goals);
        while let Some(state) = search.next_state() {
            let (after, to) = (state / cells, state % cells);
            // Every progress with which a mover can arrive here.
            let arriving = (0..=after.min(self.last - 1)).rev();
            let arriving = arriving.take_while(|before| self.arrive(to, *before) == after);
            for before in arriving.filter(|before| usize::from(self.opens[to]) <= *before) {
                let step = |dir| self.land.step_back(self.mover, self.land.size.pos(to), dir);
                for from in Dir::ALL.into_iter().filter_map(step) {
                    if self.arrive(from, before) == before {
                        search.reach(before * cells + from);
                    }
                }
            }
        }
        search.steps
    }

    /// For every state the fewest steps from some starts, or [`FAR`]. A finished chain is not left.
    pub(super) fn reachable(&self, starts: impl IntoIterator<Item = Pos>) -> Vec<u32> {
        let cells = self.steps.len();
        let starts = starts.into_iter().map(|pos| self.start(pos));
        let mut search = Bfs::new(cells * (self.last + 1), starts);
        while let Some(state) = search.next_state() {
            let (progress, from) = (state / cells, self.land.size.pos(state % cells));
            let dirs = if progress == self.last { &[][..] } else { &Dir::ALL[..] };
            for to in dirs.iter().filter_map(|dir| self.land.step(self.mover, from, *dir)) {
                if usize::from(self.opens[to]) <= progress {
                    search.reach(self.arrive(to, progress) * cells + to);
                }
            }
        }
        search.steps
    }

    /// For every cell the fewest steps from the starts without further progress, or [`FAR`].
    pub(super) fn everywhere(&self) -> Vec<u32> {
        let starts = self.starts.iter().map(|pos| self.land.size.index(*pos));
        let mut search = Bfs::new(self.steps.len(), starts);
        while let Some(from) = search.next_state() {
            let from = self.land.size.pos(from);
            let to = Dir::ALL.into_iter().filter_map(|dir| self.land.step(self.mover, from, dir));
            to.filter(|to| self.opens[*to] == 0).for_each(|to| search.reach(to));
        }
        search.steps
    }

    /// The state of a mover at its start.
    pub(super) fn start(&self, pos: Pos) -> usize {
        let cell = self.land.size.index(pos);
        self.arrive(cell, 0) * self.steps.len() + cell
    }
}

/// Breadth-first search over numbered states.
struct Bfs {
    /// For every state the fewest steps from the starts, or [`FAR`].
    steps: Vec<u32>,
    queue: VecDeque<usize>,
    /// The steps of the states that are reached now.
    after: u32,
}

impl Bfs {
    fn new(states: usize, starts: impl IntoIterator<Item = usize>) -> Bfs {
        let mut search = Bfs { steps: vec![FAR; states], queue: VecDeque::new(), after: 0 };
        starts.into_iter().for_each(|start| search.reach(start));
        search
    }

    /// The next state whose neighbours are to be reached.
    fn next_state(&mut self) -> Option<usize> {
        let state = self.queue.pop_front()?;
        self.after = self.steps[state] + 1;
        Some(state)
    }

    fn reach(&mut self, state: usize) {
        if self.steps[state] == FAR {
            self.steps[state] = self.after;
            self.queue.push_back(state);
        }
    }
}
