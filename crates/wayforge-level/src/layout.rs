//! Initial layout: outside ring, outer wall with exits, and pinned cells.

use crate::pins::{exit_cells, side_of};
use crate::trace::record;
use crate::{Blueprint, Draft, Event, Level, Symbol};
use wayforge_core::StreamId;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::trace::Tracer;

const EXITS: StreamId = StreamId::named("level.exits");

/// Places the rings, the pins and the exits, and initialises the free cells.
pub(super) fn lay_out(draft: &mut Draft<'_, impl Tracer<Event>>) {
    let Level { spec, blueprint, .. } = &mut *draft.level;
    let (size, free) = (spec.size(), &mut *draft.free);
    blueprint.refill(size, Symbol::Floor);
    draw_rings(blueprint, size);
    free.reset(size);
    (2..size.height - 2).for_each(|y| free.insert_run(y, 2, size.width - 3));
    for (pos, symbol) in spec.pins().iter() {
        blueprint.set(pos, symbol);
        free.remove(pos);
    }
    let mut rng = draft.seed.stream(EXITS);
    for &side in &spec.config().exits {
        let free = || exit_cells(side, size).filter(|pos| !spec.pins().contains(*pos));
        // A position is drawn even if the exit is pinned, so that pins do not move other exits.
        let nth = rng.below(free().count() as u32) as usize;
        let is_exit = |(pos, symbol)| symbol == Symbol::Exit && side_of(pos, size) == Some(side);
        if let (false, Some(pos)) = (spec.pins().iter().any(is_exit), free().nth(nth)) {
            blueprint.set(pos, Symbol::Exit);
        }
    }
    record(size.iter().map(|pos| Event::Put { pos, symbol: blueprint.get(pos) }), draft.tracer);
}

/// Returns the exits, ordered by side.
pub(super) fn exits(blueprint: &Blueprint) -> impl Iterator<Item = Pos> {
    let size = blueprint.size();
    let across = move |y| (0..size.width).map(move |x| Pos { x, y });
    let down = move |x| (0..size.height).map(move |y| Pos { x, y });
    let band = across(1).chain(across(size.height - 2)).chain(down(1)).chain(down(size.width - 2));
    band.filter(move |pos| blueprint.get(*pos) == Symbol::Exit)
}

/// Returns the interior cell next to an exit.
pub(super) fn front(exit: Pos, size: Size) -> Pos {
    Pos { x: exit.x.clamp(2, size.width - 3), y: exit.y.clamp(2, size.height - 3) }
}

/// Draws the outside ring and the outer wall.
fn draw_rings(blueprint: &mut Blueprint, size: Size) {
    for (ring, symbol) in [(0, Symbol::Outside), (1, Symbol::Band)] {
        for x in ring..size.width - ring {
            blueprint.set(Pos { x, y: ring }, symbol);
            blueprint.set(Pos { x, y: size.height - 1 - ring }, symbol);
        }
        for y in ring..size.height - ring {
            blueprint.set(Pos { x: ring, y }, symbol);
            blueprint.set(Pos { x: size.width - 1 - ring, y }, symbol);
        }
    }
}
