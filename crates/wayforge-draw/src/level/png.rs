//! Levels as PNG.

use super::LevelScene;
use crate::paint::Painter;
use crate::png::{DrawError, size_at};
use crate::theme::Theme;

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
