//! Routes: what a designer and a player ask of a map.
//!
//! A *route* is a path along edges from a node of row 0 to a node of the top row. The boss above is the same for all
//! and is not counted. [`routes()`] lays a map out once; [`Routes`] then answers from the start, or from any node that a
//! run stands on (`from`), by dynamic programming over the edges:
//!
//! * how many routes there are, exactly: [`Routes::count`];
//! * the least and the most of each kind, with routes that attain them: [`Routes::kinds`], [`Routes::least`],
//!   [`Routes::most`];
//! * whether so many of some kinds can still be met, and how: [`Routes::find`];
//! * what the choices are worth: [`Routes::choices`], [`Routes::forks`], [`Routes::dominated`], [`Routes::no_returns`];
//! * all of it in plain sentences: [`Routes::describe_route`], [`Routes::describe_choices`].
//!
//! A map may break its rules. Of two nodes on a cell the first stands; nodes off the grid and edges that do not join two
//! nodes are left out, and what is listed twice counts once. A way that cannot reach the top is no choice. A map
//! without a route answers 0, `None` and empty lists.

mod choices;
mod count;
mod describe;
mod find;
mod report;
mod span;
mod words;

pub use choices::{Choice, Dominated, Fork, NoReturn};
pub use count::RouteCount;
pub use find::Wanted;
pub use report::{KindReport, Listed, RouteReport, ToldRoute};

use super::graph::Graph;
use super::{ActMap, KindId, NodePos, Spec};
use span::Spans;
use std::fmt;
use wayforge_core::InputError;

/// Lays out a map for questions about its routes.
///
/// * **Arguments.** Any map of any ruleset, also one that breaks its rules.
/// * **Returns.** What answers the questions; it is a value of its own and does not borrow the map.
/// * **Complexity.** Linear in nodes and edges, times kinds; near linear if they are out of order.
/// * **Determinism.** No stream. Wherever several routes answer, the one with the smallest columns is given, compared
///   from the bottom up.
///
/// ```
/// use wayforge_act::{self as act, NodePos, routes::Wanted};
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let routes = act::routes(&map);
/// let elite = map.spec.find_kind("elite").unwrap();
/// let (most, route) = routes.most(elite, None).unwrap();
/// assert_eq!(routes.tally(&route)[1], most);
/// // Can I still meet two elites from there on?
/// let here = NodePos { col: route.cols[4], row: 4 };
/// let way = routes.find(Some(here), &Wanted::default().at_least(elite, 2))?;
/// assert!(way.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn routes(map: &ActMap) -> Routes {
    let graph = Graph::new(map, true);
    let spans = Spans::of(&graph, map.kinds().len());
    Routes { graph, spans, spec: map.spec.clone(), boss: map.boss.is_some() }
}

/// A map laid out for questions about its routes; made by [`routes()`].
///
/// Questions are asked `from` the position of a node, or from `None`: before the first row, with all starts open.
#[derive(Clone, Debug)]
pub struct Routes {
    graph: Graph,
    spans: Spans,
    spec: Spec,
    boss: bool,
}

/// A route, or the rest of one: columns row by row, up to the top row.
///
/// It is written as its columns: `3-3-2-4`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Route {
    /// The row of the first column; 0 for a whole route.
    pub row: u16,
    /// The column on each row from there on.
    pub cols: Vec<u16>,
}

/// The least and the most of one kind on any route, with routes that attain them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindRange {
    /// The kind.
    pub kind: KindId,
    /// No route meets fewer.
    pub least: u16,
    /// No route meets more.
    pub most: u16,
    /// A route that meets the least.
    pub least_route: Route,
    /// A route that meets the most.
    pub most_route: Route,
}

impl Routes {
    /// How many routes there are from here to the top, exactly.
    ///
    /// * **Returns.** 0 if there is no such node or no way from it.
    /// * **Complexity.** Linear in edges, times the digits of the number.
    ///
    /// ```
    /// use wayforge_act::{self as act, NodePos};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let routes = act::routes(&map);
    /// let through = |col| routes.count(Some(NodePos { col, row: 0 })).to_u128().unwrap();
    /// assert_eq!(routes.count(None).to_u128(), Some((0..7).map(through).sum()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count(&self, from: Option<NodePos>) -> RouteCount {
        self.graph.stand(from).map(|stand| self.graph.count(stand)).unwrap_or_default()
    }

    /// The least and the most of every kind of the map's set on any route from here, in the set's order.
    ///
    /// * **Returns.** Nothing if there is no route from here, or if the map has no kinds. A node asked from is counted.
    /// * **Complexity.** Linear in kinds times rows, times the choices of a node.
    ///
    /// ```
    /// use wayforge_act as act;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// for range in act::routes(&map).kinds(None) {
    ///     assert!(range.least <= range.most && range.most_route.cols.len() == 15);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kinds(&self, from: Option<NodePos>) -> Vec<KindRange> {
        let range = |kind: KindId| {
            let (least, least_route) = self.least(kind, from)?;
            let (most, most_route) = self.most(kind, from)?;
            Some(KindRange { kind, least, most, least_route, most_route })
        };
        (0..).take(self.spec.kinds().len()).map_while(|kind| range(KindId(kind))).collect()
    }

    /// The least of a kind that a route from here meets, and the first route that meets no more.
    ///
    /// * **Returns.** `None` if there is no route from here, or if the map does not have the kind.
    /// * **Complexity.** Linear in rows, times the choices of a node.
    pub fn least(&self, kind: KindId, from: Option<NodePos>) -> Option<(u16, Route)> {
        self.attain(kind, from, |(least, _)| least, u16::min)
    }

    /// The most of a kind that a route from here can meet, and the first route that does.
    ///
    /// * **Returns.** `None` if there is no route from here, or if the map does not have the kind.
    /// * **Complexity.** Linear in rows, times the choices of a node.
    ///
    /// ```
    /// use wayforge_act::{self as act, NodePos};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let shop = map.spec.find_kind("shop").unwrap();
    /// let routes = act::routes(&map);
    /// let (most, route) = routes.most(shop, None).unwrap();
    /// let (still, _) = routes.most(shop, Some(NodePos { col: route.cols[0], row: 0 })).unwrap();
    /// assert_eq!(still, most);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn most(&self, kind: KindId, from: Option<NodePos>) -> Option<(u16, Route)> {
        self.attain(kind, from, |(_, most)| most, u16::max)
    }

    /// How many nodes of each kind a route passes, in the order of the map's set. Cells without a node add nothing.
    pub fn tally(&self, route: &Route) -> Vec<u16> {
        let mut counts = vec![0; self.spec.kinds().len()];
        for node in route.cells().filter_map(|cell| self.graph.find(cell)) {
            if let Some(count) = self.graph.kinds[node].and_then(|kind| counts.get_mut(usize::from(kind))) {
                *count += 1;
            }
        }
        counts
    }

    /// Checks that a route is one of this map: it passes nodes, along edges, up to the top row.
    ///
    /// * **Returns.** The first place where it is not, by name.
    ///
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
        let col = |&node: &u32| self.graph.cells[node as usize].col.to_string();
        let refuse = |at: usize, problem: String, remedy: String| {
            let col = route.cols.get(at).map_or("missing".to_owned(), u16::to_string);
            Err(InputError::new(format!("route[{at}]"), col, problem, remedy))
        };
        let mut below: Option<usize> = None;
        for (at, cell) in route.cells().enumerate() {
            let node = self.graph.find(cell).filter(|&node| self.graph.open[node]);
            let choices = self.graph.choices(below);
            // The rest of a route may begin at any node.
            let free = at == 0 && route.row > 0;
            match node.filter(|&node| free || choices.contains(&(node as u32))) {
                Some(node) => below = Some(node),
                None if free || choices.is_empty() => {
                    let problem = format!("no route to the top leads through {}", cell.label());
                    return refuse(at, problem, "name a route of this map".into());
                }
                None => {
                    let problem = match below {
                        Some(node) => format!("no way leads there from {}", self.graph.cells[node].label()),
                        None => "no route starts there".into(),
                    };
                    let cols: Vec<String> = choices.iter().map(col).collect();
                    return refuse(at, problem, format!("use one of {}", cols.join(", ")));
                }
            }
        }
        let rows = self.graph.last_row() + 1;
        match usize::from(route.row) + route.cols.len() {
            end if end == rows && !route.cols.is_empty() => Ok(()),
            _ => {
                let count = rows.saturating_sub(route.row.into()).max(1);
                let remedy = format!("name {count} column{}", if count == 1 { "" } else { "s" });
                refuse(route.cols.len(), "the route does not end on the top row".into(), remedy)
            }
        }
    }

    fn attain(
        &self,
        kind: KindId,
        from: Option<NodePos>,
        end: fn((u16, u16)) -> u16,
        best: fn(u16, u16) -> u16,
    ) -> Option<(u16, Route)> {
        let place = usize::from(kind.0);
        if place >= self.spec.kinds().len() {
            return None;
        }
        let number = |node: usize| end(self.spans.at(node)[place]);
        let stand = self.graph.stand(from)?;
        let count = match stand {
            Some(node) => number(node),
            None => self.graph.choices(None).iter().map(|&node| number(node as usize)).reduce(best)?,
        };
        let own = |node: usize| u16::from(self.graph.kinds[node] == Some(kind.0));
        let mut left = count - stand.map_or(0, own);
        let route = self.graph.trace(stand, |node| {
            let taken = number(node) == left;
            if taken {
                left -= own(node);
            }
            taken
        })?;
        Some((count, route))
    }
}

impl Route {
    /// The positions that the route passes, from the bottom up.
    pub fn cells(&self) -> impl Iterator<Item = NodePos> {
        (self.row..=u16::MAX).zip(&self.cols).map(|(row, &col)| NodePos { row, col })
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cols: Vec<String> = self.cols.iter().map(u16::to_string).collect();
        f.pad(&cols.join("-"))
    }
}
