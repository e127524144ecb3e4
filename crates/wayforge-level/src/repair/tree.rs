//! Node-weighted Steiner trees by dynamic programming (Dreyfus and Wagner 1971).

use super::net::{NOWHERE, Net};
use super::places::Named;
use crate::Mover;
use std::collections::VecDeque;

/// Entries of the largest table.
const MAX_ENTRIES: usize = 8 << 20;

impl Net {
    /// The fewest walls that join the places, as cells; `None` if nothing joins them or the problem is too large.
    ///
    /// The cheapest tree over a set of places that ends in a node either comes from a neighbour, or merges two trees over
    /// parts of the set at that node. A tree that contains a car grows only along the links of cars.
    pub(super) fn join(&self, places: &Named) -> Option<Vec<usize>> {
        let mut terminals = self.nodes(&places.all)?;
        let cars = self.nodes(&places.cars)?;
        let mut roots: Vec<u32> = places.exits.iter().map(|&cell| self.node[cell]).collect();
        if roots.is_empty() {
            // Without exits a car is the root, if there is one.
            roots.extend(cars.first().copied().or_else(|| terminals.last().copied()));
            terminals.retain(|terminal| !roots.contains(terminal));
        }
        terminals.retain(|terminal| !cars.contains(terminal));
        let first_car = terminals.len();
        terminals.extend(cars.iter().filter(|car| !places.exits.is_empty() || !roots.contains(car)));
        if roots.contains(&NOWHERE) {
            return None;
        }
        let nodes = self.len();
        if terminals.len() > 12 || nodes << terminals.len() > MAX_ENTRIES {
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
            table.spread(set, if set >> first_car > 0 { Mover::Car } else { Mover::Person });
        }
        if full == 0 {
            return Some(Vec::new());
        }
        let root = roots.iter().copied().min_by_key(|&root| table.cost[full * nodes + root as usize])?;
        (table.cost[full * nodes + root as usize] < u16::MAX).then(|| table.walls(full, root))
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
        let nodes = self.net.len();
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
    fn spread(&mut self, set: usize, mover: Mover) {
        let nodes = self.net.len();
        let base = set * nodes;
        let mut starts: Vec<(u16, u32)> = (0..nodes)
            .filter(|node| self.cost[base + node] < u16::MAX)
            .map(|node| (self.cost[base + node], node as u32))
            .collect();
        starts.sort_unstable();
        let mut starts = starts.into_iter().peekable();
        let mut queue: VecDeque<(u16, u32)> = VecDeque::new();
        loop {
            // 0-1 breadth-first search: starts and queue are both in order of cost.
            let next = match (starts.peek(), queue.front()) {
                (Some(start), Some(front)) if start.0 <= front.0 => starts.next(),
                (Some(_), None) => starts.next(),
                _ => queue.pop_front(),
            };
            let Some((cost, node)) = next else { break };
            if cost > self.cost[base + node as usize] {
                continue;
            }
            for &to in self.net.neighbours(node as usize, mover) {
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
        let nodes = self.net.len();
        let mut met = Vec::new();
        let mut open = vec![(set, node)];
        while let Some((set, node)) = open.pop() {
            met.push(node);
            match self.back[set * nodes + node as usize] {
                NOWHERE => {}
                back if back & JOINED != 0 => {
                    let part = (back & !JOINED) as usize;
                    open.extend([(part, node), (set & !part, node)]);
                }
                before => open.push((set, before)),
            }
        }
        self.net.walls(met)
    }
}

#[cfg(test)]
mod tests {
    use super::super::net::Cell;
    use super::*;
    use wayforge_core::MapRng;
    use wayforge_core::grid::{Dir, Size};

    /// The net of a drawing and its places: `#` walls, `X` closed, `T` places.
    fn drawn(drawing: &str) -> (Net, Vec<usize>) {
        let width = drawing.lines().next().unwrap().len();
        let size = Size::new(width as u16, drawing.lines().count() as u16);
        let text: Vec<char> = drawing.lines().flat_map(str::chars).collect();
        let kind = |c: &char| match c {
            '#' => Cell::Wall,
            'X' => Cell::Closed,
            _ => Cell::Open,
        };
        let cells: Vec<Cell> = text.iter().map(kind).collect();
        let steps = |cell: usize, give: &mut dyn FnMut(usize)| {
            let steps = Dir::STRAIGHT.into_iter().filter_map(|dir| size.pos(cell).step(dir, size));
            steps.for_each(|pos| give(size.index(pos)));
        };
        (Net::build(&cells, &steps, None), (0..text.len()).filter(|&cell| text[cell] == 'T').collect())
    }

    fn named(places: &[usize]) -> Named {
        Named { all: places.to_vec(), ..Named::default() }
    }

    #[test]
    fn one_crossing_serves_three_rooms() {
        let (net, places) = drawn("T##\n##T\nT##");
        // Along the middle row two walls join all three, where three routes of two would share nothing.
        assert_eq!(net.join(&named(&places)).unwrap().len(), 2);
        let (net, places) = drawn("T#X\n#XT");
        assert_eq!(net.join(&named(&places)), None);
    }

    #[test]
    fn as_cheap_as_trying_every_set_of_walls() {
        let mut rng = MapRng::from_u64(9);
        for round in 0..300 {
            let drawing: Vec<String> = (0..4)
                .map(|_| (0..4).map(|_| ['#', '#', '#', '.', 'X', 'T'][rng.below(6) as usize]).collect())
                .collect();
            let (net, places) = drawn(&drawing.join("\n"));
            let found = net.join(&named(&places)).map(|walls| walls.len());
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
            let grown = net.grow(&named(&places)).map(|walls| walls.len());
            assert!(
                places.is_empty() || grown.is_some() == best.is_some() && grown >= best,
                "{grown:?} {best:?}"
            );
        }
    }
}
