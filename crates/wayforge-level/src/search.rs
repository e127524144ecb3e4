//! A* search (Hart, Nilsson & Raphael 1968) for the shortest route through the steps of a chain.
//!
//! States are pairs of cell and progress. Steps have unit cost, so the priority queue is a bucket
//! queue (Dial 1969). The heuristic is the Manhattan distance for cars and the Chebyshev distance
//! for people to the next step, plus a lower bound on the remaining steps.

use crate::cell_flags::CellFlags;
use crate::movement::flag;
use crate::{Blueprint, Chain, Mover, Step, Symbol, Tags, Witness};
use wayforge_core::grid::{Dir, Pos};

/// The search with its scratch buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    states: Vec<State>,
    stamp: u32,
    /// Open states by `total`, relative to that of the start.
    buckets: Vec<Vec<u32>>,
    goals: Vec<Goals>,
    /// Number of states that the last search expanded.
    expanded: u64,
}

/// A search state: one cell at one progress.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Number of the search that wrote this state; states of other searches are stale.
    stamp: u32,
    /// Steps from the start.
    length: u32,
    /// `length` plus the heuristic; [`DONE`] once the state is expanded.
    total: u32,
    /// Direction of the last step, [`ADVANCED`] or [`START`].
    by: u8,
}

const DONE: u32 = u32::MAX;

/// Entered by reaching a step of the chain, not by moving.
const ADVANCED: u8 = 8;
const START: u8 = 9;

/// Cells of one step of the chain, with bounds on the distance to them.
#[derive(Clone, Debug, Default)]
struct Goals {
    cells: Vec<Pos>,
    /// Corners of the bounding box.
    low: Pos,
    high: Pos,
    /// Lower bound on the distance from these cells to the end of the chain.
    rest: u32,
}

/// Maximum number of cells of a step to which the heuristic measures each distance. For more cells,
/// it uses their bounding box.
const MAX_MEASURED: usize = 8;

/// The level that a search reads.
#[derive(Clone, Copy)]
pub(super) struct SearchInput<'a> {
    pub(super) cell_flags: &'a CellFlags,
    pub(super) blueprint: &'a Blueprint,
    pub(super) tags: &'a Tags,
}

impl Search {
    /// Prepares the search for a chain; call [`find`](Self::find) for each start.
    pub(super) fn prepare(&mut self, input: SearchInput<'_>, chain: &Chain) {
        let cells = input.cell_flags.flags.len();
        if self.states.len() < cells * (chain.steps.len() - 1) {
            self.states.resize(cells * (chain.steps.len() - 1), State::default());
        }
        if self.goals.len() < chain.steps.len() {
            self.goals.resize_with(chain.steps.len(), Goals::default);
        }
        for (goals, step) in self.goals.iter_mut().zip(&chain.steps) {
            goals.read(input, *step);
        }
        for index in (0..chain.steps.len() - 1).rev() {
            let (before, after) = self.goals.split_at_mut(index + 1);
            before[index].rest = before[index].distance_to(&after[0], chain.mover) + after[0].rest;
        }
    }

    /// Returns the number of states that the last search expanded.
    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Returns the starts of the prepared chain.
    pub(super) fn starts(&self) -> &[Pos] {
        self.goals.first().map_or(&[], |goals| &goals.cells)
    }

    /// Finds a shortest route from `start` and writes it to `witness`.
    ///
    /// # Errors
    /// The index of the last reachable step of the chain.
    ///
    /// # Complexity
    /// O(cells * steps) in the worst case; close to O(route length) without obstacles, where the
    /// heuristic is exact.
    ///
    /// # Determinism
    /// Uses no random numbers. Ties are broken by the order of directions, cells without walls
    /// first, so that routes run along breakable walls and not inside them.
    pub(super) fn find(
        &mut self,
        input: SearchInput<'_>,
        chain: &Chain,
        start: Pos,
        witness: &mut Witness,
    ) -> Result<(), u32> {
        let cell_flags = input.cell_flags;
        let (width, cells) = (usize::from(cell_flags.size.width), cell_flags.flags.len());
        let steps = &DIRECTIONS[if chain.mover == Mover::Car { 4..8 } else { 0..8 }];
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.states.iter_mut().for_each(|state| state.stamp = 0);
            self.stamp = 1;
        }
        self.buckets.iter_mut().for_each(Vec::clear);
        self.expanded = 0;
        let mut furthest = 0;
        let first = cell_flags.size.index(start) as u32;
        if !cell_flags.can_enter(chain.mover, start) {
            return Err(0);
        }
        let base = self.goals[1].lower_bound(start, chain.mover);
        self.reach(first, 0, base, START, base);
        let mut total = base;
        while (total - base) < self.buckets.len() as u32 {
            let Some(index) = self.buckets[(total - base) as usize].pop() else {
                total += 1;
                continue;
            };
            let state = &mut self.states[index as usize];
            if state.total != total {
                continue;
            }
            state.total = DONE;
            self.expanded += 1;
            let length = state.length;
            let (progress, cell) = (index as usize / cells, index as usize % cells);
            let pos = cell_flags.size.pos(cell);
            if input.is_step(pos, cell, chain.steps[progress + 1]) {
                furthest = furthest.max(progress as u32 + 1);
                if progress + 2 == chain.steps.len() {
                    self.write_witness(input, chain, index, witness);
                    return Ok(());
                }
                // Progress only unlocks cells, so the state without this step is dominated.
                let bound = length + self.goals[progress + 2].lower_bound(pos, chain.mover);
                self.reach(index + cells as u32, length, bound, ADVANCED, base);
                continue;
            }
            let from_flags = cell_flags.flags[cell];
            let goals = progress + 1;
            // Cells without walls are pushed last, so they are expanded before walls of equal
            // `total`.
            let (mut open, mut opened) = ([0; 8], 0);
            for &(dir, dx, dy, blocking) in steps {
                // Cells at the edge are closed, so every neighbour exists.
                if from_flags & blocking != 0 && chain.mover == Mover::Person {
                    continue;
                }
                let to = (cell as isize + dy * width as isize + dx) as usize;
                let to_flags = cell_flags.flags[to];
                if to_flags & chain.mover.bit() == 0 {
                    continue;
                }
                if dx != 0 && dy != 0 {
                    let (beside, ahead) = (
                        (cell as isize + dx) as usize,
                        (cell as isize + dy * width as isize) as usize,
                    );
                    if cell_flags.flags[beside] & cell_flags.flags[ahead] & flag::CORNER != 0 {
                        continue;
                    }
                }
                if to_flags & flag::LOCKED != 0
                    && !input.is_unlocked(cell_flags.size.pos(to), chain, progress as u32)
                {
                    continue;
                }
                let next = Pos {
                    x: (i32::from(pos.x) + dx as i32) as u16,
                    y: (i32::from(pos.y) + dy as i32) as u16,
                };
                let state = &self.states[progress * cells + to];
                if state.stamp == self.stamp && state.length <= length + 1 {
                    continue;
                }
                let bound = length + 1 + self.goals[goals].lower_bound(next, chain.mover);
                let next = (progress * cells + to) as u32;
                self.states[next as usize] =
                    State { stamp: self.stamp, length: length + 1, total: bound, by: dir as u8 };
                if bound == total && input.blueprint.cells()[to] != Symbol::Wall {
                    open[opened] = next;
                    opened += 1;
                } else {
                    self.push(next, (bound - base) as usize);
                }
            }
            self.buckets[(total - base) as usize].extend_from_slice(&open[..opened]);
        }
        Err(furthest)
    }

    /// Opens a state unless a route of at most this length is known.
    fn reach(&mut self, index: u32, length: u32, total: u32, by: u8, base: u32) {
        let state = &mut self.states[index as usize];
        if state.stamp == self.stamp && state.length <= length {
            return;
        }
        *state = State { stamp: self.stamp, length, total, by };
        self.push(index, (total - base) as usize);
    }

    /// Pushes a state onto a bucket.
    #[inline]
    fn push(&mut self, index: u32, bucket: usize) {
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(index);
    }

    /// Reconstructs the route backward from the goal.
    fn write_witness(
        &self,
        input: SearchInput<'_>,
        chain: &Chain,
        goal: u32,
        witness: &mut Witness,
    ) {
        let (size, cells) = (input.cell_flags.size, input.cell_flags.flags.len());
        let Witness { route, reached, .. } = witness;
        route.clear();
        reached.clear();
        let mut index = goal as usize;
        reached.push(self.states[index].length);
        loop {
            let state = self.states[index];
            if state.by == ADVANCED {
                reached.push(state.length);
                index -= cells;
                continue;
            }
            route.push(size.pos(index % cells));
            let Some(dir) = Dir::ALL.get(usize::from(state.by)) else { break };
            let (dx, dy) = dir.delta();
            index = (index as isize
                - isize::from(dy) * isize::from(size.width as i16)
                - isize::from(dx)) as usize;
        }
        reached.push(0);
        route.reverse();
        reached.reverse();
        debug_assert_eq!(reached.len(), chain.steps.len());
    }
}

/// Directions with the flags that forbid leaving a cell in them. Straight ones are last, because
/// the last pushed state is expanded first: routes prefer straight steps.
pub(super) const DIRECTIONS: [(Dir, isize, isize, u8); 8] = [
    (Dir::NorthEast, 1, -1, flag::NOT_NORTH | flag::NOT_EAST),
    (Dir::SouthEast, 1, 1, flag::NOT_SOUTH | flag::NOT_EAST),
    (Dir::SouthWest, -1, 1, flag::NOT_SOUTH | flag::NOT_WEST),
    (Dir::NorthWest, -1, -1, flag::NOT_NORTH | flag::NOT_WEST),
    (Dir::North, 0, -1, flag::NOT_NORTH),
    (Dir::East, 1, 0, flag::NOT_EAST),
    (Dir::South, 0, 1, flag::NOT_SOUTH),
    (Dir::West, -1, 0, flag::NOT_WEST),
];

impl<'a> SearchInput<'a> {
    /// Returns the cells of a step, in row-major order.
    pub(super) fn cells(&self, step: Step) -> &'a [Pos] {
        match step {
            Step::Symbol(symbol) => self.cell_flags.cells_of(symbol),
            Step::Mark(mark) => self.tags.marks.get(mark).map_or(&[], |cells| cells),
        }
    }

    /// Returns true if the cell belongs to a step.
    fn is_step(&self, pos: Pos, cell: usize, step: Step) -> bool {
        match step {
            Step::Symbol(symbol) => self.blueprint.cells()[cell] == symbol,
            Step::Mark(mark) => self.tags.marks.get(mark).is_some_and(|cells| cells.contains(&pos)),
        }
    }

    /// Returns true if a locked cell is open at this progress.
    pub(super) fn is_unlocked(&self, pos: Pos, chain: &Chain, progress: u32) -> bool {
        let mut marks = self.tags.marks.iter().zip(&chain.unlocked_at);
        marks.all(|(cells, unlocked_at)| *unlocked_at <= progress || !cells.contains(&pos))
    }
}

impl Goals {
    fn read(&mut self, input: SearchInput<'_>, step: Step) {
        self.cells.clear();
        self.cells.extend_from_slice(input.cells(step));
        let xs = || self.cells.iter().map(|pos| pos.x);
        let ys = || self.cells.iter().map(|pos| pos.y);
        self.low = Pos { x: xs().min().unwrap_or(0), y: ys().min().unwrap_or(0) };
        self.high = Pos { x: xs().max().unwrap_or(0), y: ys().max().unwrap_or(0) };
        self.rest = 0;
    }

    /// Returns a lower bound on the distance from `pos` through these cells to the end of the
    /// chain.
    #[inline]
    fn lower_bound(&self, pos: Pos, mover: Mover) -> u32 {
        let nearest = match self.cells.as_slice() {
            [cell] => steps(pos, *cell, mover),
            [] => 0,
            cells if cells.len() <= MAX_MEASURED => {
                cells.iter().map(|cell| steps(pos, *cell, mover)).min().unwrap_or(0)
            }
            _ => steps(
                pos,
                Pos {
                    x: pos.x.clamp(self.low.x, self.high.x),
                    y: pos.y.clamp(self.low.y, self.high.y),
                },
                mover,
            ),
        };
        nearest + self.rest
    }

    /// Returns a lower bound on the distance between two bounding boxes; 0 if one of them is empty.
    fn distance_to(&self, other: &Goals, mover: Mover) -> u32 {
        if self.cells.is_empty() || other.cells.is_empty() {
            return 0;
        }
        let gap = |low: u16, high: u16, other_low: u16, other_high: u16| {
            u32::from(other_low.saturating_sub(high).max(low.saturating_sub(other_high)))
        };
        let x = gap(self.low.x, self.high.x, other.low.x, other.high.x);
        let y = gap(self.low.y, self.high.y, other.low.y, other.high.y);
        if mover == Mover::Car { x + y } else { x.max(y) }
    }
}

#[inline]
fn steps(from: Pos, to: Pos, mover: Mover) -> u32 {
    match mover {
        Mover::Car => from.manhattan_distance(to),
        Mover::Person => u32::from(from.chebyshev_distance(to)),
    }
}
