//! Pathfinding on real maps: `cargo bench -p wayforge-benches --bench nav`.
//!
//! Prints the speed-up of each method over breadth-first search in the same run. Every method runs
//! every query three times, the fastest methods nine times, and reports the minimum. Mask methods
//! and cold runs are timed once. Times are CPU time.
//!
//! Maps are read from `../shared/data` or from the directory in `WAYFORGE_DATA`.
//! `MAPS=world,TheFrozenSea` selects maps. `PARTS=edits,octile` selects parts, from `multi`, `p2p`,
//! `edits` and `octile`. `cargo test` runs every part once on a small generated map.

use wayforge::MapRng;
use wayforge::nav::{
    Connectivity, Method, Metric, NavGrid, Navigator, Options, Path, Preprocessing, Query,
};
use wayforge_benches::nav::{
    BenchmarkQuery, CpuClock, movingai, movingai_names, openfront, random_disc, read_queries,
    small_archipelago,
};

/// A method with its navigator and measurements.
struct Runner {
    name: &'static str,
    method: Method,
    navigator: Navigator,
    preprocessing_seconds: f64,
    /// Time of each query in seconds.
    times: Vec<f64>,
    visited: u64,
    fallbacks: u32,
    /// Excess length of each path, relative to the shortest.
    excess: Vec<f64>,
}

fn main() {
    if !std::env::args().any(|arg| arg == "--bench") {
        let (grid, queries) = small_archipelago();
        compare("small archipelago", "multi", Connectivity::Eight, &grid, &queries);
        compare("small archipelago", "p2p", Connectivity::Four, &grid, &queries);
        edits("small archipelago", &grid, &queries, 10);
        octile("small archipelago", &grid, &queries);
        return;
    }
    let variable = |name: &str| std::env::var(name).ok();
    let contains = |list: &Option<String>, name: &str| {
        list.as_ref().is_none_or(|list| list.split(',').any(|word| word == name))
    };
    let (maps, parts) = (variable("MAPS"), variable("PARTS"));
    let (is_map_selected, is_part_selected) =
        (|name: &str| contains(&maps, name), |name: &str| contains(&parts, name));
    let names = ["giantworldmap", "world", "northwestpassage", "labyrinth"];
    for name in names.into_iter().filter(|name| is_map_selected(name)) {
        let Some(grid) = openfront(name) else {
            println!("{name}: not available, skipped");
            continue;
        };
        if is_part_selected("multi") {
            compare(
                name,
                "multi",
                Connectivity::Eight,
                &grid,
                &read_queries(&format!("openfront/{name}.multi"), &grid),
            );
        }
        if is_part_selected("p2p") {
            compare(
                name,
                "p2p",
                Connectivity::Four,
                &grid,
                &read_queries(&format!("openfront/{name}.p2p"), &grid),
            );
        }
        if is_part_selected("edits") {
            edits(name, &grid, &read_queries(&format!("openfront/{name}.multi"), &grid), 300);
        }
    }
    for name in movingai_names()
        .into_iter()
        .filter(|name| is_map_selected(name) && is_part_selected("octile"))
    {
        if let Some(grid) = movingai(&format!("{name}.map")) {
            octile(&name, &grid, &read_queries(&format!("movingai/{name}.map.scen"), &grid));
        }
    }
}

/// Compares all methods on one file of queries.
fn compare(
    map: &str,
    file: &str,
    connectivity: Connectivity,
    grid: &NavGrid,
    queries: &[BenchmarkQuery],
) {
    let queries: Vec<Query> =
        queries.iter().map(|(query, _)| query.clone().connectivity(connectivity)).collect();
    let methods: [(&'static str, Method, Preprocessing); 9] = [
        ("bfs", Method::Bfs, Preprocessing::None),
        ("bidirectional", Method::Bidirectional, Preprocessing::None),
        ("jps, cold", Method::Jps, Preprocessing::None),
        ("jps, warm", Method::Jps, Preprocessing::None),
        ("jps-graph", Method::JpsGraph, Preprocessing::Full),
        ("mask-f2", Method::MaskF2, Preprocessing::None),
        ("mask-optimal", Method::MaskOptimal, Preprocessing::None),
        ("restart", Method::Restart, Preprocessing::None),
        ("components", Method::Components, Preprocessing::Coarse),
    ];
    let mut runners: Vec<Runner> = methods
        .into_iter()
        .map(|(name, method, preprocessing)| {
            let clock = CpuClock::start();
            let options = Options { preprocessing, connectivity, ..Options::default() };
            let navigator = Navigator::with_options(grid, options).expect("default options");
            let preprocessing_seconds = clock.seconds();
            Runner {
                name,
                method,
                navigator,
                preprocessing_seconds,
                times: vec![],
                visited: 0,
                fallbacks: 0,
                excess: vec![],
            }
        })
        .collect();
    let mut path = Path::default();
    for query in &queries {
        let mut best = 0;
        for runner in &mut runners {
            let query = query.clone().method(runner.method);
            let is_mask =
                matches!(runner.method, Method::MaskF2 | Method::MaskOptimal | Method::Restart);
            let mut best_time = f64::MAX;
            // Queries that take microseconds run more often: they are most sensitive to a shared
            // cache.
            let rounds = match runner.name {
                "jps, cold" => 1,
                "jps-graph" | "jps, warm" => 9,
                _ if is_mask => 1,
                _ => 3,
            };
            for _ in 0..rounds {
                let clock = CpuClock::start();
                let found = runner.navigator.find_into(&query, &mut path).expect("valid query");
                best_time = best_time.min(clock.seconds());
                assert!(found, "every query of these files has a path");
            }
            runner.times.push(best_time);
            runner.visited += path.stats.visited;
            runner.fallbacks += u32::from(path.stats.fallback);
            if runner.name == "bfs" {
                best = path.steps();
            }
            runner.excess.push(f64::from(path.steps() - best) / f64::from(best.max(1)));
        }
    }
    let bfs_total: f64 = runners[0].times.iter().sum();
    println!("\n{map}.{file}, {connectivity:?}: {} queries, bfs {:.0} M tiles/s", queries.len(), {
        runners[0].visited as f64 / bfs_total / 1e6
    });
    println!(
        "method              x bfs   total ms   median     p95   preprocessing ms   excess % mean, \
         worst  fallbacks"
    );
    for runner in &mut runners {
        let total: f64 = runner.times.iter().sum();
        let (median, p95) = percentiles(&mut runner.times);
        let mean = runner.excess.iter().sum::<f64>() / runner.excess.len() as f64;
        let worst = runner.excess.iter().fold(0.0, |a: f64, &b| a.max(b));
        println!(
            "{:16} {:8.2} {:10.2} {:8.3} {:7.3} {:12.1} {:12.4} {:8.3} {:10}",
            runner.name,
            bfs_total / total,
            total * 1e3,
            median * 1e3,
            p95 * 1e3,
            runner.preprocessing_seconds * 1e3,
            mean * 100.0,
            worst * 100.0,
            runner.fallbacks,
        );
    }
    let bytes =
        runners.iter().map(|runner| runner.navigator.preprocessing_bytes()).max().unwrap_or(0);
    println!("successor lists and landmarks: {:.1} MB", bytes as f64 / 1e6);
}

/// Measures edits that open and block a disc of radius 6 in turn, each followed by a query.
///
/// Three navigators do the same work; the minimum is reported.
fn edits(map: &str, grid: &NavGrid, queries: &[BenchmarkQuery], count: usize) {
    let navigator = Navigator::new(grid, Preprocessing::Full);
    let mut navigators = [navigator.clone(), navigator.clone(), navigator];
    let mut rng = MapRng::from_u64(6);
    let (mut edit_times, mut with_repair, mut query_times) = (Vec::new(), Vec::new(), Vec::new());
    let mut path = Path::default();
    for i in 0..count {
        let (query, _) = &queries[i % queries.len()];
        let changes = random_disc(&mut rng, grid, query, i % 2 == 0);
        let mut best = [f64::MAX; 3];
        for navigator in &mut navigators {
            // Runs the query before the edit, so that the difference is due to the edit alone.
            let _ = navigator.find_into(query, &mut path);
            let clock = CpuClock::start();
            navigator.edit(&changes).expect("tiles of the grid");
            best[0] = best[0].min(clock.seconds());
            // The first run after the edit repairs successor lists; later runs reuse them.
            let mut time_query = || {
                let clock = CpuClock::start();
                // An earlier edit may have blocked an end of the query.
                navigator.find_into(query, &mut path).map_or(0.0, |_| clock.seconds())
            };
            best[1] = best[1].min(time_query());
            best[2] = best[2].min(time_query()).min(time_query());
        }
        let [edit, first, second] = best;
        edit_times.push(edit);
        with_repair.push(edit + (first - second).max(0.0));
        query_times.push(second);
    }
    let (median, p95) = percentiles(&mut edit_times);
    let (median_with_repair, p95_with_repair) = percentiles(&mut with_repair);
    let (median_query, p95_query) = percentiles(&mut query_times);
    println!(
        "{map}, disc of radius 6: edit {:.3} ms, p95 {:.3}; with the repairs of the next query \
         {:.3}, p95 {:.3}; that query {:.3}, p95 {:.3}",
        median * 1e3,
        p95 * 1e3,
        median_with_repair * 1e3,
        p95_with_repair * 1e3,
        median_query * 1e3,
        p95_query * 1e3,
    );
}

/// Measures octile paths and compares their lengths with those in the scenario file.
fn octile(map: &str, grid: &NavGrid, queries: &[BenchmarkQuery]) {
    let clock = CpuClock::start();
    let options = Options {
        preprocessing: Preprocessing::Full,
        metric: Metric::Octile,
        ..Options::default()
    };
    let mut navigator = Navigator::with_options(grid, options).expect("default options");
    let preprocessing_seconds = clock.seconds();
    let mut path = Path::default();
    let (mut times, mut worst) = (Vec::new(), 0.0_f64);
    for (query, expected) in queries {
        let query = query.clone().metric(Metric::Octile);
        let mut best_time = f64::MAX;
        for _ in 0..3 {
            let clock = CpuClock::start();
            assert!(navigator.find_into(&query, &mut path).expect("valid query"));
            best_time = best_time.min(clock.seconds());
        }
        times.push(best_time);
        worst = worst.max((path.length(Metric::Octile) - expected.unwrap_or(0.0)).abs());
    }
    let (median, p95) = percentiles(&mut times);
    println!(
        "{map}: {} problems, median {:.1} us, p95 {:.1} us, preprocessing {:.1} ms, \
         largest deviation from the expected length {worst:.4}",
        queries.len(),
        median * 1e6,
        p95 * 1e6,
        preprocessing_seconds * 1e3,
    );
}

/// Returns the median and the 95th percentile.
fn percentiles(times: &mut [f64]) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 95 / 100])
}
