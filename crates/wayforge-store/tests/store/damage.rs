//! Damaged rows are reported with the digest of the map and never served.

use crate::cluster::both;
use crate::fixture::{Fixture, act, actor, first_move, key};
use wayforge::{Family, Seed};
use wayforge_store::{NewMap, Revision, StoreError};

both!(
    damaged_origins_and_missing_entries_are_reported,
    detects_damaged_documents,
    detects_damaged_progress,
    detects_damaged_history,
    detects_missing_documents,
    checksum_covers_the_generation_time
);

fn is_damage<T>(result: Result<T, StoreError>, expected: &str) -> bool {
    match result {
        Err(StoreError::Damaged { digest: Some(digest), .. }) => digest.to_string() == expected,
        _ => false,
    }
}

async fn detects_damaged_documents(fixture: Fixture) {
    let (store, key, ada) = (fixture.open().await, key("one"), actor("ada"));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    let digest = map.digest.to_string();
    for damage in [
        "UPDATE documents SET text = replace(text, '\"row\":3', '\"row\":4')",
        "UPDATE documents SET text = text || ' '",
        "UPDATE documents SET text = ''",
        "UPDATE documents SET seed = '2'",
        "UPDATE documents SET algorithm = 'act.rows/1'",
    ] {
        assert_eq!(fixture.execute_sql(damage).await, 1);
        assert!(is_damage(store.get(&key).await, &digest), "{damage}");
        // A store that has not cached the map does not change it either.
        let other = fixture.open().await;
        assert!(
            is_damage(other.advance(&key, map.revision, first_move(&map), &ada).await, &digest),
            "{damage}"
        );
        assert!(
            is_damage(other.restore(&key, Some(map.revision), Revision(1), &ada).await, &digest),
            "{damage}"
        );
        assert!(
            is_damage(other.export(map.key.guild.as_ref(), &mut Vec::new()).await, &digest),
            "{damage}"
        );
        let message = other.get(&key).await.unwrap_err().to_string();
        assert_eq!(
            message,
            format!(
                "documents: the document of the map {digest} is damaged in the database; restore \
                 it from a backup"
            )
        );
        // Storing the same document again repairs it.
        let other_key = crate::fixture::key("two");
        let expected_revision = other.get(&other_key).await.ok().flatten().map(|map| map.revision);
        store.create(&other_key, act(1), expected_revision, &ada).await.ok();
        fixture.execute_sql("DELETE FROM channels WHERE channel = 'two'").await;
        fixture.execute_sql("DELETE FROM history WHERE channel = 'two'").await;
        assert_eq!(store.get(&key).await.unwrap().as_ref(), Some(&map), "{damage}");
    }
}

async fn detects_damaged_progress(fixture: Fixture) {
    let (store, key, ada) = (fixture.open().await, key("one"), actor("ada"));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    let map = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
    let digest = map.digest.to_string();
    // Each damaged row would be valid apart from its checksum.
    for (damage, repair) in [
        (
            "progress = replace(progress, '\"fog\":null', '\"fog\":3')",
            "progress = replace(progress, '\"fog\":3', '\"fog\":null')",
        ),
        ("revision = 3", "revision = 2"),
        ("created = created - 1", "created = created + 1"),
    ] {
        assert_eq!(fixture.execute_sql(&format!("UPDATE channels SET {damage}")).await, 1);
        let other = fixture.open().await;
        assert!(is_damage(other.get(&key).await, &digest), "{damage}");
        assert!(is_damage(other.undo(&key, map.revision, &ada).await, &digest), "{damage}");
        assert!(is_damage(other.list(map.key.guild.as_ref(), None, 10).await, &digest), "{damage}");
        assert_eq!(fixture.execute_sql(&format!("UPDATE channels SET {repair}")).await, 1);
        assert_eq!(other.get(&key).await.unwrap().as_ref(), Some(&map));
    }
    // The digest of another channel's map.
    store.create(&crate::fixture::key("two"), act(2), None, &ada).await.unwrap();
    fixture
        .execute_sql(
            "UPDATE channels SET digest = (SELECT digest FROM channels WHERE channel = \
                         'two') WHERE channel = 'one'",
        )
        .await;
    assert!(matches!(fixture.open().await.get(&key).await, Err(StoreError::Damaged { .. })));
}

async fn detects_damaged_history(fixture: Fixture) {
    let (store, key, ada) = (fixture.open().await, key("one"), actor("ada"));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    let map = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
    let digest = map.digest.to_string();
    assert_eq!(fixture.execute_sql("UPDATE history SET actor = 'eve' WHERE revision = 2").await, 1);
    assert!(is_damage(store.history(&key, None, 10).await, &digest));
    assert!(is_damage(store.restore(&key, Some(map.revision), Revision(2), &ada).await, &digest));
    assert!(is_damage(store.export(map.key.guild.as_ref(), &mut Vec::new()).await, &digest));
    fixture.execute_sql("DELETE FROM history WHERE revision = 2").await;
    assert!(is_damage(store.export(map.key.guild.as_ref(), &mut Vec::new()).await, &digest));
    // The map itself is intact.
    assert_eq!(store.get(&key).await.unwrap(), Some(map));
}

async fn detects_missing_documents(fixture: Fixture) {
    let (store, key, ada) = (fixture.open().await, key("one"), actor("ada"));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    assert_eq!(fixture.execute_sql("DELETE FROM documents").await, 1);
    let digest = map.digest.to_string();
    assert!(is_damage(store.get(&key).await, &digest));
    assert!(is_damage(store.list(map.key.guild.as_ref(), None, 10).await, &digest));
    assert!(is_damage(store.history(&key, None, 10).await, &digest));
    // The map can still be deleted and replaced.
    let deletion = store.delete(&key, map.revision, &ada).await.unwrap();
    assert_eq!(deletion, Revision(2));
    let recreated = store.create(&key, act(2), None, &ada).await.unwrap();
    assert_eq!(store.get(&key).await.unwrap(), Some(recreated));
}

/// The generation time of a floor is not part of its digest, but it is protected by the checksum.
async fn checksum_covers_the_generation_time(fixture: Fixture) {
    let (store, key, ada) = (fixture.open().await, key("one"), actor("ada"));
    let new = NewMap::generate(Family::Floor, b"{}", Seed::new(1)).unwrap();
    let timed = new.document().to_text().replace("1970-01-01", "2026-11-16");
    assert_eq!(NewMap::parse(timed.as_bytes()).unwrap(), new, "the generation time is not stored");
    let map = store.create(&key, new, None, &ada).await.unwrap();
    assert_eq!(
        fixture
            .execute_sql("UPDATE documents SET text = replace(text, '1970-01-01', '1970-01-02')")
            .await,
        1
    );
    assert!(is_damage(store.get(&key).await, &map.digest.to_string()));
}

/// The columns of documents that lists and histories show, and the number of entries.
async fn damaged_origins_and_missing_entries_are_reported(fixture: Fixture) {
    let store = fixture.open().await;
    let mut map = store.create(&key("one"), act(4), None, &actor("ada")).await.unwrap();
    for _ in 0..3 {
        map = store
            .advance(&key("one"), map.revision, first_move(&map), &actor("ada"))
            .await
            .unwrap();
    }
    store.close().await;
    let guild: wayforge_store::Id = "guild".parse().unwrap();
    let is_reported = async || {
        let store = fixture.open().await;
        let history = store.history(&key("one"), None, 10).await;
        let earlier = store.history(&key("one"), Some(Revision(4)), 10).await;
        let page = store.history(&key("one"), None, 2).await;
        let list = store.list(Some(&guild), None, 10).await;
        let first = store.map_at(&key("one"), Revision(2)).await;
        store.close().await;
        [
            matches!(history, Err(StoreError::Damaged { .. })),
            matches!(earlier, Err(StoreError::Damaged { .. })),
            matches!(page, Err(StoreError::Damaged { .. })),
            matches!(list, Err(StoreError::Damaged { .. })),
            matches!(first, Err(StoreError::Damaged { .. })),
        ]
    };
    assert_eq!(is_reported().await, [false; 5]);
    for (damage, repair, reports) in [
        ("UPDATE documents SET seed = '2'", "UPDATE documents SET seed = '4'", [true; 5]),
        (
            "UPDATE history SET revision = 9 WHERE revision = 4",
            "UPDATE history SET revision = 4 WHERE revision = 9",
            [true, false, true, false, false],
        ),
        (
            "UPDATE history SET channel = 'lost' WHERE revision = 4",
            "UPDATE history SET channel = 'one' WHERE revision = 4",
            // The channel `lost` has a history but no row.
            [true, false, true, true, false],
        ),
        (
            "UPDATE history SET channel = 'lost' WHERE revision = 2",
            "UPDATE history SET channel = 'one' WHERE revision = 2",
            [true, true, true, true, true],
        ),
        (
            "UPDATE history SET channel = 'lost' WHERE revision = 1",
            "UPDATE history SET channel = 'one' WHERE revision = 1",
            [true, true, false, true, true],
        ),
    ] {
        assert_eq!(fixture.execute_sql(damage).await, 1, "{damage}");
        assert_eq!(is_reported().await, reports, "{damage}");
        fixture.execute_sql(repair).await;
    }
}
