//! Export and import of guilds: lossless, strictly validated, all or nothing.

use crate::cluster::both;
use crate::fixture::{Fixture, act, actor, first_move, key};
use std::sync::Arc;
use wayforge::{Family, Seed};
use wayforge_store::{ChannelKey, Id, NewMap, RecordCounts, Revision, Store, StoreError};

both!(
    import_restores_an_export,
    rejects_damaged_files,
    rejects_occupied_channels,
    exports_direct_messages_and_empty_guilds
);

fn guild() -> Id {
    "guild".parse().unwrap()
}

/// Fills a guild with maps of all families and with all events.
async fn fill(store: &Arc<Store>) {
    let ada = actor("ada \"quoted\" \u{1f5fa}");
    for family in Family::ALL {
        let key = key(family.name());
        let new = NewMap::generate(family, b"{}", Seed::new(7)).unwrap();
        let mut map = store.create(&key, new, None, &ada).await.unwrap();
        if family != Family::Level {
            for _ in 0..20 {
                map = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
                map = store.undo(&key, map.revision, &ada).await.unwrap();
                if map.revision.0 > 36 {
                    break;
                }
            }
            map = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
        }
        map = store.reseed(&key, map.revision, Seed::new(8), &ada).await.unwrap();
        map = store.reset(&key, map.revision, &ada).await.unwrap();
        store.restore(&key, Some(map.revision), Revision(1), &ada).await.unwrap();
    }
    store.create(&key("gone"), act(1), None, &ada).await.unwrap();
    store.delete(&key("gone"), Revision(1), &ada).await.unwrap();
    store
        .create(&ChannelKey::new(Some("other"), "act").unwrap(), act(3), None, &ada)
        .await
        .unwrap();
}

async fn export(store: &Arc<Store>) -> (String, RecordCounts) {
    let mut out = Vec::new();
    let counts = store.export(Some(&guild()), &mut out).await.unwrap();
    (String::from_utf8(out).unwrap(), counts)
}

async fn import(store: &Arc<Store>, text: &str) -> Result<RecordCounts, StoreError> {
    store.import(Some(&guild()), &mut text.as_bytes()).await
}

async fn import_restores_an_export(fixture: Fixture) {
    let mut targets = vec![fixture.another().await];
    if fixture.address.starts_with("postgres") {
        targets.push(Fixture::sqlite().await);
    }
    check_import(fixture, &targets).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_imports_an_export_of_sqlite() {
    check_import(Fixture::sqlite().await, &[Fixture::postgres().await]).await;
}

async fn check_import(fixture: Fixture, targets: &[Fixture]) {
    let store = fixture.open().await;
    fill(&store).await;
    let (text, counts) = export(&store).await;
    assert_eq!(counts.channels, 5);
    assert_eq!(counts.documents, 9, "two of each family, and the deleted one");
    assert_eq!(
        text.lines().count() as u64,
        2 + counts.channels + counts.entries + counts.documents
    );
    for target in targets {
        let target = target.open().await;
        assert_eq!(import(&target, &text).await.unwrap(), counts);
        assert_eq!(export(&target).await.0, text, "the same bytes");
        for family in Family::ALL {
            let key = key(family.name());
            let (original, imported) =
                (store.get(&key).await.unwrap(), target.get(&key).await.unwrap());
            assert!(original.is_some() && original == imported);
            let (original, imported) =
                (store.history(&key, None, 100).await, target.history(&key, None, 100).await);
            assert_eq!(original.unwrap(), imported.unwrap());
            let (original, imported) =
                (store.map_at(&key, Revision(2)).await, target.map_at(&key, Revision(2)).await);
            assert_eq!(original.unwrap(), imported.unwrap());
        }
        assert_eq!(target.get(&key("gone")).await.unwrap(), None);
        assert_eq!(target.list(Some(&"other".parse().unwrap()), None, 10).await.unwrap().items, []);
        // The imported map can be played.
        let map = target.get(&key("act")).await.unwrap().unwrap();
        target.advance(&key("act"), map.revision, first_move(&map), &actor("bob")).await.unwrap();
    }
}

async fn rejects_damaged_files(fixture: Fixture) {
    let source = fixture.open().await;
    fill(&source).await;
    let (text, _) = export(&source).await;
    let target = fixture.another().await;
    let store = target.open().await;
    let lines: Vec<&str> = text.lines().collect();
    let line_with = |part: &str| lines.iter().position(|line| line.contains(part)).unwrap();
    let (document, moved) = (line_with("{\"document\""), line_with("\"name\":\"move\""));
    let channel = lines.iter().position(|line| line.starts_with("{\"channel\"")).unwrap();
    let checkpoint = lines.iter().position(|line| line.contains("\"revision\":32,")).unwrap();
    let replaced = |line: usize, from: &str, to: &str| {
        let mut lines: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        let changed = lines[line].replace(from, to);
        assert_ne!(changed, lines[line], "{from} is not on line {}", line + 1);
        lines[line] = changed;
        (line, lines.join("\n") + "\n")
    };
    let without = |line: usize| {
        let rest = lines.iter().enumerate().filter(|(i, _)| *i != line).map(|(_, line)| *line);
        rest.collect::<Vec<_>>().join("\n")
    };
    let first_col = lines[moved].split("\"detail\":\"").nth(1).unwrap().split(',').next().unwrap();
    for ((line, file), problem) in [
        (replaced(0, "guild/1", "guild/2"), "format: \"wayforge-guild/2\" is not supported"),
        (
            replaced(0, "\"guild\":\"guild\"", "\"guild\":\"other\""),
            "guild: the file belongs to other, but the import is for guild",
        ),
        (replaced(0, "}", ",\"x\":1}"), "x: unknown field"),
        (replaced(document, "\"row\":3", "\"row\":4"), "document: digest: the document states"),
        (
            replaced(document, "act.walks/1", "chess/1"),
            "document: algorithm: \"chess/1\" is unknown",
        ),
        (
            replaced(moved, &format!("\"{first_col},0\""), "\"6666,0\""),
            "entry.event: Node 6666,0 is not a legal move",
        ),
        (replaced(moved, "\"revision\":2,", "\"revision\":3,"), "entry.revision: 3 should be 2"),
        (replaced(moved, "ada", "\\n"), "entry.actor: actor = "),
        (replaced(moved, "\"at\":\"20", "\"at\":\"19"), "entry.at: "),
        (replaced(checkpoint, "\"progress\"", "\"progres\""), "progres"),
        (replaced(checkpoint, "\"fog\":null", "\"fog\":1"), "entry.progress: should be"),
        (
            replaced(channel, "\"revision\":", "\"revision\":1"),
            "channel.revision: does not match the history",
        ),
        (
            replaced(channel, "\"updated\":\"20", "\"updated\":\"21"),
            "channel.updated: does not match the history",
        ),
        (
            replaced(lines.len() - 1, "\"channels\":5", "\"channels\":6"),
            "end: the file has 5 channels",
        ),
        ((document, without(document)), "entry.map: no document sha256:"),
        ((moved, without(moved)), "entry.revision: 3 should be 2"),
        ((lines.len() - 2, without(lines.len() - 1)), "the file is truncated"),
        ((lines.len(), format!("{text}{{}}\n")), "unexpected line after the end record"),
        ((2, text.replacen('\n', "\n\n", 2)), "document: "),
        ((0, String::new()), "the file is truncated"),
    ] {
        let error = import(&store, &file).await.unwrap_err().to_string();
        let number = if file.is_empty() { 0 } else { line + 1 };
        let prefix = format!("line {number}: ");
        // A blank line shifts the following line numbers.
        let has_blank_line = file.contains("\n\n");
        assert!(
            error.starts_with(&prefix) || has_blank_line,
            "{error}\nexpected on line {number}: {problem}"
        );
        assert!(error.contains(problem), "{error}\nexpected: {problem}");
        assert!(error.ends_with("nothing was imported"), "{error}");
    }
    let error = store.import(Some(&guild()), &mut &b"\xff\n"[..]).await.unwrap_err().to_string();
    assert_eq!(error, "line 1: not UTF-8; nothing was imported");
    // Nothing was written.
    for table in ["documents", "channels", "history"] {
        assert_eq!(target.execute_sql(&format!("DELETE FROM {table}")).await, 0, "{table}");
    }
    import(&store, &text).await.unwrap();
}

async fn rejects_occupied_channels(fixture: Fixture) {
    let store = fixture.open().await;
    fill(&store).await;
    let (text, _) = export(&store).await;
    let target = fixture.another().await;
    let other = target.open().await;
    // A channel with a deleted map is occupied too, because its history would be lost.
    other.create(&key("tower"), act(9), None, &actor("bob")).await.unwrap();
    other.delete(&key("tower"), Revision(1), &actor("bob")).await.unwrap();
    let error = import(&other, &text).await.unwrap_err().to_string();
    let line = text
        .lines()
        .position(|line| line.starts_with("{\"entry\":{\"channel\":\"tower\""))
        .unwrap()
        + 1;
    assert_eq!(
        error,
        format!("line {line}: channel tower already has a map or a history; nothing was imported")
    );
    assert_eq!(other.list(Some(&guild()), None, 10).await.unwrap().items, []);
    assert_eq!(other.history(&key("act"), None, 10).await.unwrap().items, []);
    assert_eq!(
        target.execute_sql("DELETE FROM documents").await,
        1,
        "only the document that existed before"
    );
    // The writer still works.
    other.create(&key("act"), act(9), None, &actor("bob")).await.unwrap();
}

async fn exports_direct_messages_and_empty_guilds(fixture: Fixture) {
    let store = fixture.open().await;
    let (text, counts) = export(&store).await;
    assert_eq!((text.lines().count(), counts), (2, RecordCounts::default()));
    assert_eq!(import(&store, &text).await.unwrap(), counts);
    let key = ChannelKey::new(None, "dm").unwrap();
    let map = store.create(&key, act(1), None, &actor("ada")).await.unwrap();
    let mut out = Vec::new();
    assert_eq!(store.export(None, &mut out).await.unwrap().channels, 1);
    let error = store.import(Some(&guild()), &mut &out[..]).await.unwrap_err().to_string();
    assert!(error.starts_with("line 1: guild: the file belongs to direct messages"), "{error}");
    let empty = Fixture::sqlite().await;
    let fresh = empty.open().await;
    fresh.import(None, &mut &out[..]).await.unwrap();
    assert_eq!(fresh.get(&key).await.unwrap(), Some(map));
}
