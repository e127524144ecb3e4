//! Schema migrations with sqlx. The SQL files are embedded with `include_str!`, because the macro
//! `migrate!` would compile both database drivers a second time for the build host.

use crate::error::StoreError;
use sqlx::SqlSafeStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

/// Returns the migrations of one database, numbered from 1. Never change a published migration; add
/// a new one instead. The first two use `IF NOT EXISTS`, because databases created before sqlx
/// tracked versions already have the tables.
pub(crate) fn migrator(steps: [&'static str; 3]) -> Migrator {
    let step = |(version, sql): (i64, &'static str)| {
        Migration::new(version, "wayforge".into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations((1..).zip(steps).map(step).collect())
}

/// Converts a migration error. An unknown version was written by a newer program.
pub(crate) fn migration_error(migrator: &Migrator, error: MigrateError) -> StoreError {
    match error {
        MigrateError::VersionMissing(found) => {
            StoreError::Schema { found, supported: migrator.iter().count() as i64 }
        }
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        error => StoreError::Database(error.to_string()),
    }
}
