//! History: who did what, when; and every former map can be brought back.

use crate::bed::{Bed, act, both, first_move, key, who};
use wayforge::{Family, Seed};
use wayforge_store::{Event, NewMap, Revision, StoreError};

both!(
    history_tells_all,
    every_former_map_comes_back,
    what_is_not_there_is_not_restored,
    long_histories_have_checkpoints
);

async fn history_tells_all(bed: Bed) {
    let (store, key) = (bed.open().await, key("one"));
    let (ada, bob) = (who("ada"), who("bob \u{1f5fa}"));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    let step = first_move(&map);
    let moved = store.advance(&key, map.revision, step, &bob).await.unwrap();
    let back = store.undo(&key, moved.revision, &ada).await.unwrap();
    let reset = store.reset(&key, back.revision, &bob).await.unwrap();
    let reseeded = store.reseed(&key, reset.revision, Seed::new(2), &ada).await.unwrap();
    store.delete(&key, reseeded.revision, &bob).await.unwrap();
    let restored = store.restore(&key, None, Revision(2), &ada).await.unwrap();
    let page = store.history(&key, None, 100).await.unwrap();
    let told: Vec<_> =
        page.items.iter().map(|entry| (entry.revision.0, entry.actor.as_str(), entry.event)).collect();
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
    assert_eq!((told, page.next), (expected.to_vec(), None));
    let maps: Vec<_> = page
        .items
        .iter()
        .map(|entry| entry.map.as_ref().map(|map| (map.seed.number(), map.digest)))
        .collect();
    let (one, two) = (Some((1, map.digest)), Some((2, reseeded.digest)));
    assert_eq!(maps, [one, None, two, one, one, one, one]);
    assert!(page.items.is_sorted_by(|later, earlier| later.at >= earlier.at));
    assert_eq!(page.items[0].at, restored.updated);
    // Page by page it is the same.
    let (mut entries, mut before) = (Vec::new(), None);
    loop {
        let part = store.history(&key, before, 3).await.unwrap();
        entries.extend(part.items);
        before = part.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(entries, page.items);
    assert_eq!(store.history(&crate::bed::key("other"), None, 10).await.unwrap().items, []);
    assert!(store.history(&key, None, 0).await.is_err());
}

async fn every_former_map_comes_back(bed: Bed) {
    let (store, ada) = (bed.open().await, who("ada"));
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
        let mut seen = None;
        // A fresh look: nothing may depend on what this store remembers.
        let store = bed.open().await;
        for (revision, state) in states.iter().enumerate().skip(1) {
            let former = store.former(&key, Revision(revision as u64)).await;
            let restored = store.restore(&key, seen, Revision(revision as u64), &ada).await;
            match state {
                Some(state) => {
                    let (former, restored) = (former.unwrap(), restored.unwrap());
                    assert_eq!((&restored.document, &restored.progress), (&state.document, &state.progress));
                    assert_eq!((&former.document, &former.progress), (&state.document, &state.progress));
                    assert_eq!(former.revision, state.revision);
                    assert_eq!(store.get(&key).await.unwrap().as_ref(), Some(&restored));
                    seen = Some(restored.revision);
                }
                None => assert!(matches!(restored, Err(StoreError::NoFormer { .. }))),
            }
        }
    }
}

async fn what_is_not_there_is_not_restored(bed: Bed) {
    let (store, key, ada) = (bed.open().await, key("one"), who("ada"));
    let missing = |revision: u64| format!("guild/one: revision {revision} is not in this channel's history");
    let refused = store.restore(&key, None, Revision(1), &ada).await.unwrap_err();
    assert_eq!(refused.to_string(), missing(1));
    let map = store.create(&key, act(1), None, &ada).await.unwrap();
    for revision in [0, 2, u64::MAX] {
        let refused = store.restore(&key, Some(map.revision), Revision(revision), &ada).await.unwrap_err();
        assert_eq!(refused.to_string(), missing(revision));
    }
    // A map that is there is not replaced unasked.
    let refused = store.restore(&key, None, Revision(1), &ada).await;
    assert!(matches!(refused, Err(StoreError::Conflict { .. })));
    store.delete(&key, map.revision, &ada).await.unwrap();
    let refused = store.restore(&key, None, Revision(2), &ada).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "guild/one: revision 2 is where the map was deleted; take the one before"
    );
}

async fn long_histories_have_checkpoints(bed: Bed) {
    let (store, key, ada) = (bed.open().await, key("one"), who("ada"));
    let new = NewMap::generate(Family::Act, br#"{"rows": 120}"#, Seed::new(1)).unwrap();
    let mut states = vec![store.create(&key, new, None, &ada).await.unwrap()];
    for _ in 0..100 {
        let last = states.last().unwrap();
        states.push(store.advance(&key, last.revision, first_move(last), &ada).await.unwrap());
    }
    for state in &states {
        assert_eq!(store.former(&key, state.revision).await.unwrap().progress, state.progress);
    }
    // Progress is not written with every move.
    let without = "UPDATE history SET progress = NULL WHERE progress IS NOT NULL";
    assert_eq!(bed.meddle(without).await, 4, "revisions 1, 32, 64, 96");
}
