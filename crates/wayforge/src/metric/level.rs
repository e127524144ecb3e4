//! Metrics of levels.

use super::open_cell_counts::OpenCellCounts;
use super::{
    Budget, Catalogue, MapShape, Measure, Meter, Metric, MetricFn, Placement, Placements, count,
    thousandths,
};
use crate::grid::{BitGrid, Size};
use crate::level::{self, Amount, Level, MarkConfig, Mover, Symbol, Witness};

metrics! { LevelMeter:
    "cells", "cells", "number of cells of the grid"
        => |_, level, _| count(level.blueprint.size().cells());
    "open", "cells", "number of cells that a person can enter without breaking a wall"
        => |meter, level, _| count(meter.count_open(level).open);
    "walls", "cells", "number of interior walls" => |_, level, _| count(walls(level));
    "wall_share", "thousandths", "interior walls as a share of the cells inside the outer wall"
        => |_, level, _| thousandths(walls(level), interior(level.blueprint.size()));
    "reinforced", "cells", "number of unbreakable interior walls"
        => |_, level, _| count(level.tags.reinforced.len());
    "fall_spawn", "cells", "number of cells where objects may fall from above"
        => |_, level, _| count(level.tags.fall_spawn_cells.len());
    "path", "steps", "length of the longest witness route"
        => |_, level, _| count(level.witness.iter().map(steps).max().unwrap_or(0));
    "shortest", "steps", "length of the shortest witness route"
        => |_, level, _| count(level.witness.iter().map(steps).min().unwrap_or(0));
    "detour", "thousandths",
        "length of the longest witness route relative to the Chebyshev distance between its stops"
        => |_, level, _| {
        level.witness.iter().max_by_key(|witness| witness.route.len()).map_or(0, detour)
    };
    "dead_ends", "cells", "number of open cells with at most one open neighbour"
        => |meter, level, _| count(meter.count_open(level).dead_ends);
    "junctions", "cells", "number of open cells with three or more open neighbours"
        => |meter, level, _| count(meter.count_open(level).junctions);
    "branching", "thousandths", "mean number of open neighbours of an open cell"
        => |meter, level, _| {
        let counts = meter.count_open(level);
        thousandths(counts.neighbours, counts.open)
    };
    "attempts", "attempts", "number of attempts, including the accepted one"
        => |_, level, _| i64::from(level.attempt.index) + 1;
    "repaired", "walls", "number of walls removed to make the level winnable"
        => |_, level, _| count(level.attempt.repaired.len());
    "count"("symbol"), "cells", "number of cells with a symbol" => |_, level, argument| {
        let argument = usize::from(argument);
        let count_symbol = |symbol| count(level.blueprint.count(symbol));
        match (Symbol::ALL.get(argument), argument.checked_sub(FIRST_MARK_ARGUMENT)) {
            (Some(&symbol), _) => count_symbol(symbol),
            (None, None) => Symbol::MOVING.into_iter().map(count_symbol).sum(),
            (None, Some(mark)) => level.tags.marks.get(mark).map_or(0, |cells| count(cells.len())),
        }
    };
}

fn walls(level: &Level) -> usize {
    level.blueprint.count(Symbol::Wall)
}

/// Returns the number of cells inside the outer wall.
fn interior(size: Size) -> usize {
    usize::from(size.width).saturating_sub(4) * usize::from(size.height).saturating_sub(4)
}

fn steps(witness: &Witness) -> usize {
    witness.route.len().saturating_sub(1)
}

/// Names of cell tags. Their planes follow those of the symbols.
const TAGS: [&str; 3] = ["reinforced", "fall_spawn", "mark"];

/// Argument that counts all four kinds of moving floor. It follows the symbols in the list of
/// arguments.
const MOVING: &str = "moving";

/// Index of the first mark in the list of arguments.
const FIRST_MARK_ARGUMENT: usize = Symbol::ALL.len() + 1;
/// Index of the first mark in the list of planes.
const FIRST_MARK_PLANE: usize = Symbol::ALL.len() + TAGS.len();

/// Returns the name of a mark in metrics, prefixed by `mark ` if another argument has that name.
///
/// Names of marks contain no spaces, so a prefixed name is unique.
fn mark_name(mark: &MarkConfig) -> String {
    let mut reserved = Symbol::ALL.into_iter().map(Symbol::name).chain(TAGS).chain([MOVING]);
    if reserved.any(|name| name == mark.name) {
        format!("mark {}", mark.name)
    } else {
        mark.name.clone()
    }
}

/// Computes metrics of levels.
#[derive(Clone, Debug, Default)]
pub struct LevelMeter {
    open: BitGrid,
}

impl Meter for LevelMeter {
    type Map = Level;
    const VALUES: &[MetricFn<LevelMeter>] = VALUES;

    fn collect_placements(&mut self, level: &Level, into: &mut Placements) {
        let size = level.blueprint.size();
        into.reset(size, 1, Level::SHAPE);
        for (pos, &symbol) in size.iter().zip(level.blueprint.cells()) {
            // The outside ring is the same on every level of a size.
            if symbol == Symbol::Outside {
                continue;
            }
            let plane = Symbol::ALL.iter().position(|other| *other == symbol).unwrap_or(0) as u16;
            let toward = symbol.move_direction().and_then(|dir| pos.step(dir, size)).unwrap_or(pos);
            into.push(Placement { toward, ..Placement::on_cell(pos, plane) });
        }
        let first_tag = Symbol::ALL.len() as u16;
        level.tags.reinforced.iter().for_each(|pos| into.push(Placement::on_cell(pos, first_tag)));
        level
            .tags
            .fall_spawn_cells
            .iter()
            .for_each(|pos| into.push(Placement::on_cell(pos, first_tag + 1)));
        // Decoded levels may list more marks than their configuration; those have no plane.
        let marks = level.tags.marks.iter().take(level.spec.config().marks.len());
        for (plane, cells) in (FIRST_MARK_PLANE as u16..).zip(marks) {
            for &pos in cells {
                into.push(Placement::on_cell(pos, first_tag + 2));
                into.push(Placement::on_cell(pos, plane));
            }
        }
    }
}

impl LevelMeter {
    fn count_open(&mut self, level: &Level) -> OpenCellCounts {
        // Breakable walls count as closed.
        let is_open =
            |&symbol| symbol != Symbol::Wall && level.spec.can_enter(Mover::Person, symbol);
        let cells = level.blueprint.cells().iter();
        OpenCellCounts::of(&mut self.open, level.blueprint.size(), cells.map(is_open))
    }
}

/// Returns the length of a route in thousandths of the Chebyshev distance from stop to stop.
fn detour(witness: &Witness) -> i64 {
    let stops = std::iter::once(0).chain(witness.reached.iter().map(|&at| at as usize));
    let stops: Vec<_> = stops.filter_map(|at| witness.route.get(at)).collect();
    let distance: u32 =
        stops.windows(2).map(|pair| u32::from(pair[0].chebyshev_distance(*pair[1]))).sum();
    thousandths(steps(witness), distance as usize)
}

impl Measure for Level {
    type Meter = LevelMeter;
    const SHAPE: MapShape = MapShape::Grid;

    /// Returns the metrics of a stage. Each mark is an argument of `count` and has its own plane;
    /// the plane `mark` contains the cells of all marks.
    ///
    /// If a mark has the name of a symbol or tag, its argument is prefixed: `count(mark exit)`.
    ///
    /// # Examples
    /// ```
    /// use wayforge::{level, metric::Measure};
    /// let stage = level::Config::from_json(br#"{"marks":[{"name":"key"},{"name":"exit"}]}"#)?;
    /// let catalogue = level::Level::catalogue(&stage.resolve()?);
    /// let marks = ["key".to_owned(), "mark exit".to_owned()];
    /// assert!(catalogue.arguments().ends_with(&marks) && catalogue.planes().ends_with(&marks));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn catalogue(spec: &level::Spec) -> Catalogue {
        let names = || Symbol::ALL.into_iter().map(Symbol::name);
        let marks = || spec.config().marks.iter().map(mark_name);
        let arguments = names().chain([MOVING]).map(str::to_owned).chain(marks()).collect();
        let planes = names().chain(TAGS).map(str::to_owned).chain(marks()).collect();
        Catalogue { metrics: METRICS, arguments, planes }
    }

    /// Returns the requested numbers of candidates, exits, marks and features.
    fn budgets(spec: &level::Spec) -> Vec<Budget> {
        let (config, catalogue) = (spec.config(), Level::catalogue(spec));
        let term = |argument: &str| catalogue.find("count", Some(argument)).ok();
        let exact = |symbol: Symbol, number: usize| {
            term(symbol.name())
                .filter(|_| number > 0)
                .map(|term| Budget::exactly(term, count(number)))
        };
        let requested = |symbol: Symbol| spec.candidate_count(symbol) as usize;
        let mut budgets: Vec<Budget> =
            Symbol::CANDIDATES.into_iter().filter_map(|s| exact(s, requested(s))).collect();
        budgets.extend(exact(Symbol::Exit, config.exits.len()));
        let marked = |mark| Some(Budget::exactly(term(&mark_name(mark))?, mark.count));
        budgets.extend(config.marks.iter().filter_map(marked));
        // Densities are relative to the floor before terrain and walls are placed.
        let candidates = Symbol::CANDIDATES.into_iter().map(requested).sum::<usize>();
        let marks: usize =
            config.marks.iter().map(|mark| usize::try_from(mark.count).unwrap_or(0)).sum();
        let floor = interior(spec.size()).saturating_sub(candidates + marks) as u32;
        let [pitfall, plant, puddle] =
            [Symbol::Pitfall, Symbol::Plant, Symbol::Puddle].map(Symbol::name);
        let names = [pitfall, plant, puddle, MOVING];
        for ((_, feature), name) in config.features().into_iter().zip(names) {
            let Some(term) = term(name).filter(|_| !feature.is_none()) else { continue };
            let mut words = Vec::new();
            if !feature.amount.is_none() {
                words.push(feature.amount.to_string());
            }
            words.extend(feature.zones.iter().map(|zone| format!("{} of a zone", zone.amount)));
            let area =
                |width: i64, height: i64| u32::try_from(width.saturating_mul(height)).unwrap_or(0);
            let zones = feature.zones.iter();
            let max: u32 =
                zones.clone().map(|zone| zone.amount.of(area(zone.width, zone.height))).sum();
            let min: u32 = zones
                .map(|zone| if let Amount::Count(count) = zone.amount { count } else { 0 })
                .sum();
            // Pins add cells of the feature and reduce the floor, so there are no exact bounds.
            let pinned = spec.has_pins();
            let anywhere = feature.amount.of(floor);
            budgets.push(Budget {
                term,
                requested: words.join(" and "),
                min: if pinned { 0 } else { i64::from(anywhere) + i64::from(min) },
                max: (!pinned).then(|| i64::from(anywhere) + i64::from(max)),
            });
        }
        budgets
    }
}
