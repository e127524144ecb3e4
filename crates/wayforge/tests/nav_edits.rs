//! Thousands of edits, of both kinds, on one navigator: always as if made anew.

mod nav_oracle;

use nav_oracle::{Kind, random_query, water_of};
use wayforge::grid::{Pos, Size};
use wayforge::nav::{Method, Moves, MultiSourceAnyTargetBFS, Navigator, Options, Prepare, Query, Water, Way};
use wayforge::{MapRng, Seed};

/// One to some tiles that turn to water or to land: a tile, a disc, a wall or a canal.
fn random_edit(rng: &mut MapRng, size: Size) -> Vec<(Pos, bool)> {
    let centre = size.pos(rng.below(size.cells() as u32) as usize);
    let (shape, radius, open) = (rng.below(4), rng.below(7) as i32, rng.chance(1, 2));
    let inside = move |pos: &Pos| {
        let (dx, dy) = (i32::from(pos.x) - i32::from(centre.x), i32::from(pos.y) - i32::from(centre.y));
        match shape {
            0 => (dx, dy) == (0, 0),
            1 => dx == 0 && dy.abs() <= 4 * radius,
            2 => dy == 0 && dx.abs() <= 4 * radius,
            _ => dx * dx + dy * dy <= radius * radius,
        }
    };
    size.iter().filter(inside).map(|pos| (pos, open)).collect()
}

#[test]
fn thousands_of_edits_leave_every_answer_exact() {
    for (kind, moves, seed) in [
        (Kind::Archipelago, Moves::Eight, 1),
        (Kind::Archipelago, Moves::Four, 2),
        (Kind::Noise(30), Moves::Eight, 3),
        (Kind::Maze, Moves::Four, 4),
        (Kind::Open, Moves::Eight, 5),
    ] {
        let size = Size::new(150, 90);
        let mut water = water_of(kind, size, Seed(seed));
        let options = Options { prepare: Prepare::Full, moves, ..Options::default() };
        let mut navigator = Navigator::with(&water, options).unwrap();
        let mut rng = MapRng::from_u64(seed);
        let mut plain = MultiSourceAnyTargetBFS::new(&water);
        for round in 0..1200 {
            let changes = random_edit(&mut rng, size);
            navigator.edit(&changes).unwrap();
            for &(pos, open) in &changes {
                water.set(pos, open);
                plain.set(pos, open);
            }
            let Some(query) = random_query(&mut rng, &water) else { continue };
            let query = query.moves(moves).method(Method::Graph);
            let best = plain.find(&water, &query).unwrap().map(|way| way.steps());
            let way = navigator.find(&query).unwrap();
            assert!(way.iter().all(|way| way.fault(&water, moves).is_none()));
            assert_eq!(way.map(|way| way.steps()), best, "{kind:?} {moves:?} round {round} {query:?}");
            if round % 400 == 399 {
                navigator.refresh();
            }
        }
    }
}

/// The jump points that some queries reach.
fn work(navigator: &mut Navigator, asked: &[Query]) -> u64 {
    let mut way = Way::default();
    let visits = asked.iter().map(|query| {
        navigator.find_into(query, &mut way).unwrap();
        way.counts.visited
    });
    visits.sum()
}

#[test]
fn queries_count_doubtful_landmarks_anew() {
    // Long walls with a gap at one end: landmarks know it, straight lines do not.
    let size = Size::new(256, 256);
    let wall = |pos: &Pos| pos.y % 16 == 8 && pos.x != if pos.y % 32 == 8 { 0 } else { 255 };
    let mut water = Water::from_text(&format!("{}\n", ".".repeat(256)).repeat(256)).unwrap();
    size.iter().filter(wall).for_each(|pos| water.set(pos, false));
    let asked: Vec<Query> =
        (0..60).map(|i| Query::between(Pos::new(4 * i, 0), Pos::new(250 - 2 * i, 255 - i % 7))).collect();
    let mut navigator = Navigator::new(&water, Prepare::Full);
    // Canals through some walls: nobody can tell how much shorter ways are now.
    let canals: Vec<(Pos, bool)> = (0..5).map(|i| (Pos::new(60 + 30 * i, 40 + 48 * (i % 3)), true)).collect();
    navigator.edit(&canals).unwrap();
    canals.iter().for_each(|&(pos, open)| water.set(pos, open));
    let fresh = work(&mut Navigator::new(&water, Prepare::Full), &asked);
    let doubtful = work(&mut navigator.clone(), &asked[..5]) * 12;
    assert!(doubtful > fresh + fresh / 4, "doubts cost something: {doubtful} {fresh}");
    let mut paid = navigator.clone();
    (0..200).for_each(|_| {
        work(&mut paid, &asked);
    });
    let after = work(&mut paid, &asked);
    assert!(after <= fresh + fresh / 10, "{after} after many queries, {fresh} when made anew");
    navigator.refresh();
    assert!(work(&mut navigator, &asked) <= fresh + fresh / 10);
}
