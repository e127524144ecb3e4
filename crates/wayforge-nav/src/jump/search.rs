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
    /// The best way so far: its cost, the node or source it leaves last, and the target.
    best: Option<(u64, u32, Pos)>,
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

/// What a search reads: the grid, the query and its bound.
pub(super) struct Task<'a> {
    pub(super) lines: &'a Lines,
    pub(super) query: &'a Query,
    pub(super) ends: &'a Ends,
    pub(super) bound: Bound<'a>,
    pub(super) weights: Weights,
}

impl Search {
    /// Finds a cheapest way; its corners stand in `corners` afterwards.
    ///
    /// The bound never claims too much, and a node that is reached again at less cost is taken up again; so when no bucket can
    /// hold anything cheaper than the best way, none exists.
    pub(super) fn run(&mut self, task: &Task<'_>, spots: &mut Spots, graph: &mut Graph) -> bool {
        self.begin(spots);
        let (query, weights) = (task.query, task.weights);
        for &i in &task.ends.sources {
            self.sources.push((task.bound.at_tile(query.sources[i as usize]), i));
        }
        // The cheapest at the end.
        self.sources.sort_unstable_by(|a, b| b.cmp(a));
        loop {
            let source = self.sources.last().map_or(u64::MAX, |&(least, _)| least >> weights.bucket_shift());
            // Nothing below this bucket is left out; a bucket that cannot hold anything cheaper than the best is not opened.
            let end = source.min(self.end(weights));
            if let Some((node, cost)) = self.buckets.pop_before(end) {
                if node >= SOURCE {
                    self.follow(task, spots, self.cones[(node - SOURCE) as usize]);
                } else if weights.same(self.nodes[node as usize].cost, cost) {
                    let cost = self.nodes[node as usize].cost;
                    let pos = spots.pos[node as usize / 4];
                    let (edges, reach) = graph.edges(task.lines, spots, node);
                    for at in edges {
                        let edge = graph.edge(at);
                        let cost = cost + weights.of(edge.slant.into(), edge.straight.into());
                        self.relax(task, spots, edge.node, cost, node);
                    }
                    self.see(task, (pos, Quadrant(node as u8 & 3), reach), (cost, node));
                }
                continue;
            }
            if source > end || self.sources.is_empty() {
                break;
            }
            self.buckets.at = self.buckets.at.max(source);
            if let Some((_, source)) = self.sources.pop() {
                for quadrant in Quadrant::ALL {
                    self.follow(task, spots, SourceCone { source, quadrant, start: 0 });
                }
            }
        }
        let Some((_, mut node, target)) = self.best else { return false };
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
    fn follow(&mut self, task: &Task<'_>, spots: &mut Spots, part: SourceCone) {
        let SourceCone { source, quadrant, start } = part;
        let (moves, weights) = (task.query.moves, task.weights);
        let from = task.query.sources[source as usize];
        let end = 2 * start + FIRST_PART;
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let reach = cone(task.lines, moves, from, quadrant, (start, end), |met| found.push(met));
        for met in &found {
            let to = 4 * spots.number(met.pos) + u32::from(met.quadrant.0);
            self.relax(task, spots, to, weights.of(met.slant.into(), met.straight.into()), SOURCE | source);
        }
        self.found = found;
        self.see(task, (from, quadrant, reach), (0, SOURCE | source));
        if reach == end {
            // Whatever lies beyond passes this tile.
            let tile = after_major_steps(from, quadrant, reach, moves);
            let least = (weights.of(reach.into(), 0) + task.bound.at_tile(tile)) >> weights.bucket_shift();
            if least < self.end(weights) {
                self.buckets.push(least, SOURCE | self.cones.len() as u32, 0);
                self.cones.push(SourceCone { start: end, ..part });
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
        self.best = None;
        self.buckets.clear();
        self.sources.clear();
        self.cones.clear();
        self.reached.clear();
        self.corners.clear();
    }

    /// The first bucket that holds nothing better than the best way so far.
    #[inline]
    fn end(&self, weights: Weights) -> u64 {
        self.best.map_or(u64::MAX, |(cost, ..)| weights.last_bucket(cost))
    }

    /// Reaches a node. Fewer diagonals at the same number of steps make a straighter way, but lead no farther: the node is not
    /// taken up again for them.
    #[inline]
    fn relax(&mut self, task: &Task<'_>, spots: &Spots, to: u32, cost: u64, from: u32) {
        if self.nodes.len() <= to as usize {
            self.nodes.resize(4 * spots.pos.len(), Node::default());
        }
        let node = &mut self.nodes[to as usize];
        let new = Node { cost, from, stamp: self.stamp };
        if node.stamp != self.stamp {
            self.reached.push(to);
        } else if node.cost <= cost {
            return;
        } else if task.weights.same(node.cost, cost) {
            *node = new;
            return;
        }
        *node = new;
        let spot = to as usize / 4;
        let least = cost + task.bound.at_spot(spots.pos[spot], spot);
        // What cannot lead to anything better than the best way need not wait.
        let bucket = least >> task.weights.bucket_shift();
        if bucket < self.end(task.weights) {
            self.buckets.push(bucket, to, cost);
        }
    }

    /// Looks for targets that a cone reaches without another jump point.
    fn see(
        &mut self,
        task: &Task<'_>,
        (from, quadrant, reach): (Pos, Quadrant, u16),
        (cost, node): (u64, u32),
    ) {
        let (sx, sy) = quadrant.signs();
        if !task.bound.may_see(from, (sx, sy), reach) {
            return;
        }
        let four = task.query.moves == Moves::Four;
        for &target in &task.ends.targets {
            let dx = (i32::from(target.x) - i32::from(from.x)) * sx;
            let dy = (i32::from(target.y) - i32::from(from.y)) * sy;
            let (slant, straight) = match four {
                true => (dy, dx.abs()),
                false => (dx.min(dy), (dx - dy).abs()),
            };
            if slant < 0 || slant > i32::from(reach) {
                continue;
            }
            let total = cost + task.weights.of(slant as u32, straight as u32);
            if self.best.is_some_and(|(cost, ..)| cost <= total) {
                continue;
            }
            let turn = after_major_steps(from, quadrant, slant as u16, task.query.moves);
            if task.lines.clear(turn, target) {
                self.best = Some((total, node, target));
            }
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
