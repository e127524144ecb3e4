//! The rules about kinds on one skeleton as clauses for the [SAT solver](super::sat).
//!
//! A variable per node and kind says that the node is of the kind. Bounds on routes and on the map are unary counters,
//! propagated in one direction only: "every route up to this node has at least `j`" and "some route up to this node
//! has at least `j`".
//!
//! **Rules as sets of clauses.** A rule that is left out only takes its own clauses away. Exemptions belong to the rules
//! that have them: rows that are fixed and nodes that are pinned stay exempt from weights, rows and siblings even if the
//! fixed row or the pin itself is left out. Fewer rules therefore never conflict more.
//!
//! **Selectors.** For explanations every rule and every row has a selector literal. A row that is not selected
//! bounds nothing: its nodes may have any set of kinds.

use super::sat::{Lit, Solver};
use super::spec::{KindRule, KindSpec, drawable};
use crate::skeleton::{Skeleton, bits};

/// The most literals of an encoding, about 100 MB: larger maps are left undecided.
pub(crate) const MAX_LITERALS: usize = 6_000_000;

/// A node of the skeleton and the kinds that it may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) row: u16,
    pub(super) col: u16,
    pub(super) cell: usize,
    pub(super) kinds: u32,
}

/// Receives the variables and clauses of an encoding: our solver, or another one in the benchmarks.
pub(super) trait Clauses {
    /// A new variable, as its positive literal.
    fn variable(&mut self) -> Lit;
    /// A new variable that is tried true first; others are tried false first.
    fn preferred_variable(&mut self) -> Lit {
        self.variable()
    }
    /// Adds a clause.
    fn add(&mut self, clause: &[Lit]);
    /// Literals in all clauses.
    fn size(&self) -> usize;
}

/// Clauses of a skeleton, and which literals mean what.
pub(super) struct Encoding<'a, S = Solver> {
    pub(super) solver: S,
    /// The nodes by row and column.
    pub(super) nodes: Vec<Candidate>,
    /// Per node: its variables, one per kind that it may have, in order.
    vars: Vec<Vec<Lit>>,
    /// Selectors of the rules and of the rows; empty if everything is selected for good.
    pub(super) rules: Vec<Lit>,
    pub(super) rows: Vec<Lit>,
    skeleton: &'a Skeleton,
    /// Per cell: the number of its node, and the kinds that a fixed row or a pin sets there.
    number: Vec<u32>,
    set: Vec<u32>,
    /// Per row: whether it is fixed.
    fixed: Vec<bool>,
    clause: Vec<Lit>,
}

/// The rules and rows that must be selected for a clause to hold.
type Guards<'a> = (&'a [usize], &'a [usize]);

const FREE: Guards<'_> = (&[], &[]);

/// A node for a counter along paths: its place on a path, the literal that counts it, and the steps that come before it.
struct Step {
    place: usize,
    lit: Option<Lit>,
    parents: Vec<usize>,
}

impl<'a, S: Clauses> Encoding<'a, S> {
    /// Encodes all rules; `None` if the map is too large.
    pub(super) fn new(solver: S, spec: &KindSpec, skeleton: &'a Skeleton, selectors: bool) -> Option<Self> {
        let mut encoding = Encoding {
            solver,
            nodes: Vec::new(),
            vars: Vec::new(),
            rules: Vec::new(),
            rows: Vec::new(),
            skeleton,
            number: vec![0; skeleton.cells()],
            set: vec![0; skeleton.cells()],
            fixed: vec![false; skeleton.rows],
            clause: Vec::new(),
        };
        if selectors {
            encoding.rules = spec.rules.iter().map(|_| encoding.solver.preferred_variable()).collect();
            encoding.rows = (0..skeleton.rows).map(|_| encoding.solver.variable()).collect();
        }
        encoding.add_nodes(spec)?;
        for (number, rule) in spec.rules.iter().enumerate() {
            encoding.add_rule(spec, number, rule)?;
        }
        encoding.add_sums(spec)?;
        Some(encoding)
    }

    /// The literal that says that a node is of a kind.
    pub(super) fn is(&self, node: usize, kind: u32) -> Option<Lit> {
        let kinds = self.nodes[node].kinds;
        (kinds >> kind & 1 == 1).then(|| self.vars[node][(kinds & ((1 << kind) - 1)).count_ones() as usize])
    }

    /// Gives every node one of the kinds that weights, fixed rows and pins allow.
    fn add_nodes(&mut self, spec: &KindSpec) -> Option<()> {
        for rule in &spec.rules {
            let bit = 1 << spec.number(rule);
            match *rule {
                KindRule::Fixed { row, .. } => {
                    let row = usize::from(row);
                    self.fixed[row] = true;
                    let cells = bits(self.skeleton.nodes[row]).map(|col| self.skeleton.cell(row, col));
                    cells.for_each(|cell| self.set[cell] |= bit);
                }
                KindRule::Pinned { row, col, .. } => {
                    self.set[self.skeleton.cell(row.into(), col.into())] |= bit;
                }
                _ => {}
            }
        }
        for row in 0..self.skeleton.rows {
            let drawable = drawable(spec.weights(row));
            for col in bits(self.skeleton.nodes[row]) {
                let cell = self.skeleton.cell(row, col);
                let kinds = drawable | self.set[cell];
                let vars: Vec<Lit> = bits(kinds.into()).map(|_| self.solver.variable()).collect();
                self.number[cell] = self.nodes.len() as u32;
                self.nodes.push(Candidate { row: row as u16, col: col as u16, cell, kinds });
                self.add((&[], &[row]), vars.iter().copied())?;
                self.add_at_most_one(&[], row, &vars)?;
                self.vars.push(vars);
            }
        }
        Some(())
    }

    fn add_rule(&mut self, spec: &KindSpec, number: usize, rule: &KindRule) -> Option<()> {
        let kind = spec.number(rule);
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
                for (at, lit) in is.iter().enumerate() {
                    let Candidate { row, cell, .. } = self.nodes[at];
                    let exempt = self.set[cell] >> kind & 1 == 1;
                    if let (Some(lit), false, false) = (*lit, exempt, (earliest..=latest).contains(&row)) {
                        self.add((&[number], &[row.into()]), [!lit])?;
                    }
                }
                Some(())
            }
            KindRule::NoRepeat { .. } => {
                for (at, lit) in is.iter().enumerate() {
                    let row = usize::from(self.nodes[at].row);
                    for parent in self.parents(at) {
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

    /// Adds a clause that holds if its rules and its rows are selected.
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

    /// Adds that no two of `lits` are true.
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
            .map(|col| self.number[self.skeleton.cell(below, col)] as usize)
            .collect()
    }

    /// Sets the kind of a node, for a fixed row or a pin.
    fn add_set(&mut self, rule: usize, row: u16, col: u32, kind: u32) -> Option<()> {
        let node = self.number[self.skeleton.cell(row.into(), col)] as usize;
        self.add((&[rule], &[row.into()]), self.is(node, kind))
    }

    fn add_siblings(&mut self, rule: usize, is: &[Option<Lit>]) -> Option<()> {
        for at in 0..self.nodes.len() {
            let Candidate { row, cell, .. } = self.nodes[at];
            let above = usize::from(row) + 1;
            if above == self.skeleton.rows || self.fixed[above] {
                continue;
            }
            let children = bits(self.skeleton.up[cell]);
            let children: Vec<Lit> =
                children.filter_map(|col| is[self.number[self.skeleton.cell(above, col)] as usize]).collect();
            self.add_at_most_one(&[rule], above, &children)?;
        }
        Some(())
    }

    /// The nodes as steps of routes, or the nodes that `is` names as steps of one path.
    fn steps(&self, is: &[Option<Lit>], on_map: bool) -> Vec<Step> {
        let on_path = |(place, &lit): (usize, &Lit)| {
            let parents = place.checked_sub(1).into_iter().collect();
            Step { place, lit: Some(lit), parents }
        };
        let on_route = |(at, &lit): (usize, &Option<Lit>)| {
            let place = self.nodes[at].row.into();
            Step { place, lit, parents: self.parents(at) }
        };
        match on_map {
            true => is.iter().flatten().enumerate().map(on_path).collect(),
            false => is.iter().enumerate().map(on_route).collect(),
        }
    }

    /// Adds that at least `min` of `is` are true on the map or on every route. `least[step][j]` implies that every path up
    /// to the step has more than `j`.
    fn add_min(&mut self, guards: Guards<'_>, is: &[Option<Lit>], on_map: bool, min: u32) -> Option<()> {
        let steps = self.steps(is, on_map);
        let (min, last) = (min as usize, steps.last().map(|step| step.place));
        if min == 0 {
            return Some(());
        }
        if last.is_none_or(|last| min > last + 1 && !on_map) {
            return self.add(guards, None::<Lit>);
        }
        let mut least: Vec<Vec<Lit>> = Vec::with_capacity(steps.len());
        for Step { place, lit, parents } in steps {
            let mut here = Vec::new();
            for j in 0..(place + 1).min(min) {
                let var = self.solver.variable();
                if place == 0 {
                    self.add(FREE, [Some(!var), lit])?;
                }
                for &parent in &parents {
                    let before = least[parent].get(j).copied();
                    self.add(FREE, [Some(!var), before, lit])?;
                    if j > 0 {
                        self.add(FREE, [!var, least[parent][j - 1]])?;
                    }
                }
                here.push(var);
            }
            if Some(place) == last {
                self.add(guards, here.get(min - 1).copied())?;
            }
            least.push(here);
        }
        Some(())
    }

    /// If more than `j` of the literals so far are true, `count[j]` is.
    fn add_map_max(&mut self, rule: usize, is: &[Option<Lit>], max: usize) -> Option<()> {
        let lits: Vec<Lit> = is.iter().copied().flatten().collect();
        if max >= lits.len() {
            return Some(());
        }
        let mut count: Vec<Lit> = Vec::new();
        for (at, &lit) in lits.iter().enumerate() {
            if at >= max {
                let full = count.last().map(|&full| !full);
                self.add((&[rule], &[]), [Some(!lit), full])?;
            }
            let mut next = Vec::new();
            for j in 0..(at + 1).min(max) {
                let here = self.solver.variable();
                if let Some(&before) = count.get(j) {
                    self.add(FREE, [!before, here])?;
                }
                let fewer = j.checked_sub(1).map(|fewer| !count[fewer]);
                self.add(FREE, [Some(!lit), fewer, Some(here)])?;
                next.push(here);
            }
            count = next;
        }
        Some(())
    }

    /// If some route up to the node has more than `j` of the kind, `most[node][j]` is true.
    fn add_route_max(&mut self, rule: usize, is: &[Option<Lit>], max: usize) -> Option<()> {
        if max >= self.skeleton.rows {
            return Some(());
        }
        let mut most: Vec<Vec<Lit>> = Vec::with_capacity(self.nodes.len());
        for Step { place, lit, parents } in self.steps(is, false) {
            let here: Vec<Lit> = (0..(place + 1).min(max)).map(|_| self.solver.variable()).collect();
            if let Some(lit) = lit {
                let rules: &[usize] = if max == 0 { &[rule] } else { &[] };
                self.add((rules, &[]), [Some(!lit), here.first().copied()])?;
            }
            for parent in parents {
                for (j, &below) in most[parent].iter().enumerate() {
                    self.add(FREE, [!below, here[j]])?;
                    if let Some(lit) = lit {
                        match here.get(j + 1) {
                            Some(&more) => self.add(FREE, [!lit, !below, more])?,
                            None => self.add((&[rule], &[]), [!lit, !below])?,
                        }
                    }
                }
            }
            most.push(here);
        }
        Some(())
    }

    /// Adds what follows from several bounds together, because every node has one kind: on the map and on every route, kinds with
    /// a minimum are at least as many as their minima, and kinds without a maximum fill what the others leave.
    /// Clause learning alone takes exponentially long for such sums.
    fn add_sums(&mut self, spec: &KindSpec) -> Option<()> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        for (on_map, places) in [(true, self.nodes.len()), (false, self.skeleton.rows)] {
            // Of minima and of maxima: the rules, the sum of their bounds, and their kinds.
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
                *kinds |= 1 << spec.number(rule);
            }
            let [(lows, low, low_kinds), (highs, high, high_kinds)] = sums;
            let low = low.min(places + 1) as u32;
            let rest = places.saturating_sub(high) as u32;
            // One minimum alone is a rule already; without any maximum there is nothing to fill up.
            for (least, rules, kinds, min) in [(2, lows, low_kinds, low), (1, highs, !high_kinds, rest)] {
                if rules.len() >= least && min > 0 {
                    let is = self.add_union(kinds)?;
                    self.add_min((&rules, &all), &is, on_map, min)?;
                }
            }
        }
        Some(())
    }

    /// Per node a literal that implies that it is of one of `kinds`.
    fn add_union(&mut self, kinds: u32) -> Option<Vec<Option<Lit>>> {
        let union = (0..self.nodes.len()).map(|node| {
            let kinds = self.nodes[node].kinds & kinds;
            let lits: Vec<Lit> = bits(kinds.into()).filter_map(|kind| self.is(node, kind)).collect();
            if lits.len() < 2 {
                return Some(lits.first().copied());
            }
            let any = self.solver.variable();
            self.add(FREE, lits.into_iter().chain([!any]))?;
            Some(Some(any))
        });
        union.collect()
    }
}
