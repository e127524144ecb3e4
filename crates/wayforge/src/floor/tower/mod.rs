//! Towers: floors above each other, each entered where the one below ends.

mod alone;
mod climb;
mod config;
mod keep;
mod spec;
mod trace;
mod validate;
mod wire;

#[cfg(feature = "schema")]
pub use alone::tower_floor_schema;
pub use alone::{TOWER_FLOOR_ALGORITHM, TowerFloor};
#[cfg(feature = "schema")]
pub use climb::climb_schema;
pub use climb::{Climb, Steps, Storeys};
pub use config::{Amount, Curve, CurveField, TemplateFloor, TemplateName, TowerConfig};
pub use keep::{TowerPin, find_tower_seed};
pub use spec::TowerSpec;
pub use trace::TowerEvent;
pub use validate::validate_tower;
#[cfg(feature = "schema")]
pub use wire::tower_schema;

use super::Forge;
use super::error::{FloorGenerationError, MissedConstraint, Misses};
use super::map::{Floor, NO_TIME};
use crate::document::{self, Document};
use crate::grid::Pos;
use crate::seed::mix_64;
use crate::trace::Tracer;
use crate::{ConfigError, DecodeError, Seed, Stage};
use trace::OnFloor;

/// The algorithm of towers.
pub const TOWER_ALGORITHM: &str = "floor.tower/1";

/// A tower: floors from the lowest up.
///
/// It can also hold a tower that breaks its rules, so that [`validate_tower`] has something to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tower {
    /// The seed it was made from.
    pub seed: Seed,
    /// The configuration it was made from.
    pub spec: TowerSpec,
    /// The floors from the lowest up.
    pub floors: Vec<Floor>,
}

/// Why a tower, or one floor of it, could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TowerError {
    /// What was asked for is no floor of the tower.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No attempt gave one of the floors, and none is known that begins where the floor below ends.
    #[error("on floor {floor}: {error}")]
    Floor {
        /// Which floor, counted from 1.
        floor: u32,
        /// What its attempts missed, with the seed of the tower.
        error: Box<FloorGenerationError>,
    },
}

/// Makes the tower of `seed` under `spec`.
///
/// * **Arguments.** The seed, and a configuration that has been resolved.
/// * **Returns.** The tower. It fails only at a floor that is not [certain](super::FloorSpec::is_certain): what is left of the tower is not
///   known to be possible from where the floor is entered, and no attempt made one. The error names it.
/// * **Complexity.** That of its floors.
/// * **Determinism.** Every floor has a seed of its own, drawn by its number (stream `floor.tower`); see [`generate`](super::generate).
/// * **Guarantees.** [`validate_tower`] finds nothing in it.
///
/// ```
/// use wayforge::floor::{self, TowerConfig};
/// let spec = TowerConfig::default().resolve()?;
/// let tower = floor::generate_tower(42.into(), &spec)?;
/// assert_eq!(tower.floors[3].entrance, tower.floors[2].exit);
/// assert_eq!(floor::generate_tower_floor(42.into(), &spec, 3)?, tower.floors[3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate_tower(seed: Seed, spec: &TowerSpec) -> Result<Tower, TowerError> {
    let floors = TowerFloors::new(seed.clone(), spec).collect::<Result<Vec<Floor>, TowerError>>()?;
    Ok(Tower { seed, spec: spec.clone(), floors })
}

/// Makes the tower of `seed` as [`generate_tower`] does, and tells every step of its floors, one floor after the other; replay each
/// with a [`Replay`](super::Replay) of its own.
///
/// ```
/// use wayforge::floor::{self, Replay, TowerConfig};
/// use wayforge::trace::Tape;
/// let spec = TowerConfig::default().resolve()?;
/// let mut tape = Tape::new(100_000);
/// let tower = floor::generate_tower_traced(42.into(), &spec, &mut tape)?;
/// let top = tower.floors.last().unwrap();
/// let mut replay = Replay::new(top.seed.clone(), &top.spec);
/// tape.events().iter().filter(|told| told.floor == 9).for_each(|told| replay.apply(&told.event));
/// assert_eq!(replay.floor().tiles, top.tiles);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate_tower_traced(
    seed: Seed,
    spec: &TowerSpec,
    tracer: &mut impl Tracer<TowerEvent>,
) -> Result<Tower, TowerError> {
    let mut rest = TowerFloors::new(seed.clone(), spec);
    let floors = std::iter::from_fn(|| rest.make_next(tracer)).collect::<Result<Vec<Floor>, TowerError>>()?;
    Ok(Tower { seed, spec: spec.clone(), floors })
}

/// Makes one floor of a tower, counted from 0: the very floor that [`generate_tower`] makes.
///
/// * **Complexity.** At most the cost of the floors below it, in the memory of one.
/// * **Returns.** An error if the tower has no such floor, or if no attempt at it or at one below gave a floor.
pub fn generate_tower_floor(seed: Seed, spec: &TowerSpec, floor: u32) -> Result<Floor, TowerError> {
    let last = spec.floors() - 1;
    ConfigError::in_range("floor", floor.into(), 0, last.into())?;
    let mut floors = TowerFloors::new(seed, spec);
    let failed = floors.by_ref().take(floor as usize).find_map(Result::err);
    let out_of_range = || ConfigError::new("floor", floor, "out of range", format!("use 0 to {last}"));
    match failed {
        Some(error) => Err(error),
        None => floors.next().ok_or_else(out_of_range)?,
    }
}

/// The floors of a tower one after another, in the memory of one.
///
/// ```
/// use wayforge::floor::{TowerConfig, TowerFloors};
/// let spec = TowerConfig { floors: 1000, ..TowerConfig::default() }.resolve()?;
/// let shops = TowerFloors::new(1.into(), &spec).filter(|floor| floor.as_ref().is_ok_and(|f| f.spec.template().is_some()));
/// assert_eq!(shops.count(), 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TowerFloors {
    seed: Seed,
    spec: TowerSpec,
    next: u32,
    entrance: Option<Pos>,
    misses: Misses,
}

impl TowerFloors {
    /// From the lowest floor up.
    pub fn new(seed: Seed, spec: &TowerSpec) -> TowerFloors {
        TowerFloors { seed, spec: spec.clone(), next: 0, entrance: None, misses: Misses::default() }
    }

    /// What the refused attempts at the floors so far missed, whether or not others were accepted after them.
    pub fn missed(&self) -> impl Iterator<Item = MissedConstraint> + use<> {
        self.misses.list()
    }

    /// The next floor, step by step.
    fn make_next(&mut self, tracer: &mut impl Tracer<TowerEvent>) -> Option<Result<Floor, TowerError>> {
        let number = self.next;
        if number >= self.spec.floors() {
            return None;
        }
        let made = self.make(number, tracer);
        // Nothing stands on a floor that was not made.
        self.next = if made.is_ok() { number + 1 } else { self.spec.floors() };
        Some(made)
    }

    fn make(&mut self, number: u32, tracer: &mut impl Tracer<TowerEvent>) -> Result<Floor, TowerError> {
        let spec = self.spec.floor(number, self.entrance)?;
        let mut forge = Forge::new(&spec);
        let mut tracer = OnFloor { floor: number, tower: tracer };
        let seed = floor_seed(&self.seed, number);
        let made = forge.generate_for(seed, &mut self.spec.exits(number), &mut tracer).map(|_| ());
        self.misses.add_all(&forge.misses);
        if let Err(mut error) = made {
            error.seed = self.seed.clone();
            return Err(TowerError::Floor { floor: number + 1, error });
        }
        self.entrance = Some(forge.floor.exit);
        Ok(forge.floor)
    }
}

impl Iterator for TowerFloors {
    type Item = Result<Floor, TowerError>;

    fn next(&mut self) -> Option<Result<Floor, TowerError>> {
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
    /// What stands in every floor's `generatedAt`; it changes nothing else.
    pub fn set_time(&mut self, time: &str) {
        let time: String = time.chars().filter(|c| !c.is_control()).take(64).collect();
        self.floors.iter_mut().for_each(|floor| floor.generated_at.clone_from(&time));
    }

    /// The same tower without a time.
    pub fn without_time(mut self) -> Tower {
        self.set_time(NO_TIME);
        self
    }

    /// The part of the tower that seed and configuration decide.
    pub(crate) fn decided(self) -> Tower {
        Tower { floors: self.floors.into_iter().map(Floor::decided).collect(), ..self }
    }

    /// The document that keeps this tower: canonical bytes with a digest.
    pub fn to_document(&self) -> Document {
        document::seal(TOWER_ALGORITHM, &self.seed, self.spec.config(), &wire::of(self))
    }

    /// Reads a document strictly: its shape, its configuration, its form and its digest must all be right.
    ///
    /// ```
    /// use wayforge::floor::{self, Tower, TowerConfig};
    /// let tower = floor::generate_tower(7.into(), &TowerConfig::default().resolve()?)?;
    /// assert_eq!(Tower::decode(tower.to_document().to_text().as_bytes())?, tower);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode(bytes: &[u8]) -> Result<Tower, DecodeError> {
        let document = Document::decode(bytes)?;
        document.check_digest()?;
        let tower = Tower::from_document(&document)?;
        tower.check_form(&document)?;
        Ok(tower)
    }

    /// Checks that a document that this tower was read from is written in the canonical way.
    pub fn check_form(&self, document: &Document) -> Result<(), DecodeError> {
        document.check_form(&self.to_document())
    }

    /// Reads the tower out of a document whose digest the caller looks after.
    pub fn from_document(document: &Document) -> Result<Tower, DecodeError> {
        wire::read(document)
    }
}
