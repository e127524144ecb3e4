//! Maps and queries for the pathfinding benchmarks.
//!
//! Maps are read from `../shared/data` or from the directory in `WAYFORGE_DATA`.

use std::path::PathBuf;
use wayforge::grid::Pos;
use wayforge::nav::{
    ArchipelagoConfig, Connectivity, Method, Metric, NavGrid, Navigator, Preprocessing, Query,
    archipelago,
};
use wayforge::{MapRng, Seed};
use wayforge_formats as maps;

/// Stopwatch for the CPU time of a thread, which does not advance while other processes run.
#[derive(Clone, Copy)]
pub struct CpuClock(f64);

impl CpuClock {
    /// Starts the stopwatch.
    pub fn start() -> CpuClock {
        CpuClock(cpu_seconds())
    }

    /// Returns the CPU time of this thread since the start, in seconds.
    pub fn seconds(self) -> f64 {
        cpu_seconds() - self.0
    }
}

#[cfg(target_os = "linux")]
fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Falls back to wall-clock time on other systems.
#[cfg(not(target_os = "linux"))]
fn cpu_seconds() -> f64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// Returns the directory of external maps.
pub fn data_dir() -> PathBuf {
    let default_dir = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    std::env::var_os("WAYFORGE_DATA").map_or_else(default_dir, PathBuf::from)
}

/// Reads an OpenFront map; `None` if it is not available.
pub fn openfront(name: &str) -> Option<NavGrid> {
    let dir = data_dir().join("openfront").join(name);
    let manifest = maps::read_manifest(&std::fs::read(dir.join("manifest.json")).ok()?).ok()?;
    maps::read_openfront(&manifest, &std::fs::read(dir.join("map.bin")).ok()?).ok()
}

/// Reads a Moving AI map; `None` if it is not available.
pub fn movingai(name: &str) -> Option<NavGrid> {
    maps::read_movingai(&std::fs::read(data_dir().join("movingai").join(name)).ok()?).ok()
}

/// Returns the names of all available Moving AI maps in alphabetical order.
pub fn movingai_names() -> Vec<String> {
    let entries = std::fs::read_dir(data_dir().join("movingai")).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| {
        let path = entry.path();
        (path.extension()? == "map").then(|| Some(path.file_stem()?.to_str()?.to_owned()))?
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Query and the expected path length, if its file contains one.
pub type BenchmarkQuery = (Query, Option<f64>);

/// Reads the queries of a file in the data directory; empty if it is not available.
pub fn read_queries(file: &str, grid: &NavGrid) -> Vec<BenchmarkQuery> {
    let bytes = std::fs::read(data_dir().join(file)).unwrap_or_default();
    let entries = maps::read_queries(&bytes, grid.size()).unwrap_or_default();
    entries
        .into_iter()
        .map(|entry| (Query::new(entry.sources, entry.targets), entry.length))
        .collect()
}

/// Generates a small archipelago and random queries for which a path exists.
///
/// The octile lengths come from a navigator without preprocessing.
pub fn small_archipelago() -> (NavGrid, Vec<BenchmarkQuery>) {
    let config =
        ArchipelagoConfig { width: 160, height: 120, scale: 64, ..ArchipelagoConfig::default() };
    let grid = archipelago(Seed::new(1), &config.resolve().expect("valid configuration"));
    let mut navigator = Navigator::new(&grid, Preprocessing::None);
    let (size, mut rng) = (grid.size(), MapRng::from_u64(1));
    let mut tile = || size.pos(rng.below(size.cells() as u32) as usize);
    let mut queries = Vec::new();
    for _ in 0..100 {
        let query = Query::between(tile(), tile());
        // Skips blocked and unconnected ends. Ends connected with four neighbours are connected
        // with eight as well.
        let has_path =
            navigator.find(&query.clone().connectivity(Connectivity::Four).method(Method::Bfs));
        if let Ok(Some(_)) = has_path {
            let path = navigator.find(&query.clone().metric(Metric::Octile)).ok().flatten();
            queries.push((query, path.map(|path| path.length(Metric::Octile))));
        }
    }
    (grid, queries)
}

/// Returns an edit that opens or blocks a random disc of radius 6, except the ends of `query`.
pub fn random_disc(
    rng: &mut MapRng,
    grid: &NavGrid,
    query: &Query,
    open: bool,
) -> Vec<(Pos, bool)> {
    let size = grid.size();
    let centre = size.pos(rng.below(size.cells() as u32) as usize);
    let (x0, y0) = (i32::from(centre.x), i32::from(centre.y));
    (0..169)
        .map(|n| (x0 + n % 13 - 6, y0 + n / 13 - 6))
        .filter(|&(x, y)| (x - x0).pow(2) + (y - y0).pow(2) <= 36)
        .filter(|&(x, y)| x >= 0 && y >= 0 && x < size.width.into() && y < size.height.into())
        .map(|(x, y)| Pos::new(x as u16, y as u16))
        .filter(|pos| !query.sources.contains(pos) && !query.targets.contains(pos))
        .map(|pos| (pos, open))
        .collect()
}
