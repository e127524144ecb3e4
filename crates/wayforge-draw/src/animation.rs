//! Animations of generation traces and searches in the animated PNG format (APNG).
//!
//! The events come from a [`Recorder`](wayforge::trace::Recorder) that was passed to the generator
//! or search. Every frame is drawn like the finished map, but stores only the pixels that changed.

mod act;
mod floor;
mod level;
mod search;

pub use act::ActFrames;
pub use floor::{FloorFrames, TowerFrames};
pub use level::LevelFrames;
pub use search::{
    SearchFrames, SearchScene, search_animation, search_animation_within, search_ascii,
};

use crate::paint::{Painter, Pixels, PngScene};
use crate::png::DrawError;
use crate::theme::Theme;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use wayforge::{Work, WorkLimit};

/// Maximum number of pictures of an animation; longer traces skip steps.
const MAX_PICTURES: usize = 160;
/// Delay of a picture, in milliseconds.
const DELAY: u16 = 70;
/// Delay of the last picture, in milliseconds.
const LAST_DELAY: u16 = 3000;
/// Maximum number of changed pixels of all pictures together.
const MAX_CHANGED: usize = 32 << 20;
/// Steps of work of painting one pixel and comparing it with the previous picture.
const STEPS_PER_PAINTED: u64 = 4;
/// Steps of work of compressing one pixel.
const STEPS_PER_COMPRESSED: u64 = 4;

/// One step of a generation or a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame<S> {
    /// Scene after the step.
    pub scene: S,
    /// Description of the step.
    pub text: String,
}

/// Replays recorded events step by step.
pub trait Replay {
    /// Scene after a step.
    type Scene;
    /// Events of a step.
    type Step;

    /// Applies the next step and returns it.
    fn advance(&mut self) -> Option<Self::Step>;

    /// Returns the current scene.
    fn scene(&self) -> Self::Scene;

    /// Describes a step in words.
    fn describe(&self, step: &Self::Step) -> String;

    /// Returns the number of remaining steps.
    fn remaining(&self) -> usize;
}

/// Iterator over the steps of a generation or a search, with a scene for each step.
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

/// Renders the generation of a map as an animated PNG. `scale` is in percent.
///
/// Animations of long traces skip steps. The last picture is the picture of the finished map.
///
/// # Errors
/// The same as [`png()`](crate::png()), and [`DrawError::Render`] if the animation is too large.
///
/// # Complexity
/// O(pictures * pixels).
///
/// # Examples
///
/// ```
/// use wayforge::act;
/// use wayforge::trace::Recorder;
/// use wayforge_draw::{ActFrames, Theme, animation};
/// let mut recorder = Recorder::new(10_000);
/// let map = act::generate_traced(42.into(), &act::Config::default().resolve()?, &mut recorder)?;
/// let bytes = animation(ActFrames::new(&map, recorder.events()), Theme::Night, 20)?;
/// assert!(bytes.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn animation<R: Replay>(
    frames: Frames<R>,
    theme: Theme,
    scale: u32,
) -> Result<Vec<u8>, DrawError>
where
    R::Scene: PngScene,
{
    animation_within(frames, theme, scale, &WorkLimit::UNLIMITED)
}

/// Like [`animation`], with at most the work of `limit`.
///
/// # Errors
/// The same as [`animation`], and [`DrawError::Stopped`].
pub fn animation_within<R: Replay>(
    frames: Frames<R>,
    theme: Theme,
    scale: u32,
    limit: &WorkLimit,
) -> Result<Vec<u8>, DrawError>
where
    R::Scene: PngScene,
{
    let mut painter = Painter::new();
    animate(frames, MAX_PICTURES, limit, |scene| painter.pixels(&scene, theme, scale))
}

/// Encodes at most `max_pictures` evenly spaced frames, including the last, as an animated PNG.
fn animate<R: Replay>(
    mut frames: Frames<R>,
    max_pictures: usize,
    limit: &WorkLimit,
    mut draw: impl FnMut(R::Scene) -> Result<Pixels, DrawError>,
) -> Result<Vec<u8>, DrawError> {
    let mut animation = Animation { work: limit.start(), ..Animation::default() };
    let (steps, mut last) = (frames.len(), 0);
    for step in (0..steps).filter(|&step| is_shown(step, steps, max_pictures)) {
        let Some(frame) = frames.nth(step - last) else { break };
        last = step + 1;
        let (size, pixels) = draw(frame.scene)?;
        animation.add(size, pixels)?;
    }
    animation.encode()
}

/// An animation under construction.
#[derive(Default)]
struct Animation {
    size: (u32, u32),
    /// Last picture as RGB bytes.
    last: Vec<u8>,
    parts: Vec<Part>,
    /// Number of changed pixels of all parts.
    changed: usize,
    work: Work,
}

/// Changed rectangle of a picture. Only its changed pixels are stored, because most are unchanged.
struct Part {
    /// Upper left corner.
    corner: (u32, u32),
    size: (u32, u32),
    /// Runs of changed pixels, as indices into the rectangle.
    runs: Vec<Range<u32>>,
    /// Changed pixels as RGB.
    pixels: Vec<[u8; 3]>,
}

/// Colour of unchanged pixels: transparent.
const UNCHANGED: [u8; 4] = [0; 4];

impl Part {
    /// Returns all pixels of the rectangle in row order; `encode` encodes a changed pixel.
    fn encode<T: Copy>(&self, unchanged: T, mut encode: impl FnMut([u8; 3]) -> T) -> Vec<T> {
        let mut all = vec![unchanged; self.size.0 as usize * self.size.1 as usize];
        let mut changed = self.pixels.iter();
        for run in &self.runs {
            let run = &mut all[run.start as usize..run.end as usize];
            run.iter_mut().zip(&mut changed).for_each(|(pixel, &rgb)| *pixel = encode(rgb));
        }
        all
    }
}

impl Animation {
    /// Adds a picture, unless it equals the previous one.
    ///
    /// # Errors
    /// [`DrawError::Render`] if its size differs from the first one, or if the animation is too
    /// large, and [`DrawError::Stopped`] if the work limit is reached.
    fn add(&mut self, size: (u32, u32), pixels: Vec<u8>) -> Result<(), DrawError> {
        self.work.spend(STEPS_PER_PAINTED * u64::from(size.0) * u64::from(size.1));
        self.work.check().map_err(DrawError::Stopped)?;
        let (corner, extent) = if self.parts.is_empty() {
            ((0, 0), size)
        } else if size != self.size {
            return Err(DrawError::Render("the frames of the animation differ in size".to_owned()));
        } else {
            match self.changed(&pixels) {
                Some(changed) => changed,
                None => return Ok(()),
            }
        };
        let mut part = Part { corner, size: extent, runs: Vec::new(), pixels: Vec::new() };
        let (new, last) = (pixels.as_chunks::<3>().0, self.last.as_chunks::<3>().0);
        let rows = corner.1 as usize..(corner.1 + extent.1) as usize;
        let starts = rows.map(|y| y * size.0 as usize + corner.0 as usize);
        let all = starts.flat_map(|start| start..start + extent.0 as usize);
        for (index, pixel) in (0..).zip(all) {
            if last.get(pixel) != Some(&new[pixel]) {
                match part.runs.last_mut().filter(|run| run.end == index) {
                    Some(run) => run.end += 1,
                    None => part.runs.push(index..index + 1),
                }
                part.pixels.push(new[pixel]);
            }
        }
        self.changed += part.pixels.len();
        if self.changed > MAX_CHANGED {
            let problem = "the animation is too large; use a smaller scale";
            return Err(DrawError::Render(problem.to_owned()));
        }
        (self.size, self.last) = (size, pixels);
        self.parts.push(part);
        Ok(())
    }

    /// Returns the upper left corner and the size of the bounding box of all changed pixels; `None`
    /// if nothing changed.
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

    /// Returns the palette of all parts with transparency first; `None` if it exceeds 256 colours.
    fn palette(&self) -> Option<BTreeMap<[u8; 4], u8>> {
        let mut colours = BTreeSet::from([UNCHANGED]);
        let mut last = None;
        for &pixel in self.parts.iter().flat_map(|part| &part.pixels) {
            // Most pixels have the colour of the previous one.
            if last != Some(pixel) && colours.insert(opaque(pixel)) && colours.len() > 256 {
                return None;
            }
            last = Some(pixel);
        }
        Some(colours.into_iter().zip(0..=u8::MAX).collect())
    }

    /// Encodes the animation as a PNG file.
    ///
    /// # Errors
    /// [`DrawError::Render`] if encoding fails, and [`DrawError::Stopped`] if the work limit is
    /// reached.
    fn encode(&self) -> Result<Vec<u8>, DrawError> {
        self.write().map_err(|error| match self.work.check() {
            Err(stopped) => DrawError::Stopped(stopped),
            Ok(()) => DrawError::Render(error.to_string()),
        })
    }

    fn write(&self) -> Result<Vec<u8>, png::EncodingError> {
        let palette = self.palette();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.size.0, self.size.1);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_deflate_compression(png::DeflateCompression::Level(9));
        match &palette {
            Some(palette) => {
                let solid: Vec<u8> = palette.keys().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
                encoder.set_color(png::ColorType::Indexed);
                encoder.set_palette(solid);
                encoder.set_trns(&[0_u8][..]);
                encoder.set_filter(png::Filter::NoFilter);
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
            let delay = if i + 1 == count { LAST_DELAY } else { DELAY };
            writer.set_frame_delay(delay, 1000)?;
            if i > 0 {
                writer.set_blend_op(png::BlendOp::Over)?;
                // The encoder validates position and dimension against each other, so the position
                // is reset first.
                writer.reset_frame_position()?;
                writer.set_frame_dimension(part.size.0, part.size.1)?;
                writer.set_frame_position(part.corner.0, part.corner.1)?;
            }
            let pixels = u64::from(part.size.0) * u64::from(part.size.1);
            if !self.work.spend(STEPS_PER_COMPRESSED * pixels) {
                return Err(io::Error::other("stopped").into());
            }
            match &palette {
                Some(palette) => {
                    let mut last = (UNCHANGED, 0);
                    let indices = part.encode(0, |rgb| {
                        let colour = opaque(rgb);
                        if last.0 != colour {
                            last = (colour, palette.get(&colour).copied().unwrap_or_default());
                        }
                        last.1
                    });
                    writer.write_image_data(&indices)?;
                }
                None => writer.write_image_data(part.encode(UNCHANGED, opaque).as_flattened())?,
            }
        }
        writer.finish()?;
        Ok(bytes)
    }
}

/// Returns an opaque colour.
fn opaque([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, u8::MAX]
}

/// Returns whether step `i` of `steps` is shown: every step if there are at most `max_pictures`,
/// otherwise `max_pictures` evenly spaced steps, including the last.
fn is_shown(i: usize, steps: usize, max_pictures: usize) -> bool {
    steps <= max_pictures || (i + 1) * max_pictures / steps != i * max_pictures / steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_last_step_and_at_most_max_pictures() {
        for steps in [1, 2, 159, 160, 161, 200, 1000, 99_991] {
            let shown: Vec<usize> =
                (0..steps).filter(|&i| is_shown(i, steps, MAX_PICTURES)).collect();
            assert_eq!(shown.last(), Some(&(steps - 1)));
            assert_eq!(shown.len(), steps.min(MAX_PICTURES));
        }
    }

    #[test]
    fn stores_only_changed_pixels() {
        let mut animation = Animation::default();
        let mut pixels = vec![0; 3 * 8 * 5];
        animation.add((8, 5), pixels.clone()).unwrap();
        animation.add((8, 5), pixels.clone()).unwrap();
        assert_eq!(animation.parts.len(), 1, "nothing changed");
        for (x, y) in [(2, 1), (6, 3)] {
            pixels[3 * (y * 8 + x) + 1] = 9;
        }
        animation.add((8, 5), pixels).unwrap();
        let part = &animation.parts[1];
        assert_eq!((part.corner, part.size, &*part.pixels), ((2, 1), (5, 3), &[[0, 9, 0]; 2][..]));
        let changed = [0, 9, 0, 255];
        let mut expected = [UNCHANGED; 15];
        (expected[0], expected[14]) = (changed, changed);
        assert_eq!(part.encode(UNCHANGED, opaque), expected);
        assert!(animation.add((5, 8), vec![0; 120]).is_err());
        let palette = animation.palette().unwrap();
        assert_eq!(
            palette.keys().copied().collect::<Vec<_>>(),
            [[0; 4], [0, 0, 0, 255], [0, 9, 0, 255]]
        );
    }

    #[test]
    fn uses_a_palette_only_up_to_256_colours() {
        for (count, fits) in [(255_u32, true), (256, false)] {
            let mut animation = Animation::default();
            let pixels = (0..count).flat_map(|n| [n as u8, (n >> 8) as u8, 7]).collect();
            animation.add((count, 1), pixels).unwrap();
            assert_eq!(animation.palette().is_some(), fits, "{count}");
            let bytes = animation.encode().unwrap();
            let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
            assert_eq!(reader.info().color_type == png::ColorType::Indexed, fits);
            reader.next_frame(&mut vec![0; 4 * count as usize]).unwrap();
        }
    }
}
