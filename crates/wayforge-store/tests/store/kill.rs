//! Kills the process with SIGKILL during thousands of writes: no acknowledged change is lost, and
//! no map is incomplete.
//!
//! A child process, which is this test binary, plays on many channels and prints each change that
//! the store acknowledged. It is killed several times at arbitrary moments; everything that it
//! printed must then be in the database. For PostgreSQL the server is killed as well, with all its
//! backends.

use crate::cluster::{self, Cluster};
use crate::fixture::{actor, first_move, key};
use sqlx::{ConnectOptions, Connection, postgres::PgConnectOptions};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use wayforge::{Family, Seed};
use wayforge_store::{NewMap, Revision, Store, StoredMap};

/// Environment variable with the database address of the child process.
const ADDRESS: &str = "WAYFORGE_STORE_CHILD";
const CHANNELS: u64 = 24;
const ROUNDS: u64 = 6;

/// Acknowledged changes: digest and progress by channel and revision.
type Acknowledged = BTreeMap<(u64, u64), (String, String)>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_keeps_every_acknowledged_change() {
    let folder = cluster::folder();
    let address = cluster::file_address(folder.path());
    let mut acknowledged = Acknowledged::new();
    for round in 0..ROUNDS {
        let mut child = start(&address);
        listen(&mut child, 300 + round * 137, &mut acknowledged, |child| child.kill().unwrap());
        verify(&address, &acknowledged).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_keeps_every_acknowledged_change() {
    let cluster = Cluster::start();
    let address = cluster.new_database().await;
    let mut acknowledged = Acknowledged::new();
    for round in 0..ROUNDS {
        let mut child = start(&address);
        let crash = round % 2 == 1;
        listen(&mut child, 300 + round * 137, &mut acknowledged, |child| {
            if crash {
                // Kills the server and its backends. Pending changes of the child fail; its other
                // channels continue with the recovered server, until the child is killed too.
                cluster.crash_and_recover();
                std::thread::sleep(std::time::Duration::from_millis(200));
            }
            child.kill().unwrap();
        });
        wait_for_backends(&address).await;
        verify(&address, &acknowledged).await;
    }
}

/// Waits until the backends of a killed client have ended. Until then they may still commit.
async fn wait_for_backends(address: &str) {
    let options: PgConnectOptions = address.parse().unwrap();
    let mut connection = options.connect().await.unwrap();
    let others = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    for attempt in 0.. {
        let count: i64 = sqlx::query_scalar(others).fetch_one(&mut connection).await.unwrap();
        if count == 0 {
            break;
        }
        assert!(attempt < 300, "{count} backends of the killed client are still connected");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    connection.close().await.unwrap();
}

/// The child process, started only by the tests above.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "started as a child process by the tests above"]
async fn child() {
    let address = std::env::var(ADDRESS).expect("started by a test");
    let store = wayforge_store::open(&address).await.unwrap();
    // The test harness has printed an incomplete line.
    println!();
    let games: Vec<_> =
        (0..CHANNELS).map(|channel| tokio::spawn(play(Arc::clone(&store), channel))).collect();
    for game in games {
        game.await.unwrap();
    }
}

/// Changes one channel until the database fails or the process is killed, and prints every
/// acknowledged change.
async fn play(store: Arc<Store>, channel: u64) {
    let (key, actor) = (key(&format!("c{channel}")), actor("child"));
    let new = |seed| NewMap::generate(Family::Act, br#"{"rows": 12}"#, Seed::new(seed)).unwrap();
    let mut map = match store.get(&key).await {
        Ok(Some(map)) => map,
        Ok(None) => match store.create(&key, new(channel), None, &actor).await {
            Ok(map) => acknowledge(channel, map),
            Err(_) => return,
        },
        Err(_) => return,
    };
    loop {
        let run = map.run().unwrap();
        let changed = match (map.revision.0 % 23, run.moves().first()) {
            (11, _) => store.create(&key, new(map.revision.0), Some(map.revision), &actor).await,
            (17, _) => store.reseed(&key, map.revision, Seed::new(map.revision.0), &actor).await,
            (5, _) => {
                store
                    .restore(&key, Some(map.revision), Revision(1 + map.revision.0 / 2), &actor)
                    .await
            }
            (3, _) if run.undo().is_some() => store.undo(&key, map.revision, &actor).await,
            (_, Some(_)) => store.advance(&key, map.revision, first_move(&map), &actor).await,
            (_, None) => store.reset(&key, map.revision, &actor).await,
        };
        match changed {
            Ok(after) => map = acknowledge(channel, after),
            Err(_) => return,
        }
    }
}

fn acknowledge(channel: u64, map: StoredMap) -> StoredMap {
    let progress = map.progress.as_deref().unwrap_or("-");
    let line = format!("ack {channel} {} {} {progress}\n", map.revision, map.digest);
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes()).unwrap();
    out.flush().unwrap();
    map
}

fn start(address: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["kill::child", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env(ADDRESS, address)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Reads acknowledgements, calls `kill` after `count` of them, and reads the remaining output.
fn listen(
    child: &mut Child,
    count: u64,
    acknowledged: &mut Acknowledged,
    kill: impl FnOnce(&mut Child),
) {
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut kill = Some(kill);
    let (mut received, mut line) = (0, String::new());
    loop {
        line.clear();
        let read = lines.read_line(&mut line).unwrap();
        // An incomplete line was not acknowledged.
        if read == 0 || !line.ends_with('\n') {
            break;
        }
        let fields: Vec<&str> = line.trim_end().split(' ').collect();
        if let ["ack", channel, revision, digest, progress] = fields[..] {
            let key = (channel.parse().unwrap(), revision.parse().unwrap());
            let previous = acknowledged.insert(key, (digest.to_owned(), progress.to_owned()));
            assert_eq!(previous, None, "a revision was acknowledged twice: {key:?}");
            received += 1;
        }
        if received == count
            && let Some(kill) = kill.take()
        {
            kill(child);
        }
    }
    assert!(kill.is_none(), "the child exited after {received} acknowledgements");
    child.wait().unwrap();
}

async fn verify(address: &str, acknowledged: &Acknowledged) {
    let store = wayforge_store::open(address).await.unwrap();
    for channel in 0..CHANNELS {
        let key = key(&format!("c{channel}"));
        let expected: Vec<_> = acknowledged.range((channel, 0)..=(channel, u64::MAX)).collect();
        // `get` verifies the digest of the document and the checksum of the row.
        let Some(map) = store.get(&key).await.unwrap() else {
            assert!(expected.is_empty(), "channel {channel} is lost");
            continue;
        };
        assert_eq!(map.decode().unwrap().check_digest(), Ok(()));
        map.run().unwrap();
        let last = expected.last().map_or(0, |((_, revision), _)| *revision);
        // Each round may leave one change that was committed but not acknowledged.
        assert!(
            map.revision.0 >= last,
            "channel {channel}: revision {} is lost, the store has {}",
            last,
            map.revision
        );
        assert!(
            map.revision.0 <= last + 1,
            "channel {channel}: revision {} was never requested",
            map.revision
        );
        // The history has every revision once and matches the acknowledgements.
        let mut before = None;
        let mut next = map.revision.0;
        loop {
            let page = store.history(&key, before, 1000).await.unwrap();
            for entry in page.items {
                assert_eq!(entry.revision.0, next);
                if let Some((digest, _)) = acknowledged.get(&(channel, next)) {
                    assert_eq!(entry.map.unwrap().digest.to_string(), *digest);
                }
                next -= 1;
            }
            before = page.next;
            if before.is_none() {
                break;
            }
        }
        assert_eq!(next, 0);
        assert_eq!(store.map_at(&key, map.revision).await.unwrap().progress, map.progress);
        for ((_, revision), (_, progress)) in expected.iter().rev().take(6) {
            let earlier = store.map_at(&key, Revision(*revision)).await.unwrap();
            assert_eq!(earlier.progress.as_deref().unwrap_or("-"), progress);
        }
    }
    store.close().await;
}
