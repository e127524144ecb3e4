//! Errors of the store.

use crate::key::{ChannelKey, Id};
use crate::map::{Revision, StoredMap};
use wayforge::run::RunError;
use wayforge::{Digest, GenerateError, InputError};

/// Error of a store operation. Nothing was changed, except possibly for
/// [`Database`](Self::Database).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// An invalid id, name, limit or address.
    #[error(transparent)]
    Input(#[from] InputError),
    /// No map could be generated.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The move is illegal, or maps of this family cannot be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The channel has no map.
    #[error("{key}: this channel has no map; create one")]
    NoMap {
        /// The channel.
        key: ChannelKey,
    },
    /// There is no move to undo.
    #[error("{key}: nothing to undo, the map is at its start")]
    NothingToUndo {
        /// The channel.
        key: ChannelKey,
    },
    /// The history has no map at this revision.
    #[error("{key}: revision {revision} {problem}")]
    NoSuchRevision {
        /// The channel.
        key: ChannelKey,
        /// The requested revision.
        revision: Revision,
        /// Reason.
        problem: &'static str,
    },
    /// Revision conflict: the map is no longer at the expected revision.
    #[error(
        "{}: revision conflict: the map is now at revision {}; read it again",
        .current.key, .current.revision
    )]
    Conflict {
        /// The current map.
        current: Box<StoredMap>,
    },
    /// A stored row does not match its checksum; it is not served.
    #[error(
        "{location}: {part}{} is damaged in the database; restore it from a backup",
        .digest.map_or(String::new(), |digest| format!(" of the map {digest}"))
    )]
    Damaged {
        /// The channel, or the table.
        location: String,
        /// Damaged part, for example `the document` or `the progress`.
        part: &'static str,
        /// The digest of the map, if known.
        digest: Option<Digest>,
    },
    /// The map uses an algorithm that this version does not know; a newer version stored it.
    #[error(
        "{location}: the map {digest} uses the algorithm {algorithm}, \
         which this version does not support; use a newer wayforge"
    )]
    UnknownAlgorithm {
        /// The channel, or `documents`.
        location: String,
        /// The algorithm.
        algorithm: String,
        /// The digest of the map.
        digest: Digest,
    },
    /// An invalid line of an import; nothing was imported.
    #[error("line {line}: {problem}; nothing was imported")]
    Import {
        /// Number of the line, starting at 1.
        line: u64,
        /// Problem of the line.
        problem: String,
    },
    /// A newer version created the database.
    #[error(
        "the database has schema version {found}, this program supports {supported}; use a newer \
         wayforge"
    )]
    Schema {
        /// Schema version of the database.
        found: i64,
        /// Latest schema version that this program supports.
        supported: i64,
    },
    /// The database is unreachable or returned an error. A pending change may or may not have been
    /// committed; the revision of the map shows which.
    #[error("{0}")]
    Database(String),
    /// An I/O error of a stream to or from the caller, of a temporary file, or of the random number
    /// generator.
    #[error("I/O error: {0}")]
    Io(#[from] std::io::Error),
    /// A configuration exceeds a limit of the server; the text begins with the field.
    #[error("{0}")]
    Limit(String),
    /// The guild has the maximum number of channels with a map or a history.
    #[error(
        "guild {guild}: at most {max} channels of a guild may have a map or a history{}; store \
         the map in a channel that had one before, or raise the limit of the server",
        addition(.added)
    )]
    GuildFull {
        /// The guild.
        guild: Id,
        /// Maximum number of channels.
        max: u32,
        /// Number of channels that would be added.
        added: u64,
    },
    /// Too much work is waiting.
    #[error("too many requests are waiting; try again in a moment")]
    Busy,
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

/// Returns the part of a message about an import that adds several channels.
fn addition(added: &u64) -> String {
    if *added > 1 { format!(", and the import adds {added}") } else { String::new() }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match error {
            sqlx::Error::PoolClosed => StoreError::Closed,
            sqlx::Error::PoolTimedOut => StoreError::Database(
                "the database does not respond, or all connections are in use".to_owned(),
            ),
            error => StoreError::Database(error.to_string()),
        }
    }
}

/// Result of a store operation.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;
