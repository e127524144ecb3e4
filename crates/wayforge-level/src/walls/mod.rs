//! Interior walls, one module per algorithm.

mod caves;
mod lines;
mod maze;
mod sparse;
mod style;

pub use style::WallStyle;

use crate::pins::ring;
use crate::trace::WallRecorder;
use crate::{Blueprint, Draft, Event, Level, Mover, Spec, Symbol, layout};
use wayforge_core::StreamId;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;

const WALLS: StreamId = StreamId::named("level.walls");

/// Scratch buffers of the wall algorithms.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    walls: BitGrid,
    layer: BitGrid,
}

/// Places the interior walls on free cells, never within one cell of an exit.
///
/// Segments of `default` may run side by side and enclose a cell, so they leave the eight
/// neighbours of each of the `separated` candidates free.
pub(super) fn build(
    draft: &mut Draft<'_, impl Tracer<Event>>,
    separated: impl Iterator<Item = Pos>,
    scratch: &mut Scratch,
) {
    let Draft { seed, level: Level { spec, blueprint, .. }, free, tracer, .. } = draft;
    let size = spec.size();
    layout::exits(blueprint).for_each(|exit| keep_clear(exit, free));
    if spec.config().walls == WallStyle::Default {
        separated.for_each(|candidate| keep_clear(candidate, free));
    }
    let Scratch { walls, layer } = scratch;
    let mut rng = seed.stream(WALLS);
    walls.reset(size);
    let mut recorder = WallRecorder::new(free, *tracer);
    let base = BaseLevel { spec, blueprint, free };
    match spec.config().walls {
        WallStyle::Empty => return,
        WallStyle::Default => lines::draw_segments(&mut rng, walls, &mut recorder),
        WallStyle::GridWire => lines::draw_wires(&mut rng, walls, layer, &mut recorder),
        WallStyle::SparseMoore { percent } => {
            sparse::scatter(&mut rng, percent, true, base, walls, &mut recorder)
        }
        WallStyle::SparseOrtho { percent } => {
            sparse::scatter(&mut rng, percent, false, base, walls, &mut recorder)
        }
        WallStyle::Maze => maze::generate(&mut rng, base, walls, &mut recorder),
        WallStyle::Caves => caves::generate(&mut rng, base, walls, layer, &mut recorder),
    }
    recorder.record(walls);
    stamp(walls, free, blueprint);
}

/// Excludes a cell and its eight neighbours from the free cells.
fn keep_clear(pos: Pos, free: &mut BitGrid) {
    (pos.y - 1..=pos.y + 1).for_each(|y| free.remove_run(y, pos.x - 1, pos.x + 1));
}

/// The level before walls are placed.
#[derive(Clone, Copy)]
struct BaseLevel<'a> {
    spec: &'a Spec,
    blueprint: &'a Blueprint,
    /// Cells where walls may be placed.
    free: &'a BitGrid,
}

impl BaseLevel<'_> {
    /// Returns true if a person can enter the cell before walls are placed.
    fn is_passable(&self, pos: Pos) -> bool {
        let symbol = self.blueprint.get(pos);
        symbol != Symbol::Wall && self.spec.can_enter(Mover::Person, symbol)
    }

    /// Returns true if the cell is inside the outer wall.
    fn is_inside(&self, pos: Pos) -> bool {
        ring(pos, self.spec.size()) >= 2
    }
}

/// Writes the walls on free cells to the blueprint.
fn stamp(walls: &mut BitGrid, free: &mut BitGrid, blueprint: &mut Blueprint) {
    for (wall, free) in walls.words_mut().iter_mut().zip(free.words_mut()) {
        *wall &= *free;
        *free &= !*wall;
    }
    for pos in walls.iter() {
        blueprint.set(pos, Symbol::Wall);
    }
}

/// Adapts a number of lines for 48 x 30 cells to the size of the grid.
fn scaled(lines: u32, walls: &BitGrid) -> u32 {
    const REFERENCE: u32 = 48 * 30;
    ((lines * walls.size().cells() as u32 + REFERENCE / 2) / REFERENCE).max(1)
}
