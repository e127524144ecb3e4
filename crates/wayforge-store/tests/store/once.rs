//! What may happen once only.

use crate::bed::{Bed, act, both, key, who};
use std::time::Duration;

both!(
    one_of_many_is_first_whichever_server_asks,
    what_is_over_is_forgotten,
    a_database_of_the_first_version_gets_the_table
);

const LONG: Duration = Duration::from_secs(600);

async fn one_of_many_is_first_whichever_server_asks(bed: Bed) {
    let stores = [bed.open().await, bed.open().await];
    for name in ["discord:1", "discord:2", "x"] {
        let asked: Vec<_> = (0..24)
            .map(|n| {
                let store = std::sync::Arc::clone(&stores[n % 2]);
                tokio::spawn(async move { store.once(name, LONG).await.unwrap() })
            })
            .collect();
        let mut first = 0;
        for asked in asked {
            first += u32::from(asked.await.unwrap());
        }
        assert_eq!(first, 1, "{name}");
        assert!(!stores[1].once(name, LONG).await.unwrap());
    }
    for name in ["", &"x".repeat(129), "nul\0"] {
        let refused = stores[0].once(name, LONG).await.unwrap_err().to_string();
        assert!(refused.starts_with("name = "), "{refused}");
    }
    for store in stores {
        store.close().await;
        assert!(store.once("discord:3", LONG).await.is_err());
    }
    assert!(!bed.open().await.once("discord:1", LONG).await.unwrap(), "on disk");
}

async fn what_is_over_is_forgotten(bed: Bed) {
    let store = bed.open().await;
    assert!(store.once("again", Duration::ZERO).await.unwrap());
    assert!(store.once("again", LONG).await.unwrap(), "its time was over");
    assert!(!store.once("again", LONG).await.unwrap());
    for n in 0..300 {
        assert!(store.once(&format!("discord:{n}"), Duration::ZERO).await.unwrap());
    }
    store.close().await;
    assert!(bed.meddle("DELETE FROM once").await <= 3, "the others were forgotten on the way");
}

async fn a_database_of_the_first_version_gets_the_table(bed: Bed) {
    let store = bed.open().await;
    store.create(&key("general"), act(1), None, &who("ada")).await.unwrap();
    store.close().await;
    bed.meddle("DROP TABLE once; DELETE FROM _sqlx_migrations WHERE version = 2").await;
    let store = bed.open().await;
    assert!(store.once("discord:1", LONG).await.unwrap());
    assert_eq!(store.get(&key("general")).await.unwrap().unwrap().revision.0, 1, "what was there stays");
}
