//! A batch into one file.

use super::Target;
use super::unfinished::Unfinished;
use crate::failure::Failure;
use std::io::{Seek, SeekFrom, Write};
use wayforge::AnySpec;
use wayforge_analysis::batch::{Kept, Part, Request, Sheet};
use wayforge_analysis::search::{Block, Worker};

/// A file in the making, beside its place.
pub(super) struct File {
    place: Unfinished,
    sheet: Sheet,
    file: std::fs::File,
    /// How long the file was when its state was written last.
    saved: u64,
}

impl File {
    /// Begins, or goes on from what was kept.
    pub(super) fn open(
        place: Unfinished,
        subject: &AnySpec,
        request: &Request,
        kept: Option<Kept>,
    ) -> Result<File, Failure> {
        let path = place.content();
        let refuse = |error: &dyn std::fmt::Display| Failure::about(path.display(), error);
        let mut sheet = Sheet::new(subject, request).map_err(|error| refuse(&error))?;
        let mut options = std::fs::File::options();
        let mut file =
            options.write(true).create(true).truncate(false).open(&path).map_err(|e| refuse(&e))?;
        let saved = match kept {
            Some(kept) if kept.bytes > 0 => {
                let there = file.metadata().map_err(|error| refuse(&error))?.len();
                if there < kept.bytes {
                    return Err(place.damaged(&format!("{there} bytes where there were {}", kept.bytes)));
                }
                let bytes = kept.bytes;
                sheet = sheet.resume(kept).map_err(|error| place.damaged(&error))?;
                // What came after the last save may be anything.
                file.set_len(bytes).map_err(|error| refuse(&error))?;
                file.seek(SeekFrom::End(0)).map_err(|error| refuse(&error))?;
                bytes
            }
            _ => {
                file.set_len(0)
                    .and_then(|()| file.write_all(&sheet.begin()))
                    .map_err(|error| refuse(&error))?;
                0
            }
        };
        Ok(File { place, sheet, file, saved })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file.write_all(bytes).map_err(|error| self.place.cannot_write(&error))
    }

    fn sync(&self) -> Result<(), Failure> {
        self.file.sync_all().map_err(|error| self.place.cannot_write(&error))
    }
}

impl Target for File {
    type Part = Part;

    fn step(&self) -> u64 {
        self.sheet.step()
    }

    fn most(&self) -> usize {
        self.sheet.most()
    }

    fn look(&self, worker: &mut Worker, block: Block) -> Result<Part, Failure> {
        Ok(self.sheet.look(worker, block))
    }

    fn add(&mut self, part: Part) -> Result<(), Failure> {
        let bytes = self.sheet.add(part).map_err(|error| self.place.cannot_write(&error))?;
        self.write(&bytes)
    }

    fn save(&mut self, down: bool) -> Result<(), Failure> {
        self.sync()?;
        // Rows that wait for their row group weigh much; they are kept where it is long in coming.
        let kept = self.sheet.keep(down || self.saved == self.sheet.bytes());
        self.saved = kept.bytes;
        self.place.save(&kept)
    }

    fn kept(&self) -> Kept {
        let sheet = &self.sheet;
        Kept { bytes: sheet.bytes(), seeds: sheet.seeds(), made: sheet.made(), ..Kept::default() }
    }

    fn finish(mut self) -> Result<(), Failure> {
        let end = self.sheet.end().map_err(|error| self.place.cannot_write(&error))?;
        self.write(&end)?;
        self.sync()?;
        // A file that is open cannot be moved everywhere.
        drop(self.file);
        self.place.publish()
    }
}
