//! The one writer: takes the changes that wait, makes each in its own savepoint, commits once, answers all.
//!
//! A commit waits for the disk; while it does, the next changes queue up and share the next commit. So the more is asked for,
//! the more one wait is worth, and nobody is answered before the disk has it.

use crate::backend::{Change, Written};
use crate::error::{Result, StoreError};
use crate::spool::Spool;
use crate::token::TokenRow;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

/// The statements.
mod statements {
    crate::writing::writing!(sqlx::SqliteConnection);
}

/// The most changes of one commit.
const MAX_AT_ONCE: usize = 512;
/// The most changes that wait; who comes then waits to be let in.
const MAX_WAITING: usize = 4096;

/// The way to the writer's task.
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
}

/// Something to write, and who waits for it.
struct Job {
    work: Work,
    answer: oneshot::Sender<Result<Outcome>>,
}

enum Work {
    Change(Box<Change>),
    Import(Box<Spool>),
    AddToken(Box<TokenRow>),
    MarkToken {
        id: String,
        at: i64,
        revoke: bool,
    },
    Once {
        name: String,
        now: i64,
        until: i64,
    },
    /// Nothing; it is answered when everything before it is done, and is the last.
    Close,
}

enum Outcome {
    Written(Written),
    Marked(bool),
    Done,
}

impl Writer {
    pub(super) fn start(connection: SqliteConnection) -> Writer {
        let (jobs, waiting) = mpsc::channel(MAX_WAITING);
        tokio::spawn(run(connection, waiting));
        Writer { jobs }
    }

    pub(super) async fn change(&self, change: Change) -> Result<Written> {
        match self.ask(Work::Change(Box::new(change))).await? {
            Outcome::Written(written) => Ok(written),
            _ => Err(StoreError::Closed),
        }
    }

    pub(super) async fn import(&self, spool: Spool) -> Result<()> {
        self.ask(Work::Import(Box::new(spool))).await.map(drop)
    }

    pub(super) async fn add_token(&self, token: TokenRow) -> Result<()> {
        self.ask(Work::AddToken(Box::new(token))).await.map(drop)
    }

    pub(super) async fn mark_token(&self, id: &str, at: i64, revoke: bool) -> Result<bool> {
        let outcome = self.ask(Work::MarkToken { id: id.to_owned(), at, revoke }).await?;
        Ok(matches!(outcome, Outcome::Marked(true)))
    }

    pub(super) async fn once(&self, name: &str, now: i64, until: i64) -> Result<bool> {
        let outcome = self.ask(Work::Once { name: name.to_owned(), now, until }).await?;
        Ok(matches!(outcome, Outcome::Marked(true)))
    }

    pub(super) fn ping(&self) -> Result<()> {
        match self.jobs.is_closed() {
            true => Err(StoreError::Closed),
            false => Ok(()),
        }
    }

    pub(super) async fn close(&self) {
        // Closed already is as good.
        let _ = self.ask(Work::Close).await;
    }

    async fn ask(&self, work: Work) -> Result<Outcome> {
        let (answer, answered) = oneshot::channel();
        self.jobs.send(Job { work, answer }).await.map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
    }
}

async fn run(mut connection: SqliteConnection, mut waiting: mpsc::Receiver<Job>) {
    let mut jobs = Vec::with_capacity(MAX_AT_ONCE);
    let mut closing = false;
    while !closing && waiting.recv_many(&mut jobs, MAX_AT_ONCE).await > 0 {
        closing = jobs.iter().any(|job| matches!(job.work, Work::Close));
        if closing {
            waiting.close();
            while let Some(job) = waiting.recv().await {
                jobs.push(job);
            }
        }
        write_all(&mut connection, &mut jobs).await;
    }
    // What was committed is safe whether the connection closes well or not.
    let _ = connection.close().await;
}

/// One transaction for all jobs. Its answers go out when it is on disk.
async fn write_all(connection: &mut SqliteConnection, jobs: &mut Vec<Job>) {
    if let Err(error) = sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *connection).await {
        refuse_all(jobs.drain(..).map(|job| job.answer), &error);
        return;
    }
    let mut answers = Vec::with_capacity(jobs.len());
    for Job { work, answer } in jobs.drain(..) {
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
    if matches!(work, Work::Close) {
        return Ok(Outcome::Done);
    }
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
        Work::Close => Ok(Outcome::Done),
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
    let statements = sqlx::query_scalar::<_, i64>(statements)
        .bind(channel.revision)
        .bind(channel.digest.as_deref())
        .bind(channel.progress.as_deref())
        .bind(channel.created)
        .bind(channel.updated)
        .bind(channel.seal.as_slice())
        .bind(channel.key.guild_column())
        .bind(channel.key.channel.as_str())
        .bind(seen)
        .bind(entry.actor.as_str())
        .bind(entry.event.as_str())
        .bind(entry.detail.as_deref())
        .bind(entry.progress.as_deref())
        .bind(entry.seal.as_slice());
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
