//! A batch into a folder: the document of each map in a file of its own, a thousand seeds a folder.

use super::Target;
use super::unfinished::{MANIFEST, Unfinished};
use crate::failure::{Context, Failure};
use serde_json::json;
use std::path::PathBuf;
use wayforge_analysis::batch::{Kept, Request};
use wayforge_analysis::search::{Block, Worker};

/// The most blocks of one seed that a thread is given: a document can be large.
const MAX: usize = 256;

/// A folder in the making, beside its place.
pub(super) struct Folder {
    place: Unfinished,
    request: Request,
    kept: Kept,
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
        self.place.written(
            std::fs::File::open(self.place.content()).and_then(|folder| Ok(rustix::fs::syncfs(folder)?)),
        )?;
        #[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
        rustix::fs::sync();
        Ok(())
    }
}

impl Target for Folder {
    /// What a block came to.
    type Part = Kept;

    fn step(&self) -> u64 {
        1
    }

    fn most(&self) -> usize {
        MAX
    }

    fn look(&self, worker: &mut Worker, block: Block) -> Result<Kept, Failure> {
        let mut written = Kept { seeds: block.len(), ..Kept::default() };
        for seed in block.seeds() {
            let Some(document) = worker.document(seed.clone()) else { continue };
            let text = document.to_text() + "\n";
            self.place.written(self.write(seed.number(), &text))?;
            written.made += 1;
            written.bytes += text.len() as u64;
        }
        Ok(written)
    }

    fn add(&mut self, written: Kept) -> Result<(), Failure> {
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
        let manifest = format!("{:#}\n", json!({ "request": self.request, "made": self.kept.made }));
        self.place.written(std::fs::write(self.place.content().join(MANIFEST), manifest))?;
        self.sync()?;
        self.place.publish()
    }
}
