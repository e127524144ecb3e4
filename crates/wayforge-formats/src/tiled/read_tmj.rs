//! Reading TMJ. Lists are bounded while they are read, so that a small file cannot ask for much memory.

use super::data::from_base64;
use super::sheet::{
    Facts, MAX_CELLS, MAX_DEPTH, MAX_LAYERS, MAX_OBJECTS, MAX_PROPERTIES, MAX_TILES, ReadLayer, ReadObject,
    ReadSet, ReadTile, Sheet, Tiles, check_count, check_tiles,
};
use crate::error::{FormatError, reject};
use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::marker::PhantomData;
use wayforge::describe_json_error;

/// Reads a map strictly; what has no meaning here (pictures, editor settings) is passed over.
pub(crate) fn read(bytes: &[u8]) -> Result<Sheet, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let map: Map = parse(bytes, "document", "save the map again in Tiled")?;
    let sides = [map.width, map.height, map.tilewidth, map.tileheight];
    let mut sheet = Sheet::start(sides, &map.orientation, map.infinite)?;
    sheet.facts = map.properties;
    for set in map.tilesets {
        check_tiles(set.tiles.len(), sheet.room_for_tiles())?;
        sheet.tilesets.push(set);
    }
    layers(map.layers, &mut sheet, 0)?;
    Ok(sheet)
}

/// Reads a tileset that stands in a file of its own, of at most `room` tiles.
pub(crate) fn read_tileset(bytes: &[u8], room: usize) -> Result<Tiles, FormatError> {
    #[derive(Deserialize)]
    struct Alone {
        #[serde(default, deserialize_with = "tiles")]
        tiles: Tiles,
    }
    let set: Alone = parse(bytes, "tileset", "save the tileset again in Tiled")?;
    check_tiles(set.tiles.len(), room)?;
    Ok(set.tiles)
}

/// Parses JSON; `field` and `remedy` are those of the error.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8], field: &str, remedy: &str) -> Result<T, FormatError> {
    serde_json::from_slice(bytes).map_err(|error| reject(field, "JSON", describe_json_error(&error), remedy))
}

fn layers(list: Vec<Layer>, sheet: &mut Sheet, depth: u32) -> Result<(), FormatError> {
    for layer in list {
        let field = format!("layer {}", layer.name);
        match layer.kind.as_str() {
            "tilelayer" => {
                let count = sheet.make_room(&layer.name, (layer.width, layer.height))?;
                let cells = match layer.data {
                    Some(Data::Cells(cells)) if cells.len() == count => cells,
                    Some(Data::Cells(cells)) => {
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
                check_count("objects", sheet.objects.len() + layer.objects.len(), MAX_OBJECTS)?;
                let objects = layer.objects.into_iter();
                let layer = &layer.name;
                sheet.objects.extend(objects.map(|object| ReadObject { layer: layer.clone(), ..object }));
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
    #[serde(default, deserialize_with = "facts")]
    properties: Facts,
    #[serde(default, deserialize_with = "few::<_, _, MAX_LAYERS>")]
    tilesets: Vec<ReadSet>,
    #[serde(default, deserialize_with = "few::<_, _, MAX_LAYERS>")]
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    #[serde(deserialize_with = "text_of")]
    value: String,
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
    #[serde(default, deserialize_with = "few::<_, _, MAX_OBJECTS>")]
    objects: Vec<ReadObject>,
    #[serde(default, deserialize_with = "few::<_, _, MAX_LAYERS>")]
    layers: Vec<Layer>,
}

/// Reads a list of properties.
pub(super) fn facts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Facts, D::Error> {
    let list: Vec<Property> = few::<_, _, MAX_PROPERTIES>(deserializer)?;
    Ok(list.into_iter().map(|property| (property.name, property.value)).collect())
}

/// Reads a list of tiles.
pub(super) fn tiles<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Tiles, D::Error> {
    let list: Vec<ReadTile> = few::<_, _, MAX_TILES>(deserializer)?;
    Ok(list.into_iter().map(|tile| (tile.id, tile)).collect())
}

/// The cells of a layer: numbers, or base64.
enum Data {
    Cells(Vec<u32>),
    Text(String),
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Data, D::Error> {
        // A raw value is a slice of the file: nothing is buffered.
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let data = match raw.starts_with('"') {
            true => serde_json::from_str(raw).map(Data::Text),
            false => few::<_, _, MAX_CELLS>(&mut serde_json::Deserializer::from_str(raw)).map(Data::Cells),
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

/// Deserializes a list of at most `MAX` values. A longer one is rejected while it is read, not after.
pub(super) fn few<'de, D, T, const MAX: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Few<T, const MAX: usize>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for Few<T, MAX> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MAX}")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
            let mut values = Vec::new();
            while let Some(value) = seq.next_element()? {
                if values.len() == MAX {
                    return Err(de::Error::custom(format_args!("a list longer than {MAX}")));
                }
                values.push(value);
            }
            Ok(values)
        }
    }
    deserializer.deserialize_seq(Few::<T, MAX>(PhantomData))
}
