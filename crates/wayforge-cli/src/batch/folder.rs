//! Writes a batch to a folder: one document per file, 1000 seeds per subfolder.

use super::BatchTarget;
use super::staging::{MANIFEST, Staging};
use crate::failure::{Context, Failure};
use serde_json::json;
use std::path::PathBuf;
use wayforge_analysis::batch::{BatchRequest, Checkpoint};
use wayforge_analysis::search::{Block, Worker};

/// Maximum number of one-seed blocks per thread and wave. Documents can be large.
const MAX_BLOCKS: usize = 256;

/// An incomplete folder of documents in its staging folder.
pub(super) struct FolderTarget {
    staging: Staging,
    request: BatchRequest,
    totals: Checkpoint,
}

impl FolderTarget {
    /// Creates the folder, or continues it from a checkpoint.
    pub(super) fn open(
        staging: Staging,
        request: &BatchRequest,
        checkpoint: Option<Checkpoint>,
    ) -> Result<FolderTarget, Failure> {
        let folder = staging.content();
        std::fs::create_dir_all(&folder).context(folder.display())?;
        Ok(FolderTarget {
            staging,
            request: request.clone(),
            totals: checkpoint.unwrap_or_default(),
        })
    }

    /// Returns the path of a seed's document. It depends only on the seed, so the folders of
    /// several shards can be merged.
    fn path(&self, seed: u64) -> PathBuf {
        let (millions, thousands) = (seed / 1_000_000, seed / 1000 % 1000);
        self.staging.content().join(format!("{millions}/{thousands:03}/{seed}.json"))
    }

    fn write(&self, seed: u64, text: &str) -> std::io::Result<()> {
        let path = self.path(seed);
        match std::fs::write(&path, text) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
                std::fs::write(&path, text)
            }
            result => result,
        }
    }

    /// Flushes all files to disk with one call, about 100 times faster than one by one.
    fn sync(&self) -> Result<(), Failure> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        self.staging.check_write(
            std::fs::File::open(self.staging.content())
                .and_then(|folder| Ok(rustix::fs::syncfs(folder)?)),
        )?;
        #[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
        rustix::fs::sync();
        Ok(())
    }
}

impl BatchTarget for FolderTarget {
    /// Totals of one block.
    type BlockResult = Checkpoint;

    fn block_len(&self) -> u64 {
        1
    }

    fn max_blocks_per_thread(&self) -> usize {
        MAX_BLOCKS
    }

    fn process(&self, worker: &mut Worker, block: Block) -> Result<Checkpoint, Failure> {
        let mut written = Checkpoint { seeds: block.len(), ..Checkpoint::default() };
        for seed in block.seeds() {
            let Some(document) = worker.document(seed.clone()) else { continue };
            let text = document.to_text() + "\n";
            self.staging.check_write(self.write(seed.number(), &text))?;
            written.maps += 1;
            written.bytes += text.len() as u64;
        }
        Ok(written)
    }

    fn add(&mut self, written: Checkpoint) -> Result<(), Failure> {
        self.totals.seeds += written.seeds;
        self.totals.maps += written.maps;
        self.totals.bytes += written.bytes;
        Ok(())
    }

    fn save(&mut self, _: bool) -> Result<(), Failure> {
        self.sync()?;
        self.staging.save(&self.totals)
    }

    fn totals(&self) -> Checkpoint {
        self.totals.clone()
    }

    fn finish(self) -> Result<(), Failure> {
        let manifest =
            format!("{:#}\n", json!({ "request": self.request, "generated": self.totals.maps }));
        self.staging
            .check_write(std::fs::write(self.staging.content().join(MANIFEST), manifest))?;
        self.sync()?;
        self.staging.publish()
    }
}
