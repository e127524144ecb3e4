//! Grounds to search on, questions to ask, and plain answers.

#![allow(dead_code)] // Shared by several tests, each uses some of it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use wayforge_core::grid::{BitGrid, Dir, Pos, Size};
use wayforge_core::{MapRng, Seed, Stage};
use wayforge_nav::{ArchipelagoConfig, Moves, Query, Water, archipelago};

/// What a ground looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// So many percent of land, anywhere.
    Noise(u32),
    /// Corridors one tile wide.
    Maze,
    /// Seas and islands.
    Archipelago,
    /// No land at all.
    Open,
}

/// Grounds of all kinds, with sides that are and are not multiples of 8 and 64.
pub(crate) fn grounds() -> impl Iterator<Item = (Kind, Size)> {
    let kinds = [
        Kind::Noise(5),
        Kind::Noise(20),
        Kind::Noise(35),
        Kind::Noise(45),
        Kind::Maze,
        Kind::Archipelago,
        Kind::Open,
    ];
    let sizes = [(1, 1), (1, 40), (70, 1), (8, 8), (13, 9), (64, 64), (65, 63), (129, 50), (200, 131)];
    sizes.into_iter().flat_map(move |(w, h)| kinds.into_iter().map(move |kind| (kind, Size::new(w, h))))
}

/// The ground of a seed.
pub(crate) fn water_of(kind: Kind, size: Size, seed: Seed) -> Water {
    let mut rng = seed.stream(Stage::named("test.ground"));
    let open = match kind {
        Kind::Noise(land) => BitGrid::of(size, size.iter().filter(|_| !rng.chance(land, 100))),
        Kind::Open => BitGrid::of(size, size.iter()),
        Kind::Maze => maze(size, &mut rng),
        Kind::Archipelago => {
            let (width, height) = (size.width.into(), size.height.into());
            let config = ArchipelagoConfig { width, height, land: 40, scale: 24, detail: 4 };
            return archipelago(seed, &config.resolve().unwrap());
        }
    };
    Water::new(open).unwrap()
}

/// A spanning tree over every second tile, with a few loops.
fn maze(size: Size, rng: &mut MapRng) -> BitGrid {
    let mut open = BitGrid::of(size, [Pos::new(0, 0)]);
    let mut stack = vec![Pos::new(0, 0)];
    while let Some(&at) = stack.last() {
        let ahead: Vec<(Pos, Pos)> = Dir::STRAIGHT
            .into_iter()
            .filter_map(|dir| {
                let wall = at.step(dir, size)?;
                let room = wall.step(dir, size)?;
                (!open.contains(room)).then_some((wall, room))
            })
            .collect();
        if ahead.is_empty() {
            stack.pop();
            continue;
        }
        let (wall, room) = ahead[rng.below(ahead.len() as u32) as usize];
        open.insert(wall);
        open.insert(room);
        stack.push(room);
    }
    for pos in size.iter() {
        if rng.chance(1, 40) {
            open.insert(pos);
        }
    }
    open
}

/// One to five sources and targets; none on a ground without water.
pub(crate) fn random_query(rng: &mut MapRng, water: &Water) -> Option<Query> {
    let tiles: Vec<Pos> = water.open().iter().collect();
    if tiles.is_empty() {
        return None;
    }
    let some = |rng: &mut MapRng| -> Vec<Pos> {
        (0..1 + rng.below(5)).map(|_| tiles[rng.below(tiles.len() as u32) as usize]).collect()
    };
    let (sources, targets) = (some(rng), some(rng));
    let moves = if rng.chance(1, 2) { Moves::Four } else { Moves::Eight };
    Some(Query::new(sources, targets).moves(moves))
}

/// Up to `max` sources and targets, all within some distance of one tile, often land; none where that has no water.
pub(crate) fn random_ends(rng: &mut MapRng, water: &Water, max: u32) -> Option<Query> {
    let (size, on_land) = (water.size(), rng.chance(3, 4));
    let tile = |rng: &mut MapRng| size.pos(rng.below(size.cells() as u32) as usize);
    let home = (0..50).map(|_| tile(rng)).find(|&pos| water.is_open(pos) != on_land)?;
    let reach = [4, 8, 16, 32, 100][rng.below(5) as usize];
    let near: Vec<Pos> = water.open().iter().filter(|pos| pos.king_distance(home) <= reach).collect();
    if near.is_empty() {
        return None;
    }
    let mut ends = || -> Vec<Pos> {
        let most = [1, 2, 4, max][rng.below(4) as usize];
        (0..1 + rng.below(most)).map(|_| near[rng.below(near.len() as u32) as usize]).collect()
    };
    Some(Query::new(ends(), ends()))
}

/// Steps of the shortest path inside `region`, by breadth-first search. Corners are checked against all of `water`.
pub(crate) fn steps_in_region(water: &Water, region: &BitGrid, query: &Query) -> Option<u32> {
    let size = water.size();
    let mut steps = vec![u32::MAX; size.cells()];
    let mut queue = VecDeque::new();
    for &pos in query.sources.iter().filter(|&&pos| region.contains(pos)) {
        steps[size.index(pos)] = 0;
        queue.push_back(pos);
    }
    while let Some(pos) = queue.pop_front() {
        if query.targets.contains(&pos) {
            return Some(steps[size.index(pos)]);
        }
        for dir in Dir::ALL {
            let Some(to) = pos.step(dir, size).filter(|&to| region.contains(to)) else { continue };
            let beside = [Pos::new(to.x, pos.y), Pos::new(pos.x, to.y)];
            let legal = !dir.is_diagonal()
                || query.moves == Moves::Eight && beside.iter().all(|&pos| water.is_open(pos));
            if legal && steps[size.index(to)] == u32::MAX {
                steps[size.index(to)] = steps[size.index(pos)] + 1;
                queue.push_back(to);
            }
        }
    }
    None
}

/// The shortest octile length by Dijkstra over tiles, counted as straight and diagonal steps.
pub(crate) fn octile_length(water: &Water, query: &Query) -> Option<f64> {
    let size = water.size();
    let length =
        |straight: u32, diagonal: u32| f64::from(straight) + f64::from(diagonal) * std::f64::consts::SQRT_2;
    // Lengths in thousand-millionths, which tells all of these apart.
    let key = |straight: u32, diagonal: u32| (length(straight, diagonal) * 1e9) as u64;
    let mut best = vec![u64::MAX; size.cells()];
    let mut heap = BinaryHeap::new();
    for &pos in &query.sources {
        best[size.index(pos)] = 0;
        heap.push(Reverse((0, pos, 0, 0)));
    }
    while let Some(Reverse((cost, pos, straight, diagonal))) = heap.pop() {
        if query.targets.contains(&pos) {
            return Some(length(straight, diagonal));
        }
        if cost > best[size.index(pos)] {
            continue;
        }
        for dir in Dir::ALL {
            let Some(to) = pos.step(dir, size).filter(|&to| water.is_open(to)) else { continue };
            if dir.is_diagonal()
                && !(water.is_open(Pos::new(to.x, pos.y)) && water.is_open(Pos::new(pos.x, to.y)))
            {
                continue;
            }
            let (s, d) = match dir.is_diagonal() {
                true => (straight, diagonal + 1),
                false => (straight + 1, diagonal),
            };
            if key(s, d) < best[size.index(to)] {
                best[size.index(to)] = key(s, d);
                heap.push(Reverse((key(s, d), to, s, d)));
            }
        }
    }
    None
}
