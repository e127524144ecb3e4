//! CDCL SAT solver: conflict-driven clause learning (Marques-Silva & Sakallah 1996), incremental.
//!
//! Two watched literals and VSIDS with integer activities (Moskewicz et al. 2001), first-UIP
//! learning (Zhang et al. 2001) with clause minimisation (Sörensson & Biere 2009), phase saving
//! (Pipatsrisawat & Darwiche 2007), Luby restarts (Luby et al. 1993), deletion of learnt clauses by
//! literal block distance (Audemard & Simon 2009), and solving under assumptions with
//! failed-assumption cores (Eén & Sörensson 2003).
//!
//! # Determinism
//! Uses no floats, clocks or hash maps: the same clauses and queries take the same steps on every
//! platform. Callers use only satisfiability, which does not depend on those steps.

use super::encode::Clauses;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{Not, Range};
use wayforge_core::Work;

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lit(u32);

impl Lit {
    /// Returns the positive literal of variable `var`.
    pub(super) fn positive(var: u32) -> Lit {
        Lit(var << 1)
    }

    /// Returns the literal in DIMACS form: variables from 1, negative if negated.
    #[cfg(feature = "peers")]
    pub(super) fn to_dimacs(self) -> i32 {
        let number = self.var() as i32 + 1;
        if self.0 & 1 == 0 { number } else { -number }
    }

    fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, Debug)]
struct Clause {
    start: u32,
    len: u32,
    /// Literal block distance: number of decision levels when it was learnt; 0 if original.
    lbd: u32,
}

/// A clause to visit when a literal becomes false, unless `blocker` is true.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: u32,
    blocker: Lit,
}

/// Reason of literals that no clause implies: decisions, assumptions and unit clauses.
const NO_REASON: u32 = u32::MAX;

/// Unit of the Luby sequence, in conflicts.
const RESTART_UNIT: u64 = 64;

/// Steps of work per visited watch.
const WATCH_STEPS: u64 = 4;

/// Steps of work per operation on the heap of variables.
const HEAP_STEPS: u64 = 16;

/// The solver: original and learnt clauses, and the state of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Solver {
    /// Literals of all clauses.
    lits: Vec<Lit>,
    clauses: Vec<Clause>,
    /// Number of learnt clauses.
    learnt: usize,
    /// Per literal: the clauses that watch it.
    watches: Vec<Vec<Watch>>,
    /// Per literal: 1 true, -1 false, 0 unassigned.
    value: Vec<i8>,
    /// Per variable: its decision level.
    level: Vec<u32>,
    /// Per variable: the clause that implied it, or [`NO_REASON`].
    reason: Vec<u32>,
    /// Per variable: its last value.
    phase: Vec<bool>,
    /// Assigned literals in order.
    trail: Vec<Lit>,
    /// Length of the trail before each decision.
    level_starts: Vec<usize>,
    /// Index of the next literal of the trail to propagate.
    head: usize,
    /// Number of visited watches since the work was last counted.
    visited: u64,
    order: VariableOrder,
    /// Per variable: mark used by conflict analysis.
    seen: Vec<bool>,
    /// Buffer for the clause being added or learnt. The first literal of a learnt clause is
    /// asserted.
    buffer: Vec<Lit>,
    /// Values of the last solution.
    model: Vec<i8>,
    /// After an unsatisfiable query: a subset of the assumptions that is unsatisfiable.
    core: Vec<Lit>,
    unsatisfiable: bool,
    reductions: usize,
}

impl Clauses for Solver {
    fn variable(&mut self) -> Lit {
        let var = self.level.len() as u32;
        self.watches.extend([Vec::new(), Vec::new()]);
        self.value.extend([0, 0]);
        self.level.push(0);
        self.reason.push(NO_REASON);
        self.phase.push(false);
        self.seen.push(false);
        self.order.add(var);
        Lit::positive(var)
    }

    fn preferred_variable(&mut self) -> Lit {
        let lit = self.variable();
        self.phase[lit.var()] = true;
        lit
    }

    fn size(&self) -> usize {
        self.lits.len()
    }

    fn add(&mut self, clause: &[Lit]) {
        debug_assert!(self.level_starts.is_empty(), "clauses must be added at level 0");
        let mut lits = std::mem::take(&mut self.buffer);
        lits.clear();
        lits.extend_from_slice(clause);
        lits.sort_unstable();
        lits.dedup();
        let satisfied = lits.iter().any(|&lit| self.value[lit.index()] > 0)
            || lits.windows(2).any(|pair| pair[0] == !pair[1]);
        if !satisfied {
            lits.retain(|lit| self.value[lit.index()] == 0);
            match lits[..] {
                [] => self.unsatisfiable = true,
                [unit] => {
                    self.enqueue(unit, NO_REASON);
                    self.unsatisfiable |= self.propagate().is_some();
                }
                _ => {
                    self.attach(&lits, 0);
                }
            }
        }
        self.buffer = lits;
    }
}

impl Solver {
    /// Returns true if a literal is true in the last solution.
    pub(super) fn is_true(&self, lit: Lit) -> bool {
        self.model[lit.index()] > 0
    }

    /// Returns the failed assumptions of the last query, if it was unsatisfiable.
    pub(super) fn core(&self) -> &[Lit] {
        &self.core
    }

    /// Decides whether the clauses are satisfiable under `assumptions`.
    ///
    /// Subtracts the conflicts from `budget`, and returns `None` if it is not enough or `work` is
    /// stopped.
    pub(super) fn solve(
        &mut self,
        assumptions: &[Lit],
        budget: &mut u64,
        work: &Work,
    ) -> Option<bool> {
        self.core.clear();
        let mut restarts = 0;
        let mut conflicts_left = RESTART_UNIT;
        let result = loop {
            if self.unsatisfiable {
                break Some(false);
            }
            let conflict = self.propagate();
            if !work.spend(std::mem::take(&mut self.visited)) {
                break None;
            }
            if let Some(conflict) = conflict {
                if self.level_starts.is_empty() {
                    self.unsatisfiable = true;
                    continue;
                }
                if *budget == 0 {
                    break None;
                }
                *budget -= 1;
                conflicts_left = conflicts_left.saturating_sub(1);
                self.learn(conflict);
                continue;
            }
            if conflicts_left == 0 {
                restarts += 1;
                conflicts_left = RESTART_UNIT * luby(restarts);
                self.backtrack(0);
                self.reduce();
                continue;
            }
            let assumed = assumptions.get(self.level_starts.len()).copied();
            if let Some(assumed) = assumed.filter(|assumed| self.value[assumed.index()] < 0) {
                self.analyze_final(!assumed);
                break Some(false);
            }
            let Some(decision) = assumed.or_else(|| self.decide()) else {
                self.model.clone_from(&self.value);
                work.spend(HEAP_STEPS * self.level.len() as u64);
                break Some(true);
            };
            self.level_starts.push(self.trail.len());
            if self.value[decision.index()] == 0 {
                self.enqueue(decision, NO_REASON);
            }
        };
        self.backtrack(0);
        result
    }

    /// Returns the most active unassigned variable with its last value.
    fn decide(&mut self) -> Option<Lit> {
        while let Some(var) = self.order.pop() {
            if self.value[2 * var as usize] == 0 {
                return Some(Lit(var << 1 | u32::from(!self.phase[var as usize])));
            }
        }
        None
    }

    fn enqueue(&mut self, lit: Lit, reason: u32) {
        self.value[lit.index()] = 1;
        self.value[(!lit).index()] = -1;
        self.level[lit.var()] = self.level_starts.len() as u32;
        self.reason[lit.var()] = reason;
        self.trail.push(lit);
    }

    /// Stores a clause of at least two literals and watches the first two.
    fn attach(&mut self, lits: &[Lit], lbd: u32) -> u32 {
        let number = self.clauses.len() as u32;
        self.clauses.push(Clause { start: self.lits.len() as u32, len: lits.len() as u32, lbd });
        self.lits.extend_from_slice(lits);
        self.watches[lits[0].index()].push(Watch { clause: number, blocker: lits[1] });
        self.watches[lits[1].index()].push(Watch { clause: number, blocker: lits[0] });
        number
    }

    /// Returns the range of a clause in `lits`.
    fn range(&self, clause: u32) -> Range<usize> {
        let Clause { start, len, .. } = self.clauses[clause as usize];
        start as usize..(start + len) as usize
    }

    /// Performs unit propagation. Returns a falsified clause, if any.
    fn propagate(&mut self) -> Option<u32> {
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            let falsified = !lit;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            self.visited += WATCH_STEPS * (1 + watches.len() as u64);
            let mut conflict = None;
            let mut kept = 0;
            let mut index = 0;
            'watches: while let Some(&Watch { clause, blocker }) = watches.get(index) {
                index += 1;
                if conflict.is_some() || self.value[blocker.index()] > 0 {
                    watches[kept] = Watch { clause, blocker };
                    kept += 1;
                    continue;
                }
                let range = self.range(clause);
                let lits = &mut self.lits[range];
                if lits[0] == falsified {
                    lits.swap(0, 1);
                }
                let first = lits[0];
                let watch = Watch { clause, blocker: first };
                if self.value[first.index()] <= 0 {
                    for other in 2..lits.len() {
                        if self.value[lits[other].index()] >= 0 {
                            lits.swap(1, other);
                            self.watches[lits[1].index()].push(watch);
                            continue 'watches;
                        }
                    }
                }
                watches[kept] = watch;
                kept += 1;
                match self.value[first.index()] {
                    0 => self.enqueue(first, clause),
                    1 => {}
                    _ => conflict = Some(clause),
                }
            }
            watches.truncate(kept);
            self.watches[falsified.index()] = watches;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Learns the first-UIP clause of a conflict, backjumps and asserts it.
    fn learn(&mut self, conflict: u32) {
        let mut clause = std::mem::take(&mut self.buffer);
        clause.clear();
        clause.push(Lit(0));
        let current_level = self.level_starts.len() as u32;
        let (mut reason, mut open, mut position) = (conflict, 0, self.trail.len());
        loop {
            // Each literal may move in the heap.
            self.visited += HEAP_STEPS * self.range(reason).len() as u64;
            for index in self.range(reason) {
                let lit = self.lits[index];
                let var = lit.var();
                // The true literal of a reason is the one being resolved on.
                if self.seen[var] || self.level[var] == 0 || self.value[lit.index()] > 0 {
                    continue;
                }
                self.seen[var] = true;
                self.order.bump(var as u32);
                if self.level[var] == current_level {
                    open += 1;
                } else {
                    clause.push(lit);
                }
            }
            let implied = loop {
                position -= 1;
                if self.seen[self.trail[position].var()] {
                    break self.trail[position];
                }
            };
            self.seen[implied.var()] = false;
            open -= 1;
            if open == 0 {
                clause[0] = !implied;
                break;
            }
            reason = self.reason[implied.var()];
        }
        // Minimisation: a literal is redundant if the other literals of the clause imply it.
        let mut kept = 1;
        for index in 1..clause.len() {
            let lit = clause[index];
            let reason = self.reason[lit.var()];
            let redundant = reason != NO_REASON
                && self.lits[self.range(reason)].iter().all(|other| {
                    other.var() == lit.var()
                        || self.seen[other.var()]
                        || self.level[other.var()] == 0
                });
            // Redundant literals stay marked and move to the end.
            if !redundant {
                clause.swap(kept, index);
                kept += 1;
            }
        }
        clause[1..].iter().for_each(|lit| self.seen[lit.var()] = false);
        clause.truncate(kept);
        let mut levels: Vec<u32> = clause.iter().map(|lit| self.level[lit.var()]).collect();
        levels.sort_unstable();
        levels.dedup();
        let mut reason = NO_REASON;
        match (1..clause.len()).max_by_key(|&index| self.level[clause[index].var()]) {
            None => self.backtrack(0),
            Some(highest) => {
                clause.swap(1, highest);
                self.backtrack(self.level[clause[1].var()] as usize);
                self.learnt += 1;
                reason = self.attach(&clause, levels.len() as u32);
            }
        }
        self.enqueue(clause[0], reason);
        self.order.decay();
        self.buffer = clause;
    }

    /// Computes the core: the assumptions that imply the negation of another assumption.
    fn analyze_final(&mut self, implied: Lit) {
        self.core.push(!implied);
        if self.level[implied.var()] == 0 {
            return;
        }
        self.seen[implied.var()] = true;
        for position in (self.level_starts[0]..self.trail.len()).rev() {
            let lit = self.trail[position];
            if !std::mem::take(&mut self.seen[lit.var()]) {
                continue;
            }
            match self.reason[lit.var()] {
                NO_REASON => self.core.push(lit),
                reason => {
                    for other in &self.lits[self.range(reason)] {
                        self.seen[other.var()] |=
                            other.var() != lit.var() && self.level[other.var()] > 0;
                    }
                }
            }
        }
    }

    /// Undoes all assignments above a decision level.
    fn backtrack(&mut self, level: usize) {
        if let Some(&end) = self.level_starts.get(level) {
            for lit in self.trail.drain(end..) {
                self.value[lit.index()] = 0;
                self.value[(!lit).index()] = 0;
                self.phase[lit.var()] = lit.0 & 1 == 0;
                self.order.add(lit.var() as u32);
            }
            self.level_starts.truncate(level);
            self.head = end;
        }
    }

    /// Deletes half of the learnt clauses with a block distance above 2, highest distance first.
    ///
    /// Must be called at level 0, where no clause is needed as a reason.
    fn reduce(&mut self) {
        if self.learnt < 2_000 + 500 * self.reductions {
            return;
        }
        self.reductions += 1;
        let (lits, mut clauses) =
            (std::mem::take(&mut self.lits), std::mem::take(&mut self.clauses));
        let mut deleted: Vec<&mut Clause> =
            clauses.iter_mut().filter(|clause| clause.lbd > 2).collect();
        deleted.sort_by_key(|clause| Reverse(clause.lbd));
        deleted.truncate(deleted.len() / 2);
        self.learnt -= deleted.len();
        deleted.into_iter().for_each(|clause| clause.len = 0);
        self.watches.iter_mut().for_each(Vec::clear);
        self.visited += HEAP_STEPS * lits.len() as u64;
        for Clause { start, len, lbd } in clauses.into_iter().filter(|clause| clause.len > 0) {
            self.attach(&lits[start as usize..(start + len) as usize], lbd);
        }
    }
}

/// Returns an element of the Luby sequence 1, 1, 2, 1, 1, 2, 4, ..., from index 0.
fn luby(index: u64) -> u64 {
    let mut n = index + 1;
    while !(n + 1).is_power_of_two() {
        n -= (1 << n.ilog2()) - 1;
    }
    n.div_ceil(2)
}

/// VSIDS: priority queue of variables by activity. Ties go to the lower number.
#[derive(Clone, Debug, Default)]
struct VariableOrder {
    activity: Vec<u64>,
    /// Increment of the next bump.
    step: u64,
    /// May contain outdated entries: bumping a queued variable adds another one.
    heap: BinaryHeap<(u64, Reverse<u32>)>,
    /// Per variable: whether the heap has a current entry.
    queued: Vec<bool>,
}

impl VariableOrder {
    fn add(&mut self, var: u32) {
        if self.activity.len() <= var as usize {
            self.activity.push(0);
            self.queued.push(false);
            self.step = self.step.max(1 << 16);
        }
        if !std::mem::replace(&mut self.queued[var as usize], true) {
            self.heap.push((self.activity[var as usize], Reverse(var)));
        }
    }

    fn bump(&mut self, var: u32) {
        self.activity[var as usize] += self.step;
        if self.queued[var as usize] {
            self.heap.push((self.activity[var as usize], Reverse(var)));
        }
    }

    /// Raises the increment by 1/16, so that later bumps count more. Rescales before it overflows.
    fn decay(&mut self) {
        self.step += self.step >> 4;
        if self.step > 1 << 48 {
            self.step >>= 32;
            self.activity.iter_mut().for_each(|activity| *activity >>= 32);
            let queued = (0..).zip(&self.activity).filter(|&(var, _)| self.queued[var as usize]);
            self.heap = queued.map(|(var, &activity)| (activity, Reverse(var))).collect();
        }
    }

    fn pop(&mut self) -> Option<u32> {
        loop {
            let (activity, Reverse(var)) = self.heap.pop()?;
            if activity == self.activity[var as usize]
                && std::mem::take(&mut self.queued[var as usize])
            {
                return Some(var);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge_core::MapRng;

    #[test]
    fn luby_sequence_has_the_published_values() {
        let published = [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8];
        assert_eq!((0..15).map(luby).collect::<Vec<_>>(), published);
    }

    /// Random 3-SAT near the phase transition, with random assumptions.
    #[test]
    fn agrees_with_exhaustive_enumeration() {
        let mut rng = MapRng::from_u64(7);
        let mut seen = [0; 2];
        for _ in 0..2_000 {
            let vars = 3 + rng.below(9);
            let mut solver = Solver::default();
            let lits: Vec<Lit> = (0..vars).map(|_| solver.variable()).collect();
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            for _ in 0..4 {
                for _ in 0..vars {
                    let mut pick = || {
                        let lit = lits[rng.below(vars) as usize];
                        if rng.below(2) == 0 { lit } else { !lit }
                    };
                    let clause = vec![pick(), pick(), pick()];
                    solver.add(&clause);
                    clauses.push(clause);
                }
                let mut assumptions: Vec<Lit> =
                    lits.iter().copied().filter(|_| rng.below(3) == 0).collect();
                for lit in &mut assumptions {
                    *lit = if rng.below(2) == 0 { *lit } else { !*lit };
                }
                let satisfiable = |assumed: &[Lit]| {
                    (0_u32..1 << vars).any(|bits| {
                        let holds = |lit: &Lit| (bits >> lit.var() & 1 == 1) == (lit.0 & 1 == 0);
                        assumed.iter().all(holds)
                            && clauses.iter().all(|clause| clause.iter().any(holds))
                    })
                };
                let result = solver.solve(&assumptions, &mut 1_000_000, &Work::default()).unwrap();
                assert_eq!(result, satisfiable(&assumptions));
                seen[usize::from(result)] += 1;
                if result {
                    assert!(assumptions.iter().all(|&lit| solver.is_true(lit)));
                    assert!(
                        clauses.iter().all(|clause| clause.iter().any(|&lit| solver.is_true(lit)))
                    );
                } else {
                    assert!(solver.core().iter().all(|lit| assumptions.contains(lit)));
                    assert!(!satisfiable(solver.core()));
                }
            }
        }
        assert!(seen[0] > 1_000 && seen[1] > 1_000, "{seen:?}");
    }

    #[test]
    fn refutes_the_pigeonhole_formula_for_seven_pigeons_and_six_holes() {
        let mut solver = Solver::default();
        let at: Vec<Vec<Lit>> =
            (0..7).map(|_| (0..6).map(|_| solver.variable()).collect()).collect();
        at.iter().for_each(|holes| solver.add(holes));
        for (a, one) in at.iter().enumerate() {
            for other in &at[..a] {
                one.iter().zip(other).for_each(|(&this, &that)| solver.add(&[!this, !that]));
            }
        }
        let mut budget = 10;
        assert_eq!(
            solver.solve(&[], &mut budget, &Work::default()),
            None,
            "10 conflicts are not enough"
        );
        assert_eq!(solver.solve(&[], &mut 1_000_000, &Work::default()), Some(false));
        assert_eq!(
            solver.solve(&[], &mut 0, &Work::default()),
            Some(false),
            "the result is remembered"
        );
    }
}
