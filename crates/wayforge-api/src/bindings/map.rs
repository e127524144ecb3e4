//! Generates, validates and draws maps of any family for the language packages.

use super::parse::{parse_family, parse_seed};
use super::{BindingError, BindingErrorKind};
use crate::FamilyOption;
use std::cell::Cell;
use wayforge::act::{self, Fog, NodePos};
use wayforge::{AnyMap, AnySpec, Family, GenerateError, InputError, Report, Run, Seed};
use wayforge_draw::{AnyScene, AsciiStyle, Routes, Theme};

thread_local! {
    /// Family, configuration text and resolved spec of the last generated map.
    static LAST_SPEC: Cell<Option<(Family, Vec<u8>, AnySpec)>> = const { Cell::new(None) };
}

/// Generates the map of a seed under a JSON configuration.
///
/// # Errors
/// [`BindingError`] if family, seed or configuration is invalid, or the seed has no map.
pub fn generate_map(family: &str, seed: &str, config: &str) -> Result<AnyMap, BindingError> {
    Ok(generate(parse_family(family)?, parse_seed(seed)?, config.as_bytes())?)
}

/// Generates a map, with family and seed already parsed.
///
/// Each thread caches its last spec, so a series of maps resolves its configuration once.
///
/// # Errors
/// [`GenerateError`] if the configuration is invalid or the seed has no map.
pub fn generate(family: Family, seed: Seed, config: &[u8]) -> Result<AnyMap, GenerateError> {
    let cached = LAST_SPEC.take().filter(|(cached, text, _)| *cached == family && text == config);
    let entry = match cached {
        Some(entry) => entry,
        None => (family, config.to_vec(), AnySpec::from_json(family, config)?),
    };
    let generated = entry.2.generate(seed);
    LAST_SPEC.set(Some(entry));
    generated
}

/// Map operations of the language packages.
pub trait MapExt {
    /// Validates the map; with `reproduce`, also regenerates it from its seed and compares both.
    ///
    /// # Errors
    /// [`BindingError`] if the document of the map cannot be decoded.
    fn report(&self, reproduce: bool) -> Result<Report, BindingError>;

    /// Starts a run on the map.
    ///
    /// # Errors
    /// [`BindingError`] if the map is a level.
    fn play(&self, fog: Fog) -> Result<Run, BindingError>;

    /// Analyses the routes of an act map from a node (column, row) or from the start; returns JSON.
    ///
    /// # Errors
    /// [`BindingError`] if the map is not an act map or has no such node.
    fn routes(&self, from: Option<[u16; 2]>) -> Result<String, BindingError>;

    /// Returns every metric with its name, in the order of the documentation.
    fn metrics(&self) -> Vec<(String, i64)>;

    /// Draws the map as SVG.
    ///
    /// With `witness`, a level shows its proven routes. With `labels`, the nodes of an act map show
    /// column and row.
    ///
    /// # Errors
    /// [`BindingError`] if `labels` is set and the map is not an act map.
    fn svg(&self, theme: Theme, witness: bool, labels: bool) -> Result<String, BindingError>;

    /// Draws the map as text.
    fn ascii(&self) -> String;

    /// Draws the map as PNG, at a scale in percent, with the options of [`svg`](MapExt::svg).
    ///
    /// # Errors
    /// [`BindingError`] if `labels` is not supported, or the scale is out of range or too large.
    #[cfg(feature = "png")]
    fn png(
        &self,
        theme: Theme,
        witness: bool,
        labels: bool,
        scale: u32,
    ) -> Result<Vec<u8>, BindingError>;
}

impl MapExt for AnyMap {
    fn report(&self, reproduce: bool) -> Result<Report, BindingError> {
        Ok(wayforge::validate_document(&self.to_document(), reproduce)?)
    }

    fn play(&self, fog: Fog) -> Result<Run, BindingError> {
        Ok(Run::start_with_fog(&self.to_document(), fog)?)
    }

    fn routes(&self, from: Option<[u16; 2]>) -> Result<String, BindingError> {
        let AnyMap::Act(map) = self else {
            let base = BindingError::new(
                BindingErrorKind::Input,
                format!("a {} has no routes; use an act map", self.family()),
            );
            return Err(BindingError { field: Some("family".to_owned()), ..base });
        };
        let from = from.map(|[col, row]| NodePos { col, row });
        if let Some(from) = from
            && !map.nodes.iter().any(|node| node.pos() == from)
        {
            let remedy = "use the column and row of a node";
            return Err(InputError::new("from", from, "not a node of the map", remedy).into());
        }
        let report = act::routes(map).report(map, from);
        serde_json::to_string(&report)
            .map_err(|error| BindingError::new(BindingErrorKind::Input, error))
    }

    fn metrics(&self) -> Vec<(String, i64)> {
        self.metric_values().into_iter().map(|metric| (metric.name, metric.value)).collect()
    }

    fn svg(&self, theme: Theme, witness: bool, labels: bool) -> Result<String, BindingError> {
        Ok(scene(self, witness, labels)?.svg(theme))
    }

    fn ascii(&self) -> String {
        AnyScene::from_map(self).ascii(AsciiStyle::Plain)
    }

    #[cfg(feature = "png")]
    fn png(
        &self,
        theme: Theme,
        witness: bool,
        labels: bool,
        scale: u32,
    ) -> Result<Vec<u8>, BindingError> {
        Ok(wayforge_draw::png(&scene(self, witness, labels)?, theme, scale)?)
    }
}

fn scene(map: &AnyMap, witness: bool, labels: bool) -> Result<AnyScene, BindingError> {
    if labels && !FamilyOption::Labels.is_supported_by(map.family()) {
        let problem = format!("a {} has no nodes to label", map.family());
        return Err(
            InputError::new("labels", true, problem, "leave it out, or draw an act map").into()
        );
    }
    Ok(AnyScene::from_map_with(map, if witness { Routes::All } else { Routes::None }, labels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_spec_is_not_used_for_another_configuration() {
        let requests = [
            ("act", "{}"),
            ("floor", "{}"),
            ("floor", r#"{"width": 7}"#),
            ("act", r#"{"rows": 9}"#),
            ("tower", r#"{"floors": 2}"#),
            ("level", "{}"),
        ];
        for round in 0..3 {
            for (family, config) in requests {
                let map = generate_map(family, "5", config).unwrap();
                let uncached =
                    std::thread::spawn(move || generate_map(family, "5", config).unwrap());
                assert_eq!(map, uncached.join().unwrap(), "{family} {config} in round {round}");
                assert_eq!(map, generate_map(family, "5", config).unwrap());
            }
        }
        assert!(generate_map("floor", "5", r#"{"width": 0}"#).is_err());
        assert_eq!(generate_map("floor", "5", "{}").unwrap().family(), Family::Floor);
    }

    #[test]
    fn marks_of_a_level_config_are_metrics() {
        let level =
            generate_map("level", "5", r#"{"marks": [{"name": "key", "count": 3}]}"#).unwrap();
        assert!(level.metrics().contains(&("count(key)".to_owned(), 3)));
        let plain = generate_map("level", "5", "{}").unwrap().metrics();
        assert_eq!(plain.last().unwrap().0, "count(moving)");
    }
}
