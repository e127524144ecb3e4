//! Each operation by itself: what it changes, and what it refuses.

use crate::bed::{Bed, act, both, first_move, key, who};
use wayforge::act::Fog;
use wayforge::{Family, Run, Seed};
use wayforge_store::{ChannelKey, NewMap, Revision, StoreError};

both!(
    a_map_is_created_once,
    a_map_is_played_to_its_end,
    every_family_is_kept,
    text_of_seeds_is_stored,
    reset_and_reseed,
    deletion_and_creation_count_on,
    guilds_and_direct_messages_are_apart,
    lists_go_by_pages,
    large_documents_are_whole,
);

async fn a_map_is_created_once(bed: Bed) {
    let (store, key) = (bed.open().await, key("one"));
    assert_eq!(store.get(&key).await.unwrap(), None);
    let made = store.create(&key, act(1), None, &who("ada")).await.unwrap();
    assert_eq!((made.revision, made.seed.clone(), made.family), (Revision(1), Seed::new(1), Family::Act));
    assert_eq!(made.document.as_ref(), act(1).document().to_text());
    assert_eq!(made.config().unwrap(), act(1).document().config);
    assert_eq!(store.get(&key).await.unwrap().as_ref(), Some(&made));
    // There is one: it is not replaced unasked.
    let refused = store.create(&key, act(2), None, &who("bob")).await;
    assert!(matches!(refused, Err(StoreError::Conflict { current }) if *current == made));
    let refused = store.create(&key, act(2), Some(Revision(7)), &who("bob")).await;
    assert!(matches!(refused, Err(StoreError::Conflict { current }) if *current == made));
    let replaced = store.create(&key, act(2), Some(Revision(1)), &who("bob")).await.unwrap();
    assert_eq!((replaced.revision, replaced.seed.clone()), (Revision(2), Seed::new(2)));
    assert_eq!(store.get(&key).await.unwrap(), Some(replaced));
    // Nothing there to be replaced.
    let refused = store.create(&crate::bed::key("two"), act(2), Some(Revision(1)), &who("bob")).await;
    assert!(matches!(refused, Err(StoreError::Absent { .. })));
    // All of it is there for who comes later.
    store.close().await;
    assert!(matches!(store.create(&key, act(2), None, &who("bob")).await, Err(StoreError::Closed)));
    assert_eq!(bed.open().await.get(&key).await.unwrap().unwrap().seed, Seed::new(2));
}

async fn a_map_is_played_to_its_end(bed: Bed) {
    let (store, key, ada) = (bed.open().await, key("one"), who("ada"));
    let mut map = store.create(&key, act(1).with_fog(Fog::Rows(2)), None, &ada).await.unwrap();
    let refused = store.undo(&key, map.revision, &ada).await;
    assert!(matches!(refused, Err(StoreError::AtStart { .. })));
    let boss = "boss".parse().unwrap();
    let refused = store.advance(&key, map.revision, boss, &ada).await.unwrap_err().to_string();
    assert!(refused.starts_with("Boss is not a legal move from below row 0; legal: Node "), "{refused}");
    let refused = store.advance(&key, map.revision, "north".parse().unwrap(), &ada).await.unwrap_err();
    assert!(refused.to_string().starts_with("north is no move on this map"), "{refused}");
    let mut steps = 0;
    while !map.run().unwrap().is_finished() {
        let before = map.clone();
        map = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
        steps += 1;
        assert_eq!((map.revision.0, &map.document), (before.revision.0 + 1, &before.document));
        assert_eq!((map.created, map.updated >= before.updated), (before.created, true));
        assert_eq!(map.run().unwrap(), before.run().unwrap().advance(first_move(&before)).unwrap());
        assert_eq!(store.get(&key).await.unwrap().as_ref(), Some(&map));
    }
    assert_eq!(steps, 16);
    let Run::Act(play) = map.run().unwrap() else { panic!() };
    assert_eq!(play.progress().fog(), Fog::Rows(2));
    let back = store.undo(&key, map.revision, &ada).await.unwrap();
    assert_eq!(Some(back.run().unwrap()), map.run().unwrap().undo());
}

async fn every_family_is_kept(bed: Bed) {
    let (store, ada) = (bed.open().await, who("ada"));
    for family in Family::ALL {
        let key = key(family.name());
        let new = NewMap::generate(family, b"{}", Seed::new(5)).unwrap();
        let map = store.create(&key, new, None, &ada).await.unwrap();
        assert_eq!(map.family, family);
        let map = store.get(&key).await.unwrap().unwrap();
        if family == Family::Level {
            assert_eq!(map.progress, None);
            let refused =
                store.advance(&key, map.revision, "north".parse().unwrap(), &ada).await.unwrap_err();
            assert_eq!(refused.to_string(), "a level has no progress; play an act map, a floor or a tower");
            let refused = store.undo(&key, map.revision, &ada).await.unwrap_err();
            assert!(refused.to_string().starts_with("a level has no progress"), "{refused}");
            let reset = store.reset(&key, map.revision, &ada).await.unwrap();
            assert_eq!((reset.revision, reset.progress), (Revision(2), None));
            continue;
        }
        let mut at = map.clone();
        for _ in 0..3 {
            at = store.advance(&key, at.revision, first_move(&at), &ada).await.unwrap();
        }
        assert_ne!(at.progress, map.progress);
        for _ in 0..3 {
            at = store.undo(&key, at.revision, &ada).await.unwrap();
        }
        assert_eq!((&at.progress, at.revision), (&map.progress, Revision(7)));
    }
}

async fn text_of_seeds_is_stored(bed: Bed) {
    let store = bed.open().await;
    for (n, text) in ["first light", "007", "", "\u{1}\t\n\"'\\ äöü \u{1f680}"].into_iter().enumerate() {
        let (key, seed) = (key(&format!("seed-{n}")), Seed::from_text(text));
        let map = NewMap::generate(Family::Act, b"{}", seed.clone()).unwrap();
        let made = store.create(&key, map, None, &who("ada")).await.unwrap();
        assert_eq!((&made.seed, made.seed.to_string().as_str()), (&seed, text));
        let other = Seed::from_text("07");
        let reseeded = store.reseed(&key, made.revision, other.clone(), &who("ada")).await.unwrap();
        assert_eq!(reseeded.seed, other);
        let restored =
            store.restore(&key, Some(reseeded.revision), made.revision, &who("ada")).await.unwrap();
        assert_eq!((&restored.seed, &restored.document), (&seed, &made.document));
    }
    store.close().await;
    let store = bed.open().await;
    let map = store.get(&key("seed-3")).await.unwrap().unwrap();
    assert_eq!(map.seed.to_string(), "\u{1}\t\n\"'\\ äöü \u{1f680}");
    assert_eq!(map.decode().unwrap().seed, map.seed);
}

async fn reset_and_reseed(bed: Bed) {
    let (store, key, ada) = (bed.open().await, key("one"), who("ada"));
    let map = store.create(&key, act(1).with_fog(Fog::Rows(3)), None, &ada).await.unwrap();
    let moved = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
    let reset = store.reset(&key, moved.revision, &ada).await.unwrap();
    assert_eq!((reset.revision, &reset.seed, &reset.progress), (Revision(3), &Seed::new(1), &map.progress));
    assert_eq!(reset.created, map.created);
    let reseeded = store.reseed(&key, reset.revision, Seed::new(u64::MAX), &ada).await.unwrap();
    assert_eq!(reseeded.document.as_ref(), act(u64::MAX).document().to_text());
    let Run::Act(play) = reseeded.run().unwrap() else { panic!() };
    assert_eq!((play.progress().fog(), play.current()), (Fog::Rows(3), None));
    assert_eq!(store.get(&key).await.unwrap(), Some(reseeded));
    let stale = store.reseed(&key, reset.revision, Seed::new(3), &ada).await;
    assert!(matches!(stale, Err(StoreError::Conflict { current }) if current.seed == Seed::new(u64::MAX)));
}

async fn deletion_and_creation_count_on(bed: Bed) {
    let (store, key, ada) = (bed.open().await, key("one"), who("ada"));
    assert!(matches!(store.delete(&key, Revision(1), &ada).await, Err(StoreError::Absent { .. })));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    assert!(matches!(store.delete(&key, Revision(9), &ada).await, Err(StoreError::Conflict { .. })));
    assert_eq!(store.delete(&key, map.revision, &ada).await.unwrap(), Revision(2));
    assert_eq!(store.get(&key).await.unwrap(), None);
    for refused in [store.reset(&key, Revision(2), &ada).await, store.undo(&key, Revision(1), &ada).await] {
        assert!(matches!(refused, Err(StoreError::Absent { .. })));
    }
    let again = store.create(&key, act(1), None, &ada).await.unwrap();
    assert_eq!(again.revision, Revision(3));
    assert_eq!(store.get(&key).await.unwrap(), Some(again));
}

async fn guilds_and_direct_messages_are_apart(bed: Bed) {
    let (store, ada) = (bed.open().await, who("ada"));
    let keys = [Some("a"), Some("b"), None].map(|guild| ChannelKey::new(guild, "one").unwrap());
    for (seed, key) in (1..).zip(&keys) {
        store.create(key, act(seed), None, &ada).await.unwrap();
    }
    for (seed, key) in (1..).zip(&keys) {
        assert_eq!(store.get(key).await.unwrap().unwrap().seed, Seed::new(seed));
        let page = store.list(key.guild.as_ref(), None, 10).await.unwrap();
        assert_eq!((page.items.len(), page.items[0].seed.clone(), page.next), (1, Seed::new(seed), None));
        assert_eq!(page.items[0].key, *key);
    }
}

async fn lists_go_by_pages(bed: Bed) {
    let (store, ada) = (bed.open().await, who("ada"));
    // Ids are ordered by their bytes on both.
    let mut names = ["B", "a", "_", "-", "10", "9", "Z", "b", "ab", "A"];
    for name in names {
        store.create(&key(name), act(1), None, &ada).await.unwrap();
    }
    store.delete(&key("b"), Revision(1), &ada).await.unwrap();
    names.sort_unstable();
    let guild = "guild".parse().unwrap();
    for limit in [1, 3, 9, 10] {
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = store.list(Some(&guild), after.as_ref(), limit).await.unwrap();
            assert!(page.items.len() <= limit as usize);
            seen.extend(page.items.into_iter().map(|map| map.key.channel.to_string()));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen, names.into_iter().filter(|name| *name != "b").collect::<Vec<_>>(), "limit {limit}");
    }
    for limit in [0, 1001] {
        let refused = store.list(Some(&guild), None, limit).await.unwrap_err().to_string();
        assert_eq!(refused, format!("limit = {limit}: out of range; use 1 to 1000"));
    }
}

async fn large_documents_are_whole(bed: Bed) {
    let (store, key, ada) = (bed.open().await, key("large"), who("ada"));
    let new = NewMap::generate(Family::Tower, br#"{"floors": 1000}"#, Seed::new(1)).unwrap();
    let text = new.document().to_text();
    assert!(text.len() > 1_000_000, "{}", text.len());
    let map = store.create(&key, new, None, &ada).await.unwrap();
    let moved = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
    assert_eq!(store.get(&key).await.unwrap().as_ref(), Some(&moved));
    assert_eq!(moved.document.as_ref(), text);
}
