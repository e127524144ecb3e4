//! Configuration of blueprint levels.

use crate::{Amount, Percent, Ratio, Spec, WallStyle};
use serde::{Deserialize, Deserializer, Serialize};
use wayforge_core::grid::Pos;
use wayforge_core::shorthand::{self, Short};
use wayforge_core::{ConfigError, DecodeError, document};

/// The configuration of a blueprint level: a stage.
///
/// In JSON and TOML, omitted fields have their default values.
///
/// # Examples
/// ```
/// use wayforge_level::{self as level, FuelMode};
/// let fuel = FuelMode::RefuelChain;
/// let config = level::Config { fuel, flashlights: 2, ..level::Config::default() };
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
    /// Number of columns, including the outside ring and the outer wall.
    #[cfg_attr(feature = "schema", schemars(range(min = 9, max = 1024)))]
    pub width: i64,
    /// Number of rows, including the outside ring and the outer wall.
    #[cfg_attr(feature = "schema", schemars(range(min = 7, max = 1024)))]
    pub height: i64,
    /// Sides of the outer wall with an exit, one exit per side.
    pub exits: Vec<Side>,
    /// Algorithm of the interior walls.
    pub walls: WallStyle,
    /// Whether movers can break interior walls [default: `solid` with `maze` and `caves`, else
    /// `breakable`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interior_walls: Option<InteriorWalls>,
    /// Share of interior walls that are reinforced: no mover can break them.
    pub reinforced: Percent,
    /// Symbols that each mover cannot enter, in addition to `interior_walls`.
    pub blocked: Blocked,
    /// Items that players need before they can drive away.
    pub fuel: FuelMode,
    /// Endurance stages are left on foot: players need a path to an exit, cars do not.
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
    /// Minimum Chebyshev distance between player, car, empty-can and fuel candidates of different
    /// symbols, unless both are pinned [default: the largest distance up to 8 that fits every
    /// seed].
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
    /// Rectangles where objects may fall from above. All their cells except walls become
    /// `fall_spawn_cells` of the level.
    pub fall_spawn_zones: Vec<Area>,
    /// Share of the interior cells without walls, 0 to 1, that become `fall_spawn_cells` in
    /// addition to the zones.
    pub fall_spawn_floor_ratio: Ratio,
    /// Named cells on the floor, for custom objectives of a game.
    pub marks: Vec<MarkConfig>,
    /// Objectives in addition to those of the fuel mode.
    pub objectives: Vec<ObjectiveConfig>,
    /// Cells that players must be able to reach.
    pub reachable: Reachable,
    /// Whether the level may contain cells from which players can no longer finish.
    pub soft_locks: SoftLocks,
    /// Maximum number of attempts.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub attempts: i64,
    /// How the seed of the next attempt is derived.
    pub retry: RetryRule,
    /// Whether a level that fails only because of interior walls is repaired by removing as few of
    /// them as possible.
    pub repair: bool,
    /// Drawing of pinned cells, one string per row; `?` is free. Empty if no cell is pinned.
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

/// Whether movers can break interior walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InteriorWalls {
    /// Movers break them: they block no mover.
    Breakable,
    /// They block all movers.
    Solid,
}

/// Items that players need before they can drive away. Also accepts the specification's names in
/// capitals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
// Exhaustive: pictures and exports describe every mode.
pub enum FuelMode {
    /// A fuel can: `P -> f -> C`.
    #[default]
    #[serde(alias = "FUEL_CAN")]
    FuelCan,
    /// An empty can, then fuel for it: `P -> e -> f -> C`.
    #[serde(alias = "REFUEL_CHAIN")]
    RefuelChain,
    /// Nothing, the car has fuel: `P -> C`.
    #[serde(alias = "START_FULL")]
    StartFull,
}

/// Symbols that each mover cannot enter, except interior walls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Blocked {
    /// Symbols that cars cannot enter: always `O` and `B`, and any of `x h w ^ v < >`.
    pub car: String,
    /// Symbols that people cannot enter: always `O` and `B`, and any of `x h w ^ v < >`.
    pub person: String,
}

/// A terrain feature: an amount anywhere on the floor, and zones. Short form: the amount only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Feature {
    /// Amount anywhere on the floor; densities are relative to the floor before terrain and walls.
    pub amount: Amount,
    /// Rectangles with their own amount. Zones of one feature do not overlap.
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
    /// Number of columns.
    pub width: i64,
    /// Number of rows.
    pub height: i64,
    /// Amount of the feature [default: 100%].
    #[serde(default = "full_density")]
    pub amount: Amount,
    /// Direction of moving floors in this zone [default: random for each cell].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<MoveDirection>,
}

/// The direction of a moving floor, as its symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub enum MoveDirection {
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
    /// Number of columns.
    pub width: i64,
    /// Number of rows.
    pub height: i64,
}

/// A mark: named cells on the floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MarkConfig {
    /// The name, two to thirty-two letters, digits, `_` or `-`.
    pub name: String,
    /// Number of cells with this mark.
    #[serde(default = "one")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    pub count: i64,
    /// Fixed cells with this mark.
    #[serde(default)]
    pub cells: Vec<Pos>,
    /// Step that must be reached before these cells can be entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked_until: Option<String>,
}

/// An objective: steps that a mover must be able to reach in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ObjectiveConfig {
    /// The mover.
    #[serde(default)]
    pub mover: Mover,
    /// Two to eight symbols of the legend or names of marks, from the start to the goal.
    pub steps: Vec<String>,
}

/// A kind of mover.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
// Exhaustive: movement and pictures differ by mover.
pub enum Mover {
    /// A car: four directions; ignores moving floors.
    Car,
    /// A person: eight directions, no diagonal step between two corners; moving floors are one-way.
    #[default]
    Person,
}

/// Cells that players must be able to reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reachable {
    /// Only the steps of their objectives.
    Objectives,
    /// Also every candidate and every mark.
    #[default]
    Candidates,
}

/// Whether a level may contain soft locks: cells from which players can no longer finish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum SoftLocks {
    #[default]
    Allowed,
    Forbidden,
}

/// How the seed of the next attempt is derived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RetryRule {
    /// `seed + attempt`, as specified: attempt 1 of a seed equals attempt 0 of the next seed.
    #[default]
    Add,
    /// A hash of seed and attempt, so that seeds do not share attempts.
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
    /// Validates the configuration and resolves it into a spec.
    ///
    /// # Errors
    /// [`ConfigError`] with the first invalid field and a remedy.
    pub fn resolve(&self) -> Result<Spec, ConfigError> {
        Spec::resolve(self.clone())
    }

    /// Parses a configuration from JSON.
    ///
    /// # Errors
    /// [`DecodeError`] with the path of the first invalid member.
    ///
    /// # Examples
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
    /// Returns true if the amount and all zones are zero.
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

/// Long form of a feature.
#[derive(Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
struct LongFeature {
    /// Amount anywhere on the floor; densities are relative to the floor before terrain and walls.
    amount: Amount,
    /// Rectangles with their own amount. Zones of one feature do not overlap.
    zones: Vec<Zone>,
}

#[cfg(feature = "schema")]
wayforge_core::impl_json_schema!(Feature, "Feature", |generator| {
    "description":
        "A terrain feature: an amount anywhere on the floor, and zones. Short form: the amount.",
    "anyOf": [generator.subschema_for::<Amount>(), generator.subschema_for::<LongFeature>()]
});

fn full_density() -> Amount {
    Amount::Density(Percent::ALL)
}

fn one() -> i64 {
    1
}
