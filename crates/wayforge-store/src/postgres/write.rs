//! Writing to PostgreSQL: moves that wait travel together, in one statement and one commit.
//!
//! A journey to the database and a commit cost the same for one move as for hundreds. While one statement is under way the next
//! moves queue up; nobody is answered before the database has committed.

use super::statements;
use crate::database::{Change, Written};
use crate::error::{Result, StoreError};
use crate::queue::{Job, Queue};
use sqlx::{PgPool, Row};
use std::collections::BTreeSet;
use wayforge::seed::fnv1a_64;

/// A change, and where its result goes.
type Waiting = Job<Change, Written>;

/// The most changes of one statement.
const MAX_AT_ONCE: usize = 256;
/// So many statements are under way at once: while one waits for the disk, the next is worked out.
const WRITERS: usize = 2;

/// The queues of the writing tasks; a channel's changes always go through the same one.
pub(super) struct Writers {
    queues: Vec<Queue<Change, Written>>,
    pool: PgPool,
}

impl Writers {
    pub(super) fn start(pool: &PgPool) -> Writers {
        let start = |_| {
            let (queue, mut waiting) = Queue::new();
            let pool = pool.clone();
            tokio::spawn(async move {
                while let Some(jobs) = waiting.next(MAX_AT_ONCE).await {
                    write_together(&pool, jobs).await;
                }
            });
            queue
        };
        Writers { queues: (0..WRITERS).map(start).collect(), pool: pool.clone() }
    }

    pub(super) async fn write(&self, change: Change) -> Result<Written> {
        // What brings a document or a channel is rare, and large.
        if change.document.is_some() || change.seen == 0 {
            return write_whole(&self.pool, &change).await;
        }
        let channel = change.channel.key.channel.as_str().as_bytes();
        self.queues[fnv1a_64(channel) as usize % self.queues.len()].ask(change).await
    }

    /// Accepts no more changes; those that wait are written.
    pub(super) async fn close(&self) {
        for queue in &self.queues {
            queue.close().await;
        }
    }
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
                let outcome = if written.contains(&names) { Written::Done } else { Written::Stale };
                // Who has gone away gets no answer.
                let _ = answer.send(Ok(outcome));
            }
        }
        // The statement as a whole did nothing, and one change may be to blame: each by itself.
        Err(sqlx::Error::Database(_)) => {
            for (change, answer) in jobs {
                let _ = answer.send(write_whole(pool, &change).await);
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
    let rows = || jobs.iter().map(|(change, _)| (&change.channel, &change.entry));
    let statement = sqlx::query(statement)
        .bind(rows().map(|(channel, _)| channel.key.guild_column()).collect::<Vec<_>>())
        .bind(rows().map(|(channel, _)| channel.key.channel.as_str()).collect::<Vec<_>>())
        .bind(jobs.iter().map(|(change, _)| change.seen).collect::<Vec<_>>())
        .bind(rows().map(|(channel, _)| channel.digest.as_deref()).collect::<Vec<_>>())
        .bind(rows().map(|(channel, _)| channel.progress.as_deref()).collect::<Vec<_>>())
        .bind(rows().map(|(channel, _)| channel.created).collect::<Vec<_>>())
        .bind(rows().map(|(channel, _)| channel.updated).collect::<Vec<_>>())
        .bind(rows().map(|(channel, _)| channel.seal.as_slice()).collect::<Vec<_>>())
        .bind(rows().map(|(_, entry)| entry.actor.as_str()).collect::<Vec<_>>())
        .bind(rows().map(|(_, entry)| entry.event.as_str()).collect::<Vec<_>>())
        .bind(rows().map(|(_, entry)| entry.detail.as_deref()).collect::<Vec<_>>())
        .bind(rows().map(|(_, entry)| entry.progress.as_deref()).collect::<Vec<_>>())
        .bind(rows().map(|(_, entry)| entry.seal.as_slice()).collect::<Vec<_>>());
    statement.fetch_all(pool).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// One change in a transaction of its own.
async fn write_whole(pool: &PgPool, change: &Change) -> Result<Written> {
    let mut transaction = pool.begin().await?;
    let written = statements::write_change(&mut transaction, change).await?;
    match written {
        Written::Done => transaction.commit().await?,
        Written::Stale => transaction.rollback().await?,
    }
    Ok(written)
}
