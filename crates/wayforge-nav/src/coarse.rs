//! Coarse map: a graph over square cells, whose nodes represent the open tiles of a cell.
//!
//! With [`CoarseRule::AnyTile`], a cell is open if any of its tiles is, which connects components
//! across thin walls. With [`CoarseRule::Components`], every connected component inside a cell is a
//! separate node, linked only where tiles touch. Every coarse path then contains a path of tiles.

use super::nav_grid::NavGrid;
use super::padded_layout::PaddedLayout;
use std::str::FromStr;
use wayforge_core::InputError;
use wayforge_core::grid::{Dir, Pos, Size};

/// Which tiles of a coarse cell form a node of the coarse map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CoarseRule {
    /// One node per cell with any open tile, as in the original mask-expanding BFS.
    AnyTile,
    /// One node per connected component of open tiles inside a cell.
    #[default]
    Components,
}

impl CoarseRule {
    /// All rules.
    pub const ALL: [CoarseRule; 2] = [CoarseRule::AnyTile, CoarseRule::Components];

    /// Returns the name used in options and requests.
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

/// Node index of a blocked tile.
pub(super) const NO_NODE: u32 = u32::MAX;

/// Coarse map of a grid; cells of the last column and row may be smaller than the others.
#[derive(Clone, Debug, Default)]
pub(super) struct CoarseMap {
    factor: u16,
    /// Number of cells per row and per column.
    pub(super) cells: Size,
    pub(super) layout: PaddedLayout,
    /// Node of each tile, or [`NO_NODE`]. The search that uses the map moves this vector out.
    pub(super) node_of: Vec<u32>,
    /// Cell of each node; nodes are numbered cell by cell.
    pub(super) cell_of: Vec<u32>,
    /// First node of each cell, plus the total number of nodes.
    first_node: Vec<u32>,
    /// Index in `links` of each node's first link, plus the total number of links.
    first_link: Vec<u32>,
    /// Number of straight links of each node; they precede its diagonal links.
    straight_count: Vec<u32>,
    links: Vec<u32>,
}

impl CoarseMap {
    /// Builds the coarse map of `grid` with cells of `factor` x `factor` tiles.
    pub(super) fn new(grid: &NavGrid, factor: u16, rule: CoarseRule) -> CoarseMap {
        let size = grid.size();
        let cells = Size::new(size.width.div_ceil(factor), size.height.div_ceil(factor));
        let layout = PaddedLayout::new(size);
        let node_of = vec![NO_NODE; layout.len];
        let first_node = Vec::with_capacity(cells.cells() + 1);
        let mut coarse =
            CoarseMap { factor, cells, layout, node_of, first_node, ..CoarseMap::default() };
        for cell in cells.iter() {
            coarse.first_node.push(coarse.cell_of.len() as u32);
            coarse.assign_nodes(grid, cell, rule);
        }
        coarse.first_node.push(coarse.cell_of.len() as u32);
        let pairs = match rule {
            CoarseRule::AnyTile => coarse.adjacent_cells(),
            CoarseRule::Components => coarse.adjacent_components(size),
        };
        coarse.link(pairs);
        coarse
    }

    /// Returns the node of a tile. Works only until `node_of` is moved out.
    fn node(&self, pos: Pos) -> u32 {
        self.node_of[self.layout.index(pos)]
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.cell_of.len()
    }

    /// Returns the straight and diagonal neighbours of a node.
    #[inline]
    pub(super) fn links(&self, node: u32) -> &[u32] {
        let (from, to) = (self.first_link[node as usize], self.first_link[node as usize + 1]);
        &self.links[from as usize..to as usize]
    }

    /// Returns the straight neighbours of a node, whose cells share a side with its own.
    #[inline]
    pub(super) fn straight_links(&self, node: u32) -> &[u32] {
        &self.links(node)[..self.straight_count[node as usize] as usize]
    }

    /// Returns the nodes of a cell.
    #[inline]
    pub(super) fn nodes_in(&self, cell: Pos) -> std::ops::Range<u32> {
        let index = self.cells.index(cell);
        self.first_node[index]..self.first_node[index + 1]
    }

    /// Returns the cell of a node.
    pub(super) fn cell(&self, node: u32) -> Pos {
        self.cells.pos(self.cell_of[node as usize] as usize)
    }

    /// Assigns nodes to the tiles of one cell.
    fn assign_nodes(&mut self, grid: &NavGrid, cell: Pos, rule: CoarseRule) {
        let size = grid.size();
        let span = |coordinate: u16, max: u16| {
            (coordinate * self.factor)
                ..(coordinate.saturating_add(1).saturating_mul(self.factor)).min(max)
        };
        let (columns, rows) = (span(cell.x, size.width), span(cell.y, size.height));
        let number = self.cells.index(cell) as u32;
        let first = self.cell_of.len() as u32;
        let mut stack = Vec::new();
        for y in rows.clone() {
            for x in columns.clone() {
                let pos = Pos::new(x, y);
                if !grid.is_open(pos) || self.node(pos) != NO_NODE {
                    continue;
                }
                let mut node = self.cell_of.len() as u32;
                if rule == CoarseRule::AnyTile && node > first {
                    node = first;
                } else {
                    self.cell_of.push(number);
                }
                self.node_of[self.layout.index(pos)] = node;
                if rule == CoarseRule::Components {
                    stack.push(pos);
                }
                while let Some(tile) = stack.pop() {
                    for dir in Dir::STRAIGHT {
                        let Some(to) = tile.step(dir, size) else { continue };
                        let inside = columns.contains(&to.x) && rows.contains(&to.y);
                        if inside && grid.is_open(to) && self.node(to) == NO_NODE {
                            self.node_of[self.layout.index(to)] = node;
                            stack.push(to);
                        }
                    }
                }
            }
        }
    }

    /// Returns the pairs of nodes in adjacent open cells.
    fn adjacent_cells(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for cell in self.cells.iter() {
            for dir in [Dir::East, Dir::South] {
                let Some(neighbour) = cell.step(dir, self.cells) else { continue };
                pairs.extend(self.nodes_in(cell).zip(self.nodes_in(neighbour)));
            }
        }
        pairs
    }

    /// Returns the pairs of nodes with adjacent tiles in different cells.
    fn adjacent_components(&self, size: Size) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        let mut last = (NO_NODE, NO_NODE);
        let mut touch = |a: u32, b: u32| {
            if a != NO_NODE && b != NO_NODE && (a, b) != last {
                last = (a, b);
                pairs.push(last);
            }
        };
        let (factor, stride) = (usize::from(self.factor), self.layout.stride);
        for x in (factor..size.width.into()).step_by(factor) {
            for row in self.node_of.chunks(stride) {
                touch(row[x], row[x + 1]);
            }
        }
        for y in (factor..size.height.into()).step_by(factor) {
            let (upper, lower) = self.node_of[y * stride..(y + 2) * stride].split_at(stride);
            upper.iter().zip(lower).for_each(|(&a, &b)| touch(a, b));
        }
        pairs
    }

    /// Builds the links of all nodes from the straight pairs.
    ///
    /// As with tiles, diagonal links do not cut corners: both cells beside the corner need a node
    /// that is linked to both ends.
    fn link(&mut self, mut pairs: Vec<(u32, u32)>) {
        pairs.extend(pairs.clone().into_iter().map(|(a, b)| (b, a)));
        pairs.sort_unstable();
        pairs.dedup();
        let mut first = vec![0_u32; self.len() + 1];
        for &(a, _) in &pairs {
            first[a as usize + 1] += 1;
        }
        for i in 0..self.len() {
            first[i + 1] += first[i];
        }
        let straight_links_of =
            |node: u32| &pairs[first[node as usize] as usize..first[node as usize + 1] as usize];
        let cell = |node: u32| self.cells.pos(self.cell_of[node as usize] as usize);
        for node in 0..self.cell_of.len() as u32 {
            self.first_link.push(self.links.len() as u32);
            let own_cell = cell(node);
            let start = self.links.len();
            self.links.extend(straight_links_of(node).iter().map(|&(_, to)| to));
            self.straight_count.push((self.links.len() - start) as u32);
            for &(_, horizontal) in
                straight_links_of(node).iter().filter(|&&(_, to)| cell(to).y == own_cell.y)
            {
                for &(_, corner) in straight_links_of(horizontal)
                    .iter()
                    .filter(|&&(_, to)| cell(to).y != own_cell.y)
                {
                    let back = |&&(_, above): &&(u32, u32)| cell(above).x == own_cell.x;
                    let mut above = straight_links_of(corner).iter().filter(back);
                    let closes = above.any(|&(_, above)| {
                        straight_links_of(above).iter().any(|&(_, to)| to == node)
                    });
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

    const THIN_WALL: &str = "\
.....#....
.....#....
.....#....
.....#....
..........";

    fn linked(coarse: &CoarseMap, a: (u16, u16), b: (u16, u16)) -> bool {
        coarse.links(coarse.node(a.into())).contains(&coarse.node(b.into()))
    }

    #[test]
    fn thin_wall_separates_components_but_not_cells() {
        let grid = NavGrid::from_text(THIN_WALL).unwrap();
        let any = CoarseMap::new(&grid, 4, CoarseRule::AnyTile);
        assert_eq!((any.cells, any.len()), (Size::new(3, 2), 6));
        assert!(linked(&any, (3, 0), (4, 0)) && any.node((4, 0).into()) == any.node((6, 0).into()));
        let components = CoarseMap::new(&grid, 4, CoarseRule::Components);
        assert_eq!(components.len(), 7);
        assert!(linked(&components, (4, 0), (3, 0)) && linked(&components, (6, 0), (8, 0)));
        assert!(
            !linked(&components, (6, 0), (3, 0))
                && components.node((4, 0).into()) != components.node((6, 0).into())
        );
        assert!(linked(&components, (4, 0), (0, 4)), "diagonal link with both corner cells open");
    }

    #[test]
    fn factor_one_reproduces_the_grid() {
        let grid = NavGrid::from_text("..#\n.#.\n...").unwrap();
        let coarse = CoarseMap::new(&grid, 1, CoarseRule::AnyTile);
        assert_eq!(coarse.len(), 7);
        assert!(!linked(&coarse, (1, 0), (0, 1)), "diagonal links do not cut corners");
        assert!(linked(&coarse, (0, 1), (0, 2)) && !linked(&coarse, (0, 1), (1, 2)));
    }
}
