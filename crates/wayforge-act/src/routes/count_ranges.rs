//! Minimum and maximum count of every kind from each node to the top, by dynamic programming.

use crate::graph::Graph;

/// Minimum and maximum for every node and kind. Unspecified for nodes that do not reach the top.
#[derive(Clone, Debug)]
pub(super) struct CountRanges {
    kinds: usize,
    ranges: Vec<(u16, u16)>,
}

impl CountRanges {
    pub(super) fn new(graph: &Graph, kinds: usize) -> CountRanges {
        let mut ranges = vec![(0, 0); graph.positions.len() * kinds];
        for node in (0..graph.positions.len()).rev() {
            let (own, above) = ranges[node * kinds..].split_at_mut(kinds);
            let choices = graph.choices(Some(node)).iter();
            let mut choices =
                choices.map(|&next| &above[(next as usize - node - 1) * kinds..][..kinds]);
            if let Some(first) = choices.next() {
                own.copy_from_slice(first);
            }
            for ranges in choices {
                for ((min, max), range) in own.iter_mut().zip(ranges) {
                    (*min, *max) = ((*min).min(range.0), (*max).max(range.1));
                }
            }
            if let Some(kind) = graph.kinds[node] {
                let (min, max) = &mut own[usize::from(kind)];
                (*min, *max) = (*min + 1, *max + 1);
            }
        }
        CountRanges { kinds, ranges }
    }

    /// Returns minimum and maximum of every kind from a node to the top, the node included.
    pub(super) fn at(&self, node: usize) -> &[(u16, u16)] {
        &self.ranges[node * self.kinds..(node + 1) * self.kinds]
    }
}
