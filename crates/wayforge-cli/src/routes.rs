//! `wayforge routes`: analyses the routes of saved act maps.

use crate::documents::DocumentFile;
use crate::failure::{Context, Failure, reject};
use crate::format::{FormatArg, REPORTS};
use crate::number::col_row;
use crate::output;
use crate::picture::DrawArgs;
use clap::Args;
use std::path::PathBuf;
use wayforge::act::routes::{Route, RouteQuery, Routes};
use wayforge::act::{self, ActMap, KindId, NodePos};
use wayforge::metric::{ActMeter, Measure, MetricValue};
use wayforge_draw::{NodeState, Scene};

mod report;

/// Options of `wayforge routes`.
#[derive(Args)]
pub(crate) struct RoutesArgs {
    /// Act maps as JSON or JSON lines; - for standard input
    file: PathBuf,
    /// Analyse the routes from this node [default: from the start]
    #[arg(long, value_name = "COL,ROW", allow_hyphen_values = true, value_parser = parse_node)]
    from: Option<NodePos>,
    /// Find a route with this many nodes of a kind: elite=3.., shop=..2, rest=1..3, event=4;
    /// repeatable
    #[arg(long, value_name = "KIND=MIN..MAX")]
    query: Vec<String>,
    /// Route to describe and draw: min:KIND, max:KIND, match (the route found by --query), or its
    /// columns, e.g. 3-3-2
    #[arg(long, value_name = "ROUTE")]
    route: Option<String>,
    /// Also print all metrics of the map, named as in `wayforge find`
    #[arg(long)]
    metrics: bool,
    /// Output format
    #[arg(long, default_value = "text", value_parser = FormatArg::among(&REPORTS))]
    format: FormatArg,
    #[command(flatten)]
    picture: DrawArgs,
}

/// Analysis of the routes of one map.
struct Analysis<'a> {
    name: &'a str,
    map: &'a ActMap,
    routes: &'a Routes,
    from: Option<NodePos>,
    /// Conditions of `--query`, and a route that satisfies all of them.
    query: Option<(&'a [String], Option<Route>)>,
    /// The route of `--route`.
    route: Option<Route>,
    /// All metrics, with `--metrics`.
    metrics: Option<Vec<MetricValue>>,
}

/// Analyses every map of the file, and draws a route if requested.
pub(crate) fn run(args: RoutesArgs) -> Result<(), Failure> {
    let format = args.picture.format()?;
    let file = DocumentFile::open(&args.file)?;
    // Print at the end, so that an error in the last document leaves no partial output.
    let mut text_output = String::new();
    let mut picture = None;
    file.for_each(|number, name, text| {
        if number > 1 && format.is_some() {
            return Err(Failure::new(name, "--draw draws one map; name a file with one document"));
        }
        let map = ActMap::decode(text).context(name)?;
        let routes = act::routes(&map);
        let analysis = analyse(&args, name, &map, &routes)?;
        if let Some(format) = format {
            picture = Some(draw(&args, &analysis, format)?);
        }
        if number > 1 && args.format == FormatArg::Text {
            text_output.push('\n');
        }
        text_output += &match args.format {
            FormatArg::Json => report::json(&analysis),
            _ => report::text(&analysis),
        };
        Ok(())
    })?;
    if let Some(bytes) = picture {
        args.picture.write(&bytes)?;
    }
    output::write(None, text_output)
}

fn analyse<'a>(
    args: &'a RoutesArgs,
    name: &'a str,
    map: &'a ActMap,
    routes: &'a Routes,
) -> Result<Analysis<'a>, Failure> {
    let from = args.from;
    if let Some(from) = from.filter(|from| !map.nodes.iter().any(|node| node.pos() == *from)) {
        let problem = format!("--from {from}: no such node; name a node of the map");
        return Err(Failure::new(name, problem));
    }
    let mut query_result = None;
    if !args.query.is_empty() {
        let query = args.query.iter().try_fold(RouteQuery::default(), |query, text| {
            let (kind, min, max) = parse_condition(map, text).context(name)?;
            Ok::<_, Failure>(query.between(kind, min, max))
        })?;
        let found = routes.find(from, &query).map_err(|error| {
            let problem = format!("{}; {}", error.problem, error.remedy);
            Failure::new(name, format!("--query {}: {problem}", args.query.join(" --query ")))
        })?;
        query_result = Some((args.query.as_slice(), found));
    }
    let selector = match (&args.route, args.picture.format()?, &query_result) {
        (Some(text), ..) => Some(text.as_str()),
        (None, Some(_), Some(_)) => Some("match"),
        (None, Some(_), None) => {
            return reject(
                "--draw: no route selected; add --route min:KIND, max:KIND or columns as in \
                 3-3-2, or --query",
            );
        }
        (None, None, _) => None,
    };
    let found = query_result.as_ref().map(|(_, route)| route);
    let route = selector
        .map(|text| parse_route(map, routes, from, found, text))
        .transpose()
        .context(name)?;
    let metrics = args
        .metrics
        .then(|| ActMap::catalogue(&map.spec).metric_values(&mut ActMeter::default(), map));
    Ok(Analysis { name, map, routes, from, query: query_result, route, metrics })
}

/// Draws the map with the route highlighted. In plain text, or if the route has no edges, the nodes
/// are marked instead of the edges.
fn draw(args: &RoutesArgs, analysis: &Analysis<'_>, format: FormatArg) -> Result<Vec<u8>, Failure> {
    let mut scene = Scene::from_act(analysis.map);
    let cells: Vec<NodePos> = analysis.route.iter().flat_map(|route| route.positions()).collect();
    let on_route: Vec<bool> = scene
        .nodes
        .iter()
        .map(|node| {
            node.boss || cells.binary_search(&NodePos { row: node.row, col: node.col }).is_ok()
        })
        .collect();
    for edge in &mut scene.edges {
        edge.on_route = on_route[edge.from] && on_route[edge.to];
    }
    if format == FormatArg::Ascii || !scene.edges.iter().any(|edge| edge.on_route) {
        for (node, _) in
            scene.nodes.iter_mut().zip(&on_route).filter(|(node, on)| **on && !node.boss)
        {
            node.state = NodeState::Visited;
        }
    }
    scene.labels = args.picture.labels;
    args.picture.bytes(scene, format)
}

fn parse_node(text: &str) -> Result<NodePos, String> {
    let (col, row) = col_row(text)?;
    Ok(NodePos { row, col })
}

/// Parses `elite=3..`, `shop=..2`, `rest=1..3`, or `event=4` for exactly four.
fn parse_condition(map: &ActMap, text: &str) -> Result<(KindId, u16, u16), String> {
    let invalid = || {
        format!(
            "--query {text}: write KIND=MIN..MAX, as in elite=3.., shop=..2, rest=1..3 or event=4"
        )
    };
    let (name, range) = text.split_once('=').ok_or_else(invalid)?;
    let kind = find_kind(map, name).map_err(|problem| format!("--query {text}: {problem}"))?;
    let number = |text: &str, default: u16| match text {
        "" => Ok(default),
        text => text.parse::<u16>().map_err(|_| invalid()),
    };
    let (min, max) = match range.split_once("..") {
        Some((min, max)) => (number(min, 0)?, number(max, u16::MAX)?),
        None => range.parse().map(|count| (count, count)).map_err(|_| invalid())?,
    };
    if min > max {
        return Err(format!(
            "--query {text}: {min} is more than {max}; write the smaller number first"
        ));
    }
    Ok((kind, min, max))
}

fn find_kind(map: &ActMap, name: &str) -> Result<KindId, String> {
    map.spec.find_kind(name).ok_or_else(|| {
        let known: Vec<&str> = map.kinds().iter().map(|kind| kind.name.as_str()).collect();
        if known.is_empty() {
            format!("no kind \"{name}\": the map has no kinds")
        } else {
            format!("no kind \"{name}\"; known: {}", known.join(", "))
        }
    })
}

/// Parses `min:KIND`, `max:KIND`, `match`, or columns.
fn parse_route(
    map: &ActMap,
    routes: &Routes,
    from: Option<NodePos>,
    query_result: Option<&Option<Route>>,
    text: &str,
) -> Result<Route, String> {
    let none = || "no route leads to the top".to_owned();
    let kind =
        |name: &str| find_kind(map, name).map_err(|problem| format!("--route {text}: {problem}"));
    if text == "match" {
        return match query_result {
            Some(Some(route)) => Ok(route.clone()),
            Some(None) => Err("no route satisfies --query, so there is none to show".into()),
            None => Err("--route match: needs a query; add --query KIND=MIN..MAX".into()),
        };
    }
    if let Some(name) = text.strip_prefix("min:") {
        return routes.min_count(kind(name)?, from).map(|(_, route)| route).ok_or_else(none);
    }
    if let Some(name) = text.strip_prefix("max:") {
        return routes.max_count(kind(name)?, from).map(|(_, route)| route).ok_or_else(none);
    }
    let cols: Option<Vec<u16>> = text.split('-').map(|col| col.trim().parse().ok()).collect();
    let cols = cols.ok_or_else(|| {
        format!("--route {text}: write min:KIND, max:KIND, match, or columns as in 3-3-2")
    })?;
    let route = Route { row: from.map_or(0, |from| from.row), cols };
    if let Some(from) = from.filter(|from| route.cols.first() != Some(&from.col)) {
        let col = from.col;
        return Err(format!("--route {text}: does not start at --from {from}; begin with {col}"));
    }
    match routes.check(&route) {
        Ok(()) => Ok(route),
        Err(error) => Err(format!("--{error}")),
    }
}
