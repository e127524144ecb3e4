//! The fewest walls that join places: a Steiner tree over regions and walls, exact by dynamic programming.

use std::collections::VecDeque;

/// Regions that cost nothing and walls that cost one each, with what touches what.
#[derive(Debug, Default)]
pub(super) struct Net {
    /// For every node the cell of its wall; none for a region.
    wall: Vec<Option<u32>>,
    /// Where the neighbours of each node begin in `neighbours`.
    first: Vec<u32>,
    neighbours: Vec<u32>,
    /// The node of every cell.
    node: Vec<u32>,
}

/// Places to be joined: all of the first, and one of the last if there are any.
pub(super) struct Places<'a> {
    /// Cells that must be joined.
    pub(super) all: &'a [usize],
    /// Cells of which one must be joined to them.
    pub(super) any: &'a [usize],
}

const NOWHERE: u32 = u32::MAX;

/// What a cell is to a net.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Cell {
    Open,
    Wall,
    Closed,
}

/// Numbers that a table may hold: larger problems are left to the bounds.
const MOST: usize = 8 << 20;

impl Net {
    /// Builds the net of a grid; `steps` hands out the neighbours of a cell, the same both ways.
    pub(super) fn build(cells: &[Cell], steps: impl Fn(usize, &mut dyn FnMut(usize))) -> Net {
        let mut net = Net { node: vec![NOWHERE; cells.len()], ..Net::default() };
        let mut queue = Vec::new();
        for start in 0..cells.len() {
            if net.node[start] != NOWHERE || cells[start] == Cell::Closed {
                continue;
            }
            let node = net.wall.len() as u32;
            net.node[start] = node;
            net.wall.push((cells[start] == Cell::Wall).then_some(start as u32));
            if cells[start] == Cell::Open {
                queue.push(start);
            }
            while let Some(cell) = queue.pop() {
                steps(cell, &mut |to| {
                    if cells[to] == Cell::Open && net.node[to] == NOWHERE {
                        net.node[to] = node;
                        queue.push(to);
                    }
                });
            }
        }
        net.link(cells, steps);
        net
    }

    fn link(&mut self, cells: &[Cell], steps: impl Fn(usize, &mut dyn FnMut(usize))) {
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for cell in (0..cells.len()).filter(|&cell| cells[cell] == Cell::Wall) {
            let wall = self.node[cell];
            steps(cell, &mut |to| match cells[to] {
                Cell::Closed => {}
                // The other wall hands this one out in its turn.
                Cell::Wall => edges.push((wall, self.node[to])),
                Cell::Open => edges.extend([(wall, self.node[to]), (self.node[to], wall)]),
            });
        }
        self.first = vec![0; self.wall.len() + 1];
        edges.iter().for_each(|(from, _)| self.first[*from as usize + 1] += 1);
        (0..self.wall.len()).for_each(|node| self.first[node + 1] += self.first[node]);
        let mut next = self.first.clone();
        self.neighbours = vec![0; edges.len()];
        for (from, to) in edges {
            let place = &mut next[from as usize];
            self.neighbours[*place as usize] = to;
            *place += 1;
        }
    }

    /// The fewest walls that join the places, as cells; `None` if nothing joins them or the problem is too large.
    ///
    /// Dreyfus and Wagner: the cheapest tree over a set of places that ends in a node either comes from a neighbour, or joins
    /// two trees over parts of the set there.
    pub(super) fn join(&self, places: &Places<'_>) -> Option<Vec<usize>> {
        let mut terminals: Vec<u32> = places.all.iter().map(|&cell| self.node[cell]).collect();
        terminals.sort_unstable();
        terminals.dedup();
        let mut roots: Vec<u32> = places.any.iter().map(|&cell| self.node[cell]).collect();
        if roots.is_empty() {
            roots.extend(terminals.pop());
        }
        if terminals.iter().chain(&roots).any(|&node| node == NOWHERE) {
            return None;
        }
        let nodes = self.wall.len();
        if terminals.len() > 12 || nodes << terminals.len() > MOST {
            return None;
        }
        let full = (1_usize << terminals.len()) - 1;
        let mut table = Table {
            net: self,
            cost: vec![u16::MAX; (full + 1) * nodes],
            back: vec![NOWHERE; (full + 1) * nodes],
        };
        for set in 1..=full {
            if set.is_power_of_two() {
                let node = terminals[set.trailing_zeros() as usize] as usize;
                table.cost[set * nodes + node] = self.weight(node);
            } else {
                table.merge(set);
            }
            table.spread(set);
        }
        if full == 0 {
            return Some(Vec::new());
        }
        let root = roots.iter().copied().min_by_key(|&root| table.cost[full * nodes + root as usize])?;
        (table.cost[full * nodes + root as usize] < u16::MAX).then(|| table.walls(full, root))
    }

    fn weight(&self, node: usize) -> u16 {
        self.wall[node].is_some().into()
    }

    fn neighbours(&self, node: usize) -> &[u32] {
        &self.neighbours[self.first[node] as usize..self.first[node + 1] as usize]
    }
}

/// For every set of places and every node, the cheapest tree that joins them there.
struct Table<'a> {
    net: &'a Net,
    cost: Vec<u16>,
    /// The node before, or [`JOINED`] and one of the two sets.
    back: Vec<u32>,
}

const JOINED: u32 = 1 << 31;

impl Table<'_> {
    /// Joins trees of two parts of a set at every node.
    fn merge(&mut self, set: usize) {
        let nodes = self.net.wall.len();
        let mut part = (set - 1) & set;
        while part > 0 {
            let rest = set & !part;
            if part < rest {
                break;
            }
            for node in 0..nodes {
                let (a, b) = (self.cost[part * nodes + node], self.cost[rest * nodes + node]);
                let joined = a.saturating_add(b);
                if joined < u16::MAX && joined - self.net.weight(node) < self.cost[set * nodes + node] {
                    self.cost[set * nodes + node] = joined - self.net.weight(node);
                    self.back[set * nodes + node] = JOINED | part as u32;
                }
            }
            part = (part - 1) & set;
        }
    }

    /// Lets trees grow from node to node, cheapest first.
    fn spread(&mut self, set: usize) {
        let nodes = self.net.wall.len();
        let base = set * nodes;
        let mut starts: Vec<(u16, u32)> = (0..nodes)
            .filter(|node| self.cost[base + node] < u16::MAX)
            .map(|node| (self.cost[base + node], node as u32))
            .collect();
        starts.sort_unstable();
        let mut starts = starts.into_iter().peekable();
        let mut queue: VecDeque<(u16, u32)> = VecDeque::new();
        loop {
            // Starts and queue are both in order of cost; a wall costs one more, a region nothing.
            let next = match (starts.peek(), queue.front()) {
                (Some(start), Some(front)) if start.0 <= front.0 => starts.next(),
                (Some(_), None) => starts.next(),
                _ => queue.pop_front(),
            };
            let Some((cost, node)) = next else { break };
            if cost > self.cost[base + node as usize] {
                continue;
            }
            for &to in self.net.neighbours(node as usize) {
                let price = cost + self.net.weight(to as usize);
                if price < self.cost[base + to as usize] {
                    self.cost[base + to as usize] = price;
                    self.back[base + to as usize] = node;
                    if price == cost { queue.push_front((price, to)) } else { queue.push_back((price, to)) }
                }
            }
        }
    }

    /// The walls of the tree over a set that ends in a node.
    fn walls(&self, set: usize, node: u32) -> Vec<usize> {
        let nodes = self.net.wall.len();
        let mut walls = Vec::new();
        let mut open = vec![(set, node)];
        while let Some((set, node)) = open.pop() {
            walls.extend(self.net.wall[node as usize].map(|cell| cell as usize));
            match self.back[set * nodes + node as usize] {
                NOWHERE => {}
                back if back & JOINED != 0 => {
                    let part = (back & !JOINED) as usize;
                    open.extend([(part, node), (set & !part, node)]);
                }
                before => open.push((set, before)),
            }
        }
        walls.sort_unstable();
        walls.dedup();
        walls
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MapRng;
    use crate::grid::{Dir, Size};

    fn net(drawing: &str) -> (Net, Vec<usize>) {
        let width = drawing.lines().next().unwrap().len();
        let size = Size::new(width as u16, drawing.lines().count() as u16);
        let text: Vec<char> = drawing.lines().flat_map(str::chars).collect();
        let kind = |c: &char| match c {
            '#' => Cell::Wall,
            'X' => Cell::Closed,
            _ => Cell::Open,
        };
        let cells: Vec<Cell> = text.iter().map(kind).collect();
        let net = Net::build(&cells, |cell, give| {
            let steps = Dir::STRAIGHT.into_iter().filter_map(|dir| size.pos(cell).step(dir, size));
            steps.for_each(|pos| give(size.index(pos)));
        });
        (net, (0..text.len()).filter(|&cell| text[cell] == 'T').collect())
    }

    #[test]
    fn one_crossing_serves_three_rooms() {
        let (net, places) = net("T##\n##T\nT##");
        // Along the middle row two walls join all three, where three routes of two would share nothing.
        assert_eq!(net.join(&Places { all: &places, any: &[] }).unwrap().len(), 2);
        let (net, places) = self::net("T#X\n#XT");
        assert_eq!(net.join(&Places { all: &places, any: &[] }), None);
    }

    #[test]
    fn as_cheap_as_trying_every_set_of_walls() {
        let mut rng = MapRng::from_u64(9);
        for round in 0..300 {
            let drawing: Vec<String> = (0..4)
                .map(|_| (0..4).map(|_| ['#', '#', '#', '.', 'X', 'T'][rng.below(6) as usize]).collect())
                .collect();
            let (net, places) = net(&drawing.join("\n"));
            let found = net.join(&Places { all: &places, any: &[] }).map(|walls| walls.len());
            let text: Vec<char> = drawing.iter().flat_map(|row| row.chars()).collect();
            let joined = |removed: usize| {
                let open = |cell: usize| {
                    !matches!(text[cell], '#' | 'X') || text[cell] == '#' && removed >> cell & 1 == 1
                };
                let Some(&start) = places.first() else { return true };
                let (mut seen, mut queue) = (vec![start], vec![start]);
                while let Some(cell) = queue.pop() {
                    let pos = Size::new(4, 4).pos(cell);
                    for to in Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, Size::new(4, 4))) {
                        let to = Size::new(4, 4).index(to);
                        if open(to) && !seen.contains(&to) {
                            seen.push(to);
                            queue.push(to);
                        }
                    }
                }
                places.iter().all(|place| seen.contains(place))
            };
            let walls: usize = (0..16).filter(|&cell| text[cell] == '#').map(|cell| 1 << cell).sum();
            let best = (0..1_usize << 16)
                .filter(|set| set & !walls == 0)
                .filter(|&set| joined(set))
                .map(|set| set.count_ones() as usize)
                .min();
            assert_eq!(found, best, "round {round}\n{}", drawing.join("\n"));
        }
    }
}
