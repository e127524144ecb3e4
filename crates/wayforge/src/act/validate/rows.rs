//! The rules of the rows ruleset, one for each demand.

use super::{View, rules};
use crate::act::RowsConfig;
use crate::{Place, Report};

pub(super) fn check(config: &RowsConfig, view: &View, report: &mut Report) {
    let judge = Judge::new(config, view);
    report.check(rules::ENDS_CENTRED, judge.ends_centred());
    report.check(rules::ROW_SIZES, judge.row_sizes());
    report.check(rules::ROWS_EVEN, judge.rows_even());
    report.check(rules::EDGE_REACH, judge.edge_reach());
    report.check(rules::EDGES_DRAWN, judge.edges_drawn());
    report.check(rules::WAY_IN, judge.ways(&judge.ins, 0, "no edge leads to the node"));
    report.check(rules::WAY_OUT, judge.ways(&judge.outs, view.rows - 1, "no edge leaves the node"));
    report.check(rules::NO_ORPHANS, judge.no_orphans());
}

struct Judge<'a> {
    view: &'a View,
    min: usize,
    max: usize,
    /// How many edges lead to and leave each cell.
    ins: Vec<usize>,
    outs: Vec<usize>,
    sizes: Vec<usize>,
}

type Found = Vec<(Place, String)>;

impl Judge<'_> {
    fn new<'a>(config: &RowsConfig, view: &'a View) -> Judge<'a> {
        let (mut ins, mut outs) = (vec![0; view.present.len()], vec![0; view.present.len()]);
        for (lower, upper) in view.edges.iter().filter_map(|edge| view.ends(edge)) {
            outs[lower] += 1;
            ins[upper] += 1;
        }
        let sizes = view.present.chunks(view.cols).map(|row| row.iter().filter(|&&there| there).count());
        Judge {
            view,
            min: config.min_nodes as usize,
            max: config.max_nodes as usize,
            ins,
            outs,
            sizes: sizes.collect(),
        }
    }

    /// How many columns of a row lie within its distance from the start and from the boss.
    fn room(&self, row: usize) -> usize {
        let middle = (self.view.cols - 1) / 2;
        let reach = row.min(self.view.rows - 1 - row);
        (0..self.view.cols).filter(|col| col.abs_diff(middle) <= reach).count()
    }

    /// The first and the last row hold one node each, on the middle column (of two, the left one).
    fn ends_centred(&self) -> Found {
        let middle = (self.view.cols - 1) / 2;
        let mut found = Found::new();
        for row in [0, self.view.rows - 1] {
            if self.sizes[row] != 1 || !self.view.present[row * self.view.cols + middle] {
                let why = format!("should hold one node, on column {middle}; it holds {}", self.sizes[row]);
                found.push((Place::Row(row as u16), why));
            }
        }
        found
    }

    /// Rows between them hold from the least to the most number of nodes, as far as both cones leave room.
    fn row_sizes(&self) -> Found {
        let rows = (1..self.view.rows - 1).filter_map(|row| {
            let (room, size) = (self.room(row), self.sizes[row]);
            let (min, max) = (self.min.min(room), self.max.min(room));
            let why = || format!("holds {size} nodes instead of {min} to {max} (room for {room})");
            (!(min..=max).contains(&size)).then(|| (Place::Row(row as u16), why()))
        });
        rows.collect()
    }

    /// Neighbouring rows between them differ by at most one node, unless the least number of nodes fills a cone.
    fn rows_even(&self) -> Found {
        let least = |row: usize| self.min.min(self.room(row));
        let rows = (1..self.view.rows.saturating_sub(2)).filter_map(|row| {
            let (here, next) = (self.sizes[row], self.sizes[row + 1]);
            let forced = if next > here { next == least(row + 1) } else { here == least(row) };
            let why = || format!("{here} nodes, the next row has {next}");
            (here.abs_diff(next) > 1 && !forced).then(|| (Place::Row(row as u16), why()))
        });
        rows.collect()
    }

    /// Edges lead to the same or a neighbouring column.
    fn edge_reach(&self) -> Found {
        let far = self.view.edges.iter().filter(|edge| edge.from.abs_diff(edge.to) > 1);
        far.map(|e| (Place::Edge { row: e.row, from: e.from, to: e.to }, "skips a column".to_owned()))
            .collect()
    }

    /// A node has more than two edges only to nodes that have no other way in.
    fn edges_drawn(&self) -> Found {
        let mut found = Found::new();
        for family in self.view.edges.chunk_by(|a, b| (a.row, a.from) == (b.row, b.from)) {
            let needed = family
                .iter()
                .filter(|edge| self.view.ends(edge).is_some_and(|(_, upper)| self.ins[upper] == 1));
            if family.len() > 2 + needed.count() {
                let place = Place::Node { row: family[0].row, col: family[0].from };
                found.push((
                    place,
                    format!("{} edges leave it, more than two and more than needed", family.len()),
                ));
            }
        }
        found
    }

    fn ways(&self, ways: &[usize], except: usize, why: &str) -> Found {
        let cells = (0..self.view.present.len()).filter(|cell| cell / self.view.cols != except);
        let lost = cells.filter(|&cell| self.view.present[cell] && ways[cell] == 0);
        lost.map(|cell| (self.view.place(cell), why.to_owned())).collect()
    }

    /// Every node lies on a way from the first row to the last.
    fn no_orphans(&self) -> Found {
        let (cells, last) = (self.view.present.len(), (self.view.rows - 1) * self.view.cols);
        let mut from_start: Vec<bool> =
            (0..cells).map(|cell| cell < self.view.cols && self.view.present[cell]).collect();
        let mut to_boss: Vec<bool> = (0..cells).map(|cell| cell >= last && self.view.present[cell]).collect();
        let ends: Vec<(usize, usize)> =
            self.view.edges.iter().filter_map(|edge| self.view.ends(edge)).collect();
        for &(lower, upper) in &ends {
            from_start[upper] |= from_start[lower] && self.view.present[upper];
        }
        for &(lower, upper) in ends.iter().rev() {
            to_boss[lower] |= to_boss[upper] && self.view.present[lower];
        }
        let lost = (0..cells).filter(|&cell| self.view.present[cell] && !(from_start[cell] && to_boss[cell]));
        lost.map(|cell| (self.view.place(cell), "lies on no way from start to boss".to_owned())).collect()
    }
}
