//! Blueprint levels: grids of symbols with tags, and a proof that each level can be won.
//!
//! The main functions:
//!
//! - [`Config::resolve`] checks the [`Config`] of a stage and returns a [`Spec`].
//! - [`generate`] generates the level of a seed, with a [`Witness`] route for every start of every
//!   objective. [`Generator`] does so for many seeds and reuses its memory.
//! - [`validate`] checks every rule of a level and returns a report.
//!
//! [`Level::to_document`] encodes a level, and [`soft_locks`] lists the cells from which a player
//! can no longer finish.
//!
//! # Features
//!
//! - `schema`: JSON Schemas of configurations and documents.

#![forbid(unsafe_code)]

mod acceptance;
mod amount;
mod bit_flood;
mod candidates;
mod cell_flags;
mod config;
mod error;
mod family;
mod features;
mod layout;
mod map;
mod movement;
mod pins;
mod repair;
mod search;
mod soft_locks;
mod spec;
mod symbol;
mod tags;
mod trace;
mod validate;
mod walls;
mod wire;

pub use amount::{Amount, Percent, Ratio};
pub use config::{
    Area, Blocked, Config, Feature, FuelMode, InteriorWalls, MarkConfig, MoveDirection, Mover,
    ObjectiveConfig, Reachable, RetryRule, Side, SoftLocks, Zone,
};
pub use error::{Error, FailedAttempt, Repair, RepairOutcome};
pub use map::{Attempt, Level, Tags, Witness};
pub use spec::{Chain, Purpose, Spec, Step};
pub use symbol::{Blueprint, Symbol};
pub use trace::{Event, Replay};
pub use validate::{SoftLock, rules, soft_locks, validate, validate_drawing, validate_within};
pub use walls::WallStyle;
#[cfg(feature = "schema")]
pub use wire::document_schema;

use acceptance::AcceptanceCheck;
use repair::Removable;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::seed::fnv1a_64;
use wayforge_core::trace::Tracer;
use wayforge_core::{Place, Rule, Seed, Violation, Work, WorkLimit};

/// Runs the README examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Steps of work per cell for the stages of an attempt before the acceptance check.
const STEPS_PER_CELL: u64 = 16;

/// Name of the level algorithm in documents.
pub const ALGORITHM: &str = "level.blueprint/1";

/// Generates the level of a seed.
///
/// The level is valid and contains a witness route for every start of every objective.
///
/// # Errors
/// [`Error`] with the violation of each attempt, if all attempts fail.
///
/// # Complexity
/// O(cells * starts * steps) per attempt without a repair, for the starts of all chains; with
/// `caves` plus O(cells * log cells). Typically close to O(cells).
///
/// # Determinism
/// Attempt `n` uses the seed of [`attempt_seed`], with one random stream per stage (`level.exits`,
/// `level.candidates`, `level.pitfalls`, ..., `level.walls`, ...). Changing the walls does not move
/// the candidates.
///
/// # Examples
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
    let mut generator = Generator::new(spec);
    generator.generate(seed)?;
    Ok(generator.level)
}

/// Generates a level like [`generate`] and records every event; see [`Replay`].
///
/// # Errors
/// The same as [`generate`].
pub fn generate_traced(
    seed: Seed,
    spec: &Spec,
    tracer: &mut impl Tracer<Event>,
) -> Result<Level, Error> {
    let mut generator = Generator::new(spec);
    generator.generate_with(seed, tracer)?;
    Ok(generator.level)
}

/// Returns the seed of an attempt. It is numeric even if `seed` is text.
///
/// # Examples
/// ```
/// use wayforge_core::Seed;
/// use wayforge_level::{RetryRule, attempt_seed};
/// assert_eq!(attempt_seed(&Seed::new(7), 3, RetryRule::Add), Seed::new(10));
/// let [third, other] =
///     [(7, 3), (10, 0)].map(|(seed, n)| attempt_seed(&Seed::new(seed), n, RetryRule::Hash));
/// assert_ne!(third, other);
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

/// Generates many levels of one spec. Reuses its buffers.
///
/// # Examples
/// ```
/// use wayforge_core::Seed;
/// use wayforge_level::{self as level, Symbol};
/// let mut generator = level::Generator::new(&level::Config::default().resolve()?);
/// for seed in 0..10 {
///     let level = generator.generate(Seed::new(seed))?;
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
    limit: WorkLimit,
    work: Work,
}

/// Scratch buffers of all stages.
#[derive(Clone, Debug, Default)]
struct Scratch {
    acceptance: AcceptanceCheck,
    free: BitGrid,
    cells: Vec<Pos>,
    candidates: candidates::Scratch,
    walls: walls::Scratch,
}

impl Generator {
    /// Creates a generator for a spec.
    pub fn new(spec: &Spec) -> Generator {
        let (level, scratch) = (Level::empty(Seed::new(0), spec), Scratch::default());
        Generator {
            level,
            scratch,
            failed: Vec::new(),
            repaired_rule: None,
            limit: WorkLimit::UNLIMITED,
            work: Work::default(),
        }
    }

    /// Limits the work of each level. A step is about one visited cell.
    ///
    /// # Examples
    /// ```
    /// use wayforge_core::WorkLimit;
    /// use wayforge_level as level;
    /// let mut generator = level::Generator::new(&level::Config::default().resolve()?);
    /// generator.limit_work(WorkLimit::steps(1000));
    /// let error = generator.generate(1.into()).unwrap_err();
    /// assert!(error.stopped.is_some(), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn limit_work(&mut self, limit: WorkLimit) {
        self.limit = limit;
    }

    /// Returns the rejected attempts of the last level, in order, even if a later one was accepted.
    ///
    /// # Examples
    /// ```
    /// use wayforge_level as level;
    /// let stage = br#"{"walls": "maze", "pitfalls": "30%", "repair": false}"#;
    /// let mut generator = level::Generator::new(&level::Config::from_json(stage)?.resolve()?);
    /// let accepted = generator.generate(1.into()).map(|level| level.attempt.index as usize);
    /// assert_eq!(generator.rejected().len(), accepted.unwrap_or(20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rejected(&self) -> &[FailedAttempt] {
        &self.failed
    }

    /// Returns the rule that the accepted attempt of the last level violated before its repair.
    pub fn repaired_rule(&self) -> Option<Rule> {
        self.repaired_rule
    }

    /// Generates a level like [`generate`]. The next call overwrites it.
    ///
    /// # Errors
    /// The same as [`generate`].
    pub fn generate(&mut self, seed: Seed) -> Result<&Level, Error> {
        self.generate_with(seed, &mut ())?;
        Ok(&self.level)
    }

    fn generate_with<T: Tracer<Event>>(&mut self, seed: Seed, tracer: &mut T) -> Result<(), Error> {
        let config = self.level.spec.config();
        let (attempts, rule) = (config.attempts as u32, config.retry);
        self.level.seed = seed.clone();
        self.failed.clear();
        self.work.restart(&self.limit);
        for index in 0..attempts {
            let derived = attempt_seed(&seed, index, rule);
            let attempt = &mut self.level.attempt;
            (attempt.index, attempt.seed, attempt.fewest) = (index, derived.clone(), true);
            attempt.repaired.clear();
            tracer.record(Event::Attempt { index });
            let attempt = self.attempt(&derived, tracer);
            self.check_work(&seed)?;
            match attempt {
                Ok(()) => return Ok(()),
                Err(violation) => {
                    self.failed.push(FailedAttempt { index, seed: derived, violation })
                }
            }
        }
        self.repaired_rule = None;
        // Removing cells does not help if candidates or features did not fit.
        let misfits = [rules::FEATURE_COUNTS, rules::SEPARATION];
        let is_misfit =
            self.failed.last().is_none_or(|last| misfits.contains(&last.violation.rule));
        let repair = if is_misfit {
            RepairOutcome::NotApplicable
        } else {
            let (acceptance, what) = (&mut self.scratch.acceptance, Removable::WallsAndTerrain);
            repair::find(&mut self.level, acceptance, what, &self.work)
        };
        self.check_work(&seed)?;
        Err(Error { seed, attempts: self.failed.clone(), repair, stopped: None })
    }

    /// Returns an error once the work is stopped.
    fn check_work(&mut self, seed: &Seed) -> Result<(), Error> {
        let Err(stopped) = self.work.check() else { return Ok(()) };
        self.repaired_rule = None;
        let (attempts, repair) = (self.failed.clone(), RepairOutcome::Undecided);
        Err(Error { seed: seed.clone(), attempts, repair, stopped: Some(stopped) })
    }

    /// Runs one attempt: all stages in the documented order, then the acceptance check and the
    /// repair.
    fn attempt<T: Tracer<Event>>(&mut self, seed: &Seed, tracer: &mut T) -> Result<(), Violation> {
        let Generator { level, scratch, repaired_rule, work, .. } = self;
        let Scratch { acceptance, free, cells, candidates, walls } = scratch;
        *repaired_rule = None;
        let misfit = |rule, why| Violation { rule, place: Place::Map, why };
        work.spend(STEPS_PER_CELL * level.spec.size().cells() as u64);
        let mut draft = Draft { seed, level, free, cells, tracer };
        layout::lay_out(&mut draft);
        candidates::place(&mut draft, candidates).map_err(|why| misfit(rules::SEPARATION, why))?;
        features::place(&mut draft).map_err(|why| misfit(rules::FEATURE_COUNTS, why))?;
        walls::build(&mut draft, candidates.separated(), walls);
        tags::reinforce(&mut draft);
        if let Err(violation) = acceptance.check(draft.level, work) {
            *repaired_rule = Some(violation.rule);
            repair(draft.level, acceptance, violation, work)?;
            for &pos in &draft.level.attempt.repaired {
                trace::record([Event::Repair { pos }], draft.tracer);
            }
            acceptance.check(draft.level, work)?;
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
    /// Interior cells that are empty and not pinned.
    free: &'a mut BitGrid,
    /// Scratch list of cells.
    cells: &'a mut Vec<Pos>,
    tracer: &'a mut T,
}

/// Removes as few interior walls as possible so that the level becomes valid.
///
/// # Errors
/// `violation`, if repairs are disabled or removing walls is not enough.
fn repair(
    level: &mut Level,
    acceptance: &mut AcceptanceCheck,
    violation: Violation,
    work: &Work,
) -> Result<(), Violation> {
    if !level.spec.config().repair || violation.rule == rules::NO_SOFT_LOCKS {
        return Err(violation);
    }
    match repair::find(level, acceptance, Removable::Walls, work) {
        RepairOutcome::Found(repair) if !repair.cells.is_empty() => {
            repair.cells.iter().for_each(|pos| level.clear(*pos));
            (level.attempt.repaired, level.attempt.fewest) = (repair.cells, repair.is_minimum);
            Ok(())
        }
        _ => Err(violation),
    }
}
