//! Witness routes and the accepted attempt.

use super::state_space::{StateSpace, UNREACHABLE};
use super::{Found, at, rules};
use crate::{Level, Symbol, attempt_seed};
use wayforge_core::grid::Pos;
use wayforge_core::{Place, Report};

/// Checks the witnesses of one chain: one per start in row-major order, beginning at index `first`.
///
/// Each must be a legal shortest route that reaches the steps in order.
pub(super) fn check_chain(
    level: &Level,
    number: usize,
    space: &StateSpace<'_>,
    finish: &[u32],
    first: usize,
    found: &mut Vec<Found>,
    longer: &mut Vec<Found>,
) {
    for (index, &start) in (first..).zip(&space.starts) {
        let fewest = finish[space.start(start)];
        match check_witness(level, number, space, index, start) {
            Err(violation) => found.push(violation),
            Ok(steps) if fewest != UNREACHABLE && fewest < steps => {
                longer.push(at(
                    start,
                    format!("witness[{index}] has {steps} steps, the shortest route has {fewest}"),
                ));
            }
            Ok(_) => {}
        }
    }
}

/// Checks that a witness is a legal route from `start` through the steps of its chain, and returns
/// its length.
fn check_witness(
    level: &Level,
    number: usize,
    space: &StateSpace<'_>,
    index: usize,
    start: Pos,
) -> Result<u32, Found> {
    let name = format!("witness[{index}]");
    let Some(witness) = level.witness.get(index) else {
        return Err(at(start, format!("no witness of chain {number} from this start")));
    };
    if witness.chain as usize != number {
        let why = format!("{name} belongs to chain {}, not to {number}", witness.chain);
        return Err(at(start, why));
    }
    if witness.route.first() != Some(&start) {
        return Err(at(start, format!("{name} does not start here")));
    }
    let size = level.blueprint.size();
    let mut progress = space.arrive(size.index(start), 0);
    let mut reached = vec![0; progress + 1];
    for (n, step) in (1..).zip(witness.route.windows(2)) {
        let (from, to) = (step[0], step[1]);
        space.check_step(from, to, progress).map_err(|why| {
            at(from, format!("{name}: step {}, from {from} to {to}, {why}", n - 1))
        })?;
        progress = space.arrive(size.index(to), progress);
        reached.resize(progress + 1, n);
    }
    let last = witness.route.len() as u32 - 1;
    let end = witness.route[last as usize];
    let chain = &level.spec.chains()[number];
    if reached.len() < chain.steps.len() {
        let next = level.spec.step_name(chain.steps[reached.len()]);
        return Err(at(end, format!("{name} ends here before reaching {next}")));
    }
    if reached.last() != Some(&last) {
        return Err(at(end, format!("{name} continues after its goal")));
    }
    if reached != witness.reached {
        let stated = &witness.reached;
        let why =
            format!("{name} states that it reaches its steps at {stated:?}, not at {reached:?}");
        return Err(at(start, why));
    }
    Ok(last)
}

/// Checks that there are no more witnesses than starts.
pub(super) fn check_count(level: &Level, expected: usize, found: &mut Vec<Found>) {
    if level.witness.len() > expected {
        found.push((Place::Map, format!("{} routes for {expected} starts", level.witness.len())));
    }
}

pub(super) fn check_attempt(level: &Level, report: &mut Report) {
    report.check(rules::ATTEMPT, attempt(level));
}

/// Checks the number, the seed and the repaired cells of the accepted attempt.
fn attempt(level: &Level) -> Vec<Found> {
    let (attempt, config) = (&level.attempt, level.spec.config());
    let mut found = Vec::new();
    if i64::from(attempt.index) >= config.attempts {
        let why = format!(
            "attempt {} was accepted, but at most {} are allowed",
            attempt.index, config.attempts
        );
        found.push((Place::Map, why));
    }
    let seed = attempt_seed(&level.seed, attempt.index, config.retry);
    if attempt.seed != seed {
        let why = format!("attempt {} has the seed {seed}, not {}", attempt.index, attempt.seed);
        found.push((Place::Map, why));
    }
    if !config.repair && !attempt.repaired.is_empty() {
        found.push((Place::Map, "repaired, but the configuration forbids repairs".into()));
    }
    if attempt.repaired.is_empty() && !attempt.fewest {
        found.push((Place::Map, "fewest is false, but nothing was repaired".into()));
    }
    for (i, &pos) in attempt.repaired.iter().enumerate() {
        let actual = level.blueprint.get(pos);
        let pin = config.pins.get(usize::from(pos.y)).and_then(|row| row.chars().nth(pos.x.into()));
        if actual != Symbol::Floor {
            found.push(at(pos, format!("{actual} where a wall was removed; plain floor expected")));
        } else if pin.is_some_and(|pin| pin != '?') {
            found.push(at(pos, "pinned, so no wall can be removed here"));
        } else if attempt.repaired[..i].last().is_some_and(|before| *before >= pos) {
            found.push(at(pos, "the removed walls are not sorted or contain duplicates"));
        }
    }
    found
}
