//! The gate: what every level must pass before it is accepted, and the proof that it does.

use crate::flood::Flood;
use crate::ground::{Field, Ground};
use crate::search::{Scene, Search};
use crate::softlock::{self, SoftLockScratch};
use crate::{Chain, Level, Mover, Purpose, Reachable, SoftLocks, Spec, Symbol, Tags, Witness, rules};
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::{Place, Violation};

/// Memory for the gate, to be used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Gate {
    ground: Ground,
    /// The ground as people meet it, and as cars do.
    field: Field,
    car_field: Field,
    flood: Flood,
    search: Search,
    reached: BitGrid,
    softlock: SoftLockScratch,
}

impl Gate {
    /// Lets a level pass, and writes down its proof, or says what it breaks first.
    pub(super) fn pass(&mut self, level: &mut Level) -> Result<(), Violation> {
        let Level { spec, blueprint, tags, car_walkable_cells, witness, .. } = level;
        self.ground.read(spec, blueprint, tags);
        let scene = Scene { ground: &self.ground, blueprint, tags };
        let mut used = 0;
        for (number, chain) in (0..).zip(spec.chains()) {
            self.search.prepare(scene, chain);
            for start in 0..self.search.starts().len() {
                if witness.len() == used {
                    witness.push(Witness::default());
                }
                let route = &mut witness[used];
                route.chain = number;
                used += 1;
                let pos = self.search.starts()[start];
                let found = self.search.find(scene, chain, pos, route);
                found.map_err(|reached| no_path(spec, chain, pos, reached))?;
            }
        }
        witness.truncate(used);
        self.drive(spec, tags, car_walkable_cells);
        self.field.read(&self.ground, Mover::Person);
        if spec.config().reachable == Reachable::Candidates {
            self.reach_candidates(tags)?;
        }
        if spec.config().soft_locks == SoftLocks::Forbidden {
            let scene = Scene { ground: &self.ground, blueprint, tags };
            softlock::reject(spec, scene, &self.field, &mut self.flood, &mut self.softlock)?;
        }
        Ok(())
    }

    /// The cells of all soft locks of a level that has come through the rest of the gate.
    pub(super) fn soft_locked(&mut self, level: &Level) -> BitGrid {
        let Level { spec, blueprint, tags, .. } = level;
        self.ground.read(spec, blueprint, tags);
        self.field.read(&self.ground, Mover::Person);
        let scene = Scene { ground: &self.ground, blueprint, tags };
        let mut all = BitGrid::new(spec.size());
        for chain in spec.chains().iter().filter(|chain| chain.mover == Mover::Person) {
            softlock::find(scene, &self.field, chain, &mut self.flood, &mut self.softlock, |_, locked| {
                locked.iter().for_each(|pos| all.insert(pos));
            });
        }
        all
    }

    /// Where the cars can drive: all that their chain can reach, so what is locked to it stays closed.
    fn drive(&mut self, spec: &Spec, tags: &Tags, cells: &mut BitGrid) {
        let Some(chain) = spec.chains().iter().find(|chain| chain.purpose == Purpose::Car) else {
            cells.reset(spec.size());
            return;
        };
        self.car_field.read(&self.ground, Mover::Car);
        for (locked, _) in tags.marks.iter().zip(&chain.opens).filter(|(_, opens)| **opens > 0) {
            locked.iter().for_each(|pos| self.car_field.open.remove(*pos));
        }
        self.flood.from(&self.car_field, self.ground.places(Symbol::Car).iter().copied(), cells);
    }

    /// Every candidate and every mark can be reached from every player start.
    fn reach_candidates(&mut self, tags: &Tags) -> Result<(), Violation> {
        let Gate { ground, field, flood, reached, .. } = self;
        let starts = ground.places(Symbol::Player);
        for (i, start) in starts.iter().enumerate() {
            // Where every step can be taken back, a start that was reached reaches as much.
            if i > 0 && field.held.is_empty() && reached.contains(*start) {
                continue;
            }
            flood.from(field, [*start], reached);
            let candidates = Symbol::CANDIDATES.into_iter().flat_map(|symbol| ground.places(symbol));
            let mut places = candidates.chain(tags.marks.iter().flatten());
            if let Some(pos) = places.find(|pos| !reached.contains(**pos)) {
                let why = format!("cannot be reached from the player start at {start}");
                return Err(Violation { rule: rules::CANDIDATES_REACHABLE, place: Place::Cell(*pos), why });
            }
        }
        Ok(())
    }
}

/// The violation of a chain that breaks off after the step `reached`.
fn no_path(spec: &Spec, chain: &Chain, start: Pos, reached: u32) -> Violation {
    let names: Vec<String> = chain.steps.iter().map(|step| spec.step_name(*step)).collect();
    let (from, to) = (&names[reached as usize], &names[reached as usize + 1]);
    let why = format!("{}: no way from {from} to {to}", names.join(" -> "));
    let rule = match chain.purpose {
        Purpose::Car => rules::CAR_CONNECTIVITY,
        Purpose::Humanoid => rules::HUMANOID_CONNECTIVITY,
        Purpose::Custom => rules::OBJECTIVE_CONNECTIVITY,
    };
    Violation { rule, place: Place::Cell(start), why }
}
