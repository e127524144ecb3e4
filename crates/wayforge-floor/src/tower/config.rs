//! Configuration of towers.

use crate::config::{Budget, Config as FloorConfig, Density};
use crate::template::Template;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use wayforge_core::DecodeError;
use wayforge_core::document;
use wayforge_core::shorthand::{self, Short};

/// Configuration of a tower: its first floor, curves that change later floors, and template floors.
///
/// # Examples
/// ```
/// use wayforge_floor::tower::{self, Amount, Curve, CurveField};
/// let more_enemies = Curve {
///     field: CurveField::EnemyBudget,
///     every: 2,
///     by: Amount(10_000),
///     to: Amount(50_000),
/// };
/// let curves = vec![more_enemies];
/// let config = tower::Config { floors: 7, curves, ..tower::Config::default() };
/// assert_eq!(config.resolve()?.floors(), 7);
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TowerConfig"))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Config {
    /// Number of floors, 1 to 1000.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub floors: i64,
    /// The first floor; curves change it for later floors. Its entrance is the entrance of the
    /// tower.
    pub floor: FloorConfig,
    /// How fields change from floor to floor.
    pub curves: Vec<Curve>,
    /// Template floors. If several apply to one floor, the first one is used.
    pub templates: Vec<TemplateFloor>,
    /// Template of the last floor; `null` for a floor like the others.
    pub boss: Option<TemplateRef>,
}

/// Change of one field: floor `n`, counted from 0, gets `n / every` steps of `by`, limited by `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// The field.
    pub field: CurveField,
    /// Number of floors per step.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub every: i64,
    /// Amount added per step; may be negative.
    pub by: Amount,
    /// Limit of the field.
    pub to: Amount,
}

/// Fields that a curve can change.
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

/// A number with up to four decimal places, in units of 1/10000, so that no result depends on
/// floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(pub i64);

/// A template on every `every`th floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TemplateFloor {
    /// Interval: 5 means the 5th, 10th, 15th floor.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub every: i64,
    /// The template.
    pub template: TemplateRef,
}

/// A template by name, or a custom one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum TemplateRef {
    /// Name of an embedded template.
    Named(String),
    /// A custom template.
    Inline(Template),
}

impl Config {
    /// Parses a configuration from JSON.
    ///
    /// # Errors
    /// [`DecodeError`] with the path of the first invalid field.
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
            templates: vec![TemplateFloor {
                every: 5,
                template: TemplateRef::Named("shop".to_owned()),
            }],
            boss: Some(TemplateRef::Named("boss".to_owned())),
        }
    }
}

impl CurveField {
    /// Returns the name in configurations.
    pub fn name(self) -> &'static str {
        match self.budget() {
            Some(budget) => budget.field(),
            None if self == CurveField::WallDensity => "wallDensity",
            None => "minPathLength",
        }
    }

    /// Returns the budget that the curve changes. All fields except the first and the last are
    /// budgets.
    fn budget(self) -> Option<Budget> {
        use Budget::*;
        let budgets = [Enemy, Chest, Item, Relic, Npc, Trap, Door, Water];
        budgets.get((self as usize).wrapping_sub(1)).copied()
    }

    /// Returns the integer field that the curve changes; `None` for the density.
    pub(super) fn integer_field(self, config: &mut FloorConfig) -> Option<&mut Option<i64>> {
        match self.budget() {
            Some(budget) => Some(config.budget_mut(budget)),
            None if self == CurveField::WallDensity => None,
            None => Some(&mut config.min_path_length),
        }
    }
}

impl Amount {
    const ONE: i64 = Density::SCALE as i64;
    /// Largest absolute value.
    const MAX: i64 = 1_000_000;

    /// Returns the amount if it is an integer.
    pub(super) fn to_integer(self) -> Option<i64> {
        (self.0 % Amount::ONE == 0).then_some(self.0 / Amount::ONE)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0 as f64 / Amount::ONE as f64).fmt(f)
    }
}

/// Writes integers without a decimal point, as JavaScript does.
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.to_integer() {
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
        let max = Amount::MAX;
        Err(de::Error::custom(format!("{number}: out of range; use -{max} to {max}")))
    }
}

impl<'de> Deserialize<'de> for TemplateRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TemplateRef, D::Error> {
        let short = |short: Short<'_>| match short {
            Short::Text(name) => Some(Ok(TemplateRef::Named(name.to_owned()))),
            Short::Number(_) => None,
        };
        let expected = "the name of a template, or a template {id, rows, legend}";
        let inline: fn(Template) -> TemplateRef = TemplateRef::Inline;
        shorthand::deserialize(deserializer, expected, short, Some(inline))
    }
}
