//! PostgreSQL over TLS: the store asks for what its address says, and refuses a server that cannot prove who it is.

use crate::cluster::Cluster;
use sqlx::{ConnectOptions, Connection, postgres::PgConnectOptions};
use wayforge_store::StoreError;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_is_checked_against_its_authority_and_its_name() {
    let cluster = Cluster::start();
    let plain = cluster.new_database().await;
    let encrypted = |host: &str, mode: &str, authority: &str| {
        let address = plain.replace("127.0.0.1", host);
        format!("{address}?sslmode={mode}&sslrootcert={}", cluster.folder().join(authority).display())
    };
    let open = async |address: String| wayforge_store::open(&address).await;

    let refused = open(encrypted("localhost", "require", "ca.pem")).await.err();
    assert!(matches!(refused, Some(StoreError::Database(_))), "no TLS yet: {refused:?}");
    cluster.turn_on_tls(&["localhost"]);
    let store = open(encrypted("localhost", "verify-full", "ca.pem")).await.unwrap();
    assert!(store.once("here", std::time::Duration::from_secs(60)).await.unwrap());
    assert_eq!(encrypted_connections(&plain).await, (1, 0), "all of the store's connections");
    store.close().await;

    for (host, mode, authority, why) in [
        ("127.0.0.1", "verify-full", "ca.pem", "another name than the certificate's"),
        ("localhost", "verify-full", "other-ca.pem", "another authority"),
        ("localhost", "verify-ca", "other-ca.pem", "another authority"),
    ] {
        let refused = open(encrypted(host, mode, authority)).await.err();
        assert!(matches!(refused, Some(StoreError::Database(_))), "{why}: {refused:?}");
    }
    let store = open(encrypted("127.0.0.1", "verify-ca", "ca.pem")).await.unwrap();
    store.ping().await.unwrap();
    store.close().await;
}

/// How many of the store's connections to a database are encrypted: whether any is, and how many are not.
async fn encrypted_connections(address: &str) -> (i64, i64) {
    let options: PgConnectOptions = address.parse().unwrap();
    let mut connection = options.connect().await.unwrap();
    let count = "SELECT count(*) FILTER (WHERE s.ssl), count(*) FILTER (WHERE NOT s.ssl)
        FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
        WHERE a.application_name = 'wayforge' AND a.datname = current_database()";
    let (encrypted, plain): (i64, i64) = sqlx::query_as(count).fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    (encrypted.min(1), plain)
}
