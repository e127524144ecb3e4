//! Validator of levels.
//!
//! Shares only types with the generator. Each rule is checked directly by its definition, so the
//! validator detects bugs of the generator.

mod connectivity;
mod layout;
mod placement;
mod state_space;
mod tags;
#[cfg(test)]
mod tests;
mod walls;
mod witness;

use super::{Blueprint, Config, Level, Spec, Symbol, Tags};
use state_space::MovementGrid;
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{Place, Report, Stopped, Work, WorkLimit};

/// The names of the rules of levels.
#[allow(missing_docs)] // Rules are described in `docs/levels.md` and by their check functions.
pub mod rules {
    use wayforge_core::Rule;

    pub const SIZE: Rule = Rule("size");
    pub const OUTSIDE_RING: Rule = Rule("outside-ring");
    pub const OUTER_BAND: Rule = Rule("outer-band");
    pub const EXITS: Rule = Rule("exits");
    pub const CANDIDATE_COUNTS: Rule = Rule("candidate-counts");
    pub const CANDIDATE_MARGIN: Rule = Rule("candidate-margin");
    pub const SEPARATION: Rule = Rule("separation");
    pub const FEATURE_COUNTS: Rule = Rule("feature-counts");
    pub const EXITS_CLEAR: Rule = Rule("exits-clear");
    pub const WALL_STYLE: Rule = Rule("wall-style");
    pub const PINS_KEPT: Rule = Rule("pins-kept");
    pub const REINFORCED_WALLS: Rule = Rule("reinforced-walls");
    pub const FALL_SPAWN: Rule = Rule("fall-spawn");
    pub const MARKS: Rule = Rule("marks");
    pub const CAR_CONNECTIVITY: Rule = Rule("car-connectivity");
    pub const HUMANOID_CONNECTIVITY: Rule = Rule("humanoid-objective-connectivity");
    pub const OBJECTIVE_CONNECTIVITY: Rule = Rule("objective-connectivity");
    pub const CONNECTIVITY: Rule = Rule("connectivity");
    pub const CANDIDATES_REACHABLE: Rule = Rule("candidates-reachable");
    pub const NO_SOFT_LOCKS: Rule = Rule("no-soft-locks");
    pub const CAR_WALKABLE: Rule = Rule("car-walkable");
    pub const WITNESS: Rule = Rule("witness");
    pub const WITNESS_SHORTEST: Rule = Rule("witness-shortest");
    pub const ATTEMPT: Rule = Rule("attempt");
}

/// A cell that a player can enter but from which the objective cannot be finished.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SoftLock {
    /// Index of the chain in [`Spec::chains`] that cannot be finished.
    pub chain: u32,
    /// Index of the last reached step of the chain; 0 is the start.
    pub progress: u32,
    /// Name of that step.
    pub step: String,
    /// The cell.
    pub cell: Pos,
}

/// Validates a level and reports every violation of every rule.
///
/// Accepts any level, including hand-made ones. If the size differs from the configuration, the
/// other rules are not checked.
///
/// # Complexity
/// O(cells * steps) per chain, plus O(candidates^2) for the separation.
///
/// # Examples
/// ```
/// use wayforge_level::{self as level, Symbol, rules};
/// let mut level = level::generate(5.into(), &level::Config::default().resolve()?)?;
/// assert!(level::validate(&level).is_valid());
/// let car = level.blueprint.find(Symbol::Car).next().unwrap();
/// level.blueprint.set(car, Symbol::Floor);
/// assert!(!level::validate(&level).passes(rules::CANDIDATE_COUNTS));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(level: &Level) -> Report {
    check_level(level, &Work::default())
}

/// Validates a level like [`validate`] within a limit of work. A step is about one visited cell.
///
/// # Errors
/// The work was stopped.
///
/// # Examples
/// ```
/// use wayforge_core::WorkLimit;
/// use wayforge_level as level;
/// let level = level::generate(5.into(), &level::Config::default().resolve()?)?;
/// assert!(level::validate_within(&level, &WorkLimit::steps(1000)).is_err());
/// assert!(level::validate_within(&level, &WorkLimit::steps(1_000_000))?.is_valid());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate_within(level: &Level, limit: &WorkLimit) -> Result<Report, Stopped> {
    let work = limit.start();
    let report = check_level(level, &work);
    work.check().map(|()| report)
}

/// Checks every rule of a level. Returns any report once `work` is stopped.
fn check_level(level: &Level, work: &Work) -> Report {
    let mut report = Report::default();
    let layers = [
        ("fall_spawn_cells", &level.tags.fall_spawn_cells),
        ("reinforced", &level.tags.reinforced),
        ("car_walkable_cells", &level.car_walkable_cells),
    ];
    report.check(rules::SIZE, layout::size(&level.spec, &level.blueprint, &layers));
    if !report.is_valid() {
        return report;
    }
    let view = View::of(&level.spec, &level.blueprint, &level.tags, false, work);
    layout::check(&view, &mut report);
    placement::check(&view, &mut report);
    walls::check(&view, &mut report);
    tags::check(&view, &level.attempt, &mut report);
    connectivity::check(&view, Some(level), &mut report);
    witness::check_attempt(level, &mut report);
    report
}

/// Validates a hand-drawn level against a stage.
///
/// Checks the rules that a game relies on: layout with exits, pins, exact numbers of flashlights
/// and shoes, at least one of each candidate that the fuel mode needs, and connectivity.
/// Conventions of the generator are not checked: margins, densities, wall style and clear cells
/// next to exits. A drawing has no reinforced walls, and only the marks whose cells the stage
/// lists.
///
/// # Examples
/// ```
/// use wayforge_level::{self as level, Blueprint, rules};
/// let stage = br#"{"width": 9, "height": 7, "exits": ["top"], "fuel": "start_full"}"#;
/// let spec = level::Config::from_json(stage)?.resolve()?;
/// let drawing = "OOOOOOOOO\nOBBBEBBBO\nOB.1.1.BO\nOBP.1.CBO\nOB..1..BO\nOBBBBBBBO\nOOOOOOOOO";
/// let report = level::validate_drawing(&spec, &Blueprint::from_text(drawing)?);
/// assert!(report.is_valid(), "{report:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate_drawing(spec: &Spec, drawing: &Blueprint) -> Report {
    let mut report = Report::default();
    report.check(rules::SIZE, layout::size(spec, drawing, &[]));
    if !report.is_valid() {
        return report;
    }
    let size = spec.size();
    let marks = spec.config().marks.iter().map(|mark| {
        let mut cells = mark.cells.clone();
        cells.sort_unstable();
        cells
    });
    let tags = Tags {
        fall_spawn_cells: BitGrid::new(size),
        reinforced: BitGrid::new(size),
        marks: marks.collect(),
    };
    let work = Work::default();
    let view = View::of(spec, drawing, &tags, true, &work);
    layout::check(&view, &mut report);
    placement::check_drawn(&view, &mut report);
    connectivity::check(&view, None, &mut report);
    report
}

/// Finds all soft locks of a level, whether or not its configuration forbids them.
///
/// Ordered by chain, progress and cell. Starts that cannot finish at all violate the connectivity
/// rules and are ignored here.
///
/// # Complexity
/// O(cells * steps) per chain of people.
///
/// # Examples
/// ```
/// use wayforge_level as level;
/// let config = br#"{"moving_floors": "4%", "soft_locks": "forbidden"}"#;
/// let spec = level::Config::from_json(config)?.resolve()?;
/// assert_eq!(level::soft_locks(&level::generate(5.into(), &spec)?), []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn soft_locks(level: &Level) -> Vec<SoftLock> {
    if level.blueprint.size() != level.spec.size() {
        return Vec::new();
    }
    let work = Work::default();
    let view = View::of(&level.spec, &level.blueprint, &level.tags, false, &work);
    let grid = MovementGrid::of(&view);
    connectivity::soft_locks(&view, &grid).collect()
}

/// Steps of work per cell for all rules without movement.
const STEPS_PER_CELL: u64 = 16;

/// A level, with data that several checks use.
struct View<'a> {
    spec: &'a Spec,
    config: &'a Config,
    blueprint: &'a Blueprint,
    tags: &'a Tags,
    size: Size,
    /// Pinned symbol of every cell, in row-major order.
    pins: Vec<Option<Symbol>>,
    /// Cells of all marks.
    marked: BitGrid,
    /// True for a hand-drawn level.
    drawn: bool,
    /// Once this is stopped, checks may return anything.
    work: &'a Work,
}

impl<'a> View<'a> {
    fn of(
        spec: &'a Spec,
        blueprint: &'a Blueprint,
        tags: &'a Tags,
        drawn: bool,
        work: &'a Work,
    ) -> View<'a> {
        work.spend(STEPS_PER_CELL * spec.size().cells() as u64);
        let (config, size) = (spec.config(), spec.size());
        let mut pins = vec![None; size.cells()];
        let fixed = config.pins.iter().flat_map(|row| row.chars()).map(Symbol::from_char);
        pins.iter_mut().zip(fixed).for_each(|(pin, symbol)| *pin = symbol);
        let marked = BitGrid::from_cells(size, tags.marks.iter().flatten().copied());
        View { spec, config, blueprint, tags, size, pins, marked, drawn, work }
    }

    /// Returns the distance of a cell from the edge of the grid.
    fn ring(&self, pos: Pos) -> u16 {
        let Size { width, height } = self.size;
        pos.x.min(width - 1 - pos.x).min(pos.y).min(height - 1 - pos.y)
    }

    fn is_pinned(&self, pos: Pos) -> bool {
        self.pins[self.size.index(pos)].is_some()
    }

    /// Returns the number of cells pinned to symbols that satisfy `kind`.
    fn pinned(&self, kind: impl Fn(Symbol) -> bool) -> u32 {
        self.pins.iter().filter(|pin| pin.is_some_and(&kind)).count() as u32
    }

    /// Returns the cells inside the outer wall with their symbols, in row-major order.
    fn interior(&self) -> impl Iterator<Item = (Pos, Symbol)> {
        let Size { width, height } = self.size;
        let cells = (2..height - 2).flat_map(move |y| (2..width - 2).map(move |x| Pos { x, y }));
        cells.map(|pos| (pos, self.blueprint.get(pos)))
    }

    /// Returns the up to eight neighbours of a cell.
    fn neighbours(&self, pos: Pos) -> impl Iterator<Item = Pos> {
        wayforge_core::grid::Dir::ALL.into_iter().filter_map(move |dir| pos.step(dir, self.size))
    }
}

/// A violation: place and reason.
type Found = (Place, String);

/// Returns a violation at a cell.
fn at(pos: Pos, why: impl Into<String>) -> Found {
    (Place::Cell(pos), why.into())
}
