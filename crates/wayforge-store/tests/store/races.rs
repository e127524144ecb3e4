//! Many at once: of those who saw the same revision one wins, and the others are told how things stand.

use crate::bed::{Bed, act, both, first_move, key, who};
use std::collections::BTreeMap;
use std::sync::Arc;
use wayforge::{Family, Seed};
use wayforge_store::{Event, NewMap, Revision, Store, StoreError};

both!(
    one_winner_for_every_revision,
    one_winner_among_creators,
    two_stores_on_one_database,
    batches_hold_every_channel
);

async fn one_winner_for_every_revision(bed: Bed) {
    race(vec![bed.open().await], 16).await;
}

/// As two servers do.
async fn two_stores_on_one_database(bed: Bed) {
    let (one, two) = tokio::join!(bed.open(), bed.open());
    race(vec![one, two], 16).await;
}

/// Players move, take back and reset on one channel as fast as they can, each with what they saw last.
async fn race(stores: Vec<Arc<Store>>, players: usize) {
    let key = key("one");
    let start = stores[0].create(&key, act(1), None, &who("ada")).await.unwrap();
    let games: Vec<_> = (0..players)
        .map(|player| {
            let (store, key) = (Arc::clone(&stores[player % stores.len()]), key.clone());
            let (mut map, who) = (start.clone(), who(&format!("player {player}")));
            tokio::spawn(async move {
                let (mut won, mut lost) = (Vec::new(), 0);
                for turn in 0..40 {
                    let run = map.run().unwrap();
                    let asked = match run.moves().first() {
                        Some(&step) if turn % 7 != 6 => store.advance(&key, map.revision, step, &who).await,
                        _ if turn % 2 == 0 && run.undo().is_some() => {
                            store.undo(&key, map.revision, &who).await
                        }
                        _ => store.reset(&key, map.revision, &who).await,
                    };
                    match asked {
                        Ok(after) => {
                            assert_eq!(after.revision.0, map.revision.0 + 1);
                            won.push(after.clone());
                            map = after;
                        }
                        Err(StoreError::Conflict { current }) => {
                            assert!(current.revision > map.revision, "the loser is told something new");
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
            assert!(winners.insert(map.revision, map).is_none(), "two winners of one revision");
        }
    }
    assert!(lost > 0, "nobody ever lost: there was no race");
    let last = *winners.keys().next_back().unwrap();
    assert_eq!(winners.len() as u64, last.0, "revisions without a gap");
    assert_eq!(stores[0].get(&key).await.unwrap().as_ref(), winners.get(&last));
    for (revision, map) in &winners {
        assert_eq!(stores[0].former(&key, *revision).await.unwrap().progress, map.progress);
    }
    let history = stores[0].history(&key, None, 1000).await.unwrap();
    assert_eq!(history.items.len() as u64, last.0);
}

async fn one_winner_among_creators(bed: Bed) {
    let store = bed.open().await;
    for round in 0..5 {
        let key = key(&format!("channel-{round}"));
        let tries: Vec<_> = (0..16)
            .map(|seed| {
                let (store, key) = (Arc::clone(&store), key.clone());
                tokio::spawn(async move { store.create(&key, act(seed), None, &who("ada")).await })
            })
            .collect();
        let mut won = Vec::new();
        let mut told = Vec::new();
        for attempt in tries {
            match attempt.await.unwrap() {
                Ok(map) => won.push(map),
                Err(StoreError::Conflict { current }) => told.push(*current),
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!((won.len(), told.len()), (1, 15));
        assert!(told.iter().all(|current| *current == won[0]));
    }
}

/// Hundreds of channels in one commit: each gets what was asked for it, and stale ones take nobody along.
async fn batches_hold_every_channel(bed: Bed) {
    let store = bed.open().await;
    let mut players = Vec::new();
    for channel in 0..100_u64 {
        let store = Arc::clone(&store);
        players.push(tokio::spawn(async move {
            let (key, who) = (key(&format!("c{channel}")), who("ada"));
            let new = NewMap::generate(Family::Act, b"{}", Seed::new(channel % 10)).unwrap();
            let mut map = store.create(&key, new, None, &who).await.unwrap();
            for _ in 0..10 {
                let step = first_move(&map);
                let (good, stale) = tokio::join!(
                    store.advance(&key, map.revision, step, &who),
                    store.advance(&key, Revision(map.revision.0 + 7), step, &who),
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
