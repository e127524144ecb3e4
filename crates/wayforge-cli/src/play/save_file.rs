//! The file that keeps a run: resumed if it is there, written whole or not at all, and never over anything else.

use crate::config_file;
use crate::failure::Failure;
use crate::output::{self, Output};
use std::path::{Path, PathBuf};
use wayforge::{DecodeError, Digest};

/// A save on disk, and what is known to be in it.
pub(crate) struct SaveFile<S> {
    path: PathBuf,
    held: Option<S>,
    decode: fn(&[u8]) -> Result<S, DecodeError>,
    to_text: fn(&S) -> String,
    /// The digest of the map.
    map: fn(&S) -> Digest,
}

impl<S: Clone + PartialEq> SaveFile<S> {
    /// Opens a save. A file that holds anything else is rejected.
    pub(crate) fn open(
        path: PathBuf,
        decode: fn(&[u8]) -> Result<S, DecodeError>,
        to_text: fn(&S) -> String,
        map: fn(&S) -> Digest,
    ) -> Result<SaveFile<S>, Failure> {
        let mut file = SaveFile { path, held: None, decode, to_text, map };
        file.held = file.read()?;
        Ok(file)
    }

    /// The saved run, if there is one.
    pub(crate) fn held(&self) -> Option<&S> {
        self.held.as_ref()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Rejects a place that cannot be written before anything is played, instead of losing the run at its end.
    pub(crate) fn check_folder(&self) -> Result<(), Failure> {
        // Opening stages a file beside the save; dropping it unfinished takes it away again.
        Output::open(Some(&self.path)).map(drop)
    }

    /// Writes the run, unless another program has put something else there since it began.
    pub(crate) fn write(&mut self, run: &S) -> Result<(), Failure> {
        if self.read()?.is_some_and(|there| (self.map)(&there) != (self.map)(run)) {
            let problem = "now holds a run on another map; nothing was saved";
            return Err(Failure::about(self.path.display(), problem));
        }
        output::write(Some(&self.path), (self.to_text)(run) + "\n")?;
        self.held = Some(run.clone());
        Ok(())
    }

    /// Writes the run at its end, if it differs from what is saved, and says so. A new one is not worth a file.
    pub(crate) fn keep(&mut self, run: &S, is_new: bool) -> Result<String, Failure> {
        if self.held.as_ref().map_or(is_new, |held| held == run) {
            return Ok("nothing new to save".to_owned());
        }
        self.write(run)?;
        Ok(format!("saved in {}", self.path.display()))
    }

    fn read(&self) -> Result<Option<S>, Failure> {
        let reject = |problem: String| Failure::about(self.path.display(), problem);
        match self.path.metadata() {
            Ok(there) if there.is_dir() => Err(reject("is a directory; name a file in it".to_owned())),
            Ok(there) if there.is_file() => (self.decode)(&config_file::read(&self.path)?)
                .map(Some)
                .map_err(|error| reject(format!("not a save: {error}; name another file with --save"))),
            // Nothing there, or a device that keeps nothing.
            _ => Ok(None),
        }
    }
}
