//! The places that must be joined, and the nets to join them over.

use super::super::config::{Mover, Reachable};
use super::super::ground::Ground;
use super::super::map::Level;
use super::super::spec::Step;
use super::super::symbol::Symbol;
use super::super::table::flag;
use super::net::{Cell, Net};
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

impl Named {
    /// Everything that a level's chains name.
    pub(super) fn of(level: &Level, cells: impl Fn(Step) -> Vec<usize>) -> Named {
        let mut named = Named { must: true, ..Named::default() };
        let candidates = level.spec.config().reachable == Reachable::Candidates;
        // Chains that share no place but the exits may end at different ones.
        let mut joined: Vec<usize> = Vec::new();
        for (number, chain) in level.spec.chains().iter().enumerate() {
            let mut meets = number == 0 || candidates;
            for step in &chain.steps {
                let cells = cells(*step);
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
            let marks = (0..level.tags.marks.len()).map(Step::Mark);
            let steps = Symbol::CANDIDATES.into_iter().map(Step::Symbol).chain(marks);
            named.all.extend(steps.flat_map(cells));
        }
        named.cars.sort_unstable();
        named.cars.dedup();
        named.one_exit = named.cars.len() <= 1 || named.exits.len() <= 1;
        named
    }
}

/// The net of the ground of a level.
pub(super) fn net(ground: &Ground, removable: &[bool], passing: Passing) -> Net {
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
    let cells: Vec<Cell> = ground.flags.iter().zip(removable).map(kind).collect();
    let size = ground.size;
    let walks = |cell: usize, give: &mut dyn FnMut(usize)| {
        for dir in Dir::ALL {
            let (dx, dy) = dir.delta();
            let pos = size.pos(cell);
            let Some(to) = pos.step(dir, size) else { continue };
            let beside = Pos { x: pos.x.wrapping_add_signed(dx), y: pos.y };
            let ahead = Pos { x: pos.x, y: pos.y.wrapping_add_signed(dy) };
            let corner = |pos| ground.flags[size.index(pos)] & flag::CORNER != 0;
            if !dir.is_diagonal() || !corner(beside) || !corner(ahead) {
                give(size.index(to));
            }
        }
    };
    let drives = |cell: usize, give: &mut dyn FnMut(usize)| {
        let straight = Dir::ALL.into_iter().filter(|dir| !dir.is_diagonal());
        straight.filter_map(|dir| size.pos(cell).step(dir, size)).for_each(|to| give(size.index(to)));
    };
    match passing {
        Passing::All => Net::build(&cells, drives),
        Passing::Apart => Net::build_apart(&cells, walks, drives),
    }
}
