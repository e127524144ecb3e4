//! Metrics of act maps.

use super::{Catalogue, Imprint, Meter, Metric, Spot, Term, count, thousandths};
use crate::act::{ActMap, ActSpec, KindId};
use crate::grid::{Pos, Size};

const fn metric(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric { name, unit, about, takes: None }
}

const fn of_kind(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric { name, unit, about, takes: Some("kind") }
}

const METRICS: &[Metric] = &[
    metric("nodes", "nodes", "how many nodes there are, the boss aside"),
    metric("edges", "edges", "how many edges there are, those to the boss aside"),
    metric("routes", "routes", "how many routes lead from row 0 to the top"),
    metric("starts", "nodes", "how many nodes row 0 has"),
    metric("ends", "nodes", "how many nodes the top row has"),
    metric("widest", "nodes", "how many nodes the widest row has"),
    metric("narrowest", "nodes", "how many nodes the narrowest row has"),
    metric("splits", "nodes", "how many nodes have more than one way on"),
    metric("merges", "nodes", "how many nodes are reached in more than one way"),
    metric("branching", "thousandths", "ways on from a node below the top row, on average"),
    metric("backtracks", "steps", "how many steps walks took back while it was made"),
    metric("dead_ends", "dead ends", "how many dead ends the search for kinds met"),
    of_kind("count", "nodes", "how many nodes are of a kind"),
    of_kind("min", "nodes", "the fewest nodes of a kind on a route"),
    of_kind("max", "nodes", "the most nodes of a kind on a route"),
];

impl Catalogue {
    /// The metrics of act maps of a configuration.
    pub fn of_act(spec: &ActSpec) -> Catalogue {
        let kinds: Vec<String> = spec.kinds().iter().map(|kind| kind.name.clone()).collect();
        let mut planes = if kinds.is_empty() { vec!["node".to_owned()] } else { kinds.clone() };
        planes.push("emerald".to_owned());
        Catalogue::new(METRICS, kinds, planes)
    }
}

/// Reads metrics off act maps.
///
/// Nodes and edges are taken as generators order them, by row; a map whose rows are out of order is read as far as it goes.
#[derive(Clone, Debug)]
pub struct ActMeter {
    /// A number for each column of a row and of the row above it.
    here: [u64; 64],
    above: [u64; 64],
}

impl Default for ActMeter {
    fn default() -> ActMeter {
        ActMeter { here: [0; 64], above: [0; 64] }
    }
}

impl Meter for ActMeter {
    type Map = ActMap;

    fn read(&mut self, map: &ActMap, term: Term) -> i64 {
        let kind = Some(KindId(term.thing as u8));
        let top = map.spec.rows().saturating_sub(1);
        let on_row = |row: u16| map.nodes.iter().filter(move |node| node.row == row).count();
        match METRICS[usize::from(term.metric).min(METRICS.len() - 1)].name {
            "nodes" => count(map.nodes.len()),
            "edges" => count(map.edges.len()),
            "routes" => i64::try_from(self.routes(map)).unwrap_or(i64::MAX),
            "starts" => count(on_row(0)),
            "ends" => count(on_row(top)),
            "widest" => count(map.nodes.chunk_by(|a, b| a.row == b.row).map(<[_]>::len).max().unwrap_or(0)),
            "narrowest" => {
                count(map.nodes.chunk_by(|a, b| a.row == b.row).map(<[_]>::len).min().unwrap_or(0))
            }
            "splits" => {
                let leaving = map.edges.chunk_by(|a, b| (a.row, a.from) == (b.row, b.from));
                count(leaving.filter(|edges| edges.len() > 1).count())
            }
            "merges" => {
                let rows = map.edges.chunk_by(|a, b| a.row == b.row);
                let merged = rows.map(|edges| {
                    let (mut once, mut twice) = (0_u64, 0_u64);
                    for edge in edges {
                        let bit = 1 << (edge.to & 63);
                        twice |= once & bit;
                        once |= bit;
                    }
                    twice.count_ones() as usize
                });
                count(merged.sum())
            }
            "branching" => thousandths(map.edges.len(), map.nodes.len() - on_row(top)),
            "backtracks" => i64::try_from(map.attempts.backtracks).unwrap_or(i64::MAX),
            "dead_ends" => i64::try_from(map.attempts.dead_ends).unwrap_or(i64::MAX),
            "count" => count(map.nodes.iter().filter(|node| node.kind == kind).count()),
            "min" => self.on_routes(map, kind, u64::min, u64::MAX),
            _ => self.on_routes(map, kind, u64::max, 0),
        }
    }

    fn imprint(&mut self, map: &ActMap, into: &mut Imprint) {
        let (rows, kinds) = (map.spec.rows(), map.spec.kinds().len());
        into.reset_upright(Size::new(map.spec.cols(), rows));
        // Maps are climbed: the top row is the uppermost.
        let place = |row: u16, col: u16| Pos { x: col, y: rows.saturating_sub(1).saturating_sub(row) };
        for node in &map.nodes {
            let plane = node.kind.map_or(0, |kind| u16::from(kind.0));
            into.put(Spot::thing(place(node.row, node.col), plane));
        }
        for edge in &map.edges {
            let (from, to) = (place(edge.row, edge.from), place(edge.row.saturating_add(1), edge.to));
            into.put(Spot { toward: to, plane: None, ..Spot::thing(from, 0) });
        }
        if let Some(mark) = map.emerald {
            into.put(Spot::thing(place(mark.row, mark.col), kinds.max(1) as u16));
        }
    }
}

impl ActMeter {
    /// How many routes there are, from the top down: a node has as many as those it leads to have together.
    fn routes(&mut self, map: &ActMap) -> u64 {
        let top = map.spec.rows().saturating_sub(1);
        self.here = [0; 64];
        for node in map.nodes.iter().rev().take_while(|node| node.row == top) {
            self.here[usize::from(node.col & 63)] = 1;
        }
        for edges in map.edges.chunk_by(|a, b| a.row == b.row).rev() {
            std::mem::swap(&mut self.here, &mut self.above);
            self.here = [0; 64];
            for edge in edges {
                let ways = &mut self.here[usize::from(edge.from & 63)];
                *ways = ways.saturating_add(self.above[usize::from(edge.to & 63)]);
            }
        }
        let starts = map.nodes.iter().take_while(|node| node.row == 0);
        starts.fold(0, |all, node| all.saturating_add(self.here[usize::from(node.col & 63)]))
    }

    /// The fewest or the most nodes of a kind on a route.
    fn on_routes(
        &mut self,
        map: &ActMap,
        kind: Option<KindId>,
        better: fn(u64, u64) -> u64,
        worst: u64,
    ) -> i64 {
        let mut edges = map.edges.iter().rev().peekable();
        let mut rest = map.nodes.as_slice();
        let top = map.spec.rows().saturating_sub(1);
        self.above = [0; 64];
        while let Some(last) = rest.last() {
            let row = last.row;
            let first = rest.iter().rposition(|node| node.row != row).map_or(0, |before| before + 1);
            let (below, nodes) = rest.split_at(first);
            self.here = [if row == top { 0 } else { worst }; 64];
            while let Some(edge) = edges.next_if(|edge| edge.row >= row) {
                let best = &mut self.here[usize::from(edge.from & 63)];
                *best = better(*best, self.above[usize::from(edge.to & 63)]);
            }
            for node in nodes.iter().filter(|node| node.kind == kind) {
                let best = &mut self.here[usize::from(node.col & 63)];
                *best = best.saturating_add(1);
            }
            if below.is_empty() {
                let best = nodes.iter().map(|node| self.here[usize::from(node.col & 63)]).reduce(better);
                return i64::try_from(best.unwrap_or(0)).unwrap_or(i64::MAX);
            }
            std::mem::swap(&mut self.here, &mut self.above);
            rest = below;
        }
        0
    }
}
