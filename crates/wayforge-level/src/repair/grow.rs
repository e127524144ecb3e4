//! Grown trees: the shortest-path heuristic for Steiner trees (Takahashi and Matsuyama 1980).

use super::net::Net;
use super::places::Named;
use crate::Mover;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Net {
    /// Walls that join all places, and one of the exits if there are any, as cells; `None` if nothing joins them. An upper
    /// bound.
    ///
    /// The tree starts at the place with the most neighbours and always adds the nearest place that it does not contain,
    /// found by Dijkstra's algorithm.
    ///
    /// * **Complexity.** Near O(links * log nodes), as every place lies near another.
    pub(super) fn grow(&self, named: &Named) -> Option<Vec<usize>> {
        let (places, exits) = (self.nodes(&named.all)?, self.nodes(&named.exits)?);
        let links = |node: &&u32| self.neighbours(**node as usize, Mover::Car).len();
        // The first of those with the most.
        let start = *places.iter().rev().max_by_key(links)?;
        const GOAL: u8 = 1;
        const ANY: u8 = 2;
        let mut goal = vec![0_u8; self.len()];
        places.iter().for_each(|&node| goal[node as usize] |= GOAL);
        exits.iter().for_each(|&node| goal[node as usize] |= ANY);
        let mut missing = places.len() + usize::from(!exits.is_empty());
        let mut ended = false;
        // For every node the walls between it and the tree, and the node before.
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
                    return Some(self.walls(tree));
                }
                if paid > 0 {
                    continue;
                }
            }
            for &to in self.neighbours(node as usize, Mover::Car) {
                let price = paid + u32::from(self.weight(to as usize));
                if price < near[to as usize].0 {
                    near[to as usize] = (price, node);
                    queue.push(Reverse((price, to)));
                }
            }
        }
        None
    }
}
