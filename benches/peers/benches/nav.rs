//! Pathfinding compared with other crates on the same queries: `cargo bench -p wayforge-peers --bench nav`.
//!
//! Peers take seconds for what takes us microseconds, so only some queries of each file are asked; every ratio is over the
//! same queries in one run.

use grid_pathfinding::PathingGrid;
use grid_util::{Point, ValueGrid};
use hierarchical_pathfinding::prelude::{ManhattanNeighborhood, PathCache, PathCacheConfig};
use wayforge::grid::{Dir, Pos};
use wayforge::nav::{Method, Moves, Navigator, Options, Prepare, Query, Water};
use wayforge_benches::nav::{Clock, openfront, queries};

fn main() {
    for (name, count) in [("world", 20), ("giantworldmap", 10)] {
        let Some(water) = openfront(name) else {
            println!("{name}: not there, skipped");
            continue;
        };
        four(name, &water, count);
        eight(name, &water, count);
    }
}

fn some(map: &str, file: &str, water: &Water, count: usize, moves: Moves) -> Vec<Query> {
    let all = queries(&format!("openfront/{map}.{file}"), water);
    let stride = (all.len() / count).max(1);
    all.into_iter().step_by(stride).take(count).map(|(query, _)| query.moves(moves)).collect()
}

/// Asks every query and prints how long all took; returns the seconds.
fn clock(name: &str, asked: &[Query], mut ask: impl FnMut(&Query) -> usize) -> f64 {
    let start = Clock::start();
    let steps: usize = asked.iter().map(&mut ask).sum();
    let seconds = start.seconds();
    println!("  {name:28} {:10.2} ms in total, {steps} steps", seconds * 1e3);
    seconds
}

fn ours(water: &Water, asked: &[Query], moves: Moves) -> (f64, f64) {
    let mut plain = Navigator::new(water, Prepare::None);
    let mut ready = Navigator::with(water, Options { prepare: Prepare::Full, moves, ..Options::default() })
        .expect("standard options");
    let steps = |navigator: &mut Navigator, query: &Query, method| {
        navigator
            .find(&query.clone().method(method))
            .expect("a good query")
            .map_or(0, |path| path.steps() as usize)
    };
    // The scratch of each is made by a first query.
    steps(&mut plain, &asked[0], Method::Bfs);
    steps(&mut ready, &asked[0], Method::Graph);
    let bfs = clock("plain search (ours)", asked, |query| steps(&mut plain, query, Method::Bfs));
    (bfs, clock("jump-point graph (ours)", asked, |query| steps(&mut ready, query, Method::Graph)))
}

/// Four neighbours, one source, one target.
fn four(map: &str, water: &Water, count: usize) {
    let asked = some(map, "p2p", water, count, Moves::Four);
    println!("{map}.p2p, 4 neighbours, {} queries", asked.len());
    let (bfs, graph) = ours(water, &asked, Moves::Four);
    let size = (usize::from(water.size().width), usize::from(water.size().height));
    let cost = |(x, y): (usize, usize)| if water.is_open(Pos::new(x as u16, y as u16)) { 1 } else { -1 };
    let cache = PathCache::new(
        size,
        cost,
        ManhattanNeighborhood::new(size.0, size.1),
        PathCacheConfig::with_chunk_size(64),
    );
    let point = |pos: Pos| (usize::from(pos.x), usize::from(pos.y));
    let hierarchical = clock("hierarchical_pathfinding 0.5", &asked, |query| {
        let path = cache.find_path(point(query.sources[0]), point(query.targets[0]), cost);
        path.map_or(0, |path| path.count().saturating_sub(1))
    });
    println!(
        "  graph is {:.1} times hierarchical_pathfinding, {:.0} times plain search",
        hierarchical / graph,
        bfs / graph
    );
    if map == "world" {
        let mut grid: PathingGrid = PathingGrid::new(size.0, size.1, true);
        grid.allow_diagonal_move = false;
        for pos in water.open().iter() {
            grid.set(i32::from(pos.x), i32::from(pos.y), false);
        }
        grid.generate_components();
        let point = |pos: Pos| Point::new(pos.x.into(), pos.y.into());
        let jps = clock("grid_pathfinding 0.3", &asked, |query| {
            let path = grid.get_path_single_goal(point(query.sources[0]), point(query.targets[0]), false);
            path.map_or(0, |path| path.len().saturating_sub(1))
        });
        println!("  graph is {:.0} times grid_pathfinding", jps / graph);
    }
}

/// Eight neighbours, many sources, any target.
fn eight(map: &str, water: &Water, count: usize) {
    let asked = some(map, "multi", water, count, Moves::Eight);
    println!("{map}.multi, 8 neighbours, {} queries", asked.len());
    let (_, graph) = ours(water, &asked, Moves::Eight);
    let size = water.size();
    let crate_bfs = clock("pathfinding 4.16 bfs", &asked, |query| {
        // One start is allowed: a tile beyond the grid that leads to all sources.
        let origin = Pos::new(u16::MAX, u16::MAX);
        let open = |pos: Pos| water.is_open(pos);
        let path = pathfinding::prelude::bfs(
            &origin,
            |&at| -> Vec<Pos> {
                if at == origin {
                    return query.sources.clone();
                }
                let legal = |&(dir, to): &(Dir, Pos)| {
                    open(to)
                        && (!dir.is_diagonal() || open(Pos::new(to.x, at.y)) && open(Pos::new(at.x, to.y)))
                };
                let steps = Dir::ALL.into_iter().filter_map(|dir| Some((dir, at.step(dir, size)?)));
                steps.filter(legal).map(|(_, to)| to).collect()
            },
            |at| query.targets.contains(at),
        );
        path.map_or(0, |path| path.len().saturating_sub(2))
    });
    println!("  graph is {:.0} times pathfinding's bfs", crate_bfs / graph);
}
