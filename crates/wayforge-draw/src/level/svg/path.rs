//! Paths: outlines with round corners, and smooth lines.

use crate::curve::Point;
use crate::level::Outline;
use crate::svg::Canvas;
use wayforge::grid::Pos;

/// Appends the closed paths of an outline: moved inwards, and with round corners.
pub(super) fn outline(outline: &Outline, tile: i32, inset: i32, radius: i32, into: &mut Canvas) {
    for corners in &outline.loops {
        let points = inwards(corners, tile, inset);
        closed(&points, radius, into);
    }
}

/// The corners of a loop, moved to its right hand.
fn inwards(corners: &[Pos], tile: i32, inset: i32) -> Vec<Point> {
    let at = |i: usize| {
        let pos = corners[i % corners.len()];
        (i32::from(pos.x), i32::from(pos.y))
    };
    let count = corners.len();
    let along = |a: (i32, i32), b: (i32, i32)| ((b.0 - a.0).signum(), (b.1 - a.1).signum());
    let point = |i: usize| {
        let (before, here, after) = (at(i + count - 1), at(i), at(i + 1));
        let ((ux, uy), (vx, vy)) = (along(before, here), along(here, after));
        // To the right hand of a direction (x, y) is (-y, x).
        Point::new(here.0 * tile + (-uy - vy) * inset, here.1 * tile + (ux + vx) * inset)
    };
    (0..count).map(point).collect()
}

/// A closed path along rows and columns; corners are rounded as far as edges allow.
fn closed(points: &[Point], radius: i32, into: &mut Canvas) {
    let count = points.len();
    let length = |a: Point, b: Point| (b.x - a.x).abs() + (b.y - a.y).abs();
    let cut = |i: usize| {
        let (before, here, after) =
            (points[(i + count - 1) % count], points[i % count], points[(i + 1) % count]);
        radius.min(length(before, here) / 2).min(length(here, after) / 2)
    };
    let unit = |a: Point, b: Point| ((b.x - a.x).signum(), (b.y - a.y).signum());
    let (first, second) = (points[0], points[1 % count]);
    let (dx, dy) = unit(first, second);
    into.trace(&[("M", &[first.x + dx * cut(0), first.y + dy * cut(0)])]);
    for i in 0..count {
        let (here, next, after) = (points[i], points[(i + 1) % count], points[(i + 2) % count]);
        let ((ux, uy), (vx, vy)) = (unit(here, next), unit(next, after));
        let straight = length(here, next) - cut(i) - cut(i + 1);
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

/// Appends an open line whose corners are rounded.
pub(super) fn smooth(points: &[Point], radius: i32, into: &mut Canvas) {
    let Some((first, rest)) = points.split_first() else { return };
    into.trace(&[("M", &[first.x, first.y])]);
    let toward = |from: Point, to: Point| {
        let (dx, dy) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
        let length = (dx * dx + dy * dy).isqrt().max(1);
        let by = i64::from(radius).min(length / 2);
        Point::new(from.x + (dx * by / length) as i32, from.y + (dy * by / length) as i32)
    };
    let mut before = *first;
    for (i, &here) in rest.iter().enumerate() {
        match rest.get(i + 1) {
            Some(&after) => {
                let (from, to) = (toward(here, before), toward(here, after));
                into.trace(&[("L", &[from.x, from.y]), ("Q", &[here.x, here.y, to.x, to.y])]);
            }
            None => into.trace(&[("L", &[here.x, here.y])]),
        }
        before = here;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Theme;
    use wayforge::grid::{BitGrid, Size};

    #[test]
    fn outlines_are_rounded_and_moved_inwards() {
        let set = BitGrid::of(Size::new(3, 3), [Pos::new(1, 1), Pos::new(2, 1)]);
        let path = |inset, radius| {
            let mut canvas = Canvas::new(Theme::Night, String::new());
            outline(&Outline::of(&set), 100, inset, radius, &mut canvas);
            canvas.out
        };
        assert_eq!(path(0, 0), "M10 10h20v10h-20z");
        assert_eq!(path(10, 0), "M11 11h18v8h-18z");
        assert_eq!(path(0, 20), "M12 10h16q2 0 2 2v6q0 2 -2 2h-16q-2 0 -2 -2v-6q0 -2 2 -2z");
    }

    #[test]
    fn smooth_lines_begin_and_end_where_they_should() {
        let points = [Point::new(0, 0), Point::new(100, 0), Point::new(100, 100)];
        let mut canvas = Canvas::new(Theme::Night, String::new());
        smooth(&points, 30, &mut canvas);
        assert_eq!(canvas.out, "M0 0L7 0Q10 0 10 3L10 10");
    }
}
