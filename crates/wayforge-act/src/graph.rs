//! Act maps as graphs in compressed sparse row form, for routes and for playing.
//!
//! A decoded map may contain anything: what is off the grid, listed twice, or joins no two nodes is left out.

use crate::routes::{Route, RouteCount};
use crate::{ActMap, NodePos};
use std::ops::Range;

/// The nodes of a map in order, each with the nodes that its edges lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    /// The position of every node, in order, each once.
    pub(crate) cells: Vec<NodePos>,
    /// The kind of every node as an index into the map's set, if it has one.
    pub(crate) kinds: Vec<Option<u8>>,
    /// The first node of every row, and the number of nodes at the end.
    rows: Vec<usize>,
    /// The upper ends of the edges from all nodes, by lower node and column.
    targets: Vec<u32>,
    /// The first edge of every node, and the number of edges at the end.
    firsts: Vec<u32>,
    /// Whether the top row can be reached from the node.
    pub(crate) open: Vec<bool>,
    /// The nodes of row 0.
    starts: Vec<u32>,
}

impl Graph {
    /// The graph of a map; `to_top` leaves out edges and starts that do not lead to the top row. Of two nodes on a cell the
    /// first counts.
    pub(crate) fn new(map: &ActMap, to_top: bool) -> Graph {
        let (rows, cols) = (usize::from(map.spec.rows()), map.spec.cols());
        let mut nodes: Vec<_> =
            map.nodes.iter().filter(|node| usize::from(node.row) < rows && node.col < cols).collect();
        nodes.sort_by_key(|node| node.pos());
        nodes.dedup_by_key(|node| node.pos());
        let cells: Vec<NodePos> = nodes.iter().map(|node| node.pos()).collect();
        let set = map.kinds().len();
        let kinds = nodes.iter().map(|node| node.kind.map(|id| id.0).filter(|&kind| usize::from(kind) < set));
        let rows = (0..=rows).map(|row| cells.partition_point(|cell| usize::from(cell.row) < row)).collect();
        let mut graph = Graph {
            kinds: kinds.collect(),
            open: vec![false; cells.len()],
            cells,
            rows,
            targets: Vec::new(),
            firsts: Vec::new(),
            starts: Vec::new(),
        };
        let ends = map.edges.iter().filter_map(|edge| {
            let lower = graph.find(NodePos { row: edge.row, col: edge.from })?;
            let upper = graph.find(NodePos { row: edge.row.checked_add(1)?, col: edge.to })?;
            Some((lower as u32, upper as u32))
        });
        let mut edges: Vec<(u32, u32)> = ends.collect();
        if !edges.is_sorted() {
            edges.sort_unstable();
        }
        edges.dedup();
        let top = graph.row(graph.last_row());
        graph.open[top].fill(true);
        // An edge's upper end comes after its lower end, so that backwards every upper end is settled first.
        for &(lower, upper) in edges.iter().rev() {
            graph.open[lower as usize] |= graph.open[upper as usize];
        }
        graph.starts = graph.row(0).map(|node| node as u32).collect();
        if to_top {
            edges.retain(|&(_, upper)| graph.open[upper as usize]);
            graph.starts.retain(|&node| graph.open[node as usize]);
        }
        graph.targets = edges.iter().map(|&(_, upper)| upper).collect();
        graph.firsts.reserve(graph.cells.len() + 1);
        let mut first = 0;
        for node in 0..=graph.cells.len() {
            first += edges[first..].iter().take_while(|&&(lower, _)| (lower as usize) < node).count();
            graph.firsts.push(first as u32);
        }
        graph
    }

    /// The top row's number.
    pub(crate) fn last_row(&self) -> usize {
        self.rows.len().saturating_sub(2)
    }

    /// The nodes of a row.
    pub(crate) fn row(&self, row: usize) -> Range<usize> {
        match (self.rows.get(row), self.rows.get(row + 1)) {
            (Some(&first), Some(&end)) => first..end,
            _ => 0..0,
        }
    }

    /// The node on a cell.
    pub(crate) fn find(&self, NodePos { row, col }: NodePos) -> Option<usize> {
        let nodes = self.row(row.into());
        let found = self.cells[nodes.clone()].binary_search_by_key(&col, |cell| cell.col).ok()?;
        Some(nodes.start + found)
    }

    /// The nodes that one can go to from a node, or start at; by column.
    pub(crate) fn choices(&self, from: Option<usize>) -> &[u32] {
        match from {
            Some(node) => &self.targets[self.firsts[node] as usize..self.firsts[node + 1] as usize],
            None => &self.starts,
        }
    }

    /// Where to stand for questions from a cell: `None` if there is no node on it or no way from it to the top.
    pub(crate) fn stand(&self, from: Option<NodePos>) -> Option<Option<usize>> {
        match from {
            Some(cell) => self.find(cell).filter(|&node| self.open[node]).map(Some),
            None => (!self.starts.is_empty()).then_some(None),
        }
    }

    /// The open nodes that one can stand on from here on, in order; `from` itself is the first.
    pub(crate) fn ahead(&self, from: Option<usize>) -> impl Iterator<Item = usize> {
        let first = from.unwrap_or(0);
        let mut met = vec![false; self.cells.len() - first.min(self.cells.len())];
        match from {
            Some(node) => met[node - first] = true,
            None => self.starts.iter().for_each(|&node| met[node as usize] = true),
        }
        (first..self.cells.len()).filter(move |&node| {
            if met[node - first] {
                self.choices(Some(node)).iter().for_each(|&next| met[next as usize - first] = true);
            }
            met[node - first]
        })
    }

    /// The number of ways from a node, or from all starts, to the top.
    pub(crate) fn count(&self, from: Option<usize>) -> RouteCount {
        let lowest = from.map_or(0, |node| usize::from(self.cells[node].row));
        let (mut here, mut above): (Vec<RouteCount>, Vec<RouteCount>) = (Vec::new(), Vec::new());
        for row in (lowest..=self.last_row()).rev() {
            std::mem::swap(&mut here, &mut above);
            let nodes = self.row(row);
            if here.len() < nodes.len() {
                here.resize_with(nodes.len(), RouteCount::default);
            }
            for (count, node) in here.iter_mut().zip(nodes.clone()) {
                count.clear();
                if row == self.last_row() {
                    count.add(&1.into());
                }
                for &next in self.choices(Some(node)) {
                    count.add(&above[next as usize - nodes.end]);
                }
            }
        }
        match from {
            Some(node) => here.swap_remove(node - self.row(lowest).start),
            None => self.starts.iter().fold(RouteCount::default(), |mut sum, &node| {
                sum.add(&here[node as usize]);
                sum
            }),
        }
    }

    /// The route from here to the top that always takes the first choice that `takes` accepts.
    pub(crate) fn trace(&self, from: Option<usize>, mut takes: impl FnMut(usize) -> bool) -> Option<Route> {
        let mut nodes: Vec<usize> = from.into_iter().collect();
        loop {
            let choices = self.choices(nodes.last().copied());
            match choices.iter().map(|&node| node as usize).find(|&node| takes(node)) {
                Some(node) => nodes.push(node),
                None if choices.is_empty() => break,
                None => return None,
            }
        }
        let row = self.cells[*nodes.first()?].row;
        Some(Route { row, cols: nodes.iter().map(|&node| self.cells[node].col).collect() })
    }
}
