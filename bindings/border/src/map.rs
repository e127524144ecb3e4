//! Maps of any family.

use crate::words::{parse_family, parse_seed};
use crate::{Fault, FaultKind};
use std::cell::Cell;
use wayforge::act::{self, ActConfig, ActMap, ActSpec, Fog, NodePos};
use wayforge::floor::{self, Floor, FloorConfig, FloorSpec, Tower, TowerConfig, TowerSpec};
use wayforge::level::{self, Level, LevelConfig, LevelSpec};
use wayforge::metric::{ActMeter, Catalogue, FloorMeter, LevelMeter, Reading, TowerMeter};
use wayforge::{DecodeError, Document, Family, ForgeError, Report, Run, SavedMap, Seed};
use wayforge_draw::{FloorScene, Layout, LevelScene, LevelView, Paint, Routes, Scene, Theme};

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

/// A configuration that was checked.
enum Spec {
    Act(ActSpec),
    Level(LevelSpec),
    Floor(FloorSpec),
    Tower(TowerSpec),
}

thread_local! {
    /// The configuration of the last map: its family, its text, and what it means.
    static LAST: Cell<Option<(Family, Vec<u8>, Spec)>> = const { Cell::new(None) };
}

impl Spec {
    fn read(family: Family, config: &[u8]) -> Result<Spec, ForgeError> {
        Ok(match family {
            Family::Act => Spec::Act(ActConfig::from_json(config)?.resolve()?),
            Family::Level => Spec::Level(LevelConfig::from_json(config)?.resolve()?),
            Family::Floor => Spec::Floor(FloorConfig::from_json(config)?.resolve()?),
            Family::Tower => Spec::Tower(TowerConfig::from_json(config)?.resolve()?),
        })
    }

    fn make(&self, seed: Seed) -> Result<AnyMap, ForgeError> {
        Ok(match self {
            Spec::Act(spec) => AnyMap::Act(Box::new(act::generate(seed, spec)?)),
            Spec::Level(spec) => AnyMap::Level(Box::new(level::generate(seed, spec)?)),
            Spec::Floor(spec) => AnyMap::Floor(Box::new(floor::generate(seed, spec)?)),
            Spec::Tower(spec) => AnyMap::Tower(Box::new(floor::generate_tower(seed, spec)?)),
        })
    }
}

impl AnyMap {
    /// Makes the map of a seed under a configuration in JSON.
    pub fn make(family: &str, seed: &str, config: &str) -> Result<AnyMap, Fault> {
        Ok(AnyMap::generate(parse_family(family)?, parse_seed(seed)?, config.as_bytes())?)
    }

    /// The same with family and seed as the library has them.
    ///
    /// * **Complexity.** The last configuration of a thread is kept checked: many maps under one cost its reading once.
    pub fn generate(family: Family, seed: Seed, config: &[u8]) -> Result<AnyMap, ForgeError> {
        let last = LAST.take().filter(|(of, text, _)| *of == family && text == config);
        let kept = match last {
            Some(kept) => kept,
            None => (family, config.to_vec(), Spec::read(family, config)?),
        };
        let made = kept.2.make(seed);
        LAST.set(Some(kept));
        made
    }

    /// Reads a document strictly, or a `MapFloor` without an envelope.
    ///
    /// ```
    /// use wayforge_border::AnyMap;
    /// let map = AnyMap::make("floor", "7", "{}")?;
    /// assert_eq!(AnyMap::read(map.document().to_text().as_bytes())?, map);
    /// # Ok::<(), wayforge_border::Fault>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<AnyMap, Fault> {
        let saved = SavedMap::decode(bytes)?;
        if let SavedMap::MapFloor(floor) = &saved {
            return Ok(AnyMap::Floor(Box::new(floor.to_floor()?)));
        }
        let document = saved.to_document()?;
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

    /// Its seed.
    pub fn seed(&self) -> &Seed {
        match self {
            AnyMap::Act(map) => &map.seed,
            AnyMap::Level(level) => &level.seed,
            AnyMap::Floor(floor) => &floor.seed,
            AnyMap::Tower(tower) => &tower.seed,
        }
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

    /// What the routes of an act map meet from a node on, given by column and row, or from the start, as JSON.
    pub fn routes(&self, from: Option<[u16; 2]>) -> Result<String, Fault> {
        let AnyMap::Act(map) = self else {
            let fault =
                Fault::new(FaultKind::Config, format!("a {} has no routes; ask an act map", self.family()));
            return Err(Fault { field: Some("family".to_owned()), ..fault });
        };
        let from = from.map(|[col, row]| NodePos { col, row });
        if let Some(from) = from
            && !map.nodes.iter().any(|node| node.pos() == from)
        {
            let refusal =
                wayforge::ConfigError::new("from", from, "no node", "use the column and row of a node");
            return Err(refusal.into());
        }
        let report = act::routes(map).report(map, from);
        serde_json::to_string(&report).map_err(|error| Fault::new(FaultKind::Config, error))
    }

    /// The metrics of its family.
    pub fn catalogue(&self) -> Catalogue {
        match self {
            AnyMap::Act(map) => Catalogue::of_act(&map.spec),
            AnyMap::Level(level) => Catalogue::of_level(&level.spec),
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

    /// The map as SVG; of a level with its proven routes, of an act map with column and row beside every node.
    pub fn svg(&self, theme: Theme, witness: bool, labels: bool) -> Result<String, Fault> {
        self.check_labels(labels)?;
        Ok(match self {
            AnyMap::Act(map) => wayforge_draw::svg(&act_scene(map, labels), theme),
            AnyMap::Level(level) => wayforge_draw::level_svg(&level_scene(level, witness), theme),
            AnyMap::Floor(floor) => wayforge_draw::svg_floors(&FloorScene::of_floor(floor), theme),
            AnyMap::Tower(tower) => wayforge_draw::svg_floors(&FloorScene::of_tower(tower), theme),
        })
    }

    fn check_labels(&self, labels: bool) -> Result<(), Fault> {
        if !labels || matches!(self, AnyMap::Act(_)) {
            return Ok(());
        }
        let problem = format!("a {} has no nodes to label", self.family());
        Err(wayforge::ConfigError::new("labels", true, problem, "leave it out, or draw an act map").into())
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
    pub fn png(&self, theme: Theme, witness: bool, labels: bool, scale: u32) -> Result<Vec<u8>, Fault> {
        self.check_labels(labels)?;
        Ok(match self {
            AnyMap::Act(map) => wayforge_draw::png(&act_scene(map, labels), theme, scale)?,
            AnyMap::Level(level) => wayforge_draw::level_png(&level_scene(level, witness), theme, scale)?,
            AnyMap::Floor(floor) => wayforge_draw::png_floors(&FloorScene::of_floor(floor), theme, scale)?,
            AnyMap::Tower(tower) => wayforge_draw::png_floors(&FloorScene::of_tower(tower), theme, scale)?,
        })
    }
}

fn act_scene(map: &ActMap, labels: bool) -> Scene {
    Scene::of_act_with(map, Layout { labels, ..Layout::default() })
}

fn level_scene(level: &Level, witness: bool) -> LevelScene {
    let routes = if witness { Routes::All } else { Routes::None };
    LevelScene::of_level_with(level, LevelView { routes, ..LevelView::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The configuration that is kept is never taken for another one.
    #[test]
    fn maps_by_turns_are_those_of_their_own_configurations() {
        let asked = [
            ("act", "{}"),
            ("floor", "{}"),
            ("floor", r#"{"width": 7}"#),
            ("act", r#"{"rows": 9}"#),
            ("tower", r#"{"floors": 2}"#),
            ("level", "{}"),
        ];
        for round in 0..3 {
            for (family, config) in asked {
                let made = AnyMap::make(family, "5", config).unwrap();
                let alone = std::thread::spawn(move || AnyMap::make(family, "5", config).unwrap());
                assert_eq!(made, alone.join().unwrap(), "{family} {config} in round {round}");
                assert_eq!(made, AnyMap::make(family, "5", config).unwrap());
            }
        }
        assert!(AnyMap::make("floor", "5", r#"{"width": 0}"#).is_err());
        assert_eq!(AnyMap::make("floor", "5", "{}").unwrap().family(), Family::Floor);
    }

    #[test]
    fn marks_of_a_stage_are_metrics() {
        let level = AnyMap::make("level", "5", r#"{"marks": [{"name": "key", "count": 3}]}"#).unwrap();
        assert!(level.metrics().contains(&("count(key)".to_owned(), 3)));
        let plain = AnyMap::make("level", "5", "{}").unwrap().metrics();
        assert_eq!(plain.last().unwrap().0, "count(moving)");
    }
}
