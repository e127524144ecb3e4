//! Metrics of towers.

use super::floor::object_budgets;
use super::{
    Budget, Catalogue, FloorMeter, MapShape, Measure, Meter, Metric, MetricFn, Placements, count,
    floor, thousandths,
};
use crate::floor::{Budget as ObjectKind, Floor};
use crate::grid::Size;
use crate::tower::{self, Tower};

metrics! { TowerMeter:
    "floors", "floors", "number of floors" => |_, tower, _| count(tower.floors.len());
    "path", "steps", "total length of the shortest paths of all floors"
        => |_, tower, _| count(paths(tower).sum::<usize>());
    "longest", "steps", "largest length of the shortest path of a floor"
        => |_, tower, _| count(paths(tower).max().unwrap_or(0));
    "shortest", "steps", "smallest length of the shortest path of a floor"
        => |_, tower, _| count(paths(tower).min().unwrap_or(0));
    "detour", "thousandths", "total path length relative to the total Manhattan distance"
        => |_, tower, _| {
        thousandths(paths(tower).sum(), tower.floors.iter().map(floor::manhattan_distance).sum())
    };
    "open", "tiles", "number of walkable tiles on all floors"
        => |meter, tower, _| meter.sum(tower, 0, floor::open);
    "dead_ends", "tiles", "number of open tiles with at most one open neighbour, on all floors"
        => |meter, tower, _| meter.sum(tower, 0, floor::dead_ends);
    "junctions", "tiles", "number of open tiles with three or more open neighbours, on all floors"
        => |meter, tower, _| meter.sum(tower, 0, floor::junctions);
    "branching", "thousandths", "mean number of open neighbours of an open tile, over all floors"
        => |meter, tower, _| {
        let counts = tower.floors.iter().map(|floor| meter.floor.count_open(floor));
        let (neighbours, open) =
            counts.fold((0, 0), |(neighbours, open), counts| {
                (neighbours + counts.neighbours, open + counts.open)
            });
        thousandths(neighbours, open)
    };
    "attempts", "attempts", "total number of attempts of all floors"
        => |meter, tower, _| meter.sum(tower, 0, floor::attempts);
    "fallback", "floors", "number of floors that use the fallback layout"
        => |meter, tower, _| meter.sum(tower, 0, floor::fallback);
    "count"("kind"), "objects", "number of objects of a kind on all floors"
        => |meter, tower, kind| meter.sum(tower, kind, floor::objects);
}

/// Returns the length of the shortest path of each floor.
fn paths(tower: &Tower) -> impl Iterator<Item = usize> {
    tower.floors.iter().map(floor::steps)
}

/// Computes metrics of towers.
#[derive(Clone, Debug, Default)]
pub struct TowerMeter {
    floor: FloorMeter,
}

impl Meter for TowerMeter {
    type Map = Tower;
    const VALUES: &[MetricFn<TowerMeter>] = VALUES;

    fn collect_placements(&mut self, tower: &Tower, into: &mut Placements) {
        // Template floors may be larger than the others.
        let sizes = tower.floors.iter().map(Floor::size);
        let size = sizes.fold(Size::default(), |max, size| {
            Size::new(max.width.max(size.width), max.height.max(size.height))
        });
        into.reset(size, tower.floors.len() as u32, Tower::SHAPE);
        for (layer, floor) in (0..).zip(&tower.floors) {
            floor::push_floor(floor, layer, into);
        }
    }
}

impl TowerMeter {
    /// Returns the sum of a floor metric over all floors.
    fn sum(
        &mut self,
        tower: &Tower,
        argument: u16,
        value: fn(&mut FloorMeter, &Floor, u16) -> i64,
    ) -> i64 {
        tower.floors.iter().map(|floor| value(&mut self.floor, floor, argument)).sum()
    }
}

impl Measure for Tower {
    type Meter = TowerMeter;
    const SHAPE: MapShape = MapShape::Stack;

    fn catalogue(_: &tower::Spec) -> Catalogue {
        floor::catalogue(METRICS)
    }

    /// Returns the requested numbers of objects, summed over all floors.
    fn budgets(spec: &tower::Spec) -> Vec<Budget> {
        let mut sums = [0_i64; ObjectKind::ALL.len()];
        let mut last = None;
        for number in 0..spec.floors() {
            // Consecutive floors often share a configuration; resolve it once.
            let config = spec.floor_config(number);
            if last.as_ref().is_none_or(|(same, _)| *same != config) {
                let Ok(floor) = spec.floor(number, None) else { return Vec::new() };
                last = Some((config, ObjectKind::ALL.map(|kind| i64::from(floor.budget(kind)))));
            }
            for (sum, more) in sums.iter_mut().zip(last.iter().flat_map(|(_, counts)| counts)) {
                *sum += more;
            }
        }
        object_budgets(&Tower::catalogue(spec), |kind| sums[kind as usize]).collect()
    }
}
