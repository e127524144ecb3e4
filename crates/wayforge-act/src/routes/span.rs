//! The least and the most of every kind on the rest of the path, at every node, by dynamic programming from the top down.

use crate::graph::Graph;

/// The least and the most for every node and kind; nodes that do not reach the top hold nothing of use.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    kinds: usize,
    spans: Vec<(u16, u16)>,
}

impl Spans {
    pub(super) fn of(graph: &Graph, kinds: usize) -> Spans {
        let mut spans = vec![(0, 0); graph.cells.len() * kinds];
        for node in (0..graph.cells.len()).rev() {
            let (here, above) = spans[node * kinds..].split_at_mut(kinds);
            let choices = graph.choices(Some(node)).iter();
            let mut choices = choices.map(|&next| &above[(next as usize - node - 1) * kinds..][..kinds]);
            if let Some(first) = choices.next() {
                here.copy_from_slice(first);
            }
            for spans in choices {
                for ((least, most), span) in here.iter_mut().zip(spans) {
                    (*least, *most) = ((*least).min(span.0), (*most).max(span.1));
                }
            }
            if let Some(kind) = graph.kinds[node] {
                let (least, most) = &mut here[usize::from(kind)];
                (*least, *most) = (*least + 1, *most + 1);
            }
        }
        Spans { kinds, spans }
    }

    /// The least and the most of every kind from a node to the top, the node included.
    pub(super) fn at(&self, node: usize) -> &[(u16, u16)] {
        &self.spans[node * self.kinds..(node + 1) * self.kinds]
    }
}
