//! Rolling restart: two servers on one PostgreSQL database are restarted in turn under load, and no
//! request fails.

use super::cluster;
use super::http::{Response, Server, read};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Number of clients; each has its own channel.
const CLIENTS: usize = 8;
/// Number of restarts of each server.
const ROUNDS: usize = 2;
/// Maximum time in which a request finds a server.
const PATIENCE: Duration = Duration::from_secs(5);

/// Numbers of requests and events of all clients.
#[derive(Default)]
struct Counts {
    requests: AtomicUsize,
    moves: AtomicUsize,
    /// Responses that announced the end of their connection.
    announced: AtomicUsize,
    rejected: AtomicUsize,
}

/// A client that behaves like a load balancer: it keeps one connection open, and takes the other
/// server if a connection is rejected or its end is announced.
struct Balancer<'a> {
    addresses: &'a [String; 2],
    /// Index of the current server.
    server: usize,
    connection: Option<BufReader<TcpStream>>,
    counts: &'a Counts,
}

impl Balancer<'_> {
    /// Sends a request, which must get a response.
    fn send(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Response {
        let mut stream = match self.connection.take() {
            Some(stream) => stream,
            None => self.connect(),
        };
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{kind}{headers}\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let response = stream.get_mut().write_all(request.as_bytes());
        let response = response.and_then(|()| read(&mut stream));
        let response =
            response.unwrap_or_else(|error| panic!("{method} {path}: no response: {error}"));
        self.counts.requests.fetch_add(1, Ordering::Relaxed);
        if response.closes {
            self.counts.announced.fetch_add(1, Ordering::Relaxed);
            self.server = 1 - self.server;
        } else {
            self.connection = Some(stream);
        }
        response
    }

    /// Connects to a server that accepts connections.
    fn connect(&mut self) -> BufReader<TcpStream> {
        let start = Instant::now();
        loop {
            match TcpStream::connect(&self.addresses[self.server]) {
                Ok(stream) => {
                    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
                    stream.set_nodelay(true).unwrap();
                    return BufReader::new(stream);
                }
                Err(error) => {
                    // Nothing was sent.
                    assert!(start.elapsed() < PATIENCE, "no server: {error}");
                    self.counts.rejected.fetch_add(1, Ordering::Relaxed);
                    self.server = 1 - self.server;
                    thread::sleep(Duration::from_millis(1));
                }
            }
        }
    }
}

/// Plays in a channel until `stop` is set. Returns the acknowledged changes in order: the revision
/// after each, and the move, or `None` for another change.
fn play(balancer: &mut Balancer<'_>, path: &str, stop: &AtomicBool) -> Vec<(u64, Option<String>)> {
    let mut acknowledged = Vec::new();
    let mut current = balancer.send("POST", path, "", r#"{"family":"act","seed":1}"#);
    assert_eq!(current.status, 201, "{}", current.body);
    acknowledged.push((1, None));
    while !stop.load(Ordering::Relaxed) {
        let found = balancer.send("GET", path, "", "");
        assert_eq!(found.status, 200, "{}", found.body);
        assert_eq!(found.json(), current.json(), "both servers return the latest revision");
        let picture = balancer.send("GET", "/v1/act?seed=7", "", "");
        assert_eq!(picture.status, 200, "{}", picture.body);
        let tag = format!("If-Match: {}\r\n", current.tag);
        let step = match &current.json()["party"]["moves"][0] {
            Value::String(step) => Some(step.clone()),
            _ => None,
        };
        current = match &step {
            Some(step) => {
                let body = json!({ "move": step }).to_string();
                balancer.send("POST", &format!("{path}/move"), &tag, &body)
            }
            None => balancer.send("POST", &format!("{path}/reset"), &tag, ""),
        };
        assert_eq!(current.status, 200, "{}", current.body);
        acknowledged.push((current.json()["revision"].as_u64().unwrap(), step));
        balancer.counts.moves.fetch_add(1, Ordering::Relaxed);
        // Constant load, not as much as possible.
        thread::sleep(Duration::from_millis(5));
    }
    acknowledged
}

#[test]
fn rolling_restart_fails_no_request() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(cluster::shared().new_database());
    let start = || Server::start("127.0.0.1", &database, &[]);
    let servers = [start(), start()];
    let addresses = [servers[0].address.clone(), servers[1].address.clone()];
    let servers = servers.map(|server| Mutex::new(Some(server)));
    let (counts, stop) = (Counts::default(), AtomicBool::new(false));
    let played: Vec<_> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|n| {
                let (addresses, counts, stop) = (&addresses, &counts, &stop);
                scope.spawn(move || {
                    let server = n % 2;
                    let mut balancer = Balancer { addresses, server, connection: None, counts };
                    let path = format!("/v1/guilds/g/channels/c{n}/map");
                    let acknowledged = play(&mut balancer, &path, stop);
                    (path, acknowledged)
                })
            })
            .collect();
        let restart = |index: usize| {
            wait_for_moves(&counts, 50, || clients.iter().any(|client| client.is_finished()));
            let server = servers[index].lock().unwrap().take().unwrap();
            server.signal("-TERM");
            let (code, log) = server.wait();
            assert_eq!(code, Some(0), "{log}");
            let server = Server::start_at(&addresses[index], &database, &[]);
            assert_eq!(server.send("GET", "/readyz", "", "").unwrap().status, 200);
            *servers[index].lock().unwrap() = Some(server);
        };
        // Sets `stop` also if a restart fails, so that the clients end.
        let restarted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            (0..2 * ROUNDS).for_each(|turn| restart(turn % 2));
        }));
        stop.store(true, Ordering::Relaxed);
        let played: Vec<_> = clients.into_iter().map(|client| client.join()).collect();
        let played = played.into_iter().map(|played| played.expect("no request fails")).collect();
        restarted.expect("both servers restart");
        played
    });
    let server = servers[0].lock().unwrap().take().unwrap();
    for (path, acknowledged) in played {
        let history = super::postgres_failover::history(&server, &path);
        assert_eq!(history.len(), acknowledged.len(), "{path}: no change is missing or repeated");
        for (revision, step) in acknowledged {
            let (event, detail) = &history[&revision];
            match step {
                Some(step) => assert_eq!((event.as_str(), detail), ("move", &Some(step))),
                None => assert_ne!(event, "move", "{path} revision {revision}"),
            }
        }
    }
    let announced = counts.announced.load(Ordering::Relaxed);
    assert!(announced >= 2 * ROUNDS, "clients used every restarted server: {announced}");
    println!(
        "{} requests, {} changes, {announced} connections announced as closing, {} rejected",
        counts.requests.load(Ordering::Relaxed),
        counts.moves.load(Ordering::Relaxed),
        counts.rejected.load(Ordering::Relaxed)
    );
}

/// Waits for further moves of the clients, which shows that they are served.
fn wait_for_moves(counts: &Counts, moves: usize, has_failed: impl Fn() -> bool) {
    let (start, before) = (Instant::now(), counts.moves.load(Ordering::Relaxed));
    while counts.moves.load(Ordering::Relaxed) < before + moves {
        assert!(!has_failed(), "a client ended");
        assert!(start.elapsed() < Duration::from_secs(20), "the clients are not served");
        thread::sleep(Duration::from_millis(10));
    }
}
