//! Act maps by walks (`act.walks/1`): several walks climb the grid one after another without crossing.
//!
//! **What it does.** Each walk starts on a random column of row 0 (the first two on different ones) and steps to one of
//! the nearest columns of the next row, uniformly among those that are open and would cross no edge that is there.
//! A walk that is stuck takes back its last steps, then starts again, both bounded; after that it is drawn with
//! look-ahead. Only finished walks put their nodes and edges on the skeleton, so a walk can never take back what
//! another one uses, and nothing is left to prune.
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

use super::skeleton::Skeleton;
use super::{ActMap, Attempts};
use crate::{ConfigError, MapRng, Seed, Stage};
use near::Near;
use pins::PinnedWalk;

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
    /// The cells of each row that are not blocked.
    open: Vec<u64>,
    /// The open cells of each row from which the top can be reached.
    hopeful: Vec<u64>,
    /// Walks that pins make necessary, from left to right.
    pinned: Vec<PinnedWalk>,
    /// Whether the pinned walks can start on two columns; otherwise the first free walk makes the difference.
    pins_apart: bool,
}

/// Memory that walks need while they are drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkScratch {
    path: Vec<u32>,
    /// Untried candidates of each step of the walk under way.
    untried: Vec<u64>,
    /// Cells found to be dead ends for the walk under way.
    dead: Vec<u64>,
}

/// Draws the walks of `seed` onto `skeleton` and records them on `map`.
pub(super) fn build(
    seed: Seed,
    spec: &WalksSpec,
    scratch: &mut WalkScratch,
    skeleton: &mut Skeleton,
    map: &mut ActMap,
) {
    let mut rng = seed.stream(STAGE);
    skeleton.reset(spec.rows, spec.cols);
    scratch.path.resize(spec.rows, 0);
    scratch.untried.resize(spec.rows, 0);
    scratch.dead.clear();
    scratch.dead.resize(spec.rows, 0);
    pins::draw_pinned(&mut rng, spec, scratch, skeleton, map);
    let pinned = spec.pinned.len() as u32;
    // The walk whose start must differ from the first one's.
    let different = if spec.pins_apart { u32::MAX } else { pinned.max(1) };
    for walk in pinned..spec.walks {
        let other_start = if walk == different { !(1 << map.walks.first_start()) } else { u64::MAX };
        if !draw_free(&mut rng, spec, scratch, skeleton, other_start, &mut map.attempts) {
            map.attempts.guided += 1;
            draw_guided(&mut rng, spec, scratch, skeleton, other_start);
        }
        commit(scratch, skeleton, map);
    }
    if different < spec.walks {
        map.walks.swap(1, different);
    }
}

/// One walk as the document describes it: random steps, bounded backtracking, bounded restarts. False if it gave up.
fn draw_free(
    rng: &mut MapRng,
    spec: &WalksSpec,
    scratch: &mut WalkScratch,
    skeleton: &Skeleton,
    starts: u64,
    attempts: &mut Attempts,
) -> bool {
    let WalkScratch { path, untried, dead, .. } = scratch;
    let (path, untried, dead) = (&mut path[..spec.rows], &mut untried[..spec.rows], &mut dead[..spec.rows]);
    let mut stuck = false;
    let mut left = spec.restarts;
    'start: loop {
        let Some(mut col) = rng.bit(spec.open[0] & starts & !dead[0]) else { break };
        path[0] = col;
        let (mut row, mut floor) = (0, 0);
        while row + 1 < spec.rows {
            let near = spec.near[col as usize].draw(rng);
            let mut choices = near & skeleton.uncrossed(row, col) & spec.open[row + 1] & !dead[row + 1];
            while choices == 0 {
                stuck = true;
                dead[row] |= 1 << path[row];
                if row == floor {
                    if left == 0 {
                        break 'start;
                    }
                    left -= 1;
                    attempts.restarts += 1;
                    continue 'start;
                }
                row -= 1;
                attempts.backtracks += 1;
                choices = untried[row] & !dead[row + 1];
            }
            let Some(next) = rng.bit(choices) else { break 'start };
            untried[row] = choices & !(1 << next);
            row += 1;
            path[row] = next;
            col = next;
            // The window of decisions that may be taken back moves up with the walk and never down.
            floor = floor.max(row.saturating_sub(spec.depth));
        }
        if stuck {
            dead.fill(0);
        }
        return true;
    }
    dead.fill(0);
    false
}

/// One walk with look-ahead: it steps only onto cells from which the top can be reached, and is never stuck.
fn draw_guided(
    rng: &mut MapRng,
    spec: &WalksSpec,
    scratch: &mut WalkScratch,
    skeleton: &Skeleton,
    starts: u64,
) {
    let mut col = rng.bit(spec.hopeful[0] & starts).unwrap_or_default();
    scratch.path[0] = col;
    for row in 0..spec.rows - 1 {
        let choices = spec.near[col as usize].any() & skeleton.uncrossed(row, col) & spec.hopeful[row + 1];
        debug_assert_ne!(choices, 0, "look-ahead left no choice at row {row}");
        col = rng.bit(choices).unwrap_or(col);
        scratch.path[row + 1] = col;
    }
}

/// Puts the finished walk on the skeleton and on the map.
fn commit(scratch: &WalkScratch, skeleton: &mut Skeleton, map: &mut ActMap) {
    let path = &scratch.path[..skeleton.rows()];
    skeleton.add_node(0, path[0]);
    for (row, step) in path.windows(2).enumerate() {
        skeleton.add_node(row + 1, step[1]);
        skeleton.add_edge(row, step[0], step[1]);
    }
    map.walks.push(path.iter().map(|&col| col as u16));
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
            near,
            open,
            hopeful,
            pinned: Vec::new(),
            pins_apart: false,
        };
        pins::refuse_walls(&spec)?;
        spec.pinned = pins::cover(&spec, pins)?;
        spec.pins_apart = pins::starts_apart(&spec.pinned);
        pins::refuse_equal_starts(&spec)?;
        Ok(spec)
    }
}
