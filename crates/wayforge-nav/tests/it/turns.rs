//! Paths of all methods have few turns, and over open tiles the fewest possible.

use crate::oracle::{self, Terrain, octile_length, random_query, test_grid};
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{MapRng, Seed};
use wayforge_nav::{
    Connectivity, Method, Metric, MultiSourceBfs, NavGrid, Navigator, Path, Preprocessing, Query,
};

/// Returns the straight runs of a path, each as its direction and number of steps.
fn runs(tiles: &[Pos]) -> Vec<((i32, i32), usize)> {
    let step = |pair: &[Pos]| {
        (i32::from(pair[1].x) - i32::from(pair[0].x), i32::from(pair[1].y) - i32::from(pair[0].y))
    };
    let steps: Vec<(i32, i32)> = tiles.windows(2).map(step).collect();
    steps.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect()
}

/// Counts the direction changes of a path.
fn turns(tiles: &[Pos]) -> usize {
    runs(tiles).len().saturating_sub(1)
}

/// Returns true if the runs of `order`, starting at `from`, are legal.
fn is_legal(
    grid: &NavGrid,
    connectivity: Connectivity,
    from: Pos,
    order: &[((i32, i32), usize)],
) -> bool {
    let mut tiles = vec![from];
    for &((dx, dy), count) in order {
        for _ in 0..count {
            let last = tiles[tiles.len() - 1];
            let along =
                |at: u16, step: i32| u16::try_from(i32::from(at) + step).unwrap_or(u16::MAX);
            tiles.push(Pos::new(along(last.x, dx), along(last.y, dy)));
        }
    }
    Path { tiles, ..Path::default() }.first_illegal_step(grid, connectivity).is_none()
}

/// Counts avoidable zigzags: runs a, b, a whose outer two can be joined by reordering the steps.
fn avoidable_zigzags(grid: &NavGrid, connectivity: Connectivity, tiles: &[Pos]) -> usize {
    let runs = runs(tiles);
    let mut at = 0;
    let mut count = 0;
    for window in runs.windows(3) {
        let [(a, first), (b, middle), (c, last)] = window else { unreachable!() };
        if a == c {
            let (joined, between) = ((*a, first + last), (*b, *middle));
            count += usize::from(
                is_legal(grid, connectivity, tiles[at], &[joined, between])
                    || is_legal(grid, connectivity, tiles[at], &[between, joined]),
            );
        }
        at += first;
    }
    count
}

/// Finds a path with every method and every metric that it supports.
fn find_all(navigator: &mut Navigator, query: &Query) -> Vec<(Method, Metric, Path)> {
    let mut found = Vec::new();
    for method in Method::ALL {
        for metric in [Metric::Steps, Metric::Octile] {
            let query = query.clone().method(method).metric(metric);
            if let Ok(Some(path)) = navigator.find(&query) {
                found.push((method, metric, path));
            }
        }
    }
    found
}

#[test]
fn paths_over_open_tiles_have_the_fewest_turns() {
    let mut rng = MapRng::from_u64(1);
    for (width, height) in [(1, 60), (9, 9), (64, 40), (131, 77)] {
        let size = Size::new(width, height);
        let mut grid = NavGrid::new(BitGrid::from_cells(size, size.iter())).unwrap();
        if width > 100 {
            grid = NavGrid::with_magnitudes(grid.open().clone(), vec![1; size.cells()]).unwrap();
        }
        let mut navigator = Navigator::new(&grid, Preprocessing::None);
        for _ in 0..60 {
            let mut tile =
                || Pos::new(rng.below(width.into()) as u16, rng.below(height.into()) as u16);
            let (from, to) = (tile(), tile());
            let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
            for connectivity in [Connectivity::Four, Connectivity::Eight] {
                let query = Query::between(from, to).connectivity(connectivity);
                let fewest = match connectivity {
                    Connectivity::Four => usize::from(dx > 0 && dy > 0),
                    Connectivity::Eight => usize::from(dx > 0 && dy > 0 && dx != dy),
                };
                for (method, metric, path) in find_all(&mut navigator, &query) {
                    assert_eq!(
                        turns(&path.tiles),
                        fewest,
                        "{method} {connectivity:?} {metric:?}: {:?}",
                        path.tiles
                    );
                    assert!(
                        connectivity == Connectivity::Four
                            || path.diagonal_steps == u32::from(dx.min(dy))
                    );
                }
                if grid.has_magnitudes() {
                    let path = navigator.find(&query.depths([1])).unwrap().unwrap();
                    assert_eq!(turns(&path.tiles), fewest);
                }
            }
        }
    }
}

#[test]
fn paths_have_no_avoidable_zigzags() {
    let (mut zigzags, mut turns_removed) = (0, 0);
    for (i, (terrain, size)) in oracle::all_terrains().enumerate() {
        let grid = test_grid(terrain, size, Seed::new(i as u64));
        let mut rng = MapRng::from_u64(300 + i as u64);
        let mut navigator = Navigator::new(&grid, Preprocessing::None);
        let mut reference = MultiSourceBfs::new(&grid);
        for _ in 0..4 {
            let Some(query) = random_query(&mut rng, &grid) else { continue };
            let Some(raw) = reference.find(&grid, &query).unwrap() else { continue };
            zigzags += avoidable_zigzags(&grid, query.connectivity, &raw.tiles);
            let octile = octile_length(&grid, &query);
            for (method, metric, path) in find_all(&mut navigator, &query) {
                let context = || format!("{terrain:?} {size} {method} {metric:?} {query:?}");
                assert_eq!(
                    path.first_illegal_step(&grid, query.connectivity),
                    None,
                    "{}",
                    context()
                );
                assert_eq!(
                    avoidable_zigzags(&grid, query.connectivity, &path.tiles),
                    0,
                    "{}",
                    context()
                );
                let diagonal = path
                    .tiles
                    .windows(2)
                    .filter(|step| step[0].x != step[1].x && step[0].y != step[1].y);
                let diagonal = diagonal.count();
                assert_eq!(
                    (diagonal as u32, path.tiles.len() as u32),
                    (path.diagonal_steps, path.steps() + 1)
                );
                if method == Method::Bfs && metric == Metric::Steps {
                    assert_eq!(
                        (path.steps(), path.source, path.target),
                        (raw.steps(), raw.source, raw.target)
                    );
                    assert!(
                        turns(&path.tiles) <= turns(&raw.tiles)
                            && path.diagonal_steps <= raw.diagonal_steps
                    );
                    turns_removed += turns(&raw.tiles) - turns(&path.tiles);
                }
                if metric == Metric::Octile && query.connectivity == Connectivity::Eight {
                    assert!(
                        (path.length(Metric::Octile) - octile.unwrap()).abs() < 1e-6,
                        "{}",
                        context()
                    );
                }
            }
        }
    }
    // The grids exercise the pass: paths of the reference search zigzag.
    assert!(zigzags > 100 && turns_removed > 100, "{zigzags} {turns_removed}");
}

#[test]
fn straightening_keeps_the_depth() {
    for seed in 0..20 {
        let grid = test_grid(Terrain::Archipelago, Size::new(90, 60), Seed::new(seed));
        let mut rng = MapRng::from_u64(seed);
        let mut navigator = Navigator::new(&grid, Preprocessing::None);
        for _ in 0..20 {
            let Some(query) = random_query(&mut rng, &grid) else { continue };
            let Some(path) = navigator.find(&query.clone().depths([6, 3, 1])).unwrap() else {
                continue;
            };
            let min_magnitude = path.depth.unwrap();
            assert!(path.tiles.iter().all(|&pos| grid.magnitude(pos) >= min_magnitude));
            assert_eq!(
                path.first_illegal_step(
                    &grid.with_min_magnitude(min_magnitude),
                    query.connectivity
                ),
                None
            );
        }
    }
}
