//! `POST /v1/validate`: judges a document of any family.

use crate::access::Need;
use crate::api::{Answer, Api};
use crate::call::Call;
use crate::generate::weigh_document;
use crate::openapi::Operation;
use crate::pages::json_response;
use crate::problem::{Kind, Problem};
use axum::http::Method;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use wayforge::{Digest, Document, Report, Seed, judge};

/// What is told about a document.
#[derive(Serialize, JsonSchema)]
struct Verdict {
    /// The algorithm that made the map.
    algorithm: String,
    /// Its seed.
    seed: Seed,
    /// The digest that the document states.
    digest: Digest,
    /// True if no rule is broken.
    valid: bool,
    /// Every rule that was checked and every violation.
    report: Report,
}

/// Adds the route.
pub(crate) fn routes(api: &mut Api) {
    let outline = api.outline();
    outline.schema::<Verdict>();
    outline.plain("Flag", json!({ "type": "boolean" }));
    let documents = ["Act", "Level", "Floor", "Tower"];
    let any: Vec<_> =
        documents.map(|name| json!({ "$ref": format!("#/components/schemas/{name}Document") })).into();
    outline.plain("AnyDocument", json!({ "anyOf": any }));
    let told = Operation::new("answers", "validate", "Every rule of a saved map, checked from scratch")
        .query("reproduce", "Flag", "Whether the map is also made again from its seed and compared.")
        .body("application/json", "AnyDocument", true)
        .answer(200, "The verdict, whether the map is valid or not.", "application/json", Some("Verdict"))
        .problem(&[Kind::Config, Kind::Limit, Kind::Busy]);
    api.on(Method::POST, "/v1/validate", Need::Token, told, validate);
}

async fn validate(mut call: Call) -> Answer {
    let mut query = call.query();
    let reproduce = query.choose("reproduce", &[("true", true), ("false", false)])?.unwrap_or(false);
    query.finish()?;
    let body = call.json().await?;
    let limits = call.service.limits.clone();
    let verdict = call.service.workers.run(move || {
        let document = Document::decode(&body)?;
        weigh_document(&document, &limits)?;
        let report = judge(&document, reproduce).map_err(|error| Problem::from(error).unusable())?;
        let Document { algorithm, seed, digest, .. } = document;
        Ok(Verdict { algorithm, seed, digest, valid: report.is_valid(), report })
    });
    json_response(&verdict.await?)
}
