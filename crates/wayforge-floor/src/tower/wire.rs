//! The shape of a tower inside a document.

use super::{ALGORITHM, Config, FLOOR_ALGORITHM, Spec, Tower};
use crate::Floor;
use crate::wire::{WireFloor, expect_algorithm, from_wire, of as floor_of, shape};
use serde::{Deserialize, Serialize};
use wayforge_core::DecodeError;
use wayforge_core::document::{self, Document};
use wayforge_core::grid::Pos;

/// A tower as JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Tower"))]
#[serde(deny_unknown_fields)]
pub(super) struct WireTower {
    /// The floors from the lowest up, each a `MapFloor`.
    floors: Vec<WireFloor>,
}

pub(super) fn of(tower: &Tower) -> WireTower {
    WireTower { floors: tower.floors.iter().map(floor_of).collect() }
}

pub(super) fn read(document: &Document) -> Result<Tower, DecodeError> {
    if document.algorithm == FLOOR_ALGORITHM {
        let message = format!("{FLOOR_ALGORITHM} is a single floor of a tower, not a tower");
        return Err(shape("algorithm", message));
    }
    expect_algorithm(document, ALGORITHM)?;
    let config: Config = document::parse("config", document.config.as_bytes())?;
    let spec = config.resolve()?;
    let wire: WireTower = document::parse("map", document.map.as_bytes())?;
    let mut floors = Vec::with_capacity(wire.floors.len());
    let mut entrance = None;
    for (number, floor) in wire.floors.into_iter().enumerate() {
        // Floors beyond the last are judged as the last one would be.
        let place = (number as u32).min(spec.floors() - 1);
        let floor = read_floor(&spec, place, entrance, floor, &format!("map.floors[{number}]"))?;
        entrance = Some(floor.exit);
        floors.push(floor);
    }
    Ok(Tower { seed: document.seed.clone(), spec, floors })
}

/// Reads one floor of a tower that is entered at `entrance`. Where it cannot begin there, the entrance is left open: the judge says that
/// the chain is broken.
pub(super) fn read_floor(
    spec: &Spec,
    number: u32,
    entrance: Option<Pos>,
    wire: WireFloor,
    path: &str,
) -> Result<Floor, DecodeError> {
    from_wire(wire, spec.floor(number, entrance).or_else(|_| spec.floor(number, None))?, path)
}

/// The JSON Schema of a tower's document.
#[cfg(feature = "schema")]
pub fn document_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge tower", deny_unknown_fields)]
    #[allow(dead_code)] // Only its schema is read.
    struct TowerDocument {
        /// The envelope's version.
        #[schemars(extend("const" = "wayforge/1"))]
        format: String,
        /// The algorithm that made the tower.
        #[schemars(extend("const" = ALGORITHM))]
        algorithm: String,
        seed: wayforge_core::Seed,
        config: Config,
        map: WireTower,
        digest: wayforge_core::Digest,
    }
    schemars::schema_for!(TowerDocument)
}
