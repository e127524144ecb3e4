//! Conflict-directed backjumping (Prosser 1993) that assigns a kind to every node.
//!
//! Fast but incomplete; the [complete search](super::complete) is the fallback. Nodes are assigned
//! row by row from the bottom. The rules leave a set of kinds, and one is drawn by weight. While a
//! minimum is unmet, its kind is drawn with probability `missing / remaining nodes` instead, which
//! spreads it evenly. At a dead end the search jumps back to the last node of its conflict set.
//! Nodes in between prefer their previous kinds (phase saving). A run with too many dead ends
//! restarts with twice the limit and another `urgency`, up to [`MAX_DEAD_ENDS`].
//!
//! # Determinism
//! Uses one stream, `act.kinds`.
//!
//! # Complexity
//! O(edges) if the search reaches no dead end.

use super::complete::draw_weighted;
use super::route::RouteTable;
use super::spec::{KindSpec, Tables};
use super::{KindId, Task};
use crate::Event;
use crate::skeleton::{Skeleton, bits};
use wayforge_core::trace::Tracer;
use wayforge_core::{MapRng, StreamId};

const STREAM: StreamId = StreamId::named("act.kinds");

/// Dead ends after which the complete search is faster. Large maps allow ten per node instead.
const MAX_DEAD_ENDS: u64 = 1_000;

/// Scratch buffers of the search, and its result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// Number of dead ends reached.
    pub(crate) dead_ends: u64,
    /// Factor on the probability of drawing a kind whose minimum is unmet.
    urgency: u32,
    /// The nodes in search order.
    nodes: Vec<NodeRef>,
    /// Per cell: bit mask of the kinds that its row and pins allow.
    domain: Vec<u32>,
    /// Per cell: the assigned kind as a bit.
    pub(super) chosen: Vec<u32>,
    /// Per cell: index of its node in `nodes`.
    node_index: Vec<u32>,
    /// Per node: bit mask of the kinds already tried.
    tried: Vec<u32>,
    /// Per node: the kind as a bit before the search jumped back over it, or 0.
    saved: Vec<u32>,
    /// Per node: the causes of its removed kinds: [`ROUTE`], [`COUNT`] and [`INHERITED`].
    causes: Vec<u8>,
    /// Per node: conflict set inherited from later dead ends. Valid only with [`INHERITED`].
    conflict_set: Vec<Vec<u32>>,
    /// Per kind: number of assigned nodes.
    count: [u32; 32],
    /// Per node and bound on the map: the number of nodes from this one on that may be of the kind,
    /// and the number of those that must.
    ahead: Vec<(u32, u32)>,
    /// One table per kind that is bounded on routes.
    routes: Vec<RouteTable>,
}

/// A node of the search.
#[derive(Clone, Copy, Debug)]
struct NodeRef {
    row: u16,
    col: u16,
    cell: u32,
}

/// Steps of work per node.
const STEPS_PER_NODE: u64 = 16;

/// A bound on routes removed a kind.
const ROUTE: u8 = 1;
/// A bound on the map removed a kind.
const COUNT: u8 = 2;
/// The node inherited a conflict set from a later dead end.
const INHERITED: u8 = 4;

/// Assigns a kind to every node of a skeleton; [`Scratch::kind_at`] returns the kinds.
///
/// Returns false if the search fails, which does not always prove infeasibility.
pub(super) fn assign(
    task: Task<'_>,
    scratch: &mut Scratch,
    tracer: &mut impl Tracer<Event>,
) -> bool {
    let Task { seed, attempt, spec, skeleton, work } = task;
    let mut rng = seed.stream(STREAM.attempt(attempt));
    scratch.prepare(&spec.tables, skeleton);
    let mut run_limit = 64 + scratch.nodes.len() as u64;
    let limit = spec.limit.min(MAX_DEAD_ENDS.max(10 * scratch.nodes.len() as u64));
    scratch.urgency = 1;
    loop {
        work.spend(STEPS_PER_NODE * scratch.nodes.len() as u64);
        let max_dead_ends = limit.min(scratch.dead_ends.saturating_add(run_limit));
        match scratch.run(&mut rng, task, max_dead_ends, tracer) {
            // Every other run places missing kinds earlier, because few nodes are free near the end
            // of a route.
            None if scratch.dead_ends < limit && work.stopped().is_none() => {
                scratch.urgency = scratch.urgency % 2 + 1;
                run_limit *= 2;
            }
            found => return found.unwrap_or(false),
        }
    }
}

impl Scratch {
    /// Returns the kind that the last search assigned to a cell.
    #[inline]
    pub(crate) fn kind_at(&self, cell: usize) -> KindId {
        KindId(self.chosen[cell].trailing_zeros() as u8)
    }

    fn prepare(&mut self, tables: &Tables, skeleton: &Skeleton) {
        self.dead_ends = 0;
        let cells = skeleton.cells();
        if self.domain.len() < cells {
            self.domain.resize(cells, 0);
            self.chosen.resize(cells, 0);
            self.node_index.resize(cells, 0);
        }
        self.nodes.clear();
        for row in 0..skeleton.rows {
            for col in bits(skeleton.nodes[row]) {
                let cell = skeleton.cell(row, col);
                self.domain[cell] = tables.domain[row];
                self.node_index[cell] = self.nodes.len() as u32;
                self.nodes.push(NodeRef { row: row as u16, col: col as u16, cell: cell as u32 });
            }
        }
        self.apply_pins(tables, skeleton);
        // The search also enters the position after the last node.
        let count = self.nodes.len() + 1;
        if self.tried.len() < count {
            self.tried.resize(count, 0);
            self.saved.resize(count, 0);
            self.causes.resize(count, 0);
            self.conflict_set.resize(count, Vec::new());
        }
        self.look_ahead(tables);
        self.routes.resize_with(tables.route.len().max(self.routes.len()), RouteTable::default);
        for (table, &bounds) in self.routes.iter_mut().zip(&tables.route) {
            table.prepare(bounds, tables, skeleton, &self.domain[..cells]);
        }
    }

    /// Restricts pinned nodes to their kind, and removes it from neighbours where rules forbid it.
    fn apply_pins(&mut self, tables: &Tables, skeleton: &Skeleton) {
        for &(row, col, kind) in &tables.pins {
            self.domain[skeleton.cell(row.into(), col.into())] = 1 << kind;
        }
        let pinned = |row: usize, col: u32| {
            tables.pins.iter().any(|&(r, c, _)| (usize::from(r), u32::from(c)) == (row, col))
        };
        for &(row, col, kind) in &tables.pins {
            let (row, col, bit) = (usize::from(row), u32::from(col), 1 << kind);
            let cell = skeleton.cell(row, col);
            let mut forbid = |row: usize, cols: u64, rule: u32| {
                for col in bits(cols).filter(|&c| bit & rule != 0 && !pinned(row, c)) {
                    self.domain[skeleton.cell(row, col)] &= !bit;
                }
            };
            if row + 1 < skeleton.rows {
                forbid(row + 1, skeleton.up[cell], tables.no_repeat);
            }
            if row > 0 {
                forbid(row - 1, skeleton.down[cell], tables.no_repeat);
                for parent in bits(skeleton.down[cell]) {
                    let siblings = skeleton.up[skeleton.cell(row - 1, parent)] & !(1 << col);
                    forbid(row, siblings, tables.siblings[row]);
                }
            }
        }
    }

    /// Counts from the end how many nodes may and must be of each kind bounded on the map.
    fn look_ahead(&mut self, tables: &Tables) {
        let width = tables.map.len();
        self.ahead.clear();
        if width == 0 {
            return;
        }
        self.ahead.resize((self.nodes.len() + 1) * width, (0, 0));
        for (i, node) in self.nodes.iter().enumerate().rev() {
            for (j, bounds) in tables.map.iter().enumerate() {
                let domain = self.domain[node.cell as usize];
                let (may, must) = self.ahead[(i + 1) * width + j];
                let bit = 1 << bounds.kind;
                self.ahead[i * width + j] =
                    (may + u32::from(domain & bit != 0), must + u32::from(domain == bit));
            }
        }
    }

    /// Searches from the first node to the last. Stops after `max_dead_ends` dead ends in total.
    ///
    /// Returns `Some(false)` if a conflict set is empty, and `None` if the limit is reached or the
    /// work is stopped.
    fn run(
        &mut self,
        rng: &mut MapRng,
        Task { spec, skeleton, work, .. }: Task<'_>,
        max_dead_ends: u64,
        tracer: &mut impl Tracer<Event>,
    ) -> Option<bool> {
        let tables = &spec.tables;
        self.count = [0; 32];
        self.saved.fill(0);
        let mut i = 0;
        self.enter(i);
        while i < self.nodes.len() {
            let (choices, causes) = self.choices(tables, skeleton, i);
            let choices = choices & !self.tried[i];
            self.causes[i] |= causes;
            if choices != 0 {
                let chosen = self.draw(rng, spec, skeleton, i, choices);
                self.assign(tables, skeleton, i, chosen);
                let NodeRef { row, col, .. } = self.nodes[i];
                tracer.record(Event::SetKind {
                    row,
                    col,
                    kind: KindId(chosen.trailing_zeros() as u8),
                });
                i += 1;
                self.enter(i);
                continue;
            }
            self.dead_ends += 1;
            let Some(back) = self.backjump_target(tables, skeleton, i) else { return Some(false) };
            let steps = STEPS_PER_NODE * (1 + i - back + self.conflict_set[back].len()) as u64;
            if self.dead_ends >= max_dead_ends || !work.spend(steps) {
                // The next run starts without assigned kinds.
                let assigned = self.nodes[..i].iter();
                assigned.for_each(|&NodeRef { row, col, .. }| {
                    tracer.record(Event::ClearKind { row, col })
                });
                return None;
            }
            while i > back {
                i -= 1;
                let chosen = self.chosen[self.nodes[i].cell as usize];
                self.count[chosen.trailing_zeros() as usize] -= 1;
                self.saved[i] = chosen;
                let NodeRef { row, col, .. } = self.nodes[i];
                tracer.record(Event::ClearKind { row, col });
            }
        }
        Some(true)
    }

    #[inline]
    fn enter(&mut self, i: usize) {
        (self.tried[i], self.causes[i]) = (0, 0);
    }

    /// Returns the kinds that the rules allow for node `i`, and the causes of removed kinds.
    #[inline]
    fn choices(&self, tables: &Tables, skeleton: &Skeleton, i: usize) -> (u32, u8) {
        let NodeRef { row, col, cell } = self.nodes[i];
        let (row, cell) = (usize::from(row), cell as usize);
        let mut choices = self.domain[cell];
        if row > 0 {
            let (mut parents, mut siblings) = (0, 0);
            for from in bits(skeleton.down[cell]) {
                let parent = skeleton.cell(row - 1, from);
                parents |= self.chosen[parent];
                for sibling in bits(skeleton.up[parent] & ((1 << col) - 1)) {
                    siblings |= self.chosen[skeleton.cell(row, sibling)];
                }
            }
            choices &= !(parents & tables.no_repeat) & !(siblings & tables.siblings[row]);
        }
        let mut causes = 0;
        for table in &self.routes[..tables.route.len()] {
            let allowed = table.allowed(skeleton, row, col.into(), cell);
            causes |= if choices & !allowed != 0 { ROUTE } else { 0 };
            choices &= allowed;
        }
        for (j, bounds) in tables.map.iter().enumerate() {
            let bit = 1 << bounds.kind;
            let (may, must) = self.ahead[(i + 1) * tables.map.len() + j];
            let count = self.count[usize::from(bounds.kind)];
            let mut allowed = u32::MAX;
            if count + 1 + must > bounds.max || count + 1 + may < bounds.min {
                allowed &= !bit;
            }
            if count + must > bounds.max || count + may < bounds.min {
                allowed &= bit;
            }
            causes |= if choices & !allowed != 0 { COUNT } else { 0 };
            choices &= allowed;
        }
        (choices, causes)
    }

    /// Draws one of the kinds in `choices`.
    #[inline]
    fn draw(
        &mut self,
        rng: &mut MapRng,
        spec: &KindSpec,
        skeleton: &Skeleton,
        i: usize,
        choices: u32,
    ) -> u32 {
        if choices.is_power_of_two() {
            return choices;
        }
        if self.saved[i] & choices != 0 {
            return self.saved[i];
        }
        let NodeRef { row, cell, .. } = self.nodes[i];
        let (row, cell) = (usize::from(row), cell as usize);
        // If a bound on routes caused a later dead end, a missing kind is chosen without a draw.
        let forced = self.causes[i] & (ROUTE | INHERITED) == ROUTE | INHERITED;
        for table in &self.routes[..spec.tables.route.len()] {
            if let Some((kind, missing, remaining)) = table.missing(skeleton, row, cell)
                && choices >> kind & 1 != 0
                && (forced || rng.chance(missing * self.urgency, remaining))
            {
                return 1 << kind;
            }
        }
        for (j, bounds) in spec.tables.map.iter().enumerate() {
            let missing = bounds.min.saturating_sub(self.count[usize::from(bounds.kind)]);
            if missing > 0 && choices >> bounds.kind & 1 != 0 {
                let (may, _) = self.ahead[i * spec.tables.map.len() + j];
                if rng.chance(missing.saturating_mul(self.urgency), may) {
                    return 1 << bounds.kind;
                }
            }
        }
        1 << draw_weighted(rng, spec.weights(row), choices)
    }

    #[inline]
    fn assign(&mut self, tables: &Tables, skeleton: &Skeleton, i: usize, chosen: u32) {
        let NodeRef { row, cell, .. } = self.nodes[i];
        self.tried[i] |= chosen;
        self.chosen[cell as usize] = chosen;
        self.count[chosen.trailing_zeros() as usize] += 1;
        for table in &mut self.routes[..tables.route.len()] {
            table.assign(skeleton, row.into(), cell as usize, chosen);
        }
    }

    /// Returns the last node of the conflict set at dead end `i`; it inherits the rest of the set.
    ///
    /// `None` if the conflict set is empty.
    fn backjump_target(&mut self, tables: &Tables, skeleton: &Skeleton, i: usize) -> Option<usize> {
        let mut conflict_set = std::mem::take(&mut self.conflict_set[i]);
        if self.causes[i] & INHERITED == 0 {
            conflict_set.clear();
        }
        if self.causes[i] & COUNT != 0 {
            // A bound on the map involves every earlier node.
            conflict_set.clear();
            conflict_set.extend(i.checked_sub(1).map(|before| before as u32));
        } else {
            self.add_neighbours(tables, skeleton, i, &mut conflict_set);
            conflict_set.sort_unstable();
            conflict_set.dedup();
        }
        let back = conflict_set.pop();
        if let Some(back) = back {
            let back = back as usize;
            let mut inherited = std::mem::take(&mut self.conflict_set[back]);
            if self.causes[back] & INHERITED == 0 {
                inherited.clear();
            }
            inherited.extend_from_slice(&conflict_set);
            inherited.sort_unstable();
            inherited.dedup();
            self.conflict_set[back] = inherited;
            // A bound on routes also involves the parents of that node.
            self.causes[back] |= INHERITED | (self.causes[i] & (ROUTE | COUNT));
        }
        self.conflict_set[i] = conflict_set;
        back.map(|back| back as usize)
    }

    /// Adds the assigned nodes that removed a kind from node `i`: parents and siblings.
    ///
    /// If a bound on routes removed a kind, adds all parents and all assigned nodes with a common
    /// child.
    fn add_neighbours(
        &self,
        tables: &Tables,
        skeleton: &Skeleton,
        i: usize,
        conflict_set: &mut Vec<u32>,
    ) {
        let NodeRef { row, col, cell } = self.nodes[i];
        let (row, cell) = (usize::from(row), cell as usize);
        let (domain, left_of) = (self.domain[cell], (1_u64 << col) - 1);
        let on_routes = self.causes[i] & ROUTE != 0;
        if row > 0 {
            for from in bits(skeleton.down[cell]) {
                let parent = skeleton.cell(row - 1, from);
                if on_routes || self.chosen[parent] & domain & tables.no_repeat != 0 {
                    conflict_set.push(self.node_index[parent]);
                }
                let siblings = bits(skeleton.up[parent] & left_of).map(|c| skeleton.cell(row, c));
                let same_kind =
                    siblings.filter(|&c| self.chosen[c] & domain & tables.siblings[row] != 0);
                conflict_set.extend(same_kind.map(|c| self.node_index[c]));
            }
        }
        if on_routes && row + 1 < skeleton.rows {
            for to in bits(skeleton.up[cell]) {
                let partners = bits(skeleton.down[skeleton.cell(row + 1, to)] & left_of);
                conflict_set.extend(partners.map(|c| self.node_index[skeleton.cell(row, c)]));
            }
        }
    }
}
