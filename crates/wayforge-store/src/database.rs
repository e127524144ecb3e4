//! The two databases. Both have the same operations: reads and statements come from `reading!` and `writing!`, and everything
//! that is the same for both stands in [`Store`](crate::Store).

use crate::postgres::Postgres;
use crate::row::{ChannelRow, HistoryRow, Kept};
use crate::spool::Spool;
use crate::sqlite::Sqlite;
use crate::token::Token;

/// An open database.
pub(crate) enum Database {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// Calls an operation of the store's database.
macro_rules! on {
    ($store:expr, $operation:ident($($argument:expr),*)) => {
        match &$store.database {
            $crate::database::Database::Sqlite(database) => database.$operation($($argument),*).await,
            $crate::database::Database::Postgres(database) => database.$operation($($argument),*).await,
        }
    };
}

pub(crate) use on;

/// Something to write, as a whole or not at all. The result is false if nothing was written because something else was first:
/// the channel is not at the revision that was seen, there is no such token to revoke, the name is remembered at this time.
/// A token comes with the hash of its secret.
pub(crate) enum Work {
    Change(Box<Change>),
    Import(Box<Spool>),
    AddToken(Box<Token>, Vec<u8>),
    MarkToken { id: String, at: i64, revoke: bool },
    Once { name: String, now: i64, until: i64 },
}

/// One change of one channel.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The revision that the change builds upon; 0 if the channel never had a map.
    pub(crate) seen: i64,
    /// The channel as it will be.
    pub(crate) channel: ChannelRow,
    /// The new line of its history.
    pub(crate) entry: HistoryRow,
    /// A document that may be new.
    pub(crate) document: Option<Kept>,
}

impl Change {
    /// True for a change of a known channel without a new document: most changes are, and they are small.
    pub(crate) fn is_small(&self) -> bool {
        self.document.is_none() && self.seen > 0
    }
}
