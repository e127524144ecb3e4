//! Prints the number of turns and zigzags in the paths of each method:
//! `cargo run --release -p wayforge-benches --example turns`.
//!
//! The numbers are means per path, over queries on OpenFront maps and generated archipelagos. A
//! zigzag is three consecutive runs, of which the first and the third have the same direction.

use wayforge::grid::Pos;
use wayforge::nav::{
    ArchipelagoConfig, Connectivity, Method, Metric, NavGrid, Navigator, Preprocessing, Query,
    archipelago,
};
use wayforge::{MapRng, Seed};
use wayforge_benches::nav::{openfront, read_queries};

fn main() {
    for name in ["world", "giantworldmap"] {
        let Some(grid) = openfront(name) else {
            println!("{name}: not available, skipped");
            continue;
        };
        let queries = read_queries(&format!("openfront/{name}.p2p"), &grid);
        let queries: Vec<Query> = queries.into_iter().map(|(query, _)| query).collect();
        print_table(&format!("{name}.p2p"), &[(grid, queries)]);
    }
    let archipelagos: Vec<(NavGrid, Vec<Query>)> = (0..10)
        .map(|seed| {
            let config = ArchipelagoConfig {
                width: 400,
                height: 300,
                scale: 90,
                ..ArchipelagoConfig::default()
            };
            let grid =
                archipelago(Seed::new(seed), &config.resolve().expect("a valid configuration"));
            let tiles: Vec<Pos> = grid.open().iter().collect();
            let mut rng = MapRng::from_u64(seed);
            let mut tile = || tiles[rng.below(tiles.len() as u32) as usize];
            let queries = (0..40).map(|_| Query::between(tile(), tile())).collect();
            (grid, queries)
        })
        .collect();
    print_table("archipelagos", &archipelagos);
}

/// Prints one row per method: mean turns and zigzags with four neighbours, with eight, and octile.
fn print_table(name: &str, maps: &[(NavGrid, Vec<Query>)]) {
    println!("\n{name}: turns / zigzags per path   4 neighbours     8 neighbours           octile");
    for method in Method::ALL {
        let mut row = format!("{:24}", method.name());
        let variants = [
            (Connectivity::Four, Metric::Steps),
            (Connectivity::Eight, Metric::Steps),
            (Connectivity::Eight, Metric::Octile),
        ];
        for (connectivity, metric) in variants {
            let (mut paths, mut turns, mut zigzags) = (0, 0, 0);
            for (grid, queries) in maps {
                let mut navigator = Navigator::new(grid, Preprocessing::None);
                for query in queries {
                    let query =
                        query.clone().method(method).connectivity(connectivity).metric(metric);
                    let Ok(Some(path)) = navigator.find(&query) else { continue };
                    let steps: Vec<(i32, i32)> = path.tiles.windows(2).map(step).collect();
                    let runs: Vec<(i32, i32)> =
                        steps.chunk_by(|a, b| a == b).map(|run| run[0]).collect();
                    paths += 1;
                    turns += runs.len().saturating_sub(1);
                    zigzags += runs.windows(3).filter(|runs| runs[0] == runs[2]).count();
                }
            }
            row += &match paths {
                0 => format!("{:>17}", "-"),
                _ => format!(
                    "{:9.1} /{:6.1}",
                    turns as f64 / paths as f64,
                    zigzags as f64 / paths as f64
                ),
            };
        }
        println!("{row}");
    }
}

/// Returns the column and row difference of two consecutive tiles.
fn step(pair: &[Pos]) -> (i32, i32) {
    (i32::from(pair[1].x) - i32::from(pair[0].x), i32::from(pair[1].y) - i32::from(pair[0].y))
}
