//! The two supported databases. Both have the same operations, which the macros `read_queries!` and
//! `write_statements!` generate. [`Store`](crate::Store) contains the logic that does not depend on
//! the database.

use crate::error::{Result, StoreError};
use crate::import_buffer::ImportBuffer;
use crate::key::Id;
use crate::postgres::Postgres;
use crate::row::{ChannelRow, DocumentRow, HistoryRow};
use crate::sqlite::Sqlite;
use crate::token::Token;

/// An open database.
pub(crate) enum Database {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// Calls an operation of the store's database.
macro_rules! dispatch {
    ($store:expr, $operation:ident($($argument:expr),*)) => {
        match &$store.database {
            $crate::database::Database::Sqlite(database) => {
                database.$operation($($argument),*).await
            }
            $crate::database::Database::Postgres(database) => {
                database.$operation($($argument),*).await
            }
        }
    };
}

pub(crate) use dispatch;

/// An atomic write.
///
/// The result is false if its condition failed and nothing was written: the channel is not at the
/// expected revision, no valid token has this id, or the idempotency key is already claimed.
pub(crate) enum Write {
    Change(Box<Change>),
    Import(Box<ImportBuffer>, Option<ChannelQuota>),
    /// A token and the hash of its secret.
    AddToken(Box<Token>, Vec<u8>),
    /// Revokes a token or updates its time of last use.
    MarkToken {
        id: String,
        at: i64,
        revoke: bool,
    },
    ClaimKey {
        name: String,
        now: i64,
        expires: i64,
    },
}

/// Limit on the channels of a guild, for writes that add some.
#[derive(Clone, Debug)]
pub(crate) struct ChannelQuota {
    pub(crate) guild: Id,
    /// Number of channels that the write adds.
    pub(crate) added: u64,
    /// Maximum number of channels after the write.
    pub(crate) max: u32,
}

impl ChannelQuota {
    /// Checks the number of channels after the write.
    pub(crate) fn check(&self, channels: i64) -> Result<()> {
        if channels <= i64::from(self.max) {
            return Ok(());
        }
        let ChannelQuota { guild, added, max } = self.clone();
        Err(StoreError::GuildFull { guild, max, added })
    }
}

/// One change of one channel.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// Revision that the change is based on; 0 if the channel never had a map.
    pub(crate) expected: i64,
    /// The channel after the change.
    pub(crate) channel: ChannelRow,
    /// The new history entry.
    pub(crate) entry: HistoryRow,
    /// A document that may not be stored yet.
    pub(crate) document: Option<DocumentRow>,
    /// Set if the change adds a channel to a limited guild.
    pub(crate) quota: Option<ChannelQuota>,
}

impl Change {
    /// Returns true for the common case: an existing channel changes, and its document does not.
    pub(crate) fn is_small(&self) -> bool {
        self.document.is_none() && self.expected > 0
    }
}
