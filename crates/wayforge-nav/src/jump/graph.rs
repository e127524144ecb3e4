//! The jump-point graph: which jump points each of them leads to, worked out once and kept until an edit touches it.

use super::bound::Rect;
use super::cone::{Met, Quadrant, WHOLE, cone};
use super::lines::Lines;
use super::repair::{Stale, Touch};
use crate::query::Moves;
use std::collections::VecDeque;
use wayforge_core::grid::{Pos, Size};

/// The tiles that are jump points, by number. Both graphs share them.
#[derive(Clone, Debug)]
pub(super) struct Spots {
    size: Size,
    /// One more than the number of each tile's spot; 0 for none.
    number: Vec<u32>,
    pub(super) pos: Vec<Pos>,
}

/// The lists of one kind of moves. A *node* is a spot and a quadrant: `4 * spot + quadrant`.
///
/// An island that rises in the open sea touches a thousand long lists, and the next query few of them. So an edit only notes
/// which lists it touches, and a list is put right when it is asked for. At all times a list is right, or it was right just before the
/// touch that it is noted to be [stale since](Knows::before).
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) moves: Moves,
    /// Whether all lists were worked out.
    filled: bool,
    lists: Vec<List>,
    edges: Vec<Edge>,
    /// For every [`GROUP`] spots in a row what their lists can touch, if they have any.
    groups: Vec<Option<Extent>>,
    /// Edges of lists that were replaced.
    wasted: usize,
    /// How many touches there were, and the last [`MAX_TOUCHES`] of them.
    touches: u32,
    recent: VecDeque<Touch>,
    found: Vec<Met>,
}

/// How many spots an edit looks at or passes over together.
const GROUP: usize = 8;
/// A list that has missed more touches than this is worked out anew.
const MAX_TOUCHES: usize = 16;

/// Where some lists begin, and the largest of their reaches.
#[derive(Clone, Copy, Debug)]
struct Extent {
    rect: Rect,
    reach: u16,
}

/// Where a node's edges stand.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    start: u32,
    len: u32,
    /// Major steps into the quadrant, as the cone counts them.
    reach: u16,
    knows: Knows,
}

/// Which water a list is right for: none, the water as it is, or that before a touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Knows(u32);

impl Knows {
    /// The list was never worked out.
    const NOTHING: Knows = Knows(0);
    /// The water as it is.
    const ALL: Knows = Knows(u32::MAX);

    /// The water before the touch of this number; any later one may touch the list as well.
    fn before(touch: u32) -> Knows {
        Knows(touch + 1)
    }

    /// How many of so many touches a list has missed.
    fn missed(self, touches: u32) -> usize {
        match self {
            Knows::NOTHING => usize::MAX,
            Knows::ALL => 0,
            Knows(before) => (touches + 1 - before) as usize,
        }
    }
}

/// A node that another leads to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    pub(super) node: u32,
    pub(super) slant: u16,
    pub(super) straight: u16,
}

impl Spots {
    pub(super) fn new(size: Size) -> Spots {
        Spots { size, number: vec![0; size.cells()], pos: Vec::new() }
    }

    /// The number of a tile's spot, given out now if it has none.
    #[inline]
    pub(super) fn number(&mut self, pos: Pos) -> u32 {
        let number = &mut self.number[self.size.index(pos)];
        if *number == 0 {
            self.pos.push(pos);
            *number = self.pos.len() as u32;
        }
        *number - 1
    }

    /// The number of a tile's spot, if it has one.
    pub(super) fn get(&self, pos: Pos) -> Option<u32> {
        self.number[self.size.index(pos)].checked_sub(1)
    }
}

impl Graph {
    pub(super) fn new(moves: Moves) -> Graph {
        Graph { moves, ..Graph::default() }
    }

    /// Works out all lists, unless that was done.
    pub(super) fn fill(&mut self, lines: &Lines, spots: &mut Spots) {
        if std::mem::replace(&mut self.filled, true) {
            return;
        }
        lines.each_jump(|pos| {
            spots.number(pos);
        });
        for spot in 0..spots.pos.len() as u32 {
            let pos = spots.pos[spot as usize];
            for quadrant in Quadrant::ALL {
                if opens(lines, pos, quadrant, self.moves) {
                    self.edges(lines, spots, 4 * spot + u32::from(quadrant.0));
                }
            }
        }
        // Room for what edits add, which costs nothing until it is used: moving everything takes longer than a repair.
        self.edges.reserve(self.edges.len() / 2 + 65_536);
    }

    /// A node's edges, as a range for [`edge`](Self::edge), and its reach; worked out or put right now if need be.
    #[inline]
    pub(super) fn edges(
        &mut self,
        lines: &Lines,
        spots: &mut Spots,
        node: u32,
    ) -> (std::ops::Range<usize>, u16) {
        let mut list = self.lists.get(node as usize).copied().unwrap_or_default();
        if list.knows != Knows::ALL {
            list = self.put_right(lines, spots, node as usize);
        }
        (list.start as usize..(list.start + list.len) as usize, list.reach)
    }

    /// Notes which lists an edit touches. `touch` must be made after all tiles have changed, and before any changes again.
    pub(super) fn note(&mut self, spots: &Spots, touch: Touch) {
        for group in 0..self.groups.len() {
            if self.groups[group].is_none_or(|extent| touch.is_far(extent.rect, extent.reach)) {
                continue;
            }
            let nodes = 4 * GROUP * group..(4 * GROUP * (group + 1)).min(self.lists.len());
            for node in nodes {
                let list = &mut self.lists[node];
                let (from, signs) = (spots.pos[node / 4], Quadrant(node as u8 & 3).signs());
                if list.knows == Knows::ALL && touch.stale(self.moves, from, signs, list.reach).is_some() {
                    list.knows = Knows::before(self.touches);
                }
            }
        }
        self.touches += 1;
        if Knows::before(self.touches + 1) == Knows::ALL {
            // No number is left: begin again.
            self.forget_all();
            self.touches = 0;
        }
        if self.recent.len() == MAX_TOUCHES {
            self.recent.pop_front();
        }
        self.recent.push_back(touch);
        self.tidy();
    }

    /// Works out a node's list, or makes it know of the touches that it missed.
    ///
    /// These are applied in their order, all on the water as it is. That is right: each part of the list is right for the water
    /// after the touches so far or for some later water, and the touches of what comes after that are still ahead. If one of those
    /// has parted the major steps, what is found beyond is wrong now, and is cut off then.
    #[cold]
    fn put_right(&mut self, lines: &Lines, spots: &mut Spots, node: usize) -> List {
        if self.lists.len() <= node {
            self.lists.resize(4 * spots.pos.len(), List::default());
        }
        let (from, signs) = (spots.pos[node / 4], Quadrant(node as u8 & 3).signs());
        match self.recent.len().checked_sub(self.lists[node].knows.missed(self.touches)) {
            Some(first) => {
                for touch in first..self.recent.len() {
                    let reach = self.lists[node].reach;
                    if let Some(stale) = self.recent[touch].stale(self.moves, from, signs, reach) {
                        self.renew(lines, spots, node, &stale);
                    }
                }
            }
            None => self.renew(lines, spots, node, &Stale::WHOLE),
        }
        self.lists[node].knows = Knows::ALL;
        self.lists[node]
    }

    /// Replaced lists pile up; when most are, the others move together.
    fn tidy(&mut self) {
        if self.wasted > 65_536 && self.wasted > self.edges.len() / 2 {
            let mut edges = Vec::with_capacity(self.edges.len());
            for list in &mut self.lists {
                let old = list.start as usize..(list.start + list.len) as usize;
                list.start = edges.len() as u32;
                edges.extend_from_slice(&self.edges[old]);
            }
            self.edges = edges;
            self.wasted = 0;
        }
    }

    /// Puts the parts of a list right that are stale.
    fn renew(&mut self, lines: &Lines, spots: &mut Spots, node: usize, stale: &Stale) {
        let List { start, len, mut reach, .. } = self.lists[node];
        let (from, quadrant) = (spots.pos[node / 4], Quadrant(node as u8 & 3));
        let mut found = std::mem::take(&mut self.found);
        for part in stale.parts() {
            cone(lines, self.moves, from, quadrant, part, |met| found.push(met));
        }
        if let Some(cut) = stale.cut {
            reach = cone(lines, self.moves, from, quadrant, (cut, WHOLE), |met| found.push(met));
        }
        // What is kept moves to the front of the old place; the new follows if there is room.
        let (old, len) = (start as usize, len as usize);
        let mut kept = old;
        for at in old..old + len {
            if stale.keeps(self.edges[at].slant) {
                self.edges[kept] = self.edges[at];
                kept += 1;
            }
        }
        let (mut start, total) = (old, kept - old + found.len());
        let new = found.drain(..).map(|met| Edge::to(spots, met));
        if total <= len {
            self.edges[kept..].iter_mut().zip(new).for_each(|(edge, new)| *edge = new);
            self.wasted += len - total;
        } else {
            start = self.edges.len();
            self.edges.extend_from_within(old..kept);
            self.edges.extend(new);
            self.wasted += len;
        }
        self.found = found;
        let list = &mut self.lists[node];
        *list = List { start: start as u32, len: total as u32, reach, ..*list };
        let (group, rect) = (node / (4 * GROUP), Rect::at(from));
        if self.groups.len() <= group {
            self.groups.resize(group + 1, None);
        }
        let extent = self.groups[group].get_or_insert(Extent { rect, reach });
        *extent = Extent { rect: extent.rect.with(rect), reach: extent.reach.max(reach) };
    }

    /// Forgets every list.
    pub(super) fn forget_all(&mut self) {
        self.lists.fill(List::default());
        self.groups.clear();
        self.edges.clear();
        self.wasted = 0;
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.lists.len() * size_of::<List>() + self.edges.len() * size_of::<Edge>()
    }

    #[inline]
    pub(super) fn edge(&self, at: usize) -> Edge {
        self.edges[at]
    }
}

impl Edge {
    #[inline]
    fn to(spots: &mut Spots, met: Met) -> Edge {
        let node = 4 * spots.number(met.pos) + u32::from(met.quadrant.0);
        Edge { node, slant: met.slant, straight: met.straight }
    }
}

/// True if a run can arrive at the tile and turn into the quadrant.
fn opens(lines: &Lines, pos: Pos, quadrant: Quadrant, moves: Moves) -> bool {
    let (sx, sy) = quadrant.signs();
    let open = |dx: i32, dy: i32| {
        // Beyond the low edges the sum wraps to far beyond the high ones.
        let along = |at: u16, by: i32| usize::from(at).wrapping_add_signed(by as isize);
        lines.rows.is_open(along(pos.x, dx), along(pos.y, dy))
    };
    let from_row = open(-sx, 0) && open(0, sy) && !open(-sx, sy);
    let from_column = || open(0, -sy) && open(sx, 0) && !open(sx, -sy);
    from_row || moves == Moves::Eight && from_column()
}
