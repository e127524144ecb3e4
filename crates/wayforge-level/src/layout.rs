//! The outside ring, the outer wall with its exits, and the pins: what stands before anything is drawn.

use crate::pins::{exit_places, side_of};
use crate::trace::record;
use crate::{Blueprint, Draft, Event, Level, Symbol};
use wayforge_core::Stage;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::trace::Tracer;

const EXITS: Stage = Stage::named("level.exits");

/// Lays the level out: rings, pins, exits and free cells.
pub(super) fn lay_out(draft: &mut Draft<'_, impl Tracer<Event>>) {
    let Level { spec, blueprint, .. } = &mut *draft.level;
    let (size, free) = (spec.size(), &mut *draft.free);
    blueprint.refill(size, Symbol::Floor);
    rings(blueprint, size);
    free.reset(size);
    (2..size.height - 2).for_each(|y| free.insert_run(y, 2, size.width - 3));
    for (pos, symbol) in spec.pins().iter() {
        blueprint.set(pos, symbol);
        free.remove(pos);
    }
    let mut rng = draft.seed.stream(EXITS);
    for &side in &spec.config().exits {
        let free = || exit_places(side, size).filter(|pos| !spec.pins().contains(*pos));
        // A pinned exit stands already. The draw is made in any case: pins leave the other sides alone.
        let nth = rng.below(free().count() as u32) as usize;
        let is_exit = |(pos, symbol)| symbol == Symbol::Exit && side_of(pos, size) == Some(side);
        if let (false, Some(pos)) = (spec.pins().iter().any(is_exit), free().nth(nth)) {
            blueprint.set(pos, Symbol::Exit);
        }
    }
    record(size.iter().map(|pos| Event::Put { pos, symbol: blueprint.get(pos) }), draft.tracer);
}

/// The exits, side by side in the order of the configuration.
pub(super) fn exits(blueprint: &Blueprint) -> impl Iterator<Item = Pos> {
    let size = blueprint.size();
    let across = move |y| (0..size.width).map(move |x| Pos { x, y });
    let down = move |x| (0..size.height).map(move |y| Pos { x, y });
    let band = across(1).chain(across(size.height - 2)).chain(down(1)).chain(down(size.width - 2));
    band.filter(move |pos| blueprint.get(*pos) == Symbol::Exit)
}

/// The cell inside the level that an exit leads to.
pub(super) fn front(exit: Pos, size: Size) -> Pos {
    Pos { x: exit.x.clamp(2, size.width - 3), y: exit.y.clamp(2, size.height - 3) }
}

fn rings(blueprint: &mut Blueprint, size: Size) {
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
