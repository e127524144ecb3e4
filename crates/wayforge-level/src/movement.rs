//! Movement rules: which mover can enter and leave which symbol.

use crate::{InteriorWalls, Mover, Symbol};

/// Movement flags of a cell.
pub(crate) mod flag {
    /// People can enter it.
    pub(crate) const PERSON: u8 = 1;
    /// Cars can enter it.
    pub(crate) const CAR: u8 = 1 << 1;
    /// People cannot step from it to the three northern neighbours; likewise for the next three
    /// flags.
    pub(crate) const NOT_NORTH: u8 = 1 << 2;
    pub(crate) const NOT_SOUTH: u8 = 1 << 3;
    pub(crate) const NOT_WEST: u8 = 1 << 4;
    pub(crate) const NOT_EAST: u8 = 1 << 5;
    /// Two such cells beside a diagonal step block it.
    pub(crate) const CORNER: u8 = 1 << 6;
    /// Closed until the chain reaches the step that unlocks it.
    pub(crate) const LOCKED: u8 = 1 << 7;
    /// All flags of blocked exits.
    pub(crate) const BLOCKED_EXITS: u8 = NOT_NORTH | NOT_SOUTH | NOT_WEST | NOT_EAST;
}

/// Movement flags of each symbol, indexed by its character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MovementTable {
    flags: [u8; 128],
}

impl MovementTable {
    pub(crate) fn new(
        walls: InteriorWalls,
        car_blocked: &str,
        person_blocked: &str,
    ) -> MovementTable {
        let mut flags = [0; 128];
        for symbol in Symbol::ALL {
            let solid = symbol == Symbol::Wall && walls == InteriorWalls::Solid;
            let open = |blocked: &str, bit| {
                if solid || blocked.contains(symbol.to_char()) { 0 } else { bit }
            };
            let blocked_exit = match symbol {
                Symbol::MovesNorth => flag::NOT_SOUTH,
                Symbol::MovesSouth => flag::NOT_NORTH,
                Symbol::MovesWest => flag::NOT_EAST,
                Symbol::MovesEast => flag::NOT_WEST,
                _ => 0,
            };
            let corner = if solid || symbol == Symbol::Band { flag::CORNER } else { 0 };
            flags[symbol as usize] = open(car_blocked, flag::CAR)
                | open(person_blocked, flag::PERSON)
                | blocked_exit
                | corner;
        }
        MovementTable { flags }
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
