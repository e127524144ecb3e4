//! What movers can reach: the document's checks, the stage's own objectives, and soft locks.

use super::walks::{FAR, Land, Walk};
use super::{Found, SoftLock, View, at, rules, witness};
use crate::spec::{Chain, Purpose};
use crate::{Level, Mover, Reachable, SoftLocks, Symbol};
use wayforge_core::{Place, Report};

/// Checks everything that depends on who can go where; the proof that a level carries too, if there is one.
pub(super) fn check(view: &View<'_>, level: Option<&Level>, report: &mut Report) {
    let land = Land::of(view);
    let mut found: [Vec<Found>; 3] = Default::default();
    let (mut proofs, mut lengths) = (Vec::new(), Vec::new());
    let mut expected = 0;
    for (number, chain) in view.spec.chains().iter().enumerate() {
        let walk = Walk::of(view, &land, chain);
        let finish = walk.steps_to_finish();
        found[chain.purpose as usize].extend(broken(view, chain, &walk, &finish));
        if let Some(level) = level {
            witness::check_chain(level, number, &walk, &finish, expected, &mut proofs, &mut lengths);
        }
        expected += walk.starts.len();
    }
    let both: Vec<Found> =
        [(Purpose::Car, rules::CAR_CONNECTIVITY), (Purpose::Humanoid, rules::HUMANOID_CONNECTIVITY)]
            .into_iter()
            .filter(|(purpose, _)| !found[*purpose as usize].is_empty())
            .map(|(_, rule)| (Place::Map, format!("{rule} does not hold")))
            .collect();
    let [car, humanoid, custom] = found;
    if !view.config.endurance {
        report.check(rules::CAR_CONNECTIVITY, car);
    }
    report.check(rules::HUMANOID_CONNECTIVITY, humanoid);
    report.check(rules::CONNECTIVITY, both);
    if !view.config.objectives.is_empty() {
        report.check(rules::OBJECTIVE_CONNECTIVITY, custom);
    }
    if view.config.reachable == Reachable::Candidates {
        report.check(rules::CANDIDATES_REACHABLE, candidates_reachable(view, &land));
    }
    if view.config.soft_locks == SoftLocks::Forbidden {
        let locks = soft_locks(view, &land);
        report.check(
            rules::NO_SOFT_LOCKS,
            locks.map(|lock| {
                let names = names(view, &view.spec.chains()[lock.chain as usize]);
                at(lock.cell, format!("entered after {}, it leaves no way to finish {names}", lock.step))
            }),
        );
    }
    let Some(level) = level else { return };
    report.check(rules::CAR_WALKABLE, car_walkable(view, level, &land));
    witness::count(level, expected, &mut proofs);
    report.check(rules::WITNESS, proofs);
    report.check(rules::WITNESS_SHORTEST, lengths);
}

/// Every start of the chain, of which there is one at least, leads over its steps in order.
fn broken<'a>(
    view: &'a View<'_>,
    chain: &'a Chain,
    walk: &'a Walk<'_>,
    finish: &'a [u32],
) -> impl Iterator<Item = Found> + 'a {
    let first = view.spec.step_name(chain.steps[0]);
    let none =
        walk.starts.is_empty().then(|| (Place::Map, format!("{}: there is no {first}", names(view, chain))));
    let failing = walk.starts.iter().filter(|start| finish[walk.start(**start)] == FAR);
    // Where a chain breaks off is worth a search of its own for the first few starts only.
    const LOOKS: usize = 8;
    none.into_iter().chain(failing.enumerate().map(move |(i, start)| {
        let names = names(view, chain);
        if i >= LOOKS {
            return at(*start, format!("{names}: no way from this start"));
        }
        let reached = walk.reachable([*start]);
        let cells = view.size.cells();
        let furthest = reached.iter().rposition(|steps| *steps != FAR).unwrap_or(0) / cells;
        let [from, to] = [furthest, furthest + 1].map(|step| view.spec.step_name(chain.steps[step]));
        at(*start, format!("{names}: no way from {from} to {to}"))
    }))
}

fn names(view: &View<'_>, chain: &Chain) -> String {
    let names: Vec<String> = chain.steps.iter().map(|step| view.spec.step_name(*step)).collect();
    names.join(" -> ")
}

/// Every candidate and every mark can be reached from every player start, once all that is locked is open.
///
/// The starts are candidates themselves: if the first reaches everything and the others reach the first, all reach all.
fn candidates_reachable(view: &View<'_>, land: &Land<'_>) -> Vec<Found> {
    let starts: Vec<_> = view.blueprint.find(Symbol::Player).collect();
    let Some(&first) = starts.first() else { return Vec::new() };
    let (forth, back) = (land.flood(Mover::Person, [first], false), land.flood(Mover::Person, [first], true));
    let candidates = view.size.iter().filter(|pos| view.blueprint.get(*pos).is_candidate());
    let places = candidates.chain(view.marked.iter());
    let missed = places.filter(|pos| forth[view.size.index(*pos)] == FAR);
    let missed = missed.map(|pos| at(pos, format!("cannot be reached from the player start at {first}")));
    let apart = starts.iter().filter(|start| back[view.size.index(**start)] == FAR);
    let apart = apart.map(|start| at(first, format!("cannot be reached from the player start at {start}")));
    missed.chain(apart).collect()
}

/// The cells where the cars can drive are written down: those that the car's chain can reach. None on endurance stages.
fn car_walkable(view: &View<'_>, level: &Level, land: &Land<'_>) -> Vec<Found> {
    let chain = view.spec.chains().iter().find(|chain| chain.purpose == Purpose::Car);
    // Reaching an exit does not end the drive.
    let steps = chain.map(|chain| Walk::of(view, land, chain).everywhere());
    let steps = steps.unwrap_or_else(|| vec![FAR; view.size.cells()]);
    let reached = view.size.iter().zip(steps.into_iter().map(|steps| steps != FAR));
    reached
        .filter(|(pos, reached)| level.car_walkable_cells.contains(*pos) != *reached)
        .map(|(pos, reached)| match reached {
            true => at(pos, "a car can drive here, but the cell is not listed"),
            false => at(pos, "listed, but no car can drive here"),
        })
        .collect()
}

/// The soft locks of every chain that people walk.
pub(super) fn soft_locks<'a>(view: &'a View<'_>, land: &'a Land<'_>) -> impl Iterator<Item = SoftLock> + 'a {
    let chains = view.spec.chains().iter().enumerate().filter(|(_, chain)| chain.mover == Mover::Person);
    chains.flat_map(move |(number, chain)| {
        let walk = Walk::of(view, land, chain);
        let finish = walk.steps_to_finish();
        let able = walk.starts.iter().copied().filter(|start| finish[walk.start(*start)] != FAR);
        let reached = walk.reachable(able);
        let cells = view.size.cells();
        let locked = reached.into_iter().zip(finish).enumerate();
        let locked = locked.filter(|(_, (reached, finish))| *reached != FAR && *finish == FAR);
        locked.map(move |(state, _)| SoftLock {
            chain: number as u32,
            progress: (state / cells) as u32,
            step: view.spec.step_name(chain.steps[state / cells]),
            cell: view.size.pos(state % cells),
        })
    })
}
