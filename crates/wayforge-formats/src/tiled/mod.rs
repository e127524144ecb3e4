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
mod tmj;
mod tmx;
mod world;

pub(crate) use level::{Look, chain_name, level_tile_of};
pub(crate) use plan::{Set, floor_gid, level_gid, symbol_kind, water_gid};
pub(crate) use tmj::comma;
pub(crate) use world::read_world;

use crate::content::Content;
use crate::error::{FormatError, reject};
use crate::files::Files;
use crate::reading::Reading;
use crate::registry::Target;
use plan::{Layer, Plan, Property};
use sheet::{MAX_SIDE, Sheet, Tiles};
use wayforge::AnyMap;
use wayforge::nav::Water;

/// The version of the format and of the editor.
const VERSION: (&str, &str) = ("1.8", "1.8.2");

/// The largest file of a tileset.
const MAX_TILESET_BYTES: u64 = 16 << 20;

/// Reads a map as XML or JSON; its tilesets may stand beside it in `files`.
pub(crate) fn read_map(bytes: &[u8], json: bool, files: &mut dyn Files) -> Result<Reading, FormatError> {
    restore::restore(&read(bytes, json, files)?)
}

fn read(bytes: &[u8], json: bool, files: &mut dyn Files) -> Result<Sheet, FormatError> {
    let mut sheet = if json { read_tmj::read(bytes)? } else { read_tmx::read(bytes)? };
    for at in 0..sheet.tilesets.len() {
        if let Some(source) = sheet.tilesets[at].source.take().filter(|source| !source.is_empty()) {
            sheet.tilesets[at].tiles = read_tileset(&source, files, sheet.room_for_tiles())?;
        }
    }
    Ok(sheet)
}

/// Reads a tileset beside the map, as Tiled writes it unless it is embedded. A map names no file in another folder.
fn read_tileset(source: &str, files: &mut dyn Files, room: usize) -> Result<Tiles, FormatError> {
    let remedy = "save it beside the map, or in Tiled choose Tileset, then Embed Tileset";
    if source.contains(['/', '\\', '\0', ':']) || source.starts_with('.') {
        return Err(reject("tileset.source", source, "not beside the map", remedy));
    }
    let json = match source.rsplit_once('.').map(|(_, suffix)| suffix) {
        Some("tsx" | "xml") => false,
        Some("tsj" | "json") => true,
        _ => return Err(reject("tileset.source", source, "neither .tsx nor .tsj", remedy)),
    };
    let bytes = files
        .read(source, MAX_TILESET_BYTES)
        .map_err(|error| reject("tileset.source", source, error.to_string(), remedy))?;
    if json { read_tmj::read_tileset(&bytes, room) } else { read_tmx::read_tileset(&bytes, room) }
}

/// Writes one map, and beside it the picture of its tiles.
pub(crate) fn write_map(content: &Content, json: bool, to: Target<'_>) -> Result<(), FormatError> {
    let plan = match content {
        Content::Map(AnyMap::Level(level)) => level::plan_level(level),
        Content::Blueprint(blueprint) => level::plan_blueprint(blueprint),
        Content::Map(AnyMap::Floor(floor)) => floor::plan_floor(floor),
        Content::Template(template) => floor::plan_template(template)?,
        Content::Water(water) => {
            check_side(water, "Tiled")?;
            let properties = vec![Property::bool(names::MAGNITUDES, water.has_magnitudes())];
            let ground = Layer::tiles(names::GROUND, |pos| water_gid(water, pos));
            Plan::new(Set::Water, water.size(), "water", properties, vec![ground])
        }
        other => return Err(reject("map", other.what(), "not a map of tiles", "see `wayforge formats`")),
    };
    emit(plan.set, [(to.name.to_owned(), plan)], json, to)
}

/// Writes a world, a map for each floor, and the picture of their tiles.
pub(crate) fn write_world(content: &Content, to: Target<'_>) -> Result<(), FormatError> {
    let Content::Map(AnyMap::Tower(tower)) = content else {
        return Err(reject("world", content.what(), "not a tower", "see `wayforge formats`"));
    };
    let stem = to.name.strip_suffix(".world").unwrap_or(to.name);
    world::write(tower, stem, to.files.create(to.name)?)?;
    let floors =
        tower.floors.iter().enumerate().map(|(number, floor)| {
            (world::floor_name(stem, number), floor::plan_storey(tower, number, floor))
        });
    emit(Set::Floor, floors, false, to)
}

/// Rejects water that is larger than an editor can show.
pub(crate) fn check_side(water: &Water, editor: &str) -> Result<(), FormatError> {
    let size = water.size();
    if u32::from(size.width.max(size.height)) <= MAX_SIDE {
        return Ok(());
    }
    let remedy = format!("use at most {MAX_SIDE} a side; larger maps are OpenFront's");
    Err(reject("map", size, format!("larger than {editor} can show"), remedy))
}

/// Writes maps with one tileset under their names, and beside them the picture of its tiles.
fn emit<'a>(
    set: Set,
    plans: impl IntoIterator<Item = (String, Plan<'a>)>,
    json: bool,
    to: Target<'_>,
) -> Result<(), FormatError> {
    let sheet = set.sheet(to.theme)?;
    let tileset = set.tileset(to.theme, &sheet);
    for (name, plan) in plans {
        let out = to.files.create(&name)?;
        if json { tmj::write(&plan, &tileset, out) } else { tmx::write(&plan, &tileset, out) }?;
    }
    Ok(to.files.create(&tileset.image)?.write_all(&sheet.png)?)
}
