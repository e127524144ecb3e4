//! Metrics of floors.

use super::ground::Shape;
use super::{Catalogue, Imprint, Meter, Metric, Spot, Term, count, thousandths};
use crate::floor::{Budget, EntityKind, Floor, Origin, TileKind};
use crate::grid::BitGrid;

const fn metric(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric { name, unit, about, takes: None }
}

const METRICS: &[Metric] = &[
    metric("cells", "tiles", "how many tiles there are"),
    metric("open", "tiles", "how many tiles can be walked on"),
    metric("closed_share", "thousandths", "walls and water, of all tiles"),
    metric("path", "steps", "the shortest way from entrance to exit"),
    metric("detour", "thousandths", "that way, of the straight one"),
    metric("dead_ends", "tiles", "open tiles with one open neighbour, or none"),
    metric("junctions", "tiles", "open tiles with three open neighbours or more"),
    metric("branching", "thousandths", "open neighbours of an open tile, on average"),
    metric(
        "attempts",
        "attempts",
        "how many attempts were made, the accepted one included; 0 for a template",
    ),
    metric("safe", "floors", "1 if every attempt failed and the safe shape was taken"),
    Metric { name: "count", unit: "things", about: "how many there are of a thing", takes: Some("thing") },
];

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

impl Catalogue {
    /// The metrics of floors.
    pub fn of_floor() -> Catalogue {
        let things = THINGS.map(|(name, _)| name.to_owned());
        Catalogue::new(METRICS, things.into(), PLANES.map(str::to_owned).into())
    }
}

/// Reads metrics off floors.
#[derive(Clone, Debug, Default)]
pub struct FloorMeter {
    open: BitGrid,
}

impl Meter for FloorMeter {
    type Map = Floor;

    fn read(&mut self, floor: &Floor, term: Term) -> i64 {
        self.read_named(floor, METRICS[usize::from(term.metric).min(METRICS.len() - 1)].name, term.thing)
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
    /// The metric called `name`; things of a kind for any other word.
    pub(super) fn read_named(&mut self, floor: &Floor, name: &str, thing: u16) -> i64 {
        let cells = floor.tiles.len();
        let open = || floor.tiles.iter().filter(|tile| tile.walkable()).count();
        let path = floor.path.len().saturating_sub(1);
        match name {
            "cells" => count(cells),
            "open" => count(open()),
            "closed_share" => thousandths(cells - open(), cells),
            "path" => count(path),
            "detour" => thousandths(path, floor.entrance.taxi_distance(floor.exit) as usize),
            "dead_ends" => count(self.shape(floor).dead_ends),
            "junctions" => count(self.shape(floor).junctions),
            "branching" => {
                let shape = self.shape(floor);
                thousandths(shape.links, shape.open)
            }
            "attempts" => match floor.origin {
                Origin::Carve { attempt } => i64::from(attempt) + 1,
                Origin::Safe { attempts } => i64::from(attempts),
                _ => 0,
            },
            "safe" => i64::from(matches!(floor.origin, Origin::Safe { .. })),
            _ => THINGS.get(usize::from(thing)).map_or(0, |&(_, budget)| count(floor.count(budget))),
        }
    }

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

impl super::Measure for crate::floor::Floor {
    type Meter = FloorMeter;

    fn catalogue(_: &crate::floor::Spec) -> Catalogue {
        Catalogue::of_floor()
    }

    fn budgets(spec: &crate::floor::Spec) -> Vec<super::Budget> {
        super::Budget::of_floor(spec)
    }
}
