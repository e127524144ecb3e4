//! The complete search behind the [fast one](super::assign): kinds for a skeleton, or a proof that it has none.
//!
//! **What it does.** The rules become clauses ([`encode`](super::encode)), and a SAT solver decides whether they can be met.
//! If they can, nodes are visited in random order and each draws a kind by weight; a kind with which the
//! rest can no longer be completed is drawn again. If they cannot, [`explain`] finds a smallest set of conflicting rules.
//!
//! **Determinism.** One stream, `act.kinds.complete`. Only satisfiable and unsatisfiable reach the map. Those are facts
//! about the rules, so the map does not depend on how the solver finds them. Only beyond the bound, `search_limit`
//! conflicts, does its own order matter, and that is fixed as well.
//!
//! **Complexity.** Exponential in the worst case, bounded by `search_limit`; `docs/rules.md` states the sizes for which the
//! bound is never reached.

use super::encode::Encoding;
use super::sat::Lit;
use super::spec::{KindRule, KindSpec};
use crate::act::ActEvent;
use crate::act::skeleton::{Skeleton, bits};
use crate::trace::Tracer;
use crate::{MapRng, Seed, Stage};

const STAGE: Stage = Stage::named("act.kinds.complete");

/// The most rules and the most rounds of the search for a smallest conflict; beyond, a minimal one is returned.
const MAX_RULES: usize = 64;
const MAX_ROUNDS: u32 = 300;

/// Gives every node of `skeleton` a kind, as bits in `chosen` by cell.
///
/// Returns false if no kinds satisfy the rules, and `None` if the bound was reached first.
pub(super) fn solve(
    seed: Seed,
    attempt: u32,
    spec: &KindSpec,
    skeleton: &Skeleton,
    chosen: &mut [u32],
    tracer: &mut impl Tracer<ActEvent>,
) -> Option<bool> {
    let mut encoding = Encoding::new(spec, skeleton, false)?;
    let mut budget = spec.limit;
    if !encoding.solver.solve(&[], &mut budget)? {
        return Some(false);
    }
    let mut rng = seed.stream(STAGE.attempt(attempt));
    let mut order: Vec<usize> = (0..encoding.nodes.len()).collect();
    rng.shuffle(&mut order);
    for at in order {
        let node = encoding.nodes[at];
        let kind = draw(&mut rng, spec, &mut encoding, at, &mut budget);
        chosen[node.cell] = 1 << kind.0;
        tracer.tell(ActEvent::Kind { row: node.row, col: node.col, kind });
    }
    Some(true)
}

/// Draws a kind by weight until one is found with which the other nodes can be completed, and commits to it.
fn draw(
    rng: &mut MapRng,
    spec: &KindSpec,
    encoding: &mut Encoding<'_>,
    node: usize,
    budget: &mut u64,
) -> super::KindId {
    let candidate = encoding.nodes[node];
    let mut left = candidate.kinds;
    loop {
        let kind = draw_weighted(rng, spec.weights(candidate.row.into()), left);
        let Some(is) = encoding.is(node, kind) else { return super::KindId(kind as u8) };
        // The last solution is a completion; if only one kind is left, some solution has it.
        if left.is_power_of_two() || encoding.solver.holds(is) {
            encoding.solver.add(&[is]);
            return super::KindId(kind as u8);
        }
        match encoding.solver.solve(&[is], budget) {
            Some(true) => {}
            Some(false) => left &= !(1 << kind),
            // Out of conflicts: the last solution decides.
            None => {
                let held = bits(left.into()).filter(|&k| encoding.is(node, k).is_some_and(|l| encoding.solver.holds(l)));
                left = held.fold(0, |mask, k| mask | 1 << k);
            }
        }
    }
}

/// One of the kinds `left` by weight; the first if none has any, as among kinds that only pins set.
#[inline]
pub(super) fn draw_weighted(rng: &mut MapRng, weights: &[u32; 32], left: u32) -> u32 {
    let total = bits(left.into()).map(|k| weights[k as usize]).sum();
    let mut rest = rng.below(total);
    for k in bits(left.into()) {
        let weight = weights[k as usize];
        if rest < weight {
            return k;
        }
        rest -= weight;
    }
    left.trailing_zeros()
}

/// Rules that cannot be met together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::act) struct Conflict {
    /// Their numbers in the specification.
    pub(in crate::act) rules: Vec<usize>,
    /// The lowest and the highest row that the conflict needs.
    pub(in crate::act) rows: (u16, u16),
}

/// Finds a smallest set of rules that no kinds on `skeleton` satisfy; `None` if there is none, or none was proved.
pub(in crate::act) fn explain(spec: &KindSpec, skeleton: &Skeleton) -> Option<Conflict> {
    let mut query = Query { encoding: Encoding::new(spec, skeleton, true)?, limit: spec.limit };
    let all: Vec<usize> = (0..spec.rules.len()).collect();
    let mut rules = query.minimal(&all)?;
    if rules.len() > 1 && all.len() <= MAX_RULES {
        rules = query.smallest(all.len()).unwrap_or(rules);
    }
    let rows = query.rows(&rules, skeleton.rows());
    Some(Conflict { rules, rows })
}

/// Asks whether some rules on some rows can be met together.
struct Query<'a> {
    encoding: Encoding<'a>,
    limit: u64,
}

impl Query<'_> {
    /// Whether `rules` conflict on the rows from `low` to `high`; undecided counts as no.
    fn conflicts_on(&mut self, rules: &[usize], low: usize, high: usize) -> bool {
        let rows = self.encoding.rows.iter().enumerate();
        let rows = rows.map(|(row, &lit)| if (low..=high).contains(&row) { lit } else { !lit });
        let assumptions: Vec<Lit> = rules.iter().map(|&rule| self.encoding.rules[rule]).chain(rows).collect();
        self.encoding.solver.solve(&assumptions, &mut self.limit.clone()) == Some(false)
    }

    fn conflicts(&mut self, rules: &[usize]) -> bool {
        self.conflicts_on(rules, 0, usize::MAX)
    }

    /// A conflict without which no rule can be left out, by deletion from a failed-assumption core.
    fn minimal(&mut self, all: &[usize]) -> Option<Vec<usize>> {
        if !self.conflicts(all) {
            return None;
        }
        let mut rules = self.core(all);
        let mut kept = 0;
        while kept < rules.len() {
            let mut fewer = rules.clone();
            fewer.remove(kept);
            if self.conflicts(&fewer) {
                // Rules before `kept` are needed by every conflict among these, so they stay in front.
                rules = self.core(&fewer);
            } else {
                kept += 1;
            }
        }
        Some(rules)
    }

    /// The rules among `rules` that the last proof used.
    fn core(&self, rules: &[usize]) -> Vec<usize> {
        let used = |rule: &usize| self.encoding.solver.core().contains(&self.encoding.rules[*rule]);
        rules.iter().copied().filter(used).collect()
    }

    /// A smallest conflict, by implicit hitting sets (Ignatiev et al. 2015): every conflict contains a rule of every
    /// correction set, the complement of a largest satisfiable set. A smallest set that hits all known ones
    /// is a smallest conflict, or yields another correction set.
    fn smallest(&mut self, rules: usize) -> Option<Vec<usize>> {
        let mut corrections: Vec<u64> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let hit = smallest_hitting_set(&corrections);
            let mut chosen: Vec<usize> = bits(hit).map(|rule| rule as usize).collect();
            if self.conflicts(&chosen) {
                return Some(chosen);
            }
            let mut correction = 0;
            for rule in (0..rules).filter(|rule| hit >> rule & 1 == 0) {
                chosen.push(rule);
                if self.conflicts(&chosen) {
                    chosen.pop();
                    correction |= 1 << rule;
                }
            }
            if correction == 0 {
                return None;
            }
            corrections.push(correction);
        }
        None
    }

    /// The rows that the conflict needs: the lowest that it can end on, then the highest that it can begin on. Rows outside
    /// bound nothing.
    fn rows(&mut self, rules: &[usize], rows: usize) -> (u16, u16) {
        // The smallest end for which the conflict holds, then the largest beginning, both by bisection.
        let (mut low, mut end) = (0, rows - 1);
        while low < end {
            let middle = (low + end) / 2;
            match self.conflicts_on(rules, 0, middle) {
                true => end = middle,
                false => low = middle + 1,
            }
        }
        let (mut begin, mut high) = (0, end);
        while begin < high {
            let middle = (begin + high).div_ceil(2);
            match self.conflicts_on(rules, middle, end) {
                true => begin = middle,
                false => high = middle - 1,
            }
        }
        (begin as u16, end as u16)
    }
}

/// A smallest set that has an element of each of `sets`.
fn smallest_hitting_set(sets: &[u64]) -> u64 {
    fn hit(sets: &[u64], chosen: u64, more: u32) -> Option<u64> {
        let Some(&open) = sets.iter().filter(|&&set| set & chosen == 0).min_by_key(|set| set.count_ones()) else {
            return Some(chosen);
        };
        let more = more.checked_sub(1)?;
        bits(open).find_map(|rule| hit(sets, chosen | 1 << rule, more))
    }
    (0..=64).find_map(|size| hit(sets, 0, size)).unwrap_or(u64::MAX)
}

/// What would make room for kinds under conflicting rules.
pub(in crate::act) fn remedies(rules: &[&KindRule]) -> Vec<&'static str> {
    let mut remedies: Vec<&'static str> = Vec::new();
    for rule in rules {
        let remedy = match rule {
            KindRule::RouteMin { .. } | KindRule::MapMin { .. } => "lower the minimum",
            KindRule::RouteMax { .. } | KindRule::MapMax { .. } => "raise the maximum",
            KindRule::NoRepeat { .. } => "allow repeats",
            KindRule::SiblingsDiffer { .. } => "allow equal siblings",
            KindRule::Rows { .. } => "widen the range of rows",
            KindRule::Fixed { .. } => "free a fixed row",
            KindRule::Pinned { .. } => "remove a pin",
        };
        if !remedies.contains(&remedy) {
            remedies.push(remedy);
        }
    }
    remedies
}
