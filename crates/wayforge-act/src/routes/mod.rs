//! Route analysis of act maps.
//!
//! A *route* is a path along edges from a node of row 0 to a node of the top row. The boss is not
//! part of it. [`routes()`] builds a graph once. [`Routes`] then answers queries from the start or
//! from any node (`from`), by dynamic programming over the directed acyclic graph:
//!
//! * the exact number of routes: [`Routes::count`];
//! * minimum and maximum count of each kind, with routes that attain them:
//!   [`Routes::kind_ranges`], [`Routes::min_count`], [`Routes::max_count`];
//! * a route with given counts of kinds, if one exists: [`Routes::find`];
//! * how choices differ: [`Routes::choices`], [`Routes::forks`], [`Routes::dominated`],
//!   [`Routes::points_of_no_return`];
//! * descriptions in plain sentences: [`Routes::describe_route`], [`Routes::describe_choices`].
//!
//! Invalid maps are accepted. If a cell has two nodes, the first one counts. Nodes outside the
//! grid, edges without two end nodes, and duplicate edges are ignored. Edges that do not lead to
//! the top row are not choices. On a map without a route, queries return 0, `None` or empty lists.

mod choices;
mod count;
mod count_ranges;
mod describe;
mod find;
mod report;
mod words;

pub use choices::{Choice, Dominated, Fork, PointOfNoReturn};
pub use count::RouteCount;
pub use find::RouteQuery;
pub use report::{KindReport, Listed, RouteDescription, RouteReport};

use super::graph::Graph;
use super::{ActMap, KindId, NodePos, Spec};
use count_ranges::CountRanges;
use std::fmt;
use wayforge_core::InputError;

/// Builds the route graph of a map.
///
/// Accepts maps of any ruleset, including invalid ones. The result does not borrow the map.
///
/// # Complexity
/// O((nodes + edges) * kinds) for sorted maps, plus the time to sort unsorted ones.
///
/// # Determinism
/// Uses no random numbers. If several routes match a query, the lexicographically smallest sequence
/// of columns is returned, from the bottom up.
///
/// # Examples
/// ```
/// use wayforge_act::{self as act, NodePos, routes::RouteQuery};
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let routes = act::routes(&map);
/// let elite = map.spec.find_kind("elite").unwrap();
/// let (max, route) = routes.max_count(elite, None).unwrap();
/// assert_eq!(routes.tally(&route)[1], max);
/// // Can a route from there still pass two elites?
/// let current = NodePos { col: route.cols[4], row: 4 };
/// let found = routes.find(Some(current), &RouteQuery::default().at_least(elite, 2))?;
/// assert!(found.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn routes(map: &ActMap) -> Routes {
    let graph = Graph::new(map, true);
    let ranges = CountRanges::new(&graph, map.kinds().len());
    Routes { graph, ranges, spec: map.spec.clone(), boss: map.boss.is_some() }
}

/// Route graph of a map, built by [`routes()`].
///
/// Queries start `from` the position of a node. `None` means before the first row, where every
/// start is a choice.
#[derive(Clone, Debug)]
pub struct Routes {
    graph: Graph,
    ranges: CountRanges,
    spec: Spec,
    boss: bool,
}

/// A route or the upper part of one: one column per row, up to the top row.
///
/// Displayed as its columns: `3-3-2-4`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Route {
    /// The row of the first column; 0 for a whole route.
    pub row: u16,
    /// The column on each row, from `row` up.
    pub cols: Vec<u16>,
}

/// Minimum and maximum count of one kind over all routes, with routes that attain them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindRange {
    /// The kind.
    pub kind: KindId,
    /// Minimum count on any route.
    pub min: u16,
    /// Maximum count on any route.
    pub max: u16,
    /// A route with `min` nodes of the kind.
    pub min_route: Route,
    /// A route with `max` nodes of the kind.
    pub max_route: Route,
}

impl Routes {
    /// Returns the exact number of routes from `from` to the top.
    ///
    /// Returns 0 if there is no node at `from` or no route from it.
    ///
    /// # Complexity
    /// O(edges * digits of the number).
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, NodePos};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let routes = act::routes(&map);
    /// let through = |col| routes.count(Some(NodePos { col, row: 0 })).to_u128().unwrap();
    /// assert_eq!(routes.count(None).to_u128(), Some((0..7).map(through).sum()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count(&self, from: Option<NodePos>) -> RouteCount {
        self.graph.origin(from).map(|origin| self.graph.count(origin)).unwrap_or_default()
    }

    /// Returns minimum and maximum count of every kind over all routes from `from`, by kind.
    ///
    /// Counts the node at `from`. Empty if there is no route or the map has no kinds.
    ///
    /// # Complexity
    /// O(kinds * rows * choices per node).
    ///
    /// # Examples
    /// ```
    /// use wayforge_act as act;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// for range in act::routes(&map).kind_ranges(None) {
    ///     assert!(range.min <= range.max && range.max_route.cols.len() == 15);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kind_ranges(&self, from: Option<NodePos>) -> Vec<KindRange> {
        let range = |kind: KindId| {
            let (min, min_route) = self.min_count(kind, from)?;
            let (max, max_route) = self.max_count(kind, from)?;
            Some(KindRange { kind, min, max, min_route, max_route })
        };
        (0..).take(self.spec.kinds().len()).map_while(|kind| range(KindId(kind))).collect()
    }

    /// Returns the minimum count of `kind` on any route from `from`, and the first such route.
    ///
    /// Returns `None` if there is no route from `from` or the map does not have the kind.
    ///
    /// # Complexity
    /// O(rows * choices per node).
    pub fn min_count(&self, kind: KindId, from: Option<NodePos>) -> Option<(u16, Route)> {
        self.extreme_count(kind, from, |(min, _)| min, u16::min)
    }

    /// Returns the maximum count of `kind` on any route from `from`, and the first such route.
    ///
    /// Returns `None` if there is no route from `from` or the map does not have the kind.
    ///
    /// # Complexity
    /// O(rows * choices per node).
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, NodePos};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let shop = map.spec.find_kind("shop").unwrap();
    /// let routes = act::routes(&map);
    /// let (max, route) = routes.max_count(shop, None).unwrap();
    /// let start = NodePos { col: route.cols[0], row: 0 };
    /// assert_eq!(routes.max_count(shop, Some(start)).unwrap().0, max);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn max_count(&self, kind: KindId, from: Option<NodePos>) -> Option<(u16, Route)> {
        self.extreme_count(kind, from, |(_, max)| max, u16::max)
    }

    /// Counts the nodes of each kind along a route, by kind. Cells without a node are skipped.
    pub fn tally(&self, route: &Route) -> Vec<u16> {
        let mut counts = vec![0; self.spec.kinds().len()];
        for node in route.positions().filter_map(|cell| self.graph.find(cell)) {
            if let Some(count) =
                self.graph.kinds[node].and_then(|kind| counts.get_mut(usize::from(kind)))
            {
                *count += 1;
            }
        }
        counts
    }

    /// Checks that a route follows nodes and edges of this map up to the top row.
    ///
    /// # Errors
    /// The route does not follow nodes and edges to the top row. The error names the first column
    /// at fault.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, routes::Route};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let routes = act::routes(&map);
    /// let walk = Route { row: 0, cols: map.walks.get(0).to_vec() };
    /// assert!(routes.check(&walk).is_ok());
    /// let error = routes.check(&Route { row: 0, cols: vec![99] }).unwrap_err();
    /// assert_eq!(error.field, "route[0]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, route: &Route) -> Result<(), InputError> {
        let col = |&node: &u32| self.graph.positions[node as usize].col.to_string();
        let reject = |index: usize, problem: String, remedy: String| {
            let col = route.cols.get(index).map_or("missing".to_owned(), u16::to_string);
            Err(InputError::new(format!("route[{index}]"), col, problem, remedy))
        };
        let mut below: Option<usize> = None;
        for (index, cell) in route.positions().enumerate() {
            let node = self.graph.find(cell).filter(|&node| self.graph.reaches_top[node]);
            let choices = self.graph.choices(below);
            // A partial route may start at any node.
            let any_start = index == 0 && route.row > 0;
            match node.filter(|&node| any_start || choices.contains(&(node as u32))) {
                Some(node) => below = Some(node),
                None if any_start || choices.is_empty() => {
                    let problem = format!("no route to the top leads through {}", cell.label());
                    return reject(index, problem, "name a route of this map".into());
                }
                None => {
                    let problem = match below {
                        Some(node) => {
                            format!(
                                "no edge leads there from {}",
                                self.graph.positions[node].label()
                            )
                        }
                        None => "no route starts there".into(),
                    };
                    let cols: Vec<String> = choices.iter().map(col).collect();
                    return reject(index, problem, format!("use one of {}", cols.join(", ")));
                }
            }
        }
        let rows = self.graph.last_row() + 1;
        match usize::from(route.row) + route.cols.len() {
            end if end == rows && !route.cols.is_empty() => Ok(()),
            _ => {
                let count = rows.saturating_sub(route.row.into()).max(1);
                let remedy = format!("name {count} column{}", if count == 1 { "" } else { "s" });
                reject(route.cols.len(), "the route does not end on the top row".into(), remedy)
            }
        }
    }

    /// Returns the minimum or maximum count of a kind and the first route that has it.
    ///
    /// `bound` selects the end of a range, `best` the better of two counts.
    fn extreme_count(
        &self,
        kind: KindId,
        from: Option<NodePos>,
        bound: fn((u16, u16)) -> u16,
        best: fn(u16, u16) -> u16,
    ) -> Option<(u16, Route)> {
        let index = usize::from(kind.0);
        if index >= self.spec.kinds().len() {
            return None;
        }
        let count_from = |node: usize| bound(self.ranges.at(node)[index]);
        let origin = self.graph.origin(from)?;
        let count = match origin {
            Some(node) => count_from(node),
            None => {
                let starts = self.graph.choices(None).iter();
                starts.map(|&node| count_from(node as usize)).reduce(best)?
            }
        };
        let own = |node: usize| u16::from(self.graph.kinds[node] == Some(kind.0));
        let mut remaining = count - origin.map_or(0, own);
        let route = self.graph.follow(origin, |node| {
            let accepted = count_from(node) == remaining;
            if accepted {
                remaining -= own(node);
            }
            accepted
        })?;
        Some((count, route))
    }
}

impl Route {
    /// Returns the positions of the route, from the bottom up.
    pub fn positions(&self) -> impl Iterator<Item = NodePos> {
        (self.row..=u16::MAX).zip(&self.cols).map(|(row, &col)| NodePos { row, col })
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cols: Vec<String> = self.cols.iter().map(u16::to_string).collect();
        f.pad(&cols.join("-"))
    }
}
