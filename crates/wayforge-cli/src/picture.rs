//! Options for pictures, and drawing of scenes in the picture formats.

use crate::choice::{THEMES, choice};
use crate::failure::{Context, Failure, reject};
use crate::format::FormatArg;
use crate::output::{self, is_terminal};
use clap::{Args, ColorChoice, value_parser};
use std::path::{Path, PathBuf};
use wayforge::Document;
use wayforge_draw::{AnyScene, AsciiStyle, DrawError, NavGridChart, Theme, nav_grid_png, png};

/// Format and appearance of the output.
#[derive(Clone, Copy)]
pub(crate) struct Canvas {
    pub(crate) format: FormatArg,
    pub(crate) ascii_style: AsciiStyle,
    pub(crate) theme: Theme,
    /// Size of PNG pictures in percent.
    pub(crate) scale: u32,
}

impl Canvas {
    fn new(format: FormatArg, ascii_style: AsciiStyle, style: &StyleArgs) -> Canvas {
        Canvas { format, ascii_style, theme: style.theme, scale: style.scale }
    }

    /// Draws `scene` as SVG or PNG, or as ASCII for every other format.
    pub(crate) fn draw(&self, scene: impl Into<AnyScene>) -> Result<Vec<u8>, Failure> {
        let scene = scene.into();
        match self.format {
            FormatArg::Svg => Ok(scene.svg(self.theme).into_bytes()),
            FormatArg::Png => check_scale(png(&scene, self.theme, self.scale), self.scale),
            _ => Ok(scene.ascii(self.ascii_style).into_bytes()),
        }
    }

    /// Returns the document as one line for JSON, or the picture for other formats.
    pub(crate) fn map<S: Into<AnyScene>>(
        &self,
        document: impl FnOnce() -> Document,
        scene: impl FnOnce() -> S,
    ) -> Result<Vec<u8>, Failure> {
        match self.format {
            FormatArg::Json => Ok(format!("{}\n", document().to_text()).into_bytes()),
            _ => self.draw(scene()),
        }
    }
}

/// Attributes a drawing error to `--scale`, the only option that can make a picture too large.
pub(crate) fn check_scale(
    picture: Result<Vec<u8>, DrawError>,
    scale: u32,
) -> Result<Vec<u8>, Failure> {
    picture.context(format!("--scale {scale}"))
}

/// Appearance of pictures of maps.
#[derive(Args)]
struct StyleArgs {
    /// Colour theme of SVG and PNG pictures
    #[arg(long, default_value = "parchment", value_parser = choice(&THEMES))]
    theme: Theme,
    /// Size of PNG pictures in percent, 1 to 1000
    #[arg(long, value_name = "PERCENT", default_value_t = 100)]
    scale: u32,
}

/// Appearance of pictures of navigation grids.
#[derive(Args)]
pub(crate) struct ChartArgs {
    /// Longer side of the picture in pixels, 64 to 8192
    #[arg(
        long,
        value_name = "PIXELS",
        default_value_t = 1280,
        value_parser = value_parser!(u32).range(64..=8192)
    )]
    pub(crate) side: u32,
    /// Colour theme of the picture
    #[arg(long, default_value = "parchment", value_parser = choice(&THEMES))]
    pub(crate) theme: Theme,
}

impl ChartArgs {
    /// Draws a chart to a PNG file.
    pub(crate) fn write(&self, chart: &NavGridChart<'_>, file: &Path) -> Result<(), Failure> {
        let bytes = nav_grid_png(chart, self.theme, self.side).context("--draw")?;
        output::write(Some(file), bytes)
    }
}

/// Output options of the commands that generate maps.
#[derive(Args)]
pub(crate) struct OutputArgs {
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    style: StyleArgs,
    /// When to colour ASCII output
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// Show the generation step by step: with keys on a terminal, else all steps in order
    #[arg(long)]
    pub(crate) steps: bool,
}

/// Options of the commands that draw a saved map.
#[derive(Args)]
pub(crate) struct DrawArgs {
    /// Draw the map to a .svg, .png or .txt file
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    #[command(flatten)]
    style: StyleArgs,
    /// Label every node of an act map with column and row in SVG and PNG pictures
    #[arg(long)]
    pub(crate) labels: bool,
}

impl OutputArgs {
    /// Returns the output file, if one is given.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Chooses the format: `given`, else by the suffix of the output file, else ASCII.
    pub(crate) fn canvas(&self, given: Option<FormatArg>) -> Result<Canvas, Failure> {
        let suffix = self.output().and_then(|path| path.extension()?.to_str());
        let format = match (given, suffix) {
            (Some(format), _) => format,
            (None, None) => FormatArg::Ascii,
            (None, Some(suffix)) => match FormatArg::from_suffix(suffix) {
                Some(format) => format,
                None => {
                    return reject(format!(
                        "-o: unknown suffix .{suffix}; use .txt, .svg, .png, .apng or .json, or \
                         --format"
                    ));
                }
            },
        };
        let ascii_style = match self.color {
            ColorChoice::Auto if !is_terminal(self.output()) => AsciiStyle::Plain,
            choice => ascii_style(choice),
        };
        Ok(Canvas::new(format, ascii_style, &self.style))
    }
}

impl DrawArgs {
    /// Returns the format of the requested picture, if there is one.
    ///
    /// # Errors
    /// If the suffix is unknown.
    pub(crate) fn format(&self) -> Result<Option<FormatArg>, Failure> {
        let Some(path) = &self.draw else { return Ok(None) };
        let suffix = path.extension().and_then(|suffix| suffix.to_str());
        match suffix.and_then(FormatArg::from_suffix) {
            Some(format @ (FormatArg::Svg | FormatArg::Png | FormatArg::Ascii)) => Ok(Some(format)),
            _ => {
                let path = path.display();
                reject(format!("--draw {path}: unknown suffix; use .svg, .png or .txt"))
            }
        }
    }

    /// Draws `scene`.
    pub(crate) fn bytes(
        &self,
        scene: impl Into<AnyScene>,
        format: FormatArg,
    ) -> Result<Vec<u8>, Failure> {
        let ascii_style = AsciiStyle::Plain;
        Canvas::new(format, ascii_style, &self.style).draw(scene)
    }

    /// Writes a picture to its file.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        output::write(self.draw.as_deref(), bytes)
    }
}

/// Resolves `--color` for standard output.
pub(crate) fn ascii_style(choice: ColorChoice) -> AsciiStyle {
    let is_coloured = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
        }
    };
    if is_coloured { AsciiStyle::Colour } else { AsciiStyle::Plain }
}
