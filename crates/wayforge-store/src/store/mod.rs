//! The store: what is decided before and after the database is asked.

mod change;
mod guild;
mod past;
mod tokens;

pub(crate) use change::CHECKPOINT;

use crate::cache::{self, Documents, Ready, Rows};
use crate::database::{Database, on};
use crate::error::Result;
use crate::history::Event;
use crate::key::{Actor, ChannelKey};
use crate::map::{NewMap, Page, Revision, StoredMap};
use change::Wish;
use std::sync::Arc;
use wayforge::run::{Move, RunError};
use wayforge::{Digest, Document, InputError, Seed};

/// Maps kept per guild and channel.
///
/// Every change is one transaction that names the revision it saw: of two simultaneous ones one wins, and the other gets
/// [`Conflict`](crate::StoreError::Conflict) with the map as it stands. When a change returns, it is on disk.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use wayforge::{Family, Seed};
/// use wayforge_store::{Actor, ChannelKey, NewMap, StoreError};
/// let folder = tempfile::tempdir()?;
/// let store = wayforge_store::open(&format!("sqlite:{}", folder.path().join("maps.db").display())).await?;
/// let (key, who) = (ChannelKey::new(Some("guild"), "general")?, Actor::new("ada")?);
///
/// let map = store.create(&key, NewMap::generate(Family::Act, b"{}", Seed::new(42))?, None, &who).await?;
/// let step = map.run()?.moves()[0];
/// let moved = store.advance(&key, map.revision, step, &who).await?;
/// assert_eq!(moved.revision.0, 2);
/// // A second change of the first revision is rejected with the current map.
/// let Err(StoreError::Conflict { current }) = store.advance(&key, map.revision, step, &who).await else { panic!() };
/// assert_eq!(*current, moved);
/// # store.close().await;
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
pub struct Store {
    database: Database,
    documents: Documents,
    /// Rows as this store wrote them. A change that names the revision of one needs no look into the database first: if the
    /// row is no longer there, the change is stale and nothing is written.
    rows: Rows,
}

impl Store {
    pub(crate) fn new(database: Database) -> Store {
        Store { database, documents: cache::documents(), rows: cache::rows() }
    }

    /// Puts a map into a channel. `seen` is the revision of the map that it takes the place of; with none, a map that is there
    /// is not replaced: it comes back as a conflict.
    pub async fn create(
        &self,
        key: &ChannelKey,
        map: NewMap,
        seen: Option<Revision>,
        who: &Actor,
    ) -> Result<StoredMap> {
        self.change_map(key, seen, Wish::Create(Box::new(map)), who).await
    }

    /// The channel's map, if it has one. What is damaged is not served.
    pub async fn get(&self, key: &ChannelKey) -> Result<Option<StoredMap>> {
        // The database's own document is checked even where the cache has it, so that damage is reported.
        Ok(on!(self, map(key))?.map(|(row, document)| row.stored(&document, None)))
    }

    /// The same map from the start.
    pub async fn reset(&self, key: &ChannelKey, seen: Revision, who: &Actor) -> Result<StoredMap> {
        self.change_map(key, Some(seen), Wish::Plain(Event::Reset), who).await
    }

    /// The map of the same configuration under another seed.
    pub async fn reseed(
        &self,
        key: &ChannelKey,
        seen: Revision,
        seed: Seed,
        who: &Actor,
    ) -> Result<StoredMap> {
        self.change_map(key, Some(seen), Wish::Reseed(seed), who).await
    }

    /// Moves the party one step on. An illegal move is rejected with the legal ones.
    pub async fn advance(
        &self,
        key: &ChannelKey,
        seen: Revision,
        step: Move,
        who: &Actor,
    ) -> Result<StoredMap> {
        self.change_map(key, Some(seen), Wish::Plain(Event::Move(step)), who).await
    }

    /// Takes the last step back.
    pub async fn undo(&self, key: &ChannelKey, seen: Revision, who: &Actor) -> Result<StoredMap> {
        self.change_map(key, Some(seen), Wish::Plain(Event::Undo), who).await
    }

    /// Takes the map out of the channel; its history stays, and its revision counts on. Returns the revision of the deletion.
    pub async fn delete(&self, key: &ChannelKey, seen: Revision, who: &Actor) -> Result<Revision> {
        let (row, _) = self.change(key, Some(seen), Wish::Plain(Event::Delete), who).await?;
        Ok(row.revision())
    }

    /// Brings a former map back as it stood at revision `former`, progress included. `seen` as for [`create`](Self::create).
    pub async fn restore(
        &self,
        key: &ChannelKey,
        seen: Option<Revision>,
        former: Revision,
        who: &Actor,
    ) -> Result<StoredMap> {
        self.change_map(key, seen, Wish::Plain(Event::Restore(former)), who).await
    }

    /// Asks the database for a sign of life.
    pub async fn ping(&self) -> Result<()> {
        on!(self, ping())
    }

    /// Finishes the changes under way and closes the database.
    pub async fn close(&self) {
        on!(self, close())
    }

    /// A document, decoded.
    async fn ready(&self, digest: Digest) -> Result<Arc<Ready>> {
        if let Some(ready) = self.documents.get(&digest) {
            return Ok(ready);
        }
        let kept = on!(self, document(digest))?;
        let document = Document::decode(kept.text.as_bytes()).map_err(RunError::from)?;
        let ready = Ready::new(&document, kept);
        self.documents.insert(digest, Arc::clone(&ready));
        Ok(ready)
    }
}

/// Limits of pages, checked alike.
fn page_limit(limit: u32) -> Result<i64> {
    match limit {
        1..=1000 => Ok(limit.into()),
        _ => Err(InputError::new("limit", limit, "out of range", "use 1 to 1000").into()),
    }
}

/// One page of what was read with one item more than asked for.
fn page<T, C>(mut items: Vec<T>, limit: i64, cursor: impl Fn(&T) -> C) -> Page<T, C> {
    let more = items.len() as i64 > limit;
    items.truncate(limit as usize);
    let next = items.last().filter(|_| more).map(cursor);
    Page { items, next }
}
