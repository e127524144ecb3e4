//! Charts: water and land as a picture, with ways and what a search visited.

mod ground;

use crate::paint::blank;
use crate::png::{DrawError, encode};
use crate::theme::Theme;
use ground::Ground;
use resvg::tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};
use wayforge::grid::{BitGrid, Pos};
use wayforge::nav::Water;

/// What a chart shows.
#[derive(Clone, Copy, Debug)]
pub struct Chart<'a> {
    /// The map.
    pub water: &'a Water,
    /// Tiles to tint, such as those that a search visited.
    pub visited: Option<&'a BitGrid>,
    /// Ways, as chains of tiles.
    pub ways: &'a [Vec<Pos>],
    /// Tiles to mark with a ring.
    pub sources: &'a [Pos],
    /// Tiles to mark with a cross.
    pub targets: &'a [Pos],
}

/// The colours of a chart.
struct Inks {
    /// Water from the shore to the deep.
    shallow: [u8; 3],
    deep: [u8; 3],
    /// Land from the shore inland.
    beach: [u8; 3],
    inland: [u8; 3],
    coast: [u8; 3],
    visited: [u8; 3],
    way: [u8; 3],
    halo: [u8; 3],
    source: [u8; 3],
    target: [u8; 3],
}

/// Draws a chart as PNG. Large maps are made smaller and small ones larger, so that the longer side has about `side` pixels.
///
/// * **Arguments.** The chart, its theme, and the longer side in pixels, 64 to 8,192.
/// * **Returns.** The bytes of a PNG file.
/// * **Complexity.** Linear in tiles and pixels.
///
/// ```
/// use wayforge::nav::Water;
/// use wayforge_draw::{Chart, Theme, chart_png};
/// let water = Water::from_text("..#\n...")?;
/// let chart = Chart { water: &water, visited: None, ways: &[], sources: &[], targets: &[] };
/// assert!(chart_png(&chart, Theme::Parchment, 256)?.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn chart_png(chart: &Chart<'_>, theme: Theme, side: u32) -> Result<Vec<u8>, DrawError> {
    let pixels = Easel::new(chart.water, theme, side).paint(chart, None, true)?;
    encode(&pixels)
}

/// What all charts of a map share.
pub(crate) struct Easel {
    inks: Inks,
    view: View,
    ground: Ground,
}

impl Easel {
    pub(crate) fn new(water: &Water, theme: Theme, side: u32) -> Easel {
        let inks = Inks::of(theme);
        let view = View::new(water, side.clamp(64, 8192));
        let ground = Ground::of(water, &view, &inks);
        Easel { inks, view, ground }
    }

    /// Paints a chart. What lies outside `within`, if that is given, is in the shade. With `dots`, few visited tiles are
    /// taken for jump points and drawn as dots.
    pub(crate) fn paint(
        &self,
        chart: &Chart<'_>,
        within: Option<&BitGrid>,
        dots: bool,
    ) -> Result<Pixmap, DrawError> {
        let Easel { inks, view, ground } = self;
        let mut pixels = blank(view.width, view.height)?;
        ground.paint(chart.visited, within, view, inks, &mut pixels);
        paint_over(&Chart { visited: chart.visited.filter(|_| dots), ..*chart }, view, inks, &mut pixels);
        Ok(pixels)
    }
}

/// Paints ways and their ends.
fn paint_over(chart: &Chart<'_>, view: &View, inks: &Inks, pixels: &mut Pixmap) {
    if let Some(points) = chart.visited.filter(|set| 50 * set.len() < chart.water.tiles()) {
        // Jump points are few and far between: dots, or nobody would see them.
        for pos in points.iter() {
            disc(pixels, view.centre(pos), 1.6, inks.visited);
        }
    }
    let bold = (view.width.max(view.height) as f32 / 640.0).clamp(1.0, 4.0);
    for way in chart.ways {
        if let Some(path) = view.path(way) {
            stroke(pixels, &path, inks.halo, 4.2 * bold, 0.85);
            stroke(pixels, &path, inks.way, 2.1 * bold, 1.0);
        }
    }
    // With many ends small marks: the way must stay visible.
    let radius = if chart.sources.len().max(chart.targets.len()) > 4 { 2.4 } else { 5.0 } * bold;
    for &pos in chart.sources {
        disc(pixels, view.centre(pos), radius + 1.2 * bold, inks.halo);
        disc(pixels, view.centre(pos), radius, inks.source);
    }
    for &pos in chart.targets {
        let (x, y) = view.centre(pos);
        let mut cross = PathBuilder::new();
        for (dx, dy) in [(radius, radius), (radius, -radius)] {
            cross.move_to(x - dx, y - dy);
            cross.line_to(x + dx, y + dy);
        }
        if let Some(path) = cross.finish() {
            stroke(pixels, &path, inks.halo, 3.6 * bold, 1.0);
            stroke(pixels, &path, inks.target, 2.0 * bold, 1.0);
        }
    }
}

/// The colour of water of a magnitude, or of land.
pub(crate) fn tile_colour(theme: Theme, magnitude: Option<usize>) -> String {
    let inks = Inks::of(theme);
    // Charts are deepest after 48 steps; magnitudes count about as many.
    let water = |magnitude| blend(inks.shallow, inks.deep, magnitude as u32 * 255 / 24);
    let [r, g, b] = magnitude.map_or(inks.beach, water);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// How tiles become pixels: either several pixels a tile or several tiles a pixel.
struct View {
    width: u32,
    height: u32,
    /// Pixels of a tile.
    zoom: u32,
    /// Tiles of a pixel.
    shrink: u32,
}

impl View {
    fn new(water: &Water, side: u32) -> View {
        let size = water.size();
        let (width, height) = (u32::from(size.width), u32::from(size.height));
        let longest = width.max(height);
        let shrink = longest.div_ceil(side);
        let zoom = if shrink > 1 { 1 } else { (side / longest).max(1) };
        View { width: width.div_ceil(shrink) * zoom, height: height.div_ceil(shrink) * zoom, zoom, shrink }
    }

    /// The cell of the picture that a tile belongs to.
    fn cell(&self, pos: Pos, across: usize) -> usize {
        let shrink = self.shrink as usize;
        usize::from(pos.y) / shrink * across + usize::from(pos.x) / shrink
    }

    fn centre(&self, pos: Pos) -> (f32, f32) {
        let along = |at: u16| (f32::from(at) + 0.5) * self.zoom as f32 / self.shrink as f32;
        (along(pos.x), along(pos.y))
    }

    fn path(&self, tiles: &[Pos]) -> Option<Path> {
        let mut path = PathBuilder::new();
        for (i, &pos) in tiles.iter().enumerate() {
            let (x, y) = self.centre(pos);
            match i {
                0 => path.move_to(x, y),
                _ => path.line_to(x, y),
            }
        }
        path.finish()
    }
}

fn blend(from: [u8; 3], to: [u8; 3], part: u32) -> [u8; 3] {
    let part = part.min(255);
    std::array::from_fn(|i| ((u32::from(from[i]) * (255 - part) + u32::from(to[i]) * part) / 255) as u8)
}

fn paint([r, g, b]: [u8; 3], alpha: f32) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, (alpha * 255.0) as u8);
    paint
}

fn stroke(pixels: &mut Pixmap, path: &Path, colour: [u8; 3], width: f32, alpha: f32) {
    let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
    pixels.stroke_path(path, &paint(colour, alpha), &stroke, Transform::identity(), None);
}

fn disc(pixels: &mut Pixmap, (x, y): (f32, f32), radius: f32, colour: [u8; 3]) {
    if let Some(path) = PathBuilder::from_circle(x, y, radius) {
        pixels.fill_path(&path, &paint(colour, 1.0), FillRule::Winding, Transform::identity(), None);
    }
}

impl Inks {
    fn of(theme: Theme) -> Inks {
        match theme {
            Theme::Parchment => Inks {
                shallow: [186, 209, 202],
                deep: [116, 158, 166],
                beach: [238, 224, 190],
                inland: [214, 192, 146],
                coast: [92, 68, 40],
                visited: [224, 148, 70],
                way: [168, 32, 38],
                halo: [255, 248, 228],
                source: [34, 92, 74],
                target: [120, 20, 60],
            },
            Theme::Night => Inks {
                shallow: [38, 66, 96],
                deep: [14, 26, 50],
                beach: [74, 72, 84],
                inland: [48, 46, 58],
                coast: [150, 168, 190],
                visited: [92, 190, 160],
                way: [255, 196, 84],
                halo: [10, 14, 26],
                source: [120, 230, 180],
                target: [255, 120, 130],
            },
        }
    }
}
