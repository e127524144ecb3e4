//! Paths of every method turn seldom: over open water not more often than they must.

mod nav_oracle;

use nav_oracle::{Kind, octile_length, random_query, water_of};
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{MapRng, Seed};
use wayforge_nav::{Method, Metric, Moves, MultiSourceAnyTargetBFS, Navigator, Prepare, Query, Water, Way};

/// Straight runs of a path: step and number of steps.
fn runs(tiles: &[Pos]) -> Vec<((i32, i32), usize)> {
    let step = |pair: &[Pos]| {
        (i32::from(pair[1].x) - i32::from(pair[0].x), i32::from(pair[1].y) - i32::from(pair[0].y))
    };
    let steps: Vec<(i32, i32)> = tiles.windows(2).map(step).collect();
    steps.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect()
}

/// Direction changes of a path.
fn turns(tiles: &[Pos]) -> usize {
    runs(tiles).len().saturating_sub(1)
}

/// True if the steps of `order` are legal from `from` on.
fn is_legal(water: &Water, moves: Moves, from: Pos, order: &[((i32, i32), usize)]) -> bool {
    let mut tiles = vec![from];
    for &((dx, dy), count) in order {
        for _ in 0..count {
            let last = tiles[tiles.len() - 1];
            let along = |at: u16, step: i32| u16::try_from(i32::from(at) + step).unwrap_or(u16::MAX);
            tiles.push(Pos::new(along(last.x, dx), along(last.y, dy)));
        }
    }
    Way { tiles, ..Way::default() }.fault(water, moves).is_none()
}

/// Zigzags that changing the order of steps removes: runs a, b, a whose outer two can be joined on open tiles.
fn avoidable_zigzags(water: &Water, moves: Moves, tiles: &[Pos]) -> usize {
    let runs = runs(tiles);
    let mut at = 0;
    let mut count = 0;
    for window in runs.windows(3) {
        let [(a, first), (b, middle), (c, last)] = window else { unreachable!() };
        if a == c {
            let (joined, between) = ((*a, first + last), (*b, *middle));
            count += usize::from(
                is_legal(water, moves, tiles[at], &[joined, between])
                    || is_legal(water, moves, tiles[at], &[between, joined]),
            );
        }
        at += first;
    }
    count
}

/// Every method with every metric it supports.
fn ways(navigator: &mut Navigator, query: &Query) -> Vec<(Method, Metric, Way)> {
    let mut found = Vec::new();
    for method in Method::ALL {
        for metric in [Metric::Steps, Metric::Octile] {
            let query = query.clone().method(method).metric(metric);
            if let Ok(Some(way)) = navigator.find(&query) {
                found.push((method, metric, way));
            }
        }
    }
    found
}

#[test]
fn open_water_is_crossed_with_the_fewest_turns() {
    let mut rng = MapRng::from_u64(1);
    for (width, height) in [(1, 60), (9, 9), (64, 40), (131, 77)] {
        let size = Size::new(width, height);
        let mut water = Water::new(BitGrid::of(size, size.iter())).unwrap();
        if width > 100 {
            water = Water::with_magnitudes(water.open().clone(), vec![1; size.cells()]).unwrap();
        }
        let mut navigator = Navigator::new(&water, Prepare::None);
        for _ in 0..60 {
            let mut tile = || Pos::new(rng.below(width.into()) as u16, rng.below(height.into()) as u16);
            let (from, to) = (tile(), tile());
            let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
            for moves in [Moves::Four, Moves::Eight] {
                let query = Query::between(from, to).moves(moves);
                let fewest = match moves {
                    Moves::Four => usize::from(dx > 0 && dy > 0),
                    Moves::Eight => usize::from(dx > 0 && dy > 0 && dx != dy),
                };
                for (method, metric, way) in ways(&mut navigator, &query) {
                    assert_eq!(turns(&way.tiles), fewest, "{method} {moves:?} {metric:?}: {:?}", way.tiles);
                    assert!(moves == Moves::Four || way.diagonal == u32::from(dx.min(dy)));
                }
                if water.has_magnitudes() {
                    let way = navigator.find(&query.depths([1])).unwrap().unwrap();
                    assert_eq!(turns(&way.tiles), fewest);
                }
            }
        }
    }
}

#[test]
fn no_zigzag_is_left_that_another_order_of_steps_avoids() {
    let (mut before, mut after) = (0, 0);
    for (i, (kind, size)) in nav_oracle::grounds().enumerate() {
        let water = water_of(kind, size, Seed::new(i as u64));
        let mut rng = MapRng::from_u64(300 + i as u64);
        let mut navigator = Navigator::new(&water, Prepare::None);
        let mut plain = MultiSourceAnyTargetBFS::new(&water);
        for _ in 0..4 {
            let Some(query) = random_query(&mut rng, &water) else { continue };
            let Some(raw) = plain.find(&water, &query).unwrap() else { continue };
            before += avoidable_zigzags(&water, query.moves, &raw.tiles);
            let octile = octile_length(&water, &query);
            for (method, metric, way) in ways(&mut navigator, &query) {
                let context = || format!("{kind:?} {size} {method} {metric:?} {query:?}");
                assert_eq!(way.fault(&water, query.moves), None, "{}", context());
                assert_eq!(avoidable_zigzags(&water, query.moves, &way.tiles), 0, "{}", context());
                let diagonal =
                    way.tiles.windows(2).filter(|two| two[0].x != two[1].x && two[0].y != two[1].y);
                let diagonal = diagonal.count();
                assert_eq!((diagonal as u32, way.tiles.len() as u32), (way.diagonal, way.steps() + 1));
                if method == Method::Bfs && metric == Metric::Steps {
                    assert_eq!((way.steps(), way.source, way.target), (raw.steps(), raw.source, raw.target));
                    assert!(turns(&way.tiles) <= turns(&raw.tiles) && way.diagonal <= raw.diagonal);
                    after += turns(&raw.tiles) - turns(&way.tiles);
                }
                if metric == Metric::Octile && query.moves == Moves::Eight {
                    assert!((way.length(Metric::Octile) - octile.unwrap()).abs() < 1e-6, "{}", context());
                }
            }
        }
    }
    // The maps exercise the pass: the plain search zigzags.
    assert!(before > 100 && after > 100, "{before} {after}");
}

#[test]
fn depth_is_kept_while_straightening() {
    for seed in 0..20 {
        let water = water_of(Kind::Archipelago, Size::new(90, 60), Seed::new(seed));
        let mut rng = MapRng::from_u64(seed);
        let mut navigator = Navigator::new(&water, Prepare::None);
        for _ in 0..20 {
            let Some(query) = random_query(&mut rng, &water) else { continue };
            let Some(way) = navigator.find(&query.clone().depths([6, 3, 1])).unwrap() else { continue };
            let least = way.depth.unwrap();
            assert!(way.tiles.iter().all(|&pos| water.magnitude(pos) >= least));
            assert_eq!(way.fault(&water.at_least(least), query.moves), None);
        }
    }
}
