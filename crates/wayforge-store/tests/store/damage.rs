//! What is damaged in the database is told by digest and never served.

use crate::bed::{Bed, act, both, first_move, key, who};
use wayforge::{Family, Seed};
use wayforge_store::{NewMap, Revision, StoreError};

both!(damaged_documents, damaged_progress, damaged_history, a_missing_document, generated_at_is_guarded_too);

fn is_damage<T>(answer: Result<T, StoreError>, named: &str) -> bool {
    matches!(answer, Err(StoreError::Damaged { digest, .. }) if digest == named)
}

async fn damaged_documents(bed: Bed) {
    let (store, key, ada) = (bed.open().await, key("one"), who("ada"));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    let digest = map.digest.to_string();
    for damage in [
        "UPDATE documents SET text = replace(text, '\"row\":3', '\"row\":4')",
        "UPDATE documents SET text = text || ' '",
        "UPDATE documents SET text = ''",
        "UPDATE documents SET seed = '2'",
        "UPDATE documents SET algorithm = 'act.rows/1'",
    ] {
        assert_eq!(bed.meddle(damage).await, 1);
        assert!(is_damage(store.get(&key).await, &digest), "{damage}");
        // A store that never saw the map does not play on it either.
        let other = bed.open().await;
        assert!(
            is_damage(other.advance(&key, map.revision, first_move(&map), &ada).await, &digest),
            "{damage}"
        );
        assert!(
            is_damage(other.restore(&key, Some(map.revision), Revision(1), &ada).await, &digest),
            "{damage}"
        );
        assert!(is_damage(other.export(map.key.guild.as_ref(), &mut Vec::new()).await, &digest), "{damage}");
        let told = other.get(&key).await.unwrap_err().to_string();
        assert_eq!(
            told,
            format!(
                "documents: the document of the map {digest} is damaged in the database; restore it from a backup"
            )
        );
        // Whoever brings the document again mends it.
        let elsewhere = crate::bed::key("two");
        let seen = other.get(&elsewhere).await.ok().flatten().map(|map| map.revision);
        store.create(&elsewhere, act(1), seen, &ada).await.ok();
        bed.meddle("DELETE FROM channels WHERE channel = 'two'").await;
        bed.meddle("DELETE FROM history WHERE channel = 'two'").await;
        assert_eq!(store.get(&key).await.unwrap().as_ref(), Some(&map), "{damage}");
    }
}

async fn damaged_progress(bed: Bed) {
    let (store, key, ada) = (bed.open().await, key("one"), who("ada"));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    let map = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
    let digest = map.digest.to_string();
    // Each of them could be a good row.
    for (damage, mend) in [
        (
            "progress = replace(progress, '\"fog\":null', '\"fog\":3')",
            "progress = replace(progress, '\"fog\":3', '\"fog\":null')",
        ),
        ("revision = 3", "revision = 2"),
        ("created = created - 1", "created = created + 1"),
    ] {
        assert_eq!(bed.meddle(&format!("UPDATE channels SET {damage}")).await, 1);
        let other = bed.open().await;
        assert!(is_damage(other.get(&key).await, &digest), "{damage}");
        assert!(is_damage(other.undo(&key, map.revision, &ada).await, &digest), "{damage}");
        assert!(is_damage(other.list(map.key.guild.as_ref(), None, 10).await, &digest), "{damage}");
        assert_eq!(bed.meddle(&format!("UPDATE channels SET {mend}")).await, 1);
        assert_eq!(other.get(&key).await.unwrap().as_ref(), Some(&map));
    }
    // The map of another channel in this one's place.
    store.create(&crate::bed::key("two"), act(2), None, &ada).await.unwrap();
    bed.meddle("UPDATE channels SET digest = (SELECT digest FROM channels WHERE channel = 'two') WHERE channel = 'one'").await;
    assert!(matches!(bed.open().await.get(&key).await, Err(StoreError::Damaged { .. })));
}

async fn damaged_history(bed: Bed) {
    let (store, key, ada) = (bed.open().await, key("one"), who("ada"));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    let map = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
    let digest = map.digest.to_string();
    assert_eq!(bed.meddle("UPDATE history SET actor = 'eve' WHERE revision = 2").await, 1);
    assert!(is_damage(store.history(&key, None, 10).await, &digest));
    assert!(is_damage(store.restore(&key, Some(map.revision), Revision(2), &ada).await, &digest));
    assert!(is_damage(store.export(map.key.guild.as_ref(), &mut Vec::new()).await, &digest));
    bed.meddle("DELETE FROM history WHERE revision = 2").await;
    assert!(is_damage(store.export(map.key.guild.as_ref(), &mut Vec::new()).await, &digest));
    // The map itself is as it was.
    assert_eq!(store.get(&key).await.unwrap(), Some(map));
}

async fn a_missing_document(bed: Bed) {
    let (store, key, ada) = (bed.open().await, key("one"), who("ada"));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    assert_eq!(bed.meddle("DELETE FROM documents").await, 1);
    let digest = map.digest.to_string();
    assert!(is_damage(store.get(&key).await, &digest));
    assert!(is_damage(store.list(map.key.guild.as_ref(), None, 10).await, &digest));
    assert!(is_damage(store.history(&key, None, 10).await, &digest));
    // It can still be deleted, and another one made.
    let gone = store.delete(&key, map.revision, &ada).await.unwrap();
    assert_eq!(gone, Revision(2));
    let again = store.create(&key, act(2), None, &ada).await.unwrap();
    assert_eq!(store.get(&key).await.unwrap(), Some(again));
}

/// When a floor was made is no part of its digest; it is no reason to serve damaged bytes.
async fn generated_at_is_guarded_too(bed: Bed) {
    let (store, key, ada) = (bed.open().await, key("one"), who("ada"));
    let new = NewMap::generate(Family::Floor, b"{}", Seed::new(1)).unwrap();
    let timed = new.document().to_text().replace("1970-01-01", "2026-11-16");
    assert_eq!(NewMap::read(timed.as_bytes()).unwrap(), new, "kept without a time");
    let map = store.create(&key, new, None, &ada).await.unwrap();
    assert_eq!(bed.meddle("UPDATE documents SET text = replace(text, '1970-01-01', '1970-01-02')").await, 1);
    assert!(is_damage(store.get(&key).await, &map.digest.to_string()));
}
