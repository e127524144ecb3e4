//! What is not finished yet: a folder beside the place that it will take, with what is written so far and how far that is.
//!
//! Nothing stands at the place itself before all of it does. The state names a length of the content that is on the disk already, so whatever
//! comes after it may be lost or torn; it is written beside itself and moved, so it is whole or the one before.

use crate::differ::differences;
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
use wayforge_analysis::batch::{Kept, Request};

const FORMAT: &str = "wayforge-batch/1";
/// What tells a folder of documents from any other folder.
pub(super) const MANIFEST: &str = "batch.json";

const CONTENT: &str = "content";
const STATE: &str = "state";
const STATE_BESIDE: &str = "state.new";
const LOCK: &str = "lock";
/// Stands there once the content is all that it should be.
const COMPLETE: &str = "complete";
const REPLACED: &str = "replaced";

/// A batch that is not finished.
pub(super) struct Unfinished {
    folder: PathBuf,
    place: PathBuf,
    request: Request,
    /// Held as long as this process is at work there.
    lock: Lock,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    format: String,
    request: Request,
    bytes: u64,
    seeds: u64,
    made: u64,
    groups: Vec<String>,
    pending: usize,
}

impl Unfinished {
    /// Takes the folder beside `place`, unless something of another request stands there or at the place itself; `force` replaces that.
    /// None if all is done: the last run was ended when nothing but moving it and tidying up was left to do.
    pub(super) fn open(
        place: &Path,
        request: &Request,
        is_folder: bool,
        force: bool,
    ) -> Result<Option<(Unfinished, Option<Kept>)>, Failure> {
        let place = resolved(place)?;
        let folder = beside(&place);
        let refuse = |error: &dyn Display| Failure::about(folder.display(), error);
        if occupied(&place, is_folder)? && !force && !folder.exists() {
            return Err(is_there(&place));
        }
        if let Err(error) = fs::create_dir(&folder)
            && error.kind() != io::ErrorKind::AlreadyExists
        {
            let problem = format!("cannot write in {}: {error}", parent(&folder).display());
            return Err(Failure::about(place.display(), problem));
        }
        let lock = match Lock::take(folder.join(LOCK)) {
            Ok(Some(lock)) => lock,
            Ok(None) => return Err(refuse(&"another command is at work there; wait for it, or end it")),
            // The other command came to its end in the meantime, and the folder is no more.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.exists() => {
                return Unfinished::open(&place, request, is_folder, force);
            }
            Err(error) => return Err(refuse(&error)),
        };
        // Asked only now: the other command may have come to its end while this one waited.
        let occupied = occupied(&place, is_folder)?;
        let unfinished = Unfinished { folder, place, request: request.clone(), lock };
        let kept = unfinished.read(force)?;
        let (complete, written) = (unfinished.folder.join(COMPLETE).exists(), unfinished.content().exists());
        if kept.is_some() && complete && occupied && !written {
            unfinished.tidy()?;
            return Ok(None);
        }
        if occupied && !force {
            let refusal = is_there(&unfinished.place);
            if kept.is_none() {
                unfinished.tidy()?;
            }
            return Err(refusal);
        }
        if kept.is_some() && complete && written {
            unfinished.publish()?;
            return Ok(None);
        }
        let kept = kept.filter(|_| written);
        if kept.is_none() {
            unfinished.clear()?;
            unfinished.save(&Kept::default())?;
        }
        Ok(Some((unfinished, kept)))
    }

    /// Where it is written.
    pub(super) fn content(&self) -> PathBuf {
        self.folder.join(CONTENT)
    }

    /// Keeps how far it is. What it counts must be on the disk.
    pub(super) fn save(&self, kept: &Kept) -> Result<(), Failure> {
        let wire = Wire {
            format: FORMAT.to_owned(),
            request: self.request.clone(),
            bytes: kept.bytes,
            seeds: kept.seeds,
            made: kept.made,
            groups: kept.groups.iter().map(|group| HEXLOWER.encode(group)).collect(),
            pending: kept.pending.len(),
        };
        let write = || -> io::Result<()> {
            let (beside, state) = (self.folder.join(STATE_BESIDE), self.folder.join(STATE));
            let mut file = File::create(&beside)?;
            file.write_all((serde_json::to_string(&wire)? + "\n").as_bytes())?;
            file.write_all(&kept.pending)?;
            file.sync_all()?;
            drop(file);
            fs::rename(beside, state)?;
            sync_folder(&self.folder)
        };
        self.written(write())
    }

    /// Moves the content to its place and tidies up.
    pub(super) fn publish(self) -> Result<(), Failure> {
        let publish = || -> io::Result<()> {
            let content = self.content();
            File::create(self.folder.join(COMPLETE))?.sync_all()?;
            sync_folder(&self.folder)?;
            if self.place.is_dir() {
                // Folders cannot be replaced in one step; an empty one gives way.
                fs::rename(&self.place, self.folder.join(REPLACED))?;
            } else if let Ok(there) = fs::metadata(&self.place) {
                fs::set_permissions(&content, there.permissions())?;
            }
            fs::rename(&content, &self.place)?;
            sync_folder(parent(&self.place))
        };
        self.written(publish())?;
        self.tidy()
    }

    /// Fails if something could not be written.
    pub(super) fn written<T, E: Display>(&self, result: Result<T, E>) -> Result<T, Failure> {
        result.map_err(|error| {
            let kept =
                format!("what is done is kept in {}, and the same command goes on", self.folder.display());
            Failure::about(self.place.display(), format!("cannot write: {error}; {kept}"))
        })
    }

    /// What is said when the content is not what the state says.
    pub(super) fn damaged(&self, problem: &dyn Display) -> Failure {
        Failure::about(self.folder.display(), format!("damaged: {problem}; remove it to begin anew"))
    }

    /// What the state says; none if there is none, or one of another request that is to be replaced.
    fn read(&self, force: bool) -> Result<Option<Kept>, Failure> {
        let path = self.folder.join(STATE);
        if !path.exists() {
            let problem = "holds no batch; remove it or name another place";
            return if self.is_ours() {
                Ok(None)
            } else {
                Err(Failure::about(self.folder.display(), problem))
            };
        }
        // As large as a row group of the widest table: more than any other file that is read.
        let bytes = fs::read(&path).about(path.display())?;
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
        let (line, pending) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
        let wire: Wire =
            serde_json::from_slice(line).map_err(|error| self.damaged(&describe_json_error(&error)))?;
        if wire.format != FORMAT {
            return Err(self.damaged(&format!("format: \"{}\" is unknown; known: {FORMAT}", wire.format)));
        }
        if wire.request != self.request {
            if force {
                return Ok(None);
            }
            let differ = differences(&json!(wire.request), &json!(self.request));
            let remedy = "ask for the same, name another place, or replace it with --force";
            let problem = format!("keeps another batch: {differ}; {remedy}");
            return Err(Failure::about(self.folder.display(), problem));
        }
        let (found, expected) = (pending.len(), wire.pending);
        if found != expected {
            return Err(self.damaged(&format!("{found} bytes of rows where there were {expected}")));
        }
        let groups = wire.groups.iter().map(|group| HEXLOWER_PERMISSIVE.decode(group.as_bytes()));
        let groups = groups.collect::<Result<_, _>>();
        let groups = groups.map_err(|_| self.damaged(&"groups: not in hexadecimal digits"))?;
        let Wire { bytes, seeds, made, .. } = wire;
        Ok(Some(Kept { bytes, seeds, made, groups, pending: pending.to_vec() }))
    }

    /// Whether a folder without a state is one that a batch began.
    fn is_ours(&self) -> bool {
        let names = fs::read_dir(&self.folder).map(|list| list.flatten().map(|entry| entry.file_name()));
        names.is_ok_and(|mut names| {
            names.all(|name| [LOCK, STATE_BESIDE, COMPLETE].iter().any(|ours| name == *ours))
        })
    }

    /// Removes what was written.
    fn clear(&self) -> Result<(), Failure> {
        for part in [COMPLETE, CONTENT, REPLACED, STATE] {
            self.written(remove(&self.folder.join(part)))?;
        }
        Ok(())
    }

    /// Removes the folder: what was replaced and the state.
    fn tidy(self) -> Result<(), Failure> {
        let refuse = |error: io::Error| Failure::about(self.folder.display(), error);
        for part in [REPLACED, STATE_BESIDE, STATE, COMPLETE] {
            remove(&self.folder.join(part)).map_err(refuse)?;
        }
        drop(self.lock);
        match fs::remove_dir(&self.folder) {
            // Somebody who waited took the lock in the meantime, and tidies up.
            Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(refuse(error)),
            _ => Ok(()),
        }
    }
}

/// Whether a folder of documents is not finished that will take a place.
pub(super) fn is_folder(place: &Path) -> bool {
    beside(place).join(CONTENT).is_dir()
}

/// The folder beside a place.
fn beside(place: &Path) -> PathBuf {
    let mut name = place.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    place.with_file_name(name)
}

/// Where a place really is: a link is followed.
fn resolved(place: &Path) -> Result<PathBuf, Failure> {
    let real = if place.exists() { place.canonicalize().about(place.display())? } else { place.to_owned() };
    match real.file_name() {
        None => Err(Failure::about(place.display(), "is no name; name a file or a folder")),
        Some(_) if place.is_symlink() && !place.exists() => {
            Err(Failure::about(place.display(), "a link that leads nowhere; name a file"))
        }
        Some(name) => Ok(real.with_file_name(name)),
    }
}

/// Whether something stands at a place that can only be replaced by `--force`; an error if not even by that.
fn occupied(place: &Path, is_folder: bool) -> Result<bool, Failure> {
    let refuse = |problem: &str| Err(Failure::about(place.display(), problem));
    let Ok(there) = fs::metadata(place) else { return Ok(false) };
    match is_folder {
        true if !there.is_dir() => refuse("is no folder; name another place"),
        true if fs::read_dir(place).is_ok_and(|mut list| list.next().is_none()) => Ok(false),
        true if !place.join(MANIFEST).is_file() => {
            refuse("is a folder with other things in it; name one that is empty or not there")
        }
        false if there.is_dir() => refuse("is a folder; name a file in it"),
        false if !there.is_file() => refuse("is no plain file; name one"),
        _ => Ok(true),
    }
}

fn is_there(place: &Path) -> Failure {
    Failure::about(place.display(), "is there already; name another place, or replace it with --force")
}

/// What was moved into a folder is there after a loss of power, too.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// Removes a file or a folder, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(_) => Ok(()),
        Ok(there) if there.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}
