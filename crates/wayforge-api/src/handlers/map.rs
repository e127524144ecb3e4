//! Parses configurations, checks their cost, and generates and writes maps of any family.

use crate::handlers::LazyPainter;
use crate::handlers::export;
use crate::handlers::limits::{CostEstimate, Limits};
use crate::handlers::problem::{Problem, ProblemKind};
use wayforge::{AnyConfig, AnyMap, Family, GenerateError, InputError, Seed};
use wayforge_draw::{AnyScene, AsciiStyle, DrawError, Routes, Theme, png_size};
use wayforge_formats::Format;

/// Options for drawing maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// Colour theme.
    pub theme: Theme,
    /// Scale of a PNG in percent.
    pub scale: u32,
    /// Proven routes of a level to show.
    pub routes: Routes,
    /// Whether the nodes of an act map show column and row.
    pub labels: bool,
    /// Maximum number of pixels of a PNG.
    pub max_pixels: u64,
}

/// Parses a configuration from JSON.
///
/// # Errors
/// [`ProblemKind::InvalidBody`] if the JSON cannot be parsed, [`ProblemKind::InvalidConfig`] if a
/// value is invalid.
pub fn read_config(family: Family, json: &[u8]) -> Result<AnyConfig, Problem> {
    AnyConfig::from_json(family, json).map_err(|error| GenerateError::Decode(error).into())
}

/// Estimates the cost of a configuration and checks it against the limits.
///
/// # Errors
/// [`ProblemKind::LimitExceeded`] if the cost exceeds a limit.
pub fn check_cost(config: &AnyConfig, limits: &Limits) -> Result<CostEstimate, Problem> {
    CostEstimate::for_config(config).check(limits)
}

/// Generates the map of a seed under a configuration.
///
/// # Errors
/// [`GenerateError`] if the configuration is invalid, the seed has no map, or the work exceeds the
/// limit.
pub fn generate(config: &AnyConfig, seed: Seed, limits: &Limits) -> Result<AnyMap, GenerateError> {
    config.resolve()?.generate_within(seed, &limits.work_limit)
}

/// Writes a map in an output format.
///
/// # Errors
/// [`ProblemKind::LimitExceeded`] if the picture has too many pixels or the work exceeds the limit.
pub fn write_map(
    map: AnyMap,
    seed: &Seed,
    format: Format,
    options: RenderOptions,
    painter: &mut LazyPainter,
    limits: &Limits,
) -> Result<Vec<u8>, Problem> {
    match format {
        Format::Document => Ok(map.to_document().to_text().into_bytes()),
        Format::Svg | Format::Png | Format::Ascii => {
            draw(&options.scene(&map), format, options, painter)
        }
        Format::Apng => export::animation(map, options, &limits.work_limit),
        _ => {
            // File names use the number of the seed, because its text may contain any character.
            let stem = format!("{}-{}", map.family().name(), seed.number());
            export::write(map.into(), format, &stem, options.theme)
        }
    }
}

/// Draws a scene as a picture or as text.
///
/// # Errors
/// [`ProblemKind::LimitExceeded`] if the picture has too many pixels.
pub fn draw(
    scene: &AnyScene,
    format: Format,
    options: RenderOptions,
    painter: &mut LazyPainter,
) -> Result<Vec<u8>, Problem> {
    match format {
        Format::Svg => Ok(scene.svg(options.theme).into_bytes()),
        Format::Png => {
            options.check_size(png_size(scene, options.scale))?;
            Ok(painter.get().png(scene, options.theme, options.scale)?)
        }
        _ => Ok(scene.ascii(AsciiStyle::Plain).into_bytes()),
    }
}

impl RenderOptions {
    /// Creates the scene of a map.
    pub fn scene(self, map: &AnyMap) -> AnyScene {
        AnyScene::from_map_with(map, self.routes, self.labels)
    }

    /// Checks the number of pixels of a picture before it is painted.
    ///
    /// # Errors
    /// [`ProblemKind::LimitExceeded`] if the picture has too many pixels.
    pub fn check_size(self, size: Result<(u32, u32), DrawError>) -> Result<(), Problem> {
        let (width, height) = size?;
        let pixels = u64::from(width) * u64::from(height);
        if pixels <= self.max_pixels {
            return Ok(());
        }
        let ratio = self.max_pixels as f64 / pixels as f64;
        let remedy = match (f64::from(self.scale) * ratio.sqrt()) as u32 {
            0 => "use SVG".to_owned(),
            max_scale => format!("use a scale of at most {max_scale}, or SVG"),
        };
        let max = self.max_pixels;
        let problem = format!("{width} x {height} pixels exceed the limit of {max} pixels");
        let error = InputError::new("scale", self.scale, problem, remedy);
        Err(Problem::from_error(ProblemKind::LimitExceeded, error))
    }
}
