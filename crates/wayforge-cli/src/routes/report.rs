//! Output of `wayforge routes` as text and JSON.

use super::Analysis;
use crate::number::counted;
use serde_json::json;
use std::fmt::Write;
use wayforge::act::routes::Route;
use wayforge::act::{KindId, NodePos};
use wayforge::metric::MetricValue;

/// Maximum number of list entries in the text.
const MAX_LISTED: usize = 12;

/// Formats the analysis as text.
pub(super) fn text(analysis: &Analysis<'_>) -> String {
    let Analysis { name, map, routes, from, .. } = analysis;
    let mut text = format!("{name}: {} seed {}\n", map.spec.algorithm(), map.seed.to_line());
    let count = routes.count(*from);
    let start = from.map(|cell| format!(" from {}", node_name(Some(cell)))).unwrap_or_default();
    let lead = match count.to_u128() {
        Some(1) => "1 route leads".to_owned(),
        _ => format!("{count} routes lead"),
    };
    let _ = writeln!(text, "{lead} to the top{start}.");
    let width = map.kinds().iter().map(|kind| kind.name.len()).max().unwrap_or(0).max(4);
    let ranges = routes.kind_ranges(*from);
    if !ranges.is_empty() {
        let _ = writeln!(text, "\n  {:width$}    min   max", "kind");
    }
    for range in ranges.iter().filter(|range| range.max > 0) {
        let kind = kind_name(analysis, Some(range.kind)).unwrap_or_default();
        let _ = writeln!(text, "  {kind:width$}  {:>5}  {:>4}", range.min, range.max);
    }
    let points = routes.choice_points(*from);
    let forks: Vec<String> = routes
        .forks(*from)
        .map(|fork| format!("{}: {}", node_name(fork.at), kind_names(analysis, &fork.kinds)))
        .collect();
    let heading = format!("Meaningful forks, of {}", counted(points, "choice point"));
    list(&mut text, &heading, forks.into_iter());
    let dominated = routes.dominated(*from).map(|worse| {
        format!(
            "{}: {} offers everything that {} offers",
            node_name(worse.at),
            node_name(Some(worse.by)),
            node_name(Some(worse.choice))
        )
    });
    list(&mut text, "Dominated choices", dominated);
    let lost = routes.points_of_no_return(*from).filter(|point| point.after == 0).map(|point| {
        let kind = kind_name(analysis, Some(point.kind)).unwrap_or_default();
        let (at, choice) = (node_name(point.at), node_name(Some(point.choice)));
        format!("{at}: after {choice} no {kind} is reachable")
    });
    list(&mut text, "Choices that exclude a kind", lost);
    let total = routes.points_of_no_return(*from).count();
    if total > 0 {
        let _ = writeln!(text, "Points of no return: {total}");
    }
    let _ = writeln!(text, "\n{}", routes.describe_choices(*from));
    if let Some((conditions, route)) = &analysis.query {
        let conditions = conditions.join(", ");
        let _ = match route {
            Some(route) => {
                writeln!(text, "\nQuery {conditions}: {route}\n{}", routes.describe_route(route))
            }
            None => writeln!(text, "\nQuery {conditions}: no such route."),
        };
    }
    if let Some(route) = &analysis.route
        && analysis.query.as_ref().is_none_or(|(_, found)| found.as_ref() != Some(route))
    {
        let _ = writeln!(text, "\nRoute {route}\n{}", routes.describe_route(route));
    }
    if let Some(metrics) = &analysis.metrics {
        text += "\nMetrics\n";
        let width = metrics.iter().map(|metric| metric.name.len()).max().unwrap_or(0);
        for MetricValue { name, value, unit, description, .. } in metrics {
            let _ = writeln!(text, "  {name:width$}  {value:>6} {unit:<9}  {description}");
        }
    }
    text
}

/// Formats the analysis as one line of JSON.
pub(super) fn json(analysis: &Analysis<'_>) -> String {
    let Analysis { name, map, routes, from, .. } = analysis;
    let describe = |route: &Route| routes.describe(route);
    let query = analysis.query.as_ref().map(|(conditions, found)| {
        json!({ "conditions": conditions, "route": found.as_ref().map(describe) })
    });
    let mut object = json!(routes.report(map, *from));
    object["file"] = json!(name);
    object["query"] = json!(query);
    object["route"] = json!(analysis.route.as_ref().map(describe));
    if let Some(metrics) = &analysis.metrics {
        object["metrics"] = json!(metrics);
    }
    format!("{object}\n")
}

fn list(text: &mut String, heading: &str, mut items: impl Iterator<Item = String>) {
    let listed: Vec<String> = items.by_ref().take(MAX_LISTED).collect();
    let more = items.count();
    let _ = writeln!(text, "\n{heading}: {}", listed.len() + more);
    for item in listed {
        let _ = writeln!(text, "  {item}");
    }
    if more > 0 {
        let _ = writeln!(text, "  and {more} more; --format json lists up to 1000");
    }
}

fn node_name(pos: Option<NodePos>) -> String {
    pos.map_or("the start".to_owned(), NodePos::label)
}

fn kind_name<'a>(analysis: &Analysis<'a>, kind: Option<KindId>) -> Option<&'a str> {
    analysis.map.kind_name(kind)
}

fn kind_names(analysis: &Analysis<'_>, kinds: &[Option<KindId>]) -> String {
    let names: Vec<&str> =
        kinds.iter().map(|&kind| kind_name(analysis, kind).unwrap_or("no kind")).collect();
    names.join(" or ")
}
