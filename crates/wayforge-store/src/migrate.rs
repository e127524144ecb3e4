//! Tables and their versions, by sqlx's migrations. The `migrate!` macro would build both database drivers a second time, for
//! the compiler; the statements are embedded without it.

use crate::error::StoreError;
use sqlx::SqlSafeStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

/// The migrations of one database, by version from 1. A migration is never changed once it is published; a new one is added.
/// The first two create what is not there: databases that were made before sqlx counted their versions have these tables.
pub(crate) fn migrator(steps: [&'static str; 2]) -> Migrator {
    let step = |(version, sql): (i64, &'static str)| {
        Migration::new(version, "wayforge".into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations((1..).zip(steps).map(step).collect())
}

/// The error of a migration; a version that is not known is of a later program.
pub(crate) fn failed(migrator: &Migrator, error: MigrateError) -> StoreError {
    match error {
        MigrateError::VersionMissing(found) => {
            StoreError::Schema { found, known: migrator.iter().count() as i64 }
        }
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        error => StoreError::Database(error.to_string()),
    }
}
