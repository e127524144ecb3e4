//! Pathfinding compared with other crates: `cargo bench -p wayforge-peers --bench nav`.
//!
//! Some crates take seconds per query, so only a sample of each file is used. Every ratio is over
//! the same queries in one run.

use hierarchical_pathfinding::prelude::{ManhattanNeighborhood, PathCache, PathCacheConfig};
use wayforge::grid::{Dir, Pos};
use wayforge::nav::{Connectivity, Method, NavGrid, Navigator, Options, Preprocessing, Query};
use wayforge_benches::nav::{CpuClock, openfront, read_queries};

fn main() {
    for (name, count) in [("world", 20), ("giantworldmap", 10)] {
        let Some(grid) = openfront(name) else {
            println!("{name}: not available, skipped");
            continue;
        };
        compare_four_neighbours(name, &grid, count);
        compare_eight_neighbours(name, &grid, count);
    }
}

/// Reads `count` queries, evenly spaced over a file.
fn sample_queries(
    map: &str,
    file: &str,
    grid: &NavGrid,
    count: usize,
    connectivity: Connectivity,
) -> Vec<Query> {
    let all = read_queries(&format!("openfront/{map}.{file}"), grid);
    let stride = (all.len() / count).max(1);
    all.into_iter()
        .step_by(stride)
        .take(count)
        .map(|(query, _)| query.connectivity(connectivity))
        .collect()
}

/// Runs all queries, prints the total time and returns it in seconds.
///
/// `find` returns the number of steps of a path.
fn measure(name: &str, queries: &[Query], mut find: impl FnMut(&Query) -> usize) -> f64 {
    let start = CpuClock::start();
    let steps: usize = queries.iter().map(&mut find).sum();
    let seconds = start.seconds();
    println!("  {name:28} {:10.2} ms in total, {steps} steps", seconds * 1e3);
    seconds
}

/// Measures Wayforge's breadth-first search and jump point graph; returns the seconds of each.
fn measure_wayforge(grid: &NavGrid, queries: &[Query], connectivity: Connectivity) -> (f64, f64) {
    let mut plain = Navigator::new(grid, Preprocessing::None);
    let mut preprocessed = Navigator::with_options(
        grid,
        Options { preprocessing: Preprocessing::Full, connectivity, ..Options::default() },
    )
    .expect("default options");
    let steps = |navigator: &mut Navigator, query: &Query, method| {
        navigator
            .find(&query.clone().method(method))
            .expect("valid query")
            .map_or(0, |path| path.steps() as usize)
    };
    // A first query allocates the scratch buffers.
    steps(&mut plain, &queries[0], Method::Bfs);
    steps(&mut preprocessed, &queries[0], Method::JpsGraph);
    let bfs = measure("wayforge bfs", queries, |query| steps(&mut plain, query, Method::Bfs));
    let graph = measure("wayforge jps-graph", queries, |query| {
        steps(&mut preprocessed, query, Method::JpsGraph)
    });
    (bfs, graph)
}

/// Compares crates on queries with four neighbours, one source and one target.
fn compare_four_neighbours(map: &str, grid: &NavGrid, count: usize) {
    let queries = sample_queries(map, "p2p", grid, count, Connectivity::Four);
    println!("{map}.p2p, 4 neighbours, {} queries", queries.len());
    let (bfs, graph) = measure_wayforge(grid, &queries, Connectivity::Four);
    let size = (usize::from(grid.size().width), usize::from(grid.size().height));
    let cost =
        |(x, y): (usize, usize)| if grid.is_open(Pos::new(x as u16, y as u16)) { 1 } else { -1 };
    let cache = PathCache::new(
        size,
        cost,
        ManhattanNeighborhood::new(size.0, size.1),
        PathCacheConfig::with_chunk_size(64),
    );
    let point = |pos: Pos| (usize::from(pos.x), usize::from(pos.y));
    let hierarchical = measure("hierarchical_pathfinding 0.5", &queries, |query| {
        let path = cache.find_path(point(query.sources[0]), point(query.targets[0]), cost);
        path.map_or(0, |path| path.count().saturating_sub(1))
    });
    println!(
        "  jps-graph is {:.1} times as fast as hierarchical_pathfinding and {:.0} times as fast as \
         bfs",
        hierarchical / graph,
        bfs / graph
    );
}

/// Compares crates on queries with eight neighbours, several sources and any target.
fn compare_eight_neighbours(map: &str, grid: &NavGrid, count: usize) {
    let queries = sample_queries(map, "multi", grid, count, Connectivity::Eight);
    println!("{map}.multi, 8 neighbours, {} queries", queries.len());
    let (_, graph) = measure_wayforge(grid, &queries, Connectivity::Eight);
    let size = grid.size();
    let pathfinding_bfs = measure("pathfinding 4.16 bfs", &queries, |query| {
        // The crate supports only one start, so a virtual tile outside the grid links to all
        // sources.
        let origin = Pos::new(u16::MAX, u16::MAX);
        let open = |pos: Pos| grid.is_open(pos);
        let path = pathfinding::prelude::bfs(
            &origin,
            |&tile| -> Vec<Pos> {
                if tile == origin {
                    return query.sources.clone();
                }
                let legal = |&(dir, to): &(Dir, Pos)| {
                    open(to)
                        && (!dir.is_diagonal()
                            || open(Pos::new(to.x, tile.y)) && open(Pos::new(tile.x, to.y)))
                };
                let steps =
                    Dir::ALL.into_iter().filter_map(|dir| Some((dir, tile.step(dir, size)?)));
                steps.filter(legal).map(|(_, to)| to).collect()
            },
            |tile| query.targets.contains(tile),
        );
        path.map_or(0, |path| path.len().saturating_sub(2))
    });
    println!("  jps-graph is {:.0} times as fast as pathfinding's bfs", pathfinding_bfs / graph);
}
