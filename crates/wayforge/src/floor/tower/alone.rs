//! One floor of a tower on its own, with all that is needed to make it again.

use super::wire::read_floor;
use super::{TowerConfig, TowerError, TowerSpec, floor_seed, generate_tower_floor};
use crate::document::{self, Document};
use crate::floor::map::{Floor, NO_TIME};
use crate::floor::validate::rules;
use crate::floor::{validate, wire};
use crate::{ConfigError, DecodeError, Place, Report, Seed};
use serde::{Deserialize, Serialize};

/// The algorithm of single floors of towers.
pub const TOWER_FLOOR_ALGORITHM: &str = "floor.tower.floor/1";

/// One floor of a tower, made alone.
///
/// A floor's own configuration does not say where the floor below ended nor where the one above can begin; so its document keeps the
/// tower's seed and configuration, and the floor's number.
///
/// ```
/// use wayforge::floor::{TowerConfig, TowerFloor, generate_tower};
/// let spec = TowerConfig::default().resolve()?;
/// let alone = TowerFloor::generate(42.into(), &spec, 6)?;
/// assert_eq!(alone.floor, generate_tower(42.into(), &spec)?.floors[6]);
/// assert_eq!(TowerFloor::decode(alone.to_document().to_text().as_bytes())?, alone);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TowerFloor {
    /// The tower's seed.
    pub seed: Seed,
    /// The tower's configuration.
    pub spec: TowerSpec,
    /// Which floor it is, counted from 0.
    pub number: u32,
    /// The floor.
    pub floor: Floor,
}

/// What a document of one floor says about its making.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TowerFloorConfig"))]
#[serde(deny_unknown_fields)]
struct WireConfig {
    /// Which floor it is, counted from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    floor: u32,
    /// The whole tower.
    tower: TowerConfig,
}

impl TowerFloor {
    /// Makes one floor of a tower, counted from 0; see [`generate_tower_floor`].
    pub fn generate(seed: Seed, spec: &TowerSpec, number: u32) -> Result<TowerFloor, TowerError> {
        let floor = generate_tower_floor(seed.clone(), spec, number)?;
        Ok(TowerFloor { seed, spec: spec.clone(), number, floor })
    }

    /// Checks every rule of the floor, and that its seed is its own. Whether it begins where the floor below ends is seen only by
    /// making it again.
    pub fn validate(&self) -> Report {
        let mut report = Report::default();
        let seed = floor_seed(&self.seed, self.number);
        let strange = (self.floor.seed != seed)
            .then(|| (Place::Map, format!("the seed {} is not its own, which is {seed}", self.floor.seed)));
        report.check(rules::TOWER_SEEDS, strange);
        report.append(validate::validate(&self.floor));
        report
    }

    /// What stands in `generatedAt`; it changes nothing else.
    pub fn set_time(&mut self, time: &str) {
        self.floor.generated_at = time.chars().filter(|c| !c.is_control()).take(64).collect();
    }

    /// The same floor without a time.
    pub fn without_time(mut self) -> TowerFloor {
        self.set_time(NO_TIME);
        self
    }

    /// The part of the floor that seed and configuration decide.
    pub(crate) fn decided(self) -> TowerFloor {
        TowerFloor { floor: self.floor.decided(), ..self }
    }

    /// The document that keeps this floor: canonical bytes with a digest.
    pub fn to_document(&self) -> Document {
        let config = WireConfig { floor: self.number + 1, tower: self.spec.config().clone() };
        document::seal(TOWER_FLOOR_ALGORITHM, &self.seed, &config, &wire::of(&self.floor))
    }

    /// Reads a document strictly: its shape, its configuration, its form and its digest must all be right.
    pub fn decode(bytes: &[u8]) -> Result<TowerFloor, DecodeError> {
        let document = Document::decode(bytes)?;
        document.check_digest()?;
        let floor = TowerFloor::from_document(&document)?;
        floor.check_form(&document)?;
        Ok(floor)
    }

    /// Checks that a document that this floor was read from is written in the canonical way.
    pub fn check_form(&self, document: &Document) -> Result<(), DecodeError> {
        document.check_form(&self.to_document())
    }

    /// Reads the floor out of a document whose digest the caller looks after.
    pub fn from_document(document: &Document) -> Result<TowerFloor, DecodeError> {
        if document.algorithm != TOWER_FLOOR_ALGORITHM {
            let (value, known) = (document.algorithm.clone(), TOWER_FLOOR_ALGORITHM.to_owned());
            return Err(DecodeError::Unknown { field: "algorithm", value, known });
        }
        let config: WireConfig = document::parse("config", document.config.as_bytes())?;
        let spec = config.tower.resolve()?;
        ConfigError::in_range("floor", config.floor.into(), 1, spec.floors().into())?;
        let number = config.floor - 1;
        let wire: wire::WireFloor = document::parse("map", document.map.as_bytes())?;
        let entrance = (number > 0).then(|| wire.entrance());
        let floor = read_floor(&spec, number, entrance, wire, "map")?;
        Ok(TowerFloor { seed: document.seed.clone(), spec, number, floor })
    }
}

/// The JSON Schema of the document of one floor of a tower.
#[cfg(feature = "schema")]
pub fn tower_floor_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge floor of a tower", deny_unknown_fields)]
    #[allow(dead_code)] // Only its schema is read.
    struct TowerFloorDocument {
        /// The envelope's version.
        #[schemars(extend("const" = "wayforge/1"))]
        format: String,
        /// The algorithm that made the floor.
        #[schemars(extend("const" = TOWER_FLOOR_ALGORITHM))]
        algorithm: String,
        /// The tower's seed.
        seed: Seed,
        config: WireConfig,
        map: wire::WireFloor,
        digest: crate::Digest,
    }
    schemars::schema_for!(TowerFloorDocument)
}
