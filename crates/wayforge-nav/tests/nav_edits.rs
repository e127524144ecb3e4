//! Thousands of edits, of both kinds, on one navigator: always as if made anew.

mod nav_oracle;

use nav_oracle::{Kind, octile_length, random_query, water_of};
use wayforge_core::grid::{Pos, Size};
use wayforge_core::{MapRng, Seed};
use wayforge_nav::{
    Method, Metric, Moves, MultiSourceAnyTargetBFS, Navigator, Options, Prepare, Query, Water, Way,
};

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
        let mut water = water_of(kind, size, Seed::new(seed));
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

/// Edits of every size, few and many places at once, often the same ones again.
fn rough_edit(rng: &mut MapRng, size: Size, favourites: &[Pos]) -> Vec<(Pos, bool)> {
    let anywhere = |rng: &mut MapRng| size.pos(rng.below(size.cells() as u32) as usize);
    let open = rng.chance(1, 2);
    let disc = |centre: Pos, radius: i32| {
        let near = move |pos: &Pos| {
            let (dx, dy) = (i32::from(pos.x) - i32::from(centre.x), i32::from(pos.y) - i32::from(centre.y));
            dx * dx + dy * dy <= radius * radius
        };
        size.iter().filter(near)
    };
    match rng.below(10) {
        0..=2 => random_edit(rng, size),
        // The same places, filled and dug out again.
        3..=5 => {
            let centre = favourites[rng.below(favourites.len() as u32) as usize];
            disc(centre, 6).map(|pos| (pos, open)).collect()
        }
        // Some craters at once, some of each kind.
        6 => {
            let craters = (0..2 + rng.below(6)).map(|_| (anywhere(rng), rng.chance(1, 2)));
            let craters: Vec<(Pos, bool)> = craters.collect();
            craters
                .into_iter()
                .flat_map(|(centre, open)| disc(centre, 4).map(move |pos| (pos, open)))
                .collect()
        }
        // Single tiles at many places.
        7 => (0..2 + rng.below(300)).map(|_| (anywhere(rng), rng.chance(1, 2))).collect(),
        // Thousands at once; mostly water, so that there is something left to ask.
        8 if rng.chance(1, 3) => (0..4000).map(|_| (anywhere(rng), rng.chance(3, 4))).collect(),
        _ => vec![(anywhere(rng), open)],
    }
}

/// All kinds of queries to one navigator, after one edit or after many that no query came between. What is asked is often the
/// same, so that some lists know of every edit, some have missed a few, and some have missed too many.
#[test]
fn edits_at_many_places_with_few_queries_between_leave_every_answer_exact() {
    for (kind, seed) in [(Kind::Archipelago, 11), (Kind::Noise(25), 12), (Kind::Maze, 13), (Kind::Open, 14)] {
        let size = Size::new(190, 140);
        let mut water = water_of(kind, size, Seed::new(seed));
        let mut navigator = Navigator::new(&water, Prepare::Full);
        let mut plain = MultiSourceAnyTargetBFS::new(&water);
        let mut rng = MapRng::from_u64(seed);
        let favourites: Vec<Pos> =
            (0..4).map(|_| size.pos(rng.below(size.cells() as u32) as usize)).collect();
        let corners = [Pos::new(3, 3), Pos::new(186, 136), Pos::new(186, 3), Pos::new(3, 136)];
        let mut asked = 0;
        for round in 0..120 {
            // Mostly one, now and then more than any list may miss.
            let edits = [1, 1, 1, 3, 9, 30][rng.below(6) as usize];
            for _ in 0..edits {
                let mut changes = rough_edit(&mut rng, size, &favourites);
                changes.extend(corners.map(|pos| (pos, true)));
                navigator.edit(&changes).unwrap();
                for &(pos, open) in &changes {
                    water.set(pos, open);
                    plain.set(pos, open);
                }
            }
            let across = Query::between(corners[round % 2], corners[(round + 1) % 2]);
            let other = Query::new(corners[2..3].iter().copied(), corners[3..].iter().copied());
            for query in [Some(across), Some(other), random_query(&mut rng, &water)].into_iter().flatten() {
                let moves = if rng.chance(1, 2) { Moves::Four } else { Moves::Eight };
                let query =
                    query.moves(moves).method(if rng.chance(3, 4) { Method::Graph } else { Method::Auto });
                let best = plain.find(&water, &query.clone().method(Method::Bfs)).unwrap();
                let way = navigator.find(&query).unwrap();
                let said = format!("{kind:?} round {round} {moves:?}: {query:?}");
                assert!(way.iter().all(|way| way.fault(&water, moves).is_none()), "{said}");
                assert_eq!(way.as_ref().map(Way::steps), best.map(|way| way.steps()), "{said}");
                asked += usize::from(way.is_some());
                if moves == Moves::Eight && rng.chance(1, 3) {
                    let way = navigator.find(&query.clone().metric(Metric::Octile)).unwrap();
                    assert!(way.iter().all(|way| way.fault(&water, moves).is_none()), "octile {said}");
                    match (way.map(|way| way.length(Metric::Octile)), octile_length(&water, &query)) {
                        (Some(length), Some(least)) => {
                            assert!((length - least).abs() < 1e-6, "octile {said}")
                        }
                        (length, least) => assert_eq!(length, least, "octile {said}"),
                    }
                }
            }
        }
        assert!(asked > 100, "{kind:?}: only {asked} ways to compare");
    }
}

/// More places at once than are looked at one by one.
#[test]
fn edits_at_hundreds_of_places_leave_every_answer_exact() {
    let size = Size::new(500, 480);
    let mut water = water_of(Kind::Archipelago, size, Seed::new(21));
    let mut navigator = Navigator::new(&water, Prepare::Full);
    let mut plain = MultiSourceAnyTargetBFS::new(&water);
    let mut rng = MapRng::from_u64(21);
    for round in 0..30 {
        // A tile of every square of 24 x 24 tiles turns over, sometimes with some beside it: 400 places.
        let mut changes = Vec::new();
        for square in 0..400_u16 {
            let corner = Pos::new(24 * (square % 20) + 3, 24 * (square / 20) + 3);
            let tiles = if rng.chance(1, 4) { 25 } else { 1 };
            let tiles = (0..tiles).map(|n| Pos::new(corner.x + n % 5, corner.y + n / 5));
            changes.extend(tiles.map(|pos| (pos, !water.is_open(corner))));
        }
        navigator.edit(&changes).unwrap();
        for &(pos, open) in &changes {
            water.set(pos, open);
            plain.set(pos, open);
        }
        for moves in [Moves::Four, Moves::Eight, Moves::Eight] {
            let Some(query) = random_query(&mut rng, &water) else { continue };
            let query = query.moves(moves).method(Method::Graph);
            let best = plain.find(&water, &query).unwrap().map(|way| way.steps());
            let way = navigator.find(&query).unwrap();
            assert!(way.iter().all(|way| way.fault(&water, moves).is_none()), "round {round}");
            assert_eq!(way.map(|way| way.steps()), best, "round {round} {query:?}");
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
