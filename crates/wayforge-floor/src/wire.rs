//! JSON form of a floor inside a document: `MapFloor` with its original field names.

use super::map::{ALGORITHM, Entity, EntityKind, Floor, Metadata, Origin, TileKind, non_empty};
use super::{Config, Spec};
use serde::{Deserialize, Serialize};
use wayforge_core::document::{self, Document};
use wayforge_core::grid::{Pos, Size};
use wayforge_core::{DecodeError, Seed};

/// Maximum length of `generatedAt` in characters.
const MAX_GENERATED_AT: usize = 256;

/// A floor as JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MapFloor"))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct WireFloor {
    width: u16,
    height: u16,
    seed: Seed,
    tiles: Vec<WireTile>,
    entities: Vec<WireEntity>,
    pub(super) entrance: WirePos,
    exit: WirePos,
    /// Time of generation as set by the caller. Not part of the digest.
    generated_at: String,
    #[cfg_attr(feature = "schema", schemars(extend("const" = ALGORITHM)))]
    version: String,
    /// A shortest path from entrance to exit.
    path: Vec<WirePos>,
    #[serde(deserialize_with = "wayforge_core::deserialize_object")]
    origin: Origin,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Tile"))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct WireTile {
    pos: WirePos,
    kind: TileKind,
    walkable: bool,
    blocks_vision: bool,
    meta: Metadata,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Entity"))]
#[serde(deny_unknown_fields)]
struct WireEntity {
    id: String,
    kind: EntityKind,
    pos: WirePos,
    data: Metadata,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Cell"))]
#[serde(deny_unknown_fields)]
pub(super) struct WirePos {
    x: u16,
    y: u16,
}

impl From<Pos> for WirePos {
    fn from(pos: Pos) -> WirePos {
        WirePos { x: pos.x, y: pos.y }
    }
}

impl From<WirePos> for Pos {
    fn from(pos: WirePos) -> Pos {
        Pos { x: pos.x, y: pos.y }
    }
}

/// Converts a floor to its JSON form.
pub(super) fn from_floor(floor: &Floor) -> WireFloor {
    let size = floor.size();
    let mut meta = floor.meta.iter().peekable();
    let tiles = floor.tiles.iter().enumerate().map(|(index, &kind)| {
        let pos = size.pos(index);
        let metadata =
            meta.next_if(|(next, _)| *next == pos).map(|(_, metadata)| Metadata::clone(metadata));
        WireTile {
            pos: pos.into(),
            kind,
            walkable: kind.is_walkable(),
            blocks_vision: kind.blocks_vision(),
            meta: metadata.unwrap_or_default(),
        }
    });
    let entities = floor.ids().map(|(id, entity)| WireEntity {
        id,
        kind: entity.kind,
        pos: entity.pos.into(),
        data: entity.data.as_deref().cloned().unwrap_or_default(),
    });
    WireFloor {
        width: size.width,
        height: size.height,
        seed: floor.seed.clone(),
        tiles: tiles.collect(),
        entities: entities.collect(),
        entrance: floor.entrance.into(),
        exit: floor.exit.into(),
        generated_at: floor.generated_at.clone(),
        version: ALGORITHM.to_owned(),
        path: floor.path.iter().map(|&pos| pos.into()).collect(),
        origin: floor.origin,
    }
}

/// Reads a floor and its configuration from a document.
pub(super) fn read(document: &Document) -> Result<Floor, DecodeError> {
    document.expect_algorithm(&[ALGORITHM])?;
    let config: Config = document::parse("config", document.config.as_bytes())?;
    let spec = config.resolve()?;
    let wire: WireFloor = document::parse("map", document.map.as_bytes())?;
    if wire.seed != document.seed {
        let message =
            format!("{} does not match the document's seed, which is {}", wire.seed, document.seed);
        return Err(DecodeError::malformed("map.seed", message));
    }
    from_wire(wire, spec, "map", "config.")
}

/// Reads a floor. Errors contain its `path` in the document, and the `owner` of its size.
pub(super) fn from_wire(
    wire: WireFloor,
    spec: Spec,
    path: &str,
    owner: &str,
) -> Result<Floor, DecodeError> {
    let size = spec.size();
    if wire.version != ALGORITHM {
        return Err(DecodeError::unknown(format!("{path}.version"), &wire.version, ALGORITHM));
    }
    for (field, value, expected) in
        [("width", wire.width, size.width), ("height", wire.height, size.height)]
    {
        if value != expected {
            let message = format!("{value} does not match {owner}{field}, which is {expected}");
            return Err(DecodeError::malformed(format!("{path}.{field}"), message));
        }
    }
    let length = wire.generated_at.chars().count();
    if length > MAX_GENERATED_AT {
        let message = format!("{length} characters; use at most {MAX_GENERATED_AT}");
        return Err(DecodeError::malformed(format!("{path}.generatedAt"), message));
    }
    if wire.tiles.len() != size.cells() {
        let message = format!("{} tiles, a floor of {size} has {}", wire.tiles.len(), size.cells());
        return Err(DecodeError::malformed(format!("{path}.tiles"), message));
    }
    let mut meta = Vec::new();
    for (index, tile) in wire.tiles.iter().enumerate() {
        check_tile(tile, index, size, path)?;
        meta.extend(non_empty(&tile.meta).map(|metadata| (size.pos(index), metadata)));
    }
    let entities = wire.entities.iter();
    let entities = entities.map(|entity| Entity {
        data: non_empty(&entity.data),
        ..Entity::new(entity.kind, entity.pos.into())
    });
    let mut floor = Floor {
        seed: wire.seed,
        spec,
        tiles: wire.tiles.iter().map(|tile| tile.kind).collect(),
        meta,
        entities: entities.collect(),
        entrance: wire.entrance.into(),
        exit: wire.exit.into(),
        path: wire.path.iter().map(|&pos| pos.into()).collect(),
        origin: wire.origin,
        generated_at: wire.generated_at,
    };
    floor.set_ids(wire.entities.iter().map(|entity| entity.id.as_str()));
    Ok(floor)
}

/// Checks the redundant members of a tile: position, `walkable` and `blocksVision`.
fn check_tile(tile: &WireTile, index: usize, size: Size, path: &str) -> Result<(), DecodeError> {
    let (pos, kind) = (size.pos(index), tile.kind);
    let by_kind = |expected: bool| format!("should be {expected} for a {} tile", kind.name());
    let (member, message) = if Pos::from(tile.pos) != pos {
        ("pos", format!("should be {pos}; tiles are in reading order"))
    } else if tile.walkable != kind.is_walkable() {
        ("walkable", by_kind(kind.is_walkable()))
    } else if tile.blocks_vision != kind.blocks_vision() {
        ("blocksVision", by_kind(kind.blocks_vision()))
    } else {
        return Ok(());
    };
    Err(DecodeError::malformed(format!("{path}.tiles[{index}].{member}"), message))
}

/// Returns the JSON Schema of a floor's document.
#[cfg(feature = "schema")]
pub fn document_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge floor", deny_unknown_fields)]
    #[allow(dead_code)] // Only its schema is read.
    struct FloorDocument {
        /// Version of the envelope.
        #[schemars(extend("const" = "wayforge/1"))]
        format: String,
        /// Algorithm that generated the floor.
        #[schemars(extend("const" = ALGORITHM))]
        algorithm: String,
        seed: Seed,
        config: Config,
        map: WireFloor,
        digest: wayforge_core::Digest,
    }
    schemars::schema_for!(FloorDocument)
}
