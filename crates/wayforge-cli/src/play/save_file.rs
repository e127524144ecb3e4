//! The file that keeps a run: resumed if it is there, written whole or not at all, and never over anything else.

use crate::config_file;
use crate::failure::Failure;
use crate::output::{self, Output};
use std::path::{Path, PathBuf};
use wayforge::act::Progress;
use wayforge::tower::Steps;
use wayforge::{DecodeError, Digest};

/// What a save holds: a run through an act map, or a climb.
pub(crate) trait Save: Clone + PartialEq {
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError>;
    fn to_text(&self) -> String;
    /// The digest of the map.
    fn map(&self) -> Digest;
}

macro_rules! saves {
    ($($Save:ident),+) => {$(
        impl Save for $Save {
            fn decode(bytes: &[u8]) -> Result<$Save, DecodeError> {
                $Save::decode(bytes)
            }

            fn to_text(&self) -> String {
                $Save::to_text(self)
            }

            fn map(&self) -> Digest {
                $Save::map(self)
            }
        }
    )+};
}

saves!(Progress, Steps);

/// A save on disk, and what is known to be in it.
pub(crate) struct SaveFile<S> {
    path: PathBuf,
    held: Option<S>,
}

impl<S: Save> SaveFile<S> {
    /// Opens a save. A file that holds anything else is rejected.
    pub(crate) fn open(path: PathBuf) -> Result<SaveFile<S>, Failure> {
        Ok(SaveFile { held: read(&path)?, path })
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
        if read::<S>(&self.path)?.is_some_and(|there| there.map() != run.map()) {
            return Err(Failure::about(
                self.path.display(),
                "now holds a run on another map; nothing was saved",
            ));
        }
        output::write(Some(&self.path), run.to_text() + "\n")?;
        self.held = Some(run.clone());
        Ok(())
    }

    /// Writes the run at its end, if it differs from what is saved, and says so. A new one is not worth a file.
    pub(crate) fn keep(&mut self, run: &S, is_new: bool) -> Result<String, Failure> {
        let untouched = self.held.as_ref().map_or(is_new, |held| held == run);
        if untouched {
            return Ok("nothing new to save".to_owned());
        }
        self.write(run)?;
        Ok(format!("saved in {}", self.path.display()))
    }
}

fn read<S: Save>(path: &Path) -> Result<Option<S>, Failure> {
    match path.metadata() {
        Ok(there) if there.is_dir() => {
            Err(Failure::about(path.display(), "is a directory; name a file in it"))
        }
        Ok(there) if there.is_file() => S::decode(&config_file::read(path)?).map(Some).map_err(|error| {
            let line = format!("not a save: {error}; name another file with --save");
            Failure::about(path.display(), line)
        }),
        // Nothing there, or a device that keeps nothing.
        _ => Ok(None),
    }
}
