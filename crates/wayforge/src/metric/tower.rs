//! Metrics of towers.

use super::floor::put_floor;
use super::{Catalogue, FloorMeter, Imprint, Meter, Metric, Term, count, thousandths};
use crate::grid::Size;
use crate::{floor::Floor, tower::Tower};

const fn metric(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric { name, unit, about, takes: None }
}

const METRICS: &[Metric] = &[
    metric("floors", "floors", "how many floors there are"),
    metric("path", "steps", "the shortest ways of all floors together"),
    metric("longest", "steps", "the longest of them"),
    metric("shortest", "steps", "the shortest of them"),
    metric("detour", "thousandths", "the ways of all floors, of the straight ones"),
    metric("open", "tiles", "how many tiles of all floors can be walked on"),
    metric("dead_ends", "tiles", "open tiles with one open neighbour, or none, on all floors"),
    metric("junctions", "tiles", "open tiles with three open neighbours or more, on all floors"),
    metric("branching", "thousandths", "open neighbours of an open tile, on average over all floors"),
    metric("attempts", "attempts", "how many attempts were made at all floors together"),
    metric("safe", "floors", "how many floors are the safe shape"),
    Metric {
        name: "count",
        unit: "things",
        about: "how many there are of a thing on all floors",
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
            "detour" => {
                let straight =
                    tower.floors.iter().map(|floor| floor.entrance.taxi_distance(floor.exit) as usize);
                let steps = tower.floors.iter().map(|floor| floor.path.len().saturating_sub(1));
                thousandths(steps.sum(), straight.sum())
            }
            "branching" => {
                let shapes = tower.floors.iter().map(|floor| self.floor.shape(floor));
                let (links, open) =
                    shapes.fold((0, 0), |(links, open), shape| (links + shape.links, open + shape.open));
                thousandths(links, open)
            }
            name => {
                let read = |floor: &Floor| self.floor.read_named(floor, name, term.thing);
                tower.floors.iter().map(read).sum()
            }
        }
    }

    fn imprint(&mut self, tower: &Tower, into: &mut Imprint) {
        let size = tower.floors.first().map_or(Size::default(), Floor::size);
        into.reset_tower(size, tower.floors.len() as u32);
        for (layer, floor) in (0..).zip(&tower.floors) {
            put_floor(floor, layer, into);
        }
    }
}

impl super::Measure for crate::tower::Tower {
    type Meter = TowerMeter;

    fn catalogue(_: &crate::tower::Spec) -> Catalogue {
        Catalogue::of_tower()
    }

    fn budgets(spec: &crate::tower::Spec) -> Vec<super::Budget> {
        super::Budget::of_tower(spec)
    }
}
