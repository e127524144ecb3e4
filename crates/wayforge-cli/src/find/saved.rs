//! A search kept in a file: what was asked for, how far it went, what it found.

use crate::config_file;
use crate::failure::Failure;
use crate::output::Output;
use serde::{Deserialize, Serialize};
use std::path::Path;

const FORMAT: &str = "wayforge-find/1";

/// What was asked for. Two searches are the same if their requests are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Who searches: another version may make other maps of new configurations, or read conditions otherwise.
    pub(super) maker: String,
    pub(super) family: String,
    pub(super) config: serde_json::Value,
    #[serde(rename = "where")]
    pub(super) condition: Option<String>,
    pub(super) aim: Option<String>,
    pub(super) seed: String,
    pub(super) count: u64,
    pub(super) limit: u64,
    pub(super) shard: String,
}

/// How far a search went.
#[derive(Clone, Debug, Default)]
pub(super) struct Saved {
    pub(super) seeds: u64,
    /// Seeds; with an aim their distance and their place among those gone through.
    pub(super) found: Vec<(u64, u64, u64)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    format: String,
    request: Request,
    seeds: u64,
    found: Vec<(String, u64, u64)>,
}

impl Saved {
    /// What a file keeps of the same search; none if there is no file.
    pub(super) fn read(path: &Path, request: &Request) -> Result<Option<Saved>, Failure> {
        if !path.exists() {
            return Ok(None);
        }
        let refuse = |problem: String| Failure::about(path.display(), problem);
        let bytes = config_file::read(path)?;
        let wire: Wire = serde_json::from_slice(&bytes)
            .map_err(|error| refuse(format!("no state of a search: {error}")))?;
        if wire.format != FORMAT {
            return Err(refuse(format!("format: \"{}\" is unknown; known: {FORMAT}", wire.format)));
        }
        // More seeds of the same search are its continuation.
        let grown = Request { limit: wire.request.limit.max(request.limit), ..wire.request.clone() };
        if grown != *request {
            let asked = serde_json::to_string(&wire.request).unwrap_or_default();
            return Err(refuse(format!(
                "keeps another search: {asked}; ask for the same or a larger --limit, or name another file"
            )));
        }
        let number =
            |(seed, distance, place): &(String, u64, u64)| Some((seed.parse().ok()?, *distance, *place));
        let found = wire.found.iter().map(number).collect::<Option<Vec<_>>>();
        let found = found.ok_or_else(|| refuse("found: a seed is no number".to_owned()))?;
        Ok(Some(Saved { seeds: wire.seeds, found }))
    }

    /// Keeps it, whole or not at all.
    pub(super) fn write(&self, path: &Path, request: &Request) -> Result<(), Failure> {
        let found =
            self.found.iter().map(|&(seed, distance, place)| (seed.to_string(), distance, place)).collect();
        let wire = Wire { format: FORMAT.to_owned(), request: request.clone(), seeds: self.seeds, found };
        let mut output = Output::open(Some(path))?;
        let line = serde_json::to_string(&wire).map_err(|error| Failure::about(path.display(), error))?;
        output.write(format!("{line}\n").as_bytes())?;
        output.finish()
    }
}
