//! Incremental recomputation of landmarks after tiles were opened.
//!
//! Opened tiles weaken landmark bounds ([`Heuristic`](super::heuristic::Heuristic)) by as much as
//! they may shorten paths, and stale regions accumulate. Recomputing all landmarks takes as long as
//! many queries. It therefore runs in slices, on a copy of the grid: each query spends about half
//! of its search time on it.

use super::graph::JumpPoints;
use super::heuristic::Rect;
use super::landmarks::{LandmarkBuilder, Landmarks, Span};
use super::shortcut::MARGIN;
use crate::blocks::Blocks;
use crate::components::Components;
use crate::query::Connectivity;
use wayforge_core::Work;

/// Maximum number of stale regions. Beyond it, the closest ones are merged to limit the cost of
/// bounds.
pub(super) const MAX_STALE_REGIONS: usize = 32;

/// Landmarks for four and for eight neighbours, computed on demand, and their stale regions.
#[derive(Clone, Debug, Default)]
pub(super) struct LandmarkSets {
    pub(super) by_connectivity: [Option<Landmarks>; 2],
    /// Regions opened since the landmarks were computed.
    pub(super) stale_regions: Vec<StaleRegion>,
    recomputation: Option<Box<Recomputation>>,
    /// Budget in blocks, accumulated to start a recomputation: copying the grid takes as long as
    /// many queries.
    accumulated_budget: u64,
}

/// Region of opened tiles that may have shortened paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StaleRegion {
    pub(super) rect: Rect,
    /// Maximum shortening in steps with four and with eight neighbours, or
    /// [`UNBOUNDED`](super::shortcut::UNBOUNDED).
    pub(super) max_shortening: [u32; 2],
    /// Range of landmark distances around the region, with four and with eight neighbours.
    pub(super) landmark_span: [Span; 2],
}

/// Landmarks are recomputed if paths may be shorter by more than this many steps in total.
const REFRESH_THRESHOLD: u32 = 32;
/// Number of blocks that the landmark BFS reaches while a search reaches one jump point.
const BLOCKS_PER_JUMP_POINT: u64 = 8;
/// A query spends its search time divided by this on the recomputation.
const SEARCH_TIME_DIVISOR: u64 = 2;
/// Number of blocks that the landmark BFS reaches in the time needed to copy one block and allocate
/// its tables.
const BLOCKS_PER_COPY: u64 = 4;

/// Recomputation on a copy of the grid, made when it started.
#[derive(Clone, Debug)]
struct Recomputation {
    blocks: Blocks,
    components: Components,
    builders: [Option<LandmarkBuilder>; 2],
    /// Regions opened since the start.
    stale_regions: Vec<StaleRegion>,
}

impl LandmarkSets {
    /// Computes the landmarks for one connectivity, unless they exist or the work limit is reached.
    pub(super) fn preprocess(
        &mut self,
        connectivity: Connectivity,
        blocks: &Blocks,
        components: &Components,
        points: &JumpPoints,
        work: &Work,
    ) {
        let landmarks = &mut self.by_connectivity[connectivity as usize];
        if landmarks.is_none() {
            *landmarks = Landmarks::new(blocks, components, points, connectivity, work);
            // A recomputation in progress lacks the new landmarks.
            self.recomputation = None;
        }
    }

    /// Records opened tiles and the maximum number of steps by which they may shorten paths.
    pub(super) fn add_stale_region(
        &mut self,
        rect: Rect,
        max_shortening: [u32; 2],
        blocks: &Blocks,
    ) {
        add_region(
            &mut self.stale_regions,
            StaleRegion {
                rect,
                max_shortening,
                landmark_span: landmark_span(&self.by_connectivity, blocks, rect),
            },
        );
        if let Some(recomputation) = &mut self.recomputation {
            // The distances of the new landmarks are not known yet.
            add_region(
                &mut recomputation.stale_regions,
                StaleRegion { rect, max_shortening, landmark_span: [Span::UNKNOWN; 2] },
            );
        }
    }

    /// Continues the recomputation after a query that reached this many jump points.
    #[inline]
    pub(super) fn advance_after_query(
        &mut self,
        reached: u64,
        blocks: &Blocks,
        components: &Components,
        points: &JumpPoints,
    ) {
        if self.recomputation.is_some()
            || self
                .stale_regions
                .iter()
                .fold(0, |total, region| region.max_shortening[1].saturating_add(total))
                > REFRESH_THRESHOLD
        {
            let budget = BLOCKS_PER_JUMP_POINT * reached / SEARCH_TIME_DIVISOR;
            self.accumulated_budget += budget;
            if self.recomputation.is_some()
                || self.accumulated_budget > BLOCKS_PER_COPY * blocks.open.len() as u64
            {
                self.accumulated_budget = 0;
                self.advance(budget, blocks, components, points);
            }
        }
    }

    /// Recomputes all landmarks now, if there are stale regions.
    pub(super) fn refresh(
        &mut self,
        blocks: &Blocks,
        components: &Components,
        points: &JumpPoints,
    ) {
        if !self.stale_regions.is_empty() {
            self.recomputation = None;
            self.advance(u64::MAX, blocks, components, points);
        }
    }

    /// Returns the memory used by the landmarks, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.by_connectivity.iter().flatten().map(Landmarks::bytes).sum()
    }

    #[cold]
    fn advance(
        &mut self,
        budget: u64,
        blocks: &Blocks,
        components: &Components,
        points: &JumpPoints,
    ) {
        let recomputation = self.recomputation.get_or_insert_with(|| {
            let builders = CONNECTIVITIES.map(|connectivity| {
                self.by_connectivity[connectivity as usize]
                    .as_ref()
                    .map(|_| LandmarkBuilder::new(blocks, points, connectivity))
            });
            Box::new(Recomputation {
                blocks: blocks.clone(),
                components: components.clone(),
                builders,
                stale_regions: Vec::new(),
            })
        });
        let (blocks, components) = (&recomputation.blocks, &recomputation.components);
        if recomputation
            .builders
            .iter_mut()
            .flatten()
            .all(|builder| builder.advance(blocks, components, points, budget))
        {
            self.by_connectivity = recomputation
                .builders
                .each_mut()
                .map(|builder| builder.take().map(LandmarkBuilder::finish));
            self.stale_regions = std::mem::take(&mut recomputation.stale_regions);
            for region in &mut self.stale_regions {
                region.landmark_span = landmark_span(&self.by_connectivity, blocks, region.rect);
            }
            self.recomputation = None;
        }
    }
}

/// Connectivity of each landmark set.
pub(super) const CONNECTIVITIES: [Connectivity; 2] = [Connectivity::Four, Connectivity::Eight];

/// Returns the range of landmark distances around a rectangle.
fn landmark_span(landmarks: &[Option<Landmarks>; 2], blocks: &Blocks, rect: Rect) -> [Span; 2] {
    landmarks.each_ref().map(|landmarks| {
        landmarks.as_ref().map_or(Span::UNKNOWN, |landmarks| landmarks.span_around(blocks, rect))
    })
}

/// Adds a stale region.
///
/// The shortening of a region was measured in a box around it. Regions inside that box are merged,
/// because the measured paths may pass through them. An isolated region that shortens nothing is
/// not added.
fn add_region(stale_regions: &mut Vec<StaleRegion>, mut new: StaleRegion) {
    if new.max_shortening == [0, 0]
        && !stale_regions.iter().any(|region| region.rect.is_within(MARGIN.into(), new.rect))
    {
        return;
    }
    while let Some(near) =
        stale_regions.iter().position(|region| region.rect.is_within(MARGIN.into(), new.rect))
    {
        new = new.union(stale_regions.swap_remove(near));
    }
    stale_regions.push(new);
    if stale_regions.len() > MAX_STALE_REGIONS {
        merge_nearest(stale_regions);
    }
}

impl StaleRegion {
    /// Merges two regions; the bounds add up because a path may use both.
    fn union(self, other: StaleRegion) -> StaleRegion {
        StaleRegion {
            rect: self.rect.union(other.rect),
            max_shortening: [0, 1]
                .map(|slot| self.max_shortening[slot].saturating_add(other.max_shortening[slot])),
            landmark_span: [0, 1]
                .map(|slot| self.landmark_span[slot].union(other.landmark_span[slot])),
        }
    }
}

/// Merges the two regions with the smallest common bounding box.
fn merge_nearest(stale_regions: &mut Vec<StaleRegion>) {
    let mut best = (u64::MAX, 0, 1);
    for i in 0..stale_regions.len() {
        for j in i + 1..stale_regions.len() {
            let both = stale_regions[i].rect.union(stale_regions[j].rect);
            let side = |a: u16, b: u16| u64::from(b - a) + 1;
            let area = side(both.low.x, both.high.x) * side(both.low.y, both.high.y);
            best = best.min((area, i, j));
        }
    }
    let (_, i, j) = best;
    let other = stale_regions.swap_remove(j);
    stale_regions[i] = stale_regions[i].union(other);
}
