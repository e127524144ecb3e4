//! Drawable part of an act map: sorted, without duplicates or dangling edges.

use wayforge::act::{ActMap, KindId};

/// Nodes and edges that a picture can show, sorted by row and column.
pub(crate) struct Board {
    pub(crate) cols: u16,
    /// Row and column of every node, without the boss.
    pub(crate) cells: Vec<(u16, u16)>,
    /// Kinds of the nodes, as indices into the map's kind set.
    pub(crate) kinds: Vec<Option<usize>>,
    /// Row boundaries in `cells`: row `r` is `rows[r]..rows[r + 1]`.
    pub(crate) rows: Vec<usize>,
    /// Lower and upper node of every edge; `cells.len()` is the boss.
    pub(crate) edges: Vec<(usize, usize)>,
    /// Gap boundaries in `edges`: the edges that leave row `r` are `gaps[r]..gaps[r + 1]`.
    pub(crate) gaps: Vec<usize>,
    pub(crate) boss: bool,
    pub(crate) boss_kind: Option<usize>,
}

/// Builds the board of a map.
///
/// A decoded map may be invalid. Of two nodes on one cell, the first is used; nodes outside the
/// grid and edges with a missing end are dropped.
pub(crate) fn from_act(map: &ActMap) -> Board {
    let (rows, cols) = (usize::from(map.spec.rows()), map.spec.cols());
    let mut nodes: Vec<_> =
        map.nodes.iter().filter(|n| usize::from(n.row) < rows && n.col < cols).collect();
    nodes.sort_by_key(|node| (node.row, node.col));
    nodes.dedup_by_key(|node| (node.row, node.col));
    let cells: Vec<(u16, u16)> = nodes.iter().map(|node| (node.row, node.col)).collect();
    let kind = |id: Option<KindId>| id.map(|id| usize::from(id.0));
    let find = |row: u16, col: u16| cells.binary_search(&(row, col)).ok();
    let mut edges: Vec<(usize, usize)> = map
        .edges
        .iter()
        .filter_map(|edge| {
            Some((find(edge.row, edge.from)?, find(edge.row.checked_add(1)?, edge.to)?))
        })
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let first_of = |row: usize| cells.partition_point(|&(r, _)| usize::from(r) < row);
    let starts: Vec<usize> = (0..=rows).map(first_of).collect();
    if map.boss.is_some() {
        edges.extend((starts[rows - 1]..starts[rows]).map(|node| (node, cells.len())));
    }
    let gaps = starts.iter().map(|&start| edges.partition_point(|&(low, _)| low < start)).collect();
    Board {
        cols,
        kinds: nodes.iter().map(|node| kind(node.kind)).collect(),
        rows: starts,
        edges,
        gaps,
        boss: map.boss.is_some(),
        boss_kind: map.boss.and_then(|boss| kind(boss.kind)),
        cells,
    }
}
