//! `default` and `grid_wire`: straight wall segments.

use super::scaled;
use crate::trace::{Event, WallRecorder};
use wayforge_core::MapRng;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;

/// `default`: draws 80 segments of 3 to 10 cells on 48 x 30 cells, scaled for other sizes. Segments
/// may overlap and are clipped to the interior.
///
/// # Complexity
/// O(cells).
pub(super) fn draw_segments(
    rng: &mut MapRng,
    walls: &mut BitGrid,
    recorder: &mut WallRecorder<'_, impl Tracer<Event>>,
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
        recorder.record(walls);
    }
}

/// `grid_wire`: tries 56 lines of 3 to 10 cells in each direction on 48 x 30 cells, scaled for
/// other sizes. Horizontal and vertical lines may cross, but parallel lines never touch.
///
/// Each direction has its own layer. A line is rejected if any cell of its layer is within one cell
/// of it. Then the layers are merged.
///
/// # Complexity
/// O(cells).
pub(super) fn draw_wires(
    rng: &mut MapRng,
    walls: &mut BitGrid,
    layer: &mut BitGrid,
    recorder: &mut WallRecorder<'_, impl Tracer<Event>>,
) {
    let size = walls.size();
    let (across, down) = (size.width - 4, size.height - 4);
    for vertical in [false, true] {
        layer.reset(size);
        for _ in 0..scaled(56, walls) {
            let length = 3 + rng.below(8) as u16;
            let (width, height) =
                if vertical { (1, length.min(down)) } else { (length.min(across), 1) };
            let x = 2 + rng.below(u32::from(across - width) + 1) as u16;
            let y = 2 + rng.below(u32::from(down - height) + 1) as u16;
            if !layer.any_in(x - 1, y - 1, x + width, y + height) {
                if vertical {
                    (y..y + height).for_each(|y| layer.insert(Pos { x, y }));
                } else {
                    layer.insert_run(y, x, x + width - 1);
                }
                recorder.record_layers(walls, layer);
            }
        }
        walls.words_mut().iter_mut().zip(layer.words()).for_each(|(wall, line)| *wall |= line);
    }
}
