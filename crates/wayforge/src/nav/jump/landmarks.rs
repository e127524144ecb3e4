//! Landmarks: distances from a few far-off tiles to every jump point, which bound every other distance from below.
//!
//! If a landmark is `a` steps from one tile and `b` from another, the two are at least `|a - b|` apart. Distances are
//! counted by waves, a level at a time. Of other tiles their block's nearest and farthest distance is kept, and four bits each:
//! in all but the most winding blocks that is the distance itself.

use super::graph::Spots;
use crate::grid::Pos;
use crate::nav::blocks::Blocks;
use crate::nav::pieces::Pieces;
use crate::nav::query::Moves;
use crate::nav::wave::{Wave, each_bit};

/// How many landmarks there are.
pub(super) const LANDMARKS: usize = 8;
/// Not reached from a landmark.
pub(super) const FAR: u32 = u32::MAX;

/// Distances in steps, for one kind of moves.
#[derive(Clone, Debug)]
pub(super) struct Landmarks {
    /// For each spot its distance from each landmark, or [`FAR`]; spots found later have none.
    spots: Vec<[u32; LANDMARKS]>,
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

/// Landmarks that are being counted: all at once, or a little at a time.
#[derive(Clone, Debug)]
pub(super) struct Count {
    moves: Moves,
    marks: Landmarks,
    /// The landmark whose wave is running.
    number: usize,
    running: bool,
    wave: Wave<BITS>,
    /// The spots of each block.
    jumps: Vec<u64>,
    /// The nearest landmark of each block so far.
    nearest: Vec<u32>,
    /// The running wave's nearest and farthest distance of each block.
    near: Vec<u32>,
    far: Vec<u32>,
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
    pub(super) fn spot(&self, spot: usize) -> Option<&[u32; LANDMARKS]> {
        self.spots.get(spot).filter(|distances| distances[0] != FAR)
    }

    /// The least and the largest distances that a tile can have: equal, unless its block is so winding that its distances
    /// are not told apart by their codes. [`FAR`] where nothing is known.
    pub(super) fn tile(&self, blocks: &Blocks, pos: Pos) -> ([u32; LANDMARKS], [u32; LANDMARKS]) {
        let (block, bit) = blocks.place(pos);
        let (spread, codes) = (&self.spread[block], &self.codes[block]);
        let mut near = self.near[block].map(|near| near.wrapping_sub(1));
        let mut far = [FAR; LANDMARKS];
        for i in 0..LANDMARKS {
            if near[i] == FAR {
                continue;
            }
            let code = (0..BITS).fold(0, |code, at| code | ((codes[i][at] >> bit & 1) as u32) << at);
            if code == 0 {
                // Not reached, unlike others of its block: of another sea, or water only since.
                (near[i], far[i]) = (0, ANYWHERE);
            } else if u32::from(spread[i]) < CODES {
                near[i] += (code + CODES - 1 - near[i] % CODES) % CODES;
                far[i] = near[i];
            } else {
                far[i] = if spread[i] == WIDE { ANYWHERE } else { near[i] + u32::from(spread[i]) };
            }
        }
        (near, far)
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        let a_block = (size_of::<u32>() + size_of::<u16>() + BITS * size_of::<u64>()) * LANDMARKS;
        self.spots.capacity() * 4 * LANDMARKS + self.near.capacity() * a_block
    }
}

impl Count {
    pub(super) fn new(blocks: &Blocks, spots: &Spots, moves: Moves) -> Count {
        let mut jumps = vec![0_u64; blocks.open.len()];
        for &pos in &spots.pos {
            let (block, bit) = blocks.place(pos);
            jumps[block] |= 1 << bit;
        }
        let far = vec![FAR; blocks.open.len()];
        Count {
            moves,
            marks: Landmarks {
                spots: vec![[FAR; LANDMARKS]; spots.pos.len()],
                near: vec![[0; LANDMARKS]; blocks.open.len()],
                spread: vec![[0; LANDMARKS]; blocks.open.len()],
                codes: vec![[[0; BITS]; LANDMARKS]; blocks.open.len()],
            },
            number: 0,
            running: false,
            wave: Wave::new(blocks),
            jumps,
            nearest: far.clone(),
            near: far.clone(),
            far,
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
                self.wave.grow(blocks, self.moves);
            }
            self.close();
        }
        true
    }

    /// What was counted. Spots that some landmark did not reach are not known at all.
    pub(super) fn finish(mut self) -> Landmarks {
        self.marks.spots.iter_mut().filter(|marks| marks.contains(&FAR)).for_each(|marks| marks[0] = FAR);
        self.marks
    }

    fn note_level(&mut self, blocks: &Blocks, spots: &Spots) {
        let level = self.wave.level();
        for &(block, new) in self.wave.front() {
            let at = block as usize;
            self.far[at] = level;
            if self.near[at] == FAR {
                self.near[at] = level;
            }
            each_bit(new & self.jumps[at], |bit| {
                if let Some(marks) =
                    spots.get(blocks.pos(at, bit)).and_then(|spot| self.marks.spots.get_mut(spot as usize))
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
            let (near, far) = (self.near[at], self.far[at]);
            self.marks.near[at][self.number] = near + 1;
            self.marks.spread[at][self.number] = (far - near).min(WIDE.into()) as u16;
            self.marks.codes[at][self.number] = *self.wave.code(at);
            self.nearest[at] = self.nearest[at].min(near);
            self.near[at] = FAR;
        }
        self.running = false;
        self.number += 1;
    }
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
