//! The table of movers and symbols: who can enter what, and what a cell means to a search.

use crate::{InteriorWalls, Mover, Symbol};

/// What a cell means to a search, as bits.
pub(crate) mod flag {
    /// People can enter it.
    pub(crate) const PERSON: u8 = 1;
    /// Cars can enter it.
    pub(crate) const CAR: u8 = 1 << 1;
    /// People on it cannot step to the three northern neighbours; the others likewise.
    pub(crate) const NOT_NORTH: u8 = 1 << 2;
    pub(crate) const NOT_SOUTH: u8 = 1 << 3;
    pub(crate) const NOT_WEST: u8 = 1 << 4;
    pub(crate) const NOT_EAST: u8 = 1 << 5;
    /// Two of these at the corners of a diagonal step block it.
    pub(crate) const CORNER: u8 = 1 << 6;
    /// It opens only at some step of a chain.
    pub(crate) const LOCKED: u8 = 1 << 7;
    /// All one-way bits.
    pub(crate) const ONE_WAY: u8 = NOT_NORTH | NOT_SOUTH | NOT_WEST | NOT_EAST;
}

/// The flags of each symbol, by its character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    flags: [u8; 128],
}

impl Table {
    pub(crate) fn new(walls: InteriorWalls, car_blocked: &str, person_blocked: &str) -> Table {
        let mut flags = [0; 128];
        for symbol in Symbol::ALL {
            let solid = symbol == Symbol::Wall && walls == InteriorWalls::Solid;
            let open = |blocked: &str, bit| {
                if solid || blocked.contains(symbol.to_char()) { 0 } else { bit }
            };
            let one_way = match symbol {
                Symbol::MovesNorth => flag::NOT_SOUTH,
                Symbol::MovesSouth => flag::NOT_NORTH,
                Symbol::MovesWest => flag::NOT_EAST,
                Symbol::MovesEast => flag::NOT_WEST,
                _ => 0,
            };
            let corner = if solid || symbol == Symbol::Band { flag::CORNER } else { 0 };
            flags[symbol as usize] =
                open(car_blocked, flag::CAR) | open(person_blocked, flag::PERSON) | one_way | corner;
        }
        Table { flags }
    }

    #[inline]
    pub(crate) fn flags(&self, symbol: Symbol) -> u8 {
        self.flags[symbol as usize & 127]
    }
}

impl Mover {
    #[inline]
    pub(crate) const fn bit(self) -> u8 {
        match self {
            Mover::Car => flag::CAR,
            Mover::Person => flag::PERSON,
        }
    }
}
