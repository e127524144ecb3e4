//! The sheet around a map: margins, headline, row numbers and the legend's places.

use crate::curve::{Curve, Point, UNIT};
use crate::layout::{BOSS_RADIUS, NODE_RADIUS, Placed};
use crate::scene::Scene;
use crate::text;

/// Paper left and right of the outermost columns.
const SIDE: i32 = 128 * UNIT;
/// From the top edge of the sheet to the base line of the headline.
pub(crate) const TITLE_LINE: i32 = 100 * UNIT;
/// From the headline's base line to the caption's.
pub(crate) const CAPTION_LINE: i32 = TITLE_LINE + 32 * UNIT;
/// From the caption's base line to the highest node.
const HEAD_ROOM: i32 = 40 * UNIT;
/// From the lowest node to the rule above the legend.
const FOOT_ROOM: i32 = 46 * UNIT;
/// From the rule to the first line of the legend, and from the last line to the sheet's lower edge.
const LEGEND_ROOM: i32 = 50 * UNIT;
const BOTTOM: i32 = 78 * UNIT;
/// A line of the legend, and the part of an entry that its icon takes.
const LEGEND_LINE: i32 = 52 * UNIT;
pub(crate) const LEGEND_ICON: i32 = 34 * UNIT;
const LEGEND_SPACE: i32 = 40 * UNIT;
/// The narrowest sheet.
const LEAST_WIDTH: i32 = 640 * UNIT;

/// Puts what was placed on a sheet with room for headline and legend.
pub(crate) fn arrange(mut scene: Scene, placed: &Placed, grid: i32) -> Scene {
    let widest = scene.kinds.iter().map(|kind| LEGEND_ICON + Scene::legend_text(kind)).max().unwrap_or(0);
    let words = text::width(&scene.title, text::TITLE).max(text::width(&scene.caption(), text::CAPTION));
    let inner = grid.max(widest).max(words);
    scene.width = (inner + 2 * SIDE).max(LEAST_WIDTH);
    let has_boss = scene.nodes.last().is_some_and(|node| node.boss);
    let top = CAPTION_LINE + HEAD_ROOM + if has_boss { BOSS_RADIUS } else { NODE_RADIUS };
    let corner = Point::new((scene.width - grid) / 2, top);
    let moved = |p: Point| Point::new(p.x + corner.x, p.y + corner.y);
    for (node, &at) in scene.nodes.iter_mut().zip(&placed.at) {
        node.pos = moved(at);
    }
    for edge in &mut scene.edges {
        edge.curve = Curve(edge.curve.0.map(moved));
    }
    scene.row_marks =
        placed.row_y.iter().map(|&y| Point::new(corner.x - NODE_RADIUS - 45 * UNIT, y + corner.y)).collect();
    let foot = corner.y + placed.height + NODE_RADIUS + FOOT_ROOM;
    scene.footer = [Point::new(SIDE / 2, foot), Point::new(scene.width - SIDE / 2, foot)];
    place_legend(&mut scene, foot);
    scene
}

/// Fills lines of the legend with equally wide cells, as many on each line as fit, and centres them.
fn place_legend(scene: &mut Scene, foot: i32) {
    let count = scene.kinds.len() as i32;
    if count == 0 {
        scene.height = foot + BOTTOM;
        return;
    }
    let cell = scene.kinds.iter().map(|kind| LEGEND_ICON + Scene::legend_text(kind)).max().unwrap_or(0);
    let room = scene.width - SIDE;
    let fit = ((room + LEGEND_SPACE) / (cell + LEGEND_SPACE)).clamp(1, count);
    // Lines of nearly the same length look better than one full and one almost empty.
    let lines = (count + fit - 1) / fit;
    let across = (count + lines - 1) / lines;
    let block = across * cell + (across - 1) * LEGEND_SPACE;
    let left = (scene.width - block) / 2;
    scene.legend = (0..count)
        .map(|i| {
            let (line, place) = (i / across, i % across);
            Point::new(left + place * (cell + LEGEND_SPACE), foot + LEGEND_ROOM + line * LEGEND_LINE)
        })
        .collect();
    scene.height = foot + LEGEND_ROOM + (lines - 1) * LEGEND_LINE + BOTTOM;
}
