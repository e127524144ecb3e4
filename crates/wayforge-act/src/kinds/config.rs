//! Configuration of kinds, and the standard set.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Kinds of nodes and the rules about them.
///
/// Negative row numbers count from the top, as in Python: -1 is the top row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KindsConfig {
    /// The kinds, at most 32.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 32)))]
    pub kinds: Vec<KindConfig>,
    /// Ranges of rows with their own weights.
    #[serde(default)]
    pub bands: Vec<BandConfig>,
    /// Rows whose nodes are all of one kind. They override weights, `earliest`, `latest` and
    /// `siblings_differ`.
    #[serde(default)]
    pub fixed: Vec<FixedRow>,
    /// The kind of the boss node above the top row, if the map has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boss: Option<String>,
    /// Maximum number of conflicts before the complete search leaves a skeleton undecided. The
    /// default decides every rule set in the tests on maps of up to 15 x 7 nodes; see
    /// `docs/rules.md`.
    #[serde(default = "default_search_limit")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 10_000_000)))]
    pub search_limit: i64,
}

/// One kind and the rules about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KindConfig {
    /// Name: a lower-case letter, then lower-case letters, digits, `_` or `-`; at most 32
    /// characters.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[a-z][a-z0-9_-]{0,31}$")))]
    pub name: String,
    /// Symbol in ASCII pictures; derived from the name by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<char>,
    /// Icon in SVG and PNG pictures; derived from the name by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<Icon>,
    /// Relative probability. Kinds of weight 0 occur only on fixed rows and pins.
    #[serde(default = "default_weight")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1_000_000)))]
    pub weight: i64,
    /// Lowest row with this kind, except fixed rows and pins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earliest: Option<i64>,
    /// Highest row with this kind, except fixed rows and pins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest: Option<i64>,
    /// If true, no edge joins two nodes of this kind.
    #[serde(default)]
    pub no_repeat: bool,
    /// If true, no node leads to two nodes of this kind, except on fixed rows.
    #[serde(default)]
    pub siblings_differ: bool,
    /// Number of nodes of this kind on the map, not counting the boss.
    #[serde(default, skip_serializing_if = "Count::is_unbounded")]
    pub map: Count,
    /// Number of nodes of this kind on every route from row 0 to the top, not counting the
    /// boss.
    #[serde(default, skip_serializing_if = "Count::is_unbounded")]
    pub route: Count,
}

/// Optional minimum and maximum of a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// Minimum, inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// Maximum, inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
}

/// A range of rows with other weights for some kinds. Bands must not overlap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BandConfig {
    /// The first row.
    pub from: i64,
    /// The last row, inclusive.
    pub to: i64,
    /// Weights of kinds on these rows. Kinds not listed have their usual weight.
    pub weights: BTreeMap<String, i64>,
}

/// A row whose nodes are all of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FixedRow {
    /// The row.
    pub row: i64,
    /// The kind of all its nodes.
    pub kind: String,
}

/// Icon of a kind in pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Icon {
    /// Two crossed swords.
    Swords,
    /// A horned skull.
    Skull,
    /// A question mark.
    Question,
    /// A bag of coins.
    Bag,
    /// A camp fire.
    Fire,
    /// A chest.
    Chest,
    /// A crown.
    Crown,
    /// A five-pointed star.
    Star,
    /// A diamond.
    Diamond,
    /// A flask.
    Flask,
    /// A key.
    Key,
    /// A shield.
    Shield,
}

impl KindsConfig {
    /// Returns the standard kinds for a map of `rows` rows.
    ///
    /// These are monster, elite, event, shop, rest, treasure and boss, in the usual proportions of
    /// the genre. They never conflict: `monster` has no rules, and no kind has a minimum.
    pub fn standard(rows: i64) -> KindsConfig {
        let third = rows / 3;
        let plain = |name: &str, weight| KindConfig { weight, ..KindConfig::new(name) };
        let spread = |name: &str, weight| KindConfig {
            no_repeat: true,
            siblings_differ: true,
            ..plain(name, weight)
        };
        let kinds = vec![
            plain("monster", 40),
            KindConfig {
                earliest: Some(third),
                route: Count { min: None, max: Some(4) },
                ..spread("elite", 14)
            },
            KindConfig { siblings_differ: true, ..plain("event", 26) },
            spread("shop", 7),
            KindConfig {
                earliest: Some(third),
                latest: Some((rows - 3).max(third)),
                ..spread("rest", 13)
            },
            plain("treasure", 0),
            plain("boss", 0),
        ];
        let fixed = [(0, 0, "monster"), (7, rows * 8 / 15, "treasure"), (3, rows - 1, "rest")];
        KindsConfig {
            kinds,
            bands: Vec::new(),
            fixed: fixed_rows(rows, &fixed),
            boss: Some("boss".into()),
            search_limit: default_search_limit(),
        }
    }

    /// Returns the standard kinds of the rows ruleset.
    ///
    /// The first row is the start, the last row the boss, and the row before it a rest.
    pub fn standard_rows(rows: i64) -> KindsConfig {
        let mut config = KindsConfig::standard(rows);
        config.kinds.push(KindConfig {
            weight: 0,
            icon: Some(Icon::Star),
            ..KindConfig::new("start")
        });
        for kind in &mut config.kinds {
            kind.latest = kind.latest.map(|latest| (latest - 1).max(kind.earliest.unwrap_or(0)));
        }
        let fixed = [
            (0, 0, "start"),
            (8, rows * 8 / 15, "treasure"),
            (5, rows - 2, "rest"),
            (0, rows - 1, "boss"),
        ];
        config.fixed = fixed_rows(rows, &fixed);
        config.boss = None;
        config
    }
}

impl KindConfig {
    /// Creates a kind of weight 1 without rules.
    pub fn new(name: impl Into<String>) -> KindConfig {
        KindConfig {
            name: name.into(),
            symbol: None,
            icon: None,
            weight: default_weight(),
            earliest: None,
            latest: None,
            no_repeat: false,
            siblings_differ: false,
            map: Count::default(),
            route: Count::default(),
        }
    }
}

/// Selects the fixed rows of a map of `rows` rows.
///
/// Each entry is the minimum number of rows of the map, the row, and its kind.
fn fixed_rows(rows: i64, fixed: &[(i64, i64, &str)]) -> Vec<FixedRow> {
    let fixed = fixed.iter().filter(|&&(min_rows, ..)| rows >= min_rows);
    fixed.map(|&(_, row, kind)| FixedRow { row, kind: kind.into() }).collect()
}

impl Count {
    fn is_unbounded(&self) -> bool {
        *self == Count::default()
    }
}

fn default_weight() -> i64 {
    1
}

fn default_search_limit() -> i64 {
    100_000
}
