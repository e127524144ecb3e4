//! Metrics of towers.

use super::{Catalogue, FloorMeter, Meter, Metric, Term, count};
use crate::floor::{Floor, Tower};

const fn metric(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric { name, unit, about, takes: None }
}

const METRICS: &[Metric] = &[
    metric("floors", "floors", "how many floors there are"),
    metric("path", "steps", "the shortest ways of all floors together"),
    metric("longest", "steps", "the longest of them"),
    metric("shortest", "steps", "the shortest of them"),
    metric("open", "tiles", "how many tiles of all floors can be walked on"),
    metric("safe", "floors", "how many floors are the safe shape"),
    Metric {
        name: "count",
        unit: "things",
        about: "how many things of a kind there are on all floors",
        takes: Some("thing"),
    },
];

impl Catalogue {
    /// The metrics of towers.
    pub fn of_tower() -> Catalogue {
        Catalogue { metrics: METRICS, ..Catalogue::of_floor() }
    }
}

/// Reads metrics off towers.
#[derive(Clone, Debug, Default)]
pub struct TowerMeter {
    floor: FloorMeter,
}

impl Meter for TowerMeter {
    type Map = Tower;

    fn read(&mut self, tower: &Tower, term: Term) -> i64 {
        let paths = tower.floors.iter().map(|floor| count(floor.path.len().saturating_sub(1)));
        match METRICS[usize::from(term.metric).min(METRICS.len() - 1)].name {
            "floors" => count(tower.floors.len()),
            "path" => paths.sum(),
            "longest" => paths.max().unwrap_or(0),
            "shortest" => paths.min().unwrap_or(0),
            name => {
                let catalogue = Catalogue::of_floor();
                let thing = catalogue.things().get(usize::from(term.thing)).map(String::as_str);
                let Ok(term) = catalogue.find(name, (name == "count").then_some(thing).flatten()) else {
                    return 0;
                };
                let read = |floor: &Floor| self.floor.read(floor, term);
                tower.floors.iter().map(read).sum()
            }
        }
    }
}
