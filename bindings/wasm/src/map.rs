//! Maps of any family, and runs on them.

use crate::{Fault, json};
use std::cell::OnceCell;
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::run::Move;
use wayforge::{Document, Run};
use wayforge_api::bindings::{AnyMap, MapExt, generate_map, parse_cell, parse_fog, parse_theme};

/// A map, and its document once somebody asks for it.
#[wasm_bindgen]
pub struct RawMap {
    map: AnyMap,
    document: OnceCell<Document>,
}

#[wasm_bindgen]
impl RawMap {
    /// The map of a seed under a configuration.
    pub fn make(family: &str, seed: &str, config: &str) -> Result<RawMap, Fault> {
        Ok(RawMap::new(generate_map(family, seed, config)?))
    }

    /// The map of a document, read strictly.
    pub fn read(document: &str) -> Result<RawMap, Fault> {
        Ok(RawMap::new(AnyMap::decode(document.as_bytes())?))
    }

    /// The family.
    pub fn family(&self) -> String {
        self.map.family().name().to_owned()
    }

    /// The algorithm.
    pub fn algorithm(&self) -> String {
        self.document().algorithm.clone()
    }

    /// The seed in decimal.
    pub fn seed(&self) -> String {
        self.map.seed().to_string()
    }

    /// The digest.
    pub fn digest(&self) -> String {
        self.document().digest.to_string()
    }

    /// The configuration as JSON.
    pub fn config(&self) -> String {
        self.document().config.clone()
    }

    /// The map as JSON.
    pub fn map(&self) -> String {
        self.document().map.clone()
    }

    /// The document.
    pub fn text(&self) -> String {
        self.document().to_text()
    }

    /// The verdict as JSON.
    pub fn validate(&self, reproduce: bool) -> Result<String, Fault> {
        json(&self.map.report(reproduce)?)
    }

    /// What the routes of an act map meet, as JSON; from the start, or from the cell in `from`.
    pub fn routes(&self, from: Option<Vec<f64>>) -> Result<String, Fault> {
        let cell = match from.as_deref() {
            Some(&[col, row]) => Some(parse_cell("start", [col as i64, row as i64])?),
            _ => None,
        };
        Ok(self.map.routes(cell)?)
    }

    /// Every metric by name, as JSON; in the order of their documentation.
    pub fn metrics(&self) -> Result<String, Fault> {
        json(&self.map.metrics())
    }

    /// The map as SVG.
    pub fn svg(&self, theme: &str, witness: bool, labels: bool) -> Result<String, Fault> {
        Ok(self.map.svg(parse_theme(theme)?, witness, labels)?)
    }

    /// The map as text.
    pub fn ascii(&self) -> String {
        self.map.ascii()
    }

    /// A run on it.
    pub fn play(&self, fog: Option<u32>) -> Result<RawPlay, Fault> {
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

/// A map being played.
#[wasm_bindgen]
pub struct RawPlay(Run);

#[wasm_bindgen]
impl RawPlay {
    /// The legal moves.
    pub fn moves(&self) -> Vec<String> {
        self.0.moves().iter().map(Move::to_string).collect()
    }

    /// Whether the goal is reached.
    pub fn finished(&self) -> bool {
        self.0.is_finished()
    }

    /// The save.
    pub fn progress(&self) -> String {
        self.0.progress()
    }

    /// The digest of the map.
    pub fn digest(&self) -> String {
        self.0.digest().to_string()
    }

    /// The run after a move.
    pub fn advance(&self, step: &str) -> Result<RawPlay, Fault> {
        Ok(RawPlay(self.0.advance(step.parse::<Move>()?)?))
    }

    /// The run before the last move.
    pub fn undo(&self) -> Option<RawPlay> {
        self.0.undo().map(RawPlay)
    }

    /// The run at its beginning.
    pub fn restart(&self) -> RawPlay {
        RawPlay(self.0.restarted())
    }

    /// The run of a save on the same map.
    pub fn resume(&self, progress: &str) -> Result<RawPlay, Fault> {
        Ok(RawPlay(self.0.resumed(progress.as_bytes())?))
    }
}
