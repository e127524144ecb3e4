//! Exact search for a route with given counts of kinds: dynamic programming over bit sets.
//!
//! The counts that are possible from a node may have gaps, so a range is not enough. Each node
//! stores the set of all possible counts as bits: bit `n` means `n` nodes of the kind, or one
//! combination of counts for several kinds. The set of a node is the union of those above it,
//! shifted by its own kind.

use super::{Route, Routes};
use crate::graph::Graph;
use crate::{KindId, NodePos};
use std::collections::BTreeMap;
use wayforge_core::InputError;

/// Maximum number of 64-bit words of one search: 128 MiB. One kind on 64 x 4,096 nodes needs half.
const MAX_WORDS: u64 = 1 << 24;

/// Maximum number of combinations of counts that one search distinguishes.
const MAX_STATES: u64 = 1 << 22;

/// Bounds on the number of nodes of some kinds along a route.
///
/// # Examples
/// ```
/// use wayforge_act::{KindId, routes::RouteQuery};
/// let (elite, shop) = (KindId(1), KindId(3));
/// let query = RouteQuery::default().at_least(elite, 3).at_most(elite, 4).exactly(shop, 1);
/// assert_eq!(query.to_string(), "kind 1: 3..4, kind 3: 1..1");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteQuery {
    bounds: BTreeMap<KindId, (u16, u16)>,
}

impl RouteQuery {
    /// Requires at least `count` nodes of `kind`.
    pub fn at_least(self, kind: KindId, count: u16) -> RouteQuery {
        self.between(kind, count, u16::MAX)
    }

    /// Requires at most `count` nodes of `kind`.
    pub fn at_most(self, kind: KindId, count: u16) -> RouteQuery {
        self.between(kind, 0, count)
    }

    /// Requires exactly `count` nodes of `kind`.
    pub fn exactly(self, kind: KindId, count: u16) -> RouteQuery {
        self.between(kind, count, count)
    }

    /// Requires `min` to `max` nodes of `kind`. Several bounds on one kind are intersected.
    pub fn between(mut self, kind: KindId, min: u16, max: u16) -> RouteQuery {
        let bounds = self.bounds.entry(kind).or_insert((0, u16::MAX));
        *bounds = (bounds.0.max(min), bounds.1.min(max));
        self
    }

    /// Returns minimum and maximum of each bounded kind; [`u16::MAX`] means no maximum.
    pub fn bounds(&self) -> impl Iterator<Item = (KindId, u16, u16)> {
        self.bounds.iter().map(|(&kind, &(min, max))| (kind, min, max))
    }
}

impl std::fmt::Display for RouteQuery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = |(kind, min, max): (KindId, u16, u16)| match max {
            u16::MAX => format!("kind {}: {min}..", kind.0),
            max => format!("kind {}: {min}..{max}", kind.0),
        };
        f.pad(&self.bounds().map(text).collect::<Vec<_>>().join(", "))
    }
}

impl Routes {
    /// Finds the route from `from` with the smallest columns that satisfies `query`.
    ///
    /// Counts the node at `from`. Returns `Ok(None)` if no such route exists. The search is exact.
    ///
    /// # Errors
    /// A query for several kinds has more than 2^22 combinations of counts or needs more than 128
    /// MiB. Queries for one kind never fail on maps of up to 64 x 4,096 nodes.
    ///
    /// # Complexity
    /// O(edges * combinations / 64). A kind with only a minimum has `min + 1` counts, others `max +
    /// 1`; the combinations are their product.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, routes::RouteQuery};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let routes = act::routes(&map);
    /// let [elite, shop] = ["elite", "shop"].map(|name| map.spec.find_kind(name).unwrap());
    /// let query = RouteQuery::default().at_least(elite, 1).at_most(shop, 2);
    /// let route = routes.find(None, &query)?.unwrap();
    /// let tally = routes.tally(&route);
    /// assert!(tally[usize::from(elite.0)] >= 1 && tally[usize::from(shop.0)] <= 2);
    /// assert_eq!(routes.find(None, &RouteQuery::default().at_least(elite, 99))?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(
        &self,
        from: Option<NodePos>,
        query: &RouteQuery,
    ) -> Result<Option<Route>, InputError> {
        let Some(origin) = self.graph.origin(from) else { return Ok(None) };
        let lowest = origin.map_or(0, |node| usize::from(self.graph.positions[node].row));
        let rows = self.graph.last_row() + 1 - lowest;
        let Some(digits) = self.digits(query, rows) else { return Ok(None) };
        let search = Search::new(&self.graph, digits, lowest).ok_or_else(|| {
            let remedy = "bound fewer kinds at once, or use smaller numbers";
            InputError::new("query", query, "too many combinations of counts", remedy)
        })?;
        Ok(search.find(origin))
    }

    /// Returns the kinds to count on a path of `rows` rows; `None` if the query is unsatisfiable.
    fn digits(&self, query: &RouteQuery, rows: usize) -> Option<Vec<Digit>> {
        let mut digits = Vec::new();
        let mut stride = 1_u64;
        for (kind, min, max) in query.bounds() {
            let exists = usize::from(kind.0) < self.spec.kinds().len();
            if min > max || usize::from(min) > if exists { rows } else { 0 } {
                return None;
            }
            let saturates = usize::from(max) >= rows;
            if !exists || (saturates && min == 0) {
                continue;
            }
            let cap = if saturates { min } else { max };
            digits.push(Digit { kind: kind.0, min, cap, saturates, stride, full: Vec::new() });
            stride = stride.saturating_mul(u64::from(cap) + 1);
        }
        Some(digits)
    }
}

/// One kind's digit in the mixed-radix number of a combination of counts.
struct Digit {
    kind: u8,
    min: u16,
    /// Largest value of the digit.
    cap: u16,
    /// Whether higher counts are stored as `cap`. Otherwise they are discarded.
    saturates: bool,
    /// Place value of the digit.
    stride: u64,
    /// Bit set of the combinations in which this digit is `cap`.
    full: Vec<u64>,
}

impl Digit {
    fn count(&self, state: u64) -> u64 {
        state / self.stride % (u64::from(self.cap) + 1)
    }
}

struct Search<'a> {
    graph: &'a Graph,
    digits: Vec<Digit>,
    /// Number of combinations.
    states: u64,
    /// Row of the origin.
    lowest: usize,
    /// Words per set and offset of the first set of each row, from `lowest` up. Sets of lower rows
    /// are longer, because more nodes follow.
    rows: Vec<(usize, usize)>,
    /// Total number of words of all sets.
    total: usize,
}

impl Search<'_> {
    /// Computes the memory layout of the sets; `None` if they need too much memory.
    fn new(graph: &Graph, mut digits: Vec<Digit>, lowest: usize) -> Option<Search<'_>> {
        let states =
            digits.last().map_or(1, |digit| digit.stride.saturating_mul(u64::from(digit.cap) + 1));
        if states > MAX_STATES {
            return None;
        }
        let top = graph.last_row();
        let (mut rows, mut total) = (Vec::new(), 0_u64);
        for row in lowest..=top {
            let remaining = (top - row + 1) as u64;
            let highest: u64 = digits.iter().map(|d| remaining.min(d.cap.into()) * d.stride).sum();
            let words = highest / 64 + 1;
            rows.push((words as usize, total as usize));
            total += words * graph.row(row).len() as u64;
            if total > MAX_WORDS {
                return None;
            }
        }
        for digit in &mut digits {
            digit.full = bit_set(states, |state| digit.count(state) == u64::from(digit.cap));
        }
        Some(Search { graph, digits, states, lowest, rows, total: total as usize })
    }

    fn find(&self, origin: Option<usize>) -> Option<Route> {
        let Search { graph, lowest, .. } = *self;
        let mut sets = vec![0_u64; self.total];
        let top = graph.last_row();
        for row in (lowest..=top).rev() {
            let (words, offset) = self.rows[row - lowest];
            let nodes = graph.row(row);
            let above = offset + words * nodes.len();
            let (below, higher) = sets.split_at_mut(above);
            let next_words = self.rows.get(row + 1 - lowest).map_or(0, |size| size.0);
            for (set, node) in below[offset..].chunks_exact_mut(words).zip(nodes.clone()) {
                if row == top {
                    set[0] = 1;
                }
                for &next in graph.choices(Some(node)) {
                    let at = (next as usize - nodes.end) * next_words;
                    set.iter_mut()
                        .zip(&higher[at..at + next_words])
                        .for_each(|(word, other)| *word |= other);
                }
                self.add_node(node, set);
            }
        }
        let mut accepted = bit_set(self.states, |state| {
            self.digits.iter().all(|digit| digit.count(state) >= digit.min.into())
        });
        let mut accept = |node: usize| {
            let row = usize::from(graph.positions[node].row);
            let (words, offset) = self.rows[row - lowest];
            let at = offset + words * (node - graph.row(row).start);
            let feasible = sets[at..at + words]
                .iter()
                .zip(&accepted)
                .any(|(set, accepted)| set & accepted != 0);
            if feasible {
                self.remove_node(node, &mut accepted);
            }
            feasible
        };
        if origin.is_some_and(|node| !accept(node)) {
            return None;
        }
        graph.follow(origin, accept)
    }

    /// Returns the digit that counts the kind of a node.
    fn digit(&self, node: usize) -> Option<&Digit> {
        let kind = self.graph.kinds[node]?;
        self.digits.iter().find(|digit| digit.kind == kind)
    }

    /// Increments the node's digit in all combinations of a set.
    fn add_node(&self, node: usize, set: &mut [u64]) {
        let Some(digit @ Digit { full, .. }) = self.digit(node) else { return };
        let (jump, shift) = ((digit.stride / 64) as usize, digit.stride % 64);
        let below_cap = |set: &[u64], index: usize| set[index] & !full[index];
        for index in (0..set.len()).rev() {
            let mut word = if digit.saturates { set[index] & full[index] } else { 0 };
            if index >= jump {
                word |= below_cap(set, index - jump) << shift;
            }
            if shift > 0 && index > jump {
                word |= below_cap(set, index - jump - 1) >> (64 - shift);
            }
            set[index] = word;
        }
    }

    /// Inverse of [`Search::add_node`]: turns the combinations accepted at a node into those
    /// accepted after it.
    fn remove_node(&self, node: usize, accepted: &mut [u64]) {
        let Some(digit @ Digit { full, .. }) = self.digit(node) else { return };
        let (jump, shift) = ((digit.stride / 64) as usize, digit.stride % 64);
        for index in 0..accepted.len() {
            let word = |index: usize| accepted.get(index).copied().unwrap_or(0);
            let mut lowered = word(index + jump) >> shift;
            if shift > 0 {
                lowered |= word(index + jump + 1) << (64 - shift);
            }
            let saturated = if digit.saturates { accepted[index] & full[index] } else { 0 };
            accepted[index] = lowered & !full[index] | saturated;
        }
    }
}

/// Returns the bit set of the numbers below `count` that satisfy `in_set`.
fn bit_set(count: u64, in_set: impl Fn(u64) -> bool) -> Vec<u64> {
    let mut words = vec![0; count.div_ceil(64) as usize];
    for number in (0..count).filter(|&number| in_set(number)) {
        words[(number / 64) as usize] |= 1 << (number % 64);
    }
    words
}
