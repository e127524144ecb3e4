//! `default`: random line segments.

use super::scaled;
use crate::trace::{Beats, Event};
use wayforge_core::MapRng;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;

/// Draws about 80 segments of 3 to 10 cells on 48 x 30 cells, as many for their size on others. They may overlap; what
/// would leave the interior is cut off.
///
/// * **Complexity.** Linear in the cells of the grid.
pub(super) fn draw(rng: &mut MapRng, walls: &mut BitGrid, beats: &mut Beats<'_, impl Tracer<Event>>) {
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
