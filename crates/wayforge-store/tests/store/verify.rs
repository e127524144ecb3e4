//! Verification and backup of whole databases.

use crate::cluster::{self, both};
use crate::fixture::{Fixture, act, actor, first_move, key};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wayforge::{Family, Seed};
use wayforge_store::{
    Access, ChannelKey, Damage, NewMap, RecordCounts, Revision, Store, StoreError, VerifiedCounts,
};

both!(verifies_several_guilds, names_every_damaged_row, verifies_while_others_change_the_database);

/// Verifies a store. Returns the damaged rows as text.
async fn verify(store: &Store) -> (VerifiedCounts, Vec<String>) {
    let mut damage: Vec<Damage> = Vec::new();
    let counts = store.verify(&mut |row| damage.push(row)).await.unwrap();
    (counts, damage.iter().map(Damage::to_string).collect())
}

/// Fills two guilds and direct messages: 7 channels with 80 entries, 7 documents and a token.
async fn fill(store: &Arc<Store>) {
    let ada = actor("ada");
    for family in Family::ALL {
        let new = NewMap::generate(family, b"{}", Seed::new(7)).unwrap();
        store.create(&key(family.name()), new, None, &ada).await.unwrap();
    }
    // Checkpoints, an undo, and a map that no channel has any more.
    let mut map = store.get(&key("tower")).await.unwrap().unwrap();
    for _ in 0..35 {
        map = store.advance(&map.key, map.revision, first_move(&map), &ada).await.unwrap();
        map = store.undo(&map.key, map.revision, &ada).await.unwrap();
    }
    store.reseed(&map.key, map.revision, Seed::new(8), &ada).await.unwrap();
    store.create(&key("gone"), act(1), None, &ada).await.unwrap();
    store.delete(&key("gone"), Revision(1), &ada).await.unwrap();
    for guild in [Some("other"), None] {
        let key = ChannelKey::new(guild, "act").unwrap();
        store.create(&key, act(3), None, &ada).await.unwrap();
    }
    store.create_token("bot", None, Access::Read).await.unwrap();
}

async fn verifies_several_guilds(fixture: Fixture) {
    let store = fixture.open().await;
    assert_eq!(verify(&store).await, (VerifiedCounts::default(), vec![]));
    fill(&store).await;
    let records = RecordCounts { channels: 7, entries: 79, documents: 7 };
    let expected = VerifiedCounts { guilds: 2, records, tokens: 1 };
    assert_eq!(verify(&store).await, (expected, vec![]));
    // A store that has cached nothing reads the same.
    let other = fixture.open().await;
    assert_eq!(verify(&other).await, (expected, vec![]));
    store.close().await;
    other.close().await;
    assert!(matches!(store.verify(&mut |_| ()).await, Err(StoreError::Closed)));
}

async fn names_every_damaged_row(fixture: Fixture) {
    let store = fixture.open().await;
    fill(&store).await;
    let act = store.get(&key("act")).await.unwrap().unwrap();
    let digest = act.digest;
    let history = format!("the history is damaged, of the map {digest}");
    let set = |table: &str, change: &str, row: &str| {
        (format!("UPDATE {table} SET {change} WHERE {row}"), table.to_owned())
    };
    let one = "guild = 'guild' AND channel = 'act'";
    let tower = "guild = 'guild' AND channel = 'tower'";
    let is_sqlite = fixture.address.starts_with("sqlite:");
    let blob = |bytes: &str| {
        let hex = bytes.repeat(16);
        if is_sqlite { format!("x'{hex}'") } else { format!("'\\x{hex}'::bytea") }
    };
    for ((damage, table), expected) in [
        // The actor of one entry; the others are still checked.
        (
            set("history", "actor = 'eve'", &format!("{tower} AND revision IN (3, 40)")),
            vec!["guild/tower revision 3: the history is damaged", "guild/tower revision 40: the"],
        ),
        (set("history", "at = at + 1", one), vec![&*format!("guild/act revision 1: {history}")]),
        (
            set("history", &format!("checksum = {}", blob("00")), "guild = '' AND revision = 1"),
            vec!["@/act revision 1: the history is damaged"],
        ),
        (
            set("channels", "updated = updated + 1", one),
            vec![&*format!("guild/act: the progress is damaged, of the map {digest}")],
        ),
        (
            set("channels", "progress = replace(progress, 'null', '3')", "guild = 'other'"),
            vec!["other/act: the progress is damaged"],
        ),
        // The entries of the map stay valid.
        (
            set(
                "documents",
                "text = replace(text, '\"row\":3', '\"row\":4')",
                "seed = '7' AND \
                 algorithm LIKE 'act%'",
            ),
            vec![&*format!("documents: the document is damaged, of the map {digest}")],
        ),
        (
            set("documents", &format!("digest = {0}", blob("abcd")), "algorithm LIKE 'level%'"),
            vec![
                "documents: the document is damaged",
                "guild/level revision 1: the document is missing",
            ],
        ),
        (
            set("history", "channel = 'lost'", &format!("{tower} AND revision = 9")),
            vec!["guild/tower revision 9: ", "guild/lost: the history has no channel"],
        ),
        (
            set("history", "revision = 99", &format!("{tower} AND revision = 72")),
            vec!["guild/tower revision 72: ", "guild/tower revision 99: later than revision 72"],
        ),
        (
            set("history", "channel = 'lost'", &format!("{tower} AND revision < 5")),
            vec![
                "guild/tower revision 1: the history entries up to revision 4 are missing",
                "guild/lost: ",
            ],
        ),
        (
            set("channels", "guild = 'a/b'", "guild = 'other'"),
            vec!["a/b/act: guild = ", "other/act: the history has no channel"],
        ),
        (set("tokens", "access = 'admin'", "name = 'bot'"), vec!["tokens: a token is damaged"]),
    ] {
        fixture.execute_sql(&format!("CREATE TABLE backup AS SELECT * FROM {table}")).await;
        assert!(fixture.execute_sql(&damage).await > 0, "{damage}");
        for store in [&store, &fixture.open().await] {
            let (_, found) = verify(store).await;
            assert_eq!(found.len(), expected.len(), "{damage}: {found:#?}");
            for (found, expected) in found.iter().zip(&expected) {
                assert!(found.starts_with(expected), "{damage}: {found}\nexpected: {expected}");
            }
        }
        let restore = format!(
            "DELETE FROM {table}; INSERT INTO {table} SELECT * FROM backup; DROP TABLE backup"
        );
        fixture.execute_sql(&restore).await;
    }
    assert_eq!(verify(&store).await.1, [""; 0]);
}

/// Changes many channels until `stop` is set. Returns the last acknowledged revisions.
fn start_changes(
    store: &Arc<Store>,
    stop: &Arc<AtomicBool>,
) -> Vec<tokio::task::JoinHandle<(ChannelKey, Revision)>> {
    let change = |n: u64| {
        let (store, stop) = (Arc::clone(store), Arc::clone(stop));
        tokio::spawn(async move {
            let (key, ada) = (key(&n.to_string()), actor("ada"));
            let mut map = store.create(&key, act(n), None, &ada).await.unwrap();
            while !stop.load(Ordering::Relaxed) {
                map = store.advance(&key, map.revision, first_move(&map), &ada).await.unwrap();
                map = store.undo(&key, map.revision, &ada).await.unwrap();
                if map.revision.0 % 9 == 0 {
                    let seed = Seed::new(map.revision.0);
                    map = store.reseed(&key, map.revision, seed, &ada).await.unwrap();
                }
            }
            (key, map.revision)
        })
    };
    (0..8).map(change).collect()
}

async fn verifies_while_others_change_the_database(fixture: Fixture) {
    let (store, stop) = (fixture.open().await, Arc::new(AtomicBool::new(false)));
    let changes = start_changes(&store, &stop);
    let other = fixture.open().await;
    for _ in 0..20 {
        let (_, damage) = verify(&other).await;
        assert_eq!(damage, [""; 0]);
    }
    stop.store(true, Ordering::Relaxed);
    for change in changes {
        assert!(change.await.unwrap().1.0 > 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backup_contains_every_acknowledged_change() {
    let (fixture, folder) = (Fixture::sqlite().await, cluster::folder());
    let (store, stop) = (fixture.open().await, Arc::new(AtomicBool::new(false)));
    fill(&store).await;
    let changes = start_changes(&store, &stop);
    let mut copies = Vec::new();
    for n in 0..5 {
        // Each of these changes is acknowledged before the copy begins.
        let marker = store.create(&key(&format!("marker-{n}")), act(n), None, &actor("eve")).await;
        let path = folder.path().join(format!("{n}.db"));
        store.backup(&path).await.unwrap();
        copies.push((path, marker.unwrap()));
    }
    stop.store(true, Ordering::Relaxed);
    for change in changes {
        change.await.unwrap();
    }
    for (path, marker) in &copies {
        let mode = std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
        let copy = wayforge_store::open(&format!("sqlite:{}", path.display())).await.unwrap();
        let (counts, damage) = verify(&copy).await;
        assert_eq!((damage, counts.guilds, counts.tokens), (vec![], 2, 1));
        assert_eq!(copy.get(&marker.key).await.unwrap().as_ref(), Some(marker));
        copy.close().await;
    }
    // Existing files are not replaced, and failed copies leave none.
    let before = std::fs::read(&copies[0].0).unwrap();
    assert!(matches!(store.backup(&copies[0].0).await, Err(StoreError::Io(_))));
    assert!(std::fs::read(&copies[0].0).unwrap() == before);
    assert!(store.backup(Path::new("/no/such/folder/copy.db")).await.is_err());
    store.close().await;
    let path = folder.path().join("closed.db");
    assert!(matches!(store.backup(&path).await, Err(StoreError::Closed)));
    assert!(!path.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_is_copied_by_its_own_program() {
    let store = Fixture::postgres().await.open().await;
    let error = store.backup(Path::new("copy.db")).await.unwrap_err().to_string();
    assert!(error.contains("pg_dump") && !Path::new("copy.db").exists(), "{error}");
}

/// Damage of the file itself, below the rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_damaged_pages_of_a_file() {
    let fixture = Fixture::sqlite().await;
    let store = fixture.open().await;
    fill(&store).await;
    store.close().await;
    let path = fixture.address.strip_prefix("sqlite:").unwrap();
    let mut bytes = std::fs::read(path).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 4096].fill(0xa5);
    std::fs::write(path, bytes).unwrap();
    let store = fixture.open().await;
    let (_, damage) = verify(&store).await;
    assert!(damage.iter().any(|row| row.starts_with("database: ")), "{damage:#?}");
}
