//! The proof that a level carries, and the attempt that made it.

use super::walks::{FAR, Walk};
use super::{Found, at, rules};
use crate::{Level, Symbol, attempt_seed};
use wayforge_core::grid::Pos;
use wayforge_core::{Place, Report};

/// Checks the witnesses of one chain: one for each start in reading order, the first of them at `first`. Each must be a
/// legal route that reaches the steps in order, and a shortest one.
pub(super) fn check_chain(
    level: &Level,
    number: usize,
    walk: &Walk<'_>,
    finish: &[u32],
    first: usize,
    found: &mut Vec<Found>,
    longer: &mut Vec<Found>,
) {
    for (index, &start) in (first..).zip(&walk.starts) {
        let fewest = finish[walk.start(start)];
        match check_witness(level, number, walk, index, start) {
            Err(violation) => found.push(violation),
            Ok(steps) if fewest != FAR && fewest < steps => {
                longer.push(at(start, format!("witness[{index}] takes {steps} steps, {fewest} would do")));
            }
            Ok(_) => {}
        }
    }
}

/// Checks that a witness is a legal route from `start` over the steps of its chain, and returns its length.
fn check_witness(
    level: &Level,
    number: usize,
    walk: &Walk<'_>,
    index: usize,
    start: Pos,
) -> Result<u32, Found> {
    let name = format!("witness[{index}]");
    let Some(witness) = level.witness.get(index) else {
        return Err(at(start, format!("no route of chain {number} from here")));
    };
    if witness.chain as usize != number {
        return Err(at(start, format!("{name} is of chain {}, not of {number}", witness.chain)));
    }
    if witness.route.first() != Some(&start) {
        return Err(at(start, format!("{name} does not start here")));
    }
    let size = level.blueprint.size();
    let mut progress = walk.arrive(size.index(start), 0);
    let mut reached = vec![0; progress + 1];
    for (n, step) in (1..).zip(witness.route.windows(2)) {
        let (from, to) = (step[0], step[1]);
        walk.may_step(from, to, progress)
            .map_err(|why| at(from, format!("{name}: step {}, from {from} to {to}, {why}", n - 1)))?;
        progress = walk.arrive(size.index(to), progress);
        reached.resize(progress + 1, n);
    }
    let last = witness.route.len() as u32 - 1;
    let end = witness.route[last as usize];
    let chain = &level.spec.chains()[number];
    if reached.len() < chain.steps.len() {
        let next = level.spec.step_name(chain.steps[reached.len()]);
        return Err(at(end, format!("{name} ends here without having reached {next}")));
    }
    if reached.last() != Some(&last) {
        return Err(at(end, format!("{name} goes on after its goal")));
    }
    if reached != witness.reached {
        let stated = &witness.reached;
        let why = format!("{name} says that it reaches its steps at {stated:?}; it does at {reached:?}");
        return Err(at(start, why));
    }
    Ok(last)
}

/// There are no more witnesses than starts.
pub(super) fn count(level: &Level, expected: usize, found: &mut Vec<Found>) {
    if level.witness.len() > expected {
        found.push((Place::Map, format!("{} routes, there are {expected} starts", level.witness.len())));
    }
}

pub(super) fn check_attempt(level: &Level, report: &mut Report) {
    report.check(rules::ATTEMPT, attempt(level));
}

/// The accepted attempt is one that was to be made, drew from its seed, and repaired only what it was allowed to.
fn attempt(level: &Level) -> Vec<Found> {
    let (attempt, config) = (&level.attempt, level.spec.config());
    let mut found = Vec::new();
    if i64::from(attempt.index) >= config.attempts {
        let why = format!("attempt {} was accepted, only {} were to be made", attempt.index, config.attempts);
        found.push((Place::Map, why));
    }
    let seed = attempt_seed(&level.seed, attempt.index, config.retry);
    if attempt.seed != seed {
        let why = format!("attempt {} draws from seed {seed}, not from {}", attempt.index, attempt.seed);
        found.push((Place::Map, why));
    }
    if !config.repair && !attempt.repaired.is_empty() {
        found.push((Place::Map, "repaired, though the configuration forbids it".into()));
    }
    if attempt.repaired.is_empty() && !attempt.fewest {
        found.push((Place::Map, "nothing was repaired: no fewer removals would do".into()));
    }
    for (i, &pos) in attempt.repaired.iter().enumerate() {
        let here = level.blueprint.get(pos);
        let pin = config.pins.get(usize::from(pos.y)).and_then(|row| row.chars().nth(pos.x.into()));
        if here != Symbol::Floor {
            found.push(at(pos, format!("{here} where a wall was removed; it left plain floor")));
        } else if pin.is_some_and(|pin| pin != '?') {
            found.push(at(pos, "pinned, so no wall was removed here"));
        } else if attempt.repaired[..i].last().is_some_and(|before| *before >= pos) {
            found.push(at(pos, "the removed walls are not in reading order, each once"));
        }
    }
    found
}
