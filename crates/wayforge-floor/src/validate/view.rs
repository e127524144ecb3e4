//! A floor laid out for checking: steps from the entrance, and what stands where.

use crate::config::Budget;
use crate::{Floor, TileKind};
use wayforge_core::grid::{Pos, Size};

/// Steps to a cell that cannot be reached.
pub(super) const FAR: u16 = u16::MAX;
/// What stands for a cell that is closed.
const CLOSED: u16 = u16::MAX - 1;

/// A floor laid out for checking.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) size: Size,
    /// Whether each tile can be walked on, in reading order; a tile that is missing cannot.
    pub(super) open: Vec<bool>,
    /// Steps from the entrance, with a rim around the grid.
    steps: Vec<u16>,
    /// Whether the path passes each tile.
    pub(super) on_path: Vec<bool>,
    /// Whether an entity stands on each tile.
    pub(super) taken: Vec<bool>,
    /// How many tiles of each kind there are.
    pub(super) counts: [u32; 8],
    queue: Vec<u16>,
    /// How many cells the last flood found.
    found: u32,
    walkable: u32,
    reached: u32,
}

impl View {
    /// Lays a floor out.
    pub(super) fn look(&mut self, floor: &Floor) {
        let size = floor.size();
        let cells = size.cells();
        self.size = size;
        self.open.clear();
        self.open.extend(floor.tiles.iter().take(cells).map(|tile| tile.walkable()));
        self.open.resize(cells, false);
        self.counts = [0; 8];
        floor.tiles.iter().for_each(|&tile| self.counts[tile as usize] += 1);
        self.walkable = self.open.iter().map(|&open| u32::from(open)).sum();
        for flags in [&mut self.on_path, &mut self.taken] {
            flags.clear();
            flags.resize(cells, false);
        }
        for &pos in floor.path.iter().filter(|&&pos| size.contains(pos)) {
            self.on_path[size.index(pos)] = true;
        }
        let start = size.contains(floor.entrance).then(|| size.index(floor.entrance));
        self.flood(start, std::iter::empty());
        self.reached = self.found;
    }

    /// Counts the steps from the entrance again, around `closed`.
    pub(super) fn avoid(&mut self, floor: &Floor, closed: impl Iterator<Item = Pos>) {
        let size = self.size;
        let start = size.contains(floor.entrance).then(|| size.index(floor.entrance));
        self.flood(start, closed.filter(|&pos| size.contains(pos)).map(|pos| size.index(pos)));
    }

    /// Counts the steps to every cell, from `start` and around `closed`.
    ///
    /// The grid has a rim of closed cells around it, so that every cell has four neighbours; and whether a neighbour is new is
    /// added, not asked, because no processor can guess it.
    fn flood(&mut self, start: Option<usize>, closed: impl Iterator<Item = usize>) {
        let View { size, open, steps, queue, .. } = self;
        let (width, stride) = (usize::from(size.width), usize::from(size.width) + 2);
        steps.clear();
        steps.resize(stride * (usize::from(size.height) + 2), CLOSED);
        for (y, row) in open.chunks_exact(width).enumerate() {
            let first = (y + 1) * stride + 1;
            for (step, &open) in steps[first..first + width].iter_mut().zip(row) {
                *step = if open { FAR } else { CLOSED };
            }
        }
        let rim = |at: usize| (at / width + 1) * stride + at % width + 1;
        closed.for_each(|closed| steps[rim(closed)] = CLOSED);
        queue.clear();
        queue.resize(size.cells() + 1, 0);
        let mut count = 0;
        if let Some(start) = start.map(rim).filter(|&start| steps[start] == FAR) {
            steps[start] = 0;
            queue[0] = start as u16;
            count = 1;
        }
        let mut at = 0;
        while at < count {
            let cell = usize::from(queue[at]);
            at += 1;
            let next = steps[cell] + 1;
            for to in [cell - stride, cell + 1, cell + stride, cell - 1] {
                let new = steps[to] == FAR;
                steps[to] = if new { next } else { steps[to] };
                queue[count] = to as u16;
                count += usize::from(new);
            }
        }
        self.found = count as u32;
    }

    /// How many tiles can still be reached if one is closed. Steps are around it afterwards, until [`avoid`](Self::avoid).
    pub(super) fn reached_without(&mut self, floor: &Floor, closed: Pos) -> u32 {
        self.avoid(floor, std::iter::once(closed));
        self.found
    }

    pub(super) fn is_open(&self, pos: Pos) -> bool {
        self.size.contains(pos) && self.open[self.size.index(pos)]
    }

    /// Steps from the entrance; [`FAR`] beyond the floor.
    pub(super) fn steps_to(&self, pos: Pos) -> u16 {
        if !self.size.contains(pos) {
            return FAR;
        }
        let stride = usize::from(self.size.width) + 2;
        match self.steps[(usize::from(pos.y) + 1) * stride + usize::from(pos.x) + 1] {
            CLOSED => FAR,
            steps => steps,
        }
    }

    pub(super) fn shortest(&self, floor: &Floor) -> Option<u32> {
        let steps = self.steps_to(floor.exit);
        (steps != FAR).then(|| steps.into())
    }

    pub(super) fn walkable(&self) -> u32 {
        self.walkable
    }

    pub(super) fn reached(&self) -> u32 {
        self.reached
    }

    /// How many things of a kind there are, and how many can be reached.
    pub(super) fn count(&self, floor: &Floor, budget: Budget) -> (u32, u32) {
        let beside = |pos: Pos| {
            wayforge_core::grid::Dir::STRAIGHT
                .iter()
                .any(|&dir| pos.step(dir, self.size).is_some_and(|next| self.steps_to(next) != FAR))
        };
        let (mut all, mut reached) = (0, 0);
        let mut count = |pos: Pos, there: bool| {
            all += 1;
            let near = budget == Budget::Water && beside(pos);
            reached += u32::from(there || near);
        };
        match budget.entity() {
            Some(kind) => {
                let entities = floor.entities.iter().filter(|entity| entity.kind == kind);
                entities.for_each(|entity| count(entity.pos, self.steps_to(entity.pos) != FAR));
            }
            None => {
                let of = |tile: TileKind| budget.tile() == Some(tile);
                for pos in self.size.iter().filter(|&pos| of(floor.tile(pos))) {
                    count(pos, self.steps_to(pos) != FAR);
                }
            }
        }
        (all, reached)
    }
}
