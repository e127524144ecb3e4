//! How many walls must go at least: cuts that no two share, by dual ascent.

use super::net::{Going, Net};

/// Links that may be looked at; what is found until then holds.
const MAX_STEPS: usize = 1 << 26;

impl Net {
    /// A number of walls that joining all of `terminals`, and one of `any` if there are some, takes at the least; `None` if
    /// nothing joins them.
    ///
    /// Wong: around each place lies a cut, the ways into what already leads to it freely. Every tree from the root crosses
    /// it, so one is due for it, and those ways are paid for: what lies behind them leads to the place freely from then on.
    /// A wall is paid for from each side apart, so that two places may each charge for the way between them.
    ///
    /// * **Complexity.** For each wall that is due, the links of the region around one place.
    pub(super) fn lower_bound(&self, terminals: &[u32], any: &[u32]) -> Option<usize> {
        let root =
            *terminals.iter().max_by_key(|&&node| self.neighbours(node as usize, Going::OnFoot).len())?;
        let mut goals: Vec<Vec<u32>> = terminals.iter().map(|&node| vec![node]).collect();
        goals.extend((!any.is_empty()).then(|| any.to_vec()));
        let mut ascent = Ascent {
            net: self,
            paid: vec![false; self.first(None, Going::OnFoot)],
            seen: vec![u32::MAX; self.len()],
            around: Vec::new(),
            cut: Vec::new(),
            steps: 0,
        };
        // Small cuts first: they leave the most for the others.
        let mut queue: std::collections::BinaryHeap<_> =
            (0..goals.len()).map(|goal| std::cmp::Reverse((0, goal))).collect();
        let mut due = 0;
        while let Some(std::cmp::Reverse((size, goal))) = queue.pop() {
            if ascent.leads_from(root, goal as u32, &goals[goal]) {
                continue;
            }
            if ascent.cut.is_empty() {
                return None;
            }
            if ascent.steps > MAX_STEPS {
                break;
            }
            if ascent.cut.len() > size && queue.peek().is_some_and(|next| next.0.0 < ascent.cut.len()) {
                queue.push(std::cmp::Reverse((ascent.cut.len(), goal)));
                continue;
            }
            ascent.cut.iter().for_each(|&way| ascent.paid[way] = true);
            due += 1;
            queue.push(std::cmp::Reverse((ascent.cut.len(), goal)));
        }
        Some(due)
    }
}

struct Ascent<'a> {
    net: &'a Net,
    /// For every way into a wall, by its place among the wall's links, whether it is paid for.
    paid: Vec<bool>,
    /// The goal that a node was last seen from.
    seen: Vec<u32>,
    around: Vec<u32>,
    /// The ways into what was seen that are still to be paid.
    cut: Vec<usize>,
    steps: usize,
}

impl Ascent<'_> {
    /// Looks at all that leads to a goal freely, and true if the root does; else `cut` is what closes it off.
    fn leads_from(&mut self, root: u32, goal: u32, places: &[u32]) -> bool {
        let Ascent { net, paid, seen, around, cut, steps } = self;
        around.clear();
        cut.clear();
        // Seen from another goal since, a node is seen anew.
        places.iter().for_each(|&node| seen[node as usize] = goal);
        around.extend_from_slice(places);
        let mut next = 0;
        while let Some(&node) = around.get(next) {
            next += 1;
            if node == root {
                around.iter().for_each(|&node| seen[node as usize] = u32::MAX);
                return true;
            }
            let neighbours = net.neighbours(node as usize, Going::OnFoot);
            *steps += neighbours.len();
            let first = net.first(Some(node as usize), Going::OnFoot);
            let wall = net.weight(node as usize) > 0;
            for (i, &from) in neighbours.iter().enumerate() {
                if wall && !paid[first + i] {
                    cut.push(first + i);
                } else if seen[from as usize] != goal {
                    seen[from as usize] = goal;
                    around.push(from);
                }
            }
        }
        // A way between two nodes that both lead here is no part of the cut.
        let neighbour = |way: usize| net.neighbour(way, Going::OnFoot) as usize;
        cut.retain(|&way| seen[neighbour(way)] != goal);
        around.iter().for_each(|&node| seen[node as usize] = u32::MAX);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::net::Places;
    use super::super::tree::tests::drawn;
    use wayforge_core::MapRng;

    #[test]
    fn never_above_the_cheapest_tree_and_mostly_there() {
        let mut rng = MapRng::from_u64(17);
        let (mut met, mut trees) = (0, 0);
        for _ in 0..400 {
            let drawing: Vec<String> = (0..7)
                .map(|_| {
                    (0..9).map(|_| ['#', '#', '#', '#', '.', '.', 'X', 'T'][rng.below(8) as usize]).collect()
                })
                .collect();
            let (net, places) = drawn(&drawing.join("\n"));
            let Some(nodes) = net.nodes(&places).filter(|nodes| nodes.len() > 1 && nodes.len() <= 8) else {
                continue;
            };
            let cheapest = net.join(Places { all: &places, cars: &[], any: &[] }).map(|walls| walls.len());
            let bound = net.lower_bound(&nodes, &[]);
            let grown = net.grow(&nodes, &[]).map(|walls| walls.len());
            assert_eq!(cheapest.is_none(), bound.is_none(), "{}", drawing.join("\n"));
            assert_eq!(cheapest.is_none(), grown.is_none(), "{}", drawing.join("\n"));
            assert!(
                bound <= cheapest && cheapest <= grown,
                "{bound:?} {cheapest:?} {grown:?}\n{}",
                drawing.join("\n")
            );
            trees += u32::from(cheapest.is_some());
            met += u32::from(cheapest.is_some() && bound == cheapest && grown == cheapest);
        }
        assert!(trees > 100 && met * 4 > trees * 3, "{met} of {trees}");
    }
}
