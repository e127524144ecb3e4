//! Towers: stacked floors, each entered where the floor below ends.

mod config;
mod family;
mod run;
mod seed_search;
mod single_floor;
mod spec;
mod trace;
mod validate;
mod wire;

pub use config::{Amount, Config, Curve, CurveField, TemplateFloor, TemplateRef};
#[cfg(feature = "schema")]
pub use run::run_schema;
pub use run::{FloorStack, MoveError, ResumeError, SavedRun, TowerRun};
pub use seed_search::{Pin, find_seed, find_seed_within};
#[cfg(feature = "schema")]
pub use single_floor::floor_schema;
pub use single_floor::{FLOOR_ALGORITHM, SingleFloor};
pub use spec::Spec;
pub use trace::Event;
pub use validate::{rules, validate};
#[cfg(feature = "schema")]
pub use wire::document_schema;

use super::Generator as FloorGenerator;
use super::error::{Error as FloorError, UnmetConstraint, UnmetCounts};
use super::map::Floor;
use super::streams;
use trace::FloorTracer;
use wayforge_core::document::{self, Document};
use wayforge_core::grid::Pos;
use wayforge_core::seed::split_mix_64;
use wayforge_core::trace::Tracer;
use wayforge_core::{ConfigError, DecodeError, InputError, MapFamily, Seed, Work, WorkLimit};

/// Steps of work per cell for resolving the configuration of a floor, which may search for a
/// feasible layout.
const RESOLVE_STEPS_PER_CELL: u64 = 2_000;

/// Algorithm name of towers.
pub const ALGORITHM: &str = "floor.tower/1";

/// A tower: floors from the bottom up.
///
/// May be invalid, so that [`validate`] can check any tower.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tower {
    /// Seed of the tower.
    pub seed: Seed,
    /// Spec of the tower.
    pub spec: Spec,
    /// Floors from the bottom up.
    pub floors: Vec<Floor>,
}

/// Error of generating a tower or one of its floors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The tower has no floor with the requested number.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A floor is infeasible from its entrance.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No attempt at a floor succeeded, and no fallback layout starts where the floor below ends.
    #[error("on floor {floor}: {error}")]
    Floor {
        /// Number of the floor, from 1.
        floor: u32,
        /// Unmet constraints of the floor, with the seed of the tower.
        error: FloorError,
    },
}

/// Generates the tower of `seed`. The result passes [`validate`].
///
/// # Errors
/// [`Error::Floor`] if no attempt at a floor succeeds. This happens only for floors that are not
/// [proved feasible](super::Spec::is_proven_feasible) from their entrance.
///
/// # Complexity
/// The sum over its floors; see [`generate`](super::generate).
///
/// # Determinism
/// Every floor has its own seed, derived from its number and the stream `floor.tower`; see
/// [`generate`](super::generate).
///
/// # Examples
/// ```
/// use wayforge_floor::{self as floor, tower};
/// let spec = tower::Config::default().resolve()?;
/// let tower = tower::generate(42.into(), &spec)?;
/// assert_eq!(tower.floors[3].entrance, tower.floors[2].exit);
/// assert_eq!(tower::generate_floor(42.into(), &spec, 3)?, tower.floors[3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(seed: Seed, spec: &Spec) -> Result<Tower, Error> {
    generate_traced(seed, spec, &mut ())
}

/// Generates the tower of `seed` like [`generate`] and records every event, floor by floor.
///
/// Replay each floor with its own [`Replay`](super::Replay).
///
/// # Errors
/// The same as [`generate`].
///
/// # Examples
/// ```
/// use wayforge_core::trace::Recorder;
/// use wayforge_floor::{self as floor, Replay, tower};
/// let spec = tower::Config::default().resolve()?;
/// let mut recorder = Recorder::new(100_000);
/// let tower = tower::generate_traced(42.into(), &spec, &mut recorder)?;
/// let top = tower.floors.last().unwrap();
/// let mut replay = Replay::new(top.seed.clone(), &top.spec);
/// for event in recorder.events().iter().filter(|event| event.floor == 9) {
///     replay.apply(&event.event);
/// }
/// assert_eq!(replay.floor().tiles, top.tiles);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate_traced(
    seed: Seed,
    spec: &Spec,
    tracer: &mut impl Tracer<Event>,
) -> Result<Tower, Error> {
    let mut remaining = Floors::new(seed.clone(), spec);
    let floors = std::iter::from_fn(|| remaining.generate_next(tracer))
        .collect::<Result<Vec<Floor>, Error>>()?;
    Ok(Tower { seed, spec: spec.clone(), floors })
}

/// Generates one floor of a tower, counted from 0: the same floor as [`generate`] does.
///
/// # Errors
/// [`Error`] if the tower has no such floor, or if no attempt at it or at a floor below succeeds.
///
/// # Complexity
/// Generates all floors up to this one, but keeps one floor in memory.
pub fn generate_floor(seed: Seed, spec: &Spec, floor: u32) -> Result<Floor, Error> {
    Floors::new(seed, spec).skip_to(floor)
}

/// Iterator over the floors of a tower. Keeps one floor in memory.
///
/// # Examples
/// ```
/// use wayforge_floor::tower;
/// let spec = tower::Config { floors: 1000, ..tower::Config::default() }.resolve()?;
/// let mut template_floors = 0;
/// for floor in tower::Floors::new(1.into(), &spec) {
///     template_floors += u32::from(floor?.spec.template().is_some());
/// }
/// assert_eq!(template_floors, 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Floors {
    seed: Seed,
    spec: Spec,
    next: u32,
    entrance: Option<Pos>,
    unmet: UnmetCounts,
    work: Work,
}

impl Floors {
    /// Creates an iterator that starts at the lowest floor.
    pub fn new(seed: Seed, spec: &Spec) -> Floors {
        let (unmet, work) = (UnmetCounts::default(), Work::default());
        Floors { seed, spec: spec.clone(), next: 0, entrance: None, unmet, work }
    }

    /// Limits the work of all floors together.
    pub fn within(mut self, limit: &WorkLimit) -> Floors {
        self.work.restart(limit);
        self
    }

    /// Generates the floors from the lowest to `floor` and returns that one.
    fn skip_to(mut self, floor: u32) -> Result<Floor, Error> {
        InputError::in_range("floor", floor.into(), 0, i64::from(self.spec.floors()) - 1)?;
        for below in 0..floor {
            self.generate_floor_at(below, &mut ())?;
        }
        self.generate_floor_at(floor, &mut ())
    }

    /// Returns the unmet constraints of the rejected attempts at the floors so far.
    ///
    /// Attempts are counted even if a later one was accepted.
    pub fn unmet_constraints(&self) -> impl Iterator<Item = UnmetConstraint> + use<> {
        self.unmet.list()
    }

    /// Generates the next floor and records its events.
    fn generate_next(&mut self, tracer: &mut impl Tracer<Event>) -> Option<Result<Floor, Error>> {
        let number = self.next;
        if number >= self.spec.floors() {
            return None;
        }
        let result = self.generate_floor_at(number, tracer);
        // Without a floor there is no entrance for the next one.
        self.next = if result.is_ok() { number + 1 } else { self.spec.floors() };
        Some(result)
    }

    fn generate_floor_at(
        &mut self,
        number: u32,
        tracer: &mut impl Tracer<Event>,
    ) -> Result<Floor, Error> {
        let spec = self.spec.floor(number, self.entrance)?;
        self.work.spend(RESOLVE_STEPS_PER_CELL * spec.size().cells() as u64);
        let mut generator = FloorGenerator::new(&spec);
        std::mem::swap(&mut generator.work, &mut self.work);
        let mut tracer = FloorTracer { floor: number, tower: tracer };
        let seed = floor_seed(&self.seed, number);
        let result =
            generator.generate_for(seed, &mut self.spec.exits(number), &mut tracer).map(|_| ());
        self.unmet.add_all(&generator.unmet);
        std::mem::swap(&mut generator.work, &mut self.work);
        if let Err(mut error) = result {
            error.seed = self.seed.clone();
            return Err(Error::Floor { floor: number + 1, error });
        }
        self.entrance = Some(generator.floor.exit);
        Ok(generator.floor)
    }
}

/// Generates many towers of one spec.
///
/// Reuses no memory: every floor has a spec of its own, which depends on the exit of the floor
/// below, and resolving it takes most of the time.
#[derive(Clone, Debug)]
pub struct Generator {
    tower: Tower,
    unmet: UnmetCounts,
    limit: WorkLimit,
    work: Work,
}

impl Generator {
    /// Creates a generator for `spec`.
    pub fn new(spec: &Spec) -> Generator {
        let tower = Tower { seed: Seed::new(0), spec: spec.clone(), floors: Vec::new() };
        let (unmet, work) = (UnmetCounts::default(), Work::default());
        Generator { tower, unmet, limit: WorkLimit::UNLIMITED, work }
    }

    /// Limits the work of each tower. A step is about one visited cell.
    pub fn limit_work(&mut self, limit: WorkLimit) {
        self.limit = limit;
    }

    /// Generates the tower of `seed`; see [`generate`].
    ///
    /// # Errors
    /// [`Error::Floor`] for the first floor for which no attempt succeeds.
    pub fn generate(&mut self, seed: Seed) -> Result<&Tower, Error> {
        let mut floors = Floors::new(seed.clone(), &self.tower.spec).within(&self.limit);
        self.tower.seed = seed;
        self.tower.floors.clear();
        let failed = floors
            .by_ref()
            .find_map(|floor| floor.map(|floor| self.tower.floors.push(floor)).err());
        (self.unmet, self.work) = (floors.unmet, floors.work);
        failed.map_or(Ok(&self.tower), Err)
    }

    /// Returns the unmet constraints of the rejected attempts at the floors of the last tower.
    pub fn unmet_constraints(&self) -> impl Iterator<Item = UnmetConstraint> + use<> {
        self.unmet.list()
    }
}

impl Iterator for Floors {
    type Item = Result<Floor, Error>;

    fn next(&mut self) -> Option<Result<Floor, Error>> {
        self.generate_next(&mut ())
    }
}

/// Returns the seed of one floor of a tower, counted from 0.
///
/// It is output number `floor` of SplitMix64 (Steele, Lea & Flood 2014), started at the first value
/// of the stream `floor.tower`.
pub fn floor_seed(tower: &Seed, floor: u32) -> Seed {
    let key = tower.stream(streams::TOWER).next_u64();
    Seed::new(split_mix_64(key, u64::from(floor) + 1))
}

impl Tower {
    /// Sets `generatedAt` of every floor; see [`Floor::set_generated_at`].
    pub fn set_generated_at(&mut self, time: &str) {
        self.floors.iter_mut().for_each(|floor| floor.set_generated_at(time));
    }

    /// Returns the part of the tower that seed and configuration determine.
    pub fn without_metadata(self) -> Tower {
        Tower { floors: self.floors.into_iter().map(Floor::without_metadata).collect(), ..self }
    }

    /// Returns the document of the tower: canonical bytes with a digest.
    pub fn to_document(&self) -> Document {
        document::build(ALGORITHM, &self.seed, self.spec.config(), &wire::from_tower(self))
    }

    /// Decodes a document strictly: members, configuration, canonical form and digest must be
    /// correct.
    ///
    /// # Errors
    /// [`DecodeError`] with the path of the first fault.
    ///
    /// # Examples
    /// ```
    /// use wayforge_floor::tower::{self, Tower};
    /// let tower = tower::generate(7.into(), &tower::Config::default().resolve()?)?;
    /// assert_eq!(Tower::decode(tower.to_document().to_text().as_bytes())?, tower);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode(bytes: &[u8]) -> Result<Tower, DecodeError> {
        MapFamily::decode(bytes)
    }

    /// Reads the tower of a document. Does not check the digest.
    ///
    /// # Errors
    /// [`DecodeError`] with the path of the first fault.
    pub fn from_document(document: &Document) -> Result<Tower, DecodeError> {
        wire::read(document)
    }
}
