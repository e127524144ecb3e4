//! Checks the rules of all rulesets.

use super::{Findings, View, rules};
use crate::{ActMap, Config, Edge, Node, NodePos};
use wayforge_core::{Place, Report};

pub(super) fn check(map: &ActMap, view: &View, report: &mut Report) {
    report.check(rules::IN_RANGE, in_range(map, view));
    let cells: Vec<NodePos> = map.nodes.iter().map(Node::pos).collect();
    report.check(
        rules::UNIQUE_NODES,
        listed_twice(cells, NodePos::place, "the node is listed twice"),
    );
    let edges = map.edges.clone();
    report.check(rules::UNIQUE_EDGES, listed_twice(edges, Edge::place, "the edge is listed twice"));
    report.check(rules::EDGE_ENDS, edge_ends(view));
    report.check(rules::NO_CROSSINGS, no_crossings(view));
    report.check(rules::BOSS, boss(map));
    report.check(rules::ATTEMPTS, attempts(map));
    report.check(rules::PINS_PRESENT, pins_present(map, view));
}

/// The configuration allows the recorded number of skeletons. Without kinds it is 1.
fn attempts(map: &ActMap) -> Option<(Place, String)> {
    let max = if map.kinds().is_empty() { 1 } else { map.spec.attempts().into() };
    let recorded = map.attempts.skeletons;
    let why = || format!("{recorded} skeletons are recorded; the configuration allows 1 to {max}");
    (!(1..=max).contains(&recorded)).then(|| (Place::Map, why()))
}

/// Nodes, edges and walks are on the grid.
fn in_range<'a>(map: &'a ActMap, view: &'a View) -> impl Iterator<Item = (Place, String)> + 'a {
    let size =
        format!("the grid has rows 0 to {} and columns 0 to {}", view.rows - 1, view.cols - 1);
    let nodes = map.nodes.iter().filter(|node| view.cell(node.row, node.col).is_none());
    let edges = map.edges.iter().filter(|edge| !view.contains(edge));
    let walks = (0..).zip(map.walks.iter()).flat_map(|(walk, cols)| {
        let outside = (0..=u16::MAX).zip(cols).filter(|&(row, &col)| view.cell(row, col).is_none());
        outside.map(move |(row, _)| Place::Walk { walk, row })
    });
    let places = nodes.map(|node| node.pos().place()).chain(edges.map(Edge::place)).chain(walks);
    places.map(move |place| (place, size.clone()))
}

/// No node and no edge is listed twice.
fn listed_twice<T: Ord>(mut items: Vec<T>, place: fn(&T) -> Place, why: &str) -> Findings {
    items.sort_unstable();
    let twice = items.windows(2).filter(|pair| pair[0] == pair[1]);
    twice.map(|pair| (place(&pair[0]), why.to_owned())).collect()
}

/// Every edge joins a node of its row to a node of the next row.
fn edge_ends(view: &View) -> impl Iterator<Item = (Place, String)> {
    view.edges.iter().filter_map(|edge| {
        let (lower, upper) = view.ends(edge);
        let end = match (view.present[lower], view.present[upper]) {
            (true, true) => return None,
            (false, true) => "its lower end",
            (true, false) => "its upper end",
            (false, false) => "either end",
        };
        Some((edge.place(), format!("there is no node at {end}")))
    })
}

/// Of two edges between the same rows, the one that starts further left does not end further right.
fn no_crossings(view: &View) -> impl Iterator<Item = (Place, String)> {
    (0..view.rows as u16).flat_map(move |row| {
        let edges = view.edges_of(row);
        edges.iter().enumerate().flat_map(move |(i, e)| {
            edges[i + 1..].iter().filter(move |x| x.from > e.from && x.to < e.to).map(move |x| {
                (e.place(), format!("crosses edge {},{row} -> {},{}", x.from, x.to, row + 1))
            })
        })
    })
}

/// The map has a boss of the right kind if and only if the configuration does. Only maps of the
/// spire ruleset have a burning elite.
fn boss(map: &ActMap) -> Option<(Place, String)> {
    if let (Some(emerald), false) = (map.emerald, matches!(map.spec.config(), Config::Spire(_))) {
        return Some((emerald.place(), "only the spire ruleset has a burning elite".into()));
    }
    let (expected, name) = (map.spec.boss_kind(), |kind| map.kind_name(kind).unwrap_or("no kind"));
    let why = match (map.spec.has_boss(), map.boss) {
        (true, None) => "the map has no boss, but the configuration requires one".into(),
        (false, Some(_)) => "the map has a boss, but the configuration does not".into(),
        (true, Some(boss)) if boss.kind != expected => {
            format!("the boss is {}, not {}", name(boss.kind), name(expected))
        }
        _ => return None,
    };
    Some((Place::Map, why))
}

/// Every pinned node is present.
fn pins_present<'a>(map: &'a ActMap, view: &'a View) -> impl Iterator<Item = (Place, String)> + 'a {
    map.spec.config().pins().iter().filter_map(|pin| {
        let (row, col) = (pin.row as u16, pin.col as u16);
        let missing = view.node(row, col).is_none();
        missing.then(|| (Place::Node { row, col }, "the pinned node is missing".into()))
    })
}
