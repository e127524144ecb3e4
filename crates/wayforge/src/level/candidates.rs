//! Candidates and marks: cells that are reserved before anything else is put on the floor.

use super::map::Tags;
use super::spec::LevelSpec;
use super::symbol::{Blueprint, Symbol};
use super::trace::LevelEvent;
use crate::grid::{BitGrid, Pos, Size};
use crate::trace::Tracer;
use crate::{MapRng, Seed, Stage};

const CANDIDATES: Stage = Stage::named("level.candidates");
const MARKS: Stage = Stage::named("level.marks");

/// Candidates keep this distance from the edge of the grid while there is room.
pub(crate) const MARGIN: u16 = 3;

/// So many cells are drawn at random before the free ones are counted.
const TRIES: u32 = 16;

/// Reserves the candidates in the order `P C e f l s`, then the marks; their cells are free no longer.
pub(super) fn place(
    seed: &Seed,
    spec: &LevelSpec,
    blueprint: &mut Blueprint,
    tags: &mut Tags,
    free: &mut BitGrid,
    tracer: &mut impl Tracer<LevelEvent>,
) {
    place_fixed_marks(spec, tags, free);
    for (mark, cells) in (0..).zip(&tags.marks) {
        for &pos in cells {
            tracer.tell(LevelEvent::Mark { mark, pos });
            tracer.tell(LevelEvent::Beat);
        }
    }
    let mut rng = seed.stream(CANDIDATES);
    for candidate in Symbol::CANDIDATES {
        let pinned = spec.pins().map_or(0, |pins| pins.count(candidate));
        for _ in pinned..spec.asked(candidate) {
            // Room for all of them was checked when the configuration was resolved.
            let Some(pos) = pick(&mut rng, free) else { return };
            blueprint.set(pos, candidate);
            free.remove(pos);
            tracer.tell(LevelEvent::Put { pos, symbol: candidate });
            tracer.tell(LevelEvent::Beat);
        }
    }
    let mut rng = seed.stream(MARKS);
    for (number, (mark, cells)) in (0..).zip(spec.config().marks.iter().zip(&mut tags.marks)) {
        for _ in cells.len()..mark.count as usize {
            let Some(pos) = pick(&mut rng, free) else { return };
            cells.push(pos);
            free.remove(pos);
            tracer.tell(LevelEvent::Mark { mark: number, pos });
            tracer.tell(LevelEvent::Beat);
        }
        cells.sort_unstable();
    }
}

fn place_fixed_marks(spec: &LevelSpec, tags: &mut Tags, free: &mut BitGrid) {
    let marks = &spec.config().marks;
    tags.marks.resize(marks.len(), Vec::new());
    for (mark, cells) in marks.iter().zip(&mut tags.marks) {
        cells.clear();
        cells.extend_from_slice(&mark.cells);
        mark.cells.iter().for_each(|&pos| free.remove(pos));
    }
}

/// A free cell, each as likely as any other, at the margin's distance from the edge while there is one.
fn pick(rng: &mut MapRng, free: &BitGrid) -> Option<Pos> {
    let size = free.size();
    for _ in 0..TRIES {
        let x = MARGIN + rng.below(u32::from(size.width - 2 * MARGIN)) as u16;
        let y = MARGIN + rng.below(u32::from(size.height - 2 * MARGIN)) as u16;
        if free.contains(Pos { x, y }) {
            return Some(Pos { x, y });
        }
    }
    let mut draw = |inside: fn(Pos, Size) -> bool| {
        let count = free.iter().filter(|pos| inside(*pos, size)).count() as u32;
        let nth = rng.below(count) as usize;
        free.iter().filter(|pos| inside(*pos, size)).nth(nth)
    };
    draw(beyond_margin).or_else(|| draw(|_, _| true))
}

/// True if the cell keeps the margin.
pub(crate) fn beyond_margin(pos: Pos, size: Size) -> bool {
    super::pins::ring(pos, size) >= MARGIN
}
