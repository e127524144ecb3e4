//! The act map itself: plain data, and how it is written.

use super::kinds::{Kind, KindId};
use super::{Spec, wire};
use crate::Error;
use wayforge_core::document::{self, Document};
use wayforge_core::{DecodeError, MapFamily, Place, Seed};

/// An act map: a graph of nodes on a grid whose edges all lead one row up, and what it was made from.
///
/// It can also hold a map that breaks its rules, so that [`validate`](super::validate) has something to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActMap {
    /// The seed it was made from.
    pub seed: Seed,
    /// The configuration it was made from.
    pub spec: Spec,
    /// The nodes, by row and column.
    pub nodes: Vec<Node>,
    /// The edges, by row and columns.
    pub edges: Vec<Edge>,
    /// The walks whose union the map is; empty for rulesets without walks.
    pub walks: Walks,
    /// The boss above the top row, which every node of the top row leads to.
    pub boss: Option<Boss>,
    /// The elite that burns with the emerald flame, by row and column; only the spire ruleset has one.
    pub emerald: Option<NodePos>,
    /// How much was tried before this map was accepted.
    pub attempts: Attempts,
}

/// The position of a node. Positions are ordered by row, then by column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NodePos {
    /// The node's row, 0 at the bottom.
    pub row: u16,
    /// The node's column, 0 at the left.
    pub col: u16,
}

/// One node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    /// Its row, 0 at the bottom.
    pub row: u16,
    /// Its column, 0 at the left.
    pub col: u16,
    /// Its kind, if the map has kinds.
    pub kind: Option<KindId>,
}

/// One edge, from a node of `row` to a node of the next row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// The row of its lower end.
    pub row: u16,
    /// The column of its lower end.
    pub from: u16,
    /// The column of its upper end.
    pub to: u16,
}

/// The single node above the top row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boss {
    /// Its kind, if the map has kinds.
    pub kind: Option<KindId>,
}

/// How much was tried before a map was accepted. All but `skeletons` is about the accepted skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Attempts {
    /// Skeletons drawn, the accepted one included: more than 1 if rules about kinds fit none of the earlier ones.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub skeletons: u64,
    /// Steps that walks took back.
    pub backtracks: u64,
    /// Walks that started again.
    pub restarts: u64,
    /// Walks that used up their restarts and were drawn with look-ahead.
    pub guided: u64,
    /// Dead ends of the fast search for kinds; after 1000 of them, or ten per node on large maps, the complete search takes over.
    pub dead_ends: u64,
}

impl Default for Attempts {
    fn default() -> Attempts {
        Attempts { skeletons: 1, backtracks: 0, restarts: 0, guided: 0, dead_ends: 0 }
    }
}

/// Walks as columns row by row, kept flat so that a map can be made again without allocating.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walks {
    cols: Vec<u16>,
    ends: Vec<u32>,
}

impl ActMap {
    /// A map without nodes.
    pub(super) fn empty(seed: Seed, spec: &Spec) -> ActMap {
        ActMap {
            seed,
            spec: spec.clone(),
            nodes: Vec::new(),
            edges: Vec::new(),
            walks: Walks::default(),
            boss: spec.has_boss().then(|| Boss { kind: spec.boss_kind() }),
            emerald: None,
            attempts: Attempts::default(),
        }
    }

    /// The kinds of this map's set; empty if it has none.
    pub fn kinds(&self) -> &[Kind] {
        self.spec.kinds()
    }

    /// The name of a kind of this map.
    pub fn kind_name(&self, kind: Option<KindId>) -> Option<&str> {
        kind.and_then(|id| self.kinds().get(usize::from(id.0))).map(|kind| kind.name.as_str())
    }

    /// The map of the same configuration under another seed.
    ///
    /// ```
    /// use wayforge_act as act;
    /// use wayforge_core::Seed;
    /// let map = act::generate(Seed::new(1), &act::Config::default().resolve()?)?;
    /// assert_eq!(map.reseed(Seed::new(2))?.reseed(Seed::new(1))?, map);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reseed(&self, seed: Seed) -> Result<ActMap, Error> {
        super::generate(seed, &self.spec)
    }

    /// The document that keeps this map: canonical bytes with a digest.
    ///
    /// ```
    /// use wayforge_act::{self as act, ActMap};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let text = map.to_document().to_text();
    /// assert_eq!(ActMap::decode(text.as_bytes())?, map);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_document(&self) -> Document {
        document::seal(self.spec.algorithm(), &self.seed, self.spec.config(), &wire::of(self))
    }

    /// Reads a document strictly: its shape, its configuration, its form and its digest must all be right.
    ///
    /// Whether the map inside keeps its rules is for [`validate`](super::validate) to say.
    pub fn decode(bytes: &[u8]) -> Result<ActMap, DecodeError> {
        MapFamily::decode(bytes)
    }

    /// Reads the map out of a document whose digest the caller looks after.
    pub fn from_document(document: &Document) -> Result<ActMap, DecodeError> {
        wire::read(document)
    }
}

impl Node {
    /// The node's position.
    pub fn pos(&self) -> NodePos {
        NodePos { row: self.row, col: self.col }
    }

    /// The node's label, unique on its map: `Node 3,5` is column 3, row 5.
    pub fn label(&self) -> String {
        self.pos().label()
    }
}

impl Edge {
    /// The edge as a place of a validation report.
    pub(super) fn place(&self) -> Place {
        Place::Edge { row: self.row, from: self.from, to: self.to }
    }
}

impl NodePos {
    /// The label of a node at this position: `Node 3,5` is column 3, row 5.
    pub fn label(self) -> String {
        format!("Node {self}")
    }

    /// The position as a place of a validation report.
    pub(super) fn place(&self) -> Place {
        Place::Node { row: self.row, col: self.col }
    }
}

impl std::fmt::Display for NodePos {
    /// Writes the column and the row: `3,5` is column 3, row 5.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.col, self.row)
    }
}

impl Walks {
    /// How many walks there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The columns of one walk, from row 0 up.
    pub fn get(&self, walk: usize) -> &[u16] {
        let end = |i: usize| self.ends[i] as usize;
        &self.cols[walk.checked_sub(1).map_or(0, end)..end(walk)]
    }

    /// All walks in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.len()).map(|walk| self.get(walk))
    }

    /// Adds a walk.
    pub fn push(&mut self, cols: impl IntoIterator<Item = u16>) {
        self.cols.extend(cols);
        self.ends.push(self.cols.len() as u32);
    }

    /// Removes all walks and keeps the memory.
    pub fn clear(&mut self) {
        self.cols.clear();
        self.ends.clear();
    }

    /// The steps of a walk, as edges.
    pub(super) fn steps(walk: &[u16]) -> impl Iterator<Item = Edge> {
        (0..).zip(walk.windows(2)).map(|(row, step)| Edge { row, from: step[0], to: step[1] })
    }

    /// Adds a walk of `rows` columns to be filled in.
    #[inline]
    pub(super) fn push_blank(&mut self, rows: usize) {
        self.cols.resize(self.cols.len() + rows, 0);
        self.ends.push(self.cols.len() as u32);
    }

    /// The last walk, to be filled in.
    #[inline]
    pub(super) fn last_mut(&mut self) -> &mut [u16] {
        let start = self.ends.iter().rev().nth(1).map_or(0, |&end| end as usize);
        &mut self.cols[start..]
    }

    /// Makes room for `walks` walks of `rows` columns; what they hold is to be written.
    pub(super) fn fill(&mut self, walks: usize, rows: usize) {
        self.cols.resize(walks * rows, 0);
        self.ends.clear();
        self.ends.extend((1..=walks).map(|walk| (walk * rows) as u32));
    }

    /// Writes the columns of all walks on one row.
    #[inline]
    pub(super) fn set_row(&mut self, row: usize, rows: usize, cols: &[u8]) {
        for (walk, &col) in cols.iter().enumerate() {
            self.cols[walk * rows + row] = col.into();
        }
    }

    pub(super) fn first_start(&self) -> u16 {
        self.cols.first().copied().unwrap_or_default()
    }

    /// Exchanges two walks of one length.
    pub(super) fn swap(&mut self, a: u32, b: u32) {
        if a == b || self.is_empty() {
            return;
        }
        let length = self.ends[0] as usize;
        let (low, high) = (a.min(b) as usize * length, a.max(b) as usize * length);
        let (head, tail) = self.cols.split_at_mut(high);
        head[low..low + length].swap_with_slice(&mut tail[..length]);
    }
}

impl<W: IntoIterator<Item = u16>> FromIterator<W> for Walks {
    fn from_iter<I: IntoIterator<Item = W>>(walks: I) -> Walks {
        let mut all = Walks::default();
        walks.into_iter().for_each(|walk| all.push(walk));
        all
    }
}
