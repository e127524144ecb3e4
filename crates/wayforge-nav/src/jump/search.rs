//! A* over jump points.

use super::bound::Bound;
use super::buckets::Buckets;
use super::cone::{Met, Quadrant, cone};
use super::graph::{Graph, Spots};
use super::lines::Lines;
use super::weights::Weights;
use crate::ends::Ends;
use crate::query::{Moves, Query};
use wayforge_core::grid::{BitGrid, Pos};

/// The memory of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    nodes: Vec<Node>,
    /// Nodes by the least cost of a way through them.
    buckets: Buckets,
    /// Sources that have not been expanded, by the same cost: most never are.
    sources: Vec<(u64, u32)>,
    /// Cones of sources that go on; they wait in the buckets, as their place here with [`SOURCE`] added.
    cones: Vec<SourceCone>,
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

/// The rest of what a source leads to in a quadrant: most of it leads away from the targets, and is never looked at.
#[derive(Clone, Copy, Debug)]
struct SourceCone {
    source: u32,
    quadrant: Quadrant,
    /// From how many major steps on.
    start: u16,
}

/// How many major steps of a source's cone are looked at first; then twice as many.
const FIRST_PART: u16 = 8;

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
        (query, ends): (&Query, &Ends),
        bound: &Bound<'_>,
        weights: Weights,
    ) -> bool {
        self.begin(spots);
        let shift = weights.bucket_shift();
        for &i in &ends.sources {
            self.sources.push((bound.at_tile(query.sources[i as usize]), i));
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
                if node >= SOURCE {
                    let cone = self.cones[(node - SOURCE) as usize];
                    self.follow(lines, spots, (query, ends), cone, bound, weights, &mut best);
                } else if weights.same(self.nodes[node as usize].cost, cost) {
                    let cost = self.nodes[node as usize].cost;
                    let pos = spots.pos[node as usize / 4];
                    let (edges, reach) = graph.edges(lines, spots, node);
                    for at in edges {
                        let edge = graph.edge(at);
                        let cost = cost + weights.of(edge.slant.into(), edge.straight.into());
                        self.relax(spots, edge.node, cost, node, bound, weights, end_of(&best));
                    }
                    see(
                        lines,
                        (query.moves, &ends.targets),
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
            if let Some((_, source)) = self.sources.pop() {
                for quadrant in Quadrant::ALL {
                    let cone = SourceCone { source, quadrant, start: 0 };
                    self.follow(lines, spots, (query, ends), cone, bound, weights, &mut best);
                }
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

    /// Reaches what the next part of a source's cone leads to, and puts the rest of it off.
    #[allow(clippy::too_many_arguments)] // All of one expansion's context; a struct would only rename it.
    fn follow(
        &mut self,
        lines: &Lines,
        spots: &mut Spots,
        (query, ends): (&Query, &Ends),
        SourceCone { source, quadrant, start }: SourceCone,
        bound: &Bound<'_>,
        weights: Weights,
        best: &mut Best,
    ) {
        let from = query.sources[source as usize];
        let (end, shift) = (2 * start + FIRST_PART, weights.bucket_shift());
        let last = |best: &Best| best.map_or(u64::MAX, |(cost, ..)| weights.last_bucket(cost));
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let reach = cone(lines, query.moves, from, quadrant, (start, end), |met| found.push(met));
        for met in &found {
            let to = 4 * spots.number(met.pos) + u32::from(met.quadrant.0);
            let cost = weights.of(met.slant.into(), met.straight.into());
            self.relax(spots, to, cost, SOURCE | source, bound, weights, last(best));
        }
        self.found = found;
        see(
            lines,
            (query.moves, &ends.targets),
            (from, quadrant, reach),
            (0, SOURCE | source),
            bound,
            weights,
            best,
        );
        if reach == end {
            // Whatever lies beyond passes this tile.
            let tile = after_major_steps(from, quadrant, reach, query.moves);
            let least = (weights.of(reach.into(), 0) + bound.at_tile(tile)) >> shift;
            if least < last(best) {
                self.buckets.push(least, SOURCE | self.cones.len() as u32, 0);
                self.cones.push(SourceCone { source, quadrant, start: end });
            }
        }
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
        self.cones.clear();
        self.reached.clear();
        self.corners.clear();
    }

    /// Reaches a node. Fewer diagonals at the same number of steps make a straighter way, but lead no farther: the node is not
    /// taken up again for them.
    #[inline]
    #[allow(clippy::too_many_arguments)] // All of one step's context; a struct would only rename it.
    fn relax(
        &mut self,
        spots: &Spots,
        to: u32,
        cost: u64,
        from: u32,
        bound: &Bound<'_>,
        weights: Weights,
        end: u64,
    ) {
        if self.nodes.len() <= to as usize {
            self.nodes.resize(4 * spots.pos.len(), Node::default());
        }
        let node = &mut self.nodes[to as usize];
        let new = Node { cost, from, stamp: self.stamp };
        if node.stamp != self.stamp {
            self.reached.push(to);
        } else if node.cost <= cost {
            return;
        } else if weights.same(node.cost, cost) {
            *node = new;
            return;
        }
        *node = new;
        let spot = to as usize / 4;
        let least = cost + bound.at_spot(spots.pos[spot], spot);
        // What cannot lead to anything better than the best way need not wait.
        let bucket = least >> weights.bucket_shift();
        if bucket < end {
            self.buckets.push(bucket, to, cost);
        }
    }
}

/// Looks for targets that a cone reaches without another jump point.
fn see(
    lines: &Lines,
    (moves, targets): (Moves, &[Pos]),
    (from, quadrant, reach): (Pos, Quadrant, u16),
    (cost, node): (u64, u32),
    bound: &Bound<'_>,
    weights: Weights,
    best: &mut Best,
) {
    let (sx, sy) = quadrant.signs();
    let four = moves == Moves::Four;
    if !bound.may_see(from, (sx, sy), reach, four) {
        return;
    }
    for &target in targets {
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
        let turn = after_major_steps(from, quadrant, slant as u16, moves);
        if lines.clear(turn, target) {
            *best = Some((total, node, target));
        }
    }
}

/// The tile after so many major steps.
fn after_major_steps(from: Pos, quadrant: Quadrant, steps: u16, moves: Moves) -> Pos {
    let (sx, sy) = quadrant.signs();
    let along = |at: u16, sign: i32| if sign > 0 { at + steps } else { at - steps };
    match moves {
        Moves::Four => Pos::new(from.x, along(from.y, sy)),
        Moves::Eight => Pos::new(along(from.x, sx), along(from.y, sy)),
    }
}
