//! Databases with random damage: every answer is the one before the damage, or an error.

use crate::fixture::{Fixture, act, actor, first_move, key};
use std::path::Path;
use wayforge::MapRng;
use wayforge_store::{Access, ChannelKey, Revision, Store, StoreError, StoredMap};

/// Number of damaged files; `WAYFORGE_DAMAGED_FILES` sets another one.
const FILES: u32 = 60;

/// A read, and its answer as text.
type Answer = (String, Result<String, StoreError>);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_files_give_no_wrong_answer() {
    let files = std::env::var("WAYFORGE_DAMAGED_FILES").map_or(FILES, |n| n.parse().unwrap());
    let fixture = Fixture::sqlite().await;
    let store = fixture.open().await;
    fill(&store).await;
    store.close().await;
    let store = fixture.open().await;
    let expected: Vec<(String, String)> =
        answers(&store).await.into_iter().map(|(read, answer)| (read, answer.unwrap())).collect();
    store.close().await;
    let path = Path::new(fixture.address.strip_prefix("sqlite:").unwrap());
    let intact = std::fs::read(path).unwrap();
    let folder = crate::cluster::folder();
    let copy = folder.path().join("maps.db");
    let (mut rng, mut rejected, mut reported) = (MapRng::from_u64(9), 0, 0);
    let mut wrong = Vec::new();
    for file in 0..files {
        std::fs::write(&copy, damage(intact.clone(), &mut rng)).unwrap();
        let Ok(store) = wayforge_store::open(&crate::cluster::file_address(folder.path())).await
        else {
            rejected += 1;
            continue;
        };
        for ((read, expected), (_, answer)) in expected.iter().zip(answers(&store).await) {
            match answer {
                Ok(answer) if answer == *expected => {}
                Ok(answer) => wrong.push(format!("file {file}, {read}: {answer:.200}")),
                Err(_) => reported += 1,
            }
        }
        store.close().await;
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
    }
    println!(
        "{files} files, {} reads of each: {rejected} files rejected, {reported} errors, {} wrong",
        expected.len(),
        wrong.len()
    );
    assert!(rejected > 0 && reported > 0, "the damage is too small to be found");
    assert!(wrong.is_empty(), "{} wrong answers:\n{}", wrong.len(), wrong.join("\n"));
}

/// Flips bits, or overwrites a run of bytes, as failing disks do.
fn damage(mut file: Vec<u8>, rng: &mut MapRng) -> Vec<u8> {
    let at = rng.below(file.len() as u32) as usize;
    match rng.below(4) {
        0 => {
            let end = (at + 512).min(file.len());
            file[at..end].fill(0);
        }
        1 => file[at] = rng.below(256) as u8,
        _ => file[at] ^= 1 << rng.below(8),
    }
    file
}

async fn fill(store: &Store) {
    let ada = actor("ada");
    for (channel, seed) in [("one", 1), ("two", 2), ("three", 3)] {
        let mut map = store.create(&key(channel), act(seed), None, &ada).await.unwrap();
        for _ in 0..5 {
            map = store.advance(&key(channel), map.revision, first_move(&map), &ada).await.unwrap();
        }
    }
    let map = store.get(&key("three")).await.unwrap().unwrap();
    store.delete(&key("three"), map.revision, &ada).await.unwrap();
    store.create_token("bot", None, Access::Write).await.unwrap();
}

/// Reads everything that the store shows.
async fn answers(store: &Store) -> Vec<Answer> {
    let mut answers = Vec::new();
    let guild = "guild".parse().unwrap();
    let list = store.list(Some(&guild), None, 100).await;
    answers.push(("list".to_owned(), list.map(|list| format!("{list:?}"))));
    for channel in ["one", "two", "three"] {
        let key = key(channel);
        let map = store.get(&key).await;
        answers.push((format!("map of {channel}"), map.map(|map| format!("{map:?}"))));
        let revision = store.revision(&key).await;
        answers.push((format!("revision of {channel}"), revision.map(|at| format!("{at:?}"))));
        let history = store.history(&key, None, 100).await;
        answers.push((format!("history of {channel}"), history.map(|page| format!("{page:?}"))));
        for revision in 1..=6 {
            let map = map_at(store, &key, revision).await;
            answers.push((format!("{channel} at {revision}"), map.map(|map| format!("{map:?}"))));
        }
    }
    let tokens = store.list_tokens(None, 100).await;
    answers.push(("tokens".to_owned(), tokens.map(|page| format!("{page:?}"))));
    answers
}

async fn map_at(store: &Store, key: &ChannelKey, at: u64) -> Result<StoredMap, StoreError> {
    store.map_at(key, Revision(at)).await
}
