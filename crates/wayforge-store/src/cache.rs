//! Bounded caches of decoded maps and channel rows.

use crate::history::MapIdentity;
use crate::key::ChannelKey;
use crate::map::StoredMap;
use crate::row::{ChannelRow, DocumentRow};
use quick_cache::sync::Cache;
use quick_cache::{OptionsBuilder, Weighter};
use std::sync::Arc;
use wayforge::run::RunError;
use wayforge::{Digest, Document, Run};

/// Decoded maps by digest. A digest identifies immutable content, so entries never become stale.
pub(crate) type Documents = Cache<Digest, Arc<DecodedMap>, ByteWeighter>;
/// Channel rows as this store last wrote them.
pub(crate) type Rows = Cache<ChannelKey, Arc<ChannelRow>, ByteWeighter>;

/// Identities of verified documents by digest.
pub(crate) type Identities = Cache<Digest, MapIdentity>;

/// Weighs entries by their approximate size in bytes.
#[derive(Clone)]
pub(crate) struct ByteWeighter;

/// A document with the initial state of its run; `start` is an error for families that cannot be
/// played.
#[derive(Debug)]
pub(crate) struct DecodedMap {
    pub(crate) row: DocumentRow,
    pub(crate) start: std::result::Result<Run, RunError>,
}

impl DecodedMap {
    /// Decodes the initial state of a run from a document.
    pub(crate) fn new(document: &Document, row: DocumentRow) -> Arc<DecodedMap> {
        Arc::new(DecodedMap { row, start: Run::start(document) })
    }

    /// Combines the document with a channel row.
    pub(crate) fn stored_map(&self, row: ChannelRow) -> StoredMap {
        row.into_stored_map(&self.row, self.start.as_ref().ok())
    }
}

/// Creates a cache of decoded maps of at most `bytes`.
pub(crate) fn documents(bytes: u64) -> Documents {
    // With one shard for each core, no shard has room for a large map.
    let options = OptionsBuilder::new()
        .estimated_items_capacity(1 << 12)
        .weight_capacity(bytes)
        .shards(1)
        .build();
    let options = options.expect("the capacities are set");
    Cache::with_options(options, ByteWeighter, Default::default(), Default::default())
}

/// Creates a cache of about ten megabytes.
pub(crate) fn identities() -> Identities {
    Cache::new(1 << 15)
}

/// Creates a cache of channel rows of at most 16 MiB.
pub(crate) fn rows() -> Rows {
    Cache::with_weighter(1 << 14, 16 << 20, ByteWeighter)
}

impl Weighter<Digest, Arc<DecodedMap>> for ByteWeighter {
    fn weight(&self, _: &Digest, decoded: &Arc<DecodedMap>) -> u64 {
        // A decoded map takes several times the size of its text.
        decoded.row.text.len() as u64 * 6 + 1024
    }
}

impl Weighter<ChannelKey, Arc<ChannelRow>> for ByteWeighter {
    fn weight(&self, _: &ChannelKey, row: &Arc<ChannelRow>) -> u64 {
        512 + row.progress.as_ref().map_or(0, |progress| progress.len() as u64)
    }
}
