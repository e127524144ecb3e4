//! A map prepared for playing.

use super::step::Step;
use crate::graph::Graph;
use crate::{ActMap, KindId, NodePos};
use std::sync::Arc;
use wayforge_core::Digest;

/// A map with its digest and its graph.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) map: Arc<ActMap>,
    pub(super) digest: Digest,
    pub(super) graph: Graph,
}

impl Ground {
    pub(super) fn of(map: Arc<ActMap>) -> Ground {
        Ground { digest: map.to_document().digest, graph: Graph::new(&map), map }
    }

    pub(super) fn find(&self, row: u16, col: u16) -> Option<usize> {
        self.graph.find(NodePos { row, col })
    }

    pub(super) fn step(&self, node: u32) -> Step {
        let NodePos { row, col } = self.graph.cells[node as usize];
        Step::Node { row, col }
    }

    pub(super) fn kind(&self, node: usize) -> Option<KindId> {
        self.graph.kinds[node].map(KindId)
    }

    pub(super) fn has_boss(&self) -> bool {
        self.map.boss.is_some()
    }

    pub(super) fn is_top(&self, row: u16) -> bool {
        row.checked_add(1) == Some(self.map.spec.rows())
    }
}

/// The rest of the ground follows from the map.
impl PartialEq for Ground {
    fn eq(&self, other: &Ground) -> bool {
        Arc::ptr_eq(&self.map, &other.map) || self.map == other.map
    }
}

impl Eq for Ground {}
