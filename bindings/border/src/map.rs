//! Maps of any family.

use crate::words::{parse_family, parse_seed};
use crate::{Fault, FaultKind};
use wayforge::act::{self, ActConfig, ActMap, Fog};
use wayforge::floor::{self, Floor, FloorConfig, Tower, TowerConfig};
use wayforge::level::{self, Level, LevelConfig};
use wayforge::metric::{ActMeter, Catalogue, FloorMeter, LevelMeter, Reading, TowerMeter};
use wayforge::{DecodeError, Document, Family, ForgeError, Report, Run, Seed};
use wayforge_draw::{FloorScene, LevelScene, LevelView, Paint, Routes, Scene, Theme};

/// A map of any family.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyMap {
    /// An act map.
    Act(Box<ActMap>),
    /// A level.
    Level(Box<Level>),
    /// A floor.
    Floor(Box<Floor>),
    /// A tower.
    Tower(Box<Tower>),
}

impl AnyMap {
    /// Makes the map of a seed under a configuration in JSON.
    pub fn make(family: &str, seed: &str, config: &str) -> Result<AnyMap, Fault> {
        Ok(AnyMap::generate(parse_family(family)?, parse_seed(seed), config.as_bytes())?)
    }

    /// The same with family and seed as the library has them.
    pub fn generate(family: Family, seed: Seed, config: &[u8]) -> Result<AnyMap, ForgeError> {
        Ok(match family {
            Family::Act => {
                AnyMap::Act(Box::new(act::generate(seed, &ActConfig::from_json(config)?.resolve()?)?))
            }
            Family::Level => {
                AnyMap::Level(Box::new(level::generate(seed, &LevelConfig::from_json(config)?.resolve()?)?))
            }
            Family::Floor => {
                AnyMap::Floor(Box::new(floor::generate(seed, &FloorConfig::from_json(config)?.resolve()?)?))
            }
            Family::Tower => AnyMap::Tower(Box::new(floor::generate_tower(
                seed,
                &TowerConfig::from_json(config)?.resolve()?,
            )?)),
        })
    }

    /// Reads a document strictly.
    ///
    /// ```
    /// use wayforge_border::AnyMap;
    /// let map = AnyMap::make("floor", "7", "{}")?;
    /// assert_eq!(AnyMap::read(map.document().to_text().as_bytes())?, map);
    /// # Ok::<(), wayforge_border::Fault>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<AnyMap, Fault> {
        let document = Document::decode(bytes)?;
        let Some(family) = Family::of(&document.algorithm) else {
            let known =
                "act.walks/1, act.rows/1, act.spire/1, level.blueprint/1, floor.module/1, floor.tower/1";
            let value = document.algorithm.chars().take(80).collect();
            return Err(DecodeError::Unknown { field: "algorithm", value, known: known.to_owned() }.into());
        };
        Ok(match family {
            Family::Act => AnyMap::Act(Box::new(ActMap::decode(bytes)?)),
            Family::Level => AnyMap::Level(Box::new(Level::decode(bytes)?)),
            Family::Floor => AnyMap::Floor(Box::new(Floor::decode(bytes)?)),
            Family::Tower => AnyMap::Tower(Box::new(Tower::decode(bytes)?)),
        })
    }

    /// Its family.
    pub fn family(&self) -> Family {
        match self {
            AnyMap::Act(_) => Family::Act,
            AnyMap::Level(_) => Family::Level,
            AnyMap::Floor(_) => Family::Floor,
            AnyMap::Tower(_) => Family::Tower,
        }
    }

    /// Its seed in decimal.
    pub fn seed(&self) -> String {
        match self {
            AnyMap::Act(map) => map.seed,
            AnyMap::Level(level) => level.seed,
            AnyMap::Floor(floor) => floor.seed,
            AnyMap::Tower(tower) => tower.seed,
        }
        .to_string()
    }

    /// Its document.
    pub fn document(&self) -> Document {
        match self {
            AnyMap::Act(map) => map.to_document(),
            AnyMap::Level(level) => level.to_document(),
            AnyMap::Floor(floor) => floor.to_document(),
            AnyMap::Tower(tower) => tower.to_document(),
        }
    }

    /// What a floor or the floors of a tower say in `generatedAt`; the digest does not depend on it.
    pub fn set_time(&mut self, time: &str) {
        match self {
            AnyMap::Floor(floor) => {
                floor.generated_at = time.chars().filter(|c| !c.is_control()).take(64).collect();
            }
            AnyMap::Tower(tower) => tower.set_time(time),
            AnyMap::Act(_) | AnyMap::Level(_) => {}
        }
    }

    /// Every rule, and every place where one is broken; if asked, whether the seed makes the map again, too.
    pub fn validate(&self, reproduce: bool) -> Result<Report, Fault> {
        Ok(wayforge::judge(&self.document(), reproduce)?)
    }

    /// A run on it.
    pub fn play(&self, fog: Fog) -> Result<Run, Fault> {
        Ok(Run::start_in(&self.document(), fog)?)
    }

    /// What the routes of an act map meet from a node on, or from the start, as JSON.
    pub fn routes(&self, from: Option<[u16; 2]>) -> Result<String, Fault> {
        let AnyMap::Act(map) = self else {
            let fault =
                Fault::new(FaultKind::Config, format!("a {} has no routes; ask an act map", self.family()));
            return Err(Fault { field: Some("family".to_owned()), ..fault });
        };
        let from = from.map(|[row, col]| (row, col));
        if let Some((row, col)) = from
            && !map.nodes.iter().any(|node| (node.row, node.col) == (row, col))
        {
            let refusal = wayforge::ConfigError::new(
                "from",
                format!("{row},{col}"),
                "no node",
                "use the row and column of a node",
            );
            return Err(refusal.into());
        }
        let report = act::routes(map).report(map, from);
        serde_json::to_string(&report).map_err(|error| Fault::new(FaultKind::Config, error))
    }

    /// The metrics of its family.
    pub fn catalogue(&self) -> Catalogue {
        match self {
            AnyMap::Act(map) => Catalogue::of_act(&map.spec),
            AnyMap::Level(_) => Catalogue::of_level(),
            AnyMap::Floor(_) => Catalogue::of_floor(),
            AnyMap::Tower(_) => Catalogue::of_tower(),
        }
    }

    /// Every metric of it, by name, in the order of their documentation.
    pub fn metrics(&self) -> Vec<(String, i64)> {
        self.readings().into_iter().map(|reading| (reading.name, reading.value)).collect()
    }

    /// The same with unit and meaning.
    pub fn readings(&self) -> Vec<Reading> {
        let catalogue = self.catalogue();
        match self {
            AnyMap::Act(map) => catalogue.readings(&mut ActMeter::default(), map),
            AnyMap::Level(level) => catalogue.readings(&mut LevelMeter::default(), level),
            AnyMap::Floor(floor) => catalogue.readings(&mut FloorMeter::default(), floor),
            AnyMap::Tower(tower) => catalogue.readings(&mut TowerMeter::default(), tower),
        }
    }

    /// The map as SVG; of a level with its proven routes, if asked.
    pub fn svg(&self, theme: Theme, witness: bool) -> String {
        match self {
            AnyMap::Act(map) => wayforge_draw::svg(&Scene::of_act(map), theme),
            AnyMap::Level(level) => wayforge_draw::level_svg(&level_scene(level, witness), theme),
            AnyMap::Floor(floor) => wayforge_draw::svg_floors(&FloorScene::of_floor(floor), theme),
            AnyMap::Tower(tower) => wayforge_draw::svg_floors(&FloorScene::of_tower(tower), theme),
        }
    }

    /// The map as text.
    pub fn ascii(&self) -> String {
        match self {
            AnyMap::Act(map) => wayforge_draw::ascii(&Scene::of_act(map), Paint::Plain),
            AnyMap::Level(level) => level.blueprint.to_string(),
            AnyMap::Floor(floor) => wayforge_draw::ascii_floors(&FloorScene::of_floor(floor), Paint::Plain),
            AnyMap::Tower(tower) => wayforge_draw::ascii_floors(&FloorScene::of_tower(tower), Paint::Plain),
        }
    }

    /// The map as PNG, at a scale in percent.
    #[cfg(feature = "png")]
    pub fn png(&self, theme: Theme, witness: bool, scale: u32) -> Result<Vec<u8>, Fault> {
        Ok(match self {
            AnyMap::Act(map) => wayforge_draw::png(&Scene::of_act(map), theme, scale)?,
            AnyMap::Level(level) => wayforge_draw::level_png(&level_scene(level, witness), theme, scale)?,
            AnyMap::Floor(floor) => wayforge_draw::png_floors(&FloorScene::of_floor(floor), theme, scale)?,
            AnyMap::Tower(tower) => wayforge_draw::png_floors(&FloorScene::of_tower(tower), theme, scale)?,
        })
    }
}

fn level_scene(level: &Level, witness: bool) -> LevelScene {
    let routes = if witness { Routes::All } else { Routes::None };
    LevelScene::of_level_with(level, LevelView { routes, ..LevelView::default() })
}
