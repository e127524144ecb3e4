//! The size, the outside ring, the outer wall with its exits, and what the configuration pins.

use super::{Found, View, at, rules};
use crate::{Blueprint, Side, Spec, Symbol};
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{Place, Report};

pub(super) fn check(view: &View<'_>, report: &mut Report) {
    report.check(rules::OUTSIDE_RING, outside_ring(view));
    report.check(rules::OUTER_BAND, outer_band(view));
    report.check(rules::EXITS, exits(view));
    report.check(rules::PINS_KEPT, pins_kept(view));
}

/// The grid and every layer over it have the size of the configuration.
pub(super) fn size(spec: &Spec, blueprint: &Blueprint, layers: &[(&str, &BitGrid)]) -> Vec<Found> {
    let asked = spec.size();
    let layers = layers.iter().map(|(name, layer)| (*name, layer.size()));
    let all = std::iter::once(("the grid", blueprint.size())).chain(layers);
    all.filter(|(_, size)| *size != asked)
        .map(|(name, size)| (Place::Map, format!("{name} is {size}, the configuration asks for {asked}")))
        .collect()
}

/// Ring 0 is outside, and nothing else is.
fn outside_ring<'a>(view: &'a View<'_>) -> impl Iterator<Item = Found> + 'a {
    view.size.iter().filter_map(|pos| match (view.ring(pos), view.blueprint.get(pos)) {
        (0, Symbol::Outside) => None,
        (0, symbol) => Some(at(pos, format!("{symbol} in the outer ring, which is O all round"))),
        (_, Symbol::Outside) => Some(at(pos, "O inside the level; outside is only the outer ring")),
        _ => None,
    })
}

/// Ring 1 is outer wall but for exits, and nothing else is.
fn outer_band<'a>(view: &'a View<'_>) -> impl Iterator<Item = Found> + 'a {
    view.size.iter().filter_map(|pos| match (view.ring(pos), view.blueprint.get(pos)) {
        // O here is told by its own rule.
        (1, Symbol::Band | Symbol::Exit | Symbol::Outside) => None,
        (1, symbol) => Some(at(pos, format!("{symbol} in the outer wall, which is B but for exits"))),
        // The same for the outer ring.
        (2.., Symbol::Band) => Some(at(pos, "B inside the level; the outer wall is only its second ring")),
        _ => None,
    })
}

/// Each side that the configuration lists has one exit, away from the corners, and no other exit is there.
fn exits(view: &View<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    let mut of_side = [const { Vec::new() }; 4];
    for pos in view.blueprint.find(Symbol::Exit) {
        match side_of(view, pos) {
            Some(side) => of_side[side as usize].push(pos),
            None if view.ring(pos) == 1 => {
                found.push(at(pos, "an exit at a corner; exits stand away from the corners"))
            }
            None => found.push(at(pos, "an exit that is not in the outer wall")),
        }
    }
    for side in Side::ALL {
        let (name, exits) = (format!("{side:?}").to_lowercase(), &of_side[side as usize]);
        match (view.config.exits.contains(&side), exits.as_slice()) {
            (true, []) => found.push((Place::Map, format!("side {name} has no exit"))),
            (true, [first, more @ ..]) => {
                found.extend(more.iter().map(|pos| {
                    at(*pos, format!("a second exit on side {name}, where one stands at {first}"))
                }));
            }
            (false, exits) => {
                found.extend(exits.iter().map(|pos| {
                    at(*pos, format!("an exit on side {name}, which the configuration does not list"))
                }));
            }
        }
    }
    found
}

/// The side that an exit belongs to; none at the corners of the outer wall or elsewhere. Who draws or pins an exit may put
/// it next to a corner; the generator keeps one cell more between them.
fn side_of(view: &View<'_>, pos: Pos) -> Option<Side> {
    let Size { width, height } = view.size;
    let room = if view.drawn || view.is_pinned(pos) { 1 } else { 2 };
    let along = |at: u16, length: u16| at > room && at < length - 1 - room;
    let (across, down) = (along(pos.x, width), along(pos.y, height));
    match pos {
        Pos { y: 1, .. } if across => Some(Side::Top),
        Pos { y, .. } if y == height - 2 && across => Some(Side::Bottom),
        Pos { x: 1, .. } if down => Some(Side::Left),
        Pos { x, .. } if x == width - 2 && down => Some(Side::Right),
        _ => None,
    }
}

/// Every pinned cell holds its symbol.
fn pins_kept<'a>(view: &'a View<'_>) -> impl Iterator<Item = Found> + 'a {
    view.size.iter().zip(&view.pins).filter_map(|(pos, pin)| {
        let (pinned, here) = ((*pin)?, view.blueprint.get(pos));
        (here != pinned).then(|| at(pos, format!("{here}, but {pinned} is pinned here")))
    })
}
