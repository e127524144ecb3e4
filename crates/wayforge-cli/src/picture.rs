//! Pictures that a command draws beside its answer.

use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wayforge_draw::{FloorScene, Paint, Scene, Theme};

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
        match suffix {
            "svg" => Ok(wayforge_draw::svg(scene, self.theme.into()).into_bytes()),
            "png" => wayforge_draw::png(scene, self.theme.into(), self.scale)
                .map_err(|error| Failure::about(format!("--scale {}", self.scale), error)),
            _ => Ok(wayforge_draw::ascii(scene, Paint::Plain).into_bytes()),
        }
    }

    /// The picture of floors in the form of `suffix`.
    pub(crate) fn floor_bytes(&self, scene: &FloorScene, suffix: &str) -> Result<Vec<u8>, Failure> {
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
