//! Validator of act maps.
//!
//! Uses only the map and its configuration, and shares only types with the generators. Each rule is
//! checked by its plain definition, so that a generator bug cannot hide in the validator.

mod kinds;
mod rows;
mod spire;
mod structure;
mod walks;

use super::{ActMap, Config, Edge, KindId};
use wayforge_core::{Place, Report};

/// The names of the rules of act maps.
#[allow(missing_docs)] // `docs/rules.md` and the checkers describe each rule.
pub mod rules {
    use wayforge_core::Rule;

    pub const IN_RANGE: Rule = Rule("in-range");
    pub const UNIQUE_NODES: Rule = Rule("unique-nodes");
    pub const UNIQUE_EDGES: Rule = Rule("unique-edges");
    pub const EDGE_ENDS: Rule = Rule("edge-ends");
    pub const BOSS: Rule = Rule("boss");
    pub const ATTEMPTS: Rule = Rule("attempts");
    pub const PINS_PRESENT: Rule = Rule("pins-present");
    pub const BLOCKED_EMPTY: Rule = Rule("blocked-empty");
    pub const NO_CROSSINGS: Rule = Rule("no-crossings");
    pub const START_DIVERSITY: Rule = Rule("start-diversity");
    pub const WALKS_COMPLETE: Rule = Rule("walks-complete");
    pub const NEAREST_HONOURED: Rule = Rule("nearest-honoured");
    pub const PRUNED: Rule = Rule("pruned");
    pub const ENDS_CENTRED: Rule = Rule("ends-centred");
    pub const ROW_SIZES: Rule = Rule("row-sizes");
    pub const ROWS_EVEN: Rule = Rule("rows-even");
    pub const EDGE_REACH: Rule = Rule("edge-reach");
    pub const OUT_DEGREE: Rule = Rule("out-degree");
    pub const INCOMING_EDGE: Rule = Rule("incoming-edge");
    pub const OUTGOING_EDGE: Rule = Rule("outgoing-edge");
    pub const NO_ORPHANS: Rule = Rule("no-orphans");
    pub const LANES_MEET: Rule = Rule("lanes-meet");
    pub const SPIRE_SIX_WALKS: Rule = Rule("spire-six-walks");
    pub const SPIRE_FIRST_ROW: Rule = Rule("spire-first-row");
    pub const SPIRE_FIXED_ROWS: Rule = Rule("spire-fixed-rows");
    pub const SPIRE_KIND_ROWS: Rule = Rule("spire-kind-rows");
    pub const SPIRE_NO_REPEAT: Rule = Rule("spire-no-repeat");
    pub const SPIRE_SIBLINGS_DIFFER: Rule = Rule("spire-siblings-differ");
    pub const SPIRE_PORTIONS: Rule = Rule("spire-portions");
    pub const SPIRE_EMERALD: Rule = Rule("spire-emerald");
    pub const SPIRE_FINAL_ACT: Rule = Rule("spire-final-act");
    pub const KIND_ASSIGNED: Rule = Rule("kind-assigned");
    pub const KIND_WEIGHTS: Rule = Rule("kind-weights");
    pub const KIND_FIXED_ROWS: Rule = Rule("kind-fixed-rows");
    pub const KIND_PINNED: Rule = Rule("kind-pinned");
    pub const KIND_ROWS: Rule = Rule("kind-rows");
    pub const KIND_NO_REPEAT: Rule = Rule("kind-no-repeat");
    pub const KIND_SIBLINGS_DIFFER: Rule = Rule("kind-siblings-differ");
    pub const KIND_MAP_COUNT: Rule = Rule("kind-map-count");
    pub const KIND_ROUTE_COUNT: Rule = Rule("kind-route-count");
}

/// Checks every rule of the map's ruleset and kinds, and reports every violation with its place.
///
/// Accepts any map, including decoded and edited ones.
///
/// # Complexity
/// O((rules + bands) * (cells + edges)) for the rules about kinds. O(n * (columns + log n)) for the
/// other rules, with n nodes, edges and steps of walks.
///
/// # Examples
/// ```
/// use wayforge_act::{self as act, rules};
/// let mut map = act::generate(5.into(), &act::Config::default().resolve()?)?;
/// assert!(act::validate(&map).is_valid());
/// map.edges.remove(0);
/// assert!(!act::validate(&map).passes(rules::WALKS_COMPLETE));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(map: &ActMap) -> Report {
    let view = View::new(map);
    let mut report = Report::default();
    structure::check(map, &view, &mut report);
    match map.spec.config() {
        Config::Walks(config) => walks::check(map, config, &view, &mut report),
        Config::Rows(config) => rows::check(config, &view, &mut report),
        Config::Spire(config) => spire::check(map, config, &view, &mut report),
    }
    kinds::check(map, &view, &mut report);
    report
}

/// Places where a rule is violated, with the reason.
type Findings = Vec<(Place, String)>;

/// Nodes and edges of a map by cell. Nodes and edges outside the grid are left out.
struct View {
    rows: usize,
    cols: usize,
    /// Per cell: whether it has a node.
    present: Vec<bool>,
    /// Per cell: the kind of its node.
    kinds: Vec<Option<KindId>>,
    /// Edges on the grid, sorted, without duplicates.
    edges: Vec<Edge>,
}

impl View {
    fn new(map: &ActMap) -> View {
        let (rows, cols) = (usize::from(map.spec.rows()), usize::from(map.spec.cols()));
        let mut view = View {
            rows,
            cols,
            present: vec![false; rows * cols],
            kinds: vec![None; rows * cols],
            edges: Vec::new(),
        };
        for node in &map.nodes {
            if let Some(cell) = view.cell(node.row, node.col) {
                view.present[cell] = true;
                view.kinds[cell] = node.kind;
            }
        }
        view.edges = map.edges.iter().copied().filter(|edge| view.contains(edge)).collect();
        view.edges.sort_unstable();
        view.edges.dedup();
        view
    }

    /// Returns the index of a cell, if it is on the grid.
    fn cell(&self, row: u16, col: u16) -> Option<usize> {
        let (row, col) = (usize::from(row), usize::from(col));
        (row < self.rows && col < self.cols).then_some(row * self.cols + col)
    }

    /// Returns the cell of the node at a position, if there is one.
    fn node(&self, row: u16, col: u16) -> Option<usize> {
        self.cell(row, col).filter(|&cell| self.present[cell])
    }

    /// Returns the cells of all nodes, by row and column.
    fn nodes(&self) -> impl Iterator<Item = usize> {
        (0..self.present.len()).filter(|&cell| self.present[cell])
    }

    /// Whether both ends of an edge are on the grid.
    fn contains(&self, edge: &Edge) -> bool {
        let last = usize::from(edge.from.max(edge.to));
        usize::from(edge.row) + 1 < self.rows && last < self.cols
    }

    /// Returns the cells of the lower and upper end of an edge of this view.
    fn ends(&self, edge: &Edge) -> (usize, usize) {
        let row = usize::from(edge.row) * self.cols;
        (row + usize::from(edge.from), row + self.cols + usize::from(edge.to))
    }

    /// Returns the edges from one row, by their columns.
    fn edges_of(&self, row: u16) -> &[Edge] {
        let start = self.edges.partition_point(|edge| edge.row < row);
        let end = self.edges.partition_point(|edge| edge.row <= row);
        &self.edges[start..end]
    }

    fn place(&self, cell: usize) -> Place {
        Place::Node { row: (cell / self.cols) as u16, col: (cell % self.cols) as u16 }
    }

    /// Edges lead to the same or a neighbouring column.
    fn edge_reach(&self) -> Findings {
        let far = self.edges.iter().filter(|edge| edge.from.abs_diff(edge.to) > 1);
        far.map(|edge| (edge.place(), "skips a column".to_owned())).collect()
    }

    /// Every node above row 0 has an incoming edge.
    fn incoming_edge(&self) -> Findings {
        self.without_edge(|(_, upper)| upper, 0, "no edge leads to the node")
    }

    /// Every node below the top row has an outgoing edge.
    fn outgoing_edge(&self) -> Findings {
        self.without_edge(|(lower, _)| lower, self.rows - 1, "no edge leaves the node")
    }

    fn without_edge(&self, end: fn((usize, usize)) -> usize, except: usize, why: &str) -> Findings {
        let mut has_edge = vec![false; self.present.len()];
        self.edges.iter().for_each(|edge| has_edge[end(self.ends(edge))] = true);
        let without = self.nodes().filter(|&cell| cell / self.cols != except && !has_edge[cell]);
        without.map(|cell| (self.place(cell), why.to_owned())).collect()
    }
}
