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
use super::spec::{KindRule, KindSpec};
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
    fn preferred_variable(&mut self) -> Lit;
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
}

/// A literal, or a constant where a node cannot be of a kind or a count cannot be reached.
#[derive(Clone, Copy)]
enum Term {
    Is(Lit),
    Never,
    Always,
}

impl<'a> Encoding<'a> {
    /// Encodes all rules; `None` if the map is too large.
    pub(super) fn new(spec: &KindSpec, skeleton: &'a Skeleton, selectors: bool) -> Option<Encoding<'a>> {
        Encoding::with(Solver::default(), spec, skeleton, selectors)
    }
}

impl<'a, S: Clauses> Encoding<'a, S> {
    /// Encodes all rules for any solver; `None` if the map is too large.
    pub(super) fn with(
        solver: S,
        spec: &KindSpec,
        skeleton: &'a Skeleton,
        selectors: bool,
    ) -> Option<Encoding<'a, S>> {
        let mut encoding = Encoding {
            solver,
            nodes: Vec::new(),
            vars: Vec::new(),
            rules: Vec::new(),
            rows: Vec::new(),
            skeleton,
            number: vec![0; skeleton.cells()],
            set: vec![0; skeleton.cells()],
            fixed: vec![false; skeleton.rows()],
        };
        if selectors {
            encoding.rules = spec.rules.iter().map(|_| encoding.solver.preferred_variable()).collect();
            encoding.rows = (0..skeleton.rows()).map(|_| encoding.solver.variable()).collect();
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
                    bits(self.skeleton.nodes(row))
                        .for_each(|col| self.set[self.skeleton.cell(row, col)] |= bit);
                }
                KindRule::Pinned { row, col, .. } => {
                    self.set[self.skeleton.cell(row.into(), col.into())] |= bit;
                }
                _ => {}
            }
        }
        for row in 0..self.skeleton.rows() {
            let weights = spec.weights(row);
            let drawable = (0..32).filter(|&k| weights[k] > 0).fold(0, |mask, k| mask | 1 << k);
            for col in bits(self.skeleton.nodes(row)) {
                let cell = self.skeleton.cell(row, col);
                let kinds = drawable | self.set[cell];
                let node = Candidate { row: row as u16, col: col as u16, cell, kinds };
                let vars: Vec<Lit> = bits(node.kinds.into()).map(|_| self.solver.variable()).collect();
                self.number[cell] = self.nodes.len() as u32;
                self.nodes.push(node);
                self.add(&[], &[row], &vars)?;
                for (at, &var) in vars.iter().enumerate() {
                    for &other in &vars[..at] {
                        self.add(&[], &[row], &[!var, !other])?;
                    }
                }
                self.vars.push(vars);
            }
        }
        Some(())
    }

    fn add_rule(&mut self, spec: &KindSpec, number: usize, rule: &KindRule) -> Option<()> {
        let kind = spec.number(rule);
        if let KindRule::Fixed { row, .. } = *rule {
            let cols = self.skeleton.nodes(row.into());
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
                        self.add(&[number], &[row.into()], &[!lit])?;
                    }
                }
                Some(())
            }
            KindRule::NoRepeat { .. } => {
                for (at, lit) in is.iter().enumerate() {
                    let row = usize::from(self.nodes[at].row);
                    for parent in self.parents(at) {
                        if let (Some(lit), Some(below)) = (*lit, is[parent]) {
                            self.add(&[number], &[row - 1, row], &[!lit, !below])?;
                        }
                    }
                }
                Some(())
            }
            KindRule::SiblingsDiffer { .. } => self.add_siblings(number, &is),
            KindRule::MapMin { min, .. } => {
                let lits: Vec<Lit> = is.into_iter().flatten().collect();
                self.add_map_min(&[number], &[], &lits, min)
            }
            KindRule::MapMax { max, .. } => {
                let lits: Vec<Lit> = is.into_iter().flatten().collect();
                self.add_map_max(number, &lits, max)
            }
            KindRule::RouteMin { min, .. } => self.add_route_min(&[number], &[], &is, min),
            KindRule::RouteMax { max, .. } => self.add_route_max(number, &is, max),
        }
    }

    /// Adds a clause that holds if its rules and its rows are selected.
    fn add(&mut self, rules: &[usize], rows: &[usize], lits: &[Lit]) -> Option<()> {
        if self.rules.is_empty() && self.rows.is_empty() {
            self.solver.add(lits);
        } else {
            let guards = rules.iter().map(|&r| !self.rules[r]).chain(rows.iter().map(|&r| !self.rows[r]));
            let clause: Vec<Lit> = guards.chain(lits.iter().copied()).collect();
            self.solver.add(&clause);
        }
        (self.solver.size() <= MAX_LITERALS).then_some(())
    }

    fn parents(&self, node: usize) -> Vec<usize> {
        let Candidate { row, cell, .. } = self.nodes[node];
        let Some(below) = usize::from(row).checked_sub(1) else { return Vec::new() };
        bits(self.skeleton.down(cell))
            .map(|col| self.number[self.skeleton.cell(below, col)] as usize)
            .collect()
    }

    /// Sets the kind of a node, for a fixed row or a pin.
    fn add_set(&mut self, rule: usize, row: u16, col: u32, kind: u32) -> Option<()> {
        let node = self.number[self.skeleton.cell(row.into(), col)] as usize;
        match self.is(node, kind) {
            Some(lit) => self.add(&[rule], &[row.into()], &[lit]),
            None => Some(()),
        }
    }

    fn add_siblings(&mut self, rule: usize, is: &[Option<Lit>]) -> Option<()> {
        for at in 0..self.nodes.len() {
            let Candidate { row, cell, .. } = self.nodes[at];
            let above = usize::from(row) + 1;
            if above == self.skeleton.rows() || self.fixed[above] {
                continue;
            }
            let children = bits(self.skeleton.up(cell));
            let children: Vec<Lit> =
                children.filter_map(|col| is[self.number[self.skeleton.cell(above, col)] as usize]).collect();
            for (at, &child) in children.iter().enumerate() {
                for &other in &children[..at] {
                    self.add(&[rule], &[above], &[!child, !other])?;
                }
            }
        }
        Some(())
    }

    /// `count[j]` implies that at least `j + 1` of the literals so far are true.
    fn add_map_min(&mut self, rules: &[usize], rows: &[usize], lits: &[Lit], min: u32) -> Option<()> {
        let mut count: Vec<Term> = Vec::new();
        for (at, &lit) in lits.iter().enumerate() {
            let reach = (at + 1).min(min as usize);
            let mut next = Vec::with_capacity(reach);
            for j in 0..reach {
                let here = self.solver.variable();
                let before = count.get(j).copied().unwrap_or(Term::Never);
                let fewer = if j == 0 { Term::Always } else { count[j - 1] };
                self.add_terms(&[], &[], &[Term::Is(!here), before, Term::Is(lit)])?;
                self.add_terms(&[], &[], &[Term::Is(!here), fewer])?;
                next.push(Term::Is(here));
            }
            count = next;
        }
        match min.checked_sub(1) {
            None => Some(()),
            Some(last) => {
                self.add_terms(rules, rows, &[count.get(last as usize).copied().unwrap_or(Term::Never)])
            }
        }
    }

    /// If more than `j` of the literals so far are true, `count[j]` is.
    fn add_map_max(&mut self, rule: usize, lits: &[Lit], max: u32) -> Option<()> {
        let mut count: Vec<Lit> = Vec::new();
        for (at, &lit) in lits.iter().enumerate() {
            if max as usize >= lits.len() {
                break;
            }
            match count.get((max as usize).wrapping_sub(1)) {
                Some(&full) => self.add(&[rule], &[], &[!lit, !full])?,
                None if max == 0 => self.add(&[rule], &[], &[!lit])?,
                None => {}
            }
            let reach = (at + 1).min(max as usize);
            let mut next = Vec::with_capacity(reach);
            for j in 0..reach {
                let here = self.solver.variable();
                if let Some(&before) = count.get(j) {
                    self.add(&[], &[], &[!before, here])?;
                }
                match j.checked_sub(1) {
                    None => self.add(&[], &[], &[!lit, here])?,
                    Some(fewer) => self.add(&[], &[], &[!lit, !count[fewer], here])?,
                }
                next.push(here);
            }
            count = next;
        }
        Some(())
    }

    /// `least[node][j]` implies that every route up to the node has more than `j` of the kind.
    fn add_route_min(&mut self, rules: &[usize], rows: &[usize], is: &[Option<Lit>], min: u32) -> Option<()> {
        let Some(last) = min.checked_sub(1) else { return Some(()) };
        if min as usize > self.skeleton.rows() {
            return self.add(rules, rows, &[]);
        }
        let mut least: Vec<Vec<Term>> = Vec::with_capacity(self.nodes.len());
        for (at, lit) in is.iter().enumerate() {
            let row = usize::from(self.nodes[at].row);
            let this = lit.map_or(Term::Never, Term::Is);
            let parents = self.parents(at);
            let mut here = Vec::new();
            for j in 0..(row + 1).min(min as usize) {
                let var = self.solver.variable();
                if row == 0 {
                    self.add_terms(&[], &[], &[Term::Is(!var), this])?;
                }
                for &parent in &parents {
                    let before = least[parent].get(j).copied().unwrap_or(Term::Never);
                    let fewer = if j == 0 { Term::Always } else { least[parent][j - 1] };
                    self.add_terms(&[], &[], &[Term::Is(!var), before, this])?;
                    self.add_terms(&[], &[], &[Term::Is(!var), fewer])?;
                }
                here.push(Term::Is(var));
            }
            if row + 1 == self.skeleton.rows() {
                let enough = here.get(last as usize).copied().unwrap_or(Term::Never);
                self.add_terms(rules, rows, &[enough])?;
            }
            least.push(here);
        }
        Some(())
    }

    /// If some route up to the node has more than `j` of the kind, `most[node][j]` is true.
    fn add_route_max(&mut self, rule: usize, is: &[Option<Lit>], max: u32) -> Option<()> {
        let max = max as usize;
        if max >= self.skeleton.rows() {
            return Some(());
        }
        let mut most: Vec<Vec<Lit>> = Vec::with_capacity(self.nodes.len());
        for (at, &lit) in is.iter().enumerate() {
            let row = usize::from(self.nodes[at].row);
            let parents = self.parents(at);
            if let (Some(lit), 0) = (lit, max) {
                self.add(&[rule], &[], &[!lit])?;
            }
            let here: Vec<Lit> = (0..(row + 1).min(max)).map(|_| self.solver.variable()).collect();
            if let (Some(lit), Some(&first)) = (lit, here.first()) {
                self.add(&[], &[], &[!lit, first])?;
            }
            for &parent in &parents {
                for (j, &below) in most[parent].iter().enumerate() {
                    self.add(&[], &[], &[!below, here[j]])?;
                    if let Some(lit) = lit {
                        match here.get(j + 1) {
                            Some(&more) => self.add(&[], &[], &[!lit, !below, more])?,
                            None => self.add(&[rule], &[], &[!lit, !below])?,
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
        for (on_map, places) in [(true, self.nodes.len()), (false, self.skeleton.rows())] {
            let (mut lows, mut low, mut low_kinds) = (Vec::new(), 0_usize, 0_u32);
            let (mut highs, mut high, mut high_kinds) = (Vec::new(), 0_usize, 0_u32);
            for (number, rule) in spec.rules.iter().enumerate() {
                match *rule {
                    KindRule::MapMin { min, .. } if on_map && min > 0 => {
                        (lows.push(number), low += min as usize)
                    }
                    KindRule::RouteMin { min, .. } if !on_map && min > 0 => {
                        (lows.push(number), low += min as usize)
                    }
                    KindRule::MapMax { max, .. } if on_map => (highs.push(number), high += max as usize),
                    KindRule::RouteMax { max, .. } if !on_map => (highs.push(number), high += max as usize),
                    _ => continue,
                };
                match lows.last() == Some(&number) {
                    true => low_kinds |= 1 << spec.number(rule),
                    false => high_kinds |= 1 << spec.number(rule),
                }
            }
            let low = low.min(places + 1) as u32;
            let rest = places.saturating_sub(high) as u32;
            // One minimum alone is a rule already; without any maximum there is nothing to fill up.
            for (least, rules, kinds, min) in [(2, lows, low_kinds, low), (1, highs, !high_kinds, rest)] {
                if rules.len() < least || min == 0 {
                    continue;
                }
                let is = self.add_union(kinds)?;
                match on_map {
                    true => {
                        let lits: Vec<Lit> = is.into_iter().flatten().collect();
                        self.add_map_min(&rules, &all, &lits, min)?;
                    }
                    false => self.add_route_min(&rules, &all, &is, min)?,
                }
            }
        }
        Some(())
    }

    /// Per node a literal that implies that it is of one of `kinds`.
    fn add_union(&mut self, kinds: u32) -> Option<Vec<Option<Lit>>> {
        let mut union = Vec::with_capacity(self.nodes.len());
        for node in 0..self.nodes.len() {
            let mut lits: Vec<Lit> = bits((self.nodes[node].kinds & kinds).into())
                .filter_map(|kind| self.is(node, kind))
                .collect();
            union.push(match lits[..] {
                [] => None,
                [lit] => Some(lit),
                _ => {
                    let any = self.solver.variable();
                    lits.push(!any);
                    self.add(&[], &[], &lits)?;
                    Some(any)
                }
            });
        }
        Some(union)
    }

    fn add_terms(&mut self, rules: &[usize], rows: &[usize], terms: &[Term]) -> Option<()> {
        if terms.iter().any(|term| matches!(term, Term::Always)) {
            return Some(());
        }
        let lits = terms.iter().filter_map(|term| if let Term::Is(lit) = term { Some(*lit) } else { None });
        self.add(rules, rows, &lits.collect::<Vec<Lit>>())
    }
}
