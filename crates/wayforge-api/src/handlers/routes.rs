//! What the routes of an act map meet.

use crate::handlers::ask::{
    ConfigInput, Given, SeedInput, Whole, not_made, read_object, weigh_document, whole,
};
use crate::handlers::limits::{Limits, check_count};
use crate::handlers::map::generate;
use crate::handlers::problem::{Kind, Problem};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayforge::AnyMap;
use wayforge::act::routes::{Route, RouteReport, Routes, ToldRoute, Wanted};
use wayforge::act::{self, ActMap, KindId, NodePos};
use wayforge::{Document, Family};

/// The most wishes of one request.
const MAX_WANTS: usize = 64;

/// A question about a map: saved, or made from a seed and a configuration.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoutesRequest<'a> {
    #[serde(borrow)]
    #[schemars(schema_with = "act_document")]
    document: Given<&'a RawValue>,
    seed: Given<SeedInput>,
    #[serde(borrow)]
    #[schemars(with = "ConfigInput")]
    config: Given<&'a RawValue>,
    from: Given<Place>,
    #[schemars(length(max = MAX_WANTS))]
    want: Vec<Want>,
    route: Given<Which>,
}

fn act_document(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "$ref": "#/components/schemas/ActDocument" })
}

/// A node.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RoutePlace")]
pub struct Place {
    /// Its row, 0 at the bottom.
    #[serde(deserialize_with = "whole")]
    row: u16,
    /// Its column, 0 at the left.
    #[serde(deserialize_with = "whole")]
    col: u16,
}

/// So many of a kind.
#[derive(Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Want {
    /// The kind.
    kind: String,
    /// At least so many.
    #[serde(default, deserialize_with = "whole")]
    min: u16,
    /// At most so many.
    #[serde(default = "most", deserialize_with = "whole")]
    max: u16,
}

/// Which route is to be described.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Which {
    /// One that meets the least of a kind.
    Least(String),
    /// One that meets the most of a kind.
    Most(String),
    /// The one through these columns, from `from` or from row 0 up.
    Cols(#[schemars(with = "Vec<u16>")] Vec<Whole<u16>>),
}

/// The answers.
#[derive(Serialize, JsonSchema)]
pub struct RoutesAnswer {
    #[serde(flatten)]
    report: RouteReport,
    /// The route that meets all that is wanted; null if none does, or if nothing is wanted.
    wanted: Option<ToldRoute>,
    /// The route that was asked for.
    route: Option<ToldRoute>,
}

fn most() -> u16 {
    u16::MAX
}

/// What the routes of an act map meet, and whether a wanted one is there.
///
/// * **Errors.** What cannot be read, is beyond the limits or has no map; kinds and nodes that are not there.
pub fn routes(body: &[u8], limits: &Limits) -> Result<RoutesAnswer, Problem> {
    let ask: RoutesRequest<'_> = read_object(body)?;
    check_count("want", "entries", ask.want.len(), MAX_WANTS)?;
    let map = find_map(&ask, limits)?;
    let routes = act::routes(&map);
    let from = ask.from.0.map(|place| NodePos { row: place.row, col: place.col });
    if let Some(from) = from.filter(|from| !map.nodes.iter().any(|node| node.pos() == *from)) {
        let detail = format!("from: there is no node {from}; name one of the map's nodes");
        return Err(Problem::new(Kind::Config, detail).field("from").value(from.to_string()));
    }
    let wanted = find_wanted(&ask, &map, &routes, from)?;
    let route = ask.route.0.as_ref().map(|which| find_route(which, &map, &routes, from)).transpose()?;
    Ok(RoutesAnswer {
        report: routes.report(&map, from),
        wanted: wanted.map(|route| routes.told(&route)),
        route: route.flatten().map(|route| routes.told(&route)),
    })
}

/// The map of the document, or the one that seed and configuration make.
fn find_map(ask: &RoutesRequest<'_>, limits: &Limits) -> Result<ActMap, Problem> {
    let Some(document) = ask.document.0 else {
        let (config, _) = ask.config.config(Family::Act, limits)?;
        return match generate(&config, ask.seed.seed()?).map_err(not_made)? {
            AnyMap::Act(map) => Ok(*map),
            _ => Err(Problem::new(Kind::Internal, "an act map was asked for, and something else was made")),
        };
    };
    if ask.seed.0.is_some() || ask.config.0.is_some() {
        let field = if ask.seed.0.is_some() { "seed" } else { "config" };
        let detail = format!("{field}: the document has its own; leave one of them out");
        return Err(Problem::new(Kind::Config, detail)
            .field(field)
            .allowed("a document, or seed and config"));
    }
    let inside = |problem: Problem| problem.inside("document");
    let document = document.get().as_bytes();
    let read = Document::decode(document).map_err(|error| inside(error.into()))?;
    if Family::from_algorithm(&read.algorithm) != Some(Family::Act) {
        let detail = format!("document.algorithm: {} makes no act maps", read.algorithm);
        return Err(Problem::new(Kind::Config, detail).field("document.algorithm").allowed("act.*"));
    }
    weigh_document(&read, limits).map_err(inside)?;
    ActMap::decode(document).map_err(|error| inside(error.into()))
}

fn find_wanted(
    ask: &RoutesRequest<'_>,
    map: &ActMap,
    routes: &Routes,
    from: Option<NodePos>,
) -> Result<Option<Route>, Problem> {
    if ask.want.is_empty() {
        return Ok(None);
    }
    let mut all = Wanted::default();
    for (i, want) in ask.want.iter().enumerate() {
        let kind = find_kind(map, &want.kind, &format!("want[{i}].kind"))?;
        if want.min > want.max {
            let detail = format!("want[{i}].min: {} is more than {}", want.min, want.max);
            return Err(Problem::new(Kind::Config, detail).field(format!("want[{i}].min")));
        }
        all = all.between(kind, want.min, want.max);
    }
    Ok(routes.find(from, &all)?)
}

fn find_route(
    which: &Which,
    map: &ActMap,
    routes: &Routes,
    from: Option<NodePos>,
) -> Result<Option<Route>, Problem> {
    let found = match which {
        Which::Least(kind) => routes.least(find_kind(map, kind, "route.least")?, from),
        Which::Most(kind) => routes.most(find_kind(map, kind, "route.most")?, from),
        Which::Cols(cols) => {
            let cols: Vec<u16> = cols.iter().map(|col| col.0).collect();
            let route = Route { row: from.map_or(0, |from| from.row), cols: cols.clone() };
            if let Some(from) = from.filter(|from| cols.first() != Some(&from.col)) {
                let col = from.col;
                let detail = format!("route.cols: it does not start at {from}; begin with {col}");
                return Err(Problem::new(Kind::Config, detail).field("route.cols").allowed(col.to_string()));
            }
            routes.check(&route)?;
            return Ok(Some(route));
        }
    };
    Ok(found.map(|(_, route)| route))
}

fn find_kind(map: &ActMap, name: &str, field: &str) -> Result<KindId, Problem> {
    map.spec.find_kind(name).ok_or_else(|| {
        let known: Vec<&str> = map.kinds().iter().map(|kind| kind.name.as_str()).collect();
        let known = if known.is_empty() { "the map has no kinds".to_owned() } else { known.join(", ") };
        Problem::new(Kind::Config, format!("{field}: no kind {name:?}; known: {known}"))
            .field(field)
            .value(name)
            .allowed(known)
    })
}
