//! Metrics of towers.

use super::floor::budgets_of_things;
use super::{
    Budget, Catalogue, FloorMeter, Imprint, Measure, Meter, Metric, Term, count, floor, thousandths,
};
use crate::floor::{Budget as Thing, Floor};
use crate::grid::Size;
use crate::tower::{self, Tower};

metrics! { TowerMeter, Tower:
    "floors", "floors", "how many floors there are" => |_, tower, _| count(tower.floors.len());
    "path", "steps", "the shortest ways of all floors together" => |_, tower, _| count(paths(tower).sum::<usize>());
    "longest", "steps", "the longest of them" => |_, tower, _| count(paths(tower).max().unwrap_or(0));
    "shortest", "steps", "the shortest of them" => |_, tower, _| count(paths(tower).min().unwrap_or(0));
    "detour", "thousandths", "the ways of all floors, of the straight ones"
        => |_, tower, _| thousandths(paths(tower).sum(), tower.floors.iter().map(floor::straight).sum());
    "open", "tiles", "how many tiles of all floors can be walked on"
        => |meter, tower, _| meter.sum(tower, 0, floor::open);
    "dead_ends", "tiles", "open tiles with one open neighbour, or none, on all floors"
        => |meter, tower, _| meter.sum(tower, 0, floor::dead_ends);
    "junctions", "tiles", "open tiles with three open neighbours or more, on all floors"
        => |meter, tower, _| meter.sum(tower, 0, floor::junctions);
    "branching", "thousandths", "open neighbours of an open tile, on average over all floors" => |meter, tower, _| {
        let shapes = tower.floors.iter().map(|floor| meter.floor.shape(floor));
        let (links, open) =
            shapes.fold((0, 0), |(links, open), shape| (links + shape.links, open + shape.open));
        thousandths(links, open)
    };
    "attempts", "attempts", "how many attempts were made at all floors together"
        => |meter, tower, _| meter.sum(tower, 0, floor::attempts);
    "safe", "floors", "how many floors are the safe shape" => |meter, tower, _| meter.sum(tower, 0, floor::safe);
    "count"("thing"), "things", "how many there are of a thing on all floors"
        => |meter, tower, thing| meter.sum(tower, thing, floor::things);
}

/// The steps of the shortest path of each floor.
fn paths(tower: &Tower) -> impl Iterator<Item = usize> {
    tower.floors.iter().map(floor::steps)
}

/// Reads metrics off towers.
#[derive(Clone, Debug, Default)]
pub struct TowerMeter {
    floor: FloorMeter,
}

impl Meter for TowerMeter {
    type Map = Tower;

    fn read(&mut self, tower: &Tower, term: Term) -> i64 {
        VALUES[usize::from(term.metric).min(VALUES.len() - 1)](self, tower, term.thing)
    }

    fn imprint(&mut self, tower: &Tower, into: &mut Imprint) {
        let size = tower.floors.first().map_or(Size::default(), Floor::size);
        into.reset(size, tower.floors.len() as u32, false);
        for (layer, floor) in (0..).zip(&tower.floors) {
            floor::put_floor(floor, layer, into);
        }
    }
}

impl TowerMeter {
    /// The sum of a metric of floors over all floors.
    fn sum(&mut self, tower: &Tower, thing: u16, value: fn(&mut FloorMeter, &Floor, u16) -> i64) -> i64 {
        tower.floors.iter().map(|floor| value(&mut self.floor, floor, thing)).sum()
    }
}

impl Measure for Tower {
    type Meter = TowerMeter;

    fn catalogue(_: &tower::Spec) -> Catalogue {
        floor::catalogue(METRICS)
    }

    /// The things that all floors of a tower ask for together.
    fn budgets(spec: &tower::Spec) -> Vec<Budget> {
        let mut sums = [0_i64; Thing::ALL.len()];
        let mut last = None;
        for number in 0..spec.floors() {
            // Floors that ask for the same are looked at once.
            let config = spec.floor_config(number);
            if last.as_ref().is_none_or(|(same, _)| *same != config) {
                let Ok(floor) = spec.floor(number, None) else { return Vec::new() };
                last = Some((config, Thing::ALL.map(|thing| i64::from(floor.budget(thing)))));
            }
            for (sum, more) in sums.iter_mut().zip(last.iter().flat_map(|(_, counts)| counts)) {
                *sum += more;
            }
        }
        budgets_of_things(&Tower::catalogue(spec), |thing| sums[thing as usize]).collect()
    }
}
