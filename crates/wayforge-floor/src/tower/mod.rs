//! Towers: floors above each other, each entered where the one below ends.

mod alone;
mod climb;
mod config;
mod family;
mod seed_search;
mod spec;
mod trace;
mod validate;
mod wire;

#[cfg(feature = "schema")]
pub use alone::floor_schema;
pub use alone::{FLOOR_ALGORITHM, SingleFloor};
#[cfg(feature = "schema")]
pub use climb::climb_schema;
pub use climb::{Climb, Steps, Storeys};
pub use config::{Amount, Config, Curve, CurveField, TemplateFloor, TemplateName};
pub use seed_search::{Pin, find_seed};
pub use spec::Spec;
pub use trace::Event;
pub use validate::validate;
#[cfg(feature = "schema")]
pub use wire::document_schema;

use super::Generator as FloorGenerator;
use super::error::{Error as FloorError, MissedConstraint, Misses};
use super::map::Floor;
use trace::OnFloor;
use wayforge_core::document::{self, Document};
use wayforge_core::grid::Pos;
use wayforge_core::seed::mix_64;
use wayforge_core::trace::Tracer;
use wayforge_core::{ConfigError, DecodeError, MapFamily, Seed, Stage};

/// The algorithm of towers.
pub const ALGORITHM: &str = "floor.tower/1";

/// A tower: floors from the lowest up.
///
/// It can also hold a tower that breaks its rules, so that [`validate`] has something to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tower {
    /// The seed it was made from.
    pub seed: Seed,
    /// The configuration it was made from.
    pub spec: Spec,
    /// The floors from the lowest up.
    pub floors: Vec<Floor>,
}

/// Why a tower, or one floor of it, could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What was asked for is no floor of the tower.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No attempt gave one of the floors, and none is known that begins where the floor below ends.
    #[error("on floor {floor}: {error}")]
    Floor {
        /// Which floor, counted from 1.
        floor: u32,
        /// What its attempts missed, with the seed of the tower.
        error: FloorError,
    },
}

/// Makes the tower of `seed` under `spec`.
///
/// * **Arguments.** The seed, and a configuration that has been resolved.
/// * **Returns.** The tower. It fails only at a floor that is not [certain](super::Spec::is_certain): what is left of the tower is not
///   known to be possible from where the floor is entered, and no attempt made one. The error names it.
/// * **Complexity.** That of its floors.
/// * **Determinism.** Every floor has a seed of its own, drawn by its number (stream `floor.tower`); see [`generate`](super::generate).
/// * **Guarantees.** [`validate`] finds nothing in it.
///
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

/// Makes the tower of `seed` as [`generate`] does, and tells every step of its floors, one floor after the other; replay each
/// with a [`Replay`](super::Replay) of its own.
///
/// ```
/// use wayforge_floor::{self as floor, Replay, tower};
/// use wayforge_core::trace::Tape;
/// let spec = tower::Config::default().resolve()?;
/// let mut tape = Tape::new(100_000);
/// let tower = tower::generate_traced(42.into(), &spec, &mut tape)?;
/// let top = tower.floors.last().unwrap();
/// let mut replay = Replay::new(top.seed.clone(), &top.spec);
/// tape.events().iter().filter(|told| told.floor == 9).for_each(|told| replay.apply(&told.event));
/// assert_eq!(replay.floor().tiles, top.tiles);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate_traced(seed: Seed, spec: &Spec, tracer: &mut impl Tracer<Event>) -> Result<Tower, Error> {
    let mut rest = Floors::new(seed.clone(), spec);
    let floors = std::iter::from_fn(|| rest.make_next(tracer)).collect::<Result<Vec<Floor>, Error>>()?;
    Ok(Tower { seed, spec: spec.clone(), floors })
}

/// Makes one floor of a tower, counted from 0: the very floor that [`generate`] makes.
///
/// * **Complexity.** At most the cost of the floors below it, in the memory of one.
/// * **Returns.** An error if the tower has no such floor, or if no attempt at it or at one below gave a floor.
pub fn generate_floor(seed: Seed, spec: &Spec, floor: u32) -> Result<Floor, Error> {
    let last = spec.floors() - 1;
    ConfigError::in_range("floor", floor.into(), 0, last.into())?;
    // Nothing stands on a floor that was not made, so the last one is the floor or the error.
    let made = Floors::new(seed, spec).take(floor as usize + 1).last();
    let out_of_range = || ConfigError::new("floor", floor, "out of range", format!("use 0 to {last}"));
    made.unwrap_or_else(|| Err(out_of_range().into()))
}

/// The floors of a tower one after another, in the memory of one.
///
/// ```
/// use wayforge_floor::tower;
/// let spec = tower::Config { floors: 1000, ..tower::Config::default() }.resolve()?;
/// let shops = tower::Floors::new(1.into(), &spec).filter(|floor| floor.as_ref().is_ok_and(|f| f.spec.template().is_some()));
/// assert_eq!(shops.count(), 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Floors {
    seed: Seed,
    spec: Spec,
    next: u32,
    entrance: Option<Pos>,
    misses: Misses,
}

impl Floors {
    /// From the lowest floor up.
    pub fn new(seed: Seed, spec: &Spec) -> Floors {
        Floors { seed, spec: spec.clone(), next: 0, entrance: None, misses: Misses::default() }
    }

    /// What the refused attempts at the floors so far missed, whether or not others were accepted after them.
    pub fn missed(&self) -> impl Iterator<Item = MissedConstraint> + use<> {
        self.misses.list()
    }

    /// The next floor, step by step.
    fn make_next(&mut self, tracer: &mut impl Tracer<Event>) -> Option<Result<Floor, Error>> {
        let number = self.next;
        if number >= self.spec.floors() {
            return None;
        }
        let made = self.make(number, tracer);
        // Nothing stands on a floor that was not made.
        self.next = if made.is_ok() { number + 1 } else { self.spec.floors() };
        Some(made)
    }

    fn make(&mut self, number: u32, tracer: &mut impl Tracer<Event>) -> Result<Floor, Error> {
        let spec = self.spec.floor(number, self.entrance)?;
        let mut forge = FloorGenerator::new(&spec);
        let mut tracer = OnFloor { floor: number, tower: tracer };
        let seed = floor_seed(&self.seed, number);
        let made = forge.generate_for(seed, &mut self.spec.exits(number), &mut tracer).map(|_| ());
        self.misses.add_all(&forge.misses);
        if let Err(mut error) = made {
            error.seed = self.seed.clone();
            return Err(Error::Floor { floor: number + 1, error });
        }
        self.entrance = Some(forge.floor.exit);
        Ok(forge.floor)
    }
}

/// Generates towers of one spec one after another.
#[derive(Clone, Debug)]
pub struct Generator {
    tower: Tower,
    misses: Misses,
}

impl Generator {
    /// Creates a generator for `spec`.
    pub fn new(spec: &Spec) -> Generator {
        let tower = Tower { seed: Seed::new(0), spec: spec.clone(), floors: Vec::new() };
        Generator { tower, misses: Misses::default() }
    }

    /// Generates the tower of `seed`; see [`generate`].
    ///
    /// # Errors
    /// The first floor that no attempt produced.
    pub fn generate(&mut self, seed: Seed) -> Result<&Tower, Error> {
        let mut floors = Floors::new(seed.clone(), &self.tower.spec);
        self.tower.seed = seed;
        self.tower.floors.clear();
        let failed = floors.by_ref().find_map(|floor| floor.map(|floor| self.tower.floors.push(floor)).err());
        self.misses = floors.misses;
        failed.map_or(Ok(&self.tower), Err)
    }

    /// Constraints that rejected attempts at the floors of the last tower missed.
    pub fn missed(&self) -> impl Iterator<Item = MissedConstraint> + use<> {
        self.misses.list()
    }
}

impl Iterator for Floors {
    type Item = Result<Floor, Error>;

    fn next(&mut self) -> Option<Result<Floor, Error>> {
        self.make_next(&mut ())
    }
}

/// The seed of one floor of a tower.
pub fn floor_seed(tower: &Seed, floor: u32) -> Seed {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let key = tower.stream(Stage::named("floor.tower")).next_u64();
    Seed::new(mix_64(key.wrapping_add(GOLDEN.wrapping_mul(u64::from(floor) + 1))))
}

impl Tower {
    /// Sets `generatedAt` of every floor; see [`Floor::set_generated_at`].
    pub fn set_generated_at(&mut self, time: &str) {
        self.floors.iter_mut().for_each(|floor| floor.set_generated_at(time));
    }

    /// The part of the tower that seed and configuration determine.
    pub fn without_metadata(self) -> Tower {
        Tower { floors: self.floors.into_iter().map(Floor::without_metadata).collect(), ..self }
    }

    /// The document that keeps this tower: canonical bytes with a digest.
    pub fn to_document(&self) -> Document {
        document::seal(ALGORITHM, &self.seed, self.spec.config(), &wire::of(self))
    }

    /// Reads a document strictly: its shape, its configuration, its form and its digest must all be right.
    ///
    /// ```
    /// use wayforge_floor::{self as floor, tower::{self, Tower}};
    /// let tower = tower::generate(7.into(), &tower::Config::default().resolve()?)?;
    /// assert_eq!(Tower::decode(tower.to_document().to_text().as_bytes())?, tower);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode(bytes: &[u8]) -> Result<Tower, DecodeError> {
        MapFamily::decode(bytes)
    }

    /// Reads the tower out of a document whose digest the caller looks after.
    pub fn from_document(document: &Document) -> Result<Tower, DecodeError> {
        wire::read(document)
    }
}
