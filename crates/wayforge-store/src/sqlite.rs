//! SQLite: one file, several read connections, and one writer task that commits in groups.
//!
//! Group commit: the writer runs each waiting change in its own savepoint, commits once, and then
//! responds to all callers. While a commit waits for the disk, further changes queue for the next
//! one. No caller gets a result before its change is on disk.

use crate::database::{Change, Write};
use crate::error::{Result, StoreError};
use crate::migrate::{migration_error, migrator};
use crate::queries::read_queries;
use crate::queue::{Job, Queue};
use crate::row::digest_bytes;
use crate::statements::{bound, update_channel, write_statements};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const MIGRATIONS: [&str; 3] = [
    include_str!("../migrations/sqlite/0001_maps.sql"),
    include_str!("../migrations/sqlite/0002_idempotency_keys.sql"),
    include_str!("../migrations/sqlite/0003_history_tokens.sql"),
];
/// Maximum number of changes per commit.
const MAX_BATCH: usize = 512;

/// Write statements for SQLite.
mod statements {
    // One transaction writes at a time.
    super::write_statements!(sqlx::SqliteConnection, "", None);
}

/// An open SQLite database.
pub(crate) struct Sqlite {
    readers: SqlitePool,
    file: Arc<DatabaseFile>,
    writer: Queue<Write>,
}

impl Sqlite {
    pub(crate) async fn open(path: &str) -> Result<Sqlite> {
        create_private(path)?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // Every commit is on disk before its callers get a result.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(10))
            .pragma("cache_size", "-16384")
            .pragma("trusted_schema", "OFF");
        let mut connection = connect(&options).await?;
        migrate(&mut connection).await?;
        check_tokens(&mut connection).await?;
        let readers = SqlitePoolOptions::new()
            .min_connections(1)
            .max_connections(4)
            .test_before_acquire(false)
            .connect_with(options.pragma("query_only", "ON"))
            .await?;
        let file = Arc::new(DatabaseFile::new(path)?);
        let writer = start_writer(connection, Arc::clone(&file));
        Ok(Sqlite { readers, writer, file })
    }
}

/// Creates the file if it is missing, readable only by its owner. SQLite gives its other files the
/// same permissions.
fn create_private(path: &str) -> Result<()> {
    match private_file(Path::new(path)) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(StoreError::Database(format!("{path}: {error}")))
        }
        _ => Ok(()),
    }
}

/// Creates a new file, readable only by its owner.
fn private_file(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Identity of the open file. Unix lets others delete or replace an open file.
struct DatabaseFile {
    path: String,
    #[cfg(unix)]
    id: (u64, u64),
}

impl DatabaseFile {
    fn new(path: &str) -> Result<DatabaseFile> {
        Ok(DatabaseFile {
            path: path.to_owned(),
            #[cfg(unix)]
            id: file_id(path)?,
        })
    }

    /// Checks that the path still names the open file.
    fn check(&self) -> Result<()> {
        #[cfg(unix)]
        if file_id(&self.path).ok() != Some(self.id) {
            let problem = "was deleted or replaced while it was open; restart the server";
            return Err(StoreError::Database(format!("{}: {problem}", self.path)));
        }
        Ok(())
    }
}

/// Returns device and inode of a file.
#[cfg(unix)]
fn file_id(path: &str) -> Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::metadata(path);
    let file = file.map_err(|error| StoreError::Database(format!("{path}: {error}")))?;
    Ok((file.dev(), file.ino()))
}

/// Opens the connection of the writer. Retries while the file is locked, because switching to WAL
/// mode needs an exclusive lock, for which the busy timeout does not wait.
async fn connect(options: &SqliteConnectOptions) -> Result<SqliteConnection> {
    let mut attempts = 0;
    loop {
        match options.connect().await {
            Err(error) if attempts < 100 && error.to_string().contains("locked") => {
                attempts += 1;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            connected => return Ok(connected?),
        }
    }
}

/// Migrates in one write transaction (`BEGIN IMMEDIATE`), so that other processes see either no
/// tables or all of them.
async fn migrate(connection: &mut SqliteConnection) -> Result<()> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let is_foreign = "SELECT (SELECT user_version FROM pragma_user_version) = 0
        AND EXISTS (SELECT 1 FROM sqlite_schema)
        AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')";
    if sqlx::query_scalar(is_foreign).fetch_one(&mut *transaction).await? {
        let problem = "the file is a database of another program; use another file";
        return Err(StoreError::Database(problem.to_owned()));
    }
    let migrator = migrator(MIGRATIONS);
    migrator
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(|error| migration_error(&migrator, error))?;
    Ok(transaction.commit().await?)
}

/// Compares the table of tokens with its index: a lost token must not open the database to
/// everyone.
async fn check_tokens(connection: &mut SqliteConnection) -> Result<()> {
    let check = sqlx::query_scalar::<_, String>("PRAGMA integrity_check(tokens)");
    match check.fetch_one(connection).await? {
        result if result == "ok" => Ok(()),
        result => Err(StoreError::Database(format!(
            "the table tokens is damaged ({result}); restore the database from a backup"
        ))),
    }
}

impl Sqlite {
    pub(crate) async fn write(&self, work: Write) -> Result<bool> {
        self.writer.submit(work).await
    }

    /// Checks the structure of the file. Returns its problems.
    pub(crate) async fn check_file(&self) -> Result<Vec<String>> {
        let check = sqlx::query_scalar("PRAGMA integrity_check");
        let mut problems: Vec<String> = check.fetch_all(&self.readers).await?;
        problems.retain(|problem| problem != "ok");
        Ok(problems)
    }

    /// Copies the database to a new file.
    pub(crate) async fn backup(&self, path: &Path) -> Result<()> {
        self.check_open()?;
        let path = std::path::absolute(path)?;
        let name = path.to_str().ok_or_else(|| {
            std::io::Error::new(ErrorKind::InvalidInput, "the file name is not UTF-8")
        })?;
        // SQLite accepts an existing file if it is empty.
        private_file(&path)?;
        let copied = self.copy_to(name).await;
        if copied.is_err() {
            // The first error is the important one.
            let _ = std::fs::remove_file(&path);
        }
        copied
    }

    async fn copy_to(&self, path: &str) -> Result<()> {
        // The connections of the pool cannot write.
        let options = self.readers.connect_options().as_ref().clone();
        let mut connection = options.pragma("query_only", "OFF").connect().await?;
        let copied = sqlx::query("VACUUM INTO $1").bind(path).execute(&mut connection).await;
        connection.close().await?;
        copied?;
        std::fs::File::open(path)?.sync_all()?;
        Ok(())
    }

    /// Checks that the store is open and its file is still there.
    fn check_open(&self) -> Result<()> {
        self.file.check()?;
        self.writer.check_open()
    }

    pub(crate) async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

read_queries!(Sqlite, readers, sqlx::sqlite::SqliteRow);

/// Starts the writer task.
fn start_writer(mut connection: SqliteConnection, file: Arc<DatabaseFile>) -> Queue<Write> {
    let (queue, mut waiting) = Queue::new();
    tokio::spawn(async move {
        while let Some(jobs) = waiting.next(MAX_BATCH).await {
            write_all(&mut connection, &file, jobs).await;
        }
        // Committed data is safe even if closing fails.
        let _ = connection.close().await;
    });
    queue
}

/// Runs all jobs in one transaction and sends their results after the commit.
async fn write_all(connection: &mut SqliteConnection, file: &DatabaseFile, jobs: Vec<Job<Write>>) {
    let begun = sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut *connection).await;
    let mut results = Vec::with_capacity(jobs.len());
    for (work, reply) in jobs {
        let outcome = match &begun {
            Ok(_) => write_one(connection, work).await,
            Err(error) => Err(StoreError::Database(error.to_string())),
        };
        results.push((reply, outcome));
    }
    if begun.is_ok()
        && let Err(error) = sqlx::raw_sql("COMMIT").execute(&mut *connection).await
    {
        // The failed commit may already have ended the transaction; the error is reported below.
        let _ = sqlx::raw_sql("ROLLBACK").execute(&mut *connection).await;
        results
            .iter_mut()
            .for_each(|(_, outcome)| *outcome = Err(StoreError::Database(error.to_string())));
    }
    if let Err(error) = file.check() {
        // The data is in a file that nobody can open again.
        results
            .iter_mut()
            .for_each(|(_, outcome)| *outcome = Err(StoreError::Database(error.to_string())));
    }
    for (reply, outcome) in results {
        // The caller may have been cancelled.
        let _ = reply.send(outcome);
    }
}

/// Runs one job in its own savepoint. If it fails, only this job is rolled back.
async fn write_one(connection: &mut SqliteConnection, work: Write) -> Result<bool> {
    if let Write::Change(change) = &work
        && change.is_small()
    {
        return write_small_change(connection, change).await;
    }
    sqlx::query("SAVEPOINT job").execute(&mut *connection).await?;
    let outcome = statements::write(connection, work).await;
    if outcome.is_err() {
        sqlx::query("ROLLBACK TO job").execute(&mut *connection).await?;
    }
    sqlx::query("RELEASE job").execute(&mut *connection).await?;
    outcome
}

/// Writes a change without a new document in one round trip to the connection thread, including the
/// savepoint. Separate statements would need four round trips, each with a thread switch.
async fn write_small_change(connection: &mut SqliteConnection, change: &Change) -> Result<bool> {
    let Change { expected, channel, entry, .. } = change;
    let statements = concat!(
        "SAVEPOINT job; ",
        update_channel!(),
        ";
        INSERT INTO history (guild, channel, revision, at, actor, event, detail,
                digest, progress, checksum, token)
            SELECT $7, $8, $1, $5, $10, $11, $12, $2, $13, $14, $15 WHERE changes() = 1;
        RELEASE job;
        SELECT changes()"
    );
    let statements = bound!(
        sqlx::query_scalar::<_, i64>(statements),
        channel.revision,
        digest_bytes(&channel.digest),
        channel.progress.as_deref(),
        channel.created.0,
        channel.updated.0,
        channel.checksum(),
        channel.key.guild_column(),
        channel.key.channel.as_str(),
        expected,
        entry.actor.as_str(),
        entry.event.name(),
        entry.event.detail(),
        entry.progress.as_deref(),
        entry.checksum(),
        entry.token.as_deref(),
    );
    match statements.fetch_all(&mut *connection).await {
        Ok(rows) => Ok(rows == [1]),
        Err(error) => {
            // Fails harmlessly if the first statement failed, because then no savepoint exists.
            let _ = sqlx::raw_sql("ROLLBACK TO job; RELEASE job").execute(&mut *connection).await;
            Err(error.into())
        }
    }
}
