//! One piece of work alone, for profilers and instruction counts:
//! `valgrind --tool=callgrind target/release/examples/ways graph giantworldmap`, after
//! `CARGO_PROFILE_RELEASE_DEBUG=1 cargo build --release -p wayforge-benches --example ways`.
//!
//! `prepare` makes a navigator with everything, `bfs`, `wave`, `jump`, `graph` and `pieces` ask all queries of a file once
//! (`ways graph world p2p` for four neighbours), `craters` edits and asks.

use std::env;
use wayforge::MapRng;
use wayforge::nav::{Method, Moves, Navigator, Options, Prepare, Query, Way};
use wayforge_benches::nav::{Clock, crater, openfront, queries};

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let word = |at: usize, standard: &'static str| words.get(at).map_or(standard, String::as_str).to_owned();
    let (work, map, file) = (word(0, "graph"), word(1, "giantworldmap"), word(2, "multi"));
    let rounds: u32 = word(3, "1").parse().unwrap_or(1);
    let Some(water) = openfront(&map) else { return println!("{map}: not there") };
    let moves = if file == "p2p" { Moves::Four } else { Moves::Eight };
    let asked: Vec<Query> = queries(&format!("openfront/{map}.{file}"), &water)
        .into_iter()
        .map(|(query, _)| query.moves(moves).method(work.parse().unwrap_or(Method::Auto)))
        .collect();
    let prepare = match work.as_str() {
        "prepare" | "graph" | "craters" => Prepare::Full,
        "pieces" => Prepare::Coarse,
        _ => Prepare::None,
    };
    let clock = Clock::start();
    let options = Options { prepare, moves, ..Options::default() };
    let mut navigator = Navigator::with(&water, options).expect("standard options");
    println!("prepared in {:.1} ms", clock.seconds() * 1e3);
    let mut path = Way::default();
    let mut visited = 0;
    let mut rng = MapRng::from_u64(6);
    let clock = Clock::start();
    for round in 0..rounds {
        for (i, query) in asked.iter().enumerate().filter(|_| work != "prepare") {
            if work == "craters" {
                let changes = crater(&mut rng, &water, query, i % 2 == 0);
                navigator.edit(&changes).expect("tiles of the grid");
            }
            // Of many craters some fill an end of a query.
            let found = navigator.find_into(query, &mut path).is_ok();
            visited += if found { path.counts.visited } else { 0 };
        }
        println!("round {round}: {:.2} ms, {visited} visited in all", clock.seconds() * 1e3);
    }
}
