//! Size, outside ring, outer wall with exits, and pins.

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

/// Checks that the grid and all layers have the size of the configuration.
pub(super) fn size(spec: &Spec, blueprint: &Blueprint, layers: &[(&str, &BitGrid)]) -> Vec<Found> {
    let expected = spec.size();
    let layers = layers.iter().map(|(name, layer)| (*name, layer.size()));
    let all = std::iter::once(("the grid", blueprint.size())).chain(layers);
    all.filter(|(_, size)| *size != expected)
        .map(|(name, size)| {
            (Place::Map, format!("{name} is {size}, but the configuration says {expected}"))
        })
        .collect()
}

/// Checks that exactly ring 0 is outside.
fn outside_ring<'a>(view: &'a View<'_>) -> impl Iterator<Item = Found> + 'a {
    view.size.iter().filter_map(|pos| match (view.ring(pos), view.blueprint.get(pos)) {
        (0, Symbol::Outside) => None,
        (0, symbol) => {
            Some(at(pos, format!("{symbol} in the outer ring; only O is allowed there")))
        }
        (_, Symbol::Outside) => {
            Some(at(pos, "O inside the level; it is allowed in the outer ring only"))
        }
        _ => None,
    })
}

/// Checks that exactly ring 1 is outer wall, except for exits.
fn outer_band<'a>(view: &'a View<'_>) -> impl Iterator<Item = Found> + 'a {
    view.size.iter().filter_map(|pos| match (view.ring(pos), view.blueprint.get(pos)) {
        // The rule for the outside ring reports O.
        (1, Symbol::Band | Symbol::Exit | Symbol::Outside) => None,
        (1, symbol) => {
            Some(at(pos, format!("{symbol} in the outer wall; only B and E are allowed there")))
        }
        // The rule for the outside ring reports B in ring 0, too.
        (2.., Symbol::Band) => {
            Some(at(pos, "B inside the level; it is allowed in the second ring only"))
        }
        _ => None,
    })
}

/// Checks that each listed side has exactly one exit, away from the corners, and no other exits
/// exist.
fn exits(view: &View<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    let mut of_side = [const { Vec::new() }; 4];
    for pos in view.blueprint.find(Symbol::Exit) {
        match side_of(view, pos) {
            Some(side) => of_side[side as usize].push(pos),
            None if view.ring(pos) == 1 => {
                found.push(at(pos, "exit at a corner of the outer wall"))
            }
            None => found.push(at(pos, "exit outside the outer wall")),
        }
    }
    for side in Side::ALL {
        let (name, exits) = (format!("{side:?}").to_lowercase(), &of_side[side as usize]);
        match (view.config.exits.contains(&side), exits.as_slice()) {
            (true, []) => found.push((Place::Map, format!("side {name} has no exit"))),
            (true, [first, more @ ..]) => {
                found.extend(more.iter().map(|pos| {
                    at(*pos, format!("second exit on side {name}; the first is at {first}"))
                }));
            }
            (false, exits) => {
                found.extend(exits.iter().map(|pos| {
                    at(*pos, format!("exit on side {name}, which the configuration does not list"))
                }));
            }
        }
    }
    found
}

/// Returns the side of an exit; `None` at corners and outside the outer wall.
///
/// Drawn and pinned exits may be next to a corner; generated ones have one cell more in between.
fn side_of(view: &View<'_>, pos: Pos) -> Option<Side> {
    let Size { width, height } = view.size;
    let margin = if view.drawn || view.is_pinned(pos) { 1 } else { 2 };
    let along = |at: u16, length: u16| at > margin && at < length - 1 - margin;
    let (across, down) = (along(pos.x, width), along(pos.y, height));
    match pos {
        Pos { y: 1, .. } if across => Some(Side::Top),
        Pos { y, .. } if y == height - 2 && across => Some(Side::Bottom),
        Pos { x: 1, .. } if down => Some(Side::Left),
        Pos { x, .. } if x == width - 2 && down => Some(Side::Right),
        _ => None,
    }
}

/// Checks that every pinned cell has its symbol.
fn pins_kept<'a>(view: &'a View<'_>) -> impl Iterator<Item = Found> + 'a {
    view.size.iter().zip(&view.pins).filter_map(|(pos, pin)| {
        let (pinned, actual) = ((*pin)?, view.blueprint.get(pos));
        (actual != pinned).then(|| at(pos, format!("{actual}, but {pinned} is pinned here")))
    })
}
