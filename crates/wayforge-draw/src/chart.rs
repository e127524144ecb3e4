//! Charts of navigation grids: open tiles as water, blocked tiles as land, with paths and visited
//! tiles.

mod ground;

use crate::paint::new_pixmap;
use crate::png::{DrawError, encode};
use crate::theme::Theme;
use ground::Ground;
use resvg::tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform,
};
use wayforge::grid::{BitGrid, Pos};
use wayforge::nav::NavGrid;

/// A navigation grid with the paths and tiles to show on it.
#[derive(Clone, Copy, Debug)]
pub struct NavGridChart<'a> {
    /// Grid.
    pub grid: &'a NavGrid,
    /// Tiles to tint, such as the tiles that a search visited.
    pub visited: Option<&'a BitGrid>,
    /// Paths as sequences of tiles.
    pub paths: &'a [Vec<Pos>],
    /// Tiles to mark with a disc.
    pub sources: &'a [Pos],
    /// Tiles to mark with a cross.
    pub targets: &'a [Pos],
}

/// Colours of a chart.
struct ChartColours {
    /// Water at the shore.
    shallow: [u8; 3],
    /// Water far from the shore.
    deep: [u8; 3],
    /// Land at the shore.
    beach: [u8; 3],
    /// Land far from the shore.
    inland: [u8; 3],
    /// Coastline.
    coast: [u8; 3],
    visited: [u8; 3],
    path: [u8; 3],
    /// Outline of paths, sources and targets.
    halo: [u8; 3],
    source: [u8; 3],
    target: [u8; 3],
}

/// Renders a chart as PNG.
///
/// The grid is scaled up or down so that its longer side has about `side` pixels; `side` is clamped
/// to the range 64 to 8,192.
///
/// # Errors
/// [`DrawError::Render`] if the picture cannot be allocated or encoded.
///
/// # Complexity
/// O(tiles + pixels).
///
/// # Examples
///
/// ```
/// use wayforge::nav::NavGrid;
/// use wayforge_draw::{NavGridChart, Theme, nav_grid_png};
/// let grid = &NavGrid::from_text("..#\n...")?;
/// let chart = NavGridChart { grid, visited: None, paths: &[], sources: &[], targets: &[] };
/// assert!(nav_grid_png(&chart, Theme::Parchment, 256)?.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn nav_grid_png(
    chart: &NavGridChart<'_>,
    theme: Theme,
    side: u32,
) -> Result<Vec<u8>, DrawError> {
    let pixels = ChartPainter::new(chart.grid, theme, side).paint(chart, None, true)?;
    encode(&pixels)
}

/// Colours, scale and ground shared by all charts of one grid.
pub(crate) struct ChartPainter {
    colours: ChartColours,
    view: View,
    ground: Ground,
}

impl ChartPainter {
    pub(crate) fn new(grid: &NavGrid, theme: Theme, side: u32) -> ChartPainter {
        let colours = ChartColours::new(theme);
        let view = View::new(grid, side.clamp(64, 8192));
        let ground = Ground::new(grid, &view, &colours);
        ChartPainter { colours, view, ground }
    }

    /// Paints a chart.
    ///
    /// Tiles outside `within` are shaded. With `dots`, visited tiles are also drawn as dots if they
    /// are fewer than 2 percent of the open tiles, as the jump points of a search are.
    pub(crate) fn paint(
        &self,
        chart: &NavGridChart<'_>,
        within: Option<&BitGrid>,
        dots: bool,
    ) -> Result<Pixmap, DrawError> {
        let ChartPainter { colours, view, ground } = self;
        let mut pixels = new_pixmap(view.width, view.height)?;
        ground.paint(chart.visited, within, view, colours, &mut pixels);
        let is_sparse = |set: &&BitGrid| dots && 50 * set.len() < chart.grid.open_count();
        // Jump points are sparse; a tint alone would not be visible.
        for pos in chart.visited.filter(is_sparse).into_iter().flat_map(BitGrid::iter) {
            disc(&mut pixels, view.centre(pos), 1.6, colours.visited);
        }
        paint_overlay(chart, view, colours, &mut pixels);
        Ok(pixels)
    }
}

/// Paints paths, sources and targets.
fn paint_overlay(
    chart: &NavGridChart<'_>,
    view: &View,
    colours: &ChartColours,
    pixels: &mut Pixmap,
) {
    let weight = (view.width.max(view.height) as f32 / 640.0).clamp(1.0, 4.0);
    for tiles in chart.paths {
        if let Some(path) = view.path(tiles) {
            stroke(pixels, &path, colours.halo, 4.2 * weight, 0.85);
            stroke(pixels, &path, colours.path, 2.1 * weight, 1.0);
        }
    }
    // Use small marks if there are many, so that the path stays visible.
    let radius = if chart.sources.len().max(chart.targets.len()) > 4 { 2.4 } else { 5.0 } * weight;
    for &pos in chart.sources {
        disc(pixels, view.centre(pos), radius + 1.2 * weight, colours.halo);
        disc(pixels, view.centre(pos), radius, colours.source);
    }
    for &pos in chart.targets {
        let (x, y) = view.centre(pos);
        let mut cross = PathBuilder::new();
        for (dx, dy) in [(radius, radius), (radius, -radius)] {
            cross.move_to(x - dx, y - dy);
            cross.line_to(x + dx, y + dy);
        }
        if let Some(path) = cross.finish() {
            stroke(pixels, &path, colours.halo, 3.6 * weight, 1.0);
            stroke(pixels, &path, colours.target, 2.0 * weight, 1.0);
        }
    }
}

/// Returns the colour of water of a magnitude, or of land.
pub(crate) fn tile_colour(theme: Theme, magnitude: Option<usize>) -> String {
    let colours = ChartColours::new(theme);
    // Water is darkest 48 steps from the shore, and a magnitude is about two steps.
    let water = |magnitude| blend(colours.shallow, colours.deep, magnitude as u32 * 255 / 24);
    let [r, g, b] = magnitude.map_or(colours.beach, water);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Scale of a chart. At least one of `zoom` and `shrink` is 1.
struct View {
    width: u32,
    height: u32,
    /// Pixels per tile.
    zoom: u32,
    /// Tiles per pixel.
    shrink: u32,
}

impl View {
    fn new(grid: &NavGrid, side: u32) -> View {
        let size = grid.size();
        let (width, height) = (u32::from(size.width), u32::from(size.height));
        let longest = width.max(height);
        let shrink = longest.div_ceil(side);
        let zoom = if shrink > 1 { 1 } else { (side / longest).max(1) };
        let pixels = |tiles: u32| tiles.div_ceil(shrink) * zoom;
        View { width: pixels(width), height: pixels(height), zoom, shrink }
    }

    /// Returns the index of the picture cell that contains a tile.
    fn cell(&self, pos: Pos, columns: usize) -> usize {
        let shrink = self.shrink as usize;
        usize::from(pos.y) / shrink * columns + usize::from(pos.x) / shrink
    }

    fn centre(&self, pos: Pos) -> (f32, f32) {
        let along = |at: u16| (f32::from(at) + 0.5) * self.zoom as f32 / self.shrink as f32;
        (along(pos.x), along(pos.y))
    }

    fn path(&self, tiles: &[Pos]) -> Option<Path> {
        let mut path = PathBuilder::new();
        for &pos in tiles {
            let (x, y) = self.centre(pos);
            if path.is_empty() { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        path.finish()
    }
}

fn blend(from: [u8; 3], to: [u8; 3], part: u32) -> [u8; 3] {
    let part = part.min(255);
    std::array::from_fn(|i| {
        ((u32::from(from[i]) * (255 - part) + u32::from(to[i]) * part) / 255) as u8
    })
}

fn paint([r, g, b]: [u8; 3], alpha: f32) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, (alpha * 255.0) as u8);
    paint
}

fn stroke(pixels: &mut Pixmap, path: &Path, colour: [u8; 3], width: f32, alpha: f32) {
    let stroke =
        Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
    pixels.stroke_path(path, &paint(colour, alpha), &stroke, Transform::identity(), None);
}

fn disc(pixels: &mut Pixmap, (x, y): (f32, f32), radius: f32, colour: [u8; 3]) {
    if let Some(path) = PathBuilder::from_circle(x, y, radius) {
        let (paint, rule) = (paint(colour, 1.0), FillRule::Winding);
        pixels.fill_path(&path, &paint, rule, Transform::identity(), None);
    }
}

impl ChartColours {
    fn new(theme: Theme) -> ChartColours {
        match theme {
            Theme::Parchment => ChartColours {
                shallow: [186, 209, 202],
                deep: [116, 158, 166],
                beach: [238, 224, 190],
                inland: [214, 192, 146],
                coast: [92, 68, 40],
                visited: [224, 148, 70],
                path: [168, 32, 38],
                halo: [255, 248, 228],
                source: [34, 92, 74],
                target: [120, 20, 60],
            },
            Theme::Night => ChartColours {
                shallow: [38, 66, 96],
                deep: [14, 26, 50],
                beach: [74, 72, 84],
                inland: [48, 46, 58],
                coast: [150, 168, 190],
                visited: [92, 190, 160],
                path: [255, 196, 84],
                halo: [10, 14, 26],
                source: [120, 230, 180],
                target: [255, 120, 130],
            },
        }
    }
}
