//! `POST /v1/validate`: validates a document of any family, or a floor without an envelope.

use crate::access::Need;
use crate::api::{Answer, Api};
use crate::call::Call;
use crate::openapi::Operation;
use crate::pages::json_response;
use crate::problem::Kind;
use axum::http::Method;
use serde_json::json;
use wayforge_api::handlers::validate::{Verdict, read_reproduce, validate};

/// Adds the route.
pub(crate) fn routes(api: &mut Api) {
    let outline = api.outline();
    outline.schema::<Verdict>();
    outline.plain("Flag", json!({ "type": "boolean" }));
    outline.root("map-floor.", "MapFloor", wayforge::floor::map_floor_schema());
    let documents = ["ActDocument", "LevelDocument", "FloorDocument", "TowerDocument", "MapFloor"];
    let any: Vec<_> = documents.map(|name| json!({ "$ref": format!("#/components/schemas/{name}") })).into();
    outline.plain("AnyDocument", json!({ "anyOf": any }));
    let told = Operation::new("answers", "validate", "Every rule of a saved map, checked from scratch")
        .query("reproduce", "Flag", "Whether the map is also made again from its seed and compared.")
        .body("application/json", "AnyDocument", true)
        .answer(200, "The verdict, whether the map is valid or not.", "application/json", Some("Verdict"))
        .problem(&[Kind::Config, Kind::Limit, Kind::Busy]);
    api.on(Method::POST, "/v1/validate", Need::Token, told, answer);
}

async fn answer(mut call: Call) -> Answer {
    let reproduce = read_reproduce(call.query())?;
    let body = call.json().await?;
    let limits = call.service.limits.clone();
    let verdict = call.service.workers.run(move || validate(&body, reproduce, &limits));
    json_response(&verdict.await?)
}
