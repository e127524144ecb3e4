//! Placement of terrain features: pitfalls, plants, puddles and moving floors.

use crate::trace::record;
use crate::{Area, Draft, Event, Level, MoveDirection, Symbol, layout};
use wayforge_core::grid::Pos;
use wayforge_core::trace::Tracer;
use wayforge_core::{MapRng, StreamId};

/// One random stream per feature, so that changing one feature disturbs the others as little as
/// possible.
const STREAMS: [StreamId; 4] = [
    StreamId::named("level.pitfalls"),
    StreamId::named("level.plants"),
    StreamId::named("level.puddles"),
    StreamId::named("level.moving_floors"),
];

/// Symbols of each feature, in the order of [`Config::features`](super::Config::features).
pub(super) const SYMBOLS: [&[Symbol]; 4] =
    [&[Symbol::Pitfall], &[Symbol::Plant], &[Symbol::Puddle], &Symbol::MOVING];

/// Places the features on free cells, first in zones, then anywhere.
///
/// # Errors
/// A message if a zone or the floor has too few free cells.
pub(super) fn place(draft: &mut Draft<'_, impl Tracer<Event>>) -> Result<(), String> {
    let spec = draft.level.spec.clone();
    let features = spec.config().features();
    if features.iter().all(|(_, feature)| feature.is_none()) {
        return Ok(());
    }
    let floor = draft.free.len() as u32;
    for ((symbols, stream), (name, config)) in SYMBOLS.into_iter().zip(STREAMS).zip(features) {
        let mut rng = draft.seed.stream(stream);
        for (i, zone) in config.zones.iter().enumerate() {
            collect(symbols, Some(zone.area()), draft);
            let count = zone.amount.of(draft.cells.len() as u32);
            let moves = zone.moves.map(|moves| [moves.symbol()]);
            put(&mut rng, count, moves.as_ref().map_or(symbols, |moves| moves), draft)
                .map_err(|problem| format!("{name}.zones[{i}]: {problem}"))?;
        }
        // Pinned cells count towards the amount.
        let pinned: u32 = spec.pins().count(symbols);
        let count = config.amount.of(floor).saturating_sub(pinned);
        if count > 0 {
            collect(symbols, None, draft);
            put(&mut rng, count, symbols, draft).map_err(|problem| format!("{name}: {problem}"))?;
        }
    }
    Ok(())
}

/// Places one of `symbols` on each of `count` collected cells, by a partial Fisher-Yates shuffle.
fn put(
    rng: &mut MapRng,
    count: u32,
    symbols: &[Symbol],
    draft: &mut Draft<'_, impl Tracer<Event>>,
) -> Result<(), String> {
    let cells = &mut *draft.cells;
    if count as usize > cells.len() {
        return Err(format!("{count} requested, {} fit", cells.len()));
    }
    for i in 0..count as usize {
        rng.shuffle_step(cells, i);
        let symbol = match symbols {
            [only] => *only,
            several => several[rng.below(several.len() as u32) as usize],
        };
        draft.level.blueprint.set(cells[i], symbol);
        record([Event::Put { pos: cells[i], symbol }], draft.tracer);
        draft.free.remove(cells[i]);
    }
    Ok(())
}

impl MoveDirection {
    /// Returns the symbol of a moving floor in this direction.
    pub fn symbol(self) -> Symbol {
        Symbol::MOVING[self as usize]
    }
}

/// Collects the free cells for a feature, in row-major order. Pitfalls exclude the cells next to
/// exits.
fn collect<T>(symbols: &[Symbol], area: Option<Area>, draft: &mut Draft<'_, T>) {
    let Draft { level: Level { blueprint, .. }, free, cells, .. } = draft;
    cells.clear();
    match area {
        None => cells.extend(free.iter()),
        Some(area) => cells.extend(area.cells().filter(|pos| free.contains(*pos))),
    }
    if symbols == [Symbol::Pitfall] {
        for exit in layout::exits(blueprint) {
            if let Ok(index) = cells.binary_search(&layout::front(exit, blueprint.size())) {
                cells.remove(index);
            }
        }
    }
}

impl Area {
    /// Returns the cells of the rectangle in row-major order.
    pub(crate) fn cells(self) -> impl Iterator<Item = Pos> {
        (self.y..self.y + self.height).flat_map(move |y| {
            (self.x..self.x + self.width).map(move |x| Pos { x: x as u16, y: y as u16 })
        })
    }
}
