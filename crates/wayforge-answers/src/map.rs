//! Maps of any family: read, weighed, made, drawn.

use crate::Brush;
use crate::export;
use crate::form::Form;
use crate::limits::{Limits, Load};
use crate::problem::{Kind, Problem};
use wayforge::act::{self, ActConfig, ActMap};
use wayforge::floor::{self, Floor, FloorConfig, Tower, TowerConfig};
use wayforge::level::{self, Level, LevelConfig, Mover};
use wayforge::metric::{ActMeter, Catalogue, FloorMeter, LevelMeter, Reading, TowerMeter};
use wayforge::{DecodeError, Document, Family, ForgeError, Seed};
use wayforge_draw::{
    DrawError, FloorScene, LevelScene, LevelView, Paint, Routes, Scene, Theme, ascii, ascii_floors,
    level_png_size, level_svg, png_size, svg, svg_floors,
};
use wayforge_formats::Content;

/// A configuration of any family.
#[derive(Clone, Debug)]
pub enum AnyConfig {
    /// Of act maps.
    Act(ActConfig),
    /// Of levels.
    Level(Box<LevelConfig>),
    /// Of floors.
    Floor(Box<FloorConfig>),
    /// Of towers.
    Tower(Box<TowerConfig>),
}

/// A map of any family.
#[derive(Clone, Debug)]
pub enum AnyMap {
    /// An act map.
    Act(ActMap),
    /// A level.
    Level(Box<Level>),
    /// A floor.
    Floor(Box<Floor>),
    /// A tower.
    Tower(Box<Tower>),
}

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

impl AnyConfig {
    /// Reads a configuration from JSON.
    pub fn read(family: Family, json: &[u8]) -> Result<AnyConfig, Problem> {
        let read = || -> Result<AnyConfig, DecodeError> {
            Ok(match family {
                Family::Act => AnyConfig::Act(ActConfig::from_json(json)?),
                Family::Level => AnyConfig::Level(Box::new(LevelConfig::from_json(json)?)),
                Family::Floor => AnyConfig::Floor(Box::new(FloorConfig::from_json(json)?)),
                Family::Tower => AnyConfig::Tower(Box::new(TowerConfig::from_json(json)?)),
            })
        };
        read().map_err(|error| ForgeError::Decode(error).into())
    }

    /// What it would cost, if that is within the limits.
    pub fn weigh(&self, limits: &Limits) -> Result<Load, Problem> {
        let load = match self {
            AnyConfig::Act(config) => Load::of_act(config),
            AnyConfig::Level(config) => Load::of_level(config),
            AnyConfig::Floor(config) => Load::of_floor(config),
            AnyConfig::Tower(config) => Load::of_tower(config),
        };
        load.check(limits)
    }

    /// Makes the map of a seed.
    pub fn make(self, seed: Seed) -> Result<AnyMap, ForgeError> {
        Ok(match self {
            AnyConfig::Act(config) => AnyMap::Act(act::generate(seed, &config.resolve()?)?),
            AnyConfig::Level(config) => AnyMap::Level(Box::new(level::generate(seed, &config.resolve()?)?)),
            AnyConfig::Floor(config) => AnyMap::Floor(Box::new(floor::generate(seed, &config.resolve()?)?)),
            AnyConfig::Tower(config) => {
                AnyMap::Tower(Box::new(floor::generate_tower(seed, &config.resolve()?)?))
            }
        })
    }
}

impl AnyMap {
    /// Its document.
    pub fn to_document(&self) -> Document {
        match self {
            AnyMap::Act(map) => map.to_document(),
            AnyMap::Level(level) => level.to_document(),
            AnyMap::Floor(floor) => floor.to_document(),
            AnyMap::Tower(tower) => tower.to_document(),
        }
    }

    /// Its metrics, as the library's catalogue has them.
    pub fn readings(&self) -> Vec<Reading> {
        match self {
            AnyMap::Act(map) => Catalogue::of_act(&map.spec).readings(&mut ActMeter::default(), map),
            AnyMap::Level(level) => {
                Catalogue::of_level(&level.spec).readings(&mut LevelMeter::default(), level)
            }
            AnyMap::Floor(floor) => Catalogue::of_floor().readings(&mut FloorMeter::default(), floor),
            AnyMap::Tower(tower) => Catalogue::of_tower().readings(&mut TowerMeter::default(), tower),
        }
    }

    /// The map as formats take it.
    pub fn into_content(self) -> Content {
        match self {
            AnyMap::Act(map) => Content::Act(map),
            AnyMap::Level(level) => Content::Level(level),
            AnyMap::Floor(floor) => Content::Floor(floor),
            AnyMap::Tower(tower) => Content::Tower(*tower),
        }
    }

    /// The map in a form.
    pub fn write(self, seed: &Seed, form: Form, look: Look, brush: &mut Brush) -> Result<Vec<u8>, Problem> {
        match form {
            Form::Json => Ok(self.to_document().to_text().into_bytes()),
            Form::Svg | Form::Png | Form::Text => self.draw(form, look, brush),
            Form::Film => export::film(self, look),
            _ => {
                // Names of files take the number: text may hold anything.
                let stem = format!("{}-{}", self.family().name(), seed.number());
                export::write(self.into_content(), form, &stem, look.theme)
            }
        }
    }

    /// The family.
    pub fn family(&self) -> Family {
        match self {
            AnyMap::Act(_) => Family::Act,
            AnyMap::Level(_) => Family::Level,
            AnyMap::Floor(_) => Family::Floor,
            AnyMap::Tower(_) => Family::Tower,
        }
    }

    /// The map as a picture, or in characters.
    pub fn draw(&self, form: Form, look: Look, brush: &mut Brush) -> Result<Vec<u8>, Problem> {
        match self {
            AnyMap::Act(map) => draw_scene(&Scene::of_act(map), form, look, brush),
            AnyMap::Floor(floor) => draw_floors(&FloorScene::of_floor(floor), form, look, brush),
            AnyMap::Tower(tower) => draw_floors(&FloorScene::of_tower(tower), form, look, brush),
            AnyMap::Level(level) => {
                let routes = look.witness.routes();
                let scene = || LevelScene::of_level_with(level, LevelView { routes, ..LevelView::default() });
                Ok(match form {
                    Form::Svg => level_svg(&scene(), look.theme).into_bytes(),
                    Form::Png => {
                        let scene = scene();
                        look.fit(level_png_size(&scene, look.scale))?;
                        brush.painter().png_level(&scene, look.theme, look.scale)?
                    }
                    _ => level.blueprint.to_string().into_bytes(),
                })
            }
        }
    }
}

/// An act map's scene as a picture.
pub fn draw_scene(scene: &Scene, form: Form, look: Look, brush: &mut Brush) -> Result<Vec<u8>, Problem> {
    let labelled = look.labels.then(|| Scene { labels: true, ..scene.clone() });
    let scene = labelled.as_ref().unwrap_or(scene);
    Ok(match form {
        Form::Svg => svg(scene, look.theme).into_bytes(),
        Form::Png => {
            look.fit(png_size(scene, look.scale))?;
            brush.painter().png(scene, look.theme, look.scale)?
        }
        _ => ascii(scene, Paint::Plain).into_bytes(),
    })
}

/// Floors as a picture.
pub fn draw_floors(
    scene: &FloorScene,
    form: Form,
    look: Look,
    brush: &mut Brush,
) -> Result<Vec<u8>, Problem> {
    Ok(match form {
        Form::Svg => svg_floors(scene, look.theme).into_bytes(),
        Form::Png => {
            look.fit(scene.png_size(look.scale))?;
            brush.painter().png_floors(scene, look.theme, look.scale)?
        }
        _ => ascii_floors(scene, Paint::Plain).into_bytes(),
    })
}

impl Look {
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
