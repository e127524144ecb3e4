//! Reading TMX.

use super::data::{from_base64, from_csv};
use super::sheet::{
    Facts, MAX_DEPTH, MAX_LAYERS, MAX_PROPERTIES, Point, ReadLayer, ReadObject, ReadSet, ReadTile, Sheet,
    check_count, check_tiles,
};
use super::xml::{Element, Xml, finite};
use crate::bounded::Few;
use crate::error::{FormatError, reject};
use std::collections::BTreeMap;

/// Reads a map strictly; what has no meaning here (pictures, editor settings) is passed over.
pub(crate) fn read(bytes: &[u8]) -> Result<Sheet, FormatError> {
    let mut xml = Xml::new(bytes)?;
    let map = xml.root("map")?;
    let side = |name: &str| map.whole(name, 0);
    let sides = [side("width")?, side("height")?, side("tilewidth")?, side("tileheight")?];
    let mut sheet = Sheet::start(sides, map.text("orientation"), map.text("infinite") == "1")?;
    inside_map(&mut xml, &mut sheet, 0)?;
    xml.end()?;
    Ok(sheet)
}

/// Reads what a map or a group holds, up to its end.
fn inside_map(xml: &mut Xml<'_>, sheet: &mut Sheet, depth: u32) -> Result<(), FormatError> {
    xml.children(|xml, element| match element.name.as_str() {
        "properties" if depth == 0 => properties(xml, &mut sheet.facts),
        "tileset" => tileset(xml, &element, sheet),
        "layer" => layer(xml, &element, sheet),
        "objectgroup" => objects(xml, &element, sheet),
        "group" if depth == MAX_DEPTH => Err(xml.wrong("groups of layers stand too deep")),
        "group" => inside_map(xml, sheet, depth + 1),
        _ => xml.skip(),
    })
}

fn properties(xml: &mut Xml<'_>, facts: &mut Facts) -> Result<(), FormatError> {
    xml.children(|xml, property| {
        if property.name != "property" {
            return xml.skip();
        }
        if facts.len() == MAX_PROPERTIES {
            let remedy = format!("keep at most {MAX_PROPERTIES}");
            return Err(reject("properties", property.text("name"), "too many", remedy));
        }
        // Text of several lines stands inside the element.
        let value = property.text("value").to_owned() + &xml.content()?;
        facts.insert(property.text("name").to_owned(), value);
        Ok(())
    })
}

fn tileset(xml: &mut Xml<'_>, element: &Element, sheet: &mut Sheet) -> Result<(), FormatError> {
    check_count("tilesets", sheet.tilesets.len() + 1, MAX_LAYERS)?;
    let (first, source) = (element.whole("firstgid", 0)?, Some(element.text("source").to_owned()));
    let tiles = tiles(xml, sheet.room_for_tiles())?;
    sheet.tilesets.push(ReadSet { first, source, tiles });
    Ok(())
}

/// Reads a tileset that stands in a file of its own, of at most `room` tiles.
pub(crate) fn read_tileset(bytes: &[u8], room: usize) -> Result<BTreeMap<u32, ReadTile>, FormatError> {
    let mut xml = Xml::new(bytes)?;
    xml.root("tileset")?;
    let tiles = tiles(&mut xml, room)?;
    xml.end()?;
    Ok(tiles)
}

/// The tiles of a tileset that say something about themselves.
fn tiles(xml: &mut Xml<'_>, room: usize) -> Result<BTreeMap<u32, ReadTile>, FormatError> {
    let mut tiles = BTreeMap::new();
    xml.children(|xml, tile| {
        if tile.name != "tile" {
            return xml.skip();
        }
        check_tiles(tiles.len() + 1, room)?;
        let mut facts = Facts::new();
        xml.children(|xml, inner| match inner.name.as_str() {
            "properties" => properties(xml, &mut facts),
            _ => xml.skip(),
        })?;
        let id = tile.whole("id", 0)?;
        tiles.insert(id, ReadTile { id, kind: kind(&tile), facts });
        Ok(())
    })?;
    Ok(tiles)
}

/// The type of a tile or an object. Since 1.9 it is called a class.
fn kind(element: &Element) -> String {
    [element.text("type"), element.text("class")].concat()
}

fn layer(xml: &mut Xml<'_>, element: &Element, sheet: &mut Sheet) -> Result<(), FormatError> {
    let name = element.text("name").to_owned();
    let own = sheet.size;
    let size = (element.whole("width", own.width.into())?, element.whole("height", own.height.into())?);
    let count = sheet.make_room(&name, size)?;
    let (field, mut cells) = (format!("layer {name}"), None);
    xml.children(|xml, data| {
        if data.name != "data" || cells.is_some() {
            return xml.skip();
        }
        let text = xml.content()?;
        cells = Some(match data.text("encoding") {
            "csv" => from_csv(&text, count, &field)?,
            "base64" => from_base64(&text, data.text("compression"), count, &field)?,
            other => {
                let remedy = "in Tiled's map properties choose CSV, or base64 uncompressed, gzip or zlib";
                return Err(reject(format!("{field}.encoding"), other, "not read here", remedy));
            }
        });
        Ok(())
    })?;
    let cells = cells.ok_or_else(|| reject(field, "no data", "needed", "save it again in Tiled"))?;
    sheet.layers.push(ReadLayer { name, cells });
    Ok(())
}

fn objects(xml: &mut Xml<'_>, element: &Element, sheet: &mut Sheet) -> Result<(), FormatError> {
    xml.children(|xml, object| {
        if object.name != "object" {
            return xml.skip();
        }
        sheet.check_objects(1)?;
        let read = read_object(xml, &object, element.text("name"))?;
        sheet.objects.push(read);
        Ok(())
    })
}

fn read_object(xml: &mut Xml<'_>, element: &Element, layer: &str) -> Result<ReadObject, FormatError> {
    let mut object = ReadObject {
        layer: layer.to_owned(),
        id: element.whole("id", 0)?,
        name: element.text("name").to_owned(),
        kind: kind(element),
        gid: element.whole("gid", 0)?,
        x: element.number("x")?,
        y: element.number("y")?,
        width: element.number("width")?,
        height: element.number("height")?,
        polyline: Few::default(),
        facts: Facts::new(),
    };
    xml.children(|xml, inner| {
        if inner.name == "properties" {
            return properties(xml, &mut object.facts);
        }
        if inner.name == "polyline" {
            object.polyline = Few(points(inner.text("points"), &object)?);
        }
        xml.skip()
    })?;
    Ok(object)
}

fn points(text: &str, object: &ReadObject) -> Result<Vec<Point>, FormatError> {
    let point = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some(Point { x: finite(x)?, y: finite(y)? })
    };
    let read = |text: &str| {
        let remedy = "write points as x,y with spaces between";
        point(text).ok_or_else(|| reject(object.title(), text, "not a point", remedy))
    };
    text.split_ascii_whitespace().map(read).collect()
}
