//! One floor of a tower as a document of its own.

use super::wire::read_floor;
use super::{Config, Error, Floors, Spec, floor_seed, rules};
use crate::map::Floor;
use crate::{validate, wire};
use serde::{Deserialize, Serialize};
use wayforge_core::document::{self, Document};
use wayforge_core::family::{decode_strictly, document_report};
use wayforge_core::{
    ConfigError, DecodeError, GenerationError, Place, Report, Seed, Stopped, WorkLimit,
};

/// Algorithm name of single floors of towers.
pub const FLOOR_ALGORITHM: &str = "floor.tower.floor/1";

/// One floor of a tower, generated on its own.
///
/// A floor's own configuration does not determine where the floor below ends or where the floor
/// above can start. So its document contains the seed and configuration of the tower, and the
/// number of the floor.
///
/// # Examples
/// ```
/// use wayforge_floor::tower::{self, SingleFloor};
/// let spec = tower::Config::default().resolve()?;
/// let single = SingleFloor::generate(42.into(), &spec, 6)?;
/// assert_eq!(single.floor, tower::generate(42.into(), &spec)?.floors[6]);
/// assert_eq!(SingleFloor::decode(single.to_document().to_text().as_bytes())?, single);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SingleFloor {
    /// Seed of the tower.
    pub seed: Seed,
    /// Spec of the tower.
    pub spec: Spec,
    /// Number of the floor, from 0.
    pub number: u32,
    /// The floor.
    pub floor: Floor,
}

/// Configuration in the document of a single floor.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TowerFloorConfig"))]
#[serde(deny_unknown_fields)]
struct WireConfig {
    /// Number of the floor, from 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    floor: u32,
    /// Configuration of the whole tower.
    tower: Config,
}

impl SingleFloor {
    /// Generates one floor of a tower, counted from 0; see
    /// [`generate_floor`](super::generate_floor).
    ///
    /// # Errors
    /// The same as [`generate_floor`](super::generate_floor).
    pub fn generate(seed: Seed, spec: &Spec, number: u32) -> Result<SingleFloor, Error> {
        SingleFloor::generate_within(seed, spec, number, &WorkLimit::UNLIMITED)
    }

    /// Generates one floor within a limit of work, including the floors below.
    fn generate_within(
        seed: Seed,
        spec: &Spec,
        number: u32,
        limit: &WorkLimit,
    ) -> Result<SingleFloor, Error> {
        let floors = Floors::new(seed.clone(), spec).within(limit);
        let floor = floors.skip_to(number)?;
        Ok(SingleFloor { seed, spec: spec.clone(), number, floor })
    }

    /// Checks every rule of the floor, and its seed.
    ///
    /// Cannot check that the floor starts where the floor below ends; this requires generating the
    /// tower again.
    pub fn validate(&self) -> Report {
        let mut report = Report::default();
        let seed = floor_seed(&self.seed, self.number);
        let wrong_seed = (self.floor.seed != seed)
            .then(|| (Place::Map, format!("the seed is {}, expected {seed}", self.floor.seed)));
        report.check(rules::SEEDS, wrong_seed);
        report.append(validate::validate(&self.floor));
        report
    }

    /// Sets `generatedAt`; see [`Floor::set_generated_at`].
    pub fn set_generated_at(&mut self, time: &str) {
        self.floor.set_generated_at(time);
    }

    /// Returns the document of the floor: canonical bytes with a digest.
    pub fn to_document(&self) -> Document {
        let config =
            WireConfig { floor: self.number.saturating_add(1), tower: self.spec.config().clone() };
        document::build(FLOOR_ALGORITHM, &self.seed, &config, &wire::from_floor(&self.floor))
    }

    /// Decodes a document strictly: members, configuration, canonical form and digest must be
    /// correct.
    ///
    /// # Errors
    /// [`DecodeError`] with the path of the first fault.
    pub fn decode(bytes: &[u8]) -> Result<SingleFloor, DecodeError> {
        SingleFloor::decode_document(&Document::decode(bytes)?)
    }

    /// Converts a document to a floor as strictly as [`decode`](Self::decode).
    pub(super) fn decode_document(document: &Document) -> Result<SingleFloor, DecodeError> {
        decode_strictly(document, SingleFloor::from_document, SingleFloor::to_document)
    }

    /// Validates the document of a single floor.
    ///
    /// See [`MapFamily::validate_document`](wayforge_core::MapFamily::validate_document).
    ///
    /// # Errors
    /// [`DecodeError`] if the document cannot be read.
    pub fn validate_document(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
        let limit = &WorkLimit::UNLIMITED;
        let checked = SingleFloor::validate_document_within(document, reproduce, limit)?;
        // Unlimited work never stops.
        Ok(checked.unwrap_or_default())
    }

    /// Validates a document within a limit of work.
    ///
    /// See [`MapFamily::validate_document_within`](wayforge_core::MapFamily::validate_document_within).
    pub(super) fn validate_document_within(
        document: &Document,
        reproduce: bool,
        limit: &WorkLimit,
    ) -> Result<Result<Report, Stopped>, DecodeError> {
        let map = SingleFloor::from_document(document)?;
        let mut report = document_report(document, &map.to_document(), map.validate());
        if reproduce {
            let again =
                SingleFloor::generate_within(map.seed.clone(), &map.spec, map.number, limit);
            if let Some(stopped) = again.as_ref().err().and_then(GenerationError::stopped) {
                return Ok(Err(stopped));
            }
            let again = again.map(|again| {
                let digest = again.to_document().digest;
                (again.floor.without_metadata() == map.floor.without_metadata(), digest)
            });
            report.check_reproduction(&document.algorithm, again);
        }
        Ok(Ok(report))
    }

    /// Parses the configuration of the tower from the document of one of its floors.
    pub(super) fn tower_config(document: &Document) -> Result<Config, DecodeError> {
        let config: WireConfig = document::parse("", document.config.as_bytes())?;
        Ok(config.tower)
    }

    /// Reads the floor of a document. Does not check the digest.
    ///
    /// # Errors
    /// [`DecodeError`] with the path of the first fault.
    pub fn from_document(document: &Document) -> Result<SingleFloor, DecodeError> {
        document.expect_algorithm(&[FLOOR_ALGORITHM])?;
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

/// Returns the JSON Schema of the document of one floor of a tower.
#[cfg(feature = "schema")]
pub fn floor_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge floor of a tower", deny_unknown_fields)]
    #[allow(dead_code)] // Only its schema is read.
    struct TowerFloorDocument {
        /// Version of the envelope.
        #[schemars(extend("const" = "wayforge/1"))]
        format: String,
        /// Algorithm that generated the floor.
        #[schemars(extend("const" = FLOOR_ALGORITHM))]
        algorithm: String,
        /// Seed of the tower.
        seed: Seed,
        config: WireConfig,
        map: wire::WireFloor,
        digest: wayforge_core::Digest,
    }
    schemars::schema_for!(TowerFloorDocument)
}
