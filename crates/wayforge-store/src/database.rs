//! The two databases. Both have the same operations: reads and statements come from `reading!` and `writing!`, and everything
//! that is the same for both stands in [`Store`](crate::Store).

use crate::postgres::Postgres;
use crate::row::{ChannelRow, DocumentRow, HistoryRow};
use crate::sqlite::Sqlite;

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

/// The result of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// It is in the database, and stays there.
    Done,
    /// The channel is not at the revision that was seen; nothing was written.
    Stale,
}
