//! Maps of any family: read, weighed, made, drawn.

use crate::AnyScene;
use crate::handlers::Brush;
use crate::handlers::export;
use crate::handlers::form::Form;
use crate::handlers::limits::{Limits, Load};
use crate::handlers::problem::{Kind, Problem};
use wayforge::level::Mover;
use wayforge::{AnyConfig, AnyMap, Family, GenerateError, Seed};
use wayforge_draw::{DrawError, Routes, Theme};

/// How pictures look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The theme.
    pub theme: Theme,
    /// The size of PNG pictures, in percent.
    pub scale: u32,
    /// Which of a level's routes are shown.
    pub witness: Witness,
    /// Whether column and row are written beside the nodes of an act map.
    pub labels: bool,
    /// The most pixels of a PNG picture.
    pub pixels: u64,
}

/// Which of a level's routes are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Witness {
    /// None.
    #[default]
    None,
    /// Every one.
    All,
    /// The car's.
    Car,
    /// Those of people.
    Person,
}

impl Witness {
    /// All choices by name.
    pub const ALL: [(&'static str, Witness); 4] =
        [("none", Witness::None), ("all", Witness::All), ("car", Witness::Car), ("person", Witness::Person)];

    /// The same, as scenes ask for it.
    pub fn routes(self) -> Routes {
        match self {
            Witness::None => Routes::None,
            Witness::All => Routes::All,
            Witness::Car => Routes::Of(Mover::Car),
            Witness::Person => Routes::Of(Mover::Person),
        }
    }
}

/// Reads a configuration from JSON.
pub fn read_config(family: Family, json: &[u8]) -> Result<AnyConfig, Problem> {
    AnyConfig::from_json(family, json).map_err(|error| GenerateError::Decode(error).into())
}

/// Estimates the cost of a configuration and checks it against the limits.
pub fn check_load(config: &AnyConfig, limits: &Limits) -> Result<Load, Problem> {
    Load::of(config).check(limits)
}

/// Generates the map of a seed under a configuration.
pub fn generate(config: &AnyConfig, seed: Seed) -> Result<AnyMap, GenerateError> {
    config.resolve()?.generate(seed)
}

/// Writes a map in a form.
pub fn write_map(
    map: AnyMap,
    seed: &Seed,
    form: Form,
    look: Look,
    brush: &mut Brush,
) -> Result<Vec<u8>, Problem> {
    match form {
        Form::Json => Ok(map.to_document().to_text().into_bytes()),
        Form::Svg | Form::Png | Form::Text => draw(&look.scene(&map), form, look, brush),
        Form::Film => export::film(map, look),
        _ => {
            // File names contain the number of the seed: its text may hold any character.
            let stem = format!("{}-{}", map.family().name(), seed.number());
            export::write(map.into(), form, &stem, look.theme)
        }
    }
}

/// Draws a scene as a picture or as text.
pub fn draw(scene: &AnyScene, form: Form, look: Look, brush: &mut Brush) -> Result<Vec<u8>, Problem> {
    match form {
        Form::Svg => Ok(scene.svg(look.theme).into_bytes()),
        Form::Png => {
            look.fit(scene.png_size(look.scale))?;
            Ok(scene.png(brush.painter(), look.theme, look.scale)?)
        }
        _ => Ok(scene.ascii().into_bytes()),
    }
}

impl Look {
    /// The scene of a map.
    pub fn scene(self, map: &AnyMap) -> AnyScene {
        AnyScene::of_map(map, self.witness.routes(), self.labels)
    }

    /// Refuses a picture of more pixels than are painted, before any is.
    pub fn fit(self, size: Result<(u32, u32), DrawError>) -> Result<(), Problem> {
        let (width, height) = size?;
        let pixels = u64::from(width) * u64::from(height);
        if pixels <= self.pixels {
            return Ok(());
        }
        let detail =
            format!("a picture of {width} x {height} pixels; at most {} are painted here", self.pixels);
        let smaller = (f64::from(self.scale) * (self.pixels as f64 / pixels as f64).sqrt()) as u32;
        let allowed =
            if smaller == 0 { "SVG".to_owned() } else { format!("a scale of at most {smaller}, or SVG") };
        Err(Problem::new(Kind::Limit, detail).field("scale").value(self.scale.to_string()).allowed(allowed))
    }
}
