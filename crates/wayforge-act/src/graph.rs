//! Graph of an act map in compressed sparse row (CSR) form, for route analysis and playing.
//!
//! A decoded map may be invalid. Nodes outside the grid, duplicates, and edges without two end
//! nodes are ignored.

use crate::routes::{Route, RouteCount};
use crate::{ActMap, NodePos};
use std::ops::Range;

/// Directed graph of the nodes of a map, sorted by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    /// Position of each node, in order and without duplicates.
    pub(crate) positions: Vec<NodePos>,
    /// Kind of each node, as an index into the map's kinds.
    pub(crate) kinds: Vec<Option<u8>>,
    /// Index of the first node of each row, followed by the number of nodes.
    rows: Vec<usize>,
    /// Upper ends of all edges, ordered by lower end, then by column.
    targets: Vec<u32>,
    /// Index of the first edge of each node in `targets`, followed by the number of edges.
    offsets: Vec<u32>,
    /// Per node: whether a path leads to the top row.
    pub(crate) reaches_top: Vec<bool>,
    /// The nodes of row 0.
    starts: Vec<u32>,
}

impl Graph {
    /// Builds the graph of a map. If a cell has two nodes, the second one is ignored.
    ///
    /// With `only_to_top`, edges and starts that do not lead to the top row are omitted.
    pub(crate) fn new(map: &ActMap, only_to_top: bool) -> Graph {
        let (rows, cols) = (usize::from(map.spec.rows()), map.spec.cols());
        let mut nodes: Vec<_> = map
            .nodes
            .iter()
            .filter(|node| usize::from(node.row) < rows && node.col < cols)
            .collect();
        nodes.sort_by_key(|node| node.pos());
        nodes.dedup_by_key(|node| node.pos());
        let positions: Vec<NodePos> = nodes.iter().map(|node| node.pos()).collect();
        let kind_count = map.kinds().len();
        let kinds = nodes
            .iter()
            .map(|node| node.kind.map(|id| id.0).filter(|&kind| usize::from(kind) < kind_count));
        let rows = (0..=rows)
            .map(|row| positions.partition_point(|pos| usize::from(pos.row) < row))
            .collect();
        let mut graph = Graph {
            kinds: kinds.collect(),
            reaches_top: vec![false; positions.len()],
            positions,
            rows,
            targets: Vec::new(),
            offsets: Vec::new(),
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
        graph.reaches_top[top].fill(true);
        // Edges are sorted by their lower end, so the reverse order visits upper rows first.
        for &(lower, upper) in edges.iter().rev() {
            graph.reaches_top[lower as usize] |= graph.reaches_top[upper as usize];
        }
        graph.starts = graph.row(0).map(|node| node as u32).collect();
        if only_to_top {
            edges.retain(|&(_, upper)| graph.reaches_top[upper as usize]);
            graph.starts.retain(|&node| graph.reaches_top[node as usize]);
        }
        graph.targets = edges.iter().map(|&(_, upper)| upper).collect();
        graph.offsets.reserve(graph.positions.len() + 1);
        let mut offset = 0;
        for node in 0..=graph.positions.len() {
            offset +=
                edges[offset..].iter().take_while(|&&(lower, _)| (lower as usize) < node).count();
            graph.offsets.push(offset as u32);
        }
        graph
    }

    /// Returns the index of the top row.
    pub(crate) fn last_row(&self) -> usize {
        self.rows.len().saturating_sub(2)
    }

    /// Returns the nodes of a row.
    pub(crate) fn row(&self, row: usize) -> Range<usize> {
        match (self.rows.get(row), self.rows.get(row + 1)) {
            (Some(&first), Some(&end)) => first..end,
            _ => 0..0,
        }
    }

    /// Returns the node at a position.
    pub(crate) fn find(&self, NodePos { row, col }: NodePos) -> Option<usize> {
        let nodes = self.row(row.into());
        let found = self.positions[nodes.clone()].binary_search_by_key(&col, |pos| pos.col).ok()?;
        Some(nodes.start + found)
    }

    /// Returns the successors of a node, ordered by column. `None` returns the starts.
    pub(crate) fn choices(&self, from: Option<usize>) -> &[u32] {
        match from {
            Some(node) => {
                &self.targets[self.offsets[node] as usize..self.offsets[node + 1] as usize]
            }
            None => &self.starts,
        }
    }

    /// Returns the node at which a query starts; `None` if no route leads from there to the top.
    ///
    /// The inner `None` means below row 0, where every start is a choice.
    pub(crate) fn origin(&self, from: Option<NodePos>) -> Option<Option<usize>> {
        match from {
            Some(pos) => self.find(pos).filter(|&node| self.reaches_top[node]).map(Some),
            None => (!self.starts.is_empty()).then_some(None),
        }
    }

    /// Returns the nodes reachable from `from` in ascending order, including `from`.
    pub(crate) fn reachable(&self, from: Option<usize>) -> impl Iterator<Item = usize> {
        let first = from.unwrap_or(0);
        let mut reached = vec![false; self.positions.len() - first.min(self.positions.len())];
        match from {
            Some(node) => reached[node - first] = true,
            None => self.starts.iter().for_each(|&node| reached[node as usize] = true),
        }
        (first..self.positions.len()).filter(move |&node| {
            if reached[node - first] {
                let choices = self.choices(Some(node)).iter();
                choices.for_each(|&next| reached[next as usize - first] = true);
            }
            reached[node - first]
        })
    }

    /// Counts the paths from a node, or from all starts, to the top.
    pub(crate) fn count(&self, from: Option<usize>) -> RouteCount {
        let lowest = from.map_or(0, |node| usize::from(self.positions[node].row));
        let (mut counts, mut above): (Vec<RouteCount>, Vec<RouteCount>) = (Vec::new(), Vec::new());
        for row in (lowest..=self.last_row()).rev() {
            std::mem::swap(&mut counts, &mut above);
            let nodes = self.row(row);
            if counts.len() < nodes.len() {
                counts.resize_with(nodes.len(), RouteCount::default);
            }
            for (count, node) in counts.iter_mut().zip(nodes.clone()) {
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
            Some(node) => counts.swap_remove(node - self.row(lowest).start),
            None => self.starts.iter().fold(RouteCount::default(), |mut sum, &node| {
                sum.add(&counts[node as usize]);
                sum
            }),
        }
    }

    /// Follows the first accepted choice at every node, up to the top.
    ///
    /// Returns `None` if `accept` rejects all choices of a node.
    pub(crate) fn follow(
        &self,
        from: Option<usize>,
        mut accept: impl FnMut(usize) -> bool,
    ) -> Option<Route> {
        let mut nodes: Vec<usize> = from.into_iter().collect();
        loop {
            let choices = self.choices(nodes.last().copied());
            match choices.iter().map(|&node| node as usize).find(|&node| accept(node)) {
                Some(node) => nodes.push(node),
                None if choices.is_empty() => break,
                None => return None,
            }
        }
        let row = self.positions[*nodes.first()?].row;
        Some(Route { row, cols: nodes.iter().map(|&node| self.positions[node].col).collect() })
    }
}
