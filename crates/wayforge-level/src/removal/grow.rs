//! Walls whose removal joins many places: the nearest one next, then without what turns out to be needless.

use super::net::{Going, Net};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Starts that are tried on nets of up to [`SMALL`] nodes; larger ones are grown once.
const STARTS: usize = 4;
const SMALL: usize = 20_000;
/// Trees of more walls are left as they grew: looking for needless ones takes the square of their number.
const MAX_WALLS: usize = 500;

impl Net {
    /// Walls that join all of `terminals`, and one of `any` if there are some, as cells; `None` if nothing does. Few, but
    /// not always the fewest.
    ///
    /// Takahashi and Matsuyama: a tree grows from one place, and takes the nearest place that is not in it next.
    ///
    /// * **Complexity.** Near linear in the links, as every place lies near another.
    pub(super) fn grow(&self, terminals: &[u32], any: &[u32]) -> Option<Vec<usize>> {
        let mut starts = terminals.to_vec();
        starts.sort_by_key(|&node| Reverse(self.neighbours(node as usize, Going::ByCar).len()));
        starts.truncate(if self.len() <= SMALL { STARTS } else { 1 });
        let mut best: Option<Vec<usize>> = None;
        for start in starts {
            let nodes = self.grow_from(start, terminals, any)?;
            let nodes = self.without_needless(nodes, terminals, any);
            let walls = self.walls(nodes);
            if best.as_ref().is_none_or(|best| walls.len() < best.len()) {
                best = Some(walls);
            }
        }
        best
    }

    /// The nodes of a tree that grew from one place.
    fn grow_from(&self, start: u32, terminals: &[u32], any: &[u32]) -> Option<Vec<u32>> {
        const GOAL: u8 = 1;
        const ANY: u8 = 2;
        let mut goal = vec![0_u8; self.len()];
        terminals.iter().for_each(|&node| goal[node as usize] |= GOAL);
        any.iter().for_each(|&node| goal[node as usize] |= ANY);
        let mut missing = terminals.len() + usize::from(!any.is_empty());
        let mut ended = false;
        // For every node what it takes to join it to the tree, and the node before.
        let mut near: Vec<(u32, u32)> = vec![(u32::MAX, u32::MAX); self.len()];
        let mut tree = Vec::new();
        let mut in_tree = vec![false; self.len()];
        let mut queue = BinaryHeap::from([Reverse((0, start))]);
        near[start as usize].0 = 0;
        while let Some(Reverse((paid, node))) = queue.pop() {
            if paid > near[node as usize].0 {
                continue;
            }
            let kind = &mut goal[node as usize];
            let arrived = *kind & GOAL != 0 || *kind & ANY != 0 && !ended;
            if arrived {
                missing -= usize::from(*kind & GOAL != 0) + usize::from(*kind & ANY != 0 && !ended);
                ended |= *kind & ANY != 0;
                *kind = 0;
                let mut at = node;
                while at != u32::MAX && !in_tree[at as usize] {
                    in_tree[at as usize] = true;
                    tree.push(at);
                    near[at as usize].0 = 0;
                    queue.push(Reverse((0, at)));
                    at = near[at as usize].1;
                }
                if missing == 0 {
                    return Some(tree);
                }
                if paid > 0 {
                    continue;
                }
            }
            for &to in self.neighbours(node as usize, Going::ByCar) {
                let price = paid + u32::from(self.weight(to as usize));
                if price < near[to as usize].0 {
                    near[to as usize] = (price, node);
                    queue.push(Reverse((price, to)));
                }
            }
        }
        None
    }

    /// Leaves out every wall without which the tree still joins all places.
    fn without_needless(&self, mut tree: Vec<u32>, terminals: &[u32], any: &[u32]) -> Vec<u32> {
        let walls: Vec<u32> = tree.iter().copied().filter(|&node| self.weight(node as usize) > 0).collect();
        if walls.len() > MAX_WALLS {
            return tree;
        }
        let mut kept = walls;
        for i in (0..kept.len()).rev() {
            let wall = kept.remove(i);
            if !self.joins(&kept, terminals, any) {
                kept.insert(i, wall);
            }
        }
        tree.retain(|node| self.weight(*node as usize) == 0 || kept.contains(node));
        tree
    }

    /// True if some walls join all places, and one of `any`.
    fn joins(&self, walls: &[u32], terminals: &[u32], any: &[u32]) -> bool {
        let mut ends: Vec<u32> = walls.to_vec();
        let links = walls.iter().flat_map(|&wall| self.neighbours(wall as usize, Going::ByCar));
        ends.extend(links.filter(|node| self.weight(**node as usize) == 0));
        ends.extend_from_slice(terminals);
        ends.extend_from_slice(any);
        ends.sort_unstable();
        ends.dedup();
        let at = |node: &u32| ends.binary_search(node).ok();
        let mut group: Vec<u32> = (0..ends.len() as u32).collect();
        for wall in walls {
            let Some(here) = at(wall) else { continue };
            for there in self.neighbours(*wall as usize, Going::ByCar).iter().filter_map(at) {
                let (one, other) = (root(&mut group, here), root(&mut group, there));
                group[one] = other as u32;
            }
        }
        let mut of = |node: &u32| at(node).map(|at| root(&mut group, at));
        let first = terminals.first().and_then(&mut of);
        terminals.iter().all(|node| of(node) == first)
            && (any.is_empty() || any.iter().any(|node| of(node) == first))
    }
}

fn root(group: &mut [u32], mut at: usize) -> usize {
    while group[at] as usize != at {
        group[at] = group[group[at] as usize];
        at = group[at] as usize;
    }
    at
}
