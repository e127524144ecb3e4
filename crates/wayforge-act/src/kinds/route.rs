//! Counts of a kind along routes, by dynamic programming over the graph.
//!
//! For a kind with a bound on every route, four numbers stand at each node. Two come from below and follow the search:
//! the most and the least of the kind on any way up to the node. Two come from above and follow from the domains
//! alone: the most that must still come on some way up, and the least that can still come on every way.

use super::spec::{Bounds, Tables};
use crate::skeleton::{Skeleton, bits};

/// The counts of one kind at every cell.
#[derive(Clone, Debug, Default)]
pub(super) struct RouteTable {
    bounds: Bounds,
    /// Whether what comes from above matters: there is a least number, or some node can be of no other kind.
    looks_up: bool,
    /// Most and least on any way from row 0 to the cell, the cell included.
    below: Vec<(u16, u16)>,
    /// Most nodes on any way above that can be of no other kind.
    sure: Vec<u16>,
    /// At most how many can come on every way above: if the cell is of another kind, and if it is of this kind.
    room: Vec<(i32, i32)>,
}

/// Room where the rules leave none: no number of kinds to come makes up for it.
const NO_ROOM: i32 = -1_000_000;

impl RouteTable {
    /// Reads the domains from the top down.
    pub(super) fn prepare(&mut self, bounds: Bounds, tables: &Tables, skeleton: &Skeleton, domain: &[u32]) {
        self.bounds = bounds;
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
        let top = skeleton.rows - 1;
        for row in (0..=top).rev() {
            let one_child = row < top && tables.siblings[row + 1] & bit != 0;
            for col in bits(skeleton.nodes[row]) {
                let cell = skeleton.cell(row, col);
                let (mut sure, mut room) = (0, Room::default());
                for to in bits(if row < top { skeleton.up[cell] } else { 0 }) {
                    let child = skeleton.cell(row + 1, to);
                    sure = sure.max(self.sure[child] + u16::from(domain[child] == bit));
                    let (other, same) = self.room[child];
                    let with = if domain[child] & bit != 0 { 1 + same } else { NO_ROOM };
                    let without = if domain[child] & !bit != 0 { other } else { NO_ROOM };
                    room.add(with, without);
                }
                self.sure[cell] = sure;
                self.room[cell] = match row == top {
                    true => (0, 0),
                    false => (room.free(one_child), if apart { room.without } else { room.free(one_child) }),
                };
            }
        }
    }

    /// The kinds that the bounds leave to a cell whose row below is done.
    #[inline]
    pub(super) fn allowed(&self, skeleton: &Skeleton, row: usize, col: u32, cell: usize) -> u32 {
        let Bounds { kind, min, max } = self.bounds;
        let bit = 1 << kind;
        let (most, least) = self.up_to(skeleton, row, cell);
        if !self.looks_up {
            return if u32::from(most) < max { u32::MAX } else { !bit };
        }
        let certain = u32::from(most) + u32::from(self.sure[cell]);
        let (other, same) = self.room[cell];
        let mut allowed = u32::MAX;
        let least = i32::from(least);
        if certain + 1 > max || least + 1 + same < min as i32 {
            allowed &= !bit;
        }
        if certain > max || least + other < min as i32 {
            allowed &= bit;
        }
        if min > 0 && max < u32::MAX && row + 1 < skeleton.rows {
            allowed &= self.allowed_beside(skeleton, row, col, cell, (most, least as u16));
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
        let apart = self.bounds.max - self.bounds.min;
        let bit = 1 << self.bounds.kind;
        let mut allowed = u32::MAX;
        for to in bits(skeleton.up[cell]) {
            let partners = skeleton.down[skeleton.cell(row + 1, to)] & ((1 << col) - 1);
            let (most, least) = self.over(skeleton, row, partners);
            let fits = |one: u16| u32::from(most.max(here.0 + one) - least.min(here.1 + one)) <= apart;
            allowed &= (if fits(0) { !bit } else { 0 }) | (if fits(1) { bit } else { 0 });
        }
        allowed
    }

    /// How many of the kind are still missing on some way through the cell, and how much room that way has.
    #[inline]
    pub(super) fn missing(&self, skeleton: &Skeleton, row: usize, cell: usize) -> Option<(u8, u32, u32)> {
        if self.bounds.min == 0 {
            return None;
        }
        let (_, least) = self.up_to(skeleton, row, cell);
        let missing = self.bounds.min.checked_sub(least.into()).filter(|&n| n > 0)?;
        Some((self.bounds.kind, missing, 1 + self.room[cell].1.max(0) as u32))
    }

    /// Notes what a cell has become.
    #[inline]
    pub(super) fn settle(&mut self, skeleton: &Skeleton, row: usize, cell: usize, chosen: u32) {
        let (most, least) = self.up_to(skeleton, row, cell);
        let one = (chosen >> self.bounds.kind & 1) as u16;
        self.below[cell] = (most + one, least + one);
    }

    /// Most and least on any way up to the cell, the cell left out.
    #[inline]
    fn up_to(&self, skeleton: &Skeleton, row: usize, cell: usize) -> (u16, u16) {
        if row == 0 { (0, 0) } else { self.over(skeleton, row - 1, skeleton.down[cell]) }
    }

    /// Most and least on any path up to one of the columns of a row.
    #[inline]
    fn over(&self, skeleton: &Skeleton, row: usize, cols: u64) -> (u16, u16) {
        bits(cols).fold((0, u16::MAX), |(most, least), col| {
            let (m, l) = self.below[skeleton.cell(row, col)];
            (most.max(m), least.min(l))
        })
    }
}

/// What the children of a node leave room for.
struct Room {
    /// Over all children, each at its best.
    best: i32,
    /// Over all children, none of this kind.
    without: i32,
    /// The least of `without`'s children at its best, and the least of the others.
    worst_at_best: i32,
    others: i32,
}

impl Default for Room {
    fn default() -> Room {
        Room { best: i32::MAX, without: i32::MAX, worst_at_best: i32::MAX, others: i32::MAX }
    }
}

impl Room {
    /// Adds a child: how many can come if it is of this kind, and if it is of another.
    fn add(&mut self, with: i32, without: i32) {
        let best = with.max(without);
        self.best = self.best.min(best);
        if without < self.without {
            self.others = self.without;
            self.without = without;
            self.worst_at_best = best;
        } else {
            self.others = self.others.min(without);
        }
    }

    /// The room below these children. If only one of them may be of this kind, it had better be the one that is worst off
    /// without.
    fn free(&self, one_child: bool) -> i32 {
        if one_child { self.without.max(self.worst_at_best.min(self.others)) } else { self.best }
    }
}
