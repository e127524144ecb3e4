//! Scenes as PNG: the SVG's shapes, painted with the bundled font and nothing from the machine.

use crate::floor::FloorScene;
use crate::paint::{Painter, Shapes};
use crate::scene::Scene;
use crate::theme::Theme;
use resvg::tiny_skia::Pixmap;

/// The longest side of a picture, in pixels.
const MAX_SIDE: u64 = 16_384;
/// The most pixels of a picture.
const MAX_PIXELS: u64 = 64 << 20;
/// The largest scale, in percent.
const MAX_SCALE: u32 = 1000;

/// Why a picture cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The picture would have too many pixels.
    #[error(
        "a picture of {width} x {height} pixels at a scale of {scale} percent is too large: {}",
        if *.largest == 0 { "this map is too large for any scale; draw it as SVG".to_owned() }
        else { format!("use at most {largest} percent") }
    )]
    TooLarge {
        /// The width it would have.
        width: u64,
        /// The height it would have.
        height: u64,
        /// The scale that was asked for.
        scale: u32,
        /// The largest scale that works; 0 if none does.
        largest: u32,
    },
    /// The scale is no scale.
    #[error("a scale of {scale} percent is out of range: use 1 to {MAX_SCALE}")]
    Scale {
        /// The scale that was asked for.
        scale: u32,
    },
    /// The painter refused the picture.
    #[error("the picture could not be painted: {0}")]
    Paint(String),
}

/// Draws a scene as PNG.
///
/// * **Arguments.** The scene, the theme, and the scale in percent: at 100 a map of 7 columns is about 1,000 pixels wide.
/// * **Returns.** The bytes of a PNG file, or an error that names the largest scale that works. The size is checked before
///   anything is allocated.
/// * **Complexity.** Linear in the pixels.
/// * **Determinism.** Words are set in one bundled font; fonts of the machine are never looked at.
///
/// ```
/// use wayforge::act;
/// use wayforge_draw::{DrawError, Scene, Theme, png};
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let scene = Scene::of_act(&map);
/// assert!(png(&scene, Theme::Parchment, 40)?.starts_with(b"\x89PNG"));
/// assert!(matches!(png(&scene, Theme::Parchment, 1000), Err(DrawError::TooLarge { largest: 100.., .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn png(scene: &Scene, theme: Theme, scale: u32) -> Result<Vec<u8>, DrawError> {
    Painter::new().png(scene, theme, scale)
}

/// Draws floors as PNG, as [`png()`] does act maps.
///
/// ```
/// use wayforge::floor;
/// use wayforge_draw::{FloorScene, Theme, png_floors};
/// let floor = floor::generate(42.into(), &floor::Config::default().resolve()?)?;
/// assert!(png_floors(&FloorScene::of_floor(&floor), Theme::Night, 50)?.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn png_floors(scene: &FloorScene, theme: Theme, scale: u32) -> Result<Vec<u8>, DrawError> {
    Painter::new().png_floors(scene, theme, scale)
}

/// The size that [`png()`] would give a scene, in pixels.
///
/// ```
/// use wayforge::act;
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let scene = wayforge_draw::Scene::of_act(&map);
/// let (width, height) = wayforge_draw::png_size(&scene, 100)?;
/// assert!(width < height);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn png_size(scene: &Scene, scale: u32) -> Result<(u32, u32), DrawError> {
    size_at(scene.width, scene.height, scale)
}

/// The size of a picture of so many units at a scale, if it can be drawn.
pub(crate) fn size_at(across: i32, down: i32, scale: u32) -> Result<(u32, u32), DrawError> {
    if !(1..=MAX_SCALE).contains(&scale) {
        return Err(DrawError::Scale { scale });
    }
    let (width, height) = (scaled(across, scale), scaled(down, scale));
    if fits(width, height) {
        return Ok((width as u32, height as u32));
    }
    let fitting = |scale: &u32| fits(scaled(across, *scale), scaled(down, *scale));
    let largest = (1..scale).rev().find(fitting).unwrap_or(0);
    Err(DrawError::TooLarge { width, height, scale, largest })
}

/// Paints a whole SVG document.
pub(crate) fn paint_png(svg: &str, size: (u32, u32)) -> Result<Vec<u8>, DrawError> {
    encode(Shapes::new().fill(svg, size)?)
}

fn scaled(units: i32, scale: u32) -> u64 {
    let pixels = Scene::pixels(units.max(1)) as u64;
    (pixels * u64::from(scale)).div_ceil(100)
}

/// The bytes of a PNG file. Pictures are opaque and change little from row to row: without alpha, with one filter and a low
/// level they take no more room than with the encoder's usual settings, in a third of the time or less.
pub(crate) fn encode(pixels: Pixmap) -> Result<Vec<u8>, DrawError> {
    let (width, height) = (pixels.width(), pixels.height());
    let opaque = pixels.pixels().iter().all(|pixel| pixel.alpha() == u8::MAX);
    let (colour, data) = match opaque {
        true => (png::ColorType::Rgb, self::opaque(&pixels)),
        false => (png::ColorType::Rgba, pixels.take_demultiplied()),
    };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(colour);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_deflate_compression(png::DeflateCompression::Level(2));
    encoder.set_filter(png::Filter::Up);
    let refused = |error: png::EncodingError| DrawError::Paint(error.to_string());
    let mut writer = encoder.write_header().map_err(refused)?;
    writer.write_image_data(&data).map_err(refused)?;
    writer.finish().map_err(refused)?;
    Ok(bytes)
}

/// The pixels of an opaque picture, three bytes each.
pub(crate) fn opaque(pixels: &Pixmap) -> Vec<u8> {
    let mut data = Vec::with_capacity(pixels.data().len() / 4 * 3);
    pixels.data().chunks_exact(4).for_each(|pixel| data.extend_from_slice(&pixel[..3]));
    data
}

fn fits(width: u64, height: u64) -> bool {
    width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS
}
