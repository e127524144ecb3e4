//! Databases of earlier versions: the present version opens, verifies, reads and changes them.
//!
//! `tests/fixtures` contains a database of each version, and what that version read from it. They
//! are never written again; a new version adds its own with `write_fixture`.

use crate::cluster;
use crate::fixture::{Fixture, actor, first_move};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use wayforge::{Family, Seed};
use wayforge_store::{Access, ChannelKey, NewMap, Revision, Store};

/// Versions with a fixture.
const VERSIONS: [&str; 1] = ["0.1.0"];

/// Configurations of small maps.
const CONFIGS: [(Family, &str); 4] = [
    (Family::Act, r#"{"rows": 5, "cols": 4}"#),
    (Family::Level, r#"{"width": 9, "height": 7}"#),
    (Family::Floor, r#"{"width": 5, "height": 5}"#),
    (Family::Tower, r#"{"floors": 2, "floor": {"width": 5, "height": 5}}"#),
];

fn fixture_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// Channels of the fixtures: all families in a guild, a deleted map, and a direct message.
fn keys() -> Vec<ChannelKey> {
    let channels = CONFIGS.iter().map(|(family, _)| family.name()).chain(["gone"]);
    let in_guild = channels.map(|channel| ChannelKey::new(Some("guild"), channel).unwrap());
    in_guild.chain([ChannelKey::new(None, "dm").unwrap()]).collect()
}

/// Fills an empty store.
async fn fill(store: &Store, token: &str) {
    let ada = actor("ada").with_token(token);
    for (key, (family, config)) in keys().iter().zip(CONFIGS) {
        let new = NewMap::generate(family, config.as_bytes(), Seed::from_text("fixture")).unwrap();
        let mut map = store.create(key, new, None, &ada).await.unwrap();
        if family != Family::Level {
            // Act maps: past the checkpoint at revision 32.
            let turns = if family == Family::Act { 16 } else { 1 };
            for _ in 0..turns {
                map = store.advance(key, map.revision, first_move(&map), &ada).await.unwrap();
                map = store.undo(key, map.revision, &ada).await.unwrap();
            }
            map = store.advance(key, map.revision, first_move(&map), &ada).await.unwrap();
        }
        map = store.reseed(key, map.revision, Seed::new(2), &ada).await.unwrap();
        map = store.reset(key, map.revision, &ada).await.unwrap();
        store.restore(key, Some(map.revision), Revision(map.revision.0 - 2), &ada).await.unwrap();
    }
    for key in &keys()[4..] {
        let new = NewMap::generate(Family::Act, br#"{"rows": 5}"#, Seed::new(1)).unwrap();
        store.create(key, new, None, &ada).await.unwrap();
    }
    store.delete(&keys()[4], Revision(1), &ada).await.unwrap();
}

/// Returns all channels with their maps, progress and history as JSON.
async fn read(store: &Store) -> Value {
    let mut channels = Vec::new();
    for key in keys() {
        let map = store.get(&key).await.unwrap();
        let history = store.history(&key, None, 1000).await.unwrap().items;
        channels.push(json!({
            "key": key.to_string(),
            "summary": map.as_ref().map(|map| &map.summary),
            "progress": map.as_ref().map(|map| &map.progress),
            "history": history,
        }));
    }
    channels.into()
}

#[tokio::test]
#[ignore = "writes the fixture of the present version"]
async fn write_fixture() {
    let version = env!("CARGO_PKG_VERSION");
    let fixture = Fixture::sqlite().await;
    let store = fixture.open().await;
    let (token, secret) = store.create_token("bot", None, Access::Write).await.unwrap();
    fill(&store, &token.id).await;
    let expected = json!({
        "token": token.id,
        "secret": secret.reveal(),
        "channels": read(&store).await,
    });
    // Fails if the fixture exists.
    store.backup(&fixture_path(&format!("{version}.db"))).await.unwrap();
    let text = serde_json::to_string(&expected).unwrap() + "\n";
    std::fs::write(fixture_path(&format!("{version}.json")), text).unwrap();
    store.close().await;
}

#[tokio::test]
async fn databases_of_earlier_versions_are_verified_read_and_changed() {
    for version in VERSIONS {
        let folder = cluster::folder();
        let address = cluster::file_address(folder.path());
        let fixture = fixture_path(&format!("{version}.db"));
        std::fs::copy(&fixture, address.strip_prefix("sqlite:").unwrap()).unwrap();
        let expected = std::fs::read(fixture_path(&format!("{version}.json"))).unwrap();
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let store = wayforge_store::open(&address).await.unwrap();
        let mut damage = Vec::new();
        let counts = store.verify(&mut |row| damage.push(row)).await.unwrap();
        assert!(damage.is_empty(), "{version}: {damage:#?}");
        assert_eq!((counts.records.channels, counts.tokens), (6, 1), "{version}");
        assert_eq!(read(&store).await, expected["channels"], "{version}");
        let token = store.check_token(expected["secret"].as_str().unwrap()).await.unwrap();
        assert_eq!(token.unwrap().id, expected["token"], "{version}");
        // Earlier revisions, whose progress is replayed, and further changes.
        let bob = actor("bob");
        for (key, (family, _)) in keys().iter().zip(CONFIGS) {
            let map = store.get(key).await.unwrap().unwrap();
            let earlier = store.map_at(key, Revision(1)).await.unwrap();
            assert_eq!(earlier.digest, map.digest, "{version}: {key}");
            if family != Family::Level {
                let earlier = store.map_at(key, Revision(3)).await.unwrap();
                assert_ne!(earlier.progress, map.progress, "{version}: {key}");
                let moved = store.advance(key, map.revision, first_move(&map), &bob).await.unwrap();
                assert_eq!(moved.revision.0, map.revision.0 + 1);
            }
            let map = store.get(key).await.unwrap().unwrap();
            store.reseed(key, map.revision, Seed::new(3), &bob).await.unwrap();
        }
        let replayed = store.map_at(&keys()[0], Revision(33)).await.unwrap();
        assert_ne!(
            replayed.progress,
            store.map_at(&keys()[0], Revision(32)).await.unwrap().progress
        );
        store.restore(&keys()[4], None, Revision(1), &bob).await.unwrap();
        store.verify(&mut |row| damage.push(row)).await.unwrap();
        assert!(damage.is_empty(), "{version}: {damage:#?}");
        store.close().await;
    }
}
