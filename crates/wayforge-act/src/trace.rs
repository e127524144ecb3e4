//! What the making of an act map tells, and the map under construction that the telling describes.

use super::{ActMap, Edge, KindId, Node, NodePos, Spec, Walks};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use wayforge_core::Seed;

/// One step of the making of an act map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A walk comes to a cell: its first on row 0, each further one a row higher.
    Step {
        /// The walk, in the order of drawing.
        walk: u32,
        /// The cell's row.
        row: u16,
        /// The cell's column.
        col: u16,
    },
    /// A walk is stuck and takes its last step back.
    Back {
        /// The walk.
        walk: u32,
        /// The row that it leaves.
        row: u16,
    },
    /// A walk has come to the top: its cells are nodes, its steps edges.
    Stand {
        /// The walk.
        walk: u32,
    },
    /// A node is set.
    Node {
        /// Its row.
        row: u16,
        /// Its column.
        col: u16,
    },
    /// Two nodes are joined.
    Join(Edge),
    /// An edge is taken away, and with it ends that nothing else holds.
    Prune(Edge),
    /// A node is given a kind.
    Kind {
        /// Its row.
        row: u16,
        /// Its column.
        col: u16,
        /// The kind.
        kind: KindId,
    },
    /// The search for kinds goes back over a node: its kind is open again.
    Open {
        /// Its row.
        row: u16,
        /// Its column.
        col: u16,
    },
    /// No kinds satisfy the rules on the skeleton: it is discarded, and another one is drawn.
    Discard {
        /// The attempt that begins, counted from 0.
        attempt: u32,
    },
    /// An elite burns with the emerald flame.
    Emerald(NodePos),
}

/// An act map under construction: what a trace has told so far.
///
/// ```
/// use wayforge_act::{self as act, Replay};
/// use wayforge_core::trace::Tape;
/// let spec = act::Config::default().resolve()?;
/// let mut tape = Tape::new(10_000);
/// let map = act::generate_traced(7.into(), &spec, &mut tape)?;
/// let mut replay = Replay::new(7.into(), &spec);
/// tape.events().iter().for_each(|event| replay.apply(event));
/// let built = replay.map();
/// assert_eq!((built.nodes, built.edges), (map.nodes, map.edges));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    /// The map without nodes and edges.
    blank: ActMap,
    nodes: BTreeMap<(u16, u16), Option<KindId>>,
    edges: BTreeSet<Edge>,
    /// The columns of the walk under way, from row 0 up.
    walk: Vec<u16>,
}

impl Replay {
    /// Nothing is there yet.
    pub fn new(seed: Seed, spec: &Spec) -> Replay {
        let blank = ActMap::empty(seed, spec);
        Replay { blank, nodes: BTreeMap::new(), edges: BTreeSet::new(), walk: Vec::new() }
    }

    /// Takes one event over. Events that do not fit what is there change nothing.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Step { row, col, .. } => {
                self.walk.truncate(row.into());
                self.walk.push(col);
            }
            Event::Back { row, .. } => self.walk.truncate(row.into()),
            Event::Stand { .. } => {
                let walk = std::mem::take(&mut self.walk);
                for (row, &col) in (0..).zip(&walk) {
                    self.nodes.entry((row, col)).or_default();
                }
                self.edges.extend(Walks::steps(&walk));
            }
            Event::Node { row, col } => {
                self.nodes.entry((row, col)).or_default();
            }
            Event::Join(edge) => {
                self.edges.insert(edge);
            }
            Event::Prune(edge) => {
                self.edges.remove(&edge);
                let joined = |at: (u16, u16)| {
                    self.edges.iter().any(|e| (e.row, e.from) == at || (e.row + 1, e.to) == at)
                };
                for end in [(edge.row, edge.from), (edge.row + 1, edge.to)] {
                    if !joined(end) {
                        self.nodes.remove(&end);
                    }
                }
            }
            Event::Kind { row, col, kind } => {
                self.nodes.insert((row, col), Some(kind));
            }
            Event::Open { row, col } => {
                self.nodes.insert((row, col), None);
            }
            Event::Discard { .. } => {
                (self.nodes, self.edges, self.walk) = Default::default();
            }
            Event::Emerald(mark) => self.blank.emerald = Some(mark),
        }
    }

    /// The columns of the walk under way, from row 0 up; empty if none is.
    pub fn walk(&self) -> &[u16] {
        &self.walk
    }

    /// What is there, the walk under way included.
    pub fn map(&self) -> ActMap {
        let mut nodes = self.nodes.clone();
        for (row, &col) in (0..).zip(&self.walk) {
            nodes.entry((row, col)).or_default();
        }
        let mut edges = self.edges.clone();
        edges.extend(Walks::steps(&self.walk));
        ActMap {
            nodes: nodes.into_iter().map(|((row, col), kind)| Node { row, col, kind }).collect(),
            edges: edges.into_iter().collect(),
            ..self.blank.clone()
        }
    }
}

/// What happens, in words; a kind only by its number.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Step { walk, row: 0, col } => write!(f, "walk {} starts on {col},0", walk + 1),
            Event::Step { walk, row, col } => write!(f, "walk {} steps to {col},{row}", walk + 1),
            Event::Back { walk, row } => write!(f, "walk {} is stuck and leaves row {row}", walk + 1),
            Event::Stand { walk } => write!(f, "walk {} has come to the top", walk + 1),
            Event::Node { row, col } => write!(f, "node {col},{row}"),
            Event::Join(edge) => {
                write!(f, "{},{} leads to {},{}", edge.from, edge.row, edge.to, edge.row + 1)
            }
            Event::Prune(edge) => {
                write!(f, "{},{} no longer leads to {},{}", edge.from, edge.row, edge.to, edge.row + 1)
            }
            Event::Kind { row, col, kind } => write!(f, "{col},{row} is of kind {}", kind.0),
            Event::Open { row, col } => write!(f, "the kind of {col},{row} is open again"),
            Event::Discard { attempt } => {
                write!(f, "no kinds satisfy the rules: skeleton {} is drawn", attempt + 1)
            }
            Event::Emerald(mark) => write!(f, "the elite on {},{} burns", mark.col, mark.row),
        }
    }
}
