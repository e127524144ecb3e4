//! What a person types about kinds, and the standard set.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Kinds and the rules for giving them to nodes.
///
/// Rows may be counted from the top with negative numbers: -1 is the top row, as in Python.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KindsConfig {
    /// The kinds, at most 32.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 32)))]
    pub kinds: Vec<KindConfig>,
    /// Ranges of rows with weights of their own.
    #[serde(default)]
    pub bands: Vec<BandConfig>,
    /// Rows whose nodes are all of one kind. They stand above weights, `earliest`, `latest` and `siblings_differ`.
    #[serde(default)]
    pub fixed: Vec<FixedRow>,
    /// The kind of the boss node above the top row, if the map has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boss: Option<String>,
    /// Conflicts after which the complete search leaves a skeleton undecided. The default decides
    /// every rule set of the tests on maps of up to 15 x 7 nodes. That is tested, not proved; see `docs/rules.md`.
    #[serde(default = "default_search_limit")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 10_000_000)))]
    pub search_limit: i64,
}

/// One kind and the rules about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KindConfig {
    /// Its name: a small letter, then small letters, digits, `_` or `-`; at most 32.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[a-z][a-z0-9_-]{0,31}$")))]
    pub name: String,
    /// The character that stands for it in ASCII pictures; chosen from the name if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<char>,
    /// The icon that stands for it in drawn pictures; chosen from the name if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<Icon>,
    /// How likely it is, against the other kinds' weights; 0 is never drawn (only fixed rows and pins place it).
    #[serde(default = "one")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1_000_000)))]
    pub weight: i64,
    /// The lowest row on which it may be drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earliest: Option<i64>,
    /// The highest row on which it may be drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest: Option<i64>,
    /// True: no edge joins two nodes of this kind.
    #[serde(default)]
    pub no_repeat: bool,
    /// True: no node leads to two nodes of this kind (on rows that are not fixed).
    #[serde(default)]
    pub siblings_differ: bool,
    /// How many the whole map holds (the boss aside).
    #[serde(default, skip_serializing_if = "Count::is_free")]
    pub map: Count,
    /// How many every single route from row 0 to the top passes (the boss aside).
    #[serde(default, skip_serializing_if = "Count::is_free")]
    pub route: Count,
}

/// A least and a most number; either may be left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// At least this many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// At most this many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
}

/// A range of rows on which some kinds have other weights; kinds not named keep their own. Bands may not overlap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BandConfig {
    /// The first row.
    pub from: i64,
    /// The last row, included.
    pub to: i64,
    /// The weights of kinds on these rows.
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

/// The icons that pictures can draw for a kind.
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
    /// The standard set for a map of `rows` rows: monster, elite, event, shop, rest, treasure and boss, with the
    /// proportions that players of the genre know.
    ///
    /// Only `monster` is without rules, and no rule asks for a least number, so this set can never contradict itself.
    pub fn standard(rows: i64) -> KindsConfig {
        let third = rows / 3;
        let calm = |name: &str, weight| KindConfig { weight, ..KindConfig::new(name) };
        let apart =
            |name: &str, weight| KindConfig { no_repeat: true, siblings_differ: true, ..calm(name, weight) };
        let kinds = vec![
            calm("monster", 40),
            KindConfig {
                earliest: Some(third),
                route: Count { min: None, max: Some(4) },
                ..apart("elite", 14)
            },
            KindConfig { siblings_differ: true, ..calm("event", 26) },
            apart("shop", 7),
            KindConfig { earliest: Some(third), latest: Some((rows - 3).max(third)), ..apart("rest", 13) },
            calm("treasure", 0),
            calm("boss", 0),
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

    /// The standard set of the rows ruleset: the first row is the start, the last one the boss, and the party rests
    /// before it.
    pub fn standard_rows(rows: i64) -> KindsConfig {
        let mut config = KindsConfig::standard(rows);
        config.kinds.push(KindConfig { weight: 0, icon: Some(Icon::Star), ..KindConfig::new("start") });
        for kind in &mut config.kinds {
            kind.latest = kind.latest.map(|latest| (latest - 1).max(kind.earliest.unwrap_or(0)));
        }
        let fixed =
            [(0, 0, "start"), (8, rows * 8 / 15, "treasure"), (5, rows - 2, "rest"), (0, rows - 1, "boss")];
        config.fixed = fixed_rows(rows, &fixed);
        config.boss = None;
        config
    }
}

impl KindConfig {
    /// A kind of weight 1 without rules.
    pub fn new(name: impl Into<String>) -> KindConfig {
        KindConfig {
            name: name.into(),
            symbol: None,
            icon: None,
            weight: one(),
            earliest: None,
            latest: None,
            no_repeat: false,
            siblings_differ: false,
            map: Count::default(),
            route: Count::default(),
        }
    }
}

/// Fixed rows of a map of `rows` rows, each given with the number of rows from which on it is fixed.
fn fixed_rows(rows: i64, fixed: &[(i64, i64, &str)]) -> Vec<FixedRow> {
    let fixed = fixed.iter().filter(|&&(least, ..)| rows >= least);
    fixed.map(|&(_, row, kind)| FixedRow { row, kind: kind.into() }).collect()
}

impl Count {
    fn is_free(&self) -> bool {
        *self == Count::default()
    }
}

fn one() -> i64 {
    1
}

fn default_search_limit() -> i64 {
    100_000
}
