//! Graph of a grid for Steiner trees: connected components of open cells have weight 0, removable
//! walls have weight 1.

use super::sorted_set;
use crate::Mover;

/// Node-weighted graph: one node per connected component and one per removable wall.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// For every node, the cell of its wall; `None` for a component.
    wall: Vec<Option<u32>>,
    /// Links of people.
    on_foot: Links,
    /// Links of cars, if they differ.
    by_car: Option<Links>,
    /// Node of every cell, or [`NO_NODE`].
    pub(super) node: Vec<u32>,
}

/// Calls a function with each neighbour of a cell.
pub(super) type Steps<'a> = &'a dyn Fn(usize, &mut dyn FnMut(usize));

/// Kind of a cell.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Cell {
    /// Open to all movers.
    Open,
    /// Open to people only.
    OnFoot,
    /// Open to cars only.
    ByCar,
    /// Removable; open to all movers when removed.
    Wall,
    Closed,
}

/// Node of closed cells.
pub(super) const NO_NODE: u32 = u32::MAX;

/// Adjacency lists in compressed sparse row format.
#[derive(Debug, Default)]
struct Links {
    /// Start of each node's neighbours.
    first: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Graph {
    /// Builds the graph of a grid from the steps of cars, and from those of people if they differ.
    pub(super) fn build(cells: &[Cell], drives: Steps<'_>, walks: Option<Steps<'_>>) -> Graph {
        let mut graph = Graph::components(cells, drives);
        graph.on_foot = graph.links(cells, walks.unwrap_or(drives), Mover::Person);
        graph.by_car = walks.map(|_| graph.links(cells, drives, Mover::Car));
        graph
    }

    pub(super) fn len(&self) -> usize {
        self.wall.len()
    }

    /// Weight of a node: 1 for a wall, 0 for a component.
    pub(super) fn weight(&self, node: usize) -> u16 {
        self.wall[node].is_some().into()
    }

    pub(super) fn neighbours(&self, node: usize, mover: Mover) -> &[u32] {
        let links = self.by_car.as_ref().filter(|_| mover == Mover::Car).unwrap_or(&self.on_foot);
        &links.neighbours[links.first[node] as usize..links.first[node + 1] as usize]
    }

    /// Returns the cells of the nodes that are walls, sorted.
    pub(super) fn walls(&self, nodes: impl IntoIterator<Item = u32>) -> Vec<usize> {
        let walls = nodes.into_iter().filter_map(|node| self.wall[node as usize]);
        sorted_set(walls.map(|cell| cell as usize).collect())
    }

    /// Returns the nodes of cells, without duplicates; `None` if one of the cells is closed.
    pub(super) fn nodes(&self, cells: &[usize]) -> Option<Vec<u32>> {
        let nodes: Vec<u32> = sorted_set(cells.iter().map(|&cell| self.node[cell]).collect());
        (nodes.last() != Some(&NO_NODE)).then_some(nodes)
    }

    /// Builds the nodes of a graph, without links.
    fn components(cells: &[Cell], steps: Steps<'_>) -> Graph {
        let mut graph = Graph { node: vec![NO_NODE; cells.len()], ..Graph::default() };
        let mut queue = Vec::new();
        for start in 0..cells.len() {
            if graph.node[start] != NO_NODE || cells[start] == Cell::Closed {
                continue;
            }
            let node = graph.wall.len() as u32;
            graph.node[start] = node;
            graph.wall.push((cells[start] == Cell::Wall).then_some(start as u32));
            if cells[start] != Cell::Wall {
                queue.push(start);
            }
            while let Some(cell) = queue.pop() {
                steps(cell, &mut |to| {
                    if cells[to] == cells[start] && graph.node[to] == NO_NODE {
                        graph.node[to] = node;
                        queue.push(to);
                    }
                });
            }
        }
        graph
    }

    fn links(&self, cells: &[Cell], steps: Steps<'_>, mover: Mover) -> Links {
        let other = if mover == Mover::Person { Cell::ByCar } else { Cell::OnFoot };
        let closed = |cell: usize| cells[cell] == Cell::Closed || cells[cell] == other;
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for cell in (0..cells.len()).filter(|&cell| !closed(cell)) {
            let node = self.node[cell];
            steps(cell, &mut |to| match (cells[cell], cells[to]) {
                _ if closed(to) || self.node[to] == node => {}
                // The loop visits both walls, so each link is added once in each direction.
                (Cell::Wall, Cell::Wall) => edges.push((node, self.node[to])),
                (Cell::Wall, _) => edges.extend([(node, self.node[to]), (self.node[to], node)]),
                (_, Cell::Wall) => {}
                _ => edges.push((node, self.node[to])),
            });
        }
        let mut links =
            Links { first: vec![0; self.wall.len() + 1], neighbours: vec![0; edges.len()] };
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
