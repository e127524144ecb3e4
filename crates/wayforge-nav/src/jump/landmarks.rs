//! Landmarks: distances from a few far-off tiles to every jump point, which bound every other distance from below.
//!
//! If a landmark is `a` steps from one tile and `b` from another, the two are at least `|a - b|` apart. Distances are
//! counted by waves, a level at a time. Of other tiles their block's nearest and farthest distance is kept, and four bits each:
//! where the two differ by little that is the distance itself, and elsewhere the bits lead back to such a block.

use super::bound::Rect;
use super::graph::Spots;
use crate::blocks::Blocks;
use crate::pieces::Pieces;
use crate::query::Moves;
use crate::wave::{Wave, each_bit};
use wayforge_core::grid::Pos;

/// How many landmarks there are.
pub(super) const LANDMARKS: usize = 12;
/// Not reached from a landmark.
pub(super) const FAR: u32 = u32::MAX;

/// A distance from each landmark, halved until all fit: sixteen bits, because eight such lanes are compared at once.
pub(super) type Lanes = [u16; LANDMARKS];

const FAR_LANE: u16 = u16::MAX;

/// The least and the largest distances from each landmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) near: Lanes,
    pub(super) far: Lanes,
}

impl Span {
    /// Says nothing about any tile.
    pub(super) const NOTHING: Span = Span { near: [0; LANDMARKS], far: [FAR_LANE; LANDMARKS] };

    /// All that either allows.
    pub(super) fn with(self, other: Span) -> Span {
        Span {
            near: std::array::from_fn(|i| self.near[i].min(other.near[i])),
            far: std::array::from_fn(|i| self.far[i].max(other.far[i])),
        }
    }

    /// The most that distances from one landmark differ.
    pub(super) fn spread(&self) -> u16 {
        self.near.iter().zip(&self.far).map(|(near, far)| far - near).max().unwrap_or(0)
    }

    /// The largest difference that some landmark proves from the distances of a tile that is so far at least and at most.
    #[inline(always)]
    pub(super) fn away_from(&self, near: &Lanes, far: &Lanes) -> u16 {
        // One landmark a lane; the largest lane at the end.
        let lanes: Lanes = std::array::from_fn(|i| {
            let beyond = near[i].saturating_sub(self.far[i]);
            let before = self.near[i].saturating_sub(far[i]);
            beyond | before
        });
        lanes.into_iter().fold(0, u16::max)
    }
}

/// Distances in steps, for one kind of moves.
#[derive(Clone, Debug)]
pub(super) struct Landmarks {
    moves: Moves,
    /// For each spot its distance from each landmark, or [`FAR_LANE`] first if some are not known; spots found later have none.
    spots: Vec<Lanes>,
    /// How many times distances of spots are halved, so that they fit.
    halved: u32,
    /// For each block one more than the distance of its nearest tile; 0 if it was not reached. These tables begin as zeros,
    /// which cost nothing until they are written.
    near: Vec<[u32; LANDMARKS]>,
    /// By how much a block's farthest tile is farther than its nearest, or [`WIDE`].
    spread: Vec<[u16; LANDMARKS]>,
    /// The codes of all distances of a block, as the [wave](Wave) has them.
    codes: Vec<[[u64; BITS]; LANDMARKS]>,
}

const WIDE: u16 = u16::MAX;
/// Farther than any tile can be.
pub(super) const ANYWHERE: u32 = i32::MAX as u32;
const BITS: usize = 4;
/// Distances that differ by less have different codes.
const CODES: u32 = (1 << BITS) - 1;
/// Around larger rectangles than of so many blocks nothing is told.
const MAX_AROUND: usize = 64;
/// How far back a distance is looked for.
const LONGEST_WALK: u32 = 256;

/// Landmarks that are being counted: all at once, or a little at a time.
#[derive(Clone, Debug)]
pub(super) struct Count {
    marks: Landmarks,
    /// For each spot its distances so far.
    spots: Vec<[u32; LANDMARKS]>,
    /// The landmark whose wave is running.
    number: usize,
    running: bool,
    wave: Wave<BITS>,
    notes: Vec<Note>,
    /// The nearest landmark of each block so far.
    nearest: Vec<u32>,
}

/// What is counted of a block.
#[derive(Clone, Copy, Debug)]
struct Note {
    /// Its spots.
    jumps: u64,
    /// The running wave's nearest and farthest distance.
    near: u32,
    far: u32,
}

impl Landmarks {
    /// Counts all distances.
    pub(super) fn new(blocks: &Blocks, pieces: &Pieces, spots: &Spots, moves: Moves) -> Landmarks {
        let mut count = Count::new(blocks, spots, moves);
        count.advance(blocks, pieces, spots, u64::MAX);
        count.finish()
    }

    /// The distances of a spot, if all are known.
    #[inline]
    pub(super) fn spot(&self, spot: usize) -> Option<&Lanes> {
        self.spots.get(spot).filter(|distances| distances[0] != FAR_LANE)
    }

    /// Distances as they are compared: halved and rounded down.
    #[inline]
    fn lanes(&self, distances: &[u32; LANDMARKS]) -> Lanes {
        distances.map(|distance| (distance >> self.halved).min(FAR_LANE.into()) as u16)
    }

    /// How many steps a difference of lanes proves: what was rounded off may be nearly one.
    #[inline]
    pub(super) fn steps(&self, lanes: u16) -> u32 {
        u32::from(lanes.saturating_sub(u16::from(self.halved > 0))) << self.halved
    }

    /// The least and the largest distances that a tile can have: equal, unless all blocks on a long way back are so winding
    /// that their distances are not told apart by their codes. None where nothing is known: water that was added since.
    pub(super) fn tile(&self, blocks: &Blocks, pos: Pos) -> Option<Span> {
        let (block, bit) = blocks.place(pos);
        let (spread, codes) = (&self.spread[block], &self.codes[block]);
        let mut near = self.near[block].map(|near| near.wrapping_sub(1));
        let mut far = [FAR; LANDMARKS];
        for i in 0..LANDMARKS {
            if near[i] == FAR {
                return None;
            }
            let code = code_at(&codes[i], bit);
            if code == 0 {
                // Not reached, unlike others of its block: of another sea, or water only since.
                (near[i], far[i]) = (0, ANYWHERE);
            } else if u32::from(spread[i]) < CODES {
                near[i] = exact(near[i], code);
                far[i] = near[i];
            } else if let Some(distance) = self.walk_back(blocks, pos, i) {
                (near[i], far[i]) = (distance, distance);
            } else {
                far[i] = if spread[i] == WIDE { ANYWHERE } else { near[i] + u32::from(spread[i]) };
            }
        }
        Some(Span { near: self.lanes(&near), far: self.lanes(&far) })
    }

    /// The least and the largest distances that water within one tile of a rectangle can have, as far as blocks tell.
    pub(super) fn around(&self, blocks: &Blocks, rect: Rect) -> Span {
        let Rect { low, high } = rect.grown(1, blocks.size);
        let ((first, _), (last, _)) = (blocks.place(low), blocks.place(high));
        let (wide, high) =
            (last % blocks.wide - first % blocks.wide, last / blocks.wide - first / blocks.wide);
        if (wide + 1) * (high + 1) > MAX_AROUND {
            return Span::NOTHING;
        }
        let (mut near, mut far) = ([FAR; LANDMARKS], [0; LANDMARKS]);
        for row in 0..=high {
            for block in first + row * blocks.wide..=first + row * blocks.wide + wide {
                for i in 0..LANDMARKS {
                    // Water that a landmark does not reach is not joined to any that it does.
                    if let Some(nearest) = self.near[block][i].checked_sub(1) {
                        let spread = self.spread[block][i];
                        let farthest = if spread == WIDE { ANYWHERE } else { nearest + u32::from(spread) };
                        (near[i], far[i]) = (near[i].min(nearest), far[i].max(farthest));
                    }
                }
            }
        }
        for i in 0..LANDMARKS {
            if near[i] == FAR {
                (near[i], far[i]) = (0, ANYWHERE);
            }
        }
        Span { near: self.lanes(&near), far: self.lanes(&far) }
    }

    /// The distance of a tile from a landmark, counted on the way back to it: to a tile whose block tells its distance, or
    /// to the landmark. A pond beside a sea and a river beside its mouth make blocks that do not.
    #[cold]
    fn walk_back(&self, blocks: &Blocks, pos: Pos, i: usize) -> Option<u32> {
        // With the border, so that every tile has neighbours.
        let place = |x: usize, y: usize| (y / 8 * blocks.wide + x / 8, (y % 8 * 8 + x % 8) as u32);
        let code = |x: usize, y: usize| {
            let (block, bit) = place(x, y);
            code_at(&self.codes[block][i], bit)
        };
        let (mut x, mut y) = (usize::from(pos.x) + 8, usize::from(pos.y) + 8);
        for steps in 0..LONGEST_WALK {
            let here = code(x, y);
            let block = place(x, y).0;
            if u32::from(self.spread[block][i]) < CODES {
                return Some(steps + exact(self.near[block][i] - 1, here));
            }
            let before = if here == 1 { CODES } else { here - 1 };
            let nearer = |&(dx, dy): &(isize, isize)| {
                let (to_x, to_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                let straight = dx == 0 || dy == 0;
                let free = || self.moves == Moves::Eight && code(to_x, y) != 0 && code(x, to_y) != 0;
                code(to_x, to_y) == before && (straight || free())
            };
            const STEPS: [(isize, isize); 8] =
                [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];
            match STEPS.iter().find(|step| nearer(step)) {
                Some(&(dx, dy)) => (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)),
                // Nothing is nearer than the landmark.
                None => return (here == 1).then_some(steps),
            }
        }
        None
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        let a_block = (size_of::<u32>() + size_of::<u16>() + BITS * size_of::<u64>()) * LANDMARKS;
        self.spots.capacity() * size_of::<Lanes>() + self.near.capacity() * a_block
    }
}

impl Count {
    pub(super) fn new(blocks: &Blocks, spots: &Spots, moves: Moves) -> Count {
        let mut notes = vec![Note { jumps: 0, near: FAR, far: FAR }; blocks.open.len()];
        for &pos in &spots.pos {
            let (block, bit) = blocks.place(pos);
            notes[block].jumps |= 1 << bit;
        }
        Count {
            marks: Landmarks {
                moves,
                spots: Vec::new(),
                halved: 0,
                near: vec![[0; LANDMARKS]; blocks.open.len()],
                spread: vec![[0; LANDMARKS]; blocks.open.len()],
                codes: vec![[[0; BITS]; LANDMARKS]; blocks.open.len()],
            },
            spots: vec![[FAR; LANDMARKS]; spots.pos.len()],
            number: 0,
            running: false,
            wave: Wave::new(blocks),
            notes,
            nearest: vec![FAR; blocks.open.len()],
        }
    }

    /// Counts on until about `budget` blocks have been reached; true if all is counted. `blocks` and `pieces` must be the same
    /// every time.
    ///
    /// Landmarks are chosen one by one, each as far as can be from the others, in every sea at once.
    pub(super) fn advance(
        &mut self,
        blocks: &Blocks,
        pieces: &Pieces,
        spots: &Spots,
        mut budget: u64,
    ) -> bool {
        while self.number < LANDMARKS {
            if !self.running {
                self.running = true;
                self.wave.begin(blocks, &farthest_tiles(blocks, pieces, &self.nearest));
            }
            while !self.wave.front().is_empty() {
                if budget == 0 {
                    return false;
                }
                budget = budget.saturating_sub(self.wave.front().len() as u64);
                self.note_level(blocks, spots);
                self.wave.grow(blocks, self.marks.moves);
            }
            self.close();
        }
        true
    }

    /// What was counted. Spots that some landmark did not reach are not known at all.
    pub(super) fn finish(mut self) -> Landmarks {
        let known = self.spots.iter().flatten().filter(|&&distance| distance != FAR);
        let farthest = known.max().map_or(0, |&distance| distance);
        while farthest >> self.marks.halved >= FAR_LANE.into() {
            self.marks.halved += 1;
        }
        let lanes = |distances: &[u32; LANDMARKS]| match distances.contains(&FAR) {
            true => [FAR_LANE; LANDMARKS],
            false => self.marks.lanes(distances),
        };
        self.marks.spots = self.spots.iter().map(lanes).collect();
        self.marks
    }

    fn note_level(&mut self, blocks: &Blocks, spots: &Spots) {
        let level = self.wave.level();
        for &(block, new) in self.wave.front() {
            let at = block as usize;
            let note = &mut self.notes[at];
            note.far = level;
            note.near = note.near.min(level);
            each_bit(new & note.jumps, |bit| {
                if let Some(marks) =
                    spots.get(blocks.pos(at, bit)).and_then(|spot| self.spots.get_mut(spot as usize))
                {
                    marks[self.number] = level;
                }
            });
        }
    }

    /// Takes over what the running wave has counted.
    fn close(&mut self) {
        for &block in self.wave.touched() {
            let at = block as usize;
            let Note { near, far, .. } = self.notes[at];
            self.marks.near[at][self.number] = near + 1;
            self.marks.spread[at][self.number] = (far - near).min(WIDE.into()) as u16;
            self.marks.codes[at][self.number] = *self.wave.code(at);
            self.nearest[at] = self.nearest[at].min(near);
            self.notes[at].near = FAR;
        }
        self.running = false;
        self.number += 1;
    }
}

/// The code of one tile of a block.
#[inline]
fn code_at(codes: &[u64; BITS], bit: u32) -> u32 {
    (0..BITS).fold(0, |code, at| code | ((codes[at] >> bit & 1) as u32) << at)
}

/// The distance that a code stands for, at least `near` and less than [`CODES`] more.
#[inline]
fn exact(near: u32, code: u32) -> u32 {
    near + (code + CODES - 1 - near % CODES) % CODES
}

/// For each sea a tile of the block that is farthest from all landmarks so far. Even a pond has one, so that every tile has a
/// distance: blocks with water of several seas would otherwise lend a pond distances that are not its own.
fn farthest_tiles(blocks: &Blocks, pieces: &Pieces, nearest: &[u32]) -> Vec<Pos> {
    let mut best: Vec<Option<(u32, u32)>> = vec![None; pieces.tiles.len()];
    for piece in pieces.live() {
        let sea = pieces.sea(piece) as usize;
        // Blocks that no landmark has reached are farthest: at first all of them.
        let away = nearest[pieces.block[piece as usize] as usize];
        if best[sea].is_none_or(|(most, _)| away > most) {
            best[sea] = Some((away, piece));
        }
    }
    let tile = |&(_, piece): &(u32, u32)| {
        let piece = piece as usize;
        blocks.pos(pieces.block[piece] as usize, pieces.tiles[piece].trailing_zeros())
    };
    best.iter().flatten().map(tile).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Water;
    use crate::field::count_distances;
    use crate::jump::lines::Lines;
    use wayforge_core::MapRng;
    use wayforge_core::grid::{BitGrid, Size};

    fn counted(water: &Water, moves: Moves) -> (Blocks, Spots, Landmarks) {
        let blocks = Blocks::new(water);
        let mut spots = Spots::new(water.size());
        Lines::new(water).each_jump(|pos| {
            spots.number(pos);
        });
        let marks = Landmarks::new(&blocks, &Pieces::new(&blocks), &spots, moves);
        (blocks, spots, marks)
    }

    /// Rows of water, joined at alternating ends: one way through everything.
    fn snake(size: Size) -> Water {
        let end = |y: u16| if y % 4 == 1 { size.width - 1 } else { 0 };
        let open = size.iter().filter(|pos| pos.y.is_multiple_of(2) || pos.x == end(pos.y));
        Water::new(BitGrid::of(size, open)).unwrap()
    }

    #[test]
    fn tiles_of_winding_blocks_are_counted_by_walking_back() {
        let mut rng = MapRng::from_u64(4);
        let size = Size::new(75, 61);
        let noise = Water::new(BitGrid::of(size, size.iter().filter(|_| rng.chance(63, 100)))).unwrap();
        // The snake is no longer than a walk back may be.
        for (water, name) in [(snake(Size::new(29, 15)), "snake"), (noise, "noise")] {
            for moves in [Moves::Four, Moves::Eight] {
                let (blocks, _, marks) = counted(&water, moves);
                let mut walked = 0;
                for i in 0..LANDMARKS {
                    let spans: Vec<(Pos, Span)> = water
                        .open()
                        .iter()
                        .map(|pos| (pos, marks.tile(&blocks, pos).expect("every tile has a distance")))
                        .collect();
                    let sources = spans.iter().filter(|(_, span)| span.far[i] == 0).map(|(pos, _)| *pos);
                    let field = count_distances(&blocks, &sources.collect::<Vec<Pos>>(), moves);
                    for (pos, span) in spans {
                        let distance = field.get(pos).map(|steps| steps as u16);
                        assert_eq!(distance, Some(span.near[i]), "{name} {moves:?} {i} {pos}");
                        assert_eq!(distance, Some(span.far[i]), "{name} {moves:?} {i} {pos}");
                        let (block, _) = blocks.place(pos);
                        walked += usize::from(u32::from(marks.spread[block][i]) >= CODES);
                    }
                }
                assert!(walked > 100, "{name} {moves:?}: only {walked} tiles had to be walked back from");
            }
        }
    }

    #[test]
    fn lanes_prove_the_largest_gap_and_never_more() {
        let lanes = |first: u16, last: u16| {
            let mut lanes = [100; LANDMARKS];
            (lanes[0], lanes[LANDMARKS - 1]) = (first, last);
            lanes
        };
        let span = Span { near: lanes(40, 10), far: lanes(50, 20) };
        let at = |first: u16, last: u16| span.away_from(&lanes(first, last), &lanes(first, last));
        assert_eq!(at(45, 20), 0, "inside");
        assert_eq!(at(57, 15), 7, "beyond, by the first lane");
        assert_eq!(at(45, 1), 9, "before, by the last lane");
        assert_eq!(span.away_from(&lanes(30, 29), &lanes(35, 60)), 9);
        assert_eq!(span.away_from(&Span::NOTHING.near, &Span::NOTHING.far), 0);
        assert_eq!(span.with(Span { near: lanes(7, 70), far: lanes(8, 90) }).spread(), 80);
    }

    #[test]
    fn distances_too_long_for_a_lane_are_halved_and_stay_true() {
        let size = Size::new(701, 201);
        let (blocks, spots, marks) = counted(&snake(size), Moves::Four);
        assert_eq!(marks.halved, 1, "71,000 steps from end to end");
        // How far along the snake a tile lies.
        let along = |pos: Pos| {
            let (x, last) = (i64::from(pos.x), i64::from(size.width - 1));
            i64::from(pos.y / 2) * (last + 2) + if pos.y.is_multiple_of(4) { x } else { last - x }
        };
        let mut rng = MapRng::from_u64(1);
        let mut tile = || Pos::new(rng.below(701) as u16, 2 * rng.below(101) as u16);
        for _ in 0..2000 {
            let (from, to) = (tile(), tile());
            let span = marks.tile(&blocks, to).unwrap();
            let real = (along(from) - along(to)).abs();
            let Span { near, far } = marks.tile(&blocks, from).unwrap();
            let proven = i64::from(marks.steps(span.away_from(&near, &far)));
            assert!(proven <= real, "{from} {to}: {proven} proven of {real}");
            assert!(proven + 8 * 701 > real, "{from} {to}: a block is four rows, and so are walks: {proven}");
        }
        // Of spots all is known.
        for (number, &from) in spots.pos.iter().enumerate() {
            let other = spots.pos.len() - 1 - number / 2;
            let (&near, to) = (marks.spot(other).unwrap(), spots.pos[other]);
            let here = marks.spot(number).unwrap();
            let proven = Span { near, far: near }.away_from(here, here);
            let (real, proven) = ((along(from) - along(to)).abs(), i64::from(marks.steps(proven)));
            assert!(proven <= real && proven + 4 > real, "{from} {to}: {proven} proven of {real}");
        }
    }
}
