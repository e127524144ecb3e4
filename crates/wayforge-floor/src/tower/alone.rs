//! One floor of a tower on its own, with all that is needed to make it again.

use super::wire::read_floor;
use super::{Config, Error, Spec, floor_seed, generate_floor};
use crate::map::Floor;
use crate::validate::rules;
use crate::{validate, wire};
use serde::{Deserialize, Serialize};
use wayforge_core::document::{self, Document};
use wayforge_core::family::{decode_strictly, document_report};
use wayforge_core::{ConfigError, DecodeError, Place, Report, Seed};

/// The algorithm of single floors of towers.
pub const FLOOR_ALGORITHM: &str = "floor.tower.floor/1";

/// One floor of a tower, made alone.
///
/// A floor's own configuration does not say where the floor below ended nor where the one above can begin; so its document keeps the
/// tower's seed and configuration, and the floor's number.
///
/// ```
/// use wayforge_floor::tower::{self, SingleFloor};
/// let spec = tower::Config::default().resolve()?;
/// let alone = SingleFloor::generate(42.into(), &spec, 6)?;
/// assert_eq!(alone.floor, tower::generate(42.into(), &spec)?.floors[6]);
/// assert_eq!(SingleFloor::decode(alone.to_document().to_text().as_bytes())?, alone);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SingleFloor {
    /// The tower's seed.
    pub seed: Seed,
    /// The tower's configuration.
    pub spec: Spec,
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
    tower: Config,
}

impl SingleFloor {
    /// Makes one floor of a tower, counted from 0; see [`generate_floor`].
    pub fn generate(seed: Seed, spec: &Spec, number: u32) -> Result<SingleFloor, Error> {
        let floor = generate_floor(seed.clone(), spec, number)?;
        Ok(SingleFloor { seed, spec: spec.clone(), number, floor })
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

    /// Sets `generatedAt`; see [`Floor::set_generated_at`].
    pub fn set_generated_at(&mut self, time: &str) {
        self.floor.set_generated_at(time);
    }

    /// The document that keeps this floor: canonical bytes with a digest.
    pub fn to_document(&self) -> Document {
        let config = WireConfig { floor: self.number + 1, tower: self.spec.config().clone() };
        document::seal(FLOOR_ALGORITHM, &self.seed, &config, &wire::of(&self.floor))
    }

    /// Reads a document strictly: its shape, its configuration, its form and its digest must all be right.
    pub fn decode(bytes: &[u8]) -> Result<SingleFloor, DecodeError> {
        decode_strictly(&Document::decode(bytes)?, SingleFloor::from_document, SingleFloor::to_document)
    }

    /// Validates the document of a single floor; see [`MapFamily::validate_document`](wayforge_core::MapFamily::validate_document).
    ///
    /// # Errors
    /// The document cannot be read.
    pub fn validate_document(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
        let map = SingleFloor::from_document(document)?;
        let mut report = document_report(document, &map.to_document(), map.validate());
        if reproduce {
            let again = SingleFloor::generate(map.seed.clone(), &map.spec, map.number).map(|again| {
                let digest = again.to_document().digest;
                (again.floor.without_metadata() == map.floor.without_metadata(), digest)
            });
            report.check_reproduction(&document.algorithm, again);
        }
        Ok(report)
    }

    /// Parses the configuration of the tower from the document of one of its floors.
    pub(super) fn tower_config(document: &Document) -> Result<Config, DecodeError> {
        let config: WireConfig = document::parse("", document.config.as_bytes())?;
        Ok(config.tower)
    }

    /// Reads the floor out of a document whose digest the caller looks after.
    pub fn from_document(document: &Document) -> Result<SingleFloor, DecodeError> {
        wire::expect_algorithm(document, FLOOR_ALGORITHM)?;
        let config: WireConfig = document::parse("config", document.config.as_bytes())?;
        let spec = config.tower.resolve()?;
        ConfigError::in_range("floor", config.floor.into(), 1, spec.floors().into())?;
        let number = config.floor - 1;
        let wire: wire::WireFloor = document::parse("map", document.map.as_bytes())?;
        let entrance = (number > 0).then(|| wire.entrance.into());
        let floor = read_floor(&spec, number, entrance, wire, "map")?;
        Ok(SingleFloor { seed: document.seed.clone(), spec, number, floor })
    }
}

/// The JSON Schema of the document of one floor of a tower.
#[cfg(feature = "schema")]
pub fn floor_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge floor of a tower", deny_unknown_fields)]
    #[allow(dead_code)] // Only its schema is read.
    struct TowerFloorDocument {
        /// The envelope's version.
        #[schemars(extend("const" = "wayforge/1"))]
        format: String,
        /// The algorithm that made the floor.
        #[schemars(extend("const" = FLOOR_ALGORITHM))]
        algorithm: String,
        /// The tower's seed.
        seed: Seed,
        config: WireConfig,
        map: wire::WireFloor,
        digest: wayforge_core::Digest,
    }
    schemars::schema_for!(TowerFloorDocument)
}
