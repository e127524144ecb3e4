//! The rules of the rows ruleset, one for each demand.

use super::{View, rules};
use crate::RowsConfig;
use wayforge_core::{Place, Report};

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
    report.check(rules::LANES_MEET, judge.lanes_meet());
}

struct Judge<'a> {
    view: &'a View,
    min: usize,
    max: usize,
    /// How many edges lead to and leave each cell.
    ins: Vec<usize>,
    outs: Vec<usize>,
    sizes: Vec<usize>,
    /// The columns of start and boss; the left middle one where an end is not on a middle column.
    ends: [usize; 2],
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
        let ends = [0, view.rows - 1].map(|row| {
            let on_right = view.present[row * view.cols + view.cols / 2];
            if on_right { view.cols / 2 } else { (view.cols - 1) / 2 }
        });
        Judge {
            view,
            min: config.min_nodes as usize,
            max: config.max_nodes as usize,
            ins,
            outs,
            sizes: sizes.collect(),
            ends,
        }
    }

    /// How many columns of a row lie within its distance from the start and from the boss.
    fn room(&self, row: usize) -> usize {
        let [start, boss] = self.ends;
        let inside = |col: &usize| col.abs_diff(start) <= row && col.abs_diff(boss) < self.view.rows - row;
        (0..self.view.cols).filter(inside).count()
    }

    /// The first and the last row hold one node each, on the middle column or on one of two middle columns.
    fn ends_centred(&self) -> Found {
        let (left, right) = ((self.view.cols - 1) / 2, self.view.cols / 2);
        let middle =
            if left == right { format!("column {left}") } else { format!("column {left} or {right}") };
        let mut found = Found::new();
        for (row, col) in [0, self.view.rows - 1].into_iter().zip(self.ends) {
            if self.sizes[row] != 1 || !self.view.present[row * self.view.cols + col] {
                let why = format!("should hold one node, on {middle}; it holds {}", self.sizes[row]);
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
        far.map(|e| (e.place(), "skips a column".to_owned())).collect()
    }

    /// Of the nodes of a row, as few have more than two edges as nodes of the next row would otherwise have no edge in.
    fn edges_drawn(&self) -> Found {
        let mut found = Found::new();
        for gap in self.view.edges.chunk_by(|a, b| a.row == b.row) {
            let families = gap.chunk_by(|a, b| a.from == b.from).filter(|edges| edges.len() > 2);
            let families: Vec<_> = families.collect();
            let cells = usize::from(gap[0].row) * self.view.cols;
            let (lower, upper) = self.view.present[cells..][..2 * self.view.cols].split_at(self.view.cols);
            let needed = third_edges_needed(lower, upper);
            if families.len() <= needed {
                continue;
            }
            let why = |edges: usize| {
                format!(
                    "{edges} edges leave it; {needed} nodes of its row need more than two, {} have",
                    families.len()
                )
            };
            let places = families
                .iter()
                .map(|edges| (Place::Node { row: gap[0].row, col: edges[0].from }, why(edges.len())));
            found.extend(places);
        }
        found
    }

    /// Without the first and the last row the map is one connected component. On maps of three rows no edge could join the
    /// nodes between.
    fn lanes_meet(&self) -> Option<(Place, String)> {
        let (rows, cols) = (self.view.rows, self.view.cols);
        let inner = |cell: usize| (cols..(rows - 1) * cols).contains(&cell) && self.view.present[cell];
        // Disjoint sets of cells, each cell with its parent.
        let mut parent: Vec<usize> = (0..self.view.present.len()).collect();
        let root = |parent: &mut [usize], mut cell: usize| {
            while parent[cell] != cell {
                parent[cell] = parent[parent[cell]];
                cell = parent[cell];
            }
            cell
        };
        for (lower, upper) in self.view.edges.iter().filter_map(|edge| self.view.ends(edge)) {
            if inner(lower) && inner(upper) {
                let (a, b) = (root(&mut parent, lower), root(&mut parent, upper));
                parent[a] = b;
            }
        }
        let mut cells = (0..parent.len()).filter(|&cell| inner(cell));
        let first = cells.next().filter(|_| rows >= 4).map(|cell| root(&mut parent, cell))?;
        let lost = cells.find(|&cell| root(&mut parent, cell) != first)?;
        Some((self.view.place(lost), "only start and boss connect its lane with the others".to_owned()))
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

/// How many upper nodes are left if every lower node leads to at most two of them. From the left, each upper node takes the
/// leftmost lower node in reach that has an edge left, which no other choice improves on.
fn third_edges_needed(lower: &[bool], upper: &[bool]) -> usize {
    let mut left: Vec<u32> = lower.iter().map(|&there| if there { 2 } else { 0 }).collect();
    let unserved = (0..upper.len()).filter(|&col| upper[col]).filter(|&col| {
        let mut reach = col.saturating_sub(1)..=(col + 1).min(upper.len() - 1);
        reach.find(|&source| left[source] > 0).inspect(|&source| left[source] -= 1).is_none()
    });
    unserved.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn third_edges_are_counted_as_by_trying_every_set_of_edges() {
        const COLS: usize = 5;
        let mut checked = 0;
        for (lower, upper) in (0..1024_usize).map(|rows| (rows >> COLS, rows % (1 << COLS))) {
            let all = (0..COLS).flat_map(|a| (0..COLS).map(move |b| (a, b)));
            let edges: Vec<(usize, usize)> = all
                .filter(|&(a, b)| lower >> a & 1 == 1 && upper >> b & 1 == 1 && a.abs_diff(b) <= 1)
                .collect();
            let triples = (0..1_usize << edges.len()).filter_map(|set| {
                let chosen = || (0..edges.len()).filter(|i| set >> i & 1 == 1).map(|i| edges[i]);
                let (outs, ins) = chosen().fold((0, 0), |(o, i), (a, b)| (o | 1 << a, i | 1 << b));
                if (outs, ins) != (lower, upper)
                    || chosen().any(|(a, b)| chosen().any(|(c, d)| a < c && b > d))
                {
                    return None;
                }
                Some((0..COLS).filter(|&col| chosen().filter(|edge| edge.0 == col).count() > 2).count())
            });
            if let Some(fewest) = triples.min() {
                let there = |mask: usize| (0..COLS).map(|col| mask >> col & 1 == 1).collect::<Vec<bool>>();
                assert_eq!(third_edges_needed(&there(lower), &there(upper)), fewest, "{lower:b} {upper:b}");
                checked += 1;
            }
        }
        assert!(checked > 300, "{checked}");
    }
}
