//! The rules about kinds.

use super::{Found, View, rules};
use crate::{ActMap, Edge, KindRule, KindsChoice, KindsConfig};
use std::ops::RangeInclusive;
use wayforge_core::{Place, Report, Rule};

pub(super) fn check(map: &ActMap, view: &View, report: &mut Report) {
    report.check(rules::KIND_GIVEN, kind_given(map));
    let Some(KindsChoice::Own(config)) = map.spec.config().kinds() else { return };
    let checker = Checker { map, view };
    report.check(rules::KIND_WEIGHTS, checker.weights(config));
    let broken: Vec<(Rule, Found)> = map.spec.kind_rules().iter().map(|rule| checker.broken(rule)).collect();
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
        let found = broken.iter().filter(|(rule, _)| *rule == name);
        report.check(name, found.flat_map(|(_, found)| found.iter().cloned()));
    }
}

/// Every node has a kind exactly if the map has kinds.
fn kind_given(map: &ActMap) -> impl Iterator<Item = (Place, String)> {
    let wanted = !map.kinds().is_empty();
    let why = if wanted { "the node has no kind" } else { "the node has a kind, the map has none" };
    let wrong = map.nodes.iter().filter(move |node| node.kind.is_some() != wanted);
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

    /// Whether a fixed row or a pin stands above weights and rows for this cell.
    fn is_set(&self, cell: usize) -> bool {
        self.map.spec.kind_rules().iter().any(|rule| match *rule {
            KindRule::Fixed { row, .. } => usize::from(row) == self.row(cell),
            KindRule::Pinned { row, col, .. } => self.view.cell(row, col) == Some(cell),
            _ => false,
        })
    }

    /// A kind whose weight is zero on a row is not drawn there.
    fn weights(&self, config: &KindsConfig) -> Found {
        let from_bottom = |row: i64| if row < 0 { row + self.view.rows as i64 } else { row };
        let weight = |row: i64, name: &str| {
            let mut bands = config.bands.iter();
            let band = bands.find(|band| (from_bottom(band.from)..=from_bottom(band.to)).contains(&row));
            let own = config.kinds.iter().find(|kind| kind.name == name).map_or(0, |kind| kind.weight);
            band.and_then(|band| band.weights.get(name).copied()).unwrap_or(own)
        };
        let wrong = self.view.nodes().filter_map(|cell| {
            let name = self.map.kind_name(self.view.kinds[cell])?;
            let row = self.row(cell);
            let why = || format!("{name} has no weight on row {row}");
            (weight(row as i64, name) == 0 && !self.is_set(cell)).then(|| (self.view.place(cell), why()))
        });
        wrong.collect()
    }

    /// The name of a rule, and where the map breaks it.
    fn broken(&self, rule: &KindRule) -> (Rule, Found) {
        let kind = self.map.spec.find_kind(rule.kind());
        let is = |cell: usize| self.view.kinds[cell].is_some() && self.view.kinds[cell] == kind;
        let at = |cell: usize| (self.view.place(cell), rule.to_string());
        match *rule {
            KindRule::Fixed { row, .. } => {
                let wrong = self.view.nodes().filter(|&cell| self.row(cell) == usize::from(row) && !is(cell));
                (rules::KIND_FIXED_ROWS, wrong.map(at).collect())
            }
            KindRule::Pinned { row, col, .. } => {
                let wrong = self.view.cell(row, col).filter(|&cell| !is(cell));
                (rules::KIND_PINNED, wrong.map(at).into_iter().collect())
            }
            KindRule::Rows { earliest, latest, .. } => {
                let within = usize::from(earliest)..=usize::from(latest);
                let outside = self.view.nodes().filter(|&cell| is(cell) && !within.contains(&self.row(cell)));
                (rules::KIND_ROWS, outside.filter(|&cell| !self.is_set(cell)).map(at).collect())
            }
            KindRule::NoRepeat { .. } => {
                let ends = |edge| self.view.ends(edge);
                let wrong = self.view.edges.iter().filter(|&edge| is(ends(edge).0) && is(ends(edge).1));
                (rules::KIND_NO_REPEAT, wrong.map(|edge| (edge.place(), rule.to_string())).collect())
            }
            KindRule::SiblingsDiffer { .. } => (rules::KIND_SIBLINGS_DIFFER, self.siblings(rule, is)),
            KindRule::MapMin { min, .. } => (rules::KIND_MAP_COUNT, self.map_count(rule, is, min..=u32::MAX)),
            KindRule::MapMax { max, .. } => (rules::KIND_MAP_COUNT, self.map_count(rule, is, 0..=max)),
            KindRule::RouteMin { min, .. } => {
                (rules::KIND_ROUTE_COUNT, self.route_count(rule, is, -1, -i64::from(min)))
            }
            KindRule::RouteMax { max, .. } => {
                (rules::KIND_ROUTE_COUNT, self.route_count(rule, is, 1, max.into()))
            }
        }
    }

    fn map_count(&self, rule: &KindRule, is: impl Fn(usize) -> bool, allowed: RangeInclusive<u32>) -> Found {
        let count = self.view.nodes().filter(|&cell| is(cell)).count() as u32;
        let wrong = !allowed.contains(&count);
        wrong.then(|| (Place::Map, format!("{rule}: there are {count}"))).into_iter().collect()
    }

    fn siblings(&self, rule: &KindRule, is: impl Fn(usize) -> bool) -> Found {
        let is_fixed = |row: u16| {
            let mut rules = self.map.spec.kind_rules().iter();
            rules.any(|rule| matches!(rule, KindRule::Fixed { row: fixed, .. } if *fixed == row))
        };
        let families = self.view.edges.chunk_by(|a, b| (a.row, a.from) == (b.row, b.from));
        let found = families.filter_map(|family| {
            let Edge { row, from, .. } = family[0];
            let alike = family.iter().filter(|edge| is(self.view.ends(edge).1));
            let cols: Vec<String> = alike.map(|edge| edge.to.to_string()).collect();
            let why = || format!("{rule}: columns {} of row {}", cols.join(" and "), row + 1);
            let wrong = cols.len() > 1 && !is_fixed(row + 1);
            wrong.then(|| (Place::Node { row, col: from }, why()))
        });
        found.collect()
    }

    /// The route with the fewest or the most of a kind, by dynamic programming from the top down, if the sum of `sign` over its
    /// nodes of the kind exceeds `bound`.
    fn route_count(&self, rule: &KindRule, is: impl Fn(usize) -> bool, sign: i64, bound: i64) -> Found {
        let (rows, cols) = (self.view.rows, self.view.cols);
        let worth = |cell: usize| if is(cell) { sign } else { 0 };
        // The worst count from a cell to the top, and the column of the next step; cells that lead nowhere have none.
        let mut worst: Vec<Option<(i64, u16)>> = vec![None; rows * cols];
        for cell in self.view.nodes().filter(|&cell| self.row(cell) == rows - 1) {
            worst[cell] = Some((worth(cell), 0));
        }
        for edge in self.view.edges.iter().rev() {
            let (lower, upper) = self.view.ends(edge);
            if let (true, Some((above, _))) = (self.view.present[lower], worst[upper]) {
                let here = above + worth(lower);
                if worst[lower].is_none_or(|(known, _)| here > known) {
                    worst[lower] = Some((here, edge.to));
                }
            }
        }
        let starts = (0..cols).filter_map(|col| Some((worst[col]?.0, col)));
        let Some((count, start)) = starts.max_by_key(|&(count, _)| count).filter(|&(count, _)| count > bound)
        else {
            return Found::new();
        };
        let mut route = vec![start as u16];
        for row in 0..rows - 1 {
            let next = worst[row * cols + usize::from(route[row])].map_or(0, |(_, next)| next);
            route.push(next);
        }
        vec![(Place::Route(route), format!("{rule}: this one passes {}", count.abs()))]
    }
}
