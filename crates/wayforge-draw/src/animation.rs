//! Animations: generation traces and searches, one picture after another, as animated PNG.
//!
//! The events are those that the generator or the search recorded. Every picture is drawn by the code that draws the finished
//! map, and only what changes from one to the next is kept.

mod act;
mod floor;
mod level;
mod search;

pub use act::{ActFrames, act_animation};
pub use floor::{FloorFrames, TowerFrames, floor_animation, tower_animation};
pub use level::{LevelFrames, level_animation};
pub use search::{SearchFrames, SearchScene, search_animation, search_ascii};

use crate::paint::Pixels;
use crate::png::DrawError;
use std::collections::{BTreeMap, BTreeSet};

/// Pictures of one animation; with more steps than this, several are shown at once.
const MAX_PICTURES: usize = 160;
/// How long a picture stands, and the last one, in milliseconds.
const STANDS: u16 = 70;
const LAST_STANDS: u16 = 3000;
/// Bytes of pixels that an animation may hold: what changes, all pictures together.
const MAX_BYTES: usize = 256 << 20;

/// One step of a generation or a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame<S> {
    /// What is there now.
    pub scene: S,
    /// What happened.
    pub text: String,
}

/// Recorded events that are replayed step by step.
pub trait Replay {
    /// What is drawn after a step.
    type Scene;
    /// What happened in a step.
    type Step;

    /// Goes on to the next step.
    fn advance(&mut self) -> Option<Self::Step>;

    /// What is there now.
    fn scene(&self) -> Self::Scene;

    /// What happened, in words.
    fn describe(&self, step: &Self::Step) -> String;

    /// The number of steps to come.
    fn remaining(&self) -> usize;
}

/// The steps of a generation or a search, one scene after another.
#[derive(Clone, Debug)]
pub struct Frames<R>(R);

impl<R: Replay> Iterator for Frames<R> {
    type Item = Frame<R::Scene>;

    fn next(&mut self) -> Option<Frame<R::Scene>> {
        let step = self.0.advance()?;
        Some(Frame { scene: self.0.scene(), text: self.0.describe(&step) })
    }

    fn nth(&mut self, n: usize) -> Option<Frame<R::Scene>> {
        (0..n).try_for_each(|_| self.0.advance().map(|_| ()))?;
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.remaining(), Some(self.0.remaining()))
    }
}

impl<R: Replay> ExactSizeIterator for Frames<R> {}

/// Draws at most about `most` of the frames, at even distances and with the last one, as animated PNG.
fn animate<R: Replay>(
    mut frames: Frames<R>,
    most: usize,
    mut draw: impl FnMut(R::Scene) -> Result<Pixels, DrawError>,
) -> Result<Vec<u8>, DrawError> {
    let mut animation = Animation::default();
    let (steps, mut last) = (frames.len(), 0);
    for step in (0..steps).filter(|&step| is_shown(step, steps, most)) {
        let Some(frame) = frames.nth(step - last) else { break };
        last = step + 1;
        let (size, pixels) = draw(frame.scene)?;
        animation.add(size, pixels)?;
    }
    animation.encode().map_err(|error| DrawError::Paint(error.to_string()))
}

/// An animation under construction.
#[derive(Default)]
struct Animation {
    size: (u32, u32),
    /// The last picture, three bytes a pixel.
    last: Vec<u8>,
    parts: Vec<Part>,
    bytes: usize,
}

/// What a picture changes: a box of pixels, four bytes each; those that stay as they were are clear.
struct Part {
    at: (u32, u32),
    size: (u32, u32),
    pixels: Vec<u8>,
}

impl Animation {
    /// Adds a picture; it must have the size of the first.
    fn add(&mut self, size: (u32, u32), pixels: Vec<u8>) -> Result<(), DrawError> {
        let (at, extent) = match self.parts.is_empty() {
            true => ((0, 0), size),
            false if size != self.size => {
                return Err(DrawError::Paint("the pictures of an animation differ in size".to_owned()));
            }
            false => match self.changed(&pixels) {
                Some(changed) => changed,
                None => return Ok(()),
            },
        };
        let mut part = Vec::with_capacity(4 * extent.0 as usize * extent.1 as usize);
        for y in at.1..at.1 + extent.1 {
            for x in at.0..at.0 + extent.0 {
                let at = 3 * (y as usize * size.0 as usize + x as usize);
                let now = &pixels[at..at + 3];
                match self.last.get(at..at + 3) == Some(now) {
                    true => part.extend_from_slice(&[0; 4]),
                    false => part.extend_from_slice(&[now[0], now[1], now[2], u8::MAX]),
                }
            }
        }
        self.bytes += part.len();
        if self.bytes > MAX_BYTES {
            return Err(DrawError::Paint("the animation is too large; use a smaller scale".to_owned()));
        }
        (self.size, self.last) = (size, pixels);
        self.parts.push(Part { at, size: extent, pixels: part });
        Ok(())
    }

    /// The upper left corner and the size of the box around what differs from the last picture; none if nothing does.
    fn changed(&self, pixels: &[u8]) -> Option<((u32, u32), (u32, u32))> {
        let stride = 3 * self.size.0 as usize;
        let rows = || self.last.chunks_exact(stride).zip(pixels.chunks_exact(stride));
        let differs = |(a, b): (&[u8], &[u8])| a != b;
        let top = rows().position(differs)?;
        let bottom = rows().rposition(differs)?;
        let (mut left, mut right) = (stride, 0);
        for (a, b) in rows().skip(top).take(bottom - top + 1) {
            left = left.min(a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(stride));
            right = right.max(a.iter().zip(b).rposition(|(a, b)| a != b).unwrap_or(0));
        }
        let (left, right) = (left / 3, right / 3);
        Some(((left as u32, top as u32), ((right - left + 1) as u32, (bottom - top + 1) as u32)))
    }

    /// The colours of all parts, what is clear first; none if a palette could not hold them.
    fn palette(&self) -> Option<BTreeMap<[u8; 4], u8>> {
        let mut colours = BTreeSet::from([[0; 4]]);
        for pixel in self.parts.iter().flat_map(|part| part.pixels.as_chunks::<4>().0) {
            // Neighbours are mostly alike; a set that is full says so at the first colour too many.
            if !colours.contains(pixel) && (colours.len() > u8::MAX.into() || !colours.insert(*pixel)) {
                return None;
            }
        }
        Some(colours.into_iter().zip(0..=u8::MAX).collect())
    }

    /// The animation as a file.
    fn encode(mut self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.size.0, self.size.1);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_deflate_compression(png::DeflateCompression::Level(9));
        match self.palette() {
            Some(palette) => {
                let solid: Vec<u8> = palette.keys().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
                encoder.set_color(png::ColorType::Indexed);
                encoder.set_palette(solid);
                encoder.set_trns(&[0_u8][..]);
                encoder.set_filter(png::Filter::NoFilter);
                for part in &mut self.parts {
                    let pixels = part.pixels.as_chunks::<4>().0;
                    part.pixels = pixels.iter().map(|pixel| palette[pixel]).collect();
                }
            }
            None => {
                encoder.set_color(png::ColorType::Rgba);
                encoder.set_filter(png::Filter::Up);
            }
        }
        encoder.set_animated(self.parts.len().max(1) as u32, 0)?;
        let mut writer = encoder.write_header()?;
        let count = self.parts.len();
        for (i, part) in self.parts.iter().enumerate() {
            let stands = if i + 1 == count { LAST_STANDS } else { STANDS };
            writer.set_frame_delay(stands, 1000)?;
            if i > 0 {
                writer.set_blend_op(png::BlendOp::Over)?;
                // Each is checked against the other as it stands.
                writer.reset_frame_position()?;
                writer.set_frame_dimension(part.size.0, part.size.1)?;
                writer.set_frame_position(part.at.0, part.at.1)?;
            }
            writer.write_image_data(&part.pixels)?;
        }
        writer.finish()?;
        Ok(bytes)
    }
}

/// Whether step `i` of `steps` is shown: all if they are few, else `most` at even distances. The last one is.
fn is_shown(i: usize, steps: usize, most: usize) -> bool {
    steps <= most || (i + 1) * most / steps != i * most / steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_step_is_always_shown_and_never_too_many() {
        for steps in [1, 2, 159, 160, 161, 200, 1000, 99_991] {
            let shown: Vec<usize> = (0..steps).filter(|&i| is_shown(i, steps, MAX_PICTURES)).collect();
            assert_eq!(shown.last(), Some(&(steps - 1)));
            assert_eq!(shown.len(), steps.min(MAX_PICTURES));
        }
    }

    #[test]
    fn only_what_changes_is_kept() {
        let mut film = Animation::default();
        let mut pixels = vec![0; 3 * 8 * 5];
        film.add((8, 5), pixels.clone()).unwrap();
        film.add((8, 5), pixels.clone()).unwrap();
        assert_eq!(film.parts.len(), 1, "nothing changed");
        for (x, y) in [(2, 1), (6, 3)] {
            pixels[3 * (y * 8 + x) + 1] = 9;
        }
        film.add((8, 5), pixels).unwrap();
        let part = &film.parts[1];
        assert_eq!((part.at, part.size, part.pixels.len()), ((2, 1), (5, 3), 4 * 15));
        assert_eq!(
            (&part.pixels[..8], &part.pixels[56..]),
            (&[0, 9, 0, 255, 0, 0, 0, 0][..], &[0, 9, 0, 255][..])
        );
        assert!(film.add((5, 8), vec![0; 120]).is_err());
        let palette = film.palette().unwrap();
        assert_eq!(palette.keys().copied().collect::<Vec<_>>(), [[0; 4], [0, 0, 0, 255], [0, 9, 0, 255]]);
    }

    #[test]
    fn many_colours_need_no_palette() {
        for (count, fits) in [(255_u32, true), (256, false)] {
            let mut film = Animation::default();
            let pixels = (0..count).flat_map(|n| [n as u8, (n >> 8) as u8, 7]).collect();
            film.add((count, 1), pixels).unwrap();
            assert_eq!(film.palette().is_some(), fits, "{count}");
            let bytes = film.encode().unwrap();
            let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
            assert_eq!(reader.info().color_type == png::ColorType::Indexed, fits);
            reader.next_frame(&mut vec![0; 4 * count as usize]).unwrap();
        }
    }
}
