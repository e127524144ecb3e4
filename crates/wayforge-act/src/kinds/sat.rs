//! Conflict-driven clause learning (CDCL): a complete, incremental SAT solver on integers alone.
//!
//! Two watched literals (Moskewicz et al. 2001), first-UIP learning (Zhang et al. 2001), VSIDS with integer
//! activities, phase saving, Luby restarts, deletion of learnt clauses by literal block distance (Audemard & Simon
//! 2009), and solving under assumptions with failed-assumption cores (Eén & Sörensson 2003).
//!
//! **Determinism.** No float, clock or hash: the same clauses and queries take the same steps everywhere. Callers
//! use satisfiable and unsatisfiable as facts, which do not depend on those steps.

use super::encode::Clauses;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{Not, Range};

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lit(u32);

impl Lit {
    /// The positive literal of variable `var`.
    pub(super) fn positive(var: u32) -> Lit {
        Lit(var << 1)
    }

    /// The literal as DIMACS writes it: variables from 1, negative if negated.
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
    /// Literal block distance: decision levels among its literals when it was learnt; 0 if it was given.
    lbd: u32,
}

/// A clause to visit when a literal becomes false, unless `blocker` is true.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: u32,
    blocker: Lit,
}

/// No clause: a decision, an assumption or a unit.
const NONE: u32 = u32::MAX;

/// Conflicts in the shortest run between restarts.
const RESTART: u64 = 64;

/// A set of clauses and what has been learnt about it.
#[derive(Clone, Debug, Default)]
pub(super) struct Solver {
    lits: Vec<Lit>,
    clauses: Vec<Clause>,
    learnt: usize,
    /// Per literal: the clauses that watch it.
    watches: Vec<Vec<Watch>>,
    /// Per literal: 1 true, -1 false, 0 open.
    value: Vec<i8>,
    /// Per variable: its decision level, the clause that implied it, and its last value.
    level: Vec<u32>,
    reason: Vec<u32>,
    phase: Vec<bool>,
    trail: Vec<Lit>,
    /// The length of the trail before each decision.
    ends: Vec<usize>,
    head: usize,
    order: Order,
    seen: Vec<bool>,
    /// The clause being learnt; its first literal is the one that it implies.
    lesson: Vec<Lit>,
    /// The last solution: [`value`](Self::value) when it was found.
    model: Vec<i8>,
    /// Assumptions that cannot hold together, after an unsatisfiable query.
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
        self.reason.push(NONE);
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
        debug_assert!(self.ends.is_empty(), "clauses are added between queries");
        let mut lits = std::mem::take(&mut self.lesson);
        lits.clear();
        lits.extend_from_slice(clause);
        lits.sort_unstable();
        lits.dedup();
        let holds = lits.iter().any(|&lit| self.value[lit.index()] > 0)
            || lits.windows(2).any(|pair| pair[0] == !pair[1]);
        if !holds {
            lits.retain(|lit| self.value[lit.index()] == 0);
            match lits[..] {
                [] => self.unsatisfiable = true,
                [unit] => {
                    self.enqueue(unit, NONE);
                    self.unsatisfiable |= self.propagate().is_some();
                }
                _ => {
                    self.attach(&lits, 0);
                }
            }
        }
        self.lesson = lits;
    }
}

impl Solver {
    /// Whether a literal is true in the last solution.
    pub(super) fn holds(&self, lit: Lit) -> bool {
        self.model[lit.index()] > 0
    }

    /// The assumptions of the last query that cannot hold together, if it was unsatisfiable.
    pub(super) fn core(&self) -> &[Lit] {
        &self.core
    }

    /// Decides whether the clauses and `assumptions` can hold together; `None` if `budget` conflicts were not enough.
    pub(super) fn solve(&mut self, assumptions: &[Lit], budget: &mut u64) -> Option<bool> {
        self.core.clear();
        let mut run = 0;
        let mut patience = RESTART;
        let answer = loop {
            if self.unsatisfiable {
                break Some(false);
            }
            if let Some(conflict) = self.propagate() {
                if self.ends.is_empty() {
                    self.unsatisfiable = true;
                    continue;
                }
                if *budget == 0 {
                    break None;
                }
                *budget -= 1;
                patience = patience.saturating_sub(1);
                self.learn(conflict);
                continue;
            }
            if patience == 0 {
                run += 1;
                patience = RESTART * luby(run);
                self.back_to(0);
                self.reduce();
                continue;
            }
            let assumed = assumptions.get(self.ends.len()).copied();
            if let Some(assumed) = assumed.filter(|assumed| self.value[assumed.index()] < 0) {
                self.explain(!assumed);
                break Some(false);
            }
            let Some(decision) = assumed.or_else(|| self.choose()) else {
                self.model.clone_from(&self.value);
                break Some(true);
            };
            self.ends.push(self.trail.len());
            if self.value[decision.index()] == 0 {
                self.enqueue(decision, NONE);
            }
        };
        self.back_to(0);
        answer
    }

    /// The most active open variable, with its last value.
    fn choose(&mut self) -> Option<Lit> {
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
        self.level[lit.var()] = self.ends.len() as u32;
        self.reason[lit.var()] = reason;
        self.trail.push(lit);
    }

    fn attach(&mut self, lits: &[Lit], lbd: u32) -> u32 {
        let number = self.clauses.len() as u32;
        self.clauses.push(Clause { start: self.lits.len() as u32, len: lits.len() as u32, lbd });
        self.lits.extend_from_slice(lits);
        self.watches[lits[0].index()].push(Watch { clause: number, blocker: lits[1] });
        self.watches[lits[1].index()].push(Watch { clause: number, blocker: lits[0] });
        number
    }

    /// The places of a clause's literals.
    fn range(&self, clause: u32) -> Range<usize> {
        let Clause { start, len, .. } = self.clauses[clause as usize];
        start as usize..(start + len) as usize
    }

    /// Unit propagation; returns a clause that has become false.
    fn propagate(&mut self) -> Option<u32> {
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            let falsified = !lit;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            let mut conflict = None;
            let mut kept = 0;
            let mut at = 0;
            'watches: while let Some(&Watch { clause, blocker }) = watches.get(at) {
                at += 1;
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

    /// Learns the first-UIP clause of a conflict, jumps back and asserts it.
    fn learn(&mut self, conflict: u32) {
        let mut lesson = std::mem::take(&mut self.lesson);
        lesson.clear();
        lesson.push(Lit(0));
        let here = self.ends.len() as u32;
        let (mut reason, mut open, mut at) = (conflict, 0, self.trail.len());
        loop {
            for place in self.range(reason) {
                let lit = self.lits[place];
                let var = lit.var();
                // The literal that a reason implied is true; it is the one being resolved.
                if self.seen[var] || self.level[var] == 0 || self.value[lit.index()] > 0 {
                    continue;
                }
                self.seen[var] = true;
                self.order.bump(var as u32);
                if self.level[var] == here {
                    open += 1;
                } else {
                    lesson.push(lit);
                }
            }
            let implied = loop {
                at -= 1;
                if self.seen[self.trail[at].var()] {
                    break self.trail[at];
                }
            };
            self.seen[implied.var()] = false;
            open -= 1;
            if open == 0 {
                lesson[0] = !implied;
                break;
            }
            reason = self.reason[implied.var()];
        }
        // A literal whose reason consists of other literals of the clause adds nothing.
        let marked = lesson.len();
        let mut kept = 1;
        for at in 1..marked {
            let lit = lesson[at];
            let reason = self.reason[lit.var()];
            let implied = reason != NONE
                && self.lits[self.range(reason)].iter().all(|other| {
                    other.var() == lit.var() || self.seen[other.var()] || self.level[other.var()] == 0
                });
            // Removed literals stay marked until the end, behind the kept ones.
            if !implied {
                lesson.swap(kept, at);
                kept += 1;
            }
        }
        lesson[1..].iter().for_each(|lit| self.seen[lit.var()] = false);
        lesson.truncate(kept);
        let mut levels: Vec<u32> = lesson.iter().map(|lit| self.level[lit.var()]).collect();
        levels.sort_unstable();
        levels.dedup();
        let mut reason = NONE;
        match (1..lesson.len()).max_by_key(|&at| self.level[lesson[at].var()]) {
            None => self.back_to(0),
            Some(highest) => {
                lesson.swap(1, highest);
                self.back_to(self.level[lesson[1].var()] as usize);
                self.learnt += 1;
                reason = self.attach(&lesson, levels.len() as u32);
            }
        }
        self.enqueue(lesson[0], reason);
        self.order.decay();
        self.lesson = lesson;
    }

    /// Traces a literal that an assumption contradicts back to the assumptions that imply it.
    fn explain(&mut self, implied: Lit) {
        self.core.push(!implied);
        if self.level[implied.var()] == 0 {
            return;
        }
        self.seen[implied.var()] = true;
        for at in (self.ends[0]..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !std::mem::take(&mut self.seen[lit.var()]) {
                continue;
            }
            match self.reason[lit.var()] {
                NONE => self.core.push(lit),
                reason => {
                    for other in &self.lits[self.range(reason)] {
                        self.seen[other.var()] |= other.var() != lit.var() && self.level[other.var()] > 0;
                    }
                }
            }
        }
    }

    fn back_to(&mut self, level: usize) {
        if let Some(&end) = self.ends.get(level) {
            for lit in self.trail.drain(end..) {
                self.value[lit.index()] = 0;
                self.value[(!lit).index()] = 0;
                self.phase[lit.var()] = lit.0 & 1 == 0;
                self.order.add(lit.var() as u32);
            }
            self.ends.truncate(level);
            self.head = end;
        }
    }

    /// Forgets half of the learnt clauses, those over most levels first. Called at level 0, where no clause is needed as
    /// a reason.
    fn reduce(&mut self) {
        if self.learnt < 2_000 + 500 * self.reductions {
            return;
        }
        self.reductions += 1;
        let (lits, mut clauses) = (std::mem::take(&mut self.lits), std::mem::take(&mut self.clauses));
        let mut old: Vec<&mut Clause> = clauses.iter_mut().filter(|clause| clause.lbd > 2).collect();
        old.sort_by_key(|clause| Reverse(clause.lbd));
        old.truncate(old.len() / 2);
        self.learnt -= old.len();
        old.into_iter().for_each(|clause| clause.len = 0);
        self.watches.iter_mut().for_each(Vec::clear);
        for Clause { start, len, lbd } in clauses.into_iter().filter(|clause| clause.len > 0) {
            self.attach(&lits[start as usize..(start + len) as usize], lbd);
        }
    }
}

/// The Luby sequence 1, 1, 2, 1, 1, 2, 4, ..., from place 0.
fn luby(place: u64) -> u64 {
    let mut n = place + 1;
    while !(n + 1).is_power_of_two() {
        n -= (1 << n.ilog2()) - 1;
    }
    n.div_ceil(2)
}

/// Variables by activity, the most active first, ties by number.
#[derive(Clone, Debug, Default)]
struct Order {
    activity: Vec<u64>,
    step: u64,
    /// A variable that is bumped while it is queued gets another entry; the old one, with less activity, is skipped.
    heap: BinaryHeap<(u64, Reverse<u32>)>,
    /// Per variable: whether the heap has an entry with its activity.
    queued: Vec<bool>,
}

impl Order {
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

    /// Later bumps count more: the step grows by a sixteenth. Scaling down leaves one entry per variable.
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
            if activity == self.activity[var as usize] && std::mem::take(&mut self.queued[var as usize]) {
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

    /// Random 3-SAT near the threshold, with random assumptions, against all assignments.
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
                let mut assumptions: Vec<Lit> = lits.iter().copied().filter(|_| rng.below(3) == 0).collect();
                for lit in &mut assumptions {
                    *lit = if rng.below(2) == 0 { *lit } else { !*lit };
                }
                let satisfiable = |assumed: &[Lit]| {
                    (0_u32..1 << vars).any(|bits| {
                        let holds = |lit: &Lit| (bits >> lit.var() & 1 == 1) == (lit.0 & 1 == 0);
                        assumed.iter().all(holds) && clauses.iter().all(|clause| clause.iter().any(holds))
                    })
                };
                let answer = solver.solve(&assumptions, &mut 1_000_000).unwrap();
                assert_eq!(answer, satisfiable(&assumptions));
                seen[usize::from(answer)] += 1;
                if answer {
                    assert!(assumptions.iter().all(|&lit| solver.holds(lit)));
                    assert!(clauses.iter().all(|clause| clause.iter().any(|&lit| solver.holds(lit))));
                } else {
                    assert!(solver.core().iter().all(|lit| assumptions.contains(lit)));
                    assert!(!satisfiable(solver.core()));
                }
            }
        }
        assert!(seen[0] > 1_000 && seen[1] > 1_000, "{seen:?}");
    }

    #[test]
    fn proves_that_seven_pigeons_do_not_fit_six_holes() {
        let mut solver = Solver::default();
        let at: Vec<Vec<Lit>> = (0..7).map(|_| (0..6).map(|_| solver.variable()).collect()).collect();
        at.iter().for_each(|holes| solver.add(holes));
        for (a, one) in at.iter().enumerate() {
            for other in &at[..a] {
                one.iter().zip(other).for_each(|(&this, &that)| solver.add(&[!this, !that]));
            }
        }
        let mut spent = 10;
        assert_eq!(solver.solve(&[], &mut spent), None, "a bound holds");
        assert_eq!(solver.solve(&[], &mut 1_000_000), Some(false));
        assert_eq!(solver.solve(&[], &mut 0), Some(false), "it stays proved");
    }
}
