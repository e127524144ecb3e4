//! A map made ready to be walked: what stands on the grid, and where each node leads.

use super::step::Step;
use crate::{ActMap, KindId, Node};
use std::ops::Range;
use std::sync::Arc;
use wayforge_core::Digest;

/// The nodes of a map in order, each with the nodes its edges lead to.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) map: Arc<ActMap>,
    pub(super) digest: Digest,
    /// Row and column of every node on the grid, sorted, none twice.
    cells: Vec<(u16, u16)>,
    /// Their kinds.
    kinds: Vec<Option<KindId>>,
    /// Upper ends of the edges, as places in `cells`, by lower end.
    targets: Vec<usize>,
    /// Where the targets of each node begin, and one more for the end.
    starts: Vec<usize>,
}

impl Ground {
    /// Sorts a map. A decoded map may hold anything: what is off the grid, said twice or joins no two nodes is left out.
    pub(super) fn of(map: Arc<ActMap>) -> Ground {
        let on_grid = |row: u16, col: u16| row < map.spec.rows() && col < map.spec.cols();
        let mut nodes: Vec<Node> =
            map.nodes.iter().filter(|node| on_grid(node.row, node.col)).copied().collect();
        // Of two nodes on a cell the first counts.
        nodes.sort_by_key(|node| (node.row, node.col));
        nodes.dedup_by_key(|node| (node.row, node.col));
        let cells: Vec<(u16, u16)> = nodes.iter().map(|node| (node.row, node.col)).collect();
        let kinds = nodes.iter().map(|node| node.kind).collect();
        let find = |row: u16, col: u16| cells.binary_search(&(row, col)).ok();
        let mut ways: Vec<(usize, usize)> = map
            .edges
            .iter()
            .filter_map(|edge| Some((find(edge.row, edge.from)?, find(edge.row.checked_add(1)?, edge.to)?)))
            .collect();
        ways.sort_unstable();
        ways.dedup();
        let starts = (0..=cells.len()).map(|node| ways.partition_point(|&(low, _)| low < node)).collect();
        let targets = ways.into_iter().map(|(_, high)| high).collect();
        Ground { digest: map.to_document().digest, map, cells, kinds, targets, starts }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn find(&self, row: u16, col: u16) -> Option<usize> {
        self.cells.binary_search(&(row, col)).ok()
    }

    /// The nodes of one row.
    pub(super) fn row(&self, row: u16) -> Range<usize> {
        let first = self.cells.partition_point(|cell| cell.0 < row);
        first..self.cells.partition_point(|cell| cell.0 <= row)
    }

    /// The nodes that a node's edges lead to.
    pub(super) fn ahead(&self, node: usize) -> &[usize] {
        &self.targets[self.starts[node]..self.starts[node + 1]]
    }

    pub(super) fn step(&self, node: usize) -> Step {
        let (row, col) = self.cells[node];
        Step::Node { row, col }
    }

    pub(super) fn kind(&self, node: usize) -> Option<KindId> {
        self.kinds[node]
    }

    pub(super) fn has_boss(&self) -> bool {
        self.map.boss.is_some()
    }

    pub(super) fn is_top(&self, row: u16) -> bool {
        row.checked_add(1) == Some(self.map.spec.rows())
    }
}

/// The rest of the ground follows from the map.
impl PartialEq for Ground {
    fn eq(&self, other: &Ground) -> bool {
        Arc::ptr_eq(&self.map, &other.map) || self.map == other.map
    }
}

impl Eq for Ground {}
