//! Maps of any family, and runs on them.

use crate::{json, thrown};
use std::cell::OnceCell;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::run::Move;
use wayforge::{Document, Run};
use wayforge_api::bindings::{
    AnyMap, BindingError, MapExt, generate_map, parse_cell, parse_fog, parse_theme,
};

/// A map, and its document once somebody asks for it.
#[wasm_bindgen]
pub struct RawMap {
    map: AnyMap,
    document: OnceCell<Document>,
}

#[wasm_bindgen]
impl RawMap {
    /// The map of a seed under a configuration.
    pub fn make(family: &str, seed: &str, config: &str) -> Result<RawMap, JsValue> {
        generate_map(family, seed, config).map(RawMap::new).map_err(thrown)
    }

    /// The map of a document, read strictly.
    pub fn read(document: &str) -> Result<RawMap, JsValue> {
        AnyMap::decode(document.as_bytes()).map(RawMap::new).map_err(thrown)
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
    pub fn validate(&self, reproduce: bool) -> Result<String, JsValue> {
        json(&self.map.report(reproduce).map_err(thrown)?)
    }

    /// What the routes of an act map meet, as JSON; from the start, or from the cell in `from`.
    pub fn routes(&self, from: Option<Vec<f64>>) -> Result<String, JsValue> {
        let told = || -> Result<String, BindingError> {
            let cell = match from.as_deref() {
                Some(&[col, row]) => Some(parse_cell("start", [col as i64, row as i64])?),
                _ => None,
            };
            self.map.routes(cell)
        };
        told().map_err(thrown)
    }

    /// Every metric by name, as JSON; in the order of their documentation.
    pub fn metrics(&self) -> Result<String, JsValue> {
        json(&self.map.metrics())
    }

    /// The map as SVG.
    pub fn svg(&self, theme: &str, witness: bool, labels: bool) -> Result<String, JsValue> {
        parse_theme(theme).and_then(|theme| self.map.svg(theme, witness, labels)).map_err(thrown)
    }

    /// The map as text.
    pub fn ascii(&self) -> String {
        self.map.ascii()
    }

    /// A run on it.
    pub fn play(&self, fog: Option<u32>) -> Result<RawPlay, JsValue> {
        let start = || -> Result<Run, BindingError> { self.map.play(parse_fog(fog)?) };
        start().map(RawPlay).map_err(thrown)
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
    pub fn advance(&self, step: &str) -> Result<RawPlay, JsValue> {
        let go = || -> Result<Run, BindingError> { Ok(self.0.advance(step.parse::<Move>()?)?) };
        go().map(RawPlay).map_err(thrown)
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
    pub fn resume(&self, progress: &str) -> Result<RawPlay, JsValue> {
        self.0.resumed(progress.as_bytes()).map(RawPlay).map_err(thrown)
    }
}
