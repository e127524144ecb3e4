//! Pixels of one byte each, and shapes that were painted before.

use super::inks::{Ink, Inks};
use resvg::tiny_skia::Pixmap;

/// A picture being painted: rows of colours by their place in the palette, each behind the byte that PNG wants there.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) cells: Vec<u8>,
}

impl Frame {
    pub(super) fn stride(&self) -> usize {
        self.width + 1
    }

    /// Begins a picture as a copy of its paper.
    pub(super) fn begin(&mut self, (width, height): (u32, u32), paper: &[u8]) {
        (self.width, self.height) = (width as usize, height as usize);
        self.cells.clear();
        self.cells.extend_from_slice(paper);
    }

    /// The pixels of a row from `x` on, as many of `len` as lie inside, and how many were cut off on the left.
    #[inline]
    pub(super) fn row(&mut self, x: i32, y: i32, len: usize) -> Option<(&mut [u8], usize)> {
        let y = usize::try_from(y).ok().filter(|&y| y < self.height)?;
        let cut = usize::try_from(-i64::from(x)).unwrap_or(0);
        let from = usize::try_from(x).unwrap_or(0);
        let to = usize::try_from(i64::from(x) + len as i64).ok()?.min(self.width);
        let start = y * self.stride() + 1;
        (from < to).then(|| (&mut self.cells[start + from..start + to], cut))
    }

    /// Fills a box of pixels.
    pub(super) fn fill(&mut self, x: std::ops::Range<i32>, y: std::ops::Range<i32>, colour: u8) {
        for y in y {
            if let Some((row, _)) = self.row(x.start, y, (x.end - x.start).max(0) as usize) {
                row.fill(colour);
            }
        }
    }

    /// Puts a sprite with its origin on a pixel.
    pub(super) fn stamp(&mut self, sprite: &Sprite, x: i32, y: i32, inks: &mut Inks) {
        for run in &sprite.runs {
            let (x, y) = (x.saturating_add(run.x), y.saturating_add(run.y));
            let Some((row, cut)) = self.row(x, y, run.len) else { continue };
            let from = run.from + cut;
            if run.opaque {
                row.copy_from_slice(&sprite.solid[from..from + row.len()]);
            } else {
                for (cell, &ink) in row.iter_mut().zip(&sprite.inks[from..]) {
                    *cell = inks.over(ink, *cell);
                }
            }
        }
    }

    /// Puts cover of 0 to 32 with its upper left corner on a pixel; `ramp` is level 0 of an ink.
    pub(super) fn cover(&mut self, cover: &Cover, x: i32, y: i32, ramp: Ink, inks: &mut Inks) {
        for (line, levels) in cover.levels.chunks_exact(cover.width.max(1)).enumerate() {
            let y = y.saturating_add(cover.top + line as i32);
            let Some((row, cut)) = self.row(x.saturating_add(cover.left), y, levels.len()) else { continue };
            for (cell, &level) in row.iter_mut().zip(&levels[cut..]).filter(|(_, level)| **level > 0) {
                *cell = inks.over(ramp + Ink::from(level), *cell);
            }
        }
    }
}

/// How much of each pixel a shape covers, without a colour.
#[derive(Default)]
pub(super) struct Cover {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: usize,
    pub(super) levels: Vec<u8>,
}

/// A shape painted once: runs of pixels around its origin.
pub(super) struct Sprite {
    runs: Vec<Run>,
    solid: Vec<u8>,
    inks: Vec<Ink>,
}

struct Run {
    x: i32,
    y: i32,
    len: usize,
    opaque: bool,
    /// Where it begins among the sprite's solid pixels or its inks.
    from: usize,
}

impl Sprite {
    /// The sprite of a square picture whose origin is in its middle, `half` pixels from its edges.
    pub(super) fn of(pixels: &Pixmap, half: i32, inks: &mut Inks) -> Sprite {
        let mut sprite = Sprite { runs: Vec::new(), solid: Vec::new(), inks: Vec::new() };
        // Less than two nobody sees.
        let class = |pixel: &[u8; 4]| (pixel[3] >= 2, pixel[3] == u8::MAX);
        for (y, row) in (-half..).zip(pixels.data().chunks_exact(4 * pixels.width() as usize)) {
            let mut x = -half;
            for run in row.as_chunks::<4>().0.chunk_by(|a, b| class(a) == class(b)) {
                let (seen, opaque) = class(&run[0]);
                let from = if opaque { sprite.solid.len() } else { sprite.inks.len() };
                let len = run.len();
                if seen {
                    sprite.runs.push(Run { x, y, len, opaque, from });
                }
                if opaque {
                    sprite.solid.extend(run.iter().map(|&[r, g, b, _]| inks.nearest([r, g, b])));
                } else if seen {
                    sprite.inks.extend(run.iter().map(|&pixel| inks.drop(pixel)));
                }
                x += len as i32;
            }
        }
        sprite
    }

    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.runs.len() * size_of::<Run>() + self.solid.len() + 4 * self.inks.len()
    }
}
