//! Metrics of act maps.

use super::{
    Budget, Catalogue, EARLY, MapShape, Measure, Meter, Metric, MetricFn, Placement, Placements,
    count, thousandths,
};
use crate::act::{self, ActMap, KindId, KindRule};
use crate::grid::{Pos, Size};

metrics! { ActMeter:
    "nodes", "nodes", "number of nodes, excluding the boss", EARLY
        => |_, map, _| count(map.nodes.len());
    "edges", "edges", "number of edges, excluding those to the boss", EARLY
        => |_, map, _| count(map.edges.len());
    "routes", "routes", "number of routes from row 0 to the top row", EARLY
        => |meter, map, _| count(meter.routes(map));
    "starts", "nodes", "number of nodes in row 0", EARLY
        => |_, map, _| count(nodes_in_row(map, 0));
    "ends", "nodes", "number of nodes in the top row", EARLY
        => |_, map, _| count(nodes_in_row(map, top_row(map)));
    "widest", "nodes", "number of nodes in the widest row", EARLY
        => |_, map, _| count(row_lengths(map).max().unwrap_or(0));
    "narrowest", "nodes", "number of nodes in the narrowest row", EARLY
        => |_, map, _| count(row_lengths(map).min().unwrap_or(0));
    "splits", "nodes", "number of nodes with more than one outgoing edge", EARLY
        => |_, map, _| count(split_rows(map).count());
    "merges", "nodes", "number of nodes with more than one incoming edge", EARLY
        => |_, map, _| merges(map);
    "corridor", "rows", "longest run of rows below the top row without a split", EARLY
        => |_, map, _| corridor(map);
    "forced", "rows", "longest run of rows below the top row in which a route has no choice", EARLY
        => |meter, map, _| count(meter.forced(map));
    "branching", "thousandths", "mean number of outgoing edges of a node below the top row"
        => |_, map, _| {
        thousandths(map.edges.len(), map.nodes.len() - nodes_in_row(map, top_row(map)))
    };
    "backtracks", "steps", "number of steps that walks undid during generation", EARLY
        => |_, map, _| count(map.attempts.backtracks);
    "dead_ends", "dead ends", "number of dead ends in the search for kinds"
        => |_, map, _| count(map.attempts.dead_ends);
    "skeletons", "skeletons", "number of skeletons generated until one satisfied the kind rules"
        => |_, map, _| count(map.attempts.skeletons);
    "count"("kind"), "nodes", "number of nodes of a kind" => |_, map, kind| {
        let kind = Some(KindId(kind as u8));
        count(map.nodes.iter().filter(|node| node.kind == kind).count())
    };
    "min"("kind"), "nodes", "smallest number of nodes of a kind on a route"
        => |meter, map, kind| meter.count_on_routes(map, kind, u64::MAX, u64::min);
    "max"("kind"), "nodes", "largest number of nodes of a kind on a route"
        => |meter, map, kind| meter.count_on_routes(map, kind, 0, u64::max);
}

/// Returns the index of the top row.
fn top_row(map: &ActMap) -> u16 {
    map.spec.rows().saturating_sub(1)
}

/// Returns the number of nodes in a row.
fn nodes_in_row(map: &ActMap, row: u16) -> usize {
    map.nodes.iter().filter(|node| node.row == row).count()
}

/// Returns the number of nodes of each row.
fn row_lengths(map: &ActMap) -> impl Iterator<Item = usize> {
    map.nodes.chunk_by(|a, b| a.row == b.row).map(<[_]>::len)
}

/// Returns the row of every node with more than one outgoing edge.
fn split_rows(map: &ActMap) -> impl Iterator<Item = i64> {
    let outgoing = map.edges.chunk_by(|a, b| (a.row, a.from) == (b.row, b.from));
    outgoing.filter(|edges| edges.len() > 1).map(|edges| i64::from(edges[0].row))
}

/// Returns the number of nodes with more than one incoming edge.
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

/// Returns the longest run of rows without a split.
fn corridor(map: &ActMap) -> i64 {
    let (last, longest) =
        split_rows(map).fold((-1, 0), |(last, longest), row| (row, longest.max(row - last - 1)));
    longest.max(i64::from(top_row(map)) - last - 1)
}

/// Computes metrics of act maps.
///
/// Expects nodes and edges in the order of the generators, by row. For other orders the values are
/// unspecified, but reading never panics.
#[derive(Clone, Debug)]
pub struct ActMeter {
    /// One number per column of the current row and of the row above it.
    rows: [[u64; 64]; 2],
}

impl Default for ActMeter {
    fn default() -> ActMeter {
        ActMeter { rows: [[0; 64]; 2] }
    }
}

impl Meter for ActMeter {
    type Map = ActMap;
    const VALUES: &[MetricFn<ActMeter>] = VALUES;

    fn collect_placements(&mut self, map: &ActMap, into: &mut Placements) {
        let (rows, kinds) = (map.spec.rows(), map.spec.kinds().len());
        into.reset(Size::new(map.spec.cols(), rows), 1, ActMap::SHAPE);
        // Row 0 is at the bottom.
        let cell =
            |row: u16, col: u16| Pos { x: col, y: rows.saturating_sub(1).saturating_sub(row) };
        for node in &map.nodes {
            let plane = node.kind.map_or(0, |kind| u16::from(kind.0));
            into.push(Placement::on_cell(cell(node.row, node.col), plane));
        }
        for edge in &map.edges {
            let (from, to) = (cell(edge.row, edge.from), cell(edge.row.saturating_add(1), edge.to));
            into.push(Placement { toward: to, plane: None, ..Placement::on_cell(from, 0) });
        }
        if let Some(elite) = map.emerald {
            into.push(Placement::on_cell(cell(elite.row, elite.col), kinds.max(1) as u16));
        }
    }
}

impl ActMeter {
    /// Returns the number of routes, by dynamic programming from row 0 up.
    ///
    /// # Complexity
    /// O(nodes + edges).
    fn routes(&mut self, map: &ActMap) -> u64 {
        // Swap the references, not the arrays.
        let [current, above] = &mut self.rows;
        let (mut current, mut above) = (current, above);
        *current = [0; 64];
        *above = [0; 64];
        for node in map.nodes.iter().take_while(|node| node.row == 0) {
            current[usize::from(node.col & 63)] = 1;
        }
        let mut row = 0;
        for edge in &map.edges {
            if edge.row != row {
                row = edge.row;
                std::mem::swap(&mut current, &mut above);
                *above = [0; 64];
            }
            let routes = &mut above[usize::from(edge.to & 63)];
            *routes = routes.saturating_add(current[usize::from(edge.from & 63)]);
        }
        let top = top_row(map);
        let counts = if top == 0 { current } else { above };
        let ends = map.nodes.iter().rev().take_while(|node| node.row == top);
        ends.fold(0, |all, node| all.saturating_add(counts[usize::from(node.col & 63)]))
    }

    /// Returns the length of the longest stretch of a route without a choice, by dynamic
    /// programming over the longest stretch that ends at each node.
    ///
    /// # Complexity
    /// O(edges).
    fn forced(&mut self, map: &ActMap) -> u64 {
        let [current, above] = &mut self.rows;
        let (mut current, mut above) = (current, above);
        *above = [0; 64];
        let mut longest = 0;
        for row in map.edges.chunk_by(|a, b| a.row == b.row) {
            std::mem::swap(&mut current, &mut above);
            *above = [0; 64];
            let outgoing = row.chunk_by(|a, b| a.from == b.from);
            for edge in outgoing.filter(|edges| edges.len() == 1).map(|edges| edges[0]) {
                let stretch = &mut above[usize::from(edge.to & 63)];
                *stretch = (*stretch).max(current[usize::from(edge.from & 63)] + 1);
                longest = longest.max(*stretch);
            }
        }
        longest
    }

    /// Returns the smallest or largest number of nodes of a kind on a route, by dynamic programming
    /// from row 0 up. `better` selects the minimum or the maximum, `worst` is its identity.
    ///
    /// # Complexity
    /// O(nodes + edges).
    #[inline]
    fn count_on_routes(
        &mut self,
        map: &ActMap,
        kind: u16,
        worst: u64,
        better: impl Fn(u64, u64) -> u64,
    ) -> i64 {
        let kind = Some(KindId(kind as u8));
        let [current, above] = &mut self.rows;
        let (mut current, mut above) = (current, above);
        *current = [0; 64];
        let mut edges = map.edges.iter().peekable();
        let mut row = 0;
        for node in &map.nodes {
            if node.row != row {
                row = node.row;
                *above = [worst; 64];
                while let Some(edge) = edges.next_if(|edge| edge.row < row) {
                    let best = &mut above[usize::from(edge.to & 63)];
                    *best = better(*best, current[usize::from(edge.from & 63)]);
                }
                std::mem::swap(&mut current, &mut above);
            }
            let best = &mut current[usize::from(node.col & 63)];
            *best = best.saturating_add(u64::from(node.kind == kind));
        }
        let ends = map.nodes.iter().rev().take_while(|node| node.row == top_row(map));
        count(ends.map(|node| current[usize::from(node.col & 63)]).reduce(better).unwrap_or(0))
    }
}

impl Measure for ActMap {
    type Meter = ActMeter;
    const SHAPE: MapShape = MapShape::Graph;

    fn catalogue(spec: &act::Spec) -> Catalogue {
        let kinds: Vec<String> = spec.kinds().iter().map(|kind| kind.name.clone()).collect();
        let mut planes = if kinds.is_empty() { vec!["node".to_owned()] } else { kinds.clone() };
        planes.push("emerald".to_owned());
        Catalogue { metrics: METRICS, arguments: kinds, planes }
    }

    /// Returns the bounds on the number of nodes of a kind, per map and per route.
    fn budgets(spec: &act::Spec) -> Vec<Budget> {
        let catalogue = ActMap::catalogue(spec);
        let term = |name: &str, kind: &str| catalogue.find(name, Some(kind)).ok();
        let budget = |rule: &KindRule| match rule {
            KindRule::MapMin { kind, min } => {
                Some(Budget::at_least(term("count", kind)?, (*min).into()))
            }
            KindRule::MapMax { kind, max } => {
                Some(Budget::at_most(term("count", kind)?, (*max).into()))
            }
            KindRule::RouteMin { kind, min } => {
                Some(Budget::at_least(term("min", kind)?, (*min).into()))
            }
            KindRule::RouteMax { kind, max } => {
                Some(Budget::at_most(term("max", kind)?, (*max).into()))
            }
            _ => None,
        };
        spec.kind_rules().iter().filter_map(budget).collect()
    }
}
