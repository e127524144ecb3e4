//! ALT landmarks (Goldberg & Harrelson 2005): distances from a few tiles give lower bounds on all
//! others.
//!
//! If a landmark is `a` steps from one tile and `b` from another, the two are at least `|a - b|`
//! steps apart. Bit-parallel BFS computes the distances. Jump points store them directly. For other
//! tiles, each block stores its minimum and spread, and each tile a code of four bits. If the
//! spread is small, the code determines the distance. Otherwise a walk back along the codes finds a
//! block where it does.

use super::graph::JumpPoints;
use super::heuristic::Rect;
use crate::bit_bfs::{BitBfs, for_each_bit};
use crate::blocks::Blocks;
use crate::components::Components;
use crate::query::Connectivity;
use wayforge_core::Work;
use wayforge_core::grid::Pos;

/// Number of landmarks.
pub(super) const LANDMARKS: usize = 12;
/// Distance of tiles that a landmark does not reach.
pub(super) const UNREACHED: u32 = u32::MAX;

/// Distance from each landmark, shifted right until all fit into 16 bits. A 128-bit vector
/// instruction compares eight such lanes.
pub(super) type Lanes = [u16; LANDMARKS];

const UNREACHED_LANE: u16 = u16::MAX;

/// Minimum and maximum distances from each landmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) near: Lanes,
    pub(super) far: Lanes,
}

impl Span {
    /// Range that contains every distance.
    pub(super) const UNKNOWN: Span =
        Span { near: [0; LANDMARKS], far: [UNREACHED_LANE; LANDMARKS] };

    /// Returns the smallest range that contains both.
    pub(super) fn union(self, other: Span) -> Span {
        Span {
            near: std::array::from_fn(|i| self.near[i].min(other.near[i])),
            far: std::array::from_fn(|i| self.far[i].max(other.far[i])),
        }
    }

    /// Returns the maximum difference between the distances from one landmark.
    pub(super) fn spread(&self) -> u16 {
        self.near.iter().zip(&self.far).map(|(near, far)| far - near).max().unwrap_or(0)
    }

    /// Returns the largest lower bound that any landmark proves between a tile in this range and a
    /// tile with distances from `near` to `far`.
    #[inline(always)]
    pub(super) fn lower_bound(&self, near: &Lanes, far: &Lanes) -> u16 {
        // One lane per landmark, then the maximum of all lanes.
        let lanes: Lanes = std::array::from_fn(|i| {
            let beyond = near[i].saturating_sub(self.far[i]);
            let before = self.near[i].saturating_sub(far[i]);
            beyond | before
        });
        lanes.into_iter().fold(0, u16::max)
    }
}

/// Landmark distances in steps for one connectivity.
#[derive(Clone, Debug)]
pub(super) struct Landmarks {
    connectivity: Connectivity,
    /// Distances of each jump point; the first lane is [`UNREACHED_LANE`] if some are unknown. Jump
    /// points found later have no entry.
    points: Vec<Lanes>,
    /// Number of bits by which lanes are shifted right.
    shift: u32,
    /// Minimum distance of each block plus 1; 0 if it was not reached. Zeroed tables use no
    /// physical memory until they are written.
    near: Vec<[u32; LANDMARKS]>,
    /// Maximum minus minimum distance of each block, or [`SPREAD_OVERFLOW`].
    spread: Vec<[u16; LANDMARKS]>,
    /// Bit planes of each block's distance codes, as in [`BitBfs`].
    codes: Vec<[[u64; BITS]; LANDMARKS]>,
}

const SPREAD_OVERFLOW: u16 = u16::MAX;
/// Larger than the distance of any tile.
pub(super) const MAX_DISTANCE: u32 = i32::MAX as u32;
const BITS: usize = 4;
/// Number of blocks that are reached before work is counted.
const BLOCKS_PER_SLICE: u64 = 1 << 14;
/// Two different distances that differ by less than this have different codes.
const CODE_PERIOD: u32 = (1 << BITS) - 1;
/// Maximum number of blocks for which [`Landmarks::span_around`] computes a range.
const MAX_SPAN_BLOCKS: usize = 64;
/// Maximum number of steps of a walk back.
const MAX_WALK_BACK: u32 = 256;

/// Builds landmarks, all at once or in slices.
#[derive(Clone, Debug)]
pub(super) struct LandmarkBuilder {
    landmarks: Landmarks,
    /// Distances of each jump point so far.
    points: Vec<[u32; LANDMARKS]>,
    /// Index of the landmark whose BFS is running.
    current: usize,
    running: bool,
    bfs: BitBfs<BITS>,
    progress: Vec<BlockProgress>,
    /// Distance of each block to the nearest landmark so far.
    nearest: Vec<u32>,
}

/// Progress of the running BFS in a block.
#[derive(Clone, Copy, Debug)]
struct BlockProgress {
    /// Jump points of the block.
    jump_points: u64,
    /// Minimum and maximum distance.
    near: u32,
    far: u32,
}

impl Landmarks {
    /// Computes all landmarks.
    pub(super) fn new(
        blocks: &Blocks,
        components: &Components,
        points: &JumpPoints,
        connectivity: Connectivity,
        work: &Work,
    ) -> Option<Landmarks> {
        let mut builder = LandmarkBuilder::new(blocks, points, connectivity);
        while !builder.advance(blocks, components, points, BLOCKS_PER_SLICE) {
            if !work.spend(BLOCKS_PER_SLICE) {
                return None;
            }
        }
        Some(builder.finish())
    }

    /// Returns the distances of a jump point, if all are known.
    #[inline]
    pub(super) fn jump_point(&self, point: usize) -> Option<&Lanes> {
        self.points.get(point).filter(|distances| distances[0] != UNREACHED_LANE)
    }

    /// Converts distances to lanes, rounding down.
    #[inline]
    fn lanes(&self, distances: &[u32; LANDMARKS]) -> Lanes {
        distances.map(|distance| (distance >> self.shift).min(UNREACHED_LANE.into()) as u16)
    }

    /// Returns the number of steps that a difference of lanes proves.
    ///
    /// If lanes are shifted, rounding may increase the difference by almost one lane.
    #[inline]
    pub(super) fn steps(&self, lanes: u16) -> u32 {
        u32::from(lanes.saturating_sub(u16::from(self.shift > 0))) << self.shift
    }

    /// Returns the range of possible distances of a tile, or `None` if no landmark has reached
    /// its block because it was opened later.
    ///
    /// The minimum equals the maximum, unless a walk back of [`MAX_WALK_BACK`] steps finds no block
    /// where codes are unique.
    pub(super) fn tile_span(&self, blocks: &Blocks, pos: Pos) -> Option<Span> {
        let (block, bit) = blocks.locate(pos);
        let (spread, codes) = (&self.spread[block], &self.codes[block]);
        let mut near = self.near[block].map(|near| near.wrapping_sub(1));
        let mut far = [UNREACHED; LANDMARKS];
        for i in 0..LANDMARKS {
            if near[i] == UNREACHED {
                return None;
            }
            let code = code_at(&codes[i], bit);
            if code == 0 {
                // The BFS reached the block but not this tile, which is in another component or was
                // opened later.
                (near[i], far[i]) = (0, MAX_DISTANCE);
            } else if u32::from(spread[i]) < CODE_PERIOD {
                near[i] = decode(near[i], code);
                far[i] = near[i];
            } else if let Some(distance) = self.walk_back(blocks, pos, i) {
                (near[i], far[i]) = (distance, distance);
            } else {
                far[i] = if spread[i] == SPREAD_OVERFLOW {
                    MAX_DISTANCE
                } else {
                    near[i] + u32::from(spread[i])
                };
            }
        }
        Some(Span { near: self.lanes(&near), far: self.lanes(&far) })
    }

    /// Returns the range of possible distances of open tiles within one tile of a rectangle, by
    /// blocks.
    pub(super) fn span_around(&self, blocks: &Blocks, rect: Rect) -> Span {
        let Rect { low, high } = rect.inflated(1, blocks.size);
        let ((first, _), (last, _)) = (blocks.locate(low), blocks.locate(high));
        let (columns, rows) = (
            last % blocks.stride - first % blocks.stride,
            last / blocks.stride - first / blocks.stride,
        );
        if (columns + 1) * (rows + 1) > MAX_SPAN_BLOCKS {
            return Span::UNKNOWN;
        }
        let (mut near, mut far) = ([UNREACHED; LANDMARKS], [0; LANDMARKS]);
        for row in 0..=rows {
            for block in first + row * blocks.stride..=first + row * blocks.stride + columns {
                for i in 0..LANDMARKS {
                    // Unreached tiles are not connected to those that the landmark reaches.
                    if let Some(nearest) = self.near[block][i].checked_sub(1) {
                        let spread = self.spread[block][i];
                        let farthest = if spread == SPREAD_OVERFLOW {
                            MAX_DISTANCE
                        } else {
                            nearest + u32::from(spread)
                        };
                        (near[i], far[i]) = (near[i].min(nearest), far[i].max(farthest));
                    }
                }
            }
        }
        for i in 0..LANDMARKS {
            if near[i] == UNREACHED {
                (near[i], far[i]) = (0, MAX_DISTANCE);
            }
        }
        Span { near: self.lanes(&near), far: self.lanes(&far) }
    }

    /// Returns the distance of a tile from a landmark by walking back towards it.
    ///
    /// The walk ends at the landmark, or at a tile whose code and block determine its distance.
    /// They do not in blocks with several separate or winding passages.
    #[cold]
    fn walk_back(&self, blocks: &Blocks, pos: Pos, i: usize) -> Option<u32> {
        // Coordinates include the padding, so every tile has neighbours.
        let locate =
            |x: usize, y: usize| (y / 8 * blocks.stride + x / 8, (y % 8 * 8 + x % 8) as u32);
        let code = |x: usize, y: usize| {
            let (block, bit) = locate(x, y);
            code_at(&self.codes[block][i], bit)
        };
        let (mut x, mut y) = (usize::from(pos.x) + 8, usize::from(pos.y) + 8);
        for steps in 0..MAX_WALK_BACK {
            let current_code = code(x, y);
            let block = locate(x, y).0;
            if u32::from(self.spread[block][i]) < CODE_PERIOD {
                return Some(steps + decode(self.near[block][i] - 1, current_code));
            }
            let previous_code = if current_code == 1 { CODE_PERIOD } else { current_code - 1 };
            let nearer = |&(dx, dy): &(isize, isize)| {
                let (to_x, to_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                let straight = dx == 0 || dy == 0;
                let free = || {
                    self.connectivity == Connectivity::Eight
                        && code(to_x, y) != 0
                        && code(x, to_y) != 0
                };
                code(to_x, to_y) == previous_code && (straight || free())
            };
            const STEPS: [(isize, isize); 8] =
                [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];
            match STEPS.iter().find(|step| nearer(step)) {
                Some(&(dx, dy)) => (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)),
                // Only the landmark itself has no nearer neighbour.
                None => return (current_code == 1).then_some(steps),
            }
        }
        None
    }

    /// Returns the memory used by the tables, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let bytes_per_block =
            (size_of::<u32>() + size_of::<u16>() + BITS * size_of::<u64>()) * LANDMARKS;
        self.points.capacity() * size_of::<Lanes>() + self.near.capacity() * bytes_per_block
    }
}

impl LandmarkBuilder {
    pub(super) fn new(
        blocks: &Blocks,
        points: &JumpPoints,
        connectivity: Connectivity,
    ) -> LandmarkBuilder {
        let mut progress = vec![
            BlockProgress { jump_points: 0, near: UNREACHED, far: UNREACHED };
            blocks.open.len()
        ];
        for &pos in &points.positions {
            let (block, bit) = blocks.locate(pos);
            progress[block].jump_points |= 1 << bit;
        }
        LandmarkBuilder {
            landmarks: Landmarks {
                connectivity,
                points: Vec::new(),
                shift: 0,
                near: vec![[0; LANDMARKS]; blocks.open.len()],
                spread: vec![[0; LANDMARKS]; blocks.open.len()],
                codes: vec![[[0; BITS]; LANDMARKS]; blocks.open.len()],
            },
            points: vec![[UNREACHED; LANDMARKS]; points.positions.len()],
            current: 0,
            running: false,
            bfs: BitBfs::new(blocks),
            progress,
            nearest: vec![UNREACHED; blocks.open.len()],
        }
    }

    /// Continues until about `budget` blocks have been reached; returns true when all landmarks are
    /// done.
    ///
    /// `blocks` and `components` must be the same in all calls. Farthest selection (Goldberg &
    /// Harrelson 2005) places each landmark as far as possible from the previous ones, in every
    /// connected component at once.
    pub(super) fn advance(
        &mut self,
        blocks: &Blocks,
        components: &Components,
        points: &JumpPoints,
        mut budget: u64,
    ) -> bool {
        while self.current < LANDMARKS {
            if !self.running {
                self.running = true;
                self.bfs.begin(blocks, &farthest_tiles(blocks, components, &self.nearest));
            }
            while !self.bfs.frontier().is_empty() {
                if budget == 0 {
                    return false;
                }
                budget = budget.saturating_sub(self.bfs.frontier().len() as u64);
                self.record_level(blocks, points);
                self.bfs.expand(blocks, self.landmarks.connectivity);
            }
            self.finish_landmark();
        }
        true
    }

    /// Returns the finished landmarks.
    ///
    /// The distances of a jump point are unknown if some landmark does not reach it.
    pub(super) fn finish(mut self) -> Landmarks {
        let reached = self.points.iter().flatten().filter(|&&distance| distance != UNREACHED);
        let farthest = reached.max().map_or(0, |&distance| distance);
        while farthest >> self.landmarks.shift >= UNREACHED_LANE.into() {
            self.landmarks.shift += 1;
        }
        let lanes = |distances: &[u32; LANDMARKS]| {
            if distances.contains(&UNREACHED) {
                [UNREACHED_LANE; LANDMARKS]
            } else {
                self.landmarks.lanes(distances)
            }
        };
        self.landmarks.points = self.points.iter().map(lanes).collect();
        self.landmarks
    }

    /// Records the distances of the current BFS level.
    fn record_level(&mut self, blocks: &Blocks, points: &JumpPoints) {
        let level = self.bfs.level();
        for &(block, new) in self.bfs.frontier() {
            let block = block as usize;
            let block_progress = &mut self.progress[block];
            block_progress.far = level;
            block_progress.near = block_progress.near.min(level);
            for_each_bit(new & block_progress.jump_points, |bit| {
                if let Some(landmarks) = points
                    .get(blocks.pos(block, bit))
                    .and_then(|point| self.points.get_mut(point as usize))
                {
                    landmarks[self.current] = level;
                }
            });
        }
    }

    /// Stores the results of the running BFS and moves on to the next landmark.
    fn finish_landmark(&mut self) {
        for &block in self.bfs.reached_blocks() {
            let block = block as usize;
            let BlockProgress { near, far, .. } = self.progress[block];
            self.landmarks.near[block][self.current] = near + 1;
            self.landmarks.spread[block][self.current] =
                (far - near).min(SPREAD_OVERFLOW.into()) as u16;
            self.landmarks.codes[block][self.current] = *self.bfs.code(block);
            self.nearest[block] = self.nearest[block].min(near);
            self.progress[block].near = UNREACHED;
        }
        self.running = false;
        self.current += 1;
    }
}

/// Returns the code of one tile of a block.
#[inline]
fn code_at(codes: &[u64; BITS], bit: u32) -> u32 {
    (0..BITS).fold(0, |code, plane| code | ((codes[plane] >> bit & 1) as u32) << plane)
}

/// Returns the distance of a code, which is at least `near` and less than `near + CODE_PERIOD`.
#[inline]
fn decode(near: u32, code: u32) -> u32 {
    near + (code + CODE_PERIOD - 1 - near % CODE_PERIOD) % CODE_PERIOD
}

/// Returns one tile per connected component, in its block farthest from all landmarks so far.
///
/// Even the smallest component gets one, so every tile has a distance. Otherwise a block with tiles
/// of several components would assign distances of one component to tiles of another.
fn farthest_tiles(blocks: &Blocks, components: &Components, nearest: &[u32]) -> Vec<Pos> {
    let mut best: Vec<Option<(u32, u32)>> = vec![None; components.tiles.len()];
    for component in components.live() {
        let root = components.root(component) as usize;
        // Blocks that no landmark has reached are farthest; at first these are all blocks.
        let distance = nearest[components.block[component as usize] as usize];
        if best[root].is_none_or(|(max, _)| distance > max) {
            best[root] = Some((distance, component));
        }
    }
    let tile = |&(_, component): &(u32, u32)| {
        let component = component as usize;
        blocks
            .pos(components.block[component] as usize, components.tiles[component].trailing_zeros())
    };
    best.iter().flatten().map(tile).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NavGrid;
    use crate::distance_field::compute_distance_field;
    use crate::jump::scan_lines::ScanLines;
    use wayforge_core::MapRng;
    use wayforge_core::grid::{BitGrid, Size};

    fn landmarks_of(grid: &NavGrid, connectivity: Connectivity) -> (Blocks, JumpPoints, Landmarks) {
        let blocks = Blocks::new(grid);
        let mut points = JumpPoints::new(grid.size());
        ScanLines::new(grid).for_each_jump_point(|pos| {
            points.get_or_insert(pos);
        });
        let landmarks = Landmarks::new(
            &blocks,
            &Components::new(&blocks),
            &points,
            connectivity,
            &Work::default(),
        )
        .unwrap();
        (blocks, points, landmarks)
    }

    /// Returns corridors in every second row, joined at alternating ends: a single winding path.
    fn snake(size: Size) -> NavGrid {
        let end = |y: u16| if y % 4 == 1 { size.width - 1 } else { 0 };
        let open = size.iter().filter(|pos| pos.y.is_multiple_of(2) || pos.x == end(pos.y));
        NavGrid::new(BitGrid::from_cells(size, open)).unwrap()
    }

    #[test]
    fn tiles_of_winding_blocks_get_exact_distances_by_walking_back() {
        let mut rng = MapRng::from_u64(4);
        let size = Size::new(75, 61);
        let noise =
            NavGrid::new(BitGrid::from_cells(size, size.iter().filter(|_| rng.chance(63, 100))))
                .unwrap();
        // The snake is short enough for a walk back.
        for (grid, name) in [(snake(Size::new(29, 15)), "snake"), (noise, "noise")] {
            for connectivity in [Connectivity::Four, Connectivity::Eight] {
                let (blocks, _, landmarks) = landmarks_of(&grid, connectivity);
                let mut walked = 0;
                for i in 0..LANDMARKS {
                    let spans: Vec<(Pos, Span)> = grid
                        .open()
                        .iter()
                        .map(|pos| {
                            (
                                pos,
                                landmarks
                                    .tile_span(&blocks, pos)
                                    .expect("every tile has a distance"),
                            )
                        })
                        .collect();
                    let sources =
                        spans.iter().filter(|(_, span)| span.far[i] == 0).map(|(pos, _)| *pos);
                    let field = compute_distance_field(
                        &blocks,
                        &sources.collect::<Vec<Pos>>(),
                        connectivity,
                    );
                    for (pos, span) in spans {
                        let distance = field.get(pos).map(|steps| steps as u16);
                        assert_eq!(
                            distance,
                            Some(span.near[i]),
                            "{name} {connectivity:?} {i} {pos}"
                        );
                        assert_eq!(
                            distance,
                            Some(span.far[i]),
                            "{name} {connectivity:?} {i} {pos}"
                        );
                        let (block, _) = blocks.locate(pos);
                        walked += usize::from(u32::from(landmarks.spread[block][i]) >= CODE_PERIOD);
                    }
                }
                assert!(
                    walked > 100,
                    "{name} {connectivity:?}: only {walked} tiles needed a walk back"
                );
            }
        }
    }

    #[test]
    fn lower_bound_is_the_largest_difference_of_any_lane() {
        let lanes = |first: u16, last: u16| {
            let mut lanes = [100; LANDMARKS];
            (lanes[0], lanes[LANDMARKS - 1]) = (first, last);
            lanes
        };
        let span = Span { near: lanes(40, 10), far: lanes(50, 20) };
        let at = |first: u16, last: u16| span.lower_bound(&lanes(first, last), &lanes(first, last));
        assert_eq!(at(45, 20), 0, "inside");
        assert_eq!(at(57, 15), 7, "beyond, by the first lane");
        assert_eq!(at(45, 1), 9, "before, by the last lane");
        assert_eq!(span.lower_bound(&lanes(30, 29), &lanes(35, 60)), 9);
        assert_eq!(span.lower_bound(&Span::UNKNOWN.near, &Span::UNKNOWN.far), 0);
        assert_eq!(span.union(Span { near: lanes(7, 70), far: lanes(8, 90) }).spread(), 80);
    }

    #[test]
    fn long_distances_are_shifted_and_stay_admissible() {
        let size = Size::new(701, 201);
        let (blocks, points, landmarks) = landmarks_of(&snake(size), Connectivity::Four);
        assert_eq!(landmarks.shift, 1, "71,000 steps from end to end");
        // Position of a tile along the snake.
        let along = |pos: Pos| {
            let (x, last) = (i64::from(pos.x), i64::from(size.width - 1));
            i64::from(pos.y / 2) * (last + 2) + if pos.y.is_multiple_of(4) { x } else { last - x }
        };
        let mut rng = MapRng::from_u64(1);
        let mut tile = || Pos::new(rng.below(701) as u16, 2 * rng.below(101) as u16);
        for _ in 0..2000 {
            let (from, to) = (tile(), tile());
            let span = landmarks.tile_span(&blocks, to).unwrap();
            let real = (along(from) - along(to)).abs();
            let Span { near, far } = landmarks.tile_span(&blocks, from).unwrap();
            let proven = i64::from(landmarks.steps(span.lower_bound(&near, &far)));
            assert!(proven <= real, "{from} {to}: {proven} proven of {real}");
            assert!(
                proven + 8 * 701 > real,
                "{from} {to}: {proven} proven of {real}, more than eight corridors short"
            );
        }
        // All distances of jump points are known.
        for (current, &from) in points.positions.iter().enumerate() {
            let other = points.positions.len() - 1 - current / 2;
            let (&near, to) = (landmarks.jump_point(other).unwrap(), points.positions[other]);
            let lanes = landmarks.jump_point(current).unwrap();
            let proven = Span { near, far: near }.lower_bound(lanes, lanes);
            let (real, proven) =
                ((along(from) - along(to)).abs(), i64::from(landmarks.steps(proven)));
            assert!(proven <= real && proven + 4 > real, "{from} {to}: {proven} proven of {real}");
        }
    }
}
