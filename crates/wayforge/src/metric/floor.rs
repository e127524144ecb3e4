//! Metrics of floors.

use super::ground::Shape;
use super::{Catalogue, Imprint, Measure, Meter, Metric, Spot, Term, count, thousandths};
use crate::floor::{self, Budget, EntityKind, Floor, Origin, TileKind};
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
    THINGS.get(usize::from(thing)).map_or(0, |&(_, budget)| count(floor.count(budget)))
}

pub(super) const THINGS: [(&str, Budget); 8] = [
    ("door", Budget::Door),
    ("chest", Budget::Chest),
    ("trap", Budget::Trap),
    ("water", Budget::Water),
    ("enemy", Budget::Enemy),
    ("item", Budget::Item),
    ("relic", Budget::Relic),
    ("npc", Budget::Npc),
];

/// What stands on a cell: tiles, then entities.
const PLANES: [&str; 12] =
    ["floor", "wall", "entrance", "exit", "door", "trap", "chest", "water", "enemy", "item", "relic", "npc"];

/// The metrics of floors, or others that take the same things.
pub(super) fn catalogue(metrics: &'static [Metric]) -> Catalogue {
    let things = THINGS.map(|(name, _)| name.to_owned()).into();
    Catalogue { metrics, things, planes: PLANES.map(str::to_owned).into() }
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
        into.reset(floor.size());
        put_floor(floor, 0, into);
    }
}

/// Writes down what stands on one floor of several.
pub(super) fn put_floor(floor: &Floor, layer: u32, into: &mut Imprint) {
    for (pos, &tile) in floor.size().iter().zip(&floor.tiles) {
        let plane = match tile {
            TileKind::Floor => 0,
            TileKind::Wall => 1,
            TileKind::Entrance => 2,
            TileKind::Exit => 3,
            TileKind::Door => 4,
            TileKind::Trap => 5,
            TileKind::Chest => 6,
            TileKind::Water => 7,
        };
        into.put(Spot { layer, ..Spot::thing(pos, plane) });
    }
    for entity in &floor.entities {
        let plane = match entity.kind {
            EntityKind::Enemy => 8,
            EntityKind::Item => 9,
            EntityKind::Relic => 10,
            EntityKind::Npc => 11,
        };
        into.put(Spot { layer, ..Spot::thing(entity.pos, plane) });
    }
}

impl FloorMeter {
    pub(super) fn shape(&mut self, floor: &Floor) -> Shape {
        let size = floor.size();
        self.open.reset(size);
        for (pos, tile) in size.iter().zip(&floor.tiles) {
            if tile.walkable() {
                self.open.insert(pos);
            }
        }
        Shape::of(&self.open)
    }
}

impl Measure for Floor {
    type Meter = FloorMeter;

    fn catalogue(_: &floor::Spec) -> Catalogue {
        catalogue(METRICS)
    }

    fn budgets(spec: &floor::Spec) -> Vec<super::Budget> {
        super::Budget::of_floor(spec)
    }
}
