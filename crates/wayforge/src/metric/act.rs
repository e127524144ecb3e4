//! Metrics of act maps.

use super::{Budget, Catalogue, Imprint, Measure, Meter, Metric, Spot, Term, count, thousandths};
use crate::act::{self, ActMap, KindId, KindRule};
use crate::grid::{Pos, Size};

metrics! { ActMeter, ActMap:
    "nodes", "nodes", "how many nodes there are, the boss aside" => |_, map, _| count(map.nodes.len());
    "edges", "edges", "how many edges there are, those to the boss aside" => |_, map, _| count(map.edges.len());
    "routes", "routes", "how many routes lead from row 0 to the top" => |meter, map, _| count(meter.routes(map));
    "starts", "nodes", "how many nodes row 0 has" => |_, map, _| count(on_row(map, 0));
    "ends", "nodes", "how many nodes the top row has" => |_, map, _| count(on_row(map, top(map)));
    "widest", "nodes", "how many nodes the widest row has" => |_, map, _| count(row_lengths(map).max().unwrap_or(0));
    "narrowest", "nodes", "how many nodes the narrowest row has"
        => |_, map, _| count(row_lengths(map).min().unwrap_or(0));
    "splits", "nodes", "how many nodes have more than one way on" => |_, map, _| count(split_rows(map).count());
    "merges", "nodes", "how many nodes are reached in more than one way" => |_, map, _| merges(map);
    "corridor", "rows", "the most consecutive rows below the top row without a node that has more than one way on"
        => |_, map, _| corridor(map);
    "forced", "rows", "the most consecutive rows below the top row in which a route has only one way on"
        => |meter, map, _| count(meter.forced(map));
    "branching", "thousandths", "ways on from a node below the top row, on average"
        => |_, map, _| thousandths(map.edges.len(), map.nodes.len() - on_row(map, top(map)));
    "backtracks", "steps", "how many steps walks took back while it was made"
        => |_, map, _| count(map.attempts.backtracks);
    "dead_ends", "dead ends", "how many dead ends the search for kinds met" => |_, map, _| count(map.attempts.dead_ends);
    "skeletons", "skeletons", "skeletons drawn until the rules about kinds fitted one"
        => |_, map, _| count(map.attempts.skeletons);
    "count"("kind"), "nodes", "how many nodes are of a kind"
        => |_, map, kind| count(map.nodes.iter().filter(|node| node.kind == Some(KindId(kind as u8))).count());
    "min"("kind"), "nodes", "the fewest nodes of a kind on a route"
        => |meter, map, kind| meter.on_routes(map, kind, u64::MAX, u64::min);
    "max"("kind"), "nodes", "the most nodes of a kind on a route"
        => |meter, map, kind| meter.on_routes(map, kind, 0, u64::max);
}

fn top(map: &ActMap) -> u16 {
    map.spec.rows().saturating_sub(1)
}

fn on_row(map: &ActMap, row: u16) -> usize {
    map.nodes.iter().filter(|node| node.row == row).count()
}

fn row_lengths(map: &ActMap) -> impl Iterator<Item = usize> {
    map.nodes.chunk_by(|a, b| a.row == b.row).map(<[_]>::len)
}

/// The row of every node with more than one edge up.
fn split_rows(map: &ActMap) -> impl Iterator<Item = i64> {
    let leaving = map.edges.chunk_by(|a, b| (a.row, a.from) == (b.row, b.from));
    leaving.filter(|edges| edges.len() > 1).map(|edges| i64::from(edges[0].row))
}

fn merges(map: &ActMap) -> i64 {
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
    count(merged.sum::<usize>())
}

/// The longest gap between two rows with a split.
fn corridor(map: &ActMap) -> i64 {
    let (last, longest) =
        split_rows(map).fold((-1, 0), |(last, longest), row| (row, longest.max(row - last - 1)));
    longest.max(i64::from(top(map)) - last - 1)
}

/// Reads metrics off act maps.
///
/// Nodes and edges are taken as generators order them, by row; a map whose rows are out of order is read as far as it goes.
#[derive(Clone, Debug)]
pub struct ActMeter {
    /// A number for each column of a row, and of the row above it.
    rows: [[u64; 64]; 2],
}

impl Default for ActMeter {
    fn default() -> ActMeter {
        ActMeter { rows: [[0; 64]; 2] }
    }
}

impl Meter for ActMeter {
    type Map = ActMap;

    /// True if a metric is the same on a skeleton as on the finished map.
    fn reads_unfinished(catalogue: &Catalogue, term: Term) -> bool {
        !OF_FINISHED_MAPS.contains(&catalogue.metric(term).name)
    }

    fn read(&mut self, map: &ActMap, term: Term) -> i64 {
        VALUES[usize::from(term.metric).min(VALUES.len() - 1)](self, map, term.thing)
    }

    fn imprint(&mut self, map: &ActMap, into: &mut Imprint) {
        let (rows, kinds) = (map.spec.rows(), map.spec.kinds().len());
        into.reset(Size::new(map.spec.cols(), rows), 1, true);
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

/// The metrics that need a finished map: kinds, how they were found, and averages.
const OF_FINISHED_MAPS: [&str; 6] = ["branching", "dead_ends", "skeletons", "count", "min", "max"];

impl ActMeter {
    /// How many routes there are, from the bottom up: as many lead to a node as to those below it together.
    fn routes(&mut self, map: &ActMap) -> u64 {
        // References change places, not the rows.
        let [here, above] = &mut self.rows;
        let (mut here, mut above) = (here, above);
        *here = [0; 64];
        *above = [0; 64];
        for node in map.nodes.iter().take_while(|node| node.row == 0) {
            here[usize::from(node.col & 63)] = 1;
        }
        let mut row = 0;
        for edge in &map.edges {
            if edge.row != row {
                row = edge.row;
                std::mem::swap(&mut here, &mut above);
                *above = [0; 64];
            }
            let ways = &mut above[usize::from(edge.to & 63)];
            *ways = ways.saturating_add(here[usize::from(edge.from & 63)]);
        }
        let top = top(map);
        let counts = if top == 0 { here } else { above };
        let ends = map.nodes.iter().rev().take_while(|node| node.row == top);
        ends.fold(0, |all, node| all.saturating_add(counts[usize::from(node.col & 63)]))
    }

    /// The longest stretch of a route without a choice, from the bottom up: the longest that ends at each node.
    fn forced(&mut self, map: &ActMap) -> u64 {
        let [here, above] = &mut self.rows;
        let (mut here, mut above) = (here, above);
        *above = [0; 64];
        let mut longest = 0;
        for gap in map.edges.chunk_by(|a, b| a.row == b.row) {
            std::mem::swap(&mut here, &mut above);
            *above = [0; 64];
            let leaving = gap.chunk_by(|a, b| a.from == b.from);
            for edge in leaving.filter(|edges| edges.len() == 1).map(|edges| edges[0]) {
                let stretch = &mut above[usize::from(edge.to & 63)];
                *stretch = (*stretch).max(here[usize::from(edge.from & 63)] + 1);
                longest = longest.max(*stretch);
            }
        }
        longest
    }

    /// The fewest or the most nodes of a kind on a route, from the bottom up: the better of what leads to a node, and itself.
    #[inline]
    fn on_routes(&mut self, map: &ActMap, kind: u16, worst: u64, better: impl Fn(u64, u64) -> u64) -> i64 {
        let kind = Some(KindId(kind as u8));
        let [here, above] = &mut self.rows;
        let (mut here, mut above) = (here, above);
        *here = [0; 64];
        let mut edges = map.edges.iter().peekable();
        let mut row = 0;
        for node in &map.nodes {
            if node.row != row {
                row = node.row;
                *above = [worst; 64];
                while let Some(edge) = edges.next_if(|edge| edge.row < row) {
                    let best = &mut above[usize::from(edge.to & 63)];
                    *best = better(*best, here[usize::from(edge.from & 63)]);
                }
                std::mem::swap(&mut here, &mut above);
            }
            let best = &mut here[usize::from(node.col & 63)];
            *best = best.saturating_add(u64::from(node.kind == kind));
        }
        let ends = map.nodes.iter().rev().take_while(|node| node.row == top(map));
        count(ends.map(|node| here[usize::from(node.col & 63)]).reduce(better).unwrap_or(0))
    }
}

impl Measure for ActMap {
    type Meter = ActMeter;

    fn catalogue(spec: &act::Spec) -> Catalogue {
        let kinds: Vec<String> = spec.kinds().iter().map(|kind| kind.name.clone()).collect();
        let mut planes = if kinds.is_empty() { vec!["node".to_owned()] } else { kinds.clone() };
        planes.push("emerald".to_owned());
        Catalogue { metrics: METRICS, things: kinds, planes }
    }

    /// What a configuration says about how many nodes of a kind there are, on the map and on every route.
    fn budgets(spec: &act::Spec) -> Vec<Budget> {
        let catalogue = ActMap::catalogue(spec);
        let term = |name: &str, kind: &str| catalogue.find(name, Some(kind)).ok();
        let budget = |rule: &KindRule| match rule {
            KindRule::MapMin { kind, min } => Some(Budget::at_least(term("count", kind)?, (*min).into())),
            KindRule::MapMax { kind, max } => Some(Budget::at_most(term("count", kind)?, (*max).into())),
            KindRule::RouteMin { kind, min } => Some(Budget::at_least(term("min", kind)?, (*min).into())),
            KindRule::RouteMax { kind, max } => Some(Budget::at_most(term("max", kind)?, (*max).into())),
            _ => None,
        };
        spec.kind_rules().iter().filter_map(budget).collect()
    }
}
