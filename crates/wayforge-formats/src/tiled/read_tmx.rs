//! Reading TMX.

use super::data::{from_base64, from_csv};
use super::sheet::{
    Facts, MAX_LAYERS, MAX_OBJECTS, MAX_PROPERTIES, MAX_TILES, ReadLayer, ReadObject, ReadSet, ReadTile,
    Sheet,
};
use super::xml::{Element, Piece, Xml};
use crate::error::{FormatError, refuse};
use std::collections::BTreeMap;

/// How deep groups of layers may stand in each other.
const MAX_DEPTH: u32 = 8;

/// Reads a map strictly; what has no meaning here (pictures, editor settings) is passed over.
pub(crate) fn read(bytes: &[u8]) -> Result<Sheet, FormatError> {
    let mut xml = Xml::new(bytes)?;
    let map = xml.root("map")?;
    let side = |name: &str| map.whole(name, 0);
    let mut sheet = Sheet::start(
        side("width")?,
        side("height")?,
        (side("tilewidth")?, side("tileheight")?),
        map.text("orientation"),
        map.text("infinite") == "1",
    )?;
    if !map.empty {
        inside_map(&mut xml, &mut sheet, 0)?;
    }
    xml.end()?;
    Ok(sheet)
}

/// Reads what a map or a group holds, up to its end.
fn inside_map(xml: &mut Xml<'_>, sheet: &mut Sheet, depth: u32) -> Result<(), FormatError> {
    loop {
        let element = match xml.inside()? {
            Piece::Close => return Ok(()),
            Piece::Text(_) => continue,
            Piece::Open(element) => element,
        };
        match element.name.as_str() {
            "properties" if depth == 0 => properties(xml, &element, &mut sheet.facts)?,
            "tileset" => tileset(xml, &element, sheet)?,
            "layer" => layer(xml, &element, sheet)?,
            "objectgroup" => objects(xml, &element, sheet)?,
            "group" if depth == MAX_DEPTH => return Err(xml.wrong("groups of layers stand too deep")),
            "group" if !element.empty => inside_map(xml, sheet, depth + 1)?,
            _ => xml.skip(&element)?,
        }
    }
}

fn properties(xml: &mut Xml<'_>, element: &Element, facts: &mut Facts) -> Result<(), FormatError> {
    if element.empty {
        return Ok(());
    }
    loop {
        match xml.inside()? {
            Piece::Close => return Ok(()),
            Piece::Text(_) => {}
            Piece::Open(property) if property.name == "property" => {
                if facts.len() == MAX_PROPERTIES {
                    let remedy = format!("keep at most {MAX_PROPERTIES}");
                    return Err(refuse("properties", property.text("name"), "too many", remedy));
                }
                // Text of several lines stands inside the element.
                let name = property.text("name").to_owned();
                let value = property.text("value").to_owned();
                let value = if property.empty { value } else { value + &xml.content(&property)? };
                facts.insert(name, value);
            }
            Piece::Open(other) => xml.skip(&other)?,
        }
    }
}

fn tileset(xml: &mut Xml<'_>, element: &Element, sheet: &mut Sheet) -> Result<(), FormatError> {
    if sheet.tilesets.len() == MAX_LAYERS {
        return Err(refuse("tilesets", MAX_LAYERS + 1, "too many", format!("use at most {MAX_LAYERS}")));
    }
    let (first, source) = (element.whole("firstgid", 0)?, element.text("source").to_owned());
    let tiles = tiles(xml, element, sheet.room_for_tiles())?;
    sheet.tilesets.push(ReadSet { first, source, tiles });
    Ok(())
}

/// Reads a tileset that stands in a file of its own, of at most `room` tiles.
pub(crate) fn read_tileset(bytes: &[u8], room: usize) -> Result<BTreeMap<u32, ReadTile>, FormatError> {
    let mut xml = Xml::new(bytes)?;
    let element = xml.root("tileset")?;
    let tiles = tiles(&mut xml, &element, room)?;
    xml.end()?;
    Ok(tiles)
}

/// The tiles of a tileset that say something about themselves.
fn tiles(xml: &mut Xml<'_>, element: &Element, room: usize) -> Result<BTreeMap<u32, ReadTile>, FormatError> {
    let mut tiles = BTreeMap::new();
    if element.empty {
        return Ok(tiles);
    }
    loop {
        match xml.inside()? {
            Piece::Close => return Ok(tiles),
            Piece::Text(_) => {}
            Piece::Open(tile) if tile.name == "tile" => {
                if tiles.len() >= room {
                    return Err(refuse("tileset.tiles", MAX_TILES, "too many", "use fewer tiles"));
                }
                let (id, read) = read_tile(xml, &tile)?;
                tiles.insert(id, read);
            }
            Piece::Open(other) => xml.skip(&other)?,
        }
    }
}

fn read_tile(xml: &mut Xml<'_>, element: &Element) -> Result<(u32, ReadTile), FormatError> {
    // Since 1.9 a type is called a class.
    let kind = [element.text("type"), element.text("class")].concat();
    let mut tile = ReadTile { kind, ..ReadTile::default() };
    if !element.empty {
        loop {
            match xml.inside()? {
                Piece::Close => break,
                Piece::Text(_) => {}
                Piece::Open(inner) if inner.name == "properties" => properties(xml, &inner, &mut tile.facts)?,
                Piece::Open(other) => xml.skip(&other)?,
            }
        }
    }
    Ok((element.whole("id", 0)?, tile))
}

fn layer(xml: &mut Xml<'_>, element: &Element, sheet: &mut Sheet) -> Result<(), FormatError> {
    let name = element.text("name").to_owned();
    let count = sheet.make_room(&name)?;
    for (side, is) in [("width", sheet.size.width), ("height", sheet.size.height)] {
        if element.whole(side, is.into())? != u32::from(is) {
            let problem = format!("the map's is {is}");
            return Err(refuse(
                format!("layer {name}.{side}"),
                element.text(side),
                problem,
                "use that of the map",
            ));
        }
    }
    let mut cells = None;
    if !element.empty {
        loop {
            match xml.inside()? {
                Piece::Close => break,
                Piece::Text(_) => {}
                Piece::Open(data) if data.name == "data" && cells.is_none() => {
                    let field = format!("layer {name}");
                    let (encoding, compression) =
                        (data.text("encoding").to_owned(), data.text("compression").to_owned());
                    let text = xml.content(&data)?;
                    cells = Some(match encoding.as_str() {
                        "csv" => from_csv(&text, count, &field)?,
                        "base64" => from_base64(&text, &compression, count, &field)?,
                        other => {
                            let remedy =
                                "in Tiled's map properties choose CSV, or base64 uncompressed, gzip or zlib";
                            return Err(refuse(format!("{field}.encoding"), other, "not read here", remedy));
                        }
                    });
                }
                Piece::Open(other) => xml.skip(&other)?,
            }
        }
    }
    let cells = cells
        .ok_or_else(|| refuse(format!("layer {name}"), "no data", "needed", "save it again in Tiled"))?;
    sheet.layers.push(ReadLayer { name, cells });
    Ok(())
}

fn objects(xml: &mut Xml<'_>, element: &Element, sheet: &mut Sheet) -> Result<(), FormatError> {
    if element.empty {
        return Ok(());
    }
    let layer = element.text("name").to_owned();
    loop {
        match xml.inside()? {
            Piece::Close => return Ok(()),
            Piece::Text(_) => {}
            Piece::Open(object) if object.name == "object" => {
                if sheet.objects.len() == MAX_OBJECTS {
                    let remedy = format!("use at most {MAX_OBJECTS}");
                    return Err(refuse("objects", MAX_OBJECTS + 1, "too many", remedy));
                }
                let read = read_object(xml, &object, &layer)?;
                sheet.objects.push(read);
            }
            Piece::Open(other) => xml.skip(&other)?,
        }
    }
}

fn read_object(xml: &mut Xml<'_>, element: &Element, layer: &str) -> Result<ReadObject, FormatError> {
    let mut object = ReadObject {
        layer: layer.to_owned(),
        id: element.whole("id", 0)?,
        name: element.text("name").to_owned(),
        kind: [element.text("type"), element.text("class")].concat(),
        gid: element.whole("gid", 0)?,
        x: element.number("x")?,
        y: element.number("y")?,
        width: element.number("width")?,
        height: element.number("height")?,
        ..ReadObject::default()
    };
    if !element.empty {
        loop {
            match xml.inside()? {
                Piece::Close => break,
                Piece::Text(_) => {}
                Piece::Open(inner) if inner.name == "properties" => {
                    properties(xml, &inner, &mut object.facts)?
                }
                Piece::Open(line) if line.name == "polyline" => {
                    object.line = points(line.text("points"), &object)?;
                    xml.skip(&line)?;
                }
                Piece::Open(other) => xml.skip(&other)?,
            }
        }
    }
    Ok(object)
}

fn points(text: &str, object: &ReadObject) -> Result<Vec<(f64, f64)>, FormatError> {
    let point = |text: &str| -> Option<(f64, f64)> {
        let (x, y) = text.split_once(',')?;
        let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
        Some((number(x)?, number(y)?))
    };
    let read = |text: &str| {
        let refused =
            || refuse(object.title(), text, "not a point", "write points as x,y with spaces between");
        point(text).ok_or_else(refused)
    };
    text.split_ascii_whitespace().map(read).collect()
}
