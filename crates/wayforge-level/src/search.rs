//! The shortest route that reaches the steps of a chain in order: a search over cells and progress.

use crate::ground::Ground;
use crate::table::flag;
use crate::{Blueprint, Chain, Mover, Step, Symbol, Tags, Witness};
use wayforge_core::grid::{Dir, Pos};

/// Memory for searches, to be used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    states: Vec<State>,
    stamp: u32,
    /// States to be looked at, by the length of the shortest route that can still come of them.
    buckets: Vec<Vec<u32>>,
    goals: Vec<Goals>,
}

/// One cell at one progress.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    stamp: u32,
    /// Steps from the start.
    length: u32,
    /// The length of the shortest route through here, at best; [`DONE`] once it has been looked at.
    total: u32,
    /// The direction by which it was entered, or [`ADVANCED`].
    by: u8,
}

const DONE: u32 = u32::MAX;

/// Entered not by a step but by reaching a step of the chain.
const ADVANCED: u8 = 8;
const START: u8 = 9;

/// The cells of one step of the chain, with what bounds the way to them.
#[derive(Clone, Debug, Default)]
struct Goals {
    cells: Vec<Pos>,
    low: Pos,
    high: Pos,
    /// At least so many steps remain after this one is reached.
    rest: u32,
}

/// Beyond so many cells only their bounding box is looked at.
const FEW: usize = 8;

/// What a search runs over.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) ground: &'a Ground,
    pub(super) blueprint: &'a Blueprint,
    pub(super) tags: &'a Tags,
}

impl Search {
    /// Makes ready for a chain; [`find`](Self::find) may follow for each of its starts.
    pub(super) fn prepare(&mut self, scene: Scene<'_>, chain: &Chain) {
        let cells = scene.ground.flags.len();
        if self.states.len() < cells * (chain.steps.len() - 1) {
            self.states.resize(cells * (chain.steps.len() - 1), State::default());
        }
        if self.goals.len() < chain.steps.len() {
            self.goals.resize_with(chain.steps.len(), Goals::default);
        }
        for (goals, step) in self.goals.iter_mut().zip(&chain.steps) {
            goals.read(scene, *step);
        }
        for at in (0..chain.steps.len() - 1).rev() {
            let (before, after) = self.goals.split_at_mut(at + 1);
            before[at].rest = before[at].apart(&after[0], chain.mover) + after[0].rest;
        }
    }

    /// The starts of the chain that was made ready.
    pub(super) fn starts(&self) -> &[Pos] {
        self.goals.first().map_or(&[], |goals| &goals.cells)
    }

    /// Finds a shortest route from `start` and writes it down; otherwise says how many steps of the chain can be reached.
    ///
    /// * **Complexity.** Linear in cells times steps; as a rule in the length of the route, because the bound on the rest of
    ///   the way (exact where nothing is in it) is looked at first.
    /// * **Determinism.** Ties are broken by the order of directions, cells without walls first: a route follows a breakable
    ///   wall rather than breaking it lengthwise. No draw is made.
    pub(super) fn find(
        &mut self,
        scene: Scene<'_>,
        chain: &Chain,
        start: Pos,
        witness: &mut Witness,
    ) -> Result<(), u32> {
        let ground = scene.ground;
        let (width, cells) = (usize::from(ground.size.width), ground.flags.len());
        let steps = &DIRECTIONS[if chain.mover == Mover::Car { 4..8 } else { 0..8 }];
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.states.iter_mut().for_each(|state| state.stamp = 0);
            self.stamp = 1;
        }
        self.buckets.iter_mut().for_each(Vec::clear);
        let mut furthest = 0;
        let first = ground.size.index(start) as u32;
        if !ground.enters(chain.mover, start) {
            return Err(0);
        }
        let base = self.goals[1].bound(start, chain.mover);
        self.reach(first, 0, base, START, base);
        let mut total = base;
        while (total - base) < self.buckets.len() as u32 {
            let Some(at) = self.buckets[(total - base) as usize].pop() else {
                total += 1;
                continue;
            };
            let state = &mut self.states[at as usize];
            if state.total != total {
                continue;
            }
            state.total = DONE;
            let length = state.length;
            let (progress, cell) = (at as usize / cells, at as usize % cells);
            let pos = ground.size.pos(cell);
            if scene.is(pos, cell, chain.steps[progress + 1]) {
                furthest = furthest.max(progress as u32 + 1);
                if progress + 2 == chain.steps.len() {
                    self.write(scene, chain, at, witness);
                    return Ok(());
                }
                // Whatever can be done without the step can be done with it: the search goes on from here only.
                let bound = length + self.goals[progress + 2].bound(pos, chain.mover);
                self.reach(at + cells as u32, length, bound, ADVANCED, base);
                continue;
            }
            let here = ground.flags[cell];
            let goals = progress + 1;
            // Cells without walls are looked at before walls of the same bound, so they wait above them.
            let (mut open, mut opened) = ([0; 8], 0);
            for &(dir, dx, dy, held) in steps {
                // The cells at the edge are never entered, so every neighbour exists.
                if here & held != 0 && chain.mover == Mover::Person {
                    continue;
                }
                let to = (cell as isize + dy * width as isize + dx) as usize;
                let there = ground.flags[to];
                if there & chain.mover.bit() == 0 {
                    continue;
                }
                if dx != 0 && dy != 0 {
                    let (beside, ahead) =
                        ((cell as isize + dx) as usize, (cell as isize + dy * width as isize) as usize);
                    if ground.flags[beside] & ground.flags[ahead] & flag::CORNER != 0 {
                        continue;
                    }
                }
                if there & flag::LOCKED != 0 && !scene.opens(ground.size.pos(to), chain, progress as u32) {
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
                let bound = length + 1 + self.goals[goals].bound(next, chain.mover);
                let next = (progress * cells + to) as u32;
                self.states[next as usize] =
                    State { stamp: self.stamp, length: length + 1, total: bound, by: dir as u8 };
                if bound == total && scene.blueprint.cells()[to] != Symbol::Wall {
                    open[opened] = next;
                    opened += 1;
                } else {
                    self.wait(next, (bound - base) as usize);
                }
            }
            self.buckets[(total - base) as usize].extend_from_slice(&open[..opened]);
        }
        Err(furthest)
    }

    fn reach(&mut self, at: u32, length: u32, total: u32, by: u8, base: u32) {
        let state = &mut self.states[at as usize];
        if state.stamp == self.stamp && state.length <= length {
            return;
        }
        *state = State { stamp: self.stamp, length, total, by };
        self.wait(at, (total - base) as usize);
    }

    /// Puts a state on top of a bucket.
    #[inline]
    fn wait(&mut self, at: u32, bucket: usize) {
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(at);
    }

    /// Walks back from the goal.
    fn write(&self, scene: Scene<'_>, chain: &Chain, goal: u32, witness: &mut Witness) {
        let (size, cells) = (scene.ground.size, scene.ground.flags.len());
        let Witness { route, reached, .. } = witness;
        route.clear();
        reached.clear();
        let mut at = goal as usize;
        reached.push(self.states[at].length);
        loop {
            let state = self.states[at];
            if state.by == ADVANCED {
                reached.push(state.length);
                at -= cells;
                continue;
            }
            route.push(size.pos(at % cells));
            let Some(dir) = Dir::ALL.get(usize::from(state.by)) else { break };
            let (dx, dy) = dir.delta();
            at = (at as isize - isize::from(dy) * isize::from(size.width as i16) - isize::from(dx)) as usize;
        }
        reached.push(0);
        route.reverse();
        reached.reverse();
        debug_assert_eq!(reached.len(), chain.steps.len());
    }
}

/// The directions with what holds a mover back from each. The last one that leads no further away is tried first, so
/// straight ones stand last: routes run straight where they can.
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

impl<'a> Scene<'a> {
    /// The cells of a step, in reading order.
    pub(super) fn cells(&self, step: Step) -> &'a [Pos] {
        match step {
            Step::Symbol(symbol) => self.ground.places(symbol),
            Step::Mark(mark) => self.tags.marks.get(mark).map_or(&[], |cells| cells),
        }
    }

    /// True if the cell belongs to a step.
    fn is(&self, pos: Pos, cell: usize, step: Step) -> bool {
        match step {
            Step::Symbol(symbol) => self.blueprint.cells()[cell] == symbol,
            Step::Mark(mark) => self.tags.marks.get(mark).is_some_and(|cells| cells.contains(&pos)),
        }
    }

    /// True if a locked cell is open at this progress.
    pub(super) fn opens(&self, pos: Pos, chain: &Chain, progress: u32) -> bool {
        let mut marks = self.tags.marks.iter().zip(&chain.opens);
        marks.all(|(cells, opens)| *opens <= progress || !cells.contains(&pos))
    }
}

impl Goals {
    fn read(&mut self, scene: Scene<'_>, step: Step) {
        self.cells.clear();
        self.cells.extend_from_slice(scene.cells(step));
        let xs = || self.cells.iter().map(|pos| pos.x);
        let ys = || self.cells.iter().map(|pos| pos.y);
        self.low = Pos { x: xs().min().unwrap_or(0), y: ys().min().unwrap_or(0) };
        self.high = Pos { x: xs().max().unwrap_or(0), y: ys().max().unwrap_or(0) };
        self.rest = 0;
    }

    /// At least so many steps lead from `pos` over these cells to the end of the chain.
    #[inline]
    fn bound(&self, pos: Pos, mover: Mover) -> u32 {
        let nearest = match self.cells.as_slice() {
            [cell] => steps(pos, *cell, mover),
            [] => 0,
            cells if cells.len() <= FEW => {
                cells.iter().map(|cell| steps(pos, *cell, mover)).min().unwrap_or(0)
            }
            _ => steps(
                pos,
                Pos { x: pos.x.clamp(self.low.x, self.high.x), y: pos.y.clamp(self.low.y, self.high.y) },
                mover,
            ),
        };
        nearest + self.rest
    }

    /// At least so many steps lie between two boxes; of no cells nothing is known.
    fn apart(&self, other: &Goals, mover: Mover) -> u32 {
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
        Mover::Car => from.taxi_distance(to),
        Mover::Person => u32::from(from.king_distance(to)),
    }
}
