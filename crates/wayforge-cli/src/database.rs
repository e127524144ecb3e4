//! The database of stored maps, and the async runtime for it.

use crate::failure::{Context, Failure, reject};
use clap::Args;
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
