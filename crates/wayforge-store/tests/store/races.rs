//! Concurrent changes: one change per revision succeeds, and the others get the current map as a
//! conflict.

use crate::cluster::both;
use crate::fixture::{Fixture, act, actor, first_move, key};
use std::collections::BTreeMap;
use std::sync::Arc;
use wayforge::{Family, Seed};
use wayforge_store::{Event, NewMap, Revision, Store, StoreError};

both!(
    one_change_per_revision_succeeds,
    one_of_many_creations_succeeds,
    one_change_per_revision_succeeds_across_two_stores,
    group_commits_keep_every_change
);

async fn one_change_per_revision_succeeds(fixture: Fixture) {
    race(vec![fixture.open().await], 16).await;
}

/// Two stores simulate two servers that share one database.
async fn one_change_per_revision_succeeds_across_two_stores(fixture: Fixture) {
    let (one, two) = tokio::join!(fixture.open(), fixture.open());
    race(vec![one, two], 16).await;
}

/// Players move, undo and reset on one channel as fast as possible, each based on the last map they
/// saw.
async fn race(stores: Vec<Arc<Store>>, players: usize) {
    let key = key("one");
    let start = stores[0].create(&key, act(1), None, &actor("ada")).await.unwrap();
    let games: Vec<_> = (0..players)
        .map(|player| {
            let (store, key) = (Arc::clone(&stores[player % stores.len()]), key.clone());
            let (mut map, actor) = (start.clone(), actor(&format!("player {player}")));
            tokio::spawn(async move {
                let (mut won, mut lost) = (Vec::new(), 0);
                for turn in 0..40 {
                    let run = map.run().unwrap();
                    let result = match run.moves().first() {
                        Some(&step) if turn % 7 != 6 => {
                            store.advance(&key, map.revision, step, &actor).await
                        }
                        _ if turn % 2 == 0 && run.undo().is_some() => {
                            store.undo(&key, map.revision, &actor).await
                        }
                        _ => store.reset(&key, map.revision, &actor).await,
                    };
                    match result {
                        Ok(after) => {
                            assert_eq!(after.revision.0, map.revision.0 + 1);
                            won.push(after.clone());
                            map = after;
                        }
                        Err(StoreError::Conflict { current }) => {
                            assert!(
                                current.revision > map.revision,
                                "a conflict contains a newer revision"
                            );
                            lost += 1;
                            map = *current;
                        }
                        Err(error) => panic!("{error}"),
                    }
                }
                (won, lost)
            })
        })
        .collect();
    let (mut winners, mut lost) = (BTreeMap::from([(Revision(1), start)]), 0);
    for game in games {
        let (won, losses) = game.await.unwrap();
        lost += losses;
        for map in won {
            assert!(
                winners.insert(map.revision, map).is_none(),
                "two changes succeeded for one revision"
            );
        }
    }
    assert!(lost > 0, "no conflict occurred, so nothing was tested");
    let last = *winners.keys().next_back().unwrap();
    assert_eq!(winners.len() as u64, last.0, "revisions have no gap");
    assert_eq!(stores[0].get(&key).await.unwrap().as_ref(), winners.get(&last));
    for (revision, map) in &winners {
        assert_eq!(stores[0].map_at(&key, *revision).await.unwrap().progress, map.progress);
    }
    let history = stores[0].history(&key, None, 1000).await.unwrap();
    assert_eq!(history.items.len() as u64, last.0);
}

async fn one_of_many_creations_succeeds(fixture: Fixture) {
    let store = fixture.open().await;
    for round in 0..5 {
        let key = key(&format!("channel-{round}"));
        let attempts: Vec<_> = (0..16)
            .map(|seed| {
                let (store, key) = (Arc::clone(&store), key.clone());
                tokio::spawn(
                    async move { store.create(&key, act(seed), None, &actor("ada")).await },
                )
            })
            .collect();
        let mut won = Vec::new();
        let mut conflicts = Vec::new();
        for attempt in attempts {
            match attempt.await.unwrap() {
                Ok(map) => won.push(map),
                Err(StoreError::Conflict { current }) => conflicts.push(*current),
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!((won.len(), conflicts.len()), (1, 15));
        assert!(conflicts.iter().all(|current| *current == won[0]));
    }
}

/// Changes of many channels share commits. Each valid change succeeds, and stale changes do not
/// affect it.
async fn group_commits_keep_every_change(fixture: Fixture) {
    let store = fixture.open().await;
    let mut players = Vec::new();
    for channel in 0..100_u64 {
        let store = Arc::clone(&store);
        players.push(tokio::spawn(async move {
            let (key, actor) = (key(&format!("c{channel}")), actor("ada"));
            let new = NewMap::generate(Family::Act, b"{}", Seed::new(channel % 10)).unwrap();
            let mut map = store.create(&key, new, None, &actor).await.unwrap();
            for _ in 0..10 {
                let step = first_move(&map);
                let (good, stale) = tokio::join!(
                    store.advance(&key, map.revision, step, &actor),
                    store.advance(&key, Revision(map.revision.0 + 7), step, &actor),
                );
                assert!(matches!(stale, Err(StoreError::Conflict { .. })));
                let expected = map.run().unwrap().advance(step).unwrap().progress();
                map = good.unwrap();
                assert_eq!(map.progress, Some(expected));
            }
            assert_eq!(store.get(&key).await.unwrap(), Some(map));
            let entries = store.history(&key, None, 100).await.unwrap().items;
            assert_eq!(entries.len(), 11);
            assert!(entries[..10].iter().all(|entry| matches!(entry.event, Event::Move(_))));
        }));
    }
    for player in players {
        player.await.unwrap();
    }
}
