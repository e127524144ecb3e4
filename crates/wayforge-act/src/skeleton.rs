//! The skeleton of an act map: which cells hold nodes and which edges join them, as bit masks.
//!
//! Every ruleset builds one; kinds and the finished map are read from it. A row has at most 64 columns, so its
//! nodes, and a node's neighbours above and below, are one word each.

use super::{Edge, KindId, Node};
use std::hint::select_unpredictable;

/// Nodes and edges under construction. Reset it and use it again: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Skeleton {
    pub(super) rows: usize,
    cols: usize,
    /// Per row, the columns that hold nodes.
    pub(super) nodes: Vec<u64>,
    /// Per cell, the columns of the next row and, after [`link_down`](Self::link_down), of the row below that its node is
    /// joined to. Without a node at a cell they mean nothing.
    pub(super) up: Vec<u64>,
    pub(super) down: Vec<u64>,
}

/// One row as a climbing walk sees it.
#[derive(Clone, Copy)]
pub(super) struct RowView<'a> {
    nodes: u64,
    up: &'a [u64],
}

impl Skeleton {
    /// Forgets everything and takes the size of a new map.
    pub(super) fn reset(&mut self, rows: usize, cols: usize) {
        (self.rows, self.cols) = (rows, cols);
        self.nodes.clear();
        self.nodes.resize(rows, 0);
        // Old joints need no clearing: a cell is only read after its node was set, which empties it.
        if self.up.len() < rows * cols {
            self.up.resize(rows * cols, 0);
            self.down.resize(rows * cols, 0);
        }
    }

    /// How many cells the grid has.
    pub(super) fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// The number that stands for a cell in flat arrays.
    #[inline]
    pub(super) fn cell(&self, row: usize, col: u32) -> usize {
        row * self.cols + col as usize
    }

    /// Finds what leads to each node; until then the skeleton only knows what it leads to.
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

    /// Writes all nodes and edges in order.
    #[inline]
    pub(super) fn read_off(
        &self,
        nodes: &mut Vec<Node>,
        edges: &mut Vec<Edge>,
        kind_at: impl Fn(usize) -> Option<KindId>,
    ) {
        // As many nodes as there can be, written in place and cut to their number: cheaper than asking for room each time.
        let most = self.nodes.iter().map(|row| row.count_ones() as usize).sum();
        nodes.resize(most, Node { row: 0, col: 0, kind: None });
        edges.clear();
        edges.reserve(2 * most);
        let mut slots = nodes.iter_mut();
        for (row, view) in self.row_views().enumerate() {
            let above = if row + 1 < self.rows { u64::MAX } else { 0 };
            for (col, slot) in bits(view.nodes).zip(&mut slots) {
                *slot = Node { row: row as u16, col: col as u16, kind: kind_at(self.cell(row, col)) };
                for to in bits(view.up[col as usize] & above) {
                    edges.push(Edge { row: row as u16, from: col as u16, to: to as u16 });
                }
            }
        }
    }

    /// The rows from the bottom up.
    #[inline]
    pub(super) fn row_views(&self) -> impl Iterator<Item = RowView<'_>> {
        let up = self.up.chunks_exact(self.cols);
        self.nodes.iter().zip(up).map(|(&nodes, up)| RowView { nodes, up })
    }

    /// One row.
    pub(super) fn row_view(&self, row: usize) -> RowView<'_> {
        RowView { nodes: self.nodes[row], up: &self.up[row * self.cols..(row + 1) * self.cols] }
    }

    /// Sets the nodes of row 0; those above follow from their edges.
    pub(super) fn set_bottom(&mut self, cols: &[u8]) {
        self.nodes[0] = cols.iter().fold(0, |mask, &col| mask | 1 << col);
        cols.iter().for_each(|&col| self.up[usize::from(col)] = 0);
    }

    /// Sets all edges between `row`, whose nodes are set, and the next row, whose nodes follow: one edge from each of
    /// `from` to the column beside it in `to`; some may be the same.
    #[inline]
    pub(super) fn set_edges(&mut self, row: usize, from: &[u8], to: &[u8]) {
        let (lower, upper) = self.up[row * self.cols..(row + 2) * self.cols].split_at_mut(self.cols);
        let mut nodes = 0;
        for (&from, &to) in from.iter().zip(to) {
            lower[usize::from(from)] |= 1 << to;
            upper[usize::from(to)] = 0;
            nodes |= 1 << to;
        }
        self.nodes[row + 1] = nodes;
    }

    /// Puts the nodes and edges of a walk on the grid, given as its columns row by row.
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

#[inline]
fn add_node<'a>(up: &'a mut [u64], nodes: &mut u64, col: u16) -> &'a mut u64 {
    let joint = &mut up[usize::from(col)];
    if *nodes >> col & 1 == 0 {
        *joint = 0;
        *nodes |= 1 << col;
    }
    joint
}

impl RowView<'_> {
    /// The columns of the next row that an edge from `col` may reach without crossing an edge that is there.
    ///
    /// Edges without crossings are ordered like their ends, so only the nearest node on either side matters: its
    /// outermost target bounds all others on that side. The reads are selected rather than branched on, because
    /// which sides are occupied is as good as random.
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

/// The set bits of a mask, lowest first.
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
    fn uncrossed_is_the_documents_inversion_rule() {
        // All sets of uncrossed edges between two rows of five columns, built in every order of one random walk.
        let mut rng = wayforge_core::MapRng::from_u64(1);
        for _ in 0..2_000 {
            let mut skeleton = Skeleton::default();
            skeleton.reset(2, 5);
            let mut edges: Vec<(u32, u32)> = Vec::new();
            for _ in 0..8 {
                let from = rng.below(5);
                let crosses =
                    |to: u32| edges.iter().any(|&(a, b)| (a < from && b > to) || (a > from && b < to));
                let allowed = (0..5).filter(|&to| !crosses(to)).fold(0, |mask, to| mask | 1 << to);
                assert_eq!(
                    skeleton.row_views().next().unwrap().uncrossed(from) & 0b11111,
                    allowed,
                    "{edges:?} from {from}"
                );
                if let Some(to) = rng.bit(allowed) {
                    skeleton.add_walk(&[from as u16, to as u16]);
                    edges.push((from, to));
                }
            }
        }
    }

    #[test]
    fn columns_at_the_word_edge_do_not_overflow() {
        let mut skeleton = Skeleton::default();
        skeleton.reset(2, 64);
        let uncrossed = |skeleton: &Skeleton, col| skeleton.row_views().next().unwrap().uncrossed(col);
        assert_eq!((uncrossed(&skeleton, 0), uncrossed(&skeleton, 63)), (u64::MAX, u64::MAX));
        skeleton.add_walk(&[63, 63]);
        assert_eq!((uncrossed(&skeleton, 0), uncrossed(&skeleton, 63)), (u64::MAX, u64::MAX));
        skeleton.add_walk(&[0, 0]);
        assert_eq!((uncrossed(&skeleton, 0), uncrossed(&skeleton, 63)), (u64::MAX, u64::MAX));
    }
}
