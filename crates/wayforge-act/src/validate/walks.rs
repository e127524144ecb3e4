//! Checks the rules of the walks ruleset.

use super::{View, rules};
use crate::{ActMap, Edge, Walks, WalksConfig};
use wayforge_core::{Place, Report};

pub(super) fn check(map: &ActMap, config: &WalksConfig, view: &View, report: &mut Report) {
    report.check(rules::BLOCKED_EMPTY, blocked_empty(config, view));
    report.check(rules::START_DIVERSITY, start_diversity(map));
    report.check(rules::WALKS_COMPLETE, walks_complete(map, config, view));
    report.check(rules::NEAREST_HONOURED, nearest_honoured(map, config));
    report.check(rules::PRUNED, pruned(map, view));
}

/// No node is on a blocked cell.
fn blocked_empty<'a>(
    config: &'a WalksConfig,
    view: &'a View,
) -> impl Iterator<Item = (Place, String)> + 'a {
    config.blocked.iter().filter_map(|cell| {
        let node = view.node(cell.row as u16, cell.col as u16)?;
        Some((view.place(node), "the node is on a blocked cell".into()))
    })
}

/// The first two walks start on different columns.
fn start_diversity(map: &ActMap) -> Option<(Place, String)> {
    let mut starts = map.walks.iter().map(|walk| walk.first());
    let (first, second) = (starts.next()??, starts.next()??);
    let why = || format!("starts on column {first}, like walk 0");
    (first == second).then(|| (Place::Walk { walk: 1, row: 0 }, why()))
}

/// There are as many walks as configured, each from row 0 to the top along edges of the map.
fn walks_complete<'a>(
    map: &'a ActMap,
    config: &'a WalksConfig,
    view: &'a View,
) -> impl Iterator<Item = (Place, String)> + 'a {
    let count = (map.walks.len() as i64 != config.walks)
        .then(|| (Place::Map, format!("{} walks instead of {}", map.walks.len(), config.walks)));
    let walks = (0..).zip(map.walks.iter()).flat_map(move |(walk, cols)| {
        let length = (cols.len() != view.rows).then(|| {
            let why = format!("passes {} rows, but the map has {}", cols.len(), view.rows);
            let last_row = u16::try_from(cols.len().saturating_sub(1)).unwrap_or(u16::MAX);
            (Place::Walk { walk, row: last_row }, why)
        });
        let start = cols.first().filter(|&&col| view.node(0, col).is_none());
        let start = start.map(|col| {
            (Place::Walk { walk, row: 0 }, format!("starts at {col},0, which is not a node"))
        });
        let missing = Walks::steps(cols).filter(|edge| view.edges.binary_search(edge).is_err());
        let missing = missing.map(move |Edge { row, from, to }| {
            let why = format!("steps from column {from} to {to} without an edge");
            (Place::Walk { walk, row }, why)
        });
        length.into_iter().chain(start).chain(missing)
    });
    count.into_iter().chain(walks)
}

/// Every step goes to one of the nearest columns, for some choice among ties.
fn nearest_honoured<'a>(
    map: &'a ActMap,
    config: &'a WalksConfig,
) -> impl Iterator<Item = (Place, String)> + 'a {
    let (cols, nearest) = (map.spec.cols(), config.nearest);
    (0..).zip(map.walks.iter()).flat_map(move |(walk, path)| {
        Walks::steps(path).filter_map(move |Edge { row, from, to }| {
            // If `nearest` columns are strictly closer, no choice among ties includes this one.
            let closer = (0..cols).filter(|col| col.abs_diff(from) < to.abs_diff(from)).count();
            let why = || format!("column {to} is not among the {nearest} nearest of column {from}");
            (closer as i64 >= nearest).then(|| (Place::Walk { walk, row }, why()))
        })
    })
}

/// Every node and every edge is on a walk.
fn pruned<'a>(map: &'a ActMap, view: &'a View) -> impl Iterator<Item = (Place, String)> + 'a {
    let mut visited = vec![false; view.present.len()];
    for walk in map.walks.iter() {
        let cells = (0..=u16::MAX).zip(walk).filter_map(|(row, &col)| view.cell(row, col));
        cells.for_each(|cell| visited[cell] = true);
    }
    let mut walked: Vec<Edge> = map.walks.iter().flat_map(Walks::steps).collect();
    walked.sort_unstable();
    walked.dedup();
    let nodes = view.nodes().filter(move |&cell| !visited[cell]);
    let nodes = nodes.map(|cell| (view.place(cell), "no walk passes the node".to_owned()));
    let edges = view.edges.iter().filter(move |edge| walked.binary_search(edge).is_err());
    let edges = edges.map(|edge| (edge.place(), "no walk uses the edge".to_owned()));
    nodes.chain(edges)
}
