//! The document's own functions for floors.

use crate::{Fault, json};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::floor::{Budget, MapFloor};
use wayforge::{DecodeError, Report};

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

/// Validates a `MapFloor`; the result as JSON. `non_finite` alternates paths of members and the numbers they hold that JSON
/// cannot write.
#[wasm_bindgen]
pub fn validate_map_floor(floor: &str, non_finite: Vec<String>) -> Result<String, Fault> {
    let verdict = read(floor, non_finite)?.validate();
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
pub fn check_map_floor(floor: &str, non_finite: Vec<String>) -> Result<(), Fault> {
    Ok(read(floor, non_finite)?.check_types()?)
}

fn read(floor: &str, non_finite: Vec<String>) -> Result<MapFloor, DecodeError> {
    let pairs = non_finite.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone()));
    Ok(MapFloor::from_json(floor.as_bytes())?.with_non_finite(pairs))
}
