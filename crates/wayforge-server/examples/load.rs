//! Load on a running service: `load ADDRESS WHAT [--connections N] [--seconds S] [--rate R]`.
//!
//! WHAT is `act` (stateless act maps as JSON, every seed new), `png` and `night` (pictures of them, in two themes), `level` (pictures of levels) or `moves` (every connection plays a map in a
//! channel of its own, from new to the boss and again). Without `--rate` every connection asks as soon as it is answered. With it
//! requests leave by the clock, and a request that has to wait for the one before it counts from when it should have left: a server
//! that stalls cannot hide it. A token stands in WAYFORGE_TOKEN.

use std::io::{BufRead, BufReader, Error, Read, Write};
use std::net::TcpStream;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

struct Plan {
    address: String,
    what: String,
    connections: u64,
    seconds: u64,
    rate: u64,
    token: Option<String>,
    /// Tells the channels of one run from those of another.
    run: u128,
}

fn main() -> ExitCode {
    let Some(plan) = read_plan() else {
        eprintln!("load ADDRESS act|png|night|level|moves [--connections N] [--seconds S] [--rate R]");
        return ExitCode::from(2);
    };
    let plan = Arc::new(plan);
    let faults = Arc::new(AtomicU64::new(0));
    let start = Instant::now();
    let threads: Vec<_> = (0..plan.connections)
        .map(|n| {
            let (plan, faults) = (Arc::clone(&plan), Arc::clone(&faults));
            thread::spawn(move || {
                let mut times = Vec::new();
                if let Err(error) = work(&plan, n, start, &mut times) {
                    faults.fetch_add(1, Ordering::Relaxed);
                    eprintln!("connection {n}: {error}");
                }
                times
            })
        })
        .collect();
    let mut times: Vec<u32> =
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect();
    let took = start.elapsed().as_secs_f64();
    times.sort_unstable();
    let at =
        |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(0) as f64 / 1000.0;
    println!(
        "{}: {:.0} a second ({} in {took:.1} s over {} connections), p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms, most {:.2} ms, {} faults",
        plan.what,
        times.len() as f64 / took,
        times.len(),
        plan.connections,
        at(0.5),
        at(0.9),
        at(0.99),
        f64::from(times.last().copied().unwrap_or(0)) / 1000.0,
        faults.load(Ordering::Relaxed)
    );
    if faults.load(Ordering::Relaxed) == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn read_plan() -> Option<Plan> {
    let mut words = std::env::args().skip(1);
    let (address, what) = (words.next()?, words.next()?);
    let run = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?.as_millis();
    let token = std::env::var("WAYFORGE_TOKEN").ok();
    let mut plan = Plan { address, what, connections: 16, seconds: 10, rate: 0, token, run };
    while let Some(option) = words.next() {
        let value = words.next()?.parse().ok()?;
        match option.as_str() {
            "--connections" => plan.connections = value,
            "--seconds" => plan.seconds = value,
            "--rate" => plan.rate = value,
            _ => return None,
        }
    }
    ["act", "png", "night", "level", "moves"].contains(&plan.what.as_str()).then_some(plan)
}

/// One connection's requests until the time is over; `times` gets what each took, in microseconds.
fn work(plan: &Plan, n: u64, start: Instant, times: &mut Vec<u32>) -> Result<(), Error> {
    let mut link = Link::open(plan)?;
    let channel = format!("/v1/guilds/load/channels/{}-{n}/map", plan.run);
    let mut game = match plan.what.as_str() {
        "moves" => Some(link.ask("POST", &channel, "", &format!("{{\"family\":\"act\",\"seed\":{n}}}"))?),
        _ => None,
    };
    let end = start + Duration::from_secs(plan.seconds);
    let pause = plan.connections.saturating_mul(1_000_000_000).checked_div(plan.rate);
    for count in 0_u64.. {
        // Connections start spread over one pause.
        let due =
            pause.map(|pause| start + Duration::from_nanos(pause * count + pause / plan.connections * n));
        if let Some(due) = due {
            thread::sleep(due.saturating_duration_since(Instant::now()));
        }
        let sent = due.unwrap_or_else(Instant::now);
        if Instant::now() >= end {
            break;
        }
        match &mut game {
            Some(game) => {
                let tag = format!("If-Match: {}\r\n", game.tag);
                *game = match first_move(&game.body) {
                    Some(step) => link.ask(
                        "POST",
                        &format!("{channel}/move"),
                        &tag,
                        &format!("{{\"move\":\"{step}\"}}"),
                    )?,
                    None => link.ask("POST", &format!("{channel}/reset"), &tag, "")?,
                };
            }
            None => {
                let seed = n * 1_000_000_000 + count;
                let path = match plan.what.as_str() {
                    "png" => "/v1/act.png?theme=parchment&seed=",
                    "night" => "/v1/act.png?theme=night&seed=",
                    "level" => "/v1/level.png?seed=",
                    _ => "/v1/act?seed=",
                };
                link.ask("GET", &format!("{path}{seed}"), "", "")?;
            }
        }
        times.push(u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX));
    }
    Ok(())
}

/// The first legal move of a kept map.
fn first_move(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let (_, rest) = text.split_once("\"moves\":[\"")?;
    rest.split_once('"').map(|(step, _)| step.to_owned())
}

/// A connection that asks one thing after another.
struct Link {
    stream: BufReader<TcpStream>,
    head: String,
}

struct Answer {
    tag: String,
    body: Vec<u8>,
}

impl Link {
    fn open(plan: &Plan) -> Result<Link, Error> {
        let stream = TcpStream::connect(&plan.address)?;
        stream.set_nodelay(true)?;
        let mut head = format!("Host: {}\r\n", plan.address);
        if let Some(token) = &plan.token {
            head += &format!("Authorization: Bearer {token}\r\n");
        }
        Ok(Link { stream: BufReader::with_capacity(64 << 10, stream), head })
    }

    fn ask(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Result<Answer, Error> {
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let head = &self.head;
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{head}{kind}{headers}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let (mut length, mut tag) = (0, String::new());
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap_or(0),
                "etag" => tag = value.trim().to_owned(),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        match status.starts_with('2') {
            true => Ok(Answer { tag, body }),
            false => {
                Err(Error::other(format!("{method} {path}: {status} {}", String::from_utf8_lossy(&body))))
            }
        }
    }
}
