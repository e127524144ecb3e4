//! Lists of edges in one piece of memory. A list that grows moves to the end with room to spare, so that the next changes
//! move nothing.

use super::cone::Met;
use super::graph::Spots;

/// The lists of all nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    lists: Vec<List>,
    edges: Vec<Edge>,
    /// Edges that no list uses.
    wasted: usize,
}

/// Where a node's edges stand, in the order of their major steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    start: u32,
    len: u32,
    room: u32,
    /// How many edits it knows of, [`OWED`] or [`NEVER`].
    pub(super) seen: u32,
    /// Major steps into the quadrant, as the cone counts them.
    pub(super) reach: u16,
}

/// A node that another leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) node: u32,
    pub(super) slant: u16,
    pub(super) straight: u16,
}

/// A list that was not worked out yet.
pub(super) const NEVER: u32 = u32::MAX;
/// A list that is waiting to be worked out.
pub(super) const OWED: u32 = u32::MAX - 1;

impl List {
    const NONE: List = List { start: 0, len: 0, room: 0, seen: NEVER, reach: 0 };

    /// True if it was worked out.
    #[inline]
    pub(super) fn is_known(&self) -> bool {
        self.seen < OWED
    }

    /// The places of its edges.
    #[inline]
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

impl Edge {
    #[inline]
    pub(super) fn to(spots: &mut Spots, met: Met) -> Edge {
        let node = 4 * spots.number(met.pos) + u32::from(met.quadrant.0);
        Edge { node, slant: met.slant, straight: met.straight }
    }
}

impl Lists {
    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    #[inline]
    pub(super) fn get(&self, node: u32) -> List {
        self.lists.get(node as usize).copied().unwrap_or(List::NONE)
    }

    #[inline]
    pub(super) fn edge(&self, at: usize) -> Edge {
        self.edges[at]
    }

    /// Notes how many edits a list knows of.
    pub(super) fn set_seen(&mut self, node: u32, seen: u32) {
        self.make_place(node);
        self.lists[node as usize].seen = seen;
    }

    /// Notes how far a list's major steps lead.
    pub(super) fn set_reach(&mut self, node: u32, reach: u16) {
        self.lists[node as usize].reach = reach;
    }

    /// Keeps a new list.
    pub(super) fn put(&mut self, node: u32, reach: u16, seen: u32, new: &[Edge]) {
        self.make_place(node);
        self.wasted += self.lists[node as usize].room as usize;
        let (start, len) = (self.edges.len() as u32, new.len() as u32);
        self.edges.extend_from_slice(new);
        self.lists[node as usize] = List { start, len, room: len, seen, reach };
    }

    /// Replaces the edges after `first` to `last` major steps, both included.
    pub(super) fn replace(&mut self, node: u32, (first, last): (u16, u16), new: &[Edge]) {
        let list = self.lists[node as usize];
        let old = &self.edges[list.range()];
        let low = old.partition_point(|edge| edge.slant < first);
        let high = low + old[low..].partition_point(|edge| edge.slant <= last);
        let (start, len) = (list.start as usize, list.len as usize);
        let total = len - (high - low) + new.len();
        if total <= list.room as usize {
            let after = start + low + new.len();
            self.edges.copy_within(start + high..start + len, after);
            self.edges[start + low..after].copy_from_slice(new);
            self.lists[node as usize].len = total as u32;
            return;
        }
        let (to, room) = (self.edges.len(), total + total / 4 + 4);
        self.edges.extend_from_within(start..start + low);
        self.edges.extend_from_slice(new);
        self.edges.extend_from_within(start + high..start + len);
        self.edges.resize(to + room, Edge { node: 0, slant: 0, straight: 0 });
        self.wasted += list.room as usize;
        self.lists[node as usize] = List { start: to as u32, len: total as u32, room: room as u32, ..list };
    }

    /// Room for what edits add, which costs nothing until it is used: moving everything takes longer than a repair.
    pub(super) fn reserve(&mut self) {
        self.edges.reserve(self.edges.len() / 2 + 65_536);
    }

    /// Moves all lists together, if most of the memory is wasted.
    pub(super) fn tidy(&mut self) {
        if self.wasted <= 65_536 || self.wasted <= self.edges.len() / 2 {
            return;
        }
        let mut edges = Vec::with_capacity(self.edges.len());
        for list in self.lists.iter_mut().filter(|list| list.is_known()) {
            let old = list.range();
            (list.start, list.room) = (edges.len() as u32, list.len);
            edges.extend_from_slice(&self.edges[old]);
        }
        self.edges = edges;
        self.wasted = 0;
    }

    /// Forgets every list.
    pub(super) fn clear(&mut self) {
        self.lists.fill(List::NONE);
        self.edges.clear();
        self.wasted = 0;
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.lists.len() * size_of::<List>() + self.edges.len() * size_of::<Edge>()
    }

    fn make_place(&mut self, node: u32) {
        if self.lists.len() <= node as usize {
            let places = (node as usize | 3) + 1;
            self.lists.resize(places, List::NONE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(slants: &[u16]) -> Vec<Edge> {
        slants.iter().map(|&slant| Edge { node: slant.into(), slant, straight: 0 }).collect()
    }

    fn slants(lists: &Lists, node: u32) -> Vec<u16> {
        lists.get(node).range().map(|at| lists.edge(at).slant).collect()
    }

    #[test]
    fn parts_are_replaced_in_order_wherever_the_list_stands() {
        let mut lists = Lists::default();
        lists.put(0, 9, 0, &edges(&[0, 2, 2, 5, 7]));
        lists.put(6, 9, 0, &edges(&[1, 3]));
        lists.replace(0, (2, 5), &edges(&[3]));
        assert_eq!(slants(&lists, 0), [0, 3, 7]);
        lists.replace(0, (1, 3), &edges(&[1, 1, 2, 3, 3]));
        assert_eq!(slants(&lists, 0), [0, 1, 1, 2, 3, 3, 7]);
        lists.replace(0, (4, 6), &edges(&[4]));
        lists.replace(0, (8, u16::MAX), &edges(&[8, 9]));
        assert_eq!(slants(&lists, 0), [0, 1, 1, 2, 3, 3, 4, 7, 8, 9]);
        lists.replace(0, (0, u16::MAX), &[]);
        assert_eq!((slants(&lists, 0), slants(&lists, 6)), (vec![], vec![1, 3]));
        assert!(!lists.get(2).is_known() && !lists.get(99).is_known());
    }
}
