//! Where a test stands: an empty database of one kind, and short names for what tests do all the time.

use crate::cluster;
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, postgres::PgConnectOptions, sqlite::SqliteConnectOptions,
};
use std::sync::Arc;
use wayforge::{Family, Seed};
use wayforge_store::{Actor, ChannelKey, NewMap, Store, StoredMap};

/// An empty database.
pub(crate) struct Bed {
    pub(crate) address: String,
    _folder: Option<tempfile::TempDir>,
}

impl Bed {
    pub(crate) async fn sqlite() -> Bed {
        let folder = cluster::folder();
        Bed { address: cluster::file_address(folder.path()), _folder: Some(folder) }
    }

    pub(crate) async fn postgres() -> Bed {
        Bed { address: cluster::shared().new_database().await, _folder: None }
    }

    pub(crate) async fn open(&self) -> Arc<Store> {
        wayforge_store::open(&self.address).await.unwrap()
    }

    /// Does something to the tables behind the store's back; gives how many rows it changed.
    pub(crate) async fn meddle(&self, sql: &str) -> u64 {
        let sql = AssertSqlSafe(sql.to_owned());
        match self.address.strip_prefix("sqlite:") {
            Some(path) => {
                let mut connection = SqliteConnectOptions::new().filename(path).connect().await.unwrap();
                let done = sqlx::raw_sql(sql).execute(&mut connection).await.unwrap().rows_affected();
                connection.close().await.unwrap();
                done
            }
            None => {
                let options: PgConnectOptions = self.address.parse().unwrap();
                let mut connection = options.connect().await.unwrap();
                let done = sqlx::raw_sql(sql).execute(&mut connection).await.unwrap().rows_affected();
                connection.close().await.unwrap();
                done
            }
        }
    }
}

/// Runs each of the functions on both databases.
macro_rules! both {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(crate::bed::Bed::sqlite().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name(crate::bed::Bed::postgres().await).await;
            })*
        }
    };
}
pub(crate) use both;

pub(crate) fn key(channel: &str) -> ChannelKey {
    ChannelKey::new(Some("guild"), channel).unwrap()
}

pub(crate) fn who(name: &str) -> Actor {
    Actor::new(name).unwrap()
}

pub(crate) fn act(seed: u64) -> NewMap {
    NewMap::generate(Family::Act, b"{}", Seed::new(seed)).unwrap()
}

/// The first legal move on a map.
pub(crate) fn first_move(map: &StoredMap) -> wayforge::run::Move {
    map.run().unwrap().moves()[0]
}
