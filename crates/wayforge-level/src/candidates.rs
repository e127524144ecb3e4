//! Candidates and marks: cells that are reserved before anything else is put on the floor.

use crate::trace::record;
use crate::{Draft, Event, Level, Symbol};
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::trace::Tracer;
use wayforge_core::{MapRng, Stage};

const CANDIDATES: Stage = Stage::named("level.candidates");
const MARKS: Stage = Stage::named("level.marks");

/// Candidates keep this distance from the edge of the grid while there is room.
pub(crate) const MARGIN: u16 = 3;

/// So many cells are drawn at random before the free ones are counted.
const TRIES: u32 = 16;

/// So many cells are kept away from by measuring; of more, the free cells far from all of them are collected first.
const FEW: usize = 16;

/// Memory for placing candidates, to be used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The candidates that keep apart, pinned ones first.
    placed: Vec<(Symbol, Pos)>,
    /// Those of other symbols than the one at hand.
    near: Vec<Pos>,
    /// The free cells that are far enough from `near`; kept up to date only if there are more than [`FEW`] of those.
    open: BitGrid,
}

impl Scratch {
    /// The cells of player, car, empty can and fuel candidates after [`place`], pinned ones first.
    pub(super) fn spaced(&self) -> impl Iterator<Item = Pos> {
        self.placed.iter().filter(|(symbol, _)| symbol.keeps_apart()).map(|(_, pos)| *pos)
    }
}

/// Reserves the candidates in the order `P C e f l s`, then the marks; their cells are free no longer.
///
/// # Errors
/// Returns a message if a candidate has no free cell at the distance that `min_separation` demands. The default distance
/// always leaves one.
pub(super) fn place(draft: &mut Draft<'_, impl Tracer<Event>>, scratch: &mut Scratch) -> Result<(), String> {
    let Draft { seed, level: Level { spec, blueprint, tags, .. }, free, tracer, .. } = draft;
    let Scratch { placed, near, open } = scratch;
    let separation = spec.min_separation();
    placed.clear();
    placed.extend(spec.pins().iter().map(|(pos, symbol)| (symbol, pos)));
    let marks = &spec.config().marks;
    tags.marks.resize(marks.len(), Vec::new());
    for (mark, (config, cells)) in (0..).zip(marks.iter().zip(&mut tags.marks)) {
        cells.clone_from(&config.cells);
        for &pos in &*cells {
            free.remove(pos);
            record([Event::Mark { mark, pos }], *tracer);
        }
    }
    let mut rng = seed.stream(CANDIDATES);
    for candidate in Symbol::CANDIDATES {
        let pinned = spec.pins().count(&[candidate]);
        near.clear();
        if candidate.keeps_apart() && separation > 1 {
            let others = placed.iter().filter(|(other, _)| *other != candidate && other.keeps_apart());
            near.extend(others.map(|(_, pos)| *pos));
        }
        if near.len() > FEW {
            collect_open(free, near, separation, open);
        }
        for _ in pinned..spec.asked(candidate) {
            // Room for all of them was checked when the configuration was resolved.
            let pos = pick(&mut rng, free, near, separation, open).ok_or_else(|| {
                let (what, certain) = (candidate.meaning(), spec.certain_separation());
                format!(
                    "min_separation = {separation}: no free cell is so far from the others for {what}; \
                     up to {certain} fits every seed"
                )
            })?;
            blueprint.set(pos, candidate);
            placed.push((candidate, pos));
            free.remove(pos);
            open.remove(pos);
            record([Event::Put { pos, symbol: candidate }], *tracer);
        }
    }
    let mut rng = seed.stream(MARKS);
    for (number, (mark, cells)) in (0..).zip(marks.iter().zip(&mut tags.marks)) {
        for _ in cells.len()..mark.count as usize {
            let Some(pos) = pick(&mut rng, free, &[], separation, open) else { return Ok(()) };
            cells.push(pos);
            free.remove(pos);
            record([Event::Mark { mark: number, pos }], *tracer);
        }
        cells.sort_unstable();
    }
    Ok(())
}

/// Collects the free cells that are `separation` or more steps of eight directions away from all of `near`.
fn collect_open(free: &BitGrid, near: &[Pos], separation: u16, open: &mut BitGrid) {
    open.clone_from(free);
    let reach = separation - 1;
    for pos in near {
        for y in pos.y.saturating_sub(reach)..=pos.y + reach {
            open.remove_run(y, pos.x.saturating_sub(reach), pos.x + reach);
        }
    }
}

/// A free cell far enough from `near`, each as likely as any other, at the margin's distance from the edge while a free
/// cell is.
fn pick(rng: &mut MapRng, free: &BitGrid, near: &[Pos], separation: u16, open: &mut BitGrid) -> Option<Pos> {
    let size = free.size();
    let is_open = |pos: Pos| match near.len() > FEW {
        true => open.contains(pos),
        false => free.contains(pos) && near.iter().all(|other| pos.king_distance(*other) >= separation),
    };
    for _ in 0..TRIES {
        let x = MARGIN + rng.below(u32::from(size.width - 2 * MARGIN)) as u16;
        let y = MARGIN + rng.below(u32::from(size.height - 2 * MARGIN)) as u16;
        if is_open(Pos { x, y }) {
            return Some(Pos { x, y });
        }
    }
    if near.len() <= FEW {
        collect_open(free, near, separation, open);
    }
    let room = free.iter().any(|pos| beyond_margin(pos, size));
    let inside = || open.iter().filter(|pos| !room || beyond_margin(*pos, size));
    let nth = rng.below(inside().count() as u32) as usize;
    inside().nth(nth)
}

/// True if the cell keeps the margin.
pub(crate) fn beyond_margin(pos: Pos, size: Size) -> bool {
    super::pins::ring(pos, size) >= MARGIN
}
