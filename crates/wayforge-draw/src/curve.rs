//! Points and curves in whole tenths of a pixel: every answer here is exact or rounded one way on every machine.

/// How many units make one pixel of a picture at 100 percent.
pub const UNIT: i32 = 10;

/// A place on the picture in [units](UNIT); x to the right, y downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// Units from the left.
    pub x: i32,
    /// Units from the top.
    pub y: i32,
}

/// A cubic Bézier curve, from the lower end of an edge to its upper end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curve(pub [Point; 4]);

/// The longest polyline that [`Curve::flatten`] makes has this many segments.
pub(crate) const MAX_SEGMENTS: usize = 64;

impl Point {
    /// The point at `x`, `y`.
    pub const fn new(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    pub(crate) fn distance_squared(self, other: Point) -> i64 {
        let (dx, dy) = (i64::from(self.x) - i64::from(other.x), i64::from(self.y) - i64::from(other.y));
        dx.saturating_mul(dx).saturating_add(dy.saturating_mul(dy))
    }
}

impl Curve {
    /// Where the curve is at `step` of `steps`, rounded to the nearest unit.
    pub fn at(&self, step: u32, steps: u32) -> Point {
        let (t, n) = (i64::from(step), i64::from(steps.max(1)));
        let s = n - t;
        let weights = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
        let along = |of: fn(&Point) -> i32| {
            let sum: i64 = self.0.iter().zip(weights).map(|(p, w)| i64::from(of(p)) * w).sum();
            rounded(sum, n * n * n)
        };
        Point::new(along(|p| p.x), along(|p| p.y))
    }

    /// The curve as a polyline of `segments` segments.
    pub(crate) fn flatten(&self, segments: usize) -> Vec<Point> {
        (0..=segments).map(|i| self.at(i as u32, segments as u32)).collect()
    }

    /// The part that is seen between two discs around its ends; `None` if the discs cover it.
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

    /// The two parts of the curve at `t` of `n` (de Casteljau).
    fn split(&self, t: i64, n: i64) -> (Curve, Curve) {
        let mix = |a: Point, b: Point| {
            let part = |a: i32, b: i32| rounded(i64::from(a) * (n - t) + i64::from(b) * t, n);
            Point::new(part(a.x, b.x), part(a.y, b.y))
        };
        let [a, b, c, d] = self.0;
        let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
        let (abc, bcd) = (mix(ab, bc), mix(bc, cd));
        let middle = mix(abc, bcd);
        (Curve([a, ab, abc, middle]), Curve([middle, bcd, cd, d]))
    }
}

/// `sum / by` to the nearest whole number, halves upwards: monotone in `sum`, which is what keeps curves in order.
fn rounded(sum: i64, by: i64) -> i32 {
    (2 * sum + by).div_euclid(2 * by) as i32
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
    fn between_stays_outside_both_discs_and_on_the_curve() {
        let seen = example().between(250, 400).unwrap();
        assert!(seen.0[0].distance_squared(Point::new(0, 1000)) >= 248 * 248);
        assert!(seen.0[3].distance_squared(Point::new(900, 0)) >= 398 * 398);
        for i in 0..=24 {
            let p = seen.at(i, 24);
            let near = (0..=2400).map(|i| example().at(i, 2400).distance_squared(p)).min().unwrap();
            assert!(near <= 9, "{p:?} lies off the curve");
        }
        assert_eq!(example().between(9000, 0), None);
    }

    #[test]
    fn rounding_is_monotone_over_zero() {
        assert_eq!([-3, -2, -1, 0, 1, 2, 3].map(|n| rounded(n, 2)), [-1, -1, 0, 0, 1, 1, 2]);
    }
}
