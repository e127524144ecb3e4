//! Layers over the symbols: reinforced walls, and where something may fall from above.

use super::{Found, View, at, rules};
use crate::{Attempt, Symbol};
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::{Place, Report};

pub(super) fn check(view: &View<'_>, attempt: &Attempt, report: &mut Report) {
    report.check(rules::REINFORCED_WALLS, reinforced_walls(view, attempt));
    report.check(rules::FALL_SPAWN, fall_spawn(view));
}

/// Only interior walls are reinforced, the asked share of them. A repair may have taken reinforced ones away.
fn reinforced_walls(view: &View<'_>, attempt: &Attempt) -> Vec<Found> {
    let set = &view.tags.reinforced;
    let astray = set.iter().filter(|pos| view.blueprint.get(*pos) != Symbol::Wall);
    let mut found: Vec<Found> =
        astray.map(|pos| at(pos, "reinforced, but no interior wall stands here")).collect();
    let gone = attempt.repaired.len();
    let asked = view.config.reinforced.of((view.blueprint.count(Symbol::Wall) + gone) as u32) as usize;
    if !(asked.saturating_sub(gone)..=asked).contains(&set.len()) {
        found.push((Place::Map, format!("{} reinforced walls, {asked} asked for", set.len())));
    }
    found
}

/// Every zone is tagged but for its walls, and the asked share of the open interior besides, as far as it goes; nothing else
/// is, and no wall.
fn fall_spawn(view: &View<'_>) -> Vec<Found> {
    let set = &view.tags.fall_spawn_cells;
    let open = |pos: Pos| view.blueprint.get(pos) != Symbol::Wall;
    let zones = BitGrid::of(view.size, view.config.fall_spawn_zones.iter().flat_map(|zone| zone.cells()));
    let astray = set.iter().filter(|pos| !open(*pos) || view.ring(*pos) < 2);
    let mut found: Vec<Found> =
        astray.map(|pos| at(pos, format!("tagged on {}", view.blueprint.get(pos)))).collect();
    let missing = zones.iter().filter(|pos| open(*pos) && !set.contains(*pos));
    found.extend(missing.map(|pos| at(pos, "in a zone of fall_spawn_zones, but not tagged")));
    let floor = view.interior().filter(|(pos, _)| open(*pos)).count() as u32;
    let rest = view.interior().filter(|(pos, _)| open(*pos) && !zones.contains(*pos)).count() as u32;
    let asked = view.config.fall_spawn_floor_ratio.of(floor).min(rest);
    let here =
        view.interior().filter(|(pos, _)| open(*pos) && !zones.contains(*pos) && set.contains(*pos)).count();
    if here as u32 != asked {
        found.push((Place::Map, format!("{here} cells are tagged outside the zones, {asked} asked for")));
    }
    found
}
