//! Tags: reinforced walls and fall spawn cells.

use crate::pins::interior;
use crate::trace::record;
use crate::{Draft, Event, Level, Ratio, Symbol};
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;
use wayforge_core::{MapRng, StreamId};

const REINFORCED: StreamId = StreamId::named("level.reinforced");
const FALL_SPAWN: StreamId = StreamId::named("level.fall_spawn");

/// Reinforces the requested share of the interior walls.
pub(super) fn reinforce(draft: &mut Draft<'_, impl Tracer<Event>>) {
    let Draft { level: Level { spec, blueprint, tags, .. }, cells, .. } = draft;
    tags.reinforced.reset(spec.size());
    let share = spec.config().reinforced;
    if share.hundredths() == 0 {
        return;
    }
    cells.clear();
    cells.extend(blueprint.find(Symbol::Wall));
    let count = share.of(cells.len() as u32);
    tag(&mut draft.seed.stream(REINFORCED), count, cells, &mut tags.reinforced);
    record(tags.reinforced.iter().map(|pos| Event::Reinforce { pos }), draft.tracer);
}

/// Tags the zones, then the requested share of the open interior.
pub(super) fn mark_fall_spawn_cells(draft: &mut Draft<'_, impl Tracer<Event>>) {
    let Draft { level: Level { spec, blueprint, tags, .. }, cells, .. } = draft;
    let set = &mut tags.fall_spawn_cells;
    set.reset(spec.size());
    let config = spec.config();
    for zone in &config.fall_spawn_zones {
        zone.cells()
            .filter(|pos| blueprint.get(*pos) != Symbol::Wall)
            .for_each(|pos| set.insert(pos));
    }
    if config.fall_spawn_floor_ratio != Ratio::NONE {
        cells.clear();
        cells.extend(interior(spec.size()).filter(|pos| blueprint.get(*pos) != Symbol::Wall));
        let count = config.fall_spawn_floor_ratio.of(cells.len() as u32);
        cells.retain(|pos| !set.contains(*pos));
        tag(&mut draft.seed.stream(FALL_SPAWN), count.min(cells.len() as u32), cells, set);
    }
    record(set.iter().map(|pos| Event::FallSpawn { pos }), draft.tracer);
}

/// Adds `count` of `cells` to a set, chosen uniformly by a partial Fisher-Yates shuffle.
fn tag(rng: &mut MapRng, count: u32, cells: &mut [Pos], set: &mut BitGrid) {
    for i in 0..count as usize {
        rng.shuffle_step(cells, i);
        set.insert(cells[i]);
    }
}
