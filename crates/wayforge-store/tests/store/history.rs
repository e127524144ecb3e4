//! History: actor, event and time of every change; earlier maps can be restored.

use crate::cluster::both;
use crate::fixture::{Fixture, act, actor, first_move, key};
use wayforge::{Family, Seed};
use wayforge_store::{Event, NewMap, Revision, StoreError};

both!(
    records_actor_event_and_map_of_every_change,
    restores_every_earlier_map,
    rejects_restoring_missing_revisions,
    long_histories_have_a_checkpoint_every_32_revisions
);

async fn records_actor_event_and_map_of_every_change(fixture: Fixture) {
    let (store, key) = (fixture.open().await, key("one"));
    let (ada, bob) = (actor("ada"), actor("bob \u{1f5fa}"));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    let step = first_move(&map);
    let moved = store.advance(&key, map.revision, step, &bob).await.unwrap();
    let back = store.undo(&key, moved.revision, &ada).await.unwrap();
    let reset = store.reset(&key, back.revision, &bob).await.unwrap();
    let reseeded = store.reseed(&key, reset.revision, Seed::new(2), &ada).await.unwrap();
    store.delete(&key, reseeded.revision, &bob).await.unwrap();
    let restored = store.restore(&key, None, Revision(2), &ada).await.unwrap();
    let page = store.history(&key, None, 100).await.unwrap();
    let entries: Vec<_> = page
        .items
        .iter()
        .map(|entry| (entry.revision.0, entry.actor.as_str(), entry.event))
        .collect();
    let (ada, bob) = (ada.as_str(), bob.as_str());
    let expected = [
        (7, ada, Event::Restore(Revision(2))),
        (6, bob, Event::Delete),
        (5, ada, Event::Reseed),
        (4, bob, Event::Reset),
        (3, ada, Event::Undo),
        (2, bob, Event::Move(step)),
        (1, ada, Event::Create),
    ];
    assert_eq!((entries, page.next), (expected.to_vec(), None));
    let maps: Vec<_> = page
        .items
        .iter()
        .map(|entry| entry.map.as_ref().map(|map| (map.seed.number(), map.digest)))
        .collect();
    let (one, two) = (Some((1, map.digest)), Some((2, reseeded.digest)));
    assert_eq!(maps, [one, None, two, one, one, one, one]);
    assert!(page.items.is_sorted_by(|later, earlier| later.at >= earlier.at));
    assert_eq!(page.items[0].at, restored.updated);
    // Small pages contain the same entries.
    let (mut paged, mut before) = (Vec::new(), None);
    loop {
        let part = store.history(&key, before, 3).await.unwrap();
        paged.extend(part.items);
        before = part.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(paged, page.items);
    assert_eq!(store.history(&crate::fixture::key("other"), None, 10).await.unwrap().items, []);
    assert!(store.history(&key, None, 0).await.is_err());
}

async fn restores_every_earlier_map(fixture: Fixture) {
    let (store, ada) = (fixture.open().await, actor("ada"));
    for family in Family::ALL {
        let key = key(family.name());
        let mut states = vec![None];
        let new = |seed| NewMap::generate(family, b"{}", Seed::new(seed)).unwrap();
        let mut map = store.create(&key, new(1), None, &ada).await.unwrap();
        states.push(Some(map.clone()));
        if family != Family::Level {
            for _ in 0..3 {
                map = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
                states.push(Some(map.clone()));
            }
            map = store.undo(&key, map.revision, &ada).await.unwrap();
            states.push(Some(map.clone()));
        }
        map = store.reseed(&key, map.revision, Seed::new(2), &ada).await.unwrap();
        states.push(Some(map.clone()));
        store.delete(&key, map.revision, &ada).await.unwrap();
        states.push(None);
        let mut expected_revision = None;
        // A new store without cached rows.
        let store = fixture.open().await;
        for (revision, state) in states.iter().enumerate().skip(1) {
            let earlier = store.map_at(&key, Revision(revision as u64)).await;
            let restored =
                store.restore(&key, expected_revision, Revision(revision as u64), &ada).await;
            match state {
                Some(state) => {
                    let (earlier, restored) = (earlier.unwrap(), restored.unwrap());
                    assert_eq!(
                        (&restored.document, &restored.progress),
                        (&state.document, &state.progress)
                    );
                    assert_eq!(
                        (&earlier.document, &earlier.progress),
                        (&state.document, &state.progress)
                    );
                    assert_eq!(earlier.revision, state.revision);
                    assert_eq!(store.get(&key).await.unwrap().as_ref(), Some(&restored));
                    expected_revision = Some(restored.revision);
                }
                None => assert!(matches!(restored, Err(StoreError::NoSuchRevision { .. }))),
            }
        }
    }
}

async fn rejects_restoring_missing_revisions(fixture: Fixture) {
    let (store, key, ada) = (fixture.open().await, key("one"), actor("ada"));
    let missing =
        |revision: u64| format!("guild/one: revision {revision} is not in this channel's history");
    let error = store.restore(&key, None, Revision(1), &ada).await.unwrap_err();
    assert_eq!(error.to_string(), missing(1));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    for revision in [0, 2, u64::MAX] {
        let error =
            store.restore(&key, Some(map.revision), Revision(revision), &ada).await.unwrap_err();
        assert_eq!(error.to_string(), missing(revision));
    }
    // An existing map is not replaced without its revision.
    let result = store.restore(&key, None, Revision(1), &ada).await;
    assert!(matches!(result, Err(StoreError::Conflict { .. })));
    store.delete(&key, map.revision, &ada).await.unwrap();
    let error = store.restore(&key, None, Revision(2), &ada).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "guild/one: revision 2 deleted the map; use the revision before it"
    );
}

async fn long_histories_have_a_checkpoint_every_32_revisions(fixture: Fixture) {
    let (store, key, ada) = (fixture.open().await, key("one"), actor("ada"));
    let new = NewMap::generate(Family::Act, br#"{"rows": 120}"#, Seed::new(1)).unwrap();
    let mut states = vec![store.create(&key, new, None, &ada).await.unwrap()];
    for _ in 0..100 {
        let last = states.last().unwrap();
        states.push(store.advance(&key, last.revision, first_move(last), &ada).await.unwrap());
    }
    for state in &states {
        assert_eq!(store.map_at(&key, state.revision).await.unwrap().progress, state.progress);
    }
    // Only checkpoints contain progress.
    let clear_progress = "UPDATE history SET progress = NULL WHERE progress IS NOT NULL";
    assert_eq!(fixture.execute_sql(clear_progress).await, 4, "revisions 1, 32, 64, 96");
}
