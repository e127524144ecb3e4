//! Exact layout check: no edge passes through a node or crosses another edge unnecessarily.

use crate::curve::{Curve, MAX_SEGMENTS, Point};
use crate::layout::{MARGIN, PITCH};
use crate::scene::Scene;
use std::collections::BTreeMap;

/// A defect of a layout. Fields are indices into the scene's nodes and edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutDefect {
    /// An edge passes too close to a node that is not its end.
    EdgeThroughNode {
        /// Edge.
        edge: usize,
        /// Node.
        node: usize,
    },
    /// Two edges cross although the order of their ends does not require it.
    EdgesCross {
        /// First edge.
        edge: usize,
        /// Second edge.
        other: usize,
    },
}

/// Returns all layout defects of a scene.
///
/// Uses exact integer geometry on the flattened curves. Scenes from [`Scene::from_act`] have no
/// defects; scenes that a caller has edited may have some.
///
/// # Complexity
/// O((nodes + edges) log (nodes + edges) + p), where p is the number of pairs of edges, or of an
/// edge and a node, that overlap horizontally between two rows.
///
/// # Examples
///
/// ```
/// use wayforge::act;
/// use wayforge_draw::{Scene, find_layout_defects};
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let mut scene = Scene::from_act(&map);
/// assert_eq!(find_layout_defects(&scene), []);
/// scene.nodes[1].pos = scene.edges[0].curve.at(1, 2);
/// assert!(!find_layout_defects(&scene).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_layout_defects(scene: &Scene) -> Vec<LayoutDefect> {
    let mut discs: BTreeMap<u16, Vec<Disc>> = BTreeMap::new();
    for (number, node) in scene.nodes.iter().enumerate() {
        let (at, radius) = (clamp(node.pos), node.radius.clamp(0, MAX_COORDINATE));
        discs.entry(node.row).or_default().push(Disc { node: number, at, radius });
    }
    let mut gaps: BTreeMap<u16, (Vec<usize>, Vec<Strand>)> = BTreeMap::new();
    for (number, edge) in
        scene.edges.iter().enumerate().filter(|(_, edge)| edge.to < scene.nodes.len())
    {
        let Some(low) = scene.nodes.get(edge.from) else { continue };
        let (numbers, strands) = gaps.entry(low.row).or_default();
        numbers.push(number);
        let curve = Curve(edge.curve.0.map(clamp));
        strands.push(Strand { low: edge.from, high: edge.to, curve });
    }
    let mut defects = Vec::new();
    for (row, (numbers, strands)) in gaps {
        let near = discs.range(row..=row.saturating_add(1)).flat_map(|row| row.1);
        let found = gap_defects(&strands, &near.copied().collect::<Vec<_>>());
        defects.extend(found.into_iter().map(|defect| match defect {
            LayoutDefect::EdgeThroughNode { edge, node } => {
                LayoutDefect::EdgeThroughNode { edge: numbers[edge], node }
            }
            LayoutDefect::EdgesCross { edge, other } => {
                LayoutDefect::EdgesCross { edge: numbers[edge], other: numbers[other] }
            }
        }));
    }
    defects
}

/// Coordinates are clamped to this bound, so that products of differences fit into 64 bits.
const MAX_COORDINATE: i32 = 1 << 29;

fn clamp(at: Point) -> Point {
    let clamp = |n: i32| n.clamp(-MAX_COORDINATE, MAX_COORDINATE);
    Point::new(clamp(at.x), clamp(at.y))
}

/// An edge within one gap. Its ends are node indices, which increase from left to right within a
/// row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strand {
    pub(crate) low: usize,
    pub(crate) high: usize,
    pub(crate) curve: Curve,
}

/// A node's disc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disc {
    pub(crate) node: usize,
    pub(crate) at: Point,
    pub(crate) radius: i32,
}

/// Returns the defects of one gap; `edge` and `other` are indices into `strands`.
pub(crate) fn gap_defects(strands: &[Strand], discs: &[Disc]) -> Vec<LayoutDefect> {
    let lines = flattened(strands);
    let mut defects = Vec::new();
    let mut by_x: Vec<Disc> = discs.to_vec();
    by_x.sort_by_key(|disc| disc.at.x);
    let widest = discs.iter().map(|disc| disc.radius).max().unwrap_or(0) + MARGIN;
    for (edge, (strand, line)) in strands.iter().zip(&lines).enumerate() {
        let first = by_x.partition_point(|disc| disc.at.x < line.left - widest);
        for disc in by_x[first..].iter().take_while(|disc| disc.at.x <= line.right + widest) {
            let is_end = disc.node == strand.low || disc.node == strand.high;
            if !is_end && passes_within(&line.points, disc.at, disc.radius + MARGIN) {
                defects.push(LayoutDefect::EdgeThroughNode { edge, node: disc.node });
            }
        }
    }
    find_crossings(strands, &lines, &mut defects);
    defects
}

/// Returns the number of segments that approximate a curve of this width; wide curves need more.
pub(crate) fn segments_for(width: i32) -> usize {
    if width <= 4 * PITCH { 24 } else { MAX_SEGMENTS }
}

/// Returns whether the polyline comes closer to `at` than `reach`.
pub(crate) fn passes_within(points: &[Point], at: Point, reach: i32) -> bool {
    points.windows(2).any(|pair| {
        let (a, b) = (pair[0], pair[1]);
        let outside = |a: i32, b: i32, c: i32| c + reach < a.min(b) || c - reach > a.max(b);
        if outside(a.x, b.x, at.x) || outside(a.y, b.y, at.y) {
            return false;
        }
        let reach = i64::from(reach) * i64::from(reach);
        let (ux, uy) = (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
        let (vx, vy) = (i64::from(at.x) - i64::from(a.x), i64::from(at.y) - i64::from(a.y));
        let (along, length) = (ux * vx + uy * vy, ux * ux + uy * uy);
        if along <= 0 {
            return at.distance_squared(a) < reach;
        }
        if along >= length {
            return at.distance_squared(b) < reach;
        }
        // The squared distance from the line is across² / length.
        let across = i128::from(ux * vy - uy * vx);
        across * across < i128::from(reach) * i128::from(length)
    })
}

struct Line {
    points: Vec<Point>,
    left: i32,
    right: i32,
}

fn flattened(strands: &[Strand]) -> Vec<Line> {
    let width = |curve: &Curve| (curve.0[3].x - curve.0[0].x).abs();
    let segments = segments_for(strands.iter().map(|s| width(&s.curve)).max().unwrap_or(0));
    let line = |strand: &Strand| {
        let points = strand.curve.flatten(segments);
        let xs = || points.iter().map(|p| p.x);
        Line { left: xs().min().unwrap_or(0), right: xs().max().unwrap_or(0), points }
    };
    strands.iter().map(line).collect()
}

fn find_crossings(strands: &[Strand], lines: &[Line], defects: &mut Vec<LayoutDefect>) {
    let mut order: Vec<usize> = (0..strands.len()).collect();
    order.sort_by_key(|&i| (strands[i].low, strands[i].high));
    let mut check = |a: usize, b: usize| {
        let (one, two) = (&strands[a], &strands[b]);
        // `one` precedes `two` in order of (low, high), so they must cross if their upper ends are
        // swapped.
        let must_cross = one.low < two.low && one.high > two.high;
        let share_end = one.low == two.low || one.high == two.high;
        if !must_cross && cross(&lines[a].points, &lines[b].points, share_end) {
            defects.push(LayoutDefect::EdgesCross { edge: a.min(b), other: a.max(b) });
        }
    };
    if share_heights(lines)
        && order.windows(2).all(|pair| strands[pair[0]].high <= strands[pair[1]].high)
    {
        // All vertices have the same heights, so "left of" is transitive: checking neighbours is
        // enough.
        order.windows(2).for_each(|pair| check(pair[0], pair[1]));
        return;
    }
    order.sort_by_key(|&i| (lines[i].left, strands[i].low, strands[i].high));
    for (rank, &a) in order.iter().enumerate() {
        for &b in order[rank + 1..].iter().take_while(|&&b| lines[b].left <= lines[a].right) {
            let first = (strands[a].low, strands[a].high) <= (strands[b].low, strands[b].high);
            if first { check(a, b) } else { check(b, a) }
        }
    }
}

/// Returns whether the vertices of all curves have the same heights.
fn share_heights(lines: &[Line]) -> bool {
    lines.windows(2).all(|pair| pair[0].points.iter().zip(&pair[1].points).all(|(a, b)| a.y == b.y))
}

/// Returns whether two upward polylines touch or cross. If they share an end, only proper crossings
/// count.
fn cross(a: &[Point], b: &[Point], share_end: bool) -> bool {
    let (mut i, mut j) = (0, 0);
    while i + 1 < a.len() && j + 1 < b.len() {
        if segments_meet([a[i], a[i + 1]], [b[j], b[j + 1]], share_end) {
            return true;
        }
        if a[i + 1].y >= b[j + 1].y { i += 1 } else { j += 1 }
    }
    false
}

/// Returns whether two segments touch or cross, or with `only_properly`, whether they cross.
fn segments_meet([a, b]: [Point; 2], [c, d]: [Point; 2], only_properly: bool) -> bool {
    let side = |p: Point, q: Point, r: Point| {
        let (ux, uy) = (i64::from(q.x) - i64::from(p.x), i64::from(q.y) - i64::from(p.y));
        let (vx, vy) = (i64::from(r.x) - i64::from(p.x), i64::from(r.y) - i64::from(p.y));
        (ux * vy - uy * vx).signum()
    };
    let (c_side, d_side, a_side, b_side) =
        (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    if c_side * d_side < 0 && a_side * b_side < 0 {
        return true;
    }
    let within = |p: Point, q: Point, r: Point| {
        (p.x.min(q.x)..=p.x.max(q.x)).contains(&r.x) && (p.y.min(q.y)..=p.y.max(q.y)).contains(&r.y)
    };
    !only_properly
        && ((c_side == 0 && within(a, b, c))
            || (d_side == 0 && within(a, b, d))
            || (a_side == 0 && within(c, d, a))
            || (b_side == 0 && within(c, d, b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn straight(low: usize, high: usize, from: (i32, i32), to: (i32, i32)) -> Strand {
        let mix = |t: i32| {
            Point::new((from.0 * (3 - t) + to.0 * t) / 3, (from.1 * (3 - t) + to.1 * t) / 3)
        };
        Strand { low, high, curve: Curve([mix(0), mix(1), mix(2), mix(3)]) }
    }

    #[test]
    fn finds_crossings_that_the_ends_do_not_force() {
        // Nodes 0 and 1 are below, 2 and 3 above. The edges keep their order; the curves do not.
        let fine = [straight(0, 2, (0, 900), (0, 0)), straight(1, 3, (600, 900), (600, 0))];
        assert_eq!(gap_defects(&fine, &[]), []);
        let bad = [straight(0, 2, (0, 900), (900, 0)), straight(1, 3, (600, 900), (600, 0))];
        assert_eq!(gap_defects(&bad, &[]), [LayoutDefect::EdgesCross { edge: 0, other: 1 }]);
        let forced = [straight(0, 3, (0, 900), (900, 0)), straight(1, 2, (600, 900), (600, 0))];
        assert_eq!(gap_defects(&forced, &[]), [], "these must cross in any layout");
        let tilted = [straight(0, 2, (0, 930), (900, 0)), straight(1, 3, (600, 900), (600, -60))];
        assert_eq!(
            gap_defects(&tilted, &[]),
            [LayoutDefect::EdgesCross { edge: 0, other: 1 }],
            "detected although the vertices have different heights"
        );
    }

    #[test]
    fn touching_counts_as_crossing_unless_an_end_is_shared() {
        let line = |x: [i32; 3]| {
            x.iter().zip([20, 10, 0]).map(|(&x, y)| Point::new(x, y)).collect::<Vec<_>>()
        };
        assert!(cross(&line([0, 5, 0]), &line([9, 5, 9]), false));
        assert!(!cross(&line([0, 5, 0]), &line([9, 5, 9]), true));
        assert!(cross(&line([0, 7, 7]), &line([0, 5, 9]), false));
        assert!(
            cross(&line([0, 9, 3]), &line([0, 5, 9]), true),
            "a shared end does not excuse a proper crossing"
        );
    }

    #[test]
    fn distance_check_is_exact_to_the_unit() {
        let line = [Point::new(0, 0), Point::new(400, 300)];
        // At distance 250 from the line; the normal is (-3, 4) / 5.
        let at = Point::new(200 - 150, 150 + 200);
        assert!(!passes_within(&line, at, 250));
        assert!(passes_within(&line, at, 251));
        assert!(
            !passes_within(&line, Point::new(-30, -40), 50)
                && passes_within(&line, Point::new(-30, -40), 51)
        );
    }
}
