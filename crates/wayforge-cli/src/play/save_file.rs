//! The file that keeps a run: resumed if it is there, written whole or not at all, and never over anything else.

use crate::config_file;
use crate::failure::Failure;
use crate::output::Output;
use std::path::{Path, PathBuf};
use wayforge::Digest;
use wayforge::act::{Fog, Play, Progress};

/// A save on disk, and what is known to be in it.
pub(crate) struct SaveFile {
    path: PathBuf,
    held: Option<Progress>,
}

impl SaveFile {
    pub(crate) fn at(path: PathBuf) -> SaveFile {
        SaveFile { path, held: None }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The saved run, if there is one. A file that holds anything else is refused.
    pub(crate) fn load(&mut self) -> Result<Option<Progress>, Failure> {
        self.held = match self.path.metadata() {
            Ok(there) if there.is_dir() => {
                return Err(Failure::about(self.path.display(), "is a directory; name a file in it"));
            }
            Ok(there) if there.is_file() => {
                let bytes = config_file::read(&self.path)?;
                let progress = Progress::decode(&bytes).map_err(|error| {
                    let line = format!("not a save: {error}; name another file with --save");
                    Failure::about(self.path.display(), line)
                })?;
                Some(progress)
            }
            // Nothing there, or a device that keeps nothing.
            _ => None,
        };
        Ok(self.held.clone())
    }

    /// Refuses a place that cannot be written before anything is played, instead of losing the run at its end.
    pub(crate) fn check_folder(&self) -> Result<(), Failure> {
        // Opening stages a file beside the save; dropping it unfinished takes it away again.
        Output::open(Some(&self.path)).map(drop)
    }

    /// Writes the run.
    pub(crate) fn write(&mut self, play: &Play) -> Result<(), Failure> {
        let progress = play.progress();
        self.check(progress.map())?;
        let mut output = Output::open(Some(&self.path))?;
        output.write(format!("{}\n", progress.to_text()).as_bytes())?;
        output.finish()?;
        self.held = Some(progress.clone());
        Ok(())
    }

    /// Writes the run if it differs from what is saved; false if there was nothing to write.
    pub(crate) fn keep(&mut self, play: &Play) -> Result<bool, Failure> {
        let progress = play.progress();
        let untouched = match &self.held {
            Some(held) => held == progress,
            None => progress.path().is_empty() && progress.fog() == Fog::None,
        };
        if !untouched {
            self.write(play)?;
        }
        Ok(!untouched)
    }

    /// Another program may have put something else there since the run began.
    fn check(&self, map: Digest) -> Result<(), Failure> {
        match SaveFile::at(self.path.clone()).load()? {
            Some(there) if there.map() != map => {
                Err(Failure::about(self.path.display(), "now holds a run on another map; nothing was saved"))
            }
            _ => Ok(()),
        }
    }
}
