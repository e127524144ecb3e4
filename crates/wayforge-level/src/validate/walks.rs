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
        let moves = self.symbols[self.size.index(pos)].moves().map_or((0, 0), Dir::delta);
        let held = dx * moves.0 + dy * moves.1 < 0;
        let beside = [Pos { x: pos.x, y: goal.y }, Pos { x: goal.x, y: pos.y }];
        let squeezed = dir.is_diagonal() && beside.iter().all(|pos| self.corner[self.size.index(*pos)]);
        (!held && !squeezed).then_some(to)
    }

    /// For every cell the steps from `starts` to it, or with `back` from it to `starts`; locks and order do not count.
    pub(super) fn flood(&self, mover: Mover, starts: impl IntoIterator<Item = Pos>, back: bool) -> Vec<u32> {
        let starts = starts.into_iter().map(|pos| self.size.index(pos));
        bfs(self.symbols.len(), starts, |cell| {
            let pos = self.size.pos(cell);
            let step = if back { Land::step_back } else { Land::step };
            Dir::ALL.into_iter().filter_map(move |dir| step(self, mover, pos, dir))
        })
    }

    /// Where a step in direction `dir` to the cell `to` comes from, if it can be made.
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
        bfs(cells * (self.last + 1), goals, |state| {
            let (after, to) = (state / cells, state % cells);
            // Every progress with which a mover can arrive here.
            let arriving = (0..=after.min(self.last - 1)).rev();
            let arriving = arriving.take_while(move |before| self.arrive(to, *before) == after);
            let arriving = arriving.filter(move |before| usize::from(self.opens[to]) <= *before);
            arriving.flat_map(move |before| {
                let step = move |dir| self.land.step_back(self.mover, self.land.size.pos(to), dir);
                let from = Dir::ALL.into_iter().filter_map(step);
                from.filter(move |from| self.arrive(*from, before) == before)
                    .map(move |from| before * cells + from)
            })
        })
    }

    /// For every state the fewest steps from some starts, or [`FAR`]. A finished chain is not left.
    pub(super) fn reachable(&self, starts: impl IntoIterator<Item = Pos>) -> Vec<u32> {
        let cells = self.steps.len();
        let starts = starts.into_iter().map(|pos| self.start(pos));
        bfs(cells * (self.last + 1), starts, |state| {
            let (progress, from) = (state / cells, self.land.size.pos(state % cells));
            let dirs = if progress == self.last { &[][..] } else { &Dir::ALL[..] };
            let to = dirs.iter().filter_map(move |dir| self.land.step(self.mover, from, *dir));
            to.filter(move |to| usize::from(self.opens[*to]) <= progress)
                .map(move |to| self.arrive(to, progress) * cells + to)
        })
    }

    /// For every cell the fewest steps from the starts without further progress, or [`FAR`].
    pub(super) fn everywhere(&self) -> Vec<u32> {
        let starts = self.starts.iter().map(|pos| self.land.size.index(*pos));
        bfs(self.steps.len(), starts, |from| {
            let from = self.land.size.pos(from);
            let to = Dir::ALL.into_iter().filter_map(move |dir| self.land.step(self.mover, from, dir));
            to.filter(|to| self.opens[*to] == 0)
        })
    }

    /// The state of a mover at its start.
    pub(super) fn start(&self, pos: Pos) -> usize {
        let cell = self.land.size.index(pos);
        self.arrive(cell, 0) * self.steps.len() + cell
    }
}

/// Breadth-first search: the fewest steps from `starts` to every state, or [`FAR`].
fn bfs<N: Iterator<Item = usize>>(
    states: usize,
    starts: impl IntoIterator<Item = usize>,
    next: impl Fn(usize) -> N,
) -> Vec<u32> {
    let mut steps = vec![FAR; states];
    let mut queue: VecDeque<usize> = starts.into_iter().collect();
    queue.iter().for_each(|state| steps[*state] = 0);
    while let Some(state) = queue.pop_front() {
        for to in next(state) {
            if steps[to] == FAR {
                steps[to] = steps[state] + 1;
                queue.push_back(to);
            }
        }
    }
    steps
}
