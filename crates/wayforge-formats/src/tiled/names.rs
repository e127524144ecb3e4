//! Names of layers and properties, as shown in Tiled and as expected by the reader.

pub(super) const GROUND: &str = "ground";
pub(super) const CAR_WALKABLE: &str = "carWalkable";
pub(super) const FALL_SPAWN: &str = "fallSpawn";
pub(super) const PINS: &str = "pins";
pub(super) const CANDIDATES: &str = "candidates";
pub(super) const ENTITIES: &str = "entities";
pub(super) const MARKS: &str = "marks";
pub(super) const NOTES: &str = "notes";
pub(super) const ROUTES: &str = "routes";

pub(super) const ALGORITHM: &str = "algorithm";
pub(super) const ATTEMPT: &str = "attempt";
pub(super) const CONFIG: &str = "config";
pub(super) const DATA: &str = "data";
pub(super) const DIGEST: &str = "digest";
pub(super) const FAMILY: &str = "family";
pub(super) const FLOOR: &str = "floor";
pub(super) const FLOOR_SEED: &str = "floorSeed";
pub(super) const GENERATED_AT: &str = "generatedAt";
pub(super) const ID: &str = "id";
pub(super) const LEGEND: &str = "legend";
pub(super) const MAGNITUDES: &str = "magnitudes";
pub(super) const META: &str = "meta";
pub(super) const ORIGIN: &str = "origin";
pub(super) const SEED: &str = "seed";
pub(super) const SYMBOL: &str = "symbol";
