//! Minimum node-weighted Steiner trees by dynamic programming over subsets of terminals (Dreyfus &
//! Wagner 1971, in the form of Erickson, Monma & Veinott 1987), with 0-1 BFS between merges.

use super::graph::{Graph, NO_NODE};
use super::terminals::Terminals;
use crate::Mover;
use std::collections::VecDeque;
use wayforge_core::Work;

/// Maximum number of table entries.
const MAX_ENTRIES: usize = 8 << 20;

impl Graph {
    /// Returns the fewest wall cells that connect the terminals; `None` if they cannot be connected
    /// or the problem is too large, or `work` is stopped.
    ///
    /// The cheapest tree that contains a set of terminals and a node either extends a tree at a
    /// neighbour, or merges two trees over a partition of the set at that node. A tree that
    /// contains a car extends along links of cars only.
    ///
    /// # Complexity
    /// O(3^k n + 2^k m) for `k` terminals, `n` nodes and `m` links.
    pub(super) fn minimum_steiner_tree(
        &self,
        places: &Terminals,
        work: &Work,
    ) -> Option<Vec<usize>> {
        let mut terminals = self.nodes(&places.all)?;
        let cars = self.nodes(&places.cars)?;
        let mut roots: Vec<u32> = places.exits.iter().map(|&cell| self.node[cell]).collect();
        if roots.is_empty() {
            // Without exits, a car is the root, if there is one.
            roots.extend(cars.first().copied().or_else(|| terminals.last().copied()));
            terminals.retain(|terminal| !roots.contains(terminal));
        }
        terminals.retain(|terminal| !cars.contains(terminal));
        let first_car = terminals.len();
        terminals
            .extend(cars.iter().filter(|car| !places.exits.is_empty() || !roots.contains(car)));
        if roots.contains(&NO_NODE) {
            return None;
        }
        let nodes = self.len();
        if terminals.len() > 12 || nodes << terminals.len() > MAX_ENTRIES {
            return None;
        }
        let full = (1_usize << terminals.len()) - 1;
        let mut table = SubsetTable {
            graph: self,
            cost: vec![u16::MAX; (full + 1) * nodes],
            back: vec![NO_NODE; (full + 1) * nodes],
        };
        for set in 1..=full {
            // One merge for every partition into two parts, and a search.
            let merges = 1 << set.count_ones().saturating_sub(1);
            if !work.spend((merges + 8) * nodes as u64) {
                return None;
            }
            if set.is_power_of_two() {
                let node = terminals[set.trailing_zeros() as usize] as usize;
                table.cost[set * nodes + node] = self.weight(node);
            } else {
                table.merge(set);
            }
            table.extend(set, if set >> first_car > 0 { Mover::Car } else { Mover::Person });
        }
        if full == 0 {
            return Some(Vec::new());
        }
        let root =
            roots.iter().copied().min_by_key(|&root| table.cost[full * nodes + root as usize])?;
        (table.cost[full * nodes + root as usize] < u16::MAX).then(|| table.walls(full, root))
    }
}

/// For every set of terminals and every node, the cheapest tree that contains them.
struct SubsetTable<'a> {
    graph: &'a Graph,
    cost: Vec<u16>,
    /// Predecessor node, or [`MERGED`] with one of the two subsets.
    back: Vec<u32>,
}

const MERGED: u32 = 1 << 31;

impl SubsetTable<'_> {
    /// Merges trees over all partitions of a set into two parts, at every node.
    fn merge(&mut self, set: usize) {
        let nodes = self.graph.len();
        let mut part = (set - 1) & set;
        while part > 0 {
            let rest = set & !part;
            if part < rest {
                break;
            }
            for node in 0..nodes {
                let (a, b) = (self.cost[part * nodes + node], self.cost[rest * nodes + node]);
                let joined = a.saturating_add(b);
                if joined < u16::MAX
                    && joined - self.graph.weight(node) < self.cost[set * nodes + node]
                {
                    self.cost[set * nodes + node] = joined - self.graph.weight(node);
                    self.back[set * nodes + node] = MERGED | part as u32;
                }
            }
            part = (part - 1) & set;
        }
    }

    /// Extends trees to neighbouring nodes by 0-1 breadth-first search.
    fn extend(&mut self, set: usize, mover: Mover) {
        let nodes = self.graph.len();
        let base = set * nodes;
        let mut starts: Vec<(u16, u32)> = (0..nodes)
            .filter(|node| self.cost[base + node] < u16::MAX)
            .map(|node| (self.cost[base + node], node as u32))
            .collect();
        starts.sort_unstable();
        let mut starts = starts.into_iter().peekable();
        let mut queue: VecDeque<(u16, u32)> = VecDeque::new();
        loop {
            // Both the starts and the queue are sorted by cost.
            let next = match (starts.peek(), queue.front()) {
                (Some(start), Some(front)) if start.0 <= front.0 => starts.next(),
                (Some(_), None) => starts.next(),
                _ => queue.pop_front(),
            };
            let Some((cost, node)) = next else { break };
            if cost > self.cost[base + node as usize] {
                continue;
            }
            for &to in self.graph.neighbours(node as usize, mover) {
                let price = cost + self.graph.weight(to as usize);
                if price < self.cost[base + to as usize] {
                    self.cost[base + to as usize] = price;
                    self.back[base + to as usize] = node;
                    if price == cost {
                        queue.push_front((price, to))
                    } else {
                        queue.push_back((price, to))
                    }
                }
            }
        }
    }

    /// Returns the walls of the tree over a set with a node.
    fn walls(&self, set: usize, node: u32) -> Vec<usize> {
        let nodes = self.graph.len();
        let mut visited = Vec::new();
        let mut stack = vec![(set, node)];
        while let Some((set, node)) = stack.pop() {
            visited.push(node);
            match self.back[set * nodes + node as usize] {
                NO_NODE => {}
                back if back & MERGED != 0 => {
                    let part = (back & !MERGED) as usize;
                    stack.extend([(part, node), (set & !part, node)]);
                }
                previous => stack.push((set, previous)),
            }
        }
        self.graph.walls(visited)
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::Cell;
    use super::*;
    use wayforge_core::MapRng;
    use wayforge_core::grid::{Dir, Size};

    /// Returns the graph of a drawing and its terminals: `#` wall, `X` closed, `T` terminal.
    fn parse_drawing(drawing: &str) -> (Graph, Vec<usize>) {
        let width = drawing.lines().next().unwrap().len();
        let size = Size::new(width as u16, drawing.lines().count() as u16);
        let text: Vec<char> = drawing.lines().flat_map(str::chars).collect();
        let kind = |c: &char| match c {
            '#' => Cell::Wall,
            'X' => Cell::Closed,
            _ => Cell::Open,
        };
        let cells: Vec<Cell> = text.iter().map(kind).collect();
        let steps = |cell: usize, visit: &mut dyn FnMut(usize)| {
            let steps = Dir::STRAIGHT.into_iter().filter_map(|dir| size.pos(cell).step(dir, size));
            steps.for_each(|pos| visit(size.index(pos)));
        };
        (
            Graph::build(&cells, &steps, None),
            (0..text.len()).filter(|&cell| text[cell] == 'T').collect(),
        )
    }

    fn terminals(places: &[usize]) -> Terminals {
        Terminals { all: places.to_vec(), ..Terminals::default() }
    }

    #[test]
    fn three_terminals_share_a_steiner_point() {
        let (graph, places) = parse_drawing("T##\n##T\nT##");
        // Two walls of the middle row connect all three; pairwise routes would need more.
        assert_eq!(
            graph.minimum_steiner_tree(&terminals(&places), &Work::default()).unwrap().len(),
            2
        );
        let (graph, places) = parse_drawing("T#X\n#XT");
        assert_eq!(graph.minimum_steiner_tree(&terminals(&places), &Work::default()), None);
    }

    #[test]
    fn minimum_trees_match_brute_force() {
        let mut rng = MapRng::from_u64(9);
        for round in 0..300 {
            let drawing: Vec<String> = (0..4)
                .map(|_| {
                    (0..4).map(|_| ['#', '#', '#', '.', 'X', 'T'][rng.below(6) as usize]).collect()
                })
                .collect();
            let (graph, places) = parse_drawing(&drawing.join("\n"));
            let found = graph
                .minimum_steiner_tree(&terminals(&places), &Work::default())
                .map(|walls| walls.len());
            let text: Vec<char> = drawing.iter().flat_map(|row| row.chars()).collect();
            let joined = |removed: usize| {
                let open = |cell: usize| {
                    !matches!(text[cell], '#' | 'X')
                        || text[cell] == '#' && removed >> cell & 1 == 1
                };
                let Some(&start) = places.first() else { return true };
                let (mut seen, mut queue) = (vec![start], vec![start]);
                while let Some(cell) = queue.pop() {
                    let pos = Size::new(4, 4).pos(cell);
                    for to in
                        Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, Size::new(4, 4)))
                    {
                        let to = Size::new(4, 4).index(to);
                        if open(to) && !seen.contains(&to) {
                            seen.push(to);
                            queue.push(to);
                        }
                    }
                }
                places.iter().all(|place| seen.contains(place))
            };
            let walls: usize =
                (0..16).filter(|&cell| text[cell] == '#').map(|cell| 1 << cell).sum();
            let best = (0..1_usize << 16)
                .filter(|set| set & !walls == 0)
                .filter(|&set| joined(set))
                .map(|set| set.count_ones() as usize)
                .min();
            assert_eq!(found, best, "round {round}\n{}", drawing.join("\n"));
            let heuristic = graph
                .shortest_path_heuristic(&terminals(&places), &Work::default())
                .map(|walls| walls.len());
            assert!(
                places.is_empty() || heuristic.is_some() == best.is_some() && heuristic >= best,
                "{heuristic:?} {best:?}"
            );
        }
    }
}
