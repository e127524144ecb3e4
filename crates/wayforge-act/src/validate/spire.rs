//! The rules of the spire ruleset: what the game's maps keep, as far as a map alone can show it.
//!
//! Monsters are left out where kinds must differ: the game makes a monster of every node that nothing in the bag fits.

use super::{View, rules};
use crate::{ActMap, SpireConfig};
use wayforge_core::{Place, Report};

pub(super) fn check(map: &ActMap, config: &SpireConfig, view: &View, report: &mut Report) {
    let judge = Judge { map, view };
    report.check(rules::EDGE_REACH, judge.edge_reach());
    report.check(rules::WAY_IN, judge.way_in());
    report.check(rules::WAY_OUT, judge.way_out());
    report.check(rules::SPIRE_EMERALD, judge.emerald(config.emerald));
    if config.act == 4 {
        report.check(rules::SPIRE_FINAL_ACT, judge.final_act());
        return;
    }
    report.check(rules::SPIRE_SIX_WALKS, judge.six_walks());
    report.check(rules::SPIRE_FIRST_ROW, judge.first_row());
    report.check(rules::SPIRE_FIXED_ROWS, judge.fixed_rows());
    report.check(rules::SPIRE_KIND_ROWS, judge.kind_rows());
    report.check(rules::SPIRE_NO_REPEAT, judge.no_repeat());
    report.check(rules::SPIRE_SIBLINGS_DIFFER, judge.siblings_differ());
    report.check(rules::SPIRE_PORTIONS, judge.portions(config.ascension > 0));
}

/// The rows whose nodes are all of one kind.
const FIXED: [(usize, &str); 3] = [(0, "monster"), (8, "treasure"), (14, "rest")];

struct Judge<'a> {
    map: &'a ActMap,
    view: &'a View,
}

type Found = Vec<(Place, String)>;

impl Judge<'_> {
    /// The nodes that are on the grid, by row, with the names of their kinds.
    fn nodes(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        let cells = (0..self.view.present.len()).filter(|&cell| self.view.present[cell]);
        cells.map(|cell| (cell, cell / self.view.cols, self.name(cell)))
    }

    fn name(&self, cell: usize) -> &str {
        self.map.kind_name(self.view.kinds[cell]).unwrap_or("no kind")
    }

    /// Edges lead to the same or a neighbouring column.
    fn edge_reach(&self) -> Found {
        let far = self.view.edges.iter().filter(|edge| edge.from.abs_diff(edge.to) > 1);
        far.map(|e| (e.place(), "skips a column".to_owned())).collect()
    }

    /// An edge leads to every node above row 0.
    fn way_in(&self) -> Found {
        let reached = |cell| self.view.edges.iter().any(|e| self.view.cell(e.row + 1, e.to) == Some(cell));
        let lost = self.nodes().filter(|&(cell, row, _)| row > 0 && !reached(cell));
        lost.map(|(cell, ..)| (self.view.place(cell), "no edge leads to the node".to_owned())).collect()
    }

    /// An edge leaves every node below the top row.
    fn way_out(&self) -> Found {
        let left = |cell| self.view.edges.iter().any(|e| self.view.cell(e.row, e.from) == Some(cell));
        let lost = self.nodes().filter(|&(cell, row, _)| row + 1 < self.view.rows && !left(cell));
        lost.map(|(cell, ..)| (self.view.place(cell), "no edge leaves the node".to_owned())).collect()
    }

    /// An elite burns exactly if the configuration asks for it and the map has elites.
    fn emerald(&self, asked: bool) -> Option<(Place, String)> {
        let has_elites = self.nodes().any(|(_, _, kind)| kind == "elite");
        match self.map.emerald {
            None if asked && has_elites => {
                Some((Place::Map, "no elite burns, though it is asked for".into()))
            }
            None => None,
            Some(mark) => {
                let place = Place::Node { row: mark.row, col: mark.col };
                let cell = self.view.cell(mark.row, mark.col).filter(|&cell| self.view.present[cell]);
                match cell.map(|cell| self.name(cell)) {
                    _ if !asked => Some((place, "it burns, though that is not asked for".into())),
                    Some("elite") => None,
                    Some(kind) => Some((place, format!("it burns, but is {kind}, not elite"))),
                    None => Some((place, "it burns, but there is no node".into())),
                }
            }
        }
    }

    /// Act 4 is rest, shop and elite, one above the other on the middle column.
    fn final_act(&self) -> Option<(Place, String)> {
        let nodes: Vec<(usize, &str)> = self.nodes().map(|(cell, _, kind)| (cell, kind)).collect();
        let edges: Vec<[u16; 3]> = self.view.edges.iter().map(|e| [e.row, e.from, e.to]).collect();
        let is_kept = nodes == [(3, "rest"), (10, "shop"), (17, "elite")] && edges == [[0, 3, 3], [1, 3, 3]];
        let why = "act 4 is rest, shop and elite on column 3, joined straight up";
        (!is_kept).then(|| (Place::Map, why.into()))
    }

    /// Each of six walks leaves one edge between two rows, or shares one.
    fn six_walks(&self) -> Found {
        let rows = (0..self.view.rows as u16).map(|row| (row, self.view.edges_of(row).len()));
        let crowded = rows.filter(|&(_, edges)| edges > 6);
        crowded
            .map(|(row, edges)| (Place::Row(row), format!("{edges} edges leave it, of six walks")))
            .collect()
    }

    /// No two nodes of row 0 lead to the same node.
    fn first_row(&self) -> Found {
        let edges = self.view.edges_of(0);
        let later = edges.iter().enumerate().filter_map(|(i, edge)| {
            let earlier = edges[..i].iter().find(|other| other.to == edge.to)?;
            let why = format!("column {} leads there as well", earlier.from);
            Some((Place::Edge { row: 0, from: edge.from, to: edge.to }, why))
        });
        later.collect()
    }

    /// Row 0 is all monsters, row 8 treasures, row 14 rests.
    fn fixed_rows(&self) -> Found {
        let wrong = self.nodes().filter_map(|(cell, row, kind)| {
            let (_, fixed) = FIXED.into_iter().find(|&(fixed, _)| fixed == row)?;
            (kind != fixed).then(|| (self.view.place(cell), format!("row {row} is {fixed}, not {kind}")))
        });
        wrong.collect()
    }

    /// Between the fixed rows, elites stand from row 5 up, rests from row 5 to row 12, treasures and bosses nowhere.
    fn kind_rows(&self) -> Found {
        let wrong = self.nodes().filter(|&(_, row, kind)| match kind {
            _ if FIXED.iter().any(|&(fixed, _)| fixed == row) => false,
            "elite" => row < 5,
            "rest" => !(5..13).contains(&row),
            "treasure" | "boss" => true,
            _ => false,
        });
        wrong
            .map(|(cell, row, kind)| (self.view.place(cell), format!("no {kind} stands on row {row}")))
            .collect()
    }

    /// Rests, elites and shops never follow their own kind.
    fn no_repeat(&self) -> Found {
        let wrong = self.view.edges.iter().filter_map(|edge| {
            let (lower, upper) = self.view.ends(edge)?;
            let kind = self.name(lower);
            let repeats = kind == self.name(upper) && ["rest", "elite", "shop"].contains(&kind);
            let place = edge.place();
            repeats.then(|| (place, format!("{kind} follows {kind}")))
        });
        wrong.collect()
    }

    /// No node leads to two events, elites, rests or shops, fixed rows aside.
    fn siblings_differ(&self) -> Found {
        let mut found = Found::new();
        for family in self.view.edges.chunk_by(|a, b| (a.row, a.from) == (b.row, b.from)) {
            if FIXED.iter().any(|&(row, _)| row == usize::from(family[0].row) + 1) {
                continue;
            }
            let kinds: Vec<&str> = family
                .iter()
                .filter_map(|edge| self.view.ends(edge))
                .map(|(_, upper)| self.name(upper))
                .collect();
            for kind in ["event", "elite", "rest", "shop"] {
                if kinds.iter().filter(|&&other| other == kind).count() > 1 {
                    let place = Place::Node { row: family[0].row, col: family[0].from };
                    found.push((place, format!("leads to more than one {kind}")));
                }
            }
        }
        found
    }

    /// Shops, rests, elites and events are no more than their portions of the nodes outside row 13.
    fn portions(&self, ascended: bool) -> Found {
        let counted = self.nodes().filter(|&(_, row, _)| row != 13).count();
        let elite = if ascended { 128 } else { 80 };
        let portions = [("shop", 50), ("rest", 120), ("elite", elite), ("event", 220)];
        let too_many = portions.into_iter().filter_map(|(name, permille)| {
            let most = (permille * counted + 500) / 1000;
            let count = self.nodes().filter(|&(_, row, kind)| kind == name && row != 14).count();
            let why = format!("{count} of {name}, a map of {counted} counted nodes has at most {most}");
            (count > most).then_some((Place::Map, why))
        });
        too_many.collect()
    }
}
