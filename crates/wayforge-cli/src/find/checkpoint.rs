//! Checkpoint files of a search: the request, the number of searched seeds and the matches.

use crate::config_file;
use crate::diff::differences;
use crate::failure::{Context, Failure};
use crate::lock::Lock;
use crate::output;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};
use wayforge::describe_json_error;

const FORMAT: &str = "wayforge-find/1";

/// The parameters of a search. A checkpoint continues only a search with an equal request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Program version. Other versions may generate other maps or read conditions differently.
    pub(super) created_by: String,
    pub(super) family: String,
    pub(super) config: serde_json::Value,
    #[serde(rename = "where")]
    pub(super) condition: Option<String>,
    pub(super) closest: Option<String>,
    pub(super) seed: String,
    pub(super) count: u64,
    pub(super) limit: u64,
    pub(super) shard: String,
}

/// A checkpoint file, locked against other processes.
pub(super) struct CheckpointFile {
    path: PathBuf,
    request: Request,
    _lock: Lock,
}

/// State of an incomplete search.
#[derive(Clone, Debug, Default)]
pub(super) struct Checkpoint {
    /// Number of searched seeds.
    pub(super) seeds: u64,
    /// Matches as seed, distance to the targets and index in the range; 0 without targets.
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

impl CheckpointFile {
    /// Locks a checkpoint file and reads the checkpoint of the same search, if there is one.
    pub(super) fn open(
        path: &Path,
        request: Request,
    ) -> Result<(CheckpointFile, Checkpoint), Failure> {
        let mut lock_path = path.as_os_str().to_owned();
        lock_path.push(".lock");
        let Some(lock) = Lock::acquire(lock_path.into()).context(path.display())? else {
            let problem =
                "in use by another wayforge process; wait for it, stop it, or name another file";
            return Err(Failure::new(path.display(), problem));
        };
        let bytes = if path.exists() { config_file::read(path)? } else { Vec::new() };
        let checkpoint = Checkpoint::decode(&bytes, &request).context(path.display())?;
        Ok((CheckpointFile { path: path.to_owned(), request, _lock: lock }, checkpoint))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the file atomically.
    pub(super) fn write(&self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        let found = checkpoint
            .found
            .iter()
            .map(|&(seed, distance, index)| (seed.to_string(), distance, index))
            .collect();
        let wire = Wire {
            format: FORMAT.to_owned(),
            request: self.request.clone(),
            seeds: checkpoint.seeds,
            found,
        };
        let line = serde_json::to_string(&wire).context(self.path.display())?;
        output::write(Some(&self.path), line + "\n")
    }
}

impl Checkpoint {
    /// Decodes a checkpoint of the search `request`. An empty file is a search not yet started.
    ///
    /// # Errors
    /// A message if the file is not a checkpoint or belongs to a different search.
    fn decode(bytes: &[u8], request: &Request) -> Result<Checkpoint, String> {
        if bytes.is_empty() {
            return Ok(Checkpoint::default());
        }
        let wire: Wire = serde_json::from_slice(bytes)
            .map_err(|error| format!("not a saved search: {}", describe_json_error(&error)))?;
        if wire.format != FORMAT {
            return Err(format!("format: \"{}\" is unknown; known: {FORMAT}", wire.format));
        }
        // A larger limit continues the same search, and so does a larger count. With targets the
        // count is fixed, because only the closest seeds are stored.
        let mut saved = wire.request;
        saved.limit = saved.limit.max(request.limit);
        if saved.closest.is_none() {
            saved.count = saved.count.max(request.count);
        }
        if saved != *request {
            let differences = differences(&json!(saved), &json!(request));
            let options = if saved.closest.is_some() { "--limit" } else { "--count or --limit" };
            return Err(format!(
                "belongs to a different search: {differences}; use the same request or a larger \
                 {options}, or name another file"
            ));
        }
        let parse = |(seed, distance, index): (String, u64, u64)| {
            Some((seed.parse().ok()?, distance, index))
        };
        let found = wire.found.into_iter().map(parse).collect::<Option<Vec<_>>>();
        Ok(Checkpoint { seeds: wire.seeds, found: found.ok_or("found: a seed is not a number")? })
    }
}
