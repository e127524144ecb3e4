//! Complete search for kinds by SAT: finds kinds for a skeleton or proves that none exist.
//!
//! Fallback of the [fast search](super::assign). The rules become clauses
//! ([`encode`](super::encode)), and a CDCL solver decides satisfiability. If satisfiable, nodes are
//! visited in random order and each draws a kind by weight. If the kind cannot be extended to all
//! nodes, another one is drawn. If unsatisfiable, [`explain`] names conflicting rules by conflict
//! minimisation: it finds a minimal unsatisfiable subset (MUS) by the deletion filter (Chinneck &
//! Dravnieks 1991), then a smallest one by implicit hitting sets (Ignatiev et al. 2015).
//!
//! # Determinism
//! Uses one stream, `act.kinds.complete`. The map depends only on satisfiability, not on the
//! solutions that the solver finds. After `search_limit` conflicts it depends on the solver's
//! order, which is deterministic too.
//!
//! # Complexity
//! Exponential in the worst case, bounded by `search_limit`. `docs/rules.md` states for which sizes
//! the limit is never reached.

use super::encode::{Candidate, Clauses, Encoding, MAX_LITERALS};
use super::sat::{Lit, Solver};
use super::spec::{KindRule, KindSpec};
use super::{KindId, Outcome, Task};
use crate::Event;
use crate::skeleton::{Skeleton, bits};
use wayforge_core::trace::Tracer;
use wayforge_core::{MapRng, StreamId, Work};

const STREAM: StreamId = StreamId::named("act.kinds.complete");

/// Steps of work per literal of the clauses that are built.
const STEPS_PER_LITERAL: u64 = 16;

/// Limits of the search for a smallest conflict. Beyond them, a minimal one is returned.
const MAX_RULES: usize = 64;
const MAX_ROUNDS: u32 = 200;
/// Maximum number of steps of one search for a smallest hitting set.
const MAX_HITTING_STEPS: u32 = 100_000;
const MAX_CONFLICTS: u64 = 10_000;

/// Maximum number of solver conflicts of one query for the rows of a conflict. Beyond it, the error
/// may name more rows than necessary.
const MAX_ROW_CONFLICTS: u64 = 1_000;

/// Assigns a kind to every node of a skeleton, as a bit in `chosen[cell]`.
pub(super) fn solve(
    task: Task<'_>,
    chosen: &mut [u32],
    tracer: &mut impl Tracer<Event>,
) -> Outcome {
    let Task { seed, attempt, spec, skeleton, work } = task;
    let Some(mut encoding) = Encoding::new(Solver::default(), spec, skeleton, false) else {
        work.spend(STEPS_PER_LITERAL * MAX_LITERALS as u64);
        return Outcome::TooLarge;
    };
    work.spend(STEPS_PER_LITERAL * encoding.solver.size() as u64);
    let mut budget = spec.limit;
    match encoding.solver.solve(&[], &mut budget, work) {
        Some(true) => {}
        Some(false) => return Outcome::Infeasible,
        None => return Outcome::LimitReached,
    }
    let mut rng = seed.stream(STREAM.attempt(attempt));
    let mut order: Vec<usize> = (0..encoding.nodes.len()).collect();
    rng.shuffle(&mut order);
    for node in order {
        let Candidate { row, col, cell, .. } = encoding.nodes[node];
        let kind = draw(&mut rng, spec, &mut encoding, node, &mut budget, work);
        chosen[cell] = 1 << kind.0;
        tracer.record(Event::SetKind { row, col, kind });
    }
    Outcome::Found
}

/// Draws kinds by weight until one can be extended to all nodes, and adds it as a unit clause.
fn draw(
    rng: &mut MapRng,
    spec: &KindSpec,
    encoding: &mut Encoding<'_>,
    node: usize,
    budget: &mut u64,
    work: &Work,
) -> KindId {
    let candidate = encoding.nodes[node];
    let mut choices = candidate.kinds;
    loop {
        let kind = draw_weighted(rng, spec.weights(candidate.row.into()), choices);
        let Some(is) = encoding.is(node, kind) else { return KindId(kind as u8) };
        // No query is needed if the last solution has the kind, or if it is the only choice.
        let extends = if choices.is_power_of_two() || encoding.solver.is_true(is) {
            Some(true)
        } else {
            encoding.solver.solve(&[is], budget, work)
        };
        match extends {
            Some(true) => {
                encoding.solver.add(&[is]);
                return KindId(kind as u8);
            }
            Some(false) => choices &= !(1 << kind),
            // The budget is used up: take the kind of the last solution.
            None => {
                let in_model =
                    |k: &u32| encoding.is(node, *k).is_some_and(|is| encoding.solver.is_true(is));
                choices = bits(choices.into()).filter(in_model).fold(0, |mask, k| mask | 1 << k);
            }
        }
    }
}

/// Draws one of the kinds in `choices` by weight; the lowest if all weights are 0.
#[inline]
pub(super) fn draw_weighted(rng: &mut MapRng, weights: &[u32; 32], choices: u32) -> u32 {
    let total = bits(choices.into()).map(|k| weights[k as usize]).sum();
    let mut rest = rng.below(total);
    for k in bits(choices.into()) {
        let weight = weights[k as usize];
        if rest < weight {
            return k;
        }
        rest -= weight;
    }
    choices.trailing_zeros()
}

/// A set of rules that is unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// Indices of the rules in the specification.
    pub(crate) rules: Vec<usize>,
    /// Lowest and highest row involved. `None` if the conflict does not depend on rows: a minimum
    /// exceeds the number of nodes on which the kind has a weight.
    pub(crate) rows: Option<(u16, u16)>,
}

/// Finds a smallest set of rules that is unsatisfiable on `skeleton`.
///
/// Returns `None` if the rules are satisfiable, or undecided within the limits.
pub(crate) fn explain(spec: &KindSpec, skeleton: &Skeleton, work: &Work) -> Option<Conflict> {
    let encoding = Encoding::new(Solver::default(), spec, skeleton, true)?;
    work.spend(STEPS_PER_LITERAL * encoding.solver.size() as u64);
    let mut query = Query { encoding, limit: spec.limit, work };
    let all: Vec<usize> = (0..spec.rules.len()).collect();
    let mut rules = query.minimal_subset(&all)?;
    if rules.len() > 1 && all.len() <= MAX_RULES {
        rules = query.smallest_subset(all.len(), rules.len()).unwrap_or(rules);
    }
    query.limit = query.limit.min(MAX_ROW_CONFLICTS);
    let rows = query.rows(&rules, skeleton.rows);
    Some(Conflict { rules, rows })
}

/// Satisfiability queries for subsets of the rules and rows.
struct Query<'a> {
    encoding: Encoding<'a>,
    /// Maximum number of conflicts of one query.
    limit: u64,
    work: &'a Work,
}

impl Query<'_> {
    /// Decides whether `rules` are satisfiable on rows `low` to `high`; `None` if undecided.
    fn satisfiable(
        &mut self,
        rules: &[usize],
        low: usize,
        high: usize,
        budget: &mut u64,
    ) -> Option<bool> {
        let rows = self.encoding.rows.iter().enumerate();
        let rows = rows.map(|(row, &lit)| if (low..=high).contains(&row) { lit } else { !lit });
        let assumptions: Vec<Lit> =
            rows.chain(rules.iter().map(|&rule| self.encoding.rules[rule])).collect();
        self.encoding.solver.solve(&assumptions, budget, self.work)
    }

    /// Returns true if `rules` are provably unsatisfiable on rows `low` to `high`.
    fn conflicts_on(&mut self, rules: &[usize], low: usize, high: usize) -> bool {
        self.satisfiable(rules, low, high, &mut self.limit.clone()) == Some(false)
    }

    /// Returns a minimal unsatisfiable subset of the rules: deletion-based, from a
    /// failed-assumption core.
    ///
    /// May be larger if all deletions together take more than `limit` conflicts.
    fn minimal_subset(&mut self, all: &[usize]) -> Option<Vec<usize>> {
        if !self.conflicts_on(all, 0, usize::MAX) {
            return None;
        }
        let mut rules = self.core(all);
        let (mut necessary, mut budget) = (0, self.limit);
        while necessary < rules.len() {
            let mut fewer = rules.clone();
            fewer.remove(necessary);
            if self.satisfiable(&fewer, 0, usize::MAX, &mut budget) == Some(false) {
                // Every core contains the first `necessary` rules, so they stay in place.
                rules = self.core(&fewer);
            } else {
                necessary += 1;
            }
        }
        Some(rules)
    }

    /// Returns the rules in the core of the last query.
    fn core(&self, rules: &[usize]) -> Vec<usize> {
        let used = |rule: &usize| self.encoding.solver.core().contains(&self.encoding.rules[*rule]);
        rules.iter().copied().filter(used).collect()
    }

    /// Returns a smallest unsatisfiable set of fewer than `size` rules (Ignatiev et al. 2015).
    ///
    /// Every unsatisfiable set intersects every correction set, the complement of a maximal
    /// satisfiable set. A smallest hitting set of the correction sets found so far is either
    /// unsatisfiable and therefore a result, or it yields another correction set.
    fn smallest_subset(&mut self, rules: usize, size: usize) -> Option<Vec<usize>> {
        let mut budget = self.limit.min(MAX_CONFLICTS);
        let mut corrections: Vec<u64> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let hit = smallest_hitting_set(&corrections, size as u32 - 1, self.work)?;
            let mut chosen: Vec<usize> = bits(hit).map(|rule| rule as usize).collect();
            if !self.satisfiable(&chosen, 0, usize::MAX, &mut budget)? {
                return Some(chosen);
            }
            let mut open = !hit & u64::MAX >> (64 - rules);
            let mut correction = 0;
            loop {
                // Rules that the last solution satisfies need no query.
                let satisfied =
                    |rule: &u32| self.encoding.solver.is_true(self.encoding.rules[*rule as usize]);
                let satisfied: Vec<u32> = bits(open).filter(satisfied).collect();
                open = satisfied.iter().fold(open, |open, rule| open & !(1 << rule));
                chosen.extend(satisfied.iter().map(|&rule| rule as usize));
                let Some(rule) = bits(open).next() else { break };
                open &= open - 1;
                chosen.push(rule as usize);
                if !self.satisfiable(&chosen, 0, usize::MAX, &mut budget)? {
                    chosen.pop();
                    correction |= 1 << rule;
                }
            }
            corrections.push(correction);
        }
        None
    }

    /// Returns a minimal range of rows on which the rules conflict, by two binary searches.
    ///
    /// Rows outside the range impose no constraint. `None` if the rules conflict without any row.
    fn rows(&mut self, rules: &[usize], rows: usize) -> Option<(u16, u16)> {
        if self.conflicts_on(rules, 1, 0) {
            return None;
        }
        let end = partition_point(rows - 1, |row| self.conflicts_on(rules, 0, row));
        let start =
            end - partition_point(end, |length| self.conflicts_on(rules, end - length, end));
        Some((start as u16, end as u16))
    }
}

/// Binary search: returns the first number below `end` that satisfies a predicate, or `end`.
fn partition_point(end: usize, mut predicate: impl FnMut(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = (low + high) / 2;
        if predicate(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Returns a smallest set of at most `max_size` elements that intersects all `sets`.
///
/// By iterative deepening. `None` if there is none, after [`MAX_HITTING_STEPS`], or if `work` is
/// stopped.
fn smallest_hitting_set(sets: &[u64], max_size: u32, work: &Work) -> Option<u64> {
    fn hit(sets: &[u64], chosen: u64, depth: u32, budget: &mut u32, work: &Work) -> Option<u64> {
        *budget = budget.checked_sub(1)?;
        if !work.spend(1 + sets.len() as u64) {
            return None;
        }
        let unhit =
            sets.iter().filter(|&&set| set & chosen == 0).min_by_key(|set| set.count_ones());
        let Some(&unhit) = unhit else { return Some(chosen) };
        let depth = depth.checked_sub(1)?;
        bits(unhit).find_map(|rule| hit(sets, chosen | 1 << rule, depth, budget, work))
    }
    let mut budget = MAX_HITTING_STEPS;
    (0..=max_size).find_map(|size| hit(sets, 0, size, &mut budget, work))
}

/// Returns suggestions that relax the conflicting rules.
pub(crate) fn remedies(rules: &[&KindRule]) -> Vec<&'static str> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{self, Count, FixedRow, KindConfig, KindsConfig};
    use crate::{ActMap, Config, Generator, KindsChoice, Pin, WalksConfig, validate};
    use wayforge_core::Seed;

    fn random_config(rng: &mut MapRng) -> WalksConfig {
        let rows = 2 + i64::from(rng.below(4));
        let row = |rng: &mut MapRng| i64::from(rng.below(rows as u32));
        let count = |rng: &mut MapRng, end: u32| match rng.below(5) {
            0 => Count { min: Some(rng.below(end).into()), max: None },
            1 => Count { min: None, max: Some(rng.below(end).into()) },
            2 => {
                let min = i64::from(rng.below(end));
                Count { min: Some(min), max: Some(min + i64::from(rng.below(2))) }
            }
            _ => Count::default(),
        };
        let kinds = 2 + rng.below(2);
        let kinds = (0..kinds).map(|i| KindConfig {
            weight: rng.below(4).into(),
            no_repeat: rng.below(2) == 0,
            siblings_differ: rng.below(2) == 0,
            earliest: (rng.below(5) == 0).then(|| row(rng)),
            route: count(rng, 4),
            map: count(rng, 7),
            ..KindConfig::new(format!("k{i}"))
        });
        let kinds: Vec<KindConfig> = kinds.collect();
        let name = |rng: &mut MapRng| format!("k{}", rng.below(kinds.len() as u32));
        let fixed =
            (0..rng.below(2)).map(|_| FixedRow { row: row(rng), kind: name(rng) }).collect();
        let pins = (0..rng.below(2)).map(|_| Pin {
            row: row(rng),
            col: rng.below(3).into(),
            kind: Some(name(rng)),
        });
        WalksConfig {
            rows,
            cols: 3,
            walks: 3,
            attempts: 1,
            boss: false,
            pins: pins.collect(),
            kinds: KindsChoice::Custom(Box::new(KindsConfig {
                kinds,
                fixed,
                bands: vec![],
                boss: None,
                search_limit: 100_000,
            })),
            ..Default::default()
        }
    }

    /// Returns the minimal sets of rules that assignments violate, by exhaustive enumeration.
    fn minimal_violations(map: &mut ActMap, spec: &KindSpec) -> Vec<u64> {
        let kinds = spec.kinds.len();
        let mut found: Vec<u64> = Vec::new();
        for number in 0..kinds.pow(map.nodes.len() as u32) {
            let mut rest = number;
            for node in &mut map.nodes {
                node.kind = Some(KindId((rest % kinds) as u8));
                rest /= kinds;
            }
            if let Some(violated) = violated_by(map, spec)
                && !found.iter().any(|&other| other & !violated == 0)
            {
                found.retain(|&other| violated & !other != 0);
                found.push(violated);
            }
        }
        found
    }

    /// Returns the rules that an assignment violates, by their definitions; `None` if weights
    /// forbid it.
    fn violated_by(map: &ActMap, spec: &KindSpec) -> Option<u64> {
        let is = |at: (u16, u16), kind: &str| {
            map.nodes.iter().any(|n| (n.row, n.col) == at && map.kind_name(n.kind) == Some(kind))
        };
        let fixed = |row: u16| {
            spec.rules.iter().any(|r| matches!(r, KindRule::Fixed { row: f, .. } if *f == row))
        };
        let is_set = |(row, col): (u16, u16), kind: &str| {
            spec.rules.iter().any(|rule| match rule {
                KindRule::Fixed { row: f, kind: k } => *f == row && k == kind,
                KindRule::Pinned { row: r, col: c, kind: k } => (*r, *c) == (row, col) && k == kind,
                _ => false,
            })
        };
        let places: Vec<(u16, u16)> = map.nodes.iter().map(|n| (n.row, n.col)).collect();
        let name = |n: &crate::Node| map.kind_name(n.kind).unwrap_or_default();
        let allowed = |n: &crate::Node| {
            let weight = spec.weights(n.row.into())[usize::from(n.kind.map_or(0, |kind| kind.0))];
            weight > 0 || is_set((n.row, n.col), name(n))
        };
        if !map.nodes.iter().all(allowed) {
            return None;
        }
        let mut routes: Vec<Vec<(u16, u16)>> =
            places.iter().filter(|place| place.0 == 0).map(|&place| vec![place]).collect();
        for row in 1..map.spec.rows() {
            let step = |route: &Vec<(u16, u16)>| {
                let (from, route) = (*route.last().unwrap(), route.clone());
                let edges = map.edges.iter().filter(move |e| (e.row, e.from) == from);
                edges.map(move |e| [route.clone(), vec![(row, e.to)]].concat()).collect::<Vec<_>>()
            };
            routes = routes.iter().flat_map(step).collect();
        }
        let on_routes = |kind: &str| {
            let counts =
                routes.iter().map(|route| route.iter().filter(|&&at| is(at, kind)).count() as u32);
            (counts.clone().min().unwrap(), counts.max().unwrap())
        };
        let on_map = |kind: &str| places.iter().filter(|&&at| is(at, kind)).count() as u32;
        let violates = |rule: &KindRule| match rule {
            KindRule::Fixed { row, kind } => places.iter().any(|&at| at.0 == *row && !is(at, kind)),
            KindRule::Pinned { row, col, kind } => !is((*row, *col), kind),
            KindRule::Rows { kind, earliest, latest } => {
                let outside =
                    |at: &(u16, u16)| !(*earliest..=*latest).contains(&at.0) && !is_set(*at, kind);
                places.iter().filter(|at| outside(at)).any(|&at| is(at, kind))
            }
            KindRule::NoRepeat { kind } => {
                map.edges.iter().any(|e| is((e.row, e.from), kind) && is((e.row + 1, e.to), kind))
            }
            KindRule::SiblingsDiffer { kind } => places.iter().any(|&at| {
                let above = map.edges.iter().filter(|e| (e.row, e.from) == at && !fixed(e.row + 1));
                above.filter(|e| is((e.row + 1, e.to), kind)).count() > 1
            }),
            KindRule::MapMin { kind, min } => on_map(kind) < *min,
            KindRule::MapMax { kind, max } => on_map(kind) > *max,
            KindRule::RouteMin { kind, min } => on_routes(kind).0 < *min,
            KindRule::RouteMax { kind, max } => on_routes(kind).1 > *max,
        };
        Some(
            spec.rules
                .iter()
                .enumerate()
                .filter(|(_, r)| violates(r))
                .fold(0, |mask, (at, _)| mask | 1 << at),
        )
    }

    #[test]
    fn agrees_with_exhaustive_enumeration() {
        let mut rng = MapRng::from_u64(11);
        let (mut cases, mut satisfiable, mut always, mut sizes) = (0, 0, 0, [0; 8]);
        for seed in (0..6_000).map(Seed::new) {
            let config = random_config(&mut rng);
            let Ok(spec) = Config::Walks(config).resolve() else { continue };
            let mut generator = Generator::new(&spec);
            let mut map = generator.skeleton(seed.clone()).clone();
            let kinds = spec.kind_spec().unwrap();
            if kinds.kinds.len().pow(map.nodes.len() as u32) > 3_000 {
                continue;
            }
            generator.build(&seed, 0, &mut ());
            generator.skeleton.link_down();
            let violations = minimal_violations(&mut map, kinds);
            let feasible = violations.contains(&0);
            let expected = if feasible { Outcome::Found } else { Outcome::Infeasible };
            cases += 1;
            let mut chosen = vec![0; generator.skeleton.cells()];
            let (skeleton, work) = (&generator.skeleton, &Work::default());
            let task = Task { seed: &seed, attempt: 0, spec: kinds, skeleton, work };
            assert_eq!(solve(task, &mut chosen, &mut ()), expected, "{seed}");
            let fast = kinds::find(task, &mut generator.kinds, &mut ());
            assert_eq!(fast, expected, "{seed}");
            if kinds.always_satisfiable {
                always += 1;
                assert_eq!((feasible, generator.kinds.dead_ends), (true, 0), "{seed}");
            }
            let conflict = explain(kinds, &generator.skeleton, &Work::default());
            if feasible {
                satisfiable += 1;
                assert_eq!(conflict, None, "{seed}");
                for node in &mut map.nodes {
                    let cell = generator.skeleton.cell(node.row.into(), node.col.into());
                    node.kind = Some(KindId(chosen[cell].trailing_zeros() as u8));
                }
                assert!(validate(&map).is_valid(), "{seed}: {:?}", validate(&map).violations);
                continue;
            }
            let rules = conflict.unwrap().rules;
            let conflicts = |set: u64| violations.iter().all(|violated| violated & set != 0);
            let set = rules.iter().fold(0_u64, |set, rule| set | 1 << rule);
            assert!(conflicts(set), "{seed}: {rules:?}");
            assert!(
                rules.iter().all(|rule| !conflicts(set & !(1 << rule))),
                "{seed}: {rules:?} is not minimal"
            );
            sizes[rules.len().min(7)] += 1;
            if kinds.rules.len() <= 14 {
                let smaller = (0..1_u64 << kinds.rules.len())
                    .filter(|set| set.count_ones() < rules.len() as u32);
                assert!(!smaller.into_iter().any(conflicts), "{seed}: {rules:?} is not smallest");
            }
        }
        assert!(
            cases > 1_500 && satisfiable > 300 && always > 20 && sizes[3] > 20,
            "{cases} {satisfiable} {always} {sizes:?}"
        );
    }

    /// Compares the incremental solver with a new solver for each query.
    #[test]
    fn kinds_do_not_depend_on_the_state_of_the_solver() {
        let mut kinds = KindsConfig::standard(15);
        kinds.kinds[1].route = Count { min: Some(2), max: None };
        let spec = Config::Walks(WalksConfig {
            kinds: KindsChoice::Custom(Box::new(kinds)),
            ..Default::default()
        });
        let spec = spec.resolve().unwrap();
        let mut generator = Generator::new(&spec);
        let mut solved = 0;
        for seed in (0..40).map(Seed::new) {
            generator.build(&seed, 0, &mut ());
            generator.skeleton.link_down();
            let kinds = spec.kind_spec().unwrap();
            let mut chosen = vec![0; generator.skeleton.cells()];
            let (skeleton, work) = (&generator.skeleton, &Work::default());
            let task = Task { seed: &seed, attempt: 0, spec: kinds, skeleton, work };
            if solve(task, &mut chosen, &mut ()) == Outcome::Found {
                solved += 1;
                // Repeats the draws with a new solver for each query.
                let mut rng = seed.stream(STREAM);
                let nodes = Encoding::new(Solver::default(), kinds, &generator.skeleton, false)
                    .unwrap()
                    .nodes;
                let mut order: Vec<usize> = (0..nodes.len()).collect();
                rng.shuffle(&mut order);
                let mut fixed: Vec<(usize, u32)> = Vec::new();
                for &at in &order {
                    let mut choices = nodes[at].kinds;
                    let kind = loop {
                        let kind =
                            draw_weighted(&mut rng, kinds.weights(nodes[at].row.into()), choices);
                        let mut fresh =
                            Encoding::new(Solver::default(), kinds, &generator.skeleton, false)
                                .unwrap();
                        let lits: Vec<Lit> = fixed
                            .iter()
                            .chain(&[(at, kind)])
                            .map(|&(n, k)| fresh.is(n, k).unwrap())
                            .collect();
                        if fresh.solver.solve(&lits, &mut 1_000_000, &Work::default()) == Some(true)
                        {
                            break kind;
                        }
                        choices &= !(1 << kind);
                    };
                    fixed.push((at, kind));
                    assert_eq!(chosen[nodes[at].cell], 1 << kind, "{seed}");
                }
            }
        }
        assert!(solved >= 20, "{solved} of 40 skeletons have kinds");
    }
}
