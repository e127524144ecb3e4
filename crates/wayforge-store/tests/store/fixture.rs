//! An empty database for a test, and shortcuts for common operations.

use crate::cluster;
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, postgres::PgConnectOptions,
    sqlite::SqliteConnectOptions,
};
use std::sync::Arc;
use wayforge::{Family, Seed};
use wayforge_store::{Actor, ChannelKey, NewMap, Store, StoredMap};

/// An empty database.
pub(crate) struct Fixture {
    pub(crate) address: String,
    /// Folder of an SQLite database, deleted with the fixture.
    folder: Option<tempfile::TempDir>,
}

impl Fixture {
    pub(crate) async fn sqlite() -> Fixture {
        let folder = cluster::folder();
        Fixture { address: cluster::file_address(folder.path()), folder: Some(folder) }
    }

    pub(crate) async fn postgres() -> Fixture {
        Fixture { address: cluster::shared().new_database().await, folder: None }
    }

    /// Returns another empty database of the same kind.
    pub(crate) async fn another(&self) -> Fixture {
        match self.folder {
            Some(_) => Fixture::sqlite().await,
            None => Fixture::postgres().await,
        }
    }

    pub(crate) async fn open(&self) -> Arc<Store> {
        wayforge_store::open(&self.address).await.unwrap()
    }

    /// Executes SQL directly, bypassing the store. Returns the number of affected rows.
    pub(crate) async fn execute_sql(&self, sql: &str) -> u64 {
        let sql = AssertSqlSafe(sql.to_owned());
        match self.address.strip_prefix("sqlite:") {
            Some(path) => {
                let mut connection =
                    SqliteConnectOptions::new().filename(path).connect().await.unwrap();
                let affected =
                    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap().rows_affected();
                connection.close().await.unwrap();
                affected
            }
            None => {
                let options: PgConnectOptions = self.address.parse().unwrap();
                let mut connection = options.connect().await.unwrap();
                let affected =
                    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap().rows_affected();
                connection.close().await.unwrap();
                affected
            }
        }
    }
}

pub(crate) fn key(channel: &str) -> ChannelKey {
    ChannelKey::new(Some("guild"), channel).unwrap()
}

pub(crate) fn actor(name: &str) -> Actor {
    Actor::new(name).unwrap()
}

pub(crate) fn act(seed: u64) -> NewMap {
    NewMap::generate(Family::Act, b"{}", Seed::new(seed)).unwrap()
}

/// Returns the first legal move on a map.
pub(crate) fn first_move(map: &StoredMap) -> wayforge::run::Move {
    map.run().unwrap().moves()[0]
}
