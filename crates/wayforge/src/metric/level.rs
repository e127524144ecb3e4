//! Metrics of levels.

use super::ground::Shape;
use super::{Catalogue, Imprint, Measure, Meter, Metric, Spot, Term, count, thousandths};
use crate::grid::{BitGrid, Dir, Size};
use crate::level::{self, Level, MarkConfig, Mover, Symbol, Witness};

metrics! { LevelMeter, Level:
    "cells", "cells", "how many cells the grid has" => |_, level, _| count(level.blueprint.size().cells());
    "open", "cells", "how many cells a person can enter" => |meter, level, _| count(meter.shape(level).open);
    "walls", "cells", "how many interior walls there are" => |_, level, _| count(walls(level));
    "wall_share", "thousandths", "interior walls, of the cells inside the outer wall"
        => |_, level, _| thousandths(walls(level), interior(level.blueprint.size()));
    "reinforced", "cells", "how many walls nobody breaks" => |_, level, _| count(level.tags.reinforced.len());
    "fall_spawn", "cells", "where something may fall from above"
        => |_, level, _| count(level.tags.fall_spawn_cells.len());
    "path", "steps", "the longest route that proves a chain"
        => |_, level, _| count(level.witness.iter().map(steps).max().unwrap_or(0));
    "shortest", "steps", "the shortest route that proves a chain"
        => |_, level, _| count(level.witness.iter().map(steps).min().unwrap_or(0));
    "detour", "thousandths", "the longest of these routes, of the straight way between its stops"
        => |_, level, _| level.witness.iter().max_by_key(|witness| witness.route.len()).map_or(0, detour);
    "dead_ends", "cells", "open cells with one open neighbour, or none"
        => |meter, level, _| count(meter.shape(level).dead_ends);
    "junctions", "cells", "open cells with three open neighbours or more"
        => |meter, level, _| count(meter.shape(level).junctions);
    "branching", "thousandths", "open neighbours of an open cell, on average" => |meter, level, _| {
        let shape = meter.shape(level);
        thousandths(shape.links, shape.open)
    };
    "attempts", "attempts", "how many attempts were made, the accepted one included"
        => |_, level, _| i64::from(level.attempt.index) + 1;
    "repaired", "walls", "how many walls were removed to make it winnable"
        => |_, level, _| count(level.attempt.repaired.len());
    "count"("symbol"), "cells", "how many cells hold a symbol" => |_, level, thing| {
        let (thing, of) = (usize::from(thing), |symbol| count(level.blueprint.count(symbol)));
        match (SYMBOLS.get(thing), thing.checked_sub(MARK_THINGS)) {
            (Some(&(_, symbol)), _) => of(symbol),
            (None, None) => Symbol::MOVING.into_iter().map(of).sum(),
            (None, Some(mark)) => level.tags.marks.get(mark).map_or(0, |cells| count(cells.len())),
        }
    };
}

fn walls(level: &Level) -> usize {
    level.blueprint.count(Symbol::Wall)
}

/// How many cells lie inside the outer wall.
pub(super) fn interior(size: Size) -> usize {
    usize::from(size.width).saturating_sub(4) * usize::from(size.height).saturating_sub(4)
}

fn steps(witness: &Witness) -> usize {
    witness.route.len().saturating_sub(1)
}

const SYMBOLS: [(&str, Symbol); 18] = [
    ("outside", Symbol::Outside),
    ("band", Symbol::Band),
    ("exit", Symbol::Exit),
    ("wall", Symbol::Wall),
    ("floor", Symbol::Floor),
    ("player", Symbol::Player),
    ("car", Symbol::Car),
    ("pitfall", Symbol::Pitfall),
    ("plant", Symbol::Plant),
    ("puddle", Symbol::Puddle),
    ("empty_can", Symbol::EmptyCan),
    ("fuel", Symbol::Fuel),
    ("flashlight", Symbol::Flashlight),
    ("shoes", Symbol::Shoes),
    ("moves_north", Symbol::MovesNorth),
    ("moves_south", Symbol::MovesSouth),
    ("moves_west", Symbol::MovesWest),
    ("moves_east", Symbol::MovesEast),
];

/// What lies over symbols, after them in the list of planes.
const TAGS: [&str; 3] = ["reinforced", "fall_spawn", "mark"];

/// All four moving floors together: after the symbols in the list of things.
pub(super) const MOVING: &str = "moving";

/// Where marks begin in the list of things, and in the list of planes.
const MARK_THINGS: usize = SYMBOLS.len() + 1;
const MARK_PLANES: usize = SYMBOLS.len() + TAGS.len();

/// The name of a mark as metrics have it. Names of marks have no spaces, so that none is like another with the word before it.
pub(super) fn mark_name(mark: &MarkConfig) -> String {
    let mut taken = SYMBOLS.iter().map(|(name, _)| *name).chain(TAGS).chain([MOVING]);
    if taken.any(|name| name == mark.name) { format!("mark {}", mark.name) } else { mark.name.clone() }
}

/// The name of a symbol as metrics have it.
pub(super) fn name_of(symbol: Symbol) -> &'static str {
    SYMBOLS.iter().find(|(_, known)| *known == symbol).map_or("", |(name, _)| name)
}

/// Reads metrics off levels.
#[derive(Clone, Debug, Default)]
pub struct LevelMeter {
    open: BitGrid,
}

impl Meter for LevelMeter {
    type Map = Level;

    fn read(&mut self, level: &Level, term: Term) -> i64 {
        VALUES[usize::from(term.metric).min(VALUES.len() - 1)](self, level, term.thing)
    }

    fn imprint(&mut self, level: &Level, into: &mut Imprint) {
        let size = level.blueprint.size();
        into.reset(size);
        for (pos, &symbol) in size.iter().zip(level.blueprint.cells()) {
            // What is outside is the same on every level of a size.
            if symbol == Symbol::Outside {
                continue;
            }
            let plane = SYMBOLS.iter().position(|(_, known)| *known == symbol).unwrap_or(0) as u16;
            let dir = match symbol {
                Symbol::MovesNorth => Some(Dir::North),
                Symbol::MovesSouth => Some(Dir::South),
                Symbol::MovesWest => Some(Dir::West),
                Symbol::MovesEast => Some(Dir::East),
                _ => None,
            };
            let toward = dir.and_then(|dir| pos.step(dir, size)).unwrap_or(pos);
            into.put(Spot { toward, ..Spot::thing(pos, plane) });
        }
        let first = SYMBOLS.len() as u16;
        level.tags.reinforced.iter().for_each(|pos| into.put(Spot::thing(pos, first)));
        level.tags.fall_spawn_cells.iter().for_each(|pos| into.put(Spot::thing(pos, first + 1)));
        // A level has the marks of its stage; what is beyond them has no plane.
        let marks = level.tags.marks.iter().take(level.spec.config().marks.len());
        for (plane, cells) in (MARK_PLANES as u16..).zip(marks) {
            for &pos in cells {
                into.put(Spot::thing(pos, first + 2));
                into.put(Spot::thing(pos, plane));
            }
        }
    }
}

impl LevelMeter {
    fn shape(&mut self, level: &Level) -> Shape {
        let size = level.blueprint.size();
        self.open.reset(size);
        for (pos, &symbol) in size.iter().zip(level.blueprint.cells()) {
            // What can be broken through is a wall all the same.
            if symbol != Symbol::Wall && level.spec.enters(Mover::Person, symbol) {
                self.open.insert(pos);
            }
        }
        Shape::of(&self.open)
    }
}

/// A route's length in thousandths of the straight way from its start over its stops.
fn detour(witness: &Witness) -> i64 {
    let stops = std::iter::once(0).chain(witness.reached.iter().map(|&at| at as usize));
    let stops: Vec<_> = stops.filter_map(|at| witness.route.get(at)).collect();
    // People and cars move diagonally, too.
    let straight: u32 = stops.windows(2).map(|pair| u32::from(pair[0].king_distance(*pair[1]))).sum();
    thousandths(steps(witness), straight as usize)
}

impl Measure for Level {
    type Meter = LevelMeter;

    /// Each mark of the stage is counted by its name, and lies on a plane of its own besides the plane `mark` of all of them.
    ///
    /// A mark that is called as something that every level has is written with the word before it, as in `count(mark exit)`.
    ///
    /// ```
    /// use wayforge::{level, metric::Measure};
    /// let stage = level::Config::from_json(br#"{"marks":[{"name":"key"},{"name":"exit"}]}"#)?;
    /// let catalogue = level::Level::catalogue(&stage.resolve()?);
    /// assert!(catalogue.things().ends_with(&["moving".into(), "key".into(), "mark exit".into()]));
    /// assert!(catalogue.planes().ends_with(&["mark".into(), "key".into(), "mark exit".into()]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn catalogue(spec: &level::Spec) -> Catalogue {
        let names = || SYMBOLS.iter().map(|(name, _)| *name);
        let marks = || spec.config().marks.iter().map(mark_name);
        let things = names().chain([MOVING]).map(str::to_owned).chain(marks()).collect();
        let planes = names().chain(TAGS).map(str::to_owned).chain(marks()).collect();
        Catalogue { metrics: METRICS, things, planes }
    }

    fn budgets(spec: &level::Spec) -> Vec<super::Budget> {
        super::Budget::of_level(spec)
    }
}
