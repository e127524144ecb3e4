//! The corridor: a coarse way, straightened by line of sight, drawn as a line of cells and widened.

use super::coarse::Coarse;
use super::query::Moves;
use super::smooth::farthest;
use std::cmp::Ordering;
use std::ops::RangeInclusive;
use wayforge_core::grid::{Pos, Size};

/// Which coarse nodes are allowed and which were visited, by stamps; and the memory of the coarse search.
#[derive(Clone, Debug, Default)]
pub(super) struct Corridor {
    /// The query that allowed each node.
    allowed: Vec<u32>,
    /// The phase that visited each node.
    visited: Vec<u32>,
    /// The nodes visited in this query, phase by phase in the order of their first visits.
    visits: Vec<u32>,
    /// How many of them were visited before the current phase.
    phase_start: usize,
    /// The nodes that the last widening allowed.
    pub(super) fresh: Vec<u32>,
    seen: Vec<u32>,
    prev: Vec<u32>,
    queue: Vec<u32>,
    spine: Vec<u32>,
    /// The nodes of sources that the coarse search met.
    ends: Vec<u32>,
    /// The query whose spine went through each node last.
    on_spine: Vec<u32>,
    query: u32,
    phase: u32,
}

impl Corridor {
    pub(super) fn new(coarse: &Coarse) -> Corridor {
        let none = vec![0; coarse.len()];
        Corridor {
            allowed: none.clone(),
            visited: none.clone(),
            seen: none.clone(),
            prev: none.clone(),
            on_spine: none,
            ..Corridor::default()
        }
    }

    /// Starts a query between nodes: finds the coarse way and allows what lies within `radius` cells of its line. Without a coarse way
    /// nothing is allowed, and the answer is false.
    pub(super) fn begin(
        &mut self,
        coarse: &Coarse,
        (sources, targets): (impl Iterator<Item = u32>, impl Iterator<Item = u32>),
        radius: u16,
        moves: Moves,
    ) -> bool {
        if self.query >= u32::MAX / 2 || self.phase >= u32::MAX / 2 {
            *self = Corridor::new(coarse);
        }
        self.query += 1;
        self.visits.clear();
        self.begin_phase();
        self.fresh.clear();
        if !self.find_spine(coarse, sources, targets, moves) {
            return false;
        }
        for i in 0..self.ends.len() {
            self.allow_spine(coarse, self.ends[i], radius);
        }
        true
    }

    /// Allows the way from a source's node, and what lies around its straightened line; ends where another way was allowed.
    fn allow_spine(&mut self, coarse: &Coarse, end: u32, radius: u16) {
        let mut spine = std::mem::take(&mut self.spine);
        spine.clear();
        spine.push(end);
        let mut node = end;
        while self.prev[node as usize] != node && self.on_spine[node as usize] != self.query {
            self.on_spine[node as usize] = self.query;
            node = self.prev[node as usize];
            spine.push(node);
        }
        // The way itself first: straightening may leave a node out that the only fine way needs.
        for &node in &spine {
            self.allow(node);
        }
        let mut anchor = 0;
        let mut before = coarse.cell(end);
        self.allow_around(coarse, before, radius);
        while anchor + 1 < spine.len() {
            let next = farthest(anchor, spine.len(), |to| in_sight(coarse, spine[anchor], spine[to]));
            let (from, to) = (coarse.cell(spine[anchor]), coarse.cell(spine[next]));
            each_on_line(from, to, |cell| {
                self.allow_ahead(coarse, before, cell, radius);
                before = cell;
                true
            });
            anchor = next;
        }
        self.spine = spine;
    }

    /// Forgets which nodes were visited in this phase.
    pub(super) fn begin_phase(&mut self) {
        self.phase += 1;
        self.phase_start = self.visits.len();
    }

    #[inline]
    pub(super) fn is_allowed(&self, node: u32) -> bool {
        self.allowed[node as usize] == self.query
    }

    /// Notes that a tile of a node was visited.
    #[inline]
    pub(super) fn visit(&mut self, node: u32) {
        if self.visited[node as usize] != self.phase {
            self.visited[node as usize] = self.phase;
            self.visits.push(node);
        }
    }

    /// Allows all nodes in the ring of cells around what was visited: in this phase, or with `all` in the whole query.
    pub(super) fn widen(&mut self, coarse: &Coarse, all: bool) {
        self.fresh.clear();
        for i in if all { 0 } else { self.phase_start }..self.visits.len() {
            self.allow_around(coarse, coarse.cell(self.visits[i]), 1);
        }
    }

    fn allow(&mut self, node: u32) {
        if self.allowed[node as usize] != self.query {
            self.allowed[node as usize] = self.query;
            self.fresh.push(node);
        }
    }

    fn allow_around(&mut self, coarse: &Coarse, cell: Pos, radius: u16) {
        let Size { width, height } = coarse.cells;
        self.allow_cells(coarse, span(cell.x, radius, width), span(cell.y, radius, height));
    }

    /// Allows what lies within `radius` of `cell`, where all within `radius` of the adjacent cell `before` is allowed.
    fn allow_ahead(&mut self, coarse: &Coarse, before: Pos, cell: Pos, radius: u16) {
        let ahead = |from: u16, to: u16, most: u16| match to.cmp(&from) {
            Ordering::Less => to.checked_sub(radius),
            Ordering::Equal => None,
            Ordering::Greater => to.checked_add(radius).filter(|&at| at < most),
        };
        let Size { width, height } = coarse.cells;
        if let Some(x) = ahead(before.x, cell.x, width) {
            self.allow_cells(coarse, x..=x, span(cell.y, radius, height));
        }
        if let Some(y) = ahead(before.y, cell.y, height) {
            self.allow_cells(coarse, span(cell.x, radius, width), y..=y);
        }
    }

    fn allow_cells(&mut self, coarse: &Coarse, columns: RangeInclusive<u16>, rows: RangeInclusive<u16>) {
        for y in rows {
            for x in columns.clone() {
                coarse.nodes_in(Pos::new(x, y)).for_each(|node| self.allow(node));
            }
        }
    }

    /// Breadth-first search over the coarse nodes, from the targets back to the sources; false if it meets none.
    ///
    /// A coarse step stands for a cell's width of tiles, more or less: the source that is nearest by cells need not be the
    /// nearest by tiles. So the search goes on a little further, and every source it meets gets a spine. With four neighbours it
    /// has four itself: diagonal cells would count as one step what takes two.
    fn find_spine(
        &mut self,
        coarse: &Coarse,
        sources: impl Iterator<Item = u32>,
        targets: impl Iterator<Item = u32>,
        moves: Moves,
    ) -> bool {
        // `seen` holds twice the query for what was reached, and one more for a source that was not.
        let (reached, wanted) = (2 * self.query, 2 * self.query + 1);
        self.queue.clear();
        self.ends.clear();
        for node in sources {
            self.seen[node as usize] = wanted;
        }
        for node in targets {
            let seen = std::mem::replace(&mut self.seen[node as usize], reached);
            if seen != reached {
                self.prev[node as usize] = node;
                self.queue.push(node);
                if seen == wanted {
                    self.ends.push(node);
                }
            }
        }
        let (mut head, mut level, mut level_end) = (0, 0, self.queue.len());
        let mut last = if self.ends.is_empty() { u32::MAX } else { 2 };
        while head < self.queue.len() {
            if head == level_end {
                (level, level_end) = (level + 1, self.queue.len());
            }
            if level >= last {
                break;
            }
            let at = self.queue[head];
            head += 1;
            let links = if moves == Moves::Four { coarse.straight_links(at) } else { coarse.links(at) };
            for &to in links {
                let seen = self.seen[to as usize];
                if seen == reached {
                    continue;
                }
                self.seen[to as usize] = reached;
                self.prev[to as usize] = at;
                self.queue.push(to);
                if seen == wanted {
                    self.ends.push(to);
                    last = last.min(level + 1 + (level / 32).max(2));
                }
            }
        }
        !self.ends.is_empty()
    }
}

/// Columns or rows within `radius` of `at`, of `count` in all.
fn span(at: u16, radius: u16, count: u16) -> RangeInclusive<u16> {
    at.saturating_sub(radius)..=at.saturating_add(radius).min(count - 1)
}

/// True if the line of cells between two nodes can be followed from linked node to linked node.
fn in_sight(coarse: &Coarse, from: u32, to: u32) -> bool {
    let mut at = from;
    let whole = each_on_line(coarse.cell(from), coarse.cell(to), |cell| {
        if coarse.cell(at) == cell {
            return true;
        }
        let range = coarse.nodes_in(cell);
        let next = coarse.links(at).iter().find(|&node| range.contains(node));
        at = next.copied().unwrap_or(at);
        next.is_some()
    });
    whole && at == to
}

/// Calls for the cells of a straight line, both ends included, until a call says stop; true if none did.
pub(super) fn each_on_line(from: Pos, to: Pos, mut call: impl FnMut(Pos) -> bool) -> bool {
    let (x0, y0) = (i32::from(from.x), i32::from(from.y));
    let (dx, dy) = (i32::from(to.x) - x0, i32::from(to.y) - y0);
    let steps = dx.abs().max(dy.abs());
    (0..=steps).all(|i| {
        // Rounded to the nearest cell, halves towards the start.
        let along =
            |d: i32| if steps == 0 { 0 } else { (2 * d.abs() * i + steps - 1) / (2 * steps) * d.signum() };
        call(Pos::new((x0 + along(dx)) as u16, (y0 + along(dy)) as u16))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_chains_of_king_moves() {
        for (from, to) in
            [((0, 0), (9, 3)), ((9, 3), (0, 0)), ((4, 9), (2, 0)), ((5, 5), (5, 5)), ((0, 7), (7, 0))]
        {
            let (from, to) = (Pos::from(from), Pos::from(to));
            let mut cells = Vec::new();
            assert!(each_on_line(from, to, |cell| {
                cells.push(cell);
                true
            }));
            assert_eq!((cells[0], cells[cells.len() - 1]), (from, to));
            assert_eq!(cells.len(), usize::from(from.king_distance(to)) + 1);
            assert!(cells.windows(2).all(|step| step[0].king_distance(step[1]) == 1), "{cells:?}");
        }
    }
}
