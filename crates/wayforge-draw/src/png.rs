//! Renders scenes as PNG. Text uses the bundled font only.

use crate::curve::UNIT;
use crate::paint::{Painter, PngScene};
use crate::theme::Theme;
use resvg::tiny_skia::Pixmap;
use wayforge::Stopped;

/// Maximum side of a picture, in pixels.
const MAX_SIDE: u64 = 16_384;
/// Maximum number of pixels of a picture.
const MAX_PIXELS: u64 = 64 << 20;
/// Maximum scale, in percent.
const MAX_SCALE: u32 = 1000;

/// Error of a renderer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The picture would exceed the size limit.
    #[error(
        "a picture of {width} x {height} pixels at a scale of {scale} percent is too large: {}",
        if *.max_scale == 0 { "this map is too large for any scale; draw it as SVG".to_owned() }
        else { format!("use at most {max_scale} percent") }
    )]
    TooLarge {
        /// Requested width, in pixels.
        width: u64,
        /// Requested height, in pixels.
        height: u64,
        /// Requested scale, in percent.
        scale: u32,
        /// Largest scale that works, in percent; 0 if none does.
        max_scale: u32,
    },
    /// The scale is out of range.
    #[error("a scale of {scale} percent is out of range: use 1 to {MAX_SCALE}")]
    ScaleOutOfRange {
        /// Requested scale, in percent.
        scale: u32,
    },
    /// The work limit was reached.
    #[error("{0}; use a smaller scale")]
    Stopped(Stopped),
    /// Rasterising or encoding failed.
    #[error("cannot render the picture: {0}")]
    Render(String),
}

/// Renders a scene as PNG at a scale in percent. At 100 percent an act map of 7 columns is about
/// 1,000 pixels wide, and a level of 48 x 30 cells about 1,500.
///
/// # Errors
/// [`DrawError::TooLarge`] with the largest scale that works, or [`DrawError::ScaleOutOfRange`].
/// The size is checked before anything is allocated. Every level fits at 100 percent.
///
/// # Complexity
/// O(pixels).
///
/// # Determinism
/// Text uses the bundled font; system fonts are never read.
///
/// # Examples
///
/// ```
/// use wayforge::act;
/// use wayforge_draw::{DrawError, Scene, Theme, png};
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let scene = Scene::from_act(&map);
/// assert!(png(&scene, Theme::Parchment, 40)?.starts_with(b"\x89PNG"));
/// let error = png(&scene, Theme::Parchment, 1000).unwrap_err();
/// assert!(matches!(error, DrawError::TooLarge { max_scale: 100.., .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn png(scene: &impl PngScene, theme: Theme, scale: u32) -> Result<Vec<u8>, DrawError> {
    Painter::new().png(scene, theme, scale)
}

/// Returns the size in pixels of the picture that [`png()`] renders.
///
/// # Errors
/// The same as [`png()`].
///
/// # Examples
///
/// ```
/// use wayforge::act;
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let scene = wayforge_draw::Scene::from_act(&map);
/// let (width, height) = wayforge_draw::png_size(&scene, 100)?;
/// assert!(width < height);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn png_size(scene: &impl PngScene, scale: u32) -> Result<(u32, u32), DrawError> {
    let (width, height) = scene.size();
    size_at(width, height, scale)
}

/// Returns the size in pixels of a picture at a scale in percent. `width_units` and `height_units`
/// are its size in units.
pub(crate) fn size_at(
    width_units: i32,
    height_units: i32,
    scale: u32,
) -> Result<(u32, u32), DrawError> {
    if !(1..=MAX_SCALE).contains(&scale) {
        return Err(DrawError::ScaleOutOfRange { scale });
    }
    let scaled = |units: i32, scale: u32| {
        let pixels = units.max(1).unsigned_abs().div_ceil(UNIT.unsigned_abs());
        (u64::from(pixels) * u64::from(scale)).div_ceil(100)
    };
    let size = |scale: u32| (scaled(width_units, scale), scaled(height_units, scale));
    let fits = |&scale: &u32| {
        let (width, height) = size(scale);
        width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS
    };
    let (width, height) = size(scale);
    if fits(&scale) {
        return Ok((width as u32, height as u32));
    }
    let max_scale = (1..scale).rev().find(fits).unwrap_or(0);
    Err(DrawError::TooLarge { width, height, scale, max_scale })
}

/// Encodes pixels as a PNG file.
pub(crate) fn encode(pixels: &Pixmap) -> Result<Vec<u8>, DrawError> {
    pixels.encode_png().map_err(|error| DrawError::Render(error.to_string()))
}

/// Returns the pixels of an opaque picture as RGB bytes.
pub(crate) fn rgb_bytes(pixels: &Pixmap) -> Vec<u8> {
    let mut data = Vec::with_capacity(pixels.data().len() / 4 * 3);
    pixels.data().chunks_exact(4).for_each(|pixel| data.extend_from_slice(&pixel[..3]));
    data
}
