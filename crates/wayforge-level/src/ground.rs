//! The ground under the movers: what each cell means to a search, as bytes and as sets.

use crate::table::flag;
use crate::{Blueprint, Mover, Spec, Symbol, Tags};
use wayforge_core::grid::{BitGrid, Pos, Size};

/// What each cell means, for searches that go cell by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Ground {
    pub(super) size: Size,
    /// The [flags](flag) of every cell in reading order.
    pub(super) flags: Vec<u8>,
    /// True if some cell is one-way.
    pub(super) one_way: bool,
    /// The cells of every symbol that a chain may name: the candidates, then exits.
    places: [Vec<Pos>; 7],
}

/// The place of a symbol in [`Ground::places`].
fn place(symbol: Symbol) -> Option<usize> {
    Symbol::CANDIDATES.iter().chain(&[Symbol::Exit]).position(|named| *named == symbol)
}

/// The cells that are compared at once.
const CHUNK: usize = 16;

/// True for the symbols that most cells have and no chain names.
fn is_plain(symbol: Symbol) -> bool {
    (symbol == Symbol::Floor)
        | (symbol == Symbol::Wall)
        | (symbol == Symbol::Outside)
        | (symbol == Symbol::Band)
}

/// What each cell means to one mover, for floods that go 64 cells at a time.
#[derive(Debug, Default)]
pub(super) struct Field {
    /// What the mover can enter.
    pub(super) open: BitGrid,
    /// What it cannot leave northward, southward, westward, eastward; empty if no cell is one-way to it.
    pub(super) held: Vec<BitGrid>,
    /// Corners that block diagonal steps between two of them; not read if the mover takes no diagonal steps.
    pub(super) corners: BitGrid,
    /// True if it steps in eight directions.
    pub(super) diagonal: bool,
}

/// `clone_from` reuses memory.
impl Clone for Field {
    fn clone(&self) -> Field {
        let mut field = Field::default();
        field.clone_from(self);
        field
    }

    fn clone_from(&mut self, other: &Field) {
        self.open.clone_from(&other.open);
        self.held.clone_from(&other.held);
        self.corners.clone_from(&other.corners);
        self.diagonal = other.diagonal;
    }
}

impl Ground {
    /// Reads the ground of a blueprint. The cells at the edge of the grid are entered by nobody, so that no search needs to
    /// look whether a neighbour exists.
    pub(super) fn read(&mut self, spec: &Spec, blueprint: &Blueprint, tags: &Tags) {
        let (size, table) = (blueprint.size(), spec.table());
        self.size = size;
        self.flags.clear();
        self.flags.extend(blueprint.cells().iter().map(|symbol| table.flags(*symbol)));
        self.one_way = self.flags.iter().fold(0, |all, flags| all | flags) & flag::ONE_WAY != 0;
        self.places.iter_mut().for_each(Vec::clear);
        for (at, cells) in blueprint.cells().chunks(CHUNK).enumerate() {
            // No early exit, so that a chunk is compared with vector instructions.
            if cells.iter().fold(true, |plain, symbol| plain & is_plain(*symbol)) {
                continue;
            }
            for (cell, symbol) in (at * CHUNK..).zip(cells) {
                if let Some(place) = place(*symbol) {
                    self.places[place].push(size.pos(cell));
                }
            }
        }
        for pos in tags.reinforced.iter().filter(|pos| blueprint.get(*pos) == Symbol::Wall) {
            self.flags[size.index(pos)] = flag::CORNER;
        }
        for (mark, cells) in spec.config().marks.iter().zip(&tags.marks) {
            if mark.locked_until.is_some() {
                cells.iter().for_each(|pos| self.flags[size.index(*pos)] |= flag::LOCKED);
            }
        }
        const ENTERED: u8 = flag::PERSON | flag::CAR;
        let (width, last) = (usize::from(size.width), self.flags.len() - usize::from(size.width));
        self.flags[..width].iter_mut().for_each(|cell| *cell &= !ENTERED);
        self.flags[last..].iter_mut().for_each(|cell| *cell &= !ENTERED);
        for row in self.flags.chunks_exact_mut(width) {
            row[0] &= !ENTERED;
            row[width - 1] &= !ENTERED;
        }
    }

    /// The cells of a symbol that a chain may name, in reading order; none of any other.
    pub(super) fn places(&self, symbol: Symbol) -> &[Pos] {
        place(symbol).map_or(&[], |place| &self.places[place])
    }

    pub(super) fn enters(&self, mover: Mover, pos: Pos) -> bool {
        self.flags[self.size.index(pos)] & mover.bit() != 0
    }
}

impl Field {
    /// Reads what the ground means to one mover.
    pub(super) fn read(&mut self, ground: &Ground, mover: Mover) {
        self.diagonal = mover == Mover::Person;
        plane(ground, mover.bit(), &mut self.open);
        let bits = [flag::NOT_NORTH, flag::NOT_SOUTH, flag::NOT_WEST, flag::NOT_EAST];
        self.held.resize_with(if self.diagonal && ground.one_way { 4 } else { 0 }, BitGrid::default);
        self.held.iter_mut().zip(bits).for_each(|(set, bit)| plane(ground, bit, set));
        if self.diagonal {
            plane(ground, flag::CORNER, &mut self.corners);
        }
    }
}

/// The cells that have a flag. Eight bytes are gathered into eight bits by one multiplication.
fn plane(ground: &Ground, bit: u8, set: &mut BitGrid) {
    set.reset(ground.size);
    let (width, stride) = (usize::from(ground.size.width), set.stride());
    let place = bit.trailing_zeros();
    let gather = |bytes: [u8; 8]| {
        let ones = u64::from_le_bytes(bytes) >> place & 0x0101_0101_0101_0101;
        ones.wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    for (row, words) in ground.flags.chunks_exact(width).zip(set.words_mut().chunks_exact_mut(stride)) {
        for (cells, word) in row.chunks(64).zip(words) {
            let (eights, rest) = cells.as_chunks::<8>();
            let mut bits = 0;
            for (i, eight) in eights.iter().enumerate() {
                bits |= gather(*eight) << (8 * i);
            }
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            if !rest.is_empty() {
                bits |= gather(last) << (8 * eights.len());
            }
            *word = bits;
        }
    }
}
