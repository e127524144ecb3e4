//! Maps of any family, and playing them.

use crate::{ThrownError, json};
use std::cell::OnceCell;
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::run::Move;
use wayforge::{Document, Run};
use wayforge_api::bindings::{AnyMap, MapExt, generate_map, parse_cell, parse_fog, parse_theme};

/// Map with its document, which is built on first use.
#[wasm_bindgen]
pub struct RawMap {
    map: AnyMap,
    document: OnceCell<Document>,
}

#[wasm_bindgen]
impl RawMap {
    /// Generates a map from a seed and a configuration.
    pub fn generate(family: &str, seed: &str, config: &str) -> Result<RawMap, ThrownError> {
        Ok(RawMap::new(generate_map(family, seed, config)?))
    }

    /// Decodes a document. Its structure, configuration, canonical form and digest must be valid.
    pub fn decode(document: &str) -> Result<RawMap, ThrownError> {
        Ok(RawMap::new(AnyMap::decode(document.as_bytes())?))
    }

    /// Name of the family.
    pub fn family(&self) -> String {
        self.map.family().name().to_owned()
    }

    /// Name of the algorithm that generated the map.
    pub fn algorithm(&self) -> String {
        self.document().algorithm.clone()
    }

    /// Seed as it was given; numbers in decimal.
    pub fn seed(&self) -> String {
        self.map.seed().to_string()
    }

    /// Digest of the document.
    pub fn digest(&self) -> String {
        self.document().digest.to_string()
    }

    /// Configuration as JSON.
    pub fn config(&self) -> String {
        self.document().config.clone()
    }

    /// Map as JSON.
    pub fn map(&self) -> String {
        self.document().map.clone()
    }

    /// Canonical text of the document.
    pub fn text(&self) -> String {
        self.document().to_text()
    }

    /// Validates the map and returns the report as JSON.
    pub fn validate(&self, reproduce: bool) -> Result<String, ThrownError> {
        json(&self.map.report(reproduce)?)
    }

    /// Analyses the routes of an act map, from a node or from row 0. Returns JSON.
    pub fn routes(&self, from: Option<Vec<f64>>) -> Result<String, ThrownError> {
        let cell = match from.as_deref() {
            Some(&[col, row]) => Some(parse_cell("start", [col as i64, row as i64])?),
            _ => None,
        };
        Ok(self.map.routes(cell)?)
    }

    /// All metrics as JSON pairs of name and value, in the order of the catalogue.
    pub fn metrics(&self) -> Result<String, ThrownError> {
        json(&self.map.metrics())
    }

    /// Draws the map as SVG.
    pub fn svg(&self, theme: &str, witness: bool, labels: bool) -> Result<String, ThrownError> {
        Ok(self.map.svg(parse_theme(theme)?, witness, labels)?)
    }

    /// Draws the map as text.
    pub fn ascii(&self) -> String {
        self.map.ascii()
    }

    /// Starts a run on the map.
    pub fn play(&self, fog: Option<u32>) -> Result<RawPlay, ThrownError> {
        Ok(RawPlay(self.map.play(parse_fog(fog)?)?))
    }
}

impl RawMap {
    fn new(map: AnyMap) -> RawMap {
        RawMap { map, document: OnceCell::new() }
    }

    fn document(&self) -> &Document {
        self.document.get_or_init(|| self.map.to_document())
    }
}

/// Immutable state of a run on a map.
#[wasm_bindgen]
pub struct RawPlay(Run);

#[wasm_bindgen]
impl RawPlay {
    /// Legal moves.
    pub fn moves(&self) -> Vec<String> {
        self.0.moves().iter().map(Move::to_string).collect()
    }

    /// True if the goal is reached.
    pub fn finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Save of the run: one line of JSON.
    pub fn progress(&self) -> String {
        self.0.progress()
    }

    /// Digest of the map.
    pub fn digest(&self) -> String {
        self.0.digest().to_string()
    }

    /// Returns the run after a move.
    pub fn advance(&self, step: &str) -> Result<RawPlay, ThrownError> {
        Ok(RawPlay(self.0.advance(step.parse::<Move>()?)?))
    }

    /// Returns the run before the last move.
    pub fn undo(&self) -> Option<RawPlay> {
        self.0.undo().map(RawPlay)
    }

    /// Returns the run before the first move.
    pub fn restart(&self) -> RawPlay {
        RawPlay(self.0.restarted())
    }

    /// Returns the run of a save on the same map.
    pub fn resume(&self, progress: &str) -> Result<RawPlay, ThrownError> {
        Ok(RawPlay(self.0.resumed(progress.as_bytes())?))
    }
}
