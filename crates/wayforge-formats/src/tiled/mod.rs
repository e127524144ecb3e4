//! Tiled 1.8 maps: TMX (XML), TMJ (JSON) and worlds (lists of maps).
//!
//! Both writers serialise a [`TiledMap`]. Both readers return a [`ParsedMap`], which [`restore`]
//! converts to a Wayforge map. Tiles are identified by their property `symbol`, so custom tilesets
//! work too.

mod data;
mod floor;
mod level;
mod names;
mod parsed_map;
mod read_tmj;
mod read_tmx;
mod restore;
mod tiled_map;
mod tmj;
mod tmx;
mod world;

pub(crate) use level::{SymbolTiles, chain_name, level_tile_of};
pub(crate) use tiled_map::{TilesetKind, floor_gid, level_gid, nav_grid_gid, symbol_kind};
pub(crate) use tmj::comma;
pub(crate) use world::read_world;

use crate::content::Content;
use crate::error::{FormatError, reject};
use crate::files::Files;
use crate::imported::ImportedContent;
use crate::registry::Target;
use parsed_map::{MAX_SIDE, ParsedMap, Tiles};
use tiled_map::{Layer, Property, TiledMap};
use wayforge::AnyMap;
use wayforge::nav::NavGrid;

/// Map format version and Tiled version written to the files.
const VERSION: (&str, &str) = ("1.8", "1.8.2");

/// Maximum size of a tileset file in bytes.
const MAX_TILESET_BYTES: u64 = 16 << 20;

/// Reads a map as XML or JSON. External tilesets are read from `files`.
pub(crate) fn read_map(
    bytes: &[u8],
    json: bool,
    files: &mut dyn Files,
) -> Result<ImportedContent, FormatError> {
    restore::restore(&read(bytes, json, files)?)
}

fn read(bytes: &[u8], json: bool, files: &mut dyn Files) -> Result<ParsedMap, FormatError> {
    let mut parsed = if json { read_tmj::read(bytes)? } else { read_tmx::read(bytes)? };
    for index in 0..parsed.tilesets.len() {
        if let Some(source) =
            parsed.tilesets[index].source.take().filter(|source| !source.is_empty())
        {
            parsed.tilesets[index].tiles = read_tileset(&source, files, parsed.remaining_tiles())?;
        }
    }
    Ok(parsed)
}

/// Reads an external tileset. It must be in the folder of the map.
fn read_tileset(
    source: &str,
    files: &mut dyn Files,
    max_tiles: usize,
) -> Result<Tiles, FormatError> {
    let remedy = "save it in the folder of the map, or in Tiled choose Tileset, then Embed Tileset";
    if source.contains(['/', '\\', '\0', ':']) || source.starts_with('.') {
        return Err(reject("tileset.source", source, "not in the folder of the map", remedy));
    }
    let json = match source.rsplit_once('.').map(|(_, suffix)| suffix) {
        Some("tsx" | "xml") => false,
        Some("tsj" | "json") => true,
        _ => return Err(reject("tileset.source", source, "neither .tsx nor .tsj", remedy)),
    };
    let bytes = files
        .read(source, MAX_TILESET_BYTES)
        .map_err(|error| reject("tileset.source", source, error.to_string(), remedy))?;
    if json {
        read_tmj::read_tileset(&bytes, max_tiles)
    } else {
        read_tmx::read_tileset(&bytes, max_tiles)
    }
}

/// Writes one map and its tileset image.
pub(crate) fn write_map(content: &Content, json: bool, to: Target<'_>) -> Result<(), FormatError> {
    let map = match content {
        Content::Map(AnyMap::Level(level)) => level::level_map(level),
        Content::Blueprint(blueprint) => level::blueprint_map(blueprint),
        Content::Map(AnyMap::Floor(floor)) => floor::floor_map(floor),
        Content::Template(template) => floor::template_map(template)?,
        Content::NavGrid(grid) => {
            check_side(grid, "Tiled")?;
            let properties = vec![Property::bool(names::MAGNITUDES, grid.has_magnitudes())];
            let ground = Layer::tiles(names::GROUND, |pos| nav_grid_gid(grid, pos));
            TiledMap::new(
                TilesetKind::NavGrid,
                grid.size(),
                content.kind(),
                properties,
                vec![ground],
            )
        }
        Content::Map(AnyMap::Act(_) | AnyMap::Tower(_)) | Content::Queries(_) => {
            return Err(reject("map", content.kind(), "not a tile map", "see `wayforge formats`"));
        }
    };
    write_with_tileset(map.tileset, [(to.name.to_owned(), map)], json, to)
}

/// Writes a world, one map per floor, and the tileset image.
pub(crate) fn write_world(content: &Content, to: Target<'_>) -> Result<(), FormatError> {
    let Content::Map(AnyMap::Tower(tower)) = content else {
        return Err(reject("world", content.kind(), "not a tower", "see `wayforge formats`"));
    };
    let stem = to.name.strip_suffix(".world").unwrap_or(to.name);
    world::write(tower, stem, to.files.create(to.name)?)?;
    let floors = tower.floors.iter().enumerate().map(|(number, floor)| {
        (world::floor_name(stem, number), floor::tower_floor_map(tower, number, floor))
    });
    write_with_tileset(TilesetKind::Floor, floors, false, to)
}

/// Rejects a navigation grid that is too large for an editor.
pub(crate) fn check_side(grid: &NavGrid, editor: &str) -> Result<(), FormatError> {
    let size = grid.size();
    if u32::from(size.width.max(size.height)) <= MAX_SIDE {
        return Ok(());
    }
    let remedy = format!("use at most {MAX_SIDE} tiles per side, or write OpenFront format");
    Err(reject("map", size, format!("too large for {editor}"), remedy))
}

/// Writes maps that share a tileset, and the tileset image.
fn write_with_tileset<'a>(
    kind: TilesetKind,
    maps: impl IntoIterator<Item = (String, TiledMap<'a>)>,
    json: bool,
    to: Target<'_>,
) -> Result<(), FormatError> {
    let sheet = kind.render(to.theme)?;
    let tileset = kind.tileset(to.theme, &sheet);
    for (name, map) in maps {
        let out = to.files.create(&name)?;
        if json { tmj::write(&map, &tileset, out) } else { tmx::write(&map, &tileset, out) }?;
    }
    Ok(to.files.create(&tileset.image)?.write_all(&sheet.png)?)
}
