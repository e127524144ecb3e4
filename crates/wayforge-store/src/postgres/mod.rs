//! PostgreSQL: many servers over one database.

mod write;

use crate::backend::{Backend, Change, Written};
use crate::error::Result;
use crate::key::{ChannelKey, Id};
use crate::migrate::Migrations;
use crate::row::{ChannelRow, DocumentRow, HistoryRow, Origin};
use crate::spool::Spool;
use crate::token::TokenRow;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, PgPool};
use std::time::Duration;
use wayforge::InputError;
use write::Writers;

const MIGRATIONS: Migrations = Migrations(&[
    include_str!("../../migrations/postgres/0001_maps.sql"),
    include_str!("../../migrations/postgres/0002_once.sql"),
]);
/// The lock under which tables are made: any number that nobody else uses.
const MIGRATING: i64 = 0x0077_6179_666f_7267;
/// The most connections of one server.
const CONNECTIONS: u32 = 16;

/// The statements.
mod read {
    crate::reading::reading!(sqlx::PgPool, sqlx::postgres::PgRow);
}

/// The statements.
mod statements {
    crate::writing::writing!(sqlx::PgConnection);
}

/// A database, connected.
pub(crate) struct Postgres {
    pool: PgPool,
    writers: Writers,
}

impl Postgres {
    pub(crate) async fn open(address: &str) -> Result<Postgres> {
        let options: PgConnectOptions = address.parse().map_err(|error: sqlx::Error| {
            // The address may hold a password: it is not repeated.
            let remedy = "use postgres://USER@HOST/DATABASE";
            InputError::new("database", "postgres://...", error.to_string(), remedy)
        })?;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(Duration::from_secs(10))
            // A connection that broke says so at its first use, and asking before each use doubles the journeys.
            .test_before_acquire(false)
            // Every statement finds a few rows by their keys. While tables are young their statistics tempt the planner to read
            // all of them, and plans are kept.
            .after_connect(|connection, _| {
                Box::pin(async move {
                    let plans =
                        "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off";
                    sqlx::raw_sql(plans).execute(connection).await.map(drop)
                })
            })
            .connect_with(options.application_name("wayforge"))
            .await?;
        let mut connection = pool.acquire().await?;
        migrate(&mut connection).await?;
        drop(connection);
        let writers = Writers::start(&pool);
        Ok(Postgres { pool, writers })
    }
}

/// One transaction under a lock: of servers that start together one makes the tables, and the others find them.
async fn migrate(connection: &mut PgConnection) -> Result<()> {
    let mut transaction = connection.begin().await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(MIGRATING).execute(&mut *transaction).await?;
    let versions = "CREATE TABLE IF NOT EXISTS wayforge_schema (version BIGINT NOT NULL)";
    sqlx::raw_sql(versions).execute(&mut *transaction).await?;
    let found: Option<i64> =
        sqlx::query_scalar("SELECT max(version) FROM wayforge_schema").fetch_one(&mut *transaction).await?;
    for (version, step) in MIGRATIONS.after(found.unwrap_or(0))? {
        sqlx::raw_sql(step).execute(&mut *transaction).await?;
        let mark = sqlx::query("INSERT INTO wayforge_schema (version) VALUES ($1)").bind(version);
        mark.execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    Ok(())
}

impl Backend for Postgres {
    async fn channel(&self, key: &ChannelKey) -> Result<Option<ChannelRow>> {
        read::channel(&self.pool, key).await
    }

    async fn channel_with_document(
        &self,
        key: &ChannelKey,
    ) -> Result<Option<(ChannelRow, Option<DocumentRow>)>> {
        read::channel_with_document(&self.pool, key).await
    }

    async fn document(&self, digest: &[u8]) -> Result<Option<DocumentRow>> {
        read::document(&self.pool, digest).await
    }

    async fn write(&self, change: Change) -> Result<Written> {
        self.writers.write(change).await
    }

    async fn history(
        &self,
        key: &ChannelKey,
        from: i64,
        down: bool,
        limit: i64,
    ) -> Result<Vec<(HistoryRow, Origin)>> {
        read::history(&self.pool, key, from, down, limit).await
    }

    async fn channels(
        &self,
        guild: Option<&Id>,
        after: &str,
        deleted: bool,
        limit: i64,
    ) -> Result<Vec<(ChannelRow, Origin)>> {
        read::channels(&self.pool, guild, after, deleted, limit).await
    }

    async fn import(&self, spool: Spool) -> Result<()> {
        let mut transaction = self.pool.begin().await?;
        statements::import(&mut transaction, spool).await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn add_token(&self, token: TokenRow) -> Result<()> {
        statements::add_token(&mut *self.pool.acquire().await?, &token).await
    }

    async fn find_token(&self, hash: &[u8]) -> Result<Option<TokenRow>> {
        read::find_token(&self.pool, hash).await
    }

    async fn touch_token(&self, id: &str, at: i64) -> Result<()> {
        statements::mark_token(&mut *self.pool.acquire().await?, id, at, false).await.map(drop)
    }

    async fn revoke_token(&self, id: &str, at: i64) -> Result<bool> {
        statements::mark_token(&mut *self.pool.acquire().await?, id, at, true).await
    }

    async fn tokens(&self, after: &str, limit: i64) -> Result<Vec<TokenRow>> {
        read::tokens(&self.pool, after, limit).await
    }

    async fn once(&self, name: &str, now: i64, until: i64) -> Result<bool> {
        // What another server forgets just now is left to it.
        let forget = "DELETE FROM once WHERE name IN
            (SELECT name FROM once WHERE until <= $1 ORDER BY until LIMIT 100 FOR UPDATE SKIP LOCKED)";
        let mut connection = self.pool.acquire().await?;
        sqlx::query(forget).bind(now).execute(&mut *connection).await?;
        statements::take_once(&mut connection, name, now, until).await
    }

    async fn ping(&self) -> Result<()> {
        sqlx::query("SELECT 1 FROM channels LIMIT 1").fetch_optional(&self.pool).await?;
        Ok(())
    }

    async fn close(&self) {
        self.writers.close().await;
        self.pool.close().await;
    }
}
