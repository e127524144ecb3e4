//! What a person types to ask for a tower.

use super::Spec;
use crate::config::{Budget, Config as FloorConfig, Density};
use crate::template::Template;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use wayforge_core::document;
use wayforge_core::shorthand::{self, Short};
use wayforge_core::{ConfigError, DecodeError};

/// The configuration of a tower: its first floor, how floors change on the way up, and which are made by hand.
///
/// ```
/// use wayforge_floor::tower::{self, Amount, Curve, CurveField};
/// let more = Curve { field: CurveField::EnemyBudget, every: 2, by: Amount::whole(1), to: Amount::whole(5) };
/// let config = tower::Config { floors: 7, curves: vec![more], ..tower::Config::default() };
/// assert_eq!(config.resolve()?.floors(), 7);
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TowerConfig"))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Config {
    /// How many floors, 1 to 1000.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub floors: i64,
    /// The first floor; the others change it by the curves. Its entrance is where the tower is entered.
    pub floor: FloorConfig,
    /// How fields change from floor to floor.
    pub curves: Vec<Curve>,
    /// Floors made by hand; of several that fall on one floor the first is taken.
    pub templates: Vec<TemplateFloor>,
    /// The template of the last floor; `null` for a floor like the others.
    pub boss: Option<TemplateName>,
}

/// How one field changes: floor `n`, counted from 0, has `n / every` steps of `by`, and never more than `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// The field.
    pub field: CurveField,
    /// So many floors make a step.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub every: i64,
    /// What a step adds; below zero it takes away.
    pub by: Amount,
    /// Where it ends.
    pub to: Amount,
}

/// The fields that a curve can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum CurveField {
    WallDensity,
    EnemyBudget,
    ChestBudget,
    ItemBudget,
    RelicBudget,
    NpcBudget,
    TrapBudget,
    DoorBudget,
    WaterBudget,
    MinPathLength,
}

/// A number with up to four digits behind the point, kept whole so that no float decides anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(pub i64);

/// A template on every so many floors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TemplateFloor {
    /// The 5th, 10th, 15th floor for 5.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub every: i64,
    /// Which template.
    pub template: TemplateName,
}

/// A template by its name, or one of one's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum TemplateName {
    /// One of the embedded ones.
    Named(String),
    /// One of one's own.
    Own(Template),
}

impl Config {
    /// Checks every field and every floor, and readies the configuration for generation.
    pub fn resolve(&self) -> Result<Spec, ConfigError> {
        Spec::resolve(self)
    }

    /// Reads a configuration from JSON; the error says where it is wrong.
    pub fn from_json(text: &[u8]) -> Result<Config, DecodeError> {
        document::parse_object(text)
    }
}

impl Default for Config {
    fn default() -> Config {
        let curve = |field, every, by, to| Curve { field, every, by: Amount(by), to: Amount(to) };
        Config {
            floors: 10,
            floor: FloorConfig {
                item_budget: Some(1),
                wall_density: Some(Density(4000)),
                ..FloorConfig::default()
            },
            curves: vec![
                curve(CurveField::WallDensity, 2, 200, 5600),
                curve(CurveField::EnemyBudget, 4, 10_000, 60_000),
                curve(CurveField::TrapBudget, 3, 10_000, 20_000),
            ],
            templates: vec![TemplateFloor { every: 5, template: TemplateName::Named("shop".to_owned()) }],
            boss: Some(TemplateName::Named("boss".to_owned())),
        }
    }
}

impl CurveField {
    /// Its name in a configuration.
    pub fn name(self) -> &'static str {
        match self.budget() {
            Some(budget) => budget.field(),
            None if self == CurveField::WallDensity => "wallDensity",
            None => "minPathLength",
        }
    }

    /// The budget that the curve changes: all fields are one but the first and the last.
    fn budget(self) -> Option<Budget> {
        use Budget::*;
        let budgets = [Enemy, Chest, Item, Relic, Npc, Trap, Door, Water];
        budgets.get((self as usize).wrapping_sub(1)).copied()
    }

    /// The whole number that the curve changes; the density is none.
    pub(super) fn whole(self, config: &mut FloorConfig) -> Option<&mut Option<i64>> {
        match self.budget() {
            Some(budget) => Some(config.budget_mut(budget)),
            None if self == CurveField::WallDensity => None,
            None => Some(&mut config.min_path_length),
        }
    }
}

impl Amount {
    const ONE: i64 = Density::WHOLE as i64;
    /// Larger amounts are refused.
    const MAX: i64 = 1_000_000;

    /// A whole number.
    pub const fn whole(number: i64) -> Amount {
        Amount(number.saturating_mul(Amount::ONE))
    }

    /// The number, if it is whole.
    pub(super) fn to_whole(self) -> Option<i64> {
        (self.0 % Amount::ONE == 0).then_some(self.0 / Amount::ONE)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0 as f64 / Amount::ONE as f64).fmt(f)
    }
}

/// Whole numbers are written without a point, because JavaScript writes them so.
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.to_whole() {
            Some(number) => serializer.serialize_i64(number),
            None => serializer.serialize_f64(self.0 as f64 / Amount::ONE as f64),
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        let number = f64::deserialize(deserializer)?;
        if number.abs() <= Amount::MAX as f64 {
            return Ok(Amount((number * Amount::ONE as f64).round() as i64));
        }
        Err(de::Error::invalid_value(de::Unexpected::Float(number), &"a number from -1000000 to 1000000"))
    }
}

impl<'de> Deserialize<'de> for TemplateName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TemplateName, D::Error> {
        let short = |short: Short<'_>| match short {
            Short::Text(name) => Some(Ok(TemplateName::Named(name.to_owned()))),
            Short::Number(_) => None,
        };
        let expected = "the name of a template, or a template {id, rows, legend}";
        let own: fn(Template) -> TemplateName = TemplateName::Own;
        shorthand::deserialize(deserializer, expected, short, Some(own))
    }
}
