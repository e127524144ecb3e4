//! Proof that a level keeps its rules, from the level and its configuration alone.
//!
//! Nothing here is shared with the generator but the types: each rule is checked by its plain definition, so that a mistake
//! in the generator cannot hide in its judge.

mod connectivity;
mod layout;
mod placement;
mod tags;
#[cfg(test)]
mod tests;
mod walks;
mod walls;
mod witness;

use super::{Blueprint, Config, Level, Spec, Symbol, Tags};
use walks::Land;
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{Place, Report};

/// The names of the rules of levels.
#[allow(missing_docs)] // Each rule is described by its line in the table of `docs/levels.md` and by its checker.
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

/// A cell that a walking player can enter and never again finish from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SoftLock {
    /// Which chain of [`Spec::chains`] can no longer be finished.
    pub chain: u32,
    /// The last step of the chain that the player has reached; 0 is its start.
    pub progress: u32,
    /// The name of that step.
    pub step: String,
    /// The cell.
    pub cell: Pos,
}

/// Checks every rule of a level and reports every violation with its place.
///
/// * **Arguments.** Any level, also one that no generator made.
/// * **Returns.** The rules that were checked and what breaks them. A level of another size than its configuration's is not
///   looked into further.
/// * **Complexity.** Linear in the cells for each chain.
///
/// ```
/// use wayforge_level::{self as level, Symbol, rules};
/// let mut level = level::generate(5.into(), &level::Config::default().resolve()?)?;
/// assert!(level::validate(&level).is_valid());
/// let car = level.blueprint.find(Symbol::Car).next().unwrap();
/// level.blueprint.set(car, Symbol::Floor);
/// assert!(!level::validate(&level).holds(rules::CANDIDATE_COUNTS));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(level: &Level) -> Report {
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
    let view = View::of(&level.spec, &level.blueprint, &level.tags, false);
    layout::check(&view, &mut report);
    placement::check(&view, &mut report);
    walls::check(&view, &mut report);
    tags::check(&view, &level.attempt, &mut report);
    connectivity::check(&view, Some(level), &mut report);
    witness::check_attempt(level, &mut report);
    report
}

/// Checks a drawing that a person made against the stage that it is for.
///
/// The habits of the generator do not bind a person: margins, densities, the style of walls and what is kept clear before
/// exits are not looked at. What a game relies on is: the layout with its exits, what the stage pins, the exact numbers of
/// flashlights and shoes, at least one of each candidate that the fuel mode needs, and every rule of connectivity. A drawing
/// has no tags: no wall is reinforced, and marks stand only where the stage names their cells.
///
/// ```
/// use wayforge_level::{self as level, Blueprint, rules};
/// let stage = br#"{"width": 9, "height": 7, "exits": ["top"], "fuel": "start_full"}"#;
/// let spec = level::Config::from_json(stage)?.resolve()?;
/// let drawing = ["OOOOOOOOO", "OBBBEBBBO", "OB.1.1.BO", "OBP.1.CBO", "OB..1..BO", "OBBBBBBBO", "OOOOOOOOO"];
/// let report = level::validate_drawing(&spec, &Blueprint::from_rows(&drawing)?);
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
    let tags =
        Tags { fall_spawn_cells: BitGrid::new(size), reinforced: BitGrid::new(size), marks: marks.collect() };
    let view = View::of(spec, drawing, &tags, true);
    layout::check(&view, &mut report);
    placement::check_drawn(&view, &mut report);
    connectivity::check(&view, None, &mut report);
    report
}

/// Finds every soft lock of a level, chain by chain, by progress and in reading order, whether the level forbids them or not.
///
/// A start that cannot finish at all is no soft lock but a broken rule; nothing is told of where it leads.
///
/// * **Complexity.** Linear in the cells for each chain that people walk.
///
/// ```
/// use wayforge_level as level;
/// let spec = level::Config::from_json(br#"{"moving_floors": "4%", "soft_locks": "forbidden"}"#)?.resolve()?;
/// assert_eq!(level::soft_locks(&level::generate(5.into(), &spec)?), []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn soft_locks(level: &Level) -> Vec<SoftLock> {
    if level.blueprint.size() != level.spec.size() {
        return Vec::new();
    }
    let view = View::of(&level.spec, &level.blueprint, &level.tags, false);
    let land = Land::of(&view);
    connectivity::soft_locks(&view, &land).collect()
}

/// A level laid out for checking.
struct View<'a> {
    spec: &'a Spec,
    config: &'a Config,
    blueprint: &'a Blueprint,
    tags: &'a Tags,
    size: Size,
    /// What the configuration pins, cell by cell in reading order.
    pins: Vec<Option<Symbol>>,
    /// The cells of all marks.
    marked: BitGrid,
    /// True for what a person drew.
    drawn: bool,
}

impl<'a> View<'a> {
    fn of(spec: &'a Spec, blueprint: &'a Blueprint, tags: &'a Tags, drawn: bool) -> View<'a> {
        let (config, size) = (spec.config(), spec.size());
        let mut pins = vec![None; size.cells()];
        let fixed = config.pins.iter().flat_map(|row| row.chars()).map(Symbol::from_char);
        pins.iter_mut().zip(fixed).for_each(|(pin, symbol)| *pin = symbol);
        let marked = BitGrid::of(size, tags.marks.iter().flatten().copied());
        View { spec, config, blueprint, tags, size, pins, marked, drawn }
    }

    /// How far a cell is from the edge of the grid.
    fn ring(&self, pos: Pos) -> u16 {
        let Size { width, height } = self.size;
        pos.x.min(width - 1 - pos.x).min(pos.y).min(height - 1 - pos.y)
    }

    fn is_pinned(&self, pos: Pos) -> bool {
        self.pins[self.size.index(pos)].is_some()
    }

    /// How many cells are pinned to symbols of a kind.
    fn pinned(&self, kind: impl Fn(Symbol) -> bool) -> u32 {
        self.pins.iter().filter(|pin| pin.is_some_and(&kind)).count() as u32
    }

    /// The cells inside the outer wall with their symbols, in reading order.
    fn interior(&self) -> impl Iterator<Item = (Pos, Symbol)> {
        let Size { width, height } = self.size;
        let cells = (2..height - 2).flat_map(move |y| (2..width - 2).map(move |x| Pos { x, y }));
        cells.map(|pos| (pos, self.blueprint.get(pos)))
    }

    /// The eight cells around one that lie on the grid.
    fn around(&self, pos: Pos) -> impl Iterator<Item = Pos> {
        wayforge_core::grid::Dir::ALL.into_iter().filter_map(move |dir| pos.step(dir, self.size))
    }
}

/// One thing found: where, and why it is wrong.
type Found = (Place, String);

fn at(pos: Pos, why: impl Into<String>) -> Found {
    (Place::Cell(pos), why.into())
}
