//! Scenes as PNG: the SVG's shapes, painted with the bundled font and nothing from the machine.

use crate::curve::UNIT;
use crate::floor::FloorScene;
use crate::level::LevelScene;
use crate::paint::Painter;
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

/// Draws a level as PNG.
///
/// * **Arguments.** The scene, the theme, and the scale in percent: at 100 a level of 48 x 30 is about 1,500 pixels wide.
/// * **Returns.** The bytes of a PNG file, or an error that names the largest scale that works. The size is checked before
///   anything is allocated; at 100 percent every level fits.
/// * **Complexity.** Linear in the pixels.
/// * **Determinism.** Words are set in one bundled font; fonts of the machine are never looked at.
///
/// ```
/// use wayforge::level;
/// use wayforge_draw::{LevelScene, Theme, level_png};
/// let config = level::Config { width: 12, height: 9, ..level::Config::default() };
/// let level = level::generate(42.into(), &config.resolve()?)?;
/// assert!(level_png(&LevelScene::of_level(&level), Theme::Parchment, 50)?.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level_png(scene: &LevelScene, theme: Theme, scale: u32) -> Result<Vec<u8>, DrawError> {
    Painter::new().png_level(scene, theme, scale)
}

/// The size that [`level_png`] would give a level, in pixels.
///
/// ```
/// use wayforge::level;
/// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
/// let (width, height) = wayforge_draw::level_png_size(&wayforge_draw::LevelScene::of_level(&level), 100)?;
/// assert!(width > height);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level_png_size(scene: &LevelScene, scale: u32) -> Result<(u32, u32), DrawError> {
    size_at(scene.width, scene.height, scale)
}

/// The size of a picture at a scale in percent, if it can be drawn; `across` and `down` are units.
pub(crate) fn size_at(across: i32, down: i32, scale: u32) -> Result<(u32, u32), DrawError> {
    if !(1..=MAX_SCALE).contains(&scale) {
        return Err(DrawError::Scale { scale });
    }
    let scaled = |units: i32, scale: u32| {
        let pixels = units.max(1).unsigned_abs().div_ceil(UNIT.unsigned_abs());
        (u64::from(pixels) * u64::from(scale)).div_ceil(100)
    };
    let size = |scale: u32| (scaled(across, scale), scaled(down, scale));
    let fits = |&scale: &u32| {
        let (width, height) = size(scale);
        width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS
    };
    let (width, height) = size(scale);
    match fits(&scale) {
        true => Ok((width as u32, height as u32)),
        false => {
            let largest = (1..scale).rev().find(fits).unwrap_or(0);
            Err(DrawError::TooLarge { width, height, scale, largest })
        }
    }
}

/// The bytes of a PNG file.
pub(crate) fn encode(pixels: &Pixmap) -> Result<Vec<u8>, DrawError> {
    pixels.encode_png().map_err(|error| DrawError::Paint(error.to_string()))
}

/// The pixels of an opaque picture, three bytes each.
pub(crate) fn opaque(pixels: &Pixmap) -> Vec<u8> {
    let mut data = Vec::with_capacity(pixels.data().len() / 4 * 3);
    pixels.data().chunks_exact(4).for_each(|pixel| data.extend_from_slice(&pixel[..3]));
    data
}
