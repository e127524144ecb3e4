//! The act map as plain data, and its documents.

use super::kinds::{Kind, KindId};
use super::{Spec, wire};
use crate::Error;
use wayforge_core::document::{self, Document};
use wayforge_core::{DecodeError, MapFamily, Place, Seed};

/// An act map with its seed and configuration: a layered graph whose edges all lead one row up.
///
/// Can also represent invalid maps; see [`validate`](super::validate).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActMap {
    /// The seed of the map.
    pub seed: Seed,
    /// The configuration of the map.
    pub spec: Spec,
    /// The nodes, ordered by row and column.
    pub nodes: Vec<Node>,
    /// The edges, ordered by row and columns.
    pub edges: Vec<Edge>,
    /// The walks whose union is the map; empty for rulesets without walks.
    pub walks: Walks,
    /// The boss above the top row. Every node of the top row leads to it.
    pub boss: Option<Boss>,
    /// The burning elite that drops the emerald key; only in the spire ruleset.
    pub emerald: Option<NodePos>,
    /// Number of attempts that the generator needed.
    pub attempts: Attempts,
}

/// Position of a node. Positions are ordered by row, then by column.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
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
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
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

/// Statistics of the generator. All fields except `skeletons` are about the accepted skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Attempts {
    /// Number of generated skeletons, including the accepted one. The others got no valid kinds.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub skeletons: u64,
    /// Number of steps that stuck walks undid.
    pub backtracks: u64,
    /// Number of restarts of walks.
    pub restarts: u64,
    /// Number of walks that used look-ahead after their last restart.
    pub guided: u64,
    /// Number of dead ends of the fast search for kinds. After 1,000 dead ends, or ten per node on
    /// large maps, the complete search is used instead.
    pub dead_ends: u64,
}

impl Default for Attempts {
    fn default() -> Attempts {
        Attempts { skeletons: 1, backtracks: 0, restarts: 0, guided: 0, dead_ends: 0 }
    }
}

/// Walks as lists of columns from row 0 up, in one flat vector so that generators can reuse the
/// memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walks {
    cols: Vec<u16>,
    /// End of each walk in `cols`.
    ends: Vec<u32>,
}

impl ActMap {
    /// Creates a map without nodes.
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

    /// Returns the kinds of this map; empty if it has none.
    pub fn kinds(&self) -> &[Kind] {
        self.spec.kinds()
    }

    /// Returns the name of a kind of this map.
    pub fn kind_name(&self, kind: Option<KindId>) -> Option<&str> {
        kind.and_then(|id| self.kinds().get(usize::from(id.0))).map(|kind| kind.name.as_str())
    }

    /// Generates the map of the same configuration with another seed.
    ///
    /// # Errors
    /// As for [`generate`](super::generate).
    ///
    /// # Examples
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

    /// Returns the document of this map: canonical bytes with a digest.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, ActMap};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let text = map.to_document().to_text();
    /// assert_eq!(ActMap::decode(text.as_bytes())?, map);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_document(&self) -> Document {
        document::build(self.spec.algorithm(), &self.seed, self.spec.config(), &wire::to_wire(self))
    }

    /// Parses a document strictly.
    ///
    /// Does not check the rules of the map; see [`validate`](super::validate).
    ///
    /// # Errors
    /// The document is malformed or not canonical, its configuration is invalid, or its digest does
    /// not match.
    pub fn decode(bytes: &[u8]) -> Result<ActMap, DecodeError> {
        MapFamily::decode(bytes)
    }

    /// Converts a document to a map without checking its digest.
    ///
    /// # Errors
    /// The map is malformed or its configuration is invalid.
    pub fn from_document(document: &Document) -> Result<ActMap, DecodeError> {
        wire::from_document(document)
    }
}

impl Node {
    /// Returns the position of the node.
    pub fn pos(&self) -> NodePos {
        NodePos { row: self.row, col: self.col }
    }

    /// Returns the label of the node, unique on its map: `Node 3,5` is column 3, row 5.
    pub fn label(&self) -> String {
        self.pos().label()
    }
}

impl Edge {
    /// Returns the edge as a place in a validation report.
    pub(super) fn place(&self) -> Place {
        Place::Edge { row: self.row, from: self.from, to: self.to }
    }
}

impl NodePos {
    /// Returns the label of a node at this position: `Node 3,5` is column 3, row 5.
    pub fn label(self) -> String {
        format!("Node {self}")
    }

    /// Returns the position as a place in a validation report.
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
    /// Returns the number of walks.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no walks.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the columns of one walk, from row 0 up.
    ///
    /// # Panics
    /// Panics if `walk` is out of range.
    pub fn get(&self, walk: usize) -> &[u16] {
        let end = |i: usize| self.ends[i] as usize;
        &self.cols[walk.checked_sub(1).map_or(0, end)..end(walk)]
    }

    /// Iterates over all walks in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.len()).map(|walk| self.get(walk))
    }

    /// Adds a walk.
    pub fn push(&mut self, cols: impl IntoIterator<Item = u16>) {
        self.cols.extend(cols);
        self.ends.push(self.cols.len() as u32);
    }

    /// Removes all walks. Keeps the memory for reuse.
    pub fn clear(&mut self) {
        self.cols.clear();
        self.ends.clear();
    }

    /// Returns the steps of a walk as edges. Ignores steps above row `u16::MAX`.
    pub(super) fn steps(walk: &[u16]) -> impl Iterator<Item = Edge> {
        (0..=u16::MAX).zip(walk.windows(2)).map(|(row, step)| Edge {
            row,
            from: step[0],
            to: step[1],
        })
    }

    /// Adds a walk of `rows` columns, all 0.
    #[inline]
    pub(super) fn push_zeros(&mut self, rows: usize) {
        self.cols.resize(self.cols.len() + rows, 0);
        self.ends.push(self.cols.len() as u32);
    }

    /// Returns the last walk for writing.
    #[inline]
    pub(super) fn last_mut(&mut self) -> &mut [u16] {
        let start = self.ends.iter().rev().nth(1).map_or(0, |&end| end as usize);
        &mut self.cols[start..]
    }

    /// Resizes to `walks` walks of `rows` columns, whose values are unspecified.
    pub(super) fn resize(&mut self, walks: usize, rows: usize) {
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

    /// Returns the column on which the first walk starts; 0 if there are no walks.
    pub(super) fn first_start(&self) -> u16 {
        self.cols.first().copied().unwrap_or_default()
    }

    /// Swaps two walks. All walks must have the same length.
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
