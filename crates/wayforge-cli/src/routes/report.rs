//! What `wayforge routes` says, as text and as JSON.

use super::Answer;
use serde_json::json;
use std::fmt::Write;
use wayforge::act::routes::Route;
use wayforge::act::{KindId, NodePos};
use wayforge::metric::Reading;

/// How many of each list the text shows.
const SHOWN: usize = 12;

/// A summary for people.
pub(super) fn text(answer: &Answer<'_>) -> String {
    let Answer { name, map, routes, from, .. } = answer;
    let mut text = format!("{name}: {} seed {}\n", map.spec.algorithm(), map.seed.to_line());
    let count = routes.count(*from);
    let start = from.map(|cell| format!(" from {}", place(Some(cell)))).unwrap_or_default();
    let lead = match count.to_u128() {
        Some(1) => "1 route leads".to_owned(),
        _ => format!("{count} routes lead"),
    };
    let _ = writeln!(text, "{lead} to the top{start}.");
    let width = map.kinds().iter().map(|kind| kind.name.len()).max().unwrap_or(0).max(4);
    let ranges = routes.kinds(*from);
    if !ranges.is_empty() {
        let _ = writeln!(text, "\n  {:width$}  least  most", "kind");
    }
    for range in ranges.iter().filter(|range| range.most > 0) {
        let kind = kind_name(answer, Some(range.kind)).unwrap_or_default();
        let _ = writeln!(text, "  {kind:width$}  {:>5}  {:>4}", range.least, range.most);
    }
    let points = routes.choice_points(*from);
    let forks: Vec<String> = routes
        .forks(*from)
        .map(|fork| format!("{}: {}", place(fork.at), names(answer, &fork.kinds)))
        .collect();
    list(&mut text, &format!("Real forks, of {points} with a choice"), forks.into_iter());
    let dominated = routes.dominated(*from).map(|worse| {
        format!(
            "{}: {} offers all that {} does",
            place(worse.at),
            place(Some(worse.by)),
            place(Some(worse.choice))
        )
    });
    list(&mut text, "Dominated choices", dominated);
    let lost = routes.no_returns(*from).filter(|point| point.after == 0).map(|point| {
        let kind = kind_name(answer, Some(point.kind)).unwrap_or_default();
        format!("{}: {} gives up {kind} for good", place(point.at), place(Some(point.choice)))
    });
    list(&mut text, "Choices that give up a kind for good", lost);
    let total = routes.no_returns(*from).count();
    if total > 0 {
        let _ = writeln!(text, "Points of no return, all told: {total}");
    }
    let _ = writeln!(text, "\n{}", routes.describe_choices(*from));
    if let Some((wants, route)) = &answer.wanted {
        let wants = wants.join(", ");
        let _ = match route {
            Some(route) => writeln!(text, "\nWanted {wants}: {route}\n{}", routes.describe_route(route)),
            None => writeln!(text, "\nWanted {wants}: no route does."),
        };
    }
    if let Some(route) = &answer.route
        && answer.wanted.as_ref().is_none_or(|(_, wanted)| wanted.as_ref() != Some(route))
    {
        let _ = writeln!(text, "\nRoute {route}\n{}", routes.describe_route(route));
    }
    if let Some(metrics) = &answer.metrics {
        text += "\nMetrics\n";
        let width = metrics.iter().map(|reading| reading.name.len()).max().unwrap_or(0);
        for Reading { name, value, unit, about, .. } in metrics {
            let _ = writeln!(text, "  {name:width$}  {value:>6} {unit:<9}  {about}");
        }
    }
    text
}

/// One object on one line.
pub(super) fn json(answer: &Answer<'_>) -> String {
    let Answer { name, map, routes, from, .. } = answer;
    let told = |route: &Route| routes.told(route);
    let wanted = answer
        .wanted
        .as_ref()
        .map(|(wants, found)| json!({ "want": wants, "route": found.as_ref().map(told) }));
    let mut object = json!(routes.report(map, *from));
    object["file"] = json!(name);
    object["wanted"] = json!(wanted);
    object["route"] = json!(answer.route.as_ref().map(told));
    if let Some(metrics) = &answer.metrics {
        object["metrics"] = json!(metrics);
    }
    format!("{object}\n")
}

fn list(text: &mut String, head: &str, mut items: impl Iterator<Item = String>) {
    let shown: Vec<String> = items.by_ref().take(SHOWN).collect();
    let more = items.count();
    let _ = writeln!(text, "\n{head}: {}", shown.len() + more);
    for item in shown {
        let _ = writeln!(text, "  {item}");
    }
    if more > 0 {
        let _ = writeln!(text, "  and {more} more; --format json lists 1000");
    }
}

fn place(at: Option<NodePos>) -> String {
    at.map_or("the start".to_owned(), NodePos::label)
}

fn kind_name<'a>(answer: &Answer<'a>, kind: Option<KindId>) -> Option<&'a str> {
    answer.map.kind_name(kind)
}

fn names(answer: &Answer<'_>, kinds: &[Option<KindId>]) -> String {
    let names: Vec<&str> = kinds.iter().map(|&kind| kind_name(answer, kind).unwrap_or("no kind")).collect();
    names.join(" or ")
}
