//! Metrics of floors.

use super::open_cell_counts::OpenCellCounts;
use super::{
    Budget, Catalogue, MapShape, Measure, Meter, Metric, MetricFn, Placement, Placements, count,
    thousandths,
};
use crate::floor::{self, Budget as ObjectKind, EntityKind, Floor, Origin, TileKind};
use crate::grid::BitGrid;

metrics! { FloorMeter:
    "cells", "tiles", "number of tiles" => |_, floor, _| count(floor.tiles.len());
    "open", "tiles", "number of walkable tiles" => open;
    "closed_share", "thousandths", "walls and water as a share of all tiles"
        => |_, floor, _| thousandths(floor.tiles.len() - open_tiles(floor), floor.tiles.len());
    "path", "steps", "length of the shortest path from entrance to exit"
        => |_, floor, _| count(steps(floor));
    "detour", "thousandths", "path length relative to the Manhattan distance"
        => |_, floor, _| thousandths(steps(floor), manhattan_distance(floor));
    "dead_ends", "tiles", "number of open tiles with at most one open neighbour" => dead_ends;
    "junctions", "tiles", "number of open tiles with three or more open neighbours" => junctions;
    "branching", "thousandths", "mean number of open neighbours of an open tile"
        => |meter, floor, _| {
        let counts = meter.count_open(floor);
        thousandths(counts.neighbours, counts.open)
    };
    "attempts", "attempts", "number of attempts, including the accepted one; 0 for a template"
        => attempts;
    "fallback", "floors", "1 if every attempt failed and the fallback layout was used" => fallback;
    "count"("kind"), "objects", "number of objects of a kind" => objects;
}

pub(super) fn open_tiles(floor: &Floor) -> usize {
    floor.tiles.iter().filter(|tile| tile.is_walkable()).count()
}

/// Returns the number of steps of the shortest path.
pub(super) fn steps(floor: &Floor) -> usize {
    floor.path.len().saturating_sub(1)
}

/// Returns the Manhattan distance from entrance to exit.
pub(super) fn manhattan_distance(floor: &Floor) -> usize {
    floor.entrance.manhattan_distance(floor.exit) as usize
}

// Metrics that towers sum over their floors.

pub(super) fn open(_: &mut FloorMeter, floor: &Floor, _: u16) -> i64 {
    count(open_tiles(floor))
}

pub(super) fn dead_ends(meter: &mut FloorMeter, floor: &Floor, _: u16) -> i64 {
    count(meter.count_open(floor).dead_ends)
}

pub(super) fn junctions(meter: &mut FloorMeter, floor: &Floor, _: u16) -> i64 {
    count(meter.count_open(floor).junctions)
}

pub(super) fn attempts(_: &mut FloorMeter, floor: &Floor, _: u16) -> i64 {
    match floor.origin {
        Origin::Carve { attempt } => i64::from(attempt) + 1,
        Origin::Fallback { attempts } => i64::from(attempts),
        _ => 0,
    }
}

pub(super) fn fallback(_: &mut FloorMeter, floor: &Floor, _: u16) -> i64 {
    i64::from(matches!(floor.origin, Origin::Fallback { .. }))
}

pub(super) fn objects(_: &mut FloorMeter, floor: &Floor, kind: u16) -> i64 {
    ObjectKind::ALL.get(usize::from(kind)).map_or(0, |&kind| count(floor.count(kind)))
}

/// Returns the name of a kind of object in metrics: its configuration field without the suffix.
fn kind_name(kind: ObjectKind) -> &'static str {
    kind.field().trim_end_matches("Budget")
}

/// Plane of the first entity kind. The planes of tiles come first.
const FIRST_ENTITY_PLANE: u16 = TileKind::ALL.len() as u16;

/// Returns a catalogue of `metrics` that take the object kinds of floors as arguments.
pub(super) fn catalogue(metrics: &'static [Metric]) -> Catalogue {
    let (tiles, entities) =
        (TileKind::ALL.map(TileKind::name), EntityKind::ALL.map(EntityKind::name));
    let planes = tiles.into_iter().chain(entities).map(str::to_owned).collect();
    let arguments = ObjectKind::ALL.map(|kind| kind_name(kind).to_owned()).into();
    Catalogue { metrics, arguments, planes }
}

/// Returns an exact budget for each object kind with a requested number above 0.
pub(super) fn object_budgets(
    catalogue: &Catalogue,
    requested: impl Fn(ObjectKind) -> i64,
) -> impl Iterator<Item = Budget> {
    ObjectKind::ALL.into_iter().filter_map(move |kind| {
        let count = requested(kind);
        let term = catalogue.find("count", Some(kind_name(kind))).ok().filter(|_| count > 0)?;
        Some(Budget::exactly(term, count))
    })
}

/// Computes metrics of floors.
#[derive(Clone, Debug, Default)]
pub struct FloorMeter {
    open: BitGrid,
}

impl Meter for FloorMeter {
    type Map = Floor;
    const VALUES: &[MetricFn<FloorMeter>] = VALUES;

    fn collect_placements(&mut self, floor: &Floor, into: &mut Placements) {
        into.reset(floor.size(), 1, Floor::SHAPE);
        push_floor(floor, 0, into);
    }
}

/// Adds the tiles and entities of a floor as layer `layer`.
pub(super) fn push_floor(floor: &Floor, layer: u32, into: &mut Placements) {
    for (pos, &tile) in floor.size().iter().zip(&floor.tiles) {
        into.push(Placement { layer, ..Placement::on_cell(pos, tile as u16) });
    }
    for entity in &floor.entities {
        into.push(Placement {
            layer,
            ..Placement::on_cell(entity.pos, FIRST_ENTITY_PLANE + entity.kind as u16)
        });
    }
}

impl FloorMeter {
    pub(super) fn count_open(&mut self, floor: &Floor) -> OpenCellCounts {
        OpenCellCounts::of(
            &mut self.open,
            floor.size(),
            floor.tiles.iter().map(|tile| tile.is_walkable()),
        )
    }
}

impl Measure for Floor {
    type Meter = FloorMeter;
    const SHAPE: MapShape = MapShape::Grid;

    fn catalogue(_: &floor::Spec) -> Catalogue {
        catalogue(METRICS)
    }

    /// Returns the requested numbers of objects and the minimum path length.
    fn budgets(spec: &floor::Spec) -> Vec<Budget> {
        let catalogue = Floor::catalogue(spec);
        let path = catalogue.find("path", None).ok();
        let path = path.map(|term| Budget::at_least(term, spec.min_path_length().into()));
        object_budgets(&catalogue, |kind| i64::from(spec.budget(kind))).chain(path).collect()
    }
}
