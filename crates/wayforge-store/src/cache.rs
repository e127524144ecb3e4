//! Maps and rows that were used lately, in bounded memory.

use crate::key::ChannelKey;
use crate::map::StoredMap;
use crate::row::{ChannelRow, Kept};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Arc;
use wayforge::run::RunError;
use wayforge::{Digest, Document, Run};

/// Decoded maps by digest. What a digest names never changes, so nothing here can be stale.
pub(crate) type Documents = Cache<Digest, Arc<Ready>, Bytes>;
/// Rows as the store wrote them.
pub(crate) type Rows = Cache<ChannelKey, Arc<ChannelRow>, Bytes>;

/// Weighs entries by about the bytes that they take.
#[derive(Clone)]
pub(crate) struct Bytes;

/// A document with the beginning of a run on it; none for families that are not played.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) kept: Kept,
    pub(crate) start: std::result::Result<Run, RunError>,
}

impl Ready {
    /// A document with its row.
    pub(crate) fn new(document: &Document, kept: Kept) -> Arc<Ready> {
        Arc::new(Ready { kept, start: Run::start(document) })
    }

    /// The map of a channel's row.
    pub(crate) fn stored(&self, row: ChannelRow) -> StoredMap {
        row.stored(&self.kept, self.start.as_ref().ok())
    }
}

/// A cache of decoded maps.
pub(crate) fn documents() -> Documents {
    Cache::with_weighter(1 << 12, 64 << 20, Bytes)
}

/// A cache of rows.
pub(crate) fn rows() -> Rows {
    Cache::with_weighter(1 << 14, 16 << 20, Bytes)
}

impl Weighter<Digest, Arc<Ready>> for Bytes {
    fn weight(&self, _: &Digest, ready: &Arc<Ready>) -> u64 {
        // Decoded maps are several times as large as their text.
        ready.kept.text.len() as u64 * 6 + 1024
    }
}

impl Weighter<ChannelKey, Arc<ChannelRow>> for Bytes {
    fn weight(&self, _: &ChannelKey, row: &Arc<ChannelRow>) -> u64 {
        512 + row.progress.as_ref().map_or(0, |progress| progress.len() as u64)
    }
}
