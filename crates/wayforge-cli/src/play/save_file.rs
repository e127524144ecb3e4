//! Save files of runs. They are replaced atomically and never overwrite other files.

use crate::config_file;
use crate::failure::Failure;
use crate::output::{self, Output};
use std::path::{Path, PathBuf};
use wayforge::{DecodeError, Digest};

/// A save file and its last known content.
pub(crate) struct SaveFile<S> {
    path: PathBuf,
    saved: Option<S>,
    decode: fn(&[u8]) -> Result<S, DecodeError>,
    to_text: fn(&S) -> String,
    /// Returns the digest of the run's map.
    map: fn(&S) -> Digest,
}

impl<S: Clone + PartialEq> SaveFile<S> {
    /// Opens a save file.
    ///
    /// # Errors
    /// If the file exists and is not a save.
    pub(crate) fn open(
        path: PathBuf,
        decode: fn(&[u8]) -> Result<S, DecodeError>,
        to_text: fn(&S) -> String,
        map: fn(&S) -> Digest,
    ) -> Result<SaveFile<S>, Failure> {
        let mut file = SaveFile { path, saved: None, decode, to_text, map };
        file.saved = file.read()?;
        Ok(file)
    }

    /// Returns the saved run, if there is one.
    pub(crate) fn saved(&self) -> Option<&S> {
        self.saved.as_ref()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the file can be written, so that a run is not lost at its end.
    pub(crate) fn check_writable(&self) -> Result<(), Failure> {
        // Opening creates a temporary file next to the save; dropping it removes it.
        Output::open(Some(&self.path)).map(drop)
    }

    /// Writes the run.
    ///
    /// # Errors
    /// If the file was replaced by something else during the run.
    pub(crate) fn write(&mut self, run: &S) -> Result<(), Failure> {
        if self.read()?.is_some_and(|saved| (self.map)(&saved) != (self.map)(run)) {
            let problem = "now contains a run of another map; nothing was saved";
            return Err(Failure::new(self.path.display(), problem));
        }
        output::write(Some(&self.path), (self.to_text)(run) + "\n")?;
        self.saved = Some(run.clone());
        Ok(())
    }

    /// Writes the run if it differs from the saved one, and returns a message. A new run is not
    /// saved.
    pub(crate) fn save_if_changed(&mut self, run: &S, is_new: bool) -> Result<String, Failure> {
        if self.saved.as_ref().map_or(is_new, |saved| saved == run) {
            return Ok("nothing new to save".to_owned());
        }
        self.write(run)?;
        Ok(format!("saved to {}", self.path.display()))
    }

    fn read(&self) -> Result<Option<S>, Failure> {
        let reject = |problem: String| Failure::new(self.path.display(), problem);
        match self.path.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                Err(reject("is a folder; name a file in it".to_owned()))
            }
            Ok(metadata) if metadata.is_file() => {
                (self.decode)(&config_file::read(&self.path)?).map(Some).map_err(|error| {
                    reject(format!("not a save: {error}; name another file with --save"))
                })
            }
            // No file, or a device.
            _ => Ok(None),
        }
    }
}
