//! Levels as SVG.

use super::palette::Tiles;
use super::{LevelScene, SceneCell};
use crate::curve::{Point, UNIT};
use crate::svg::{FONTS, Paper, Px};
use crate::text;
use crate::theme::{Palette, Theme};
use std::fmt::{self, Write};
use wayforge::Seed;
use wayforge::grid::Pos;
use wayforge::seed::fnv1a_64;

mod ground;
mod legend;
mod over;
mod path;
#[cfg(feature = "png")]
mod tiles;
mod walls;

#[cfg(feature = "png")]
pub(crate) use tiles::level_tiles_svg;

/// Draws a level as SVG.
///
/// * **Arguments.** The scene and the theme.
/// * **Returns.** A document for one `<svg>` element: no scripts, no outside references. It may stand in a page beside others, as its
///   ids begin with a tag of their own. For screen readers it has a title and a description.
/// * **Complexity.** Linear in the scene.
///
/// ```
/// use wayforge::level;
/// use wayforge_draw::{LevelScene, Theme, level_svg};
/// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
/// assert!(level_svg(&LevelScene::of_level(&level), Theme::Night).starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level_svg(scene: &LevelScene, theme: Theme) -> String {
    let mut pen = Pen::new(scene, theme);
    pen.open();
    pen.definitions();
    pen.sheet();
    pen.words();
    let Point { x, y } = scene.corner;
    pen.put(format_args!("<g transform=\"translate({},{})\">\n", Px(x), Px(y)));
    pen.ground();
    pen.walls();
    pen.breaches();
    pen.signs();
    pen.plants();
    pen.routes();
    pen.things();
    pen.badges();
    pen.frame();
    pen.out.push_str("</g>\n");
    pen.legend();
    pen.out.push_str("</svg>\n");
    pen.out
}

struct Pen<'a> {
    scene: &'a LevelScene,
    palette: &'static Palette,
    tiles: &'static Tiles,
    /// What every id begins with.
    tag: String,
    /// A cell's side in units.
    tile: i32,
    out: String,
}

impl<'a> Pen<'a> {
    fn new(scene: &'a LevelScene, theme: Theme) -> Pen<'a> {
        let key = format!("{} {:?} {} {}", scene.title, scene.caption, scene.cells.len(), theme.name());
        let hash = fnv1a_64(key.as_bytes());
        let tag = format!("v{:06x}", (hash ^ (hash >> 32)) as u32 & 0xff_ffff);
        let (palette, tiles) = (theme.palette(), Tiles::of(theme));
        Pen { scene, palette, tiles, tag, tile: scene.tile, out: String::new() }
    }

    fn put(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(text);
    }

    /// One path; nothing if there is nothing to draw.
    fn path(&mut self, attributes: fmt::Arguments<'_>, draw: impl FnOnce(&mut Self)) {
        let before = self.out.len();
        self.put(format_args!("<path {attributes} d=\""));
        let empty = self.out.len();
        draw(self);
        match self.out.len() == empty {
            true => self.out.truncate(before),
            false => self.out.push_str("\"/>\n"),
        }
    }

    /// True if tiles are large enough to have a shape.
    fn fine(&self) -> bool {
        self.tile >= 12 * UNIT
    }

    /// True if tiles are large enough for what is much smaller than they are.
    fn finest(&self) -> bool {
        self.tile >= 16 * UNIT
    }

    /// So many hundredths of a tile, in units.
    fn part(&self, hundredths: i32) -> i32 {
        self.tile * hundredths / 100
    }

    fn cells(&self) -> impl Iterator<Item = (Pos, &'a SceneCell)> + use<'a> {
        self.scene.size.iter().zip(&self.scene.cells)
    }

    /// The upper left corner of a cell.
    fn corner(&self, pos: Pos) -> Point {
        Point::new(i32::from(pos.x) * self.tile, i32::from(pos.y) * self.tile)
    }

    fn middle(&self, pos: Pos) -> Point {
        let Point { x, y } = self.corner(pos);
        Point::new(x + self.tile / 2, y + self.tile / 2)
    }

    fn open(&mut self) {
        let scene = self.scene;
        let (width, height, tag) = (Px(scene.width), Px(scene.height), self.tag.clone());
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" aria-labelledby=\"{tag}-title {tag}-desc\" font-family=\"{FONTS}\">\n<title id=\"{tag}-title\">"
        ));
        text::escape(&scene.title, &mut self.out);
        self.put(format_args!("</title>\n<desc id=\"{tag}-desc\">"));
        text::escape(&scene.description(), &mut self.out);
        self.out.push_str("</desc>\n");
    }

    fn sheet(&mut self) {
        let LevelScene { width, height, footer, made, .. } = self.scene;
        let seed = made.as_ref().map_or(Seed::new(0), |made| made.1.clone());
        let Pen { palette, tag, out, .. } = self;
        Paper { palette, tag, width: *width, height: *height, seed: Some(seed), out }.plain_sheet(*footer);
    }

    /// A line of text around `at`.
    fn write(&mut self, at: Point, size: i32, fill: &str, extra: &str, words: &str) {
        let (x, y) = (Px(at.x), Px(at.y));
        self.put(format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{extra}>"));
        text::escape(words, &mut self.out);
        self.out.push_str("</text>\n");
    }
}
