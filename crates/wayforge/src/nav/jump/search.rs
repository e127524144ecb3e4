//! A* over jump points.

use super::bound::Bound;
use super::buckets::Buckets;
use super::cone::{Met, Quadrant, cone};
use super::graph::{Graph, Spots};
use super::lines::Lines;
use super::weights::Weights;
use crate::grid::{BitGrid, Pos};
use crate::nav::query::{Moves, Query};

/// The memory of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    nodes: Vec<Node>,
    /// Nodes by the least cost of a way through them.
    buckets: Buckets,
    /// Sources that have not been expanded, by the same cost: most never are.
    sources: Vec<(u64, u32)>,
    found: Vec<Met>,
    stamp: u32,
    /// Nodes reached by the last query.
    pub(super) reached: Vec<u32>,
    /// Corners of the way that was found, from target to source.
    pub(super) corners: Vec<Pos>,
}

/// What a search knows of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// The least cost so far.
    cost: u64,
    /// The node it was reached from, or a source's place in the query with [`SOURCE`] added.
    from: u32,
    stamp: u32,
}

/// Marks a source: no graph has so many nodes.
const SOURCE: u32 = 1 << 31;

/// The best way so far: its cost, the node or source it leaves last, and the target.
type Best = Option<(u64, u32, Pos)>;

impl Search {
    /// Finds a cheapest way; its corners stand in `corners` afterwards.
    ///
    /// The bound never claims too much, and a node that is reached again at less cost is taken up again; so when no bucket can
    /// hold anything cheaper than the best way, none exists.
    #[allow(clippy::too_many_arguments)] // All of one search's context; a struct would only rename it.
    pub(super) fn run(
        &mut self,
        lines: &Lines,
        spots: &mut Spots,
        graph: &mut Graph,
        query: &Query,
        bound: &Bound<'_>,
        weights: Weights,
    ) -> bool {
        self.begin(spots);
        let shift = weights.bucket_shift();
        for (i, &pos) in query.sources.iter().enumerate() {
            self.sources.push((bound.at_tile(pos), i as u32));
        }
        // The cheapest at the end.
        self.sources.sort_unstable_by(|a, b| b.cmp(a));
        let mut best: Best = None;
        let end_of = |best: &Best| best.map_or(u64::MAX, |(cost, ..)| weights.last_bucket(cost));
        loop {
            let source = self.sources.last().map_or(u64::MAX, |&(least, _)| least >> shift);
            // Nothing below this bucket is left out; a bucket that cannot hold anything cheaper than the best is not opened.
            let end = source.min(end_of(&best));
            if let Some((node, cost)) = self.buckets.pop_before(end) {
                if self.nodes[node as usize].cost == cost {
                    let pos = spots.pos[node as usize / 4];
                    let (edges, reach) = graph.edges(lines, spots, node);
                    for at in edges {
                        let edge = graph.edge(at);
                        let cost = cost + weights.of(edge.slant.into(), edge.straight.into());
                        self.relax(spots, edge.node, cost, node, bound, (shift, end_of(&best)));
                    }
                    see(
                        lines,
                        query,
                        (pos, Quadrant(node as u8 & 3), reach),
                        (cost, node),
                        bound,
                        weights,
                        &mut best,
                    );
                }
                continue;
            }
            if source > end || self.sources.is_empty() {
                break;
            }
            self.buckets.at = self.buckets.at.max(source);
            if let Some((_, number)) = self.sources.pop() {
                self.expand_source(lines, spots, query, number, bound, weights, &mut best);
            }
        }
        let Some((_, mut node, target)) = best else { return false };
        self.corners.push(target);
        while node < SOURCE {
            self.corners.push(spots.pos[node as usize / 4]);
            node = self.nodes[node as usize].from;
        }
        self.corners.push(query.sources[(node - SOURCE) as usize]);
        true
    }

    /// The jump points that the last query reached.
    pub(super) fn mark(&self, spots: &Spots, onto: &mut BitGrid) {
        self.reached.iter().for_each(|&node| onto.insert(spots.pos[node as usize / 4]));
    }

    /// Reaches what a source leads to, in all quadrants.
    #[allow(clippy::too_many_arguments)] // All of one expansion's context; a struct would only rename it.
    fn expand_source(
        &mut self,
        lines: &Lines,
        spots: &mut Spots,
        query: &Query,
        number: u32,
        bound: &Bound<'_>,
        weights: Weights,
        best: &mut Best,
    ) {
        let (from, source) = (query.sources[number as usize], SOURCE | number);
        let mut found = std::mem::take(&mut self.found);
        for quadrant in Quadrant::ALL {
            found.clear();
            let reach = cone(lines, query.moves, from, quadrant, 0, |met| found.push(met));
            for met in &found {
                let to = 4 * spots.number(met.pos) + u32::from(met.quadrant.0);
                let cost = weights.of(met.slant.into(), met.straight.into());
                let end = best.map_or(u64::MAX, |(cost, ..)| weights.last_bucket(cost));
                self.relax(spots, to, cost, source, bound, (weights.bucket_shift(), end));
            }
            see(lines, query, (from, quadrant, reach), (0, source), bound, weights, best);
        }
        self.found = found;
    }

    fn begin(&mut self, spots: &Spots) {
        if self.stamp == u32::MAX {
            self.nodes.clear();
            self.stamp = 0;
        }
        self.stamp += 1;
        self.nodes.resize(self.nodes.len().max(4 * spots.pos.len()), Node::default());
        self.buckets.clear();
        self.sources.clear();
        self.reached.clear();
        self.corners.clear();
    }

    #[inline]
    fn relax(
        &mut self,
        spots: &Spots,
        to: u32,
        cost: u64,
        from: u32,
        bound: &Bound<'_>,
        (shift, end): (u32, u64),
    ) {
        if self.nodes.len() <= to as usize {
            self.nodes.resize(4 * spots.pos.len(), Node::default());
        }
        let node = &mut self.nodes[to as usize];
        if node.stamp == self.stamp {
            if node.cost <= cost {
                return;
            }
        } else {
            self.reached.push(to);
        }
        *node = Node { cost, from, stamp: self.stamp };
        let spot = to as usize / 4;
        let least = cost + bound.at_spot(spots.pos[spot], spot);
        // What cannot lead to anything better than the best way need not wait.
        if least >> shift < end {
            self.buckets.push(least >> shift, to, cost);
        }
    }
}

/// Looks for targets that a cone reaches without another jump point.
fn see(
    lines: &Lines,
    query: &Query,
    (from, quadrant, reach): (Pos, Quadrant, u16),
    (cost, node): (u64, u32),
    bound: &Bound<'_>,
    weights: Weights,
    best: &mut Best,
) {
    let (sx, sy) = quadrant.signs();
    let four = query.moves == Moves::Four;
    if !bound.may_see(from, (sx, sy), reach, four) {
        return;
    }
    for &target in &query.targets {
        let dx = (i32::from(target.x) - i32::from(from.x)) * sx;
        let dy = (i32::from(target.y) - i32::from(from.y)) * sy;
        if dy < 0 || dx < 0 && !four {
            continue;
        }
        let (slant, straight) = match four {
            true => (dy, dx.abs()),
            false => (dx.min(dy), (dx - dy).abs()),
        };
        if slant > i32::from(reach) {
            continue;
        }
        let total = cost + weights.of(slant as u32, straight as u32);
        if best.is_some_and(|(cost, ..)| cost <= total) {
            continue;
        }
        let turn = Pos::new(
            (i32::from(from.x) + if four { 0 } else { slant * sx }) as u16,
            (i32::from(from.y) + slant * sy) as u16,
        );
        if lines.clear(turn, target) {
            *best = Some((total, node, target));
        }
    }
}
