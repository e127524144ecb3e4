//! Opening a store: new databases, concurrent opens, newer schemas, invalid addresses.

use crate::cluster::both;
use crate::fixture::{Fixture, act, actor, key};
use wayforge_store::StoreError;

both!(opens_concurrently, rejects_newer_schema, opens_databases_without_sqlx_migrations);

async fn opens_concurrently(fixture: Fixture) {
    let address = &fixture.address;
    let starts: Vec<_> = (0..8)
        .map(|_| {
            let address = address.clone();
            tokio::spawn(async move { wayforge_store::open(&address).await })
        })
        .collect();
    for (seed, start) in (0..).zip(starts) {
        let store = start.await.unwrap().unwrap();
        store.ping().await.unwrap();
        store.create(&key(&seed.to_string()), act(seed), None, &actor("ada")).await.unwrap();
        store.close().await;
        assert!(store.ping().await.is_err());
    }
}

async fn rejects_newer_schema(fixture: Fixture) {
    fixture.open().await.close().await;
    let checksum = if fixture.address.starts_with("sqlite:") { "x'00'" } else { "'\\x00'" };
    let insert =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)";
    fixture.execute_sql(&format!("{insert} VALUES (99, 'later', true, {checksum}, 0)")).await;
    let error = wayforge_store::open(&fixture.address).await.err().unwrap();
    assert!(matches!(error, StoreError::Schema { found: 99, supported: 3 }), "{error}");
}

/// Early databases stored their version in `user_version` or in the table `wayforge_schema`.
async fn opens_databases_without_sqlx_migrations(fixture: Fixture) {
    let store = fixture.open().await;
    let map = store.create(&key("one"), act(1), None, &actor("ada")).await.unwrap();
    store.close().await;
    fixture
        .execute_sql(if fixture.address.starts_with("sqlite:") {
            "DROP TABLE _sqlx_migrations; ALTER TABLE history DROP COLUMN token;
            PRAGMA user_version = 2"
        } else {
            "DROP TABLE _sqlx_migrations; ALTER TABLE history DROP COLUMN token;
            CREATE TABLE wayforge_schema (version BIGINT NOT NULL);
            INSERT INTO wayforge_schema (version) VALUES (1), (2)"
        })
        .await;
    for _ in 0..2 {
        let store = fixture.open().await;
        assert_eq!(store.get(&map.key).await.unwrap().as_ref(), Some(&map));
        store.close().await;
    }
}

#[tokio::test]
async fn rejects_invalid_addresses_without_printing_passwords() {
    for address in [
        "",
        "maps.db",
        "sqlite:",
        "mysql://me:secret@host/maps",
        "postgres://me:secret@host:port/maps",
    ] {
        let error = wayforge_store::open(address).await.err().unwrap().to_string();
        assert!(error.starts_with("database = ") && !error.contains("secret"), "{error}");
    }
    let error = wayforge_store::open("sqlite:/no/such/folder/maps.db").await.err().unwrap();
    assert!(matches!(error, StoreError::Database(_)), "{error}");
}

#[tokio::test]
async fn does_not_modify_files_of_other_programs() {
    let fixture = Fixture::sqlite().await;
    let (path, text) = (
        fixture.address.strip_prefix("sqlite:").unwrap(),
        "not a database, but a text file of some length",
    );
    std::fs::write(path, text).unwrap();
    assert!(matches!(wayforge_store::open(&fixture.address).await, Err(StoreError::Database(_))));
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
    // A database of another program.
    let fixture = Fixture::sqlite().await;
    std::fs::write(fixture.address.strip_prefix("sqlite:").unwrap(), "").unwrap();
    fixture.execute_sql("CREATE TABLE recipes (name TEXT)").await;
    let error = wayforge_store::open(&fixture.address).await.err().unwrap().to_string();
    assert!(error.contains("a database of another program"), "{error}");
    assert_eq!(fixture.execute_sql("INSERT INTO recipes VALUES ('bread')").await, 1);
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_a_new_database() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let store = wayforge_store::open(&crate::cluster::file_address(folder.path())).await.unwrap();
    store.create(&key("one"), act(1), None, &actor("ada")).await.unwrap();
    let mut files = 0;
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{:?}", file.path());
        files += 1;
    }
    assert!(files >= 2, "the database and its write-ahead log");
    store.close().await;
}

#[tokio::test]
async fn names_the_reason_if_postgres_is_unreachable() {
    // Nothing listens on a port that was just released.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let opened = wayforge_store::open(&format!("postgres://me:secret@127.0.0.1:{port}/maps")).await;
    let error = opened.err().unwrap().to_string();
    assert!(error.contains(&format!("127.0.0.1:{port}")) && error.contains("os error"), "{error}");
    assert!(!error.contains("secret"), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_deleted_or_replaced_file_acknowledges_nothing() {
    for is_replaced in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let address = crate::cluster::file_address(folder.path());
        let store = wayforge_store::open(&address).await.unwrap();
        store.check_writable().await.unwrap();
        let file = address.strip_prefix("sqlite:").unwrap();
        std::fs::rename(file, folder.path().join("moved")).unwrap();
        if is_replaced {
            std::fs::write(file, "").unwrap();
        }
        let created = store.create(&key("one"), act(1), None, &actor("ada")).await;
        let message = created.unwrap_err().to_string();
        assert!(message.contains("deleted or replaced"), "{message}");
        assert!(store.check_writable().await.is_err());
    }
}
