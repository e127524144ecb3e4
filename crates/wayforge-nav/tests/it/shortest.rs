//! Compares every method with reference searches on noise, mazes and archipelagos; tests edits,
//! depths and errors.

use crate::oracle::{self, Terrain, octile_length, random_query, test_grid};
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{MapRng, Seed};
use wayforge_nav::{
    CoarseRule, Connectivity, CorridorOptions, Guarantee, Method, Metric, MultiSourceBfs, NavGrid,
    Navigator, Options, Path, Preprocessing, Query, has_line_of_sight,
};

const EXACT: [Method; 5] =
    [Method::Auto, Method::Bfs, Method::Bidirectional, Method::Jps, Method::JpsGraph];
const CORRIDORS: [Method; 5] =
    [Method::Restart, Method::MaskF1, Method::MaskF2, Method::MaskOptimal, Method::Components];

/// Checks that a path is legal and connects the query's ends; returns its number of steps.
fn checked_steps(path: &Path, grid: &NavGrid, query: &Query) -> u32 {
    assert_eq!(path.first_illegal_step(grid, query.connectivity), None, "{query:?}");
    assert_eq!(path.tiles[0], query.sources[path.source]);
    assert_eq!(*path.tiles.last().unwrap(), query.targets[path.target]);
    assert_eq!(path.tiles.len() as u32, path.steps() + 1);
    path.steps()
}

#[test]
fn exact_methods_match_bfs_and_corridor_methods_find_a_path() {
    for (i, (terrain, size)) in oracle::all_terrains().enumerate() {
        let mut rng = MapRng::from_u64(i as u64);
        let grid = test_grid(terrain, size, Seed::new(i as u64));
        let mut reference = MultiSourceBfs::new(&grid);
        for preprocessing in [Preprocessing::None, Preprocessing::Coarse, Preprocessing::Full] {
            let mut navigator = Navigator::new(&grid, preprocessing);
            for _ in 0..12 {
                let Some(query) = random_query(&mut rng, &grid) else { continue };
                let best = reference
                    .find(&grid, &query)
                    .unwrap()
                    .map(|path| checked_steps(&path, &grid, &query));
                for method in EXACT {
                    let path = navigator.find(&query.clone().method(method)).unwrap();
                    let steps = path.as_ref().map(|path| checked_steps(path, &grid, &query));
                    assert_eq!(steps, best, "{terrain:?} {size} {method} {query:?}");
                    assert!(path.is_none_or(|path| path.guarantee == Guarantee::Exact));
                }
                for method in CORRIDORS {
                    let path = navigator.find(&query.clone().method(method)).unwrap();
                    let steps = path.as_ref().map(|path| checked_steps(path, &grid, &query));
                    assert_eq!(
                        steps.is_some(),
                        best.is_some(),
                        "{terrain:?} {size} {method} {query:?}"
                    );
                    assert!(steps >= best);
                    let exact = path.is_some_and(|path| path.guarantee == Guarantee::Exact);
                    assert!(!exact || steps == best, "{method} claims to be exact");
                }
            }
        }
    }
}

#[test]
fn octile_lengths_match_dijkstra() {
    for (i, (terrain, size)) in oracle::all_terrains().enumerate() {
        let mut rng = MapRng::from_u64(77 + i as u64);
        let grid = test_grid(terrain, size, Seed::new(i as u64));
        let mut navigator = Navigator::new(&grid, Preprocessing::None);
        for _ in 0..6 {
            let Some(query) = random_query(&mut rng, &grid) else { continue };
            let query = query.connectivity(Connectivity::Eight).metric(Metric::Octile);
            let best = octile_length(&grid, &query);
            for method in [Method::Auto, Method::Jps, Method::JpsGraph] {
                let path = navigator.find(&query.clone().method(method)).unwrap();
                path.iter().for_each(|path| {
                    checked_steps(path, &grid, &query);
                });
                let length = path.map(|path| path.length(Metric::Octile));
                let close = match (length, best) {
                    (Some(a), Some(b)) => (a - b).abs() < 1e-6,
                    (a, b) => a == b,
                };
                assert!(close, "{terrain:?} {size} {method}: {length:?}, expected {best:?}");
            }
        }
    }
}

#[test]
fn corridor_paths_are_valid_for_all_options_and_shortest_if_the_corridor_covers_the_grid() {
    let grid = test_grid(Terrain::Archipelago, Size::new(101, 67), Seed::new(5));
    let mut rng = MapRng::from_u64(5);
    for factor in [1, 2, 3, 5, 8, 13, 40, 200] {
        for rule in [CoarseRule::AnyTile, CoarseRule::Components] {
            let corridor = CorridorOptions {
                factor,
                rule,
                radius: (factor % 3),
                max_expansions: u32::from(factor % 4),
            };
            // A corridor over the whole grid: shortest in region means shortest.
            let whole_grid = CorridorOptions { radius: 300, ..corridor };
            let options = Options {
                mask_corridor: corridor,
                components_corridor: whole_grid,
                ..Options::default()
            };
            let mut navigator = Navigator::with_options(&grid, options).unwrap();
            for _ in 0..20 {
                let Some(query) = random_query(&mut rng, &grid) else { continue };
                let best = navigator.find(&query).unwrap().map(|path| path.steps());
                for method in CORRIDORS {
                    let path = navigator.find(&query.clone().method(method)).unwrap();
                    assert_eq!(path.is_some(), best.is_some());
                    let Some(path) = path else { continue };
                    let steps = checked_steps(&path, &grid, &query);
                    assert!(
                        path.stats.expansions <= corridor.max_expansions
                            || method == Method::Components
                    );
                    if method == Method::Components {
                        assert_eq!(Some(steps), best, "factor {factor} {rule:?}");
                        assert_eq!((path.stats.expansions, path.stats.fallback), (0, false));
                    }
                }
                let length = |navigator: &mut Navigator, method| {
                    let path = navigator.find(&query.clone().method(method)).unwrap();
                    path.map(|path| (path.stats.expansions, path.steps()))
                };
                let (f1, f2) = (
                    length(&mut navigator, Method::MaskF1),
                    length(&mut navigator, Method::MaskF2),
                );
                assert_eq!(f1.map(|f| f.0), f2.map(|f| f.0), "F1 and F2 widen equally often");
            }
        }
    }
}

#[test]
fn coarse_components_need_no_widening_at_a_thin_wall() {
    // Two halves, separated by a wall one tile wide with a gap far away.
    let size = Size::new(200, 60);
    let open = BitGrid::from_cells(size, size.iter().filter(|pos| pos.x != 100 || pos.y > 57));
    let grid = NavGrid::new(open).unwrap();
    let mut navigator = Navigator::new(&grid, Preprocessing::Coarse);
    let query = Query::between(Pos::new(90, 3), Pos::new(110, 3));
    let best = navigator.find(&query).unwrap().unwrap().steps();
    let cells = navigator.find(&query.clone().method(Method::MaskF2)).unwrap().unwrap();
    let components = navigator.find(&query.clone().method(Method::Components)).unwrap().unwrap();
    assert!(cells.stats.expansions > 0, "cells of 4 x 4 tiles connect across the wall");
    assert_eq!((components.stats.expansions, components.stats.fallback), (0, false));
    assert!(components.steps() <= best + best / 20);
}

#[test]
fn edited_navigator_agrees_with_a_new_one() {
    for terrain in [Terrain::Noise(25), Terrain::Archipelago, Terrain::Maze, Terrain::Open] {
        let size = Size::new(90, 70);
        let mut grid = test_grid(terrain, size, Seed::new(8));
        let mut rng = MapRng::from_u64(8);
        let mut navigator = Navigator::new(&grid, Preprocessing::Full);
        for round in 0..25 {
            let centre = Pos::new(rng.below(90) as u16, rng.below(70) as u16);
            let (radius, open) = (rng.below(9) as i32, rng.chance(1, 2));
            let mut changes: Vec<(Pos, bool)> = size
                .iter()
                .filter(|pos| {
                    let (dx, dy) = (
                        i32::from(pos.x) - i32::from(centre.x),
                        i32::from(pos.y) - i32::from(centre.y),
                    );
                    dx * dx + dy * dy <= radius * radius
                })
                .map(|pos| (pos, open))
                .collect();
            if round % 5 == 4 {
                // Adds single tiles all over the grid.
                changes.extend(
                    size.iter().filter(|_| rng.chance(1, 60)).map(|pos| (pos, parity(pos))),
                );
            }
            let before = grid.clone();
            changes.iter().for_each(|&(pos, open)| grid.set_open(pos, open));
            let changed =
                size.iter().filter(|&pos| before.is_open(pos) != grid.is_open(pos)).count();
            assert_eq!(navigator.edit(&changes).unwrap(), changed);
            assert_eq!(navigator.grid().open(), grid.open());
            let mut rebuilt = Navigator::new(&grid, Preprocessing::None);
            for _ in 0..10 {
                let Some(query) = random_query(&mut rng, &grid) else { continue };
                let best = rebuilt
                    .find(&query.clone().method(Method::Bfs))
                    .unwrap()
                    .map(|path| path.steps());
                for method in EXACT {
                    let path = navigator.find(&query.clone().method(method)).unwrap();
                    let steps = path.map(|path| checked_steps(&path, &grid, &query));
                    assert_eq!(steps, best, "{terrain:?} round {round} {method} {query:?}");
                }
                for method in CORRIDORS {
                    let path = navigator.find(&query.clone().method(method)).unwrap();
                    assert_eq!(
                        path.map(|path| checked_steps(&path, &grid, &query)).is_some(),
                        best.is_some(),
                        "{method}"
                    );
                }
                let octile = query.clone().connectivity(Connectivity::Eight).metric(Metric::Octile);
                let length =
                    navigator.find(&octile).unwrap().map(|path| path.length(Metric::Octile));
                let best = octile_length(&grid, &octile);
                assert!(length.is_some() == best.is_some());
                assert!(
                    length.zip(best).is_none_or(|(a, b)| (a - b).abs() < 1e-6),
                    "{length:?} {best:?}"
                );
            }
        }
    }
}

fn parity(pos: Pos) -> bool {
    (pos.x ^ pos.y) & 1 == 1
}

#[test]
fn distance_field_matches_bfs() {
    for (i, (terrain, size)) in oracle::all_terrains().enumerate() {
        let grid = test_grid(terrain, size, Seed::new(i as u64));
        let mut rng = MapRng::from_u64(i as u64);
        let Some(query) = random_query(&mut rng, &grid) else { continue };
        let navigator = Navigator::new(&grid, Preprocessing::None);
        let mut reference = MultiSourceBfs::new(&grid);
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            let field = navigator.distance_field(&query.sources, connectivity).unwrap();
            for pos in size.iter().filter(|_| rng.chance(1, 20)) {
                let steps = grid.is_open(pos).then(|| {
                    let query = Query::new(query.sources.clone(), [pos]).connectivity(connectivity);
                    reference.find(&grid, &query).unwrap().map(|path| path.steps())
                });
                assert_eq!(field.get(pos), steps.flatten(), "{terrain:?} {size} {pos}");
            }
        }
    }
}

#[test]
fn depth_gating_maximises_depth_then_minimises_length() {
    for seed in 0..6 {
        let grid = test_grid(Terrain::Archipelago, Size::new(70, 50), Seed::new(seed));
        let mut rng = MapRng::from_u64(seed);
        let mut navigator = Navigator::new(&grid, Preprocessing::None);
        for _ in 0..15 {
            let Some(query) = random_query(&mut rng, &grid) else { continue };
            let deep_query = query.clone().depths([8, 4, 2, 1]);
            let path = navigator.find(&deep_query).unwrap();
            // The definition: the first depth with a path, and the shortest path at that depth.
            let at_depth = |min_magnitude: u8| {
                let restricted = grid.with_min_magnitude(min_magnitude);
                let ends = |tiles: &[Pos]| -> Vec<Pos> {
                    tiles.iter().copied().filter(|&pos| restricted.is_open(pos)).collect()
                };
                let query = Query::new(ends(&query.sources), ends(&query.targets))
                    .connectivity(query.connectivity);
                MultiSourceBfs::new(&restricted)
                    .find(&restricted, &query)
                    .ok()
                    .flatten()
                    .map(|path| (min_magnitude, path.steps()))
            };
            let best = [8, 4, 2, 1, 0].into_iter().find_map(at_depth);
            assert_eq!(
                path.as_ref().map(|path| (path.depth.unwrap(), checked_steps(path, &grid, &query))),
                best,
                "{deep_query:?}"
            );
        }
    }
    let flat = NavGrid::from_text("...").unwrap();
    let error = Navigator::new(&flat, Preprocessing::None)
        .find(&Query::between(Pos::new(0, 0), Pos::new(2, 0)).depths([3]))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "depths = 3: this map has no magnitudes; omit depths, or use a map with magnitudes"
    );
}

#[test]
fn smoothed_corners_have_line_of_sight() {
    let grid = test_grid(Terrain::Archipelago, Size::new(120, 90), Seed::new(4));
    let mut rng = MapRng::from_u64(4);
    let mut navigator = Navigator::new(&grid, Preprocessing::None);
    let mut shorter = 0;
    for _ in 0..40 {
        let Some(query) = random_query(&mut rng, &grid) else { continue };
        let Some(full) = navigator.find(&query).unwrap() else { continue };
        let smooth = navigator.find(&Query { smooth: true, ..query.clone() }).unwrap().unwrap();
        assert_eq!(smooth.steps(), full.steps());
        assert_eq!((smooth.tiles[0], smooth.tiles.last()), (full.tiles[0], full.tiles.last()));
        assert!(smooth.tiles.windows(2).all(|leg| has_line_of_sight(&grid, leg[0], leg[1])));
        shorter += usize::from(smooth.tiles.len() < full.tiles.len());
    }
    assert!(shorter > 10);
}

#[test]
fn invalid_queries_are_rejected_with_a_remedy() {
    let grid = NavGrid::from_text("..#..\n..#..").unwrap();
    let mut navigator = Navigator::new(&grid, Preprocessing::None);
    let pos = Pos::new;
    let mut error_of = |query: Query| navigator.find(&query).unwrap_err().to_string();
    assert_eq!(
        error_of(Query::new([], [pos(0, 0)])),
        "sources = []: empty; give at least one open tile"
    );
    assert_eq!(
        error_of(Query::new([pos(0, 0)], [])),
        "targets = []: empty; give at least one open tile"
    );
    assert_eq!(
        error_of(Query::between(pos(0, 0), pos(2, 1))),
        "targets[0] = 2,1: blocked; use an open tile"
    );
    assert_eq!(
        error_of(Query::new([pos(0, 0), pos(5, 0)], [pos(0, 0)])),
        "sources[1] = 5,0: outside the grid of 5 x 2; use columns 0 to 4 and rows 0 to 1"
    );
    let octile =
        Query::between(pos(0, 0), pos(1, 1)).metric(Metric::Octile).method(Method::Bidirectional);
    assert!(error_of(octile).contains("use auto, jps or jps-graph"));
    assert!(
        "fast"
            .parse::<Method>()
            .unwrap_err()
            .to_string()
            .starts_with("method = fast: unknown; use auto, bfs")
    );
    let error = navigator.edit(&[(pos(0, 0), true), (pos(9, 0), true)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "changes[1] = 9,0: outside the grid of 5 x 2; use a tile of the grid"
    );
    let out_of_range = Options {
        mask_corridor: CorridorOptions { factor: 0, ..CorridorOptions::for_mask_methods() },
        ..Options::default()
    };
    assert!(
        Navigator::with_options(&grid, out_of_range)
            .unwrap_err()
            .to_string()
            .starts_with("mask_corridor.factor = 0")
    );
}

#[test]
fn unreachable_target_needs_no_search() {
    let grid = NavGrid::from_text("..#..\n..#..").unwrap();
    let mut navigator = Navigator::new(&grid, Preprocessing::Full);
    let mut path = Path::default();
    for method in Method::ALL {
        let query = Query::between(Pos::new(0, 0), Pos::new(4, 1)).method(method);
        assert!(!navigator.find_into(&query, &mut path).unwrap());
        assert_eq!((path.stats.visited, navigator.visited().len()), (0, 0), "{method}");
    }
    // The first search after a component is split finds no path; later queries need no search.
    navigator
        .edit(&[(Pos::new(1, 0), false), (Pos::new(1, 1), false), (Pos::new(2, 0), true)])
        .unwrap();
    let query = Query::between(Pos::new(0, 0), Pos::new(4, 1));
    assert!(!navigator.find_into(&query, &mut path).unwrap());
    assert!(!navigator.find_into(&query, &mut path).unwrap());
    assert_eq!(path.stats.visited, 0);
}

#[test]
fn visited_tiles_are_counted_once() {
    let size = Size::new(70, 50);
    let mut rng = MapRng::from_u64(31);
    for terrain in [Terrain::Open, Terrain::Archipelago, Terrain::Noise(25)] {
        let grid = test_grid(terrain, size, Seed::new(31));
        let mut navigator = Navigator::new(&grid, Preprocessing::None);
        for _ in 0..20 {
            let Some(query) = random_query(&mut rng, &grid) else { continue };
            for method in [Method::Bfs, Method::Bidirectional] {
                if let Some(path) = navigator.find(&query.clone().method(method)).unwrap() {
                    assert_eq!(
                        path.stats.visited,
                        navigator.visited().len() as u64,
                        "{terrain:?} {method}"
                    );
                }
            }
        }
    }
}
