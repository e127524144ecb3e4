//! The grid as a graph: connected components of open cells cost nothing, removable walls cost one each.

use super::sorted_set;
use crate::Mover;

/// A grid as a graph: every connected component is one node, every wall is another.
#[derive(Debug, Default)]
pub(super) struct Net {
    /// For every node the cell of its wall; none for a component.
    wall: Vec<Option<u32>>,
    /// The links of people.
    on_foot: Links,
    /// The links of cars, if they differ.
    by_car: Option<Links>,
    /// The node of every cell, or [`NOWHERE`].
    pub(super) node: Vec<u32>,
}

/// Hands out the neighbours of a cell.
pub(super) type Steps<'a> = &'a dyn Fn(usize, &mut dyn FnMut(usize));

/// What a cell is to a net.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Cell {
    /// Everybody enters it.
    Open,
    /// Only people do.
    OnFoot,
    /// Only cars do.
    ByCar,
    /// It can be removed, then it is open.
    Wall,
    Closed,
}

/// The node of a cell that is closed.
pub(super) const NOWHERE: u32 = u32::MAX;

/// For each node its neighbours, in one list.
#[derive(Debug, Default)]
struct Links {
    /// Where the neighbours of each node begin.
    first: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Net {
    /// Builds the net of a grid by the steps of cars, and by those of people if they take more.
    pub(super) fn build(cells: &[Cell], drives: Steps<'_>, walks: Option<Steps<'_>>) -> Net {
        let mut net = Net::components(cells, drives);
        net.on_foot = net.links(cells, walks.unwrap_or(drives), Mover::Person);
        net.by_car = walks.map(|_| net.links(cells, drives, Mover::Car));
        net
    }

    pub(super) fn len(&self) -> usize {
        self.wall.len()
    }

    /// What it costs to enter a node.
    pub(super) fn weight(&self, node: usize) -> u16 {
        self.wall[node].is_some().into()
    }

    pub(super) fn neighbours(&self, node: usize, mover: Mover) -> &[u32] {
        let links = self.by_car.as_ref().filter(|_| mover == Mover::Car).unwrap_or(&self.on_foot);
        &links.neighbours[links.first[node] as usize..links.first[node + 1] as usize]
    }

    /// The cells of those nodes that are walls, in order.
    pub(super) fn walls(&self, nodes: impl IntoIterator<Item = u32>) -> Vec<usize> {
        let walls = nodes.into_iter().filter_map(|node| self.wall[node as usize]);
        sorted_set(walls.map(|cell| cell as usize).collect())
    }

    /// The nodes of cells, each once; `None` if one of the cells is closed.
    pub(super) fn nodes(&self, cells: &[usize]) -> Option<Vec<u32>> {
        let nodes: Vec<u32> = sorted_set(cells.iter().map(|&cell| self.node[cell]).collect());
        (nodes.last() != Some(&NOWHERE)).then_some(nodes)
    }

    /// The nodes of a net without links.
    fn components(cells: &[Cell], steps: Steps<'_>) -> Net {
        let mut net = Net { node: vec![NOWHERE; cells.len()], ..Net::default() };
        let mut queue = Vec::new();
        for start in 0..cells.len() {
            if net.node[start] != NOWHERE || cells[start] == Cell::Closed {
                continue;
            }
            let node = net.wall.len() as u32;
            net.node[start] = node;
            net.wall.push((cells[start] == Cell::Wall).then_some(start as u32));
            if cells[start] != Cell::Wall {
                queue.push(start);
            }
            while let Some(cell) = queue.pop() {
                steps(cell, &mut |to| {
                    if cells[to] == cells[start] && net.node[to] == NOWHERE {
                        net.node[to] = node;
                        queue.push(to);
                    }
                });
            }
        }
        net
    }

    fn links(&self, cells: &[Cell], steps: Steps<'_>, mover: Mover) -> Links {
        let other = if mover == Mover::Person { Cell::ByCar } else { Cell::OnFoot };
        let closed = |cell: usize| cells[cell] == Cell::Closed || cells[cell] == other;
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for cell in (0..cells.len()).filter(|&cell| !closed(cell)) {
            let node = self.node[cell];
            steps(cell, &mut |to| match (cells[cell], cells[to]) {
                _ if closed(to) || self.node[to] == node => {}
                // The loop reaches the other node too, so each link is added once in each direction.
                (Cell::Wall, Cell::Wall) => edges.push((node, self.node[to])),
                (Cell::Wall, _) => edges.extend([(node, self.node[to]), (self.node[to], node)]),
                (_, Cell::Wall) => {}
                _ => edges.push((node, self.node[to])),
            });
        }
        let mut links = Links { first: vec![0; self.wall.len() + 1], neighbours: vec![0; edges.len()] };
        edges.iter().for_each(|(from, _)| links.first[*from as usize + 1] += 1);
        (0..self.wall.len()).for_each(|node| links.first[node + 1] += links.first[node]);
        let mut next = links.first.clone();
        for (from, to) in edges {
            let place = &mut next[from as usize];
            links.neighbours[*place as usize] = to;
            *place += 1;
        }
        links
    }
}
