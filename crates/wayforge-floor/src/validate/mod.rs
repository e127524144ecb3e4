//! Validates floors from the floor and its configuration alone.
//!
//! The validator shares only types and the parsers of templates and pins with the generator. It
//! checks each rule directly by its definition on plain arrays, so it detects bugs in the
//! generator's bitboards.

mod floor_rules;
mod view;

use super::Floor;
use super::config::Budget;
use view::View;
use wayforge_core::grid::Pos;
use wayforge_core::{Place, Report, Rule, Violation};

/// Position of an object with unusable coordinates. Violations name the object's member instead of
/// this cell.
pub(super) const INVALID_POS: Pos = Pos { x: u16::MAX, y: u16::MAX };

/// Names of the rules of floors.
#[allow(missing_docs)] // The table in `docs/floors.md` describes every rule.
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
    pub const WATER_OFF_PATH: Rule = Rule("water-off-path");
    pub const WALL_DENSITY: Rule = Rule("wall-density");
    pub const TEMPLATE_MATCHES: Rule = Rule("template-matches");
    pub const PINS_MATCH: Rule = Rule("pins-match");
}

/// Result of a validation: the report, and how much of the floor is reachable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValidationResult {
    /// Every rule and every violation.
    pub report: Report,
    /// Number of steps of the shortest path from entrance to exit; `None` if there is no path.
    pub shortest_path: Option<u32>,
    /// Number of walkable tiles.
    pub walkable: u32,
    /// Number of walkable tiles that are reachable from the entrance.
    pub reachable: u32,
    /// Number of objects per [`Budget`]: present, and reachable. Water is reachable if a
    /// neighbouring tile is.
    pub counts: [(u32, u32); 8],
}

impl ValidationResult {
    /// Returns whether there is no violation.
    pub fn is_valid(&self) -> bool {
        self.report.is_valid()
    }

    /// Returns the number of objects of a budget: present, and reachable.
    pub fn count(&self, budget: Budget) -> (u32, u32) {
        self.counts[budget as usize]
    }
}

/// Checks every rule and reports every violation with its place. Accepts any floor.
///
/// # Complexity
/// O(tiles * (1 + doors)).
///
/// # Examples
/// ```
/// use wayforge_floor::{self as floor, TileKind, rules};
/// let mut floor = floor::generate(5.into(), &floor::Config::default().resolve()?)?;
/// assert!(floor::validate(&floor).is_valid());
/// let exit = floor.size().index(floor.exit);
/// floor.tiles[exit] = TileKind::Wall;
/// assert!(!floor::validate(&floor).passes(rules::SOLVABLE));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(floor: &Floor) -> Report {
    Validator::default().validate(floor).report
}

/// Validates many floors. Reuses its buffers.
///
/// # Examples
/// ```
/// use wayforge_floor::{self as floor, Validator};
/// let mut generator = floor::Generator::new(&floor::Config::default().resolve()?);
/// let mut validator = Validator::default();
/// for seed in 0..1000 {
///     assert!(validator.is_valid(generator.generate(seed.into())?));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Validator {
    view: View,
}

impl Validator {
    /// Returns whether the floor satisfies every rule, like [`validate`](Self::validate) but
    /// without messages or allocation.
    pub fn is_valid(&mut self, floor: &Floor) -> bool {
        let mut flag = ValidFlag(true);
        self.view.load(floor);
        floor_rules::check(floor, &mut self.view, &mut flag);
        flag.0
    }

    /// Checks every rule and counts reachable objects.
    pub fn validate(&mut self, floor: &Floor) -> ValidationResult {
        self.report(floor, true)
    }

    /// Checks every rule, or only those that need no configuration if it is unknown.
    pub(super) fn report(&mut self, floor: &Floor, config_known: bool) -> ValidationResult {
        let mut report = Report::default();
        let view = &mut self.view;
        view.load(floor);
        if config_known {
            floor_rules::check(floor, view, &mut report)
        } else {
            floor_rules::check_specified_rules(floor, view, false, &mut report)
        }
        ValidationResult {
            report,
            shortest_path: view.shortest_path_length(floor),
            walkable: view.walkable,
            reachable: view.reached,
            counts: Budget::ALL.map(|budget| view.count(floor, budget)),
        }
    }
}

/// Receiver of violations: a report, or a single flag.
pub(super) trait Findings {
    /// Starts the check of a rule.
    fn begin_rule(&mut self, rule: Rule);
    /// Records a violation of the last started rule.
    fn violation(&mut self, place: Place, why: impl FnOnce() -> String);
    /// Records a violation at a cell.
    #[inline]
    fn violation_at(&mut self, pos: Pos, why: impl FnOnce() -> String) {
        self.violation(Place::Cell(pos), why);
    }
}

/// True until a violation is recorded.
struct ValidFlag(bool);

impl Findings for ValidFlag {
    #[inline]
    fn begin_rule(&mut self, _: Rule) {}

    #[inline]
    fn violation(&mut self, _: Place, _: impl FnOnce() -> String) {
        self.0 = false;
    }
}

impl Findings for Report {
    fn begin_rule(&mut self, rule: Rule) {
        self.rules.push(rule);
    }

    fn violation(&mut self, place: Place, why: impl FnOnce() -> String) {
        let Some(&rule) = self.rules.last() else { return };
        let listed =
            self.violations.iter().rev().take_while(|violation| violation.rule == rule).count();
        if listed < Report::MAX_PER_RULE {
            self.violations.push(Violation { rule, place, why: why() });
        } else if self.truncated.last() != Some(&rule) {
            self.truncated.push(rule);
        }
    }
}
