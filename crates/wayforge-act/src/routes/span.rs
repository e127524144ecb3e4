//! The least and the most of every kind on the rest of the way, at every node, by dynamic programming from the top down.

use crate::graph::Graph;

/// Two numbers for every node and kind; nodes that do not reach the top hold nothing of use.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    kinds: usize,
    least: Vec<u16>,
    most: Vec<u16>,
}

impl Spans {
    pub(super) fn of(graph: &Graph, kinds: usize) -> Spans {
        let cells = graph.cells.len() * kinds;
        let mut spans = Spans { kinds, least: vec![0; cells], most: vec![0; cells] };
        if kinds == 0 {
            return spans;
        }
        for node in (0..graph.cells.len()).rev() {
            let (here, above) = spans.least.split_at_mut((node + 1) * kinds);
            join(graph, node, kinds, &mut here[node * kinds..], above, u16::min);
            let (here, above) = spans.most.split_at_mut((node + 1) * kinds);
            join(graph, node, kinds, &mut here[node * kinds..], above, u16::max);
        }
        spans
    }

    /// The least of every kind from a node to the top, the node included.
    pub(super) fn least(&self, node: usize) -> &[u16] {
        &self.least[node * self.kinds..(node + 1) * self.kinds]
    }

    /// The most of every kind from a node to the top, the node included.
    pub(super) fn most(&self, node: usize) -> &[u16] {
        &self.most[node * self.kinds..(node + 1) * self.kinds]
    }
}

/// Settles one node from the nodes above it, whose numbers begin after its own.
fn join(
    graph: &Graph,
    node: usize,
    kinds: usize,
    here: &mut [u16],
    above: &[u16],
    better: impl Fn(u16, u16) -> u16,
) {
    let mut choices = graph.choices(Some(node)).iter().map(|&next| {
        let at = (next as usize - node - 1) * kinds;
        &above[at..at + kinds]
    });
    if let Some(first) = choices.next() {
        here.copy_from_slice(first);
    }
    for numbers in choices {
        here.iter_mut().zip(numbers).for_each(|(here, &number)| *here = better(*here, number));
    }
    if let Some(kind) = graph.kinds[node] {
        here[usize::from(kind)] += 1;
    }
}
