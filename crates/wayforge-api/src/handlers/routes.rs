//! Route analysis of act maps.

use crate::handlers::limits::{Limits, check_limit};
use crate::handlers::map::generate;
use crate::handlers::problem::{Problem, ProblemKind};
use crate::handlers::request::{
    ConfigInput, OptionalField, SeedInput, check_document_cost, generation_problem, read_object,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayforge::AnyMap;
use wayforge::act::routes::{Route, RouteDescription, RouteQuery, RouteReport, Routes};
use wayforge::act::{self, ActMap, KindId, NodePos};
use wayforge::{Document, Family, InputError};

/// Maximum number of conditions in `query`.
const MAX_CONDITIONS: usize = 64;

/// Route query on a saved act map, or on one generated from seed and configuration.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoutesRequest<'a> {
    /// Saved act map; excludes `seed` and `config`.
    #[serde(borrow)]
    #[schemars(schema_with = "act_document")]
    document: OptionalField<&'a RawValue>,
    /// Seed; random if omitted.
    seed: OptionalField<SeedInput>,
    /// Configuration; all defaults if omitted.
    #[serde(borrow)]
    #[schemars(with = "ConfigInput")]
    config: OptionalField<&'a RawValue>,
    /// Node where the routes start; all starts of the map if omitted.
    from: OptionalField<NodeInput>,
    /// Conditions on the route to return in `match`; all of them must be satisfied.
    #[schemars(length(max = MAX_CONDITIONS))]
    query: Vec<KindRange>,
    /// Route to describe in `route`.
    route: OptionalField<RouteSelector>,
}

fn act_document(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "$ref": "#/components/schemas/ActDocument" })
}

/// Position of a node.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NodePosition")]
pub struct NodeInput {
    /// Row, 0 at the bottom.
    row: u16,
    /// Column, 0 at the left.
    col: u16,
}

/// Allowed number of nodes of a kind on a route.
#[derive(Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KindRange {
    /// Name of the kind.
    kind: String,
    /// Minimum number of nodes.
    #[serde(default)]
    min: u16,
    /// Maximum number of nodes.
    #[serde(default = "unlimited")]
    max: u16,
}

/// Route to describe.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum RouteSelector {
    /// A route with the minimum number of nodes of this kind.
    Min(String),
    /// A route with the maximum number of nodes of this kind.
    Max(String),
    /// The route through these columns, one per row upward from `from` or from row 0.
    Cols(Vec<u16>),
}

/// Result of a route query.
#[derive(Serialize, JsonSchema)]
pub struct RoutesResponse {
    #[serde(flatten)]
    report: RouteReport,
    /// A route that satisfies `query`; null if none exists or `query` is empty.
    #[serde(rename = "match")]
    matching: Option<RouteDescription>,
    /// The route that `route` selects; null if none exists or `route` is omitted.
    route: Option<RouteDescription>,
}

fn unlimited() -> u16 {
    u16::MAX
}

/// Analyses the routes of an act map and finds a route that satisfies `query`.
///
/// # Errors
/// If the request is invalid or exceeds the limits, the seed has no map, or a kind or node does
/// not exist.
pub fn routes(body: &[u8], limits: &Limits) -> Result<RoutesResponse, Problem> {
    let request: RoutesRequest<'_> = read_object(body)?;
    check_limit("query", "conditions", request.query.len(), MAX_CONDITIONS)?;
    let map = load_map(&request, limits)?;
    let routes = act::routes(&map);
    let from = request.from.0.map(|node| NodePos { row: node.row, col: node.col });
    if let Some(from) = from.filter(|from| !map.nodes.iter().any(|node| node.pos() == *from)) {
        let remedy = "use one of its nodes";
        return Err(InputError::new("from", from, "not a node of the map", remedy).into());
    }
    let matching = find_match(&request, &map, &routes, from)?;
    let selector = request.route.0.as_ref();
    let route = selector.map(|selector| find_route(selector, &map, &routes, from)).transpose()?;
    Ok(RoutesResponse {
        report: routes.report(&map, from),
        matching: matching.map(|route| routes.describe(&route)),
        route: route.flatten().map(|route| routes.describe(&route)),
    })
}

/// Decodes the map of the document, or generates it from seed and configuration.
fn load_map(request: &RoutesRequest<'_>, limits: &Limits) -> Result<ActMap, Problem> {
    let Some(document) = request.document.0 else {
        let (config, _) = request.config.config(Family::Act, limits)?;
        let map = generate(&config, request.seed.seed()?, limits).map_err(generation_problem)?;
        return match map {
            AnyMap::Act(map) => Ok(*map),
            _ => {
                Err(Problem::new(ProblemKind::InternalError, "the generated map is not an act map"))
            }
        };
    };
    if request.seed.0.is_some() || request.config.0.is_some() {
        let field = if request.seed.0.is_some() { "seed" } else { "config" };
        let detail = format!("{field}: cannot be combined with document; leave one of them out");
        return Err(Problem::new(ProblemKind::InvalidConfig, detail)
            .field(field)
            .allowed("a document, or seed and config"));
    }
    let in_document = |problem: Problem| problem.in_member("document");
    let document = document.get().as_bytes();
    let decoded = Document::decode(document).map_err(|error| in_document(error.into()))?;
    if Family::from_algorithm(&decoded.algorithm) != Some(Family::Act) {
        let (field, problem) = ("document.algorithm", "does not generate act maps");
        return Err(InputError::new(field, decoded.algorithm, problem, "use act.*").into());
    }
    check_document_cost(&decoded, limits).map_err(in_document)?;
    ActMap::decode(document).map_err(|error| in_document(error.into()))
}

/// Finds a route that satisfies every condition of the query; `None` without conditions.
fn find_match(
    request: &RoutesRequest<'_>,
    map: &ActMap,
    routes: &Routes,
    from: Option<NodePos>,
) -> Result<Option<Route>, Problem> {
    if request.query.is_empty() {
        return Ok(None);
    }
    let mut query = RouteQuery::default();
    for (i, condition) in request.query.iter().enumerate() {
        let kind = find_kind(map, &condition.kind, &format!("query[{i}].kind"))?;
        let (min, max) = (condition.min, condition.max);
        if min > max {
            let (field, remedy) = (format!("query[{i}].min"), format!("use at most {max}"));
            return Err(InputError::new(field, min, "larger than max", remedy).into());
        }
        query = query.between(kind, min, max);
    }
    Ok(routes.find(from, &query)?)
}

/// Finds the route that a selector describes.
fn find_route(
    selector: &RouteSelector,
    map: &ActMap,
    routes: &Routes,
    from: Option<NodePos>,
) -> Result<Option<Route>, Problem> {
    let found = match selector {
        RouteSelector::Min(kind) => routes.min_count(find_kind(map, kind, "route.min")?, from),
        RouteSelector::Max(kind) => routes.max_count(find_kind(map, kind, "route.max")?, from),
        RouteSelector::Cols(cols) => {
            let route = Route { row: from.map_or(0, |from| from.row), cols: cols.clone() };
            if let Some(from) = from.filter(|from| cols.first() != Some(&from.col)) {
                let problem = format!("does not start at {from}");
                let (given, remedy) = (format!("{cols:?}"), format!("start with {}", from.col));
                return Err(InputError::new("route.cols", given, problem, remedy).into());
            }
            routes.check(&route)?;
            return Ok(Some(route));
        }
    };
    Ok(found.map(|(_, route)| route))
}

/// Returns the id of a kind; `field` names the request member in the error.
fn find_kind(map: &ActMap, name: &str, field: &str) -> Result<KindId, Problem> {
    map.spec.find_kind(name).ok_or_else(|| {
        let known: Vec<&str> = map.kinds().iter().map(|kind| kind.name.as_str()).collect();
        let remedy = match known.as_slice() {
            [] => "the map has no kinds".to_owned(),
            known => format!("use {}", known.join(", ")),
        };
        InputError::new(field, name, "unknown kind", remedy).into()
    })
}
