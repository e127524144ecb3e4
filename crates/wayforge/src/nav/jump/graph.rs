//! The jump-point graph: which jump points each of them leads to, worked out once and kept until an edit touches it.

use super::cone::{Met, Quadrant, cone_of_eight, cone_of_four};
use super::lines::Lines;
use crate::grid::{Pos, Size};
use crate::nav::query::Moves;

/// The tiles that are jump points, by number. Both graphs share them.
#[derive(Clone, Debug)]
pub(super) struct Spots {
    size: Size,
    /// One more than the number of each tile's spot; 0 for none.
    number: Vec<u32>,
    pub(super) pos: Vec<Pos>,
}

/// The lists of one kind of moves. A *node* is a spot and a quadrant: `4 * spot + quadrant`.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) moves: Moves,
    lists: Vec<List>,
    edges: Vec<Edge>,
    /// Edges of lists that were replaced.
    wasted: usize,
    found: Vec<Met>,
}

/// Where a node's edges stand.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    start: u32,
    len: u32,
    /// Major steps into the quadrant, as the cone counts them.
    reach: u16,
    ready: bool,
}

/// A node that another leads to.
#[derive(Clone, Copy, Debug)]
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
        Graph { moves, lists: Vec::new(), edges: Vec::new(), wasted: 0, found: Vec::new() }
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
    }

    /// A node's edges, as a range for [`edge`](Self::edge), and its reach; worked out now if need be.
    pub(super) fn edges(
        &mut self,
        lines: &Lines,
        spots: &mut Spots,
        node: u32,
    ) -> (std::ops::Range<usize>, u16) {
        if self.lists.len() <= node as usize {
            self.lists.resize(4 * spots.pos.len(), List::default());
        }
        let list = self.lists[node as usize];
        if list.ready {
            return (list.start as usize..(list.start + list.len) as usize, list.reach);
        }
        let mut found = std::mem::take(&mut self.found);
        let (from, quadrant) = (spots.pos[node as usize / 4], Quadrant(node as u8 & 3));
        let reach = cone(lines, self.moves, from, quadrant, |met| found.push(met));
        let (start, len) = (self.edges.len() as u32, found.len() as u32);
        for met in found.drain(..) {
            let node = 4 * spots.number(met.pos) + u32::from(met.quadrant.0);
            self.edges.push(Edge { node, slant: met.slant, straight: met.straight });
        }
        self.found = found;
        self.lists[node as usize] = List { start, len, reach, ready: true };
        (start as usize..(start + len) as usize, reach)
    }

    /// Forgets the list of a node if it has one and `touched` says that an edit reaches it.
    pub(super) fn forget(&mut self, spots: &Spots, touched: impl Fn(Pos, Quadrant, u16) -> bool) {
        for (node, list) in self.lists.iter_mut().enumerate().filter(|(_, list)| list.ready) {
            if touched(spots.pos[node / 4], Quadrant(node as u8 & 3), list.reach) {
                list.ready = false;
                self.wasted += list.len as usize;
            }
        }
        // Replaced lists pile up; when most are, the others move together.
        if self.wasted > 65_536 && self.wasted > self.edges.len() / 2 {
            let mut edges = Vec::with_capacity(self.edges.len() - self.wasted);
            for list in self.lists.iter_mut().filter(|list| list.ready) {
                let old = list.start as usize..(list.start + list.len) as usize;
                list.start = edges.len() as u32;
                edges.extend_from_slice(&self.edges[old]);
            }
            self.edges = edges;
            self.wasted = 0;
        }
    }

    /// Forgets every list.
    pub(super) fn forget_all(&mut self) {
        self.lists.iter_mut().for_each(|list| list.ready = false);
        self.edges.clear();
        self.wasted = 0;
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.lists.capacity() * size_of::<List>() + self.edges.capacity() * size_of::<Edge>()
    }

    #[inline]
    pub(super) fn edge(&self, at: usize) -> Edge {
        self.edges[at]
    }
}

/// Calls for what a tile leads to in a quadrant; returns the cone's reach.
pub(super) fn cone(lines: &Lines, moves: Moves, from: Pos, quadrant: Quadrant, met: impl FnMut(Met)) -> u16 {
    match moves {
        Moves::Four => cone_of_four(lines, from, quadrant, met),
        Moves::Eight => cone_of_eight(lines, from, quadrant, met),
    }
}

/// True if a run can arrive at the tile and turn into the quadrant.
fn opens(lines: &Lines, pos: Pos, quadrant: Quadrant, moves: Moves) -> bool {
    let (x, y) = (i32::from(pos.x), i32::from(pos.y));
    let (sx, sy) = quadrant.signs();
    let turns = |dx: i32, dy: i32, tx: i32, ty: i32| {
        lines.is_open(x - dx, y - dy)
            && lines.is_open(x + tx, y + ty)
            && !lines.is_open(x + tx - dx, y + ty - dy)
    };
    turns(sx, 0, 0, sy) || moves == Moves::Eight && turns(0, sy, sx, 0)
}
