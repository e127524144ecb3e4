//! Judges a document of any family.

use crate::ask::weigh_document;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::query::Query;
use schemars::JsonSchema;
use serde::Serialize;
use wayforge::{Digest, Document, Report, Seed, judge};

/// What is told about a document.
#[derive(Serialize, JsonSchema)]
pub struct Verdict {
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

/// Judges a document of any family; `reproduce` also makes the map again and compares.
///
/// * **Errors.** What is no document, or beyond the limits.
pub fn validate(body: &[u8], reproduce: bool, limits: &Limits) -> Result<Verdict, Problem> {
    let document = Document::decode(body)?;
    weigh_document(&document, limits)?;
    let report = judge(&document, reproduce).map_err(|error| Problem::from(error).unusable())?;
    let Document { algorithm, seed, digest, .. } = document;
    Ok(Verdict { algorithm, seed, digest, valid: report.is_valid(), report })
}

/// Whether a request asks for the map to be made again.
pub fn read_reproduce(mut query: Query) -> Result<bool, Problem> {
    let reproduce = query.choose("reproduce", &[("true", true), ("false", false)])?.unwrap_or(false);
    query.finish()?;
    Ok(reproduce)
}
