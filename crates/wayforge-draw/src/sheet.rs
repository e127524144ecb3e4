//! Page layout of act maps: margins, headline, row and column numbers, legend.

use crate::curve::{Curve, Point, UNIT};
use crate::layout::{BOSS_RADIUS, NODE_RADIUS, PITCH, Placement};
use crate::scene::{Scene, SceneKind, SceneNode};
use crate::svg::visible_radius;
use crate::text;

/// Margin to the left and right of the outermost columns.
const SIDE_MARGIN: i32 = 128 * UNIT;
/// Baseline of the headline.
pub(crate) const TITLE_LINE: i32 = 100 * UNIT;
/// Baseline of the caption.
pub(crate) const CAPTION_LINE: i32 = TITLE_LINE + 32 * UNIT;
/// Distance from the caption's baseline to the highest node.
const TOP_SPACE: i32 = 40 * UNIT;
/// Distance from the lowest node to the line above the legend.
const FOOT_SPACE: i32 = 58 * UNIT;
/// Distance from the line above the legend to the first row of the legend.
const LEGEND_TOP: i32 = 50 * UNIT;
/// Distance from the last row of the legend to the lower edge of the sheet.
const BOTTOM: i32 = 78 * UNIT;
/// Height of a row of the legend.
const LEGEND_LINE: i32 = 52 * UNIT;
/// Width of the icon of a legend entry, including the space after it.
pub(crate) const LEGEND_ICON: i32 = 37 * UNIT;
/// Space between two legend entries.
const LEGEND_SPACE: i32 = 36 * UNIT;
/// Minimum width of the sheet.
const MIN_WIDTH: i32 = 640 * UNIT;

/// Margin to the left and right of a level or of floors.
pub(crate) const GRID_MARGIN: i32 = 84 * UNIT;
/// Distance from a level or floors to the line above the legend.
pub(crate) const GRID_FOOT: i32 = 46 * UNIT;
/// Distance from the last row of the legend of a level or of floors to the lower edge of the sheet.
pub(crate) const GRID_BOTTOM: i32 = 66 * UNIT;

/// Space between a node's disc and its label.
const LABEL_SPACE: i32 = 5 * UNIT;

/// A line of text centred on `at`.
pub(crate) struct Label {
    pub(crate) at: Point,
    /// Font size in pixels.
    pub(crate) size: i32,
    /// Additional letter spacing in pixels.
    pub(crate) letter_spacing: i32,
    /// Whether the text has the primary colour.
    pub(crate) is_primary: bool,
    pub(crate) text: String,
}

impl Label {
    /// Creates a label in the secondary colour.
    pub(crate) fn new(at: Point, size: i32, text: String) -> Label {
        Label { at, size, letter_spacing: 0, is_primary: false, text }
    }
}

/// Returns the labels of headline and caption.
pub(crate) fn header(middle: i32, title: &str, caption: String) -> Vec<Label> {
    let title = Label::new(Point::new(middle, TITLE_LINE), text::TITLE, title.to_owned());
    let caption = Label::new(Point::new(middle, CAPTION_LINE), text::CAPTION, caption);
    vec![Label { letter_spacing: 1, is_primary: true, ..title }, caption]
}

/// Returns all labels: headline, caption, row and column numbers, and nodes if enabled.
pub(crate) fn labels(scene: &Scene) -> Vec<Label> {
    let mut labels = header(scene.width / 2, &scene.title, scene.caption());
    let number = |at: Point, number: usize| Label::new(at, text::AXIS_NUMBER, number.to_string());
    let rows = scene.row_labels.iter().enumerate();
    labels.extend(rows.map(|(row, at)| number(at.offset(0, 5 * UNIT), row)));
    if let Some(first) = scene.row_labels.first() {
        let left = (scene.width - (i32::from(scene.info.cols) - 1) * PITCH) / 2;
        let y = first.y + NODE_RADIUS + 36 * UNIT;
        let at = |col: u16| Point::new(left + i32::from(col) * PITCH, y);
        labels.extend((0..scene.info.cols).map(|col| number(at(col), col.into())));
    }
    let nodes = scene.nodes.iter().filter(|node| scene.labels && !node.boss);
    labels.extend(nodes.map(|node| node_label(scene, node)));
    labels
}

/// Returns the label of a node. It is to the right of the disc, because edges start above a node
/// and end below it.
fn node_label(scene: &Scene, node: &SceneNode) -> Label {
    let text = format!("{},{}", node.col, node.row);
    let from_centre =
        visible_radius(node, scene) + LABEL_SPACE + text::width(&text, text::NODE_LABEL) / 2;
    let at = node.pos.offset(from_centre, 4 * UNIT);
    Label { is_primary: true, ..Label::new(at, text::NODE_LABEL, text) }
}

/// Places the map on a sheet with headline and legend.
pub(crate) fn arrange(mut scene: Scene, placement: &Placement, grid_width: i32) -> Scene {
    let widest = scene.kinds.iter().map(legend_width).max().unwrap_or(0);
    let text_width =
        text::width(&scene.title, text::TITLE).max(text::width(&scene.caption(), text::CAPTION));
    let inner = grid_width.max(widest).max(text_width);
    scene.width = (inner + 2 * SIDE_MARGIN).max(MIN_WIDTH);
    let has_boss = scene.nodes.last().is_some_and(|node| node.boss);
    let top = CAPTION_LINE + TOP_SPACE + if has_boss { BOSS_RADIUS } else { NODE_RADIUS };
    let corner = Point::new((scene.width - grid_width) / 2, top);
    for (node, at) in scene.nodes.iter_mut().zip(&placement.positions) {
        node.pos = at.offset(corner.x, corner.y);
    }
    for edge in &mut scene.edges {
        edge.curve = Curve(edge.curve.0.map(|at| at.offset(corner.x, corner.y)));
    }
    let row_label = |&y| corner.offset(-NODE_RADIUS - 45 * UNIT, y);
    scene.row_labels = placement.row_y.iter().map(row_label).collect();
    let foot = corner.y + placement.height + NODE_RADIUS + FOOT_SPACE;
    scene.footer =
        [Point::new(SIDE_MARGIN / 2, foot), Point::new(scene.width - SIDE_MARGIN / 2, foot)];
    place_legend(&mut scene, foot);
    scene
}

/// Places the legend below the line at `foot` and sets the height of the sheet.
pub(crate) fn place_legend(scene: &mut Scene, foot: i32) {
    let widths: Vec<i32> = scene.kinds.iter().map(legend_width).collect();
    let legend = legend_table(&widths, scene.width, scene.width - SIDE_MARGIN, LEGEND_SPACE, false);
    let line = |line: usize| foot + LEGEND_TOP + line as i32 * LEGEND_LINE;
    scene.legend = legend.iter().map(|&(x, number)| Point::new(x, line(number))).collect();
    scene.height = legend.last().map_or(foot, |last| line(last.1)) + BOTTOM;
}

/// Arranges entries in a centred table with as few lines as possible within `max_width`.
///
/// `column_major` fills the table column by column, otherwise line by line; columns are `space`
/// apart. Returns the left edge and the line index of every entry.
pub(crate) fn legend_table(
    widths: &[i32],
    sheet_width: i32,
    max_width: i32,
    space: i32,
    column_major: bool,
) -> Vec<(i32, usize)> {
    let count = widths.len();
    let table = |lines: usize| {
        let column_count = count.div_ceil(lines);
        let cell_of = move |i: usize| {
            if column_major { (i / lines, i % lines) } else { (i % column_count, i / column_count) }
        };
        let mut columns = vec![0; column_count];
        for (i, &width) in widths.iter().enumerate() {
            let column: &mut i32 = &mut columns[cell_of(i).0];
            *column = width.max(*column);
        }
        let block = columns.iter().map(|width| width + space).sum::<i32>() - space;
        (columns, block, cell_of)
    };
    let fits = |&lines: &usize| table(lines).1 <= max_width;
    let (columns, block, cell_of) = table((1..count).find(fits).unwrap_or(count.max(1)));
    let left = |column: usize| columns[..column].iter().map(|width| width + space).sum::<i32>();
    (0..count).map(|i| ((sheet_width - block) / 2 + left(cell_of(i).0), cell_of(i).1)).collect()
}

/// Arranges entries in as few lines as possible within `max_width`. Every line has about the same
/// number of entries and is centred on its own.
///
/// Returns the left edge and the line index of every entry.
pub(crate) fn centred_lines(
    widths: &[i32],
    sheet_width: i32,
    max_width: i32,
    space: i32,
) -> Vec<(i32, usize)> {
    let count = widths.len().max(1);
    let lines = |lines: usize| widths.chunks(count.div_ceil(lines));
    let block = |line: &[i32]| line.iter().map(|width| width + space).sum::<i32>() - space;
    let fits = |&number: &usize| lines(number).all(|line| block(line) <= max_width);
    let mut positions = Vec::new();
    for (number, line) in lines((1..count).find(fits).unwrap_or(count)).enumerate() {
        let mut x = (sheet_width - block(line)) / 2;
        for width in line {
            positions.push((x, number));
            x += width + space;
        }
    }
    positions
}

/// Returns the width of a kind's legend entry.
fn legend_width(kind: &SceneKind) -> i32 {
    let count = format!(" {}", kind.count);
    LEGEND_ICON + text::width(&kind.name, text::LEGEND) + text::width(&count, text::LEGEND)
}
