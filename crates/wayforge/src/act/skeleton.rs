//! The skeleton of an act map: which cells hold nodes and which edges join them, as bit masks.
//!
//! Every ruleset builds one; kinds and the finished map are read from it. A row has at most 64 columns, so its
//! nodes, and a node's neighbours above and below, are one word each.

/// Nodes and edges under construction. Reset it and use it again: it keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Skeleton {
    rows: usize,
    cols: usize,
    nodes: Vec<u64>,
    up: Vec<u64>,
    down: Vec<u64>,
}

impl Skeleton {
    /// Forgets everything and takes the size of a new map.
    pub(super) fn reset(&mut self, rows: usize, cols: usize) {
        (self.rows, self.cols) = (rows, cols);
        self.nodes.clear();
        self.nodes.resize(rows, 0);
        // Old neighbours need no clearing: a cell is only read after `add_node` has emptied it.
        if self.up.len() < rows * cols {
            self.up.resize(rows * cols, 0);
            self.down.resize(rows * cols, 0);
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// How many cells the grid has.
    pub(super) fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// The columns of `row` that hold nodes.
    #[inline]
    pub(super) fn nodes(&self, row: usize) -> u64 {
        self.nodes[row]
    }

    /// The number that stands for a cell in flat arrays.
    #[inline]
    pub(super) fn cell(&self, row: usize, col: u32) -> usize {
        row * self.cols + col as usize
    }

    /// The columns of the next row that a node leads to. Without a node at `cell` the answer means nothing.
    #[inline]
    pub(super) fn up(&self, cell: usize) -> u64 {
        self.up[cell]
    }

    /// The columns of the row below that lead to a node. Without a node at `cell` the answer means nothing.
    #[inline]
    pub(super) fn down(&self, cell: usize) -> u64 {
        self.down[cell]
    }

    /// Puts a node on a cell, if there is none.
    #[inline]
    pub(super) fn add_node(&mut self, row: usize, col: u32) {
        let cell = self.cell(row, col);
        let bit = 1 << col;
        let kept = if self.nodes[row] & bit == 0 { 0 } else { u64::MAX };
        self.nodes[row] |= bit;
        self.up[cell] &= kept;
        self.down[cell] &= kept;
    }

    /// Joins two nodes that are there; joining them again changes nothing.
    #[inline]
    pub(super) fn add_edge(&mut self, row: usize, from: u32, to: u32) {
        let (lower, upper) = (self.cell(row, from), self.cell(row + 1, to));
        self.up[lower] |= 1 << to;
        self.down[upper] |= 1 << from;
    }

    /// The columns of `row + 1` that an edge from `col` may reach without crossing an edge that is there.
    ///
    /// Edges without crossings are ordered like their ends, so only the nearest node on either side matters: its
    /// outermost target bounds all others on that side. The reads are masked rather than branched on, because
    /// which sides are occupied is as good as random.
    #[inline]
    pub(super) fn uncrossed(&self, row: usize, col: u32) -> u64 {
        let base = row * self.cols;
        let nodes = self.nodes[row];
        let left = nodes & ((1 << col) - 1);
        let right = nodes & (u64::MAX - 1) << col;
        let nearest_left = 63 - (left | 1).leading_zeros();
        let nearest_right = (right | 1 << 63).trailing_zeros().min(self.cols as u32 - 1);
        let highest = 63 - (self.up[base + nearest_left as usize] | 1).leading_zeros();
        let lowest = self.up[base + nearest_right as usize].trailing_zeros() & 63;
        let from_left = if left == 0 { u64::MAX } else { u64::MAX << highest };
        let from_right = if right == 0 { u64::MAX } else { (2_u64 << lowest).wrapping_sub(1) };
        from_left & from_right
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
        let mut rng = crate::MapRng::from_u64(1);
        for _ in 0..2_000 {
            let mut skeleton = Skeleton::default();
            skeleton.reset(2, 5);
            let mut edges: Vec<(u32, u32)> = Vec::new();
            for _ in 0..8 {
                let from = rng.below(5);
                let crosses =
                    |to: u32| edges.iter().any(|&(a, b)| (a < from && b > to) || (a > from && b < to));
                let allowed = (0..5).filter(|&to| !crosses(to)).fold(0, |mask, to| mask | 1 << to);
                assert_eq!(skeleton.uncrossed(0, from) & 0b11111, allowed, "{edges:?} from {from}");
                if let Some(to) = rng.bit(allowed) {
                    skeleton.add_node(0, from);
                    skeleton.add_node(1, to);
                    skeleton.add_edge(0, from, to);
                    edges.push((from, to));
                }
            }
        }
    }

    #[test]
    fn columns_at_the_word_edge_do_not_overflow() {
        let mut skeleton = Skeleton::default();
        skeleton.reset(2, 64);
        assert_eq!((skeleton.uncrossed(0, 0), skeleton.uncrossed(0, 63)), (u64::MAX, u64::MAX));
        skeleton.add_node(0, 63);
        skeleton.add_node(1, 63);
        skeleton.add_edge(0, 63, 63);
        assert_eq!(skeleton.uncrossed(0, 0), u64::MAX);
        assert_eq!(skeleton.uncrossed(0, 63), u64::MAX);
    }
}
