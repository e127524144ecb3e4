//! Act maps by walks (`act.walks/1`): several walks climb the grid one after another without crossing.
//!
//! **What it does.** Each walk starts on a random column of row 0 (the first two on different ones) and steps to one of
//! the nearest columns of the next row, uniformly among those that are open and would cross no edge that is there.
//! A walk that is stuck takes back its last steps, then starts again, both bounded; after that it is drawn with
//! look-ahead. Only finished walks put their nodes and edges on the skeleton, so a walk can never take back what
//! another one uses, and nothing is left to prune. On open ground no walk can be stuck, and they climb
//! [`together`].
//!
//! **Determinism.** One stream, `act.walks`.
//!
//! **Guarantees.** A configuration that resolves always yields a map. Call two walks ordered if one is nowhere right
//! of the other. The nearest columns of a column form an interval whose ends do not decrease with the column, so the
//! column-wise minimum and maximum of two walks are walks. From any cell that leads to the top over open cells, the walk
//! that does so, clamped between the finished walks beside it, crosses nothing: with look-ahead no walk is ever stuck.
//!
//! **Complexity.** Time linear in rows times walks, whatever the columns: each step is a few word operations.

mod near;
mod pins;
mod together;

use super::skeleton::Skeleton;
use super::{ActMap, Attempts, Event};
use near::Near;
use pins::PinnedWalk;
use wayforge_core::trace::Tracer;
use wayforge_core::{ConfigError, MapRng, Seed, Stage};

const STAGE: Stage = Stage::named("act.walks");

/// The walks ruleset, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WalksSpec {
    rows: usize,
    cols: usize,
    walks: u32,
    depth: usize,
    restarts: u32,
    /// The nearest columns of each column.
    near: Vec<Near>,
    /// The first and the last of them.
    spans: [(u8, u8); 64],
    /// The cells of each row that are not blocked.
    open: Vec<u64>,
    /// The open cells of each row from which the top can be reached.
    hopeful: Vec<u64>,
    /// Walks that pins make necessary, from left to right.
    pinned: Vec<PinnedWalk>,
    /// Whether the pinned walks can start on two columns; otherwise the first free walk makes the difference.
    pins_apart: bool,
    /// No walk can be stuck: no blocked cells, no pins, no ties.
    open_ground: bool,
}

/// Memory that walks need while they are drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkScratch {
    /// The columns that each step of the walk under way could choose from and has not tried.
    choices: Vec<u64>,
    /// Cells found to be dead ends for the walk under way.
    dead: Vec<u64>,
    climbers: together::Climbers,
}

/// Draws the walks of an attempt of `seed` onto `skeleton` and records them on `map`.
pub(super) fn build(
    seed: &Seed,
    attempt: u32,
    spec: &WalksSpec,
    scratch: &mut WalkScratch,
    skeleton: &mut Skeleton,
    map: &mut ActMap,
    tracer: &mut impl Tracer<Event>,
) {
    let mut rng = seed.stream(STAGE.attempt(attempt));
    skeleton.reset(spec.rows, spec.cols);
    if spec.open_ground {
        together::draw_together(rng, spec, &mut scratch.climbers, skeleton, map);
        return map.walks.iter().zip(0..).for_each(|(path, walk)| tell_walk(walk, path, tracer));
    }
    scratch.choices.resize(spec.rows, 0);
    scratch.dead.resize(spec.rows, 0);
    pins::draw_pinned(&mut rng, spec, skeleton, map);
    map.walks.iter().zip(0..).for_each(|(path, walk)| tell_walk(walk, path, tracer));
    let pinned = spec.pinned.len() as u32;
    // The walk whose start must differ from the first one's.
    let different = if spec.pins_apart { u32::MAX } else { pinned.max(1) };
    for walk in pinned..spec.walks {
        let starts = if walk == different { !(1 << map.walks.first_start()) } else { u64::MAX };
        map.walks.push_blank(spec.rows);
        let path = map.walks.last_mut();
        let mut steps = Steps { walk, tracer };
        if draw_free(&mut rng, spec, scratch, skeleton, starts, path, &mut map.attempts, &mut steps) {
            steps.stand();
        } else {
            map.attempts.guided += 1;
            draw_guided(&mut rng, spec, skeleton, starts, path);
            tell_walk(walk, path, tracer);
        }
        skeleton.add_walk(path);
    }
    if different < spec.walks {
        map.walks.swap(1, different);
    }
}

/// Tells a whole walk.
#[inline]
fn tell_walk<T: Tracer<Event>>(walk: u32, path: &[u16], tracer: &mut T) {
    if T::LISTENS {
        let mut steps = Steps { walk, tracer };
        (0..).zip(path).for_each(|(row, &col)| steps.step(row, col));
        steps.stand();
    }
}

/// The steps of the walk under way, for those who listen.
struct Steps<'a, T> {
    walk: u32,
    tracer: &'a mut T,
}

impl<T: Tracer<Event>> Steps<'_, T> {
    #[inline(always)]
    fn step(&mut self, row: usize, col: u16) {
        self.tracer.tell(Event::Step { walk: self.walk, row: row as u16, col });
    }

    #[inline(always)]
    fn back(&mut self, row: usize) {
        self.tracer.tell(Event::Back { walk: self.walk, row: row as u16 });
    }

    #[inline(always)]
    fn stand(&mut self) {
        self.tracer.tell(Event::Stand { walk: self.walk });
    }
}

/// One walk as the document describes it: random steps, bounded backtracking, bounded restarts. False if it gave up.
#[inline]
#[expect(clippy::too_many_arguments, reason = "the parts of one walk under way")]
fn draw_free(
    rng: &mut MapRng,
    spec: &WalksSpec,
    scratch: &mut WalkScratch,
    skeleton: &Skeleton,
    starts: u64,
    path: &mut [u16],
    attempts: &mut Attempts,
    steps: &mut Steps<'_, impl Tracer<Event>>,
) -> bool {
    let Some(start) = rng.bit(spec.open[0] & starts) else { return false };
    path[0] = start as u16;
    steps.step(0, path[0]);
    match climb(rng, spec, skeleton, path, &mut scratch.choices, steps) {
        None => true,
        Some(stuck) => mend(rng, spec, scratch, skeleton, (starts, stuck), path, attempts, steps),
    }
}

/// Climbs from the start as far as it goes, and answers with the row on which it is stuck.
#[inline]
fn climb(
    rng: &mut MapRng,
    spec: &WalksSpec,
    skeleton: &Skeleton,
    path: &mut [u16],
    choices: &mut [u64],
    steps: &mut Steps<'_, impl Tracer<Event>>,
) -> Option<usize> {
    let (first, rest) = path.split_first_mut()?;
    let mut col = u32::from(*first);
    let rows = skeleton.row_views().zip(&spec.open[1..]).zip(rest).zip(choices);
    for (row, (((view, open), next), choices)) in rows.enumerate() {
        let near = spec.near[col as usize].draw(rng);
        *choices = near & view.uncrossed(col) & open;
        let Some(chosen) = rng.bit(*choices) else { return Some(row) };
        *next = chosen as u16;
        steps.step(row + 1, *next);
        col = chosen;
    }
    None
}

/// Goes on with a stuck walk: takes back its last steps, starts again, and gives up when both bounds are reached.
#[cold]
#[expect(clippy::too_many_arguments, reason = "the parts of one walk under way")]
fn mend(
    rng: &mut MapRng,
    spec: &WalksSpec,
    scratch: &mut WalkScratch,
    skeleton: &Skeleton,
    (starts, stuck): (u64, usize),
    path: &mut [u16],
    attempts: &mut Attempts,
    steps: &mut Steps<'_, impl Tracer<Event>>,
) -> bool {
    let WalkScratch { choices, dead, .. } = scratch;
    dead.fill(0);
    let mut row = stuck;
    // Decisions below the floor can no longer be taken back. It moves up with the walk and never down.
    let mut floor = row.saturating_sub(spec.depth);
    let mut restarts = 0;
    loop {
        // Every way on from this cell has failed.
        dead[row] |= 1 << path[row];
        steps.back(row);
        if row == floor {
            let start = rng.bit(spec.open[0] & starts & !dead[0]).filter(|_| restarts < spec.restarts);
            let Some(start) = start else { return false };
            restarts += 1;
            attempts.restarts += 1;
            path[0] = start as u16;
            steps.step(0, path[0]);
            (row, floor) = (0, 0);
        } else {
            row -= 1;
            attempts.backtracks += 1;
            choices[row] &= !(1 << path[row + 1] | dead[row + 1]);
            let Some(chosen) = rng.bit(choices[row]) else { continue };
            row += 1;
            path[row] = chosen as u16;
            steps.step(row, path[row]);
        }
        while row + 1 < spec.rows {
            let col = u32::from(path[row]);
            let near = spec.near[col as usize].draw(rng);
            let uncrossed = skeleton.row_view(row).uncrossed(col);
            choices[row] = near & uncrossed & spec.open[row + 1] & !dead[row + 1];
            let Some(chosen) = rng.bit(choices[row]) else { break };
            row += 1;
            path[row] = chosen as u16;
            steps.step(row, path[row]);
            floor = floor.max(row.saturating_sub(spec.depth));
        }
        if row + 1 == spec.rows {
            return true;
        }
    }
}

/// One walk with look-ahead: it steps only onto cells from which the top can be reached, and is never stuck.
#[cold]
fn draw_guided(rng: &mut MapRng, spec: &WalksSpec, skeleton: &Skeleton, starts: u64, path: &mut [u16]) {
    let mut col = rng.bit(spec.hopeful[0] & starts).unwrap_or_default();
    path[0] = col as u16;
    for row in 0..spec.rows - 1 {
        let choices =
            spec.near[col as usize].any() & skeleton.row_view(row).uncrossed(col) & spec.hopeful[row + 1];
        debug_assert_ne!(choices, 0, "look-ahead left no choice at row {row}");
        col = rng.bit(choices).unwrap_or(col);
        path[row + 1] = col as u16;
    }
}

impl WalksSpec {
    /// Checks what only this ruleset knows: walls that cannot be passed, starts that cannot differ, pins that cannot
    /// be met.
    pub(super) fn resolve(
        rows: u16,
        cols: u16,
        walks: u32,
        nearest: u32,
        (depth, restarts): (u32, u32),
        blocked: &[(u16, u16)],
        pins: &[(u16, u16)],
    ) -> Result<WalksSpec, ConfigError> {
        let near: Vec<Near> = (0..u32::from(cols)).map(|col| Near::of(col, cols.into(), nearest)).collect();
        let mut spans = [(0, 0); 64];
        spans.iter_mut().zip(&near).for_each(|(span, near)| *span = near.span());
        let mut open = vec![u64::MAX >> (64 - cols); usize::from(rows)];
        for &(row, col) in blocked {
            open[usize::from(row)] &= !(1 << col);
        }
        let hopeful = pins::hopeful(&near, &open);
        let mut spec = WalksSpec {
            rows: rows.into(),
            cols: cols.into(),
            walks,
            depth: depth as usize,
            restarts,
            spans,
            near,
            open,
            hopeful,
            pinned: Vec::new(),
            pins_apart: false,
            open_ground: false,
        };
        pins::refuse_walls(&spec)?;
        spec.pinned = pins::cover(&spec, pins)?;
        spec.pins_apart = pins::starts_apart(&spec.pinned);
        pins::refuse_equal_starts(&spec)?;
        spec.open_ground =
            blocked.is_empty() && pins.is_empty() && spec.near.iter().all(|near| near.has_no_tie());
        Ok(spec)
    }
}
