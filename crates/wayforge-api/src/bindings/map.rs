//! Maps of any family.

use super::parse::{parse_family, parse_seed};
use super::{BindingError, BindingErrorKind};
use crate::AnyScene;
use std::cell::Cell;
use wayforge::act::{self, Fog, NodePos};
use wayforge::{AnyMap, AnySpec, Family, GenerateError, InputError, Report, Run, Seed};
use wayforge_draw::{Routes, Theme};

thread_local! {
    /// The configuration of the last map: its family, its text, and what it means.
    static LAST: Cell<Option<(Family, Vec<u8>, AnySpec)>> = const { Cell::new(None) };
}

/// Generates the map of a seed under a configuration in JSON.
pub fn generate_map(family: &str, seed: &str, config: &str) -> Result<AnyMap, BindingError> {
    Ok(generate(parse_family(family)?, parse_seed(seed)?, config.as_bytes())?)
}

/// Does the same with family and seed as values of the library.
///
/// The last spec of each thread is cached, so that many maps of one configuration resolve it once.
pub fn generate(family: Family, seed: Seed, config: &[u8]) -> Result<AnyMap, GenerateError> {
    let last = LAST.take().filter(|(of, text, _)| *of == family && text == config);
    let last = match last {
        Some(last) => last,
        None => (family, config.to_vec(), AnySpec::from_json(family, config)?),
    };
    let generated = last.2.generate(seed);
    LAST.set(Some(last));
    generated
}

/// What the packages offer on maps of any family, with errors that every language can report.
pub trait MapExt {
    /// Validates the map; with `reproduce`, also generates it again and compares.
    fn report(&self, reproduce: bool) -> Result<Report, BindingError>;

    /// Starts a run on the map.
    fn play(&self, fog: Fog) -> Result<Run, BindingError>;

    /// Analyses the routes of an act map from a node, given by column and row, or from the start. Returns JSON.
    fn routes(&self, from: Option<[u16; 2]>) -> Result<String, BindingError>;

    /// Every metric by name, in the order of the documentation.
    fn metrics(&self) -> Vec<(String, i64)>;

    /// The map as SVG: a level with its proven routes, an act map with column and row beside every node.
    fn svg(&self, theme: Theme, witness: bool, labels: bool) -> Result<String, BindingError>;

    /// The map as text.
    fn ascii(&self) -> String;

    /// The map as PNG, at a scale in percent.
    #[cfg(feature = "png")]
    fn png(&self, theme: Theme, witness: bool, labels: bool, scale: u32) -> Result<Vec<u8>, BindingError>;
}

impl MapExt for AnyMap {
    fn report(&self, reproduce: bool) -> Result<Report, BindingError> {
        Ok(wayforge::validate_document(&self.to_document(), reproduce)?)
    }

    fn play(&self, fog: Fog) -> Result<Run, BindingError> {
        Ok(Run::start_in(&self.to_document(), fog)?)
    }

    fn routes(&self, from: Option<[u16; 2]>) -> Result<String, BindingError> {
        let AnyMap::Act(map) = self else {
            let fault = BindingError::new(
                BindingErrorKind::Input,
                format!("a {} has no routes; ask an act map", self.family()),
            );
            return Err(BindingError { field: Some("family".to_owned()), ..fault });
        };
        let from = from.map(|[col, row]| NodePos { col, row });
        if let Some(from) = from
            && !map.nodes.iter().any(|node| node.pos() == from)
        {
            let remedy = "use the column and row of a node";
            return Err(InputError::new("from", from, "no node", remedy).into());
        }
        let report = act::routes(map).report(map, from);
        serde_json::to_string(&report).map_err(|error| BindingError::new(BindingErrorKind::Input, error))
    }

    fn metrics(&self) -> Vec<(String, i64)> {
        self.readings().into_iter().map(|reading| (reading.name, reading.value)).collect()
    }

    fn svg(&self, theme: Theme, witness: bool, labels: bool) -> Result<String, BindingError> {
        Ok(scene(self, witness, labels)?.svg(theme))
    }

    fn ascii(&self) -> String {
        AnyScene::of_map(self, Routes::None, false).ascii()
    }

    #[cfg(feature = "png")]
    fn png(&self, theme: Theme, witness: bool, labels: bool, scale: u32) -> Result<Vec<u8>, BindingError> {
        Ok(scene(self, witness, labels)?.png(&mut wayforge_draw::Painter::new(), theme, scale)?)
    }
}

fn scene(map: &AnyMap, witness: bool, labels: bool) -> Result<AnyScene, BindingError> {
    if labels && !matches!(map, AnyMap::Act(_)) {
        let problem = format!("a {} has no nodes to label", map.family());
        return Err(InputError::new("labels", true, problem, "leave it out, or draw an act map").into());
    }
    Ok(AnyScene::of_map(map, if witness { Routes::All } else { Routes::None }, labels))
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
                let made = generate_map(family, "5", config).unwrap();
                let alone = std::thread::spawn(move || generate_map(family, "5", config).unwrap());
                assert_eq!(made, alone.join().unwrap(), "{family} {config} in round {round}");
                assert_eq!(made, generate_map(family, "5", config).unwrap());
            }
        }
        assert!(generate_map("floor", "5", r#"{"width": 0}"#).is_err());
        assert_eq!(generate_map("floor", "5", "{}").unwrap().family(), Family::Floor);
    }

    #[test]
    fn marks_of_a_stage_are_metrics() {
        let level = generate_map("level", "5", r#"{"marks": [{"name": "key", "count": 3}]}"#).unwrap();
        assert!(level.metrics().contains(&("count(key)".to_owned(), 3)));
        let plain = generate_map("level", "5", "{}").unwrap().metrics();
        assert_eq!(plain.last().unwrap().0, "count(moving)");
    }
}
