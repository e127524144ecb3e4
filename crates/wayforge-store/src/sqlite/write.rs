//! The one writer: takes the changes that wait, makes each in its own savepoint, commits once, answers all.
//!
//! A commit waits for the disk; while it does, the next changes queue up and share the next commit. So the more is asked for,
//! the more one wait is worth, and nobody is answered before the disk has it.

use crate::database::{Change, Written};
use crate::error::{Result, StoreError};
use crate::queue::{Job, Queue};
use crate::spool::Spool;
use crate::token::TokenRow;
use crate::writing::{bound, writing};
use sqlx::{Connection, SqliteConnection};
use tokio::sync::oneshot;

/// The statements.
mod statements {
    super::writing!(sqlx::SqliteConnection);
}

/// The most changes of one commit.
const MAX_AT_ONCE: usize = 512;

pub(super) enum Work {
    Change(Box<Change>),
    Import(Box<Spool>),
    AddToken(Box<TokenRow>),
    MarkToken { id: String, at: i64, revoke: bool },
    Once { name: String, now: i64, until: i64 },
}

pub(super) enum Outcome {
    Written(Written),
    /// True if it was done now, and not before.
    Marked(bool),
    Done,
}

/// Starts the writer's task.
pub(super) fn start(mut connection: SqliteConnection) -> Queue<Work, Outcome> {
    let (queue, mut waiting) = Queue::new();
    tokio::spawn(async move {
        while let Some(jobs) = waiting.next(MAX_AT_ONCE).await {
            write_all(&mut connection, jobs).await;
        }
        // What was committed is safe whether the connection closes well or not.
        let _ = connection.close().await;
    });
    queue
}

/// One transaction for all jobs. Its answers go out when it is on disk.
async fn write_all(connection: &mut SqliteConnection, jobs: Vec<Job<Work, Outcome>>) {
    if let Err(error) = sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *connection).await {
        refuse_all(jobs.into_iter().map(|(_, answer)| answer), &error);
        return;
    }
    let mut answers = Vec::with_capacity(jobs.len());
    for (work, answer) in jobs {
        answers.push((answer, write_one(connection, work).await));
    }
    match sqlx::raw_sql("COMMIT").execute(&mut *connection).await {
        Ok(_) => answers.into_iter().for_each(|(answer, outcome)| {
            // Who has gone away gets no answer.
            let _ = answer.send(outcome);
        }),
        Err(error) => {
            // The transaction may be gone already, with the error that is told.
            let _ = sqlx::raw_sql("ROLLBACK").execute(&mut *connection).await;
            refuse_all(answers.into_iter().map(|(answer, _)| answer), &error);
        }
    }
}

fn refuse_all(answers: impl Iterator<Item = oneshot::Sender<Result<Outcome>>>, error: &sqlx::Error) {
    for answer in answers {
        let _ = answer.send(Err(StoreError::Database(error.to_string())));
    }
}

/// One job in its savepoint: if it fails, it alone is taken back.
async fn write_one(connection: &mut SqliteConnection, work: Work) -> Result<Outcome> {
    if let Work::Change(change) = &work
        && change.document.is_none()
        && change.seen > 0
    {
        return write_at_once(connection, change).await.map(Outcome::Written);
    }
    sqlx::query("SAVEPOINT job").execute(&mut *connection).await?;
    let outcome = match work {
        Work::Change(change) => statements::write_change(connection, &change).await.map(Outcome::Written),
        Work::Import(spool) => statements::import(connection, *spool).await.map(|()| Outcome::Done),
        Work::AddToken(token) => statements::add_token(connection, &token).await.map(|()| Outcome::Done),
        Work::MarkToken { id, at, revoke } => {
            statements::mark_token(connection, &id, at, revoke).await.map(Outcome::Marked)
        }
        Work::Once { name, now, until } => once(connection, &name, now, until).await.map(Outcome::Marked),
    };
    if outcome.is_err() {
        sqlx::query("ROLLBACK TO job").execute(&mut *connection).await?;
    }
    sqlx::query("RELEASE job").execute(&mut *connection).await?;
    outcome
}

async fn once(connection: &mut SqliteConnection, name: &str, now: i64, until: i64) -> Result<bool> {
    let forget =
        "DELETE FROM once WHERE name IN (SELECT name FROM once WHERE until <= $1 ORDER BY until LIMIT 100)";
    sqlx::query(forget).bind(now).execute(&mut *connection).await?;
    statements::take_once(connection, name, now, until).await
}

/// A change of what is there without a new document, savepoint and all in one journey to the connection's thread, of which there
/// would be four: on a busy machine each of them waits for its turn.
async fn write_at_once(connection: &mut SqliteConnection, change: &Change) -> Result<Written> {
    let Change { seen, channel, entry, .. } = change;
    let statements = "SAVEPOINT job;
        UPDATE channels SET revision = $1, digest = $2, progress = $3, created = $4, updated = $5, seal = $6
            WHERE guild = $7 AND channel = $8 AND revision = $9;
        INSERT INTO history (guild, channel, revision, at, actor, event, detail, digest, progress, seal)
            SELECT $7, $8, $1, $5, $10, $11, $12, $2, $13, $14 WHERE changes() = 1;
        RELEASE job;
        SELECT changes()";
    let statements = bound!(
        sqlx::query_scalar::<_, i64>(statements),
        channel.revision,
        channel.digest.as_deref(),
        channel.progress.as_deref(),
        channel.created,
        channel.updated,
        channel.seal.as_slice(),
        channel.key.guild_column(),
        channel.key.channel.as_str(),
        seen,
        entry.actor.as_str(),
        entry.event.as_str(),
        entry.detail.as_deref(),
        entry.progress.as_deref(),
        entry.seal.as_slice(),
    );
    match statements.fetch_all(&mut *connection).await {
        Ok(rows) if rows == [1] => Ok(Written::Done),
        Ok(_) => Ok(Written::Stale),
        Err(error) => {
            // If it failed before its savepoint, there is none to go back to.
            let _ = sqlx::raw_sql("ROLLBACK TO job; RELEASE job").execute(&mut *connection).await;
            Err(error.into())
        }
    }
}
