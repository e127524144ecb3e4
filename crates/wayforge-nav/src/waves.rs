//! Two waves, from the sources and from the targets, until they meet.
//!
//! **Why it is exact.** Both waves grow by whole levels. While they have no tile in common, after `a` levels of one and `b`
//! of the other, no way of `a + b` steps or fewer exists: its tile `a` steps from the source would be in both. The next
//! level of either wave finds, if anything, a way of `a + b + 1` steps, and that is the least there can be.

use super::blocks::Blocks;
use super::query::{Counts, Guarantee, Method, Moves, Query, Way};
use super::wave::Wave;
use wayforge_core::grid::{BitGrid, Dir, Pos};

/// Two waves and their memory.
#[derive(Clone, Debug)]
pub(super) struct Waves {
    fore: Wave<2>,
    back: Wave<2>,
}

impl Waves {
    pub(super) fn new(blocks: &Blocks) -> Waves {
        Waves { fore: Wave::new(blocks), back: Wave::new(blocks) }
    }

    /// Answers a checked query in steps; false if there is no way.
    pub(super) fn find_into(&mut self, blocks: &Blocks, query: &Query, way: &mut Way) -> bool {
        let meeting = match query.moves {
            Moves::Four => self.meet::<false>(blocks, query),
            Moves::Eight => self.meet::<true>(blocks, query),
        };
        // Where they meet, tiles are visited from both sides, and count once.
        let visited = self.fore.visited(blocks, |_| 0)
            + self.back.visited(blocks, |block| self.fore.reached(block, blocks.open[block]));
        way.counts = Counts { visited, ..Counts::default() };
        let Some((block, tiles)) = meeting else { return false };
        let pos = blocks.pos(block, tiles.trailing_zeros());
        way.tiles.clear();
        descend(&self.fore, blocks, query.moves, pos, &mut way.tiles);
        way.tiles.reverse();
        way.tiles.pop();
        descend(&self.back, blocks, query.moves, pos, &mut way.tiles);
        (way.guarantee, way.method) = (Guarantee::Exact, Method::Wave);
        true
    }

    /// The tiles that both waves of the last query reached.
    pub(super) fn mark(&self, blocks: &Blocks, onto: &mut BitGrid) {
        self.fore.mark(blocks, onto);
        self.back.mark(blocks, onto);
    }

    /// Takes over blocks that were edited.
    pub(super) fn renew(&mut self, blocks: &Blocks, edited: &[usize]) {
        self.fore.renew(blocks, edited);
        self.back.renew(blocks, edited);
    }

    /// A block and tiles of it where the waves meet.
    fn meet<const EIGHT: bool>(&mut self, blocks: &Blocks, query: &Query) -> Option<(usize, u64)> {
        let (fore, back) = (&mut self.fore, &mut self.back);
        fore.begin(blocks, &query.sources);
        back.begin(blocks, &query.targets);
        let met = fore.front().iter().find_map(|&(block, new)| {
            let both = back.reached(block as usize, new);
            (both != 0).then_some((block as usize, both))
        });
        if met.is_some() {
            return met;
        }
        // The smaller wave goes first: less is reached until they meet.
        while !fore.front().is_empty() && !back.front().is_empty() {
            let (grows, other) = if fore.front().len() <= back.front().len() {
                (&mut *fore, &*back)
            } else {
                (&mut *back, &*fore)
            };
            let mut met = None;
            grows.advance::<EIGHT>(blocks, |block, new| {
                let both = other.reached(block, new);
                if both != 0 && met.is_none() {
                    met = Some((block, both));
                }
            });
            if met.is_some() {
                return met;
            }
        }
        None
    }
}

/// The tiles from one that the wave's last level reached down to the nearest start, both included.
fn descend(wave: &Wave<2>, blocks: &Blocks, moves: Moves, from: Pos, tiles: &mut Vec<Pos>) {
    let mut pos = from;
    tiles.push(pos);
    let mut last = Dir::North;
    for level in (0..wave.level()).rev() {
        let nearer = |dir: Dir| -> Option<(Dir, Pos)> {
            let to = legal_step(blocks, pos, dir)?;
            let (block, bit) = blocks.place(to);
            wave.may_be_at(block, bit, level).then_some((dir, to))
        };
        let diagonals = Dir::ALL.into_iter().filter(|dir| moves == Moves::Eight && dir.is_diagonal());
        // Going on in the same direction makes paths without needless turns.
        let mut dirs = [last].into_iter().chain(Dir::STRAIGHT).chain(diagonals);
        let step = dirs.find_map(nearer);
        // Every tile but a start was reached from a nearer one.
        let Some((dir, to)) = step else { return };
        (last, pos) = (dir, to);
        tiles.push(pos);
    }
}

/// Where a step in direction `dir` leads, if it is legal with eight neighbours.
fn legal_step(blocks: &Blocks, pos: Pos, dir: Dir) -> Option<Pos> {
    let to = pos.step(dir, blocks.size)?;
    let (from, bit) = blocks.place(pos);
    let mask = match dir {
        Dir::NorthEast => blocks.slants[from][0],
        Dir::NorthWest => blocks.slants[from][1],
        Dir::SouthEast => blocks.slants[from][2],
        Dir::SouthWest => blocks.slants[from][3],
        _ => return Some(to),
    };
    (mask >> bit & 1 == 1).then_some(to)
}
