//! `wayforge database`: verifies and copies the database of stored maps.

use super::{DatabaseArgs, runtime};
use crate::failure::{Context, Failure, reject};
use crate::interrupt::Staged;
use crate::number::counted;
use crate::output::{Output, TEMP_PREFIX, parent};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use tempfile::TempPath;
use wayforge_store::{Damage, Store, StoreError, VerifiedCounts};

/// Options of `wayforge database`.
#[derive(Args)]
pub(crate) struct DatabaseCommandArgs {
    #[command(subcommand)]
    command: DatabaseCommand,
}

#[derive(Subcommand)]
enum DatabaseCommand {
    /// Read every row and list the damaged ones; exit code 1 if there are any
    Verify {
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Copy an SQLite database, which may be in use, to a new file and verify the copy
    Backup {
        /// New file; only its owner can read it
        file: PathBuf,
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

/// Verifies or copies a database.
pub(crate) fn run(args: DatabaseCommandArgs) -> Result<(), Failure> {
    let mut output = Output::open(None)?;
    let is_intact = runtime()?.block_on(async {
        match &args.command {
            DatabaseCommand::Verify { database } => {
                let store = database.open_existing().await?;
                let is_intact = verify(&store, &mut output).await;
                store.close().await;
                is_intact
            }
            DatabaseCommand::Backup { file, database } => {
                let store = database.open_existing().await?;
                let is_intact = backup(&store, file, &mut output).await;
                store.close().await;
                is_intact
            }
        }
    })?;
    output.finish()?;
    if is_intact { Ok(()) } else { Err(Failure::Check) }
}

/// Prints each damaged row, and a summary. Returns true if there is no damage.
async fn verify(store: &Store, output: &mut Output) -> Result<bool, Failure> {
    let (mut damaged, mut written) = (0_u64, Ok(()));
    let mut report = |damage: Damage| {
        damaged += 1;
        if written.is_ok() {
            written = output.write(format!("{damage}\n").as_bytes());
        }
    };
    let counts = store.verify(&mut report).await.context("--database")?;
    written?;
    let result = match damaged {
        0 => "intact".to_owned(),
        _ => format!("{} found", counted(damaged, "problem")),
    };
    output.write(format!("{}: {result}\n", summary(&counts)).as_bytes())?;
    Ok(damaged == 0)
}

/// Copies a database to a new file and verifies the copy. A damaged copy is kept, because it is
/// equal to the database.
async fn backup(store: &Store, file: &Path, output: &mut Output) -> Result<bool, Failure> {
    let exists = || Failure::new(file.display(), "already exists; name a new file");
    if std::fs::symlink_metadata(file).is_ok() {
        return Err(exists());
    }
    // SQLite writes further files beside the copy while it is verified.
    let folder =
        Staged::create(|| tempfile::Builder::new().prefix(TEMP_PREFIX).tempdir_in(parent(file)));
    let folder = folder.context(file.display())?;
    let copy = folder.get().path().join("copy.db");
    match store.backup(&copy).await {
        // The error names the field `database`.
        Err(StoreError::Input(error)) => return reject(format!("--{error}")),
        copied => copied.context(file.display())?,
    }
    let Some(path) = copy.to_str() else {
        return Err(Failure::new(file.display(), "the file name is not UTF-8; use another one"));
    };
    let opened = wayforge_store::open(&format!("sqlite:{path}")).await.context(file.display())?;
    let is_intact = verify(&opened, output).await;
    opened.close().await;
    let is_intact = is_intact?;
    folder.publish(|_folder| {
        // The folder is removed after the copy was moved out.
        let copy = TempPath::try_from_path(copy).context(file.display())?;
        copy.persist_noclobber(file).map_err(|error| match error.error.kind() {
            std::io::ErrorKind::AlreadyExists => exists(),
            _ => Failure::new(file.display(), error.error),
        })
    })?;
    Ok(is_intact)
}

/// Lists the numbers of rows.
fn summary(counts: &VerifiedCounts) -> String {
    let VerifiedCounts { guilds, records, tokens } = *counts;
    let entries = match records.entries {
        1 => "1 entry".to_owned(),
        entries => format!("{entries} entries"),
    };
    let (channels, documents) =
        (counted(records.channels, "channel"), counted(records.documents, "document"));
    let (guilds, tokens) = (counted(guilds, "guild"), counted(tokens, "token"));
    format!("{guilds}, {channels}, {entries}, {documents}, {tokens}")
}
