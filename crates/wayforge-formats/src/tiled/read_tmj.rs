//! Reading TMJ. Lists are bounded while they are read, so that a small file cannot ask for much memory.

use super::data::from_base64;
use super::sheet::{
    Facts, MAX_CELLS, MAX_DEPTH, MAX_LAYERS, MAX_OBJECTS, MAX_PROPERTIES, MAX_TILES, ReadLayer, ReadObject,
    ReadSet, ReadTile, Sheet, check_tiles,
};
use crate::bounded::Few;
use crate::error::{FormatError, reject};
use serde::Deserialize;
use serde::de::{self, Deserializer};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use wayforge::describe_json_error;

/// Reads a map strictly; what has no meaning here (pictures, editor settings) is passed over.
pub(crate) fn read(bytes: &[u8]) -> Result<Sheet, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let map: Map = serde_json::from_slice(bytes).map_err(|error| {
        reject("document", "JSON", describe_json_error(&error), "save the map again in Tiled")
    })?;
    let mut sheet =
        Sheet::start(map.width, map.height, (map.tilewidth, map.tileheight), &map.orientation, map.infinite)?;
    sheet.facts = facts(map.properties);
    for set in map.tilesets.0 {
        let tiles = tiles(set.tiles, sheet.room_for_tiles())?;
        sheet.tilesets.push(ReadSet { first: set.firstgid, source: set.source.unwrap_or_default(), tiles });
    }
    layers(map.layers, &mut sheet, 0)?;
    Ok(sheet)
}

/// Reads a tileset that stands in a file of its own, of at most `room` tiles.
pub(crate) fn read_tileset(bytes: &[u8], room: usize) -> Result<BTreeMap<u32, ReadTile>, FormatError> {
    #[derive(Deserialize)]
    struct Alone {
        #[serde(default)]
        tiles: Few<Tile, MAX_TILES>,
    }
    let set: Alone = serde_json::from_slice(bytes).map_err(|error| {
        reject("tileset", "JSON", describe_json_error(&error), "save the tileset again in Tiled")
    })?;
    tiles(set.tiles, room)
}

fn tiles(list: Few<Tile, MAX_TILES>, room: usize) -> Result<BTreeMap<u32, ReadTile>, FormatError> {
    check_tiles(list.0.len(), room)?;
    let read =
        |tile: Tile| (tile.id, ReadTile { kind: tile.kind + &tile.class, facts: facts(tile.properties) });
    Ok(list.0.into_iter().map(read).collect())
}

fn layers(list: Few<Layer, MAX_LAYERS>, sheet: &mut Sheet, depth: u32) -> Result<(), FormatError> {
    for layer in list.0 {
        let field = format!("layer {}", layer.name);
        match layer.kind.as_str() {
            "tilelayer" => {
                let count = sheet.make_room(&layer.name, (layer.width, layer.height))?;
                let cells = match layer.data {
                    Some(Data::Cells(Few(cells))) if cells.len() == count => cells,
                    Some(Data::Cells(Few(cells))) => {
                        let problem = format!("the layer has {count} cells");
                        let there = format!("{} numbers", cells.len());
                        return Err(reject(field, there, problem, "write one number for each cell"));
                    }
                    Some(Data::Text(text)) => from_base64(&text, &layer.compression, count, &field)?,
                    None => return Err(reject(field, "no data", "needed", "save it again in Tiled")),
                };
                sheet.layers.push(ReadLayer { name: layer.name, cells });
            }
            "objectgroup" => {
                sheet.check_objects(layer.objects.0.len())?;
                for object in layer.objects.0 {
                    sheet.objects.push(object.read(&layer.name)?);
                }
            }
            "group" if depth < MAX_DEPTH => layers(layer.layers, sheet, depth + 1)?,
            "group" => {
                return Err(reject("layers", layer.name, "groups of layers stand too deep", "ungroup them"));
            }
            _ => {}
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Map {
    width: u32,
    height: u32,
    tilewidth: u32,
    tileheight: u32,
    orientation: String,
    #[serde(default)]
    infinite: bool,
    #[serde(default)]
    properties: Few<Property, MAX_PROPERTIES>,
    #[serde(default)]
    tilesets: Few<Set, MAX_LAYERS>,
    #[serde(default)]
    layers: Few<Layer, MAX_LAYERS>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    #[serde(deserialize_with = "text_of")]
    value: String,
}

#[derive(Deserialize)]
struct Set {
    firstgid: u32,
    source: Option<String>,
    #[serde(default)]
    tiles: Few<Tile, MAX_TILES>,
}

#[derive(Deserialize)]
struct Tile {
    id: u32,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    class: String,
    #[serde(default)]
    properties: Few<Property, MAX_PROPERTIES>,
}

#[derive(Deserialize)]
struct Layer {
    #[serde(default)]
    name: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    width: u32,
    #[serde(default)]
    height: u32,
    #[serde(default)]
    compression: String,
    data: Option<Data>,
    #[serde(default)]
    objects: Few<Object, MAX_OBJECTS>,
    #[serde(default)]
    layers: Few<Layer, MAX_LAYERS>,
}

#[derive(Deserialize)]
struct Object {
    #[serde(default)]
    id: u32,
    #[serde(default)]
    name: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    class: String,
    #[serde(default)]
    gid: u32,
    x: f64,
    y: f64,
    #[serde(default)]
    width: f64,
    #[serde(default)]
    height: f64,
    #[serde(default)]
    polyline: Few<Point, MAX_OBJECTS>,
    #[serde(default)]
    properties: Few<Property, MAX_PROPERTIES>,
}

#[derive(Deserialize)]
struct Point {
    x: f64,
    y: f64,
}

impl Object {
    fn read(self, layer: &str) -> Result<ReadObject, FormatError> {
        let object = ReadObject {
            layer: layer.to_owned(),
            id: self.id,
            name: self.name,
            kind: self.kind + &self.class,
            gid: self.gid,
            x: self.x,
            y: self.y,
            width: self.width,
            height: self.height,
            line: self.polyline.0.iter().map(|point| (point.x, point.y)).collect(),
            facts: facts(self.properties),
        };
        let numbers = [object.x, object.y, object.width, object.height];
        match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(object),
            false => Err(reject(object.title(), "a place", "not a number", "save the map again in Tiled")),
        }
    }
}

fn facts(list: Few<Property, MAX_PROPERTIES>) -> Facts {
    list.0.into_iter().map(|property| (property.name, property.value)).collect()
}

/// The cells of a layer: numbers, or base64.
enum Data {
    Cells(Few<u32, MAX_CELLS>),
    Text(String),
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Data, D::Error> {
        // A raw value is a slice of the file: nothing is buffered.
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let data = match raw.starts_with('"') {
            true => serde_json::from_str(raw).map(Data::Text),
            false => serde_json::from_str(raw).map(Data::Cells),
        };
        data.map_err(de::Error::custom)
    }
}

/// A value as text; lists and objects are passed over.
fn text_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?.get();
    match raw.as_bytes().first() {
        Some(b'"') => serde_json::from_str(raw).map_err(de::Error::custom),
        Some(b'[' | b'{' | b'n') => Ok(String::new()),
        _ => Ok(raw.to_owned()),
    }
}
