//! The sheet around a map: margins, headline, row numbers and the legend's places.

use crate::curve::{Curve, Point, UNIT};
use crate::layout::{BOSS_RADIUS, NODE_RADIUS, PITCH, Placed};
use crate::scene::{Scene, SceneKind, SceneNode};
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
    pub(crate) words: String,
}

/// Headline and caption.
pub(crate) fn head(middle: i32, title: &str, caption: String) -> Vec<Label> {
    let (title_at, caption_at) = (Point::new(middle, TITLE_LINE), Point::new(middle, CAPTION_LINE));
    vec![
        Label { at: title_at, size: text::TITLE, spaced: 1, loud: true, words: title.to_owned() },
        Label { at: caption_at, size: text::CAPTION, spaced: 0, loud: false, words: caption },
    ]
}

/// Headline, caption, the numbers of rows and columns, and the labels of nodes.
pub(crate) fn labels(scene: &Scene) -> Vec<Label> {
    let mut labels = head(scene.width / 2, &scene.title, scene.caption());
    let mut mark = |at: Point, number: usize| {
        labels.push(Label { at, size: text::MARK, spaced: 0, loud: false, words: number.to_string() });
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
    Label { at, size: text::NODE_LABEL, spaced: 0, loud: true, words }
}

/// Puts what was placed on a sheet with room for headline and legend.
pub(crate) fn arrange(mut scene: Scene, placed: &Placed, grid: i32) -> Scene {
    let widest = scene.kinds.iter().map(legend_width).max().unwrap_or(0);
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

/// Places the legend below the rule.
pub(crate) fn place_legend(scene: &mut Scene, foot: i32) {
    let widths: Vec<i32> = scene.kinds.iter().map(legend_width).collect();
    let legend = deal(&widths, scene.width, scene.width - SIDE, LEGEND_SPACE, false);
    let line = |line: usize| foot + LEGEND_ROOM + line as i32 * LEGEND_LINE;
    scene.legend = legend.iter().map(|&(x, place)| Point::new(x, line(place))).collect();
    scene.height = legend.last().map_or(foot, |last| line(last.1)) + BOTTOM;
}

/// The left ends and the lines of entries that are dealt out to columns, reading down or along lines, in as few lines as fit into
/// `room`. The columns stand in the middle of a sheet, `space` apart.
pub(crate) fn deal(widths: &[i32], sheet: i32, room: i32, space: i32, down: bool) -> Vec<(i32, usize)> {
    let count = widths.len();
    let dealt = |lines: usize| {
        let across = count.div_ceil(lines);
        let place = move |i: usize| if down { (i / lines, i % lines) } else { (i % across, i / across) };
        let mut columns = vec![0; across];
        for (i, &width) in widths.iter().enumerate() {
            let column: &mut i32 = &mut columns[place(i).0];
            *column = width.max(*column);
        }
        let block = columns.iter().map(|width| width + space).sum::<i32>() - space;
        (columns, block, place)
    };
    let fits = |&lines: &usize| dealt(lines).1 <= room;
    let (columns, block, place) = dealt((1..count).find(fits).unwrap_or(count.max(1)));
    let left = |column: usize| columns[..column].iter().map(|width| width + space).sum::<i32>();
    (0..count).map(|i| ((sheet - block) / 2 + left(place(i).0), place(i).1)).collect()
}

/// The left ends and the lines of entries in centred lines of nearly the same number, as few as fit into `room`.
pub(crate) fn centred_lines(widths: &[i32], sheet: i32, room: i32, space: i32) -> Vec<(i32, usize)> {
    let count = widths.len().max(1);
    let lines = |lines: usize| widths.chunks(count.div_ceil(lines));
    let block = |line: &[i32]| line.iter().map(|width| width + space).sum::<i32>() - space;
    let fits = |&number: &usize| lines(number).all(|line| block(line) <= room);
    let mut places = Vec::new();
    for (number, line) in lines((1..count).find(fits).unwrap_or(count)).enumerate() {
        let mut x = (sheet - block(line)) / 2;
        for width in line {
            places.push((x, number));
            x += width + space;
        }
    }
    places
}

/// How wide a kind's entry in the legend is.
fn legend_width(kind: &SceneKind) -> i32 {
    let count = format!(" {}", kind.count);
    LEGEND_ICON + text::width(&kind.name, text::LEGEND) + text::width(&count, text::LEGEND)
}
