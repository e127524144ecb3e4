//! The coarse map: cells of several tiles a side, and the nodes that stand for their water.
//!
//! The document takes a cell for water if any of its tiles is ([`CoarseRule::AnyTile`]); that joins seas which an isthmus
//! parts. With [`CoarseRule::Components`] every connected component of water inside a cell is a node of its own, linked
//! only where tiles touch: a coarse path then always has a fine path inside it.

use super::frame::Frame;
use super::water::Water;
use std::str::FromStr;
use wayforge_core::InputError;
use wayforge_core::grid::{Dir, Pos, Size};

/// Which tiles of a coarse cell form a node of the coarse map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CoarseRule {
    /// One node per cell with any water in it (the document's rule).
    AnyTile,
    /// One node per connected component of water inside a cell.
    #[default]
    Components,
}

impl CoarseRule {
    /// All rules.
    pub const ALL: [CoarseRule; 2] = [CoarseRule::AnyTile, CoarseRule::Components];

    /// Name in options and requests.
    pub const fn name(self) -> &'static str {
        match self {
            CoarseRule::AnyTile => "any-tile",
            CoarseRule::Components => "components",
        }
    }
}

impl FromStr for CoarseRule {
    type Err = InputError;

    fn from_str(text: &str) -> Result<CoarseRule, InputError> {
        let names = CoarseRule::ALL.map(CoarseRule::name).join(", ");
        let found = CoarseRule::ALL.into_iter().find(|rule| rule.name() == text);
        found.ok_or_else(|| InputError::new("coarse_rule", text, "unknown", format!("use {names}")))
    }
}

/// No node: land.
pub(super) const NONE: u32 = u32::MAX;

/// A coarse map at any factor; the last column and row of cells may be narrower than the others.
#[derive(Clone, Debug, Default)]
pub(super) struct Coarse {
    factor: u16,
    /// Cells of a row and rows of cells.
    pub(super) cells: Size,
    pub(super) frame: Frame,
    /// The node of each tile, or [`NONE`]. The search that the map is made for takes them over.
    pub(super) node_of: Vec<u32>,
    /// The cell of each node; nodes are numbered cell by cell.
    pub(super) cell_of: Vec<u32>,
    /// For each cell the number of its first node, and one more at the end.
    first_node: Vec<u32>,
    /// For each node the place of its first link, and one more at the end.
    first_link: Vec<u32>,
    /// For each node how many of its links, the first ones, share a side.
    straight: Vec<u32>,
    links: Vec<u32>,
}

impl Coarse {
    /// The coarse map of `water` with cells of `factor` x `factor` tiles.
    pub(super) fn new(water: &Water, factor: u16, rule: CoarseRule) -> Coarse {
        let size = water.size();
        let cells = Size::new(size.width.div_ceil(factor), size.height.div_ceil(factor));
        let frame = Frame::new(size);
        let node_of = vec![NONE; frame.len];
        let first_node = Vec::with_capacity(cells.cells() + 1);
        let mut coarse = Coarse { factor, cells, frame, node_of, first_node, ..Coarse::default() };
        for cell in cells.iter() {
            coarse.first_node.push(coarse.cell_of.len() as u32);
            coarse.number_cell(water, cell, rule);
        }
        coarse.first_node.push(coarse.cell_of.len() as u32);
        let straight = match rule {
            CoarseRule::AnyTile => coarse.cells_side_by_side(),
            CoarseRule::Components => coarse.pieces_that_touch(size),
        };
        coarse.link(straight);
        coarse
    }

    /// The node of a tile, while the coarse map still holds them.
    fn node(&self, pos: Pos) -> u32 {
        self.node_of[self.frame.index(pos)]
    }

    /// How many nodes.
    pub(super) fn len(&self) -> usize {
        self.cell_of.len()
    }

    /// The nodes that a king reaches from a node in one step.
    #[inline]
    pub(super) fn links(&self, node: u32) -> &[u32] {
        let (from, to) = (self.first_link[node as usize], self.first_link[node as usize + 1]);
        &self.links[from as usize..to as usize]
    }

    /// The nodes that share a side with a node.
    #[inline]
    pub(super) fn straight_links(&self, node: u32) -> &[u32] {
        &self.links(node)[..self.straight[node as usize] as usize]
    }

    /// The nodes of a cell.
    #[inline]
    pub(super) fn nodes_in(&self, cell: Pos) -> std::ops::Range<u32> {
        let at = self.cells.index(cell);
        self.first_node[at]..self.first_node[at + 1]
    }

    /// The cell of a node.
    pub(super) fn cell(&self, node: u32) -> Pos {
        self.cells.pos(self.cell_of[node as usize] as usize)
    }

    /// Gives the tiles of one cell their nodes.
    fn number_cell(&mut self, water: &Water, cell: Pos, rule: CoarseRule) {
        let size = water.size();
        let span = |at: u16, most: u16| {
            (at * self.factor)..(at.saturating_add(1).saturating_mul(self.factor)).min(most)
        };
        let (columns, rows) = (span(cell.x, size.width), span(cell.y, size.height));
        let number = self.cells.index(cell) as u32;
        let first = self.cell_of.len() as u32;
        let mut stack = Vec::new();
        for y in rows.clone() {
            for x in columns.clone() {
                let pos = Pos::new(x, y);
                if !water.is_open(pos) || self.node(pos) != NONE {
                    continue;
                }
                let mut node = self.cell_of.len() as u32;
                if rule == CoarseRule::AnyTile && node > first {
                    node = first;
                } else {
                    self.cell_of.push(number);
                }
                self.node_of[self.frame.index(pos)] = node;
                if rule == CoarseRule::Components {
                    stack.push(pos);
                }
                while let Some(at) = stack.pop() {
                    for dir in Dir::STRAIGHT {
                        let Some(to) = at.step(dir, size) else { continue };
                        let inside = columns.contains(&to.x) && rows.contains(&to.y);
                        if inside && water.is_open(to) && self.node(to) == NONE {
                            self.node_of[self.frame.index(to)] = node;
                            stack.push(to);
                        }
                    }
                }
            }
        }
    }

    /// Water cells side by side, as pairs of nodes.
    fn cells_side_by_side(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for cell in self.cells.iter() {
            for dir in [Dir::East, Dir::South] {
                let Some(beside) = cell.step(dir, self.cells) else { continue };
                pairs.extend(self.nodes_in(cell).zip(self.nodes_in(beside)));
            }
        }
        pairs
    }

    /// Pieces with tiles side by side, as pairs of nodes.
    fn pieces_that_touch(&self, size: Size) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        let mut last = (NONE, NONE);
        let mut touch = |one: u32, two: u32| {
            if one != NONE && two != NONE && (one, two) != last {
                last = (one, two);
                pairs.push(last);
            }
        };
        let (factor, stride) = (usize::from(self.factor), self.frame.stride);
        for x in (factor..size.width.into()).step_by(factor) {
            for row in self.node_of.chunks(stride) {
                touch(row[x], row[x + 1]);
            }
        }
        for y in (factor..size.height.into()).step_by(factor) {
            let (upper, lower) = self.node_of[y * stride..(y + 2) * stride].split_at(stride);
            upper.iter().zip(lower).for_each(|(&one, &two)| touch(one, two));
        }
        pairs
    }

    /// Makes the links of all nodes from the pairs that share a side: these, and diagonal ones where both nodes beside the
    /// corner are linked to both ends, as for tiles.
    fn link(&mut self, mut pairs: Vec<(u32, u32)>) {
        pairs.extend(pairs.clone().into_iter().map(|(one, two)| (two, one)));
        pairs.sort_unstable();
        pairs.dedup();
        let mut first = vec![0_u32; self.len() + 1];
        for &(one, _) in &pairs {
            first[one as usize + 1] += 1;
        }
        for i in 0..self.len() {
            first[i + 1] += first[i];
        }
        let straight = |node: u32| &pairs[first[node as usize] as usize..first[node as usize + 1] as usize];
        let cell = |node: u32| self.cells.pos(self.cell_of[node as usize] as usize);
        for node in 0..self.cell_of.len() as u32 {
            self.first_link.push(self.links.len() as u32);
            let here = cell(node);
            let start = self.links.len();
            self.links.extend(straight(node).iter().map(|&(_, to)| to));
            self.straight.push((self.links.len() - start) as u32);
            for &(_, aside) in straight(node).iter().filter(|&&(_, to)| cell(to).y == here.y) {
                for &(_, corner) in straight(aside).iter().filter(|&&(_, to)| cell(to).y != here.y) {
                    let back = |&&(_, above): &&(u32, u32)| cell(above).x == here.x;
                    let mut above = straight(corner).iter().filter(back);
                    let closes = above.any(|&(_, above)| straight(above).iter().any(|&(_, to)| to == node));
                    if closes && !self.links[start..].contains(&corner) {
                        self.links.push(corner);
                    }
                }
            }
        }
        self.first_link.push(self.links.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISTHMUS: &str = "\
.....#....
.....#....
.....#....
.....#....
..........";

    fn linked(coarse: &Coarse, one: (u16, u16), two: (u16, u16)) -> bool {
        coarse.links(coarse.node(one.into())).contains(&coarse.node(two.into()))
    }

    #[test]
    fn an_isthmus_parts_pieces_but_not_cells() {
        let water = Water::from_text(ISTHMUS).unwrap();
        let any = Coarse::new(&water, 4, CoarseRule::AnyTile);
        assert_eq!((any.cells, any.len()), (Size::new(3, 2), 6));
        assert!(linked(&any, (3, 0), (4, 0)) && any.node((4, 0).into()) == any.node((6, 0).into()));
        let pieces = Coarse::new(&water, 4, CoarseRule::Components);
        assert_eq!(pieces.len(), 7);
        assert!(linked(&pieces, (4, 0), (3, 0)) && linked(&pieces, (6, 0), (8, 0)));
        assert!(!linked(&pieces, (6, 0), (3, 0)) && pieces.node((4, 0).into()) != pieces.node((6, 0).into()));
        assert!(linked(&pieces, (4, 0), (0, 4)), "a diagonal whose corner is water on both sides");
    }

    #[test]
    fn a_factor_of_one_is_the_map_itself() {
        let water = Water::from_text("..#\n.#.\n...").unwrap();
        let coarse = Coarse::new(&water, 1, CoarseRule::AnyTile);
        assert_eq!(coarse.len(), 7);
        assert!(!linked(&coarse, (1, 0), (0, 1)), "a corner is not cut");
        assert!(linked(&coarse, (0, 1), (0, 2)) && !linked(&coarse, (0, 1), (1, 2)));
    }
}
