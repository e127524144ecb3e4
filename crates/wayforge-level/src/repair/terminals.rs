//! Terminals of the Steiner tree problem, and its graphs.

use super::graph::{Cell, Graph, Steps};
use super::sorted_set;
use super::task_search::RepairProblem;
use crate::movement::flag;
use crate::{Mover, Reachable, Step, Symbol};
use wayforge_core::grid::{Dir, Pos};

/// Cells that must be connected.
#[derive(Default)]
pub(super) struct Terminals {
    /// Cells of all steps except exits, and all candidates and marks if those must be reachable.
    pub(super) all: Vec<usize>,
    /// Cells that cars must reach.
    pub(super) cars: Vec<usize>,
    /// Exits, if they are a step of a chain: one of them must be connected.
    pub(super) exits: Vec<usize>,
    /// True if every repair connects all of them.
    pub(super) all_required: bool,
    /// True if every repair connects all cars to the same exit.
    pub(super) one_exit: bool,
}

/// How a graph models the movers.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum MoverModel {
    /// Open cells are open to every mover, with steps in four directions: trees are upper bounds.
    Common,
    /// People and cars have their own steps, without one-way floors and locks: trees are lower
    /// bounds.
    Separate,
}

impl RepairProblem<'_> {
    /// Returns the terminals of the level.
    pub(super) fn terminals(&self) -> Terminals {
        let mut terminals = Terminals { all_required: true, ..Terminals::default() };
        let spec = &self.level.spec;
        let candidates_required = spec.config().reachable == Reachable::Candidates;
        // Chains that share no cell except exits may end at different exits.
        let mut joined: Vec<usize> = Vec::new();
        for (number, chain) in spec.chains().iter().enumerate() {
            let mut meets = number == 0 || candidates_required;
            for step in &chain.steps {
                let cells = self.cells(*step);
                if *step == Step::Symbol(Symbol::Exit) {
                    terminals.exits = cells;
                    continue;
                }
                terminals.all_required &= cells.len() <= 1 || candidates_required;
                meets |= cells.iter().any(|cell| joined.contains(cell));
                joined.extend_from_slice(&cells);
                if chain.mover == Mover::Car {
                    terminals.cars.extend_from_slice(&cells);
                }
                terminals.all.extend(cells);
            }
            terminals.all_required &= meets;
        }
        if candidates_required {
            terminals.all.extend(self.candidates());
        }
        terminals.cars = sorted_set(terminals.cars);
        terminals.one_exit = terminals.cars.len() <= 1 || terminals.exits.len() <= 1;
        terminals
    }

    /// Builds the graph of the level.
    pub(super) fn graph(&self, model: MoverModel) -> Graph {
        self.spend(1);
        const BOTH: u8 = flag::PERSON | flag::CAR;
        let kind = |(flags, removable): (&u8, &bool)| {
            let open = match model {
                _ if flags & BOTH == BOTH => Cell::Open,
                MoverModel::Separate if flags & flag::PERSON != 0 => Cell::OnFoot,
                MoverModel::Separate if flags & flag::CAR != 0 => Cell::ByCar,
                _ => Cell::Closed,
            };
            if open == Cell::Closed && *removable { Cell::Wall } else { open }
        };
        let cells: Vec<Cell> =
            self.cell_flags.flags.iter().zip(&self.removable).map(kind).collect();
        let size = self.cell_flags.size;
        let corner =
            |x: u16, y: u16| self.cell_flags.flags[size.index(Pos { x, y })] & flag::CORNER != 0;
        let walks = |cell: usize, visit: &mut dyn FnMut(usize)| {
            let from = size.pos(cell);
            for dir in Dir::ALL {
                let Some(to) = from.step(dir, size) else { continue };
                if !dir.is_diagonal() || !corner(to.x, from.y) || !corner(from.x, to.y) {
                    visit(size.index(to));
                }
            }
        };
        let drives = |cell: usize, visit: &mut dyn FnMut(usize)| {
            let steps = Dir::STRAIGHT.into_iter().filter_map(|dir| size.pos(cell).step(dir, size));
            steps.for_each(|to| visit(size.index(to)));
        };
        Graph::build(
            &cells,
            &drives,
            (model == MoverModel::Separate).then_some(&walks as Steps<'_>),
        )
    }
}
