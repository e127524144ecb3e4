//! Pathfinding on real maps: every method compared with plain search and with the lengths stated by Moving AI.
//!
//! The maps are read from `../shared/data`, or from the folder that `WAYFORGE_DATA` names. They are not part of the project, so
//! these tests are ignored by default; `scripts/test` runs them where the maps are present.

use wayforge_formats as maps;

use std::path::PathBuf;
use wayforge::grid::Pos;
use wayforge::nav::{
    Method, Metric, Moves, MultiSourceAnyTargetBFS, Navigator, Options, Prepare, Query, Water, Way,
};

/// Reads a file of the data folder.
fn data(file: &str) -> Vec<u8> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let path = std::env::var_os("WAYFORGE_DATA").map_or_else(beside, PathBuf::from).join(file);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}; set WAYFORGE_DATA", path.display()))
}

fn openfront(name: &str) -> Water {
    let manifest = maps::read_manifest(&data(&format!("openfront/{name}/manifest.json"))).unwrap();
    maps::read_openfront(&manifest, &data(&format!("openfront/{name}/map.bin"))).unwrap()
}

fn queries(file: &str, water: &Water) -> Vec<(Query, Option<f64>)> {
    let bytes = data(file);
    let asked = maps::read_queries(&bytes, water.size()).unwrap();
    asked.into_iter().map(|asked| (Query::new(asked.sources, asked.targets), asked.length)).collect()
}

#[test]
#[ignore = "needs real maps: set WAYFORGE_DATA"]
fn every_method_on_real_water() {
    for name in ["world", "northwestpassage", "labyrinth", "giantworldmap"] {
        let water = openfront(name);
        // Debug builds are slow, and plain search is the slowest: some of the queries of each file.
        let stride = if name == "giantworldmap" { 20 } else { 7 };
        let mut plain = MultiSourceAnyTargetBFS::new(&water);
        for (file, moves) in [("multi", Moves::Eight), ("p2p", Moves::Four)] {
            let options = Options { prepare: Prepare::Full, moves, ..Options::default() };
            let mut navigator = Navigator::with(&water, options).unwrap();
            let (mut excess, mut count) = (0.0, 0);
            for (query, _) in queries(&format!("openfront/{name}.{file}"), &water).into_iter().step_by(stride)
            {
                let query = query.moves(moves);
                let best = plain.find(&water, &query).unwrap().unwrap().steps();
                for method in [Method::Auto, Method::Wave, Method::Jump, Method::Graph] {
                    let path = navigator.find(&query.clone().method(method)).unwrap().unwrap();
                    assert_eq!(
                        (path.steps(), path.fault(&water, moves)),
                        (best, None),
                        "{name} {method} {query:?}"
                    );
                }
                for method in [Method::MaskF2, Method::Pieces] {
                    let path = navigator.find(&query.clone().method(method)).unwrap().unwrap();
                    assert_eq!(path.fault(&water, moves), None);
                    assert!(path.steps() >= best);
                    if method == Method::Pieces {
                        assert!(!path.counts.fallback, "pieces keep true connectivity");
                        let more = f64::from(path.steps() - best) / f64::from(best.max(1));
                        assert!(moves == Moves::Four || more <= 0.05, "{name}: {more} longer");
                        (excess, count) = (excess + more, count + 1);
                    }
                }
            }
            assert!(
                moves == Moves::Four || excess <= 0.01 * f64::from(count),
                "{name}: {excess} over {count}"
            );
        }
    }
}

/// Direction changes of a path.
fn turns(path: &Way) -> usize {
    let step =
        |two: &[Pos]| (i32::from(two[1].x) - i32::from(two[0].x), i32::from(two[1].y) - i32::from(two[0].y));
    path.tiles.windows(3).filter(|three| step(&three[..2]) != step(&three[1..])).count()
}

#[test]
#[ignore = "needs real maps: set WAYFORGE_DATA"]
fn paths_on_real_water_turn_seldom() {
    for name in ["world", "labyrinth"] {
        let water = openfront(name);
        let mut plain = MultiSourceAnyTargetBFS::new(&water);
        let mut navigator = Navigator::new(&water, Prepare::None);
        for moves in [Moves::Four, Moves::Eight] {
            let (mut before, mut after) = (0, [0; Method::ALL.len()]);
            for (query, _) in queries(&format!("openfront/{name}.p2p"), &water).into_iter().step_by(7) {
                let query = query.moves(moves);
                before += turns(&plain.find(&water, &query).unwrap().unwrap());
                for (method, after) in Method::ALL.into_iter().zip(&mut after) {
                    *after += turns(&navigator.find(&query.clone().method(method)).unwrap().unwrap());
                }
            }
            // The plain search walks back by whichever neighbour came first.
            assert!(
                after.iter().all(|&after| 100 * after < 85 * before),
                "{name} {moves:?}: {before}, {after:?}"
            );
        }
    }
}

#[test]
#[ignore = "needs real maps: set WAYFORGE_DATA"]
fn stated_octile_lengths_are_met() {
    let names = [
        "64room_000",
        "AR0700SR",
        "Berlin_0_1024",
        "TheFrozenSea",
        "arena2",
        "brc202d",
        "den520d",
        "maze512-8-0",
        "random512-25-0",
    ];
    for name in names {
        let bytes = data(&format!("movingai/{name}.map"));
        let water = maps::read_movingai(&bytes).unwrap();
        let options = Options { prepare: Prepare::Full, metric: Metric::Octile, ..Options::default() };
        let mut navigator = Navigator::with(&water, options).unwrap();
        let text = String::from_utf8(data(&format!("movingai/{name}.map.scen"))).unwrap();
        let written: Vec<&str> = text
            .lines()
            .skip(1)
            .filter(|line| !line.is_empty())
            .map(|line| line.split_whitespace().last().unwrap())
            .collect();
        let asked = queries(&format!("movingai/{name}.map.scen"), &water);
        assert_eq!(asked.len(), written.len());
        for ((query, stated), written) in asked.into_iter().zip(written) {
            let path = navigator.find(&query.clone().metric(Metric::Octile)).unwrap().unwrap();
            assert_eq!(path.fault(&water, Moves::Eight), None);
            // To 1e-4 beyond the last digit that the file writes: many lengths are rounded to two or three.
            let digits = written.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
            let tolerance = 1e-4 + 0.5 * 10_f64.powi(-digits);
            let off = (path.length(Metric::Octile) - stated.unwrap()).abs();
            assert!(off <= tolerance, "{name} {query:?}: {} is not {written}", path.length(Metric::Octile));
        }
    }
}
