//! Load generator for a running service:
//! `load ADDRESS SCENARIO [--connections N] [--seconds S] [--rate R]`.
//!
//! Scenarios: `act` (act maps as JSON, a new seed each), `png` and `night` (act maps as PNG, in
//! two themes), `level` (levels as PNG), `moves` (every connection plays a map in its own channel
//! to the boss, then restarts).
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
            "load ADDRESS act|png|night|level|moves [--connections N] [--seconds S] [--rate R]"
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
    ["act", "png", "night", "level", "moves"]
        .contains(&options.scenario.as_str())
        .then_some(options)
}

/// Sends requests on one connection until the time is up; appends latencies in microseconds.
fn work(options: &Options, n: u64, start: Instant, times: &mut Vec<u32>) -> Result<(), Error> {
    let mut connection = Connection::open(options)?;
    let channel = format!("/v1/guilds/load/channels/{}-{n}/map", options.run_id);
    let mut game = match options.scenario.as_str() {
        "moves" => Some(connection.send(
            "POST",
            &channel,
            "",
            &format!("{{\"family\":\"act\",\"seed\":{n}}}"),
        )?),
        _ => None,
    };
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
        match &mut game {
            Some(game) => {
                let if_match = format!("If-Match: {}\r\n", game.etag);
                *game = match first_move(&game.body) {
                    Some(step) => connection.send(
                        "POST",
                        &format!("{channel}/move"),
                        &if_match,
                        &format!("{{\"move\":\"{step}\"}}"),
                    )?,
                    None => connection.send("POST", &format!("{channel}/reset"), &if_match, "")?,
                };
            }
            None => {
                let seed = n * 1_000_000_000 + count;
                let path = match options.scenario.as_str() {
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
    etag: String,
    body: Vec<u8>,
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

    fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Response, Error> {
        let content_type = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let head = &self.head;
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{head}{content_type}{headers}\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let (mut length, mut etag) = (0, String::new());
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap_or(0),
                "etag" => etag = value.trim().to_owned(),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        if status.starts_with('2') {
            return Ok(Response { etag, body });
        }
        let body = String::from_utf8_lossy(&body);
        Err(Error::other(format!("{method} {path}: {status} {body}")))
    }
}
