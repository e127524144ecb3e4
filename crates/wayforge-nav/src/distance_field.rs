//! Distance field: distances from all tiles to the nearest source, by bit-parallel BFS.

use super::bit_bfs::{BitBfs, for_each_bit};
use super::blocks::Blocks;
use super::query::Connectivity;
use wayforge_core::grid::{Pos, Size};

/// Number of steps from every tile to the nearest source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceField {
    size: Size,
    steps: Vec<u32>,
}

impl DistanceField {
    /// Value of tiles that no source reaches.
    pub const UNREACHED: u32 = u32::MAX;

    /// Returns the size of the grid.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the distance of a tile, or `None` if it is blocked, unreachable or outside the grid.
    pub fn get(&self, pos: Pos) -> Option<u32> {
        let steps = self.size.contains(pos).then(|| self.steps[self.size.index(pos)])?;
        (steps != DistanceField::UNREACHED).then_some(steps)
    }

    /// Returns all distances in row-major order, [`UNREACHED`](Self::UNREACHED) for unreachable
    /// tiles.
    pub fn into_steps(self) -> Vec<u32> {
        self.steps
    }
}

/// Computes the distance from every tile to the nearest of `sources`.
///
/// # Complexity
/// O(tiles).
pub(super) fn compute_distance_field(
    blocks: &Blocks,
    sources: &[Pos],
    connectivity: Connectivity,
) -> DistanceField {
    let size = blocks.size;
    let mut steps = vec![DistanceField::UNREACHED; size.cells()];
    let mut bfs = BitBfs::<2>::new(blocks);
    bfs.begin(blocks, sources);
    while !bfs.frontier().is_empty() {
        for &(block, new) in bfs.frontier() {
            let first = size.index(blocks.pos(block as usize, 0));
            for_each_bit(new, |bit| {
                steps[first + (bit / 8) as usize * usize::from(size.width) + (bit % 8) as usize] =
                    bfs.level();
            });
        }
        bfs.expand(blocks, connectivity);
    }
    DistanceField { size, steps }
}
