//! Metrics of levels.

use super::ground::Shape;
use super::{Budget, Catalogue, Imprint, Measure, Meter, Metric, Spot, Term, count, thousandths};
use crate::grid::{BitGrid, Size};
use crate::level::{self, Amount, Level, MarkConfig, Mover, Symbol, Witness};

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
fn interior(size: Size) -> usize {
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
const MOVING: &str = "moving";

/// Where marks begin in the list of things, and in the list of planes.
const MARK_THINGS: usize = SYMBOLS.len() + 1;
const MARK_PLANES: usize = SYMBOLS.len() + TAGS.len();

/// The name of a mark as metrics have it. Names of marks have no spaces, so that none is like another with the word before it.
fn mark_name(mark: &MarkConfig) -> String {
    let mut taken = SYMBOLS.iter().map(|(name, _)| *name).chain(TAGS).chain([MOVING]);
    if taken.any(|name| name == mark.name) { format!("mark {}", mark.name) } else { mark.name.clone() }
}

/// The name of a symbol as metrics have it.
fn name_of(symbol: Symbol) -> &'static str {
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
        into.reset(size, 1, false);
        for (pos, &symbol) in size.iter().zip(level.blueprint.cells()) {
            // What is outside is the same on every level of a size.
            if symbol == Symbol::Outside {
                continue;
            }
            let plane = SYMBOLS.iter().position(|(_, known)| *known == symbol).unwrap_or(0) as u16;
            let toward = symbol.moves().and_then(|dir| pos.step(dir, size)).unwrap_or(pos);
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
        // What can be broken through is a wall all the same.
        let is_open = |&symbol| symbol != Symbol::Wall && level.spec.enters(Mover::Person, symbol);
        let cells = level.blueprint.cells().iter();
        Shape::of(&mut self.open, level.blueprint.size(), cells.map(is_open))
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

    /// The candidates, exits, marks and features that a stage asks for.
    fn budgets(spec: &level::Spec) -> Vec<Budget> {
        let (config, catalogue) = (spec.config(), Level::catalogue(spec));
        let term = |thing: &str| catalogue.find("count", Some(thing)).ok();
        let exact = |symbol: Symbol, number: usize| {
            term(name_of(symbol)).filter(|_| number > 0).map(|term| Budget::exactly(term, count(number)))
        };
        let asked = |symbol: Symbol| spec.asked(symbol) as usize;
        let mut budgets: Vec<Budget> =
            Symbol::CANDIDATES.into_iter().filter_map(|s| exact(s, asked(s))).collect();
        budgets.extend(exact(Symbol::Exit, config.exits.len()));
        let marked = |mark| Some(Budget::exactly(term(&mark_name(mark))?, mark.count));
        budgets.extend(config.marks.iter().filter_map(marked));
        // Densities count the floor before terrain and walls.
        let taken = Symbol::CANDIDATES.into_iter().map(asked).sum::<usize>();
        let marks: usize = config.marks.iter().map(|mark| usize::try_from(mark.count).unwrap_or(0)).sum();
        let floor = interior(spec.size()).saturating_sub(taken + marks) as u32;
        let names = [name_of(Symbol::Pitfall), name_of(Symbol::Plant), name_of(Symbol::Puddle), MOVING];
        for ((_, feature), name) in config.features().into_iter().zip(names) {
            let Some(term) = term(name).filter(|_| !feature.is_none()) else { continue };
            let mut words = Vec::new();
            if !feature.amount.is_none() {
                words.push(feature.amount.to_string());
            }
            words.extend(feature.zones.iter().map(|zone| format!("{} of a zone", zone.amount)));
            let area = |width: i64, height: i64| u32::try_from(width.saturating_mul(height)).unwrap_or(0);
            let zones = feature.zones.iter();
            let most: u32 = zones.clone().map(|zone| zone.amount.of(area(zone.width, zone.height))).sum();
            let least: u32 =
                zones.map(|zone| if let Amount::Count(count) = zone.amount { count } else { 0 }).sum();
            // Pinned cells stand besides, and take floor away that densities count.
            let pinned = spec.has_pins();
            let anywhere = feature.amount.of(floor);
            budgets.push(Budget {
                term,
                asked: words.join(" and "),
                least: if pinned { 0 } else { i64::from(anywhere) + i64::from(least) },
                most: (!pinned).then(|| i64::from(anywhere) + i64::from(most)),
            });
        }
        budgets
    }
}
