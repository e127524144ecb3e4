//! "Can I still meet three elites from here?", exactly, with the route that does.
//!
//! The counts that the ways from a node can reach may have gaps, so that a range is not enough. Each node holds the set
//! of all counts that can be met from it on, as bits: for one kind bit `n` stands for `n` nodes, and for several kinds
//! a bit stands for one combination. A node's set is the union of those above it, shifted by the node's own kind.

use super::{Route, Routes};
use crate::graph::Graph;
use crate::{KindId, NodePos};
use std::collections::BTreeMap;
use wayforge_core::InputError;

/// The most words of 64 bits that one search may hold: 128 MiB. One kind on 64 x 4,096 nodes needs half of it.
const MAX_WORDS: u64 = 1 << 24;

/// The most combinations of counts that one search may tell apart.
const MAX_STATES: u64 = 1 << 22;

/// How many of some kinds a route is wanted to meet.
///
/// ```
/// use wayforge_act::{KindId, routes::Wanted};
/// let (elite, shop) = (KindId(1), KindId(3));
/// let wanted = Wanted::default().at_least(elite, 3).at_most(elite, 4).exactly(shop, 1);
/// assert_eq!(wanted.to_string(), "kind 1: 3..4, kind 3: 1..1");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    bounds: BTreeMap<KindId, (u16, u16)>,
}

impl Wanted {
    /// Also at least `count` of `kind`.
    pub fn at_least(self, kind: KindId, count: u16) -> Wanted {
        self.between(kind, count, u16::MAX)
    }

    /// Also at most `count` of `kind`.
    pub fn at_most(self, kind: KindId, count: u16) -> Wanted {
        self.between(kind, 0, count)
    }

    /// Also exactly `count` of `kind`.
    pub fn exactly(self, kind: KindId, count: u16) -> Wanted {
        self.between(kind, count, count)
    }

    /// Also `min` to `max` of `kind`. What is said twice of a kind must hold twice.
    pub fn between(mut self, kind: KindId, min: u16, max: u16) -> Wanted {
        let bounds = self.bounds.entry(kind).or_insert((0, u16::MAX));
        *bounds = (bounds.0.max(min), bounds.1.min(max));
        self
    }

    /// What is wanted of each kind: the least and the most, [`u16::MAX`] for any number.
    pub fn bounds(&self) -> impl Iterator<Item = (KindId, u16, u16)> {
        self.bounds.iter().map(|(&kind, &(min, max))| (kind, min, max))
    }
}

impl std::fmt::Display for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = |(kind, min, max): (KindId, u16, u16)| match max {
            u16::MAX => format!("kind {}: {min}..", kind.0),
            max => format!("kind {}: {min}..{max}", kind.0),
        };
        f.pad(&self.bounds().map(text).collect::<Vec<_>>().join(", "))
    }
}

impl Routes {
    /// Finds a route from here that meets as many of each kind as wanted.
    ///
    /// * **Arguments.** Where to start from (that node is counted), and what is wanted; several kinds may be asked for
    ///   at once.
    /// * **Returns.** The route with the smallest columns, or `None` if no route does, or if there is no route from here.
    ///   The answer is exact. A question about several kinds is refused if it has more than 2^22 combinations of counts,
    ///   or if a bit for each of them at each node comes to more than 128 MiB. A question about one kind is never
    ///   refused on a map of up to 64 x 4,096.
    /// * **Complexity.** Linear in edges, times 64th parts of the combinations. There are `min + 1` for a kind with only
    ///   a least number and `max + 1` otherwise; several kinds multiply.
    ///
    /// ```
    /// use wayforge_act::{self as act, routes::Wanted};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let routes = act::routes(&map);
    /// let [elite, shop] = ["elite", "shop"].map(|name| map.spec.find_kind(name).unwrap());
    /// let wanted = Wanted::default().at_least(elite, 1).at_most(shop, 2);
    /// let route = routes.find(None, &wanted)?.unwrap();
    /// let tally = routes.tally(&route);
    /// assert!(tally[usize::from(elite.0)] >= 1 && tally[usize::from(shop.0)] <= 2);
    /// assert_eq!(routes.find(None, &Wanted::default().at_least(elite, 99))?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, from: Option<NodePos>, wanted: &Wanted) -> Result<Option<Route>, InputError> {
        let Some(stand) = self.graph.stand(from) else { return Ok(None) };
        let lowest = stand.map_or(0, |node| usize::from(self.graph.cells[node].row));
        let rows = self.graph.last_row() + 1 - lowest;
        let Some(digits) = self.digits(wanted, rows) else { return Ok(None) };
        let search = Search::new(&self.graph, digits, lowest).ok_or_else(|| {
            let remedy = "ask for fewer kinds at once, or for smaller numbers";
            InputError::new("wanted", wanted, "too many combinations of counts", remedy)
        })?;
        Ok(search.find(stand))
    }

    /// The kinds that need counting on a path of `rows` rows; `None` if what is wanted cannot be.
    fn digits(&self, wanted: &Wanted, rows: usize) -> Option<Vec<Digit>> {
        let mut digits = Vec::new();
        let mut stride = 1_u64;
        for (kind, min, max) in wanted.bounds() {
            let known = usize::from(kind.0) < self.spec.kinds().len();
            if min > max || usize::from(min) > if known { rows } else { 0 } {
                return None;
            }
            let open = usize::from(max) >= rows;
            if !known || (open && min == 0) {
                continue;
            }
            let cap = if open { min } else { max };
            digits.push(Digit { kind: kind.0, min, cap, open, stride, full: Vec::new() });
            stride = stride.saturating_mul(u64::from(cap) + 1);
        }
        Some(digits)
    }
}

/// The place of one kind's count in the number of a combination.
struct Digit {
    kind: u8,
    min: u16,
    /// The largest count that is told apart.
    cap: u16,
    /// Whether more than `cap` is as good as `cap`; otherwise it is of no use.
    open: bool,
    stride: u64,
    /// The combinations in which this count has reached its cap.
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
    /// All combinations.
    states: u64,
    /// The row that the search starts from.
    lowest: usize,
    /// Words of a set, and where the sets of a row begin; by row, from the lowest. On lower rows more can be met, so that
    /// sets are longer.
    rows: Vec<(usize, usize)>,
    /// Words of all sets.
    total: usize,
}

impl Search<'_> {
    /// Lays out the sets; `None` if they take too much memory.
    fn new(graph: &Graph, mut digits: Vec<Digit>, lowest: usize) -> Option<Search<'_>> {
        let states = digits.last().map_or(1, |digit| digit.stride.saturating_mul(u64::from(digit.cap) + 1));
        if states > MAX_STATES {
            return None;
        }
        let top = graph.last_row();
        let (mut rows, mut total) = (Vec::new(), 0_u64);
        for row in lowest..=top {
            let left = (top - row + 1) as u64;
            let highest: u64 = digits.iter().map(|d| left.min(d.cap.into()) * d.stride).sum();
            let words = highest / 64 + 1;
            rows.push((words as usize, total as usize));
            total += words * graph.row(row).len() as u64;
            if total > MAX_WORDS {
                return None;
            }
        }
        for digit in &mut digits {
            digit.full = bits(states, |state| digit.count(state) == u64::from(digit.cap));
        }
        Some(Search { graph, digits, states, lowest, rows, total: total as usize })
    }

    fn find(&self, stand: Option<usize>) -> Option<Route> {
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
                    set.iter_mut().zip(&higher[at..at + next_words]).for_each(|(word, more)| *word |= more);
                }
                self.meet(node, set);
            }
        }
        let mut accepted =
            bits(self.states, |state| self.digits.iter().all(|digit| digit.count(state) >= digit.min.into()));
        let mut takes = |node: usize| {
            let row = usize::from(graph.cells[node].row);
            let (words, offset) = self.rows[row - lowest];
            let at = offset + words * (node - graph.row(row).start);
            let taken = sets[at..at + words].iter().zip(&accepted).any(|(set, accepted)| set & accepted != 0);
            if taken {
                self.part(node, &mut accepted);
            }
            taken
        };
        if stand.is_some_and(|node| !takes(node)) {
            return None;
        }
        graph.trace(stand, takes)
    }

    /// The digit that a node adds to.
    fn digit(&self, node: usize) -> Option<&Digit> {
        let kind = self.graph.kinds[node]?;
        self.digits.iter().find(|digit| digit.kind == kind)
    }

    /// Adds a node to all combinations of a set.
    fn meet(&self, node: usize, set: &mut [u64]) {
        let Some(digit @ Digit { full, .. }) = self.digit(node) else { return };
        let (jump, shift) = ((digit.stride / 64) as usize, digit.stride % 64);
        let rising = |set: &[u64], at: usize| set[at] & !full[at];
        for at in (0..set.len()).rev() {
            let mut word = if digit.open { set[at] & full[at] } else { 0 };
            if at >= jump {
                word |= rising(set, at - jump) << shift;
            }
            if shift > 0 && at > jump {
                word |= rising(set, at - jump - 1) >> (64 - shift);
            }
            set[at] = word;
        }
    }

    /// Turns what is accepted with a node into what is accepted after it: [`Search::meet`] read backward.
    fn part(&self, node: usize, accepted: &mut [u64]) {
        let Some(digit @ Digit { full, .. }) = self.digit(node) else { return };
        let (jump, shift) = ((digit.stride / 64) as usize, digit.stride % 64);
        for at in 0..accepted.len() {
            let word = |at: usize| accepted.get(at).copied().unwrap_or(0);
            let mut risen = word(at + jump) >> shift;
            if shift > 0 {
                risen |= word(at + jump + 1) << (64 - shift);
            }
            let kept = if digit.open { accepted[at] & full[at] } else { 0 };
            accepted[at] = risen & !full[at] | kept;
        }
    }
}

/// The numbers below `count` that are `in_set`, as bits.
fn bits(count: u64, in_set: impl Fn(u64) -> bool) -> Vec<u64> {
    let mut words = vec![0; count.div_ceil(64) as usize];
    for number in (0..count).filter(|&number| in_set(number)) {
        words[(number / 64) as usize] |= 1 << (number % 64);
    }
    words
}
