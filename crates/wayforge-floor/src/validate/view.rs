//! A floor prepared for validation: distances from the entrance and lookups by cell.

use crate::config::Budget;
use crate::{Floor, TileKind};
use wayforge_core::grid::{Dir, Pos, Size};

/// Distance of a cell that cannot be reached.
pub(super) const UNREACHABLE: u16 = u16::MAX;
/// Marks closed cells in the distance array.
const CLOSED: u16 = u16::MAX - 1;

/// A floor prepared for validation, with reusable buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub(super) size: Size,
    /// Whether each tile is walkable, in reading order; false for missing tiles.
    open: Vec<bool>,
    /// Distances from the entrance, on a grid padded by one cell on each side.
    distances: Vec<u16>,
    /// Whether each tile is on the path.
    on_path: Vec<bool>,
    /// Whether each tile has an entity; filled while entities are checked.
    pub(super) occupied: Vec<bool>,
    /// Number of tiles of each kind.
    pub(super) counts: [u32; 8],
    queue: Vec<u16>,
    /// Number of cells that the last BFS reached.
    flood_count: u32,
    /// Number of walkable tiles.
    pub(super) walkable: u32,
    /// Number of walkable tiles that are reachable from the entrance.
    pub(super) reached: u32,
}

/// Returns the index of a cell in the padded grid.
fn padded_index(size: Size, pos: Pos) -> usize {
    (usize::from(pos.y) + 1) * (usize::from(size.width) + 2) + usize::from(pos.x) + 1
}

impl View {
    /// Loads a floor.
    pub(super) fn load(&mut self, floor: &Floor) {
        let size = floor.size();
        let cells = size.cells();
        self.size = size;
        self.open.clear();
        self.open.extend(floor.tiles.iter().take(cells).map(|tile| tile.is_walkable()));
        self.open.resize(cells, false);
        self.counts = [0; 8];
        floor.tiles.iter().for_each(|&tile| self.counts[tile as usize] += 1);
        self.walkable = self.open.iter().map(|&open| u32::from(open)).sum();
        for flags in [&mut self.on_path, &mut self.occupied] {
            flags.clear();
            flags.resize(cells, false);
        }
        for &pos in floor.path.iter().filter(|&&pos| size.contains(pos)) {
            self.on_path[size.index(pos)] = true;
        }
        self.compute_distances(floor, std::iter::empty());
        self.reached = self.flood_count;
    }

    /// Computes the distance from the entrance to every cell by BFS, treating `closed` as closed.
    ///
    /// The grid is padded with closed cells, so every cell has four neighbours. New neighbours are
    /// counted without a branch, because the branch would be unpredictable.
    pub(super) fn compute_distances(&mut self, floor: &Floor, closed: impl Iterator<Item = Pos>) {
        let View { size, open, distances, queue, .. } = self;
        let (width, stride) = (usize::from(size.width), usize::from(size.width) + 2);
        distances.clear();
        distances.resize(stride * (usize::from(size.height) + 2), CLOSED);
        for (y, row) in open.chunks_exact(width).enumerate() {
            let first = (y + 1) * stride + 1;
            for (distance, &open) in distances[first..first + width].iter_mut().zip(row) {
                *distance = if open { UNREACHABLE } else { CLOSED };
            }
        }
        let index_of = |pos: Pos| size.contains(pos).then(|| padded_index(*size, pos));
        closed.filter_map(index_of).for_each(|closed| distances[closed] = CLOSED);
        queue.clear();
        queue.resize(size.cells() + 1, 0);
        let mut count = 0;
        if let Some(start) =
            index_of(floor.entrance).filter(|&start| distances[start] == UNREACHABLE)
        {
            distances[start] = 0;
            queue[0] = start as u16;
            count = 1;
        }
        let mut head = 0;
        while head < count {
            let cell = usize::from(queue[head]);
            head += 1;
            let distance = distances[cell] + 1;
            for next in [cell - stride, cell + 1, cell + stride, cell - 1] {
                let is_new = distances[next] == UNREACHABLE;
                distances[next] = if is_new { distance } else { distances[next] };
                queue[count] = next as u16;
                count += usize::from(is_new);
            }
        }
        self.flood_count = count as u32;
    }

    /// Returns the number of reachable tiles if the tile at `closed` is closed.
    ///
    /// Distances avoid that tile until the next [`compute_distances`](Self::compute_distances).
    pub(super) fn reached_without(&mut self, floor: &Floor, closed: Pos) -> u32 {
        self.compute_distances(floor, std::iter::once(closed));
        self.flood_count
    }

    pub(super) fn is_open(&self, pos: Pos) -> bool {
        self.size.contains(pos) && self.open[self.size.index(pos)]
    }

    /// Returns the distance from the entrance; [`UNREACHABLE`] outside the floor.
    pub(super) fn distance_to(&self, pos: Pos) -> u16 {
        match self.size.contains(pos).then(|| self.distances[padded_index(self.size, pos)]) {
            None | Some(CLOSED) => UNREACHABLE,
            Some(distance) => distance,
        }
    }

    pub(super) fn shortest_path_length(&self, floor: &Floor) -> Option<u32> {
        let distance = self.distance_to(floor.exit);
        (distance != UNREACHABLE).then(|| distance.into())
    }

    pub(super) fn is_on_path(&self, pos: Pos) -> bool {
        self.on_path[self.size.index(pos)]
    }

    /// Returns the neighbours of a cell.
    pub(super) fn neighbours(&self, pos: Pos) -> impl Iterator<Item = Pos> + use<> {
        let size = self.size;
        Dir::STRAIGHT.into_iter().filter_map(move |dir| pos.step(dir, size))
    }

    /// Returns the cells of one kind of tile in reading order. Surplus tiles are ignored.
    pub(super) fn cells_of<'a>(
        &self,
        floor: &'a Floor,
        kind: TileKind,
    ) -> impl Iterator<Item = Pos> + use<'a> {
        let (size, cells) =
            (self.size, if self.counts[kind as usize] > 0 { self.size.cells() } else { 0 });
        let tiles = floor.tiles.iter().take(cells).enumerate();
        tiles.filter(move |&(_, &tile)| tile == kind).map(move |(index, _)| size.pos(index))
    }

    /// Counts the objects of a budget: all of them, and those that can be reached.
    pub(super) fn count(&self, floor: &Floor, budget: Budget) -> (u32, u32) {
        let is_reachable = |pos: Pos| self.distance_to(pos) != UNREACHABLE;
        let is_reached = |pos| {
            is_reachable(pos) || (budget == Budget::Water && self.neighbours(pos).any(is_reachable))
        };
        let entities = floor.entities.iter().filter(|entity| Some(entity.kind) == budget.entity());
        let tiles = budget.tile().into_iter().flat_map(|kind| self.cells_of(floor, kind));
        let positions = entities.map(|entity| entity.pos).chain(tiles);
        positions.fold((0, 0), |(present, reachable), pos| {
            (present + 1, reachable + u32::from(is_reached(pos)))
        })
    }
}
