//! What a person types to ask for a floor.

use super::template::Template;
use super::tower::Amount;
use super::{EntityKind, Spec, TileKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use wayforge_core::document;
use wayforge_core::{ConfigError, DecodeError};

/// The configuration of a floor, in the field names of the document that describes it.
///
/// Left-out fields take their defaults; a resolved configuration has all of them written out.
///
/// ```
/// use wayforge_floor as floor;
/// let config = floor::Config { min_path_length: Some(16), enemy_budget: Some(2), ..floor::Config::default() };
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
    /// Columns, 3 to 64 [default: 5, or the template's]. With a template it must be one of the template's two sides.
    #[cfg_attr(feature = "schema", schemars(range(min = 3, max = 64)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<i64>,
    /// Rows, 3 to 64 [default: 5, or the template's].
    #[cfg_attr(feature = "schema", schemars(range(min = 3, max = 64)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<i64>,
    /// The share of all tiles that are walls or water, 0 to 1 [default: 0.5]. Where the way or the budgets need more room, more
    /// is opened; where opening more would shorten the way below `minPathLength`, less is. It does not apply to templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_density: Option<Density>,
    /// How the way from entrance to exit is carved.
    pub carve: Carve,
    /// How room is made around the way.
    pub open: Opening,
    /// How many enemies [default: 3, or the template's]. A budget counts what a template holds; the rest is placed on its free
    /// floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enemy_budget: Option<i64>,
    /// How many chests [default: 1, or the template's].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chest_budget: Option<i64>,
    /// How many items lie about [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_budget: Option<i64>,
    /// How many relics [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relic_budget: Option<i64>,
    /// How many persons to talk to [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub npc_budget: Option<i64>,
    /// How many traps [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trap_budget: Option<i64>,
    /// How many doors [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub door_budget: Option<i64>,
    /// How many tiles of water [default: 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub water_budget: Option<i64>,
    /// The fewest steps of the *shortest* path from entrance to exit. Without it the exit is uniform over all tiles except
    /// the entrance. It does not apply to templates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_path_length: Option<i64>,
    /// Whether a route from entrance to exit meets no enemy: enemies keep off the path.
    #[serde(skip_serializing_if = "is_false")]
    pub safe_route: bool,
    /// Whether every chest can be reached without passing an enemy.
    #[serde(skip_serializing_if = "is_false")]
    pub safe_chests: bool,
    /// Where the entrance is; drawn if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entrance: Option<Vec2>,
    /// Where the exit is; drawn if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<Vec2>,
    /// A drawing of fixed cells, one string a row in the characters of templates; `?` is free. Empty if nothing is fixed. The rest is
    /// drawn around them, and `wallDensity` is then a wish.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<String>,
    /// How often a floor is drawn before the safe one is taken, 0 to 1000 [default: 32].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<i64>,
    /// Whether the floor is a template's [default: whether one is named]; `false` switches a named template off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_template: Option<bool>,
    /// Which template: one of the embedded ones, or `template`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_id: Option<String>,
    /// A template of one's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A cell as the document writes it: `{"x": 3, "y": 1}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Vec2 {
    /// The column, from the left.
    pub x: i64,
    /// The row, from the top.
    pub y: i64,
}

/// How the way from entrance to exit is carved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Carve {
    /// A walk that prefers steps towards the exit and sometimes strays.
    #[default]
    Walk,
    /// The cheapest way over tiles of random weight.
    Astar,
}

/// How room is made around the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Opening {
    /// Single tiles at the rim of what is open: caves and ruins.
    #[default]
    Density,
    /// Rooms of 2 x 2 to 3 x 3 tiles that touch what is open.
    Rooms,
}

/// A share from 0 to 1, kept in ten-thousandths so that no float decides anything.
///
/// ```
/// use wayforge_floor::Density;
/// let half: Density = serde_json::from_str("0.5").unwrap();
/// assert_eq!((half, half.of(25)), (Density(5000), 13));
/// assert_eq!(serde_json::to_string(&Density(10_000)).unwrap(), "1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Density(pub u16);

impl Config {
    /// Checks every field and readies the configuration for generation.
    pub fn resolve(&self) -> Result<Spec, ConfigError> {
        Spec::resolve(self)
    }

    /// Reads a configuration from JSON; the error says where it is wrong.
    ///
    /// ```
    /// use wayforge_floor as floor;
    /// let config = floor::Config::from_json(br#"{"width": 9, "wallDensity": 0.4, "entrance": {"x": 0, "y": 2}}"#)?;
    /// assert_eq!(config.width, Some(9));
    /// let error = floor::Config::from_json(br#"{"wallDensity": 2}"#).unwrap_err();
    /// assert!(error.to_string().starts_with("wallDensity: "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(text: &[u8]) -> Result<Config, DecodeError> {
        document::parse_object(text)
    }

    /// The value of a budget.
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

    /// The field of a budget.
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

/// What is counted on a floor.
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
    /// All of them, tiles first.
    pub const ALL: [Budget; 8] = {
        use Budget::*;
        [Door, Chest, Trap, Water, Enemy, Item, Relic, Npc]
    };

    /// Field of the configuration, one of it in words, and several of it.
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

    /// The field of the configuration.
    pub const fn field(self) -> &'static str {
        Budget::NAMES[self as usize][0]
    }

    /// What is counted, in words.
    pub const fn plural(self) -> &'static str {
        Budget::NAMES[self as usize][2]
    }

    /// A number of them, in words.
    ///
    /// ```
    /// use wayforge_floor::Budget;
    /// assert_eq!((Budget::Enemy.counted(1), Budget::Water.counted(2)), ("1 enemy".into(), "2 tiles of water".into()));
    /// ```
    pub fn counted(self, count: u32) -> String {
        format!("{count} {}", Budget::NAMES[self as usize][if count == 1 { 1 } else { 2 }])
    }

    /// What a floor has if nothing is said.
    pub(super) const fn usual(self) -> i64 {
        match self {
            Budget::Enemy => 3,
            Budget::Chest => 1,
            _ => 0,
        }
    }

    /// The budget that a tile counts towards.
    pub fn of_tile(kind: TileKind) -> Option<Budget> {
        Budget::ALL.into_iter().find(|budget| budget.tile() == Some(kind))
    }

    /// The tile that is counted, if it is one.
    pub fn tile(self) -> Option<TileKind> {
        [TileKind::Door, TileKind::Chest, TileKind::Trap, TileKind::Water].get(self as usize).copied()
    }

    /// The entity that is counted, if it is one.
    pub fn entity(self) -> Option<EntityKind> {
        EntityKind::ALL.get((self as usize).wrapping_sub(4)).copied()
    }

    /// How many of `tiles` and `entities` are counted.
    pub(super) fn count(self, tiles: &[TileKind], entities: impl Iterator<Item = EntityKind>) -> usize {
        match self.entity() {
            Some(kind) => entities.filter(|&entity| entity == kind).count(),
            None => tiles.iter().filter(|&&tile| self.tile() == Some(tile)).count(),
        }
    }
}

impl Density {
    /// All of it.
    pub const WHOLE: u32 = 10_000;

    /// This share of `n`, to the nearest whole number, halves up.
    pub const fn of(self, n: u32) -> u32 {
        ((self.0 as u64 * n as u64 + Density::WHOLE as u64 / 2) / Density::WHOLE as u64) as u32
    }
}

impl fmt::Display for Density {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (f64::from(self.0) / f64::from(Density::WHOLE)).fmt(f)
    }
}

impl Serialize for Density {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Amount(self.0.into()).serialize(serializer)
    }
}

/// The nearest ten-thousandth is taken: here, at the border, a float is turned into a whole number once.
impl<'de> Deserialize<'de> for Density {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Density, D::Error> {
        let share = f64::deserialize(deserializer)?;
        if (0.0..=1.0).contains(&share) {
            return Ok(Density((share * f64::from(Density::WHOLE)).round() as u16));
        }
        Err(de::Error::invalid_value(de::Unexpected::Float(share), &"a share from 0 to 1"))
    }
}

/// The JSON Schema of a number that is kept in ten-thousandths.
#[cfg(feature = "schema")]
macro_rules! fixed_point_schema {
    ($number:ident, $least:literal to $most:literal, $description:literal) => {
        impl schemars::JsonSchema for $number {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($number).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "number",
                    "minimum": $least,
                    "maximum": $most,
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
