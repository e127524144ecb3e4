//! When no assignment exists: which rules stand against each other.

use super::assign::{Failure, Scratch, assign};
use super::spec::{KindRule, KindSpec};
use crate::act::skeleton::Skeleton;
use crate::{GenerateError, Seed};

/// The most searches spent on one explanation.
const SEARCHES: u32 = 256;

/// Leaves out rules as long as the rest is still proved impossible; what is left stands in conflict.
///
/// Rules are left out in chunks that halve, so that thousands of pins cost few searches; the number of
/// searches is bounded, and so is each. A search that gave up proves nothing, so what it left out stays in. If no
/// contradiction was proved at all, the rules that make kinds depend on each other are named as those that the search
/// could not meet together.
pub(in crate::act) fn explain(
    seed: &Seed,
    spec: &KindSpec,
    skeleton: &Skeleton,
    scratch: &mut Scratch,
    failure: Failure,
) -> GenerateError {
    let dead_ends = scratch.dead_ends;
    let mut proven = failure == Failure::Exhausted;
    let mut stuck = scratch.stuck;
    let mut rules: Vec<KindRule> = spec.rules.clone();
    let mut chunk = rules.len().next_power_of_two();
    let mut searches = 0;
    // A quicker bound: an explanation is asked of many variations of a problem that already failed.
    let brief = spec.limit.min(2_000);
    while chunk >= 1 && searches < SEARCHES {
        let mut start = 0;
        while start < rules.len() && searches < SEARCHES {
            let end = (start + chunk).min(rules.len());
            let kept: Vec<KindRule> = rules[..start].iter().chain(&rules[end..]).cloned().collect();
            let fewer = spec.with_rules(kept.clone(), brief);
            searches += 1;
            match assign(seed, &fewer, skeleton, scratch, &mut ()) {
                Err(Failure::Exhausted) => {
                    rules = kept;
                    proven = true;
                    stuck = scratch.stuck;
                }
                Ok(()) | Err(Failure::Limit) => start = end,
            }
        }
        chunk /= 2;
    }
    if !proven {
        rules.retain(|rule| !matches!(rule, KindRule::Fixed { .. } | KindRule::Rows { .. }));
    }
    GenerateError {
        seed: seed.clone(),
        proven,
        dead_ends,
        conflict: rules.iter().map(KindRule::to_string).collect(),
        rows: stuck.unwrap_or((0, 0)),
    }
}
