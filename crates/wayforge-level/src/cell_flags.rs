//! Movement properties of cells, as bytes for cell searches and as bit sets for flood fills.

use crate::movement::flag;
use crate::{Blueprint, Mover, Spec, Symbol, Tags};
use wayforge_core::grid::{BitGrid, Pos, Size};

/// Movement flags of all cells, for searches cell by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct CellFlags {
    pub(super) size: Size,
    /// The [flags](flag) of every cell in row-major order.
    pub(super) flags: Vec<u8>,
    /// True if any cell has a blocked exit.
    pub(super) has_blocked_exits: bool,
    /// Cells of every symbol that can be a step of a chain: the candidates, then exits.
    step_cells: [Vec<Pos>; 7],
}

/// Returns the index of a symbol in [`CellFlags::step_cells`].
fn step_index(symbol: Symbol) -> Option<usize> {
    Symbol::CANDIDATES.iter().chain(&[Symbol::Exit]).position(|known| *known == symbol)
}

/// Number of cells that are compared at once.
const CHUNK: usize = 16;

/// Returns true for the most frequent symbols, none of which can be a step of a chain.
fn is_plain(symbol: Symbol) -> bool {
    (symbol == Symbol::Floor)
        | (symbol == Symbol::Wall)
        | (symbol == Symbol::Outside)
        | (symbol == Symbol::Band)
}

/// Movement properties of all cells for one mover, as bit sets.
#[derive(Debug, Default)]
pub(super) struct MoverGrid {
    /// Cells that the mover can enter.
    pub(super) open: BitGrid,
    /// Cells that it cannot leave northward, southward, westward, eastward; empty without one-way
    /// cells.
    pub(super) blocked_exits: Vec<BitGrid>,
    /// Cells that block a diagonal step between two of them; unused without diagonal steps.
    pub(super) corners: BitGrid,
    /// True for eight directions, false for four.
    pub(super) diagonal: bool,
}

/// Implemented by hand so that `clone_from` reuses memory.
impl Clone for MoverGrid {
    fn clone(&self) -> MoverGrid {
        let mut grid = MoverGrid::default();
        grid.clone_from(self);
        grid
    }

    fn clone_from(&mut self, other: &MoverGrid) {
        self.open.clone_from(&other.open);
        self.blocked_exits.clone_from(&other.blocked_exits);
        self.corners.clone_from(&other.corners);
        self.diagonal = other.diagonal;
    }
}

impl CellFlags {
    /// Computes the flags of a blueprint.
    ///
    /// Cells at the edge of the grid are closed to all movers, so searches need no bounds checks.
    pub(super) fn read(&mut self, spec: &Spec, blueprint: &Blueprint, tags: &Tags) {
        let (size, table) = (blueprint.size(), spec.table());
        self.size = size;
        self.flags.clear();
        self.flags.extend(blueprint.cells().iter().map(|symbol| table.flags(*symbol)));
        self.has_blocked_exits =
            self.flags.iter().fold(0, |all, flags| all | flags) & flag::BLOCKED_EXITS != 0;
        self.step_cells.iter_mut().for_each(Vec::clear);
        for (chunk, cells) in blueprint.cells().chunks(CHUNK).enumerate() {
            // No early exit, so that a chunk is compared with vector instructions.
            if cells.iter().fold(true, |plain, symbol| plain & is_plain(*symbol)) {
                continue;
            }
            for (cell, symbol) in (chunk * CHUNK..).zip(cells) {
                if let Some(index) = step_index(*symbol) {
                    self.step_cells[index].push(size.pos(cell));
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
        const CAN_ENTER: u8 = flag::PERSON | flag::CAR;
        let (width, last) = (usize::from(size.width), self.flags.len() - usize::from(size.width));
        self.flags[..width].iter_mut().for_each(|cell| *cell &= !CAN_ENTER);
        self.flags[last..].iter_mut().for_each(|cell| *cell &= !CAN_ENTER);
        for row in self.flags.chunks_exact_mut(width) {
            row[0] &= !CAN_ENTER;
            row[width - 1] &= !CAN_ENTER;
        }
    }

    /// Returns the cells of a candidate symbol or exit, in row-major order; empty for other
    /// symbols.
    pub(super) fn cells_of(&self, symbol: Symbol) -> &[Pos] {
        step_index(symbol).map_or(&[], |index| &self.step_cells[index])
    }

    /// Returns true if the mover can enter the cell, ignoring locks.
    pub(super) fn can_enter(&self, mover: Mover, pos: Pos) -> bool {
        self.flags[self.size.index(pos)] & mover.bit() != 0
    }
}

impl MoverGrid {
    /// Computes the bit sets of one mover.
    pub(super) fn read(&mut self, cell_flags: &CellFlags, mover: Mover) {
        self.diagonal = mover == Mover::Person;
        plane(cell_flags, mover.bit(), &mut self.open);
        let bits = [flag::NOT_NORTH, flag::NOT_SOUTH, flag::NOT_WEST, flag::NOT_EAST];
        self.blocked_exits.resize_with(
            if self.diagonal && cell_flags.has_blocked_exits { 4 } else { 0 },
            BitGrid::default,
        );
        self.blocked_exits.iter_mut().zip(bits).for_each(|(set, bit)| plane(cell_flags, bit, set));
        if self.diagonal {
            plane(cell_flags, flag::CORNER, &mut self.corners);
        }
    }
}

/// Collects the cells with a flag. One multiplication gathers eight bytes into eight bits.
fn plane(cell_flags: &CellFlags, bit: u8, set: &mut BitGrid) {
    set.reset(cell_flags.size);
    let (width, stride) = (usize::from(cell_flags.size.width), set.stride());
    let shift = bit.trailing_zeros();
    let gather = |bytes: [u8; 8]| {
        let ones = u64::from_le_bytes(bytes) >> shift & 0x0101_0101_0101_0101;
        ones.wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    for (row, words) in
        cell_flags.flags.chunks_exact(width).zip(set.words_mut().chunks_exact_mut(stride))
    {
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
