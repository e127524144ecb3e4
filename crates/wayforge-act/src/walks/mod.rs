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
use pins::Lane;
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
    pinned: Vec<Lane>,
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
    for number in pinned..spec.walks {
        let starts = if number == different { !(1 << map.walks.first_start()) } else { u64::MAX };
        map.walks.push_blank(spec.rows);
        let (path, attempts) = (map.walks.last_mut(), &mut map.attempts);
        let WalkScratch { choices, dead, .. } = scratch;
        let rng = &mut rng;
        let mut walk = Walk { number, rng, spec, skeleton, starts, path, choices, dead, attempts, tracer };
        if !walk.draw_free() {
            walk.draw_guided();
        }
        tracer.tell(Event::Stand { walk: number });
        skeleton.add_walk(map.walks.last_mut());
    }
    if different < spec.walks {
        map.walks.swap(1, different);
    }
}

/// Tells a whole walk.
#[inline]
fn tell_walk<T: Tracer<Event>>(walk: u32, path: &[u16], tracer: &mut T) {
    if T::LISTENS {
        (0..).zip(path).for_each(|(row, &col)| tracer.tell(Event::Step { walk, row, col }));
        tracer.tell(Event::Stand { walk });
    }
}

/// A walk while it is drawn.
struct Walk<'a, T> {
    number: u32,
    rng: &'a mut MapRng,
    spec: &'a WalksSpec,
    skeleton: &'a Skeleton,
    /// The columns that it may start on.
    starts: u64,
    path: &'a mut [u16],
    choices: &'a mut [u64],
    dead: &'a mut [u64],
    attempts: &'a mut Attempts,
    tracer: &'a mut T,
}

impl<T: Tracer<Event>> Walk<'_, T> {
    #[inline(always)]
    fn step(&mut self, row: usize, col: u32) {
        self.path[row] = col as u16;
        self.tracer.tell(Event::Step { walk: self.number, row: row as u16, col: col as u16 });
    }

    /// One walk as the document describes it: random steps, bounded backtracking, bounded restarts. False if it gave up.
    #[inline]
    fn draw_free(&mut self) -> bool {
        let Some(start) = self.rng.bit(self.spec.open[0] & self.starts) else { return false };
        self.step(0, start);
        match self.climb() {
            None => true,
            Some(stuck) => self.mend(stuck),
        }
    }

    /// Climbs from the start as far as it goes, and returns the row on which it is stuck.
    #[inline]
    fn climb(&mut self) -> Option<usize> {
        let (first, rest) = self.path.split_first_mut()?;
        let mut col = u32::from(*first);
        let rows = self.skeleton.row_views().zip(&self.spec.open[1..]).zip(rest).zip(&mut *self.choices);
        for (row, (((view, open), next), choices)) in rows.enumerate() {
            let near = self.spec.near[col as usize].draw(self.rng);
            *choices = near & view.uncrossed(col) & open;
            let Some(chosen) = self.rng.bit(*choices) else { return Some(row) };
            *next = chosen as u16;
            self.tracer.tell(Event::Step { walk: self.number, row: row as u16 + 1, col: *next });
            col = chosen;
        }
        None
    }

    /// Goes on with a stuck walk: takes back its last steps, starts again, and gives up when both bounds are reached.
    #[cold]
    fn mend(&mut self, stuck: usize) -> bool {
        let spec = self.spec;
        self.dead.fill(0);
        let mut row = stuck;
        // Decisions below the floor can no longer be taken back. It moves up with the walk and never down.
        let mut floor = row.saturating_sub(spec.depth);
        let mut restarts = 0;
        loop {
            // Every way on from this cell has failed.
            self.dead[row] |= 1 << self.path[row];
            self.tracer.tell(Event::Back { walk: self.number, row: row as u16 });
            if row == floor {
                let start = self.rng.bit(spec.open[0] & self.starts & !self.dead[0]);
                let Some(start) = start.filter(|_| restarts < spec.restarts) else { return false };
                restarts += 1;
                self.attempts.restarts += 1;
                self.step(0, start);
                (row, floor) = (0, 0);
            } else {
                row -= 1;
                self.attempts.backtracks += 1;
                self.choices[row] &= !(1 << self.path[row + 1] | self.dead[row + 1]);
                let Some(chosen) = self.rng.bit(self.choices[row]) else { continue };
                row += 1;
                self.step(row, chosen);
            }
            while row + 1 < spec.rows {
                let col = u32::from(self.path[row]);
                let near = spec.near[col as usize].draw(self.rng);
                let uncrossed = self.skeleton.row_view(row).uncrossed(col);
                self.choices[row] = near & uncrossed & spec.open[row + 1] & !self.dead[row + 1];
                let Some(chosen) = self.rng.bit(self.choices[row]) else { break };
                row += 1;
                self.step(row, chosen);
                floor = floor.max(row.saturating_sub(spec.depth));
            }
            if row + 1 == spec.rows {
                return true;
            }
        }
    }

    /// One walk with look-ahead: it steps only onto cells from which the top can be reached, and is never stuck.
    #[cold]
    fn draw_guided(&mut self) {
        let spec = self.spec;
        self.attempts.guided += 1;
        let mut col = self.rng.bit(spec.hopeful[0] & self.starts).unwrap_or_default();
        self.step(0, col);
        for row in 0..spec.rows - 1 {
            let uncrossed = self.skeleton.row_view(row).uncrossed(col);
            let choices = spec.near[col as usize].any() & uncrossed & spec.hopeful[row + 1];
            debug_assert_ne!(choices, 0, "look-ahead left no choice at row {row}");
            col = self.rng.bit(choices).unwrap_or(col);
            self.step(row + 1, col);
        }
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
        pins::reject_walls(&spec)?;
        spec.pinned = pins::cover(&spec, pins)?;
        spec.pins_apart = pins::starts_apart(&spec.pinned);
        spec.open_ground =
            blocked.is_empty() && pins.is_empty() && spec.near.iter().all(|near| near.has_no_tie());
        Ok(spec)
    }
}
