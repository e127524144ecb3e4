//! `sparse_moore` and `sparse_ortho`: scattered walls without adjacent pairs, in the Moore or the
//! von Neumann neighbourhood.

use super::BaseLevel;
use crate::Symbol;
use crate::trace::{Event, WallRecorder};
use wayforge_core::MapRng;
use wayforge_core::grid::BitGrid;
use wayforge_core::trace::Tracer;

/// Visits the free cells in row-major order and makes each a wall with probability `percent`,
/// unless it is adjacent to a wall. With `diagonal`, eight neighbours are adjacent, otherwise four.
///
/// Random bits are drawn for 64 cells at once, with the probability in 65,536ths.
///
/// # Complexity
/// O(cells).
pub(super) fn scatter(
    rng: &mut MapRng,
    percent: u8,
    diagonal: bool,
    base: BaseLevel<'_>,
    walls: &mut BitGrid,
    recorder: &mut WallRecorder<'_, impl Tracer<Event>>,
) {
    let BaseLevel { blueprint, free, .. } = base;
    let chance = (u32::from(percent) * 65_536 + 50) / 100;
    let (stride, height) = (walls.stride(), usize::from(walls.size().height));
    // Only pinned walls exist already.
    let pinned = blueprint.cells().contains(&Symbol::Wall);
    if pinned {
        blueprint.find(Symbol::Wall).for_each(|pos| walls.insert(pos));
    }
    for y in 2..height - 2 {
        // Bit 0 is set if the cell to the left of the current word is a wall.
        let mut left = 0;
        for w in 0..stride {
            let index = y * stride + w;
            let mut adjacent =
                row_neighbours(walls.words(), index - stride, w, stride, diagonal) | left;
            if pinned {
                adjacent |= row_neighbours(walls.words(), index + stride, w, stride, diagonal);
                adjacent |= sides(walls.words(), index, w, stride);
            }
            let mut rest = rng.bernoulli_bits(chance) & free.words()[index] & !adjacent;
            let mut row = 0;
            while rest != 0 {
                let wall = rest & rest.wrapping_neg();
                row |= wall;
                rest &= !(wall | wall << 1);
            }
            left = row >> 63;
            walls.words_mut()[index] |= row;
        }
        recorder.record(walls);
    }
}

/// Returns the cells adjacent to walls of word `index`, which is in the row above or below.
fn row_neighbours(walls: &[u64], index: usize, w: usize, stride: usize, diagonal: bool) -> u64 {
    walls[index] | if diagonal { sides(walls, index, w, stride) } else { 0 }
}

/// Returns the cells to the left and right of walls, for word `index` and its horizontal
/// neighbours.
fn sides(walls: &[u64], index: usize, w: usize, stride: usize) -> u64 {
    let from_left = if w > 0 { walls[index - 1] >> 63 } else { 0 };
    let from_right = if w + 1 < stride { walls[index + 1] << 63 } else { 0 };
    walls[index] << 1 | walls[index] >> 1 | from_left | from_right
}
