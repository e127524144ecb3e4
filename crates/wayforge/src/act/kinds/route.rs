//! Counts of a kind along routes, by dynamic programming over the graph.
//!
//! For a kind with a bound on every route, four numbers stand at each node. Two come from below and follow the search:
//! the most and the least of the kind on any way up to the node. Two come from above and follow from the domains
//! alone: the most that must still come on some way up, and the least that can still come on every way.

use super::spec::{Bounds, Tables};
use crate::act::skeleton::{Skeleton, bits};

/// The counts of one kind at every cell.
#[derive(Clone, Debug, Default)]
pub(super) struct RouteTable {
    bounds: Option<Bounds>,
    /// Whether what comes from above matters: there is a least number, or some node can be of no other kind.
    looks_up: bool,
    /// Most and least on any way from row 0 to the cell, the cell included.
    below: Vec<(u16, u16)>,
    /// Most nodes on any way above that can be of no other kind.
    sure: Vec<u16>,
    /// Least room on any way above: if the cell is of another kind, and if it is of this kind.
    room: Vec<(u16, u16)>,
}

impl RouteTable {
    /// Reads the domains from the top down.
    pub(super) fn prepare(&mut self, bounds: Bounds, tables: &Tables, skeleton: &Skeleton, domain: &[u32]) {
        self.bounds = Some(bounds);
        let cells = domain.len();
        if self.below.len() < cells {
            self.below.resize(cells, (0, 0));
            self.sure.resize(cells, 0);
            self.room.resize(cells, (0, 0));
        }
        let bit = 1 << bounds.kind;
        let pinned = tables.pins.iter().any(|&(_, _, kind)| kind == bounds.kind);
        self.looks_up = bounds.min > 0 || pinned || tables.domain.contains(&bit);
        if !self.looks_up {
            return;
        }
        let apart = tables.no_repeat & bit != 0;
        let top = skeleton.rows() - 1;
        for row in (0..=top).rev() {
            for col in bits(skeleton.nodes(row)) {
                let cell = skeleton.cell(row, col);
                let (mut sure, mut other, mut same) = (0, u16::MAX, u16::MAX);
                for to in bits(if row < top { skeleton.up(cell) } else { 0 }) {
                    let child = skeleton.cell(row + 1, to);
                    let may = domain[child] & bit != 0;
                    let must = domain[child] == bit;
                    sure = sure.max(self.sure[child] + u16::from(must));
                    // Taking the first chance is best on a way, also where two in a row are forbidden.
                    let taken = if may { 1 + self.room[child].1 } else { self.room[child].0 };
                    other = other.min(taken);
                    same = same.min(if apart { self.room[child].0 } else { taken });
                }
                self.sure[cell] = sure;
                self.room[cell] = if row == top { (0, 0) } else { (other, same) };
            }
        }
    }

    /// The kinds that the bounds leave to a cell whose row below is done.
    #[inline]
    pub(super) fn allowed(&self, skeleton: &Skeleton, row: usize, col: u32, cell: usize) -> u32 {
        let Some(bounds) = self.bounds else { return u32::MAX };
        let bit = 1 << bounds.kind;
        let (most, least) = self.up_to(skeleton, row, cell);
        if !self.looks_up {
            return if u32::from(most) < bounds.max { u32::MAX } else { !bit };
        }
        let certain = u32::from(most) + u32::from(self.sure[cell]);
        let (other, same) = self.room[cell];
        let mut allowed = u32::MAX;
        if certain + 1 > bounds.max || u32::from(least) + 1 + u32::from(same) < bounds.min {
            allowed &= !bit;
        }
        if certain > bounds.max || u32::from(least) + u32::from(other) < bounds.min {
            allowed &= bit;
        }
        if bounds.min > 0 && bounds.max < u32::MAX {
            allowed &= self.allowed_beside(skeleton, row, col, cell, (most, least));
        }
        allowed
    }

    /// Ways that meet share all that follows, so their counts may differ by no more than the bounds do. Looks at the
    /// settled nodes of the row that share a child with this one.
    fn allowed_beside(
        &self,
        skeleton: &Skeleton,
        row: usize,
        col: u32,
        cell: usize,
        here: (u16, u16),
    ) -> u32 {
        let Some(bounds) = self.bounds.filter(|_| row + 1 < skeleton.rows()) else { return u32::MAX };
        let apart = bounds.max - bounds.min;
        let bit = 1 << bounds.kind;
        let mut allowed = u32::MAX;
        for to in bits(skeleton.up(cell)) {
            let partners = bits(skeleton.down(skeleton.cell(row + 1, to)) & ((1 << col) - 1));
            let (most, least) = partners.fold((0, u16::MAX), |(most, least), from| {
                let (m, l) = self.below[skeleton.cell(row, from)];
                (most.max(m), least.min(l))
            });
            let fits = |one: u16| u32::from(most.max(here.0 + one) - least.min(here.1 + one)) <= apart;
            allowed &= (if fits(0) { !bit } else { 0 }) | (if fits(1) { bit } else { 0 });
        }
        allowed
    }

    /// How many of the kind are still missing on some way through the cell, and how much room that way has.
    #[inline]
    pub(super) fn missing(&self, skeleton: &Skeleton, row: usize, cell: usize) -> Option<(u8, u32, u32)> {
        let bounds = self.bounds.filter(|bounds| bounds.min > 0)?;
        let (_, least) = self.up_to(skeleton, row, cell);
        let missing = bounds.min.checked_sub(least.into()).filter(|&n| n > 0)?;
        Some((bounds.kind, missing, 1 + u32::from(self.room[cell].1)))
    }

    /// Notes what a cell has become.
    #[inline]
    pub(super) fn settle(&mut self, skeleton: &Skeleton, row: usize, cell: usize, chosen: u32) {
        if let Some(bounds) = self.bounds {
            let (most, least) = self.up_to(skeleton, row, cell);
            let one = (chosen >> bounds.kind & 1) as u16;
            self.below[cell] = (most + one, least + one);
        }
    }

    /// Most and least on any way up to the cell, the cell left out.
    #[inline]
    fn up_to(&self, skeleton: &Skeleton, row: usize, cell: usize) -> (u16, u16) {
        if row == 0 {
            return (0, 0);
        }
        bits(skeleton.down(cell)).fold((0, u16::MAX), |(most, least), from| {
            let (m, l) = self.below[skeleton.cell(row - 1, from)];
            (most.max(m), least.min(l))
        })
    }
}
