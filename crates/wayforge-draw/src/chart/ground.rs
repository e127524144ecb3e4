//! Ground of a chart: land, water, shading and tints of visited tiles.

use super::{ChartColours, View, blend};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use wayforge::grid::BitGrid;
use wayforge::nav::NavGrid;

/// Colours of a grid without paths, one for each picture cell: a pixel or a square of pixels.
pub(super) struct Ground {
    columns: usize,
    colours: Vec<[u8; 3]>,
    /// Number of tiles in each cell.
    tiles: Vec<u32>,
}

impl Ground {
    pub(super) fn new(grid: &NavGrid, view: &View, palette: &ChartColours) -> Ground {
        let (columns, rows) =
            ((view.width / view.zoom) as usize, (view.height / view.zoom) as usize);
        // Total and open tiles of each picture cell.
        let mut cells = vec![(0_u32, 0_u32); columns * rows];
        for pos in grid.size().iter() {
            let cell = &mut cells[view.cell(pos, columns)];
            cell.0 += 1;
            cell.1 += u32::from(grid.is_open(pos));
        }
        let open: Vec<bool> = cells.iter().map(|cell| 2 * cell.1 >= cell.0).collect();
        let land_distance = chamfer_distance(&open, columns, false);
        let water_distance = chamfer_distance(&open, columns, true);
        let colour = |(index, &(total, water)): (usize, &(u32, u32))| {
            let colour = if open[index] {
                // Waterlines along the coast, as on engraved maps; they fade with distance.
                let steps = u32::from(land_distance[index]);
                let ring = if steps % 4 == 1 && steps < 14 { 30 - 2 * steps } else { 0 };
                let depth = (steps * 255 / 48).min(255);
                blend(blend(palette.shallow, palette.deep, depth), palette.coast, ring * 2)
            } else {
                let inland = (u32::from(water_distance[index]) * 255 / 40).min(255);
                let shore = if water_distance[index] == 1 { 210 } else { 0 };
                blend(blend(palette.beach, palette.inland, inland), palette.coast, shore)
            };
            let mixed = view.shrink > 1 && water > 0 && water < total;
            if mixed { blend(colour, palette.coast, 120) } else { colour }
        };
        let colours = cells.iter().enumerate().map(colour).collect();
        Ground { columns, colours, tiles: cells.iter().map(|cell| cell.0).collect() }
    }

    /// Paints the ground and tints visited tiles; tiles outside `within` are shaded.
    pub(super) fn paint(
        &self,
        visited: Option<&BitGrid>,
        within: Option<&BitGrid>,
        view: &View,
        palette: &ChartColours,
        pixels: &mut Pixmap,
    ) {
        let count = |set: Option<&BitGrid>| {
            let mut counts = vec![0_u32; self.tiles.len()];
            set.into_iter()
                .flat_map(BitGrid::iter)
                .for_each(|pos| counts[view.cell(pos, self.columns)] += 1);
            counts
        };
        let (visited_counts, inside_counts) = (count(visited), count(within));
        let data = pixels.pixels_mut();
        for (index, &colour) in self.colours.iter().enumerate() {
            let mut colour = colour;
            if within.is_some() && 2 * inside_counts[index] < self.tiles[index] {
                colour = blend(colour, palette.coast, 70);
            }
            if visited_counts[index] > 0 {
                let part = 70 + 90 * visited_counts[index] / self.tiles[index].max(1);
                colour = blend(colour, palette.visited, part);
            }
            let [r, g, b] = colour;
            let Some(pixel) = PremultipliedColorU8::from_rgba(r, g, b, 255) else { continue };
            let (x, y, zoom) = (index % self.columns, index / self.columns, view.zoom as usize);
            for row in y * zoom..(y + 1) * zoom {
                let start = row * view.width as usize + x * zoom;
                data[start..start + zoom].fill(pixel);
            }
        }
    }
}

/// Returns the distance of each cell to the nearest cell with `open == wanted`, in steps, at most
/// 255.
///
/// Two-pass 3-4 chamfer distance transform (Borgefors 1986): straight steps cost 3 and diagonal
/// steps 4 units.
fn chamfer_distance(open: &[bool], columns: usize, wanted: bool) -> Vec<u8> {
    const UNREACHED: u16 = 765;
    let mut units: Vec<u16> =
        open.iter().map(|&open| if open == wanted { 0 } else { UNREACHED }).collect();
    let rows = open.len() / columns.max(1);
    let mut relax = |x: usize, y: usize, from: [(isize, isize, u16); 4]| {
        let mut best = units[y * columns + x];
        for (dx, dy, cost) in from {
            let (Some(x), Some(y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else {
                continue;
            };
            if x < columns && y < rows {
                best = best.min(units[y * columns + x] + cost);
            }
        }
        units[y * columns + x] = best;
    };
    for y in 0..rows {
        for x in 0..columns {
            relax(x, y, [(-1, 0, 3), (0, -1, 3), (-1, -1, 4), (1, -1, 4)]);
        }
    }
    for y in (0..rows).rev() {
        for x in (0..columns).rev() {
            relax(x, y, [(1, 0, 3), (0, 1, 3), (1, 1, 4), (-1, 1, 4)]);
        }
    }
    units.iter().map(|&units| units.div_ceil(3).min(255) as u8).collect()
}
