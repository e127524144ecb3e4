//! Shortest-path heuristic for Steiner trees (Takahashi & Matsuyama 1980).

use super::graph::Graph;
use super::terminals::Terminals;
use crate::Mover;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wayforge_core::Work;

impl Graph {
    /// Returns the wall cells of a tree that connects all terminals, and one exit if there are any.
    /// Their number is an upper bound on the minimum. Returns `None` if no such tree exists
    /// or `work` is stopped.
    ///
    /// The tree starts at the terminal with the most neighbours and repeatedly adds the nearest
    /// missing terminal, found by Dijkstra's algorithm.
    ///
    /// # Complexity
    /// O(terminals * links * log nodes) in the worst case, close to O(links * log nodes) if
    /// terminals are close together.
    pub(super) fn shortest_path_heuristic(
        &self,
        terminals: &Terminals,
        work: &Work,
    ) -> Option<Vec<usize>> {
        let (places, exits) = (self.nodes(&terminals.all)?, self.nodes(&terminals.exits)?);
        let links = |node: &&u32| self.neighbours(**node as usize, Mover::Car).len();
        // The first of several maxima.
        let start = *places.iter().rev().max_by_key(links)?;
        const TERMINAL: u8 = 1;
        const EXIT: u8 = 2;
        let mut kinds = vec![0_u8; self.len()];
        places.iter().for_each(|&node| kinds[node as usize] |= TERMINAL);
        exits.iter().for_each(|&node| kinds[node as usize] |= EXIT);
        let mut missing = places.len() + usize::from(!exits.is_empty());
        let mut exit_reached = false;
        // For every node, the number of walls to the tree, and the predecessor.
        let mut near: Vec<(u32, u32)> = vec![(u32::MAX, u32::MAX); self.len()];
        let mut tree = Vec::new();
        let mut in_tree = vec![false; self.len()];
        let mut queue = BinaryHeap::from([Reverse((0, start))]);
        near[start as usize].0 = 0;
        while let Some(Reverse((cost, node))) = queue.pop() {
            if cost > near[node as usize].0 {
                continue;
            }
            let kind = &mut kinds[node as usize];
            let arrived = *kind & TERMINAL != 0 || *kind & EXIT != 0 && !exit_reached;
            if arrived {
                missing -= usize::from(*kind & TERMINAL != 0)
                    + usize::from(*kind & EXIT != 0 && !exit_reached);
                exit_reached |= *kind & EXIT != 0;
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
                if cost > 0 {
                    continue;
                }
            }
            let neighbours = self.neighbours(node as usize, Mover::Car);
            if !work.spend(8 + neighbours.len() as u64) {
                return None;
            }
            for &to in neighbours {
                let price = cost + u32::from(self.weight(to as usize));
                if price < near[to as usize].0 {
                    near[to as usize] = (price, node);
                    queue.push(Reverse((price, to)));
                }
            }
        }
        None
    }
}
