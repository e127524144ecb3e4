//! Staging folder of an unfinished batch, next to its output path.
//!
//! The output path is not touched until the batch is complete. The staging folder holds the content
//! and a checkpoint. The checkpoint states how much of the content is safely on disk, so bytes
//! after that length may be lost or incomplete. Checkpoints are replaced atomically.

use crate::diff::differences;
use crate::failure::{Context, Failure};
use crate::lock::Lock;
use crate::output::parent;
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use wayforge::describe_json_error;
use wayforge_analysis::batch::{BatchRequest, Checkpoint};

const FORMAT: &str = "wayforge-batch/1";
/// File that marks a folder as the output of a batch.
pub(super) const MANIFEST: &str = "batch.json";

const CONTENT: &str = "content";
const STATE: &str = "state";
const NEW_STATE: &str = "state.new";
const LOCK: &str = "lock";
/// Empty file that marks the content as complete.
const COMPLETE: &str = "complete";
/// Name of the previous output folder while it is replaced.
const REPLACED: &str = "replaced";

/// The staging folder of an unfinished batch.
pub(super) struct Staging {
    folder: PathBuf,
    /// Final path of the output.
    output: PathBuf,
    request: BatchRequest,
    /// Keeps other processes out.
    lock: Lock,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    format: String,
    request: BatchRequest,
    bytes: u64,
    seeds: u64,
    generated: u64,
    groups: Vec<String>,
    pending: usize,
}

impl Staging {
    /// Opens or creates the staging folder of `output` and reads its checkpoint.
    ///
    /// With `force`, replaces existing output and discards a batch with another request. Returns
    /// `None` if an earlier run was killed after its last write: then the batch is complete.
    ///
    /// # Errors
    /// If the output exists, another process uses the folder, or it belongs to another request.
    pub(super) fn open(
        output: &Path,
        request: &BatchRequest,
        is_folder: bool,
        force: bool,
    ) -> Result<Option<(Staging, Option<Checkpoint>)>, Failure> {
        let output = resolve_links(output)?;
        let folder = staging_path(&output);
        let reject = |error: &dyn Display| Failure::new(folder.display(), error);
        if output_exists(&output, is_folder)? && !force && !folder.exists() {
            return Err(already_exists(&output));
        }
        if let Err(error) = fs::create_dir(&folder)
            && error.kind() != io::ErrorKind::AlreadyExists
        {
            let problem = format!("cannot write to {}: {error}", parent(&folder).display());
            return Err(Failure::new(output.display(), problem));
        }
        let lock = match Lock::acquire(folder.join(LOCK)) {
            Ok(Some(lock)) => lock,
            Ok(None) => {
                return Err(reject(&"in use by another wayforge process; wait for it, or stop it"));
            }
            // The other process finished and removed the folder: start again.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => {
                return Staging::open(&output, request, is_folder, force);
            }
            Err(error) => return Err(reject(&error)),
        };
        // Check again: the other process may have finished while this one waited for the lock.
        let output_exists = output_exists(&output, is_folder)?;
        let staging = Staging { folder, output, request: request.clone(), lock };
        let checkpoint = staging.read(force)?;
        let is_complete = staging.folder.join(COMPLETE).exists();
        let has_content = staging.content().exists();
        if checkpoint.is_some() && is_complete && output_exists && !has_content {
            staging.remove_folder()?;
            return Ok(None);
        }
        if output_exists && !force {
            let failure = already_exists(&staging.output);
            if checkpoint.is_none() {
                staging.remove_folder()?;
            }
            return Err(failure);
        }
        if checkpoint.is_some() && is_complete && has_content {
            staging.publish()?;
            return Ok(None);
        }
        let checkpoint = checkpoint.filter(|_| has_content);
        if checkpoint.is_none() {
            staging.clear()?;
            staging.save(&Checkpoint::default())?;
        }
        Ok(Some((staging, checkpoint)))
    }

    /// Returns the path of the unfinished content.
    pub(super) fn content(&self) -> PathBuf {
        self.folder.join(CONTENT)
    }

    /// Replaces the checkpoint atomically. The counted content must already be on disk.
    pub(super) fn save(&self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        let wire = Wire {
            format: FORMAT.to_owned(),
            request: self.request.clone(),
            bytes: checkpoint.bytes,
            seeds: checkpoint.seeds,
            generated: checkpoint.maps,
            groups: checkpoint.groups.iter().map(|group| HEXLOWER.encode(group)).collect(),
            pending: checkpoint.pending.len(),
        };
        let write = || -> io::Result<()> {
            let (new, state) = (self.folder.join(NEW_STATE), self.folder.join(STATE));
            let mut file = File::create(&new)?;
            file.write_all((serde_json::to_string(&wire)? + "\n").as_bytes())?;
            file.write_all(&checkpoint.pending)?;
            file.sync_all()?;
            drop(file);
            fs::rename(new, state)?;
            sync_folder(&self.folder)
        };
        self.check_write(write())
    }

    /// Moves the content to the output path and removes the staging folder.
    pub(super) fn publish(self) -> Result<(), Failure> {
        let publish = || -> io::Result<()> {
            let content = self.content();
            File::create(self.folder.join(COMPLETE))?.sync_all()?;
            sync_folder(&self.folder)?;
            if self.output.is_dir() {
                // A folder cannot be replaced atomically: move the old one out first.
                fs::rename(&self.output, self.folder.join(REPLACED))?;
            } else if let Ok(metadata) = fs::metadata(&self.output) {
                fs::set_permissions(&content, metadata.permissions())?;
            }
            fs::rename(&content, &self.output)?;
            sync_folder(parent(&self.output))
        };
        self.check_write(publish())?;
        self.remove_folder()
    }

    /// Converts a write error to a failure that says how to continue.
    pub(super) fn check_write<T, E: Display>(&self, result: Result<T, E>) -> Result<T, Failure> {
        result.map_err(|error| {
            let remedy = format!(
                "progress is saved in {}; run the same command to continue",
                self.folder.display()
            );
            Failure::new(self.output.display(), format!("cannot write: {error}; {remedy}"))
        })
    }

    /// Returns the failure for content that does not match its checkpoint.
    pub(super) fn damaged(&self, problem: &dyn Display) -> Failure {
        Failure::new(self.folder.display(), format!("damaged: {problem}; remove it to start over"))
    }

    /// Reads the checkpoint. Returns `None` if there is none, or if `force` discards one with
    /// another request.
    fn read(&self, force: bool) -> Result<Option<Checkpoint>, Failure> {
        let path = self.folder.join(STATE);
        if !path.exists() {
            let problem = "is not an unfinished batch; remove it or name another output";
            return if self.is_ours() {
                Ok(None)
            } else {
                Err(Failure::new(self.folder.display(), problem))
            };
        }
        // No size limit: the state may hold a whole row group of the widest table.
        let bytes = fs::read(&path).context(path.display())?;
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
        let (line, pending) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
        let wire: Wire = serde_json::from_slice(line)
            .map_err(|error| self.damaged(&describe_json_error(&error)))?;
        if wire.format != FORMAT {
            return Err(
                self.damaged(&format!("format: \"{}\" is unknown; known: {FORMAT}", wire.format))
            );
        }
        if wire.request != self.request {
            if force {
                return Ok(None);
            }
            let differences = differences(&json!(wire.request), &json!(self.request));
            let remedy = "use the same options, name another output, or replace it with --force";
            let problem = format!("contains a different batch: {differences}; {remedy}");
            return Err(Failure::new(self.folder.display(), problem));
        }
        let (found, expected) = (pending.len(), wire.pending);
        if found != expected {
            return Err(self.damaged(&format!("{found} bytes of rows instead of {expected}")));
        }
        let groups = wire.groups.iter().map(|group| HEXLOWER_PERMISSIVE.decode(group.as_bytes()));
        let groups = groups.collect::<Result<_, _>>();
        let groups = groups.map_err(|_| self.damaged(&"groups: not hexadecimal"))?;
        let Wire { bytes, seeds, generated, .. } = wire;
        Ok(Some(Checkpoint { bytes, seeds, maps: generated, groups, pending: pending.to_vec() }))
    }

    /// Returns true if a folder without a checkpoint was created by a batch.
    fn is_ours(&self) -> bool {
        let names =
            fs::read_dir(&self.folder).map(|list| list.flatten().map(|entry| entry.file_name()));
        names.is_ok_and(|mut names| {
            names.all(|name| [LOCK, NEW_STATE, COMPLETE].iter().any(|ours| name == *ours))
        })
    }

    /// Removes the content and the checkpoint.
    fn clear(&self) -> Result<(), Failure> {
        for part in [COMPLETE, CONTENT, REPLACED, STATE] {
            self.check_write(remove(&self.folder.join(part)))?;
        }
        Ok(())
    }

    /// Removes the staging folder after the content was moved out.
    fn remove_folder(self) -> Result<(), Failure> {
        let reject = |error: io::Error| Failure::new(self.folder.display(), error);
        for part in [REPLACED, NEW_STATE, STATE, COMPLETE] {
            remove(&self.folder.join(part)).map_err(reject)?;
        }
        drop(self.lock);
        match fs::remove_dir(&self.folder) {
            // A waiting process has acquired the lock and will remove the folder.
            Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(reject(error)),
            _ => Ok(()),
        }
    }
}

/// Returns true if an unfinished batch for `output` writes a folder.
pub(super) fn is_folder(output: &Path) -> bool {
    staging_path(output).join(CONTENT).is_dir()
}

/// Returns the path of the staging folder of `output`.
fn staging_path(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    output.with_file_name(name)
}

/// Follows symbolic links of an output path.
fn resolve_links(output: &Path) -> Result<PathBuf, Failure> {
    let real = if output.exists() {
        output.canonicalize().context(output.display())?
    } else {
        output.to_owned()
    };
    match real.file_name() {
        None => Err(Failure::new(output.display(), "has no file name; name a file or a folder")),
        Some(_) if output.is_symlink() && !output.exists() => {
            Err(Failure::new(output.display(), "is a broken symbolic link; name a file"))
        }
        Some(name) => Ok(real.with_file_name(name)),
    }
}

/// Returns true if the output exists and only `--force` may replace it.
///
/// # Errors
/// If not even `--force` may replace it.
fn output_exists(output: &Path, is_folder: bool) -> Result<bool, Failure> {
    let reject = |problem: &str| Err(Failure::new(output.display(), problem));
    let Ok(metadata) = fs::metadata(output) else { return Ok(false) };
    match is_folder {
        true if !metadata.is_dir() => reject("is not a folder; name another output"),
        true if fs::read_dir(output).is_ok_and(|mut list| list.next().is_none()) => Ok(false),
        true if !output.join(MANIFEST).is_file() => {
            reject("is a folder with other files; name an empty or new folder")
        }
        false if metadata.is_dir() => reject("is a folder; name a file in it"),
        false if !metadata.is_file() => reject("is not a regular file; name a regular file"),
        _ => Ok(true),
    }
}

fn already_exists(output: &Path) -> Failure {
    Failure::new(
        output.display(),
        "already exists; name another output, or replace it with --force",
    )
}

/// Flushes the entries of a folder to disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// Removes a file or a folder if it exists.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(_) => Ok(()),
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}
