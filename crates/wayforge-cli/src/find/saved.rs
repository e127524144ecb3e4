//! A search kept in a file: what was asked for, how far it went, what it found.

use crate::config_file;
use crate::differ::differences;
use crate::failure::{Context, Failure};
use crate::lock::Lock;
use crate::output;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};
use wayforge::describe_json_error;

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

/// The file of a search, which no other search writes meanwhile.
pub(super) struct Place {
    path: PathBuf,
    request: Request,
    _lock: Lock,
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

impl Place {
    /// Takes the file of a search, and reads what it keeps of the same one.
    pub(super) fn open(path: &Path, request: Request) -> Result<(Place, Saved), Failure> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".lock");
        let Some(lock) = Lock::take(beside.into()).about(path.display())? else {
            let problem = "another command is at work there; wait for it, end it, or name another file";
            return Err(Failure::about(path.display(), problem));
        };
        let bytes = if path.exists() { config_file::read(path)? } else { Vec::new() };
        let saved = Saved::decode(&bytes, &request).about(path.display())?;
        Ok((Place { path: path.to_owned(), request, _lock: lock }, saved))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps how far it is, whole or not at all.
    pub(super) fn write(&self, saved: &Saved) -> Result<(), Failure> {
        let found =
            saved.found.iter().map(|&(seed, distance, place)| (seed.to_string(), distance, place)).collect();
        let wire =
            Wire { format: FORMAT.to_owned(), request: self.request.clone(), seeds: saved.seeds, found };
        let line = serde_json::to_string(&wire).about(self.path.display())?;
        output::write(Some(&self.path), line + "\n")
    }
}

impl Saved {
    /// Reads what a file contains, if it is of the same search; nothing yet if it is empty.
    fn decode(bytes: &[u8], request: &Request) -> Result<Saved, String> {
        if bytes.is_empty() {
            return Ok(Saved::default());
        }
        let wire: Wire = serde_json::from_slice(bytes)
            .map_err(|error| format!("no state of a search: {}", describe_json_error(&error)))?;
        if wire.format != FORMAT {
            return Err(format!("format: \"{}\" is unknown; known: {FORMAT}", wire.format));
        }
        // More seeds of the same search are its continuation. Of an aim's seeds all but the closest are forgotten.
        let mut grown = wire.request;
        grown.limit = grown.limit.max(request.limit);
        if grown.aim.is_none() {
            grown.count = grown.count.max(request.count);
        }
        if grown != *request {
            let differ = differences(&json!(grown), &json!(request));
            let growing = if grown.aim.is_some() { "--limit" } else { "--count or --limit" };
            return Err(format!(
                "keeps another search: {differ}; ask for the same or a larger {growing}, or name another file"
            ));
        }
        let number =
            |(seed, distance, place): (String, u64, u64)| Some((seed.parse().ok()?, distance, place));
        let found = wire.found.into_iter().map(number).collect::<Option<Vec<_>>>();
        Ok(Saved { seeds: wire.seeds, found: found.ok_or("found: a seed is no number")? })
    }
}
