//! Load generator for a running service:
//! `load ADDRESS SCENARIO [--connections N] [--seconds S] [--rate R]`.
//!
//! Scenarios: `act` (act maps as JSON, a new seed each), `png` and `night` (act maps as PNG, in
//! two themes), `level` (levels as PNG), `scene` (act maps with pictures for the studio), `moves`
//! (every connection plays a map in its own channel to the boss, then restarts), `history` (the
//! history of such a channel), `export` (a guild with one such channel), `invalid` (requests that
//! must get a status of 400 to 499), `slow` (reads 12 bytes of a response of megabytes, waits for
//! five seconds and disconnects).
//!
//! Without `--rate`, a connection sends its next request after each response. With `--rate`,
//! requests follow a schedule and latency counts from the scheduled time, which avoids coordinated
//! omission. The environment variable WAYFORGE_TOKEN sets a token.

use std::io::{BufRead, BufReader, Error, Read, Write};
use std::net::TcpStream;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const SCENARIOS: [&str; 10] =
    ["act", "png", "night", "level", "scene", "moves", "history", "export", "invalid", "slow"];

/// Invalid requests: method, path and body.
const INVALID: [(&str, &str, &str); 6] = [
    ("GET", "/v1/act?seed=1&nonsense=1", ""),
    ("GET", "/v1/nothing", ""),
    ("GET", "/v1/guilds/load/channels/nothing/map", ""),
    ("POST", "/v1/act", "{\"seed\":"),
    ("POST", "/v1/act", "{\"config\":{\"ruleset\":\"walks\",\"rows\":0}}"),
    ("POST", "/v1/level", "{\"config\":{\"width\":100000,\"height\":100000}}"),
];

/// Time that a slow reader waits.
const SLOW: Duration = Duration::from_secs(5);

struct Options {
    address: String,
    scenario: String,
    connections: u64,
    seconds: u64,
    rate: u64,
    token: Option<String>,
    /// Distinguishes the channels of this run from those of others.
    run_id: u128,
}

fn main() -> ExitCode {
    let Some(options) = parse_options() else {
        eprintln!(
            "load ADDRESS {} [--connections N] [--seconds S] [--rate R]",
            SCENARIOS.join("|")
        );
        return ExitCode::from(2);
    };
    let options = Arc::new(options);
    let failures = Arc::new(AtomicU64::new(0));
    let start = Instant::now();
    let threads: Vec<_> = (0..options.connections)
        .map(|n| {
            let (options, failures) = (Arc::clone(&options), Arc::clone(&failures));
            thread::spawn(move || {
                let mut times = Vec::new();
                if let Err(error) = work(&options, n, start, &mut times) {
                    failures.fetch_add(1, Ordering::Relaxed);
                    eprintln!("connection {n}: {error}");
                }
                times
            })
        })
        .collect();
    let mut times: Vec<u32> =
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect();
    let elapsed = start.elapsed().as_secs_f64();
    times.sort_unstable();
    let percentile = |share: f64| {
        times.get((times.len() as f64 * share) as usize).copied().unwrap_or(0) as f64 / 1000.0
    };
    println!(
        "{}: {:.0} per second ({} in {elapsed:.1} s over {} connections), p50 {:.2} ms, \
         p90 {:.2} ms, p99 {:.2} ms, max {:.2} ms, {} failures",
        options.scenario,
        times.len() as f64 / elapsed,
        times.len(),
        options.connections,
        percentile(0.5),
        percentile(0.9),
        percentile(0.99),
        f64::from(times.last().copied().unwrap_or(0)) / 1000.0,
        failures.load(Ordering::Relaxed)
    );
    if failures.load(Ordering::Relaxed) == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parse_options() -> Option<Options> {
    let mut args = std::env::args().skip(1);
    let (address, scenario) = (args.next()?, args.next()?);
    let run_id =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?.as_millis();
    let token = std::env::var("WAYFORGE_TOKEN").ok();
    let mut options =
        Options { address, scenario, connections: 16, seconds: 10, rate: 0, token, run_id };
    while let Some(option) = args.next() {
        let value = args.next()?.parse().ok()?;
        match option.as_str() {
            "--connections" => options.connections = value,
            "--seconds" => options.seconds = value,
            "--rate" => options.rate = value,
            _ => return None,
        }
    }
    SCENARIOS.contains(&options.scenario.as_str()).then_some(options)
}

/// Sends requests on one connection until the time is up; appends latencies in microseconds.
fn work(options: &Options, n: u64, start: Instant, times: &mut Vec<u32>) -> Result<(), Error> {
    let mut connection = Connection::open(options)?;
    // An export contains only the channel of its connection.
    let guild = match options.scenario.as_str() {
        "export" => format!("/v1/guilds/load-{}-{n}", options.run_id),
        _ => "/v1/guilds/load".to_owned(),
    };
    let channel = format!("{guild}/channels/{}-{n}/map", options.run_id);
    let mut game = match options.scenario.as_str() {
        "moves" | "history" | "export" => {
            let body = format!("{{\"family\":\"act\",\"seed\":{n}}}");
            Some(connection.send("POST", &channel, "", &body)?)
        }
        _ => None,
    };
    if let (Some(game), "history" | "export") = (&mut game, options.scenario.as_str()) {
        for _ in 0..50 {
            *game = play(&mut connection, &channel, game)?;
        }
    }
    let end = start + Duration::from_secs(options.seconds);
    let interval = options.connections.saturating_mul(1_000_000_000).checked_div(options.rate);
    for count in 0_u64.. {
        // Connections start at different times within one interval.
        let due = interval.map(|interval| {
            start + Duration::from_nanos(interval * count + interval / options.connections * n)
        });
        if let Some(due) = due {
            thread::sleep(due.saturating_duration_since(Instant::now()));
        }
        let sent = due.unwrap_or_else(Instant::now);
        if Instant::now() >= end {
            break;
        }
        let seed = n * 1_000_000_000 + count;
        match (options.scenario.as_str(), &mut game) {
            ("moves", Some(game)) => *game = play(&mut connection, &channel, game)?,
            ("history", _) => {
                connection.send("GET", &format!("{channel}/history"), "", "").map(drop)?;
            }
            ("export", _) => {
                connection.send("GET", &format!("{guild}/export"), "", "").map(drop)?;
            }
            ("scene", _) => {
                let body = format!("{{\"seed\":{seed}}}");
                connection.send("POST", "/v1/scene/act", "", &body).map(drop)?;
            }
            ("invalid", _) => {
                let (method, path, body) = INVALID[(count % INVALID.len() as u64) as usize];
                let response = connection.request(method, path, "", body)?;
                if !response.status.starts_with('4') {
                    return Err(response.unexpected(method, path));
                }
            }
            ("slow", _) => {
                times.push(read_slowly(options, seed)?);
                continue;
            }
            (scenario, _) => {
                let path = match scenario {
                    "png" => "/v1/act.png?theme=parchment&seed=",
                    "night" => "/v1/act.png?theme=night&seed=",
                    "level" => "/v1/level.png?seed=",
                    _ => "/v1/act?seed=",
                };
                connection.send("GET", &format!("{path}{seed}"), "", "")?;
            }
        }
        times.push(u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX));
    }
    Ok(())
}

/// Moves in a stored map, or restarts it at the boss. Returns the map.
fn play(connection: &mut Connection, channel: &str, map: &Response) -> Result<Response, Error> {
    let if_match = format!("If-Match: {}\r\n", map.etag);
    match first_move(&map.body) {
        Some(step) => {
            let body = format!("{{\"move\":\"{step}\"}}");
            connection.send("POST", &format!("{channel}/move"), &if_match, &body)
        }
        None => connection.send("POST", &format!("{channel}/reset"), &if_match, ""),
    }
}

/// Reads the status of a response of megabytes, waits and disconnects. Returns the latency of the
/// status in microseconds.
fn read_slowly(options: &Options, seed: u64) -> Result<u32, Error> {
    let sent = Instant::now();
    let mut connection = Connection::open(options)?;
    let body = format!("{{\"seed\":{seed},\"config\":{{\"rows\":256,\"cols\":64,\"walks\":64}}}}");
    connection.write("POST", "/v1/scene/act", "", &body)?;
    let mut start = [0; 12];
    connection.stream.get_mut().read_exact(&mut start)?;
    if start != *b"HTTP/1.1 200" {
        let start = String::from_utf8_lossy(&start);
        return Err(Error::other(format!("POST /v1/scene/act: {start}")));
    }
    let latency = u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX);
    thread::sleep(SLOW);
    Ok(latency)
}

/// Returns the first legal move of a stored map.
fn first_move(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let (_, rest) = text.split_once("\"moves\":[\"")?;
    rest.split_once('"').map(|(step, _)| step.to_owned())
}

/// HTTP connection that sends one request at a time.
struct Connection {
    stream: BufReader<TcpStream>,
    head: String,
}

struct Response {
    status: String,
    etag: String,
    body: Vec<u8>,
}

impl Response {
    /// Returns the error for an unexpected status.
    fn unexpected(&self, method: &str, path: &str) -> Error {
        let body = String::from_utf8_lossy(&self.body);
        Error::other(format!("{method} {path}: {} {body}", self.status))
    }
}

impl Connection {
    fn open(options: &Options) -> Result<Connection, Error> {
        let stream = TcpStream::connect(&options.address)?;
        stream.set_nodelay(true)?;
        let mut head = format!("Host: {}\r\n", options.address);
        if let Some(token) = &options.token {
            head += &format!("Authorization: Bearer {token}\r\n");
        }
        Ok(Connection { stream: BufReader::with_capacity(64 << 10, stream), head })
    }

    /// Sends a request, which must succeed.
    fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Response, Error> {
        let response = self.request(method, path, headers, body)?;
        if response.status.starts_with('2') {
            return Ok(response);
        }
        Err(response.unexpected(method, path))
    }

    /// Sends a request and reads its response.
    fn request(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Response, Error> {
        self.write(method, path, headers, body)?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let (mut length, mut is_chunked, mut etag) = (0, false, String::new());
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap_or(0),
                "transfer-encoding" => is_chunked = value.trim() == "chunked",
                "etag" => etag = value.trim().to_owned(),
                _ => {}
            }
        }
        let mut body = Vec::new();
        loop {
            if is_chunked {
                line.clear();
                self.stream.read_line(&mut line)?;
                length = usize::from_str_radix(line.trim(), 16).map_err(Error::other)?;
            }
            let start = body.len();
            body.resize(start + length, 0);
            self.stream.read_exact(&mut body[start..])?;
            if is_chunked {
                self.stream.read_line(&mut line)?;
            }
            if !is_chunked || length == 0 {
                return Ok(Response { status, etag, body });
            }
        }
    }

    /// Writes a request.
    fn write(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Result<(), Error> {
        let content_type = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let head = &self.head;
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{head}{content_type}{headers}\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())
    }
}
