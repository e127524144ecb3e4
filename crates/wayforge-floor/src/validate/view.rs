//! A floor laid out for checking: steps from the entrance, and what stands where.

use crate::config::Budget;
use crate::{Floor, TileKind};
use wayforge_core::grid::{Dir, Pos, Size};

/// Steps to a cell that cannot be reached.
pub(super) const FAR: u16 = u16::MAX;
/// What stands for a cell that is closed.
const CLOSED: u16 = u16::MAX - 1;

/// A floor laid out for checking.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) size: Size,
    /// Whether each tile can be walked on, in reading order; a tile that is missing cannot.
    open: Vec<bool>,
    /// Steps from the entrance, with a rim around the grid.
    steps: Vec<u16>,
    /// Whether the path passes each tile.
    on_path: Vec<bool>,
    /// Whether an entity stands on each tile.
    pub(super) taken: Vec<bool>,
    /// How many tiles of each kind there are.
    pub(super) counts: [u32; 8],
    queue: Vec<u16>,
    /// How many cells the last flood found.
    found: u32,
    /// How many tiles can be walked on, and how many of them can be reached.
    pub(super) walkable: u32,
    pub(super) reached: u32,
}

/// The index of a cell in a grid with a rim.
fn rimmed(size: Size, pos: Pos) -> usize {
    (usize::from(pos.y) + 1) * (usize::from(size.width) + 2) + usize::from(pos.x) + 1
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
        self.avoid(floor, std::iter::empty());
        self.reached = self.found;
    }

    /// Counts the steps from the entrance to every cell, around `closed`.
    ///
    /// The grid has a rim of closed cells around it, so that every cell has four neighbours; and whether a neighbour is new is
    /// added, not asked, because no processor can guess it.
    pub(super) fn avoid(&mut self, floor: &Floor, closed: impl Iterator<Item = Pos>) {
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
        let place = |pos: Pos| size.contains(pos).then(|| rimmed(*size, pos));
        closed.filter_map(place).for_each(|closed| steps[closed] = CLOSED);
        queue.clear();
        queue.resize(size.cells() + 1, 0);
        let mut count = 0;
        if let Some(start) = place(floor.entrance).filter(|&start| steps[start] == FAR) {
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
        match self.size.contains(pos).then(|| self.steps[rimmed(self.size, pos)]) {
            None | Some(CLOSED) => FAR,
            Some(steps) => steps,
        }
    }

    pub(super) fn shortest(&self, floor: &Floor) -> Option<u32> {
        let steps = self.steps_to(floor.exit);
        (steps != FAR).then(|| steps.into())
    }

    pub(super) fn is_on_path(&self, pos: Pos) -> bool {
        self.on_path[self.size.index(pos)]
    }

    /// The cells beside one.
    pub(super) fn beside(&self, pos: Pos) -> impl Iterator<Item = Pos> + use<> {
        let size = self.size;
        Dir::STRAIGHT.into_iter().filter_map(move |dir| pos.step(dir, size))
    }

    /// The cells of one kind of tile in reading order. Tiles beyond the floor have no place.
    pub(super) fn cells_of<'a>(
        &self,
        floor: &'a Floor,
        kind: TileKind,
    ) -> impl Iterator<Item = Pos> + use<'a> {
        let (size, cells) = (self.size, if self.counts[kind as usize] > 0 { self.size.cells() } else { 0 });
        let tiles = floor.tiles.iter().take(cells).enumerate();
        tiles.filter(move |&(_, &tile)| tile == kind).map(move |(at, _)| size.pos(at))
    }

    /// How many things of a kind there are, and how many can be reached.
    pub(super) fn count(&self, floor: &Floor, budget: Budget) -> (u32, u32) {
        let there = |pos: Pos| self.steps_to(pos) != FAR;
        let reached = |pos| there(pos) || (budget == Budget::Water && self.beside(pos).any(there));
        let entities = floor.entities.iter().filter(|entity| Some(entity.kind) == budget.entity());
        let tiles = budget.tile().into_iter().flat_map(|kind| self.cells_of(floor, kind));
        let things = entities.map(|entity| entity.pos).chain(tiles);
        things.fold((0, 0), |(all, count), pos| (all + 1, count + u32::from(reached(pos))))
    }
}
