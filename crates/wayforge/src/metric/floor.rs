//! Metrics of floors.

use super::ground::Shape;
use super::{Budget, Catalogue, Imprint, Measure, Meter, Metric, Spot, Term, count, thousandths};
use crate::floor::{self, Budget as Thing, EntityKind, Floor, Origin, TileKind};
use crate::grid::BitGrid;

metrics! { FloorMeter, Floor:
    "cells", "tiles", "how many tiles there are" => |_, floor, _| count(floor.tiles.len());
    "open", "tiles", "how many tiles can be walked on" => open;
    "closed_share", "thousandths", "walls and water, of all tiles"
        => |_, floor, _| thousandths(floor.tiles.len() - open_tiles(floor), floor.tiles.len());
    "path", "steps", "the shortest way from entrance to exit" => |_, floor, _| count(steps(floor));
    "detour", "thousandths", "that way, of the straight one" => |_, floor, _| thousandths(steps(floor), straight(floor));
    "dead_ends", "tiles", "open tiles with one open neighbour, or none" => dead_ends;
    "junctions", "tiles", "open tiles with three open neighbours or more" => junctions;
    "branching", "thousandths", "open neighbours of an open tile, on average" => |meter, floor, _| {
        let shape = meter.shape(floor);
        thousandths(shape.links, shape.open)
    };
    "attempts", "attempts", "how many attempts were made, the accepted one included; 0 for a template" => attempts;
    "safe", "floors", "1 if every attempt failed and the safe shape was taken" => safe;
    "count"("thing"), "things", "how many there are of a thing" => things;
}

pub(super) fn open_tiles(floor: &Floor) -> usize {
    floor.tiles.iter().filter(|tile| tile.walkable()).count()
}

/// The steps of the shortest path.
pub(super) fn steps(floor: &Floor) -> usize {
    floor.path.len().saturating_sub(1)
}

/// The Manhattan distance from entrance to exit.
pub(super) fn straight(floor: &Floor) -> usize {
    floor.entrance.taxi_distance(floor.exit) as usize
}

// Metrics that towers sum over their floors.

pub(super) fn open(_: &mut FloorMeter, floor: &Floor, _: u16) -> i64 {
    count(open_tiles(floor))
}

pub(super) fn dead_ends(meter: &mut FloorMeter, floor: &Floor, _: u16) -> i64 {
    count(meter.shape(floor).dead_ends)
}

pub(super) fn junctions(meter: &mut FloorMeter, floor: &Floor, _: u16) -> i64 {
    count(meter.shape(floor).junctions)
}

pub(super) fn attempts(_: &mut FloorMeter, floor: &Floor, _: u16) -> i64 {
    match floor.origin {
        Origin::Carve { attempt } => i64::from(attempt) + 1,
        Origin::Safe { attempts } => i64::from(attempts),
        _ => 0,
    }
}

pub(super) fn safe(_: &mut FloorMeter, floor: &Floor, _: u16) -> i64 {
    i64::from(matches!(floor.origin, Origin::Safe { .. }))
}

pub(super) fn things(_: &mut FloorMeter, floor: &Floor, thing: u16) -> i64 {
    Thing::ALL.get(usize::from(thing)).map_or(0, |&thing| count(floor.count(thing)))
}

/// The names of [`Thing::ALL`] in metrics.
const THINGS: [&str; 8] = ["door", "chest", "trap", "water", "enemy", "item", "relic", "npc"];

/// The plane of the first entity: tiles come first.
const FIRST_ENTITY: u16 = TileKind::ALL.len() as u16;

/// The metrics of floors, or others that take the same things.
pub(super) fn catalogue(metrics: &'static [Metric]) -> Catalogue {
    let (tiles, entities) = (TileKind::ALL.map(TileKind::name), EntityKind::ALL.map(EntityKind::name));
    let planes = tiles.into_iter().chain(entities).map(str::to_owned).collect();
    Catalogue { metrics, things: THINGS.map(str::to_owned).into(), planes }
}

/// Exact budgets of the things that are asked for.
pub(super) fn budgets_of_things(
    catalogue: &Catalogue,
    asked: impl Fn(Thing) -> i64,
) -> impl Iterator<Item = Budget> {
    Thing::ALL.into_iter().zip(THINGS).filter_map(move |(thing, name)| {
        let count = asked(thing);
        let term = catalogue.find("count", Some(name)).ok().filter(|_| count > 0)?;
        Some(Budget::exactly(term, count))
    })
}

/// Reads metrics off floors.
#[derive(Clone, Debug, Default)]
pub struct FloorMeter {
    open: BitGrid,
}

impl Meter for FloorMeter {
    type Map = Floor;

    fn read(&mut self, floor: &Floor, term: Term) -> i64 {
        VALUES[usize::from(term.metric).min(VALUES.len() - 1)](self, floor, term.thing)
    }

    fn imprint(&mut self, floor: &Floor, into: &mut Imprint) {
        into.reset(floor.size(), 1, false);
        put_floor(floor, 0, into);
    }
}

/// Writes down what stands on one floor of several.
pub(super) fn put_floor(floor: &Floor, layer: u32, into: &mut Imprint) {
    for (pos, &tile) in floor.size().iter().zip(&floor.tiles) {
        into.put(Spot { layer, ..Spot::thing(pos, tile as u16) });
    }
    for entity in &floor.entities {
        into.put(Spot { layer, ..Spot::thing(entity.pos, FIRST_ENTITY + entity.kind as u16) });
    }
}

impl FloorMeter {
    pub(super) fn shape(&mut self, floor: &Floor) -> Shape {
        Shape::of(&mut self.open, floor.size(), floor.tiles.iter().map(|tile| tile.walkable()))
    }
}

impl Measure for Floor {
    type Meter = FloorMeter;

    fn catalogue(_: &floor::Spec) -> Catalogue {
        catalogue(METRICS)
    }

    /// The things that a floor asks for, and the length of its path.
    fn budgets(spec: &floor::Spec) -> Vec<Budget> {
        let catalogue = Floor::catalogue(spec);
        let path = catalogue.find("path", None).ok();
        let path = path.map(|term| Budget::at_least(term, spec.min_path_length().into()));
        budgets_of_things(&catalogue, |thing| i64::from(spec.budget(thing))).chain(path).collect()
    }
}
