//! Fewer turns at the same length: a peephole pass over the path of any method.
//!
//! Most shortest paths over open water differ only in the order of their steps. The pass reads a path as straight *runs* and
//! replaces two or three consecutive runs by a direct connection of at most two (a diagonal and a straight run, or with four
//! neighbours a vertical and a horizontal one) where that is clear of land, just as long, and better: fewer runs, or
//! as many with fewer diagonal steps. It ends when no such replacement is left. Every replacement lowers the number of runs, or
//! keeps it and lowers the number of diagonal steps, so it ends; length, source and target never change.

use super::query::{Metric, Moves, Query, Way};
use crate::grid::Pos;

/// Consecutive steps in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) from: Pos,
    /// Columns and rows of one step, -1 to 1 each.
    pub(super) step: (i32, i32),
    pub(super) len: u16,
}

impl Run {
    /// The run between two tiles of one row, column or diagonal; none if they are the same.
    fn between(from: Pos, to: Pos) -> Option<Run> {
        let (dx, dy) = offset(from, to);
        let len = dx.abs().max(dy.abs());
        (len > 0).then(|| Run { from, step: (dx.signum(), dy.signum()), len: len as u16 })
    }

    /// The tile after `steps` steps.
    fn at(&self, steps: u16) -> Pos {
        let along = |at: u16, step: i32| (i32::from(at) + step * i32::from(steps)) as u16;
        Pos::new(along(self.from.x, self.step.0), along(self.from.y, self.step.1))
    }

    fn end(&self) -> Pos {
        self.at(self.len)
    }

    pub(super) fn is_diagonal(&self) -> bool {
        self.step.0 != 0 && self.step.1 != 0
    }

    /// True if every step is legal on the tiles that are `open`.
    pub(super) fn is_clear(&self, open: impl Fn(Pos) -> bool) -> bool {
        (1..=self.len).all(|i| {
            let (from, to) = (self.at(i - 1), self.at(i));
            open(to) && open(Pos::new(to.x, from.y)) && open(Pos::new(from.x, to.y))
        })
    }
}

/// Scratch buffers of the pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Straightener {
    /// Runs in which nothing is left to replace, from the source on.
    done: Vec<Run>,
    /// Replacements still to be appended, the last first.
    pending: Vec<Run>,
}

impl Straightener {
    /// Straightens a path and counts its steps. Consecutive tiles of `way` may be the ends of longer runs; afterwards every
    /// tile is there. `is_clear` tells whether every step of a run is legal.
    pub(super) fn straighten(&mut self, way: &mut Way, query: &Query, is_clear: impl Fn(&Run) -> bool) {
        self.done.clear();
        let mut at = 0;
        while let Some(run) = self.pending.pop().or_else(|| next_run(&way.tiles, &mut at)) {
            match self.done.last_mut() {
                Some(last) if last.step == run.step => last.len += run.len,
                _ => self.done.push(run),
            }
            if !self.replace_last(3, query, &is_clear) {
                self.replace_last(2, query, &is_clear);
            }
        }
        way.tiles.truncate(1);
        (way.straight, way.diagonal) = (0, 0);
        for run in &self.done {
            let count = if run.is_diagonal() { &mut way.diagonal } else { &mut way.straight };
            *count += u32::from(run.len);
            way.tiles.extend((1..=run.len).map(|i| run.at(i)));
        }
    }

    /// Moves a better connection of the last `count` runs to the pending ones; false if there is none.
    fn replace_last(&mut self, count: usize, query: &Query, is_clear: impl Fn(&Run) -> bool) -> bool {
        let Some(first) = self.done.len().checked_sub(count) else { return false };
        let runs = &self.done[first..];
        let (from, to) = (runs[0].from, runs[count - 1].end());
        let total = |diagonal: bool| -> u32 {
            let runs = runs.iter().filter(|run| run.is_diagonal() == diagonal);
            runs.map(|run| u32::from(run.len)).sum()
        };
        let (straight, diagonal) = (total(false), total(true));
        let (dx, dy) = offset(from, to);
        let (width, height) = (dx.unsigned_abs(), dy.unsigned_abs());
        // The steps of the direct connection, and the tiles where it may turn: diagonal or vertical run first, or last.
        let (new_straight, new_diagonal, turns) = match query.moves {
            Moves::Four => (width + height, 0, [Pos::new(from.x, to.y), Pos::new(to.x, from.y)]),
            Moves::Eight => {
                let slant = width.min(height);
                let toward = |a: Pos, (dx, dy): (i32, i32)| {
                    let step = (dx.signum(), dy.signum());
                    Run { from: a, step, len: slant as u16 }.end()
                };
                (width.max(height) - slant, slant, [toward(from, (dx, dy)), toward(to, (-dx, -dy))])
            }
        };
        let as_long = match query.metric {
            Metric::Octile => (straight, diagonal) == (new_straight, new_diagonal),
            Metric::Steps => straight + diagonal == new_straight + new_diagonal,
        };
        let parts = |turn: Pos| [Run::between(from, turn), Run::between(turn, to)];
        let new_count = parts(turns[0]).iter().flatten().count();
        let better = new_count < count || new_count == count && new_diagonal < diagonal;
        if !as_long || !better {
            return false;
        }
        let before = first.checked_sub(1).map(|before| self.done[before].step);
        let goes_on = |turn: &Pos| parts(*turn)[0].map(|run| run.step) == before;
        let turns = if goes_on(&turns[1]) { [turns[1], turns[0]] } else { turns };
        let Some(turn) = turns.into_iter().find(|&turn| parts(turn).iter().flatten().all(&is_clear)) else {
            return false;
        };
        self.done.truncate(first);
        self.pending.extend(parts(turn).into_iter().flatten().rev());
        true
    }
}

/// The longest run of `tiles` from the place `at` on, which moves to its end.
fn next_run(tiles: &[Pos], at: &mut usize) -> Option<Run> {
    let mut run: Option<Run> = None;
    while let [from, to, ..] = tiles[*at..] {
        let next = Run::between(from, to);
        match (&mut run, next) {
            (Some(run), Some(next)) if run.step == next.step => run.len += next.len,
            (Some(_), Some(_)) => break,
            (None, next) => run = next,
            (_, None) => {}
        }
        *at += 1;
    }
    run
}

fn offset(from: Pos, to: Pos) -> (i32, i32) {
    (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y))
}
