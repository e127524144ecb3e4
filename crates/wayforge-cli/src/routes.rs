//! `wayforge routes`: what the routes of saved maps meet, and whether a wanted one is there.

use crate::config_file;
use crate::failure::{Context, Failure, reject};
use crate::format::{OutputFormat, REPORTS};
use crate::number::col_row;
use crate::output;
use crate::picture::DrawArgs;
use crate::validate::numbered;
use clap::Args;
use serde_json::value::RawValue;
use std::path::PathBuf;
use wayforge::act::routes::{Route, Routes, Wanted};
use wayforge::act::{self, ActMap, KindId, NodePos};
use wayforge::metric::{ActMeter, Measure, Reading};
use wayforge_draw::{NodeState, Scene};

mod report;

/// The options of `wayforge routes`.
#[derive(Args)]
pub(crate) struct RoutesArgs {
    /// The documents, one or many (JSON lines); - for standard input
    file: PathBuf,
    /// Ask from this node on; from the start if left out
    #[arg(long, value_name = "COL,ROW", allow_hyphen_values = true, value_parser = parse_node)]
    from: Option<NodePos>,
    /// Find a route that meets so many of a kind: elite=3.., shop=..2, rest=1..3, event=4; may be repeated
    #[arg(long, value_name = "KIND=MIN..MAX")]
    want: Vec<String>,
    /// A route to describe and draw: least:KIND, most:KIND, wanted, or its columns as in 3-3-2
    #[arg(long, value_name = "ROUTE")]
    route: Option<String>,
    /// Tell every metric of the map as well, under the names that `wayforge find` knows
    #[arg(long)]
    metrics: bool,
    /// How the answers are written
    #[arg(long, default_value = "text", value_parser = OutputFormat::among(&REPORTS))]
    format: OutputFormat,
    #[command(flatten)]
    picture: DrawArgs,
}

/// What is known about one document's routes.
struct Answer<'a> {
    name: &'a str,
    map: &'a ActMap,
    routes: &'a Routes,
    from: Option<NodePos>,
    /// What is wanted, as typed, and the route that meets it.
    wanted: Option<(&'a [String], Option<Route>)>,
    /// The route that `--route` names.
    route: Option<Route>,
    /// The metrics, if they are asked for.
    metrics: Option<Vec<Reading>>,
}

/// Answers for every document of the file, and draws if asked to.
pub(crate) fn run(args: RoutesArgs) -> Result<(), Failure> {
    let format = args.picture.format()?;
    let bytes = config_file::read(&args.file)?;
    // Nothing is written before all of it can be: a fault in the last document leaves no half answer.
    let mut answers = String::new();
    let mut picture = None;
    let mut documents = 0;
    for text in serde_json::Deserializer::from_slice(&bytes).into_iter::<&RawValue>() {
        documents += 1;
        let name = numbered(&args.file, "document", documents);
        if documents > 1 && format.is_some() {
            return Err(Failure::about(name, "--draw draws one map; give a file that holds one document"));
        }
        let text = text.about(&name)?;
        let map = ActMap::decode(text.get().as_bytes()).about(&name)?;
        let routes = act::routes(&map);
        let answer = answer(&args, &name, &map, &routes)?;
        if let Some(format) = format {
            picture = Some(draw(&args, &answer, format)?);
        }
        if documents > 1 && args.format == OutputFormat::Text {
            answers.push('\n');
        }
        answers += &match args.format {
            OutputFormat::Json => report::json(&answer),
            _ => report::text(&answer),
        };
    }
    if documents == 0 {
        return Err(Failure::about(args.file.display(), "holds no document"));
    }
    if let Some(bytes) = picture {
        args.picture.write(&bytes)?;
    }
    output::write(None, answers)
}

fn answer<'a>(
    args: &'a RoutesArgs,
    name: &'a str,
    map: &'a ActMap,
    routes: &'a Routes,
) -> Result<Answer<'a>, Failure> {
    let from = args.from;
    if let Some(from) = from.filter(|from| !map.nodes.iter().any(|node| node.pos() == *from)) {
        let problem = format!("--from {from}: there is no node; name one of the map's nodes");
        return Err(Failure::about(name, problem));
    }
    let mut wanted = None;
    if !args.want.is_empty() {
        let all = args.want.iter().try_fold(Wanted::default(), |all, text| {
            let (kind, min, max) = parse_want(map, text).about(name)?;
            Ok::<_, Failure>(all.between(kind, min, max))
        })?;
        let found = routes.find(from, &all).map_err(|error| {
            let problem = format!("{}; {}", error.problem, error.remedy);
            Failure::about(name, format!("--want {}: {problem}", args.want.join(" --want ")))
        })?;
        wanted = Some((args.want.as_slice(), found));
    }
    let asked = match (&args.route, args.picture.format()?, &wanted) {
        (Some(text), ..) => Some(text.as_str()),
        (None, Some(_), Some(_)) => Some("wanted"),
        (None, Some(_), None) => {
            return reject(
                "--draw: which route? add --route least:KIND, most:KIND or columns as in 3-3-2, or --want",
            );
        }
        (None, None, _) => None,
    };
    let found = wanted.as_ref().map(|(_, route)| route);
    let route = asked.map(|text| parse_route(map, routes, from, found, text)).transpose().about(name)?;
    let metrics = args.metrics.then(|| ActMap::catalogue(&map.spec).readings(&mut ActMeter::default(), map));
    Ok(Answer { name, map, routes, from, wanted, route, metrics })
}

/// The map's picture with the route on it. Plain text has no colours, and a single node no edges: there nodes are marked.
fn draw(args: &RoutesArgs, answer: &Answer<'_>, format: OutputFormat) -> Result<Vec<u8>, Failure> {
    let mut scene = Scene::of_act(answer.map);
    let cells: Vec<NodePos> = answer.route.iter().flat_map(|route| route.cells()).collect();
    let on_route: Vec<bool> = scene
        .nodes
        .iter()
        .map(|node| node.boss || cells.binary_search(&NodePos { row: node.row, col: node.col }).is_ok())
        .collect();
    for edge in &mut scene.edges {
        edge.on_route = on_route[edge.from] && on_route[edge.to];
    }
    if format == OutputFormat::Ascii || !scene.edges.iter().any(|edge| edge.on_route) {
        for (node, _) in scene.nodes.iter_mut().zip(&on_route).filter(|(node, on)| **on && !node.boss) {
            node.state = NodeState::Visited;
        }
    }
    scene.labels = args.picture.labels;
    args.picture.bytes(&scene, format)
}

fn parse_node(text: &str) -> Result<NodePos, String> {
    let (col, row) = col_row(text)?;
    Ok(NodePos { row, col })
}

/// `elite=3..`, `shop=..2`, `rest=1..3`, or `event=4` for exactly four.
fn parse_want(map: &ActMap, text: &str) -> Result<(KindId, u16, u16), String> {
    let wrong =
        || format!("--want {text}: write KIND=MIN..MAX, as in elite=3.., shop=..2, rest=1..3 or event=4");
    let (name, range) = text.split_once('=').ok_or_else(wrong)?;
    let kind = find_kind(map, name).map_err(|problem| format!("--want {text}: {problem}"))?;
    let number = |text: &str, open: u16| match text {
        "" => Ok(open),
        text => text.parse::<u16>().map_err(|_| wrong()),
    };
    let (min, max) = match range.split_once("..") {
        Some((min, max)) => (number(min, 0)?, number(max, u16::MAX)?),
        None => range.parse().map(|count| (count, count)).map_err(|_| wrong())?,
    };
    if min > max {
        return Err(format!("--want {text}: {min} is more than {max}; write the smaller number first"));
    }
    Ok((kind, min, max))
}

fn find_kind(map: &ActMap, name: &str) -> Result<KindId, String> {
    map.spec.find_kind(name).ok_or_else(|| {
        let known: Vec<&str> = map.kinds().iter().map(|kind| kind.name.as_str()).collect();
        match known.is_empty() {
            true => format!("no kind \"{name}\": the map has no kinds"),
            false => format!("no kind \"{name}\"; known: {}", known.join(", ")),
        }
    })
}

/// `least:KIND`, `most:KIND`, `wanted`, or columns.
fn parse_route(
    map: &ActMap,
    routes: &Routes,
    from: Option<NodePos>,
    wanted: Option<&Option<Route>>,
    text: &str,
) -> Result<Route, String> {
    let none = || "no route leads to the top".to_owned();
    let kind = |name: &str| find_kind(map, name).map_err(|problem| format!("--route {text}: {problem}"));
    if text == "wanted" {
        return match wanted {
            Some(Some(route)) => Ok(route.clone()),
            Some(None) => Err("no route meets what is wanted, so that there is none to show".into()),
            None => Err("--route wanted: say what is wanted with --want KIND=MIN..MAX".into()),
        };
    }
    if let Some(name) = text.strip_prefix("least:") {
        return routes.least(kind(name)?, from).map(|(_, route)| route).ok_or_else(none);
    }
    if let Some(name) = text.strip_prefix("most:") {
        return routes.most(kind(name)?, from).map(|(_, route)| route).ok_or_else(none);
    }
    let cols: Option<Vec<u16>> = text.split('-').map(|col| col.trim().parse().ok()).collect();
    let cols = cols.ok_or_else(|| {
        format!("--route {text}: write least:KIND, most:KIND, wanted, or columns as in 3-3-2")
    })?;
    let route = Route { row: from.map_or(0, |from| from.row), cols };
    if let Some(from) = from.filter(|from| route.cols.first() != Some(&from.col)) {
        let col = from.col;
        return Err(format!("--route {text}: it does not start at --from {from}; begin with {col}"));
    }
    match routes.check(&route) {
        Ok(()) => Ok(route),
        Err(error) => Err(format!("--{error}")),
    }
}
