//! Proof that a floor keeps its rules, from the floor and its configuration alone.
//!
//! Nothing here is shared with the generator but the types: each rule is checked by its plain definition, over plain arrays, so
//! that a mistake in the generator's bit boards cannot hide in its judge.

mod rules_of_floors;
mod view;

use super::Floor;
use super::config::Budget;
use view::View;
use wayforge_core::grid::Pos;
use wayforge_core::{Place, Report, Rule, Violation};

/// The position of something whose coordinates cannot be used. Violations name its member instead of this cell.
pub(super) const NOWHERE: Pos = Pos { x: u16::MAX, y: u16::MAX };

/// The names of the rules of floors.
#[allow(missing_docs)] // Each rule is described by its line in the table of `docs/floors.md` and by its checker.
pub mod rules {
    use wayforge_core::Rule;

    pub const TILES_COMPLETE: Rule = Rule("tiles-complete");
    pub const ENDS_IN_PLACE: Rule = Rule("ends-in-place");
    pub const SOLVABLE: Rule = Rule("solvable");
    pub const CONNECTED: Rule = Rule("connected");
    pub const MIN_PATH_LENGTH: Rule = Rule("min-path-length");
    pub const PATH_WITNESS: Rule = Rule("path-witness");
    pub const BUDGETS: Rule = Rule("budgets");
    pub const REACHABLE: Rule = Rule("reachable");
    pub const NO_STACKING: Rule = Rule("no-stacking");
    pub const UNIQUE_IDS: Rule = Rule("unique-ids");
    pub const MEMBER_TYPES: Rule = Rule("member-types");
    pub const WHOLE_NUMBERS: Rule = Rule("whole-numbers");
    pub const TILES_IN_ORDER: Rule = Rule("tiles-in-order");
    pub const WALKABLE_BY_KIND: Rule = Rule("walkable-by-kind");
    pub const CONFIG_AGREES: Rule = Rule("config-agrees");
    pub const ENEMY_DISTANCE: Rule = Rule("enemy-distance");
    pub const CHEST_BESIDE_PATH: Rule = Rule("chest-beside-path");
    pub const TRAP_OFF_PATH: Rule = Rule("trap-off-path");
    pub const DOOR_AT_CHOKEPOINT: Rule = Rule("door-at-chokepoint");
    pub const DOOR_GUARDS: Rule = Rule("door-guards");
    pub const SAFE_ROUTE: Rule = Rule("safe-route");
    pub const SAFE_CHESTS: Rule = Rule("safe-chests");
    pub const WATER_OFF_WAY: Rule = Rule("water-off-way");
    pub const WALL_DENSITY: Rule = Rule("wall-density");
    pub const TEMPLATE_KEPT: Rule = Rule("template-kept");
    pub const PINS_KEPT: Rule = Rule("pins-kept");
    pub const TOWER_HEIGHT: Rule = Rule("tower-height");
    pub const TOWER_CHAIN: Rule = Rule("tower-chain");
    pub const TOWER_SEEDS: Rule = Rule("tower-seeds");
}

/// What a validation found: the report, and how much of the floor can be reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValidationResult {
    /// Every rule and every violation.
    pub report: Report,
    /// Steps of the shortest way from entrance to exit; `None` if there is no way.
    pub shortest: Option<u32>,
    /// Tiles that can be walked on.
    pub walkable: u32,
    /// Those of them that can be reached from the entrance.
    pub reached: u32,
    /// How many things of each kind there are and how many of them can be reached, by [`Budget`]; water is reached if one can
    /// stand beside it.
    pub things: [(u32, u32); 8],
}

impl ValidationResult {
    /// True if no rule is broken.
    pub fn is_valid(&self) -> bool {
        self.report.is_valid()
    }

    /// How many things of a kind there are, and how many of them can be reached.
    pub fn of(&self, budget: Budget) -> (u32, u32) {
        self.things[budget as usize]
    }
}

/// Checks every rule of a floor, and reports every violation with its place.
///
/// * **Arguments.** Any floor, also one that no generator made.
/// * **Returns.** The rules that were checked and what breaks them.
/// * **Complexity.** Linear in the tiles; doors cost a flood each.
///
/// ```
/// use wayforge_floor::{self as floor, TileKind, rules};
/// let mut floor = floor::generate(5.into(), &floor::Config::default().resolve()?)?;
/// assert!(floor::validate(&floor).is_valid());
/// let exit = floor.size().index(floor.exit);
/// floor.tiles[exit] = TileKind::Wall;
/// assert!(!floor::validate(&floor).holds(rules::SOLVABLE));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(floor: &Floor) -> Report {
    Validator::default().judge(floor).report
}

/// Judges floors one after another in the same memory.
///
/// ```
/// use wayforge_floor::{self as floor, Validator};
/// let mut forge = floor::Generator::new(&floor::Config::default().resolve()?);
/// let mut judge = Validator::default();
/// assert!((0..1000).all(|seed| forge.generate(seed.into()).is_ok_and(|floor| judge.is_valid(floor))));
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Validator {
    view: View,
}

impl Validator {
    /// Whether the floor keeps every rule: what [`judge`](Self::judge) says, without a word and without allocating.
    pub fn is_valid(&mut self, floor: &Floor) -> bool {
        let mut flag = Flag(true);
        self.view.look(floor);
        rules_of_floors::check(floor, &mut self.view, &mut flag);
        flag.0
    }

    /// Checks every rule and counts what can be reached.
    pub fn judge(&mut self, floor: &Floor) -> ValidationResult {
        self.report(floor, true)
    }

    /// Checks every rule; if the configuration of the floor is not known, those that need none.
    pub(super) fn report(&mut self, floor: &Floor, config_known: bool) -> ValidationResult {
        let mut report = Report::default();
        let view = &mut self.view;
        view.look(floor);
        match config_known {
            true => rules_of_floors::check(floor, view, &mut report),
            false => rules_of_floors::check_given(floor, view, false, &mut report),
        }
        ValidationResult {
            report,
            shortest: view.shortest(floor),
            walkable: view.walkable,
            reached: view.reached,
            things: Budget::ALL.map(|budget| view.count(floor, budget)),
        }
    }
}

/// Where findings go: into a report, or into one bit.
pub(super) trait Findings {
    /// A rule is about to be checked.
    fn begin(&mut self, rule: Rule);
    /// The rule that was begun last is broken.
    fn found(&mut self, place: Place, why: impl FnOnce() -> String);
    /// The same at a cell.
    #[inline]
    fn at(&mut self, pos: Pos, why: impl FnOnce() -> String) {
        self.found(Place::Cell(pos), why);
    }
}

struct Flag(bool);

impl Findings for Flag {
    #[inline]
    fn begin(&mut self, _: Rule) {}

    #[inline]
    fn found(&mut self, _: Place, _: impl FnOnce() -> String) {
        self.0 = false;
    }
}

impl Findings for Report {
    fn begin(&mut self, rule: Rule) {
        self.rules.push(rule);
    }

    fn found(&mut self, place: Place, why: impl FnOnce() -> String) {
        let Some(&rule) = self.rules.last() else { return };
        let listed = self.violations.iter().rev().take_while(|violation| violation.rule == rule).count();
        match listed < Report::MAX {
            true => self.violations.push(Violation { rule, place, why: why() }),
            false if self.cut.last() != Some(&rule) => self.cut.push(rule),
            false => {}
        }
    }
}
