//! The database of kept maps, and the runtime that speaks to it.

use crate::failure::{Context, Failure};
use clap::Args;
use std::sync::Arc;
use wayforge_store::Store;

/// Which database.
#[derive(Args)]
pub(crate) struct DatabaseArgs {
    /// The database: sqlite:FILE, made if it is not there, or postgres://USER:PASSWORD@HOST/DATABASE
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
        // The address may hold a password and is not told.
        wayforge_store::open(&self.database).await.about("--database")
    }
}

/// The threads that serve and wait.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.about("no threads")
}
