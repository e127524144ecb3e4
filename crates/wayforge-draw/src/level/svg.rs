//! Renders levels as SVG.

use super::{LevelScene, SceneCell};
use crate::curve::{Point, UNIT};
use crate::svg::{Paper, Pen, Px, outlined};
use crate::theme::Theme;
use wayforge::Seed;
use wayforge::grid::Pos;
use wayforge::seed::fnv1a_64;

mod ground;
mod legend;
mod overlays;
mod path;
#[cfg(feature = "png")]
mod tiles;
mod walls;

#[cfg(feature = "png")]
pub(crate) use tiles::level_tile_svg;

/// Renders a level as SVG.
///
/// Returns one `<svg>` element without scripts or external references. All ids share a prefix
/// derived from the scene, so several pictures can be on one page. For screen readers the element
/// has a title and a description.
///
/// # Complexity
/// O(scene).
///
/// # Examples
///
/// ```
/// use wayforge::level;
/// use wayforge_draw::{LevelScene, Theme, level_svg};
/// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
/// assert!(level_svg(&LevelScene::from_level(&level), Theme::Night).starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level_svg(scene: &LevelScene, theme: Theme) -> String {
    let key = format!("{} {:?} {} {}", scene.title, scene.caption, scene.cells.len(), theme.name());
    let hash = fnv1a_64(key.as_bytes());
    let mut pen =
        Pen::new(scene, theme, format!("v{:06x}", (hash ^ (hash >> 32)) as u32 & 0xff_ffff));
    pen.open((scene.width, scene.height), &scene.title, &scene.description());
    pen.definitions();
    let &LevelScene { width, height, footer: rule, corner: Point { x, y }, ref origin, .. } = scene;
    let seed = origin.as_ref().map_or(Seed::new(0), |origin| origin.1.clone());
    pen.paper(&Paper { width, height, rule, seed: Some(seed) }, false);
    pen.labels();
    pen.put(format_args!("<g transform=\"translate({},{})\">\n", Px(x), Px(y)));
    pen.ground();
    pen.walls();
    pen.breaches();
    pen.exit_arrows();
    pen.plants();
    pen.routes();
    pen.icons();
    pen.badges();
    pen.frame();
    pen.out.push_str("</g>\n");
    pen.legend();
    pen.canvas.out + "</svg>\n"
}

impl<'a> Pen<'a, LevelScene> {
    /// Draws one path with round caps and, if `joined`, round joins.
    fn strokes(&mut self, colour: &str, width: i32, joined: bool, draw: impl FnOnce(&mut Self)) {
        let joined = if joined { " stroke-linejoin=\"round\"" } else { "" };
        let style = outlined("none", colour, width);
        self.path(format_args!("{style} stroke-linecap=\"round\"{joined}"), draw);
    }

    /// Returns whether cells are large enough for shapes; smaller cells are plain squares.
    fn shows_shapes(&self) -> bool {
        self.scene.tile_size >= 12 * UNIT
    }

    /// Returns whether cells are large enough for small details.
    fn shows_details(&self) -> bool {
        self.scene.tile_size >= 16 * UNIT
    }

    /// Returns `percent` of the cell size, in units.
    fn part(&self, percent: i32) -> i32 {
        self.scene.tile_size * percent / 100
    }

    /// Returns the same as [`part`](Self::part), but 0 if cells are too small for shapes.
    fn shape_part(&self, percent: i32) -> i32 {
        if self.shows_shapes() { self.part(percent) } else { 0 }
    }

    /// Returns width and height of the grid, in units.
    fn grid_size(&self) -> (i32, i32) {
        let Point { x, y } = self.corner(Pos::new(self.scene.size.width, self.scene.size.height));
        (x, y)
    }

    fn cells(&self) -> impl Iterator<Item = (Pos, &'a SceneCell)> + use<'a> {
        self.scene.size.iter().zip(&self.scene.cells)
    }

    /// Returns the upper left corner of a cell.
    fn corner(&self, pos: Pos) -> Point {
        Point::new(i32::from(pos.x) * self.scene.tile_size, i32::from(pos.y) * self.scene.tile_size)
    }

    fn centre(&self, pos: Pos) -> Point {
        self.corner(pos).offset(self.scene.tile_size / 2, self.scene.tile_size / 2)
    }
}
