//! Interior walls: wall style, and clear cells next to exits.

use super::placement::is_next_to_exit;
use super::{Found, View, at, rules};
use crate::{Symbol, WallStyle};
use wayforge_core::Report;
use wayforge_core::grid::{Dir, Pos};

pub(super) fn check(view: &View<'_>, report: &mut Report) {
    report.check(rules::EXITS_CLEAR, exits_clear(view));
    report.check(rules::WALL_STYLE, wall_style(view));
}

/// Checks that no wall is within one cell of an exit, and no pitfall is next to one.
fn exits_clear<'a>(view: &'a View<'_>) -> impl Iterator<Item = Found> + 'a {
    view.interior().filter(|(pos, _)| !view.is_pinned(*pos)).filter_map(
        |(pos, symbol)| match symbol {
            Symbol::Wall => {
                let exit =
                    view.neighbours(pos).find(|near| view.blueprint.get(*near) == Symbol::Exit)?;
                Some(at(pos, format!("wall within one cell of the exit at {exit}")))
            }
            Symbol::Pitfall if is_next_to_exit(view, pos) => {
                Some(at(pos, "pitfall next to an exit"))
            }
            _ => None,
        },
    )
}

/// Checks the properties of the wall style. Pinned walls are exempt, but sparse styles place no
/// wall next to them.
fn wall_style<'a>(view: &'a View<'_>) -> impl Iterator<Item = Found> + 'a {
    let style = view.config.walls;
    view.interior()
        .filter(|(pos, symbol)| *symbol == Symbol::Wall && !view.is_pinned(*pos))
        .filter_map(move |(pos, _)| {
            style_violation(view, style, pos).map(|why| at(pos, format!("{why} ({style})")))
        })
}

/// Returns how a wall violates the style, if it does.
fn style_violation(view: &View<'_>, style: WallStyle, pos: Pos) -> Option<String> {
    let is_wall = |pos: Pos| view.blueprint.get(pos) == Symbol::Wall;
    let beside = |dirs: &[Dir]| {
        let near =
            dirs.iter().filter_map(|dir| pos.step(*dir, view.size)).find(|near| is_wall(*near))?;
        Some(format!("adjacent to the wall at {near}"))
    };
    match style {
        WallStyle::Empty => Some("interior wall".into()),
        WallStyle::SparseMoore { percent: 0 } | WallStyle::SparseOrtho { percent: 0 } => {
            Some("interior wall".into())
        }
        WallStyle::SparseMoore { .. } => beside(&Dir::ALL),
        WallStyle::SparseOrtho { .. } => beside(&Dir::STRAIGHT),
        // Parallel lines never touch, so horizontal lines cover at most one row of a 2 x 2 square
        // and vertical ones at most one column: three cells together.
        WallStyle::GridWire => {
            let square =
                [Dir::East, Dir::SouthEast, Dir::South].map(|dir| pos.step(dir, view.size));
            let drawn =
                |near: Option<Pos>| near.is_some_and(|near| is_wall(near) && !view.is_pinned(near));
            square.into_iter().all(drawn).then(|| "corner of a 2 x 2 square of walls".into())
        }
        // Any set of cells is possible.
        WallStyle::Default | WallStyle::Maze | WallStyle::Caves => None,
    }
}
