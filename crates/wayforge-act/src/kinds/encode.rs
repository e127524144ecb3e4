//! SAT encoding of the rules about kinds on one skeleton, for the [CDCL solver](super::sat).
//!
//! One variable per node and kind is true if the node is of the kind. Bounds on routes and on the
//! map are unary sequential counters (Sinz 2005), extended from sequences to the graph and encoded
//! in one direction: "every route up to this node has at least `j`" or "some route up to this node
//! has at least `j`".
//!
//! # Monotonicity
//! Removing a rule removes only its own clauses. Fixed rows and pins exempt their nodes from
//! weights, row ranges and siblings, even if the rule of the fixed row or pin itself is removed. So
//! a subset of the rules never conflicts if the whole set does not.
//!
//! # Selectors
//! For explanations, every rule and every row has a selector literal. Nodes of rows that are not
//! selected are unconstrained and may have any set of kinds.

use super::sat::{Lit, Solver};
use super::spec::{KindRule, KindSpec, drawable};
use crate::skeleton::{Skeleton, bits};

/// Maximum number of literals of an encoding, about 100 MB. Larger maps are left undecided.
pub(crate) const MAX_LITERALS: usize = 6_000_000;

/// A node of the skeleton with its possible kinds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) row: u16,
    pub(super) col: u16,
    pub(super) cell: usize,
    pub(super) kinds: u32,
}

/// Receiver of variables and clauses: the built-in solver, or another one in the benchmarks.
pub(super) trait Clauses {
    /// Creates a variable and returns its positive literal.
    fn variable(&mut self) -> Lit;
    /// Creates a variable whose initial phase is true. Other variables start with false.
    fn preferred_variable(&mut self) -> Lit {
        self.variable()
    }
    /// Adds a clause.
    fn add(&mut self, clause: &[Lit]);
    /// Returns the number of literals in all clauses.
    fn size(&self) -> usize;
}

/// Encoding of one skeleton: the clauses and the meaning of their literals.
pub(super) struct Encoding<'a, S = Solver> {
    pub(super) solver: S,
    /// The nodes by row and column.
    pub(super) nodes: Vec<Candidate>,
    /// Per node: one variable per possible kind, by kind.
    vars: Vec<Vec<Lit>>,
    /// Selectors of the rules; empty without selectors.
    pub(super) rules: Vec<Lit>,
    /// Selectors of the rows; empty without selectors.
    pub(super) rows: Vec<Lit>,
    skeleton: &'a Skeleton,
    /// Per cell: index of its node.
    node_index: Vec<u32>,
    /// Per cell: the kinds that fixed rows and pins require there.
    required: Vec<u32>,
    /// Per row: whether it is fixed.
    fixed: Vec<bool>,
    /// Buffer for the clause being added.
    clause: Vec<Lit>,
}

/// The rules and rows that must be selected for a clause to apply.
type Guards<'a> = (&'a [usize], &'a [usize]);

const UNGUARDED: Guards<'_> = (&[], &[]);

/// One step of a counter: a node on the paths along which it counts.
struct CounterStep {
    /// Position on the path, from 0.
    position: usize,
    /// The literal to count; `None` if the node cannot be of the kind.
    lit: Option<Lit>,
    /// Indices of the preceding steps.
    parents: Vec<usize>,
}

impl<'a, S: Clauses> Encoding<'a, S> {
    /// Encodes all rules; `None` if the map is too large.
    pub(super) fn new(
        solver: S,
        spec: &KindSpec,
        skeleton: &'a Skeleton,
        selectors: bool,
    ) -> Option<Self> {
        let mut encoding = Encoding {
            solver,
            nodes: Vec::new(),
            vars: Vec::new(),
            rules: Vec::new(),
            rows: Vec::new(),
            skeleton,
            node_index: vec![0; skeleton.cells()],
            required: vec![0; skeleton.cells()],
            fixed: vec![false; skeleton.rows],
            clause: Vec::new(),
        };
        if selectors {
            encoding.rules =
                spec.rules.iter().map(|_| encoding.solver.preferred_variable()).collect();
            encoding.rows = (0..skeleton.rows).map(|_| encoding.solver.variable()).collect();
        }
        encoding.add_nodes(spec)?;
        for (number, rule) in spec.rules.iter().enumerate() {
            encoding.add_rule(spec, number, rule)?;
        }
        encoding.add_sums(spec)?;
        Some(encoding)
    }

    /// Returns the literal for "the node is of the kind"; `None` if that is impossible.
    pub(super) fn is(&self, node: usize, kind: u32) -> Option<Lit> {
        let kinds = self.nodes[node].kinds;
        (kinds >> kind & 1 == 1)
            .then(|| self.vars[node][(kinds & ((1 << kind) - 1)).count_ones() as usize])
    }

    /// Adds: every node has exactly one of the kinds that weights, fixed rows and pins allow.
    fn add_nodes(&mut self, spec: &KindSpec) -> Option<()> {
        for rule in &spec.rules {
            let bit = 1 << spec.kind_index(rule);
            match *rule {
                KindRule::Fixed { row, .. } => {
                    let row = usize::from(row);
                    self.fixed[row] = true;
                    let cells =
                        bits(self.skeleton.nodes[row]).map(|col| self.skeleton.cell(row, col));
                    cells.for_each(|cell| self.required[cell] |= bit);
                }
                KindRule::Pinned { row, col, .. } => {
                    self.required[self.skeleton.cell(row.into(), col.into())] |= bit;
                }
                _ => {}
            }
        }
        for row in 0..self.skeleton.rows {
            let drawable = drawable(spec.weights(row));
            for col in bits(self.skeleton.nodes[row]) {
                let cell = self.skeleton.cell(row, col);
                let kinds = drawable | self.required[cell];
                let vars: Vec<Lit> = bits(kinds.into()).map(|_| self.solver.variable()).collect();
                self.node_index[cell] = self.nodes.len() as u32;
                self.nodes.push(Candidate { row: row as u16, col: col as u16, cell, kinds });
                self.add((&[], &[row]), vars.iter().copied())?;
                self.add_at_most_one(&[], row, &vars)?;
                self.vars.push(vars);
            }
        }
        Some(())
    }

    fn add_rule(&mut self, spec: &KindSpec, number: usize, rule: &KindRule) -> Option<()> {
        let kind = spec.kind_index(rule);
        if let KindRule::Fixed { row, .. } = *rule {
            let cols = self.skeleton.nodes[usize::from(row)];
            return bits(cols).try_for_each(|col| self.add_set(number, row, col, kind));
        }
        if let KindRule::Pinned { row, col, .. } = *rule {
            return self.add_set(number, row, col.into(), kind);
        }
        let is: Vec<Option<Lit>> = (0..self.nodes.len()).map(|node| self.is(node, kind)).collect();
        match *rule {
            KindRule::Fixed { .. } | KindRule::Pinned { .. } => Some(()),
            KindRule::Rows { earliest, latest, .. } => {
                for (node, lit) in is.iter().enumerate() {
                    let Candidate { row, cell, .. } = self.nodes[node];
                    let exempt = self.required[cell] >> kind & 1 == 1;
                    if let (Some(lit), false, false) =
                        (*lit, exempt, (earliest..=latest).contains(&row))
                    {
                        self.add((&[number], &[row.into()]), [!lit])?;
                    }
                }
                Some(())
            }
            KindRule::NoRepeat { .. } => {
                for (node, lit) in is.iter().enumerate() {
                    let row = usize::from(self.nodes[node].row);
                    for parent in self.parents(node) {
                        if let (Some(lit), Some(below)) = (*lit, is[parent]) {
                            self.add((&[number], &[row - 1, row]), [!lit, !below])?;
                        }
                    }
                }
                Some(())
            }
            KindRule::SiblingsDiffer { .. } => self.add_siblings(number, &is),
            KindRule::MapMin { min, .. } => self.add_min((&[number], &[]), &is, true, min),
            KindRule::MapMax { max, .. } => self.add_map_max(number, &is, max as usize),
            KindRule::RouteMin { min, .. } => self.add_min((&[number], &[]), &is, false, min),
            KindRule::RouteMax { max, .. } => self.add_route_max(number, &is, max as usize),
        }
    }

    /// Adds a clause that applies if its rules and rows are selected; `None` at the limit.
    fn add<L: Into<Option<Lit>>>(
        &mut self,
        (rules, rows): Guards<'_>,
        lits: impl IntoIterator<Item = L>,
    ) -> Option<()> {
        let rules = rules.iter().filter_map(|&rule| self.rules.get(rule));
        let rows = rows.iter().filter_map(|&row| self.rows.get(row));
        self.clause.clear();
        self.clause.extend(rules.chain(rows).map(|&selector| !selector));
        self.clause.extend(lits.into_iter().filter_map(Into::into));
        self.solver.add(&self.clause);
        (self.solver.size() <= MAX_LITERALS).then_some(())
    }

    /// Adds: at most one of `lits` is true.
    fn add_at_most_one(&mut self, rules: &[usize], row: usize, lits: &[Lit]) -> Option<()> {
        for (at, &lit) in lits.iter().enumerate() {
            for &other in &lits[..at] {
                self.add((rules, &[row]), [!lit, !other])?;
            }
        }
        Some(())
    }

    fn parents(&self, node: usize) -> Vec<usize> {
        let Candidate { row, cell, .. } = self.nodes[node];
        let Some(below) = usize::from(row).checked_sub(1) else { return Vec::new() };
        bits(self.skeleton.down[cell])
            .map(|col| self.node_index[self.skeleton.cell(below, col)] as usize)
            .collect()
    }

    /// Adds: a node has the kind of a fixed row or pin.
    fn add_set(&mut self, rule: usize, row: u16, col: u32, kind: u32) -> Option<()> {
        let node = self.node_index[self.skeleton.cell(row.into(), col)] as usize;
        self.add((&[rule], &[row.into()]), self.is(node, kind))
    }

    fn add_siblings(&mut self, rule: usize, is: &[Option<Lit>]) -> Option<()> {
        for node in 0..self.nodes.len() {
            let Candidate { row, cell, .. } = self.nodes[node];
            let above = usize::from(row) + 1;
            if above == self.skeleton.rows || self.fixed[above] {
                continue;
            }
            let children = bits(self.skeleton.up[cell]);
            let children: Vec<Lit> = children
                .filter_map(|col| is[self.node_index[self.skeleton.cell(above, col)] as usize])
                .collect();
            self.add_at_most_one(&[rule], above, &children)?;
        }
        Some(())
    }

    /// Returns the steps of a counter: the nodes along routes, or those in `is` as one sequence.
    fn steps(&self, is: &[Option<Lit>], on_map: bool) -> Vec<CounterStep> {
        let on_path = |(position, &lit): (usize, &Lit)| {
            let parents = position.checked_sub(1).into_iter().collect();
            CounterStep { position, lit: Some(lit), parents }
        };
        let on_route = |(node, &lit): (usize, &Option<Lit>)| {
            let position = self.nodes[node].row.into();
            CounterStep { position, lit, parents: self.parents(node) }
        };
        if on_map {
            is.iter().flatten().enumerate().map(on_path).collect()
        } else {
            is.iter().enumerate().map(on_route).collect()
        }
    }

    /// Adds: at least `min` of `is` are true on the map or on every route.
    ///
    /// `counters[step][j]` implies that every path up to the step has more than `j`.
    fn add_min(
        &mut self,
        guards: Guards<'_>,
        is: &[Option<Lit>],
        on_map: bool,
        min: u32,
    ) -> Option<()> {
        let steps = self.steps(is, on_map);
        let (min, last) = (min as usize, steps.last().map(|step| step.position));
        if min == 0 {
            return Some(());
        }
        if last.is_none_or(|last| min > last + 1 && !on_map) {
            return self.add(guards, None::<Lit>);
        }
        let mut counters: Vec<Vec<Lit>> = Vec::with_capacity(steps.len());
        for CounterStep { position, lit, parents } in steps {
            let mut counter = Vec::new();
            for j in 0..(position + 1).min(min) {
                let var = self.solver.variable();
                if position == 0 {
                    self.add(UNGUARDED, [Some(!var), lit])?;
                }
                for &parent in &parents {
                    let before = counters[parent].get(j).copied();
                    self.add(UNGUARDED, [Some(!var), before, lit])?;
                    if j > 0 {
                        self.add(UNGUARDED, [!var, counters[parent][j - 1]])?;
                    }
                }
                counter.push(var);
            }
            if Some(position) == last {
                self.add(guards, counter.get(min - 1).copied())?;
            }
            counters.push(counter);
        }
        Some(())
    }

    /// Adds: at most `max` of `is` are true on the map.
    ///
    /// `counter[j]` is true if more than `j` of the literals so far are.
    fn add_map_max(&mut self, rule: usize, is: &[Option<Lit>], max: usize) -> Option<()> {
        let lits: Vec<Lit> = is.iter().copied().flatten().collect();
        if max >= lits.len() {
            return Some(());
        }
        let mut counter: Vec<Lit> = Vec::new();
        for (at, &lit) in lits.iter().enumerate() {
            if at >= max {
                let full = counter.last().map(|&full| !full);
                self.add((&[rule], &[]), [Some(!lit), full])?;
            }
            let mut next = Vec::new();
            for j in 0..(at + 1).min(max) {
                let var = self.solver.variable();
                if let Some(&before) = counter.get(j) {
                    self.add(UNGUARDED, [!before, var])?;
                }
                let fewer = j.checked_sub(1).map(|fewer| !counter[fewer]);
                self.add(UNGUARDED, [Some(!lit), fewer, Some(var)])?;
                next.push(var);
            }
            counter = next;
        }
        Some(())
    }

    /// Adds: at most `max` of `is` are true on every route.
    ///
    /// `counters[node][j]` is true if some route up to the node has more than `j`.
    fn add_route_max(&mut self, rule: usize, is: &[Option<Lit>], max: usize) -> Option<()> {
        if max >= self.skeleton.rows {
            return Some(());
        }
        let mut counters: Vec<Vec<Lit>> = Vec::with_capacity(self.nodes.len());
        for CounterStep { position, lit, parents } in self.steps(is, false) {
            let counter: Vec<Lit> =
                (0..(position + 1).min(max)).map(|_| self.solver.variable()).collect();
            if let Some(lit) = lit {
                let rules: &[usize] = if max == 0 { &[rule] } else { &[] };
                self.add((rules, &[]), [Some(!lit), counter.first().copied()])?;
            }
            for parent in parents {
                for (j, &below) in counters[parent].iter().enumerate() {
                    self.add(UNGUARDED, [!below, counter[j]])?;
                    if let Some(lit) = lit {
                        match counter.get(j + 1) {
                            Some(&next) => self.add(UNGUARDED, [!lit, !below, next])?,
                            None => self.add((&[rule], &[]), [!lit, !below])?,
                        }
                    }
                }
            }
            counters.push(counter);
        }
        Some(())
    }

    /// Adds implied constraints on sums of counts, on the map and on every route.
    ///
    /// Every node has one kind. So the kinds with a minimum occur at least as often as the sum of
    /// their minima, and the kinds without a maximum fill the nodes that the others cannot. Clause
    /// learning alone takes exponential time to find such pigeonhole arguments.
    fn add_sums(&mut self, spec: &KindSpec) -> Option<()> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        for (on_map, node_count) in [(true, self.nodes.len()), (false, self.skeleton.rows)] {
            // For minima and for maxima: the rules, the sum of their bounds, and their kinds.
            let mut sums = [(Vec::new(), 0, 0), (Vec::new(), 0, 0)];
            for (number, rule) in spec.rules.iter().enumerate() {
                let (side, bound) = match *rule {
                    KindRule::MapMin { min, .. } if on_map && min > 0 => (0, min),
                    KindRule::RouteMin { min, .. } if !on_map && min > 0 => (0, min),
                    KindRule::MapMax { max, .. } if on_map => (1, max),
                    KindRule::RouteMax { max, .. } if !on_map => (1, max),
                    _ => continue,
                };
                let (rules, sum, kinds) = &mut sums[side];
                rules.push(number);
                *sum += bound as usize;
                *kinds |= 1 << spec.kind_index(rule);
            }
            let [(lows, low, low_kinds), (highs, high, high_kinds)] = sums;
            let low = low.min(node_count + 1) as u32;
            let rest = node_count.saturating_sub(high) as u32;
            // A single minimum is already encoded, and without a maximum nothing is implied.
            for (min_rules, rules, kinds, min) in
                [(2, lows, low_kinds, low), (1, highs, !high_kinds, rest)]
            {
                if rules.len() >= min_rules && min > 0 {
                    let is = self.add_union(kinds)?;
                    self.add_min((&rules, &all), &is, on_map, min)?;
                }
            }
        }
        Some(())
    }

    /// Returns a literal per node that implies that the node is of one of `kinds`.
    fn add_union(&mut self, kinds: u32) -> Option<Vec<Option<Lit>>> {
        let union = (0..self.nodes.len()).map(|node| {
            let kinds = self.nodes[node].kinds & kinds;
            let lits: Vec<Lit> =
                bits(kinds.into()).filter_map(|kind| self.is(node, kind)).collect();
            if lits.len() < 2 {
                return Some(lits.first().copied());
            }
            let any = self.solver.variable();
            self.add(UNGUARDED, lits.into_iter().chain([!any]))?;
            Some(Some(any))
        });
        union.collect()
    }
}
