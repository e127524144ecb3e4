//! The rules about kinds.

use super::{View, rules};
use crate::{ActMap, KindId, KindRule, KindsChoice, KindsConfig};
use wayforge_core::{Place, Report};

pub(super) fn check(map: &ActMap, view: &View, report: &mut Report) {
    report.check(rules::KIND_GIVEN, kind_given(map));
    let Some(KindsChoice::Own(config)) = map.spec.config().kinds() else { return };
    let judge = Judge { map, view, config };
    let all = map.spec.kind_rules();
    report.check(rules::KIND_WEIGHTS, judge.weights());
    report.check(rules::KIND_FIXED_ROWS, all.iter().flat_map(|rule| judge.fixed_row(rule)));
    report.check(rules::KIND_PINNED, all.iter().filter_map(|rule| judge.pinned(rule)));
    report.check(rules::KIND_ROWS, all.iter().flat_map(|rule| judge.rows(rule)));
    report.check(rules::KIND_NO_REPEAT, all.iter().flat_map(|rule| judge.no_repeat(rule)));
    report.check(rules::KIND_SIBLINGS_DIFFER, all.iter().flat_map(|rule| judge.siblings(rule)));
    report.check(rules::KIND_MAP_COUNT, all.iter().filter_map(|rule| judge.map_count(rule)));
    report.check(rules::KIND_ROUTE_COUNT, all.iter().filter_map(|rule| judge.route_count(rule)));
}

/// Every node has a kind exactly if the map has kinds.
fn kind_given(map: &ActMap) -> impl Iterator<Item = (Place, String)> + '_ {
    let wanted = !map.kinds().is_empty();
    let wrong = map.nodes.iter().filter(move |node| node.kind.is_some() != wanted);
    wrong.map(move |node| {
        let why = if wanted { "the node has no kind" } else { "the node has a kind, the map has none" };
        (Place::Node { row: node.row, col: node.col }, why.into())
    })
}

struct Judge<'a> {
    map: &'a ActMap,
    view: &'a View,
    config: &'a KindsConfig,
}

type Found = Option<(Place, String)>;

impl Judge<'_> {
    fn id(&self, name: &str) -> Option<KindId> {
        self.map.spec.find_kind(name)
    }

    fn is(&self, cell: usize, kind: &str) -> bool {
        self.view.kinds[cell].is_some() && self.view.kinds[cell] == self.id(kind)
    }

    fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.view.present.len()).filter(|&cell| self.view.present[cell])
    }

    /// Whether a fixed row or a pin stands above weights and rows for this cell.
    fn is_set(&self, cell: usize) -> bool {
        let (row, col) = (cell / self.view.cols, cell % self.view.cols);
        self.map.spec.kind_rules().iter().any(|rule| match rule {
            KindRule::Fixed { row: fixed, .. } => usize::from(*fixed) == row,
            KindRule::Pinned { row: r, col: c, .. } => (usize::from(*r), usize::from(*c)) == (row, col),
            _ => false,
        })
    }

    /// A kind whose weight is zero on a row is not drawn there.
    fn weights(&self) -> Vec<(Place, String)> {
        let rows = self.view.rows as i64;
        let from_bottom = |row: i64| if row < 0 { row + rows } else { row };
        let weight = |row: i64, name: &str| {
            let band =
                self.config.bands.iter().find(|b| (from_bottom(b.from)..=from_bottom(b.to)).contains(&row));
            let own = self.config.kinds.iter().find(|kind| kind.name == name).map_or(0, |kind| kind.weight);
            band.and_then(|band| band.weights.get(name).copied()).unwrap_or(own)
        };
        let wrong = self.cells().filter_map(|cell| {
            let name = self.map.kind_name(self.view.kinds[cell])?;
            let row = (cell / self.view.cols) as i64;
            (weight(row, name) == 0 && !self.is_set(cell))
                .then(|| (self.view.place(cell), format!("{name} has no weight on row {row}")))
        });
        wrong.collect()
    }

    fn fixed_row(&self, rule: &KindRule) -> Vec<(Place, String)> {
        let KindRule::Fixed { row, kind } = rule else { return Vec::new() };
        let wrong =
            self.cells().filter(|cell| cell / self.view.cols == usize::from(*row) && !self.is(*cell, kind));
        wrong.map(|cell| (self.view.place(cell), rule.to_string())).collect()
    }

    fn pinned(&self, rule: &KindRule) -> Found {
        let KindRule::Pinned { row, col, kind } = rule else { return None };
        let cell = self.view.cell(*row, *col)?;
        (!self.is(cell, kind)).then(|| (self.view.place(cell), rule.to_string()))
    }

    fn rows(&self, rule: &KindRule) -> Vec<(Place, String)> {
        let KindRule::Rows { kind, earliest, latest } = rule else { return Vec::new() };
        let within = usize::from(*earliest)..=usize::from(*latest);
        let wrong = self.cells().filter(|&cell| {
            self.is(cell, kind) && !within.contains(&(cell / self.view.cols)) && !self.is_set(cell)
        });
        wrong.map(|cell| (self.view.place(cell), rule.to_string())).collect()
    }

    fn no_repeat(&self, rule: &KindRule) -> Vec<(Place, String)> {
        let KindRule::NoRepeat { kind } = rule else { return Vec::new() };
        let wrong = self.view.edges.iter().filter(|edge| {
            self.view.ends(edge).is_some_and(|(lower, upper)| self.is(lower, kind) && self.is(upper, kind))
        });
        wrong.map(|e| (e.place(), rule.to_string())).collect()
    }

    fn siblings(&self, rule: &KindRule) -> Vec<(Place, String)> {
        let KindRule::SiblingsDiffer { kind } = rule else { return Vec::new() };
        let mut found = Vec::new();
        let fixed = |row: u16| {
            let rules = self.map.spec.kind_rules();
            rules.iter().any(|rule| matches!(rule, KindRule::Fixed { row: fixed, .. } if *fixed == row))
        };
        for family in self.view.edges.chunk_by(|a, b| (a.row, a.from) == (b.row, b.from)) {
            let alike = family
                .iter()
                .filter(|edge| self.view.ends(edge).is_some_and(|(_, upper)| self.is(upper, kind)));
            let cols: Vec<String> = alike.map(|edge| edge.to.to_string()).collect();
            if cols.len() > 1 && !fixed(family[0].row + 1) {
                let why = format!("{rule}: columns {} of row {}", cols.join(" and "), family[0].row + 1);
                found.push((Place::Node { row: family[0].row, col: family[0].from }, why));
            }
        }
        found
    }

    fn map_count(&self, rule: &KindRule) -> Found {
        let (kind, min, max) = match rule {
            KindRule::MapMin { kind, min } => (kind, *min, u32::MAX),
            KindRule::MapMax { kind, max } => (kind, 0, *max),
            _ => return None,
        };
        let count = self.cells().filter(|&cell| self.is(cell, kind)).count() as u32;
        (count < min || count > max).then(|| (Place::Map, format!("{rule}: there are {count}")))
    }

    /// The route with the fewest or the most of a kind, by dynamic programming from the top down.
    fn route_count(&self, rule: &KindRule) -> Found {
        let (kind, sign, bound) = match rule {
            KindRule::RouteMin { kind, min } => (kind, -1, -i64::from(*min)),
            KindRule::RouteMax { kind, max } => (kind, 1, i64::from(*max)),
            _ => return None,
        };
        let (rows, cols) = (self.view.rows, self.view.cols);
        let worth = |cell: usize| if self.is(cell, kind) { sign } else { 0 };
        // The worst count from a cell to the top, and the column of the next step; cells that lead nowhere have none.
        let mut worst: Vec<Option<(i64, u16)>> = vec![None; rows * cols];
        for cell in self.cells().filter(|cell| cell / cols == rows - 1) {
            worst[cell] = Some((worth(cell), 0));
        }
        for edge in self.view.edges.iter().rev() {
            let Some((lower, upper)) = self.view.ends(edge) else { continue };
            if let (true, Some((above, _))) = (self.view.present[lower], worst[upper]) {
                let here = above + worth(lower);
                if worst[lower].is_none_or(|(known, _)| here > known) {
                    worst[lower] = Some((here, edge.to));
                }
            }
        }
        let start =
            (0..cols).filter(|&col| worst[col].is_some()).max_by_key(|&col| worst[col].map(|(n, _)| n))?;
        let (count, _) = worst[start]?;
        if count <= bound {
            return None;
        }
        let mut route = vec![start as u16];
        for row in 0..rows - 1 {
            let (_, next) = worst[row * cols + usize::from(route[row])]?;
            route.push(next);
        }
        Some((Place::Route(route), format!("{rule}: this one passes {}", count.abs())))
    }
}
