//! Levels as SVG.

use super::{LevelScene, SceneCell};
use crate::curve::{Point, UNIT};
use crate::svg::{Paper, Pen, Px, outlined};
use crate::theme::Theme;
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
pub(crate) use tiles::level_tile_svg;

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
    let key = format!("{} {:?} {} {}", scene.title, scene.caption, scene.cells.len(), theme.name());
    let hash = fnv1a_64(key.as_bytes());
    let mut pen = Pen::new(scene, theme, format!("v{:06x}", (hash ^ (hash >> 32)) as u32 & 0xff_ffff));
    pen.open((scene.width, scene.height), &scene.title, &scene.description());
    pen.definitions();
    let &LevelScene { width, height, footer: rule, corner: Point { x, y }, ref made, .. } = scene;
    let seed = made.as_ref().map_or(Seed::new(0), |made| made.1.clone());
    pen.paper(&Paper { width, height, rule, seed: Some(seed) }, false);
    pen.words();
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
    pen.canvas.out + "</svg>\n"
}

impl<'a> Pen<'a, LevelScene> {
    /// One path of round strokes, joined round if asked.
    fn strokes(&mut self, colour: &str, width: i32, joined: bool, draw: impl FnOnce(&mut Self)) {
        let joined = if joined { " stroke-linejoin=\"round\"" } else { "" };
        let look = outlined("none", colour, width);
        self.path(format_args!("{look} stroke-linecap=\"round\"{joined}"), draw);
    }

    /// True if tiles are large enough to have a shape.
    fn fine(&self) -> bool {
        self.scene.tile >= 12 * UNIT
    }

    /// True if tiles are large enough for what is much smaller than they are.
    fn finest(&self) -> bool {
        self.scene.tile >= 16 * UNIT
    }

    /// So many hundredths of a tile, in units.
    fn part(&self, hundredths: i32) -> i32 {
        self.scene.tile * hundredths / 100
    }

    fn cells(&self) -> impl Iterator<Item = (Pos, &'a SceneCell)> + use<'a> {
        self.scene.size.iter().zip(&self.scene.cells)
    }

    /// The upper left corner of a cell.
    fn corner(&self, pos: Pos) -> Point {
        Point::new(i32::from(pos.x) * self.scene.tile, i32::from(pos.y) * self.scene.tile)
    }

    fn middle(&self, pos: Pos) -> Point {
        let Point { x, y } = self.corner(pos);
        Point::new(x + self.scene.tile / 2, y + self.scene.tile / 2)
    }
}
