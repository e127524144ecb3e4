//! Compares the guarantee of every method with breadth-first search in its final region.

use crate::oracle::{Terrain, random_ends, steps_in_region, test_grid};
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{MapRng, Seed};
use wayforge_nav::{
    CoarseRule, Connectivity, CorridorConfig, Guarantee, Method, NavGrid, Navigator, Options, Path,
    Preprocessing, Query,
};

/// Returns a random grid of up to 70 x 70 tiles: noise, maze, islands, open, or walls with gaps.
fn random_grid(rng: &mut MapRng, seed: u64) -> NavGrid {
    let size = Size::new(1 + rng.below(70) as u16, 1 + rng.below(70) as u16);
    let terrain = match rng.below(12) {
        0 => Terrain::Noise(10),
        1 => Terrain::Noise(30),
        2 => Terrain::Noise(40),
        3 => Terrain::Maze,
        4 => Terrain::Archipelago,
        5 => Terrain::Open,
        _ => {
            // Long walls make the coarse path miss the gaps, so that the corridor widens often.
            let mut open = BitGrid::from_cells(size, size.iter());
            for _ in 0..1 + rng.below(12) {
                let vertical = rng.chance(1, 2);
                let (at, gap) = (rng.below(70) as u16, rng.below(70) as u16);
                for pos in size.iter() {
                    let (across, along) = if vertical { (pos.x, pos.y) } else { (pos.y, pos.x) };
                    if across == at && along.abs_diff(gap) > 2 {
                        open.remove(pos);
                    }
                }
            }
            return NavGrid::new(open).unwrap();
        }
    };
    test_grid(terrain, size, Seed::new(seed))
}

fn random_corridor(rng: &mut MapRng) -> CorridorConfig {
    CorridorConfig {
        factor: Some([1, 2, 2, 3, 3, 4, 5, 8, 16][rng.below(9) as usize]),
        radius: Some([0, 0, 0, 1, 2, 5][rng.below(6) as usize]),
        max_expansions: Some([0, 1, 3, 6, 20, 1000][rng.below(6) as usize]),
        coarse_rule: Some(CoarseRule::ALL[usize::from(rng.chance(1, 5))]),
    }
}

/// Runs a query and compares its guarantee with breadth-first search in the region.
fn check(navigator: &mut Navigator, query: &Query, best: Option<u32>) -> Option<Path> {
    let method = query.method;
    let path = navigator.find(query).unwrap();
    let grid = navigator.grid();
    assert_eq!(path.is_some(), best.is_some(), "{method} {query:?}\n{}", grid.open());
    let (path, region) = (path?, navigator.region());
    assert_eq!(path.first_illegal_step(grid, query.connectivity), None);
    assert_eq!(path.tiles.first(), Some(&query.sources[path.source]));
    assert_eq!(path.tiles.last(), Some(&query.targets[path.target]));
    assert_eq!(path.tiles.len() as u32, path.steps() + 1);
    assert!(region.iter().all(|pos| grid.is_open(pos)));
    let shortest = steps_in_region(grid, &region, query);
    let context = || {
        format!(
            "{method} {query:?}: {} steps, {shortest:?} in region\n{}",
            path.steps(),
            grid.open()
        )
    };
    match path.guarantee {
        Guarantee::Exact => assert_eq!(Some(path.steps()), best, "{}", context()),
        Guarantee::ShortestInRegion => assert_eq!(Some(path.steps()), shortest, "{}", context()),
        Guarantee::Valid => {
            assert!(shortest.is_some_and(|steps| path.steps() >= steps), "{}", context())
        }
        other => panic!("unknown guarantee {other:?}"),
    }
    let strong_enough = match method {
        Method::MaskOptimal | Method::Restart => path.guarantee != Guarantee::Valid,
        Method::MaskF1 | Method::MaskF2 | Method::Components => true,
        _ => path.guarantee == Guarantee::Exact,
    };
    assert!(
        strong_enough && path.stats.fallback <= (path.guarantee == Guarantee::Exact),
        "{}",
        context()
    );
    Some(path)
}

#[test]
fn every_method_meets_its_guarantee_in_its_final_region() {
    // Number of paths by guarantee: exact, shortest in region, valid. The fourth counts paths that
    // are shortest in region after a widening.
    let mut counts = [0; 4];
    for seed in 0..6000 {
        let mut rng = MapRng::from_u64(seed);
        let grid = random_grid(&mut rng, seed);
        let corridor = random_corridor(&mut rng);
        let mut navigator =
            Navigator::with_options(&grid, corridor.apply(Options::default()).unwrap()).unwrap();
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            let Some(query) = random_ends(&mut rng, &grid, 20) else { continue };
            let query = query.connectivity(connectivity);
            let best = steps_in_region(&grid, grid.open(), &query);
            for method in Method::ALL {
                let query = query.clone().method(method);
                let Some(path) = check(&mut navigator, &query, best) else { continue };
                assert!(i64::from(path.stats.expansions) <= corridor.max_expansions.unwrap());
                counts[path.guarantee as usize] += 1;
                counts[3] += usize::from(
                    path.stats.expansions > 0 && path.guarantee == Guarantee::ShortestInRegion,
                );
            }
        }
    }
    // The maps exercise every guarantee.
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn sources_included_by_widening_are_enqueued() {
    let size = Size::new(48, 64);
    let open = BitGrid::from_cells(size, size.iter().filter(|pos| pos.x != 23 || pos.y < 28));
    let grid = NavGrid::new(open).unwrap();
    let mut navigator = Navigator::new(&grid, Preprocessing::None);
    let query = Query::new([Pos::new(21, 50), Pos::new(25, 33)], [Pos::new(25, 50)]);
    for method in Method::ALL {
        let query = query.clone().method(method);
        let path = check(&mut navigator, &query, Some(17));
        assert_eq!(path.map(|path| path.steps()), Some(17), "{method}");
    }
}

#[test]
fn corridor_options_are_checked_and_change_the_region() {
    let grid =
        NavGrid::new(BitGrid::from_cells(Size::new(90, 60), Size::new(90, 60).iter())).unwrap();
    let query = Query::between(Pos::new(0, 0), Pos::new(89, 59));
    let region_size = |config: CorridorConfig, method| {
        let options = config.apply_for(method, Options::default()).unwrap();
        let mut navigator = Navigator::with_options(&grid, options).unwrap();
        navigator.find(&query.clone().method(method)).unwrap().unwrap();
        navigator.region().len()
    };
    let default = CorridorConfig::default();
    for method in Method::ALL.into_iter().filter(|method| method.has_corridor()) {
        let narrow = region_size(CorridorConfig { radius: Some(0), ..default }, method);
        let fine =
            region_size(CorridorConfig { radius: Some(0), factor: Some(1), ..default }, method);
        let whole_grid = region_size(CorridorConfig { radius: Some(1024), ..default }, method);
        assert!(
            fine < narrow && narrow < region_size(default, method) && whole_grid == 90 * 60,
            "{method}"
        );
    }
    let error = |config: CorridorConfig, method| {
        config.apply_for(method, Options::default()).unwrap_err().to_string()
    };
    let mask = Method::MaskF2;
    assert_eq!(
        error(CorridorConfig { factor: Some(1025), ..default }, mask),
        "factor = 1025: out of range; use 1 to 1024"
    );
    assert_eq!(
        error(CorridorConfig { radius: Some(-1), ..default }, mask),
        "radius = -1: out of range; use 0 to 1024"
    );
    assert_eq!(
        error(CorridorConfig { max_expansions: Some(5000), ..default }, mask),
        "max_expansions = 5000: out of range; use 0 to 1024"
    );
    assert_eq!(
        error(CorridorConfig { coarse_rule: Some(CoarseRule::AnyTile), ..default }, Method::Bfs),
        "coarse_rule = any-tile: the method bfs has no corridor; \
         use the method restart, mask-f1, mask-f2, mask-optimal or components, or leave it out"
    );
    assert_eq!(
        "cells".parse::<CoarseRule>().unwrap_err().to_string(),
        "coarse_rule = cells: unknown; use any-tile, components"
    );
}
