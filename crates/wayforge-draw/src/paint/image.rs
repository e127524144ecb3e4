//! Images, and prerendered sprites in indexed colour.

use super::blend::{BlendTable, InkId, Rgb};
use resvg::tiny_skia::Pixmap;

/// An image of palette indices, or of RGB bytes if the palette is empty. Every row starts with the
/// PNG filter byte.
#[derive(Default)]
pub(super) struct Image {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Length of a row in bytes, including the filter byte.
    pub(super) stride: usize,
    pub(super) palette: Vec<Rgb>,
    pub(super) pixels: Vec<u8>,
}

impl Image {
    /// Starts a new picture without pixels.
    pub(super) fn reset(&mut self, (width, height): (u32, u32), palette: &[Rgb]) {
        (self.width, self.height) = (width as usize, height as usize);
        self.stride = self.width * if palette.is_empty() { 3 } else { 1 } + 1;
        self.palette.clear();
        self.palette.extend_from_slice(palette);
        self.pixels.clear();
    }

    /// Returns the pixels as RGB bytes.
    pub(super) fn to_rgb(&self) -> Vec<u8> {
        let rows = self.pixels.chunks_exact(self.stride).flat_map(|row| &row[1..]);
        if self.palette.is_empty() {
            return rows.copied().collect();
        }
        rows.flat_map(|&index| self.palette[usize::from(index)]).collect()
    }

    /// Returns the part of row `y` from `x` to `x + len` that is inside the image, and the number
    /// of pixels cut off on the left.
    #[inline]
    pub(super) fn row(&mut self, x: i32, y: i32, len: usize) -> Option<(&mut [u8], usize)> {
        let y = usize::try_from(y).ok().filter(|&y| y < self.height)?;
        let cut = usize::try_from(-i64::from(x)).unwrap_or(0);
        let from = usize::try_from(x).unwrap_or(0);
        let to = usize::try_from(i64::from(x) + len as i64).ok()?.min(self.width);
        let start = y * self.stride + 1;
        (from < to).then(|| (&mut self.pixels[start + from..start + to], cut))
    }

    /// Fills a rectangle.
    pub(super) fn fill(&mut self, x: std::ops::Range<i32>, y: std::ops::Range<i32>, colour: u8) {
        for y in y {
            if let Some((row, _)) = self.row(x.start, y, (x.end - x.start).max(0) as usize) {
                row.fill(colour);
            }
        }
    }

    /// Draws a sprite with its origin at a pixel.
    pub(super) fn draw_sprite(&mut self, sprite: &Sprite, x: i32, y: i32, blend: &mut BlendTable) {
        for run in &sprite.runs {
            let (x, y) = (x.saturating_add(run.x), y.saturating_add(run.y));
            let Some((row, cut)) = self.row(x, y, run.len) else { continue };
            let from = run.from + cut;
            if run.is_opaque {
                row.copy_from_slice(&sprite.colours[from..from + row.len()]);
            } else {
                for (cell, &ink) in row.iter_mut().zip(&sprite.inks[from..]) {
                    *cell = blend.over(ink, *cell);
                }
            }
        }
    }

    /// Blends a coverage mask with its origin at a pixel; `ramp` is level 0 of an ink ramp.
    pub(super) fn draw_coverage(
        &mut self,
        coverage: &Coverage,
        x: i32,
        y: i32,
        ramp: InkId,
        blend: &mut BlendTable,
    ) {
        for (line, levels) in coverage.levels.chunks_exact(coverage.width.max(1)).enumerate() {
            let y = y.saturating_add(coverage.top + line as i32);
            let Some((row, cut)) = self.row(x.saturating_add(coverage.left), y, levels.len())
            else {
                continue;
            };
            for (cell, &level) in
                row.iter_mut().zip(&levels[cut..]).filter(|(_, level)| **level > 0)
            {
                *cell = blend.over(ramp + InkId::from(level), *cell);
            }
        }
    }
}

/// Coverage mask of a shape, in levels from 0 to 32.
#[derive(Default)]
pub(super) struct Coverage {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: usize,
    pub(super) levels: Vec<u8>,
}

/// A prerendered shape: runs of pixels around its origin.
pub(super) struct Sprite {
    runs: Vec<Run>,
    colours: Vec<u8>,
    inks: Vec<InkId>,
}

struct Run {
    x: i32,
    y: i32,
    len: usize,
    is_opaque: bool,
    /// Start index in the sprite's `colours` or `inks`.
    from: usize,
}

impl Sprite {
    /// Converts a square picture whose origin is its centre, `half` pixels from its edges.
    pub(super) fn new(pixels: &Pixmap, half: i32, blend: &mut BlendTable) -> Sprite {
        let mut sprite = Sprite { runs: Vec::new(), colours: Vec::new(), inks: Vec::new() };
        // An alpha below 2 is invisible.
        let class = |pixel: &[u8; 4]| (pixel[3] >= 2, pixel[3] == u8::MAX);
        for (y, row) in (-half..).zip(pixels.data().chunks_exact(4 * pixels.width() as usize)) {
            let mut x = -half;
            for run in row.as_chunks::<4>().0.chunk_by(|a, b| class(a) == class(b)) {
                let (is_visible, is_opaque) = class(&run[0]);
                let from = if is_opaque { sprite.colours.len() } else { sprite.inks.len() };
                let len = run.len();
                if is_visible {
                    sprite.runs.push(Run { x, y, len, is_opaque, from });
                }
                if is_opaque {
                    sprite.colours.extend(run.iter().map(|&[r, g, b, _]| blend.nearest([r, g, b])));
                } else if is_visible {
                    sprite.inks.extend(run.iter().map(|&pixel| blend.ink_of_pixel(pixel)));
                }
                x += len as i32;
            }
        }
        sprite
    }

    /// Returns the approximate memory use in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.runs.len() * size_of::<Run>() + self.colours.len() + 4 * self.inks.len()
    }
}
