//! Checks the rules of the spire ruleset: invariants of the game's maps.
//!
//! Monsters are exempt where kinds must differ, because a node becomes a monster if no entry of the
//! bag is allowed.

use super::{Findings, View, rules};
use crate::{ActMap, SpireConfig};
use wayforge_core::{Place, Report};

pub(super) fn check(map: &ActMap, config: &SpireConfig, view: &View, report: &mut Report) {
    let checker = Checker { map, view };
    report.check(rules::EDGE_REACH, view.edge_reach());
    report.check(rules::INCOMING_EDGE, view.incoming_edge());
    report.check(rules::OUTGOING_EDGE, view.outgoing_edge());
    report.check(rules::SPIRE_EMERALD, checker.emerald(config.emerald));
    if config.act == 4 {
        report.check(rules::SPIRE_FINAL_ACT, checker.final_act());
        return;
    }
    report.check(rules::SPIRE_SIX_WALKS, checker.six_walks());
    report.check(rules::SPIRE_FIRST_ROW, checker.first_row());
    report.check(rules::SPIRE_FIXED_ROWS, checker.fixed_rows());
    report.check(rules::SPIRE_KIND_ROWS, checker.kind_rows());
    report.check(rules::SPIRE_NO_REPEAT, checker.no_repeat());
    report.check(rules::SPIRE_SIBLINGS_DIFFER, checker.siblings_differ());
    report.check(rules::SPIRE_PORTIONS, checker.portions(config.ascension > 0));
}

/// Returns the kind of all nodes of a row, if the row is fixed.
fn fixed(row: usize) -> Option<&'static str> {
    match row {
        0 => Some("monster"),
        8 => Some("treasure"),
        14 => Some("rest"),
        _ => None,
    }
}

struct Checker<'a> {
    map: &'a ActMap,
    view: &'a View,
}

impl Checker<'_> {
    /// Returns cell, row and name of the kind of each node.
    fn nodes(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        self.view.nodes().map(|cell| (cell, cell / self.view.cols, self.name(cell)))
    }

    fn name(&self, cell: usize) -> &str {
        self.map.kind_name(self.view.kinds[cell]).unwrap_or("no kind")
    }

    /// An elite burns if and only if `emerald` is set and the map has elites.
    fn emerald(&self, enabled: bool) -> Option<(Place, String)> {
        let Some(emerald) = self.map.emerald else {
            let missing = enabled && self.nodes().any(|(_, _, kind)| kind == "elite");
            return missing.then(|| (Place::Map, "no elite burns, but emerald is set".into()));
        };
        let why = match self.view.node(emerald.row, emerald.col).map(|node| self.name(node)) {
            _ if !enabled => "the node burns, but emerald is not set".into(),
            Some("elite") => return None,
            Some(kind) => format!("the node burns, but it is {kind}, not elite"),
            None => "there is no node in this cell".into(),
        };
        Some((emerald.place(), why))
    }

    /// Act 4 is rest, shop and elite, from the bottom up, in the middle column.
    fn final_act(&self) -> Option<(Place, String)> {
        let nodes: Vec<(usize, &str)> = self.nodes().map(|(cell, _, kind)| (cell, kind)).collect();
        let edges: Vec<[u16; 3]> = self.view.edges.iter().map(|e| [e.row, e.from, e.to]).collect();
        let is_valid =
            nodes == [(3, "rest"), (10, "shop"), (17, "elite")] && edges == [[0, 3, 3], [1, 3, 3]];
        let why = "act 4 must be rest, shop and elite in column 3, joined by straight edges";
        (!is_valid).then(|| (Place::Map, why.into()))
    }

    /// Six walks leave at most six edges between two rows.
    fn six_walks(&self) -> Findings {
        let too_many =
            self.view.edges.chunk_by(|a, b| a.row == b.row).filter(|edges| edges.len() > 6);
        let why = |count: usize| format!("{count} edges leave it, but there are only six walks");
        too_many.map(|edges| (Place::Row(edges[0].row), why(edges.len()))).collect()
    }

    /// No two nodes of row 0 lead to the same node.
    fn first_row(&self) -> Findings {
        let edges = self.view.edges_of(0);
        let later = edges.iter().enumerate().filter_map(|(i, edge)| {
            let earlier = edges[..i].iter().find(|other| other.to == edge.to)?;
            Some((edge.place(), format!("column {} leads to the same node", earlier.from)))
        });
        later.collect()
    }

    /// Row 0 is all monsters, row 8 treasures, row 14 rests.
    fn fixed_rows(&self) -> Findings {
        let wrong = self.nodes().filter_map(|(cell, row, kind)| {
            let fixed = fixed(row).filter(|&fixed| fixed != kind)?;
            Some((self.view.place(cell), format!("row {row} must be {fixed}, not {kind}")))
        });
        wrong.collect()
    }

    /// Outside the fixed rows, elites start at row 5, rests are on rows 5 to 12, and there are no
    /// treasures or bosses.
    fn kind_rows(&self) -> Findings {
        let wrong = self.nodes().filter(|&(_, row, kind)| match kind {
            _ if fixed(row).is_some() => false,
            "elite" => row < 5,
            "rest" => !(5..13).contains(&row),
            kind => ["treasure", "boss"].contains(&kind),
        });
        let why = |row: usize, kind: &str| format!("{kind} is not allowed on row {row}");
        wrong.map(|(cell, row, kind)| (self.view.place(cell), why(row, kind))).collect()
    }

    /// Rests, elites and shops never follow their own kind.
    fn no_repeat(&self) -> Findings {
        let wrong = self.view.edges.iter().filter_map(|edge| {
            let (lower, upper) = self.view.ends(edge);
            let kind = self.name(lower);
            let repeats = kind == self.name(upper) && ["rest", "elite", "shop"].contains(&kind);
            repeats.then(|| (edge.place(), format!("{kind} follows {kind}")))
        });
        wrong.collect()
    }

    /// No node leads to two events, elites, rests or shops, except on fixed rows.
    fn siblings_differ(&self) -> Findings {
        let mut found = Findings::new();
        for edges in self.view.edges.chunk_by(|a, b| (a.row, a.from) == (b.row, b.from)) {
            if fixed(usize::from(edges[0].row) + 1).is_some() {
                continue;
            }
            let kinds: Vec<&str> =
                edges.iter().map(|edge| self.name(self.view.ends(edge).1)).collect();
            for kind in ["event", "elite", "rest", "shop"] {
                if kinds.iter().filter(|&&other| other == kind).count() > 1 {
                    let place = Place::Node { row: edges[0].row, col: edges[0].from };
                    found.push((place, format!("leads to more than one {kind}")));
                }
            }
        }
        found
    }

    /// Shops, rests, elites and events do not exceed their shares of the nodes outside row 13.
    fn portions(&self, ascended: bool) -> Findings {
        let counted = self.nodes().filter(|&(_, row, _)| row != 13).count();
        let elite = if ascended { 128 } else { 80 };
        let portions = [("shop", 50), ("rest", 120), ("elite", elite), ("event", 220)];
        let too_many = portions.into_iter().filter_map(|(name, permille)| {
            let max = (permille * counted + 500) / 1000;
            let count = self.nodes().filter(|&(_, row, kind)| kind == name && row != 14).count();
            let why = format!(
                "{count} nodes of kind {name}, but {counted} counted nodes allow at most {max}"
            );
            (count > max).then_some((Place::Map, why))
        });
        too_many.collect()
    }
}
