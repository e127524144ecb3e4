//! Corridor of coarse cells around a coarse path.
//!
//! A breadth-first search over coarse nodes finds the path, the *spine*. The corridor contains the
//! spine and all cells near the line that remains after straightening it by line of sight.

use super::coarse::CoarseMap;
use super::query::Connectivity;
use super::smooth::far_visible;
use std::cmp::Ordering;
use std::ops::RangeInclusive;
use wayforge_core::Work;
use wayforge_core::grid::{Pos, Size};

/// Allowed and visited coarse nodes, as generation stamps, and buffers of the coarse search.
#[derive(Clone, Debug, Default)]
pub(super) struct Corridor {
    /// Stamp of the query that allowed each node.
    allowed: Vec<u32>,
    /// Stamp of the phase that visited each node.
    visited: Vec<u32>,
    /// Nodes visited in this query, by phase and first visit.
    visit_order: Vec<u32>,
    /// Number of nodes visited before the current phase.
    phase_start: usize,
    /// Nodes allowed by the last widening.
    pub(super) newly_allowed: Vec<u32>,
    seen: Vec<u32>,
    prev: Vec<u32>,
    queue: Vec<u32>,
    spine: Vec<u32>,
    /// Source nodes reached by the coarse search.
    reached_sources: Vec<u32>,
    /// Stamp of the last query whose spine contains each node.
    on_spine: Vec<u32>,
    query: u32,
    phase: u32,
}

impl Corridor {
    pub(super) fn new(coarse: &CoarseMap) -> Corridor {
        let zeros = vec![0; coarse.len()];
        Corridor {
            allowed: zeros.clone(),
            visited: zeros.clone(),
            seen: zeros.clone(),
            prev: zeros.clone(),
            on_spine: zeros,
            ..Corridor::default()
        }
    }

    /// Starts a query: finds a coarse path and allows the nodes within `radius` cells of its line.
    ///
    /// Returns false if no coarse path exists or the work limit is reached.
    pub(super) fn begin(
        &mut self,
        coarse: &CoarseMap,
        (sources, targets): (impl Iterator<Item = u32>, impl Iterator<Item = u32>),
        (radius, connectivity): (u16, Connectivity),
        work: &Work,
    ) -> bool {
        if self.query >= u32::MAX / 2 || self.phase >= u32::MAX / 2 {
            *self = Corridor::new(coarse);
        }
        self.query += 1;
        self.visit_order.clear();
        self.begin_phase();
        self.newly_allowed.clear();
        self.find_spine(coarse, sources, targets, connectivity)
            && work.spend(self.queue.len() as u64)
            && (0..self.reached_sources.len())
                .all(|i| self.allow_spine(coarse, self.reached_sources[i], radius, work))
    }

    /// Allows the coarse path from a source node and the cells around its straightened line.
    ///
    /// Stops where the path joins one that is already allowed. Returns false if the work limit is
    /// reached.
    fn allow_spine(&mut self, coarse: &CoarseMap, end: u32, radius: u16, work: &Work) -> bool {
        let mut spine = std::mem::take(&mut self.spine);
        spine.clear();
        spine.push(end);
        let mut node = end;
        while self.prev[node as usize] != node && self.on_spine[node as usize] != self.query {
            self.on_spine[node as usize] = self.query;
            node = self.prev[node as usize];
            spine.push(node);
        }
        // Allows the path itself first: straightening may skip a node that the only path of tiles
        // needs.
        for &node in &spine {
            self.allow(node);
        }
        let mut anchor = 0;
        let mut previous = coarse.cell(end);
        let mut may_continue = self.allow_around(coarse, previous, radius, work);
        while anchor + 1 < spine.len() && may_continue {
            let next = far_visible(anchor, spine.len(), |to| {
                has_line_of_sight(coarse, spine[anchor], spine[to])
            });
            let (from, to) = (coarse.cell(spine[anchor]), coarse.cell(spine[next]));
            may_continue = all_on_line(from, to, |cell| {
                let may_continue = self.allow_ahead(coarse, (previous, cell), radius, work);
                previous = cell;
                may_continue
            });
            anchor = next;
        }
        self.spine = spine;
        may_continue
    }

    /// Starts a new phase, in which no node has been visited.
    pub(super) fn begin_phase(&mut self) {
        self.phase += 1;
        self.phase_start = self.visit_order.len();
    }

    #[inline]
    pub(super) fn is_allowed(&self, node: u32) -> bool {
        self.allowed[node as usize] == self.query
    }

    /// Records that a tile of a node was visited.
    #[inline]
    pub(super) fn visit(&mut self, node: u32) {
        if self.visited[node as usize] != self.phase {
            self.visited[node as usize] = self.phase;
            self.visit_order.push(node);
        }
    }

    /// Allows all nodes in the cells adjacent to nodes visited in this phase, or in the whole query
    /// if `all` is true. Returns false if the work limit is reached.
    pub(super) fn widen(&mut self, coarse: &CoarseMap, all: bool, work: &Work) -> bool {
        self.newly_allowed.clear();
        let mut nodes = if all { 0 } else { self.phase_start }..self.visit_order.len();
        nodes.all(|i| self.allow_around(coarse, coarse.cell(self.visit_order[i]), 1, work))
    }

    fn allow(&mut self, node: u32) {
        if self.allowed[node as usize] != self.query {
            self.allowed[node as usize] = self.query;
            self.newly_allowed.push(node);
        }
    }

    fn allow_around(&mut self, coarse: &CoarseMap, cell: Pos, radius: u16, work: &Work) -> bool {
        let Size { width, height } = coarse.cells;
        self.allow_cells(
            coarse,
            range_around(cell.x, radius, width),
            range_around(cell.y, radius, height),
            work,
        )
    }

    /// Allows the cells within `radius` of `cell`, given that those around its neighbour `previous`
    /// are allowed.
    fn allow_ahead(
        &mut self,
        coarse: &CoarseMap,
        (previous, cell): (Pos, Pos),
        radius: u16,
        work: &Work,
    ) -> bool {
        let ahead = |from: u16, to: u16, count: u16| match to.cmp(&from) {
            Ordering::Less => to.checked_sub(radius),
            Ordering::Equal => None,
            Ordering::Greater => to.checked_add(radius).filter(|&at| at < count),
        };
        let Size { width, height } = coarse.cells;
        let column = ahead(previous.x, cell.x, width);
        let row = ahead(previous.y, cell.y, height);
        column.is_none_or(|x| {
            self.allow_cells(coarse, x..=x, range_around(cell.y, radius, height), work)
        }) && row.is_none_or(|y| {
            self.allow_cells(coarse, range_around(cell.x, radius, width), y..=y, work)
        })
    }

    /// Allows the nodes of all cells of a rectangle. Returns false if the work limit is reached.
    fn allow_cells(
        &mut self,
        coarse: &CoarseMap,
        columns: RangeInclusive<u16>,
        rows: RangeInclusive<u16>,
        work: &Work,
    ) -> bool {
        if !work.spend((columns.len() * rows.len()) as u64) {
            return false;
        }
        for y in rows {
            for x in columns.clone() {
                coarse.nodes_in(Pos::new(x, y)).for_each(|node| self.allow(node));
            }
        }
        true
    }

    /// Runs a breadth-first search over coarse nodes from the targets; returns false if it reaches
    /// no source.
    ///
    /// The source with the fewest coarse steps need not be nearest in tiles. The search therefore
    /// continues for a few levels, and every source node that it reaches gets a spine. With four
    /// neighbours the search uses only straight links: a diagonal link would count two steps as
    /// one.
    fn find_spine(
        &mut self,
        coarse: &CoarseMap,
        sources: impl Iterator<Item = u32>,
        targets: impl Iterator<Item = u32>,
        connectivity: Connectivity,
    ) -> bool {
        // Values of `seen`: `reached` for reached nodes, `pending_source` for sources not reached
        // yet.
        let (reached, pending_source) = (2 * self.query, 2 * self.query + 1);
        self.queue.clear();
        self.reached_sources.clear();
        for node in sources {
            self.seen[node as usize] = pending_source;
        }
        for node in targets {
            let seen = std::mem::replace(&mut self.seen[node as usize], reached);
            if seen != reached {
                self.prev[node as usize] = node;
                self.queue.push(node);
                if seen == pending_source {
                    self.reached_sources.push(node);
                }
            }
        }
        let (mut head, mut level, mut level_end) = (0, 0, self.queue.len());
        let mut last_level = if self.reached_sources.is_empty() { u32::MAX } else { 2 };
        while head < self.queue.len() {
            if head == level_end {
                (level, level_end) = (level + 1, self.queue.len());
            }
            if level >= last_level {
                break;
            }
            let node = self.queue[head];
            head += 1;
            let links = if connectivity == Connectivity::Four {
                coarse.straight_links(node)
            } else {
                coarse.links(node)
            };
            for &to in links {
                let seen = self.seen[to as usize];
                if seen == reached {
                    continue;
                }
                self.seen[to as usize] = reached;
                self.prev[to as usize] = node;
                self.queue.push(to);
                if seen == pending_source {
                    self.reached_sources.push(to);
                    last_level = last_level.min(level + 1 + (level / 32).max(2));
                }
            }
        }
        !self.reached_sources.is_empty()
    }
}

/// Returns the columns or rows within `radius` of `centre`; there are `count` in total.
fn range_around(centre: u16, radius: u16, count: u16) -> RangeInclusive<u16> {
    centre.saturating_sub(radius)..=centre.saturating_add(radius).min(count - 1)
}

/// Returns true if a chain of linked nodes follows the line of cells from `from` to `to`.
fn has_line_of_sight(coarse: &CoarseMap, from: u32, to: u32) -> bool {
    let mut node = from;
    let unobstructed = all_on_line(coarse.cell(from), coarse.cell(to), |cell| {
        if coarse.cell(node) == cell {
            return true;
        }
        let range = coarse.nodes_in(cell);
        let next = coarse.links(node).iter().find(|&next| range.contains(next));
        node = next.copied().unwrap_or(node);
        next.is_some()
    });
    unobstructed && node == to
}

/// Calls `f` for the cells of a straight line, both ends included, until it returns false.
///
/// Rasterises the line with an integer digital differential analyser (DDA).
///
/// Returns true if every call returned true.
pub(super) fn all_on_line(from: Pos, to: Pos, mut f: impl FnMut(Pos) -> bool) -> bool {
    let (x0, y0) = (i32::from(from.x), i32::from(from.y));
    let (dx, dy) = (i32::from(to.x) - x0, i32::from(to.y) - y0);
    let steps = dx.abs().max(dy.abs());
    (0..=steps).all(|i| {
        // Rounds to the nearest cell, and halves towards the start.
        let along = |d: i32| {
            if steps == 0 { 0 } else { (2 * d.abs() * i + steps - 1) / (2 * steps) * d.signum() }
        };
        f(Pos::new((x0 + along(dx)) as u16, (y0 + along(dy)) as u16))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_connected_with_eight_neighbours() {
        for (from, to) in [
            ((0, 0), (9, 3)),
            ((9, 3), (0, 0)),
            ((4, 9), (2, 0)),
            ((5, 5), (5, 5)),
            ((0, 7), (7, 0)),
        ] {
            let (from, to) = (Pos::from(from), Pos::from(to));
            let mut cells = Vec::new();
            assert!(all_on_line(from, to, |cell| {
                cells.push(cell);
                true
            }));
            assert_eq!((cells[0], cells[cells.len() - 1]), (from, to));
            assert_eq!(cells.len(), usize::from(from.chebyshev_distance(to)) + 1);
            assert!(
                cells.windows(2).all(|step| step[0].chebyshev_distance(step[1]) == 1),
                "{cells:?}"
            );
        }
    }
}
