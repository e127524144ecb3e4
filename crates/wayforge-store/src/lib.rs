//! Maps kept per guild and channel: SQLite by default, PostgreSQL at scale.
//!
//! [`open`] gives a [`Store`] over either database. A channel has at most one map of any family; every change is one
//! transaction that names the revision it saw, every change stands in the channel's history, and every former map can be
//! brought back. What is damaged in the database is reported by digest and never served.

#![forbid(unsafe_code)]

mod cache;
mod database;
mod error;
mod guild_file;
mod history;
mod import;
mod key;
mod map;
mod migrate;
mod postgres;
mod queue;
mod reading;
mod row;
mod spool;
mod sqlite;
mod store;
mod timestamp;
mod token;
mod writing;

pub use error::{Result, StoreError};
pub use guild_file::Tally;
pub use history::{Event, HistoryEntry, HistoryMap};
pub use key::{Actor, ChannelKey, Id};
pub use map::{Listed, NewMap, Page, Revision, StoredMap};
pub use store::Store;
pub use timestamp::Timestamp;
pub use token::{Access, Secret, Token};

use database::Database;
use std::sync::Arc;
use wayforge::InputError;

/// Opens a store, and makes or updates its tables.
///
/// * `sqlite:maps.db` is a file; it is created if it is not there, and writes are on disk when they are answered.
/// * `postgres://user:password@host/database` is a PostgreSQL; `?sslmode=verify-full` and the other parameters of its own
///   addresses are understood. Several servers may open one at the same time.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let folder = tempfile::tempdir().unwrap();
/// let store = wayforge_store::open(&format!("sqlite:{}", folder.path().join("maps.db").display())).await?;
/// store.ping().await?;
/// store.close().await;
/// assert!(wayforge_store::open("maps.db").await.is_err_and(|error| error.to_string().contains("use sqlite:FILE")));
/// # Ok::<(), wayforge_store::StoreError>(()) }).unwrap();
/// ```
pub async fn open(address: &str) -> Result<Arc<Store>> {
    if let Some(path) = address.strip_prefix("sqlite:").filter(|path| !path.is_empty()) {
        return Ok(Arc::new(Store::new(Database::Sqlite(sqlite::Sqlite::open(path).await?))));
    }
    if address.starts_with("postgres://") || address.starts_with("postgresql://") {
        return Ok(Arc::new(Store::new(Database::Postgres(postgres::Postgres::open(address).await?))));
    }
    // The address may hold a password: only what stands before the colon is told.
    let scheme = address.split_once(':').map_or("", |(scheme, _)| scheme);
    let remedy = "use sqlite:FILE or postgres://USER@HOST/DATABASE";
    Err(InputError::new("database", format!("{scheme:?}"), "no such kind of database", remedy).into())
}
