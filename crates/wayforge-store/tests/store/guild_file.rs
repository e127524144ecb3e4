//! A guild as JSON lines: out, and in again; strictly, and all or nothing.

use crate::bed::{Bed, act, both, first_move, key, who};
use std::sync::Arc;
use wayforge::{Family, Seed};
use wayforge_store::{ChannelKey, Id, NewMap, Revision, Store, StoreError, Tally};

both!(
    what_goes_out_comes_in,
    damaged_files_are_refused,
    occupied_channels_are_refused,
    direct_messages_and_nothing
);

fn guild() -> Id {
    "guild".parse().unwrap()
}

/// A guild with all that can happen in one.
async fn fill(store: &Arc<Store>) {
    let ada = who("ada \"quoted\" \u{1f5fa}");
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
    store.create(&ChannelKey::new(Some("other"), "act").unwrap(), act(3), None, &ada).await.unwrap();
}

async fn export(store: &Arc<Store>) -> (String, Tally) {
    let mut out = Vec::new();
    let tally = store.export(Some(&guild()), &mut out).await.unwrap();
    (String::from_utf8(out).unwrap(), tally)
}

async fn import(store: &Arc<Store>, text: &str) -> Result<Tally, StoreError> {
    store.import(Some(&guild()), &mut text.as_bytes()).await
}

async fn what_goes_out_comes_in(bed: Bed) {
    let store = bed.open().await;
    fill(&store).await;
    let (text, tally) = export(&store).await;
    assert_eq!(tally.channels, 5);
    assert_eq!(tally.documents, 9, "two of each family, and the one that is gone");
    assert_eq!(text.lines().count() as u64, 2 + tally.channels + tally.entries + tally.documents);
    // Into a database of the other kind and one of the same kind.
    for other in [Bed::sqlite().await, Bed::postgres().await] {
        let target = other.open().await;
        assert_eq!(import(&target, &text).await.unwrap(), tally);
        assert_eq!(export(&target).await.0, text, "the same bytes");
        for family in Family::ALL {
            let key = key(family.name());
            let (here, there) = (store.get(&key).await.unwrap(), target.get(&key).await.unwrap());
            assert!(here.is_some() && here == there);
            let (here, there) = (store.history(&key, None, 100).await, target.history(&key, None, 100).await);
            assert_eq!(here.unwrap(), there.unwrap());
            let (here, there) =
                (store.former(&key, Revision(2)).await, target.former(&key, Revision(2)).await);
            assert_eq!(here.unwrap(), there.unwrap());
        }
        assert_eq!(target.get(&key("gone")).await.unwrap(), None);
        assert_eq!(target.list(Some(&"other".parse().unwrap()), None, 10).await.unwrap().items, []);
        // And it goes on from there.
        let map = target.get(&key("act")).await.unwrap().unwrap();
        target.advance(&key("act"), map.revision, first_move(&map), &who("bob")).await.unwrap();
    }
}

async fn damaged_files_are_refused(bed: Bed) {
    let source = bed.open().await;
    fill(&source).await;
    let (text, _) = export(&source).await;
    let target = match bed.address.starts_with("sqlite:") {
        true => Bed::sqlite().await,
        false => Bed::postgres().await,
    };
    let store = target.open().await;
    let lines: Vec<&str> = text.lines().collect();
    let at = |part: &str| lines.iter().position(|line| line.contains(part)).unwrap();
    let (document, moved) = (at("{\"document\""), at("\"event\":\"move\""));
    let closed = lines.iter().position(|line| line.starts_with("{\"channel\"")).unwrap();
    let checkpoint = lines.iter().position(|line| line.contains("\"revision\":32,")).unwrap();
    let replaced = |line: usize, from: &str, to: &str| {
        let mut lines: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        let changed = lines[line].replace(from, to);
        assert_ne!(changed, lines[line], "{from} stands on line {}", line + 1);
        lines[line] = changed;
        (line, lines.join("\n") + "\n")
    };
    let without = |line: usize| {
        let kept = lines.iter().enumerate().filter(|(i, _)| *i != line).map(|(_, line)| *line);
        kept.collect::<Vec<_>>().join("\n")
    };
    let first_col = lines[moved].split("\"detail\":\"").nth(1).unwrap().split(',').next().unwrap();
    for ((line, file), problem) in [
        (replaced(0, "guild/1", "guild/2"), "format: \"wayforge-guild/2\" is unknown"),
        (
            replaced(0, "\"guild\":\"guild\"", "\"guild\":\"other\""),
            "guild: the file is of other, the import is for guild",
        ),
        (replaced(0, "}", ",\"x\":1}"), "x: unknown field"),
        (replaced(document, "\"row\":3", "\"row\":4"), "document: digest: the document says"),
        (replaced(document, "act.walks/1", "chess/1"), "document: algorithm: \"chess/1\" is unknown"),
        (
            replaced(moved, &format!("\"{first_col},0\""), "\"6666,0\""),
            "entry.did: Node 6666,0 is not a legal move",
        ),
        (replaced(moved, "\"revision\":2,", "\"revision\":3,"), "entry.revision: 3 should be 2"),
        (replaced(moved, "ada", "\\n"), "entry.actor: actor = "),
        (replaced(moved, "\"at\":\"20", "\"at\":\"19"), "entry.at: "),
        (replaced(checkpoint, "\"progress\"", "\"progres\""), "progres"),
        (replaced(checkpoint, "\"fog\":null", "\"fog\":1"), "entry.progress: should be"),
        (replaced(closed, "\"revision\":", "\"revision\":1"), "channel.revision: is not what the history"),
        (
            replaced(closed, "\"updated\":\"20", "\"updated\":\"21"),
            "channel.updated: is not what the history",
        ),
        (replaced(lines.len() - 1, "\"channels\":5", "\"channels\":6"), "end: there were 5 channels"),
        ((document, without(document)), "entry.map: no document sha256:"),
        ((moved, without(moved)), "entry.revision: 3 should be 2"),
        ((lines.len() - 2, without(lines.len() - 1)), "the file ends early"),
        ((lines.len(), format!("{text}{{}}\n")), "nothing may follow the end"),
        ((2, text.replacen('\n', "\n\n", 2)), "document: "),
        ((0, String::new()), "the file ends early"),
    ] {
        let refused = import(&store, &file).await.unwrap_err().to_string();
        let number = match file.is_empty() {
            true => 0,
            false => line + 1,
        };
        let place = format!("line {number}: ");
        // A blank line shifts what follows it.
        let blank = file.contains("\n\n");
        assert!(refused.starts_with(&place) || blank, "{refused}\nshould be of line {number}: {problem}");
        assert!(refused.contains(problem), "{refused}\nshould say: {problem}");
        assert!(refused.ends_with("nothing was imported"), "{refused}");
    }
    let refused = store.import(Some(&guild()), &mut &b"\xff\n"[..]).await.unwrap_err().to_string();
    assert_eq!(refused, "line 1: not UTF-8; nothing was imported");
    // Nothing at all came in.
    for table in ["documents", "channels", "history"] {
        assert_eq!(target.meddle(&format!("DELETE FROM {table}")).await, 0, "{table}");
    }
    import(&store, &text).await.unwrap();
}

async fn occupied_channels_are_refused(bed: Bed) {
    let store = bed.open().await;
    fill(&store).await;
    let (text, _) = export(&store).await;
    let target = match bed.address.starts_with("sqlite:") {
        true => Bed::sqlite().await,
        false => Bed::postgres().await,
    };
    let other = target.open().await;
    // Even if its map was deleted: its history would be lost.
    other.create(&key("tower"), act(9), None, &who("bob")).await.unwrap();
    other.delete(&key("tower"), Revision(1), &who("bob")).await.unwrap();
    let refused = import(&other, &text).await.unwrap_err().to_string();
    let line =
        text.lines().position(|line| line.starts_with("{\"entry\":{\"channel\":\"tower\"")).unwrap() + 1;
    assert_eq!(
        refused,
        format!("line {line}: channel tower has a map or a history already; nothing was imported")
    );
    assert_eq!(other.list(Some(&guild()), None, 10).await.unwrap().items, []);
    assert_eq!(other.history(&key("act"), None, 10).await.unwrap().items, []);
    assert_eq!(target.meddle("DELETE FROM documents").await, 1, "only the one that was there");
    // The writer goes on.
    other.create(&key("act"), act(9), None, &who("bob")).await.unwrap();
}

async fn direct_messages_and_nothing(bed: Bed) {
    let store = bed.open().await;
    let (text, tally) = export(&store).await;
    assert_eq!((text.lines().count(), tally), (2, Tally::default()));
    assert_eq!(import(&store, &text).await.unwrap(), tally);
    let key = ChannelKey::new(None, "dm").unwrap();
    let map = store.create(&key, act(1), None, &who("ada")).await.unwrap();
    let mut out = Vec::new();
    assert_eq!(store.export(None, &mut out).await.unwrap().channels, 1);
    let refused = store.import(Some(&guild()), &mut &out[..]).await.unwrap_err().to_string();
    assert!(refused.starts_with("line 1: guild: the file is of direct messages"), "{refused}");
    let fresh = Bed::sqlite().await.open().await;
    fresh.import(None, &mut &out[..]).await.unwrap();
    assert_eq!(fresh.get(&key).await.unwrap(), Some(map));
}
