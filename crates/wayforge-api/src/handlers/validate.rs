//! Validates a document of any family.

use crate::handlers::ask::weigh_document;
use crate::handlers::limits::Limits;
use crate::handlers::map::{check_load, read_config};
use crate::handlers::problem::Problem;
use crate::handlers::query::Query;
use schemars::JsonSchema;
use serde::Serialize;
use wayforge::{Digest, Family, Report, SavedMap, Seed};

/// What is told about a document.
#[derive(Serialize, JsonSchema)]
pub struct Verdict {
    /// The algorithm that generated the map; null for a floor without an envelope.
    algorithm: Option<String>,
    /// Its seed; null if it has none.
    seed: Option<Seed>,
    /// The digest that the document states; null for a floor without an envelope.
    digest: Option<Digest>,
    /// True if no rule is broken.
    valid: bool,
    /// Every rule that was checked and every violation.
    report: Report,
}

/// Validates a document of any family, or a `MapFloor` without an envelope; `reproduce` also generates the map again and compares.
///
/// # Errors
/// A body that is neither, or beyond the limits.
pub fn validate(body: &[u8], reproduce: bool, limits: &Limits) -> Result<Verdict, Problem> {
    let saved = SavedMap::decode(body)?;
    match &saved {
        SavedMap::Document(document) => weigh_document(document, limits)?,
        SavedMap::MapFloor(floor) => {
            // A configuration that cannot be read is a violation; one that can be is weighed before it is used.
            let config = floor.config().map(ToString::to_string).unwrap_or_default();
            if let Ok(config) = read_config(Family::Floor, config.as_bytes()) {
                check_load(&config, limits).map_err(|problem| problem.inside("config"))?;
            }
        }
    }
    let report = saved.validate(reproduce).map_err(|error| Problem::from(error).unusable())?;
    let algorithm = saved.algorithm().map(str::to_owned);
    let (seed, digest) = (saved.seed(), saved.digest());
    Ok(Verdict { algorithm, seed, digest, valid: report.is_valid(), report })
}

/// Whether a request asks for the map to be made again.
pub fn read_reproduce(mut query: Query) -> Result<bool, Problem> {
    let reproduce = query.choose("reproduce", &[("true", true), ("false", false)])?.unwrap_or(false);
    query.finish()?;
    Ok(reproduce)
}
