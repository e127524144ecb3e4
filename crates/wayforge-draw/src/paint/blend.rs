//! Blending in indexed colour: nearest palette colours and a table of blended colours.
//!
//! The palette has at most 255 colours. It is chosen once per theme and colour set from the colours
//! that blending produces, so it does not depend on the map. Other colours are replaced by the
//! nearest one. Blending is Porter & Duff's *over* operator (1984), computed on first use for each
//! pair of ink and palette colour.

use resvg::tiny_skia::Pixmap;
use std::collections::BTreeMap;

pub(super) type Rgb = [u8; 3];

/// Marks pairs that have not been blended yet; no palette uses this index.
const UNCACHED: u8 = u8::MAX;
/// Coverage levels between transparent and opaque.
pub(super) const LEVELS: u8 = 32;
/// Size of the cache of nearest colours.
const CACHE_SIZE: usize = 1 << 12;
/// Weighted squared distances up to this are imperceptible: about one step in each channel.
const IMPERCEPTIBLE: i32 = 9;

/// Values that a low alpha is rounded to, dense where glows fade out. Higher alphas are rounded to
/// multiples of 12.
pub(super) const ALPHA_STEPS: [u8; 8] = [0, 5, 11, 19, 29, 42, 57, 74];

/// Index of an ink: a premultiplied colour with alpha.
pub(super) type InkId = u32;

/// Palette, inks, and the colours that their blending produces.
pub(super) struct BlendTable {
    palette: Vec<Rgb>,
    /// Palette by channel, so that the search for the nearest colour has no branches.
    channels: [[i16; 256]; 3],
    /// Direct-mapped cache of [`nearest`](Self::nearest).
    nearest_cache: Vec<(u32, u8)>,
    /// Premultiplied red, green, blue and alpha of every ink.
    inks: Vec<[u8; 4]>,
    ink_ids: BTreeMap<[u8; 4], InkId>,
    /// First ink of every [`ramp`](Self::ramp), by colour and opacity.
    ramps: BTreeMap<(Rgb, u8), InkId>,
    /// Blended colour for every ink and every palette colour below it.
    blended: Vec<u8>,
}

impl BlendTable {
    pub(super) fn new(palette: Vec<Rgb>) -> BlendTable {
        let mut channels = [[i16::MAX / 2; 256]; 3];
        for (index, colour) in palette.iter().take(usize::from(UNCACHED)).enumerate() {
            (0..3).for_each(|channel| channels[channel][index] = colour[channel].into());
        }
        BlendTable {
            palette,
            channels,
            nearest_cache: vec![(u32::MAX, 0); CACHE_SIZE],
            inks: Vec::new(),
            ink_ids: BTreeMap::new(),
            ramps: BTreeMap::new(),
            blended: Vec::new(),
        }
    }

    pub(super) fn palette(&self) -> &[Rgb] {
        &self.palette
    }

    /// Returns the approximate memory use in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.blended.len() + 8 * CACHE_SIZE
    }

    /// Converts a picture to palette indices; every row starts with the PNG filter byte.
    ///
    /// A pixel reuses the index of the pixel above or to its left if the difference is
    /// imperceptible. This gives smooth gradients that compress well.
    pub(super) fn quantise(&mut self, pixels: &Pixmap) -> Vec<u8> {
        let stride = pixels.width() as usize + 1;
        let mut indices: Vec<u8> = Vec::with_capacity(stride * pixels.height() as usize);
        for row in pixels.data().chunks_exact(4 * (stride - 1)) {
            indices.push(0);
            for (x, &[r, g, b, _]) in row.as_chunks::<4>().0.iter().enumerate() {
                let above = indices.len().checked_sub(stride).map(|at| indices[at]);
                let before = indices.last().copied().filter(|_| x > 0);
                let close = |index: &u8| self.distance([r, g, b], *index) <= IMPERCEPTIBLE;
                let same = above.filter(close).or(before.filter(close));
                indices.push(same.unwrap_or_else(|| self.nearest([r, g, b])));
            }
        }
        indices
    }

    /// Returns the weighted squared distance to a palette colour. Green has the largest weight, as
    /// in human vision.
    fn distance(&self, colour: Rgb, index: u8) -> i32 {
        let part = |i: usize| {
            (i32::from(self.channels[i][usize::from(index)]) - i32::from(colour[i])).pow(2)
        };
        2 * part(0) + 4 * part(1) + part(2)
    }

    /// Returns the index of the nearest palette colour.
    pub(super) fn nearest(&mut self, colour: Rgb) -> u8 {
        let key = u32::from_le_bytes([colour[0], colour[1], colour[2], 0]);
        let slot = (key.wrapping_mul(0x9e37_79b1) >> 20) as usize % CACHE_SIZE;
        if self.nearest_cache[slot].0 == key {
            return self.nearest_cache[slot].1;
        }
        let candidates = 0..self.palette.len().min(255) as u8;
        let best = candidates.min_by_key(|&index| self.distance(colour, index)).unwrap_or(0);
        self.nearest_cache[slot] = (key, best);
        best
    }

    /// Returns the ink of a premultiplied pixel. Similar pixels share an ink: more inks would only
    /// add imperceptible rings to glows, which compress badly.
    pub(super) fn ink_of_pixel(&mut self, [r, g, b, alpha]: [u8; 4]) -> InkId {
        let faint = ALPHA_STEPS.into_iter().min_by_key(|step| step.abs_diff(alpha)).unwrap_or(0);
        let strong = (u32::from(alpha) + 6) / 12 * 12;
        let (from, to) = (u32::from(alpha.max(1)), if alpha < 80 { faint.into() } else { strong });
        let part =
            |part: u8| (round_div(u32::from(part) * to, 4 * from) * 4).min(to).min(255) as u8;
        let ink = [part(r), part(g), part(b), to.min(255) as u8];
        if let Some(&id) = self.ink_ids.get(&ink) {
            return id;
        }
        let id = self.push(ink);
        self.ink_ids.insert(ink, id);
        id
    }

    /// Returns the first of `LEVELS + 1` consecutive inks: a colour with this opacity at every
    /// coverage level.
    pub(super) fn ramp(&mut self, colour: Rgb, opacity: u8) -> InkId {
        if let Some(&ink) = self.ramps.get(&(colour, opacity)) {
            return ink;
        }
        let first = self.inks.len() as InkId;
        for level in 0..=LEVELS {
            let alpha = round_div(u32::from(opacity) * u32::from(level), u32::from(LEVELS));
            let [r, g, b] = colour.map(|part| round_div(u32::from(part) * alpha, 255) as u8);
            self.push([r, g, b, alpha as u8]);
        }
        self.ramps.insert((colour, opacity), first);
        first
    }

    /// Blends an ink over a palette colour.
    #[inline]
    pub(super) fn over(&mut self, ink: InkId, under: u8) -> u8 {
        let index = ink as usize * 256 + usize::from(under);
        match self.blended[index] {
            UNCACHED => self.blend(index),
            colour => colour,
        }
    }

    #[cold]
    fn blend(&mut self, index: usize) -> u8 {
        let [r, g, b, alpha] = self.inks[index / 256];
        let under = self.palette.get(index % 256).copied().unwrap_or_default();
        let mix = |ink: u8, under: u8| {
            let rest = round_div(u32::from(under) * (255 - u32::from(alpha)), 255);
            (u32::from(ink) + rest).min(255) as u8
        };
        let colour = self.nearest([mix(r, under[0]), mix(g, under[1]), mix(b, under[2])]);
        self.blended[index] = colour;
        colour
    }

    fn push(&mut self, ink: [u8; 4]) -> InkId {
        self.inks.push(ink);
        self.blended.resize(self.inks.len() * 256, UNCACHED);
        self.inks.len() as InkId - 1
    }
}

/// Parses `#rrggbb`; anything else is black.
pub(super) fn rgb(text: &str) -> Rgb {
    let part = |at: usize| {
        text.get(at..at + 2).and_then(|part| u8::from_str_radix(part, 16).ok()).unwrap_or(0)
    };
    [part(1), part(3), part(5)]
}

/// Mixes two colours; the weight of `top` is `part / 255`.
pub(super) fn mix_colours(top: Rgb, under: Rgb, part: u32) -> Rgb {
    std::array::from_fn(|i| {
        round_div(u32::from(top[i]) * part + u32::from(under[i]) * (255 - part), 255) as u8
    })
}

/// Returns `dividend / divisor`, rounded to the nearest integer.
fn round_div(dividend: u32, divisor: u32) -> u32 {
    (2 * dividend + divisor) / (2 * divisor)
}
