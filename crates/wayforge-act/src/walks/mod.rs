//! The walks ruleset (`act.walks/1`): random walks climb the grid without crossing.
//!
//! Each walk starts on a random column of row 0; the first two start on different columns. A step
//! goes to one of the nearest columns of the next row, uniformly among those that are open and
//! cross no existing edge. A stuck walk backtracks, then restarts, both within limits. After that
//! it uses look-ahead. A walk is committed to the skeleton only when it has reached the top row. So
//! backtracking never removes an edge of another walk, and nothing has to be pruned. On
//! unrestricted grids no walk can get stuck, and all walks are generated [row by row](row_by_row).
//!
//! # Correctness
//! Every resolved configuration has a map. Two walks are *ordered* if one is nowhere to the right
//! of the other. The nearest columns of a column form an interval, and its ends do not decrease
//! with the column. So the row-wise minimum and maximum of two walks are walks. Take a walk over
//! open cells from any cell to the top, and clamp it between the finished walks beside it. The
//! result crosses nothing, so a walk with look-ahead never gets stuck.
//!
//! # Determinism
//! Uses one stream, `act.walks`.
//!
//! # Complexity
//! O(rows * walks), independent of the number of columns: each step is a few word operations.

mod nearest;
mod pins;
mod row_by_row;

use super::skeleton::Skeleton;
use super::{ActMap, Attempts, Event};
use nearest::NearestColumns;
use pins::Corridor;
use wayforge_core::trace::Tracer;
use wayforge_core::{ConfigError, MapRng, Seed, StreamId};

const STREAM: StreamId = StreamId::named("act.walks");

/// Checked configuration of the walks ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WalksSpec {
    rows: usize,
    cols: usize,
    walks: u32,
    depth: usize,
    restarts: u32,
    /// Nearest columns of each column.
    nearest: Vec<NearestColumns>,
    /// First and last nearest column of each column.
    spans: [(u8, u8); 64],
    /// Per row: the columns that are not blocked.
    open: Vec<u64>,
    /// Per row: the open columns from which the top row can be reached.
    reaches_top: Vec<u64>,
    /// Corridors of the walks that pass the pins, from left to right.
    pinned: Vec<Corridor>,
    /// Whether two pinned walks can start on different columns. If not, the first free walk does.
    pins_apart: bool,
    /// Whether there are no blocked cells, pins or ties, so that no walk can get stuck.
    unrestricted: bool,
}

/// Scratch buffers of walks.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkScratch {
    /// Per row: the untried choices of the current walk.
    choices: Vec<u64>,
    /// Per row: the columns that are dead ends for the current walk.
    dead: Vec<u64>,
    positions: row_by_row::Positions,
}

/// Generates the walks of one attempt into `skeleton` and `map.walks`.
pub(super) fn build(
    seed: &Seed,
    attempt: u32,
    spec: &WalksSpec,
    scratch: &mut WalkScratch,
    skeleton: &mut Skeleton,
    map: &mut ActMap,
    tracer: &mut impl Tracer<Event>,
) {
    let mut rng = seed.stream(STREAM.attempt(attempt));
    skeleton.reset(spec.rows, spec.cols);
    if spec.unrestricted {
        row_by_row::generate(rng, spec, &mut scratch.positions, skeleton, map);
        return map.walks.iter().zip(0..).for_each(|(path, walk)| record_walk(walk, path, tracer));
    }
    scratch.choices.resize(spec.rows, 0);
    scratch.dead.resize(spec.rows, 0);
    pins::generate_pinned(&mut rng, spec, skeleton, map);
    map.walks.iter().zip(0..).for_each(|(path, walk)| record_walk(walk, path, tracer));
    let pinned = spec.pinned.len() as u32;
    // The walk whose start must differ from that of the first walk.
    let different = if spec.pins_apart { u32::MAX } else { pinned.max(1) };
    for number in pinned..spec.walks {
        let starts = if number == different { !(1 << map.walks.first_start()) } else { u64::MAX };
        map.walks.push_zeros(spec.rows);
        let (path, attempts) = (map.walks.last_mut(), &mut map.attempts);
        let WalkScratch { choices, dead, .. } = scratch;
        let rng = &mut rng;
        let mut walk =
            Walk { number, rng, spec, skeleton, starts, path, choices, dead, attempts, tracer };
        if !walk.try_random() {
            walk.walk_with_look_ahead();
        }
        tracer.record(Event::Commit { walk: number });
        skeleton.add_walk(map.walks.last_mut());
    }
    if different < spec.walks {
        map.walks.swap(1, different);
    }
}

/// Records the events of a complete walk.
#[inline]
fn record_walk<T: Tracer<Event>>(walk: u32, path: &[u16], tracer: &mut T) {
    if T::ENABLED {
        (0..).zip(path).for_each(|(row, &col)| tracer.record(Event::Step { walk, row, col }));
        tracer.record(Event::Commit { walk });
    }
}

/// A walk under construction.
struct Walk<'a, T> {
    number: u32,
    rng: &'a mut MapRng,
    spec: &'a WalksSpec,
    skeleton: &'a Skeleton,
    /// Columns on which the walk may start.
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
        self.tracer.record(Event::Step { walk: self.number, row: row as u16, col: col as u16 });
    }

    /// Walks with random steps, limited backtracking and restarts. Returns false if it fails.
    #[inline]
    fn try_random(&mut self) -> bool {
        let Some(start) = self.rng.choose_bit(self.spec.open[0] & self.starts) else {
            return false;
        };
        self.step(0, start);
        match self.climb() {
            None => true,
            Some(stuck) => self.backtrack_and_restart(stuck),
        }
    }

    /// Climbs from the start without backtracking. Returns the row on which the walk gets stuck.
    #[inline]
    fn climb(&mut self) -> Option<usize> {
        let (first, rest) = self.path.split_first_mut()?;
        let mut col = u32::from(*first);
        let rows =
            self.skeleton.row_views().zip(&self.spec.open[1..]).zip(rest).zip(&mut *self.choices);
        for (row, (((view, open), next), choices)) in rows.enumerate() {
            let nearest = self.spec.nearest[col as usize].draw(self.rng);
            *choices = nearest & view.uncrossed(col) & open;
            let Some(chosen) = self.rng.choose_bit(*choices) else { return Some(row) };
            *next = chosen as u16;
            self.tracer.record(Event::Step { walk: self.number, row: row as u16 + 1, col: *next });
            col = chosen;
        }
        None
    }

    /// Continues a stuck walk: backtracks, then restarts. Returns false if both limits are reached.
    #[cold]
    fn backtrack_and_restart(&mut self, stuck: usize) -> bool {
        let spec = self.spec;
        self.dead.fill(0);
        let mut row = stuck;
        // Lowest row to backtrack to. It rises with the walk and falls only at a restart.
        let mut floor = row.saturating_sub(spec.depth);
        let mut restarts = 0;
        loop {
            // Every continuation from this cell has failed.
            self.dead[row] |= 1 << self.path[row];
            self.tracer.record(Event::Backtrack { walk: self.number, row: row as u16 });
            if row == floor {
                let start = self.rng.choose_bit(spec.open[0] & self.starts & !self.dead[0]);
                let Some(start) = start.filter(|_| restarts < spec.restarts) else { return false };
                restarts += 1;
                self.attempts.restarts += 1;
                self.step(0, start);
                (row, floor) = (0, 0);
            } else {
                row -= 1;
                self.attempts.backtracks += 1;
                self.choices[row] &= !(1 << self.path[row + 1] | self.dead[row + 1]);
                let Some(chosen) = self.rng.choose_bit(self.choices[row]) else { continue };
                row += 1;
                self.step(row, chosen);
            }
            while row + 1 < spec.rows {
                let col = u32::from(self.path[row]);
                let nearest = spec.nearest[col as usize].draw(self.rng);
                let uncrossed = self.skeleton.row_view(row).uncrossed(col);
                self.choices[row] = nearest & uncrossed & spec.open[row + 1] & !self.dead[row + 1];
                let Some(chosen) = self.rng.choose_bit(self.choices[row]) else { break };
                row += 1;
                self.step(row, chosen);
                floor = floor.max(row.saturating_sub(spec.depth));
            }
            if row + 1 == spec.rows {
                return true;
            }
        }
    }

    /// Walks only over cells from which the top row can be reached. Never gets stuck.
    #[cold]
    fn walk_with_look_ahead(&mut self) {
        let spec = self.spec;
        self.attempts.guided += 1;
        let mut col = self.rng.choose_bit(spec.reaches_top[0] & self.starts).unwrap_or_default();
        self.step(0, col);
        for row in 0..spec.rows - 1 {
            let uncrossed = self.skeleton.row_view(row).uncrossed(col);
            let choices = spec.nearest[col as usize].any() & uncrossed & spec.reaches_top[row + 1];
            debug_assert_ne!(choices, 0, "look-ahead finds no choice at row {row}");
            col = self.rng.choose_bit(choices).unwrap_or(col);
            self.step(row + 1, col);
        }
    }
}

impl WalksSpec {
    /// Checks the parts that only this ruleset has.
    ///
    /// # Errors
    /// Blocked cells separate the bottom from the top, the first two walks cannot start on
    /// different columns, or the walks cannot pass all pins.
    pub(super) fn resolve(
        rows: u16,
        cols: u16,
        walks: u32,
        nearest: u32,
        (depth, restarts): (u32, u32),
        blocked: &[(u16, u16)],
        pins: &[(u16, u16)],
    ) -> Result<WalksSpec, ConfigError> {
        let nearest: Vec<NearestColumns> = (0..u32::from(cols))
            .map(|col| NearestColumns::new(col, cols.into(), nearest))
            .collect();
        let mut spans = [(0, 0); 64];
        spans.iter_mut().zip(&nearest).for_each(|(span, nearest)| *span = nearest.span());
        let mut open = vec![u64::MAX >> (64 - cols); usize::from(rows)];
        for &(row, col) in blocked {
            open[usize::from(row)] &= !(1 << col);
        }
        let reaches_top = pins::reaches_top(&nearest, &open);
        let mut spec = WalksSpec {
            rows: rows.into(),
            cols: cols.into(),
            walks,
            depth: depth as usize,
            restarts,
            spans,
            nearest,
            open,
            reaches_top,
            pinned: Vec::new(),
            pins_apart: false,
            unrestricted: false,
        };
        pins::reject_barriers(&spec)?;
        spec.pinned = pins::cover(&spec, pins)?;
        spec.pins_apart = pins::can_start_apart(&spec.pinned);
        spec.unrestricted = blocked.is_empty()
            && pins.is_empty()
            && spec.nearest.iter().all(|nearest| nearest.has_no_tie());
        Ok(spec)
    }
}
