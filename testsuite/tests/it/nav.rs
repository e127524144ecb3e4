//! Pathfinding on real maps: every method is compared with plain BFS and with Moving AI's lengths.
//!
//! The maps are read from the folder `WAYFORGE_DATA`. They are not part of the project, so these
//! tests are ignored by default; `scripts/test --only real-maps` runs them.

use crate::data;
use wayforge::grid::Pos;
use wayforge::nav::{
    Connectivity, Method, Metric, MultiSourceBfs, NavGrid, Navigator, Options, Path, Preprocessing,
    Query,
};
use wayforge_formats as formats;

fn openfront(name: &str) -> NavGrid {
    let manifest =
        formats::read_manifest(&data(&format!("openfront/{name}/manifest.json"))).unwrap();
    formats::read_openfront(&manifest, &data(&format!("openfront/{name}/map.bin"))).unwrap()
}

fn queries(file: &str, grid: &NavGrid) -> Vec<(Query, Option<f64>)> {
    let queries = formats::read_queries(&data(file), grid.size()).unwrap();
    queries
        .into_iter()
        .map(|query| (Query::new(query.sources, query.targets), query.length))
        .collect()
}

#[test]
#[ignore = "needs real maps: set WAYFORGE_DATA"]
fn every_method_finds_valid_paths_on_real_maps() {
    for name in ["world", "northwestpassage", "labyrinth", "giantworldmap"] {
        let grid = openfront(name);
        // Tests only some of the queries: plain BFS is slow in debug builds.
        let stride = if name == "giantworldmap" { 20 } else { 7 };
        let mut plain = MultiSourceBfs::new(&grid);
        for (file, connectivity) in [("multi", Connectivity::Eight), ("p2p", Connectivity::Four)] {
            let options =
                Options { preprocessing: Preprocessing::Full, connectivity, ..Options::default() };
            let mut navigator = Navigator::with_options(&grid, options).unwrap();
            let (mut excess, mut count) = (0.0, 0);
            for (query, _) in
                queries(&format!("openfront/{name}.{file}"), &grid).into_iter().step_by(stride)
            {
                let query = query.connectivity(connectivity);
                let best = plain.find(&grid, &query).unwrap().unwrap().steps();
                for method in [Method::Auto, Method::Bidirectional, Method::Jps, Method::JpsGraph] {
                    let path = navigator.find(&query.clone().method(method)).unwrap().unwrap();
                    assert_eq!(
                        (path.steps(), path.first_illegal_step(&grid, connectivity)),
                        (best, None),
                        "{name} {method} {query:?}"
                    );
                }
                for method in [Method::MaskF2, Method::Components] {
                    let path = navigator.find(&query.clone().method(method)).unwrap().unwrap();
                    assert_eq!(path.first_illegal_step(&grid, connectivity), None);
                    assert!(path.steps() >= best);
                    if method == Method::Components {
                        assert!(!path.stats.fallback, "components never fall back");
                        let ratio = f64::from(path.steps() - best) / f64::from(best.max(1));
                        assert!(
                            connectivity == Connectivity::Four || ratio <= 0.05,
                            "{name}: longer by {ratio}"
                        );
                        (excess, count) = (excess + ratio, count + 1);
                    }
                }
            }
            assert!(
                connectivity == Connectivity::Four || excess <= 0.01 * f64::from(count),
                "{name}: {excess} over {count}"
            );
        }
    }
}

/// Returns the number of direction changes of a path.
fn turns(path: &Path) -> usize {
    let step = |pair: &[Pos]| {
        (i32::from(pair[1].x) - i32::from(pair[0].x), i32::from(pair[1].y) - i32::from(pair[0].y))
    };
    path.tiles.windows(3).filter(|three| step(&three[..2]) != step(&three[1..])).count()
}

#[test]
#[ignore = "needs real maps: set WAYFORGE_DATA"]
fn straightened_paths_have_fewer_turns_than_plain_bfs() {
    for name in ["world", "labyrinth"] {
        let grid = openfront(name);
        let mut plain = MultiSourceBfs::new(&grid);
        let mut navigator = Navigator::new(&grid, Preprocessing::None);
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            let (mut before, mut after) = (0, [0; Method::ALL.len()]);
            for (query, _) in
                queries(&format!("openfront/{name}.p2p"), &grid).into_iter().step_by(7)
            {
                let query = query.connectivity(connectivity);
                before += turns(&plain.find(&grid, &query).unwrap().unwrap());
                for (method, after) in Method::ALL.into_iter().zip(&mut after) {
                    *after +=
                        turns(&navigator.find(&query.clone().method(method)).unwrap().unwrap());
                }
            }
            // Plain BFS follows the first predecessor of each tile, without straightening.
            assert!(
                after.iter().all(|&after| 100 * after < 85 * before),
                "{name} {connectivity:?}: {before}, {after:?}"
            );
        }
    }
}

#[test]
#[ignore = "needs real maps: set WAYFORGE_DATA"]
fn octile_lengths_match_moving_ai() {
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
        let grid = formats::read_movingai(&bytes).unwrap();
        let options = Options {
            preprocessing: Preprocessing::Full,
            metric: Metric::Octile,
            ..Options::default()
        };
        let mut navigator = Navigator::with_options(&grid, options).unwrap();
        let text = String::from_utf8(data(&format!("movingai/{name}.map.scen"))).unwrap();
        let lengths: Vec<&str> = text
            .lines()
            .skip(1)
            .filter(|line| !line.is_empty())
            .map(|line| line.split_whitespace().last().unwrap())
            .collect();
        let queries = queries(&format!("movingai/{name}.map.scen"), &grid);
        assert_eq!(queries.len(), lengths.len());
        for ((query, expected), text) in queries.into_iter().zip(lengths) {
            let path = navigator.find(&query.clone().metric(Metric::Octile)).unwrap().unwrap();
            assert_eq!(path.first_illegal_step(&grid, Connectivity::Eight), None);
            // Many lengths in the files are rounded to two or three digits.
            let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
            let tolerance = 1e-4 + 0.5 * 10_f64.powi(-digits);
            let error = (path.length(Metric::Octile) - expected.unwrap()).abs();
            assert!(
                error <= tolerance,
                "{name} {query:?}: {} is not {text}",
                path.length(Metric::Octile)
            );
        }
    }
}
