//! The one trait.

use crate::error::Result;
use crate::guild_file::Tally;
use crate::history::HistoryEntry;
use crate::key::{Actor, ChannelKey, Id};
use crate::map::{Listed, NewMap, Page, Revision, StoredMap};
use crate::token::{Access, Secret, Token};
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use tokio::io::{AsyncBufRead, AsyncWrite};
use wayforge::Seed;
use wayforge::run::Move;

/// What a method of [`Store`] gives: a future in a box, so that a store can stand behind a pointer.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

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
/// let map = store.create(&key, NewMap::forge(Family::Act, b"{}", Seed::new(42))?, None, &who).await?;
/// let step = map.run()?.moves()[0];
/// let moved = store.advance(&key, map.revision, step, &who).await?;
/// assert_eq!(moved.revision.0, 2);
/// // Who comes too late is told how things stand.
/// let Err(StoreError::Conflict { current }) = store.advance(&key, map.revision, step, &who).await else { panic!() };
/// assert_eq!(*current, moved);
/// # store.close().await;
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
pub trait Store: Send + Sync + 'static {
    /// Puts a map into a channel. `seen` is the revision of the map that it takes the place of; with none, a map that is there
    /// is not replaced: it comes back as a conflict.
    fn create<'a>(
        &'a self,
        key: &'a ChannelKey,
        map: NewMap,
        seen: Option<Revision>,
        who: &'a Actor,
    ) -> Answer<'a, StoredMap>;

    /// The channel's map, if it has one. What is damaged is not served.
    fn get<'a>(&'a self, key: &'a ChannelKey) -> Answer<'a, Option<StoredMap>>;

    /// The same map from the start.
    fn reset<'a>(&'a self, key: &'a ChannelKey, seen: Revision, who: &'a Actor) -> Answer<'a, StoredMap>;

    /// The map of the same configuration under another seed.
    fn reseed<'a>(
        &'a self,
        key: &'a ChannelKey,
        seen: Revision,
        seed: Seed,
        who: &'a Actor,
    ) -> Answer<'a, StoredMap>;

    /// Moves the party one step on. An illegal move is refused with the legal ones.
    fn advance<'a>(
        &'a self,
        key: &'a ChannelKey,
        seen: Revision,
        step: Move,
        who: &'a Actor,
    ) -> Answer<'a, StoredMap>;

    /// Takes the last step back.
    fn undo<'a>(&'a self, key: &'a ChannelKey, seen: Revision, who: &'a Actor) -> Answer<'a, StoredMap>;

    /// Takes the map out of the channel; its history stays, and its revision counts on. Returns the revision of the deletion.
    fn delete<'a>(&'a self, key: &'a ChannelKey, seen: Revision, who: &'a Actor) -> Answer<'a, Revision>;

    /// Brings a former map back as it stood at revision `former`, progress included. `seen` as for [`create`](Self::create).
    fn restore<'a>(
        &'a self,
        key: &'a ChannelKey,
        seen: Option<Revision>,
        former: Revision,
        who: &'a Actor,
    ) -> Answer<'a, StoredMap>;

    /// The channel's map as it stood at a revision.
    fn former<'a>(&'a self, key: &'a ChannelKey, revision: Revision) -> Answer<'a, StoredMap>;

    /// What happened in a channel, latest first: at most `limit` entries (1 to 1000) before a revision, or the latest ones.
    fn history<'a>(
        &'a self,
        key: &'a ChannelKey,
        before: Option<Revision>,
        limit: u32,
    ) -> Answer<'a, Page<HistoryEntry, Revision>>;

    /// The maps of a guild by channel, at most `limit` (1 to 1000) after a channel; without a guild, those of direct messages.
    fn list<'a>(
        &'a self,
        guild: Option<&'a Id>,
        after: Option<&'a Id>,
        limit: u32,
    ) -> Answer<'a, Page<Listed, Id>>;

    /// Writes all of a guild, histories included, as JSON lines. Every channel is written as it stood at one moment.
    fn export<'a>(
        &'a self,
        guild: Option<&'a Id>,
        out: &'a mut (dyn AsyncWrite + Send + Unpin),
    ) -> Answer<'a, Tally>;

    /// Takes in what [`export`](Self::export) wrote: all of it or nothing. Every digest, every move and every line's shape is
    /// checked; channels that ever had a map are refused.
    fn import<'a>(
        &'a self,
        guild: Option<&'a Id>,
        lines: &'a mut (dyn AsyncBufRead + Send + Unpin),
    ) -> Answer<'a, Tally>;

    /// Makes a token for one guild, or for all. The secret is not kept.
    fn create_token<'a>(
        &'a self,
        name: &'a str,
        guild: Option<&'a Id>,
        access: Access,
    ) -> Answer<'a, (Token, Secret)>;

    /// The token of a secret, if it is good: known and not revoked.
    fn check_token<'a>(&'a self, secret: &'a str) -> Answer<'a, Option<Token>>;

    /// Revokes a token by its id, at once and for ever; false if there is no such token that is still good.
    fn revoke_token<'a>(&'a self, id: &'a str) -> Answer<'a, bool>;

    /// All tokens by id, revoked ones included, at most `limit` (1 to 1000) after one.
    fn list_tokens<'a>(&'a self, after: Option<&'a str>, limit: u32) -> Answer<'a, Page<Token, String>>;

    /// True the first time that a name (1 to 128 bytes) is asked with, and false until `keep` is over, whichever server asks. What is
    /// remembered longer than that is forgotten bit by bit.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # let folder = tempfile::tempdir()?;
    /// # let store = wayforge_store::open(&format!("sqlite:{}", folder.path().join("maps.db").display())).await?;
    /// use std::time::Duration;
    /// assert!(store.once("discord:1190000000001000000", Duration::from_secs(600)).await?);
    /// assert!(!store.once("discord:1190000000001000000", Duration::from_secs(600)).await?);
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    fn once<'a>(&'a self, name: &'a str, keep: Duration) -> Answer<'a, bool>;

    /// Asks the database for a sign of life.
    fn ping(&self) -> Answer<'_, ()>;

    /// Finishes the changes under way and lets go of the database.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}
