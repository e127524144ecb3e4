//! Towers as Tiled worlds: one map per floor, the lowest at the bottom.

use super::names;
use super::parsed_map::ParsedMap;
use super::read;
use super::read_tmj::{bounded_list, parse};
use super::restore::{digest, json, restore_floor, seed};
use super::tmj::comma;
use crate::error::{FormatError, reject};
use crate::files::Files;
use crate::imported::ImportedContent;
use serde::Deserialize;
use std::io::Write;
use wayforge::Family;
use wayforge::tower::{self, Tower};
use wayforge_draw::TILE_SIDE;

/// Maximum number of floors of a tower.
const MAX_FLOORS: usize = 1000;
/// Maximum size of a floor file in bytes: 64 x 64 cells, entities, and the configuration of the
/// tower.
const MAX_BYTES: u64 = 16 << 20;

/// Returns the file name of a floor.
pub(super) fn floor_name(stem: &str, number: usize) -> String {
    format!("{stem}-{:03}.tmx", number + 1)
}

/// Writes the world file, which positions the map of each floor.
pub(super) fn write(tower: &Tower, stem: &str, out: &mut dyn Write) -> std::io::Result<()> {
    let side = i64::from(TILE_SIDE);
    let mut y = 0;
    write!(out, "{{\n \"maps\":[")?;
    for (number, floor) in tower.floors.iter().enumerate() {
        let size = floor.size();
        let (width, height) = (i64::from(size.width) * side, i64::from(size.height) * side);
        // Floors are stacked upwards with a gap of one tile.
        y -= height + side;
        let name = serde_json::Value::from(floor_name(stem, number));
        write!(out, "{}\n  {{\"fileName\":{name},\"height\":{height},", comma(number))?;
        write!(out, "\"width\":{width},\"x\":0,\"y\":{y}}}")?;
    }
    write!(out, "\n ],\n \"onlyShowAdjacentMaps\":false,\n \"type\":\"world\"\n}}\n")
}

#[derive(Deserialize)]
struct World {
    #[serde(deserialize_with = "bounded_list::<_, _, MAX_FLOORS>")]
    maps: Vec<Map>,
}

#[derive(Deserialize)]
struct Map {
    #[serde(rename = "fileName")]
    name: String,
}

/// Reads a tower from a world. The maps must be in the folder of the world, in floor order.
pub(crate) fn read_world(
    bytes: &[u8],
    files: &mut dyn Files,
) -> Result<ImportedContent, FormatError> {
    let world: World = parse(bytes, "world", "save the world again in Tiled")?;
    let mut parsed_floors = Vec::new();
    for Map { name } in world.maps {
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Err(reject(
                "world.maps",
                name,
                "not in the folder of the world",
                "move all maps to its folder",
            ));
        }
        let bytes = files.read(&name, MAX_BYTES)?;
        let parsed: ParsedMap =
            read(&bytes, name.ends_with(".tmj") || name.ends_with(".json"), files)?;
        if parsed.property(names::FAMILY) != Some(Family::Tower.name()) {
            let remedy = "list only maps of one tower";
            return Err(reject("world.maps", name, "not the floor of a tower", remedy));
        }
        parsed_floors.push(parsed);
    }
    let Some(first) = parsed_floors.first() else {
        return Err(reject(
            "world.maps",
            "none",
            "a tower needs floors",
            "list the map of each floor",
        ));
    };
    let config: tower::Config = json(first, names::CONFIG)?;
    let (spec, stated) = (config.resolve()?, digest(first)?);
    let mut tower = Tower { seed: seed(first, names::SEED)?, spec, floors: Vec::new() };
    let mut entrance = None;
    for (number, parsed) in parsed_floors.iter().enumerate() {
        let index = number as u32;
        // A floor starts at the exit of the one below. If that is impossible, its entrance is not
        // fixed, and the validator reports that the floors do not connect.
        let spec = tower.spec.floor(index, entrance).or_else(|_| tower.spec.floor(index, None))?;
        let floor = restore_floor(parsed, spec, names::FLOOR_SEED)?;
        entrance = Some(floor.exit);
        tower.floors.push(floor);
    }
    Ok(ImportedContent { content: tower.into(), stated_digest: Some(stated), pins: None })
}
