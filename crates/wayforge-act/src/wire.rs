//! Serialised form of act maps inside documents.

use super::config::Config;
use super::kinds::names;
use super::map::{ActMap, Attempts, Boss, Edge, Node, NodePos, Walks};
use super::{KindId, Spec, read};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use wayforge_core::DecodeError;
use wayforge_core::document::{self, Document};

/// A ruleset: its name in configurations, its algorithm, and the parser of its configurations.
type RulesetEntry = (&'static str, &'static str, fn(&str, &[u8]) -> Result<Config, DecodeError>);

const RULESETS: [RulesetEntry; 3] = [
    ("walks", "act.walks/1", |path, text| {
        read::parse(path, text, read::ROWS_REMEDY).map(Config::Walks)
    }),
    ("rows", "act.rows/1", |path, text| read::parse(path, text, "use 2 to 4096").map(Config::Rows)),
    ("spire", "act.spire/1", |path, text| {
        read::parse(path, text, read::ROWS_REMEDY).map(Config::Spire)
    }),
];

/// The algorithms of act maps, one per ruleset.
pub const ALGORITHMS: [&str; 3] = [RULESETS[0].1, RULESETS[1].1, RULESETS[2].1];

impl Config {
    fn entry(&self) -> RulesetEntry {
        match self {
            Config::Walks(_) => RULESETS[0],
            Config::Rows(_) => RULESETS[1],
            Config::Spire(_) => RULESETS[2],
        }
    }

    /// Returns the name of the ruleset, as in the configuration.
    pub fn ruleset(&self) -> &'static str {
        self.entry().0
    }

    /// Returns the name of the algorithm, which determines the map of every seed.
    pub(super) fn algorithm(&self) -> &'static str {
        self.entry().1
    }
}

/// An act map as JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(
        rename = "ActMap",
        extend("required" = ["rows", "cols", "nodes", "edges", "walks", "boss", "attempts"])
    )
)]
#[serde(deny_unknown_fields)]
pub(super) struct WireMap<'a> {
    rows: u16,
    cols: u16,
    nodes: Vec<WireNode<'a>>,
    edges: Vec<Edge>,
    walks: Vec<Cow<'a, [u16]>>,
    #[serde(deserialize_with = "Option::deserialize")]
    boss: Option<WireBoss<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    emerald: Option<NodePos>,
    attempts: Attempts,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Node", extend("required" = ["row", "col", "kind"]))
)]
#[serde(deny_unknown_fields)]
struct WireNode<'a> {
    row: u16,
    col: u16,
    #[serde(deserialize_with = "Option::deserialize")]
    kind: Option<Cow<'a, str>>,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Boss", extend("required" = ["kind"]))
)]
#[serde(deny_unknown_fields)]
struct WireBoss<'a> {
    #[serde(deserialize_with = "Option::deserialize")]
    kind: Option<Cow<'a, str>>,
}

/// Converts a map to its serialised form.
pub(super) fn to_wire(map: &ActMap) -> WireMap<'_> {
    let name = |kind| map.kind_name(kind).map(Cow::Borrowed);
    WireMap {
        rows: map.spec.rows(),
        cols: map.spec.cols(),
        nodes: map
            .nodes
            .iter()
            .map(|n| WireNode { row: n.row, col: n.col, kind: name(n.kind) })
            .collect(),
        edges: map.edges.clone(),
        walks: map.walks.iter().map(Cow::Borrowed).collect(),
        boss: map.boss.map(|boss| WireBoss { kind: name(boss.kind) }),
        emerald: map.emerald,
        attempts: map.attempts,
    }
}

/// Converts a document to a map.
pub(super) fn from_document(document: &Document) -> Result<ActMap, DecodeError> {
    let ruleset = RULESETS.iter().find(|(_, algorithm, _)| *algorithm == document.algorithm);
    let Some((_, _, parse)) = ruleset else {
        return Err(DecodeError::unknown("algorithm", &document.algorithm, &ALGORITHMS.join(", ")));
    };
    let spec = parse("config", document.config.as_bytes())?.resolve()?;
    let map: WireMap<'static> = read::parse("map", document.map.as_bytes(), read::ROWS_REMEDY)?;
    for (field, actual, expected) in
        [("rows", map.rows, spec.rows()), ("cols", map.cols, spec.cols())]
    {
        if actual != expected {
            let message = format!("{actual} does not match config.{field}, which is {expected}");
            return Err(DecodeError::malformed(format!("map.{field}"), message));
        }
    }
    let nodes = map.nodes.iter().enumerate().map(|(i, node)| {
        let kind = read_kind(&spec, &node.kind, || format!("map.nodes[{i}].kind"))?;
        Ok(Node { row: node.row, col: node.col, kind })
    });
    let nodes = nodes.collect::<Result<Vec<Node>, DecodeError>>()?;
    let boss =
        map.boss.as_ref().map(|boss| read_kind(&spec, &boss.kind, || "map.boss.kind".into()));
    let boss = boss.transpose()?.map(|kind| Boss { kind });
    Ok(ActMap {
        seed: document.seed.clone(),
        nodes,
        edges: map.edges,
        walks: map.walks.iter().map(|walk| walk.iter().copied()).collect::<Walks>(),
        boss,
        emerald: map.emerald,
        attempts: map.attempts,
        spec,
    })
}

impl Config {
    /// Parses a configuration from JSON.
    ///
    /// # Errors
    /// A field is malformed. The error names the field and its allowed values.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act as act;
    /// let config = act::Config::from_json(br#"{"ruleset": "walks", "rows": 9}"#)?;
    /// assert_eq!(config.resolve()?.rows(), 9);
    /// let error = act::Config::from_json(br#"{"rows": "nine"}"#).unwrap_err();
    /// let expected = r#"rows: "nine" is not a whole number (use 1 to 4096)"#;
    /// assert!(error.to_string().starts_with(expected));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(text: &[u8]) -> Result<Config, DecodeError> {
        #[derive(Deserialize)]
        struct Named {
            #[serde(default)]
            ruleset: Option<String>,
        }
        let named: Named =
            document::parse_object(text).map_err(|error| read::reword(error, read::ROWS_REMEDY))?;
        let name = named.ruleset.as_deref().unwrap_or("walks");
        match RULESETS.iter().find(|ruleset| ruleset.0 == name) {
            Some((_, _, parse)) => parse("", text),
            None => {
                let known = RULESETS.map(|ruleset| ruleset.0).join(", ");
                Err(DecodeError::unknown("ruleset", name, &known))
            }
        }
    }
}

/// Finds the kind that a node or boss of a document names.
fn read_kind(
    spec: &Spec,
    name: &Option<Cow<'_, str>>,
    path: impl Fn() -> String,
) -> Result<Option<KindId>, DecodeError> {
    let Some(name) = name else { return Ok(None) };
    spec.find_kind(name).map(Some).ok_or_else(|| {
        let message = match spec.kinds() {
            [] => format!("\"{name}\" is not a kind: the configuration has no kinds"),
            kinds => format!("\"{name}\" is not a kind of config.kinds; known: {}", names(kinds)),
        };
        DecodeError::malformed(path(), message)
    })
}

/// Returns the JSON Schema of documents of act maps.
#[cfg(feature = "schema")]
pub fn document_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge act map", deny_unknown_fields)]
    #[allow(dead_code)] // Only its schema is read.
    struct ActDocument {
        /// Name and version of the document format.
        #[schemars(extend("const" = "wayforge/1"))]
        format: String,
        /// The algorithm that generated the map.
        #[schemars(extend("enum" = ALGORITHMS))]
        algorithm: String,
        seed: wayforge_core::Seed,
        config: Config,
        map: WireMap<'static>,
        digest: wayforge_core::Digest,
    }
    schemars::schema_for!(ActDocument)
}
