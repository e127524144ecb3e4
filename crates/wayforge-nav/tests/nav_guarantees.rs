//! The guarantee of every method against breadth-first search restricted to the method's final region.

mod nav_oracle;

use nav_oracle::{Kind, random_ends, steps_in_region, water_of};
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{MapRng, Seed};
use wayforge_nav::{
    CoarseRule, CorridorConfig, Guarantee, Method, Moves, Navigator, Options, Prepare, Query, Water, Way,
};

/// Random grid of up to 70 x 70 tiles: noise, mazes, islands, open water, or walls with few gaps.
fn random_water(rng: &mut MapRng, seed: u64) -> Water {
    let size = Size::new(1 + rng.below(70) as u16, 1 + rng.below(70) as u16);
    let kind = match rng.below(12) {
        0 => Kind::Noise(10),
        1 => Kind::Noise(30),
        2 => Kind::Noise(40),
        3 => Kind::Maze,
        4 => Kind::Archipelago,
        5 => Kind::Open,
        _ => {
            // Long walls make the coarse path miss the gaps, so that the corridor widens often.
            let mut open = BitGrid::of(size, size.iter());
            for _ in 0..1 + rng.below(12) {
                let upright = rng.chance(1, 2);
                let (at, gap) = (rng.below(70) as u16, rng.below(70) as u16);
                for pos in size.iter() {
                    let (across, along) = if upright { (pos.x, pos.y) } else { (pos.y, pos.x) };
                    if across == at && along.abs_diff(gap) > 2 {
                        open.remove(pos);
                    }
                }
            }
            return Water::new(open).unwrap();
        }
    };
    water_of(kind, size, Seed::new(seed))
}

fn random_corridor(rng: &mut MapRng) -> CorridorConfig {
    CorridorConfig {
        factor: Some([1, 2, 2, 3, 3, 4, 5, 8, 16][rng.below(9) as usize]),
        radius: Some([0, 0, 0, 1, 2, 5][rng.below(6) as usize]),
        max_expansions: Some([0, 1, 3, 6, 20, 1000][rng.below(6) as usize]),
        coarse_rule: Some(CoarseRule::ALL[usize::from(rng.chance(1, 5))]),
    }
}

/// Runs a query by one method and compares the claim with breadth-first search in the region.
fn check(navigator: &mut Navigator, query: &Query, best: Option<u32>) -> Option<Way> {
    let method = query.method;
    let path = navigator.find(query).unwrap();
    let water = navigator.water();
    assert_eq!(path.is_some(), best.is_some(), "{method} {query:?}\n{}", water.open());
    let (path, region) = (path?, navigator.region());
    assert_eq!(path.fault(water, query.moves), None);
    assert_eq!(path.tiles.first(), Some(&query.sources[path.source]));
    assert_eq!(path.tiles.last(), Some(&query.targets[path.target]));
    assert_eq!(path.tiles.len() as u32, path.steps() + 1);
    assert!(region.iter().all(|pos| water.is_open(pos)));
    let shortest = steps_in_region(water, &region, query);
    let context =
        || format!("{method} {query:?}: {} steps, {shortest:?} in region\n{}", path.steps(), water.open());
    match path.guarantee {
        Guarantee::Exact => assert_eq!(Some(path.steps()), best, "{}", context()),
        Guarantee::ShortestInRegion => assert_eq!(Some(path.steps()), shortest, "{}", context()),
        Guarantee::Valid => assert!(shortest.is_some_and(|steps| path.steps() >= steps), "{}", context()),
    }
    let strong = match method {
        Method::MaskOptimal | Method::Restart => path.guarantee != Guarantee::Valid,
        Method::MaskF1 | Method::MaskF2 | Method::Pieces => true,
        _ => path.guarantee == Guarantee::Exact,
    };
    assert!(strong && path.counts.fallback <= (path.guarantee == Guarantee::Exact), "{}", context());
    Some(path)
}

#[test]
fn every_method_keeps_its_guarantee_in_its_final_region() {
    // Counts of exact, shortest in region and valid; the fourth counts widened searches that are shortest in region.
    let mut seen = [0; 4];
    for seed in 0..6000 {
        let mut rng = MapRng::from_u64(seed);
        let water = random_water(&mut rng, seed);
        let corridor = random_corridor(&mut rng);
        let mut navigator = Navigator::with(&water, corridor.apply(Options::default()).unwrap()).unwrap();
        for moves in [Moves::Four, Moves::Eight] {
            let Some(query) = random_ends(&mut rng, &water, 20) else { continue };
            let query = query.moves(moves);
            let best = steps_in_region(&water, water.open(), &query);
            for method in Method::ALL {
                let query = query.clone().method(method);
                let Some(path) = check(&mut navigator, &query, best) else { continue };
                assert!(i64::from(path.counts.expansions) <= corridor.max_expansions.unwrap());
                seen[path.guarantee as usize] += 1;
                seen[3] +=
                    usize::from(path.counts.expansions > 0 && path.guarantee == Guarantee::ShortestInRegion);
            }
        }
    }
    // The maps exercise every guarantee.
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}

#[test]
fn sources_that_widening_lets_in_are_searched_from() {
    let size = Size::new(48, 64);
    let open = BitGrid::of(size, size.iter().filter(|pos| pos.x != 23 || pos.y < 28));
    let water = Water::new(open).unwrap();
    let mut navigator = Navigator::new(&water, Prepare::None);
    let query = Query::new([Pos::new(21, 50), Pos::new(25, 33)], [Pos::new(25, 50)]);
    for method in Method::ALL {
        let query = query.clone().method(method);
        let path = check(&mut navigator, &query, Some(17));
        assert_eq!(path.map(|path| path.steps()), Some(17), "{method}");
    }
}

#[test]
fn corridor_options_are_checked_and_change_the_region() {
    let water = Water::new(BitGrid::of(Size::new(90, 60), Size::new(90, 60).iter())).unwrap();
    let query = Query::between(Pos::new(0, 0), Pos::new(89, 59));
    let tiles = |config: CorridorConfig, method| {
        let options = config.apply_for(method, Options::default()).unwrap();
        let mut navigator = Navigator::with(&water, options).unwrap();
        navigator.find(&query.clone().method(method)).unwrap().unwrap();
        navigator.region().len()
    };
    let standard = CorridorConfig::default();
    for method in Method::ALL.into_iter().filter(|method| method.has_corridor()) {
        let narrow = tiles(CorridorConfig { radius: Some(0), ..standard }, method);
        let fine = tiles(CorridorConfig { radius: Some(0), factor: Some(1), ..standard }, method);
        let wide = tiles(CorridorConfig { radius: Some(1024), ..standard }, method);
        assert!(fine < narrow && narrow < tiles(standard, method) && wide == 90 * 60, "{method}");
    }
    let error = |config: CorridorConfig, method| {
        config.apply_for(method, Options::default()).unwrap_err().to_string()
    };
    let mask = Method::MaskF2;
    assert_eq!(
        error(CorridorConfig { factor: Some(1025), ..standard }, mask),
        "factor = 1025: out of range; use 1 to 1024"
    );
    assert_eq!(
        error(CorridorConfig { radius: Some(-1), ..standard }, mask),
        "radius = -1: out of range; use 0 to 1024"
    );
    assert_eq!(
        error(CorridorConfig { max_expansions: Some(5000), ..standard }, mask),
        "max_expansions = 5000: out of range; use 0 to 1024"
    );
    assert_eq!(
        error(CorridorConfig { coarse_rule: Some(CoarseRule::AnyTile), ..standard }, Method::Bfs),
        "coarse_rule = any-tile: the method bfs has no corridor; \
         use the method restart, mask-f1, mask-f2, mask-optimal or pieces, or leave it out"
    );
    assert_eq!(
        "cells".parse::<CoarseRule>().unwrap_err().to_string(),
        "coarse_rule = cells: unknown; use any-tile, components"
    );
}
