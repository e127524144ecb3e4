//! JSON form of a tower inside a document.

use super::{ALGORITHM, Config, FLOOR_ALGORITHM, Spec, Tower};
use crate::Floor;
use crate::wire::{WireFloor, from_floor, from_wire};
use serde::{Deserialize, Serialize};
use wayforge_core::DecodeError;
use wayforge_core::document::{self, Document};
use wayforge_core::grid::Pos;

/// A tower as JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Tower"))]
#[serde(deny_unknown_fields)]
pub(super) struct WireTower {
    /// Floors from the bottom up, each a `MapFloor`.
    floors: Vec<WireFloor>,
}

pub(super) fn from_tower(tower: &Tower) -> WireTower {
    WireTower { floors: tower.floors.iter().map(from_floor).collect() }
}

pub(super) fn read(document: &Document) -> Result<Tower, DecodeError> {
    if document.algorithm == FLOOR_ALGORITHM {
        let message = format!("{FLOOR_ALGORITHM} is a single floor of a tower, not a tower");
        return Err(DecodeError::malformed("algorithm", message));
    }
    document.expect_algorithm(&[ALGORITHM])?;
    let config: Config = document::parse("config", document.config.as_bytes())?;
    let spec = config.resolve()?;
    let wire: WireTower = document::parse("map", document.map.as_bytes())?;
    let mut floors = Vec::with_capacity(wire.floors.len());
    let mut entrance = None;
    for (number, floor) in wire.floors.into_iter().enumerate() {
        let path = format!("map.floors[{number}]");
        let floor = read_floor(&spec, number as u32, entrance, floor, &path)?;
        entrance = Some(floor.exit);
        floors.push(floor);
    }
    Ok(Tower { seed: document.seed.clone(), spec, floors })
}

/// Reads one floor of a tower that is entered at `entrance`.
///
/// If it cannot start there, its entrance is not fixed; the validator then reports the broken
/// chain.
pub(super) fn read_floor(
    spec: &Spec,
    number: u32,
    entrance: Option<Pos>,
    wire: WireFloor,
    path: &str,
) -> Result<Floor, DecodeError> {
    let floor_spec = spec.floor(number, entrance).or_else(|_| spec.floor(number, None))?;
    from_wire(wire, floor_spec, path, "the floor's ")
}

/// Returns the JSON Schema of a tower's document.
#[cfg(feature = "schema")]
pub fn document_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge tower", deny_unknown_fields)]
    #[allow(dead_code)] // Only its schema is read.
    struct TowerDocument {
        /// Version of the envelope.
        #[schemars(extend("const" = "wayforge/1"))]
        format: String,
        /// Algorithm that generated the tower.
        #[schemars(extend("const" = ALGORITHM))]
        algorithm: String,
        seed: wayforge_core::Seed,
        config: Config,
        map: WireTower,
        digest: wayforge_core::Digest,
    }
    schemars::schema_for!(TowerDocument)
}
