//! Rules that every act map keeps.

use super::{View, rules};
use crate::{ActMap, Config, KindsChoice, RowsConfig, WalksConfig};
use wayforge_core::{Place, Report};

pub(super) fn check(map: &ActMap, view: &View, report: &mut Report) {
    report.check(rules::IN_RANGE, in_range(map, view));
    report.check(rules::UNIQUE_NODES, unique_nodes(map));
    report.check(rules::UNIQUE_EDGES, unique_edges(map));
    report.check(rules::EDGE_ENDS, edge_ends(view));
    report.check(rules::NO_CROSSINGS, no_crossings(view));
    report.check(rules::BOSS, boss(map));
    report.check(rules::ATTEMPTS, attempts(map));
    report.check(rules::PINS_PRESENT, pins_present(map, view));
}

/// The recorded number of skeletons is one that the configuration allows; without rules about kinds it is 1.
fn attempts(map: &ActMap) -> Option<(Place, String)> {
    let most = match map.spec.config() {
        Config::Walks(WalksConfig { kinds, attempts, .. })
        | Config::Rows(RowsConfig { kinds, attempts, .. })
            if *kinds != KindsChoice::None =>
        {
            u64::try_from(*attempts).unwrap_or(1)
        }
        _ => 1,
    };
    let drawn = map.attempts.skeletons;
    let why = || format!("{drawn} skeletons are recorded; the configuration allows 1 to {most}");
    (!(1..=most).contains(&drawn)).then(|| (Place::Map, why()))
}

/// Nodes, edges and walks stay on the grid.
fn in_range<'a>(map: &'a ActMap, view: &'a View) -> impl Iterator<Item = (Place, String)> + 'a {
    let size = format!("the grid has rows 0 to {} and columns 0 to {}", view.rows - 1, view.cols - 1);
    let nodes = map.nodes.iter().filter(|n| view.cell(n.row, n.col).is_none());
    let nodes = nodes.map(|n| Place::Node { row: n.row, col: n.col });
    let edges = map.edges.iter().filter(|e| view.ends(e).is_none());
    let edges = edges.map(|e| e.place());
    let walks = (0..).zip(map.walks.iter()).flat_map(|(walk, cols)| {
        (0..)
            .zip(cols)
            .filter(|&(row, &col)| view.cell(row, col).is_none())
            .map(move |(row, _)| Place::Walk { walk, row })
    });
    nodes.chain(edges).chain(walks).map(move |place| (place, size.clone()))
}

/// No two nodes share a cell.
fn unique_nodes(map: &ActMap) -> Vec<(Place, String)> {
    let mut places: Vec<(u16, u16)> = map.nodes.iter().map(|n| (n.row, n.col)).collect();
    places.sort_unstable();
    let twice = places.windows(2).filter(|pair| pair[0] == pair[1]);
    twice
        .map(|pair| (Place::Node { row: pair[0].0, col: pair[0].1 }, "the node is listed twice".into()))
        .collect()
}

/// No edge is listed twice.
fn unique_edges(map: &ActMap) -> Vec<(Place, String)> {
    let mut edges = map.edges.clone();
    edges.sort_unstable();
    let twice = edges.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    twice.map(|e| (e.place(), "the edge is listed twice".into())).collect()
}

/// Every edge joins a node of its row to a node of the next row.
fn edge_ends(view: &View) -> impl Iterator<Item = (Place, String)> + '_ {
    view.edges.iter().filter_map(|edge| {
        let (lower, upper) = view.ends(edge)?;
        let end = match (view.present[lower], view.present[upper]) {
            (true, true) => return None,
            (false, true) => "its lower end is",
            (true, false) => "its upper end is",
            (false, false) => "both its ends are",
        };
        Some((edge.place(), format!("{end} no node")))
    })
}

/// Of two edges between the same rows, the one that starts further left does not end further right.
fn no_crossings(view: &View) -> impl Iterator<Item = (Place, String)> + '_ {
    (0..view.rows as u16).flat_map(move |row| {
        let edges = view.edges_of(row);
        (0..edges.len()).flat_map(move |i| {
            let e = edges[i];
            edges[i + 1..].iter().filter(move |x| x.from > e.from && x.to < e.to).map(move |x| {
                let why = format!("crosses edge {},{row} -> {},{}", x.from, x.to, row + 1);
                (Place::Edge { row, from: e.from, to: e.to }, why)
            })
        })
    })
}

/// The boss stands above the top row exactly if the configuration asks for it, and is of its kind; nothing burns on maps that are
/// not the game's.
fn boss(map: &ActMap) -> Option<(Place, String)> {
    if let (Some(mark), false) = (map.emerald, matches!(map.spec.config(), Config::Spire(_))) {
        let place = Place::Node { row: mark.row, col: mark.col };
        return Some((place, "only the spire ruleset has a burning elite".into()));
    }
    match (map.spec.has_boss(), map.boss) {
        (true, None) => Some((Place::Map, "the configuration asks for a boss, the map has none".into())),
        (false, Some(_)) => {
            Some((Place::Map, "the map has a boss that the configuration does not ask for".into()))
        }
        (true, Some(boss)) if boss.kind != map.spec.boss_kind() => {
            let name = |kind| map.kind_name(kind).unwrap_or("no kind");
            Some((Place::Map, format!("the boss is {}, not {}", name(boss.kind), name(map.spec.boss_kind()))))
        }
        _ => None,
    }
}

/// Every pinned node is there.
fn pins_present<'a>(map: &'a ActMap, view: &'a View) -> impl Iterator<Item = (Place, String)> + 'a {
    map.spec.config().pins().iter().filter_map(|pin| {
        let (row, col) = (pin.row as u16, pin.col as u16);
        let present = view.cell(row, col).is_some_and(|cell| view.present[cell]);
        (!present).then(|| (Place::Node { row, col }, "the pinned node is missing".into()))
    })
}
