//! What of a map can be placed: sorted, each thing once, and nothing that points nowhere.

use crate::layout::Board;
use wayforge::act::ActMap;

/// The nodes and edges of a map that a picture can show, sorted by row and column.
pub(crate) struct Sorted {
    pub(crate) cols: u16,
    pub(crate) cells: Vec<(u16, u16)>,
    /// The kinds of the nodes, as places in the map's set.
    pub(crate) kinds: Vec<Option<usize>>,
    pub(crate) rows: Vec<usize>,
    pub(crate) edges: Vec<(usize, usize)>,
    pub(crate) gaps: Vec<usize>,
    pub(crate) boss: bool,
    pub(crate) boss_kind: Option<usize>,
}

/// Sorts a map. A map decoded from a document may hold anything: of two nodes on a cell the first is kept, and
/// edges that leave the grid or end on no node are dropped.
pub(crate) fn of_act(map: &ActMap) -> Sorted {
    let (rows, cols) = (usize::from(map.spec.rows()), map.spec.cols());
    let mut nodes: Vec<_> = map.nodes.iter().filter(|n| usize::from(n.row) < rows && n.col < cols).collect();
    nodes.sort_by_key(|node| (node.row, node.col));
    nodes.dedup_by_key(|node| (node.row, node.col));
    let cells: Vec<(u16, u16)> = nodes.iter().map(|node| (node.row, node.col)).collect();
    let kind = |id: Option<wayforge::act::KindId>| id.map(|id| usize::from(id.0));
    let find = |row: u16, col: u16| cells.binary_search(&(row, col)).ok();
    let mut edges: Vec<(usize, usize)> = map
        .edges
        .iter()
        .filter_map(|edge| Some((find(edge.row, edge.from)?, find(edge.row.checked_add(1)?, edge.to)?)))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let first_of = |row: usize| cells.partition_point(|&(r, _)| usize::from(r) < row);
    let starts: Vec<usize> = (0..=rows).map(first_of).collect();
    if map.boss.is_some() {
        edges.extend((starts[rows - 1]..starts[rows]).map(|node| (node, cells.len())));
    }
    let gaps = starts.iter().map(|&start| edges.partition_point(|&(low, _)| low < start)).collect();
    Sorted {
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

impl Sorted {
    pub(crate) fn board(&self) -> Board<'_> {
        let Sorted { cols, cells, rows, edges, gaps, boss, .. } = self;
        Board { cols: *cols, cells, rows, edges, gaps, boss: *boss }
    }
}
