//! The database of stored maps, the async runtime for it, and the command `wayforge database`.

mod command;

pub(crate) use command::{DatabaseCommandArgs, run};

use crate::failure::{Context, Failure, reject};
use clap::Args;
use std::path::Path;
use std::sync::Arc;
use wayforge_store::{Store, StoreError};

/// Database option.
#[derive(Args)]
pub(crate) struct DatabaseArgs {
    /// Database: sqlite:FILE (created if missing) or postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = "sqlite:wayforge.db",
        env = "WAYFORGE_DATABASE",
        hide_env_values = true
    )]
    database: String,
}

impl DatabaseArgs {
    /// Opens the database without creating a missing file.
    async fn open_existing(&self) -> Result<Arc<Store>, Failure> {
        match self.database.strip_prefix("sqlite:") {
            Some(path) if !path.is_empty() && !Path::new(path).exists() => {
                reject(format!("--database: {path}: no such file"))
            }
            _ => self.open().await,
        }
    }

    pub(crate) async fn open(&self) -> Result<Arc<Store>, Failure> {
        // The address may contain a password, so errors do not show it.
        match wayforge_store::open(&self.database).await {
            // The error names the field `database`.
            Err(StoreError::Input(error)) => reject(format!("--{error}")),
            opened => opened.context("--database"),
        }
    }
}

/// Builds the multi-threaded async runtime.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.context("cannot start the async runtime")
}
