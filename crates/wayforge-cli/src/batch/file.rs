//! A batch into one file.

use super::Target;
use super::unfinished::Unfinished;
use crate::failure::{Context, Failure};
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
        let mut sheet = Sheet::new(subject, request).about(path.display())?;
        let mut options = std::fs::File::options();
        let mut file = options.write(true).create(true).truncate(false).open(&path).about(path.display())?;
        let kept = kept.filter(|kept| kept.bytes > 0);
        let saved = kept.as_ref().map_or(0, |kept| kept.bytes);
        let there = file.metadata().about(path.display())?.len();
        if there < saved {
            return Err(place.damaged(&format!("{there} bytes where there were {saved}")));
        }
        // What came after the last save may be anything.
        file.set_len(saved).about(path.display())?;
        match kept {
            Some(kept) => {
                sheet = sheet.resume(kept).map_err(|error| place.damaged(&error))?;
                file.seek(SeekFrom::End(0)).map(drop).about(path.display())?;
            }
            None => file.write_all(&sheet.begin()).about(path.display())?,
        }
        Ok(File { place, sheet, file, saved })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.place.written(self.file.write_all(bytes))
    }

    fn sync(&self) -> Result<(), Failure> {
        self.place.written(self.file.sync_all())
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
        let bytes = self.place.written(self.sheet.add(part))?;
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
        let end = self.place.written(self.sheet.end())?;
        self.write(&end)?;
        self.sync()?;
        // A file that is open cannot be moved everywhere.
        drop(self.file);
        self.place.publish()
    }
}
