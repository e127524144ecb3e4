//! `sparse_moore` and `sparse_ortho`: scattered walls that do not touch.

use super::Terrain;
use crate::Symbol;
use crate::trace::{Beats, Event};
use wayforge_core::MapRng;
use wayforge_core::grid::BitGrid;
use wayforge_core::trace::Tracer;

/// Tries the free cells in reading order: each becomes a wall with a chance of `percent`, unless it lies beside a wall that
/// is there already. With `diagonal`, all eight neighbours count as beside, else four.
///
/// The draws of 64 cells are made together: one bit each, set with the chance in 65,536ths.
///
/// * **Complexity.** Linear in the cells of the grid.
pub(super) fn draw(
    rng: &mut MapRng,
    percent: u8,
    diagonal: bool,
    terrain: Terrain<'_>,
    walls: &mut BitGrid,
    beats: &mut Beats<'_, impl Tracer<Event>>,
) {
    let Terrain { blueprint, free, .. } = terrain;
    let chance = (u32::from(percent) * 65_536 + 50) / 100;
    let (stride, height) = (walls.stride(), usize::from(walls.size().height));
    // Walls that are there already: pins.
    let pinned = blueprint.cells().contains(&Symbol::Wall);
    if pinned {
        blueprint.find(Symbol::Wall).for_each(|pos| walls.insert(pos));
    }
    for y in 2..height - 2 {
        // The cell to the left of the word at hand, if it became a wall.
        let mut left = 0;
        for w in 0..stride {
            let at = y * stride + w;
            let mut beside = row_neighbours(walls.words(), at - stride, w, stride, diagonal) | left;
            if pinned {
                beside |= row_neighbours(walls.words(), at + stride, w, stride, diagonal);
                beside |= sides(walls.words(), at, w, stride);
            }
            let mut rest = rng.bits(chance) & free.words()[at] & !beside;
            let mut row = 0;
            while rest != 0 {
                let wall = rest & rest.wrapping_neg();
                row |= wall;
                rest &= !(wall | wall << 1);
            }
            left = row >> 63;
            walls.words_mut()[at] |= row;
        }
        beats.beat(walls);
    }
}

/// Of word `at`, the cells whose neighbours in a row above or below it are walls.
fn row_neighbours(walls: &[u64], at: usize, w: usize, stride: usize, diagonal: bool) -> u64 {
    walls[at] | if diagonal { sides(walls, at, w, stride) } else { 0 }
}

/// The cells to the left and right of the walls of word `at`, from the words beside it too.
fn sides(walls: &[u64], at: usize, w: usize, stride: usize) -> u64 {
    let from_left = if w > 0 { walls[at - 1] >> 63 } else { 0 };
    let from_right = if w + 1 < stride { walls[at + 1] << 63 } else { 0 };
    walls[at] << 1 | walls[at] >> 1 | from_left | from_right
}
