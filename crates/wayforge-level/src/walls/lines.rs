//! `default` and `grid_wire`: straight lines of wall.

use super::scaled;
use crate::trace::{Beats, Event};
use wayforge_core::MapRng;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;

/// `default`: draws about 80 segments of 3 to 10 cells on 48 x 30 cells, as many for their size on others. They may
/// overlap; what would leave the interior is cut off.
///
/// * **Complexity.** Linear in the cells of the grid.
pub(super) fn draw_segments(
    rng: &mut MapRng,
    walls: &mut BitGrid,
    beats: &mut Beats<'_, impl Tracer<Event>>,
) {
    let size = walls.size();
    for _ in 0..scaled(80, walls) {
        let x = 2 + rng.below(u32::from(size.width) - 4) as u16;
        let y = 2 + rng.below(u32::from(size.height) - 4) as u16;
        let reach = 2 + rng.below(8) as u16;
        if rng.below(2) == 0 {
            walls.insert_run(y, x, (x + reach).min(size.width - 3));
        } else {
            (y..=(y + reach).min(size.height - 3)).for_each(|y| walls.insert(Pos { x, y }));
        }
        beats.beat(walls);
    }
}

/// `grid_wire`: tries about 56 lines of 3 to 10 cells in each direction on 48 x 30 cells, as many for their size on
/// others. Lines of both directions cross each other but never run side by side.
///
/// Each direction is drawn on a layer of its own. A line is rejected if it would overlap another of its layer, join it end
/// to end or run beside it: if any cell of the layer lies within one cell of it. Then the layers are merged.
///
/// * **Complexity.** Linear in the cells of the grid.
pub(super) fn draw_wires(
    rng: &mut MapRng,
    walls: &mut BitGrid,
    layer: &mut BitGrid,
    beats: &mut Beats<'_, impl Tracer<Event>>,
) {
    let size = walls.size();
    let (across, down) = (size.width - 4, size.height - 4);
    for upright in [false, true] {
        layer.reset(size);
        for _ in 0..scaled(56, walls) {
            let length = 3 + rng.below(8) as u16;
            let (wide, high) = if upright { (1, length.min(down)) } else { (length.min(across), 1) };
            let x = 2 + rng.below(u32::from(across - wide) + 1) as u16;
            let y = 2 + rng.below(u32::from(down - high) + 1) as u16;
            if !layer.any_in(x - 1, y - 1, x + wide, y + high) {
                if upright {
                    (y..y + high).for_each(|y| layer.insert(Pos { x, y }));
                } else {
                    layer.insert_run(y, x, x + wide - 1);
                }
                beats.beat_with(walls, layer);
            }
        }
        walls.words_mut().iter_mut().zip(layer.words()).for_each(|(wall, line)| *wall |= line);
    }
}
