//! Reading TMJ. Lists are bounded while they are read, so that a small file cannot ask for much memory.

use super::data::from_base64;
use super::sheet::{
    Facts, MAX_CELLS, MAX_LAYERS, MAX_OBJECTS, MAX_PROPERTIES, MAX_TILES, ReadLayer, ReadObject, ReadSet,
    ReadTile, Sheet,
};
use crate::bounded::Few;
use crate::error::{FormatError, refuse};
use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use wayforge::describe_json_error;

/// How deep groups of layers may stand in each other.
const MAX_DEPTH: u32 = 8;

/// Reads a map strictly; what has no meaning here (pictures, editor settings) is passed over.
pub(crate) fn read(bytes: &[u8]) -> Result<Sheet, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let map: Map = serde_json::from_slice(bytes).map_err(|error| {
        refuse("document", "JSON", describe_json_error(&error), "save the map again in Tiled")
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
        refuse("tileset", "JSON", describe_json_error(&error), "save the tileset again in Tiled")
    })?;
    tiles(set.tiles, room)
}

fn tiles(list: Few<Tile, MAX_TILES>, room: usize) -> Result<BTreeMap<u32, ReadTile>, FormatError> {
    if list.0.len() > room {
        return Err(refuse("tileset.tiles", MAX_TILES, "too many", "use fewer tiles"));
    }
    let read =
        |tile: Tile| (tile.id, ReadTile { kind: tile.kind + &tile.class, facts: facts(tile.properties) });
    Ok(list.0.into_iter().map(read).collect())
}

fn layers(list: Few<Layer, MAX_LAYERS>, sheet: &mut Sheet, depth: u32) -> Result<(), FormatError> {
    for layer in list.0 {
        let field = format!("layer {}", layer.name);
        match layer.kind.as_str() {
            "tilelayer" => {
                let count = sheet.make_room(&layer.name)?;
                for (side, said, is) in
                    [("width", layer.width, sheet.size.width), ("height", layer.height, sheet.size.height)]
                {
                    if said != u32::from(is) {
                        let problem = format!("the map's is {is}");
                        return Err(refuse(format!("{field}.{side}"), said, problem, "use that of the map"));
                    }
                }
                let cells = match layer.data {
                    Some(Data::Cells(cells)) if cells.len() == count => cells,
                    Some(Data::Cells(cells)) => {
                        let problem = format!("the layer has {count} cells");
                        let there = format!("{} numbers", cells.len());
                        return Err(refuse(field, there, problem, "write one number for each cell"));
                    }
                    Some(Data::Text(text)) => from_base64(&text, &layer.compression, count, &field)?,
                    None => return Err(refuse(field, "no data", "needed", "save it again in Tiled")),
                };
                sheet.layers.push(ReadLayer { name: layer.name, cells });
            }
            "objectgroup" => {
                if sheet.objects.len() + layer.objects.0.len() > MAX_OBJECTS {
                    let remedy = format!("use at most {MAX_OBJECTS}");
                    return Err(refuse("objects", MAX_OBJECTS + 1, "too many", remedy));
                }
                for object in layer.objects.0 {
                    sheet.objects.push(object.read(&layer.name)?);
                }
            }
            "group" if depth < MAX_DEPTH => layers(layer.layers, sheet, depth + 1)?,
            "group" => {
                return Err(refuse("layers", layer.name, "groups of layers stand too deep", "ungroup them"));
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
    value: Told,
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
            false => Err(refuse(object.title(), "a place", "not a number", "save the map again in Tiled")),
        }
    }
}

fn facts(list: Few<Property, MAX_PROPERTIES>) -> Facts {
    list.0.into_iter().map(|property| (property.name, property.value.0)).collect()
}

/// The cells of a layer: numbers, or base64.
enum Data {
    Cells(Vec<u32>),
    Text(String),
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Data, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Data;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("numbers of tiles, or base64")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Data, E> {
                Ok(Data::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Data, A::Error> {
                let few = Few::<u32, MAX_CELLS>::collect(seq)?;
                Ok(Data::Cells(few.0))
            }
        }
        deserializer.deserialize_any(Seen)
    }
}

/// A value as text; lists and objects are passed over.
struct Told(String);

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Told, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Told;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Told, E> {
                Ok(Told(text.to_owned()))
            }

            fn visit_bool<E: de::Error>(self, so: bool) -> Result<Told, E> {
                Ok(Told(so.to_string()))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Told, E> {
                Ok(Told(number.to_string()))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Told, E> {
                Ok(Told(number.to_string()))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Told, E> {
                Ok(Told(number.to_string()))
            }

            fn visit_unit<E: de::Error>(self) -> Result<Told, E> {
                Ok(Told(String::new()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Told, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Told(String::new()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Told, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Told(String::new()))
            }
        }
        deserializer.deserialize_any(Seen)
    }
}
