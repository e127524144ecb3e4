//! Test grids, random queries and reference searches.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use wayforge_core::grid::{BitGrid, Dir, Pos, Size};
use wayforge_core::{MapRng, Seed, StreamId};
use wayforge_nav::{ArchipelagoConfig, Connectivity, NavGrid, Query, archipelago};

/// Structure of a test grid.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Terrain {
    /// Random tiles; the number is the percentage of blocked tiles.
    Noise(u32),
    /// Maze with corridors one tile wide.
    Maze,
    /// Generated sea map with islands.
    Archipelago,
    /// No blocked tiles.
    Open,
}

/// Returns all terrains in various sizes, some of them multiples of 8 or 64.
pub(crate) fn all_terrains() -> impl Iterator<Item = (Terrain, Size)> {
    let terrains = [
        Terrain::Noise(5),
        Terrain::Noise(20),
        Terrain::Noise(35),
        Terrain::Noise(45),
        Terrain::Maze,
        Terrain::Archipelago,
        Terrain::Open,
    ];
    let sizes =
        [(1, 1), (1, 40), (70, 1), (8, 8), (13, 9), (64, 64), (65, 63), (129, 50), (200, 131)];
    sizes
        .into_iter()
        .flat_map(move |(w, h)| terrains.into_iter().map(move |terrain| (terrain, Size::new(w, h))))
}

/// Generates a test grid.
pub(crate) fn test_grid(terrain: Terrain, size: Size, seed: Seed) -> NavGrid {
    let mut rng = seed.stream(StreamId::named("test.ground"));
    let open = match terrain {
        Terrain::Noise(blocked) => {
            BitGrid::from_cells(size, size.iter().filter(|_| !rng.chance(blocked, 100)))
        }
        Terrain::Open => BitGrid::from_cells(size, size.iter()),
        Terrain::Maze => maze(size, &mut rng),
        Terrain::Archipelago => {
            let (width, height) = (size.width.into(), size.height.into());
            let config = ArchipelagoConfig { width, height, land: 40, scale: 24, detail: 4 };
            return archipelago(seed, &config.resolve().unwrap());
        }
    };
    NavGrid::new(open).unwrap()
}

/// Generates a maze by randomised depth-first search over every second tile, with a few loops.
fn maze(size: Size, rng: &mut MapRng) -> BitGrid {
    let mut open = BitGrid::from_cells(size, [Pos::new(0, 0)]);
    let mut stack = vec![Pos::new(0, 0)];
    while let Some(&at) = stack.last() {
        let ahead: Vec<(Pos, Pos)> = Dir::STRAIGHT
            .into_iter()
            .filter_map(|dir| {
                let wall = at.step(dir, size)?;
                let cell = wall.step(dir, size)?;
                (!open.contains(cell)).then_some((wall, cell))
            })
            .collect();
        if ahead.is_empty() {
            stack.pop();
            continue;
        }
        let (wall, cell) = ahead[rng.below(ahead.len() as u32) as usize];
        open.insert(wall);
        open.insert(cell);
        stack.push(cell);
    }
    for pos in size.iter() {
        if rng.chance(1, 40) {
            open.insert(pos);
        }
    }
    open
}

/// Returns a query with one to five random sources and targets, or `None` if no tile is open.
pub(crate) fn random_query(rng: &mut MapRng, grid: &NavGrid) -> Option<Query> {
    let tiles: Vec<Pos> = grid.open().iter().collect();
    if tiles.is_empty() {
        return None;
    }
    let random_tiles = |rng: &mut MapRng| -> Vec<Pos> {
        (0..1 + rng.below(5)).map(|_| tiles[rng.below(tiles.len() as u32) as usize]).collect()
    };
    let (sources, targets) = (random_tiles(rng), random_tiles(rng));
    let connectivity = if rng.chance(1, 2) { Connectivity::Four } else { Connectivity::Eight };
    Some(Query::new(sources, targets).connectivity(connectivity))
}

/// Returns a query with up to `max` sources and targets near a tile that is usually blocked.
///
/// Returns `None` if no open tile is near it.
pub(crate) fn random_ends(rng: &mut MapRng, grid: &NavGrid, max: u32) -> Option<Query> {
    let (size, blocked) = (grid.size(), rng.chance(3, 4));
    let tile = |rng: &mut MapRng| size.pos(rng.below(size.cells() as u32) as usize);
    let centre = (0..50).map(|_| tile(rng)).find(|&pos| grid.is_open(pos) != blocked)?;
    let radius = [4, 8, 16, 32, 100][rng.below(5) as usize];
    let near: Vec<Pos> =
        grid.open().iter().filter(|pos| pos.chebyshev_distance(centre) <= radius).collect();
    if near.is_empty() {
        return None;
    }
    let mut ends = || -> Vec<Pos> {
        let count = [1, 2, 4, max][rng.below(4) as usize];
        (0..1 + rng.below(count)).map(|_| near[rng.below(near.len() as u32) as usize]).collect()
    };
    Some(Query::new(ends(), ends()))
}

/// Returns the length of a shortest path inside `region` by breadth-first search.
///
/// The tiles beside a diagonal step may be outside the region but must be open.
pub(crate) fn steps_in_region(grid: &NavGrid, region: &BitGrid, query: &Query) -> Option<u32> {
    let size = grid.size();
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
                || query.connectivity == Connectivity::Eight
                    && beside.iter().all(|&pos| grid.is_open(pos));
            if legal && steps[size.index(to)] == u32::MAX {
                steps[size.index(to)] = steps[size.index(pos)] + 1;
                queue.push_back(to);
            }
        }
    }
    None
}

/// Returns the minimum octile length by Dijkstra's algorithm over tiles.
pub(crate) fn octile_length(grid: &NavGrid, query: &Query) -> Option<f64> {
    let size = grid.size();
    let length = |straight: u32, diagonal: u32| {
        f64::from(straight) + f64::from(diagonal) * std::f64::consts::SQRT_2
    };
    // Lengths in units of 1e-9, which is precise enough to distinguish all of them.
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
            let Some(to) = pos.step(dir, size).filter(|&to| grid.is_open(to)) else { continue };
            if dir.is_diagonal()
                && !(grid.is_open(Pos::new(to.x, pos.y)) && grid.is_open(Pos::new(pos.x, to.y)))
            {
                continue;
            }
            let (s, d) =
                if dir.is_diagonal() { (straight, diagonal + 1) } else { (straight + 1, diagonal) };
            if key(s, d) < best[size.index(to)] {
                best[size.index(to)] = key(s, d);
                heap.push(Reverse((key(s, d), to, s, d)));
            }
        }
    }
    None
}
