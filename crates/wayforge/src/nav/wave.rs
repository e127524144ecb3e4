//! Bit-parallel breadth-first waves: 64 tiles a word, from the sources and from the targets until they meet.
//!
//! A wave keeps for each block of 8 x 8 tiles what it has not reached, and for what it has reached the distance modulo 3,
//! plus one, in two bits. Neighbouring tiles differ by at most one in distance, so three values are enough to tell which of
//! them is nearer, and to walk back.
//!
//! **Why it is exact.** Both waves grow by whole levels. While they have no tile in common, after `a` levels of one and `b`
//! of the other, no way of `a + b` steps or fewer exists: its tile `a` steps from the source would be in both. The next
//! level of either wave finds, if anything, a way of `a + b + 1` steps, and that is the least there can be.

use super::blocks::{Blocks, EAST, NORTH, SOUTH, WEST};
use super::query::{Counts, Guarantee, Method, Moves, Query, Way};
use crate::grid::{BitGrid, Dir, Pos};

/// Two waves and their memory.
#[derive(Clone, Debug)]
pub(super) struct Waves {
    fore: Wave,
    back: Wave,
}

/// One wave.
#[derive(Clone, Debug)]
pub(super) struct Wave {
    cells: Vec<Cell>,
    /// The blocks that the last level reached, and their new tiles.
    front: Vec<(u32, u64)>,
    /// The blocks that the next level reaches.
    next: Vec<u32>,
    /// The blocks that have been reached at all.
    touched: Vec<u32>,
    level: u32,
}

/// What a wave knows of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// Water not yet reached.
    rest: u64,
    /// Tiles that the next level reaches.
    next: u64,
    /// The distance modulo 3, plus one: its lower bit and its upper bit.
    low: u64,
    high: u64,
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
        let visited = self.fore.visited(blocks) + self.back.visited(blocks);
        way.counts = Counts { visited, ..Counts::default() };
        let Some((block, bit, fore, back)) = meeting else { return false };
        way.tiles.clear();
        self.fore.descend(blocks, query.moves, (block, bit, fore), &mut way.tiles);
        way.tiles.reverse();
        way.tiles.pop();
        self.back.descend(blocks, query.moves, (block, bit, back), &mut way.tiles);
        way.settle(query);
        (way.guarantee, way.method) = (Guarantee::Exact, Method::Wave);
        true
    }

    /// The tiles that both waves of the last query reached.
    pub(super) fn mark(&self, blocks: &Blocks, onto: &mut BitGrid) {
        for wave in [&self.fore, &self.back] {
            for &block in &wave.touched {
                let reached = blocks.open[block as usize] & !wave.cells[block as usize].rest;
                each_bit(reached, |bit| onto.insert(blocks.pos(block as usize, bit)));
            }
        }
    }

    /// Takes over blocks that were edited.
    pub(super) fn renew(&mut self, blocks: &Blocks, edited: &[usize]) {
        for wave in [&mut self.fore, &mut self.back] {
            wave.clear(blocks);
            for &block in edited {
                wave.cells[block].rest = blocks.open[block];
            }
        }
    }

    /// Block and bit of a tile where the waves meet, and both distances.
    fn meet<const EIGHT: bool>(&mut self, blocks: &Blocks, query: &Query) -> Option<(usize, u32, u32, u32)> {
        let (fore, back) = (&mut self.fore, &mut self.back);
        fore.begin(blocks, &query.sources);
        back.begin(blocks, &query.targets);
        let met = fore.front.iter().find_map(|&(block, new)| {
            let both = new & !back.cells[block as usize].rest;
            (both != 0).then_some((block, both))
        });
        if let Some((block, both)) = met {
            return Some((block as usize, both.trailing_zeros(), 0, 0));
        }
        // The smaller wave goes first: less is reached until they meet.
        while !fore.front.is_empty() && !back.front.is_empty() {
            let met = match fore.front.len() <= back.front.len() {
                true => fore.advance::<EIGHT, true>(blocks, &back.cells),
                false => back.advance::<EIGHT, true>(blocks, &fore.cells),
            };
            if let Some((block, both)) = met {
                return Some((block, both.trailing_zeros(), fore.level, back.level));
            }
        }
        None
    }
}

impl Wave {
    pub(super) fn new(blocks: &Blocks) -> Wave {
        let cells = blocks.open.iter().map(|&rest| Cell { rest, ..Cell::default() }).collect();
        Wave { cells, front: Vec::new(), next: Vec::new(), touched: Vec::new(), level: 0 }
    }

    /// Forgets the last query and starts at `tiles`.
    pub(super) fn begin(&mut self, blocks: &Blocks, tiles: &[Pos]) {
        self.clear(blocks);
        for &pos in tiles {
            let (block, bit) = blocks.place(pos);
            self.reach(block, 1 << bit);
        }
        self.settle::<false>(&[]);
    }

    /// The front: blocks and the tiles that the last level reached in them.
    pub(super) fn front(&self) -> &[(u32, u64)] {
        &self.front
    }

    /// How many levels the wave has grown.
    pub(super) fn level(&self) -> u32 {
        self.level
    }

    /// One level on, without looking for another wave.
    pub(super) fn grow(&mut self, blocks: &Blocks, moves: Moves) {
        match moves {
            Moves::Four => self.advance::<false, false>(blocks, &[]),
            Moves::Eight => self.advance::<true, false>(blocks, &[]),
        };
    }

    fn clear(&mut self, blocks: &Blocks) {
        for &block in self.touched.iter().chain(&self.next) {
            let rest = blocks.open[block as usize];
            self.cells[block as usize] = Cell { rest, ..Cell::default() };
        }
        self.touched.clear();
        self.front.clear();
        self.next.clear();
        self.level = 0;
    }

    /// How many tiles were reached.
    fn visited(&self, blocks: &Blocks) -> u64 {
        let reached = |&block: &u32| {
            let open = blocks.open[block as usize] & !self.cells[block as usize].rest;
            u64::from(open.count_ones())
        };
        self.touched.iter().map(reached).sum()
    }

    /// Notes tiles for the next level, if they are water that was not reached before.
    #[inline]
    fn reach(&mut self, block: usize, tiles: u64) {
        let cell = &mut self.cells[block];
        let new = tiles & cell.rest;
        if new != 0 {
            if cell.next == 0 {
                self.next.push(block as u32);
            }
            cell.next |= new;
        }
    }

    /// Grows by one level; block and tiles of a meeting with the other wave, if there is one.
    fn advance<const EIGHT: bool, const MEET: bool>(
        &mut self,
        blocks: &Blocks,
        other: &[Cell],
    ) -> Option<(usize, u64)> {
        let front = std::mem::take(&mut self.front);
        for &(block, tiles) in &front {
            self.spread::<EIGHT>(blocks, block as usize, tiles);
        }
        self.front = front;
        self.front.clear();
        self.level += 1;
        self.settle::<MEET>(other)
    }

    /// Reaches the neighbours of `f`, tiles of `block`, in this block and in those beside it.
    #[inline]
    fn spread<const EIGHT: bool>(&mut self, blocks: &Blocks, block: usize, f: u64) {
        let (above, below) = (block - blocks.wide, block + blocks.wide);
        let (inner_e, inner_w) = (f & !EAST, f & !WEST);
        let mut inside = inner_e << 1 | inner_w >> 1 | f << 8 | f >> 8;
        let (mut north, mut south) = (f << 56, f >> 56);
        let (mut east, mut west) = ((f & EAST) >> 7, (f & WEST) << 7);
        if EIGHT {
            let [ne, nw, se, sw] = blocks.slants[block];
            let (ne_in, nw_in) = (inner_e & ne, inner_w & nw);
            let (se_in, sw_in) = (inner_e & se, inner_w & sw);
            inside |= ne_in >> 7 | nw_in >> 9 | se_in << 9 | sw_in << 7;
            // `ne_in << 57` would carry only the upper row: exactly what crosses to the block above.
            north |= ne_in << 57 | (nw_in & NORTH) << 55;
            south |= (se_in & SOUTH) >> 55 | sw_in >> 57;
            east |= (f & EAST & ne) >> 15 | (f & EAST & se) << 1;
            west |= (f & WEST & nw) >> 1 | (f & WEST & sw) << 15;
            const CORNERS: u64 = (NORTH | SOUTH) & (EAST | WEST);
            if f & CORNERS != 0 {
                self.reach(above + 1, (f & ne & NORTH & EAST) << 49);
                self.reach(above - 1, (f & nw & NORTH & WEST) << 63);
                self.reach(below + 1, (f & se & SOUTH & EAST) >> 63);
                self.reach(below - 1, (f & sw & SOUTH & WEST) >> 49);
            }
        }
        self.reach(block, inside);
        if north != 0 {
            self.reach(above, north);
        }
        if south != 0 {
            self.reach(below, south);
        }
        if east != 0 {
            self.reach(block + 1, east);
        }
        if west != 0 {
            self.reach(block - 1, west);
        }
    }

    /// Makes the next level the front.
    #[inline]
    fn settle<const MEET: bool>(&mut self, other: &[Cell]) -> Option<(usize, u64)> {
        let code = self.level % 3 + 1;
        let low = 0_u64.wrapping_sub(u64::from(code & 1));
        let high = 0_u64.wrapping_sub(u64::from(code >> 1));
        let mut met = None;
        for &block in &self.next {
            let cell = &mut self.cells[block as usize];
            let new = cell.next;
            if cell.low | cell.high == 0 {
                self.touched.push(block);
            }
            cell.next = 0;
            cell.rest &= !new;
            cell.low |= new & low;
            cell.high |= new & high;
            self.front.push((block, new));
            if MEET {
                let both = new & !other[block as usize].rest;
                if both != 0 && met.is_none() {
                    met = Some((block as usize, both));
                }
            }
        }
        self.next.clear();
        met
    }

    /// The tiles from one at distance `level` down to the nearest start, itself included.
    fn descend(
        &self,
        blocks: &Blocks,
        moves: Moves,
        (block, bit, level): (usize, u32, u32),
        tiles: &mut Vec<Pos>,
    ) {
        let mut pos = blocks.pos(block, bit);
        tiles.push(pos);
        let mut last = Dir::North;
        for level in (0..level).rev() {
            let code = u64::from(level % 3 + 1);
            let nearer = |dir: Dir| -> Option<(Dir, Pos)> {
                let to = legal_step(blocks, pos, dir)?;
                let (block, bit) = blocks.place(to);
                let cell = &self.cells[block];
                ((cell.low >> bit & 1) | (cell.high >> bit & 1) << 1 == code).then_some((dir, to))
            };
            let dirs: &[Dir] = match moves {
                Moves::Four => &Dir::STRAIGHT,
                Moves::Eight => &STRAIGHT_FIRST,
            };
            // Going on in the same direction makes ways that look like ways.
            let again = (last.is_diagonal() <= (moves == Moves::Eight)).then_some(last);
            let step = again.into_iter().chain(dirs.iter().copied()).find_map(nearer);
            // Every tile but a start was reached from a nearer one.
            let Some((dir, to)) = step else { return };
            (last, pos) = (dir, to);
            tiles.push(pos);
        }
    }
}

const STRAIGHT_FIRST: [Dir; 8] = [
    Dir::North,
    Dir::East,
    Dir::South,
    Dir::West,
    Dir::NorthEast,
    Dir::SouthEast,
    Dir::SouthWest,
    Dir::NorthWest,
];

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

/// Calls for every set bit of a word.
pub(super) fn each_bit(mut word: u64, mut call: impl FnMut(u32)) {
    while word != 0 {
        call(word.trailing_zeros());
        word &= word - 1;
    }
}
