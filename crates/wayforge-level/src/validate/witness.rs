//! The proof that a level carries, and the attempt that made it.

use super::walks::{FAR, Walk};
use super::{Found, at, rules};
use crate::{Level, Symbol, attempt_seed};
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
    for (i, start) in walk.starts.iter().enumerate() {
        let Some(witness) = level.witness.get(first + i) else {
            found.push(at(*start, format!("no route of chain {number} from here")));
            continue;
        };
        let name = format!("witness[{}]", first + i);
        if witness.chain as usize != number {
            found.push(at(*start, format!("{name} is of chain {}, not of {number}", witness.chain)));
            continue;
        }
        if witness.route.first() != Some(start) {
            found.push(at(*start, format!("{name} does not start here")));
            continue;
        }
        let size = level.blueprint.size();
        let mut progress = 0;
        let mut reached = vec![0];
        let mut arrive = |progress: &mut usize, cell: usize, at: usize| {
            let after = walk.arrive(cell, *progress);
            reached.extend((*progress..after).map(|_| at as u32));
            *progress = after;
        };
        arrive(&mut progress, size.index(*start), 0);
        let mut legal = true;
        for (n, step) in witness.route.windows(2).enumerate() {
            if let Err(why) = walk.may_step(step[0], step[1], progress) {
                found.push(at(step[0], format!("{name}: step {n}, from {} to {}, {why}", step[0], step[1])));
                legal = false;
                break;
            }
            arrive(&mut progress, size.index(step[1]), n + 1);
        }
        if !legal {
            continue;
        }
        let last = witness.route.len() - 1;
        let chain = &level.spec.chains()[number];
        if reached.len() < chain.steps.len() {
            let next = level.spec.step_name(chain.steps[reached.len()]);
            found.push(at(witness.route[last], format!("{name} ends here without having reached {next}")));
        } else if reached.last() != Some(&(last as u32)) {
            found.push(at(witness.route[last], format!("{name} goes on after its goal")));
        } else if reached != witness.reached {
            let why = format!(
                "{name} says that it reaches its steps at {:?}; it does at {reached:?}",
                witness.reached
            );
            found.push(at(*start, why));
        } else {
            let fewest = finish[walk.start(*start)];
            if fewest != FAR && fewest < last as u32 {
                longer.push(at(*start, format!("{name} takes {last} steps, {fewest} would do")));
            }
        }
    }
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
