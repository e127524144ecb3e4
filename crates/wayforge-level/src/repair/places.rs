//! The places that must be joined, and the nets to join them over.

use super::net::{Cell, Net, Steps};
use super::sorted_set;
use super::terrain::Terrain;
use crate::table::flag;
use crate::{Mover, Reachable, Step, Symbol};
use wayforge_core::grid::{Dir, Pos};

/// Everything that the chains of a level name, as cells.
#[derive(Default)]
pub(super) struct Named {
    /// The cells of every step but the exits, and every candidate and mark if those must be reached.
    pub(super) all: Vec<usize>,
    /// Those that cars must reach.
    pub(super) cars: Vec<usize>,
    /// The exits, if a chain names them: one of them must be joined.
    pub(super) exits: Vec<usize>,
    /// True if every remedy joins all of them.
    pub(super) must: bool,
    /// True if every remedy joins all cars to the same exit.
    pub(super) one_exit: bool,
}

/// Which movers a net is for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Passing {
    /// A cell is open if every mover can enter it, and only four directions count: trees are upper bounds.
    All,
    /// People and cars take their own steps; one-way floors and locks are ignored: trees are lower bounds.
    Apart,
}

impl Terrain<'_> {
    /// Everything that the chains of the level name.
    pub(super) fn named(&self) -> Named {
        let mut named = Named { must: true, ..Named::default() };
        let spec = &self.level.spec;
        let candidates = spec.config().reachable == Reachable::Candidates;
        // Chains that share no place but the exits may end at different ones.
        let mut joined: Vec<usize> = Vec::new();
        for (number, chain) in spec.chains().iter().enumerate() {
            let mut meets = number == 0 || candidates;
            for step in &chain.steps {
                let cells = self.cells(*step);
                if *step == Step::Symbol(Symbol::Exit) {
                    named.exits = cells;
                    continue;
                }
                named.must &= cells.len() <= 1 || candidates;
                meets |= cells.iter().any(|cell| joined.contains(cell));
                joined.extend_from_slice(&cells);
                if chain.mover == Mover::Car {
                    named.cars.extend_from_slice(&cells);
                }
                named.all.extend(cells);
            }
            named.must &= meets;
        }
        if candidates {
            named.all.extend(self.candidates());
        }
        named.cars = sorted_set(named.cars);
        named.one_exit = named.cars.len() <= 1 || named.exits.len() <= 1;
        named
    }

    /// The net of the ground.
    pub(super) fn net(&self, passing: Passing) -> Net {
        const BOTH: u8 = flag::PERSON | flag::CAR;
        let kind = |(flags, removable): (&u8, &bool)| {
            let open = match passing {
                _ if flags & BOTH == BOTH => Cell::Open,
                Passing::Apart if flags & flag::PERSON != 0 => Cell::OnFoot,
                Passing::Apart if flags & flag::CAR != 0 => Cell::ByCar,
                _ => Cell::Closed,
            };
            if open == Cell::Closed && *removable { Cell::Wall } else { open }
        };
        let cells: Vec<Cell> = self.ground.flags.iter().zip(&self.removable).map(kind).collect();
        let size = self.ground.size;
        let corner = |x: u16, y: u16| self.ground.flags[size.index(Pos { x, y })] & flag::CORNER != 0;
        let walks = |cell: usize, give: &mut dyn FnMut(usize)| {
            let from = size.pos(cell);
            for dir in Dir::ALL {
                let Some(to) = from.step(dir, size) else { continue };
                if !dir.is_diagonal() || !corner(to.x, from.y) || !corner(from.x, to.y) {
                    give(size.index(to));
                }
            }
        };
        let drives = |cell: usize, give: &mut dyn FnMut(usize)| {
            let steps = Dir::STRAIGHT.into_iter().filter_map(|dir| size.pos(cell).step(dir, size));
            steps.for_each(|to| give(size.index(to)));
        };
        Net::build(&cells, &drives, (passing == Passing::Apart).then_some(&walks as Steps<'_>))
    }
}
