//! The sheet around a map: margins, headline, row numbers and the legend's places.

use crate::curve::{Curve, Point, UNIT};
use crate::layout::{BOSS_RADIUS, NODE_RADIUS, PITCH, Placed};
use crate::scene::{Scene, SceneNode};
use crate::svg::seen_radius;
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
const FOOT_ROOM: i32 = 58 * UNIT;
/// From the rule to the first line of the legend, and from the last line to the sheet's lower edge.
const LEGEND_ROOM: i32 = 50 * UNIT;
const BOTTOM: i32 = 78 * UNIT;
/// A line of the legend, and the part of an entry that its icon takes.
const LEGEND_LINE: i32 = 52 * UNIT;
pub(crate) const LEGEND_ICON: i32 = 37 * UNIT;
const LEGEND_SPACE: i32 = 36 * UNIT;
/// The narrowest sheet.
const MIN_WIDTH: i32 = 640 * UNIT;

/// Between a node's disc and its label.
const LABEL_ROOM: i32 = 5 * UNIT;

/// Words that stand on a map's sheet, around `at`.
pub(crate) struct Label {
    pub(crate) at: Point,
    /// Size and additional space between letters, in pixels.
    pub(crate) size: i32,
    pub(crate) spaced: i32,
    pub(crate) loud: bool,
    /// True for numbers, which repeat what every node's title says.
    pub(crate) repeats: bool,
    pub(crate) words: String,
}

/// Headline, caption, the numbers of rows and columns, and the labels of nodes.
pub(crate) fn labels(scene: &Scene) -> Vec<Label> {
    let middle = scene.width / 2;
    let head = |y: i32, size: i32, loud: bool, words: String| Label {
        at: Point::new(middle, y),
        size,
        spaced: i32::from(loud),
        loud,
        repeats: false,
        words,
    };
    let mut labels = vec![
        head(TITLE_LINE, text::TITLE, true, scene.title.clone()),
        head(CAPTION_LINE, text::CAPTION, false, scene.caption()),
    ];
    let mut mark = |at: Point, number: usize| {
        let words = number.to_string();
        labels.push(Label { at, size: text::MARK, spaced: 0, loud: false, repeats: true, words });
    };
    for (row, at) in scene.row_marks.iter().enumerate() {
        mark(Point::new(at.x, at.y + 5 * UNIT), row);
    }
    if let Some(first) = scene.row_marks.first() {
        let left = (scene.width - (i32::from(scene.about.cols) - 1) * PITCH) / 2;
        for col in 0..scene.about.cols {
            let at = Point::new(left + i32::from(col) * PITCH, first.y + NODE_RADIUS + 36 * UNIT);
            mark(at, col.into());
        }
    }
    if scene.labels {
        labels.extend(scene.nodes.iter().filter(|node| !node.boss).map(|node| node_label(scene, node)));
    }
    labels
}

/// A node's column and row, right of its disc: edges leave and reach nodes above and below.
fn node_label(scene: &Scene, node: &SceneNode) -> Label {
    let words = format!("{},{}", node.col, node.row);
    let from_centre = seen_radius(node, scene) + LABEL_ROOM + text::width(&words, text::NODE_LABEL) / 2;
    let at = Point::new(node.pos.x.saturating_add(from_centre), node.pos.y.saturating_add(4 * UNIT));
    Label { at, size: text::NODE_LABEL, spaced: 0, loud: true, repeats: true, words }
}

/// Puts what was placed on a sheet with room for headline and legend.
pub(crate) fn arrange(mut scene: Scene, placed: &Placed, grid: i32) -> Scene {
    let widest = scene.kinds.iter().map(|kind| LEGEND_ICON + Scene::legend_text(kind)).max().unwrap_or(0);
    let words = text::width(&scene.title, text::TITLE).max(text::width(&scene.caption(), text::CAPTION));
    let inner = grid.max(widest).max(words);
    scene.width = (inner + 2 * SIDE).max(MIN_WIDTH);
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

/// Deals the legend out to columns, as many as fit, and centres them.
pub(crate) fn place_legend(scene: &mut Scene, foot: i32) {
    if scene.kinds.is_empty() {
        scene.legend.clear();
        scene.height = foot + BOTTOM;
        return;
    }
    let entry = |kind: &crate::SceneKind| LEGEND_ICON + Scene::legend_text(kind);
    let widths: Vec<i32> = scene.kinds.iter().map(entry).collect();
    let room = scene.width - SIDE;
    let block = |columns: &[i32]| columns.iter().sum::<i32>() + (columns.len() as i32 - 1) * LEGEND_SPACE;
    let fit = (1..=widths.len()).rev().find(|&across| block(&columns(&widths, across)) <= room).unwrap_or(1);
    // Lines of nearly the same length look better than one full and one almost empty.
    let lines = widths.len().div_ceil(fit);
    let columns = columns(&widths, widths.len().div_ceil(lines));
    let left = (scene.width - block(&columns)) / 2;
    scene.legend = (0..widths.len())
        .map(|i| {
            let (line, place) = (i / columns.len(), i % columns.len());
            let x = left + columns[..place].iter().map(|width| width + LEGEND_SPACE).sum::<i32>();
            Point::new(x, foot + LEGEND_ROOM + line as i32 * LEGEND_LINE)
        })
        .collect();
    scene.height = foot + LEGEND_ROOM + (lines as i32 - 1) * LEGEND_LINE + BOTTOM;
}

/// The widths of so many columns that entries are dealt out to.
fn columns(widths: &[i32], across: usize) -> Vec<i32> {
    let column = |place: usize| widths.iter().skip(place).step_by(across).copied().max().unwrap_or(0);
    (0..across).map(column).collect()
}
