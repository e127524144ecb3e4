//! Skeleton of an act map: nodes and edges without kinds, as bit masks.
//!
//! The walks and rows rulesets build one. A row has at most 64 columns, so the nodes of a row and
//! the neighbours of a node above and below are one word each.

use super::{Edge, KindId, Node};
use std::hint::select_unpredictable;

/// Nodes and edges under construction. Reuses its memory after [`reset`](Self::reset).
#[derive(Clone, Debug, Default)]
pub(super) struct Skeleton {
    pub(super) rows: usize,
    cols: usize,
    /// Per row: the columns with nodes.
    pub(super) nodes: Vec<u64>,
    /// Per cell: the columns of its successors. Unspecified for cells without a node.
    pub(super) up: Vec<u64>,
    /// Per cell: the columns of its predecessors, after [`link_down`](Self::link_down).
    pub(super) down: Vec<u64>,
}

/// Nodes and outgoing edges of one row.
#[derive(Clone, Copy)]
pub(super) struct RowView<'a> {
    nodes: u64,
    up: &'a [u64],
}

impl Skeleton {
    /// Removes all nodes and edges and sets the size of the grid.
    pub(super) fn reset(&mut self, rows: usize, cols: usize) {
        (self.rows, self.cols) = (rows, cols);
        self.nodes.clear();
        self.nodes.resize(rows, 0);
        // Old edges need no clearing here, because adding a node clears its edges.
        if self.up.len() < rows * cols {
            self.up.resize(rows * cols, 0);
            self.down.resize(rows * cols, 0);
        }
    }

    /// Returns the number of cells of the grid.
    pub(super) fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// Returns the index of a cell in flat arrays.
    #[inline]
    pub(super) fn cell(&self, row: usize, col: u32) -> usize {
        row * self.cols + col as usize
    }

    /// Computes the predecessors of each node from the successors.
    pub(super) fn link_down(&mut self) {
        for row in 0..self.rows - 1 {
            let above = (row + 1) * self.cols;
            bits(self.nodes[row + 1]).for_each(|col| self.down[above + col as usize] = 0);
            for col in bits(self.nodes[row]) {
                for to in bits(self.up[row * self.cols + col as usize]) {
                    self.down[above + to as usize] |= 1 << col;
                }
            }
        }
    }

    /// Writes all nodes and edges in sorted order. `kind_at` returns the kind of the node in a
    /// cell.
    #[inline]
    pub(super) fn copy_to_map(
        &self,
        nodes: &mut Vec<Node>,
        edges: &mut Vec<Edge>,
        kind_at: impl Fn(usize) -> Option<KindId>,
    ) {
        // Writing into a resized vector is faster than pushing.
        let count = self.nodes.iter().map(|row| row.count_ones() as usize).sum();
        nodes.resize(count, Node { row: 0, col: 0, kind: None });
        edges.clear();
        edges.reserve(2 * count);
        let mut slots = nodes.iter_mut();
        for (row, view) in self.row_views().enumerate() {
            // `up` is unspecified on the top row.
            let mask = if row + 1 < self.rows { u64::MAX } else { 0 };
            for (col, slot) in bits(view.nodes).zip(&mut slots) {
                *slot =
                    Node { row: row as u16, col: col as u16, kind: kind_at(self.cell(row, col)) };
                for to in bits(view.up[col as usize] & mask) {
                    edges.push(Edge { row: row as u16, from: col as u16, to: to as u16 });
                }
            }
        }
    }

    /// Iterates over the rows from the bottom up.
    #[inline]
    pub(super) fn row_views(&self) -> impl Iterator<Item = RowView<'_>> {
        let up = self.up.chunks_exact(self.cols);
        self.nodes.iter().zip(up).map(|(&nodes, up)| RowView { nodes, up })
    }

    /// Returns one row.
    pub(super) fn row_view(&self, row: usize) -> RowView<'_> {
        RowView { nodes: self.nodes[row], up: &self.up[row * self.cols..(row + 1) * self.cols] }
    }

    /// Sets the nodes of row 0. [`set_edges`](Self::set_edges) sets those of the other rows.
    pub(super) fn set_bottom(&mut self, cols: &[u8]) {
        self.nodes[0] = cols.iter().fold(0, |mask, &col| mask | 1 << col);
        cols.iter().for_each(|&col| self.up[usize::from(col)] = 0);
    }

    /// Sets all edges from `row` to the next row, and the nodes of the next row.
    ///
    /// Edge `i` leads from column `from[i]` to column `to[i]`. Edges may be listed twice.
    #[inline]
    pub(super) fn set_edges(&mut self, row: usize, from: &[u8], to: &[u8]) {
        let (lower, upper) =
            self.up[row * self.cols..(row + 2) * self.cols].split_at_mut(self.cols);
        let mut nodes = 0;
        for (&from, &to) in from.iter().zip(to) {
            lower[usize::from(from)] |= 1 << to;
            upper[usize::from(to)] = 0;
            nodes |= 1 << to;
        }
        self.nodes[row + 1] = nodes;
    }

    /// Adds the nodes and edges of a walk, given as columns row by row.
    #[inline]
    pub(super) fn add_walk(&mut self, path: &[u16]) {
        let mut rows = self.up.chunks_exact_mut(self.cols).zip(&mut self.nodes).zip(path);
        let Some(((up, nodes), &first)) = rows.next() else { return };
        let mut lower = add_node(up, nodes, first);
        for ((up, nodes), &to) in rows {
            *lower |= 1 << to;
            lower = add_node(up, nodes, to);
        }
    }
}

/// Adds a node to a row if it is missing, and returns its successors.
#[inline]
fn add_node<'a>(up: &'a mut [u64], nodes: &mut u64, col: u16) -> &'a mut u64 {
    let successors = &mut up[usize::from(col)];
    if *nodes >> col & 1 == 0 {
        *successors = 0;
        *nodes |= 1 << col;
    }
    successors
}

impl RowView<'_> {
    /// Returns the columns that an edge from `col` may reach without crossing an existing edge.
    ///
    /// Uncrossed edges have the same order at both ends, so only the nearest node on either side
    /// matters. Its outermost target bounds the result. Branches would be mispredicted here, so the
    /// code uses conditional moves.
    #[inline]
    pub(super) fn uncrossed(self, col: u32) -> u64 {
        let left = self.nodes & !(u64::MAX << col);
        let right = self.nodes & (u64::MAX - 1) << col;
        let nearest_left = 63 - (left | 1).leading_zeros() as usize;
        let nearest_right = ((right | 1 << 63).trailing_zeros() as usize).min(self.up.len() - 1);
        let (up_left, up_right) = (self.up[nearest_left], self.up[nearest_right]);
        let from_left = u64::MAX << (63 - (up_left | 1).leading_zeros());
        let from_right = up_right ^ up_right.wrapping_sub(1);
        select_unpredictable(left == 0, u64::MAX, from_left)
            & select_unpredictable(right == 0, u64::MAX, from_right)
    }
}

/// Iterates over the set bits of a mask, lowest first.
#[inline]
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros();
            mask &= mask - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uncrossed_agrees_with_the_definition_of_a_crossing() {
        // Adds random uncrossed edges between two rows of five columns.
        let mut rng = wayforge_core::MapRng::from_u64(1);
        for _ in 0..2_000 {
            let mut skeleton = Skeleton::default();
            skeleton.reset(2, 5);
            let mut edges: Vec<(u32, u32)> = Vec::new();
            for _ in 0..8 {
                let from = rng.below(5);
                let crosses = |to: u32| {
                    edges.iter().any(|&(a, b)| (a < from && b > to) || (a > from && b < to))
                };
                let allowed = (0..5).filter(|&to| !crosses(to)).fold(0, |mask, to| mask | 1 << to);
                assert_eq!(
                    skeleton.row_views().next().unwrap().uncrossed(from) & 0b11111,
                    allowed,
                    "{edges:?} from {from}"
                );
                if let Some(to) = rng.choose_bit(allowed) {
                    skeleton.add_walk(&[from as u16, to as u16]);
                    edges.push((from, to));
                }
            }
        }
    }

    #[test]
    fn uncrossed_handles_columns_0_and_63() {
        let mut skeleton = Skeleton::default();
        skeleton.reset(2, 64);
        let uncrossed =
            |skeleton: &Skeleton, col| skeleton.row_views().next().unwrap().uncrossed(col);
        assert_eq!((uncrossed(&skeleton, 0), uncrossed(&skeleton, 63)), (u64::MAX, u64::MAX));
        skeleton.add_walk(&[63, 63]);
        assert_eq!((uncrossed(&skeleton, 0), uncrossed(&skeleton, 63)), (u64::MAX, u64::MAX));
        skeleton.add_walk(&[0, 0]);
        assert_eq!((uncrossed(&skeleton, 0), uncrossed(&skeleton, 63)), (u64::MAX, u64::MAX));
    }
}
