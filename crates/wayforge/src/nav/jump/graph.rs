//! The jump-point graph: which jump points each of them leads to, worked out once and kept, and put right after edits.

use super::bound::Rect;
use super::cone::{Quadrant, WHOLE, cone};
use super::lines::Lines;
use super::lists::{Edge, Lists, NEVER, OWED};
use super::repair::Touch;
use crate::grid::{Pos, Size};
use crate::nav::query::Moves;
use std::collections::VecDeque;

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
/// An edit in the open sea touches hundreds of long lists, and the next query few of them. So an edit is only noted;
/// a list is put right when a search comes by, and with every edit a part of all lists in turn.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) moves: Moves,
    lists: Lists,
    /// For every [`GROUP`] spots in a row what their lists can touch.
    groups: Vec<Extent>,
    /// How many edits there were, and the last of them: those that some lists may not know of.
    edits: u32,
    pending: VecDeque<Touch>,
    /// Which groups' turn is next, and how many edits there were when the first had theirs.
    turn: usize,
    turn_began: u32,
    /// True if every jump point had its list once: those that edits add are worked out bit by bit.
    full: bool,
    owed: Vec<u32>,
    /// The last of the owed lists as far as it is worked out, and to how many major steps.
    begun: Vec<Edge>,
    begun_to: u16,
    found: Vec<Edge>,
}

/// How many spots an edit looks at or passes over together.
const GROUP: usize = 8;
/// The reach of a group without lists: no real one is so large.
const NOT_YET: u16 = u16::MAX;
/// After so many edits every list has had its turn.
const TURNS: usize = 16;

/// Where some lists begin, and the largest of their reaches.
#[derive(Clone, Copy, Debug)]
struct Extent {
    rect: Rect,
    reach: u16,
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
        Graph {
            moves,
            lists: Lists::default(),
            groups: vec![],
            edits: 0,
            pending: VecDeque::new(),
            turn: 0,
            turn_began: 0,
            full: false,
            owed: vec![],
            begun: vec![],
            begun_to: 0,
            found: vec![],
        }
    }

    /// Works out all lists.
    pub(super) fn fill(&mut self, lines: &Lines, spots: &mut Spots) {
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
        self.lists.reserve();
        self.full = true;
    }

    /// A node's edges, as a range for [`edge`](Self::edge), and its reach; worked out or put right now if need be.
    #[inline]
    pub(super) fn edges(
        &mut self,
        lines: &Lines,
        spots: &mut Spots,
        node: u32,
    ) -> (std::ops::Range<usize>, u16) {
        let mut list = self.lists.get(node);
        if list.seen != self.edits {
            match list.is_known() {
                true => self.catch_up(lines, spots, node),
                false => self.find_edges(lines, spots, node),
            }
            list = self.lists.get(node);
        }
        (list.range(), list.reach)
    }

    #[inline]
    pub(super) fn edge(&self, at: usize) -> Edge {
        self.lists.edge(at)
    }

    /// True if an edit has made the node, and its list is not worked out; it is owed then. In the open sea that takes as
    /// long as many a query.
    #[inline]
    pub(super) fn owes(&mut self, node: u32) -> bool {
        if !self.full {
            return false;
        }
        let seen = self.lists.get(node).seen;
        if seen == NEVER {
            self.lists.set_seen(node, OWED);
            self.owed.push(node);
        }
        seen >= OWED
    }

    /// Works on owed lists, for about so many major steps.
    pub(super) fn pay(&mut self, lines: &Lines, spots: &mut Spots, mut steps: u64) {
        while let Some(&node) = self.owed.last()
            && steps > 0
        {
            let (from, quadrant) = (spots.pos[node as usize / 4], Quadrant(node as u8 & 3));
            if !lines.rows.is_open(from.x.into(), from.y.into()) {
                // Land again.
                self.lists.set_seen(node, NEVER);
                self.begin_next();
                continue;
            }
            let start = self.begun_to;
            let end = start.saturating_add(steps.min(4096) as u16).min(WHOLE - 1);
            let begun = &mut self.begun;
            let reach = cone(lines, self.moves, from, quadrant, (start, end), |met| {
                begun.push(Edge::to(spots, met));
            });
            if reach == end {
                self.begun_to = end;
                return;
            }
            self.lists.put(node, reach, self.edits, &self.begun);
            self.extend_group(node, from, reach);
            self.begin_next();
            steps = steps.saturating_sub(u64::from(reach - start) + 8);
        }
    }

    /// Takes over an edit, and gives some lists their turn to know of it and of those before.
    pub(super) fn repair(&mut self, lines: &Lines, spots: &mut Spots, touch: &Touch) {
        // What was begun is of an older map.
        self.begun.clear();
        self.begun_to = 0;
        if self.groups.is_empty() {
            return;
        }
        self.edits += 1;
        self.pending.push_back(touch.clone());
        // Those from all over the map, because what an edit touches lies together.
        for group in (self.turn..self.groups.len()).step_by(TURNS) {
            self.catch_up_group(lines, spots, group);
        }
        self.turn += 1;
        if self.turn == TURNS {
            let known_to_all = self.turn_began - self.first_pending();
            self.pending.drain(..known_to_all as usize);
            (self.turn, self.turn_began) = (0, self.edits);
        }
        self.lists.tidy();
    }

    /// Forgets every list.
    pub(super) fn forget_all(&mut self) {
        *self = Graph { lists: std::mem::take(&mut self.lists), ..Graph::new(self.moves) };
        self.lists.clear();
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes()
    }

    /// Works out a node's list.
    fn find_edges(&mut self, lines: &Lines, spots: &mut Spots, node: u32) {
        let mut found = std::mem::take(&mut self.found);
        let (from, quadrant) = (spots.pos[node as usize / 4], Quadrant(node as u8 & 3));
        found.clear();
        let reach = cone(lines, self.moves, from, quadrant, (0, WHOLE), |met| {
            found.push(Edge::to(spots, met));
        });
        self.lists.put(node, reach, self.edits, &found);
        self.found = found;
        self.extend_group(node, from, reach);
    }

    /// The number of the first edit that some lists may not know of.
    fn first_pending(&self) -> u32 {
        self.edits - self.pending.len() as u32
    }

    /// Makes a list know of all edits.
    #[cold]
    fn catch_up(&mut self, lines: &Lines, spots: &mut Spots, node: u32) {
        let first = self.first_pending();
        for edit in self.lists.get(node).seen.max(first)..self.edits {
            self.apply(lines, spots, node, (edit - first) as usize);
        }
        self.lists.set_seen(node, self.edits);
    }

    /// Makes all lists of a group know of all edits. Those that are far from it are passed over without a look at the lists, which
    /// then seem not to know of them; looking again does no harm.
    fn catch_up_group(&mut self, lines: &Lines, spots: &mut Spots, group: usize) {
        let first = self.first_pending();
        for at in 0..self.pending.len() {
            // What an edit opens may make lists reach farther: the next looks anew.
            let extent = self.groups[group];
            if self.pending[at].is_far(extent.rect, extent.reach) {
                continue;
            }
            let edit = first + at as u32;
            for node in 4 * GROUP * group..(4 * GROUP * (group + 1)).min(self.lists.len()) {
                let list = self.lists.get(node as u32);
                if list.is_known() && list.seen <= edit {
                    self.apply(lines, spots, node as u32, at);
                    self.lists.set_seen(node as u32, edit + 1);
                }
            }
        }
    }

    /// Puts right what one of the pending edits has made stale of a list: the runs from a few of its major steps, and all that
    /// lies beyond it if it lies in the way of the major steps themselves.
    ///
    /// The map is that of the last edit, and the list is of the one before the applied edit. If edits between have parted the
    /// major steps, what is found beyond is wrong; but they are applied later, and cut it off.
    fn apply(&mut self, lines: &Lines, spots: &mut Spots, node: u32, at: usize) {
        let reach = self.lists.get(node).reach;
        let (from, quadrant) = (spots.pos[node as usize / 4], Quadrant(node as u8 & 3));
        let touch = &self.pending[at];
        if touch.is_far(Rect { low: from, high: from }, reach) {
            return;
        }
        let Some(stale) = touch.stale(self.moves, from, quadrant.signs(), reach) else { return };
        let mut found = std::mem::take(&mut self.found);
        for (first, last) in stale.parts() {
            found.clear();
            cone(lines, self.moves, from, quadrant, (first, last + 1), |met| {
                found.push(Edge::to(spots, met));
            });
            self.lists.replace(node, (first, last), &found);
        }
        if let Some(cut) = stale.cut {
            found.clear();
            let reach = cone(lines, self.moves, from, quadrant, (cut, WHOLE), |met| {
                found.push(Edge::to(spots, met));
            });
            self.lists.replace(node, (cut, WHOLE), &found);
            self.lists.set_reach(node, reach);
            self.extend_group(node, from, reach);
        }
        self.found = found;
    }

    fn begin_next(&mut self) {
        self.owed.pop();
        self.begun.clear();
        self.begun_to = 0;
    }

    fn extend_group(&mut self, node: u32, from: Pos, reach: u16) {
        let (group, rect) = (node as usize / (4 * GROUP), Rect { low: from, high: from });
        let nothing = Extent { rect, reach: 0 };
        if self.groups.len() <= group {
            // Groups between hold no list yet, and whichever comes first may lie anywhere: they are told by their first.
            self.groups.resize(group + 1, Extent { reach: NOT_YET, ..nothing });
        }
        let extent = &mut self.groups[group];
        if extent.reach == NOT_YET {
            *extent = nothing;
        }
        *extent = Extent { rect: extent.rect.with(rect), reach: extent.reach.max(reach) };
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
