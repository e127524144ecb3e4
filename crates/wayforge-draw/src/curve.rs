//! Points and cubic Bézier curves in integer tenths of a pixel. Results are exact or rounded
//! identically on every platform.

/// Units per pixel of a picture at 100 percent.
pub const UNIT: i32 = 10;

/// A point of the picture in [units](UNIT); the y axis points down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// Distance from the left edge.
    pub x: i32,
    /// Distance from the top edge.
    pub y: i32,
}

/// A cubic Bézier curve, from the lower end of an edge to its upper end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve(pub [Point; 4]);

/// Maximum number of segments of [`Curve::flatten`].
pub(crate) const MAX_SEGMENTS: usize = 64;

impl Point {
    /// Creates a point.
    pub const fn new(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    /// Returns the point moved by `dx` and `dy`.
    pub(crate) const fn offset(self, dx: i32, dy: i32) -> Point {
        Point { x: self.x.saturating_add(dx), y: self.y.saturating_add(dy) }
    }

    pub(crate) fn distance_squared(self, other: Point) -> i64 {
        let (dx, dy) =
            (i64::from(self.x) - i64::from(other.x), i64::from(self.y) - i64::from(other.y));
        dx.saturating_mul(dx).saturating_add(dy.saturating_mul(dy))
    }
}

impl Curve {
    /// Returns the point at parameter `step / steps`, rounded to the nearest unit.
    pub fn at(&self, step: u32, steps: u32) -> Point {
        let (t, n) = (i64::from(step), i64::from(steps.max(1)));
        let along = |of: fn(Point) -> i32| round_div(bezier(self.0.map(of), t, n), n * n * n);
        Point::new(along(|p| p.x), along(|p| p.y))
    }

    /// Approximates the curve by a polyline with the given number of segments.
    pub(crate) fn flatten(&self, segments: usize) -> Vec<Point> {
        (0..=segments).map(|i| self.at(i as u32, segments as u32)).collect()
    }

    /// Returns the part of the curve outside the discs of radius `low` and `high` around its ends;
    /// `None` if the discs cover it.
    pub(crate) fn between(&self, low: i32, high: i32) -> Option<Curve> {
        const STEPS: u32 = 128;
        let reach = |radius: i32| i64::from(radius) * i64::from(radius);
        let from = (0..=STEPS)
            .find(|&i| self.at(i, STEPS).distance_squared(self.0[0]) >= reach(low))
            .filter(|&from| from < STEPS)?;
        let to = (0..=STEPS)
            .rev()
            .find(|&i| self.at(i, STEPS).distance_squared(self.0[3]) >= reach(high))
            .filter(|&to| to > from)?;
        let (_, tail) = self.split(i64::from(from), i64::from(STEPS));
        let (head, _) = tail.split(i64::from(to - from), i64::from(STEPS - from));
        Some(head)
    }

    /// Splits the curve at parameter `t / n` (de Casteljau's algorithm).
    fn split(&self, t: i64, n: i64) -> (Curve, Curve) {
        let mix = |a: Point, b: Point| {
            let part = |a: i32, b: i32| round_div(i64::from(a) * (n - t) + i64::from(b) * t, n);
            Point::new(part(a.x, b.x), part(a.y, b.y))
        };
        let [a, b, c, d] = self.0;
        let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
        let (abc, bcd) = (mix(ab, bc), mix(bc, cd));
        let middle = mix(abc, bcd);
        (Curve([a, ab, abc, middle]), Curve([middle, bcd, cd, d]))
    }
}

/// Returns the coordinate of a cubic Bézier curve at parameter `t / n`, times `n³`.
pub(crate) fn bezier(control: [i32; 4], t: i64, n: i64) -> i64 {
    let s = n - t;
    let weights = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    control.into_iter().zip(weights).map(|(at, weight)| i64::from(at) * weight).sum()
}

/// Returns `dividend / divisor`, rounded to the nearest integer (halves up). Monotone in
/// `dividend`, so rounding never swaps two curves.
fn round_div(dividend: i64, divisor: i64) -> i32 {
    (2 * dividend + divisor).div_euclid(2 * divisor) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Curve {
        Curve([Point::new(0, 1000), Point::new(0, 600), Point::new(900, 400), Point::new(900, 0)])
    }

    #[test]
    fn ends_and_middle_are_exact() {
        let curve = example();
        assert_eq!(curve.at(0, 24), Point::new(0, 1000));
        assert_eq!(curve.at(12, 24), Point::new(450, 500));
        assert_eq!(curve.at(24, 24), Point::new(900, 0));
    }

    #[test]
    fn between_returns_the_part_outside_both_discs() {
        let visible = example().between(250, 400).unwrap();
        assert!(visible.0[0].distance_squared(Point::new(0, 1000)) >= 248 * 248);
        assert!(visible.0[3].distance_squared(Point::new(900, 0)) >= 398 * 398);
        for i in 0..=24 {
            let p = visible.at(i, 24);
            let near = (0..=2400).map(|i| example().at(i, 2400).distance_squared(p)).min().unwrap();
            assert!(near <= 9, "{p:?} is off the curve");
        }
        assert_eq!(example().between(9000, 0), None);
    }

    #[test]
    fn rounding_is_monotone_across_zero() {
        assert_eq!([-3, -2, -1, 0, 1, 2, 3].map(|n| round_div(n, 2)), [-1, -1, 0, 0, 1, 1, 2]);
    }
}
