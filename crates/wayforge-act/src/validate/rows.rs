//! The rules of the rows ruleset, one for each demand.

use super::{Found, View, rules};
use crate::RowsConfig;
use wayforge_core::{Place, Report};

pub(super) fn check(config: &RowsConfig, view: &View, report: &mut Report) {
    let checker = Checker::new(config, view);
    report.check(rules::ENDS_CENTRED, checker.ends_centred());
    report.check(rules::ROW_SIZES, checker.row_sizes());
    report.check(rules::ROWS_EVEN, checker.rows_even());
    report.check(rules::EDGE_REACH, view.edge_reach());
    report.check(rules::EDGES_DRAWN, checker.edges_drawn());
    report.check(rules::WAY_IN, view.way_in());
    report.check(rules::WAY_OUT, view.way_out());
    report.check(rules::NO_ORPHANS, checker.no_orphans());
    report.check(rules::LANES_MEET, checker.lanes_meet());
}

struct Checker<'a> {
    view: &'a View,
    min: usize,
    max: usize,
    sizes: Vec<usize>,
    /// The columns of start and boss; the left middle one where an end is not on a middle column.
    ends: [usize; 2],
}

impl Checker<'_> {
    fn new<'a>(config: &RowsConfig, view: &'a View) -> Checker<'a> {
        let sizes = view.present.chunks(view.cols).map(|row| row.iter().filter(|&&there| there).count());
        let ends = [0, view.rows - 1].map(|row| {
            let on_right = view.present[row * view.cols + view.cols / 2];
            if on_right { view.cols / 2 } else { (view.cols - 1) / 2 }
        });
        let (min, max) = (config.min_nodes as usize, config.max_nodes as usize);
        Checker { view, min, max, sizes: sizes.collect(), ends }
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
        let ends = [0, self.view.rows - 1].into_iter().zip(self.ends);
        let wrong =
            ends.filter(|&(row, col)| self.sizes[row] != 1 || !self.view.present[row * self.view.cols + col]);
        let why = |row: usize| format!("should hold one node, on {middle}; it holds {}", self.sizes[row]);
        wrong.map(|(row, _)| (Place::Row(row as u16), why(row))).collect()
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

    /// Of the nodes of a row, as few have more than two edges as nodes of the next row would otherwise have no edge in.
    fn edges_drawn(&self) -> Found {
        let mut found = Found::new();
        for gap in self.view.edges.chunk_by(|a, b| a.row == b.row) {
            let families = gap.chunk_by(|a, b| a.from == b.from).filter(|edges| edges.len() > 2);
            let families: Vec<_> = families.collect();
            let cells = usize::from(gap[0].row) * self.view.cols;
            let (lower, upper) = self.view.present[cells..][..2 * self.view.cols].split_at(self.view.cols);
            let (needed, count) = (third_edges_needed(lower, upper), families.len());
            if count > needed {
                found.extend(families.into_iter().map(|edges| {
                    let why = format!(
                        "{} edges leave it; {needed} nodes of its row need more than two, {count} have",
                        edges.len()
                    );
                    (Place::Node { row: gap[0].row, col: edges[0].from }, why)
                }));
            }
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
        for (lower, upper) in self.view.edges.iter().map(|edge| self.view.ends(edge)) {
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

    /// Every node lies on a path from the first row to the last.
    fn no_orphans(&self) -> Found {
        let View { present, cols, edges, .. } = self.view;
        let mut from_start = vec![false; present.len()];
        let mut to_boss = from_start.clone();
        let last = present.len() - cols;
        from_start[..*cols].copy_from_slice(&present[..*cols]);
        to_boss[last..].copy_from_slice(&present[last..]);
        for (lower, upper) in edges.iter().map(|edge| self.view.ends(edge)) {
            from_start[upper] |= from_start[lower] && present[upper];
        }
        for (lower, upper) in edges.iter().rev().map(|edge| self.view.ends(edge)) {
            to_boss[lower] |= to_boss[upper] && present[lower];
        }
        let lost = self.view.nodes().filter(|&cell| !(from_start[cell] && to_boss[cell]));
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
