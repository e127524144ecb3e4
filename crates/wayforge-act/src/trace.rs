//! Generation events of act maps, and the replay that rebuilds a map from them.

use super::{ActMap, Edge, KindId, Node, NodePos, Spec, Walks};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use wayforge_core::Seed;

/// One step of the generation of an act map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A walk enters a cell: first on row 0, then one row higher with each step.
    Step {
        /// Index of the walk, in the order of generation.
        walk: u32,
        /// The cell's row.
        row: u16,
        /// The cell's column.
        col: u16,
    },
    /// A walk is stuck and undoes its last step.
    Backtrack {
        /// Index of the walk.
        walk: u32,
        /// The row that it leaves.
        row: u16,
    },
    /// A walk has reached the top row: its cells become nodes, its steps edges.
    Commit {
        /// Index of the walk.
        walk: u32,
    },
    /// A node is added.
    AddNode {
        /// Its row.
        row: u16,
        /// Its column.
        col: u16,
    },
    /// An edge is added.
    AddEdge(Edge),
    /// An edge is removed, together with end nodes that have no other edge.
    Prune(Edge),
    /// A kind is assigned to a node.
    SetKind {
        /// Its row.
        row: u16,
        /// Its column.
        col: u16,
        /// The kind.
        kind: KindId,
    },
    /// The search for kinds backtracks and clears the kind of a node.
    ClearKind {
        /// Its row.
        row: u16,
        /// Its column.
        col: u16,
    },
    /// The skeleton is discarded because no kinds satisfy the rules on it.
    Discard {
        /// Index of the next attempt, from 0.
        attempt: u32,
    },
    /// The emerald key's burning elite is chosen.
    Emerald(NodePos),
}

/// Rebuilds an act map from its generation events.
///
/// # Examples
/// ```
/// use wayforge_act::{self as act, Replay};
/// use wayforge_core::trace::Recorder;
/// let spec = act::Config::default().resolve()?;
/// let mut recorder = Recorder::new(10_000);
/// let map = act::generate_traced(7.into(), &spec, &mut recorder)?;
/// let mut replay = Replay::new(7.into(), &spec);
/// recorder.events().iter().for_each(|event| replay.apply(event));
/// let built = replay.map();
/// assert_eq!((built.nodes, built.edges), (map.nodes, map.edges));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    /// The map without nodes and edges.
    base: ActMap,
    nodes: BTreeMap<(u16, u16), Option<KindId>>,
    edges: BTreeSet<Edge>,
    /// Columns of the current walk, from row 0 up.
    walk: Vec<u16>,
}

impl Replay {
    /// Starts with an empty map.
    pub fn new(seed: Seed, spec: &Spec) -> Replay {
        let base = ActMap::empty(seed, spec);
        Replay { base, nodes: BTreeMap::new(), edges: BTreeSet::new(), walk: Vec::new() }
    }

    /// Applies one event.
    ///
    /// The result is a map of the generator only if the events are those of one trace, in order.
    /// Other events never panic.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Step { row, col, .. } => {
                self.walk.truncate(row.into());
                self.walk.push(col);
            }
            Event::Backtrack { row, .. } => self.walk.truncate(row.into()),
            Event::Commit { .. } => {
                let walk = std::mem::take(&mut self.walk);
                for (row, &col) in (0..=u16::MAX).zip(&walk) {
                    self.nodes.entry((row, col)).or_default();
                }
                self.edges.extend(Walks::steps(&walk));
            }
            Event::AddNode { row, col } => {
                self.nodes.entry((row, col)).or_default();
            }
            Event::AddEdge(edge) => {
                self.edges.insert(edge);
            }
            Event::Prune(edge) => {
                self.edges.remove(&edge);
                for end in edge_ends(&edge) {
                    if !self.edges.iter().flat_map(edge_ends).any(|other| other == end) {
                        self.nodes.remove(&end);
                    }
                }
            }
            Event::SetKind { row, col, kind } => {
                self.nodes.insert((row, col), Some(kind));
            }
            Event::ClearKind { row, col } => {
                self.nodes.insert((row, col), None);
            }
            Event::Discard { .. } => {
                (self.nodes, self.edges, self.walk) = Default::default();
            }
            Event::Emerald(elite) => self.base.emerald = Some(elite),
        }
    }

    /// Returns the columns of the current walk, from row 0 up; empty between walks.
    pub fn walk(&self) -> &[u16] {
        &self.walk
    }

    /// Returns the map after the events so far, including the current walk.
    pub fn map(&self) -> ActMap {
        let mut nodes = self.nodes.clone();
        for (row, &col) in (0..=u16::MAX).zip(&self.walk) {
            nodes.entry((row, col)).or_default();
        }
        let mut edges = self.edges.clone();
        edges.extend(Walks::steps(&self.walk));
        ActMap {
            nodes: nodes.into_iter().map(|((row, col), kind)| Node { row, col, kind }).collect(),
            edges: edges.into_iter().collect(),
            ..self.base.clone()
        }
    }
}

/// Returns row and column of the lower and upper end of an edge. No cell is above row `u16::MAX`.
fn edge_ends(edge: &Edge) -> impl Iterator<Item = (u16, u16)> {
    let upper = edge.row.checked_add(1).map(|row| (row, edge.to));
    [(edge.row, edge.from)].into_iter().chain(upper)
}

/// Describes the event in one line. Kinds are numbers, because an event does not contain their
/// names.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Walks and skeletons are numbered from 1. The sums are wider than the fields, so that no
        // value overflows.
        let ordinal = |index: &u32| u64::from(*index) + 1;
        let row_above = |edge: &Edge| u32::from(edge.row) + 1;
        match self {
            Event::Step { walk, row: 0, col } => {
                write!(f, "walk {} starts at {col},0", ordinal(walk))
            }
            Event::Step { walk, row, col } => {
                write!(f, "walk {} steps to {col},{row}", ordinal(walk))
            }
            Event::Backtrack { walk, row } => {
                write!(f, "walk {} is stuck and leaves row {row}", ordinal(walk))
            }
            Event::Commit { walk } => write!(f, "walk {} reaches the top row", ordinal(walk)),
            Event::AddNode { row, col } => write!(f, "node {col},{row}"),
            Event::AddEdge(edge) => {
                write!(f, "{},{} leads to {},{}", edge.from, edge.row, edge.to, row_above(edge))
            }
            Event::Prune(edge) => {
                let Edge { row, from, to } = edge;
                write!(f, "{from},{row} no longer leads to {to},{}", row_above(edge))
            }
            Event::SetKind { row, col, kind } => write!(f, "{col},{row} is of kind {}", kind.0),
            Event::ClearKind { row, col } => write!(f, "the kind of {col},{row} is cleared"),
            Event::Discard { attempt } => {
                write!(f, "no kinds satisfy the rules: skeleton {} is generated", ordinal(attempt))
            }
            Event::Emerald(elite) => {
                write!(f, "the elite at {},{} burns", elite.col, elite.row)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn empty_replay() -> Replay {
        Replay::new(Seed::new(0), &Config::default().resolve().unwrap())
    }

    #[test]
    fn prune_accepts_the_highest_row_number() {
        let mut replay = empty_replay();
        // A wrapped row number would remove the node of row 0.
        let top = Edge { row: u16::MAX, from: 1, to: 2 };
        replay.apply(&Event::AddNode { row: 0, col: 2 });
        replay.apply(&Event::AddNode { row: u16::MAX, col: 1 });
        replay.apply(&Event::AddEdge(top));
        replay.apply(&Event::AddEdge(Edge { to: 3, ..top }));
        replay.apply(&Event::Prune(top));
        assert_eq!(replay.map().nodes.len(), 2, "both nodes stay");
        replay.apply(&Event::Prune(Edge { to: 3, ..top }));
        let nodes = replay.map().nodes;
        assert_eq!(nodes, [Node { row: 0, col: 2, kind: None }], "the last edge is removed");
    }

    #[test]
    fn replays_a_walk_over_all_row_numbers() {
        let mut replay = empty_replay();
        (0..=u16::MAX).for_each(|row| replay.apply(&Event::Step { walk: 0, row, col: 0 }));
        let rows = usize::from(u16::MAX) + 1;
        let map = replay.map();
        assert_eq!((map.nodes.len(), map.edges.len()), (rows, rows - 1));
        replay.apply(&Event::Commit { walk: 0 });
        assert_eq!((replay.walk(), replay.map()), (&[][..], map));
    }

    #[test]
    fn displays_events_with_the_largest_numbers() {
        let edge = Edge { row: u16::MAX, from: 1, to: 2 };
        for (event, text) in [
            (Event::AddEdge(edge), "1,65535 leads to 2,65536"),
            (Event::Prune(edge), "1,65535 no longer leads to 2,65536"),
            (Event::Commit { walk: u32::MAX }, "walk 4294967296 reaches the top row"),
            (
                Event::Discard { attempt: u32::MAX },
                "no kinds satisfy the rules: skeleton 4294967296 is generated",
            ),
        ] {
            assert_eq!(event.to_string(), text);
        }
    }
}
