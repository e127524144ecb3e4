//! Colours of a picture with a palette, and what a drop of ink makes of the colour under it.
//!
//! A palette of 255 colours is enough for a drawn map. It is chosen once for a theme, from all colours that blending can make,
//! so that it does not depend on the map; what lies between is painted in the nearest one.

use resvg::tiny_skia::Pixmap;
use std::collections::BTreeMap;

pub(super) type Rgb = [u8; 3];

/// No palette has this colour: it marks what was not blended before.
const UNKNOWN: u8 = u8::MAX;
/// Steps between no ink and full ink at the rim of a shape.
pub(super) const LEVELS: u8 = 32;
/// Places for colours whose nearest one is known.
const KNOWN: usize = 1 << 12;
/// A difference that nobody sees in an even shade: about one step of each channel.
const UNSEEN: i32 = 9;

/// What a thin drop's alpha is rounded to: finely where light fades out, as its end would show. Thicker ones have steps of 12.
pub(super) const FADE: [u8; 8] = [0, 5, 11, 19, 29, 42, 57, 74];

/// An ink by its number: a colour and how much it covers.
pub(super) type Ink = u32;

pub(super) struct Inks {
    palette: Vec<Rgb>,
    /// The palette by channels, for a search without branches.
    channels: [[i16; 256]; 3],
    known: Vec<(u32, u8)>,
    /// Red, green, blue and alpha, multiplied.
    drops: Vec<[u8; 4]>,
    by_drop: BTreeMap<[u8; 4], Ink>,
    ramps: BTreeMap<(Rgb, u8), Ink>,
    /// For every ink and every colour under it: the colour it makes.
    over: Vec<u8>,
}

impl Inks {
    pub(super) fn new(palette: Vec<Rgb>) -> Inks {
        let mut channels = [[i16::MAX / 2; 256]; 3];
        for (at, colour) in palette.iter().take(usize::from(UNKNOWN)).enumerate() {
            (0..3).for_each(|channel| channels[channel][at] = colour[channel].into());
        }
        Inks {
            palette,
            channels,
            known: vec![(u32::MAX, 0); KNOWN],
            drops: Vec::new(),
            by_drop: BTreeMap::new(),
            ramps: BTreeMap::new(),
            over: Vec::new(),
        }
    }

    pub(super) fn palette(&self) -> &[Rgb] {
        &self.palette
    }

    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.over.len() + 8 * KNOWN
    }

    /// The places of a picture's colours, row by row behind the byte that PNG wants there. A pixel takes the colour of the one
    /// above or the one before if nobody sees the difference: even shades then have smooth rims, which are little to encode.
    pub(super) fn quantise(&mut self, pixels: &Pixmap) -> Vec<u8> {
        let stride = pixels.width() as usize + 1;
        let mut cells: Vec<u8> = Vec::with_capacity(stride * pixels.height() as usize);
        for row in pixels.data().chunks_exact(4 * (stride - 1)) {
            cells.push(0);
            for (x, &[r, g, b, _]) in row.as_chunks::<4>().0.iter().enumerate() {
                let above = cells.len().checked_sub(stride).map(|at| cells[at]);
                let before = cells.last().copied().filter(|_| x > 0);
                let close = |place: &u8| self.apart([r, g, b], *place) <= UNSEEN;
                let same = above.filter(close).or(before.filter(close));
                cells.push(same.unwrap_or_else(|| self.nearest([r, g, b])));
            }
        }
        cells
    }

    /// How far a colour is from one of the palette, squared. Eyes are keenest in green.
    fn apart(&self, colour: Rgb, place: u8) -> i32 {
        let part = |i: usize| (i32::from(self.channels[i][usize::from(place)]) - i32::from(colour[i])).pow(2);
        2 * part(0) + 4 * part(1) + part(2)
    }

    /// The place of the nearest colour.
    pub(super) fn nearest(&mut self, colour: Rgb) -> u8 {
        let key = u32::from_le_bytes([colour[0], colour[1], colour[2], 0]);
        let slot = (key.wrapping_mul(0x9e37_79b1) >> 20) as usize % KNOWN;
        if self.known[slot].0 == key {
            return self.known[slot].1;
        }
        let places = 0..self.palette.len().min(255) as u8;
        let best = places.min_by_key(|&place| self.apart(colour, place)).unwrap_or(0);
        self.known[slot] = (key, best);
        best
    }

    /// The ink of a pixel whose channels are multiplied with its alpha. Nearly equal pixels share one: rings in a fading light
    /// that nobody sees are much to encode.
    pub(super) fn drop(&mut self, [r, g, b, alpha]: [u8; 4]) -> Ink {
        let near = FADE.into_iter().min_by_key(|step| step.abs_diff(alpha)).unwrap_or(0);
        let thick = (u32::from(alpha) + 6) / 12 * 12;
        let (from, to) = (u32::from(alpha.max(1)), if alpha < 80 { near.into() } else { thick });
        let part = |part: u8| (divided(u32::from(part) * to, 4 * from) * 4).min(to).min(255) as u8;
        let drop = [part(r), part(g), part(b), to.min(255) as u8];
        if let Some(&ink) = self.by_drop.get(&drop) {
            return ink;
        }
        let ink = self.push(drop);
        self.by_drop.insert(drop, ink);
        ink
    }

    /// A colour with an opacity of 0 to 255 in all [levels](LEVELS) of cover: the answer is level 0, the others follow.
    pub(super) fn ramp(&mut self, colour: Rgb, opacity: u8) -> Ink {
        if let Some(&ink) = self.ramps.get(&(colour, opacity)) {
            return ink;
        }
        let first = self.drops.len() as Ink;
        for level in 0..=LEVELS {
            let alpha = divided(u32::from(opacity) * u32::from(level), u32::from(LEVELS));
            let [r, g, b] = colour.map(|part| divided(u32::from(part) * alpha, 255) as u8);
            self.push([r, g, b, alpha as u8]);
        }
        self.ramps.insert((colour, opacity), first);
        first
    }

    /// What an ink makes of the colour under it.
    #[inline]
    pub(super) fn over(&mut self, ink: Ink, under: u8) -> u8 {
        let place = ink as usize * 256 + usize::from(under);
        match self.over[place] {
            UNKNOWN => self.blend(place),
            known => known,
        }
    }

    #[cold]
    fn blend(&mut self, place: usize) -> u8 {
        let [r, g, b, alpha] = self.drops[place / 256];
        let under = self.palette.get(place % 256).copied().unwrap_or_default();
        let mix = |ink: u8, under: u8| {
            let rest = divided(u32::from(under) * (255 - u32::from(alpha)), 255);
            (u32::from(ink) + rest).min(255) as u8
        };
        let made = self.nearest([mix(r, under[0]), mix(g, under[1]), mix(b, under[2])]);
        self.over[place] = made;
        made
    }

    fn push(&mut self, drop: [u8; 4]) -> Ink {
        self.drops.push(drop);
        self.over.resize(self.drops.len() * 256, UNKNOWN);
        self.drops.len() as Ink - 1
    }
}

/// A colour written as `#rrggbb`; black for anything else.
pub(super) fn rgb(text: &str) -> Rgb {
    let part =
        |at: usize| text.get(at..at + 2).and_then(|part| u8::from_str_radix(part, 16).ok()).unwrap_or(0);
    [part(1), part(3), part(5)]
}

/// `top` in `part` of 255 over `under`.
pub(super) fn mixed(top: Rgb, under: Rgb, part: u32) -> Rgb {
    std::array::from_fn(|i| divided(u32::from(top[i]) * part + u32::from(under[i]) * (255 - part), 255) as u8)
}

fn divided(sum: u32, by: u32) -> u32 {
    (2 * sum + by) / (2 * by)
}
