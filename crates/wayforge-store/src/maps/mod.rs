//! The store over any database: what is decided before and after the database is asked.

mod change;
mod guild;
mod once;
mod past;
mod tokens;

use crate::backend::Backend;
use crate::cache::{Cache, Ready};
use crate::error::Result;
use crate::guild_file::Tally;
use crate::history::HistoryEntry;
use crate::key::{Actor, ChannelKey, Id};
use crate::map::{Listed, NewMap, Page, Revision, StoredMap};
use crate::recent::Recent;
use crate::row::{ChannelRow, Kept};
use crate::store::{Answer, Store};
use crate::token::{Access, Secret, Token};
pub(crate) use change::CHECKPOINT;
use change::Wish;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufRead, AsyncWrite};
use wayforge::run::Move;
use wayforge::{Digest, InputError, Seed};

/// The store over one database.
pub(crate) struct Maps<B> {
    backend: B,
    cache: Cache,
    /// Rows as this store wrote them. Who names the revision of one needs no look into the database before a change: if it is
    /// no longer there, the change is stale and nothing is written.
    rows: Recent<ChannelKey, Arc<ChannelRow>>,
}

/// About so much memory is used for rows, in bytes.
const MAX_ROWS: usize = 16 << 20;

impl<B: Backend> Maps<B> {
    pub(crate) fn new(backend: B) -> Maps<B> {
        Maps { backend, cache: Cache::default(), rows: Recent::new(MAX_ROWS) }
    }

    async fn find(&self, key: &ChannelKey) -> Result<Option<StoredMap>> {
        let Some((row, document)) = self.backend.channel_with_document(key).await? else { return Ok(None) };
        let row = row.checked()?;
        let Some(digest) = row.digest()? else { return Ok(None) };
        // The database's own document is looked at even where the cache has it: damage is to be told, not hidden.
        Ok(Some(row.stored(&Kept::read(digest, document)?, None)))
    }

    /// A channel's row as it was written.
    async fn row(&self, key: &ChannelKey) -> Result<Option<ChannelRow>> {
        self.backend.channel(key).await?.map(ChannelRow::checked).transpose()
    }

    /// A document, decoded.
    async fn ready(&self, digest: Digest) -> Result<Arc<Ready>> {
        if let Some(ready) = self.cache.get(&digest) {
            return Ok(ready);
        }
        let kept = Kept::read(digest, self.backend.document(&digest.0).await?)?;
        let ready = Arc::new(Ready::of(kept)?);
        self.cache.add(Arc::clone(&ready));
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

impl<B: Backend> Store for Maps<B> {
    fn create<'a>(
        &'a self,
        key: &'a ChannelKey,
        map: NewMap,
        seen: Option<Revision>,
        who: &'a Actor,
    ) -> Answer<'a, StoredMap> {
        Box::pin(self.change_map(key, seen, Wish::Create(Box::new(map)), who))
    }

    fn get<'a>(&'a self, key: &'a ChannelKey) -> Answer<'a, Option<StoredMap>> {
        Box::pin(self.find(key))
    }

    fn reset<'a>(&'a self, key: &'a ChannelKey, seen: Revision, who: &'a Actor) -> Answer<'a, StoredMap> {
        Box::pin(self.change_map(key, Some(seen), Wish::Reset, who))
    }

    fn reseed<'a>(
        &'a self,
        key: &'a ChannelKey,
        seen: Revision,
        seed: Seed,
        who: &'a Actor,
    ) -> Answer<'a, StoredMap> {
        Box::pin(self.change_map(key, Some(seen), Wish::Reseed(seed), who))
    }

    fn advance<'a>(
        &'a self,
        key: &'a ChannelKey,
        seen: Revision,
        step: Move,
        who: &'a Actor,
    ) -> Answer<'a, StoredMap> {
        Box::pin(self.change_map(key, Some(seen), Wish::Move(step), who))
    }

    fn undo<'a>(&'a self, key: &'a ChannelKey, seen: Revision, who: &'a Actor) -> Answer<'a, StoredMap> {
        Box::pin(self.change_map(key, Some(seen), Wish::Undo, who))
    }

    fn delete<'a>(&'a self, key: &'a ChannelKey, seen: Revision, who: &'a Actor) -> Answer<'a, Revision> {
        Box::pin(async move {
            let (row, _) = self.change(key, Some(seen), Wish::Delete, who).await?;
            Ok(Revision(row.revision as u64))
        })
    }

    fn restore<'a>(
        &'a self,
        key: &'a ChannelKey,
        seen: Option<Revision>,
        former: Revision,
        who: &'a Actor,
    ) -> Answer<'a, StoredMap> {
        Box::pin(self.change_map(key, seen, Wish::Restore(former), who))
    }

    fn former<'a>(&'a self, key: &'a ChannelKey, revision: Revision) -> Answer<'a, StoredMap> {
        Box::pin(self.former_map(key, revision))
    }

    fn history<'a>(
        &'a self,
        key: &'a ChannelKey,
        before: Option<Revision>,
        limit: u32,
    ) -> Answer<'a, Page<HistoryEntry, Revision>> {
        Box::pin(self.history_page(key, before, limit))
    }

    fn list<'a>(
        &'a self,
        guild: Option<&'a Id>,
        after: Option<&'a Id>,
        limit: u32,
    ) -> Answer<'a, Page<Listed, Id>> {
        Box::pin(self.list_page(guild, after, limit))
    }

    fn export<'a>(
        &'a self,
        guild: Option<&'a Id>,
        out: &'a mut (dyn AsyncWrite + Send + Unpin),
    ) -> Answer<'a, Tally> {
        Box::pin(self.export_guild(guild, out))
    }

    fn import<'a>(
        &'a self,
        guild: Option<&'a Id>,
        lines: &'a mut (dyn AsyncBufRead + Send + Unpin),
    ) -> Answer<'a, Tally> {
        Box::pin(self.import_guild(guild, lines))
    }

    fn create_token<'a>(
        &'a self,
        name: &'a str,
        guild: Option<&'a Id>,
        access: Access,
    ) -> Answer<'a, (Token, Secret)> {
        Box::pin(self.make_token(name, guild, access))
    }

    fn check_token<'a>(&'a self, secret: &'a str) -> Answer<'a, Option<Token>> {
        Box::pin(self.good_token(secret))
    }

    fn revoke_token<'a>(&'a self, id: &'a str) -> Answer<'a, bool> {
        Box::pin(self.end_token(id))
    }

    fn list_tokens<'a>(&'a self, after: Option<&'a str>, limit: u32) -> Answer<'a, Page<Token, String>> {
        Box::pin(self.token_page(after, limit))
    }

    fn once<'a>(&'a self, name: &'a str, keep: Duration) -> Answer<'a, bool> {
        Box::pin(self.take_once(name, keep))
    }

    fn ping(&self) -> Answer<'_, ()> {
        Box::pin(self.backend.ping())
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.backend.close())
    }
}
