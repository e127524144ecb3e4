//! Jump point graph: cached successor lists, repaired on demand after edits.

use super::cone::{NO_END, Quadrant, Successor, scan_cone};
use super::heuristic::Rect;
use super::invalidate::{EditFootprint, StaleParts};
use super::scan_lines::ScanLines;
use crate::query::Connectivity;
use crate::work::STEPS_PER_SCAN;
use std::collections::VecDeque;
use wayforge_core::Work;
use wayforge_core::grid::{Pos, Size};

/// Jump points, identified by consecutive ids and shared by both graphs.
#[derive(Clone, Debug)]
pub(super) struct JumpPoints {
    size: Size,
    /// Id plus 1 of each tile's jump point; 0 if it has none.
    ids: Vec<u32>,
    pub(super) positions: Vec<Pos>,
}

/// Successor lists for one connectivity.
///
/// A *node* is a jump point and a quadrant, with the index `4 * id + quadrant`.
///
/// An obstacle placed on open ground affects thousands of long lists, of which the next query uses
/// few. So an edit only marks the affected lists, and a search repairs a list when it needs it. A
/// list is either current or was correct just before the edit in its [`Validity`].
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) connectivity: Connectivity,
    /// Whether all lists have been computed.
    is_complete: bool,
    lists: Vec<SuccessorList>,
    edges: Vec<Edge>,
    /// Area covered by the lists of each group of [`GROUP_SIZE`] consecutive jump points; `None` if
    /// no list is computed.
    groups: Vec<Option<Extent>>,
    /// Number of unused entries in `edges`, left by replaced lists.
    wasted: usize,
    edit_count: u32,
    /// Footprints of the last [`MAX_MISSED_EDITS`] edits.
    recent_edits: VecDeque<EditFootprint>,
    /// Scratch buffer of [`recompute_parts`](Self::recompute_parts).
    found: Vec<Successor>,
}

/// Number of jump points that an edit can skip with one test.
const GROUP_SIZE: usize = 8;
/// Lists that have missed more edits than this are recomputed instead of repaired.
const MAX_MISSED_EDITS: usize = 16;

/// Bounding box of a group of jump points and the maximum reach of their lists.
#[derive(Clone, Copy, Debug)]
struct Extent {
    rect: Rect,
    reach: u16,
}

/// Range of a node's edges.
#[derive(Clone, Copy, Debug, Default)]
struct SuccessorList {
    start: u32,
    len: u32,
    /// Number of major steps; see [`scan_cone`].
    reach: u16,
    validity: Validity,
}

/// State of the grid for which a list is correct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Validity(u32);

impl Validity {
    /// The list has not been computed.
    const UNCOMPUTED: Validity = Validity(0);
    /// The list is correct for the current grid.
    const CURRENT: Validity = Validity(u32::MAX);

    /// The list is correct for the grid before this edit; later edits may affect it as well.
    fn before_edit(edit: u32) -> Validity {
        Validity(edit + 1)
    }

    /// Returns the number of edits that a list has missed, out of `edit_count` in total.
    fn missed_edits(self, edit_count: u32) -> usize {
        match self {
            Validity::UNCOMPUTED => usize::MAX,
            Validity::CURRENT => 0,
            Validity(before) => (edit_count + 1 - before) as usize,
        }
    }
}

/// Edge to a successor node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    pub(super) node: u32,
    pub(super) major_steps: u16,
    pub(super) minor_steps: u16,
}

impl JumpPoints {
    pub(super) fn new(size: Size) -> JumpPoints {
        JumpPoints { size, ids: vec![0; size.cells()], positions: Vec::new() }
    }

    /// Returns the id of a tile's jump point; assigns one if it has none.
    #[inline]
    pub(super) fn get_or_insert(&mut self, pos: Pos) -> u32 {
        let id = &mut self.ids[self.size.index(pos)];
        if *id == 0 {
            self.positions.push(pos);
            *id = self.positions.len() as u32;
        }
        *id - 1
    }

    /// Returns the id of a tile's jump point, if it has one.
    pub(super) fn get(&self, pos: Pos) -> Option<u32> {
        self.ids[self.size.index(pos)].checked_sub(1)
    }
}

impl Graph {
    pub(super) fn new(connectivity: Connectivity) -> Graph {
        Graph { connectivity, ..Graph::default() }
    }

    /// Computes all lists, unless this has been done before. Returns false if the work limit is
    /// reached; the next call continues.
    pub(super) fn fill(&mut self, lines: &ScanLines, points: &mut JumpPoints, work: &Work) -> bool {
        if self.is_complete {
            return true;
        }
        lines.for_each_jump_point(|pos| {
            points.get_or_insert(pos);
        });
        for point in 0..points.positions.len() as u32 {
            let pos = points.positions[point as usize];
            for quadrant in Quadrant::ALL {
                if can_turn_into(lines, pos, quadrant, self.connectivity) {
                    self.edges(lines, points, 4 * point + u32::from(quadrant.0), work);
                }
            }
            if work.stopped().is_some() {
                return false;
            }
        }
        // Reserves space for edits, because reallocating takes longer than a repair. Untouched
        // pages use no physical memory.
        self.edges.reserve(self.edges.len() / 2 + 65_536);
        self.is_complete = true;
        true
    }

    /// Returns the range of a node's edges, for [`edge`](Self::edge), and the reach of its cone.
    ///
    /// Computes or repairs the list if necessary.
    #[inline]
    pub(super) fn edges(
        &mut self,
        lines: &ScanLines,
        points: &mut JumpPoints,
        node: u32,
        work: &Work,
    ) -> (std::ops::Range<usize>, u16) {
        let mut list = self.lists.get(node as usize).copied().unwrap_or_default();
        if list.validity != Validity::CURRENT {
            work.spend(STEPS_PER_SCAN);
            list = self.repair(lines, points, node as usize);
        }
        (list.start as usize..(list.start + list.len) as usize, list.reach)
    }

    /// Marks the lists that an edit affects.
    ///
    /// `edit` must be built after all of its tiles have changed and before the next edit.
    pub(super) fn mark_stale(&mut self, points: &JumpPoints, edit: EditFootprint) {
        for group in 0..self.groups.len() {
            if self.groups[group].is_none_or(|extent| edit.cannot_affect(extent.rect, extent.reach))
            {
                continue;
            }
            let nodes =
                4 * GROUP_SIZE * group..(4 * GROUP_SIZE * (group + 1)).min(self.lists.len());
            for node in nodes {
                let list = &mut self.lists[node];
                let (from, signs) = (points.positions[node / 4], Quadrant(node as u8 & 3).signs());
                if list.validity == Validity::CURRENT
                    && edit.stale_parts(self.connectivity, from, signs, list.reach).is_some()
                {
                    list.validity = Validity::before_edit(self.edit_count);
                }
            }
        }
        self.edit_count += 1;
        if Validity::before_edit(self.edit_count + 1) == Validity::CURRENT {
            // The edit number would overflow: discard all lists and restart at 0.
            self.clear();
            self.edit_count = 0;
        }
        if self.recent_edits.len() == MAX_MISSED_EDITS {
            self.recent_edits.pop_front();
        }
        self.recent_edits.push_back(edit);
        self.compact();
    }

    /// Computes a node's list, or applies the edits that it has missed.
    ///
    /// The edits are applied in order, but all of them read the current grid. This is correct
    /// because each part of the list is correct for the grid after the edits applied so far, or for
    /// a later grid. The edits in between are applied afterwards. If one of them cuts the line of
    /// major steps, edges beyond it are wrong until that edit removes them.
    #[cold]
    fn repair(&mut self, lines: &ScanLines, points: &mut JumpPoints, node: usize) -> SuccessorList {
        if self.lists.len() <= node {
            self.lists.resize(4 * points.positions.len(), SuccessorList::default());
        }
        let (from, signs) = (points.positions[node / 4], Quadrant(node as u8 & 3).signs());
        match self
            .recent_edits
            .len()
            .checked_sub(self.lists[node].validity.missed_edits(self.edit_count))
        {
            Some(first) => {
                for edit in first..self.recent_edits.len() {
                    let reach = self.lists[node].reach;
                    if let Some(stale) =
                        self.recent_edits[edit].stale_parts(self.connectivity, from, signs, reach)
                    {
                        self.recompute_parts(lines, points, node, &stale);
                    }
                }
            }
            None => self.recompute_parts(lines, points, node, &StaleParts::ALL),
        }
        self.lists[node].validity = Validity::CURRENT;
        self.lists[node]
    }

    /// Compacts `edges` if most of its entries are unused.
    fn compact(&mut self) {
        if self.wasted > 65_536 && self.wasted > self.edges.len() / 2 {
            let mut edges = Vec::with_capacity(self.edges.len());
            for list in &mut self.lists {
                let old = list.start as usize..(list.start + list.len) as usize;
                list.start = edges.len() as u32;
                edges.extend_from_slice(&self.edges[old]);
            }
            self.edges = edges;
            self.wasted = 0;
        }
    }

    /// Recomputes the stale parts of a list.
    fn recompute_parts(
        &mut self,
        lines: &ScanLines,
        points: &mut JumpPoints,
        node: usize,
        stale: &StaleParts,
    ) {
        let SuccessorList { start, len, mut reach, .. } = self.lists[node];
        let (from, quadrant) = (points.positions[node / 4], Quadrant(node as u8 & 3));
        let mut found = std::mem::take(&mut self.found);
        for part in stale.parts() {
            scan_cone(lines, self.connectivity, from, quadrant, part, |successor| {
                found.push(successor)
            });
        }
        if let Some(cut) = stale.cut {
            reach =
                scan_cone(lines, self.connectivity, from, quadrant, (cut, NO_END), |successor| {
                    found.push(successor)
                });
        }
        // Moves the edges to keep to the front of the old range; new ones follow if they fit.
        let (old, len) = (start as usize, len as usize);
        let mut write = old;
        for index in old..old + len {
            if stale.keeps(self.edges[index].major_steps) {
                self.edges[write] = self.edges[index];
                write += 1;
            }
        }
        let (mut start, total) = (old, write - old + found.len());
        let new = found.drain(..).map(|successor| Edge::to(points, successor));
        if total <= len {
            self.edges[write..].iter_mut().zip(new).for_each(|(edge, new)| *edge = new);
            self.wasted += len - total;
        } else {
            start = self.edges.len();
            self.edges.extend_from_within(old..write);
            self.edges.extend(new);
            self.wasted += len;
        }
        self.found = found;
        let list = &mut self.lists[node];
        *list = SuccessorList { start: start as u32, len: total as u32, reach, ..*list };
        let (group, rect) = (node / (4 * GROUP_SIZE), Rect::single(from));
        if self.groups.len() <= group {
            self.groups.resize(group + 1, None);
        }
        let extent = self.groups[group].get_or_insert(Extent { rect, reach });
        *extent = Extent { rect: extent.rect.union(rect), reach: extent.reach.max(reach) };
    }

    /// Discards all lists.
    pub(super) fn clear(&mut self) {
        self.lists.fill(SuccessorList::default());
        self.groups.clear();
        self.edges.clear();
        self.wasted = 0;
    }

    /// Returns the memory used by lists and edges, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.lists.len() * size_of::<SuccessorList>() + self.edges.len() * size_of::<Edge>()
    }

    #[inline]
    pub(super) fn edge(&self, index: usize) -> Edge {
        self.edges[index]
    }
}

impl Edge {
    #[inline]
    fn to(points: &mut JumpPoints, successor: Successor) -> Edge {
        let node = 4 * points.get_or_insert(successor.pos) + u32::from(successor.quadrant.0);
        Edge { node, major_steps: successor.major_steps, minor_steps: successor.minor_steps }
    }
}

/// Returns true if a run can arrive at the tile and turn into the quadrant.
fn can_turn_into(
    lines: &ScanLines,
    pos: Pos,
    quadrant: Quadrant,
    connectivity: Connectivity,
) -> bool {
    let (sx, sy) = quadrant.signs();
    let open = |dx: i32, dy: i32| {
        // Below 0 the sum wraps to an offset far beyond the high edge, which counts as blocked.
        let along = |at: u16, by: i32| usize::from(at).wrapping_add_signed(by as isize);
        lines.rows.is_open(along(pos.x, dx), along(pos.y, dy))
    };
    let from_row = open(-sx, 0) && open(0, sy) && !open(-sx, sy);
    let from_column = || open(0, -sy) && open(sx, 0) && !open(sx, -sy);
    from_row || connectivity == Connectivity::Eight && from_column()
}
