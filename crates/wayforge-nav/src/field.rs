//! Distances of all tiles at once, counted by a wave.

use super::blocks::Blocks;
use super::query::Moves;
use super::wave::{Wave, each_bit};
use wayforge_core::grid::{Pos, Size};

/// How many steps every tile is from the nearest source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceField {
    size: Size,
    steps: Vec<u32>,
}

impl DistanceField {
    /// What stands for a tile that no source reaches.
    pub const UNREACHED: u32 = u32::MAX;

    /// The grid's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The distance of a tile; none on land, beyond the grid and where no source reaches.
    pub fn get(&self, pos: Pos) -> Option<u32> {
        let steps = self.size.contains(pos).then(|| self.steps[self.size.index(pos)])?;
        (steps != DistanceField::UNREACHED).then_some(steps)
    }

    /// All distances in reading order, [`UNREACHED`](Self::UNREACHED) where there is none.
    pub fn into_steps(self) -> Vec<u32> {
        self.steps
    }
}

pub(super) fn count_distances(blocks: &Blocks, sources: &[Pos], moves: Moves) -> DistanceField {
    let size = blocks.size;
    let mut steps = vec![DistanceField::UNREACHED; size.cells()];
    let mut wave = Wave::<2>::new(blocks);
    wave.begin(blocks, sources);
    while !wave.front().is_empty() {
        for &(block, new) in wave.front() {
            let first = size.index(blocks.pos(block as usize, 0));
            each_bit(new, |bit| {
                steps[first + (bit / 8) as usize * usize::from(size.width) + (bit % 8) as usize] =
                    wave.level();
            });
        }
        wave.grow(blocks, moves);
    }
    DistanceField { size, steps }
}
