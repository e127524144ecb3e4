//! Stores maps per guild and channel in SQLite or PostgreSQL.
//!
//! The main functions:
//!
//! - [`open`] returns a [`Store`] over either database.
//! - [`Store::create`] stores a map in a channel, and [`Store::get`] returns it.
//! - [`Store::advance`] makes a move in its run.
//! - [`Store::verify`] checks a whole database, and [`Store::backup`] copies one.
//!
//! A channel has at most one map, of any family. Every change is one transaction, names the
//! revision that it is based on, and adds one history entry. Any earlier revision can be restored.
//! Damaged rows are detected by checksum, reported, and never served.
//!
//! The crate has no optional features.

#![forbid(unsafe_code)]

mod cache;
mod database;
mod error;
mod executor;
mod guild_file;
mod history;
mod import;
mod import_buffer;
mod key;
mod map;
mod migrate;
mod postgres;
mod queries;
mod queue;
mod replay;
mod row;
mod sqlite;
mod statements;
mod store;
mod timestamp;
mod token;
mod verify;

pub use error::{Result, StoreError};
pub use executor::{Executor, Job};
pub use guild_file::RecordCounts;
pub use history::{Event, HistoryEntry, MapIdentity};
pub use key::{Actor, ChannelKey, Id};
pub use map::{MapSummary, NewMap, Page, Revision, StoredMap};
pub use store::Store;
pub use timestamp::Timestamp;
pub use token::{Access, Secret, Token};
pub use verify::{Damage, VerifiedCounts};

use database::Database;
use std::sync::Arc;
use wayforge::InputError;

/// Runs the README examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Opens a store and creates or migrates its tables.
///
/// * `sqlite:maps.db`: a file, created if missing. A change returns after its data is on disk.
/// * `postgres://user:password@host/database`: a PostgreSQL database. Connection parameters such as
///   `?sslmode=verify-full` are accepted. Several servers may use one database.
///
/// # Errors
/// [`StoreError::Input`] for an unknown scheme or a malformed address; [`StoreError::Schema`] if a
/// newer version created the database; [`StoreError::Database`] if it cannot be opened.
///
/// # Examples
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let folder = tempfile::tempdir().unwrap();
/// let file = folder.path().join("maps.db");
/// let store = wayforge_store::open(&format!("sqlite:{}", file.display())).await?;
/// store.ping().await?;
/// store.close().await;
/// let error = wayforge_store::open("maps.db").await.err().unwrap();
/// assert!(error.to_string().contains("use sqlite:FILE"));
/// # Ok::<(), wayforge_store::StoreError>(()) }).unwrap();
/// ```
pub async fn open(address: &str) -> Result<Arc<Store>> {
    let database = match address.split_once(':') {
        Some(("sqlite", path)) if !path.is_empty() => {
            Database::Sqlite(sqlite::Sqlite::open(path).await?)
        }
        Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => {
            Database::Postgres(postgres::Postgres::open(address).await?)
        }
        parts => {
            // The address may contain a password: print the scheme only.
            let scheme = format!("{:?}", parts.map_or("", |(scheme, _)| scheme));
            let remedy = "use sqlite:FILE or postgres://USER@HOST/DATABASE";
            let error = InputError::new("database", scheme, "unknown database type", remedy);
            return Err(error.into());
        }
    };
    Ok(Arc::new(Store::new(database)))
}
