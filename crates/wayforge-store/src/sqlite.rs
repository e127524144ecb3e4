//! SQLite: one file, many readers, one writer that commits for all who wait.
//!
//! The writer takes the changes that wait, makes each in its own savepoint, commits once, and answers all. A commit waits for
//! the disk; while it does, the next changes queue up and share the next commit. Nobody is answered before the disk has it.

use crate::database::{Change, Work};
use crate::error::{Result, StoreError};
use crate::migrate::{failed, migrator};
use crate::queue::{Job, Queue};
use crate::reading::reading;
use crate::row::digest_bytes;
use crate::writing::{bound, writing};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};
use std::time::Duration;

const MIGRATIONS: [&str; 2] =
    [include_str!("../migrations/sqlite/0001_maps.sql"), include_str!("../migrations/sqlite/0002_once.sql")];
/// The most changes of one commit.
const MAX_AT_ONCE: usize = 512;

/// The statements.
mod statements {
    super::writing!(sqlx::SqliteConnection, "");
}

/// A file, open.
pub(crate) struct Sqlite {
    readers: SqlitePool,
    writer: Queue<Work>,
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
        Ok(Sqlite { readers, writer: start_writer(connection) })
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
    pub(crate) async fn write(&self, work: Work) -> Result<bool> {
        self.writer.ask(work).await
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

/// Starts the writer's task.
fn start_writer(mut connection: SqliteConnection) -> Queue<Work> {
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
async fn write_all(connection: &mut SqliteConnection, jobs: Vec<Job<Work>>) {
    let begun = sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *connection).await;
    let mut answers = Vec::with_capacity(jobs.len());
    for (work, answer) in jobs {
        let outcome = match &begun {
            Ok(_) => write_one(connection, work).await,
            Err(error) => Err(StoreError::Database(error.to_string())),
        };
        answers.push((answer, outcome));
    }
    if begun.is_ok()
        && let Err(error) = sqlx::raw_sql("COMMIT").execute(&mut *connection).await
    {
        // The transaction may be gone already, with the error that is reported.
        let _ = sqlx::raw_sql("ROLLBACK").execute(&mut *connection).await;
        answers.iter_mut().for_each(|(_, outcome)| *outcome = Err(StoreError::Database(error.to_string())));
    }
    for (answer, outcome) in answers {
        // A caller that has gone away gets no answer.
        let _ = answer.send(outcome);
    }
}

/// One job in its savepoint: if it fails, it alone is taken back.
async fn write_one(connection: &mut SqliteConnection, work: Work) -> Result<bool> {
    if let Work::Change(change) = &work
        && change.is_small()
    {
        return write_at_once(connection, change).await;
    }
    sqlx::query("SAVEPOINT job").execute(&mut *connection).await?;
    let outcome = statements::write(connection, work).await;
    if outcome.is_err() {
        sqlx::query("ROLLBACK TO job").execute(&mut *connection).await?;
    }
    sqlx::query("RELEASE job").execute(&mut *connection).await?;
    outcome
}

/// A change of what is there without a new document, savepoint and all in one journey to the connection's thread, of which there
/// would be four: on a busy machine each of them waits for its turn.
async fn write_at_once(connection: &mut SqliteConnection, change: &Change) -> Result<bool> {
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
        digest_bytes(&channel.digest),
        channel.progress.as_deref(),
        channel.created.0,
        channel.updated.0,
        channel.seal(),
        channel.key.guild_column(),
        channel.key.channel.as_str(),
        seen,
        entry.actor.as_str(),
        entry.event.name(),
        entry.event.detail(),
        entry.progress.as_deref(),
        entry.seal(),
    );
    match statements.fetch_all(&mut *connection).await {
        Ok(rows) => Ok(rows == [1]),
        Err(error) => {
            // If it failed before its savepoint, there is none to go back to.
            let _ = sqlx::raw_sql("ROLLBACK TO job; RELEASE job").execute(&mut *connection).await;
            Err(error.into())
        }
    }
}
