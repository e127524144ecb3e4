//! Writes a batch to one file.

use super::BatchTarget;
use super::staging::Staging;
use crate::failure::{Context, Failure};
use std::io::{Seek, SeekFrom, Write};
use wayforge::AnySpec;
use wayforge_analysis::batch::{BatchRequest, BatchWriter, BlockOutput, Checkpoint};
use wayforge_analysis::search::{Block, Worker};

/// An incomplete file in its staging folder.
pub(super) struct FileTarget {
    staging: Staging,
    writer: BatchWriter,
    file: std::fs::File,
    /// Length of the file at the last checkpoint, in bytes.
    saved_bytes: u64,
}

impl FileTarget {
    /// Creates the file, or continues it from a checkpoint.
    pub(super) fn open(
        staging: Staging,
        spec: &AnySpec,
        request: &BatchRequest,
        checkpoint: Option<Checkpoint>,
    ) -> Result<FileTarget, Failure> {
        let path = staging.content();
        let mut writer = BatchWriter::new(spec, request).context(path.display())?;
        let mut options = std::fs::File::options();
        let mut file =
            options.write(true).create(true).truncate(false).open(&path).context(path.display())?;
        let checkpoint = checkpoint.filter(|checkpoint| checkpoint.bytes > 0);
        let saved_bytes = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.bytes);
        let found_bytes = file.metadata().context(path.display())?.len();
        if found_bytes < saved_bytes {
            return Err(
                staging.damaged(&format!("{found_bytes} bytes, {saved_bytes} in the checkpoint"))
            );
        }
        // Bytes after the last checkpoint may be incomplete.
        file.set_len(saved_bytes).context(path.display())?;
        match checkpoint {
            Some(checkpoint) => {
                writer = writer.resume(checkpoint).map_err(|error| staging.damaged(&error))?;
                file.seek(SeekFrom::End(0)).map(drop).context(path.display())?;
            }
            None => file.write_all(&writer.begin()).context(path.display())?,
        }
        Ok(FileTarget { staging, writer, file, saved_bytes })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.staging.check_write(self.file.write_all(bytes))
    }

    fn sync(&self) -> Result<(), Failure> {
        self.staging.check_write(self.file.sync_all())
    }
}

impl BatchTarget for FileTarget {
    type BlockResult = BlockOutput;

    fn block_len(&self) -> u64 {
        self.writer.block_len()
    }

    fn max_blocks_per_thread(&self) -> usize {
        self.writer.max_blocks_per_thread()
    }

    fn process(&self, worker: &mut Worker, block: Block) -> Result<BlockOutput, Failure> {
        Ok(self.writer.process(worker, block))
    }

    fn add(&mut self, output: BlockOutput) -> Result<(), Failure> {
        let bytes = self.staging.check_write(self.writer.add(output))?;
        self.write(&bytes)
    }

    fn save(&mut self, is_last: bool) -> Result<(), Failure> {
        self.sync()?;
        // Rows of an incomplete row group are large. They are saved only at the end, or if no row
        // group was completed since the last checkpoint.
        let with_rows = is_last || self.saved_bytes == self.writer.bytes();
        let checkpoint = self.writer.checkpoint(with_rows);
        self.saved_bytes = checkpoint.bytes;
        self.staging.save(&checkpoint)
    }

    fn totals(&self) -> Checkpoint {
        let writer = &self.writer;
        Checkpoint {
            bytes: writer.bytes(),
            seeds: writer.seeds_done(),
            maps: writer.maps(),
            ..Checkpoint::default()
        }
    }

    fn finish(mut self) -> Result<(), Failure> {
        let end = self.staging.check_write(self.writer.finish())?;
        self.write(&end)?;
        self.sync()?;
        // Some systems cannot rename an open file.
        drop(self.file);
        self.staging.publish()
    }
}
