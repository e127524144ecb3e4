//! SVG path data of rounded outlines and polylines.

use crate::curve::Point;
use crate::level::Outline;
use crate::svg::Canvas;
use wayforge::grid::Pos;

/// Appends the loops of an outline, inset by `inset` units and with rounded corners.
pub(super) fn outline(outline: &Outline, tile: i32, inset: i32, radius: i32, into: &mut Canvas) {
    for corners in &outline.loops {
        closed(&inset_corners(corners, tile, inset), radius, into);
    }
}

/// Returns the corners of a loop, moved by `inset` to the right of the loop's direction.
fn inset_corners(corners: &[Pos], tile: i32, inset: i32) -> Vec<Point> {
    let at = |i: usize| {
        let pos = corners[i % corners.len()];
        (i32::from(pos.x), i32::from(pos.y))
    };
    let count = corners.len();
    let along = |a: (i32, i32), b: (i32, i32)| ((b.0 - a.0).signum(), (b.1 - a.1).signum());
    let point = |i: usize| {
        let (before, current, after) = (at(i + count - 1), at(i), at(i + 1));
        let ((ux, uy), (vx, vy)) = (along(before, current), along(current, after));
        // The right-hand normal of (x, y) is (-y, x).
        Point::new(current.0 * tile + (-uy - vy) * inset, current.1 * tile + (ux + vx) * inset)
    };
    (0..count).map(point).collect()
}

/// Appends a closed rectilinear path. Corners have this radius, or less at short edges.
fn closed(points: &[Point], radius: i32, into: &mut Canvas) {
    let count = points.len();
    let length = |a: Point, b: Point| (b.x - a.x).abs() + (b.y - a.y).abs();
    let cut = |i: usize| {
        let (before, current, after) =
            (points[(i + count - 1) % count], points[i % count], points[(i + 1) % count]);
        radius.min(length(before, current) / 2).min(length(current, after) / 2)
    };
    let unit = |a: Point, b: Point| ((b.x - a.x).signum(), (b.y - a.y).signum());
    let (first, second) = (points[0], points[1 % count]);
    let (dx, dy) = unit(first, second);
    into.trace(&[("M", &[first.x + dx * cut(0), first.y + dy * cut(0)])]);
    for i in 0..count {
        let (current, next, after) = (points[i], points[(i + 1) % count], points[(i + 2) % count]);
        let ((ux, uy), (vx, vy)) = (unit(current, next), unit(next, after));
        let straight = length(current, next) - cut(i) - cut(i + 1);
        if straight > 0 && (radius > 0 || i + 1 < count) {
            let along = if ux == 0 { "v" } else { "h" };
            into.trace(&[(along, &[(ux + uy) * straight])]);
        }
        let r = cut(i + 1);
        if r > 0 {
            into.trace(&[("q", &[ux * r, uy * r, (ux + vx) * r, (uy + vy) * r])]);
        }
    }
    into.out.push('z');
}

/// Appends an open polyline with rounded corners.
pub(super) fn rounded_polyline(points: &[Point], radius: i32, into: &mut Canvas) {
    let Some((first, rest)) = points.split_first() else { return };
    into.trace(&[("M", &[first.x, first.y])]);
    let toward = |from: Point, to: Point| {
        let (dx, dy) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
        let length = (dx * dx + dy * dy).isqrt().max(1);
        let by = i64::from(radius).min(length / 2);
        Point::new(from.x + (dx * by / length) as i32, from.y + (dy * by / length) as i32)
    };
    let mut before = *first;
    for (i, &current) in rest.iter().enumerate() {
        match rest.get(i + 1) {
            Some(&after) => {
                let (from, to) = (toward(current, before), toward(current, after));
                into.trace(&[("L", &[from.x, from.y]), ("Q", &[current.x, current.y, to.x, to.y])]);
            }
            None => into.trace(&[("L", &[current.x, current.y])]),
        }
        before = current;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Theme;
    use wayforge::grid::{BitGrid, Size};

    #[test]
    fn outlines_are_inset_and_rounded() {
        let set = BitGrid::from_cells(Size::new(3, 3), [Pos::new(1, 1), Pos::new(2, 1)]);
        let path = |inset, radius| {
            let mut canvas = Canvas::new(Theme::Night, String::new());
            outline(&Outline::trace(&set), 100, inset, radius, &mut canvas);
            canvas.out
        };
        assert_eq!(path(0, 0), "M10 10h20v10h-20z");
        assert_eq!(path(10, 0), "M11 11h18v8h-18z");
        assert_eq!(path(0, 20), "M12 10h16q2 0 2 2v6q0 2 -2 2h-16q-2 0 -2 -2v-6q0 -2 2 -2z");
    }

    #[test]
    fn rounded_polyline_starts_and_ends_at_its_points() {
        let points = [Point::new(0, 0), Point::new(100, 0), Point::new(100, 100)];
        let mut canvas = Canvas::new(Theme::Night, String::new());
        rounded_polyline(&points, 30, &mut canvas);
        assert_eq!(canvas.out, "M0 0L7 0Q10 0 10 3L10 10");
    }
}
