//! Opening: new files, many at once, later versions, wrong addresses.

use crate::bed::{Bed, act, both, key, who};
use wayforge_store::StoreError;

both!(many_start_at_once, a_later_schema_is_rejected, databases_without_sqlx_migrations_open);

async fn many_start_at_once(bed: Bed) {
    let address = &bed.address;
    let starts: Vec<_> = (0..8)
        .map(|_| {
            let address = address.clone();
            tokio::spawn(async move { wayforge_store::open(&address).await })
        })
        .collect();
    for (seed, start) in (0..).zip(starts) {
        let store = start.await.unwrap().unwrap();
        store.ping().await.unwrap();
        store.create(&key(&seed.to_string()), act(seed), None, &who("ada")).await.unwrap();
        store.close().await;
        assert!(store.ping().await.is_err());
    }
}

async fn a_later_schema_is_rejected(bed: Bed) {
    bed.open().await.close().await;
    let checksum = if bed.address.starts_with("sqlite:") { "x'00'" } else { "'\\x00'" };
    let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)";
    bed.meddle(&format!("{later} VALUES (99, 'later', true, {checksum}, 0)")).await;
    let rejected = wayforge_store::open(&bed.address).await.err().unwrap();
    assert!(matches!(rejected, StoreError::Schema { found: 99, known: 2 }), "{rejected}");
}

/// The first stores counted their versions in `user_version` and `wayforge_schema`.
async fn databases_without_sqlx_migrations_open(bed: Bed) {
    let store = bed.open().await;
    let map = store.create(&key("one"), act(1), None, &who("ada")).await.unwrap();
    store.close().await;
    bed.meddle(match bed.address.starts_with("sqlite:") {
        true => "DROP TABLE _sqlx_migrations; PRAGMA user_version = 2",
        false => {
            "DROP TABLE _sqlx_migrations; CREATE TABLE wayforge_schema (version BIGINT NOT NULL);
            INSERT INTO wayforge_schema (version) VALUES (1), (2)"
        }
    })
    .await;
    for _ in 0..2 {
        let store = bed.open().await;
        assert_eq!(store.get(&map.key).await.unwrap().as_ref(), Some(&map));
        store.close().await;
    }
}

#[tokio::test]
async fn wrong_addresses_are_refused_without_their_passwords() {
    for address in
        ["", "maps.db", "sqlite:", "mysql://me:secret@host/maps", "postgres://me:secret@host:port/maps"]
    {
        let refused = wayforge_store::open(address).await.err().unwrap().to_string();
        assert!(refused.starts_with("database = ") && !refused.contains("secret"), "{refused}");
    }
    let refused = wayforge_store::open("sqlite:/no/such/folder/maps.db").await.err().unwrap();
    assert!(matches!(refused, StoreError::Database(_)), "{refused}");
}

#[tokio::test]
async fn other_databases_are_left_alone() {
    let bed = Bed::sqlite().await;
    let (path, text) =
        (bed.address.strip_prefix("sqlite:").unwrap(), "not a database, but a text of some length");
    std::fs::write(path, text).unwrap();
    assert!(matches!(wayforge_store::open(&bed.address).await, Err(StoreError::Database(_))));
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
    // A database of another program.
    let bed = Bed::sqlite().await;
    std::fs::write(bed.address.strip_prefix("sqlite:").unwrap(), "").unwrap();
    bed.meddle("CREATE TABLE recipes (name TEXT)").await;
    let rejected = wayforge_store::open(&bed.address).await.err().unwrap().to_string();
    assert!(rejected.contains("a database of something else"), "{rejected}");
    assert_eq!(bed.meddle("INSERT INTO recipes VALUES ('bread')").await, 1);
}
