//! Tests two servers on one PostgreSQL database: one is killed under load without losing an
//! acknowledged move.

use super::cluster;
use super::http::{Server, send};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Acknowledged changes by revision: event and detail.
pub(crate) type Acknowledged = BTreeMap<u64, (String, Option<String>)>;

#[test]
fn killed_server_loses_no_acknowledged_move() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(cluster::shared().new_database());
    let (victim, other) =
        (Server::start("127.0.0.1", &database, &[]), Server::start("127.0.0.1", &database, &[]));
    let addresses = [victim.address.clone(), other.address.clone()];
    let (is_killed, stop, count) =
        (AtomicBool::new(false), AtomicBool::new(false), AtomicU64::new(0));
    // Six channels with two clients each, which alternate between the servers.
    let known: Vec<(String, Acknowledged)> = thread::scope(|scope| {
        let clients: Vec<_> = (0..12_u64)
            .map(|n| {
                let (addresses, is_killed, stop, count) = (&addresses, &is_killed, &stop, &count);
                scope.spawn(move || {
                    let path = format!("/v1/guilds/g/channels/c{}/map", n % 6);
                    let mut known = Acknowledged::new();
                    for turn in n.. {
                        if stop.load(Ordering::Relaxed) {
                            break;
                        }
                        let server =
                            if is_killed.load(Ordering::Relaxed) { 1 } else { (turn % 2) as usize };
                        // A request to the killed server may or may not have been executed.
                        if let Ok(Some((revision, change))) = play(&addresses[server], &path, n) {
                            known.insert(revision, change);
                            count.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                    (path, known)
                })
            })
            .collect();
        let wait_for = |changes: u64| {
            let before = count.load(Ordering::Relaxed);
            for _ in 0..1200 {
                if count.load(Ordering::Relaxed) >= before + changes {
                    return;
                }
                thread::sleep(Duration::from_millis(50));
            }
            panic!("only {} changes", count.load(Ordering::Relaxed) - before);
        };
        wait_for(300);
        victim.signal("-KILL");
        is_killed.store(true, Ordering::Relaxed);
        wait_for(300);
        stop.store(true, Ordering::Relaxed);
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    let mut checked = 0;
    for (path, known) in known {
        let recorded = history(&other, &path);
        for (revision, change) in known {
            assert_eq!(recorded.get(&revision), Some(&change), "{path} revision {revision}");
            checked += 1;
        }
        assert_eq!(
            recorded.len() as u64,
            *recorded.keys().next_back().unwrap(),
            "no revision is missing"
        );
    }
    assert!(checked >= 600, "{checked}");
    let (code, _) = victim.wait();
    assert_eq!(code, None, "killed by a signal");
}

/// A revision with its event and detail.
type Change = (u64, (String, Option<String>));

/// Changes a channel's map: creates it, moves, or resets it at the end. Returns the change if it
/// was acknowledged.
fn play(address: &str, path: &str, n: u64) -> std::io::Result<Option<Change>> {
    let found = send(address, "GET", path, "", "")?;
    let (event, detail, response) = match found.status {
        200 => {
            let tag = format!("If-Match: {}\r\n", found.tag);
            match found.json()["party"]["moves"]
                .as_array()
                .and_then(|moves| moves.get(n as usize % moves.len().max(1)))
            {
                Some(Value::String(step)) => {
                    let body = json!({ "move": step }).to_string();
                    (
                        "move",
                        Some(step.clone()),
                        send(address, "POST", &format!("{path}/move"), &tag, &body)?,
                    )
                }
                _ => ("reset", None, send(address, "POST", &format!("{path}/reset"), &tag, "")?),
            }
        }
        404 => ("create", None, send(address, "POST", path, "", r#"{"family":"act","seed":1}"#)?),
        other => panic!("{other}: {}", found.body),
    };
    match response.status {
        200 | 201 => {
            Ok(Some((response.json()["revision"].as_u64().unwrap(), (event.to_owned(), detail))))
        }
        // Revision conflict: the other client was first.
        412 => {
            assert!(response.json()["current"]["revision"].is_u64(), "{}", response.body);
            Ok(None)
        }
        other => panic!("{event}: {other}: {}", response.body),
    }
}

/// Returns the history of a channel by revision.
pub(crate) fn history(server: &Server, path: &str) -> Acknowledged {
    let (mut all, mut next) = (Acknowledged::new(), None::<u64>);
    loop {
        let before = next.map(|before| format!("&before={before}")).unwrap_or_default();
        let page = server
            .send("GET", &format!("{path}/history?limit=1000{before}"), "", "")
            .unwrap()
            .json();
        for entry in page["entries"].as_array().unwrap() {
            let event = &entry["event"];
            let detail = event["detail"].as_str().map(str::to_owned);
            let change = (event["name"].as_str().unwrap().to_owned(), detail);
            all.insert(entry["revision"].as_u64().unwrap(), change);
        }
        next = page["next"].as_u64();
        if next.is_none() {
            return all;
        }
    }
}
