//! What a person types to ask for a level.

use crate::{Amount, Percent, Ratio, Spec, WallStyle};
use serde::{Deserialize, Deserializer, Serialize};
use wayforge_core::grid::Pos;
use wayforge_core::shorthand::{self, Short};
use wayforge_core::{ConfigError, DecodeError, document};

/// The configuration of a blueprint level: a stage.
///
/// In JSON and TOML left-out fields take their defaults.
///
/// ```
/// use wayforge_level::{self as level, FuelMode};
/// let config = level::Config { fuel: FuelMode::RefuelChain, flashlights: 2, ..level::Config::default() };
/// assert_eq!(config.resolve()?.size().cells(), 48 * 30);
///
/// let error = level::Config { width: 8, ..level::Config::default() }.resolve().unwrap_err();
/// assert_eq!(error.to_string(), "width = 8: out of range; use 9 to 1024");
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LevelConfig"))]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Columns, the outside ring and the outer wall included.
    #[cfg_attr(feature = "schema", schemars(range(min = 9, max = 1024)))]
    pub width: i64,
    /// Rows, the outside ring and the outer wall included.
    #[cfg_attr(feature = "schema", schemars(range(min = 7, max = 1024)))]
    pub height: i64,
    /// The sides of the outer wall that have an exit, one each.
    pub exits: Vec<Side>,
    /// How interior walls are drawn.
    pub walls: WallStyle,
    /// Whether interior walls can be broken through [default: `solid` with `maze` and `caves`, else `breakable`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interior_walls: Option<InteriorWalls>,
    /// The share of interior walls that are reinforced: nobody breaks through those.
    pub reinforced: Percent,
    /// What each mover cannot enter. With `interior_walls` this is the whole table of movers and symbols.
    pub blocked: Blocked,
    /// What is needed to drive away.
    pub fuel: FuelMode,
    /// Endurance stages are left on foot: the players need a way to an exit, the cars do not.
    pub endurance: bool,
    /// Player candidates (`P`).
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub players: i64,
    /// Car candidates (`C`).
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub cars: i64,
    /// Empty-can candidates (`e`), in `refuel_chain` only.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    pub empty_cans: i64,
    /// Fuel candidates (`f`), in `fuel_can` and `refuel_chain`.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    pub fuel_spots: i64,
    /// Flashlight candidates (`l`).
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 4096)))]
    pub flashlights: i64,
    /// Shoe candidates (`s`).
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 4096)))]
    pub shoes: i64,
    /// The fewest steps between player, car, empty-can and fuel candidates of different symbols, fixed cells aside
    /// [default: the largest distance up to 8 that is certain to fit].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1019)))]
    pub min_separation: Option<i64>,
    /// Pitfalls (`x`).
    pub pitfalls: Feature,
    /// Houseplants (`h`).
    pub plants: Feature,
    /// Puddles (`w`).
    pub puddles: Feature,
    /// Moving floors (`^ v < >`).
    pub moving_floors: Feature,
    /// Rectangles where something may fall from above, whatever lies on their floor. Their cells that are no walls are
    /// the level's `fall_spawn_cells`.
    pub fall_spawn_zones: Vec<Area>,
    /// The share of the interior cells that are no walls, 0 to 1, that become `fall_spawn_cells` besides the zones.
    pub fall_spawn_floor_ratio: Ratio,
    /// Named cells that a game puts on the floor, for objectives of its own.
    pub marks: Vec<MarkConfig>,
    /// Objectives beyond those of the fuel mode.
    pub objectives: Vec<ObjectiveConfig>,
    /// What players must be able to reach.
    pub reachable: Reachable,
    /// Whether players may walk to where they can no longer finish.
    pub soft_locks: SoftLocks,
    /// How many attempts are made.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub attempts: i64,
    /// How the seed of the next attempt follows.
    pub retry: RetryRule,
    /// Whether a level that fails only by its interior walls is repaired by removing the fewest of them.
    pub repair: bool,
    /// A drawing of fixed cells, one string a row; `?` is free. Empty if nothing is fixed.
    pub pins: Vec<String>,
}

/// A side of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Side {
    Top,
    Bottom,
    Left,
    Right,
}

/// Whether interior walls can be broken through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InteriorWalls {
    /// Movers break through them: they block nobody.
    Breakable,
    /// They block everybody.
    Solid,
}

/// What is needed to drive away. The names of the document in capitals are understood too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FuelMode {
    /// A fuel can: `P -> f -> C`.
    #[default]
    #[serde(alias = "FUEL_CAN")]
    FuelCan,
    /// An empty can, then fuel for it: `P -> e -> f -> C`.
    #[serde(alias = "REFUEL_CHAIN")]
    RefuelChain,
    /// Nothing, the car is full: `P -> C`.
    #[serde(alias = "START_FULL")]
    StartFull,
}

/// The symbols that each mover cannot enter, interior walls aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Blocked {
    /// What cars cannot enter: `O` and `B` always, and any of `x h w ^ v < >`.
    pub car: String,
    /// What people cannot enter: `O` and `B` always, and any of `x h w ^ v < >`.
    pub person: String,
}

/// A feature of the floor: so much of it anywhere, and zones of it. Short: only the amount.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Feature {
    /// How much of it anywhere on the floor; a density counts the floor before terrain and walls.
    pub amount: Amount,
    /// Rectangles with an amount of their own. Zones of one feature do not overlap.
    pub zones: Vec<Zone>,
}

/// A rectangle with an amount of a feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Zone {
    /// The left column.
    pub x: i64,
    /// The upper row.
    pub y: i64,
    /// How many columns.
    pub width: i64,
    /// How many rows.
    pub height: i64,
    /// How much of the feature; all of the zone if left out.
    #[serde(default = "everything")]
    pub amount: Amount,
    /// The direction of moving floors in this zone; drawn for each cell if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Moves>,
}

/// The direction of a moving floor, as its symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub enum Moves {
    #[serde(rename = "^")]
    North,
    #[serde(rename = "v")]
    South,
    #[serde(rename = "<")]
    West,
    #[serde(rename = ">")]
    East,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// The left column.
    pub x: i64,
    /// The upper row.
    pub y: i64,
    /// How many columns.
    pub width: i64,
    /// How many rows.
    pub height: i64,
}

/// Named cells on the floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MarkConfig {
    /// The name, two to thirty-two letters, digits, `_` or `-`.
    pub name: String,
    /// How many cells carry it.
    #[serde(default = "one")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    pub count: i64,
    /// Cells that carry it in any case.
    #[serde(default)]
    pub cells: Vec<Pos>,
    /// The step that must be reached before these cells can be entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked_until: Option<String>,
}

/// A chain of places that a mover must be able to reach in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ObjectiveConfig {
    /// Who moves.
    #[serde(default)]
    pub mover: Mover,
    /// Symbols of the legend or names of marks, from the start to the goal: two to eight.
    pub steps: Vec<String>,
}

/// Who moves over a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mover {
    /// A car: four directions, moving floors do not matter.
    Car,
    /// A person: eight directions, never between two blocking corners, and moving floors are one-way.
    #[default]
    Person,
}

/// What players must be able to reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reachable {
    /// Only what their objectives need.
    Objectives,
    /// Every candidate and every mark besides.
    #[default]
    Candidates,
}

/// Whether players may walk to where they can no longer finish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum SoftLocks {
    #[default]
    Allowed,
    Forbidden,
}

/// How the seed of the next attempt follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RetryRule {
    /// `seed + attempt`, as the document says: attempt 1 of a seed is attempt 0 of the next one.
    #[default]
    Add,
    /// A hash of seed and attempt: no two seeds share attempts.
    Hash,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            width: 48,
            height: 30,
            exits: vec![Side::Top, Side::Bottom, Side::Left, Side::Right],
            walls: WallStyle::Default,
            interior_walls: None,
            reinforced: Percent::NONE,
            blocked: Blocked::default(),
            fuel: FuelMode::FuelCan,
            endurance: false,
            players: 1,
            cars: 1,
            empty_cans: 1,
            fuel_spots: 1,
            flashlights: 0,
            shoes: 0,
            min_separation: None,
            pitfalls: Feature::default(),
            plants: Feature::default(),
            puddles: Feature::default(),
            moving_floors: Feature::default(),
            fall_spawn_zones: Vec::new(),
            fall_spawn_floor_ratio: Ratio::NONE,
            marks: Vec::new(),
            objectives: Vec::new(),
            reachable: Reachable::Candidates,
            soft_locks: SoftLocks::Allowed,
            attempts: 20,
            retry: RetryRule::Add,
            repair: true,
            pins: Vec::new(),
        }
    }
}

impl Config {
    /// Checks the configuration and makes it ready to run.
    pub fn resolve(&self) -> Result<Spec, ConfigError> {
        Spec::resolve(self.clone())
    }

    /// Reads a configuration from JSON; the error says where it is wrong.
    ///
    /// ```
    /// use wayforge_level as level;
    /// let config = level::Config::from_json(br#"{"walls": "grid_wire", "pitfalls": "2%"}"#)?;
    /// assert_eq!(config.walls.to_string(), "grid_wire");
    /// let error = level::Config::from_json(br#"{"pitfalls": "lots"}"#).unwrap_err();
    /// assert!(error.to_string().starts_with("pitfalls: "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(text: &[u8]) -> Result<Config, DecodeError> {
        document::parse_object(text)
    }
}

impl Default for Blocked {
    fn default() -> Blocked {
        Blocked { car: "OBx".into(), person: "OBx".into() }
    }
}

impl From<Amount> for Feature {
    fn from(amount: Amount) -> Feature {
        Feature { amount, zones: Vec::new() }
    }
}

impl Feature {
    /// True if nothing is asked for.
    pub fn is_none(&self) -> bool {
        self.amount.is_none() && self.zones.iter().all(|zone| zone.amount.is_none())
    }
}

impl<'de> Deserialize<'de> for Feature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Feature, D::Error> {
        const EXPECTED: &str =
            "a count, a percentage such as \"2.5%\", or an object with `amount` and `zones`";
        let short = |short: Short<'_>| Some(Amount::from_short(short).map(Feature::from));
        let long = |LongFeature { amount, zones }| Feature { amount, zones };
        shorthand::deserialize(deserializer, EXPECTED, short, Some(long))
    }
}

/// A feature written out.
#[derive(Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
struct LongFeature {
    /// How much of it anywhere on the floor; a density counts the floor before terrain and walls.
    amount: Amount,
    /// Rectangles with an amount of their own. Zones of one feature do not overlap.
    zones: Vec<Zone>,
}

#[cfg(feature = "schema")]
wayforge_core::impl_json_schema!(Feature, "Feature", |generator| {
    "description": "A feature of the floor: so much of it anywhere, and zones of it. Short: only the amount.",
    "anyOf": [generator.subschema_for::<Amount>(), generator.subschema_for::<LongFeature>()]
});

fn everything() -> Amount {
    Amount::Density(Percent::ALL)
}

fn one() -> i64 {
    1
}
