//! Functions of the floor specification: `validateFloor` and the type check of `MapFloor`.

use crate::{ThrownError, json};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::floor::{Budget, MapFloor};
use wayforge::{DecodeError, Report};

/// Result of `validateFloor`.
#[derive(Serialize)]
struct ValidationResult {
    valid: bool,
    #[serde(flatten)]
    report: Report,
    #[serde(rename = "shortestPath")]
    shortest_path: Option<u32>,
    walkable: u32,
    reachable: u32,
    objects: Vec<ObjectCount>,
}

/// Number of objects of a kind, and how many of them are reachable.
#[derive(Serialize)]
struct ObjectCount {
    kind: &'static str,
    present: u32,
    reachable: u32,
}

/// Validates a `MapFloor` and returns a [`ValidationResult`] as JSON.
///
/// `non_finite` lists the numbers that JSON cannot represent: path of the member, value, path,
/// value, and so on.
#[wasm_bindgen]
pub fn validate_map_floor(floor: &str, non_finite: Vec<String>) -> Result<String, ThrownError> {
    let result = read(floor, non_finite)?.validate();
    let count = |budget: Budget| {
        let (present, reachable) = result.count(budget);
        ObjectCount { kind: budget.field().trim_end_matches("Budget"), present, reachable }
    };
    json(&ValidationResult {
        valid: result.is_valid(),
        shortest_path: result.shortest_path,
        walkable: result.walkable,
        reachable: result.reachable,
        objects: Budget::ALL.map(count).into(),
        report: result.report,
    })
}

/// Checks that every member of a `MapFloor` has the type given by the floor specification.
#[wasm_bindgen]
pub fn check_map_floor(floor: &str, non_finite: Vec<String>) -> Result<(), ThrownError> {
    Ok(read(floor, non_finite)?.check_types()?)
}

fn read(floor: &str, non_finite: Vec<String>) -> Result<MapFloor, DecodeError> {
    let pairs = non_finite.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone()));
    Ok(MapFloor::from_json(floor.as_bytes())?.with_non_finite(pairs))
}
