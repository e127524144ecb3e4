//! The shape of a tower inside a document.

use super::{TOWER_ALGORITHM, Tower, TowerConfig, TowerSpec};
use crate::DecodeError;
use crate::document::{self, Document};
use crate::floor::wire::{WireFloor, from_wire, of as floor_of};
use crate::floor::{Floor, FloorSpec};
use crate::grid::Pos;
use serde::{Deserialize, Serialize};

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
    if document.algorithm != TOWER_ALGORITHM {
        let (value, known) = (document.algorithm.clone(), TOWER_ALGORITHM.to_owned());
        return Err(DecodeError::Unknown { field: "algorithm", value, known });
    }
    let config: TowerConfig = document::parse("config", document.config.as_bytes())?;
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
    spec: &TowerSpec,
    number: u32,
    entrance: Option<Pos>,
    wire: WireFloor,
    path: &str,
) -> Result<Floor, DecodeError> {
    let resolved: FloorSpec = match spec.floor(number, entrance) {
        Ok(resolved) => resolved,
        Err(_) => spec.floor(number, None)?,
    };
    from_wire(wire, resolved, path)
}

/// The JSON Schema of a tower's document.
#[cfg(feature = "schema")]
pub fn tower_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge tower", deny_unknown_fields)]
    #[allow(dead_code)] // Only its schema is read.
    struct TowerDocument {
        /// The envelope's version.
        #[schemars(extend("const" = "wayforge/1"))]
        format: String,
        /// The algorithm that made the tower.
        #[schemars(extend("const" = TOWER_ALGORITHM))]
        algorithm: String,
        seed: crate::Seed,
        config: TowerConfig,
        map: WireTower,
        digest: crate::Digest,
    }
    schemars::schema_for!(TowerDocument)
}
