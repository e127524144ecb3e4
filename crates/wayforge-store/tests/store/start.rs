//! Opening: new files, many at once, later versions, wrong addresses.

use crate::bed::{Bed, act, both, key, who};
use wayforge_store::StoreError;

both!(many_start_at_once, a_later_schema_is_refused);

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

async fn a_later_schema_is_refused(bed: Bed) {
    bed.open().await.close().await;
    let later = match bed.address.starts_with("sqlite:") {
        true => "PRAGMA user_version = 99",
        false => "INSERT INTO wayforge_schema (version) VALUES (99)",
    };
    bed.meddle(later).await;
    let refused = wayforge_store::open(&bed.address).await.err().unwrap();
    assert!(matches!(refused, StoreError::Schema { found: 99, .. }), "{refused}");
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
}
