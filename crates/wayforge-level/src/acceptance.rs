//! Acceptance check of generated levels: connectivity, reachability and soft locks.
//!
//! Computes the witness routes that prove a level winnable.

use crate::bit_flood::BitFlood;
use crate::cell_flags::{CellFlags, MoverGrid};
use crate::search::{Search, SearchInput};
use crate::soft_locks::{self, SoftLockScratch};
use crate::{
    Chain, Level, Mover, Purpose, Reachable, SoftLocks, Spec, Symbol, Tags, Witness, rules,
};
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::{Place, Violation, Work};

/// Steps of work per expanded search state.
const STEPS_PER_STATE: u64 = 8;

/// Acceptance check with its scratch buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct AcceptanceCheck {
    cell_flags: CellFlags,
    /// Open cells and one-way cells for people.
    grid: MoverGrid,
    /// Open cells for cars.
    car_grid: MoverGrid,
    flood: BitFlood,
    search: Search,
    reached: BitGrid,
    soft_locks: SoftLockScratch,
}

impl AcceptanceCheck {
    /// Checks a level and stores its witness routes and `car_walkable_cells` in it.
    ///
    /// Returns early once `work` is stopped; the caller checks that.
    ///
    /// # Errors
    /// The first [`Violation`].
    ///
    /// # Complexity
    /// O(cells * starts * steps) in the worst case, for the starts of all chains.
    pub(super) fn check(&mut self, level: &mut Level, work: &Work) -> Result<(), Violation> {
        let Level { spec, blueprint, tags, car_walkable_cells, witness, .. } = level;
        if !work.spend(spec.size().cells() as u64) {
            return Ok(());
        }
        self.cell_flags.read(spec, blueprint, tags);
        let input = SearchInput { cell_flags: &self.cell_flags, blueprint, tags };
        let mut used = 0;
        for (number, chain) in (0..).zip(spec.chains()) {
            self.search.prepare(input, chain);
            for start in 0..self.search.starts().len() {
                if witness.len() == used {
                    witness.push(Witness::default());
                }
                let route = &mut witness[used];
                route.chain = number;
                used += 1;
                let pos = self.search.starts()[start];
                let found = self.search.find(input, chain, pos, route);
                if !work.spend(STEPS_PER_STATE * self.search.expanded()) {
                    return Ok(());
                }
                found.map_err(|reached| no_path(spec, chain, pos, reached))?;
            }
        }
        witness.truncate(used);
        self.flood_car_cells(spec, tags, car_walkable_cells);
        self.grid.read(&self.cell_flags, Mover::Person);
        if spec.config().reachable == Reachable::Candidates {
            self.check_candidates_reachable(tags, work)?;
        }
        if spec.config().soft_locks == SoftLocks::Forbidden {
            let input = SearchInput { cell_flags: &self.cell_flags, blueprint, tags };
            let (flood, scratch) = (&mut self.flood, &mut self.soft_locks);
            soft_locks::check(spec, input, &self.grid, flood, scratch, work)?;
        }
        Ok(())
    }

    /// Returns all soft-locked cells of a level that passes the other checks.
    pub(super) fn soft_locked(&mut self, level: &Level, work: &Work) -> BitGrid {
        let Level { spec, blueprint, tags, .. } = level;
        self.cell_flags.read(spec, blueprint, tags);
        self.grid.read(&self.cell_flags, Mover::Person);
        let input = SearchInput { cell_flags: &self.cell_flags, blueprint, tags };
        let mut all = BitGrid::new(spec.size());
        for chain in spec.chains().iter().filter(|chain| chain.mover == Mover::Person) {
            soft_locks::find(
                input,
                &self.grid,
                chain,
                &mut self.flood,
                &mut self.soft_locks,
                work,
                |_, locked| {
                    locked.iter().for_each(|pos| all.insert(pos));
                },
            );
        }
        all
    }

    /// Computes the cells that cars can reach. Marks that are locked at the start of the car's
    /// chain are closed.
    fn flood_car_cells(&mut self, spec: &Spec, tags: &Tags, cells: &mut BitGrid) {
        let Some(chain) = spec.chains().iter().find(|chain| chain.purpose == Purpose::Car) else {
            cells.reset(spec.size());
            return;
        };
        self.car_grid.read(&self.cell_flags, Mover::Car);
        for (locked, _) in
            tags.marks.iter().zip(&chain.unlocked_at).filter(|(_, unlocked_at)| **unlocked_at > 0)
        {
            locked.iter().for_each(|pos| self.car_grid.open.remove(*pos));
        }
        self.flood.fill_from(
            &self.car_grid,
            self.cell_flags.cells_of(Symbol::Car).iter().copied(),
            cells,
        );
    }

    /// Checks that every candidate and mark is reachable from every player start.
    fn check_candidates_reachable(&mut self, tags: &Tags, work: &Work) -> Result<(), Violation> {
        let AcceptanceCheck { cell_flags, grid, flood, reached, .. } = self;
        let starts = cell_flags.cells_of(Symbol::Player);
        for (i, start) in starts.iter().enumerate() {
            // Without one-way cells, all starts in one component reach the same cells.
            if i > 0 && grid.blocked_exits.is_empty() && reached.contains(*start) {
                continue;
            }
            if !work.spend(grid.open.size().cells() as u64) {
                return Ok(());
            }
            flood.fill_from(grid, [*start], reached);
            let candidates =
                Symbol::CANDIDATES.into_iter().flat_map(|symbol| cell_flags.cells_of(symbol));
            let mut required = candidates.chain(tags.marks.iter().flatten());
            if let Some(pos) = required.find(|pos| !reached.contains(**pos)) {
                let why = format!("cannot be reached from the player start at {start}");
                return Err(Violation {
                    rule: rules::CANDIDATES_REACHABLE,
                    place: Place::Cell(*pos),
                    why,
                });
            }
        }
        Ok(())
    }
}

/// Returns the violation of a chain whose last reachable step is `reached`.
fn no_path(spec: &Spec, chain: &Chain, start: Pos, reached: u32) -> Violation {
    let names: Vec<String> = chain.steps.iter().map(|step| spec.step_name(*step)).collect();
    let (from, to) = (&names[reached as usize], &names[reached as usize + 1]);
    let why = format!("{}: no path from {from} to {to}", names.join(" -> "));
    let rule = match chain.purpose {
        Purpose::Car => rules::CAR_CONNECTIVITY,
        Purpose::Humanoid => rules::HUMANOID_CONNECTIVITY,
        Purpose::Custom => rules::OBJECTIVE_CONNECTIVITY,
    };
    Violation { rule, place: Place::Cell(start), why }
}
