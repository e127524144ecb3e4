//! How maps are shown: the options of pictures, and pictures that a command draws beside its answer.

use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use wayforge_draw::{FloorScene, Paint, Scene, Theme};

/// Where a command that makes maps writes them, and how they look.
#[derive(Args)]
pub(crate) struct LookArgs {
    /// The file to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The look of SVG and PNG pictures
    #[arg(long, value_enum, default_value_t = ThemeName::Parchment)]
    theme: ThemeName,
    /// The size of PNG pictures in percent, 1 to 1000
    #[arg(long, value_name = "PERCENT", default_value_t = 100)]
    scale: u32,
    /// When ASCII is coloured
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    color: Colour,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

/// Where and how a picture is drawn.
#[derive(Args)]
pub(crate) struct DrawArgs {
    /// Draw the map as it stands, as .svg, .png or .txt
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    /// The look of SVG and PNG pictures
    #[arg(long, value_enum, default_value_t = ThemeName::Parchment)]
    theme: ThemeName,
    /// The size of PNG pictures in percent, 1 to 1000
    #[arg(long, value_name = "PERCENT", default_value_t = 100)]
    scale: u32,
    /// Write column and row beside every node of an act map's SVG and PNG pictures
    #[arg(long)]
    labels: bool,
}

/// The themes by name.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ThemeName {
    Parchment,
    Night,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Theme {
        match name {
            ThemeName::Parchment => Theme::Parchment,
            ThemeName::Night => Theme::Night,
        }
    }
}

impl LookArgs {
    /// The file to write, if one is named.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// The look of pictures.
    pub(crate) fn theme(&self) -> Theme {
        self.theme.into()
    }

    /// The size of PNG pictures in percent.
    pub(crate) fn scale(&self) -> u32 {
        self.scale
    }

    /// The format that is asked for: by name, by the suffix of the output file, or else `ascii`.
    pub(crate) fn format<F: ValueEnum>(&self, named: Option<F>) -> Result<F, Failure> {
        if let Some(format) = named {
            return Ok(format);
        }
        let suffix = self.output.as_ref().and_then(|path| path.extension()?.to_str());
        let name = match suffix {
            Some(name @ ("svg" | "png" | "apng" | "json")) => Some(name),
            Some("jsonl") => Some("json"),
            Some("txt") | None => Some("ascii"),
            Some(_) => None,
        };
        name.and_then(|name| F::from_str(name, false).ok()).ok_or_else(|| {
            let suffix = suffix.unwrap_or_default();
            Failure::Input(format!(
                "-o: the suffix .{suffix} names no format; use .txt, .svg, .png, .apng or .json, or --format"
            ))
        })
    }

    /// Whether ASCII is coloured.
    pub(crate) fn paint(&self, output: &Output) -> Paint {
        let coloured = match self.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                let choice = anstream::AutoStream::choice(&std::io::stdout());
                output.is_terminal() && choice != anstream::ColorChoice::Never
            }
        };
        if coloured { Paint::Colour } else { Paint::Plain }
    }
}

impl DrawArgs {
    /// The suffix of the picture that is asked for; none if none is asked for, refused if it names no picture.
    pub(crate) fn suffix(&self) -> Result<Option<&'static str>, Failure> {
        let Some(path) = &self.draw else { return Ok(None) };
        let suffix = path.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default();
        let known = ["svg", "png", "txt"].into_iter().find(|known| *known == suffix);
        known.map(Some).ok_or_else(|| {
            let path = path.display();
            Failure::Input(format!("--draw {path}: the suffix names no picture; use .svg, .png or .txt"))
        })
    }

    /// The picture of `scene` in the form of `suffix`.
    pub(crate) fn bytes(&self, scene: &Scene, suffix: &str) -> Result<Vec<u8>, Failure> {
        let scene = &Scene { labels: self.labels, ..scene.clone() };
        match suffix {
            "svg" => Ok(wayforge_draw::svg(scene, self.theme.into()).into_bytes()),
            "png" => wayforge_draw::png(scene, self.theme.into(), self.scale)
                .map_err(|error| Failure::about(format!("--scale {}", self.scale), error)),
            _ => Ok(wayforge_draw::ascii(scene, Paint::Plain).into_bytes()),
        }
    }

    /// The picture of floors in the form of `suffix`.
    pub(crate) fn floor_bytes(&self, scene: &FloorScene, suffix: &str) -> Result<Vec<u8>, Failure> {
        if self.labels {
            return Err(Failure::Input("--labels: only act maps have labels; leave it out".into()));
        }
        match suffix {
            "svg" => Ok(wayforge_draw::svg_floors(scene, self.theme.into()).into_bytes()),
            "png" => wayforge_draw::png_floors(scene, self.theme.into(), self.scale)
                .map_err(|error| Failure::about(format!("--scale {}", self.scale), error)),
            _ => Ok(wayforge_draw::ascii_floors(scene, Paint::Plain).into_bytes()),
        }
    }

    /// Writes a picture to its file.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut file = Output::open(self.draw.as_deref())?;
        file.write(bytes)?;
        file.finish()
    }
}
