//! How maps are shown: the options of pictures, and pictures that a command draws beside its answer.

use crate::choice::{THEMES, choice};
use crate::failure::{Context, Failure, reject};
use crate::format::OutputFormat;
use crate::output::{self, is_terminal};
use clap::{Args, ColorChoice};
use std::path::{Path, PathBuf};
use wayforge::Document;
use wayforge_draw::{DrawError, FloorScene, LevelScene, Paint, Scene, Theme};

/// A scene that every picture format can show.
pub(crate) trait Drawable {
    fn ascii(&self, paint: Paint) -> String;
    fn svg(&self, theme: Theme) -> String;
    fn png(&self, theme: Theme, scale: u32) -> Result<Vec<u8>, DrawError>;
}

macro_rules! drawable {
    ($($Scene:ident: $ascii:ident, $svg:ident, $png:ident;)+) => {$(
        impl Drawable for $Scene {
            fn ascii(&self, paint: Paint) -> String {
                wayforge_draw::$ascii(self, paint)
            }

            fn svg(&self, theme: Theme) -> String {
                wayforge_draw::$svg(self, theme)
            }

            fn png(&self, theme: Theme, scale: u32) -> Result<Vec<u8>, DrawError> {
                wayforge_draw::$png(self, theme, scale)
            }
        }
    )+};
}

drawable! {
    Scene: ascii, svg, png;
    LevelScene: level_ascii, level_svg, level_png;
    FloorScene: ascii_floors, svg_floors, png_floors;
}

/// The format of a picture and how it looks.
#[derive(Clone, Copy)]
pub(crate) struct Canvas {
    pub(crate) format: OutputFormat,
    pub(crate) paint: Paint,
    pub(crate) theme: Theme,
    pub(crate) scale: u32,
}

impl Canvas {
    /// The bytes of a picture; ASCII in a format without pictures.
    pub(crate) fn draw(&self, scene: &impl Drawable) -> Result<Vec<u8>, Failure> {
        match self.format {
            OutputFormat::Svg => Ok(scene.svg(self.theme).into_bytes()),
            OutputFormat::Png => scaled(scene.png(self.theme, self.scale), self.scale),
            _ => Ok(scene.ascii(self.paint).into_bytes()),
        }
    }

    /// The bytes of a document's line for JSON, of a picture otherwise.
    pub(crate) fn map<S: Drawable>(
        &self,
        document: impl FnOnce() -> Document,
        scene: impl FnOnce() -> S,
    ) -> Result<Vec<u8>, Failure> {
        match self.format {
            OutputFormat::Json => Ok(format!("{}\n", document().to_text()).into_bytes()),
            _ => self.draw(&scene()),
        }
    }
}

/// A picture, or an error about its scale: nothing else makes one too large.
pub(crate) fn scaled(picture: Result<Vec<u8>, DrawError>, scale: u32) -> Result<Vec<u8>, Failure> {
    picture.about(format!("--scale {scale}"))
}

/// Where a command that makes maps writes them, and how they look.
#[derive(Args)]
pub(crate) struct LookArgs {
    /// The file to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The look of SVG and PNG pictures
    #[arg(long, default_value = "parchment", value_parser = choice(&THEMES))]
    theme: Theme,
    /// The size of PNG pictures in percent, 1 to 1000
    #[arg(long, value_name = "PERCENT", default_value_t = 100)]
    scale: u32,
    /// When ASCII is coloured
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// Show the generation step by step: by keys on a terminal, else one step after the other
    #[arg(long)]
    pub(crate) steps: bool,
}

/// Where and how a picture is drawn.
#[derive(Args)]
pub(crate) struct DrawArgs {
    /// Draw the map as it stands, as .svg, .png or .txt
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    /// The look of SVG and PNG pictures
    #[arg(long, default_value = "parchment", value_parser = choice(&THEMES))]
    theme: Theme,
    /// The size of PNG pictures in percent, 1 to 1000
    #[arg(long, value_name = "PERCENT", default_value_t = 100)]
    scale: u32,
    /// Write column and row beside every node of an act map's SVG and PNG pictures
    #[arg(long)]
    pub(crate) labels: bool,
}

impl LookArgs {
    /// The file to write, if one is named.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// How the maps are shown: in the format that is named, else in that of the output file's suffix, else as ASCII.
    pub(crate) fn canvas(&self, named: Option<OutputFormat>) -> Result<Canvas, Failure> {
        let suffix = self.output.as_ref().and_then(|path| path.extension()?.to_str());
        let format = match (named, suffix) {
            (Some(format), _) => format,
            (None, Some("svg")) => OutputFormat::Svg,
            (None, Some("png")) => OutputFormat::Png,
            (None, Some("apng")) => OutputFormat::Apng,
            (None, Some("json" | "jsonl")) => OutputFormat::Json,
            (None, Some("txt") | None) => OutputFormat::Ascii,
            (None, Some(other)) => {
                return reject(format!(
                    "-o: the suffix .{other} names no format; use .txt, .svg, .png, .apng or .json, or --format"
                ));
            }
        };
        let paint = match self.color {
            ColorChoice::Auto if !is_terminal(self.output()) => Paint::Plain,
            choice => paint(choice),
        };
        Ok(Canvas { format, paint, theme: self.theme, scale: self.scale })
    }
}

impl DrawArgs {
    /// The format of the picture that is asked for, if one is; rejected if the suffix names no picture.
    pub(crate) fn format(&self) -> Result<Option<OutputFormat>, Failure> {
        let Some(path) = &self.draw else { return Ok(None) };
        match path.extension().and_then(|suffix| suffix.to_str()) {
            Some("svg") => Ok(Some(OutputFormat::Svg)),
            Some("png") => Ok(Some(OutputFormat::Png)),
            Some("txt") => Ok(Some(OutputFormat::Ascii)),
            _ => {
                let path = path.display();
                reject(format!("--draw {path}: the suffix names no picture; use .svg, .png or .txt"))
            }
        }
    }

    /// The picture of `scene`.
    pub(crate) fn bytes(&self, scene: &impl Drawable, format: OutputFormat) -> Result<Vec<u8>, Failure> {
        Canvas { format, paint: Paint::Plain, theme: self.theme, scale: self.scale }.draw(scene)
    }

    /// Writes a picture to its file.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        output::write(self.draw.as_deref(), bytes)
    }
}

/// Whether ASCII on standard output is coloured.
pub(crate) fn paint(choice: ColorChoice) -> Paint {
    let coloured = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never,
    };
    if coloured { Paint::Colour } else { Paint::Plain }
}
