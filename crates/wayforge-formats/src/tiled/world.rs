//! Towers as worlds: one map for every floor, the lowest at the bottom.

use super::names;
use super::read;
use super::read_tmj::{few, parse};
use super::restore::{digest, floor_of, json, seed};
use super::sheet::Sheet;
use super::tmj::comma;
use crate::error::{FormatError, reject};
use crate::files::Files;
use crate::reading::Reading;
use serde::Deserialize;
use std::io::Write;
use wayforge::tower::{self, Tower};
use wayforge_draw::TILE_SIDE;

/// The most floors of a tower.
const MAX_FLOORS: usize = 1000;
/// The largest file of one floor: 64 x 64 cells, its entities, and the configuration of the tower.
const MAX_BYTES: u64 = 16 << 20;

/// The file of one floor.
pub(super) fn floor_name(stem: &str, number: usize) -> String {
    format!("{stem}-{:03}.tmx", number + 1)
}

/// Writes the world itself: where the map of each floor lies.
pub(super) fn write(tower: &Tower, stem: &str, out: &mut dyn Write) -> std::io::Result<()> {
    let side = i64::from(TILE_SIDE);
    let mut y = 0;
    write!(out, "{{\n \"maps\":[")?;
    for (number, floor) in tower.floors.iter().enumerate() {
        let size = floor.size();
        let (width, height) = (i64::from(size.width) * side, i64::from(size.height) * side);
        // Each floor above the last, with a tile of space between them.
        y -= height + side;
        let name = serde_json::Value::from(floor_name(stem, number));
        write!(out, "{}\n  {{\"fileName\":{name},\"height\":{height},", comma(number))?;
        write!(out, "\"width\":{width},\"x\":0,\"y\":{y}}}")?;
    }
    write!(out, "\n ],\n \"onlyShowAdjacentMaps\":false,\n \"type\":\"world\"\n}}\n")
}

#[derive(Deserialize)]
struct World {
    #[serde(deserialize_with = "few::<_, _, MAX_FLOORS>")]
    maps: Vec<Map>,
}

#[derive(Deserialize)]
struct Map {
    #[serde(rename = "fileName")]
    name: String,
}

/// Reads a tower from the maps of a world, which stand beside it in the order of the floors.
pub(crate) fn read_world(bytes: &[u8], files: &mut dyn Files) -> Result<Reading, FormatError> {
    let world: World = parse(bytes, "world", "save the world again in Tiled")?;
    let mut sheets = Vec::new();
    for Map { name } in world.maps {
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Err(reject("world.maps", name, "not beside the world", "put all maps into its folder"));
        }
        let bytes = files.read(&name, MAX_BYTES)?;
        let sheet: Sheet = read(&bytes, name.ends_with(".tmj") || name.ends_with(".json"), files)?;
        if sheet.fact(names::FAMILY) != Some("tower") {
            let remedy = "name only maps of one tower";
            return Err(reject("world.maps", name, "not the floor of a tower", remedy));
        }
        sheets.push(sheet);
    }
    let Some(first) = sheets.first() else {
        return Err(reject("world.maps", "none", "a tower has floors", "name the map of each floor"));
    };
    let config: tower::Config = json(first, names::CONFIG)?;
    let (spec, stated) = (config.resolve()?, digest(first)?);
    let mut tower = Tower { seed: seed(first, names::SEED)?, spec, floors: Vec::new() };
    let mut entrance = None;
    for (number, sheet) in sheets.iter().enumerate() {
        let place = (number as u32).min(tower.spec.floors() - 1);
        // Where a floor cannot begin there, the validator reports that the chain is broken.
        let spec = tower.spec.floor(place, entrance).or_else(|_| tower.spec.floor(place, None))?;
        let floor = floor_of(sheet, spec, names::FLOOR_SEED)?;
        entrance = Some(floor.exit);
        tower.floors.push(floor);
    }
    Ok(Reading { content: tower.into(), stated: Some(stated), pins: None })
}
