//! Layout of act maps: row gaps, edge shapes and jitter. A gap is the space between two adjacent
//! rows.
//!
//! The map fixes the row and column of every node, so only the last step of layered graph drawing
//! remains: assigning coordinates (Sugiyama, Tagawa & Toda 1981). All edges of one gap share one
//! cubic Bézier shape, stretched between their ends. Without jitter this preserves their order: at
//! every height, x is the same weighted mean of both ends.
//!
//! Each gap uses the first shape that lets its widest edge clear the neighbouring nodes. Jitter
//! moves nodes off the grid and voids both guarantees. The result is therefore checked, and the
//! jitter of nodes involved in a defect is halved and finally removed.

use crate::board::Board;
use crate::check::{Disc, LayoutDefect, Strand, gap_defects, passes_within, segments_for};
use crate::curve::{Curve, Point, UNIT};
use wayforge::{Seed, StreamId};

/// Distance between columns.
pub(crate) const PITCH: i32 = 118 * UNIT;
/// Radius of a node.
pub(crate) const NODE_RADIUS: i32 = 25 * UNIT;
/// Radius of the boss.
pub(crate) const BOSS_RADIUS: i32 = 50 * UNIT;
/// Minimum distance between an edge and a node that is not its end.
pub(crate) const MARGIN: i32 = 4 * UNIT;

/// Maximum jitter of a node.
const JITTER: Point = Point::new(17 * UNIT, 10 * UNIT);
/// Edges wider than this are almost horizontal. Nodes on their rows get half the horizontal jitter
/// and no vertical jitter.
const WIDE_SPAN: i32 = 3 * PITCH;
/// Extra clearance required without jitter, so that the check does not remove all jitter.
const SLACK: i32 = 6 * UNIT;
/// Minimum distance between the top row and the boss.
const BOSS_GAP: i32 = 124 * UNIT;
/// Number of rounds that halve jitter; later rounds remove it.
const HALVING_ROUNDS: u32 = 12;

/// Candidate shapes in increasing order of height: height of the gap in pixels, and steepness in
/// thousandths of it.
const SHAPES: [Shape; 10] = [
    Shape::new(82, 430),
    Shape::new(90, 480),
    Shape::new(102, 540),
    Shape::new(118, 600),
    Shape::new(138, 660),
    Shape::new(162, 700),
    Shape::new(192, 740),
    Shape::new(228, 770),
    Shape::new(272, 790),
    Shape::new(330, 800),
];

/// Shape shared by all edges of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// Height of the gap.
    gap: i32,
    /// Vertical distance of both control points from their ends, in thousandths of the gap.
    steep: i32,
    /// Horizontal shift of the upper control point towards the lower end, in thousandths of the
    /// width. Zero except for edges to the boss.
    lean: i32,
}

/// Positions of all nodes and edges, relative to the top left corner of the grid.
pub(crate) struct Placement {
    /// Node positions; the boss is last if there is one.
    pub(crate) positions: Vec<Point>,
    pub(crate) curves: Vec<Curve>,
    /// y coordinate of each row without jitter.
    pub(crate) row_y: Vec<i32>,
    pub(crate) height: i32,
}

/// Lays out a board. `jitter` is the seed of the jitter; `None` keeps nodes on the grid.
pub(crate) fn lay_out(board: &Board, jitter: Option<&Seed>) -> Placement {
    let shapes = choose_shapes(board);
    let count = board.rows.len() - 1;
    let mut row_y = vec![0; count];
    let mut y = if board.boss { shapes[count - 1].gap } else { 0 };
    for row in (0..count).rev() {
        row_y[row] = y;
        if row > 0 {
            y += shapes[row - 1].gap;
        }
    }
    let grid_position =
        |&(row, col): &(u16, u16)| Point::new(i32::from(col) * PITCH, row_y[usize::from(row)]);
    let mut grid_positions: Vec<Point> = board.cells.iter().map(grid_position).collect();
    if board.boss {
        grid_positions.push(Point::new((i32::from(board.cols) - 1) * PITCH / 2, 0));
    }
    let positions = match jitter {
        Some(seed) => apply_jitter(board, &shapes, &grid_positions, seed),
        None => grid_positions,
    };
    let mut curves = Vec::with_capacity(board.edges.len());
    for (row, shape) in shapes.iter().enumerate() {
        curves.extend(
            board.gap(row).iter().map(|&(low, high)| shape.curve(positions[low], positions[high])),
        );
    }
    Placement { positions, curves, height: y, row_y }
}

impl Shape {
    const fn new(gap: i32, steep: i32) -> Shape {
        Shape { gap: gap * UNIT, steep, lean: 0 }
    }

    fn curve(&self, low: Point, high: Point) -> Curve {
        let fraction = |length: i32, thousandths: i32| {
            (i64::from(length) * i64::from(thousandths) / 1000) as i32
        };
        let rise = fraction(high.y - low.y, self.steep);
        let first = Point::new(low.x, low.y + rise);
        let last = Point::new(high.x + fraction(low.x - high.x, self.lean), high.y - rise);
        Curve([low, first, last, high])
    }

    /// Returns whether an edge of width `span` clears every possible node on the lower row and, if
    /// `upper_row`, on the upper row.
    fn clears(&self, span: i32, upper_row: bool) -> bool {
        let (low, high) = (Point::new(0, self.gap), Point::new(span, 0));
        let line = self.curve(low, high).flatten(segments_for(span));
        let reach = NODE_RADIUS + MARGIN + SLACK;
        (1..=span / PITCH + 1).all(|col| {
            let below = Point::new(col * PITCH, self.gap);
            let above = Point::new(span - col * PITCH, 0);
            let near = |at: Point| passes_within(&line, at, reach);
            !near(below) && (!upper_row || !near(above))
        })
    }
}

/// Chooses the shape of every gap by its widest edge; the gap below the boss is last.
fn choose_shapes(board: &Board) -> Vec<Shape> {
    // Edges approach the boss from their own side instead of merging into one trunk.
    let boss_gap = BOSS_GAP + i32::from(board.cols) * UNIT;
    let to_boss = SHAPES.map(|shape| Shape { gap: shape.gap.max(boss_gap), lean: 420, ..shape });
    let first_clear = |shapes: [Shape; 10], span: i32, upper_row: bool| {
        shapes.into_iter().find(|shape| shape.clears(span, upper_row)).unwrap_or(shapes[9])
    };
    let mut cache: [Option<Shape>; 64] = [None; 64];
    let widths = widest_edges(board);
    let choose = |(row, &span): (usize, &i32)| {
        if board.boss && row + 1 == widths.len() {
            return first_clear(to_boss, span, false);
        }
        let entry = &mut cache[(span / PITCH).clamp(0, 63) as usize];
        *entry.get_or_insert_with(|| first_clear(SHAPES, span, true))
    };
    widths.iter().enumerate().map(choose).collect()
}

impl Board {
    /// Returns the edges of the gap above a row.
    fn gap(&self, row: usize) -> &[(usize, usize)] {
        &self.edges[self.gaps[row]..self.gaps[row + 1]]
    }
}

/// Returns the width of the widest edge of every gap.
fn widest_edges(board: &Board) -> Vec<i32> {
    let x = |node: usize| match board.cells.get(node) {
        Some(&(_, col)) => i32::from(col) * PITCH,
        None => (i32::from(board.cols) - 1) * PITCH / 2,
    };
    let width = |&(low, high): &(usize, usize)| (x(low) - x(high)).abs();
    let widest = |row: usize| board.gap(row).iter().map(width).max().unwrap_or(0);
    (0..board.gaps.len() - 1).map(widest).collect()
}

/// Returns the node positions with jitter. Nodes involved in a layout defect get less jitter or
/// none.
///
/// Terminates because jitter only shrinks, and a gap whose nodes all have zero jitter has no
/// defect.
fn apply_jitter(
    board: &Board,
    shapes: &[Shape],
    grid_positions: &[Point],
    seed: &Seed,
) -> Vec<Point> {
    let mut jitters = sample_jitter(board, seed);
    let mut positions = grid_positions.to_vec();
    let shift = |positions: &mut Vec<Point>, jitters: &[Point], node: usize| {
        positions[node] = grid_positions[node].offset(jitters[node].x, jitters[node].y);
    };
    (0..board.cells.len()).for_each(|node| shift(&mut positions, &jitters, node));
    let count = shapes.len();
    let mut dirty_gaps: Vec<usize> = (0..count).collect();
    for round in 0.. {
        let mut to_shrink: Vec<usize> = Vec::new();
        for &row in &dirty_gaps {
            let nodes = board.rows[row]..board.rows[(row + 2).min(count)];
            if nodes.clone().all(|node| jitters[node] == Point::default()) {
                continue;
            }
            let curve =
                |low: usize, high: usize| shapes[row].curve(positions[low], positions[high]);
            let strand =
                |&(low, high): &(usize, usize)| Strand { low, high, curve: curve(low, high) };
            let strands: Vec<Strand> = board.gap(row).iter().map(strand).collect();
            let discs: Vec<Disc> =
                nodes.map(|node| Disc { node, at: positions[node], radius: NODE_RADIUS }).collect();
            for defect in gap_defects(&strands, &discs) {
                let (edge, other) = match defect {
                    LayoutDefect::EdgeThroughNode { edge, node } => (edge, [node, node]),
                    LayoutDefect::EdgesCross { edge, other } => {
                        (edge, [strands[other].low, strands[other].high])
                    }
                };
                to_shrink.extend(other.into_iter().chain([strands[edge].low, strands[edge].high]));
            }
        }
        to_shrink.sort_unstable();
        to_shrink.dedup();
        to_shrink.retain(|&node| node < board.cells.len() && jitters[node] != Point::default());
        if to_shrink.is_empty() {
            break;
        }
        dirty_gaps.clear();
        for &node in &to_shrink {
            let halved = Point::new(jitters[node].x / 2, jitters[node].y / 2);
            let small = halved.x.abs() < 2 * UNIT && halved.y.abs() < 2 * UNIT;
            jitters[node] =
                if small || round >= HALVING_ROUNDS { Point::default() } else { halved };
            shift(&mut positions, &jitters, node);
            let row = usize::from(board.cells[node].0);
            dirty_gaps.extend([row.saturating_sub(1), row]);
        }
        dirty_gaps.sort_unstable();
        dirty_gaps.dedup();
    }
    positions
}

/// Samples the jitter of every node. Every node consumes two random numbers, so an exception for
/// one node never changes the jitter of another.
fn sample_jitter(board: &Board, seed: &Seed) -> Vec<Point> {
    let mut rng = seed.stream(StreamId::named("draw.jitter"));
    let widths = widest_edges(board);
    let crossing: Vec<bool> = (0..widths.len()).map(|row| must_cross(board, row)).collect();
    let count = widths.len();
    let node = |&(row, _): &(u16, u16)| {
        let sample = Point::new(rng.range(-JITTER.x, JITTER.x), rng.range(-JITTER.y, JITTER.y));
        let row = usize::from(row);
        let below = row.checked_sub(1);
        let boss_gap = |gap: usize| board.boss && gap + 1 == count;
        let is_wide = |gap: usize| widths[gap] > WIDE_SPAN && !boss_gap(gap);
        if crossing[row] || below.is_some_and(|gap| crossing[gap]) {
            Point::default()
        } else if is_wide(row) || below.is_some_and(is_wide) {
            Point::new(sample.x / 2, 0)
        } else {
            sample
        }
    };
    board.cells.iter().map(node).collect()
}

/// Returns whether edges of the gap must cross in any layout. Valid maps have no such gap.
fn must_cross(board: &Board, row: usize) -> bool {
    board.gap(row).windows(2).any(|pair| pair[0].1 > pair[1].1 && pair[0].0 != pair[1].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_span_has_a_clear_shape_and_narrow_spans_use_the_smallest_gap() {
        let first_clear =
            |span: i32| SHAPES.iter().position(|shape| shape.clears(span * PITCH, true));
        let indices: Vec<usize> =
            (0..64).map(|span| first_clear(span).expect("no shape clears this span")).collect();
        assert!(indices.is_sorted());
        assert_eq!(indices[..3], [0, 0, 0], "default maps use the smallest gap: {indices:?}");
    }

    #[test]
    fn straight_edge_over_five_columns_does_not_clear_nodes() {
        assert!(!Shape { gap: 820, steep: 0, lean: 0 }.clears(5 * PITCH, true));
    }
}
