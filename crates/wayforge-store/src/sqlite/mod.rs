//! SQLite: one file, many readers, one writer that commits for all who wait.

mod write;

use crate::backend::{Backend, Change, Written};
use crate::error::{Result, StoreError};
use crate::key::{ChannelKey, Id};
use crate::migrate::Migrations;
use crate::row::{ChannelRow, DocumentRow, HistoryRow, Origin};
use crate::spool::Spool;
use crate::token::TokenRow;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqliteConnection, SqlitePool};
use std::time::Duration;
use write::Writer;

const MIGRATIONS: Migrations = Migrations(&[
    include_str!("../../migrations/sqlite/0001_maps.sql"),
    include_str!("../../migrations/sqlite/0002_once.sql"),
]);

/// The statements.
mod read {
    crate::reading::reading!(sqlx::SqlitePool, sqlx::sqlite::SqliteRow);
}

/// A file, open.
pub(crate) struct Sqlite {
    readers: SqlitePool,
    writer: Writer,
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
        Ok(Sqlite { readers, writer: Writer::start(connection) })
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

/// One transaction that others wait for: who comes second finds it done.
async fn migrate(connection: &mut SqliteConnection) -> Result<()> {
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let done = migrate_inside(connection).await;
    let end = if done.is_ok() { "COMMIT" } else { "ROLLBACK" };
    sqlx::raw_sql(end).execute(&mut *connection).await?;
    done
}

async fn migrate_inside(connection: &mut SqliteConnection) -> Result<()> {
    let found: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *connection).await?;
    if found == 0 {
        let tables: i64 =
            sqlx::query_scalar("SELECT count(*) FROM sqlite_schema").fetch_one(&mut *connection).await?;
        if tables > 0 {
            let problem = "the file is a database of something else; name another file";
            return Err(StoreError::Database(problem.to_owned()));
        }
    }
    for (version, step) in MIGRATIONS.after(found)? {
        sqlx::raw_sql(step).execute(&mut *connection).await?;
        let mark = sqlx::AssertSqlSafe(format!("PRAGMA user_version = {version}"));
        sqlx::raw_sql(mark).execute(&mut *connection).await?;
    }
    Ok(())
}

impl Backend for Sqlite {
    async fn channel(&self, key: &ChannelKey) -> Result<Option<ChannelRow>> {
        read::channel(&self.readers, key).await
    }

    async fn channel_with_document(
        &self,
        key: &ChannelKey,
    ) -> Result<Option<(ChannelRow, Option<DocumentRow>)>> {
        read::channel_with_document(&self.readers, key).await
    }

    async fn document(&self, digest: &[u8]) -> Result<Option<DocumentRow>> {
        read::document(&self.readers, digest).await
    }

    async fn write(&self, change: Change) -> Result<Written> {
        self.writer.change(change).await
    }

    async fn history(
        &self,
        key: &ChannelKey,
        from: i64,
        down: bool,
        limit: i64,
    ) -> Result<Vec<(HistoryRow, Origin)>> {
        read::history(&self.readers, key, from, down, limit).await
    }

    async fn channels(
        &self,
        guild: Option<&Id>,
        after: &str,
        deleted: bool,
        limit: i64,
    ) -> Result<Vec<(ChannelRow, Origin)>> {
        read::channels(&self.readers, guild, after, deleted, limit).await
    }

    async fn import(&self, spool: Spool) -> Result<()> {
        self.writer.import(spool).await
    }

    async fn add_token(&self, token: TokenRow) -> Result<()> {
        self.writer.add_token(token).await
    }

    async fn find_token(&self, hash: &[u8]) -> Result<Option<TokenRow>> {
        read::find_token(&self.readers, hash).await
    }

    async fn touch_token(&self, id: &str, at: i64) -> Result<()> {
        self.writer.mark_token(id, at, false).await.map(drop)
    }

    async fn revoke_token(&self, id: &str, at: i64) -> Result<bool> {
        self.writer.mark_token(id, at, true).await
    }

    async fn tokens(&self, after: &str, limit: i64) -> Result<Vec<TokenRow>> {
        read::tokens(&self.readers, after, limit).await
    }

    async fn once(&self, name: &str, now: i64, until: i64) -> Result<bool> {
        self.writer.once(name, now, until).await
    }

    async fn ping(&self) -> Result<()> {
        sqlx::query("SELECT 1 FROM channels LIMIT 1").fetch_optional(&self.readers).await?;
        self.writer.ping()
    }

    async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}
