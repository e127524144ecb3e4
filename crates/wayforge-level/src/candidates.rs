//! Placement of candidates and marks, before terrain and walls.

use crate::trace::record;
use crate::{Draft, Event, Level, Symbol};
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::trace::Tracer;
use wayforge_core::{MapRng, StreamId};

const CANDIDATES: StreamId = StreamId::named("level.candidates");
const MARKS: StreamId = StreamId::named("level.marks");

/// Minimum distance of candidates from the edge of the grid, unless no free cell has it.
pub(crate) const MARGIN: u16 = 3;

/// Number of random draws (rejection sampling) before the free cells are enumerated.
const MAX_DRAWS: u32 = 16;

/// Up to this number of other candidates, distances are computed for each draw. Beyond it, the
/// cells that are far enough from all of them are collected first.
const MAX_MEASURED: usize = 16;

/// Scratch buffers of the placement.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Placed candidates, pinned ones first.
    placed: Vec<(Symbol, Pos)>,
    /// Candidates of other symbols from which the current one needs separation.
    near: Vec<Pos>,
    /// Free cells that are far enough from `near`; maintained only for more than [`MAX_MEASURED`].
    open: BitGrid,
}

impl Scratch {
    /// Cells of player, car, empty can and fuel candidates after [`place`], pinned ones first.
    pub(super) fn separated(&self) -> impl Iterator<Item = Pos> {
        self.placed.iter().filter(|(symbol, _)| symbol.needs_separation()).map(|(_, pos)| *pos)
    }
}

/// Places the candidates in the order `P C e f l s`, then the marks, and removes their cells from
/// the free cells.
///
/// # Errors
/// A message if no free cell satisfies `min_separation`. With the default separation this cannot
/// happen.
pub(super) fn place(
    draft: &mut Draft<'_, impl Tracer<Event>>,
    scratch: &mut Scratch,
) -> Result<(), String> {
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
        if candidate.needs_separation() && separation > 1 {
            let others =
                placed.iter().filter(|(other, _)| *other != candidate && other.needs_separation());
            near.extend(others.map(|(_, pos)| *pos));
        }
        if near.len() > MAX_MEASURED {
            collect_open(free, near, separation, open);
        }
        for _ in pinned..spec.candidate_count(candidate) {
            // `Spec::resolve` has checked that there are enough cells.
            let pos = pick(&mut rng, free, near, separation, open).ok_or_else(|| {
                let (what, guaranteed) = (candidate.meaning(), spec.guaranteed_separation());
                format!(
                    "min_separation = {separation}: no free cell for {what} is far enough from \
                     the others; values up to {guaranteed} work for every seed"
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

/// Collects the free cells at a Chebyshev distance of at least `separation` from all of `near`.
fn collect_open(free: &BitGrid, near: &[Pos], separation: u16, open: &mut BitGrid) {
    open.clone_from(free);
    let reach = separation - 1;
    for pos in near {
        for y in pos.y.saturating_sub(reach)..=pos.y + reach {
            open.remove_run(y, pos.x.saturating_sub(reach), pos.x + reach);
        }
    }
}

/// Draws a free cell far enough from `near`, uniformly. Cells with less than the margin are drawn
/// only if no free cell has the margin.
fn pick(
    rng: &mut MapRng,
    free: &BitGrid,
    near: &[Pos],
    separation: u16,
    open: &mut BitGrid,
) -> Option<Pos> {
    let size = free.size();
    let is_open = |pos: Pos| {
        if near.len() > MAX_MEASURED {
            return open.contains(pos);
        }
        free.contains(pos) && near.iter().all(|other| pos.chebyshev_distance(*other) >= separation)
    };
    for _ in 0..MAX_DRAWS {
        let x = MARGIN + rng.below(u32::from(size.width - 2 * MARGIN)) as u16;
        let y = MARGIN + rng.below(u32::from(size.height - 2 * MARGIN)) as u16;
        if is_open(Pos { x, y }) {
            return Some(Pos { x, y });
        }
    }
    if near.len() <= MAX_MEASURED {
        collect_open(free, near, separation, open);
    }
    let any_with_margin = free.iter().any(|pos| has_margin(pos, size));
    let inside = || open.iter().filter(|pos| !any_with_margin || has_margin(*pos, size));
    let nth = rng.below(inside().count() as u32) as usize;
    inside().nth(nth)
}

/// Returns true if the cell has at least the margin to the edge.
pub(crate) fn has_margin(pos: Pos, size: Size) -> bool {
    super::pins::ring(pos, size) >= MARGIN
}
