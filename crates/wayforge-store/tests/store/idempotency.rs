//! Idempotency keys: one claim succeeds across all servers.

use crate::cluster::both;
use crate::fixture::{Fixture, act, actor, key};
use std::time::Duration;

both!(
    one_of_many_concurrent_claims_succeeds,
    expired_keys_are_deleted,
    migrates_a_database_of_schema_version_1
);

const LONG: Duration = Duration::from_secs(600);

async fn one_of_many_concurrent_claims_succeeds(fixture: Fixture) {
    let stores = [fixture.open().await, fixture.open().await];
    for name in ["discord:1", "discord:2", "x"] {
        let claims: Vec<_> = (0..24)
            .map(|n| {
                let store = std::sync::Arc::clone(&stores[n % 2]);
                tokio::spawn(async move { store.claim_idempotency_key(name, LONG).await.unwrap() })
            })
            .collect();
        let mut successes = 0;
        for claim in claims {
            successes += u32::from(claim.await.unwrap());
        }
        assert_eq!(successes, 1, "{name}");
        assert!(!stores[1].claim_idempotency_key(name, LONG).await.unwrap());
    }
    for name in ["", &"x".repeat(129), "nul\0"] {
        let error = stores[0].claim_idempotency_key(name, LONG).await.unwrap_err().to_string();
        assert!(error.starts_with("key = "), "{error}");
    }
    for store in stores {
        store.close().await;
        assert!(store.claim_idempotency_key("discord:3", LONG).await.is_err());
    }
    assert!(
        !fixture.open().await.claim_idempotency_key("discord:1", LONG).await.unwrap(),
        "claims are stored on disk"
    );
}

async fn expired_keys_are_deleted(fixture: Fixture) {
    let store = fixture.open().await;
    assert!(store.claim_idempotency_key("again", Duration::ZERO).await.unwrap());
    assert!(store.claim_idempotency_key("again", LONG).await.unwrap(), "the key had expired");
    assert!(!store.claim_idempotency_key("again", LONG).await.unwrap());
    for n in 0..300 {
        assert!(
            store.claim_idempotency_key(&format!("discord:{n}"), Duration::ZERO).await.unwrap()
        );
    }
    store.close().await;
    assert!(
        fixture.execute_sql("DELETE FROM idempotency_keys").await <= 3,
        "expired keys were deleted by later claims"
    );
}

async fn migrates_a_database_of_schema_version_1(fixture: Fixture) {
    let store = fixture.open().await;
    store.create(&key("general"), act(1), None, &actor("ada")).await.unwrap();
    store.close().await;
    fixture
        .execute_sql("DROP TABLE idempotency_keys; DELETE FROM _sqlx_migrations WHERE version = 2")
        .await;
    let store = fixture.open().await;
    assert!(store.claim_idempotency_key("discord:1", LONG).await.unwrap());
    assert_eq!(
        store.get(&key("general")).await.unwrap().unwrap().revision.0,
        1,
        "existing maps are kept"
    );
}
