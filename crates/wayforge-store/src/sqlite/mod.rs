//! SQLite: one file, many readers, one writer that commits for all who wait.

mod write;

use crate::database::{Change, Written};
use crate::error::{Result, StoreError};
use crate::key::ChannelKey;
use crate::migrate::{failed, migrator};
use crate::queue::Queue;
use crate::reading::reading;
use crate::spool::Spool;
use crate::token::TokenRow;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};
use std::time::Duration;
use write::{Outcome, Work};

const MIGRATIONS: [&str; 2] = [
    include_str!("../../migrations/sqlite/0001_maps.sql"),
    include_str!("../../migrations/sqlite/0002_once.sql"),
];

/// A file, open.
pub(crate) struct Sqlite {
    readers: SqlitePool,
    writer: Queue<Work, Outcome>,
}

impl Sqlite {
    pub(crate) async fn open(path: &str) -> Result<Sqlite> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // Every commit is on disk before it is answered.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(10))
            .pragma("cache_size", "-16384")
            .pragma("trusted_schema", "OFF");
        let mut connection = connect(&options).await?;
        migrate(&mut connection).await?;
        let readers = SqlitePoolOptions::new()
            .min_connections(1)
            .max_connections(4)
            .test_before_acquire(false)
            .connect_with(options.pragma("query_only", "ON"))
            .await?;
        Ok(Sqlite { readers, writer: write::start(connection) })
    }
}

/// Opens the writing connection. Whoever makes the file a WAL file holds it alone for a moment, and SQLite does not wait for
/// that by itself.
async fn connect(options: &SqliteConnectOptions) -> Result<SqliteConnection> {
    let mut tries = 0;
    loop {
        match options.connect().await {
            Err(error) if tries < 100 && error.to_string().contains("locked") => {
                tries += 1;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            connected => return Ok(connected?),
        }
    }
}

/// One transaction that others wait for: a second process finds the tables made.
async fn migrate(connection: &mut SqliteConnection) -> Result<()> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let foreign = "SELECT (SELECT user_version FROM pragma_user_version) = 0
        AND EXISTS (SELECT 1 FROM sqlite_schema)
        AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')";
    if sqlx::query_scalar(foreign).fetch_one(&mut *transaction).await? {
        let problem = "the file is a database of something else; name another file";
        return Err(StoreError::Database(problem.to_owned()));
    }
    let migrator = migrator(MIGRATIONS);
    migrator.run_direct(None, &mut *transaction, false).await.map_err(|error| failed(&migrator, error))?;
    Ok(transaction.commit().await?)
}

impl Sqlite {
    pub(crate) async fn write(&self, change: Change) -> Result<Written> {
        match self.writer.ask(Work::Change(Box::new(change))).await? {
            Outcome::Written(written) => Ok(written),
            _ => Err(StoreError::Closed),
        }
    }

    pub(crate) async fn import(&self, spool: Spool) -> Result<()> {
        self.writer.ask(Work::Import(Box::new(spool))).await.map(drop)
    }

    pub(crate) async fn add_token(&self, token: TokenRow) -> Result<()> {
        self.writer.ask(Work::AddToken(Box::new(token))).await.map(drop)
    }

    pub(crate) async fn mark_token(&self, id: &str, at: i64, revoke: bool) -> Result<bool> {
        self.mark(Work::MarkToken { id: id.to_owned(), at, revoke }).await
    }

    pub(crate) async fn once(&self, name: &str, now: i64, until: i64) -> Result<bool> {
        self.mark(Work::Once { name: name.to_owned(), now, until }).await
    }

    /// True if the work was done now, and not before.
    async fn mark(&self, work: Work) -> Result<bool> {
        Ok(matches!(self.writer.ask(work).await?, Outcome::Marked(true)))
    }

    /// An error if the store was closed.
    fn is_open(&self) -> Result<()> {
        self.writer.is_open()
    }

    pub(crate) async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

reading!(Sqlite, readers, sqlx::sqlite::SqliteRow);
