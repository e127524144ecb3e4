//! TMJ reader. Lists are limited while they are parsed, so a small file cannot cause large
//! allocations.

use super::data::from_base64;
use super::parsed_map::{
    MAX_CELLS, MAX_DEPTH, MAX_LAYERS, MAX_OBJECTS, MAX_PROPERTIES, MAX_TILES, ParsedLayer,
    ParsedMap, ParsedObject, ParsedTile, ParsedTileset, Properties, Tiles, check_count,
};
use crate::error::{FormatError, reject};
use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::marker::PhantomData;
use wayforge::describe_json_error;

/// Reads a map strictly. Unused parts (images, editor settings) are skipped.
pub(crate) fn read(bytes: &[u8]) -> Result<ParsedMap, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let map: Map = parse(bytes, "document", "save the map again in Tiled")?;
    let sides = [map.width, map.height, map.tilewidth, map.tileheight];
    let mut parsed = ParsedMap::new(sides, &map.orientation, map.infinite)?;
    parsed.properties = map.properties;
    for set in map.tilesets {
        check_count("tileset.tiles", set.tiles.len(), parsed.remaining_tiles())?;
        parsed.tilesets.push(set);
    }
    read_layers(map.layers, &mut parsed, 0)?;
    Ok(parsed)
}

/// Reads an external tileset of at most `max_tiles` tiles.
pub(crate) fn read_tileset(bytes: &[u8], max_tiles: usize) -> Result<Tiles, FormatError> {
    #[derive(Deserialize)]
    struct TilesetFile {
        #[serde(default, deserialize_with = "tiles")]
        tiles: Tiles,
    }
    let set: TilesetFile = parse(bytes, "tileset", "save the tileset again in Tiled")?;
    check_count("tileset.tiles", set.tiles.len(), max_tiles)?;
    Ok(set.tiles)
}

/// Parses JSON. `field` and `remedy` are used for the error.
pub(super) fn parse<T: DeserializeOwned>(
    bytes: &[u8],
    field: &str,
    remedy: &str,
) -> Result<T, FormatError> {
    serde_json::from_slice(bytes)
        .map_err(|error| reject(field, "JSON", describe_json_error(&error), remedy))
}

fn read_layers(list: Vec<Layer>, parsed: &mut ParsedMap, depth: u32) -> Result<(), FormatError> {
    for layer in list {
        let field = format!("layer {}", layer.name);
        match layer.kind.as_str() {
            "tilelayer" => {
                let count = parsed.reserve_layer(&layer.name, (layer.width, layer.height))?;
                let cells = match layer.data {
                    Some(Data::Cells(cells)) if cells.len() == count => cells,
                    Some(Data::Cells(cells)) => {
                        let problem = format!("the layer has {count} cells");
                        let value = format!("{} numbers", cells.len());
                        return Err(reject(
                            field,
                            value,
                            problem,
                            "write one number for each cell",
                        ));
                    }
                    Some(Data::Text(text)) => {
                        from_base64(&text, &layer.compression, count, &field)?
                    }
                    None => {
                        return Err(reject(field, "no data", "required", "save it again in Tiled"));
                    }
                };
                parsed.layers.push(ParsedLayer { name: layer.name, cells });
            }
            "objectgroup" => {
                check_count("objects", parsed.objects.len() + layer.objects.len(), MAX_OBJECTS)?;
                let objects = layer.objects.into_iter();
                let layer = &layer.name;
                parsed
                    .objects
                    .extend(objects.map(|object| ParsedObject { layer: layer.clone(), ..object }));
            }
            "group" if depth < MAX_DEPTH => read_layers(layer.layers, parsed, depth + 1)?,
            "group" => {
                return Err(reject(
                    "layers",
                    layer.name,
                    "layer groups are nested too deeply",
                    "ungroup them",
                ));
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
    #[serde(default, deserialize_with = "properties")]
    properties: Properties,
    #[serde(default, deserialize_with = "bounded_list::<_, _, MAX_LAYERS>")]
    tilesets: Vec<ParsedTileset>,
    #[serde(default, deserialize_with = "bounded_list::<_, _, MAX_LAYERS>")]
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    #[serde(deserialize_with = "value_as_text")]
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
    #[serde(default, deserialize_with = "bounded_list::<_, _, MAX_OBJECTS>")]
    objects: Vec<ParsedObject>,
    #[serde(default, deserialize_with = "bounded_list::<_, _, MAX_LAYERS>")]
    layers: Vec<Layer>,
}

/// Deserializes a list of properties.
pub(super) fn properties<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Properties, D::Error> {
    let list: Vec<Property> = bounded_list::<_, _, MAX_PROPERTIES>(deserializer)?;
    Ok(list.into_iter().map(|property| (property.name, property.value)).collect())
}

/// Deserializes a list of tiles.
pub(super) fn tiles<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Tiles, D::Error> {
    let list: Vec<ParsedTile> = bounded_list::<_, _, MAX_TILES>(deserializer)?;
    Ok(list.into_iter().map(|tile| (tile.id, tile)).collect())
}

/// Cells of a layer: numbers, or base64 text.
enum Data {
    Cells(Vec<u32>),
    Text(String),
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Data, D::Error> {
        // A raw value borrows from the input, so nothing is buffered.
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let data = if raw.starts_with('"') {
            serde_json::from_str(raw).map(Data::Text)
        } else {
            bounded_list::<_, _, MAX_CELLS>(&mut serde_json::Deserializer::from_str(raw))
                .map(Data::Cells)
        };
        data.map_err(|error| without_position(&error))
    }
}

/// Rewords an error inside a raw value, without its position, which is relative to the value.
fn without_position<E: de::Error>(error: &serde_json::Error) -> E {
    let text = describe_json_error(error);
    E::custom(text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem))
}

/// Returns a value as text. Lists, objects and null become empty.
fn value_as_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?.get();
    match raw.as_bytes().first() {
        Some(b'"') => serde_json::from_str(raw).map_err(|error| without_position(&error)),
        Some(b'[' | b'{' | b'n') => Ok(String::new()),
        _ => Ok(raw.to_owned()),
    }
}

/// Deserializes a list of at most `MAX` values. Fails at the first excess value.
pub(super) fn bounded_list<'de, D, T, const MAX: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct BoundedList<T, const MAX: usize>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for BoundedList<T, MAX> {
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
    deserializer.deserialize_seq(BoundedList::<T, MAX>(PhantomData))
}
