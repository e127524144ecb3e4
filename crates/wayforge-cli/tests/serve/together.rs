//! Several servers on one PostgreSQL: one is killed under load, and every acknowledged move is there.

use crate::cluster;
use crate::http::{Server, ask};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// What one client knows to have happened: the change that led to each revision.
type Acknowledged = BTreeMap<u64, (String, Option<String>)>;

#[test]
fn a_killed_server_takes_no_acknowledged_move_with_it() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(cluster::shared().new_database());
    let (doomed, other) =
        (Server::start("127.0.0.1", &database, &[]), Server::start("127.0.0.1", &database, &[]));
    let addresses = [doomed.address.clone(), other.address.clone()];
    let (dead, stop, count) = (AtomicBool::new(false), AtomicBool::new(false), AtomicU64::new(0));
    // Six channels, two clients on each, which begin on different servers and take turns.
    let known: Vec<(String, Acknowledged)> = thread::scope(|scope| {
        let clients: Vec<_> = (0..12_u64)
            .map(|n| {
                let (addresses, dead, stop, count) = (&addresses, &dead, &stop, &count);
                scope.spawn(move || {
                    let path = format!("/v1/guilds/g/channels/c{}/map", n % 6);
                    let mut known = Acknowledged::new();
                    for turn in n.. {
                        if stop.load(Ordering::Relaxed) {
                            break;
                        }
                        let at = if dead.load(Ordering::Relaxed) { 1 } else { (turn % 2) as usize };
                        // A server that was just killed answers nothing, and what it was asked for may or may not have been done.
                        if let Ok(Some((revision, what))) = play(&addresses[at], &path, n) {
                            known.insert(revision, what);
                            count.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                    (path, known)
                })
            })
            .collect();
        let wait_for = |wanted: u64| {
            let before = count.load(Ordering::Relaxed);
            for _ in 0..1200 {
                if count.load(Ordering::Relaxed) >= before + wanted {
                    return;
                }
                thread::sleep(Duration::from_millis(50));
            }
            panic!("only {} changes", count.load(Ordering::Relaxed) - before);
        };
        wait_for(300);
        doomed.signal("-KILL");
        dead.store(true, Ordering::Relaxed);
        wait_for(300);
        stop.store(true, Ordering::Relaxed);
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    let mut checked = 0;
    for (path, known) in known {
        let happened = history(&other, &path);
        for (revision, what) in known {
            assert_eq!(happened.get(&revision), Some(&what), "{path} revision {revision}");
            checked += 1;
        }
        assert_eq!(happened.len() as u64, *happened.keys().next_back().unwrap(), "no revision is missing");
    }
    assert!(checked >= 600, "{checked}");
    let (code, _) = doomed.wait();
    assert_eq!(code, None, "it was killed");
}

/// A revision, and what it was.
type Change = (u64, (String, Option<String>));

/// One change of a channel's map: creates it, moves, or resets it at the end. What was acknowledged, if anything was.
fn play(address: &str, path: &str, n: u64) -> std::io::Result<Option<Change>> {
    let found = ask(address, "GET", path, "", "")?;
    let (event, detail, answer) = match found.status {
        200 => {
            let tag = format!("If-Match: {}\r\n", found.tag);
            match found.json()["party"]["moves"]
                .as_array()
                .and_then(|moves| moves.get(n as usize % moves.len().max(1)))
            {
                Some(Value::String(step)) => {
                    let body = json!({ "move": step }).to_string();
                    ("move", Some(step.clone()), ask(address, "POST", &format!("{path}/move"), &tag, &body)?)
                }
                _ => ("reset", None, ask(address, "POST", &format!("{path}/reset"), &tag, "")?),
            }
        }
        404 => ("create", None, ask(address, "POST", path, "", r#"{"family":"act","seed":1}"#)?),
        other => panic!("{other}: {}", found.body),
    };
    match answer.status {
        200 | 201 => Ok(Some((answer.json()["revision"].as_u64().unwrap(), (event.to_owned(), detail)))),
        // The other client was first, and this one is told.
        412 => {
            assert!(answer.json()["current"]["revision"].is_u64(), "{}", answer.body);
            Ok(None)
        }
        other => panic!("{event}: {other}: {}", answer.body),
    }
}

/// All that happened in a channel, by revision.
fn history(server: &Server, path: &str) -> Acknowledged {
    let (mut all, mut next) = (Acknowledged::new(), None::<u64>);
    loop {
        let before = next.map(|before| format!("&before={before}")).unwrap_or_default();
        let page = server.ask("GET", &format!("{path}/history?limit=1000{before}"), "", "").unwrap().json();
        for entry in page["entries"].as_array().unwrap() {
            let what =
                (entry["event"].as_str().unwrap().to_owned(), entry["detail"].as_str().map(str::to_owned));
            all.insert(entry["revision"].as_u64().unwrap(), what);
        }
        next = page["next"].as_u64();
        if next.is_none() {
            return all;
        }
    }
}
