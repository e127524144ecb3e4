//! Where nodes and edges go: row gaps wide enough for their widest edge, and a seeded jitter that is checked.
//!
//! All edges of one gap share one shape, stretched between their ends. Without jitter that alone keeps them in order:
//! at every height each x is the same mean of its two ends. The gap and the steepness are then chosen so that the
//! widest edge clears its neighbours. Jitter gives both up, so it is checked, and taken back where it does harm.

use crate::board::Board;
use crate::check::{Disc, Fault, Strand, comes_near, gap_faults, segments_for};
use crate::curve::{Curve, Point, UNIT};
use wayforge::{Seed, Stage};

/// From one column to the next.
pub(crate) const PITCH: i32 = 118 * UNIT;
/// The disc that a node takes up.
pub(crate) const NODE_RADIUS: i32 = 25 * UNIT;
/// The disc that the boss takes up.
pub(crate) const BOSS_RADIUS: i32 = 50 * UNIT;
/// How much paper stays free between an edge and a node that is not its end.
pub(crate) const MARGIN: i32 = 4 * UNIT;

/// How far jitter may move a node.
const JITTER: Point = Point::new(17 * UNIT, 10 * UNIT);
/// A wide edge lies flat between two rows: rows beside one are kept level and move less sideways.
const CALM_SPAN: i32 = 3 * PITCH;
/// What an edge clears a neighbour by before jitter, so that some jitter is left to have.
const SLACK: i32 = 6 * UNIT;
/// Between the top row and the boss at least so much.
const BOSS_GAP: i32 = 124 * UNIT;
/// Rounds of careful shrinking before jitter is taken back at once.
const ROUNDS: u32 = 12;

/// Row gaps and how steeply edges leave and reach their nodes, in thousandths of the gap; the first that is clear is used.
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

/// The form that all edges of a gap share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    gap: i32,
    steep: i32,
    /// How far the upper control point leans towards the lower end; only edges to the boss lean.
    lean: i32,
}

/// Where everything is, measured from the grid's top left corner.
pub(crate) struct Placed {
    /// The nodes, and the boss last if there is one.
    pub(crate) at: Vec<Point>,
    pub(crate) curves: Vec<Curve>,
    /// Row heights without jitter, by row.
    pub(crate) row_y: Vec<i32>,
    pub(crate) height: i32,
}

/// Places a board; without a seed there is no jitter.
pub(crate) fn place(board: &Board, jitter: Option<&Seed>) -> Placed {
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
    let home = |&(row, col): &(u16, u16)| Point::new(i32::from(col) * PITCH, row_y[usize::from(row)]);
    let mut homes: Vec<Point> = board.cells.iter().map(home).collect();
    if board.boss {
        homes.push(Point::new((i32::from(board.cols) - 1) * PITCH / 2, 0));
    }
    let at = match jitter {
        Some(seed) => jittered(board, &shapes, &homes, seed),
        None => homes,
    };
    let mut curves = Vec::with_capacity(board.edges.len());
    for (row, shape) in shapes.iter().enumerate() {
        curves.extend(board.gap(row).iter().map(|&(low, high)| shape.curve(at[low], at[high])));
    }
    Placed { at, curves, height: y, row_y }
}

impl Shape {
    const fn new(gap: i32, steep: i32) -> Shape {
        Shape { gap: gap * UNIT, steep, lean: 0 }
    }

    fn curve(&self, low: Point, high: Point) -> Curve {
        let part = |whole: i32, thousandths: i32| (i64::from(whole) * i64::from(thousandths) / 1000) as i32;
        let rise = part(high.y - low.y, self.steep);
        let first = Point::new(low.x, low.y + rise);
        let last = Point::new(high.x + part(low.x - high.x, self.lean), high.y - rise);
        Curve([low, first, last, high])
    }

    /// True if an edge over `span` clears every node that could stand on the two rows.
    fn clears(&self, span: i32, upper_row: bool) -> bool {
        let (low, high) = (Point::new(0, self.gap), Point::new(span, 0));
        let line = self.curve(low, high).flatten(segments_for(span));
        let reach = NODE_RADIUS + MARGIN + SLACK;
        (1..=span / PITCH + 1).all(|col| {
            let below = Point::new(col * PITCH, self.gap);
            let above = Point::new(span - col * PITCH, 0);
            let near = |at: Point| comes_near(&line, at, reach);
            !near(below) && (!upper_row || !near(above))
        })
    }
}

/// The shape of every gap, the boss's last, by its widest edge.
fn choose_shapes(board: &Board) -> Vec<Shape> {
    // Edges reach the boss from the side they come from, not through one common trunk.
    let boss_gap = BOSS_GAP + i32::from(board.cols) * UNIT;
    let to_boss = SHAPES.map(|shape| Shape { gap: shape.gap.max(boss_gap), lean: 420, ..shape });
    let first_clear = |shapes: [Shape; 10], span: i32, upper_row: bool| {
        shapes.into_iter().find(|shape| shape.clears(span, upper_row)).unwrap_or(shapes[9])
    };
    let mut known: [Option<Shape>; 64] = [None; 64];
    let spans = spans(board);
    let choose = |(row, &span): (usize, &i32)| {
        if board.boss && row + 1 == spans.len() {
            return first_clear(to_boss, span, false);
        }
        let known = &mut known[(span / PITCH).clamp(0, 63) as usize];
        *known.get_or_insert_with(|| first_clear(SHAPES, span, true))
    };
    spans.iter().enumerate().map(choose).collect()
}

impl Board {
    /// The edges of the gap above a row.
    fn gap(&self, row: usize) -> &[(usize, usize)] {
        &self.edges[self.gaps[row]..self.gaps[row + 1]]
    }
}

/// The widest edge of every gap.
fn spans(board: &Board) -> Vec<i32> {
    let x = |node: usize| match board.cells.get(node) {
        Some(&(_, col)) => i32::from(col) * PITCH,
        None => (i32::from(board.cols) - 1) * PITCH / 2,
    };
    let width = |&(low, high): &(usize, usize)| (x(low) - x(high)).abs();
    (1..board.gaps.len()).map(|row| board.gap(row - 1).iter().map(width).max().unwrap_or(0)).collect()
}

/// Moves nodes by their seeded jitter, halved and then taken back where the check finds a fault.
///
/// Each node's jitter only ever shrinks, and a gap whose nodes all stand at home has no fault, so this ends.
fn jittered(board: &Board, shapes: &[Shape], homes: &[Point], seed: &Seed) -> Vec<Point> {
    let mut moves = draw_moves(board, seed);
    let mut at = homes.to_vec();
    let shift = |at: &mut Vec<Point>, moves: &[Point], node: usize| {
        at[node] = Point::new(homes[node].x + moves[node].x, homes[node].y + moves[node].y);
    };
    (0..board.cells.len()).for_each(|node| shift(&mut at, &moves, node));
    let count = shapes.len();
    let mut open: Vec<usize> = (0..count).collect();
    for round in 0.. {
        let mut concerned: Vec<usize> = Vec::new();
        for &row in &open {
            let nodes = board.rows[row]..board.rows[(row + 2).min(count)];
            if nodes.clone().all(|node| moves[node] == Point::default()) {
                continue;
            }
            let curve = |low: usize, high: usize| shapes[row].curve(at[low], at[high]);
            let strand = |&(low, high): &(usize, usize)| Strand { low, high, curve: curve(low, high) };
            let strands: Vec<Strand> = board.gap(row).iter().map(strand).collect();
            let discs: Vec<Disc> =
                nodes.map(|node| Disc { node, at: at[node], radius: NODE_RADIUS }).collect();
            for fault in gap_faults(&strands, &discs) {
                let (edge, other) = match fault {
                    Fault::Through { edge, node } => (edge, [node, node]),
                    Fault::Cross { edge, other } => (edge, [strands[other].low, strands[other].high]),
                };
                concerned.extend(other.into_iter().chain([strands[edge].low, strands[edge].high]));
            }
        }
        concerned.sort_unstable();
        concerned.dedup();
        concerned.retain(|&node| node < board.cells.len() && moves[node] != Point::default());
        if concerned.is_empty() {
            break;
        }
        open.clear();
        for &node in &concerned {
            let halved = Point::new(moves[node].x / 2, moves[node].y / 2);
            let small = halved.x.abs() < 2 * UNIT && halved.y.abs() < 2 * UNIT;
            moves[node] = if small || round >= ROUNDS { Point::default() } else { halved };
            shift(&mut at, &moves, node);
            let row = usize::from(board.cells[node].0);
            open.extend([row.saturating_sub(1), row]);
        }
        open.sort_unstable();
        open.dedup();
    }
    at
}

/// The jitter of every node before any check. Every node draws twice, so that no rule here moves another node's draw.
fn draw_moves(board: &Board, seed: &Seed) -> Vec<Point> {
    let mut rng = seed.stream(Stage::named("draw.jitter"));
    let spans = spans(board);
    let tangled: Vec<bool> = (0..spans.len()).map(|row| is_tangled(board, row)).collect();
    let count = spans.len();
    let node = |&(row, _): &(u16, u16)| {
        let drawn = Point::new(rng.range(-JITTER.x, JITTER.x), rng.range(-JITTER.y, JITTER.y));
        let row = usize::from(row);
        let below = row.checked_sub(1);
        let boss_gap = |gap: usize| board.boss && gap + 1 == count;
        let wide = |gap: usize| spans[gap] > CALM_SPAN && !boss_gap(gap);
        if tangled[row] || below.is_some_and(|gap| tangled[gap]) {
            Point::default()
        } else if wide(row) || below.is_some_and(wide) {
            Point::new(drawn.x / 2, 0)
        } else {
            drawn
        }
    };
    board.cells.iter().map(node).collect()
}

/// True if edges of the gap have to cross, which only a map that breaks its rules has.
fn is_tangled(board: &Board, row: usize) -> bool {
    board.gap(row).windows(2).any(|pair| pair[0].1 > pair[1].1 && pair[0].0 != pair[1].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_span_has_a_shape_that_clears_it_and_narrow_ones_are_low() {
        let level = |span: i32| SHAPES.iter().position(|shape| shape.clears(span * PITCH, true));
        let levels: Vec<usize> = (0..64).map(|span| level(span).expect("a span without a shape")).collect();
        assert!(levels.is_sorted());
        assert_eq!(
            (levels[0], levels[1], levels[2]),
            (0, 0, 0),
            "the usual maps keep the usual gap: {levels:?}"
        );
    }

    #[test]
    fn a_straight_line_would_not_clear() {
        assert!(!Shape { gap: 820, steep: 0, lean: 0 }.clears(5 * PITCH, true));
    }
}
