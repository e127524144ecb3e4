//! Effects and errors of each operation.

use crate::cluster::both;
use crate::fixture::{Fixture, act, actor, first_move, key};
use wayforge::act::Fog;
use wayforge::{Family, Run, Seed};
use wayforge_store::{ChannelKey, NewMap, Revision, StoreError};

both!(
    creates_a_map_only_in_an_empty_channel,
    plays_a_map_to_its_end,
    stores_maps_of_every_family,
    stores_the_text_of_seeds,
    resets_and_reseeds,
    revisions_continue_after_deletion,
    guilds_and_direct_messages_are_separate,
    lists_maps_in_pages,
    stores_large_documents_completely,
);

async fn creates_a_map_only_in_an_empty_channel(fixture: Fixture) {
    let (store, key) = (fixture.open().await, key("one"));
    assert_eq!(store.get(&key).await.unwrap(), None);
    let created = store.create(&key, act(1), None, &actor("ada")).await.unwrap();
    assert_eq!(
        (created.revision, created.seed.clone(), created.family),
        (Revision(1), Seed::new(1), Family::Act)
    );
    assert_eq!(created.document.as_ref(), act(1).document().to_text());
    assert_eq!(created.config().unwrap(), act(1).document().config);
    assert_eq!(store.get(&key).await.unwrap().as_ref(), Some(&created));
    // An existing map is not replaced without its revision.
    let result = store.create(&key, act(2), None, &actor("bob")).await;
    assert!(matches!(result, Err(StoreError::Conflict { current }) if *current == created));
    let result = store.create(&key, act(2), Some(Revision(7)), &actor("bob")).await;
    assert!(matches!(result, Err(StoreError::Conflict { current }) if *current == created));
    let replaced = store.create(&key, act(2), Some(Revision(1)), &actor("bob")).await.unwrap();
    assert_eq!((replaced.revision, replaced.seed.clone()), (Revision(2), Seed::new(2)));
    assert_eq!(store.get(&key).await.unwrap(), Some(replaced));
    // There is no map to replace.
    let result =
        store.create(&crate::fixture::key("two"), act(2), Some(Revision(1)), &actor("bob")).await;
    assert!(matches!(result, Err(StoreError::NoMap { .. })));
    // A closed store rejects changes; the data is stored.
    store.close().await;
    assert!(matches!(
        store.create(&key, act(2), None, &actor("bob")).await,
        Err(StoreError::Closed)
    ));
    assert_eq!(fixture.open().await.get(&key).await.unwrap().unwrap().seed, Seed::new(2));
}

async fn plays_a_map_to_its_end(fixture: Fixture) {
    let (store, key, ada) = (fixture.open().await, key("one"), actor("ada"));
    let mut map = store.create(&key, act(1).with_fog(Fog::Rows(2)), None, &ada).await.unwrap();
    let result = store.undo(&key, map.revision, &ada).await;
    assert!(matches!(result, Err(StoreError::NothingToUndo { .. })));
    let boss = "boss".parse().unwrap();
    let error = store.advance(&key, map.revision, boss, &ada).await.unwrap_err().to_string();
    assert!(
        error.starts_with("Boss is not a legal move from below row 0; legal: Node "),
        "{error}"
    );
    let error =
        store.advance(&key, map.revision, "north".parse().unwrap(), &ada).await.unwrap_err();
    assert!(error.to_string().starts_with("north is not a move on this map"), "{error}");
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

async fn stores_maps_of_every_family(fixture: Fixture) {
    let (store, ada) = (fixture.open().await, actor("ada"));
    for family in Family::ALL {
        let key = key(family.name());
        let new = NewMap::generate(family, b"{}", Seed::new(5)).unwrap();
        let map = store.create(&key, new, None, &ada).await.unwrap();
        assert_eq!(map.family, family);
        let map = store.get(&key).await.unwrap().unwrap();
        if family == Family::Level {
            assert_eq!(map.progress, None);
            let error = store
                .advance(&key, map.revision, "north".parse().unwrap(), &ada)
                .await
                .unwrap_err();
            assert_eq!(
                error.to_string(),
                "a level cannot be played; use an act map, a floor or a tower"
            );
            let error = store.undo(&key, map.revision, &ada).await.unwrap_err();
            assert!(error.to_string().starts_with("a level cannot be played"), "{error}");
            let reset = store.reset(&key, map.revision, &ada).await.unwrap();
            assert_eq!((reset.revision, reset.progress), (Revision(2), None));
            continue;
        }
        let mut current = map.clone();
        for _ in 0..3 {
            current =
                store.advance(&key, current.revision, first_move(&current), &ada).await.unwrap();
        }
        assert_ne!(current.progress, map.progress);
        for _ in 0..3 {
            current = store.undo(&key, current.revision, &ada).await.unwrap();
        }
        assert_eq!((&current.progress, current.revision), (&map.progress, Revision(7)));
    }
}

async fn stores_the_text_of_seeds(fixture: Fixture) {
    let store = fixture.open().await;
    for (n, text) in
        ["first light", "007", "", "\u{1}\t\n\"'\\ äöü \u{1f680}"].into_iter().enumerate()
    {
        let (key, seed) = (key(&format!("seed-{n}")), Seed::from_text(text));
        let map = NewMap::generate(Family::Act, b"{}", seed.clone()).unwrap();
        let created = store.create(&key, map, None, &actor("ada")).await.unwrap();
        assert_eq!((&created.seed, created.seed.to_string().as_str()), (&seed, text));
        let other = Seed::from_text("07");
        let reseeded =
            store.reseed(&key, created.revision, other.clone(), &actor("ada")).await.unwrap();
        assert_eq!(reseeded.seed, other);
        let restored = store
            .restore(&key, Some(reseeded.revision), created.revision, &actor("ada"))
            .await
            .unwrap();
        assert_eq!((&restored.seed, &restored.document), (&seed, &created.document));
    }
    store.close().await;
    let store = fixture.open().await;
    let map = store.get(&key("seed-3")).await.unwrap().unwrap();
    assert_eq!(map.seed.to_string(), "\u{1}\t\n\"'\\ äöü \u{1f680}");
    assert_eq!(map.decode().unwrap().seed, map.seed);
}

async fn resets_and_reseeds(fixture: Fixture) {
    let (store, key, ada) = (fixture.open().await, key("one"), actor("ada"));
    let map = store.create(&key, act(1).with_fog(Fog::Rows(3)), None, &ada).await.unwrap();
    let moved = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
    let reset = store.reset(&key, moved.revision, &ada).await.unwrap();
    assert_eq!(
        (reset.revision, &reset.seed, &reset.progress),
        (Revision(3), &Seed::new(1), &map.progress)
    );
    assert_eq!(reset.created, map.created);
    let reseeded = store.reseed(&key, reset.revision, Seed::new(u64::MAX), &ada).await.unwrap();
    assert_eq!(reseeded.document.as_ref(), act(u64::MAX).document().to_text());
    let Run::Act(play) = reseeded.run().unwrap() else { panic!() };
    assert_eq!((play.progress().fog(), play.current()), (Fog::Rows(3), None));
    assert_eq!(store.get(&key).await.unwrap(), Some(reseeded));
    let stale = store.reseed(&key, reset.revision, Seed::new(3), &ada).await;
    assert!(matches!(
        stale,
        Err(StoreError::Conflict { current }) if current.seed == Seed::new(u64::MAX)
    ));
}

async fn revisions_continue_after_deletion(fixture: Fixture) {
    let (store, key, ada) = (fixture.open().await, key("one"), actor("ada"));
    assert!(matches!(store.delete(&key, Revision(1), &ada).await, Err(StoreError::NoMap { .. })));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    assert!(matches!(
        store.delete(&key, Revision(9), &ada).await,
        Err(StoreError::Conflict { .. })
    ));
    assert_eq!(store.delete(&key, map.revision, &ada).await.unwrap(), Revision(2));
    assert_eq!(store.get(&key).await.unwrap(), None);
    for result in
        [store.reset(&key, Revision(2), &ada).await, store.undo(&key, Revision(1), &ada).await]
    {
        assert!(matches!(result, Err(StoreError::NoMap { .. })));
    }
    let recreated = store.create(&key, act(1), None, &ada).await.unwrap();
    assert_eq!(recreated.revision, Revision(3));
    assert_eq!(store.get(&key).await.unwrap(), Some(recreated));
}

async fn guilds_and_direct_messages_are_separate(fixture: Fixture) {
    let (store, ada) = (fixture.open().await, actor("ada"));
    let keys = [Some("a"), Some("b"), None].map(|guild| ChannelKey::new(guild, "one").unwrap());
    for (seed, key) in (1..).zip(&keys) {
        store.create(key, act(seed), None, &ada).await.unwrap();
    }
    for (seed, key) in (1..).zip(&keys) {
        assert_eq!(store.get(key).await.unwrap().unwrap().seed, Seed::new(seed));
        let page = store.list(key.guild.as_ref(), None, 10).await.unwrap();
        assert_eq!(
            (page.items.len(), page.items[0].seed.clone(), page.next),
            (1, Seed::new(seed), None)
        );
        assert_eq!(page.items[0].key, *key);
    }
}

async fn lists_maps_in_pages(fixture: Fixture) {
    let (store, ada) = (fixture.open().await, actor("ada"));
    // Both databases order ids by bytes.
    let mut names = ["B", "a", "_", "-", "10", "9", "Z", "b", "ab", "A"];
    for name in names {
        store.create(&key(name), act(1), None, &ada).await.unwrap();
    }
    store.delete(&key("b"), Revision(1), &ada).await.unwrap();
    names.sort_unstable();
    let guild = "guild".parse().unwrap();
    for limit in [1, 3, 9, 10] {
        let (mut channels, mut after) = (Vec::new(), None);
        loop {
            let page = store.list(Some(&guild), after.as_ref(), limit).await.unwrap();
            assert!(page.items.len() <= limit as usize);
            channels.extend(page.items.into_iter().map(|map| map.key.channel.to_string()));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(
            channels,
            names.into_iter().filter(|name| *name != "b").collect::<Vec<_>>(),
            "limit {limit}"
        );
    }
    for limit in [0, 1001] {
        let error = store.list(Some(&guild), None, limit).await.unwrap_err().to_string();
        assert_eq!(error, format!("limit = {limit}: out of range; use 1 to 1000"));
    }
}

async fn stores_large_documents_completely(fixture: Fixture) {
    let (store, key, ada) = (fixture.open().await, key("large"), actor("ada"));
    let new = NewMap::generate(Family::Tower, br#"{"floors": 1000}"#, Seed::new(1)).unwrap();
    let text = new.document().to_text();
    assert!(text.len() > 1_000_000, "{}", text.len());
    let map = store.create(&key, new, None, &ada).await.unwrap();
    let moved = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
    assert_eq!(store.get(&key).await.unwrap().as_ref(), Some(&moved));
    assert_eq!(moved.document.as_ref(), text);
}
