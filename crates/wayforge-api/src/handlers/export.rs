//! Writes maps in file formats of other tools, and draws animations of their generation.

use crate::handlers::map::RenderOptions;
use crate::handlers::output_format;
use crate::handlers::problem::{Problem, ProblemKind};
use wayforge::{AnyMap, Family, WorkLimit};
use wayforge_draw::{AnyScene, Theme, png_size};
use wayforge_formats::{Content, Format, FormatError, MemoryFiles, zip};

/// Divisor of the pixel limit for the frames of an animation.
const ANIMATION_PIXEL_DIVISOR: u64 = 4;

/// Returns the default scale in percent. Animations are smaller than pictures.
pub const fn default_scale(family: Family, format: Format) -> u32 {
    match (format, family) {
        (Format::Apng, Family::Level) => 30,
        (Format::Apng, _) => 40,
        _ => 100,
    }
}

/// Writes a map or a navigation grid as a file, or as a ZIP archive of several files.
///
/// # Errors
/// If the format cannot represent the content.
pub fn write(
    content: Content,
    format: Format,
    stem: &str,
    theme: Theme,
) -> Result<Vec<u8>, Problem> {
    let mut files = MemoryFiles::default();
    let name = output_format::file_name(format, stem);
    format.write(&[content], &name, theme, &mut files)?;
    if format.info().writes_several_files {
        Ok(zip(&files).map_err(FormatError::Io)?)
    } else {
        Ok(files.0.remove(&name).unwrap_or_default())
    }
}

/// Draws an animation of a map's generation.
///
/// # Errors
/// [`ProblemKind::LimitExceeded`] if its frames have too many pixels, or the work exceeds the
/// limit.
pub fn animation(
    map: AnyMap,
    options: RenderOptions,
    limit: &WorkLimit,
) -> Result<Vec<u8>, Problem> {
    let size = png_size(&AnyScene::from_map(&map), options.scale);
    let max_pixels = options.max_pixels / ANIMATION_PIXEL_DIVISOR;
    RenderOptions { max_pixels, ..options }.check_size(size)?;
    Ok(wayforge_formats::animation_within(&map, options.theme, options.scale, limit)?)
}

impl From<FormatError> for Problem {
    fn from(error: FormatError) -> Problem {
        match error {
            FormatError::Invalid(error) => error.into(),
            FormatError::Config(error) => error.into(),
            FormatError::Draw(error) => error.into(),
            other => Problem::new(ProblemKind::InternalError, other.to_string()),
        }
    }
}
