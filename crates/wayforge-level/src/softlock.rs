//! Soft locks: cells that a walking player can enter and never again finish from.

use crate::flood::{Flood, Way};
use crate::ground::Field;
use crate::search::Scene;
use crate::{Chain, Mover, Spec, Step, rules};
use wayforge_core::grid::BitGrid;
use wayforge_core::{Place, Violation};

/// Memory for the check, to be used again.
#[derive(Clone, Debug, Default)]
pub(super) struct SoftLockScratch {
    /// For each progress, where the player can be.
    here: Vec<BitGrid>,
    /// Where the player can finish from, at the progress at hand.
    finish: BitGrid,
    places: BitGrid,
    field: Field,
    stopping: Field,
}

/// Rejects the first soft lock of the chains that people walk.
pub(super) fn reject(
    spec: &Spec,
    scene: Scene<'_>,
    field: &Field,
    flood: &mut Flood,
    scratch: &mut SoftLockScratch,
) -> Result<(), Violation> {
    for chain in spec.chains().iter().filter(|chain| chain.mover == Mover::Person) {
        let mut first = None;
        find(scene, field, chain, flood, scratch, |progress, locked| {
            first = first.or(locked.iter().next().map(|pos| (progress, pos)));
        });
        if let Some((progress, pos)) = first {
            let reached = spec.step_name(chain.steps[progress]);
            let why = format!("entered after {reached}, it leaves no way to finish");
            return Err(Violation { rule: rules::NO_SOFT_LOCKS, place: Place::Cell(pos), why });
        }
    }
    Ok(())
}

/// Hands the soft locks of a chain to `report`, from the last progress back to the first.
///
/// At each progress the player can be anywhere that is reached from the places of its step without going over a place of the
/// next one, for standing there is to have reached it; and can finish from anywhere that leads to a place of the next step
/// from which the rest can be finished. What is in the first set and not in the second is a soft lock.
pub(super) fn find(
    scene: Scene<'_>,
    field: &Field,
    chain: &Chain,
    flood: &mut Flood,
    scratch: &mut SoftLockScratch,
    mut report: impl FnMut(usize, &BitGrid),
) {
    let SoftLockScratch { here, finish, places, field: opened, stopping } = scratch;
    let legs = chain.steps.len() - 1;
    here.resize_with(legs.max(here.len()), BitGrid::default);
    for progress in 0..legs {
        read_places(scene, chain.steps[progress], places);
        meet(places, progress.checked_sub(1).map_or(&field.open, |before| &here[before]));
        let set = &mut here[progress];
        set.clone_from(places);
        read_places(scene, chain.steps[progress + 1], places);
        let field = open_field(scene, field, chain, progress, opened);
        flood.spread(stop_at(field, places, stopping), Way::Forward, set);
    }
    for progress in (0..legs).rev() {
        read_places(scene, chain.steps[progress + 1], places);
        if progress + 1 < legs {
            meet(places, finish);
        }
        let field = open_field(scene, field, chain, progress, opened);
        meet(places, &field.open);
        finish.clone_from(places);
        flood.spread(field, Way::Backward, finish);
        let locked = &mut here[progress];
        locked.words_mut().iter_mut().zip(finish.words()).for_each(|(here, finish)| *here &= !finish);
        // Standing on a place of the next step is to have reached it: what follows is told by the next progress.
        read_places(scene, chain.steps[progress + 1], places);
        locked.words_mut().iter_mut().zip(places.words()).for_each(|(here, place)| *here &= !place);
        if !locked.is_empty() {
            report(progress, locked);
        }
    }
}

/// The field with cells that are locked at this progress closed.
fn open_field<'a>(
    scene: Scene<'_>,
    field: &'a Field,
    chain: &Chain,
    progress: usize,
    opened: &'a mut Field,
) -> &'a Field {
    if chain.opens.iter().all(|opens| *opens <= progress as u32) {
        return field;
    }
    opened.clone_from(field);
    for (cells, opens) in scene.tags.marks.iter().zip(&chain.opens) {
        if *opens > progress as u32 {
            cells.iter().for_each(|pos| opened.open.remove(*pos));
        }
    }
    opened
}

/// The field with places that are entered but never left.
fn stop_at<'a>(field: &Field, places: &BitGrid, stopping: &'a mut Field) -> &'a Field {
    stopping.clone_from(field);
    stopping.held.resize_with(4, || BitGrid::new(places.size()));
    for held in &mut stopping.held {
        held.words_mut().iter_mut().zip(places.words()).for_each(|(held, place)| *held |= place);
    }
    stopping
}

fn read_places(scene: Scene<'_>, step: Step, places: &mut BitGrid) {
    places.reset(scene.ground.size);
    scene.cells(step).iter().for_each(|pos| places.insert(*pos));
}

fn meet(set: &mut BitGrid, other: &BitGrid) {
    set.words_mut().iter_mut().zip(other.words()).for_each(|(here, there)| *here &= there);
}
