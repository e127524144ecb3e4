//! Configuration of floors.

use super::template::Template;
use super::tower::Amount;
use super::{EntityKind, TileKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use wayforge_core::DecodeError;
use wayforge_core::document;

/// Configuration of a floor, with the field names of the floor module specification.
///
/// Omitted fields take their defaults. A resolved configuration contains every field.
///
/// # Examples
/// ```
/// use wayforge_floor as floor;
/// let config = floor::Config {
///     min_path_length: Some(16),
///     enemy_budget: Some(2),
///     ..floor::Config::default()
/// };
/// assert_eq!(config.resolve()?.size().cells(), 25);
///
/// let error = floor::Config { min_path_length: Some(17), ..config }.resolve().unwrap_err();
/// assert_eq!((error.field.as_str(), error.remedy.as_str()), ("minPathLength", "use at most 16"));
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FloorConfig"))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Config {
    /// Number of columns, 3 to 64 [default: 5, or the template's]. With a template, must equal its
    /// width or height.
    #[cfg_attr(feature = "schema", schemars(range(min = 3, max = 64)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<i64>,
    /// Number of rows, 3 to 64 [default: 5, or the template's]. With a template, must equal its
    /// width or height.
    #[cfg_attr(feature = "schema", schemars(range(min = 3, max = 64)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<i64>,
    /// Share of all tiles that are walls or water, 0 to 1 [default: 0.5]. More tiles are opened if
    /// the path or the budgets need them, fewer if more would shorten the path below
    /// `minPathLength`. Templates ignore it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_density: Option<Density>,
    /// How the path from entrance to exit is carved.
    pub carve: CarveMethod,
    /// How tiles around the path are opened.
    pub open: OpenMethod,
    /// Number of enemies [default: 3, or the template's]. Objects of a template count towards each
    /// budget; the remaining objects are placed on its free floor tiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enemy_budget: Option<i64>,
    /// Number of chests [default: 1, or the template's].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chest_budget: Option<i64>,
    /// Number of items [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_budget: Option<i64>,
    /// Number of relics [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relic_budget: Option<i64>,
    /// Number of non-player characters [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub npc_budget: Option<i64>,
    /// Number of traps [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trap_budget: Option<i64>,
    /// Number of doors [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub door_budget: Option<i64>,
    /// Number of water tiles [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub water_budget: Option<i64>,
    /// Minimum number of steps of the *shortest* path from entrance to exit. Without it, the exit
    /// is uniform over all tiles except the entrance. Templates ignore it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_path_length: Option<i64>,
    /// Guarantees a route from entrance to exit without enemies. No enemy is placed on the path.
    #[serde(skip_serializing_if = "is_false")]
    pub safe_route: bool,
    /// Guarantees that every chest is reachable without passing an enemy.
    #[serde(skip_serializing_if = "is_false")]
    pub safe_chests: bool,
    /// Position of the entrance; random if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entrance: Option<Vec2>,
    /// Position of the exit; random if omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<Vec2>,
    /// Drawing of pinned cells: one string per row, in template symbols; `?` is a free cell. The
    /// rest of the floor is generated around them, and `wallDensity` is only a target. Empty if no
    /// cell is pinned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<String>,
    /// Number of attempts before the fallback layout is used, 0 to 1000 [default: 32].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<i64>,
    /// Whether the floor is generated from a template [default: true if a template is given].
    /// `false` disables a given template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_template: Option<bool>,
    /// Name of the template: an embedded one, or the id of `template`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_id: Option<String>,
    /// A custom template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A position in the format of the specification: `{"x": 3, "y": 1}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Vec2 {
    /// Column, from the left.
    pub x: i64,
    /// Row, from the top.
    pub y: i64,
}

/// How the path from entrance to exit is carved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CarveMethod {
    /// Random walk that prefers steps towards the exit.
    #[default]
    Walk,
    /// A*: the cheapest path over tiles of random weight.
    Astar,
}

/// How tiles around the path are opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OpenMethod {
    /// Single tiles next to open ones: caves and ruins.
    #[default]
    Density,
    /// Rooms connected by corridors. On floors with a side below 7, and after eight attempts, rooms
    /// of 2 x 2 to 3 x 3 tiles that touch open tiles.
    Rooms,
}

/// A share from 0 to 1, stored in ten-thousandths so that no result depends on floats.
///
/// # Examples
/// ```
/// use wayforge_floor::Density;
/// let half: Density = serde_json::from_str("0.5").unwrap();
/// assert_eq!((half, half.of(25)), (Density(5000), 13));
/// assert_eq!(serde_json::to_string(&Density(10_000)).unwrap(), "1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Density(pub u16);

impl Config {
    /// Parses a configuration from JSON.
    ///
    /// # Errors
    /// [`DecodeError`] with the path of the first invalid field.
    ///
    /// # Examples
    /// ```
    /// use wayforge_floor as floor;
    /// let json = br#"{"width": 9, "wallDensity": 0.4, "entrance": {"x": 0, "y": 2}}"#;
    /// assert_eq!(floor::Config::from_json(json)?.width, Some(9));
    /// let error = floor::Config::from_json(br#"{"wallDensity": 2}"#).unwrap_err();
    /// assert!(error.to_string().starts_with("wallDensity: "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(text: &[u8]) -> Result<Config, DecodeError> {
        document::parse_object(text)
    }

    /// Returns the value of a budget.
    pub(super) fn budget(&self, kind: Budget) -> Option<i64> {
        match kind {
            Budget::Door => self.door_budget,
            Budget::Chest => self.chest_budget,
            Budget::Trap => self.trap_budget,
            Budget::Water => self.water_budget,
            Budget::Enemy => self.enemy_budget,
            Budget::Item => self.item_budget,
            Budget::Relic => self.relic_budget,
            Budget::Npc => self.npc_budget,
        }
    }

    /// Returns the field of a budget.
    pub fn budget_mut(&mut self, kind: Budget) -> &mut Option<i64> {
        match kind {
            Budget::Door => &mut self.door_budget,
            Budget::Chest => &mut self.chest_budget,
            Budget::Trap => &mut self.trap_budget,
            Budget::Water => &mut self.water_budget,
            Budget::Enemy => &mut self.enemy_budget,
            Budget::Item => &mut self.item_budget,
            Budget::Relic => &mut self.relic_budget,
            Budget::Npc => &mut self.npc_budget,
        }
    }
}

/// Kind of object with a configured number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Budget {
    Door,
    Chest,
    Trap,
    Water,
    Enemy,
    Item,
    Relic,
    Npc,
}

impl Budget {
    /// All budgets, tiles first.
    pub const ALL: [Budget; 8] = {
        use Budget::*;
        [Door, Chest, Trap, Water, Enemy, Item, Relic, Npc]
    };

    /// Configuration field, singular and plural.
    const NAMES: [[&'static str; 3]; 8] = [
        ["doorBudget", "door", "doors"],
        ["chestBudget", "chest", "chests"],
        ["trapBudget", "trap", "traps"],
        ["waterBudget", "tile of water", "tiles of water"],
        ["enemyBudget", "enemy", "enemies"],
        ["itemBudget", "item", "items"],
        ["relicBudget", "relic", "relics"],
        ["npcBudget", "npc", "npcs"],
    ];

    /// Returns the name of the configuration field.
    pub const fn field(self) -> &'static str {
        Budget::NAMES[self as usize][0]
    }

    /// Returns the plural name of the objects.
    pub const fn plural(self) -> &'static str {
        Budget::NAMES[self as usize][2]
    }

    /// Formats a number of objects with the matching noun.
    ///
    /// # Examples
    /// ```
    /// use wayforge_floor::Budget;
    /// assert_eq!(Budget::Enemy.count_label(1), "1 enemy");
    /// assert_eq!(Budget::Water.count_label(2), "2 tiles of water");
    /// ```
    pub fn count_label(self, count: u32) -> String {
        format!("{count} {}", self.noun(count))
    }

    /// Returns the name of `count` objects: singular for 1, else plural.
    pub(super) fn noun(self, count: u32) -> &'static str {
        Budget::NAMES[self as usize][if count == 1 { 1 } else { 2 }]
    }

    /// Returns the default number of objects.
    pub(super) const fn default_count(self) -> i64 {
        match self {
            Budget::Enemy => 3,
            Budget::Chest => 1,
            _ => 0,
        }
    }

    /// Returns the budget that a tile counts towards.
    pub fn from_tile(kind: TileKind) -> Option<Budget> {
        Budget::ALL.into_iter().find(|budget| budget.tile() == Some(kind))
    }

    /// Returns the kind of tile that is counted, if the objects are tiles.
    pub fn tile(self) -> Option<TileKind> {
        [TileKind::Door, TileKind::Chest, TileKind::Trap, TileKind::Water]
            .get(self as usize)
            .copied()
    }

    /// Returns the kind of entity that is counted, if the objects are entities.
    pub fn entity(self) -> Option<EntityKind> {
        EntityKind::ALL.get((self as usize).wrapping_sub(4)).copied()
    }

    /// Counts the objects among `tiles` and `entities`.
    pub(super) fn count(
        self,
        tiles: &[TileKind],
        entities: impl Iterator<Item = EntityKind>,
    ) -> usize {
        match self.entity() {
            Some(kind) => entities.filter(|&entity| entity == kind).count(),
            None => tiles.iter().filter(|&&tile| self.tile() == Some(tile)).count(),
        }
    }
}

impl Density {
    /// The value that represents a share of 1.
    pub const SCALE: u32 = 10_000;

    /// Returns this share of `n`, rounded to the nearest integer, halves up.
    pub const fn of(self, n: u32) -> u32 {
        ((self.0 as u64 * n as u64 + Density::SCALE as u64 / 2) / Density::SCALE as u64) as u32
    }
}

impl fmt::Display for Density {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (f64::from(self.0) / f64::from(Density::SCALE)).fmt(f)
    }
}

impl Serialize for Density {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Amount(self.0.into()).serialize(serializer)
    }
}

/// Rounds to the nearest ten-thousandth. Floats are converted to integers only here.
impl<'de> Deserialize<'de> for Density {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Density, D::Error> {
        let share = f64::deserialize(deserializer)?;
        if (0.0..=1.0).contains(&share) {
            return Ok(Density((share * f64::from(Density::SCALE)).round() as u16));
        }
        Err(de::Error::custom(format!("{share}: out of range; use 0 to 1")))
    }
}

/// Implements the JSON Schema of a number stored in ten-thousandths.
#[cfg(feature = "schema")]
macro_rules! fixed_point_schema {
    ($number:ident, $min:literal to $max:literal, $description:literal) => {
        impl schemars::JsonSchema for $number {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($number).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "number",
                    "minimum": $min,
                    "maximum": $max,
                    "description": $description
                })
            }
        }
    };
}

#[cfg(feature = "schema")]
fixed_point_schema!(Density, 0 to 1, "A share, to the nearest ten-thousandth.");
#[cfg(feature = "schema")]
fixed_point_schema!(Amount, -1_000_000 to 1_000_000, "A number, to the nearest ten-thousandth.");
