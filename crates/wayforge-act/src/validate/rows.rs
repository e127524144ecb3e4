//! Checks the rules of the rows ruleset.

use super::{Findings, View, rules};
use crate::RowsConfig;
use wayforge_core::{Place, Report};

pub(super) fn check(config: &RowsConfig, view: &View, report: &mut Report) {
    let checker = Checker::new(config, view);
    report.check(rules::ENDS_CENTRED, checker.ends_centred());
    report.check(rules::ROW_SIZES, checker.row_sizes());
    report.check(rules::ROWS_EVEN, checker.rows_even());
    report.check(rules::EDGE_REACH, view.edge_reach());
    report.check(rules::OUT_DEGREE, checker.out_degree());
    report.check(rules::INCOMING_EDGE, view.incoming_edge());
    report.check(rules::OUTGOING_EDGE, view.outgoing_edge());
    report.check(rules::NO_ORPHANS, checker.no_orphans());
    report.check(rules::LANES_MEET, checker.lanes_meet());
}

struct Checker<'a> {
    view: &'a View,
    min: usize,
    max: usize,
    sizes: Vec<usize>,
    /// Columns of start and boss, or the left middle column if an end is misplaced.
    ends: [usize; 2],
}

impl Checker<'_> {
    fn new<'a>(config: &RowsConfig, view: &'a View) -> Checker<'a> {
        let sizes = view
            .present
            .chunks(view.cols)
            .map(|row| row.iter().filter(|&&present| present).count());
        let ends = [0, view.rows - 1].map(|row| {
            let on_right = view.present[row * view.cols + view.cols / 2];
            if on_right { view.cols / 2 } else { (view.cols - 1) / 2 }
        });
        let (min, max) = (config.min_nodes as usize, config.max_nodes as usize);
        Checker { view, min, max, sizes: sizes.collect(), ends }
    }

    /// Returns the number of columns of a row that are inside the cones of start and boss.
    fn capacity(&self, row: usize) -> usize {
        let [start, boss] = self.ends;
        let inside =
            |col: &usize| col.abs_diff(start) <= row && col.abs_diff(boss) < self.view.rows - row;
        (0..self.view.cols).filter(inside).count()
    }

    /// The first and the last row have one node each, in a middle column.
    fn ends_centred(&self) -> Findings {
        let (left, right) = ((self.view.cols - 1) / 2, self.view.cols / 2);
        let middle = if left == right {
            format!("column {left}")
        } else {
            format!("column {left} or {right}")
        };
        let ends = [0, self.view.rows - 1].into_iter().zip(self.ends);
        let wrong = ends.filter(|&(row, col)| {
            self.sizes[row] != 1 || !self.view.present[row * self.view.cols + col]
        });
        let why =
            |row: usize| format!("should have one node, in {middle}; it has {}", self.sizes[row]);
        wrong.map(|(row, _)| (Place::Row(row as u16), why(row))).collect()
    }

    /// All other rows have `min_nodes` to `max_nodes` nodes, or their capacity if that is less.
    fn row_sizes(&self) -> Findings {
        let rows = (1..self.view.rows - 1).filter_map(|row| {
            let (capacity, size) = (self.capacity(row), self.sizes[row]);
            let (min, max) = (self.min.min(capacity), self.max.min(capacity));
            let why =
                || format!("has {size} nodes instead of {min} to {max} (space for {capacity})");
            (!(min..=max).contains(&size)).then(|| (Place::Row(row as u16), why()))
        });
        rows.collect()
    }

    /// Neighbouring rows, without start and boss, differ by at most one node, unless the larger one
    /// has its minimum.
    fn rows_even(&self) -> Findings {
        let min = |row: usize| self.min.min(self.capacity(row));
        let rows = (1..self.view.rows.saturating_sub(2)).filter_map(|row| {
            let (size, next) = (self.sizes[row], self.sizes[row + 1]);
            let forced = if next > size { next == min(row + 1) } else { size == min(row) };
            let why = || format!("has {size} nodes, but the next row has {next}");
            (size.abs_diff(next) > 1 && !forced).then(|| (Place::Row(row as u16), why()))
        });
        rows.collect()
    }

    /// No more nodes have a third outgoing edge than the next row requires.
    fn out_degree(&self) -> Findings {
        let mut found = Findings::new();
        for gap in self.view.edges.chunk_by(|a, b| a.row == b.row) {
            let by_node = gap.chunk_by(|a, b| a.from == b.from).filter(|edges| edges.len() > 2);
            let by_node: Vec<_> = by_node.collect();
            let cells = usize::from(gap[0].row) * self.view.cols;
            let (lower, upper) =
                self.view.present[cells..][..2 * self.view.cols].split_at(self.view.cols);
            let (needed, count) = (third_edges_needed(lower, upper), by_node.len());
            if count > needed {
                found.extend(by_node.into_iter().map(|edges| {
                    let why = format!(
                        "{} edges leave it; {count} nodes of its row have more than two, \
                         but only {needed} need them",
                        edges.len()
                    );
                    (Place::Node { row: gap[0].row, col: edges[0].from }, why)
                }));
            }
        }
        found
    }

    /// The map without the first and last row is one connected component. Maps of three rows are
    /// exempt, because their middle row has no edges to other inner rows.
    fn lanes_meet(&self) -> Option<(Place, String)> {
        let (rows, cols) = (self.view.rows, self.view.cols);
        let inner =
            |cell: usize| (cols..(rows - 1) * cols).contains(&cell) && self.view.present[cell];
        // Union-find with path halving.
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
        let separate = cells.find(|&cell| root(&mut parent, cell) != first)?;
        Some((
            self.view.place(separate),
            "only start and boss connect its lane with the others".to_owned(),
        ))
    }

    /// Every node is on a path from the first row to the last.
    fn no_orphans(&self) -> Findings {
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
        let orphans = self.view.nodes().filter(|&cell| !(from_start[cell] && to_boss[cell]));
        orphans
            .map(|cell| (self.view.place(cell), "is on no path from start to boss".to_owned()))
            .collect()
    }
}

/// Returns the minimum number of upper nodes without an edge if lower nodes have at most two edges.
///
/// Greedy from the left: each upper node takes the leftmost lower node in reach with a free edge.
/// An exchange argument shows that this is optimal.
fn third_edges_needed(lower: &[bool], upper: &[bool]) -> usize {
    let mut free_edges: Vec<u32> =
        lower.iter().map(|&present| if present { 2 } else { 0 }).collect();
    let unmatched = (0..upper.len()).filter(|&col| upper[col]).filter(|&col| {
        let mut reach = col.saturating_sub(1)..=(col + 1).min(upper.len() - 1);
        let source = reach.find(|&source| free_edges[source] > 0);
        source.inspect(|&source| free_edges[source] -= 1).is_none()
    });
    unmatched.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn third_edges_needed_agrees_with_exhaustive_enumeration() {
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
                Some(
                    (0..COLS)
                        .filter(|&col| chosen().filter(|edge| edge.0 == col).count() > 2)
                        .count(),
                )
            });
            if let Some(min) = triples.min() {
                let present =
                    |mask: usize| (0..COLS).map(|col| mask >> col & 1 == 1).collect::<Vec<bool>>();
                assert_eq!(
                    third_edges_needed(&present(lower), &present(upper)),
                    min,
                    "{lower:b} {upper:b}"
                );
                checked += 1;
            }
        }
        assert!(checked > 300, "{checked}");
    }
}
