//! PostgreSQL over TLS: the store follows `sslmode` and rejects servers that fail verification.

use crate::cluster::Cluster;
use sqlx::{ConnectOptions, Connection, postgres::PgConnectOptions};
use wayforge_store::StoreError;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_certificate_and_name_are_verified() {
    let cluster = Cluster::start();
    let plain = cluster.new_database().await;
    let encrypted = |host: &str, mode: &str, authority: &str| {
        let address = plain.replace("127.0.0.1", host);
        format!(
            "{address}?sslmode={mode}&sslrootcert={}",
            cluster.folder().join(authority).display()
        )
    };
    let open = async |address: String| wayforge_store::open(&address).await;

    let error = open(encrypted("localhost", "require", "ca.pem")).await.err();
    assert!(matches!(error, Some(StoreError::Database(_))), "no TLS yet: {error:?}");
    cluster.enable_tls(&["localhost"]);
    let store = open(encrypted("localhost", "verify-full", "ca.pem")).await.unwrap();
    assert!(store.claim_idempotency_key("key", std::time::Duration::from_secs(60)).await.unwrap());
    assert_eq!(
        encrypted_connections(&plain).await,
        (1, 0),
        "all connections of the store are encrypted"
    );
    store.close().await;

    for (host, mode, authority, reason) in [
        ("127.0.0.1", "verify-full", "ca.pem", "the certificate has another name"),
        ("localhost", "verify-full", "other-ca.pem", "signed by another authority"),
        ("localhost", "verify-ca", "other-ca.pem", "signed by another authority"),
    ] {
        let error = open(encrypted(host, mode, authority)).await.err();
        assert!(matches!(error, Some(StoreError::Database(_))), "{reason}: {error:?}");
    }
    let store = open(encrypted("127.0.0.1", "verify-ca", "ca.pem")).await.unwrap();
    store.ping().await.unwrap();
    store.close().await;
}

/// Returns 1 if any connection of the store is encrypted, and the number of unencrypted ones.
async fn encrypted_connections(address: &str) -> (i64, i64) {
    let options: PgConnectOptions = address.parse().unwrap();
    let mut connection = options.connect().await.unwrap();
    let count = "SELECT count(*) FILTER (WHERE s.ssl), count(*) FILTER (WHERE NOT s.ssl)
        FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
        WHERE a.application_name = 'wayforge' AND a.datname = current_database()";
    let (encrypted, plain): (i64, i64) =
        sqlx::query_as(count).fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    (encrypted.min(1), plain)
}
