//! Fewer turns at the same length: a peephole pass over the path of any method.
//!
//! Most shortest paths over open water differ only in the order of their steps. The pass reads a path as straight *runs* and
//! replaces consecutive runs by a direct connection of at most two (a diagonal and a straight run, or with four neighbours a
//! vertical and a horizontal one) where that is clear of land, just as long, and better: fewer runs, or as many with fewer
//! diagonal steps. Exponential search finds long stretches to replace; afterwards a peephole pass tries every two and three
//! consecutive runs until no replacement is left. Every replacement lowers the number of runs, or keeps it and lowers the number
//! of diagonal steps, so the pass ends; length, source and target never change.

use super::query::{Metric, Moves, Query, Way};
use wayforge_core::grid::Pos;

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
    #[inline]
    fn between(from: Pos, to: Pos) -> Option<Run> {
        let (dx, dy) = offset(from, to);
        let len = dx.abs().max(dy.abs());
        (len > 0).then(|| Run { from, step: (dx.signum(), dy.signum()), len: len as u16 })
    }

    /// The tile after `steps` steps.
    #[inline]
    fn at(&self, steps: u16) -> Pos {
        let along = |at: u16, step: i32| (i32::from(at) + step * i32::from(steps)) as u16;
        Pos::new(along(self.from.x, self.step.0), along(self.from.y, self.step.1))
    }

    pub(super) fn end(&self) -> Pos {
        self.at(self.len)
    }

    pub(super) fn is_diagonal(&self) -> bool {
        self.step.0 != 0 && self.step.1 != 0
    }

    /// Adds the steps of this run.
    fn count(&self, steps: &mut Steps) {
        steps[usize::from(self.is_diagonal())] += u32::from(self.len);
    }

    /// True if every step is legal on the tiles that are `open`.
    pub(super) fn is_clear(&self, open: impl Fn(Pos) -> bool) -> bool {
        (1..=self.len).all(|i| {
            let (from, to) = (self.at(i - 1), self.at(i));
            open(to) && open(Pos::new(to.x, from.y)) && open(Pos::new(from.x, to.y))
        })
    }
}

/// Numbers of straight and of diagonal steps.
type Steps = [u32; 2];

/// A tile where runs of the given path meet, with the steps up to it.
#[derive(Clone, Copy, Debug)]
struct Corner {
    pos: Pos,
    steps: Steps,
}

/// The direct connection of two tiles over open water.
pub(super) struct Direct {
    ends: [Pos; 2],
    steps: Steps,
    /// Where it may turn: diagonal or vertical run first, or last.
    pub(super) turns: [Pos; 2],
}

impl Direct {
    pub(super) fn new(from: Pos, to: Pos, moves: Moves) -> Direct {
        let (dx, dy) = offset(from, to);
        let (width, height) = (dx.unsigned_abs(), dy.unsigned_abs());
        if moves == Moves::Four {
            let turns = [Pos::new(from.x, to.y), Pos::new(to.x, from.y)];
            return Direct { ends: [from, to], steps: [width + height, 0], turns };
        }
        let diagonal = width.min(height);
        let run = |from: Pos, step: (i32, i32)| Run { from, step, len: diagonal as u16 };
        let turns =
            [run(from, (dx.signum(), dy.signum())).end(), run(to, (-dx.signum(), -dy.signum())).end()];
        Direct { ends: [from, to], steps: [width.max(height) - diagonal, diagonal], turns }
    }

    /// True if a path of so many steps is as long.
    fn is_as_long(&self, steps: Steps, metric: Metric) -> bool {
        match metric {
            Metric::Octile => steps == self.steps,
            Metric::Steps => steps[0] + steps[1] == self.steps[0] + self.steps[1],
        }
    }

    /// The runs by way of a turn.
    fn runs(&self, turn: Pos) -> [Option<Run>; 2] {
        [Run::between(self.ends[0], turn), Run::between(turn, self.ends[1])]
    }

    /// The first turn whose runs are clear; one that goes on in the direction `before` comes first.
    fn clear_turn(
        &self,
        before: Option<(i32, i32)>,
        mut first_is_clear: impl FnMut(&Run) -> bool,
        second_is_clear: impl Fn(&Run) -> bool,
    ) -> Option<Pos> {
        let goes_on = self.runs(self.turns[1])[0].map(|run| run.step) == before;
        let turns = if goes_on { [self.turns[1], self.turns[0]] } else { self.turns };
        turns.into_iter().find(|&turn| {
            let [first, second] = self.runs(turn);
            first.is_none_or(|run| first_is_clear(&run)) && second.is_none_or(|run| second_is_clear(&run))
        })
    }
}

/// Scratch buffers of the pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Straightener {
    corners: Vec<Corner>,
    /// Runs in which nothing is left to replace, from the source on.
    done: Vec<Run>,
    /// Runs to be appended, the last first.
    pending: Vec<Run>,
}

impl Straightener {
    /// Straightens a path and counts its steps. Consecutive tiles of `way` may be the ends of longer runs; afterwards every
    /// tile is there. `is_clear` tells whether every step of a run is legal.
    pub(super) fn straighten(&mut self, way: &mut Way, query: &Query, is_clear: impl Fn(&Run) -> bool) {
        self.read_corners(&way.tiles);
        self.done.clear();
        let mut at = 0;
        loop {
            if self.pending.is_empty() {
                if at + 1 >= self.corners.len() {
                    break;
                }
                at = self.connect_far(at, query, &is_clear);
            }
            let Some(run) = self.pending.pop() else { continue };
            match self.done.last_mut() {
                Some(last) if last.step == run.step => last.len += run.len,
                _ => self.done.push(run),
            }
            if !self.replace_last(3, query, &is_clear) {
                self.replace_last(2, query, &is_clear);
            }
        }
        way.tiles.truncate(1);
        let mut steps = [0, 0];
        for run in &self.done {
            run.count(&mut steps);
            way.tiles.extend((1..=run.len).map(|i| run.at(i)));
        }
        [way.straight, way.diagonal] = steps;
    }

    /// Reads the corners of a path.
    fn read_corners(&mut self, tiles: &[Pos]) {
        self.corners.clear();
        let Some(&pos) = tiles.first() else { return };
        let (mut last, mut corner) = ((0, 0), Corner { pos, steps: [0, 0] });
        for &to in &tiles[1..] {
            let Some(run) = Run::between(corner.pos, to) else { continue };
            if run.step != last {
                self.corners.push(corner);
                last = run.step;
            }
            run.count(&mut corner.steps);
            corner.pos = to;
        }
        self.corners.push(corner);
    }

    /// Appends a direct connection from a corner to one far ahead, or the next run; returns the corner that it ends at.
    fn connect_far(&mut self, at: usize, query: &Query, is_clear: impl Fn(&Run) -> bool) -> usize {
        let from = self.corners[at];
        let before = self.done.last().map(|run| run.step);
        // For each direction the most steps known to be clear from here, and the fewest known not to be.
        let mut known = [(0_u16, u16::MAX); 9];
        let mut first_is_clear = |run: &Run| {
            let (clear, blocked) = &mut known[(4 + 3 * run.step.1 + run.step.0) as usize];
            if run.len > *clear && run.len < *blocked {
                let rest = Run { from: run.at(*clear), len: run.len - *clear, ..*run };
                *(if is_clear(&rest) { &mut *clear } else { blocked }) = run.len;
            }
            run.len <= *clear
        };
        let mut connect = |to: usize| -> Option<(usize, [Option<Run>; 2])> {
            let Corner { pos, steps } = self.corners[to];
            let direct = Direct::new(from.pos, pos, query.moves);
            if !direct.is_as_long([0, 1].map(|kind| steps[kind] - from.steps[kind]), query.metric) {
                return None;
            }
            let turn = direct.clear_turn(before, &mut first_is_clear, &is_clear)?;
            Some((to, direct.runs(turn)))
        };
        let mut best = (at + 1, [Run::between(from.pos, self.corners[at + 1].pos), None]);
        let (mut ahead, mut bad) = (3, self.corners.len());
        while at + ahead < bad {
            match connect(at + ahead) {
                Some(found) => (best, ahead) = (found, 2 * ahead),
                None => bad = at + ahead,
            }
        }
        while ahead > 3 && best.0 + 1 < bad {
            let middle = best.0.midpoint(bad);
            match connect(middle) {
                Some(found) => best = found,
                None => bad = middle,
            }
        }
        self.pending.extend(best.1.into_iter().flatten().rev());
        best.0
    }

    /// Moves a better connection of the last `count` runs to the pending ones; false if there is none.
    fn replace_last(&mut self, count: usize, query: &Query, is_clear: impl Fn(&Run) -> bool) -> bool {
        let Some(first) = self.done.len().checked_sub(count) else { return false };
        let runs = &self.done[first..];
        let mut steps = [0, 0];
        runs.iter().for_each(|run| run.count(&mut steps));
        let direct = Direct::new(runs[0].from, runs[count - 1].end(), query.moves);
        let new_count = direct.runs(direct.turns[0]).iter().flatten().count();
        let better = new_count < count || new_count == count && direct.steps[1] < steps[1];
        if !better || !direct.is_as_long(steps, query.metric) {
            return false;
        }
        let before = first.checked_sub(1).map(|before| self.done[before].step);
        let Some(turn) = direct.clear_turn(before, &is_clear, &is_clear) else { return false };
        self.done.truncate(first);
        self.pending.extend(direct.runs(turn).into_iter().flatten().rev());
        true
    }
}

fn offset(from: Pos, to: Pos) -> (i32, i32) {
    (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y))
}
