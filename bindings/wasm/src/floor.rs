//! The document's own functions for floors.

use crate::{json, thrown};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::Report;
use wayforge::floor::{Budget, MapFloor};

/// The result of `validateFloor`.
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

/// Validates a `MapFloor`; the result as JSON.
#[wasm_bindgen]
pub fn validate_map_floor(floor: &str) -> Result<String, JsValue> {
    let verdict = MapFloor::from_json(floor.as_bytes()).map_err(thrown)?.validate();
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

/// Checks that every member of a `MapFloor` has the type that the document gives it.
#[wasm_bindgen]
pub fn check_map_floor(floor: &str) -> Result<(), JsValue> {
    MapFloor::from_json(floor.as_bytes()).and_then(|floor| floor.check_types()).map_err(thrown)
}
