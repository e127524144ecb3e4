//! Blueprint levels: grids of the legend's symbols with tags, and the proof that they can be won.
//!
//! [`Config`] says what a stage asks for, [`Config::resolve`] checks it, [`generate`] makes the level of a seed,
//! [`validate`] proves it, [`Level::to_document`] keeps it.

#![forbid(unsafe_code)]

mod amount;
mod candidates;
mod config;
mod error;
mod family;
mod features;
mod flood;
mod gate;
mod ground;
mod layout;
mod map;
mod pins;
mod repair;
mod search;
mod softlock;
mod spec;
mod symbol;
mod table;
mod tags;
mod trace;
mod validate;
mod walls;
mod wire;

pub use amount::{Amount, Percent, Ratio};
pub use config::{
    Area, Blocked, Config, Feature, FuelMode, InteriorWalls, MarkConfig, Mover, Moves, ObjectiveConfig,
    Reachable, RetryRule, Side, SoftLocks, Zone,
};
pub use error::{Error, FailedAttempt, Remedy, Removal};
pub use map::{Attempt, Level, Tags, Witness};
#[doc(hidden)]
pub use repair::RepairPart;
pub use spec::{Chain, Purpose, Spec, Step};
pub use symbol::{Blueprint, Symbol};
pub use trace::{Event, Replay};
pub use validate::{SoftLock, rules, soft_locks, validate, validate_drawing};
pub use walls::WallStyle;
#[cfg(feature = "schema")]
pub use wire::document_schema;

use gate::Gate;
use repair::Removable;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::seed::fnv1a_64;
use wayforge_core::trace::Tracer;
use wayforge_core::{Place, Rule, Seed, Violation};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Algorithm of levels, as documents name it.
pub const ALGORITHM: &str = "level.blueprint/1";

/// Makes the level of `seed` under `spec`.
///
/// * **Arguments.** The seed, and a configuration that has been resolved.
/// * **Returns.** The level with its proof, or what every attempt failed by.
/// * **Complexity.** Linear in the cells for each attempt.
/// * **Determinism.** Attempt `n` draws from the seed of [`attempt_seed`], one stream for each stage (`level.exits`,
///   `level.candidates`, `level.pitfalls`, ..., `level.walls`, ...): other walls leave the candidates alone.
/// * **Guarantees.** `validate` finds nothing in the level.
///
/// ```
/// use wayforge_core::Seed;
/// use wayforge_level as level;
/// let spec = level::Config::default().resolve()?;
/// let level = level::generate(Seed::new(42), &spec)?;
/// assert_eq!(level, level::generate(Seed::new(42), &spec)?);
/// println!("{}", level.blueprint);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(seed: Seed, spec: &Spec) -> Result<Level, Error> {
    let mut forge = Generator::new(spec);
    forge.generate(seed)?;
    Ok(forge.level)
}

/// Makes the level of `seed` as [`generate`] does, and tells every step of it: see [`Replay`].
pub fn generate_traced(seed: Seed, spec: &Spec, tracer: &mut impl Tracer<Event>) -> Result<Level, Error> {
    let mut forge = Generator::new(spec);
    forge.make(seed, tracer)?;
    Ok(forge.level)
}

/// The seed that an attempt draws from, always a number: the one place where retries are decided.
///
/// ```
/// use wayforge_core::Seed;
/// use wayforge_level::{RetryRule, attempt_seed};
/// assert_eq!(attempt_seed(&Seed::new(7), 3, RetryRule::Add), Seed::new(10));
/// assert_ne!(attempt_seed(&Seed::new(7), 3, RetryRule::Hash), attempt_seed(&Seed::new(10), 0, RetryRule::Hash));
/// ```
pub fn attempt_seed(seed: &Seed, attempt: u32, rule: RetryRule) -> Seed {
    match (rule, attempt) {
        (RetryRule::Add, _) => Seed::new(seed.number().wrapping_add(attempt.into())),
        (RetryRule::Hash, 0) => Seed::new(seed.number()),
        (RetryRule::Hash, _) => {
            let mut bytes = [0; 12];
            bytes[..8].copy_from_slice(&seed.number().to_le_bytes());
            bytes[8..].copy_from_slice(&attempt.to_le_bytes());
            Seed::new(fnv1a_64(&bytes))
        }
    }
}

/// Makes levels one after another in the same memory: after the first, little or nothing is allocated.
///
/// ```
/// use wayforge_core::Seed;
/// use wayforge_level::{self as level, Symbol};
/// let mut forge = level::Generator::new(&level::Config::default().resolve()?);
/// for seed in 0..10 {
///     let level = forge.generate(Seed::new(seed))?;
///     assert_eq!(level.blueprint.count(Symbol::Player), 1);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Generator {
    level: Level,
    scratch: Scratch,
    failed: Vec<FailedAttempt>,
    repaired_rule: Option<Rule>,
    off: Option<RepairPart>,
}

/// Memory of the stages, to be used again.
#[derive(Clone, Debug, Default)]
struct Scratch {
    gate: Gate,
    free: BitGrid,
    cells: Vec<Pos>,
    reserved: candidates::Scratch,
    walls: walls::Scratch,
}

impl Generator {
    /// A forge for one configuration.
    pub fn new(spec: &Spec) -> Generator {
        let (level, scratch) = (Level::empty(Seed::new(0), spec), Scratch::default());
        Generator { level, scratch, failed: Vec::new(), repaired_rule: None, off: None }
    }

    /// The attempts at the last level that were rejected, in order, whether or not one was accepted after them.
    ///
    /// ```
    /// use wayforge_level as level;
    /// let stage = br#"{"walls": "maze", "pitfalls": "30%", "repair": false}"#;
    /// let mut forge = level::Generator::new(&level::Config::from_json(stage)?.resolve()?);
    /// let accepted = forge.generate(1.into()).map(|level| level.attempt.index as usize);
    /// assert_eq!(forge.rejected().len(), accepted.unwrap_or(20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rejected(&self) -> &[FailedAttempt] {
        &self.failed
    }

    /// The rule that the accepted attempt at the last level broke before walls were removed to repair it.
    pub fn repaired_rule(&self) -> Option<Rule> {
        self.repaired_rule
    }

    /// Switches a part of the repair off, to measure what it buys.
    #[doc(hidden)]
    pub fn switch_off(&mut self, part: Option<RepairPart>) {
        self.off = part;
    }

    /// Makes the level of `seed`, as [`generate`] does; it stays until the next one is made.
    pub fn generate(&mut self, seed: Seed) -> Result<&Level, Error> {
        self.make(seed, &mut ())?;
        Ok(&self.level)
    }

    fn make<T: Tracer<Event>>(&mut self, seed: Seed, tracer: &mut T) -> Result<(), Error> {
        let config = self.level.spec.config();
        let (attempts, rule) = (config.attempts as u32, config.retry);
        self.level.seed = seed.clone();
        self.failed.clear();
        for index in 0..attempts {
            let drawn = attempt_seed(&seed, index, rule);
            let attempt = &mut self.level.attempt;
            (attempt.index, attempt.seed, attempt.fewest) = (index, drawn.clone(), true);
            attempt.repaired.clear();
            tracer.tell(Event::Attempt { index });
            match self.attempt(&drawn, tracer) {
                Ok(()) => return Ok(()),
                Err(violation) => self.failed.push(FailedAttempt { index, seed: drawn, violation }),
            }
        }
        self.repaired_rule = None;
        // What does not fit cannot be made to fit by removing something.
        let misfits = [rules::FEATURE_COUNTS, rules::SEPARATION];
        let remedy = match self.failed.last().is_none_or(|last| misfits.contains(&last.violation.rule)) {
            true => Remedy::Misfit,
            false => repair::find(&mut self.level, &mut self.scratch.gate, Removable::Everything, self.off),
        };
        Err(Error { seed, attempts: self.failed.clone(), remedy })
    }

    /// One attempt: everything is put in the documented order, and the gate decides.
    fn attempt<T: Tracer<Event>>(&mut self, seed: &Seed, tracer: &mut T) -> Result<(), Violation> {
        let Generator { level, scratch, repaired_rule, off, .. } = self;
        let Scratch { gate, free, cells, reserved, walls } = scratch;
        *repaired_rule = None;
        let misfit = |rule, why| Violation { rule, place: Place::Map, why };
        let mut draft = Draft { seed, level, free, cells, tracer };
        layout::lay_out(&mut draft);
        candidates::place(&mut draft, reserved).map_err(|why| misfit(rules::SEPARATION, why))?;
        features::place(&mut draft).map_err(|why| misfit(rules::FEATURE_COUNTS, why))?;
        walls::build(&mut draft, reserved.spaced(), walls);
        tags::reinforce(&mut draft);
        if let Err(violation) = gate.pass(draft.level) {
            *repaired_rule = Some(violation.rule);
            repair(draft.level, gate, violation, *off)?;
            for &pos in &draft.level.attempt.repaired {
                trace::record([Event::Repair { pos }], draft.tracer);
            }
            gate.pass(draft.level)?;
        }
        tags::mark_fall_spawn_cells(&mut draft);
        for witness in &draft.level.witness {
            trace::record(std::iter::once_with(|| Event::Prove(witness.clone())), draft.tracer);
        }
        Ok(())
    }
}

/// A level under construction.
struct Draft<'a, T> {
    /// The seed of the attempt.
    seed: &'a Seed,
    level: &'a mut Level,
    /// Interior cells that nothing stands on and no pin holds.
    free: &'a mut BitGrid,
    /// Memory for lists of cells.
    cells: &'a mut Vec<Pos>,
    tracer: &'a mut T,
}

/// Removes the fewest interior walls that make the level valid; returns the violation if walls alone cannot.
fn repair(
    level: &mut Level,
    gate: &mut Gate,
    violation: Violation,
    off: Option<RepairPart>,
) -> Result<(), Violation> {
    if !level.spec.config().repair || violation.rule == rules::NO_SOFT_LOCKS {
        return Err(violation);
    }
    match repair::find(level, gate, Removable::Walls, off) {
        Remedy::Remove(removal) if !removal.cells.is_empty() => {
            removal.cells.iter().for_each(|pos| level.clear(*pos));
            (level.attempt.repaired, level.attempt.fewest) = (removal.cells, removal.fewest);
            Ok(())
        }
        _ => Err(violation),
    }
}
