//! A single pathfinding task for profilers and instruction counts:
//! `paths [TASK] [MAP] [FILE] [ROUNDS]`.
//!
//! ```text
//! CARGO_PROFILE_RELEASE_DEBUG=1 cargo build --release -p wayforge-benches --example paths
//! valgrind --tool=callgrind target/release/examples/paths jps-graph giantworldmap
//! ```
//!
//! TASK is `preprocessing` (builds a fully preprocessed navigator), the name of a search method
//! (runs all queries of a file), or `edits` (opens or blocks a disc before each query). FILE is
//! `multi` (eight neighbours) or `p2p` (four neighbours).

use std::env;
use wayforge::MapRng;
use wayforge::nav::{Connectivity, Method, Navigator, Options, Path, Preprocessing, Query};
use wayforge_benches::nav::{CpuClock, openfront, random_disc, read_queries};

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let arg = |index: usize, default: &'static str| {
        args.get(index).map_or(default, String::as_str).to_owned()
    };
    let (task, map, file) = (arg(0, "jps-graph"), arg(1, "giantworldmap"), arg(2, "multi"));
    let rounds: u32 = arg(3, "1").parse().unwrap_or(1);
    let Some(grid) = openfront(&map) else { return println!("{map}: not available") };
    let connectivity = if file == "p2p" { Connectivity::Four } else { Connectivity::Eight };
    let queries: Vec<Query> = read_queries(&format!("openfront/{map}.{file}"), &grid)
        .into_iter()
        .map(|(query, _)| {
            query.connectivity(connectivity).method(task.parse().unwrap_or(Method::Auto))
        })
        .collect();
    let preprocessing = match task.as_str() {
        "preprocessing" | "jps-graph" | "edits" => Preprocessing::Full,
        "components" => Preprocessing::Coarse,
        _ => Preprocessing::None,
    };
    let clock = CpuClock::start();
    let options = Options { preprocessing, connectivity, ..Options::default() };
    let mut navigator = Navigator::with_options(&grid, options).expect("default options");
    println!("preprocessing: {:.1} ms", clock.seconds() * 1e3);
    let mut path = Path::default();
    let mut visited = 0;
    let mut rng = MapRng::from_u64(6);
    let clock = CpuClock::start();
    for round in 0..rounds {
        for (i, query) in queries.iter().enumerate().filter(|_| task != "preprocessing") {
            if task == "edits" {
                let changes = random_disc(&mut rng, &grid, query, i % 2 == 0);
                navigator.edit(&changes).expect("tiles of the grid");
            }
            // Earlier edits may have blocked an end of the query.
            let found = navigator.find_into(query, &mut path).is_ok();
            visited += if found { path.stats.visited } else { 0 };
        }
        println!("round {round}: {:.2} ms, {visited} visited in total", clock.seconds() * 1e3);
    }
}
