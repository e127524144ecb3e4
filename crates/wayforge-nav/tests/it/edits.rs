//! Paths stay exact after thousands of edits of one navigator.

use crate::oracle::{Terrain, octile_length, random_query, test_grid};
use wayforge_core::grid::{Pos, Size};
use wayforge_core::{MapRng, Seed};
use wayforge_nav::{
    Connectivity, Method, Metric, MultiSourceBfs, NavGrid, Navigator, Options, Path, Preprocessing,
    Query,
};

/// Returns a random edit that opens or blocks a tile, a disc or a line.
fn random_edit(rng: &mut MapRng, size: Size) -> Vec<(Pos, bool)> {
    let centre = size.pos(rng.below(size.cells() as u32) as usize);
    let (shape, radius, open) = (rng.below(4), rng.below(7) as i32, rng.chance(1, 2));
    let inside = move |pos: &Pos| {
        let (dx, dy) =
            (i32::from(pos.x) - i32::from(centre.x), i32::from(pos.y) - i32::from(centre.y));
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
fn paths_stay_exact_after_thousands_of_edits() {
    for (terrain, connectivity, seed) in [
        (Terrain::Archipelago, Connectivity::Eight, 1),
        (Terrain::Archipelago, Connectivity::Four, 2),
        (Terrain::Noise(30), Connectivity::Eight, 3),
        (Terrain::Maze, Connectivity::Four, 4),
        (Terrain::Open, Connectivity::Eight, 5),
    ] {
        let size = Size::new(150, 90);
        let mut grid = test_grid(terrain, size, Seed::new(seed));
        let options =
            Options { preprocessing: Preprocessing::Full, connectivity, ..Options::default() };
        let mut navigator = Navigator::with_options(&grid, options).unwrap();
        let mut rng = MapRng::from_u64(seed);
        let mut reference = MultiSourceBfs::new(&grid);
        for round in 0..1200 {
            let changes = random_edit(&mut rng, size);
            navigator.edit(&changes).unwrap();
            for &(pos, open) in &changes {
                grid.set_open(pos, open);
                reference.set_open(pos, open);
            }
            let Some(query) = random_query(&mut rng, &grid) else { continue };
            let query = query.connectivity(connectivity).method(Method::JpsGraph);
            let best = reference.find(&grid, &query).unwrap().map(|path| path.steps());
            let path = navigator.find(&query).unwrap();
            assert!(path.iter().all(|path| path.first_illegal_step(&grid, connectivity).is_none()));
            assert_eq!(
                path.map(|path| path.steps()),
                best,
                "{terrain:?} {connectivity:?} round {round} {query:?}"
            );
            if round % 400 == 399 {
                navigator.refresh();
            }
        }
    }
}

/// Returns a random edit of any size at one or many locations, often at a recurring one.
fn mixed_edit(rng: &mut MapRng, size: Size, recurring: &[Pos]) -> Vec<(Pos, bool)> {
    let anywhere = |rng: &mut MapRng| size.pos(rng.below(size.cells() as u32) as usize);
    let open = rng.chance(1, 2);
    let disc = |centre: Pos, radius: i32| {
        let near = move |pos: &Pos| {
            let (dx, dy) =
                (i32::from(pos.x) - i32::from(centre.x), i32::from(pos.y) - i32::from(centre.y));
            dx * dx + dy * dy <= radius * radius
        };
        size.iter().filter(near)
    };
    match rng.below(10) {
        0..=2 => random_edit(rng, size),
        // Recurring locations, blocked and opened again.
        3..=5 => {
            let centre = recurring[rng.below(recurring.len() as u32) as usize];
            disc(centre, 6).map(|pos| (pos, open)).collect()
        }
        // Several discs at once, opened or blocked.
        6 => {
            let discs = (0..2 + rng.below(6)).map(|_| (anywhere(rng), rng.chance(1, 2)));
            let discs: Vec<(Pos, bool)> = discs.collect();
            discs
                .into_iter()
                .flat_map(|(centre, open)| disc(centre, 4).map(move |pos| (pos, open)))
                .collect()
        }
        // Single tiles at many locations.
        7 => (0..2 + rng.below(300)).map(|_| (anywhere(rng), rng.chance(1, 2))).collect(),
        // Thousands of tiles at once, mostly opened, so that paths remain.
        8 if rng.chance(1, 3) => (0..4000).map(|_| (anywhere(rng), rng.chance(3, 4))).collect(),
        _ => vec![(anywhere(rng), open)],
    }
}

/// Runs queries after one edit or many consecutive edits.
///
/// Most queries repeat, so successor lists have missed no edits, a few, or too many to repair.
#[test]
fn paths_stay_exact_after_many_edits_with_few_queries_between() {
    for (terrain, seed) in [
        (Terrain::Archipelago, 11),
        (Terrain::Noise(25), 12),
        (Terrain::Maze, 13),
        (Terrain::Open, 14),
    ] {
        let size = Size::new(190, 140);
        let mut grid = test_grid(terrain, size, Seed::new(seed));
        let mut navigator = Navigator::new(&grid, Preprocessing::Full);
        let mut reference = MultiSourceBfs::new(&grid);
        let mut rng = MapRng::from_u64(seed);
        let recurring: Vec<Pos> =
            (0..4).map(|_| size.pos(rng.below(size.cells() as u32) as usize)).collect();
        let corners = [Pos::new(3, 3), Pos::new(186, 136), Pos::new(186, 3), Pos::new(3, 136)];
        let mut found = 0;
        for round in 0..120 {
            // Usually one edit, sometimes more than a list may miss.
            let edits = [1, 1, 1, 3, 9, 30][rng.below(6) as usize];
            for _ in 0..edits {
                let mut changes = mixed_edit(&mut rng, size, &recurring);
                changes.extend(corners.map(|pos| (pos, true)));
                navigator.edit(&changes).unwrap();
                for &(pos, open) in &changes {
                    grid.set_open(pos, open);
                    reference.set_open(pos, open);
                }
            }
            let across = Query::between(corners[round % 2], corners[(round + 1) % 2]);
            let other = Query::new(corners[2..3].iter().copied(), corners[3..].iter().copied());
            for query in
                [Some(across), Some(other), random_query(&mut rng, &grid)].into_iter().flatten()
            {
                let connectivity =
                    if rng.chance(1, 2) { Connectivity::Four } else { Connectivity::Eight };
                let query = query.connectivity(connectivity).method(if rng.chance(3, 4) {
                    Method::JpsGraph
                } else {
                    Method::Auto
                });
                let best = reference.find(&grid, &query.clone().method(Method::Bfs)).unwrap();
                let path = navigator.find(&query).unwrap();
                let context = format!("{terrain:?} round {round} {connectivity:?}: {query:?}");
                assert!(
                    path.iter().all(|path| path.first_illegal_step(&grid, connectivity).is_none()),
                    "{context}"
                );
                assert_eq!(
                    path.as_ref().map(Path::steps),
                    best.map(|path| path.steps()),
                    "{context}"
                );
                found += usize::from(path.is_some());
                if connectivity == Connectivity::Eight && rng.chance(1, 3) {
                    let path = navigator.find(&query.clone().metric(Metric::Octile)).unwrap();
                    assert!(
                        path.iter()
                            .all(|path| path.first_illegal_step(&grid, connectivity).is_none()),
                        "octile {context}"
                    );
                    match (
                        path.map(|path| path.length(Metric::Octile)),
                        octile_length(&grid, &query),
                    ) {
                        (Some(length), Some(shortest)) => {
                            assert!((length - shortest).abs() < 1e-6, "octile {context}")
                        }
                        (length, shortest) => {
                            assert_eq!(length, shortest, "octile {context}")
                        }
                    }
                }
            }
        }
        assert!(found > 100, "{terrain:?}: only {found} paths to compare");
    }
}

/// Edits more clusters of tiles than are tracked separately.
#[test]
fn paths_stay_exact_after_edits_at_hundreds_of_locations() {
    let size = Size::new(500, 480);
    let mut grid = test_grid(Terrain::Archipelago, size, Seed::new(21));
    let mut navigator = Navigator::new(&grid, Preprocessing::Full);
    let mut reference = MultiSourceBfs::new(&grid);
    let mut rng = MapRng::from_u64(21);
    for round in 0..30 {
        // Toggles one tile in each square of 24 x 24 tiles, sometimes with its neighbours.
        let mut changes = Vec::new();
        for square in 0..400_u16 {
            let corner = Pos::new(24 * (square % 20) + 3, 24 * (square / 20) + 3);
            let tiles = if rng.chance(1, 4) { 25 } else { 1 };
            let tiles = (0..tiles).map(|n| Pos::new(corner.x + n % 5, corner.y + n / 5));
            changes.extend(tiles.map(|pos| (pos, !grid.is_open(corner))));
        }
        navigator.edit(&changes).unwrap();
        for &(pos, open) in &changes {
            grid.set_open(pos, open);
            reference.set_open(pos, open);
        }
        for connectivity in [Connectivity::Four, Connectivity::Eight, Connectivity::Eight] {
            let Some(query) = random_query(&mut rng, &grid) else { continue };
            let query = query.connectivity(connectivity).method(Method::JpsGraph);
            let best = reference.find(&grid, &query).unwrap().map(|path| path.steps());
            let path = navigator.find(&query).unwrap();
            assert!(
                path.iter().all(|path| path.first_illegal_step(&grid, connectivity).is_none()),
                "round {round}"
            );
            assert_eq!(path.map(|path| path.steps()), best, "round {round} {query:?}");
        }
    }
}

/// Returns the total number of jump points that the queries reach.
fn search_effort(navigator: &mut Navigator, queries: &[Query]) -> u64 {
    let mut path = Path::default();
    let visits = queries.iter().map(|query| {
        navigator.find_into(query, &mut path).unwrap();
        path.stats.visited
    });
    visits.sum()
}

#[test]
fn queries_recompute_stale_landmarks() {
    // Long walls with a gap at one end: landmarks account for them, unobstructed distances do not.
    let size = Size::new(256, 256);
    let wall = |pos: &Pos| pos.y % 16 == 8 && pos.x != if pos.y % 32 == 8 { 0 } else { 255 };
    let mut grid = NavGrid::from_text(&format!("{}\n", ".".repeat(256)).repeat(256)).unwrap();
    size.iter().filter(wall).for_each(|pos| grid.set_open(pos, false));
    let queries: Vec<Query> = (0..60)
        .map(|i| Query::between(Pos::new(4 * i, 0), Pos::new(250 - 2 * i, 255 - i % 7)))
        .collect();
    let mut navigator = Navigator::new(&grid, Preprocessing::Full);
    // Opens gaps in some walls, whose shortening of paths is unbounded.
    let gaps: Vec<(Pos, bool)> =
        (0..5).map(|i| (Pos::new(60 + 30 * i, 40 + 48 * (i % 3)), true)).collect();
    navigator.edit(&gaps).unwrap();
    gaps.iter().for_each(|&(pos, open)| grid.set_open(pos, open));
    let rebuilt = search_effort(&mut Navigator::new(&grid, Preprocessing::Full), &queries);
    let stale = search_effort(&mut navigator.clone(), &queries[..5]) * 12;
    assert!(stale > rebuilt + rebuilt / 4, "stale landmarks weaken the bounds: {stale} {rebuilt}");
    let mut refreshed = navigator.clone();
    (0..200).for_each(|_| {
        search_effort(&mut refreshed, &queries);
    });
    let after = search_effort(&mut refreshed, &queries);
    assert!(after <= rebuilt + rebuilt / 10, "{after} after many queries, {rebuilt} when rebuilt");
    navigator.refresh();
    assert!(search_effort(&mut navigator, &queries) <= rebuilt + rebuilt / 10);
}
