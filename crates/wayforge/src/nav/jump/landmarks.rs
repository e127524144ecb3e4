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
    /// For each block the distance of its nearest and of its farthest tile.
    near: Vec<[u32; LANDMARKS]>,
    far: Vec<[u32; LANDMARKS]>,
    /// The lower four bits of every tile's distance, as words of a block: block after block, landmark after landmark.
    bits: Vec<[u64; 4]>,
}

impl Landmarks {
    /// Chooses landmarks one by one, each as far as can be from the others, in every large sea at once.
    pub(super) fn new(blocks: &Blocks, pieces: &Pieces, spots: &Spots, moves: Moves) -> Landmarks {
        let mut marks = Landmarks {
            spots: vec![[FAR; LANDMARKS]; spots.pos.len()],
            near: vec![[FAR; LANDMARKS]; blocks.open.len()],
            far: vec![[FAR; LANDMARKS]; blocks.open.len()],
            bits: vec![[0; 4]; blocks.open.len() * LANDMARKS],
        };
        let mut jumps = vec![0_u64; blocks.open.len()];
        for &pos in &spots.pos {
            let (block, bit) = blocks.place(pos);
            jumps[block] |= 1 << bit;
        }
        let mut wave = Wave::new(blocks);
        // The nearest landmark of each block so far.
        let mut nearest = vec![FAR; blocks.open.len()];
        // One landmark's share of the tables: small enough to stay near while its wave runs.
        let mut near = vec![FAR; blocks.open.len()];
        let mut far = vec![FAR; blocks.open.len()];
        let mut bits = vec![[0_u64; 4]; blocks.open.len()];
        for number in 0..LANDMARKS {
            near.fill(FAR);
            far.fill(FAR);
            bits.fill([0; 4]);
            wave.begin(blocks, &farthest_tiles(blocks, pieces, &nearest));
            while !wave.front().is_empty() {
                let level = wave.level();
                let planes: [u64; 4] = std::array::from_fn(|i| 0_u64.wrapping_sub(u64::from(level >> i & 1)));
                for &(block, new) in wave.front() {
                    let at = block as usize;
                    far[at] = level;
                    near[at] = near[at].min(level);
                    for (bits, plane) in bits[at].iter_mut().zip(planes) {
                        *bits |= new & plane;
                    }
                    each_bit(new & jumps[at], |bit| {
                        if let Some(spot) = spots.get(blocks.pos(at, bit)) {
                            marks.spots[spot as usize][number] = level;
                        }
                    });
                }
                wave.grow(blocks, moves);
            }
            for at in 0..near.len() {
                nearest[at] = nearest[at].min(near[at]);
                marks.near[at][number] = near[at];
                marks.far[at][number] = far[at];
                marks.bits[at * LANDMARKS + number] = bits[at];
            }
        }
        marks
    }

    /// The distances of a spot, if they are known.
    #[inline]
    pub(super) fn spot(&self, spot: usize) -> Option<&[u32; LANDMARKS]> {
        self.spots.get(spot)
    }

    /// The least and the largest distances that a tile can have: equal, unless its block is so winding that its distances
    /// are not told apart by four bits.
    pub(super) fn tile(&self, blocks: &Blocks, pos: Pos) -> ([u32; LANDMARKS], [u32; LANDMARKS]) {
        let (block, bit) = blocks.place(pos);
        let (mut near, mut far) = (self.near[block], self.far[block]);
        for i in 0..LANDMARKS {
            if far[i] != FAR && far[i] - near[i] < 16 {
                let planes = &self.bits[block * LANDMARKS + i];
                let low = (0..4).fold(0, |low, plane| low | ((planes[plane] >> bit & 1) as u32) << plane);
                near[i] = (near[i] + (low.wrapping_sub(near[i]) & 15)).min(far[i]);
                far[i] = near[i];
            }
        }
        (near, far)
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        (self.spots.capacity() + self.near.capacity() + self.far.capacity()) * 4 * LANDMARKS
            + self.bits.capacity() * 32
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
