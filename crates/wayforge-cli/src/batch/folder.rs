//! A batch into a folder: the document of each map in a file of its own, a thousand seeds a folder.

use super::Target;
use super::unfinished::{MANIFEST, Unfinished};
use crate::failure::{Context, Failure};
use serde_json::json;
use std::path::PathBuf;
use wayforge_analysis::batch::{Kept, Request};
use wayforge_analysis::search::{Block, Worker};

/// How many seeds a block has, and how many of them a thread is given: a document can be large.
const STEP: u64 = 1;
const MAX: usize = 256;

/// A folder in the making, beside its place.
pub(super) struct Folder {
    place: Unfinished,
    request: Request,
    kept: Kept,
}

/// What a block came to.
pub(super) struct Written {
    seeds: u64,
    made: u64,
    bytes: u64,
}

impl Folder {
    /// Begins, or goes on from what was kept.
    pub(super) fn open(place: Unfinished, request: &Request, kept: Option<Kept>) -> Result<Folder, Failure> {
        let folder = place.content();
        std::fs::create_dir_all(&folder).about(folder.display())?;
        Ok(Folder { place, request: request.clone(), kept: kept.unwrap_or_default() })
    }

    /// Where a seed's document stands: whoever has the seed finds it, and folders of shards can be put together.
    fn path(&self, seed: u64) -> PathBuf {
        let (millions, thousands) = (seed / 1_000_000, seed / 1000 % 1000);
        self.place.content().join(format!("{millions}/{thousands:03}/{seed}.json"))
    }

    fn write(&self, seed: u64, text: &str) -> std::io::Result<()> {
        let path = self.path(seed);
        match std::fs::write(&path, text) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
                std::fs::write(&path, text)
            }
            written => written,
        }
    }

    /// All that was written is on the disk: many files at once, since one by one they would take a hundred times as long.
    fn sync(&self) -> Result<(), Failure> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        std::fs::File::open(self.place.content())
            .and_then(|folder| Ok(rustix::fs::syncfs(folder)?))
            .map_err(|error| self.place.cannot_write(&error))?;
        #[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
        rustix::fs::sync();
        Ok(())
    }
}

impl Target for Folder {
    type Part = Written;

    fn step(&self) -> u64 {
        STEP
    }

    fn most(&self) -> usize {
        MAX
    }

    fn look(&self, worker: &mut Worker, block: Block) -> Result<Written, Failure> {
        let mut written = Written { seeds: block.len(), made: 0, bytes: 0 };
        for seed in block.seeds() {
            let Some(document) = worker.document(seed.clone()) else { continue };
            let text = document.to_text() + "\n";
            self.write(seed.number(), &text).map_err(|error| self.place.cannot_write(&error))?;
            written.made += 1;
            written.bytes += text.len() as u64;
        }
        Ok(written)
    }

    fn add(&mut self, written: Written) -> Result<(), Failure> {
        self.kept.seeds += written.seeds;
        self.kept.made += written.made;
        self.kept.bytes += written.bytes;
        Ok(())
    }

    fn save(&mut self, _: bool) -> Result<(), Failure> {
        self.sync()?;
        self.place.save(&self.kept)
    }

    fn kept(&self) -> Kept {
        self.kept.clone()
    }

    fn finish(self) -> Result<(), Failure> {
        let told = json!({ "request": self.request, "made": self.kept.made });
        let told = serde_json::to_string_pretty(&told).unwrap_or_default() + "\n";
        let manifest = self.place.content().join(MANIFEST);
        std::fs::write(manifest, told).map_err(|error| self.place.cannot_write(&error))?;
        self.sync()?;
        self.place.publish()
    }
}
