//! A floor laid out for checking: steps from the entrance, and what stands where.

use crate::floor::config::Budget;
use crate::floor::{Floor, TileKind};
use crate::grid::{Pos, Size};

/// Steps to a cell that cannot be reached.
pub(super) const FAR: u16 = u16::MAX;

/// A floor laid out for checking.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) size: Size,
    /// Whether each tile can be walked on, in reading order; a tile that is missing cannot.
    pub(super) open: Vec<bool>,
    /// Steps from the entrance.
    pub(super) steps: Vec<u16>,
    /// Whether the path passes each tile.
    pub(super) on_path: Vec<bool>,
    /// Whether an entity stands on each tile.
    pub(super) taken: Vec<bool>,
    queue: Vec<u16>,
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
        self.walkable = self.open.iter().filter(|&&open| open).count() as u32;
        for flags in [&mut self.on_path, &mut self.taken] {
            flags.clear();
            flags.resize(cells, false);
        }
        for &pos in floor.path.iter().filter(|&&pos| size.contains(pos)) {
            self.on_path[size.index(pos)] = true;
        }
        let start = size.contains(floor.entrance).then(|| size.index(floor.entrance));
        self.flood(start, None);
        self.reached = self.queue.len() as u32;
    }

    /// Counts the steps to every cell, from `start` and around `closed`.
    fn flood(&mut self, start: Option<usize>, closed: Option<usize>) {
        let View { size, open, steps, queue, .. } = self;
        let (width, cells) = (usize::from(size.width), size.cells());
        steps.clear();
        steps.resize(cells, FAR);
        queue.clear();
        if let Some(start) = start.filter(|&start| open[start]) {
            steps[start] = 0;
            queue.push(start as u16);
        }
        let mut at = 0;
        while let Some(&cell) = queue.get(at) {
            at += 1;
            let cell = usize::from(cell);
            let (column, next) = (cell % width, steps[cell] + 1);
            let mut reach = |to: usize| {
                if open[to] && steps[to] == FAR && Some(to) != closed {
                    steps[to] = next;
                    queue.push(to as u16);
                }
            };
            if cell >= width {
                reach(cell - width);
            }
            if column + 1 < width {
                reach(cell + 1);
            }
            if cell + width < cells {
                reach(cell + width);
            }
            if column > 0 {
                reach(cell - 1);
            }
        }
    }

    /// How many tiles can still be reached if one is closed. Steps are counted anew afterwards.
    pub(super) fn reached_without(&mut self, floor: &Floor, closed: Pos) -> u32 {
        let start = self.size.contains(floor.entrance).then(|| self.size.index(floor.entrance));
        self.flood(start, Some(self.size.index(closed)));
        let reached = self.queue.len() as u32;
        self.flood(start, None);
        reached
    }

    pub(super) fn is_open(&self, pos: Pos) -> bool {
        self.size.contains(pos) && self.open[self.size.index(pos)]
    }

    /// Steps from the entrance; [`FAR`] beyond the floor.
    pub(super) fn steps_to(&self, pos: Pos) -> u16 {
        if self.size.contains(pos) { self.steps[self.size.index(pos)] } else { FAR }
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
            crate::grid::Dir::STRAIGHT
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
                let of = |tile: TileKind| Budget::of_tile(tile) == Some(budget);
                for pos in self.size.iter().filter(|&pos| of(floor.tile(pos))) {
                    count(pos, self.steps_to(pos) != FAR);
                }
            }
        }
        (all, reached)
    }
}
