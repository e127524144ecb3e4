//! What can go wrong between a caller and a database.

use crate::key::ChannelKey;
use crate::map::{Revision, StoredMap};
use wayforge::run::RunError;
use wayforge::{Digest, GenerateError, InputError};

/// Why the store did not do what was asked. Nothing was changed, except where [`Database`](Self::Database) says otherwise.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// An id, a name, a limit or an address that cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// No map could be generated.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The move is not legal, or maps of this family are not played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The channel has no map.
    #[error("{key}: this channel has no map; create one")]
    Absent {
        /// The channel.
        key: ChannelKey,
    },
    /// The map is at its start.
    #[error("{key}: nothing to undo, the map is at its start")]
    AtStart {
        /// The channel.
        key: ChannelKey,
    },
    /// The history has no map there.
    #[error("{key}: revision {revision} {problem}")]
    NoFormer {
        /// The channel.
        key: ChannelKey,
        /// What was asked for.
        revision: Revision,
        /// What is there instead.
        problem: &'static str,
    },
    /// Somebody else was first: the map is no longer at the revision that the caller saw.
    #[error("{}: the map is at revision {} by now; look again", .current.key, .current.revision)]
    Conflict {
        /// The map as it stands.
        current: Box<StoredMap>,
    },
    /// What the database holds is not what was written; it is not served.
    #[error("{place}: {what} of the map {digest} is damaged in the database; restore it from a backup")]
    Damaged {
        /// The channel, or `documents`.
        place: String,
        /// What is damaged: `the document`, `the progress`, `the history`.
        what: &'static str,
        /// The digest of the map, or `without digest`.
        digest: String,
    },
    /// The map is of an algorithm that this version does not know; a later version wrote it.
    #[error(
        "{place}: the map {digest} is of the algorithm {algorithm}, which this version does not know; use a newer wayforge"
    )]
    UnknownAlgorithm {
        /// The channel, or `documents`.
        place: String,
        /// The algorithm.
        algorithm: String,
        /// The digest of the map.
        digest: Digest,
    },
    /// A line of an import that cannot be taken in; nothing was imported.
    #[error("line {line}: {problem}; nothing was imported")]
    Import {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// The database was made by a later version.
    #[error("the database has schema {found}, this version knows {known}; use a newer wayforge")]
    Schema {
        /// What was found.
        found: i64,
        /// The latest that is known.
        known: i64,
    },
    /// The database cannot be reached or refused. A change that was under way may or may not have been made; the map's
    /// revision tells.
    #[error("database: {0}")]
    Database(String),
    /// A stream to or from the caller broke.
    #[error("stream: {0}")]
    Stream(#[from] std::io::Error),
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match error {
            sqlx::Error::PoolClosed => StoreError::Closed,
            error => StoreError::Database(error.to_string()),
        }
    }
}

/// What the store gives back.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;
