//! Candidates and marks: cells that are reserved before anything else is put on the floor.

use super::map::Tags;
use super::pins::Pins;
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

/// Memory for placing candidates, to be used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The candidates that keep apart, pinned ones first.
    placed: Vec<(Symbol, Pos)>,
    /// The free cells that are far enough from them.
    open: BitGrid,
}

/// Reserves the candidates in the order `P C e f l s`, then the marks; their cells are free no longer.
///
/// # Errors
/// Returns the candidate that has no free cell at the distance that `min_separation` demands. The default distance always
/// leaves one.
pub(super) fn place(
    seed: &Seed,
    spec: &LevelSpec,
    blueprint: &mut Blueprint,
    tags: &mut Tags,
    free: &mut BitGrid,
    scratch: &mut Scratch,
    tracer: &mut impl Tracer<LevelEvent>,
) -> Result<(), Symbol> {
    let Scratch { placed, open } = scratch;
    placed.clear();
    placed.extend(spec.pins().into_iter().flat_map(Pins::iter).map(|(pos, symbol)| (symbol, pos)));
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
        open.clone_from(free);
        if candidate.keeps_apart() {
            let others = placed.iter().filter(|(other, _)| *other != candidate && other.keeps_apart());
            others.for_each(|(_, pos)| remove_near(open, *pos, spec.min_separation()));
        }
        for _ in pinned..spec.asked(candidate) {
            // Room for all of them was checked when the configuration was resolved.
            let pos = pick(&mut rng, open, free).ok_or(candidate)?;
            blueprint.set(pos, candidate);
            placed.push((candidate, pos));
            free.remove(pos);
            open.remove(pos);
            tracer.tell(LevelEvent::Put { pos, symbol: candidate });
            tracer.tell(LevelEvent::Beat);
        }
    }
    let mut rng = seed.stream(MARKS);
    for (number, (mark, cells)) in (0..).zip(spec.config().marks.iter().zip(&mut tags.marks)) {
        for _ in cells.len()..mark.count as usize {
            let Some(pos) = pick(&mut rng, free, free) else { return Ok(()) };
            cells.push(pos);
            free.remove(pos);
            tracer.tell(LevelEvent::Mark { mark: number, pos });
            tracer.tell(LevelEvent::Beat);
        }
        cells.sort_unstable();
    }
    Ok(())
}

/// Removes the cells that are fewer than `separation` steps of eight directions away from `pos`.
fn remove_near(open: &mut BitGrid, pos: Pos, separation: u16) {
    let reach = separation - 1;
    for y in pos.y.saturating_sub(reach)..=pos.y + reach {
        open.remove_run(y, pos.x.saturating_sub(reach), pos.x + reach);
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

/// A cell of `open`, each as likely as any other, at the margin's distance from the edge while a free cell is.
fn pick(rng: &mut MapRng, open: &BitGrid, free: &BitGrid) -> Option<Pos> {
    let size = open.size();
    for _ in 0..TRIES {
        let x = MARGIN + rng.below(u32::from(size.width - 2 * MARGIN)) as u16;
        let y = MARGIN + rng.below(u32::from(size.height - 2 * MARGIN)) as u16;
        if open.contains(Pos { x, y }) {
            return Some(Pos { x, y });
        }
    }
    let inside: fn(Pos, Size) -> bool = match free.iter().any(|pos| beyond_margin(pos, size)) {
        true => beyond_margin,
        false => |_, _| true,
    };
    let count = open.iter().filter(|pos| inside(*pos, size)).count() as u32;
    let nth = rng.below(count) as usize;
    open.iter().filter(|pos| inside(*pos, size)).nth(nth)
}

/// True if the cell keeps the margin.
pub(crate) fn beyond_margin(pos: Pos, size: Size) -> bool {
    super::pins::ring(pos, size) >= MARGIN
}
