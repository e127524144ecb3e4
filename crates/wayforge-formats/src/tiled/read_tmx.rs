//! Reading TMX. XML is pulled piece by piece: no tree, few attributes, little depth, no entities of a file's own.

use super::data::{ENCODINGS, from_base64, from_csv};
use super::sheet::{
    Facts, MAX_DEPTH, MAX_LAYERS, MAX_OBJECTS, MAX_PROPERTIES, Point, ReadLayer, ReadObject, ReadSet,
    ReadTile, Sheet, Tiles, check_count, check_tiles,
};
use crate::error::{FormatError, reject};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

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
pub(crate) fn read_tileset(bytes: &[u8], room: usize) -> Result<Tiles, FormatError> {
    let mut xml = Xml::new(bytes)?;
    xml.root("tileset")?;
    let tiles = tiles(&mut xml, room)?;
    xml.end()?;
    Ok(tiles)
}

/// The tiles of a tileset that say something about themselves.
fn tiles(xml: &mut Xml<'_>, room: usize) -> Result<Tiles, FormatError> {
    let mut tiles = Tiles::new();
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
            other => return Err(reject(format!("{field}.encoding"), other, "not read here", ENCODINGS)),
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
        check_count("objects", sheet.objects.len() + 1, MAX_OBJECTS)?;
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
        polyline: Vec::new(),
        facts: Facts::new(),
    };
    xml.children(|xml, inner| {
        if inner.name == "properties" {
            return properties(xml, &mut object.facts);
        }
        if inner.name == "polyline" {
            object.polyline = points(inner.text("points"), &object)?;
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

/// The most attributes of an element.
const MAX_ATTRIBUTES: usize = 64;

/// What comes next inside an element.
enum Piece<'a> {
    Open(Element),
    Text(Cow<'a, str>),
    Close,
}

/// The beginning of an element.
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
}

struct Xml<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a str,
}

impl<'a> Xml<'a> {
    fn new(bytes: &'a [u8]) -> Result<Xml<'a>, FormatError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| reject("document", "bytes", error.to_string(), "save the map in UTF-8"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Ok(Xml { reader, text })
    }

    /// The element that the document is; it must be called `name`.
    fn root(&mut self, name: &str) -> Result<Element, FormatError> {
        let found = loop {
            match self.next()? {
                Some(Piece::Open(element)) if element.name == name => return Ok(element),
                Some(Piece::Open(element)) => break element.name,
                Some(Piece::Text(text)) if text.trim().is_empty() => {}
                _ => break "text".to_owned(),
            }
        };
        Err(reject("document", found, "not a map", format!("begin with <{name}>")))
    }

    /// Gives every element inside the one that was opened last to `each`, which reads or [skips](Self::skip) it.
    fn children(
        &mut self,
        mut each: impl FnMut(&mut Self, Element) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        loop {
            match self.inside()? {
                Piece::Close => return Ok(()),
                Piece::Text(_) => {}
                Piece::Open(child) => each(self, child)?,
            }
        }
    }

    /// What comes next inside the element that was opened last.
    fn inside(&mut self) -> Result<Piece<'a>, FormatError> {
        self.next()?.ok_or_else(|| self.wrong("the document ends inside an element"))
    }

    /// Passes over the rest of the element that was opened last.
    fn skip(&mut self) -> Result<(), FormatError> {
        let mut depth = 1;
        while depth > 0 {
            match self.inside()? {
                Piece::Open(_) => depth += 1,
                Piece::Close => depth -= 1,
                Piece::Text(_) => {}
            }
        }
        Ok(())
    }

    /// All text of the element that was opened last and contains nothing else.
    fn content(&mut self) -> Result<Cow<'a, str>, FormatError> {
        let mut all = Cow::Borrowed("");
        loop {
            match self.inside()? {
                Piece::Close => return Ok(all),
                Piece::Text(text) if all.is_empty() => all = text,
                Piece::Text(text) => all.to_mut().push_str(&text),
                Piece::Open(inner) => {
                    let problem = format!("<{}> where only text belongs", inner.name);
                    return Err(self.wrong(&problem));
                }
            }
        }
    }

    /// Nothing but space may come after the document.
    fn end(&mut self) -> Result<(), FormatError> {
        loop {
            match self.next()? {
                None => return Ok(()),
                Some(Piece::Text(text)) if text.trim().is_empty() => {}
                Some(_) => return Err(self.wrong("more after the end of the map")),
            }
        }
    }

    fn next(&mut self) -> Result<Option<Piece<'a>>, FormatError> {
        loop {
            let event = self.reader.read_event();
            let event = event.map_err(|error| self.wrong(&error.to_string()))?;
            return Ok(Some(match event {
                // Empty elements are expanded.
                Event::Start(start) | Event::Empty(start) => Piece::Open(self.element(&start)?),
                Event::End(_) => Piece::Close,
                Event::Text(text) => Piece::Text(text.into_inner()),
                Event::CData(data) => Piece::Text(data.into_inner()),
                Event::GeneralRef(name) => {
                    let name = format!("&{};", &*name);
                    Piece::Text(Cow::Owned(self.plain(&name)?))
                }
                Event::Eof => return Ok(None),
                Event::DocType(_) => return Err(self.wrong("a document type has no place in a map")),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => continue,
            }));
        }
    }

    fn element(&self, start: &BytesStart<'_>) -> Result<Element, FormatError> {
        let mut attributes: Vec<(String, String)> = Vec::new();
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| self.wrong(&error.to_string()))?;
            let name = attribute.key.as_ref().to_owned();
            if attributes.len() == MAX_ATTRIBUTES || attributes.iter().any(|other| other.0 == name) {
                return Err(self.wrong(&format!("attribute {name} twice, or too many of them")));
            }
            let value = &*attribute.value;
            let value = if value.contains('&') { self.plain(value)? } else { value.to_owned() };
            attributes.push((name, value));
        }
        Ok(Element { name: start.name().as_ref().to_owned(), attributes })
    }

    /// Text with the five entities of XML and numbers of characters put in place.
    fn plain(&self, text: &str) -> Result<String, FormatError> {
        let plain = quick_xml::escape::unescape(text).map_err(|error| self.wrong(&error.to_string()))?;
        Ok(plain.into_owned())
    }

    /// A refusal that says at which line it was met.
    fn wrong(&self, problem: &str) -> FormatError {
        let at = (self.reader.buffer_position() as usize).min(self.text.len());
        let line = self.text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        reject("document", format!("line {line}"), problem, "save the map again in Tiled")
    }
}

impl Element {
    /// The attribute called `name`; empty if it is not there.
    fn text(&self, name: &str) -> &str {
        self.attributes.iter().find(|attribute| attribute.0 == name).map_or("", |attribute| &attribute.1)
    }

    /// A whole number; `usual` if it is not there.
    fn whole(&self, name: &str, usual: u32) -> Result<u32, FormatError> {
        match self.text(name) {
            "" => Ok(usual),
            text => text.parse().map_err(|_| self.reject(name, "not a whole number")),
        }
    }

    /// A number; 0 if it is not there.
    fn number(&self, name: &str) -> Result<f64, FormatError> {
        match self.text(name) {
            "" => Ok(0.0),
            text => finite(text).ok_or_else(|| self.reject(name, "not a number")),
        }
    }

    fn reject(&self, name: &str, problem: &str) -> FormatError {
        reject(format!("{}.{name}", self.name), self.text(name), problem, "save the map again in Tiled")
    }
}

/// Parses a number that is neither infinite nor NaN.
fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
