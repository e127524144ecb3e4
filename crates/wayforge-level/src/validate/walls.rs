//! Interior walls: what their style promises, and the room before exits.

use super::placement::is_before_exit;
use super::{Found, View, at, rules};
use crate::{Symbol, WallStyle};
use wayforge_core::Report;
use wayforge_core::grid::{Dir, Pos};

pub(super) fn check(view: &View<'_>, report: &mut Report) {
    report.check(rules::EXITS_CLEAR, exits_clear(view));
    report.check(rules::WALL_STYLE, wall_style(view));
}

/// No wall stands within one cell of an exit, and no pitfall opens straight before one.
fn exits_clear<'a>(view: &'a View<'_>) -> impl Iterator<Item = Found> + 'a {
    view.interior().filter(|(pos, _)| !view.is_pinned(*pos)).filter_map(|(pos, symbol)| match symbol {
        Symbol::Wall => {
            let exit = view.around(pos).find(|near| view.blueprint.get(*near) == Symbol::Exit)?;
            Some(at(pos, format!("a wall within one cell of the exit at {exit}")))
        }
        Symbol::Pitfall if is_before_exit(view, pos) => Some(at(pos, "a pitfall straight before an exit")),
        _ => None,
    })
}

/// The walls are such as their style draws. Pinned walls may stand as they like, but no wall is drawn beside them where
/// walls do not touch.
fn wall_style<'a>(view: &'a View<'_>) -> impl Iterator<Item = Found> + 'a {
    let style = view.config.walls;
    view.interior()
        .filter(|(pos, symbol)| *symbol == Symbol::Wall && !view.is_pinned(*pos))
        .filter_map(move |(pos, _)| fault(view, style, pos).map(|why| at(pos, format!("{why} ({style})"))))
}

/// What is wrong with a drawn wall.
fn fault(view: &View<'_>, style: WallStyle, pos: Pos) -> Option<String> {
    let is_wall = |pos: Pos| view.blueprint.get(pos) == Symbol::Wall;
    let beside = |dirs: &[Dir]| {
        let near = dirs.iter().filter_map(|dir| pos.step(*dir, view.size)).find(|near| is_wall(*near))?;
        Some(format!("beside the wall at {near}"))
    };
    match style {
        WallStyle::Empty => Some("an interior wall".into()),
        WallStyle::SparseMoore { percent: 0 } | WallStyle::SparseOrtho { percent: 0 } => {
            Some("an interior wall".into())
        }
        WallStyle::SparseMoore { .. } => beside(&Dir::ALL),
        WallStyle::SparseOrtho { .. } => beside(&Dir::STRAIGHT),
        // Lines of one direction never run side by side, so of four cells in a square each direction covers at most one
        // row or one column: three together.
        WallStyle::GridWire => {
            let square = [Dir::East, Dir::SouthEast, Dir::South].map(|dir| pos.step(dir, view.size));
            let drawn = |near: Option<Pos>| near.is_some_and(|near| is_wall(near) && !view.is_pinned(near));
            square.into_iter().all(drawn).then(|| "the corner of a square of four walls".into())
        }
        // Any set of cells may come of these.
        WallStyle::Default | WallStyle::Maze | WallStyle::Caves => None,
    }
}
