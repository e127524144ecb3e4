//! The fast search that gives every node its kind; the [complete one](super::complete) stands behind it.
//!
//! **What it does.** Nodes are settled row by row from the bottom. At each, the rules leave a set of kinds; one is
//! drawn by weight, or, where a least number is still missing, with the chance `missing / places left` that spreads
//! forced kinds evenly. A node with no kind left sends the search back to the last node that had a part in it
//! (conflict-directed backjumping); the nodes in between keep their kinds if they can, so that what was solved
//! elsewhere stays solved. Runs that meet too many dead ends are started afresh with more patience and another
//! haste to place what is missing, until [`MAX_DEAD_ENDS`] are spent.
//!
//! **Determinism.** One stream, `act.kinds`.
//!
//! **Complexity.** Linear in edges where no dead end is met.

use super::complete::draw_weighted;
use super::route::RouteTable;
use super::spec::{KindSpec, Tables};
use super::{KindId, Task};
use crate::Event;
use crate::skeleton::{Skeleton, bits};
use wayforge_core::trace::Tracer;
use wayforge_core::{MapRng, Stage};

const STAGE: Stage = Stage::named("act.kinds");

/// Dead ends after which the complete search is faster: these, or ten per node on large maps.
const MAX_DEAD_ENDS: u64 = 1_000;

/// Memory of the search, and its result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// How many dead ends were met.
    pub(crate) dead_ends: u64,
    /// How many times likelier than evenly spread a missing kind is drawn.
    haste: u32,
    nodes: Vec<Place>,
    /// Per cell: the kinds it may have by row and pins; the kind it has, as a bit; its number in `nodes`.
    domain: Vec<u32>,
    pub(super) chosen: Vec<u32>,
    number: Vec<u32>,
    /// Per node of the search: kinds already tried, the kind it had before the search jumped back over it (0 for
    /// none), and what pushed others out.
    tried: Vec<u32>,
    kept: Vec<u32>,
    blame: Vec<u8>,
    culprits: Vec<Vec<u32>>,
    /// Kinds settled so far, where the map bounds them.
    count: [u32; 32],
    /// Per bound on the map and node: how many nodes from here on may, and how many must, be of the kind.
    ahead: Vec<(u32, u32)>,
    routes: Vec<RouteTable>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    row: u16,
    col: u16,
    cell: u32,
}

/// `Scratch::blame`: bounds on routes or on the map had a part; the culprits of later dead ends stand in `culprits`.
const ROUTE: u8 = 1;
const COUNT: u8 = 2;
const CULPRITS: u8 = 4;

/// Gives every node of a skeleton a kind; they can then be read with [`Scratch::kind_at`].
///
/// Returns false if the search found none; that proves nothing.
pub(super) fn assign(task: Task<'_>, scratch: &mut Scratch, tracer: &mut impl Tracer<Event>) -> bool {
    let Task { seed, attempt, spec, skeleton } = task;
    let mut rng = seed.stream(STAGE.attempt(attempt));
    scratch.prepare(&spec.tables, skeleton);
    let mut patience = 64 + scratch.nodes.len() as u64;
    let limit = spec.limit.min(MAX_DEAD_ENDS.max(10 * scratch.nodes.len() as u64));
    scratch.haste = 1;
    loop {
        let until = limit.min(scratch.dead_ends.saturating_add(patience));
        match scratch.run(&mut rng, spec, skeleton, until, tracer) {
            // What is missing is placed sooner in some runs: late on a route there is less room than it seems.
            None if scratch.dead_ends < limit => {
                scratch.haste = scratch.haste % 2 + 1;
                patience *= 2;
            }
            found => return found.unwrap_or(false),
        }
    }
}

impl Scratch {
    /// The kind that the last search gave to a cell.
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
            self.number.resize(cells, 0);
        }
        self.nodes.clear();
        for row in 0..skeleton.rows {
            for col in bits(skeleton.nodes[row]) {
                let cell = skeleton.cell(row, col);
                self.domain[cell] = tables.domain[row];
                self.number[cell] = self.nodes.len() as u32;
                self.nodes.push(Place { row: row as u16, col: col as u16, cell: cell as u32 });
            }
        }
        self.apply_pins(tables, skeleton);
        // The search also enters the place behind the last node.
        let count = self.nodes.len() + 1;
        if self.tried.len() < count {
            self.tried.resize(count, 0);
            self.kept.resize(count, 0);
            self.blame.resize(count, 0);
            self.culprits.resize(count, Vec::new());
        }
        self.look_ahead(tables);
        self.routes.resize_with(tables.route.len().max(self.routes.len()), RouteTable::default);
        for (table, &bounds) in self.routes.iter_mut().zip(&tables.route) {
            table.prepare(bounds, tables, skeleton, &self.domain[..cells]);
        }
    }

    /// Narrows pinned nodes to their kind, and takes that kind from their neighbours where rules keep it apart.
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

    /// Counts from the end how many nodes may and must be of each bounded kind.
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

    /// One run from the first node to the last, until `until` dead ends have been met in all. Returns false if no node is left
    /// to go back to, and `None` at the bound.
    fn run(
        &mut self,
        rng: &mut MapRng,
        spec: &KindSpec,
        skeleton: &Skeleton,
        until: u64,
        tracer: &mut impl Tracer<Event>,
    ) -> Option<bool> {
        let tables = &spec.tables;
        self.count = [0; 32];
        self.kept.fill(0);
        let mut i = 0;
        self.enter(i);
        while i < self.nodes.len() {
            let (left, blame) = self.choices(tables, skeleton, i);
            let left = left & !self.tried[i];
            self.blame[i] |= blame;
            if left != 0 {
                let chosen = self.draw(rng, spec, skeleton, i, left);
                self.settle(tables, skeleton, i, chosen);
                let Place { row, col, .. } = self.nodes[i];
                tracer.tell(Event::Kind { row, col, kind: KindId(chosen.trailing_zeros() as u8) });
                i += 1;
                self.enter(i);
                continue;
            }
            self.dead_ends += 1;
            let Some(back) = self.blame_others(tables, skeleton, i) else { return Some(false) };
            if self.dead_ends >= until {
                // What was settled in this run is open again in the next.
                let settled = self.nodes[..i].iter();
                settled.for_each(|&Place { row, col, .. }| tracer.tell(Event::Open { row, col }));
                return None;
            }
            while i > back {
                i -= 1;
                let chosen = self.chosen[self.nodes[i].cell as usize];
                self.count[chosen.trailing_zeros() as usize] -= 1;
                self.kept[i] = chosen;
                let Place { row, col, .. } = self.nodes[i];
                tracer.tell(Event::Open { row, col });
            }
        }
        Some(true)
    }

    #[inline]
    fn enter(&mut self, i: usize) {
        (self.tried[i], self.blame[i]) = (0, 0);
    }

    /// The kinds that the rules leave to node `i`, and which wide-ranging rules took some away.
    #[inline]
    fn choices(&self, tables: &Tables, skeleton: &Skeleton, i: usize) -> (u32, u8) {
        let Place { row, col, cell } = self.nodes[i];
        let (row, cell) = (usize::from(row), cell as usize);
        let mut left = self.domain[cell];
        if row > 0 {
            let (mut parents, mut siblings) = (0, 0);
            for from in bits(skeleton.down[cell]) {
                let parent = skeleton.cell(row - 1, from);
                parents |= self.chosen[parent];
                for beside in bits(skeleton.up[parent] & ((1 << col) - 1)) {
                    siblings |= self.chosen[skeleton.cell(row, beside)];
                }
            }
            left &= !(parents & tables.no_repeat) & !(siblings & tables.siblings[row]);
        }
        let mut blame = 0;
        for table in &self.routes[..tables.route.len()] {
            let allowed = table.allowed(skeleton, row, col.into(), cell);
            blame |= if left & !allowed != 0 { ROUTE } else { 0 };
            left &= allowed;
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
            blame |= if left & !allowed != 0 { COUNT } else { 0 };
            left &= allowed;
        }
        (left, blame)
    }

    /// Draws one of the kinds `left`.
    #[inline]
    fn draw(&mut self, rng: &mut MapRng, spec: &KindSpec, skeleton: &Skeleton, i: usize, left: u32) -> u32 {
        if left.is_power_of_two() {
            return left;
        }
        if self.kept[i] & left != 0 {
            return self.kept[i];
        }
        let Place { row, cell, .. } = self.nodes[i];
        let (row, cell) = (usize::from(row), cell as usize);
        // A node that a dead end above blames for its routes is asked first for what they miss.
        let blamed = self.blame[i] & (ROUTE | CULPRITS) == ROUTE | CULPRITS;
        for table in &self.routes[..spec.tables.route.len()] {
            if let Some((kind, missing, room)) = table.missing(skeleton, row, cell)
                && left >> kind & 1 != 0
                && (blamed || rng.chance(missing * self.haste, room))
            {
                return 1 << kind;
            }
        }
        for (j, bounds) in spec.tables.map.iter().enumerate() {
            let missing = bounds.min.saturating_sub(self.count[usize::from(bounds.kind)]);
            if missing > 0 && left >> bounds.kind & 1 != 0 {
                let (may, _) = self.ahead[i * spec.tables.map.len() + j];
                if rng.chance(missing.saturating_mul(self.haste), may) {
                    return 1 << bounds.kind;
                }
            }
        }
        1 << draw_weighted(rng, spec.weights(row), left)
    }

    #[inline]
    fn settle(&mut self, tables: &Tables, skeleton: &Skeleton, i: usize, chosen: u32) {
        let Place { row, cell, .. } = self.nodes[i];
        self.tried[i] |= chosen;
        self.chosen[cell as usize] = chosen;
        self.count[chosen.trailing_zeros() as usize] += 1;
        for table in &mut self.routes[..tables.route.len()] {
            table.settle(skeleton, row.into(), cell as usize, chosen);
        }
    }

    /// Finds the last node that had a part in the dead end at node `i` and hands it the blame of the others.
    fn blame_others(&mut self, tables: &Tables, skeleton: &Skeleton, i: usize) -> Option<usize> {
        let mut culprits = std::mem::take(&mut self.culprits[i]);
        if self.blame[i] & CULPRITS == 0 {
            culprits.clear();
        }
        if self.blame[i] & COUNT != 0 {
            // A bound on the whole map involves every node before this one.
            culprits.clear();
            culprits.extend(i.checked_sub(1).map(|before| before as u32));
        } else {
            self.add_neighbours(tables, skeleton, i, &mut culprits);
            culprits.sort_unstable();
            culprits.dedup();
        }
        let back = culprits.pop();
        if let Some(back) = back {
            let back = back as usize;
            let mut theirs = std::mem::take(&mut self.culprits[back]);
            if self.blame[back] & CULPRITS == 0 {
                theirs.clear();
            }
            theirs.extend_from_slice(&culprits);
            theirs.sort_unstable();
            theirs.dedup();
            self.culprits[back] = theirs;
            // A bound on routes reaches further down through the culprit's own parents.
            self.blame[back] |= CULPRITS | (self.blame[i] & (ROUTE | COUNT));
        }
        self.culprits[i] = culprits;
        back.map(|back| back as usize)
    }

    /// The settled nodes that took a kind from node `i`: parents, nodes beside it that share one, and, where bounds on
    /// routes had a part, all parents and all settled nodes that share a child.
    fn add_neighbours(&self, tables: &Tables, skeleton: &Skeleton, i: usize, culprits: &mut Vec<u32>) {
        let Place { row, col, cell } = self.nodes[i];
        let (row, cell) = (usize::from(row), cell as usize);
        let (domain, left_of) = (self.domain[cell], (1_u64 << col) - 1);
        let on_routes = self.blame[i] & ROUTE != 0;
        if row > 0 {
            for from in bits(skeleton.down[cell]) {
                let parent = skeleton.cell(row - 1, from);
                if on_routes || self.chosen[parent] & domain & tables.no_repeat != 0 {
                    culprits.push(self.number[parent]);
                }
                let beside = bits(skeleton.up[parent] & left_of).map(|c| skeleton.cell(row, c));
                let alike = beside.filter(|&c| self.chosen[c] & domain & tables.siblings[row] != 0);
                culprits.extend(alike.map(|c| self.number[c]));
            }
        }
        if on_routes && row + 1 < skeleton.rows {
            for to in bits(skeleton.up[cell]) {
                let partners = bits(skeleton.down[skeleton.cell(row + 1, to)] & left_of);
                culprits.extend(partners.map(|c| self.number[skeleton.cell(row, c)]));
            }
        }
    }
}
