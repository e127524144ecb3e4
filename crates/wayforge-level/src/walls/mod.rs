//! Interior walls: one file for each algorithm.

mod caves;
mod lines;
mod maze;
mod sparse;
mod style;

pub use style::WallStyle;

use crate::pins::ring;
use crate::trace::Beats;
use crate::{Blueprint, Draft, Event, Level, Mover, Spec, Symbol, layout};
use wayforge_core::Stage;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;

const WALLS: Stage = Stage::named("level.walls");

/// Memory for drawing walls, to be used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    walls: BitGrid,
    layer: BitGrid,
}

/// Draws the interior walls on free cells, never within one cell of an exit.
///
/// Segments of `default` lie in all directions and side by side, and would bury a lone cell. They leave the eight
/// neighbours of each of the `spaced` candidates free.
pub(super) fn build(
    draft: &mut Draft<'_, impl Tracer<Event>>,
    spaced: impl Iterator<Item = Pos>,
    scratch: &mut Scratch,
) {
    let Draft { seed, level: Level { spec, blueprint, .. }, free, tracer, .. } = draft;
    let size = spec.size();
    layout::exits(blueprint).for_each(|exit| keep_clear(exit, free));
    if spec.config().walls == WallStyle::Default {
        spaced.for_each(|candidate| keep_clear(candidate, free));
    }
    let Scratch { walls, layer } = scratch;
    let mut rng = seed.stream(WALLS);
    walls.reset(size);
    let mut beats = Beats::new(free, *tracer);
    let terrain = Terrain { spec, blueprint, free };
    match spec.config().walls {
        WallStyle::Empty => return,
        WallStyle::Default => lines::draw_segments(&mut rng, walls, &mut beats),
        WallStyle::GridWire => lines::draw_wires(&mut rng, walls, layer, &mut beats),
        WallStyle::SparseMoore { percent } => {
            sparse::draw(&mut rng, percent, true, terrain, walls, &mut beats)
        }
        WallStyle::SparseOrtho { percent } => {
            sparse::draw(&mut rng, percent, false, terrain, walls, &mut beats)
        }
        WallStyle::Maze => maze::draw(&mut rng, terrain, walls, &mut beats),
        WallStyle::Caves => caves::draw(&mut rng, terrain, walls, layer, &mut beats),
    }
    beats.beat(walls);
    stamp(walls, free, blueprint);
}

/// Keeps walls off the cell and its eight neighbours.
fn keep_clear(pos: Pos, free: &mut BitGrid) {
    (pos.y - 1..=pos.y + 1).for_each(|y| free.remove_run(y, pos.x - 1, pos.x + 1));
}

/// What stands before walls are drawn.
#[derive(Clone, Copy)]
struct Terrain<'a> {
    spec: &'a Spec,
    blueprint: &'a Blueprint,
    /// Cells where walls may stand.
    free: &'a BitGrid,
}

impl Terrain<'_> {
    /// True if a person passes what stands on the cell, were there no new wall.
    fn passes(&self, pos: Pos) -> bool {
        let symbol = self.blueprint.get(pos);
        symbol != Symbol::Wall && self.spec.enters(Mover::Person, symbol)
    }

    /// True if the cell lies inside the outer wall.
    fn inside(&self, pos: Pos) -> bool {
        ring(pos, self.spec.size()) >= 2
    }
}

/// Puts walls on those of their cells that are free.
fn stamp(walls: &mut BitGrid, free: &mut BitGrid, blueprint: &mut Blueprint) {
    for (wall, free) in walls.words_mut().iter_mut().zip(free.words_mut()) {
        *wall &= *free;
        *free &= !*wall;
    }
    for pos in walls.iter() {
        blueprint.set(pos, Symbol::Wall);
    }
}

/// How many lines an algorithm draws that draws `lines` of them on the usual 48 x 30 cells.
fn scaled(lines: u32, walls: &BitGrid) -> u32 {
    const USUAL: u32 = 48 * 30;
    ((lines * walls.size().cells() as u32 + USUAL / 2) / USUAL).max(1)
}
