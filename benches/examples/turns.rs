//! Turns and zigzags of the paths that each method finds: `cargo run --release -p wayforge-benches --example turns`.
//!
//! Prints the mean per path over the queries of OpenFront's maps and over generated archipelagos. A zigzag is a run, another,
//! and a third in the direction of the first.

use wayforge::grid::Pos;
use wayforge::nav::{
    ArchipelagoConfig, Method, Metric, Moves, Navigator, Prepare, Query, Water, archipelago,
};
use wayforge::{MapRng, Seed};
use wayforge_benches::nav::{openfront, queries};

fn main() {
    for name in ["world", "giantworldmap"] {
        let Some(water) = openfront(name) else {
            println!("{name}: not there, skipped");
            continue;
        };
        let asked = queries(&format!("openfront/{name}.p2p"), &water);
        let asked: Vec<Query> = asked.into_iter().map(|(query, _)| query).collect();
        table(&format!("{name}.p2p"), &[(water, asked)]);
    }
    let seas: Vec<(Water, Vec<Query>)> = (0..10)
        .map(|seed| {
            let config =
                ArchipelagoConfig { width: 400, height: 300, scale: 90, ..ArchipelagoConfig::default() };
            let water = archipelago(Seed::new(seed), &config.resolve().expect("a valid configuration"));
            let tiles: Vec<Pos> = water.open().iter().collect();
            let mut rng = MapRng::from_u64(seed);
            let mut tile = || tiles[rng.below(tiles.len() as u32) as usize];
            let asked = (0..40).map(|_| Query::between(tile(), tile())).collect();
            (water, asked)
        })
        .collect();
    table("archipelagos", &seas);
}

/// Prints one row per method: mean turns and zigzags with four neighbours, eight neighbours and octile lengths.
fn table(name: &str, maps: &[(Water, Vec<Query>)]) {
    println!("\n{name}: turns / zigzags per path   4 neighbours     8 neighbours           octile");
    for method in Method::ALL {
        let mut row = format!("{:24}", method.name());
        let kinds =
            [(Moves::Four, Metric::Steps), (Moves::Eight, Metric::Steps), (Moves::Eight, Metric::Octile)];
        for (moves, metric) in kinds {
            let (mut paths, mut turns, mut zigzags) = (0, 0, 0);
            for (water, asked) in maps {
                let mut navigator = Navigator::new(water, Prepare::None);
                for query in asked {
                    let query = query.clone().method(method).moves(moves).metric(metric);
                    let Ok(Some(path)) = navigator.find(&query) else { continue };
                    let steps: Vec<(i32, i32)> = path.tiles.windows(2).map(step).collect();
                    let runs: Vec<(i32, i32)> = steps.chunk_by(|a, b| a == b).map(|run| run[0]).collect();
                    paths += 1;
                    turns += runs.len().saturating_sub(1);
                    zigzags += runs.windows(3).filter(|three| three[0] == three[2]).count();
                }
            }
            row += &match paths {
                0 => format!("{:>17}", "-"),
                _ => format!("{:9.1} /{:6.1}", turns as f64 / paths as f64, zigzags as f64 / paths as f64),
            };
        }
        println!("{row}");
    }
}

fn step(two: &[Pos]) -> (i32, i32) {
    (i32::from(two[1].x) - i32::from(two[0].x), i32::from(two[1].y) - i32::from(two[0].y))
}
