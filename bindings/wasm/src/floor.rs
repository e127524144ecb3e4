//! The document's own functions for floors.

use crate::{json, thrown};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::floor::{Budget, Floor, validate_floor};
use wayforge::{Document, Report};

/// What `validateFloor` answers.
#[derive(Serialize)]
struct ValidationResult {
    valid: bool,
    #[serde(flatten)]
    report: Report,
    shortest: Option<u32>,
    walkable: u32,
    reached: u32,
    things: Vec<Thing>,
}

#[derive(Serialize)]
struct Thing {
    kind: &'static str,
    there: u32,
    reached: u32,
}

/// The verdict on a floor whose document may have any digest, as JSON.
#[wasm_bindgen]
pub fn judge_floor(document: &str) -> Result<String, JsValue> {
    let floor = read(document)?;
    let verdict = validate_floor(&floor);
    let thing = |budget: Budget| {
        let (there, reached) = verdict.of(budget);
        Thing { kind: budget.field().trim_end_matches("Budget"), there, reached }
    };
    json(&ValidationResult {
        valid: verdict.is_valid(),
        shortest: verdict.shortest,
        walkable: verdict.walkable,
        reached: verdict.reached,
        things: Budget::ALL.map(thing).into(),
        report: verdict.report,
    })
}

/// The document of a floor, with the digest that it should have.
#[wasm_bindgen]
pub fn seal_floor(document: &str) -> Result<String, JsValue> {
    Ok(read(document)?.to_document().to_text())
}

fn read(document: &str) -> Result<Floor, JsValue> {
    let document = Document::decode(document.as_bytes()).map_err(thrown)?;
    Floor::from_document(&document).map_err(thrown)
}
