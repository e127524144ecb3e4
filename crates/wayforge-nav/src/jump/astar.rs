//! A* search (Hart, Nilsson & Raphael 1968) over jump points.

use super::bucket_queue::BucketQueue;
use super::cone::{Quadrant, Successor, scan_cone};
use super::costs::Costs;
use super::graph::{Graph, JumpPoints};
use super::heuristic::Heuristic;
use super::scan_lines::ScanLines;
use crate::ends::Ends;
use crate::query::{Connectivity, Query};
use crate::work::STEPS_PER_SCAN;
use wayforge_core::Work;
use wayforge_core::grid::{BitGrid, Pos};

/// State and result of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct AStar {
    nodes: Vec<Node>,
    /// Nodes by estimated total cost.
    queue: BucketQueue,
    /// Sources that have not been expanded, by estimated total cost. Most are never expanded.
    sources: Vec<(u64, u32)>,
    /// Unfinished cones of sources. The queue refers to a cone by [`SOURCE_FLAG`] plus its index.
    cones: Vec<SourceCone>,
    found: Vec<Successor>,
    stamp: u32,
    /// Nodes reached by the last query.
    pub(super) reached: Vec<u32>,
    /// Corners of the path, from target to source.
    pub(super) corners: Vec<Pos>,
    /// Best path so far: its cost, the last node or source before the target, and the target.
    best: Option<(u64, u32, Pos)>,
}

/// Search state of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Lowest cost so far.
    cost: u64,
    /// Predecessor node, or [`SOURCE_FLAG`] plus the index of a source in the query.
    from: u32,
    stamp: u32,
}

/// Remainder of a source's cone. Most of it points away from the targets and is never scanned.
#[derive(Clone, Copy, Debug)]
struct SourceCone {
    source: u32,
    quadrant: Quadrant,
    /// Number of major steps already scanned.
    start: u16,
}

/// Number of major steps in the first part of a source's cone; later parts grow geometrically.
const INITIAL_CONE_STEPS: u16 = 8;

/// Distinguishes sources and cones from nodes; larger than any node.
const SOURCE_FLAG: u32 = 1 << 31;

/// Grid, query and heuristic of a search.
pub(super) struct SearchContext<'a> {
    pub(super) lines: &'a ScanLines,
    pub(super) query: &'a Query,
    pub(super) ends: &'a Ends,
    pub(super) heuristic: Heuristic<'a>,
    pub(super) costs: Costs,
}

impl AStar {
    /// Finds a cheapest path and stores its corners in `corners`; returns false if none exists
    /// or the work limit is reached.
    ///
    /// The heuristic is admissible, and nodes reached again at lower cost are reopened. So the best
    /// path is optimal as soon as no bucket can contain anything cheaper.
    pub(super) fn run(
        &mut self,
        context: &SearchContext<'_>,
        points: &mut JumpPoints,
        graph: &mut Graph,
        work: &Work,
    ) -> bool {
        self.begin(points);
        let (query, costs) = (context.query, context.costs);
        for &i in &context.ends.sources {
            self.sources.push((context.heuristic.at_tile(query.sources[i as usize]), i));
        }
        // Sorted by descending estimate, so the best source is popped first.
        self.sources.sort_unstable_by(|a, b| b.cmp(a));
        loop {
            let source = self
                .sources
                .last()
                .map_or(u64::MAX, |&(estimate, _)| estimate >> costs.bucket_shift());
            // Buckets at or after `end` wait for the next source or cannot improve the best path.
            let end = source.min(self.end_bucket(costs));
            if let Some((node, cost)) = self.queue.pop_before(end) {
                if !work.spend(1) {
                    return false;
                }
                if node >= SOURCE_FLAG {
                    self.expand_source_cone(
                        context,
                        points,
                        self.cones[(node - SOURCE_FLAG) as usize],
                        work,
                    );
                } else if costs.is_same_length(self.nodes[node as usize].cost, cost) {
                    let cost = self.nodes[node as usize].cost;
                    let pos = points.positions[node as usize / 4];
                    let (edges, reach) = graph.edges(context.lines, points, node, work);
                    for index in edges {
                        let edge = graph.edge(index);
                        let cost = cost
                            + costs.of_cone_steps(edge.major_steps.into(), edge.minor_steps.into());
                        self.relax(context, points, edge.node, cost, node);
                    }
                    self.check_targets(
                        context,
                        (pos, Quadrant(node as u8 & 3), reach),
                        (cost, node),
                    );
                }
                continue;
            }
            if source > end || self.sources.is_empty() {
                break;
            }
            self.queue.current = self.queue.current.max(source);
            if let Some((_, source)) = self.sources.pop() {
                for quadrant in Quadrant::ALL {
                    self.expand_source_cone(
                        context,
                        points,
                        SourceCone { source, quadrant, start: 0 },
                        work,
                    );
                }
            }
        }
        let Some((_, mut node, target)) = self.best else { return false };
        self.corners.push(target);
        while node < SOURCE_FLAG {
            self.corners.push(points.positions[node as usize / 4]);
            node = self.nodes[node as usize].from;
        }
        self.corners.push(query.sources[(node - SOURCE_FLAG) as usize]);
        true
    }

    /// Adds the jump points reached by the last query to `set`.
    pub(super) fn add_visited(&self, points: &JumpPoints, set: &mut BitGrid) {
        self.reached.iter().for_each(|&node| set.insert(points.positions[node as usize / 4]));
    }

    /// Scans the next part of a source's cone and enqueues the remainder.
    fn expand_source_cone(
        &mut self,
        context: &SearchContext<'_>,
        points: &mut JumpPoints,
        part: SourceCone,
        work: &Work,
    ) {
        work.spend(STEPS_PER_SCAN);
        let SourceCone { source, quadrant, start } = part;
        let (connectivity, costs) = (context.query.connectivity, context.costs);
        let from = context.query.sources[source as usize];
        let end = 2 * start + INITIAL_CONE_STEPS;
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let reach =
            scan_cone(context.lines, connectivity, from, quadrant, (start, end), |successor| {
                found.push(successor)
            });
        for successor in &found {
            let to = 4 * points.get_or_insert(successor.pos) + u32::from(successor.quadrant.0);
            self.relax(
                context,
                points,
                to,
                costs.of_cone_steps(successor.major_steps.into(), successor.minor_steps.into()),
                SOURCE_FLAG | source,
            );
        }
        self.found = found;
        self.check_targets(context, (from, quadrant, reach), (0, SOURCE_FLAG | source));
        if reach == end {
            // All successors in the remaining part are reached through this tile.
            let tile = after_major_steps(from, quadrant, reach, connectivity);
            let estimate = (costs.of_cone_steps(reach.into(), 0) + context.heuristic.at_tile(tile))
                >> costs.bucket_shift();
            if estimate < self.end_bucket(costs) {
                self.queue.push(estimate, SOURCE_FLAG | self.cones.len() as u32, 0);
                self.cones.push(SourceCone { start: end, ..part });
            }
        }
    }

    fn begin(&mut self, points: &JumpPoints) {
        if self.stamp == u32::MAX {
            self.nodes.clear();
            self.stamp = 0;
        }
        self.stamp += 1;
        self.nodes.resize(self.nodes.len().max(4 * points.positions.len()), Node::default());
        self.best = None;
        self.queue.clear();
        self.sources.clear();
        self.cones.clear();
        self.reached.clear();
        self.corners.clear();
    }

    /// Returns the first bucket that cannot improve the best path.
    #[inline]
    fn end_bucket(&self, costs: Costs) -> u64 {
        self.best.map_or(u64::MAX, |(cost, ..)| costs.end_bucket(cost))
    }

    /// Relaxes a node.
    ///
    /// A path with as many steps but fewer diagonals only replaces the predecessor. The node is not
    /// enqueued again, because paths through it get no shorter.
    #[inline]
    fn relax(
        &mut self,
        context: &SearchContext<'_>,
        points: &JumpPoints,
        to: u32,
        cost: u64,
        from: u32,
    ) {
        if self.nodes.len() <= to as usize {
            self.nodes.resize(4 * points.positions.len(), Node::default());
        }
        let node = &mut self.nodes[to as usize];
        let new = Node { cost, from, stamp: self.stamp };
        if node.stamp != self.stamp {
            self.reached.push(to);
        } else if node.cost <= cost {
            return;
        } else if context.costs.is_same_length(node.cost, cost) {
            *node = new;
            return;
        }
        *node = new;
        let point = to as usize / 4;
        let estimate = cost + context.heuristic.at_jump_point(points.positions[point], point);
        // Nodes that cannot improve the best path are not enqueued.
        let bucket = estimate >> context.costs.bucket_shift();
        if bucket < self.end_bucket(context.costs) {
            self.queue.push(bucket, to, cost);
        }
    }

    /// Updates the best path with the targets that a cone reaches without another jump point.
    fn check_targets(
        &mut self,
        context: &SearchContext<'_>,
        (from, quadrant, reach): (Pos, Quadrant, u16),
        (cost, node): (u64, u32),
    ) {
        let (sx, sy) = quadrant.signs();
        if !context.heuristic.cone_may_reach_target(from, (sx, sy), reach) {
            return;
        }
        let four = context.query.connectivity == Connectivity::Four;
        for &target in &context.ends.targets {
            let dx = (i32::from(target.x) - i32::from(from.x)) * sx;
            let dy = (i32::from(target.y) - i32::from(from.y)) * sy;
            let (major_steps, minor_steps) =
                if four { (dy, dx.abs()) } else { (dx.min(dy), (dx - dy).abs()) };
            if major_steps < 0 || major_steps > i32::from(reach) {
                continue;
            }
            let total = cost + context.costs.of_cone_steps(major_steps as u32, minor_steps as u32);
            if self.best.is_some_and(|(cost, ..)| cost <= total) {
                continue;
            }
            let turn =
                after_major_steps(from, quadrant, major_steps as u16, context.query.connectivity);
            if context.lines.is_clear(turn, target) {
                self.best = Some((total, node, target));
            }
        }
    }
}

/// Returns the tile after `steps` major steps.
fn after_major_steps(from: Pos, quadrant: Quadrant, steps: u16, connectivity: Connectivity) -> Pos {
    let (sx, sy) = quadrant.signs();
    let along = |at: u16, sign: i32| if sign > 0 { at + steps } else { at - steps };
    match connectivity {
        Connectivity::Four => Pos::new(from.x, along(from.y, sy)),
        Connectivity::Eight => Pos::new(along(from.x, sx), along(from.y, sy)),
    }
}
