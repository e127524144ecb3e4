//! Validation of saved maps of any family.

use crate::handlers::limits::Limits;
use crate::handlers::map::{check_cost, read_config};
use crate::handlers::problem::Problem;
use crate::handlers::query::Query;
use crate::handlers::request::check_document_cost;
use schemars::JsonSchema;
use serde::Serialize;
use wayforge::{Digest, Family, Report, SavedMap, Seed};

/// Validation result of a saved map.
#[derive(Serialize, JsonSchema)]
pub struct ValidationResponse {
    /// Name of the algorithm that generated the map; null for a floor without an envelope.
    algorithm: Option<String>,
    /// Seed; null if the map has none.
    seed: Option<Seed>,
    /// Digest stated in the document; null for a floor without an envelope.
    digest: Option<Digest>,
    /// Whether no rule is violated.
    valid: bool,
    /// Every checked rule and every violation.
    report: Report,
}

/// Validates a document of any family, or a `MapFloor` without an envelope.
///
/// With `reproduce`, also regenerates the map from its seed and compares both.
///
/// # Errors
/// If the body is neither a document nor a `MapFloor`, or the map exceeds the limits.
pub fn validate(
    body: &[u8],
    reproduce: bool,
    limits: &Limits,
) -> Result<ValidationResponse, Problem> {
    let saved = SavedMap::decode(body)?;
    match &saved {
        SavedMap::Document(document) => check_document_cost(document, limits)?,
        SavedMap::MapFloor(floor) => {
            // A configuration that cannot be parsed becomes a violation in the report. A parsed
            // one is checked against the limits before it is used.
            let config = floor.config().map(ToString::to_string).unwrap_or_default();
            if let Ok(config) = read_config(Family::Floor, config.as_bytes()) {
                check_cost(&config, limits).map_err(|problem| problem.in_member("config"))?;
            }
        }
    }
    let report = saved
        .validate_within(reproduce, &limits.work_limit)
        .map_err(|error| Problem::from(error).into_invalid_config())??;
    let algorithm = saved.algorithm().map(str::to_owned);
    let (seed, digest) = (saved.seed(), saved.digest());
    Ok(ValidationResponse { algorithm, seed, digest, valid: report.is_valid(), report })
}

/// Reads the query parameter `reproduce`; no other parameter is allowed.
///
/// # Errors
/// If the value is neither `true` nor `false`, or there is another parameter.
pub fn read_reproduce(mut query: Query) -> Result<bool, Problem> {
    let reproduce = query.flag("reproduce")?;
    query.finish()?;
    Ok(reproduce)
}
