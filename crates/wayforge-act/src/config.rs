//! What a person types to ask for an act map.

use super::kinds::KindsConfig;
use crate::Spec;
use serde::{Deserialize, Deserializer, Serialize};
use wayforge_core::ConfigError;
use wayforge_core::shorthand::{self, Short};

const DEFAULT_ATTEMPTS: i64 = 20;

/// The configuration of an act map: one variant per ruleset.
///
/// In JSON and TOML it is one flat object whose `ruleset` says which it is; left-out fields take their defaults.
///
/// ```
/// use wayforge_act::{self as act, WalksConfig};
/// let config = act::Config::Walks(WalksConfig { rows: 20, ..WalksConfig::default() });
/// let spec = config.resolve()?;
/// assert_eq!((spec.rows(), spec.cols()), (20, 7));
///
/// let error = act::Config::Walks(WalksConfig { cols: 1, ..WalksConfig::default() }).resolve().unwrap_err();
/// assert_eq!(error.field, "cols");
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ActConfig"))]
#[serde(untagged)]
pub enum Config {
    /// Monotone walks over a grid (`act.walks/1`).
    Walks(WalksConfig),
    /// Rows between one start and one boss (`act.rows/1`).
    Rows(RowsConfig),
    /// The maps of Slay the Spire, bit for bit (`act.spire/1`).
    Spire(SpireConfig),
}

/// The name of the walks ruleset, as it stands in a configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WalksName {
    /// `"walks"`.
    #[default]
    Walks,
}

/// The walks ruleset: several walks climb a grid without crossing, and what no walk uses is pruned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct WalksConfig {
    /// Which ruleset this is.
    pub ruleset: WalksName,
    /// Rows of the grid; row 0 is the bottom.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    pub rows: i64,
    /// Columns of the grid.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub cols: i64,
    /// How many walks climb from row 0 to the top.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1024)))]
    pub walks: i64,
    /// A step goes to one of this many nearest columns of the next row.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub nearest: i64,
    /// Decision-stack depth: how many of its last steps a stuck walk may take back before it starts again.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 4096)))]
    pub depth: i64,
    /// How often one walk may start again; after that it is drawn with look-ahead, which cannot get stuck.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 10_000)))]
    pub restarts: i64,
    /// Cells that no walk may use.
    pub blocked: Vec<Cell>,
    /// Nodes that must be there, with their kind if one is named; the rest is drawn around them.
    pub pins: Vec<Pin>,
    /// Whether a single boss node stands above the top row.
    pub boss: bool,
    /// How nodes get their kinds.
    pub kinds: KindsChoice,
    /// Skeletons drawn before generation fails because the rules about kinds fit none of them.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub attempts: i64,
}

/// The name of the rows ruleset, as it stands in a configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RowsName {
    /// `"rows"`.
    #[default]
    Rows,
}

/// The rows ruleset: between a single start and a single boss, every row holds a bounded number of nodes, and edges
/// lead to the same or a neighbouring column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RowsConfig {
    /// Which ruleset this is.
    pub ruleset: RowsName,
    /// Rows of the grid, start and boss included.
    #[cfg_attr(feature = "schema", schemars(range(min = 2, max = 4096)))]
    pub rows: i64,
    /// Columns of the grid. Start and boss are on the middle one; of two, each is on one of them by lot.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub cols: i64,
    /// The fewest nodes of a row between start and boss, where the cones of both leave room for them.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub min_nodes: i64,
    /// The most nodes of a row between start and boss.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub max_nodes: i64,
    /// How nodes get their kinds.
    pub kinds: KindsChoice,
    /// Skeletons drawn before generation fails because the rules about kinds fit none of them.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub attempts: i64,
}

/// The name of the spire ruleset, as it stands in a configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SpireName {
    /// `"spire"`.
    #[default]
    Spire,
}

/// The spire ruleset: what the game makes of a seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SpireConfig {
    /// Which ruleset this is.
    pub ruleset: SpireName,
    /// The act, 1 to 4.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4)))]
    pub act: i64,
    /// The ascension level, 0 to 20; maps only tell 0 from the others.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 20)))]
    pub ascension: i64,
    /// Whether one elite burns with the emerald flame.
    pub emerald: bool,
}

/// How the nodes of an act map get their kinds: `"standard"`, `"none"`, or an object of one's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KindsChoice {
    /// The set of [`KindsConfig::standard`], scaled to the rows.
    #[default]
    Standard,
    /// No kinds: the skeleton alone.
    None,
    /// Kinds and rules of one's own.
    #[serde(untagged)]
    Own(Box<KindsConfig>),
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

/// A node fixed by the user: it must be there, and be of `kind` if one is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Row, from 0 at the bottom.
    pub row: i64,
    /// Column, from 0 at the left.
    pub col: i64,
    /// The kind it must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

impl Config {
    /// Checks every field and readies the configuration for generation.
    pub fn resolve(&self) -> Result<Spec, ConfigError> {
        Spec::resolve(self)
    }

    /// The nodes fixed by the user.
    pub fn pins(&self) -> &[Pin] {
        match self {
            Config::Walks(config) => &config.pins,
            Config::Rows(_) | Config::Spire(_) => &[],
        }
    }

    /// How nodes get their kinds, if the user decides it.
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
        let long: fn(KindsConfig) -> KindsChoice = |own| KindsChoice::Own(Box::new(own));
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
        let own = generator.subschema_for::<KindsConfig>();
        schemars::json_schema!({
            "description": "How nodes get their kinds: a named set, or kinds and rules of one's own.",
            "anyOf": [{ "enum": ["standard", "none"] }, own]
        })
    }
}
