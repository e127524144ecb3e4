//! Land and water of a chart, and what a search knows of them.

use super::{Inks, View, blend};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use wayforge::grid::BitGrid;
use wayforge::nav::Water;

/// The colours of a map without a search: one for each pixel, or block of pixels, of the picture.
pub(super) struct Ground {
    across: usize,
    colours: Vec<[u8; 3]>,
    /// How many tiles each stands for.
    tiles: Vec<u32>,
}

impl Ground {
    pub(super) fn of(water: &Water, view: &View, inks: &Inks) -> Ground {
        let (across, down) = ((view.width / view.zoom) as usize, (view.height / view.zoom) as usize);
        // For each cell of the picture: its tiles, and how many are water.
        let mut cells = vec![(0_u32, 0_u32); across * down];
        for pos in water.size().iter() {
            let cell = &mut cells[view.cell(pos, across)];
            cell.0 += 1;
            cell.1 += u32::from(water.is_open(pos));
        }
        let open: Vec<bool> = cells.iter().map(|cell| 2 * cell.1 >= cell.0).collect();
        let to_land = steps_to(&open, across, false);
        let to_water = steps_to(&open, across, true);
        let colour = |(at, &(all, water)): (usize, &(u32, u32))| {
            let colour = if open[at] {
                // Rings along the coast, as engravers draw water, fading with the distance.
                let steps = u32::from(to_land[at]);
                let ring = if steps % 4 == 1 && steps < 14 { 30 - 2 * steps } else { 0 };
                let depth = (steps * 255 / 48).min(255);
                blend(blend(inks.shallow, inks.deep, depth), inks.coast, ring * 2)
            } else {
                let inland = (u32::from(to_water[at]) * 255 / 40).min(255);
                let shore = if to_water[at] == 1 { 210 } else { 0 };
                blend(blend(inks.beach, inks.inland, inland), inks.coast, shore)
            };
            let mixed = view.shrink > 1 && water > 0 && water < all;
            if mixed { blend(colour, inks.coast, 120) } else { colour }
        };
        let colours = cells.iter().enumerate().map(colour).collect();
        Ground { across, colours, tiles: cells.iter().map(|cell| cell.0).collect() }
    }

    /// Paints the ground with what was visited; what lies outside `within` is in the shade.
    pub(super) fn paint(
        &self,
        visited: Option<&BitGrid>,
        within: Option<&BitGrid>,
        view: &View,
        inks: &Inks,
        pixels: &mut Pixmap,
    ) {
        let count = |set: Option<&BitGrid>| {
            let mut counts = vec![0_u32; self.tiles.len()];
            set.into_iter().flat_map(BitGrid::iter).for_each(|pos| counts[view.cell(pos, self.across)] += 1);
            counts
        };
        let (visits, inside) = (count(visited), count(within));
        let data = pixels.pixels_mut();
        for (at, &colour) in self.colours.iter().enumerate() {
            let mut colour = colour;
            if within.is_some() && 2 * inside[at] < self.tiles[at] {
                colour = blend(colour, inks.coast, 70);
            }
            if visits[at] > 0 {
                colour = blend(colour, inks.visited, 70 + 90 * visits[at] / self.tiles[at].max(1));
            }
            let [r, g, b] = colour;
            let Some(pixel) = PremultipliedColorU8::from_rgba(r, g, b, 255) else { continue };
            let (x, y, zoom) = (at % self.across, at / self.across, view.zoom as usize);
            for row in y * zoom..(y + 1) * zoom {
                let start = row * view.width as usize + x * zoom;
                data[start..start + zoom].fill(pixel);
            }
        }
    }
}

/// How far each cell is from the nearest cell that is (or is not) open: about a third of a step a unit, at most 255 steps.
/// Diagonals count four units, so that distances look round.
fn steps_to(open: &[bool], across: usize, wanted: bool) -> Vec<u8> {
    const FAR: u16 = 765;
    let mut units: Vec<u16> = open.iter().map(|&open| if open == wanted { 0 } else { FAR }).collect();
    let down = open.len() / across.max(1);
    let mut pull = |x: usize, y: usize, from: [(isize, isize, u16); 4]| {
        let mut best = units[y * across + x];
        for (dx, dy, cost) in from {
            let (Some(x), Some(y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else { continue };
            if x < across && y < down {
                best = best.min(units[y * across + x] + cost);
            }
        }
        units[y * across + x] = best;
    };
    for y in 0..down {
        for x in 0..across {
            pull(x, y, [(-1, 0, 3), (0, -1, 3), (-1, -1, 4), (1, -1, 4)]);
        }
    }
    for y in (0..down).rev() {
        for x in (0..across).rev() {
            pull(x, y, [(1, 0, 3), (0, 1, 3), (1, 1, 4), (-1, 1, 4)]);
        }
    }
    units.iter().map(|&units| units.div_ceil(3).min(255) as u8).collect()
}
