//! Connectivity: the objectives of the specification, custom objectives, and soft locks.

use super::state_space::{MovementGrid, StateSpace, UNREACHABLE};
use super::{Found, SoftLock, View, at, rules, witness};
use crate::spec::{Chain, Purpose};
use crate::{Level, Mover, Reachable, SoftLocks, Symbol};
use wayforge_core::{Place, Report};

/// Checks all rules that depend on movement, including the witness routes if `level` is given.
pub(super) fn check(view: &View<'_>, level: Option<&Level>, report: &mut Report) {
    let grid = MovementGrid::of(view);
    let mut found: [Vec<Found>; 3] = Default::default();
    let (mut proofs, mut lengths) = (Vec::new(), Vec::new());
    let mut expected = 0;
    for (number, chain) in view.spec.chains().iter().enumerate() {
        let space = StateSpace::of(view, &grid, chain);
        let finish = space.steps_to_finish();
        found[chain.purpose as usize].extend(failing_starts(view, chain, &space, &finish));
        if let Some(level) = level {
            witness::check_chain(
                level,
                number,
                &space,
                &finish,
                expected,
                &mut proofs,
                &mut lengths,
            );
        }
        expected += space.starts.len();
    }
    let both: Vec<Found> = [
        (Purpose::Car, rules::CAR_CONNECTIVITY),
        (Purpose::Humanoid, rules::HUMANOID_CONNECTIVITY),
    ]
    .into_iter()
    .filter(|(purpose, _)| !found[*purpose as usize].is_empty())
    .map(|(_, rule)| (Place::Map, format!("{rule} is violated")))
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
        report.check(rules::CANDIDATES_REACHABLE, candidates_reachable(view, &grid));
    }
    if view.config.soft_locks == SoftLocks::Forbidden {
        let locks = soft_locks(view, &grid);
        report.check(
            rules::NO_SOFT_LOCKS,
            locks.map(|lock| {
                let names = names(view, &view.spec.chains()[lock.chain as usize]);
                at(
                    lock.cell,
                    format!(
                        "entering this cell after {} leaves no path to finish {names}",
                        lock.step
                    ),
                )
            }),
        );
    }
    let Some(level) = level else { return };
    report.check(rules::CAR_WALKABLE, car_walkable(view, level, &grid));
    witness::check_count(level, expected, &mut proofs);
    report.check(rules::WITNESS, proofs);
    report.check(rules::WITNESS_SHORTEST, lengths);
}

/// Checks that there is a start, and that every start reaches the steps of the chain in order.
fn failing_starts<'a>(
    view: &'a View<'_>,
    chain: &'a Chain,
    space: &'a StateSpace<'_>,
    finish: &'a [u32],
) -> impl Iterator<Item = Found> + 'a {
    let first = view.spec.step_name(chain.steps[0]);
    let none = space
        .starts
        .is_empty()
        .then(|| (Place::Map, format!("{}: the level contains no {first}", names(view, chain))));
    let failing = space.starts.iter().filter(|start| finish[space.start(**start)] == UNREACHABLE);
    // Finding the last reachable step takes another search, so only the first starts get it.
    const MAX_EXPLAINED: usize = 8;
    none.into_iter().chain(failing.enumerate().map(move |(i, start)| {
        let names = names(view, chain);
        if i >= MAX_EXPLAINED {
            return at(*start, format!("{names}: no path from this start"));
        }
        let reached = space.reachable([*start]);
        let cells = view.size.cells();
        let furthest = reached.iter().rposition(|steps| *steps != UNREACHABLE).unwrap_or(0) / cells;
        let [from, to] =
            [furthest, furthest + 1].map(|step| view.spec.step_name(chain.steps[step]));
        at(*start, format!("{names}: no path from {from} to {to}"))
    }))
}

fn names(view: &View<'_>, chain: &Chain) -> String {
    let names: Vec<String> = chain.steps.iter().map(|step| view.spec.step_name(*step)).collect();
    names.join(" -> ")
}

/// Checks that every candidate and mark is reachable from every player start, with all locks open.
///
/// Two searches are enough: the first start must reach every candidate and mark, and every other
/// start must reach the first.
fn candidates_reachable(view: &View<'_>, grid: &MovementGrid<'_>) -> Vec<Found> {
    let starts: Vec<_> = view.blueprint.find(Symbol::Player).collect();
    let Some(&first) = starts.first() else { return Vec::new() };
    let (forward, backward) =
        (grid.flood(Mover::Person, [first], false), grid.flood(Mover::Person, [first], true));
    let candidates = view.size.iter().filter(|pos| view.blueprint.get(*pos).is_candidate());
    let places = candidates.chain(view.marked.iter());
    let missed = places.filter(|pos| forward[view.size.index(*pos)] == UNREACHABLE);
    let missed =
        missed.map(|pos| at(pos, format!("cannot be reached from the player start at {first}")));
    let unconnected =
        starts.iter().filter(|start| backward[view.size.index(**start)] == UNREACHABLE);
    let unconnected = unconnected
        .map(|start| at(first, format!("cannot be reached from the player start at {start}")));
    missed.chain(unconnected).collect()
}

/// Checks that `car_walkable_cells` are the cells that the car's chain can reach; none on endurance
/// stages.
fn car_walkable(view: &View<'_>, level: &Level, grid: &MovementGrid<'_>) -> Vec<Found> {
    let chain = view.spec.chains().iter().find(|chain| chain.purpose == Purpose::Car);
    // Cars may continue after reaching an exit.
    let steps = chain.map(|chain| StateSpace::of(view, grid, chain).distances_without_progress());
    let steps = steps.unwrap_or_else(|| vec![UNREACHABLE; view.size.cells()]);
    let reached = view.size.iter().zip(steps.into_iter().map(|steps| steps != UNREACHABLE));
    reached
        .filter(|(pos, reached)| level.car_walkable_cells.contains(*pos) != *reached)
        .map(|(pos, reached)| {
            let why = if reached {
                "a car can reach this cell, but it is not listed"
            } else {
                "listed, but no car can reach this cell"
            };
            at(pos, why)
        })
        .collect()
}

/// Returns the soft locks of all chains of people.
pub(super) fn soft_locks<'a>(
    view: &'a View<'_>,
    grid: &'a MovementGrid<'_>,
) -> impl Iterator<Item = SoftLock> + 'a {
    let chains =
        view.spec.chains().iter().enumerate().filter(|(_, chain)| chain.mover == Mover::Person);
    chains.flat_map(move |(number, chain)| {
        let space = StateSpace::of(view, grid, chain);
        let finish = space.steps_to_finish();
        let winnable =
            space.starts.iter().copied().filter(|start| finish[space.start(*start)] != UNREACHABLE);
        let reached = space.reachable(winnable);
        let cells = view.size.cells();
        let locked = reached.into_iter().zip(finish).enumerate();
        let locked = locked
            .filter(|(_, (reached, finish))| *reached != UNREACHABLE && *finish == UNREACHABLE);
        locked.map(move |(state, _)| SoftLock {
            chain: number as u32,
            progress: (state / cells) as u32,
            step: view.spec.step_name(chain.steps[state / cells]),
            cell: view.size.pos(state % cells),
        })
    })
}
