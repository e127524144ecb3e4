//! Tiled's maps, in the dialect of version 1.8: TMX is XML, TMJ is JSON, a world is a list of maps.
//!
//! A map becomes a [`plan`], which both writers emit; both readers give a [`sheet`], which is [restored](restore) to a map. Tiles say
//! what they are by their property `symbol`, so a tileset of one's own works as well as ours.

mod data;
mod floor;
mod level;
mod names;
mod plan;
mod read_tmj;
mod read_tmx;
mod restore;
mod sheet;
mod tilesets;
mod tmj;
pub(crate) mod tmx;
mod water;
mod world;
mod xml;

pub(crate) use level::{Look, chain_name, level_tile_of};
pub(crate) use sheet::MAX_SIDE;
pub(crate) use tilesets::{Set, floor_gid, level_gid, symbol_kind};
pub(crate) use world::read_world;

use crate::content::Content;
use crate::error::{FormatError, refuse};
use crate::files::Files;
use crate::reading::Reading;
use plan::Plan;
use sheet::{ReadTile, Sheet};
use std::collections::BTreeMap;
use wayforge::tower::Tower;
use wayforge_draw::{Theme, TileSheet};

/// The version of the format and of the editor.
const VERSION: (&str, &str) = ("1.8", "1.8.2");

/// The largest file of a tileset.
const MAX_TILESET_BYTES: u64 = 16 << 20;

/// Reads a map as XML; its tilesets may stand beside it in `files`.
pub(crate) fn read_tmx(bytes: &[u8], files: &mut dyn Files) -> Result<Reading, FormatError> {
    restore::restore(&read(bytes, false, files)?)
}

/// Reads a map as JSON.
pub(crate) fn read_tmj(bytes: &[u8], files: &mut dyn Files) -> Result<Reading, FormatError> {
    restore::restore(&read(bytes, true, files)?)
}

fn read(bytes: &[u8], json: bool, files: &mut dyn Files) -> Result<Sheet, FormatError> {
    let mut sheet = if json { read_tmj::read(bytes)? } else { read_tmx::read(bytes)? };
    for at in 0..sheet.tilesets.len() {
        let source = std::mem::take(&mut sheet.tilesets[at].source);
        if !source.is_empty() {
            sheet.tilesets[at].tiles = read_tileset(&source, files, sheet.room_for_tiles())?;
        }
    }
    Ok(sheet)
}

/// Reads a tileset beside the map, as Tiled writes it unless it is embedded. A map names no file in another folder.
fn read_tileset(
    source: &str,
    files: &mut dyn Files,
    room: usize,
) -> Result<BTreeMap<u32, ReadTile>, FormatError> {
    let remedy = "save it beside the map, or in Tiled choose Tileset, then Embed Tileset";
    if source.contains(['/', '\\', '\0', ':']) || source.starts_with('.') {
        return Err(refuse("tileset.source", source, "not beside the map", remedy));
    }
    let json = match source.rsplit_once('.').map(|(_, suffix)| suffix) {
        Some("tsx" | "xml") => false,
        Some("tsj" | "json") => true,
        _ => return Err(refuse("tileset.source", source, "neither .tsx nor .tsj", remedy)),
    };
    let bytes = files
        .read(source, MAX_TILESET_BYTES)
        .map_err(|error| refuse("tileset.source", source, error.to_string(), remedy))?;
    if json { read_tmj::read_tileset(&bytes, room) } else { read_tmx::read_tileset(&bytes, room) }
}

/// Writes one map, and beside it the picture of its tiles.
pub(crate) fn write_map(
    content: &Content,
    name: &str,
    json: bool,
    theme: Theme,
    files: &mut dyn Files,
) -> Result<(), FormatError> {
    let set = match content {
        Content::Level(_) | Content::Blueprint(_) => Set::Level,
        Content::Floor(_) | Content::Template(_) => Set::Floor,
        _ => Set::Water,
    };
    let sheet = set.sheet(theme)?;
    let plan = match content {
        Content::Level(level) => level::plan_level(level, theme, &sheet),
        Content::Blueprint(blueprint) => level::plan_blueprint(blueprint, theme, &sheet),
        Content::Floor(floor) => floor::plan_floor(floor, theme, &sheet),
        Content::Template(template) => floor::plan_template(template, theme, &sheet)?,
        Content::Water(water) => {
            let longest = water.size().width.max(water.size().height);
            if u32::from(longest) > MAX_SIDE {
                let remedy = format!("use at most {MAX_SIDE} a side; larger maps are OpenFront's");
                return Err(refuse("map", water.size(), "larger than Tiled can show", remedy));
            }
            water::plan_water(water, theme, &sheet)
        }
        other => return Err(refuse("map", other.what(), "not a map of tiles", "see `wayforge formats`")),
    };
    emit(&plan, name, json, files)?;
    write_picture(set, theme, &sheet, files)
}

/// Writes a world, a map for each floor, and the picture of their tiles.
pub(crate) fn write_world(
    tower: &Tower,
    name: &str,
    theme: Theme,
    files: &mut dyn Files,
) -> Result<(), FormatError> {
    let stem = name.strip_suffix(".world").unwrap_or(name);
    let sheet = Set::Floor.sheet(theme)?;
    for (number, floor) in tower.floors.iter().enumerate() {
        let plan = floor::plan_storey(tower, number, floor, theme, &sheet);
        emit(&plan, &world::floor_name(stem, number, "tmx"), false, files)?;
    }
    world::write(tower, stem, "tmx", files.create(name)?)?;
    write_picture(Set::Floor, theme, &sheet, files)
}

fn emit(plan: &Plan<'_>, name: &str, json: bool, files: &mut dyn Files) -> Result<(), FormatError> {
    let out = files.create(name)?;
    match json {
        true => tmj::write(plan, out)?,
        false => tmx::write(plan, out)?,
    }
    Ok(())
}

fn write_picture(
    set: Set,
    theme: Theme,
    sheet: &TileSheet,
    files: &mut dyn Files,
) -> Result<(), FormatError> {
    files.create(&set.image(theme))?.write_all(&sheet.png)?;
    Ok(())
}
