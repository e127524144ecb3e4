//! Real maps for the benchmarks, from `../shared/data` or the folder that `WAYFORGE_DATA` names.

use std::path::PathBuf;
use wayforge::grid::Pos;
use wayforge::nav::{
    ArchipelagoConfig, Method, Metric, Moves, Navigator, Prepare, Query, Water, archipelago,
};
use wayforge::{MapRng, Seed};
use wayforge_formats as maps;

/// A clock that stands still while others use the processor: machines are shared, and what waits does not work.
#[derive(Clone, Copy)]
pub struct Clock(f64);

impl Clock {
    /// Starts it.
    pub fn start() -> Clock {
        Clock(processor_seconds())
    }

    /// The processor time of this thread since then, in seconds.
    pub fn seconds(self) -> f64 {
        processor_seconds() - self.0
    }
}

#[cfg(target_os = "linux")]
fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Elsewhere all time counts.
#[cfg(not(target_os = "linux"))]
fn processor_seconds() -> f64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// The folder of outside maps.
pub fn data() -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    std::env::var_os("WAYFORGE_DATA").map_or_else(beside, PathBuf::from)
}

/// One of OpenFront's maps, if it is there.
pub fn openfront(name: &str) -> Option<Water> {
    let folder = data().join("openfront").join(name);
    let manifest = maps::read_manifest(&std::fs::read(folder.join("manifest.json")).ok()?).ok()?;
    maps::read_openfront(&manifest, &std::fs::read(folder.join("map.bin")).ok()?).ok()
}

/// One of Moving AI's maps, if it is there.
pub fn movingai(name: &str) -> Option<Water> {
    maps::read_movingai(&std::fs::read(data().join("movingai").join(name)).ok()?).ok()
}

/// The names of all of Moving AI's maps that are there, in order.
pub fn movingai_names() -> Vec<String> {
    let entries = std::fs::read_dir(data().join("movingai")).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| {
        let path = entry.path();
        (path.extension()? == "map").then(|| Some(path.file_stem()?.to_str()?.to_owned()))?
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// A query and the length that its file states.
pub type Asked = (Query, Option<f64>);

/// The queries of a file under the data folder and the lengths they state; none if it is not there.
pub fn queries(file: &str, water: &Water) -> Vec<Asked> {
    let bytes = std::fs::read(data().join(file)).unwrap_or_default();
    let asked = maps::read_queries(&bytes, water.size()).unwrap_or_default();
    asked.into_iter().map(|asked| (Query::new(asked.sources, asked.targets), asked.length)).collect()
}

/// A sea that is made in a moment, and queries that have a path on it, with the octile lengths that an unprepared navigator finds.
pub fn small_sea() -> (Water, Vec<Asked>) {
    let config = ArchipelagoConfig { width: 160, height: 120, scale: 64, ..ArchipelagoConfig::default() };
    let water = archipelago(Seed::new(1), &config.resolve().expect("a good configuration"));
    let mut navigator = Navigator::new(&water, Prepare::None);
    let (size, mut rng) = (water.size(), MapRng::from_u64(1));
    let mut tile = || size.pos(rng.below(size.cells() as u32) as usize);
    let mut asked = Vec::new();
    for _ in 0..100 {
        let query = Query::between(tile(), tile());
        // Ends on land and ends of two seas are left out; what four neighbours reach, eight reach as well.
        let has_path = navigator.find(&query.clone().moves(Moves::Four).method(Method::Bfs));
        if let Ok(Some(_)) = has_path {
            let path = navigator.find(&query.clone().metric(Metric::Octile)).ok().flatten();
            asked.push((query, path.map(|path| path.length(Metric::Octile))));
        }
    }
    (water, asked)
}

/// A crater of radius 6 anywhere on a map, of water or of land, that spares the ends of a query.
pub fn crater(rng: &mut MapRng, water: &Water, query: &Query, open: bool) -> Vec<(Pos, bool)> {
    let size = water.size();
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
