//! What the store asks of a database. Everything that is the same for all of them stands in [`maps`](crate::maps).

use crate::error::Result;
use crate::key::{ChannelKey, Id};
use crate::row::{ChannelRow, DocumentRow, HistoryRow, Origin};
use crate::spool::Spool;
use crate::token::TokenRow;
use std::future::Future;

/// One change of one channel: made whole, or not at all.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The revision that the change builds upon; 0 if the channel never had a map.
    pub(crate) seen: i64,
    /// The channel as it will be.
    pub(crate) channel: ChannelRow,
    /// The new line of its history.
    pub(crate) entry: HistoryRow,
    /// A document that may be new.
    pub(crate) document: Option<DocumentRow>,
}

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// It is in the database, and stays there.
    Done,
    /// The channel is not at the revision that was seen; nothing was written.
    Stale,
}

/// A database.
pub(crate) trait Backend: Send + Sync + 'static {
    /// A channel's row, deleted or not.
    fn channel(&self, key: &ChannelKey) -> impl Future<Output = Result<Option<ChannelRow>>> + Send;

    /// A channel's row with its document.
    fn channel_with_document(
        &self,
        key: &ChannelKey,
    ) -> impl Future<Output = Result<Option<(ChannelRow, Option<DocumentRow>)>>> + Send;

    /// A document.
    fn document(&self, digest: &[u8]) -> impl Future<Output = Result<Option<DocumentRow>>> + Send;

    /// Makes a change if the channel is still at the revision that was seen; durable when it returns.
    fn write(&self, change: Change) -> impl Future<Output = Result<Written>> + Send;

    /// Rows of a channel's history from `from` on: downwards, or upwards.
    fn history(
        &self,
        key: &ChannelKey,
        from: i64,
        down: bool,
        limit: i64,
    ) -> impl Future<Output = Result<Vec<(HistoryRow, Origin)>>> + Send;

    /// Channels of a guild after one, in order; those whose map was deleted only if asked for.
    fn channels(
        &self,
        guild: Option<&Id>,
        after: &str,
        deleted: bool,
        limit: i64,
    ) -> impl Future<Output = Result<Vec<(ChannelRow, Origin)>>> + Send;

    /// Takes in a whole import in one transaction.
    fn import(&self, spool: Spool) -> impl Future<Output = Result<()>> + Send;

    /// Keeps a token.
    fn add_token(&self, token: TokenRow) -> impl Future<Output = Result<()>> + Send;

    /// The token of a hash.
    fn find_token(&self, hash: &[u8]) -> impl Future<Output = Result<Option<TokenRow>>> + Send;

    /// Says when a token was used.
    fn touch_token(&self, id: &str, at: i64) -> impl Future<Output = Result<()>> + Send;

    /// Revokes a token; false if there is no such token that is still good.
    fn revoke_token(&self, id: &str, at: i64) -> impl Future<Output = Result<bool>> + Send;

    /// Tokens after one, by id.
    fn tokens(&self, after: &str, limit: i64) -> impl Future<Output = Result<Vec<TokenRow>>> + Send;

    /// Remembers a name until a time if it is not remembered now; false if it is. A few whose time is over are forgotten.
    fn once(&self, name: &str, now: i64, until: i64) -> impl Future<Output = Result<bool>> + Send;

    /// Asks the database for a sign of life.
    fn ping(&self) -> impl Future<Output = Result<()>> + Send;

    /// Finishes what is under way and lets go.
    fn close(&self) -> impl Future<Output = ()> + Send;
}
