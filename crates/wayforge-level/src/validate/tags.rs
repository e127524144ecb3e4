//! Tags: reinforced walls and fall spawn cells.

use super::{Found, View, at, rules};
use crate::{Attempt, Symbol};
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::{Place, Report};

pub(super) fn check(view: &View<'_>, attempt: &Attempt, report: &mut Report) {
    report.check(rules::REINFORCED_WALLS, reinforced_walls(view, attempt));
    report.check(rules::FALL_SPAWN, fall_spawn(view));
}

/// Checks that only interior walls are reinforced, in the requested share. A repair may have
/// removed reinforced walls.
fn reinforced_walls(view: &View<'_>, attempt: &Attempt) -> Vec<Found> {
    let set = &view.tags.reinforced;
    let misplaced = set.iter().filter(|pos| view.blueprint.get(*pos) != Symbol::Wall);
    let mut found: Vec<Found> =
        misplaced.map(|pos| at(pos, "reinforced, but not an interior wall")).collect();
    let removed = attempt.repaired.len();
    let walls = (view.blueprint.count(Symbol::Wall) + removed) as u32;
    let requested = view.config.reinforced.of(walls) as usize;
    if !(requested.saturating_sub(removed)..=requested).contains(&set.len()) {
        let why = format!("{} reinforced walls, {requested} requested", set.len());
        found.push((Place::Map, why));
    }
    found
}

/// Checks that the tagged cells are all zone cells without walls and the requested share of the
/// other open interior cells.
fn fall_spawn(view: &View<'_>) -> Vec<Found> {
    let set = &view.tags.fall_spawn_cells;
    let open = |pos: Pos| view.blueprint.get(pos) != Symbol::Wall;
    let zones = BitGrid::from_cells(
        view.size,
        view.config.fall_spawn_zones.iter().flat_map(|zone| zone.cells()),
    );
    let misplaced = set.iter().filter(|pos| !open(*pos) || view.ring(*pos) < 2);
    let mut found: Vec<Found> =
        misplaced.map(|pos| at(pos, format!("tagged on {}", view.blueprint.get(pos)))).collect();
    let missing = zones.iter().filter(|pos| open(*pos) && !set.contains(*pos));
    found.extend(missing.map(|pos| at(pos, "in a zone of fall_spawn_zones, but not tagged")));
    let floor = view.interior().filter(|(pos, _)| open(*pos)).count() as u32;
    let rest =
        view.interior().filter(|(pos, _)| open(*pos) && !zones.contains(*pos)).count() as u32;
    let requested = view.config.fall_spawn_floor_ratio.of(floor).min(rest);
    let count = view
        .interior()
        .filter(|(pos, _)| open(*pos) && !zones.contains(*pos) && set.contains(*pos))
        .count();
    if count as u32 != requested {
        found.push((
            Place::Map,
            format!("{count} cells are tagged outside the zones, {requested} requested"),
        ));
    }
    found
}
