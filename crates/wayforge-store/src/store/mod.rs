//! Operations of the store that do not depend on the database.

mod change;
mod guild;
mod history;
mod tokens;
mod verify;

pub(crate) use change::CHECKPOINT_INTERVAL;

use crate::cache::{self, DecodedMap, Documents, Identities, Rows};
use crate::database::{ChannelQuota, Database, Write, dispatch};
use crate::error::{Result, StoreError};
use crate::executor::{Executor, OptionalExecutor};
use crate::history::{Event, MapIdentity};
use crate::key::{Actor, ChannelKey, Id};
use crate::map::{NewMap, Page, Revision, StoredMap};
use crate::row::{ChannelRow, damaged};
use change::ChangeRequest;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use wayforge::run::{Move, RunError};
use wayforge::{Digest, Document, InputError, Seed};

/// Size of the cache of decoded maps.
const CACHE_BYTES: u64 = 256 << 20;

/// Stores maps by guild and channel.
///
/// Every change is one transaction and names the revision that it is based on. Of two concurrent
/// changes one succeeds, and the other gets [`Conflict`](crate::StoreError::Conflict) with the
/// current map. A change returns after its data is on disk.
///
/// # Errors
/// Every operation returns [`StoreError`](crate::StoreError): `Input` for invalid arguments,
/// `Conflict` or `NoMap` if the channel is not at the expected revision, `Damaged` if a row does
/// not match its checksum, `Database` if the database fails, and `Closed` after
/// [`close`](Store::close).
///
/// # Examples
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use wayforge::{Family, Seed};
/// use wayforge_store::{Actor, ChannelKey, NewMap, StoreError};
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("maps.db");
/// let store = wayforge_store::open(&format!("sqlite:{}", file.display())).await?;
/// let (key, actor) = (ChannelKey::new(Some("guild"), "general")?, Actor::new("ada")?);
///
/// let new = NewMap::generate(Family::Act, b"{}", Seed::new(42))?;
/// let map = store.create(&key, new, None, &actor).await?;
/// let step = map.run()?.moves()[0];
/// let moved = store.advance(&key, map.revision, step, &actor).await?;
/// assert_eq!(moved.revision.0, 2);
/// // A second change based on the first revision is rejected with the current map.
/// let conflict = store.advance(&key, map.revision, step, &actor).await;
/// assert!(matches!(conflict, Err(StoreError::Conflict { current }) if *current == moved));
/// # store.close().await;
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
pub struct Store {
    database: Database,
    documents: Documents,
    /// Rows as this store last wrote them. A change based on a cached revision needs no read first:
    /// if the row has changed meanwhile, the conditional write does nothing.
    rows: Rows,
    /// Identities of verified documents.
    identities: Identities,
    executor: OptionalExecutor,
    /// Maximum number of channels of a guild; 0 for no limit.
    max_guild_channels: AtomicU32,
}

impl Store {
    pub(crate) fn new(database: Database) -> Store {
        Store {
            database,
            documents: cache::documents(CACHE_BYTES),
            rows: cache::rows(),
            identities: cache::identities(),
            executor: OptionalExecutor::default(),
            max_guild_channels: AtomicU32::new(0),
        }
    }

    /// Sets where the store runs CPU-bound work, and the limits of configurations. The first call
    /// decides.
    pub fn set_executor(&self, executor: Arc<dyn Executor>) {
        self.executor.set(executor);
    }

    /// Sets the maximum number of channels of a guild with a map or a history; 0, the default,
    /// for no limit. Direct messages have none.
    ///
    /// [`create`](Self::create) and [`import`](Self::import) check it in their transaction, so
    /// that concurrent additions through any number of stores cannot exceed it. A guild that is
    /// already larger keeps its channels.
    pub fn set_max_guild_channels(&self, max: u32) {
        self.max_guild_channels.store(max, Ordering::Relaxed);
    }

    /// Returns the limit for a write that adds channels to a guild, if there is one.
    fn channel_quota(&self, guild: Option<&Id>, added: u64) -> Option<ChannelQuota> {
        let max = self.max_guild_channels.load(Ordering::Relaxed);
        let guild = guild.filter(|_| max > 0 && added > 0)?.clone();
        Some(ChannelQuota { guild, added, max })
    }

    /// Stores a map in a channel. `expected` is the revision of the map to replace. With `None`, an
    /// existing map is not replaced but returned as a conflict.
    pub async fn create(
        &self,
        key: &ChannelKey,
        map: NewMap,
        expected: Option<Revision>,
        actor: &Actor,
    ) -> Result<StoredMap> {
        self.change_map(key, expected, ChangeRequest::Create(Arc::new(map)), actor).await
    }

    /// Returns the map of a channel, if it has one.
    pub async fn get(&self, key: &ChannelKey) -> Result<Option<StoredMap>> {
        // The stored document is verified even if it is cached, so that damage is reported.
        let Some((row, raw)) = dispatch!(self, map(key))? else {
            self.channel(key).await?;
            return Ok(None);
        };
        let cached = self.documents.get(&raw.digest);
        let document = self.executor.run_sized(raw.text.len(), || raw.verify()).await?;
        let start = cached.as_ref().and_then(|decoded| decoded.start.as_ref().ok());
        Ok(Some(row.into_stored_map(&document, start)))
    }

    /// Returns the revision of a channel's map, if it has one.
    pub async fn revision(&self, key: &ChannelKey) -> Result<Option<Revision>> {
        let row = self.channel(key).await?;
        Ok(row.filter(|row| row.digest.is_some()).map(|row| row.revision()))
    }

    /// Resets the progress on the map.
    pub async fn reset(
        &self,
        key: &ChannelKey,
        expected: Revision,
        actor: &Actor,
    ) -> Result<StoredMap> {
        self.change_map(key, Some(expected), ChangeRequest::Plain(Event::Reset), actor).await
    }

    /// Replaces the map by one with the same configuration and another seed.
    pub async fn reseed(
        &self,
        key: &ChannelKey,
        expected: Revision,
        seed: Seed,
        actor: &Actor,
    ) -> Result<StoredMap> {
        self.change_map(key, Some(expected), ChangeRequest::Reseed(seed), actor).await
    }

    /// Moves the party. The error for an illegal move lists the legal ones.
    pub async fn advance(
        &self,
        key: &ChannelKey,
        expected: Revision,
        step: Move,
        actor: &Actor,
    ) -> Result<StoredMap> {
        self.change_map(key, Some(expected), ChangeRequest::Plain(Event::Move(step)), actor).await
    }

    /// Undoes the last move.
    pub async fn undo(
        &self,
        key: &ChannelKey,
        expected: Revision,
        actor: &Actor,
    ) -> Result<StoredMap> {
        self.change_map(key, Some(expected), ChangeRequest::Plain(Event::Undo), actor).await
    }

    /// Deletes the map of a channel. The history stays and revisions continue. Returns the revision
    /// of the deletion.
    pub async fn delete(
        &self,
        key: &ChannelKey,
        expected: Revision,
        actor: &Actor,
    ) -> Result<Revision> {
        let (row, _) =
            self.change(key, Some(expected), ChangeRequest::Plain(Event::Delete), actor).await?;
        Ok(row.revision())
    }

    /// Restores the map and the progress of revision `source`. `expected` has the same meaning as
    /// in [`create`](Self::create).
    pub async fn restore(
        &self,
        key: &ChannelKey,
        expected: Option<Revision>,
        source: Revision,
        actor: &Actor,
    ) -> Result<StoredMap> {
        self.change_map(key, expected, ChangeRequest::Plain(Event::Restore(source)), actor).await
    }

    /// Runs an atomic write. Returns false if its condition failed.
    async fn write(&self, work: Write) -> Result<bool> {
        dispatch!(self, write(work))
    }

    /// Checks that the database responds.
    pub async fn ping(&self) -> Result<()> {
        dispatch!(self, ping())
    }

    /// Finishes pending changes and closes the database.
    pub async fn close(&self) {
        dispatch!(self, close())
    }

    /// Returns the row of a channel; `None` if it never had a map.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if the channel has a history but no row.
    async fn channel(&self, key: &ChannelKey) -> Result<Option<ChannelRow>> {
        let mut row = dispatch!(self, channel(key))?;
        if row.is_none() && !dispatch!(self, history(key, 1, false, 1))?.is_empty() {
            // The channel may have been created since the first look.
            row = dispatch!(self, channel(key))?;
            if row.is_none() {
                return Err(damaged(key, "the channel", None));
            }
        }
        Ok(row)
    }

    /// Returns the identity of a channel's map from its verified document: the columns of a
    /// document are checked only together with its text.
    async fn identity(&self, key: &ChannelKey, digest: Digest) -> Result<MapIdentity> {
        if let Some(identity) = self.identities.get(&digest) {
            return Ok(identity);
        }
        let raw = dispatch!(self, document(digest));
        let verified = match raw {
            Ok(raw) => self.executor.run_sized(raw.text.len(), || raw.verify()).await,
            Err(error) => Err(error),
        };
        let identity = verified
            .map_err(|error| match error {
                StoreError::Damaged { .. } => damaged(key, "the document", Some(digest)),
                StoreError::UnknownAlgorithm { algorithm, digest, .. } => {
                    StoreError::UnknownAlgorithm { location: key.to_string(), algorithm, digest }
                }
                error => error,
            })?
            .map;
        self.identities.insert(digest, identity.clone());
        Ok(identity)
    }

    /// Returns a decoded document, from the cache if possible.
    async fn decoded(&self, digest: Digest) -> Result<Arc<DecodedMap>> {
        if let Some(decoded) = self.documents.get(&digest) {
            return Ok(decoded);
        }
        let raw = dispatch!(self, document(digest))?;
        let size = raw.text.len();
        let decode = move || -> Result<_> {
            let row = raw.verify()?;
            let document = Document::decode(row.text.as_bytes()).map_err(RunError::from)?;
            Ok(DecodedMap::new(&document, row))
        };
        let decoded = self.executor.run_sized(size, decode).await?;
        self.documents.insert(digest, Arc::clone(&decoded));
        Ok(decoded)
    }
}

/// Validates the maximum number of items of a page.
fn page_limit(limit: u32) -> Result<i64> {
    match limit {
        1..=1000 => Ok(limit.into()),
        _ => Err(InputError::new("limit", limit, "out of range", "use 1 to 1000").into()),
    }
}

/// Builds a page from rows that were read with a limit one larger than requested.
fn page<T, C>(mut items: Vec<T>, limit: i64, cursor: impl Fn(&T) -> C) -> Page<T, C> {
    let more = items.len() as i64 > limit;
    items.truncate(limit as usize);
    let next = items.last().filter(|_| more).map(cursor);
    Page { items, next }
}
