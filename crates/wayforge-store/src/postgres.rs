//! PostgreSQL, for several servers that share one database.
//!
//! Group commit: waiting changes are written by one statement and one commit, because a round trip
//! costs the same for one change as for hundreds. While a statement runs, further changes queue. No
//! caller gets a result before the commit.

use crate::database::{Change, Write};
use crate::error::{Result, StoreError};
use crate::migrate::{migration_error, migrator};
use crate::queries::read_queries;
use crate::queue::{Job, Queue};
use crate::row::digest_bytes;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, PgPool};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use wayforge::InputError;
use wayforge::seed::fnv1a_64;

const MIGRATIONS: [&str; 3] = [
    include_str!("../migrations/postgres/0001_maps.sql"),
    include_str!("../migrations/postgres/0002_idempotency_keys.sql"),
    include_str!("../migrations/postgres/0003_history_tokens.sql"),
];
/// Maximum number of connections per server.
const CONNECTIONS: u32 = 16;
/// Maximum number of changes per statement.
const MAX_BATCH: usize = 256;
/// Maximum time to wait for a connection.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Number of writer tasks: while one waits for the disk, the next prepares its statement.
const WRITERS: usize = 2;

/// A change and the sender for its result.
type ChangeJob = Job<Box<Change>>;

/// Write statements for PostgreSQL.
mod statements {
    crate::statements::write_statements!(
        sqlx::PgConnection,
        "FOR UPDATE SKIP LOCKED",
        Some("SELECT pg_advisory_xact_lock($1)")
    );
}

/// An open PostgreSQL database.
pub(crate) struct Postgres {
    pool: PgPool,
    /// Queues of the writer tasks. All changes of a channel use the same queue.
    writers: Vec<Queue<Box<Change>>>,
}

impl Postgres {
    pub(crate) async fn open(address: &str) -> Result<Postgres> {
        let options: PgConnectOptions = address.parse().map_err(|error: sqlx::Error| {
            // The address may contain a password: do not print it.
            let remedy = "use postgres://USER@HOST/DATABASE";
            InputError::new("database", "postgres://...", error.to_string(), remedy)
        })?;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(TIMEOUT)
            // A test before each use would double the round trips. A broken connection fails at its
            // next use.
            .test_before_acquire(false)
            // Every statement looks up a few rows by key. While tables are small, the planner would
            // choose sequential scans, and cached plans would keep them when the tables grow.
            .after_connect(|connection, _| {
                Box::pin(async move {
                    let settings =
                        "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin \
                         = off";
                    sqlx::raw_sql(settings).execute(connection).await.map(drop)
                })
            })
            .connect_with(options.clone().application_name("wayforge"))
            .await;
        let pool = match pool {
            // The pool has retried; only another attempt has a reason.
            Err(sqlx::Error::PoolTimedOut) => return Err(unreachable(&options).await),
            connected => connected?,
        };
        // sqlx takes an advisory lock: of several servers that start together, one creates the
        // tables.
        let migrator = migrator(MIGRATIONS);
        migrator.run(&pool).await.map_err(|error| migration_error(&migrator, error))?;
        let writers = (0..WRITERS).map(|_| start_writer(pool.clone())).collect();
        Ok(Postgres { pool, writers })
    }

    pub(crate) async fn write(&self, work: Write) -> Result<bool> {
        match work {
            // Other changes have a new document or channel; they are rare and large.
            Write::Change(change) if change.is_small() => {
                let channel = change.channel.key.channel.as_str().as_bytes();
                self.writers[fnv1a_64(channel) as usize % self.writers.len()].submit(change).await
            }
            Write::Change(_) | Write::Import(..) => write_in_transaction(&self.pool, work).await,
            _ => statements::write(&mut *self.pool.acquire().await?, work).await,
        }
    }

    /// Returns no problems: PostgreSQL checks its files itself.
    pub(crate) async fn check_file(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Always fails, because a client cannot copy the database.
    pub(crate) async fn backup(&self, _: &Path) -> Result<()> {
        let remedy = "use pg_dump, and verify the restored database";
        let problem = "only SQLite databases can be copied";
        Err(InputError::new("database", "postgres://...", problem, remedy).into())
    }

    /// Always succeeds: a closed pool returns an error from every query.
    fn check_open(&self) -> Result<()> {
        Ok(())
    }

    /// Stops accepting changes and writes those in the queues.
    pub(crate) async fn close(&self) {
        for writer in &self.writers {
            writer.close().await;
        }
        self.pool.close().await;
    }
}

/// Returns the reason why no connection can be opened.
async fn unreachable(options: &PgConnectOptions) -> StoreError {
    let reason = match tokio::time::timeout(TIMEOUT, options.connect()).await {
        Ok(Err(error)) => error.to_string(),
        Ok(Ok(_)) => "it accepts no more connections".to_owned(),
        Err(_) => "no response".to_owned(),
    };
    let (host, port) = (options.get_host(), options.get_port());
    StoreError::Database(format!(
        "PostgreSQL at {host}:{port} is not reachable: {reason}; check the address, and that it runs"
    ))
}

read_queries!(Postgres, pool, sqlx::postgres::PgRow);

/// Starts a writer task.
fn start_writer(pool: PgPool) -> Queue<Box<Change>> {
    let (queue, mut waiting) = Queue::new();
    tokio::spawn(async move {
        while let Some(jobs) = waiting.next(MAX_BATCH).await {
            write_jobs(&pool, jobs).await;
        }
    });
    queue
}

/// Writes all jobs in batches with at most one change per channel.
async fn write_jobs(pool: &PgPool, mut jobs: Vec<ChangeJob>) {
    while !jobs.is_empty() {
        let mut channels = BTreeSet::new();
        let (batch, rest): (Vec<ChangeJob>, Vec<ChangeJob>) =
            jobs.into_iter().partition(|(change, _)| channels.insert(change.channel.key.clone()));
        write_batch(pool, batch).await;
        jobs = rest;
    }
}

/// Writes one batch and sends the results.
async fn write_batch(pool: &PgPool, jobs: Vec<ChangeJob>) {
    match write_changes(pool, &jobs).await {
        Ok(written) => {
            for (change, reply) in jobs {
                let key = &change.channel.key;
                let names = (key.guild_column().to_owned(), key.channel.as_str().to_owned());
                // The caller may have been cancelled.
                let _ = reply.send(Ok(written.contains(&names)));
            }
        }
        // The batch was rolled back, possibly because of a single change: write each one alone.
        Err(sqlx::Error::Database(_)) => {
            for (change, reply) in jobs {
                let _ = reply.send(write_in_transaction(pool, Write::Change(change)).await);
            }
        }
        Err(error) => {
            for (_, reply) in jobs {
                let _ = reply.send(Err(StoreError::Database(error.to_string())));
            }
        }
    }
}

/// Writes changes of different channels in one statement. Returns the guild and channel of those
/// changes whose expected revision was current.
///
/// Rows are locked in key order first, so that concurrent servers cannot deadlock.
async fn write_changes(
    pool: &PgPool,
    jobs: &[ChangeJob],
) -> Result<BTreeSet<(String, String)>, sqlx::Error> {
    let statement = "WITH input AS MATERIALIZED (
            SELECT guild COLLATE \"C\" AS guild, channel COLLATE \"C\" AS channel, expected,
                digest, progress, created, updated, checksum,
                actor, event, detail, checkpoint, entry_checksum, token
            FROM unnest($1::text[], $2::text[], $3::bigint[],
                $4::bytea[], $5::text[], $6::bigint[], $7::bigint[], $8::bytea[],
                $9::text[], $10::text[], $11::text[], $12::text[], $13::bytea[], $14::text[])
            AS t (guild, channel, expected,
                digest, progress, created, updated, checksum,
                actor, event, detail, checkpoint, entry_checksum, token)
        ), locked AS MATERIALIZED (
            SELECT c.guild, c.channel
            FROM channels c JOIN input i ON c.guild = i.guild AND c.channel = i.channel
            WHERE c.revision = i.expected ORDER BY c.guild, c.channel FOR UPDATE OF c
        ), changed AS (
            UPDATE channels c SET revision = i.expected + 1, digest = i.digest,
                progress = i.progress, created = i.created, updated = i.updated,
                checksum = i.checksum
            FROM locked l JOIN input i ON l.guild = i.guild AND l.channel = i.channel
            WHERE c.guild = l.guild AND c.channel = l.channel RETURNING c.guild, c.channel
        ), recorded AS (
            INSERT INTO history (guild, channel, revision, at, actor, event, detail,
                digest, progress, checksum, token)
            SELECT i.guild, i.channel, i.expected + 1, i.updated, i.actor, i.event, i.detail,
                i.digest, i.checkpoint, i.entry_checksum, i.token
            FROM changed c JOIN input i ON c.guild = i.guild AND c.channel = i.channel
        )
        SELECT guild, channel FROM changed";
    let changes = || jobs.iter().map(|(change, _)| change);
    let (channels, entries) =
        (|| changes().map(|change| &change.channel), || changes().map(|change| &change.entry));
    let statement = sqlx::query(statement)
        .bind(channels().map(|channel| channel.key.guild_column()).collect::<Vec<_>>())
        .bind(channels().map(|channel| channel.key.channel.as_str()).collect::<Vec<_>>())
        .bind(changes().map(|change| change.expected).collect::<Vec<_>>())
        .bind(channels().map(|channel| digest_bytes(&channel.digest)).collect::<Vec<_>>())
        .bind(channels().map(|channel| channel.progress.as_deref()).collect::<Vec<_>>())
        .bind(channels().map(|channel| channel.created.0).collect::<Vec<_>>())
        .bind(channels().map(|channel| channel.updated.0).collect::<Vec<_>>())
        .bind(channels().map(|channel| channel.checksum()).collect::<Vec<_>>())
        .bind(entries().map(|entry| entry.actor.as_str()).collect::<Vec<_>>())
        .bind(entries().map(|entry| entry.event.name()).collect::<Vec<_>>())
        .bind(entries().map(|entry| entry.event.detail()).collect::<Vec<_>>())
        .bind(entries().map(|entry| entry.progress.as_deref()).collect::<Vec<_>>())
        .bind(entries().map(|entry| entry.checksum()).collect::<Vec<_>>())
        .bind(entries().map(|entry| entry.token.as_deref()).collect::<Vec<_>>());
    statement
        .fetch_all(pool)
        .await?
        .iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect()
}

/// Runs a write in its own transaction.
async fn write_in_transaction(pool: &PgPool, work: Write) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    let written = statements::write(&mut transaction, work).await?;
    transaction.commit().await?;
    Ok(written)
}
