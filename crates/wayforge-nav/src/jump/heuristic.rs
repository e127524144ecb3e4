//! A* heuristic: lower bounds on the remaining cost, from geometry and ALT landmarks.

use super::costs::Costs;
use super::landmark_refresh::{MAX_STALE_REGIONS, StaleRegion};
use super::landmarks::{Landmarks, Lanes, Span};
use super::shortcut::UNBOUNDED;
use crate::blocks::Blocks;
use crate::query::Connectivity;
use wayforge_core::grid::{Pos, Size};

/// Rectangle of tiles, both corners included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) low: Pos,
    pub(super) high: Pos,
}

impl Rect {
    /// Returns the rectangle of a single tile.
    #[inline]
    pub(super) const fn single(pos: Pos) -> Rect {
        Rect { low: pos, high: pos }
    }

    /// Returns the bounding box of `tiles`, or `None` if `tiles` is empty.
    pub(super) fn bounding_box(tiles: impl IntoIterator<Item = Pos>) -> Option<Rect> {
        tiles.into_iter().map(Rect::single).reduce(|a, b| a.union(b))
    }

    /// Returns the bounding box of two rectangles.
    pub(super) fn union(self, other: Rect) -> Rect {
        Rect {
            low: Pos::new(self.low.x.min(other.low.x), self.low.y.min(other.low.y)),
            high: Pos::new(self.high.x.max(other.high.x), self.high.y.max(other.high.y)),
        }
    }

    /// Returns the rectangle extended by `by` tiles on each side, clipped to the grid.
    pub(super) fn inflated(self, by: u16, size: Size) -> Rect {
        let high = |at: u16, count: u16| at.saturating_add(by).min(count - 1);
        Rect {
            low: Pos::new(self.low.x.saturating_sub(by), self.low.y.saturating_sub(by)),
            high: Pos::new(high(self.high.x, size.width), high(self.high.y, size.height)),
        }
    }

    /// Returns true if the gap between the rectangles is at most `steps` columns and rows.
    pub(super) fn is_within(self, steps: u32, other: Rect) -> bool {
        let (dx, dy) = self.gap_to(other);
        dx.max(dy) <= steps
    }

    /// Returns the column and row distance between the rectangles; 0 where they overlap.
    #[inline]
    fn gap_to(self, other: Rect) -> (u32, u32) {
        let side = |low: u16, high: u16, low2: u16, high2: u16| {
            u32::from(low.saturating_sub(high2)) + u32::from(low2.saturating_sub(high))
        };
        (
            side(self.low.x, self.high.x, other.low.x, other.high.x),
            side(self.low.y, self.high.y, other.low.y, other.high.y),
        )
    }
}

/// Lower bounds on the cost to the targets of one query.
pub(super) struct Heuristic<'a> {
    costs: Costs,
    blocks: &'a Blocks,
    /// Bounding box of all targets.
    targets: Rect,
    /// Landmarks for the query's connectivity, and for octile distances those for four neighbours.
    landmarks: [Option<&'a Landmarks>; 2],
    /// Groups of targets with similar landmark distances.
    ///
    /// Targets on two sides of a wall are close in space but not in landmark distance. If they
    /// shared a group, its range of distances would be too wide for a useful bound.
    groups: [Group; MAX_GROUPS],
    group_count: usize,
    stale_regions: &'a [StaleRegion],
    /// Lower bound on the cost from each stale region to any target, possibly through other stale
    /// regions.
    to_targets: [u64; MAX_STALE_REGIONS],
}

const MAX_GROUPS: usize = 4;
/// Maximum difference of landmark distances inside a group, in steps.
const GROUP_SPREAD: u32 = 64;

/// Group of targets: bounding box and range of landmark distances.
#[derive(Clone, Copy)]
struct Group {
    rect: Rect,
    spans: [Span; 2],
}

/// Minimum and maximum landmark distances of a tile.
#[derive(Clone, Copy)]
struct LandmarkDistances<'a> {
    landmarks: &'a Landmarks,
    near: &'a Lanes,
    far: &'a Lanes,
}

impl<'a> Heuristic<'a> {
    pub(super) fn new(
        costs: Costs,
        targets: &[Pos],
        blocks: &'a Blocks,
        landmarks: [Option<&'a Landmarks>; 2],
        stale_regions: &'a [StaleRegion],
    ) -> Heuristic<'a> {
        let bounding_box =
            Rect::bounding_box(targets.iter().copied()).unwrap_or(Rect::single(Pos::default()));
        let unknown = Group { rect: bounding_box, spans: [Span::UNKNOWN; 2] };
        let mut heuristic = Heuristic {
            costs,
            blocks,
            targets: bounding_box,
            landmarks,
            groups: [unknown; MAX_GROUPS],
            group_count: 1,
            stale_regions: &[],
            to_targets: [0; MAX_STALE_REGIONS],
        };
        if landmarks[0].is_some() {
            heuristic.group_count = 0;
            targets.iter().for_each(|&pos| heuristic.add(pos));
            heuristic.add_stale_regions(stale_regions);
        }
        heuristic
    }

    /// Returns a lower bound on the cost from a jump point to any target.
    #[inline]
    pub(super) fn at_jump_point(&self, pos: Pos, point: usize) -> u64 {
        let distances = |landmarks: Option<&'a Landmarks>| match landmarks {
            Some(landmarks) => landmarks
                .jump_point(point)
                .map(|lanes| Some(LandmarkDistances { landmarks, near: lanes, far: lanes })),
            None => Some(None),
        };
        match distances(self.landmarks[0]).zip(distances(self.landmarks[1])) {
            Some((query_steps, four_steps)) => {
                self.min_cost(Rect::single(pos), [query_steps, four_steps])
            }
            // The jump point was created by an edit after the landmarks were computed.
            None => self.at_tile(pos),
        }
    }

    /// Returns a lower bound on the cost from a tile to any target.
    #[cold]
    pub(super) fn at_tile(&self, pos: Pos) -> u64 {
        self.min_cost(Rect::single(pos), self.landmark_distances(&self.spans_at(pos)))
    }

    /// Returns true if the bounding box of the targets overlaps the cone's quadrant and reach.
    ///
    /// With four neighbours, a cone has runs on both sides.
    #[inline]
    pub(super) fn cone_may_reach_target(&self, pos: Pos, (sx, sy): (i32, i32), reach: u16) -> bool {
        let (Rect { low, high }, four) =
            (self.targets, self.costs.connectivity == Connectivity::Four);
        let (dx, dy) = self.targets.gap_to(Rect::single(pos));
        (four || if sx > 0 { high.x >= pos.x } else { low.x <= pos.x })
            && (if sy > 0 { high.y >= pos.y } else { low.y <= pos.y })
            && (if four { dy } else { dx.min(dy) }) <= u32::from(reach)
    }

    /// Adds a target to the first group with similar landmark distances.
    ///
    /// If there is none, the target starts a new group, or joins the last group at the limit.
    fn add(&mut self, pos: Pos) {
        let new = Group { rect: Rect::single(pos), spans: self.spans_at(pos) };
        let spread =
            |span: Span| self.landmarks[0].map_or(0, |landmarks| landmarks.steps(span.spread()));
        let groups = &mut self.groups[..self.group_count];
        let near =
            groups.iter().position(|group| spread(group.union(new).spans[0]) <= GROUP_SPREAD);
        match near.or((self.group_count == MAX_GROUPS).then_some(MAX_GROUPS - 1)) {
            Some(i) => groups[i] = groups[i].union(new),
            None => {
                self.groups[self.group_count] = new;
                self.group_count += 1;
            }
        }
    }

    /// Sets the stale regions and computes lower bounds on the cost from each to the targets.
    fn add_stale_regions(&mut self, stale_regions: &'a [StaleRegion]) {
        let stale_regions = &stale_regions[..stale_regions.len().min(MAX_STALE_REGIONS)];
        // After its last stale region, a path uses only tiles that the landmarks cover.
        let mut tails = [0; MAX_STALE_REGIONS];
        for (region, tail) in stale_regions.iter().zip(&mut tails) {
            *tail = self.min_cost(region.rect, self.landmark_distances(&self.spans_around(region)));
        }
        for (region, to_targets) in stale_regions.iter().zip(&mut self.to_targets) {
            let via_regions = stale_regions.iter().zip(tails).map(|(last, tail)| {
                let (dx, dy) = region.rect.gap_to(last.rect);
                self.costs.unobstructed(dx, dy) + tail
            });
            *to_targets = via_regions.min().unwrap_or(0);
        }
        self.stale_regions = stale_regions;
    }

    /// Returns a lower bound on the cost from a rectangle with these landmark distances to any
    /// target.
    #[inline(always)]
    fn min_cost(&self, from: Rect, distances: [Option<LandmarkDistances<'_>>; 2]) -> u64 {
        let mut min_cost = u64::MAX;
        for group in &self.groups[..self.group_count] {
            let (dx, dy) = group.rect.gap_to(from);
            let mut bound = self.costs.unobstructed(dx, dy);
            if let Some((query_steps, four_steps)) = proven_steps(&distances, &group.spans) {
                let landmark_bound = self.costs.of_step_bounds(query_steps, four_steps);
                if landmark_bound > bound {
                    bound = bound.max(if self.stale_regions.is_empty() {
                        landmark_bound
                    } else {
                        self.despite_stale_regions(from, &distances, (query_steps, four_steps))
                    });
                }
            }
            min_cost = min_cost.min(bound);
        }
        min_cost
    }

    /// Returns the lower bound that landmarks prove despite stale regions.
    ///
    /// A path cheaper than the landmark bound passes through a stale region. Two arguments bound
    /// its cost:
    ///
    /// 1. Up to its first stale region, the path uses only tiles that the landmarks cover. It costs
    ///    at least the landmark or unobstructed bound to that region, plus the bound from there to
    ///    the targets (`via_first`).
    /// 2. The path uses only regions with an unobstructed detour cheaper than the landmark bound.
    ///    If the shortening of all of them is bounded, the path is shorter than the landmark bound
    ///    by at most the sum. Otherwise it may pass through an unbounded region, and costs at least
    ///    as much as an unobstructed path through that region (`unbounded`).
    ///
    /// `docs/pathfinding.md` has the proof.
    #[inline(never)] // Rarely called; inlining it slows down the search.
    fn despite_stale_regions(
        &self,
        from: Rect,
        distances: &[Option<LandmarkDistances<'_>>; 2],
        (query_steps, four_steps): (u32, Option<u32>),
    ) -> u64 {
        let landmark_bound = self.costs.of_step_bounds(query_steps, four_steps);
        let (mut via_first, mut unbounded, mut shortening) = (u64::MAX, u64::MAX, [0_u32; 2]);
        for (region, to_targets) in self.stale_regions.iter().zip(self.to_targets) {
            let (dx, dy) = region.rect.gap_to(from);
            let to_region = self.costs.unobstructed(dx, dy);
            let via = to_region + to_targets;
            if via >= landmark_bound {
                continue;
            }
            if region.max_shortening.contains(&UNBOUNDED) {
                unbounded = unbounded.min(via);
            } else {
                shortening =
                    [0, 1].map(|slot| shortening[slot].saturating_add(region.max_shortening[slot]));
            }
            let (query_steps, four_steps) =
                proven_steps(distances, &self.spans_around(region)).unwrap_or((0, None));
            via_first = via_first.min(
                to_region.max(self.costs.of_step_bounds(query_steps, four_steps)) + to_targets,
            );
        }
        let query_steps = query_steps.saturating_sub(shortening[self.costs.connectivity as usize]);
        let shortened = self.costs.of_step_bounds(
            query_steps,
            four_steps.map(|four_steps| four_steps.saturating_sub(shortening[0])),
        );
        landmark_bound.min(via_first.max(shortened.min(unbounded)))
    }

    /// Returns the range of landmark distances of a tile; unknown if the tile was opened after they
    /// were computed.
    fn spans_at(&self, pos: Pos) -> [Span; 2] {
        self.landmarks.map(|landmarks| {
            landmarks
                .and_then(|landmarks| landmarks.tile_span(self.blocks, pos))
                .unwrap_or(Span::UNKNOWN)
        })
    }

    /// Returns the range of landmark distances around a stale region.
    #[inline]
    fn spans_around(&self, region: &StaleRegion) -> [Span; 2] {
        [region.landmark_span[self.costs.connectivity as usize], region.landmark_span[0]]
    }

    fn landmark_distances<'b>(
        &'b self,
        spans: &'b [Span; 2],
    ) -> [Option<LandmarkDistances<'b>>; 2] {
        [0, 1].map(|i| {
            self.landmarks[i].map(|landmarks| LandmarkDistances {
                landmarks,
                near: &spans[i].near,
                far: &spans[i].far,
            })
        })
    }
}

/// Returns the minimum number of steps that landmarks prove: with the query's connectivity, and
/// with four neighbours.
#[inline(always)]
fn proven_steps(
    distances: &[Option<LandmarkDistances<'_>>; 2],
    spans: &[Span; 2],
) -> Option<(u32, Option<u32>)> {
    let bound = |i: usize| {
        distances[i].map(|LandmarkDistances { landmarks, near, far }| {
            landmarks.steps(spans[i].lower_bound(near, far))
        })
    };
    Some((bound(0)?, bound(1)))
}

impl Group {
    fn union(self, other: Group) -> Group {
        let spans = [0, 1].map(|i| self.spans[i].union(other.spans[i]));
        Group { rect: self.rect.union(other.rect), spans }
    }
}
