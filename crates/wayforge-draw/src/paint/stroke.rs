//! Lines with round ends, in whole numbers: the same pixels on every machine.

use super::frame::Frame;
use super::inks::{Ink, Inks, LEVELS};
use crate::curve::{Curve, UNIT};

/// Parts of a pixel that lines are measured in.
pub(super) const FINE: i32 = 64;

/// How a line looks, in 64ths of a pixel.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) width: i32,
    /// Lengths of dash and gap; none for a whole line.
    pub(super) dashes: Option<(i32, i32)>,
    pub(super) ramp: Ink,
}

/// What draws lines, and the memory it needs for one.
#[derive(Default)]
pub(super) struct Stroker {
    points: Vec<(i32, i32)>,
    piece: Vec<(i32, i32)>,
    mask: Vec<u8>,
    /// The touched pixels of each row of the mask.
    spans: Vec<(i32, i32)>,
    corner: (i32, i32),
    width: i32,
    /// Cover by the distance from the line, squared.
    covers: Vec<u8>,
    cover_width: i32,
    shift: u32,
    /// Beyond this distance nothing is covered.
    widest: i64,
}

/// Units as 64ths of a pixel at a scale in percent, to the nearest.
pub(super) fn fine(units: i32, scale: u32) -> i32 {
    let whole = i64::from(units) * i64::from(scale) * i64::from(FINE);
    let by = i64::from(100 * UNIT);
    // Far outside every picture nothing is drawn.
    (2 * whole + by).div_euclid(2 * by).clamp(-(1 << 24), 1 << 24) as i32
}

/// Units as whole pixels at a scale in percent, to the nearest.
pub(super) fn whole(units: i32, scale: u32) -> i32 {
    (fine(units, scale) + FINE / 2).div_euclid(FINE)
}

impl Stroker {
    /// Draws a line through points that are given in 64ths of a pixel.
    pub(super) fn stroke(
        &mut self,
        points: impl Iterator<Item = (i32, i32)>,
        line: Line,
        frame: &mut Frame,
        inks: &mut Inks,
    ) {
        let mut whole = std::mem::take(&mut self.points);
        whole.clear();
        whole.extend(points);
        match line.dashes {
            Some(dashes) => {
                self.dashes(&whole, dashes, |stroker, dash| stroker.paint(dash, line, frame, inks))
            }
            None => self.paint(&whole, line, frame, inks),
        }
        self.points = whole;
    }

    /// Walks along the line and paints each dash by itself.
    fn dashes(
        &mut self,
        points: &[(i32, i32)],
        (dash, gap): (i32, i32),
        mut paint: impl FnMut(&mut Stroker, &[(i32, i32)]),
    ) {
        let mut piece = std::mem::take(&mut self.piece);
        let (mut drawing, mut left) = (true, i64::from(dash.max(1)));
        piece.clear();
        piece.extend(points.first());
        for pair in points.windows(2) {
            let (dx, dy) = (i64::from(pair[1].0 - pair[0].0), i64::from(pair[1].1 - pair[0].1));
            let long = (dx * dx + dy * dy).isqrt();
            let mut gone = 0;
            while long - gone > left {
                gone += left;
                let here = (pair[0].0 + (dx * gone / long) as i32, pair[0].1 + (dy * gone / long) as i32);
                if drawing {
                    piece.push(here);
                    paint(self, &piece);
                }
                piece.clear();
                piece.push(here);
                drawing = !drawing;
                left = if drawing { dash.max(1) } else { gap.max(1) }.into();
            }
            left -= long - gone;
            if drawing {
                piece.push(pair[1]);
            }
        }
        if drawing && piece.len() > 1 {
            paint(self, &piece);
        }
        self.piece = piece;
    }

    /// Paints one whole line: where its parts overlap, the ink is not laid twice.
    fn paint(&mut self, points: &[(i32, i32)], line: Line, frame: &mut Frame, inks: &mut Inks) {
        self.prepare(line.width);
        let reach = line.width / 2 + FINE;
        let bound = |of: fn(&(i32, i32)) -> i32| {
            let (low, high) = (points.iter().map(of).min(), points.iter().map(of).max());
            low.zip(high)
                .map(|(low, high)| ((low - reach).div_euclid(FINE), (high + reach).div_euclid(FINE) + 1))
        };
        let (Some(x), Some(y)) = (bound(|p| p.0), bound(|p| p.1)) else { return };
        let (left, right) = (x.0.max(0), x.1.min(frame.width as i32));
        let (top, bottom) = (y.0.max(0), y.1.min(frame.height as i32));
        if left >= right || top >= bottom {
            return;
        }
        (self.corner, self.width) = ((left, top), right - left);
        self.mask.resize(((right - left) as usize * (bottom - top) as usize).max(self.mask.len()), 0);
        self.spans.clear();
        self.spans.resize((bottom - top) as usize, (i32::MAX, 0));
        match points {
            [only] => self.capsule(*only, *only, reach),
            _ => points.windows(2).for_each(|pair| self.capsule(pair[0], pair[1], reach)),
        }
        self.lay(line.ramp, frame, inks);
    }

    /// Marks what one straight part covers, where that is more than before.
    fn capsule(&mut self, a: (i32, i32), b: (i32, i32), reach: i32) {
        let (dx, dy) = (i64::from(b.0 - a.0), i64::from(b.1 - a.1));
        let square = dx * dx + dy * dy;
        let long = square.isqrt().max(1);
        let within = |low: i32, high: i32, corner: i32, room: i32| {
            let from = ((low - reach).div_euclid(FINE) - corner).clamp(0, room);
            (from, ((high + reach).div_euclid(FINE) + 1 - corner).clamp(from, room))
        };
        let (left, right) = within(a.0.min(b.0), a.0.max(b.0), self.corner.0, self.width);
        let (top, bottom) = within(a.1.min(b.1), a.1.max(b.1), self.corner.1, self.spans.len() as i32);
        if left >= right {
            return;
        }
        // Whatever is covered lies in a strip along the line: pixels beside it are not looked at.
        let strip = self.widest * (long + 1);
        let fine = i64::from(FINE);
        for row in top..bottom {
            let py = i64::from((row + self.corner.1) * FINE + FINE / 2 - a.1);
            let start_x = i64::from((left + self.corner.0) * FINE + FINE / 2 - a.0);
            // Twice the area between the line and the pixel, which grows evenly along a row.
            let start_across = start_x * dy - py * dx;
            // Pixels from `left` on: |start_across + n * fine * dy| <= strip.
            let (step, room) = (fine * dy.abs(), i64::from(right - left));
            let toward = if dy < 0 { -start_across } else { start_across };
            let (left, right) = match step {
                0 if toward.abs() > strip => continue,
                0 => (left, right),
                _ => {
                    let first = (-strip - toward).div_euclid(step).clamp(0, room);
                    let last = ((strip - toward).div_euclid(step) + 1).clamp(first, room);
                    (left + first as i32, left + last as i32)
                }
            };
            let mut px = i64::from((left + self.corner.0) * FINE + FINE / 2 - a.0);
            let start = row as usize * self.width as usize;
            let cells = &mut self.mask[start + left as usize..start + right as usize];
            let (mut first, mut last) = (i32::MAX, 0);
            let (mut along, mut across) = (px * dx + py * dy, px * dy - py * dx);
            for (cell, x) in cells.iter_mut().zip(left..) {
                let apart = if along <= 0 {
                    px * px + py * py
                } else if along >= square {
                    (px - dx) * (px - dx) + (py - dy) * (py - dy)
                } else {
                    // Exact: both are whole numbers far below 2^53.
                    let across = (across as f64 / long as f64) as i64;
                    across * across
                };
                px += fine;
                along += fine * dx;
                across += fine * dy;
                let cover = self.covers.get((apart >> self.shift) as usize).copied().unwrap_or(0);
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

    /// Lays the ink where the mask is, and wipes the mask.
    fn lay(&mut self, ramp: Ink, frame: &mut Frame, inks: &mut Inks) {
        for (row, &(first, last)) in self.spans.iter().enumerate().filter(|(_, span)| span.0 < span.1) {
            let start = row * self.width as usize;
            let marks = &mut self.mask[start + first as usize..start + last as usize];
            if let Some((cells, _)) =
                frame.row(self.corner.0 + first, self.corner.1 + row as i32, marks.len())
            {
                for (cell, &mark) in cells.iter_mut().zip(marks.iter()).filter(|(_, mark)| **mark > 0) {
                    *cell = inks.over(ramp + Ink::from(mark), *cell);
                }
            }
            marks.fill(0);
        }
    }

    /// Works out the cover for lines of a width: full inside, none outside, and straight between over one pixel.
    fn prepare(&mut self, width: i32) {
        if self.cover_width == width && !self.covers.is_empty() {
            return;
        }
        self.cover_width = width;
        let outer = i64::from(width / 2 + FINE / 2);
        // About four thousand steps, whatever the width.
        self.shift = (outer * outer).ilog2().saturating_sub(12);
        // Lines thinner than a pixel never cover one.
        let most = i64::from(width.clamp(1, FINE));
        self.covers.clear();
        for step in 0..=((outer * outer) >> self.shift) {
            let apart = ((step << self.shift) + (1 << self.shift) / 2).isqrt();
            let cover = (outer - apart).clamp(0, most) * i64::from(LEVELS);
            self.covers.push(((cover + i64::from(FINE) / 2) / i64::from(FINE)) as u8);
        }
        self.widest = ((self.covers.len() as i64) << self.shift).isqrt() + 1;
    }
}

/// The points of a curve at a scale in percent, in 64ths of a pixel.
pub(super) fn flattened(curve: &Curve, scale: u32) -> impl Iterator<Item = (i32, i32)> + use<> {
    let curve = curve.0.map(|p| (fine(p.x, scale), fine(p.y, scale)));
    let long: i32 = curve.windows(2).map(|p| (p[0].0 - p[1].0).abs() + (p[0].1 - p[1].1).abs()).sum();
    let segments = i64::from((long / (6 * FINE)).clamp(4, 256));
    (0..=segments).map(move |step| at(&curve, step, segments))
}

/// A point of a curve whose ends and handles are in 64ths of a pixel, in the same.
fn at(curve: &[(i32, i32); 4], step: i64, steps: i64) -> (i32, i32) {
    let (t, s) = (step, steps - step);
    let weights = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    let along = |of: fn(&(i32, i32)) -> i32| {
        let sum: i64 = curve.iter().zip(weights).map(|(p, weight)| i64::from(of(p)) * weight).sum();
        sum.div_euclid(steps * steps * steps) as i32
    };
    (along(|p| p.0), along(|p| p.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of white paper after a black line through `points`, in levels of ink.
    fn drawn(points: &[(i32, i32)], width: i32, dashes: Option<(i32, i32)>) -> Vec<Vec<u8>> {
        let greys = (0..=LEVELS).map(|level| [255 - (u32::from(level) * 255 / 32) as u8; 3]).collect();
        let mut inks = Inks::new(greys);
        let mut frame = Frame::default();
        frame.begin((12, 8), &[0; 13 * 8]);
        let line = Line { width, dashes, ramp: inks.ramp([0; 3], 255) };
        let points = points.iter().map(|&(x, y)| (fine(x, 100), fine(y, 100)));
        Stroker::default().stroke(points, line, &mut frame, &mut inks);
        frame.cells.chunks(13).map(|row| row[1..].to_vec()).collect()
    }

    #[test]
    fn a_line_covers_its_width_and_has_round_ends() {
        let rows = drawn(&[(30, 40), (90, 40)], 2 * FINE, None);
        assert!((3..9).all(|x| rows[3][x] >= 30 && rows[4][x] >= 30), "{rows:?}");
        assert!((0..12).all(|x| rows[1][x] == 0 && rows[6][x] == 0), "{rows:?}");
        assert!((8..28).contains(&rows[3][2]) && rows[3][1] == 0, "a round end: {rows:?}");
    }

    #[test]
    fn ink_is_not_laid_twice_where_parts_meet() {
        let whole = drawn(&[(20, 40), (100, 40)], 100, None);
        let parts = drawn(&[(20, 40), (50, 40), (51, 40), (100, 40)], 100, None);
        assert_eq!(whole, parts);
    }

    /// Every pixel of the frame by the plain definition: how far its middle is from the line.
    #[test]
    fn the_strip_leaves_out_nothing_that_is_covered() {
        use wayforge::{Seed, Stage};
        let mut rng = Seed::new(11).stream(Stage::named("test.stroke"));
        let mut inked = 0;
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
            stroker.prepare(width);
            (stroker.corner, stroker.width) = ((0, 0), 12);
            stroker.mask.resize(12 * 8, 0);
            stroker.spans.resize(8, (i32::MAX, 0));
            stroker.capsule(a, b, width / 2 + FINE);
            for (at, &mark) in stroker.mask.iter().enumerate() {
                let (x, y) = ((at % 12) as i64 * 64 + 32, (at / 12) as i64 * 64 + 32);
                let (px, py) = (x - i64::from(a.0), y - i64::from(a.1));
                let (dx, dy) = (i64::from(b.0 - a.0), i64::from(b.1 - a.1));
                let (along, square) = (px * dx + py * dy, dx * dx + dy * dy);
                let apart = match along {
                    _ if along <= 0 => px * px + py * py,
                    _ if along >= square => (px - dx).pow(2) + (py - dy).pow(2),
                    _ => ((px * dy - py * dx) / square.isqrt()).pow(2),
                };
                let plain = stroker.covers.get((apart >> stroker.shift) as usize).copied().unwrap_or(0);
                assert_eq!(mark, plain, "{a:?} to {b:?}, {width} wide, pixel {at}");
                inked += u32::from(mark > 0);
            }
        }
        assert!(inked > 10_000, "{inked}");
    }

    #[test]
    fn dashes_leave_gaps_and_what_lies_outside_is_cut_off() {
        let rows = drawn(&[(0, 40), (120, 40)], FINE, Some((2 * FINE, 4 * FINE)));
        let dark: Vec<bool> = (0..12).map(|x| rows[3][x].max(rows[4][x]) > 12).collect();
        assert!(dark[0] && dark[7] && !dark[4] && !dark[10], "{rows:?}");
        for far in [i32::MIN, -1000, 5000, i32::MAX] {
            drawn(&[(far, far), (60, 40), (40, far)], 300, None);
            drawn(&[(far, 40)], 300, Some((1, 1)));
        }
    }
}
