//! Straightening: reduces the turns of a path without changing its length.
//!
//! Most shortest paths over open tiles differ only in the order of their steps. The pass splits a
//! path into straight *runs*. It replaces consecutive runs by a direct connection of at most two: a
//! diagonal and a straight run, or with four neighbours a vertical and a horizontal one. A
//! replacement must be clear and equally long. It must have fewer runs, or as many with fewer
//! diagonal steps.
//!
//! Exponential search finds long stretches to replace. A peephole pass then tries every two and
//! three consecutive runs until no replacement is left. Each replacement lowers the number of runs,
//! or keeps it and lowers the number of diagonal steps, so the pass terminates. Length, source and
//! target never change.

use super::query::{Connectivity, Metric, Path, Query};
use wayforge_core::grid::Pos;

/// Consecutive steps in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) from: Pos,
    /// Column and row difference of one step, each -1 to 1.
    pub(super) step: (i32, i32),
    pub(super) len: u16,
}

impl Run {
    /// Returns the run between two tiles of one row, column or diagonal, or `None` if they are
    /// equal.
    #[inline]
    fn between(from: Pos, to: Pos) -> Option<Run> {
        let (dx, dy) = offset(from, to);
        let len = dx.abs().max(dy.abs());
        (len > 0).then(|| Run { from, step: (dx.signum(), dy.signum()), len: len as u16 })
    }

    /// Returns the tile after `steps` steps.
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

    /// Adds the length of this run to `steps`.
    fn count(&self, steps: &mut Steps) {
        steps[usize::from(self.is_diagonal())] += u32::from(self.len);
    }

    /// Returns true if every step is legal, given a predicate for open tiles.
    pub(super) fn is_clear(&self, open: impl Fn(Pos) -> bool) -> bool {
        (1..=self.len).all(|i| {
            let (from, to) = (self.at(i - 1), self.at(i));
            open(to) && open(Pos::new(to.x, from.y)) && open(Pos::new(from.x, to.y))
        })
    }
}

/// Number of straight and of diagonal steps.
type Steps = [u32; 2];

/// Tile between two runs of the original path, with the number of steps up to it.
#[derive(Clone, Copy, Debug)]
struct Corner {
    pos: Pos,
    steps: Steps,
}

/// Direct connection of two tiles, ignoring obstacles.
pub(super) struct Direct {
    ends: [Pos; 2],
    steps: Steps,
    /// The two possible corners: with the diagonal (or vertical) run first, or last.
    pub(super) turns: [Pos; 2],
}

impl Direct {
    pub(super) fn new(from: Pos, to: Pos, connectivity: Connectivity) -> Direct {
        let (dx, dy) = offset(from, to);
        let (width, height) = (dx.unsigned_abs(), dy.unsigned_abs());
        if connectivity == Connectivity::Four {
            let turns = [Pos::new(from.x, to.y), Pos::new(to.x, from.y)];
            return Direct { ends: [from, to], steps: [width + height, 0], turns };
        }
        let diagonal = width.min(height);
        let run = |from: Pos, step: (i32, i32)| Run { from, step, len: diagonal as u16 };
        let turns = [
            run(from, (dx.signum(), dy.signum())).end(),
            run(to, (-dx.signum(), -dy.signum())).end(),
        ];
        Direct { ends: [from, to], steps: [width.max(height) - diagonal, diagonal], turns }
    }

    /// Returns true if a path with these steps is equally long.
    fn has_equal_length(&self, steps: Steps, metric: Metric) -> bool {
        match metric {
            Metric::Octile => steps == self.steps,
            Metric::Steps => steps[0] + steps[1] == self.steps[0] + self.steps[1],
        }
    }

    /// Returns the runs before and after a turn.
    fn runs(&self, turn: Pos) -> [Option<Run>; 2] {
        [Run::between(self.ends[0], turn), Run::between(turn, self.ends[1])]
    }

    /// Returns a turn whose runs are clear; prefers one that continues in direction `before`.
    fn clear_turn(
        &self,
        before: Option<(i32, i32)>,
        mut first_is_clear: impl FnMut(&Run) -> bool,
        second_is_clear: impl Fn(&Run) -> bool,
    ) -> Option<Pos> {
        let continues = self.runs(self.turns[1])[0].map(|run| run.step) == before;
        let turns = if continues { [self.turns[1], self.turns[0]] } else { self.turns };
        turns.into_iter().find(|&turn| {
            let [first, second] = self.runs(turn);
            first.is_none_or(|run| first_is_clear(&run))
                && second.is_none_or(|run| second_is_clear(&run))
        })
    }
}

/// Scratch buffers of the pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Straightener {
    corners: Vec<Corner>,
    /// Final runs, from the source on.
    done: Vec<Run>,
    /// Runs to append, in reverse order.
    pending: Vec<Run>,
}

impl Straightener {
    /// Straightens a path and sets its step counts.
    ///
    /// Consecutive tiles of `path` may be the ends of longer runs; afterwards the path contains
    /// every tile. `is_clear` returns true if every step of a run is legal.
    pub(super) fn straighten(
        &mut self,
        path: &mut Path,
        query: &Query,
        is_clear: impl Fn(&Run) -> bool,
    ) {
        self.read_corners(&path.tiles);
        self.done.clear();
        let mut corner = 0;
        loop {
            if self.pending.is_empty() {
                if corner + 1 >= self.corners.len() {
                    break;
                }
                corner = self.connect_far(corner, query, &is_clear);
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
        path.tiles.truncate(1);
        let mut steps = [0, 0];
        for run in &self.done {
            run.count(&mut steps);
            path.tiles.extend((1..=run.len).map(|i| run.at(i)));
        }
        [path.straight_steps, path.diagonal_steps] = steps;
    }

    /// Extracts the corners of a path.
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

    /// Adds a direct connection from a corner to one far ahead, or the next run, to the pending
    /// runs.
    ///
    /// Returns the index of the corner where it ends.
    fn connect_far(
        &mut self,
        start: usize,
        query: &Query,
        is_clear: impl Fn(&Run) -> bool,
    ) -> usize {
        let from = self.corners[start];
        let before = self.done.last().map(|run| run.step);
        // By direction: the longest run known to be clear, and the shortest known to be blocked.
        let mut limits = [(0_u16, u16::MAX); 9];
        let mut first_is_clear = |run: &Run| {
            let (clear, blocked) = &mut limits[(4 + 3 * run.step.1 + run.step.0) as usize];
            if run.len > *clear && run.len < *blocked {
                let rest = Run { from: run.at(*clear), len: run.len - *clear, ..*run };
                *(if is_clear(&rest) { &mut *clear } else { blocked }) = run.len;
            }
            run.len <= *clear
        };
        let mut connect = |to: usize| -> Option<(usize, [Option<Run>; 2])> {
            let Corner { pos, steps } = self.corners[to];
            let direct = Direct::new(from.pos, pos, query.connectivity);
            if !direct
                .has_equal_length([0, 1].map(|kind| steps[kind] - from.steps[kind]), query.metric)
            {
                return None;
            }
            let turn = direct.clear_turn(before, &mut first_is_clear, &is_clear)?;
            Some((to, direct.runs(turn)))
        };
        let mut best = (start + 1, [Run::between(from.pos, self.corners[start + 1].pos), None]);
        let (mut ahead, mut limit) = (3, self.corners.len());
        while start + ahead < limit {
            match connect(start + ahead) {
                Some(found) => (best, ahead) = (found, 2 * ahead),
                None => limit = start + ahead,
            }
        }
        while ahead > 3 && best.0 + 1 < limit {
            let middle = best.0.midpoint(limit);
            match connect(middle) {
                Some(found) => best = found,
                None => limit = middle,
            }
        }
        self.pending.extend(best.1.into_iter().flatten().rev());
        best.0
    }

    /// Removes the last `count` runs and adds a better connection to the pending runs.
    ///
    /// Returns false, and changes nothing, if there is none.
    fn replace_last(
        &mut self,
        count: usize,
        query: &Query,
        is_clear: impl Fn(&Run) -> bool,
    ) -> bool {
        let Some(first) = self.done.len().checked_sub(count) else { return false };
        let runs = &self.done[first..];
        let mut steps = [0, 0];
        runs.iter().for_each(|run| run.count(&mut steps));
        let direct = Direct::new(runs[0].from, runs[count - 1].end(), query.connectivity);
        let new_count = direct.runs(direct.turns[0]).iter().flatten().count();
        let better = new_count < count || new_count == count && direct.steps[1] < steps[1];
        if !better || !direct.has_equal_length(steps, query.metric) {
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
