//! PostgreSQL: many servers over one database.
//!
//! Moves that wait travel together, in one statement and one commit: a journey to the database and a commit cost the same for
//! one move as for hundreds. While one statement is under way the next moves queue up; nobody is answered before the database
//! has committed.

use crate::database::{Change, Work};
use crate::error::{Result, StoreError};
use crate::migrate::{failed, migrator};
use crate::queue::{Job, Queue};
use crate::reading::reading;
use crate::row::digest_bytes;
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use std::collections::BTreeSet;
use std::time::Duration;
use wayforge::InputError;
use wayforge::seed::fnv1a_64;

const MIGRATIONS: [&str; 2] = [
    include_str!("../migrations/postgres/0001_maps.sql"),
    include_str!("../migrations/postgres/0002_once.sql"),
];
/// The most connections of one server.
const CONNECTIONS: u32 = 16;
/// The most changes of one statement.
const MAX_AT_ONCE: usize = 256;
/// How many statements are under way at once: while one waits for the disk, the next is worked out.
const WRITERS: usize = 2;

/// A change, and where its result goes.
type Waiting = Job<Box<Change>>;

/// The statements.
mod statements {
    crate::writing::writing!(sqlx::PgConnection, "FOR UPDATE SKIP LOCKED");
}

/// A database, connected.
pub(crate) struct Postgres {
    pool: PgPool,
    /// The queues of the writing tasks; a channel's changes always go through the same one.
    writers: Vec<Queue<Box<Change>>>,
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
        let writers = (0..WRITERS).map(|_| start_writer(pool.clone())).collect();
        Ok(Postgres { pool, writers })
    }

    pub(crate) async fn write(&self, work: Work) -> Result<bool> {
        match work {
            // What brings a document or a channel is rare, and large.
            Work::Change(change) if change.is_small() => {
                let channel = change.channel.key.channel.as_str().as_bytes();
                self.writers[fnv1a_64(channel) as usize % self.writers.len()].ask(change).await
            }
            Work::Change(_) | Work::Import(_) => write_whole(&self.pool, work).await,
            _ => statements::write(&mut *self.pool.acquire().await?, work).await,
        }
    }

    /// The pool itself says that it was closed.
    fn is_open(&self) -> Result<()> {
        Ok(())
    }

    /// Accepts no more changes; those that wait are written.
    pub(crate) async fn close(&self) {
        for writer in &self.writers {
            writer.close().await;
        }
        self.pool.close().await;
    }
}

reading!(Postgres, pool, sqlx::postgres::PgRow);

/// Starts a writing task.
fn start_writer(pool: PgPool) -> Queue<Box<Change>> {
    let (queue, mut waiting) = Queue::new();
    tokio::spawn(async move {
        while let Some(jobs) = waiting.next(MAX_AT_ONCE).await {
            write_together(&pool, jobs).await;
        }
    });
    queue
}

/// Writes all, of each channel one at a time.
async fn write_together(pool: &PgPool, mut jobs: Vec<Waiting>) {
    while !jobs.is_empty() {
        let mut channels = BTreeSet::new();
        let (now, later): (Vec<Waiting>, Vec<Waiting>) =
            jobs.into_iter().partition(|(change, _)| channels.insert(change.channel.key.clone()));
        write_batch(pool, now).await;
        jobs = later;
    }
}

async fn write_batch(pool: &PgPool, jobs: Vec<Waiting>) {
    match write_many(pool, &jobs).await {
        Ok(written) => {
            for (change, answer) in jobs {
                let key = &change.channel.key;
                let names = (key.guild_column().to_owned(), key.channel.as_str().to_owned());
                // A caller that has gone away gets no answer.
                let _ = answer.send(Ok(written.contains(&names)));
            }
        }
        // The statement as a whole did nothing, and one change may be to blame: each by itself.
        Err(sqlx::Error::Database(_)) => {
            for (change, answer) in jobs {
                let _ = answer.send(write_whole(pool, Work::Change(change)).await);
            }
        }
        Err(error) => {
            for (_, answer) in jobs {
                let _ = answer.send(Err(StoreError::Database(error.to_string())));
            }
        }
    }
}

/// Changes of different channels in one statement; gives the guilds and channels of those that were not stale.
///
/// Rows are locked in the order of their keys first, so that servers that write the same channels wait for each other instead of
/// standing crosswise.
async fn write_many(pool: &PgPool, jobs: &[Waiting]) -> Result<BTreeSet<(String, String)>, sqlx::Error> {
    let statement = "WITH input AS MATERIALIZED (
            SELECT guild COLLATE \"C\" AS guild, channel COLLATE \"C\" AS channel, seen, digest, progress, created, updated, seal,
                actor, event, detail, checkpoint, entry_seal
            FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bytea[], $5::text[], $6::bigint[], $7::bigint[], $8::bytea[],
                $9::text[], $10::text[], $11::text[], $12::text[], $13::bytea[])
            AS t (guild, channel, seen, digest, progress, created, updated, seal, actor, event, detail, checkpoint, entry_seal)
        ), locked AS MATERIALIZED (
            SELECT c.guild, c.channel FROM channels c JOIN input i ON c.guild = i.guild AND c.channel = i.channel
            WHERE c.revision = i.seen ORDER BY c.guild, c.channel FOR UPDATE OF c
        ), changed AS (
            UPDATE channels c SET revision = i.seen + 1, digest = i.digest, progress = i.progress, created = i.created,
                updated = i.updated, seal = i.seal
            FROM locked l JOIN input i ON l.guild = i.guild AND l.channel = i.channel
            WHERE c.guild = l.guild AND c.channel = l.channel RETURNING c.guild, c.channel
        ), told AS (
            INSERT INTO history (guild, channel, revision, at, actor, event, detail, digest, progress, seal)
            SELECT i.guild, i.channel, i.seen + 1, i.updated, i.actor, i.event, i.detail, i.digest, i.checkpoint, i.entry_seal
            FROM changed c JOIN input i ON c.guild = i.guild AND c.channel = i.channel
        )
        SELECT guild, channel FROM changed";
    let changes = || jobs.iter().map(|(change, _)| change);
    let (channels, entries) =
        (|| changes().map(|change| &change.channel), || changes().map(|change| &change.entry));
    let statement = sqlx::query(statement)
        .bind(channels().map(|channel| channel.key.guild_column()).collect::<Vec<_>>())
        .bind(channels().map(|channel| channel.key.channel.as_str()).collect::<Vec<_>>())
        .bind(changes().map(|change| change.seen).collect::<Vec<_>>())
        .bind(channels().map(|channel| digest_bytes(&channel.digest)).collect::<Vec<_>>())
        .bind(channels().map(|channel| channel.progress.as_deref()).collect::<Vec<_>>())
        .bind(channels().map(|channel| channel.created.0).collect::<Vec<_>>())
        .bind(channels().map(|channel| channel.updated.0).collect::<Vec<_>>())
        .bind(channels().map(|channel| channel.seal()).collect::<Vec<_>>())
        .bind(entries().map(|entry| entry.actor.as_str()).collect::<Vec<_>>())
        .bind(entries().map(|entry| entry.event.name()).collect::<Vec<_>>())
        .bind(entries().map(|entry| entry.event.detail()).collect::<Vec<_>>())
        .bind(entries().map(|entry| entry.progress.as_deref()).collect::<Vec<_>>())
        .bind(entries().map(|entry| entry.seal()).collect::<Vec<_>>());
    statement.fetch_all(pool).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Something to write in a transaction of its own.
async fn write_whole(pool: &PgPool, work: Work) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    let written = statements::write(&mut transaction, work).await?;
    transaction.commit().await?;
    Ok(written)
}
