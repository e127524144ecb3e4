//! PostgreSQL: many servers over one database.

mod write;

use crate::database::{Change, Written};
use crate::error::Result;
use crate::key::ChannelKey;
use crate::migrate::{failed, migrator};
use crate::reading::reading;
use crate::spool::Spool;
use crate::token::TokenRow;
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use std::time::Duration;
use wayforge::InputError;
use write::Writers;

const MIGRATIONS: [&str; 2] = [
    include_str!("../../migrations/postgres/0001_maps.sql"),
    include_str!("../../migrations/postgres/0002_once.sql"),
];
/// The most connections of one server.
const CONNECTIONS: u32 = 16;

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
        // Under a lock: of servers that start together one makes the tables, and the others find them.
        let migrator = migrator(MIGRATIONS);
        migrator.run(&pool).await.map_err(|error| failed(&migrator, error))?;
        let writers = Writers::start(&pool);
        Ok(Postgres { pool, writers })
    }
}

impl Postgres {
    pub(crate) async fn write(&self, change: Change) -> Result<Written> {
        self.writers.write(change).await
    }

    pub(crate) async fn import(&self, spool: Spool) -> Result<()> {
        let mut transaction = self.pool.begin().await?;
        statements::import(&mut transaction, spool).await?;
        Ok(transaction.commit().await?)
    }

    pub(crate) async fn add_token(&self, token: TokenRow) -> Result<()> {
        statements::add_token(&mut *self.pool.acquire().await?, &token).await
    }

    pub(crate) async fn mark_token(&self, id: &str, at: i64, revoke: bool) -> Result<bool> {
        statements::mark_token(&mut *self.pool.acquire().await?, id, at, revoke).await
    }

    pub(crate) async fn once(&self, name: &str, now: i64, until: i64) -> Result<bool> {
        // Rows that another server deletes at the same time are left to it.
        let forget = "DELETE FROM once WHERE name IN
            (SELECT name FROM once WHERE until <= $1 ORDER BY until LIMIT 100 FOR UPDATE SKIP LOCKED)";
        let mut connection = self.pool.acquire().await?;
        sqlx::query(forget).bind(now).execute(&mut *connection).await?;
        statements::take_once(&mut connection, name, now, until).await
    }

    /// The pool itself says that it was closed.
    fn is_open(&self) -> Result<()> {
        Ok(())
    }

    pub(crate) async fn close(&self) {
        self.writers.close().await;
        self.pool.close().await;
    }
}

reading!(Postgres, pool, sqlx::postgres::PgRow);
