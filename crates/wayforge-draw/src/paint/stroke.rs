//! Antialiased lines with round caps, in exact arithmetic: the same pixels on every platform.

use super::blend::{BlendTable, InkId, LEVELS};
use super::image::Image;
use crate::curve::{Curve, UNIT, bezier};

/// Subpixels per pixel; lines are measured in them.
pub(super) const SUBPIXELS: i32 = 64;

/// Style of a line, in subpixels.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) width: i32,
    /// Lengths of dash and gap; `None` for a solid line.
    pub(super) dashes: Option<(i32, i32)>,
    pub(super) ramp: InkId,
}

/// Line rasteriser with its reusable buffers.
#[derive(Default)]
pub(super) struct Stroker {
    points: Vec<(i32, i32)>,
    dash_points: Vec<(i32, i32)>,
    mask: Vec<u8>,
    /// Covered range of each row of the mask.
    spans: Vec<(i32, i32)>,
    corner: (i32, i32),
    width: i32,
    /// Coverage by squared distance from the line, shifted right by `shift`.
    coverage_table: Vec<u8>,
    table_width: i32,
    shift: u32,
    /// Pixels at a larger distance are not covered.
    max_distance: i64,
}

/// Converts units to subpixels at a scale in percent, rounded to the nearest.
pub(super) fn to_subpixels(units: i32, scale: u32) -> i32 {
    let product = i64::from(units) * i64::from(scale) * i64::from(SUBPIXELS);
    let by = i64::from(100 * UNIT);
    // The clamped position is far outside any picture.
    (2 * product + by).div_euclid(2 * by).clamp(-(1 << 24), 1 << 24) as i32
}

/// Converts units to pixels at a scale in percent, rounded to the nearest.
pub(super) fn to_pixels(units: i32, scale: u32) -> i32 {
    (to_subpixels(units, scale) + SUBPIXELS / 2).div_euclid(SUBPIXELS)
}

impl Stroker {
    /// Draws a line through points given in subpixels.
    pub(super) fn stroke(
        &mut self,
        points: impl Iterator<Item = (i32, i32)>,
        line: Line,
        image: &mut Image,
        blend: &mut BlendTable,
    ) {
        let mut buffer = std::mem::take(&mut self.points);
        buffer.clear();
        buffer.extend(points);
        match line.dashes {
            Some(dashes) => self
                .dashes(&buffer, dashes, |stroker, dash| stroker.paint(dash, line, image, blend)),
            None => self.paint(&buffer, line, image, blend),
        }
        self.points = buffer;
    }

    /// Splits a line into dashes and paints each one.
    fn dashes(
        &mut self,
        points: &[(i32, i32)],
        (dash, gap): (i32, i32),
        mut paint: impl FnMut(&mut Stroker, &[(i32, i32)]),
    ) {
        let mut dash_points = std::mem::take(&mut self.dash_points);
        let (mut drawing, mut left) = (true, i64::from(dash.max(1)));
        dash_points.clear();
        dash_points.extend(points.first());
        for pair in points.windows(2) {
            let (dx, dy) = (i64::from(pair[1].0 - pair[0].0), i64::from(pair[1].1 - pair[0].1));
            let length = (dx * dx + dy * dy).isqrt();
            let mut walked = 0;
            while length - walked > left {
                walked += left;
                let along = |from: i32, by: i64| from + (by * walked / length) as i32;
                let dash_end = (along(pair[0].0, dx), along(pair[0].1, dy));
                if drawing {
                    dash_points.push(dash_end);
                    paint(self, &dash_points);
                }
                dash_points.clear();
                dash_points.push(dash_end);
                drawing = !drawing;
                left = if drawing { dash.max(1) } else { gap.max(1) }.into();
            }
            left -= length - walked;
            if drawing {
                dash_points.push(pair[1]);
            }
        }
        if drawing && dash_points.len() > 1 {
            paint(self, &dash_points);
        }
        self.dash_points = dash_points;
    }

    /// Paints one solid line. Overlapping segments are not blended twice.
    fn paint(
        &mut self,
        points: &[(i32, i32)],
        line: Line,
        image: &mut Image,
        blend: &mut BlendTable,
    ) {
        self.build_coverage_table(line.width);
        let reach = line.width / 2 + SUBPIXELS;
        let bound = |of: fn(&(i32, i32)) -> i32| {
            let (low, high) = (points.iter().map(of).min(), points.iter().map(of).max());
            low.zip(high).map(|(low, high)| {
                ((low - reach).div_euclid(SUBPIXELS), (high + reach).div_euclid(SUBPIXELS) + 1)
            })
        };
        let (Some(x), Some(y)) = (bound(|p| p.0), bound(|p| p.1)) else { return };
        let (left, right) = (x.0.max(0), x.1.min(image.width as i32));
        let (top, bottom) = (y.0.max(0), y.1.min(image.height as i32));
        if left >= right || top >= bottom {
            return;
        }
        (self.corner, self.width) = ((left, top), right - left);
        self.mask
            .resize(((right - left) as usize * (bottom - top) as usize).max(self.mask.len()), 0);
        self.spans.clear();
        self.spans.resize((bottom - top) as usize, (i32::MAX, 0));
        match points {
            [only] => self.cover_segment(*only, *only, reach),
            _ => points.windows(2).for_each(|pair| self.cover_segment(pair[0], pair[1], reach)),
        }
        self.composite(line.ramp, image, blend);
    }

    /// Adds one segment to the mask: a capsule around the line from `a` to `b`. Each pixel gets the
    /// larger coverage.
    fn cover_segment(&mut self, a: (i32, i32), b: (i32, i32), reach: i32) {
        let (dx, dy) = (i64::from(b.0 - a.0), i64::from(b.1 - a.1));
        let length_squared = dx * dx + dy * dy;
        let length = length_squared.isqrt().max(1);
        let within = |low: i32, high: i32, corner: i32, space: i32| {
            let from = ((low - reach).div_euclid(SUBPIXELS) - corner).clamp(0, space);
            (from, ((high + reach).div_euclid(SUBPIXELS) + 1 - corner).clamp(from, space))
        };
        let (left, right) = within(a.0.min(b.0), a.0.max(b.0), self.corner.0, self.width);
        let (top, bottom) =
            within(a.1.min(b.1), a.1.max(b.1), self.corner.1, self.spans.len() as i32);
        if left >= right {
            return;
        }
        // All covered pixels are in a strip along the line; pixels outside it are skipped.
        let strip = self.max_distance * (length + 1);
        let subpixels = i64::from(SUBPIXELS);
        for row in top..bottom {
            let py = i64::from((row + self.corner.1) * SUBPIXELS + SUBPIXELS / 2 - a.1);
            let start_x = i64::from((left + self.corner.0) * SUBPIXELS + SUBPIXELS / 2 - a.0);
            // Cross product of line and pixel, which is linear along a row.
            let start_across = start_x * dy - py * dx;
            // Range of n with |start_across + n * subpixels * dy| <= strip.
            let (step, space) = (subpixels * dy.abs(), i64::from(right - left));
            let toward = if dy < 0 { -start_across } else { start_across };
            let (left, right) = match step {
                0 if toward.abs() > strip => continue,
                0 => (left, right),
                _ => {
                    let first = (-strip - toward).div_euclid(step).clamp(0, space);
                    let last = ((strip - toward).div_euclid(step) + 1).clamp(first, space);
                    (left + first as i32, left + last as i32)
                }
            };
            let mut px = i64::from((left + self.corner.0) * SUBPIXELS + SUBPIXELS / 2 - a.0);
            let start = row as usize * self.width as usize;
            let pixels = &mut self.mask[start + left as usize..start + right as usize];
            let (mut first, mut last) = (i32::MAX, 0);
            let (mut along, mut across) = (px * dx + py * dy, px * dy - py * dx);
            for (cell, x) in pixels.iter_mut().zip(left..) {
                let distance_squared = if along <= 0 {
                    px * px + py * py
                } else if along >= length_squared {
                    (px - dx) * (px - dx) + (py - dy) * (py - dy)
                } else {
                    // As exact as integer division, because both numbers are far below 2^53.
                    let across = (across as f64 / length as f64) as i64;
                    across * across
                };
                px += subpixels;
                along += subpixels * dx;
                across += subpixels * dy;
                let cover = self
                    .coverage_table
                    .get((distance_squared >> self.shift) as usize)
                    .copied()
                    .unwrap_or(0);
                if cover > 0 {
                    *cell = cover.max(*cell);
                    first = first.min(x);
                    last = x + 1;
                }
            }
            let span = &mut self.spans[row as usize];
            *span = (span.0.min(first), span.1.max(last));
        }
    }

    /// Blends the ink through the mask and clears the mask.
    fn composite(&mut self, ramp: InkId, image: &mut Image, blend: &mut BlendTable) {
        for (row, &(first, last)) in
            self.spans.iter().enumerate().filter(|(_, span)| span.0 < span.1)
        {
            let start = row * self.width as usize;
            let levels = &mut self.mask[start + first as usize..start + last as usize];
            if let Some((pixels, _)) =
                image.row(self.corner.0 + first, self.corner.1 + row as i32, levels.len())
            {
                for (cell, &level) in
                    pixels.iter_mut().zip(levels.iter()).filter(|(_, level)| **level > 0)
                {
                    *cell = blend.over(ramp + InkId::from(level), *cell);
                }
            }
            levels.fill(0);
        }
    }

    /// Builds the coverage table for a line width: full inside, none outside, with a linear ramp
    /// one pixel wide.
    fn build_coverage_table(&mut self, width: i32) {
        if self.table_width == width && !self.coverage_table.is_empty() {
            return;
        }
        self.table_width = width;
        let outer = i64::from(width / 2 + SUBPIXELS / 2);
        // About 4,096 entries for every width.
        self.shift = (outer * outer).ilog2().saturating_sub(12);
        // Lines thinner than a pixel never cover it fully.
        let max_cover = i64::from(width.clamp(1, SUBPIXELS));
        self.coverage_table.clear();
        for step in 0..=((outer * outer) >> self.shift) {
            let distance = ((step << self.shift) + (1 << self.shift) / 2).isqrt();
            let cover = (outer - distance).clamp(0, max_cover) * i64::from(LEVELS);
            self.coverage_table
                .push(((cover + i64::from(SUBPIXELS) / 2) / i64::from(SUBPIXELS)) as u8);
        }
        self.max_distance = ((self.coverage_table.len() as i64) << self.shift).isqrt() + 1;
    }
}

/// Flattens a curve at a scale in percent to points in subpixels.
pub(super) fn flatten(curve: &Curve, scale: u32) -> impl Iterator<Item = (i32, i32)> + use<> {
    let curve = curve.0.map(|p| (to_subpixels(p.x, scale), to_subpixels(p.y, scale)));
    let length: i32 =
        curve.windows(2).map(|p| (p[0].0 - p[1].0).abs() + (p[0].1 - p[1].1).abs()).sum();
    let segments = i64::from((length / (6 * SUBPIXELS)).clamp(4, 256));
    (0..=segments).map(move |step| {
        let along = |of: fn((i32, i32)) -> i32| {
            bezier(curve.map(of), step, segments).div_euclid(segments.pow(3)) as i32
        };
        (along(|p| p.0), along(|p| p.1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws a black line on white and returns the coverage levels.
    fn drawn(points: &[(i32, i32)], width: i32, dashes: Option<(i32, i32)>) -> Vec<Vec<u8>> {
        let greys =
            (0..=LEVELS).map(|level| [255 - (u32::from(level) * 255 / 32) as u8; 3]).collect();
        let mut blend = BlendTable::new(greys);
        let mut image = Image::default();
        image.reset((12, 8), &[[0; 3]]);
        image.pixels.resize(13 * 8, 0);
        let line = Line { width, dashes, ramp: blend.ramp([0; 3], 255) };
        let points = points.iter().map(|&(x, y)| (to_subpixels(x, 100), to_subpixels(y, 100)));
        Stroker::default().stroke(points, line, &mut image, &mut blend);
        image.pixels.chunks(13).map(|row| row[1..].to_vec()).collect()
    }

    #[test]
    fn line_covers_its_width_and_has_round_caps() {
        let rows = drawn(&[(30, 40), (90, 40)], 2 * SUBPIXELS, None);
        assert!((3..9).all(|x| rows[3][x] >= 30 && rows[4][x] >= 30), "{rows:?}");
        assert!((0..12).all(|x| rows[1][x] == 0 && rows[6][x] == 0), "{rows:?}");
        assert!((8..28).contains(&rows[3][2]) && rows[3][1] == 0, "the cap is round: {rows:?}");
    }

    #[test]
    fn overlapping_segments_are_not_blended_twice() {
        let whole = drawn(&[(20, 40), (100, 40)], 100, None);
        let parts = drawn(&[(20, 40), (50, 40), (51, 40), (100, 40)], 100, None);
        assert_eq!(whole, parts);
    }

    /// Compares every pixel with the definition of coverage: the distance of its centre from the
    /// line.
    #[test]
    fn strip_contains_all_covered_pixels() {
        use wayforge::{Seed, StreamId};
        let mut rng = Seed::new(11).stream(StreamId::named("test.stroke"));
        let mut covered = 0;
        for _ in 0..2000 {
            let mut point = || (rng.below(1600) as i32 - 200, rng.below(1200) as i32 - 200);
            let (a, b) = (point(), point());
            let width = 1 + rng.below(500) as i32;
            let b = if rng.below(8) == 0 {
                a
            } else if rng.below(8) == 0 {
                (b.0, a.1)
            } else {
                b
            };
            let mut stroker = Stroker::default();
            stroker.build_coverage_table(width);
            (stroker.corner, stroker.width) = ((0, 0), 12);
            stroker.mask.resize(12 * 8, 0);
            stroker.spans.resize(8, (i32::MAX, 0));
            stroker.cover_segment(a, b, width / 2 + SUBPIXELS);
            for (at, &level) in stroker.mask.iter().enumerate() {
                let (x, y) = ((at % 12) as i64 * 64 + 32, (at / 12) as i64 * 64 + 32);
                let (px, py) = (x - i64::from(a.0), y - i64::from(a.1));
                let (dx, dy) = (i64::from(b.0 - a.0), i64::from(b.1 - a.1));
                let (along, length_squared) = (px * dx + py * dy, dx * dx + dy * dy);
                let distance_squared = match along {
                    _ if along <= 0 => px * px + py * py,
                    _ if along >= length_squared => (px - dx).pow(2) + (py - dy).pow(2),
                    _ => ((px * dy - py * dx) / length_squared.isqrt()).pow(2),
                };
                let expected = stroker
                    .coverage_table
                    .get((distance_squared >> stroker.shift) as usize)
                    .copied()
                    .unwrap_or(0);
                assert_eq!(level, expected, "{a:?} to {b:?}, {width} wide, pixel {at}");
                covered += u32::from(level > 0);
            }
        }
        assert!(covered > 10_000, "{covered}");
    }

    #[test]
    fn dashes_leave_gaps_and_lines_are_clipped() {
        let rows = drawn(&[(0, 40), (120, 40)], SUBPIXELS, Some((2 * SUBPIXELS, 4 * SUBPIXELS)));
        let dark: Vec<bool> = (0..12).map(|x| rows[3][x].max(rows[4][x]) > 12).collect();
        assert!(dark[0] && dark[7] && !dark[4] && !dark[10], "{rows:?}");
        for far in [i32::MIN, -1000, 5000, i32::MAX] {
            drawn(&[(far, far), (60, 40), (40, far)], 300, None);
            drawn(&[(far, 40)], 300, Some((1, 1)));
        }
    }
}
