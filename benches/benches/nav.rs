//! Pathfinding on real maps: `cargo bench -p wayforge-benches --bench nav`.
//!
//! Ratios to plain breadth-first search in one run. Every query is asked by every method in turn, three times (the fastest nine),
//! and the best time counts, because machines are noisy; cold ones and the document's once. Times are processor time. The maps are read from `../shared/data`, or from the folder that
//! `WAYFORGE_DATA` names; `MAPS=world,TheFrozenSea` picks some, and `PARTS=edits` some of `multi`, `p2p`, `edits` and `octile`. `cargo test` runs
//! every part once on a small sea, which is always there.

use wayforge::MapRng;
use wayforge::nav::{Method, Metric, Moves, Navigator, Options, Prepare, Query, Water, Way};
use wayforge_benches::nav::{Asked, Clock, crater, movingai, movingai_names, openfront, queries, small_sea};

/// A method with the navigator that it runs on.
struct Runner {
    name: &'static str,
    method: Method,
    navigator: Navigator,
    prepared: f64,
    times: Vec<f64>,
    visited: u64,
    fallbacks: u32,
    excess: Vec<f64>,
}

fn main() {
    if !std::env::args().any(|arg| arg == "--bench") {
        let (water, asked) = small_sea();
        compare("small sea", "multi", Moves::Eight, &water, &asked);
        compare("small sea", "p2p", Moves::Four, &water, &asked);
        edits("small sea", &water, &asked, 10);
        octile("small sea", &water, &asked);
        return;
    }
    let list = |name: &str| std::env::var(name).ok();
    let among = |list: &Option<String>, name: &str| {
        list.as_ref().is_none_or(|list| list.split(',').any(|word| word == name))
    };
    let (maps, parts) = (list("MAPS"), list("PARTS"));
    let (wanted, part) = (|name: &str| among(&maps, name), |name: &str| among(&parts, name));
    let names = ["giantworldmap", "world", "northwestpassage", "labyrinth"];
    for name in names.into_iter().filter(|name| wanted(name)) {
        let Some(water) = openfront(name) else {
            println!("{name}: not there, skipped");
            continue;
        };
        if part("multi") {
            compare(
                name,
                "multi",
                Moves::Eight,
                &water,
                &queries(&format!("openfront/{name}.multi"), &water),
            );
        }
        if part("p2p") {
            compare(name, "p2p", Moves::Four, &water, &queries(&format!("openfront/{name}.p2p"), &water));
        }
        if part("edits") {
            edits(name, &water, &queries(&format!("openfront/{name}.multi"), &water), 300);
        }
    }
    for name in movingai_names().into_iter().filter(|name| wanted(name) && part("octile")) {
        if let Some(water) = movingai(&format!("{name}.map")) {
            octile(&name, &water, &queries(&format!("movingai/{name}.map.scen"), &water));
        }
    }
}

/// All methods over one file of queries.
fn compare(map: &str, file: &str, moves: Moves, water: &Water, asked: &[Asked]) {
    let asked: Vec<Query> = asked.iter().map(|(query, _)| query.clone().moves(moves)).collect();
    let lists: [(&'static str, Method, Prepare); 9] = [
        ("bfs", Method::Bfs, Prepare::None),
        ("wave", Method::Wave, Prepare::None),
        ("jump, cold", Method::Jump, Prepare::None),
        ("jump, warm", Method::Jump, Prepare::None),
        ("graph", Method::Graph, Prepare::Full),
        ("document F2", Method::MaskF2, Prepare::None),
        ("document optimal", Method::MaskOptimal, Prepare::None),
        ("document A2", Method::Restart, Prepare::None),
        ("pieces F2", Method::Pieces, Prepare::Coarse),
    ];
    let mut runners: Vec<Runner> = lists
        .into_iter()
        .map(|(name, method, prepare)| {
            let clock = Clock::start();
            let options = Options { prepare, moves, ..Options::default() };
            let navigator = Navigator::with(water, options).expect("standard options");
            let prepared = clock.seconds();
            Runner {
                name,
                method,
                navigator,
                prepared,
                times: vec![],
                visited: 0,
                fallbacks: 0,
                excess: vec![],
            }
        })
        .collect();
    let mut path = Way::default();
    for query in &asked {
        let mut best = 0;
        for runner in &mut runners {
            let query = query.clone().method(runner.method);
            let cold = runner.name == "jump, cold";
            let mut least = f64::MAX;
            // What is slow anyway is asked once; what is cold stays so.
            // What takes microseconds is asked more often: a shared cache makes it slower than it is.
            let rounds = if matches!(runner.name, "graph" | "jump, warm") { 9 } else { 3 };
            for round in 0..rounds {
                if round > 0 && (cold || runner.name.starts_with("document")) {
                    break;
                }
                let clock = Clock::start();
                let found = runner.navigator.find_into(&query, &mut path).expect("a good query");
                least = least.min(clock.seconds());
                assert!(found, "every query of these files has a path");
            }
            runner.times.push(least);
            runner.visited += path.counts.visited;
            runner.fallbacks += u32::from(path.counts.fallback);
            if runner.name == "bfs" {
                best = path.steps();
            }
            runner.excess.push(f64::from(path.steps() - best) / f64::from(best.max(1)));
        }
    }
    let plain: f64 = runners[0].times.iter().sum();
    println!("\n{map}.{file}, {moves:?}: {} queries, plain search {:.0} M tiles/s", asked.len(), {
        runners[0].visited as f64 / plain / 1e6
    });
    println!(
        "method            x plain   total ms   median     p95   prepare ms   excess % mean, worst  fallbacks"
    );
    for runner in &mut runners {
        let total: f64 = runner.times.iter().sum();
        let (median, p95) = percentiles(&mut runner.times);
        let mean = runner.excess.iter().sum::<f64>() / runner.excess.len() as f64;
        let worst = runner.excess.iter().fold(0.0, |a: f64, &b| a.max(b));
        println!(
            "{:16} {:8.2} {:10.2} {:8.3} {:7.3} {:12.1} {:12.4} {:8.3} {:10}",
            runner.name,
            plain / total,
            total * 1e3,
            median * 1e3,
            p95 * 1e3,
            runner.prepared * 1e3,
            mean * 100.0,
            worst * 100.0,
            runner.fallbacks,
        );
    }
    let bytes = runners.iter().map(|runner| runner.navigator.prepared_bytes()).max().unwrap_or(0);
    println!("lists and landmarks: {:.1} MB", bytes as f64 / 1e6);
}

/// Craters of radius 6, as land and as water, each followed by a query. Three navigators do the same, and the best time counts.
fn edits(map: &str, water: &Water, asked: &[Asked], craters: usize) {
    let navigator = Navigator::new(water, Prepare::Full);
    let mut navigators = [navigator.clone(), navigator.clone(), navigator];
    let mut rng = MapRng::from_u64(6);
    let (mut repair, mut after, mut again) = (Vec::new(), Vec::new(), Vec::new());
    let mut path = Way::default();
    for i in 0..craters {
        let (query, _) = &asked[i % asked.len()];
        let changes = crater(&mut rng, water, query, i % 2 == 0);
        let mut least = [f64::MAX; 3];
        for navigator in &mut navigators {
            // Asked before, so that the difference is the edit's alone.
            let _ = navigator.find_into(query, &mut path);
            let clock = Clock::start();
            navigator.edit(&changes).expect("tiles of the grid");
            least[0] = least[0].min(clock.seconds());
            // What the next query needs beyond what it needs anyway: asked again it finds everything repaired.
            let mut ask = || {
                let clock = Clock::start();
                // An earlier crater may have filled one of its ends.
                navigator.find_into(query, &mut path).map_or(0.0, |_| clock.seconds())
            };
            least[1] = least[1].min(ask());
            least[2] = least[2].min(ask()).min(ask());
        }
        let [edit, first, second] = least;
        repair.push(edit);
        after.push(edit + (first - second).max(0.0));
        again.push(second);
    }
    let (median, p95) = percentiles(&mut repair);
    let (median_all, p95_all) = percentiles(&mut after);
    let (median_query, p95_query) = percentiles(&mut again);
    println!(
        "{map}: a crater of radius 6 is repaired in {:.3} ms, p95 {:.3}; including the work of the next query {:.3}, p95 {:.3}; that query takes {:.3}, p95 {:.3}",
        median * 1e3,
        p95 * 1e3,
        median_all * 1e3,
        p95_all * 1e3,
        median_query * 1e3,
        p95_query * 1e3,
    );
}

/// Octile lengths on Moving AI's maps.
fn octile(map: &str, water: &Water, asked: &[Asked]) {
    let clock = Clock::start();
    let options = Options { prepare: Prepare::Full, metric: Metric::Octile, ..Options::default() };
    let mut navigator = Navigator::with(water, options).expect("standard options");
    let prepared = clock.seconds();
    let mut path = Way::default();
    let (mut times, mut worst) = (Vec::new(), 0.0_f64);
    for (query, stated) in asked {
        let query = query.clone().metric(Metric::Octile);
        let mut least = f64::MAX;
        for _ in 0..3 {
            let clock = Clock::start();
            assert!(navigator.find_into(&query, &mut path).expect("a good query"));
            least = least.min(clock.seconds());
        }
        times.push(least);
        worst = worst.max((path.length(Metric::Octile) - stated.unwrap_or(0.0)).abs());
    }
    let (median, p95) = percentiles(&mut times);
    println!(
        "{map}: {} problems, median {:.1} us, p95 {:.1} us, prepared in {:.1} ms, farthest from the stated length {worst:.4}",
        asked.len(),
        median * 1e6,
        p95 * 1e6,
        prepared * 1e3,
    );
}

fn percentiles(times: &mut [f64]) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 95 / 100])
}
