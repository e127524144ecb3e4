//! Checks the rules about kinds.

use super::{Findings, View, rules};
use crate::{ActMap, Edge, KindRule, KindsChoice, KindsConfig};
use std::ops::RangeInclusive;
use wayforge_core::{Place, Report, Rule};

pub(super) fn check(map: &ActMap, view: &View, report: &mut Report) {
    report.check(rules::KIND_ASSIGNED, kind_assigned(map));
    let Some(KindsChoice::Custom(config)) = map.spec.config().kinds() else { return };
    let checker = Checker { map, view };
    report.check(rules::KIND_WEIGHTS, checker.weights(config));
    let violations: Vec<(Rule, Findings)> =
        map.spec.kind_rules().iter().map(|rule| checker.violations(rule)).collect();
    let names = [
        rules::KIND_FIXED_ROWS,
        rules::KIND_PINNED,
        rules::KIND_ROWS,
        rules::KIND_NO_REPEAT,
        rules::KIND_SIBLINGS_DIFFER,
        rules::KIND_MAP_COUNT,
        rules::KIND_ROUTE_COUNT,
    ];
    for name in names {
        let found = violations.iter().filter(|(rule, _)| *rule == name);
        report.check(name, found.flat_map(|(_, found)| found.iter().cloned()));
    }
}

/// Every node has a kind if and only if the map has kinds.
fn kind_assigned(map: &ActMap) -> impl Iterator<Item = (Place, String)> {
    let expected = !map.kinds().is_empty();
    let why =
        if expected { "the node has no kind" } else { "the node has a kind, but the map has none" };
    let wrong = map.nodes.iter().filter(move |node| node.kind.is_some() != expected);
    wrong.map(move |node| (node.pos().place(), why.to_owned()))
}

struct Checker<'a> {
    map: &'a ActMap,
    view: &'a View,
}

impl Checker<'_> {
    fn row(&self, cell: usize) -> usize {
        cell / self.view.cols
    }

    /// Whether a fixed row or a pin overrides weights and row ranges for this cell.
    fn is_set(&self, cell: usize) -> bool {
        self.map.spec.kind_rules().iter().any(|rule| match *rule {
            KindRule::Fixed { row, .. } => usize::from(row) == self.row(cell),
            KindRule::Pinned { row, col, .. } => self.view.cell(row, col) == Some(cell),
            _ => false,
        })
    }

    /// Kinds do not occur on rows where their weight is 0, except fixed rows and pins.
    fn weights(&self, config: &KindsConfig) -> Findings {
        let from_bottom = |row: i64| if row < 0 { row + self.view.rows as i64 } else { row };
        let weight = |row: i64, name: &str| {
            let mut bands = config.bands.iter();
            let band =
                bands.find(|band| (from_bottom(band.from)..=from_bottom(band.to)).contains(&row));
            let own =
                config.kinds.iter().find(|kind| kind.name == name).map_or(0, |kind| kind.weight);
            band.and_then(|band| band.weights.get(name).copied()).unwrap_or(own)
        };
        let wrong = self.view.nodes().filter_map(|cell| {
            let name = self.map.kind_name(self.view.kinds[cell])?;
            let row = self.row(cell);
            let why = || format!("{name} has no weight on row {row}");
            (weight(row as i64, name) == 0 && !self.is_set(cell))
                .then(|| (self.view.place(cell), why()))
        });
        wrong.collect()
    }

    /// Returns the name of a rule and its violations.
    fn violations(&self, rule: &KindRule) -> (Rule, Findings) {
        let kind = self.map.spec.find_kind(rule.kind());
        let is = |cell: usize| self.view.kinds[cell].is_some() && self.view.kinds[cell] == kind;
        let violation = |cell: usize| (self.view.place(cell), rule.to_string());
        match *rule {
            KindRule::Fixed { row, .. } => {
                let wrong = self
                    .view
                    .nodes()
                    .filter(|&cell| self.row(cell) == usize::from(row) && !is(cell));
                (rules::KIND_FIXED_ROWS, wrong.map(violation).collect())
            }
            KindRule::Pinned { row, col, .. } => {
                let wrong = self.view.cell(row, col).filter(|&cell| !is(cell));
                (rules::KIND_PINNED, wrong.map(violation).into_iter().collect())
            }
            KindRule::Rows { earliest, latest, .. } => {
                let within = usize::from(earliest)..=usize::from(latest);
                let outside =
                    self.view.nodes().filter(|&cell| is(cell) && !within.contains(&self.row(cell)));
                (
                    rules::KIND_ROWS,
                    outside.filter(|&cell| !self.is_set(cell)).map(violation).collect(),
                )
            }
            KindRule::NoRepeat { .. } => {
                let ends = |edge| self.view.ends(edge);
                let wrong =
                    self.view.edges.iter().filter(|&edge| is(ends(edge).0) && is(ends(edge).1));
                (
                    rules::KIND_NO_REPEAT,
                    wrong.map(|edge| (edge.place(), rule.to_string())).collect(),
                )
            }
            KindRule::SiblingsDiffer { .. } => {
                (rules::KIND_SIBLINGS_DIFFER, self.siblings(rule, is))
            }
            KindRule::MapMin { min, .. } => {
                (rules::KIND_MAP_COUNT, self.map_count(rule, is, min..=u32::MAX))
            }
            KindRule::MapMax { max, .. } => {
                (rules::KIND_MAP_COUNT, self.map_count(rule, is, 0..=max))
            }
            KindRule::RouteMin { min, .. } => {
                (rules::KIND_ROUTE_COUNT, self.route_count(rule, is, -1, -i64::from(min)))
            }
            KindRule::RouteMax { max, .. } => {
                (rules::KIND_ROUTE_COUNT, self.route_count(rule, is, 1, max.into()))
            }
        }
    }

    fn map_count(
        &self,
        rule: &KindRule,
        is: impl Fn(usize) -> bool,
        allowed: RangeInclusive<u32>,
    ) -> Findings {
        let count = self.view.nodes().filter(|&cell| is(cell)).count() as u32;
        let wrong = !allowed.contains(&count);
        wrong.then(|| (Place::Map, format!("{rule}: the map has {count}"))).into_iter().collect()
    }

    fn siblings(&self, rule: &KindRule, is: impl Fn(usize) -> bool) -> Findings {
        let is_fixed = |row: u16| {
            let mut rules = self.map.spec.kind_rules().iter();
            rules.any(|rule| matches!(rule, KindRule::Fixed { row: fixed, .. } if *fixed == row))
        };
        let by_parent = self.view.edges.chunk_by(|a, b| (a.row, a.from) == (b.row, b.from));
        let found = by_parent.filter_map(|edges| {
            let Edge { row, from, .. } = edges[0];
            let same_kind = edges.iter().filter(|edge| is(self.view.ends(edge).1));
            let cols: Vec<String> = same_kind.map(|edge| edge.to.to_string()).collect();
            let why = || format!("{rule}: columns {} of row {}", cols.join(" and "), row + 1);
            let wrong = cols.len() > 1 && !is_fixed(row + 1);
            wrong.then(|| (Place::Node { row, col: from }, why()))
        });
        found.collect()
    }

    /// Finds a route with the minimum (`sign` -1) or maximum (1) count of a kind.
    ///
    /// Reports it if `sign * count` exceeds `bound`. Dynamic programming from the top down.
    fn route_count(
        &self,
        rule: &KindRule,
        is: impl Fn(usize) -> bool,
        sign: i64,
        bound: i64,
    ) -> Findings {
        let (rows, cols) = (self.view.rows, self.view.cols);
        let own = |cell: usize| if is(cell) { sign } else { 0 };
        // Worst sum from a cell to the top, and the next column; `None` for dead ends.
        let mut worst: Vec<Option<(i64, u16)>> = vec![None; rows * cols];
        for cell in self.view.nodes().filter(|&cell| self.row(cell) == rows - 1) {
            worst[cell] = Some((own(cell), 0));
        }
        for edge in self.view.edges.iter().rev() {
            let (lower, upper) = self.view.ends(edge);
            if let (true, Some((above, _))) = (self.view.present[lower], worst[upper]) {
                let sum = above + own(lower);
                if worst[lower].is_none_or(|(other, _)| sum > other) {
                    worst[lower] = Some((sum, edge.to));
                }
            }
        }
        let starts = (0..cols).filter_map(|col| Some((worst[col]?.0, col)));
        let Some((count, start)) =
            starts.max_by_key(|&(count, _)| count).filter(|&(count, _)| count > bound)
        else {
            return Findings::new();
        };
        let mut route = vec![start as u16];
        for row in 0..rows - 1 {
            let next = worst[row * cols + usize::from(route[row])].map_or(0, |(_, next)| next);
            route.push(next);
        }
        vec![(Place::Route(route), format!("{rule}: this route has {}", count.abs()))]
    }
}
