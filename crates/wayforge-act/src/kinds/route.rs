//! Bounds propagation for counts of a kind along routes, by dynamic programming over the graph.
//!
//! Each node has four numbers per bounded kind. Two depend on the kinds assigned below: the maximum
//! and the minimum count on any path up to the node. Two depend only on the domains above: the
//! largest forced count on any path to the top, and the largest count that is possible on every
//! path.

use super::spec::{Bounds, Tables};
use crate::skeleton::{Skeleton, bits};

/// Counts of one kind at every cell.
#[derive(Clone, Debug, Default)]
pub(super) struct RouteTable {
    bounds: Bounds,
    /// Whether the rows above matter: there is a minimum, or some node can be of no other kind.
    uses_rows_above: bool,
    /// Maximum and minimum count on any path from row 0 to the cell, inclusive.
    below: Vec<(u16, u16)>,
    /// Maximum number of nodes on any path above that can be of no other kind.
    forced: Vec<u16>,
    /// Largest count that is possible on every path above at once: if the cell is of another kind,
    /// and if it is of this kind.
    capacity: Vec<(i32, i32)>,
}

/// Capacity of an infeasible choice: far below any minimum.
const INFEASIBLE: i32 = -1_000_000;

impl RouteTable {
    /// Computes `forced` and `capacity` from the domains, from the top down.
    pub(super) fn prepare(
        &mut self,
        bounds: Bounds,
        tables: &Tables,
        skeleton: &Skeleton,
        domain: &[u32],
    ) {
        self.bounds = bounds;
        let cells = domain.len();
        if self.below.len() < cells {
            self.below.resize(cells, (0, 0));
            self.forced.resize(cells, 0);
            self.capacity.resize(cells, (0, 0));
        }
        let bit = 1 << bounds.kind;
        let pinned = tables.pins.iter().any(|&(_, _, kind)| kind == bounds.kind);
        self.uses_rows_above = bounds.min > 0 || pinned || tables.domain.contains(&bit);
        if !self.uses_rows_above {
            return;
        }
        let no_repeat = tables.no_repeat & bit != 0;
        let top = skeleton.rows - 1;
        for row in (0..=top).rev() {
            let siblings_differ = row < top && tables.siblings[row + 1] & bit != 0;
            for col in bits(skeleton.nodes[row]) {
                let cell = skeleton.cell(row, col);
                let (mut forced, mut children) = (0, Children::default());
                for to in bits(if row < top { skeleton.up[cell] } else { 0 }) {
                    let child = skeleton.cell(row + 1, to);
                    forced = forced.max(self.forced[child] + u16::from(domain[child] == bit));
                    let (other, same) = self.capacity[child];
                    let with = if domain[child] & bit != 0 { 1 + same } else { INFEASIBLE };
                    let without = if domain[child] & !bit != 0 { other } else { INFEASIBLE };
                    children.add(with, without);
                }
                self.forced[cell] = forced;
                self.capacity[cell] = if row == top {
                    (0, 0)
                } else {
                    let any = children.capacity(siblings_differ);
                    (any, if no_repeat { children.without } else { any })
                };
            }
        }
    }

    /// Returns the kinds that the bounds allow for a cell whose parents are assigned.
    #[inline]
    pub(super) fn allowed(&self, skeleton: &Skeleton, row: usize, col: u32, cell: usize) -> u32 {
        let Bounds { kind, min, max } = self.bounds;
        let bit = 1 << kind;
        let (max_below, min_below) = self.up_to(skeleton, row, cell);
        if !self.uses_rows_above {
            return if u32::from(max_below) < max { u32::MAX } else { !bit };
        }
        let unavoidable = u32::from(max_below) + u32::from(self.forced[cell]);
        let (other, same) = self.capacity[cell];
        let mut allowed = u32::MAX;
        let min_below = i32::from(min_below);
        if unavoidable + 1 > max || min_below + 1 + same < min as i32 {
            allowed &= !bit;
        }
        if unavoidable > max || min_below + other < min as i32 {
            allowed &= bit;
        }
        if min > 0 && max < u32::MAX && row + 1 < skeleton.rows {
            allowed &= self.allowed_beside(skeleton, row, col, cell, (max_below, min_below as u16));
        }
        allowed
    }

    /// Returns the kinds that are compatible with the assigned nodes of the row that share a child
    /// with the cell.
    ///
    /// Paths that meet have the same continuations, so their counts differ by at most `max - min`.
    fn allowed_beside(
        &self,
        skeleton: &Skeleton,
        row: usize,
        col: u32,
        cell: usize,
        (max_below, min_below): (u16, u16),
    ) -> u32 {
        let max_difference = self.bounds.max - self.bounds.min;
        let bit = 1 << self.bounds.kind;
        let mut allowed = u32::MAX;
        for to in bits(skeleton.up[cell]) {
            let partners = skeleton.down[skeleton.cell(row + 1, to)] & ((1 << col) - 1);
            let (max, min) = self.range_over(skeleton, row, partners);
            let fits = |own: u16| {
                u32::from(max.max(max_below + own) - min.min(min_below + own)) <= max_difference
            };
            allowed &= (if fits(0) { !bit } else { 0 }) | (if fits(1) { bit } else { 0 });
        }
        allowed
    }

    /// Returns the kind, the number of its nodes that the worst path up to the cell still lacks,
    /// and the number that is still possible on every path from the cell up.
    ///
    /// `None` if every path up to the cell already has the minimum.
    #[inline]
    pub(super) fn missing(
        &self,
        skeleton: &Skeleton,
        row: usize,
        cell: usize,
    ) -> Option<(u8, u32, u32)> {
        if self.bounds.min == 0 {
            return None;
        }
        let (_, min_below) = self.up_to(skeleton, row, cell);
        let missing = self.bounds.min.checked_sub(min_below.into()).filter(|&n| n > 0)?;
        Some((self.bounds.kind, missing, 1 + self.capacity[cell].1.max(0) as u32))
    }

    /// Records the kind assigned to a cell.
    #[inline]
    pub(super) fn assign(&mut self, skeleton: &Skeleton, row: usize, cell: usize, chosen: u32) {
        let (max, min) = self.up_to(skeleton, row, cell);
        let own = (chosen >> self.bounds.kind & 1) as u16;
        self.below[cell] = (max + own, min + own);
    }

    /// Returns maximum and minimum on any path up to the cell, exclusive.
    #[inline]
    fn up_to(&self, skeleton: &Skeleton, row: usize, cell: usize) -> (u16, u16) {
        if row == 0 { (0, 0) } else { self.range_over(skeleton, row - 1, skeleton.down[cell]) }
    }

    /// Returns maximum and minimum on any path up to one of the columns of a row, inclusive.
    #[inline]
    fn range_over(&self, skeleton: &Skeleton, row: usize, cols: u64) -> (u16, u16) {
        bits(cols).fold((0, u16::MAX), |(max, min), col| {
            let (cell_max, cell_min) = self.below[skeleton.cell(row, col)];
            (max.max(cell_max), min.min(cell_min))
        })
    }
}

/// Minimum capacities over the children of a node.
struct Children {
    /// Minimum over the children of the higher of their two capacities.
    best: i32,
    /// Minimum over the children if no child is of this kind.
    without: i32,
    /// Higher capacity of the child that attains `without`.
    weakest_child: i32,
    /// Minimum over the other children if they are not of this kind.
    others: i32,
}

impl Default for Children {
    fn default() -> Children {
        Children { best: i32::MAX, without: i32::MAX, weakest_child: i32::MAX, others: i32::MAX }
    }
}

impl Children {
    /// Adds a child with its capacity if it is of this kind, and if it is of another.
    fn add(&mut self, with: i32, without: i32) {
        let best = with.max(without);
        self.best = self.best.min(best);
        if without < self.without {
            self.others = self.without;
            self.without = without;
            self.weakest_child = best;
        } else {
            self.others = self.others.min(without);
        }
    }

    /// Returns the largest count that is possible on all paths through the children.
    ///
    /// If siblings must differ, only one child may be of this kind. The best choice is the child
    /// with the lowest capacity without it.
    fn capacity(&self, siblings_differ: bool) -> i32 {
        if siblings_differ {
            self.without.max(self.weakest_child.min(self.others))
        } else {
            self.best
        }
    }
}
