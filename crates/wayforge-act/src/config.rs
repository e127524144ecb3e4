//! Configuration of act maps, as written in JSON and TOML.

use super::kinds::KindsConfig;
use serde::{Deserialize, Deserializer, Serialize};
use wayforge_core::shorthand::{self, Short};

const DEFAULT_ATTEMPTS: i64 = 20;

/// Configuration of an act map: one variant per ruleset.
///
/// In JSON and TOML it is one flat object. `ruleset` selects the variant, and missing fields have
/// default values.
///
/// # Examples
/// ```
/// use wayforge_act::{self as act, WalksConfig};
/// let config = act::Config::Walks(WalksConfig { rows: 20, ..WalksConfig::default() });
/// let spec = config.resolve()?;
/// assert_eq!((spec.rows(), spec.cols()), (20, 7));
///
/// let config = act::Config::Walks(WalksConfig { cols: 1, ..WalksConfig::default() });
/// assert_eq!(config.resolve().unwrap_err().field, "cols");
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ActConfig"))]
#[serde(untagged)]
// Exhaustive: options and load limits differ by ruleset.
pub enum Config {
    /// Monotone walks over a grid (`act.walks/1`).
    Walks(WalksConfig),
    /// Rows between one start and one boss (`act.rows/1`).
    Rows(RowsConfig),
    /// The maps of Slay the Spire, bit for bit (`act.spire/1`).
    Spire(SpireConfig),
}

/// Value of `ruleset` for the walks ruleset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WalksName {
    /// `"walks"`.
    #[default]
    Walks,
}

/// The walks ruleset: the union of several walks that climb a grid without crossing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct WalksConfig {
    /// The ruleset.
    pub ruleset: WalksName,
    /// Number of rows of the grid. Row 0 is the bottom row.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    pub rows: i64,
    /// Number of columns of the grid.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub cols: i64,
    /// Number of walks from row 0 to the top.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1024)))]
    pub walks: i64,
    /// Number of nearest columns of the next row that a step may go to.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub nearest: i64,
    /// Backtracking depth: maximum number of steps that a stuck walk undoes before it restarts.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 4096)))]
    pub depth: i64,
    /// Maximum number of restarts of one walk. After that it uses look-ahead and cannot get stuck.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 10_000)))]
    pub restarts: i64,
    /// Cells that no walk may use.
    pub blocked: Vec<Cell>,
    /// Nodes that the map must contain, optionally with their kind.
    pub pins: Vec<Pin>,
    /// Whether there is a single boss node above the top row.
    pub boss: bool,
    /// The kinds of nodes and the rules about them.
    pub kinds: KindsChoice,
    /// Maximum number of skeletons to try. Generation fails if none of them gets valid kinds.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub attempts: i64,
}

/// Value of `ruleset` for the rows ruleset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RowsName {
    /// `"rows"`.
    #[default]
    Rows,
}

/// The rows ruleset: rows with a bounded number of nodes between a single start and a single boss.
///
/// Edges lead to the same or a neighbouring column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RowsConfig {
    /// The ruleset.
    pub ruleset: RowsName,
    /// Number of rows of the grid, including start and boss.
    #[cfg_attr(feature = "schema", schemars(range(min = 2, max = 4096)))]
    pub rows: i64,
    /// Number of columns of the grid. Start and boss are in the middle column, or randomly in one
    /// of the two middle columns.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub cols: i64,
    /// Minimum number of nodes on a row between start and boss. Rows close to either may have
    /// fewer, because edges reach only neighbouring columns.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub min_nodes: i64,
    /// Maximum number of nodes on a row between start and boss.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub max_nodes: i64,
    /// The kinds of nodes and the rules about them.
    pub kinds: KindsChoice,
    /// Maximum number of skeletons to try. Generation fails if none of them gets valid kinds.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub attempts: i64,
}

/// Value of `ruleset` for the spire ruleset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SpireName {
    /// `"spire"`.
    #[default]
    Spire,
}

/// The spire ruleset: reproduces the maps of Slay the Spire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SpireConfig {
    /// The ruleset.
    pub ruleset: SpireName,
    /// The act, 1 to 4.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4)))]
    pub act: i64,
    /// The ascension level, 0 to 20. All levels from 1 up give the same map.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 20)))]
    pub ascension: i64,
    /// Whether one elite is the burning elite, which drops the emerald key.
    pub emerald: bool,
}

/// Kinds of an act map: `"standard"`, `"none"`, or an object with custom kinds and rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KindsChoice {
    /// The kinds of [`KindsConfig::standard`], scaled to the number of rows.
    #[default]
    Standard,
    /// No kinds, only the skeleton.
    None,
    /// Custom kinds and rules.
    #[serde(untagged)]
    Custom(Box<KindsConfig>),
}

/// One cell of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Row, from 0 at the bottom.
    pub row: i64,
    /// Column, from 0 at the left.
    pub col: i64,
}

/// A node that the map must contain, with its kind if `kind` is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Row, from 0 at the bottom.
    pub row: i64,
    /// Column, from 0 at the left.
    pub col: i64,
    /// The kind of the node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

impl Config {
    /// Returns the pinned nodes.
    pub fn pins(&self) -> &[Pin] {
        match self {
            Config::Walks(config) => &config.pins,
            Config::Rows(_) | Config::Spire(_) => &[],
        }
    }

    /// Returns the `kinds` setting; `None` for the spire ruleset, which has fixed kinds.
    pub fn kinds(&self) -> Option<&KindsChoice> {
        match self {
            Config::Walks(config) => Some(&config.kinds),
            Config::Rows(config) => Some(&config.kinds),
            Config::Spire(_) => None,
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config::Walks(WalksConfig::default())
    }
}

impl Default for WalksConfig {
    fn default() -> WalksConfig {
        WalksConfig {
            ruleset: WalksName::Walks,
            rows: 15,
            cols: 7,
            walks: 6,
            nearest: 3,
            depth: 6,
            restarts: 10,
            blocked: Vec::new(),
            pins: Vec::new(),
            boss: true,
            kinds: KindsChoice::Standard,
            attempts: DEFAULT_ATTEMPTS,
        }
    }
}

impl Default for RowsConfig {
    fn default() -> RowsConfig {
        RowsConfig {
            ruleset: RowsName::Rows,
            rows: 15,
            cols: 7,
            min_nodes: 2,
            max_nodes: 5,
            kinds: KindsChoice::Standard,
            attempts: DEFAULT_ATTEMPTS,
        }
    }
}

impl Default for SpireConfig {
    fn default() -> SpireConfig {
        SpireConfig { ruleset: SpireName::Spire, act: 1, ascension: 0, emerald: false }
    }
}

impl<'de> Deserialize<'de> for KindsChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KindsChoice, D::Error> {
        let short = |short: Short<'_>| match short {
            Short::Text("standard") => Some(Ok(KindsChoice::Standard)),
            Short::Text("none") => Some(Ok(KindsChoice::None)),
            _ => None,
        };
        let long: fn(KindsConfig) -> KindsChoice = |config| KindsChoice::Custom(Box::new(config));
        let expected = "\"standard\", \"none\" or an object with kinds";
        shorthand::deserialize(deserializer, expected, short, Some(long))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for KindsChoice {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "KindsChoice".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let custom = generator.subschema_for::<KindsConfig>();
        schemars::json_schema!({
            "description": "Kinds of the nodes: a named set, or custom kinds and rules.",
            "anyOf": [{ "enum": ["standard", "none"] }, custom]
        })
    }
}
