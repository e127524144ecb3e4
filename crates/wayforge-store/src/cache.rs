//! Maps that were played lately, decoded, by digest. What a digest names never changes, so nothing here can be stale.

use crate::error::Result;
use crate::recent::Recent;
use crate::row::Kept;
use std::sync::Arc;
use wayforge::run::RunError;
use wayforge::{Digest, Document, Run};

/// About so much memory is used, in bytes.
const MAX: usize = 64 << 20;

/// A document with the beginning of a run on it; none for families that are not played.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) kept: Kept,
    pub(crate) start: std::result::Result<Run, RunError>,
}

/// Decoded maps.
pub(crate) struct Cache(Recent<Digest, Arc<Ready>>);

impl Ready {
    /// Decodes a document that was checked.
    pub(crate) fn of(kept: Kept) -> Result<Ready> {
        let document = Document::decode(kept.text.as_bytes()).map_err(RunError::from)?;
        let start = Run::start(&document);
        Ok(Ready { kept, start })
    }
}

impl Default for Cache {
    fn default() -> Cache {
        Cache(Recent::new(MAX))
    }
}

impl Cache {
    pub(crate) fn get(&self, digest: &Digest) -> Option<Arc<Ready>> {
        self.0.get(digest)
    }

    pub(crate) fn add(&self, ready: Arc<Ready>) {
        // Decoded maps are several times as large as their text.
        let weight = ready.kept.text.len() * 6 + 1024;
        self.0.add(ready.kept.digest, ready, weight);
    }
}
