//! When no assignment exists: which rules stand against each other.

use super::assign::{Failure, Scratch, assign};
use super::spec::{KindRule, KindSpec};
use crate::act::skeleton::Skeleton;
use crate::{GenerateError, Seed};

/// The most searches spent on one explanation.
const SEARCHES: u32 = 256;

/// Leaves out rules as long as the search still fails; what is left stands in conflict.
///
/// Rules are left out in chunks that halve, so that thousands of pins cost few searches; the number of
/// searches is bounded, and so is each by the configuration's own limit.
pub(in crate::act) fn explain(
    seed: Seed,
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
            match assign(seed, &fewer, skeleton, scratch) {
                Ok(()) => start = end,
                Err(failure) => {
                    rules = kept;
                    proven = failure == Failure::Exhausted;
                    stuck = scratch.stuck;
                }
            }
        }
        chunk /= 2;
    }
    GenerateError {
        seed,
        proven,
        dead_ends,
        conflict: rules.iter().map(KindRule::to_string).collect(),
        rows: stuck.unwrap_or((0, 0)),
    }
}
