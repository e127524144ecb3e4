//! Kill -9 in the middle of thousands of writes: nothing that was acknowledged is lost, and no map is half there.
//!
//! A child process, which is this very test binary, plays on many channels and prints each change that the store acknowledged. It
//! is killed by SIGKILL at some moment, several times over; then everything it printed must be in the database. For PostgreSQL
//! the server is killed as well, with all its backends.

use crate::bed::{first_move, key, who};
use crate::cluster::{self, Cluster};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use wayforge::{Family, Seed};
use wayforge_store::{NewMap, Revision, Store, StoredMap};

const ADDRESS: &str = "WAYFORGE_STORE_CHILD";
const CHANNELS: u64 = 24;
const ROUNDS: u64 = 6;

/// What a child was told: by channel and revision, digest and progress.
type Acknowledged = BTreeMap<(u64, u64), (String, String)>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_loses_nothing() {
    let folder = cluster::folder();
    let address = cluster::file_address(folder.path());
    let mut acknowledged = Acknowledged::new();
    for round in 0..ROUNDS {
        let mut child = start(&address);
        listen(&mut child, 300 + round * 137, &mut acknowledged, |child| child.kill().unwrap());
        judge(&address, &acknowledged).await;
    }
    assert!(acknowledged.len() > 2000, "{}", acknowledged.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_loses_nothing() {
    let cluster = Cluster::start();
    let address = cluster.new_database().await;
    let mut acknowledged = Acknowledged::new();
    for round in 0..ROUNDS {
        let mut child = start(&address);
        let crash = round % 2 == 1;
        listen(&mut child, 300 + round * 137, &mut acknowledged, |child| match crash {
            // The server and its backends. Who was under way in the child is told of an error and stops; the others go on with
            // the recovered server, until the child is killed too.
            true => {
                cluster.crash_and_recover();
                std::thread::sleep(std::time::Duration::from_millis(200));
                child.kill().unwrap();
            }
            false => child.kill().unwrap(),
        });
        judge(&address, &acknowledged).await;
    }
    assert!(acknowledged.len() > 2000, "{}", acknowledged.len());
}

/// The child's side: started by the tests above, never by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the tests above start it as a process of its own"]
async fn child() {
    let address = std::env::var(ADDRESS).expect("started by a test");
    let store = wayforge_store::open(&address).await.unwrap();
    // The harness has begun a line of its own.
    println!();
    let games: Vec<_> =
        (0..CHANNELS).map(|channel| tokio::spawn(play(Arc::clone(&store), channel))).collect();
    for game in games {
        game.await.unwrap();
    }
}

/// Changes one channel until the database or the process ends, and tells what was acknowledged.
async fn play(store: Arc<Store>, channel: u64) {
    let (key, who) = (key(&format!("c{channel}")), who("child"));
    let new = |seed| NewMap::generate(Family::Act, br#"{"rows": 12}"#, Seed::new(seed)).unwrap();
    let mut map = match store.get(&key).await {
        Ok(Some(map)) => map,
        Ok(None) => match store.create(&key, new(channel), None, &who).await {
            Ok(map) => tell(channel, map),
            Err(_) => return,
        },
        Err(_) => return,
    };
    loop {
        let run = map.run().unwrap();
        let changed = match (map.revision.0 % 23, run.moves().first()) {
            (11, _) => store.create(&key, new(map.revision.0), Some(map.revision), &who).await,
            (17, _) => store.reseed(&key, map.revision, Seed::new(map.revision.0), &who).await,
            (5, _) => store.restore(&key, Some(map.revision), Revision(1 + map.revision.0 / 2), &who).await,
            (3, _) if run.undo().is_some() => store.undo(&key, map.revision, &who).await,
            (_, Some(_)) => store.advance(&key, map.revision, first_move(&map), &who).await,
            (_, None) => store.reset(&key, map.revision, &who).await,
        };
        match changed {
            Ok(after) => map = tell(channel, after),
            Err(_) => return,
        }
    }
}

fn tell(channel: u64, map: StoredMap) -> StoredMap {
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

/// Hears so many acknowledgements, strikes, and hears what was still said.
fn listen(child: &mut Child, enough: u64, acknowledged: &mut Acknowledged, strike: impl FnOnce(&mut Child)) {
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut strike = Some(strike);
    let (mut heard, mut line) = (0, String::new());
    loop {
        line.clear();
        let read = lines.read_line(&mut line).unwrap();
        // What has no end was not said.
        if read == 0 || !line.ends_with('\n') {
            break;
        }
        let words: Vec<&str> = line.trim_end().split(' ').collect();
        if let ["ack", channel, revision, digest, progress] = words[..] {
            let place = (channel.parse().unwrap(), revision.parse().unwrap());
            let told = acknowledged.insert(place, (digest.to_owned(), progress.to_owned()));
            assert_eq!(told, None, "a revision was acknowledged twice: {place:?}");
            heard += 1;
        }
        if heard == enough
            && let Some(strike) = strike.take()
        {
            strike(child);
        }
    }
    assert!(strike.is_none(), "the child ended by itself after {heard} acknowledgements");
    child.wait().unwrap();
}

async fn judge(address: &str, acknowledged: &Acknowledged) {
    let store = wayforge_store::open(address).await.unwrap();
    for channel in 0..CHANNELS {
        let key = key(&format!("c{channel}"));
        let told: Vec<_> = acknowledged.range((channel, 0)..=(channel, u64::MAX)).collect();
        // Whole: the document has its digest, the row its seal.
        let Some(map) = store.get(&key).await.unwrap() else {
            assert!(told.is_empty(), "channel {channel} is lost");
            continue;
        };
        assert_eq!(map.decode().unwrap().check_digest(), Ok(()));
        map.run().unwrap();
        let last = told.last().map_or(0, |((_, revision), _)| *revision);
        // Each round may leave one change that was made and not told any more.
        assert!(map.revision.0 >= last, "channel {channel}: {} is lost, {} is there", last, map.revision);
        assert!(map.revision.0 <= last + 1, "channel {channel}: {} was never asked for", map.revision);
        // History has every revision once, and tells what was acknowledged.
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
        assert_eq!(store.former(&key, map.revision).await.unwrap().progress, map.progress);
        for ((_, revision), (_, progress)) in told.iter().rev().take(6) {
            let former = store.former(&key, Revision(*revision)).await.unwrap();
            assert_eq!(former.progress.as_deref().unwrap_or("-"), progress);
        }
    }
    store.close().await;
}
