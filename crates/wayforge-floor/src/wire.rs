//! The shape of a floor inside a document: `MapFloor`, in its own field names.

use super::map::{ALGORITHM, Entity, EntityKind, Floor, Notes, Origin, TileKind};
use super::{Config, Spec};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use wayforge_core::document::{self, Document};
use wayforge_core::grid::{Pos, Size};
use wayforge_core::{DecodeError, Seed};

/// The longest text of a time.
const MAX_TIME: usize = 256;

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
    /// When the floor was made, as the caller says. It stands outside the digest.
    generated_at: String,
    #[cfg_attr(feature = "schema", schemars(extend("const" = ALGORITHM)))]
    version: String,
    /// A shortest way from entrance to exit.
    path: Vec<WirePos>,
    #[serde(deserialize_with = "wayforge_core::object")]
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
    meta: Notes,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Entity"))]
#[serde(deny_unknown_fields)]
struct WireEntity {
    id: String,
    kind: EntityKind,
    pos: WirePos,
    data: Notes,
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

/// The floor as it is written.
pub(super) fn of(floor: &Floor) -> WireFloor {
    let size = floor.size();
    let mut meta = floor.meta.iter().peekable();
    let tiles = floor.tiles.iter().enumerate().map(|(at, &kind)| {
        let pos = size.pos(at);
        let notes = meta.next_if(|(here, _)| *here == pos).map(|(_, notes)| Notes::clone(notes));
        WireTile {
            pos: pos.into(),
            kind,
            walkable: kind.walkable(),
            blocks_vision: kind.blocks_vision(),
            meta: notes.unwrap_or_default(),
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

/// Rejects the document of another algorithm.
pub(super) fn expect_algorithm(document: &Document, algorithm: &str) -> Result<(), DecodeError> {
    if document.algorithm == algorithm {
        return Ok(());
    }
    let (value, known) = (document.algorithm.clone(), algorithm.to_owned());
    Err(DecodeError::Unknown { field: "algorithm", value, known })
}

/// Reads a floor and its configuration out of a document.
pub(super) fn read(document: &Document) -> Result<Floor, DecodeError> {
    expect_algorithm(document, ALGORITHM)?;
    let config: Config = document::parse("config", document.config.as_bytes())?;
    let spec = config.resolve()?;
    let wire: WireFloor = document::parse("map", document.map.as_bytes())?;
    if wire.seed != document.seed {
        let message = format!("{} does not agree with the document's, which is {}", wire.seed, document.seed);
        return Err(shape("map.seed", message));
    }
    from_wire(wire, spec, "map")
}

/// Reads a floor; `path` says where it stands.
pub(super) fn from_wire(wire: WireFloor, spec: Spec, path: &str) -> Result<Floor, DecodeError> {
    let size = spec.size();
    if wire.version != ALGORITHM {
        let known = ALGORITHM.to_owned();
        return Err(DecodeError::Unknown { field: "map.version", value: wire.version, known });
    }
    for (field, here, asked) in [("width", wire.width, size.width), ("height", wire.height, size.height)] {
        if here != asked {
            let message = format!("{here} does not agree with config.{field}, which is {asked}");
            return Err(shape(format!("{path}.{field}"), message));
        }
    }
    if wire.generated_at.chars().count() > MAX_TIME {
        return Err(shape(format!("{path}.generatedAt"), format!("longer than {MAX_TIME} characters")));
    }
    if wire.tiles.len() != size.cells() {
        let message = format!("{} tiles, a floor of {size} has {}", wire.tiles.len(), size.cells());
        return Err(shape(format!("{path}.tiles"), message));
    }
    let notes = |notes: &Notes| (!notes.is_empty()).then(|| Arc::new(notes.clone()));
    let mut meta = Vec::new();
    for (at, tile) in wire.tiles.iter().enumerate() {
        check_tile(tile, at, size, path)?;
        meta.extend(notes(&tile.meta).map(|notes| (size.pos(at), notes)));
    }
    let entities = wire.entities.iter();
    let entities = entities
        .map(|entity| Entity { data: notes(&entity.data), ..Entity::new(entity.kind, entity.pos.into()) });
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

/// A tile says three things twice; they must agree.
fn check_tile(tile: &WireTile, at: usize, size: Size, path: &str) -> Result<(), DecodeError> {
    let (pos, kind) = (size.pos(at), tile.kind);
    let by_kind = |should: bool| format!("should be {should} for a tile of {}", kind.name());
    let (member, message) = if Pos::from(tile.pos) != pos {
        ("pos", format!("should be {pos}, tiles stand in reading order"))
    } else if tile.walkable != kind.walkable() {
        ("walkable", by_kind(kind.walkable()))
    } else if tile.blocks_vision != kind.blocks_vision() {
        ("blocksVision", by_kind(kind.blocks_vision()))
    } else {
        return Ok(());
    };
    Err(shape(format!("{path}.tiles[{at}].{member}"), message))
}

pub(super) fn shape(path: impl Into<String>, message: impl Into<String>) -> DecodeError {
    DecodeError::Shape { path: path.into(), message: message.into() }
}

/// The JSON Schema of a floor's document.
#[cfg(feature = "schema")]
pub fn document_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge floor", deny_unknown_fields)]
    #[allow(dead_code)] // Only its schema is read.
    struct FloorDocument {
        /// The envelope's version.
        #[schemars(extend("const" = "wayforge/1"))]
        format: String,
        /// The algorithm that made the floor.
        #[schemars(extend("const" = ALGORITHM))]
        algorithm: String,
        seed: Seed,
        config: Config,
        map: WireFloor,
        digest: wayforge_core::Digest,
    }
    schemars::schema_for!(FloorDocument)
}
