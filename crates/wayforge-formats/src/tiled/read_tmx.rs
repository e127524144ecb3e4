//! TMX reader. A pull parser without a tree; attributes and depth are limited, custom entities are
//! rejected.

use super::data::{ENCODINGS, from_base64, from_csv};
use super::parsed_map::{
    MAX_DEPTH, MAX_LAYERS, MAX_OBJECTS, MAX_PROPERTIES, ParsedLayer, ParsedMap, ParsedObject,
    ParsedTile, ParsedTileset, Point, Properties, Tiles, check_count,
};
use crate::error::{FormatError, reject};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

/// Reads a map strictly. Unused parts (images, editor settings) are skipped.
pub(crate) fn read(bytes: &[u8]) -> Result<ParsedMap, FormatError> {
    let mut xml = Xml::new(bytes)?;
    let map = xml.root("map")?;
    let side = |name: &str| map.integer(name, 0);
    let sides = [side("width")?, side("height")?, side("tilewidth")?, side("tileheight")?];
    let mut parsed = ParsedMap::new(sides, map.text("orientation"), map.text("infinite") == "1")?;
    read_children(&mut xml, &mut parsed, 0)?;
    xml.expect_end()?;
    Ok(parsed)
}

/// Reads the children of a map or a group.
fn read_children(xml: &mut Xml<'_>, parsed: &mut ParsedMap, depth: u32) -> Result<(), FormatError> {
    xml.children(|xml, element| match element.name.as_str() {
        "properties" if depth == 0 => read_properties(xml, &mut parsed.properties),
        "tileset" => read_embedded_tileset(xml, &element, parsed),
        "layer" => read_layer(xml, &element, parsed),
        "objectgroup" => read_objects(xml, &element, parsed),
        "group" if depth == MAX_DEPTH => Err(xml.error("layer groups are nested too deeply")),
        "group" => read_children(xml, parsed, depth + 1),
        _ => xml.skip(),
    })
}

fn read_properties(xml: &mut Xml<'_>, properties: &mut Properties) -> Result<(), FormatError> {
    xml.children(|xml, property| {
        if property.name != "property" {
            return xml.skip();
        }
        if properties.len() == MAX_PROPERTIES {
            let remedy = format!("use at most {MAX_PROPERTIES}");
            return Err(reject("properties", property.text("name"), "too many", remedy));
        }
        // Multi-line text is the content of the element.
        let value = property.text("value").to_owned() + &xml.content()?;
        properties.insert(property.text("name").to_owned(), value);
        Ok(())
    })
}

fn read_embedded_tileset(
    xml: &mut Xml<'_>,
    element: &Element,
    parsed: &mut ParsedMap,
) -> Result<(), FormatError> {
    check_count("tilesets", parsed.tilesets.len() + 1, MAX_LAYERS)?;
    let (first, source) =
        (element.integer("firstgid", 0)?, Some(element.text("source").to_owned()));
    let tiles = read_tiles(xml, parsed.remaining_tiles())?;
    parsed.tilesets.push(ParsedTileset { first, source, tiles });
    Ok(())
}

/// Reads an external tileset of at most `max_tiles` tiles.
pub(crate) fn read_tileset(bytes: &[u8], max_tiles: usize) -> Result<Tiles, FormatError> {
    let mut xml = Xml::new(bytes)?;
    xml.root("tileset")?;
    let tiles = read_tiles(&mut xml, max_tiles)?;
    xml.expect_end()?;
    Ok(tiles)
}

/// Reads the tiles of a tileset that have properties.
fn read_tiles(xml: &mut Xml<'_>, max_tiles: usize) -> Result<Tiles, FormatError> {
    let mut tiles = Tiles::new();
    xml.children(|xml, tile| {
        if tile.name != "tile" {
            return xml.skip();
        }
        check_count("tileset.tiles", tiles.len() + 1, max_tiles)?;
        let mut properties = Properties::new();
        xml.children(|xml, inner| match inner.name.as_str() {
            "properties" => read_properties(xml, &mut properties),
            _ => xml.skip(),
        })?;
        let id = tile.integer("id", 0)?;
        tiles.insert(id, ParsedTile { id, kind: kind(&tile), properties });
        Ok(())
    })?;
    Ok(tiles)
}

/// Returns the type of a tile or an object. Tiled 1.9 calls it class.
fn kind(element: &Element) -> String {
    [element.text("type"), element.text("class")].concat()
}

fn read_layer(
    xml: &mut Xml<'_>,
    element: &Element,
    parsed: &mut ParsedMap,
) -> Result<(), FormatError> {
    let name = element.text("name").to_owned();
    let size = parsed.size;
    let size = (
        element.integer("width", size.width.into())?,
        element.integer("height", size.height.into())?,
    );
    let count = parsed.reserve_layer(&name, size)?;
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
                return Err(reject(format!("{field}.encoding"), other, "not supported", ENCODINGS));
            }
        });
        Ok(())
    })?;
    let cells =
        cells.ok_or_else(|| reject(field, "no data", "required", "save it again in Tiled"))?;
    parsed.layers.push(ParsedLayer { name, cells });
    Ok(())
}

fn read_objects(
    xml: &mut Xml<'_>,
    element: &Element,
    parsed: &mut ParsedMap,
) -> Result<(), FormatError> {
    xml.children(|xml, object| {
        if object.name != "object" {
            return xml.skip();
        }
        check_count("objects", parsed.objects.len() + 1, MAX_OBJECTS)?;
        let read = read_object(xml, &object, element.text("name"))?;
        parsed.objects.push(read);
        Ok(())
    })
}

fn read_object(
    xml: &mut Xml<'_>,
    element: &Element,
    layer: &str,
) -> Result<ParsedObject, FormatError> {
    let mut object = ParsedObject {
        layer: layer.to_owned(),
        id: element.integer("id", 0)?,
        name: element.text("name").to_owned(),
        kind: kind(element),
        gid: element.integer("gid", 0)?,
        x: element.number("x")?,
        y: element.number("y")?,
        width: element.number("width")?,
        height: element.number("height")?,
        polyline: Vec::new(),
        properties: Properties::new(),
    };
    xml.children(|xml, inner| {
        if inner.name == "properties" {
            return read_properties(xml, &mut object.properties);
        }
        if inner.name == "polyline" {
            object.polyline = parse_points(inner.text("points"), &object)?;
        }
        xml.skip()
    })?;
    Ok(object)
}

fn parse_points(text: &str, object: &ParsedObject) -> Result<Vec<Point>, FormatError> {
    let point = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some(Point { x: finite(x)?, y: finite(y)? })
    };
    let read = |text: &str| {
        let remedy = "write points as x,y separated by spaces";
        point(text).ok_or_else(|| reject(object.title(), text, "not a point", remedy))
    };
    text.split_ascii_whitespace().map(read).collect()
}

/// Maximum number of attributes of an element.
const MAX_ATTRIBUTES: usize = 64;

/// Next token inside an element.
enum Token<'a> {
    Open(Element),
    Text(Cow<'a, str>),
    Close,
}

/// Start tag of an element.
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
        let text = std::str::from_utf8(bytes).map_err(|error| {
            reject("document", "bytes", error.to_string(), "save the map in UTF-8")
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Ok(Xml { reader, text })
    }

    /// Returns the root element, which must be called `name`.
    fn root(&mut self, name: &str) -> Result<Element, FormatError> {
        let found = loop {
            match self.next()? {
                Some(Token::Open(element)) if element.name == name => return Ok(element),
                Some(Token::Open(element)) => break element.name,
                Some(Token::Text(text)) if text.trim().is_empty() => {}
                _ => break "text".to_owned(),
            }
        };
        Err(reject("document", found, "unexpected root element", format!("start with <{name}>")))
    }

    /// Calls `each` for every child of the current element. `each` must read the child or
    /// [skip](Self::skip) it.
    fn children(
        &mut self,
        mut each: impl FnMut(&mut Self, Element) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        loop {
            match self.next_inside()? {
                Token::Close => return Ok(()),
                Token::Text(_) => {}
                Token::Open(child) => each(self, child)?,
            }
        }
    }

    /// Returns the next token inside the current element.
    fn next_inside(&mut self) -> Result<Token<'a>, FormatError> {
        self.next()?.ok_or_else(|| self.error("the document ends inside an element"))
    }

    /// Skips the rest of the current element.
    fn skip(&mut self) -> Result<(), FormatError> {
        let mut depth = 1;
        while depth > 0 {
            match self.next_inside()? {
                Token::Open(_) => depth += 1,
                Token::Close => depth -= 1,
                Token::Text(_) => {}
            }
        }
        Ok(())
    }

    /// Returns the text of the current element, which must have no children.
    fn content(&mut self) -> Result<Cow<'a, str>, FormatError> {
        let mut all = Cow::Borrowed("");
        loop {
            match self.next_inside()? {
                Token::Close => return Ok(all),
                Token::Text(text) if all.is_empty() => all = text,
                Token::Text(text) => all.to_mut().push_str(&text),
                Token::Open(inner) => {
                    let problem = format!("<{}> where only text is allowed", inner.name);
                    return Err(self.error(&problem));
                }
            }
        }
    }

    /// Checks that only whitespace follows the document.
    fn expect_end(&mut self) -> Result<(), FormatError> {
        loop {
            match self.next()? {
                None => return Ok(()),
                Some(Token::Text(text)) if text.trim().is_empty() => {}
                Some(_) => return Err(self.error("content after the end of the map")),
            }
        }
    }

    fn next(&mut self) -> Result<Option<Token<'a>>, FormatError> {
        loop {
            let event = self.reader.read_event();
            let event = event.map_err(|error| self.error(&error.to_string()))?;
            return Ok(Some(match event {
                // The reader expands empty elements.
                Event::Start(start) | Event::Empty(start) => Token::Open(self.element(&start)?),
                Event::End(_) => Token::Close,
                Event::Text(text) => Token::Text(text.into_inner()),
                Event::CData(data) => Token::Text(data.into_inner()),
                Event::GeneralRef(name) => {
                    let name = format!("&{};", &*name);
                    Token::Text(Cow::Owned(self.unescape(&name)?))
                }
                Event::Eof => return Ok(None),
                Event::DocType(_) => {
                    return Err(self.error("document types are not allowed"));
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => continue,
            }));
        }
    }

    fn element(&self, start: &BytesStart<'_>) -> Result<Element, FormatError> {
        let mut attributes: Vec<(String, String)> = Vec::new();
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| self.error(&error.to_string()))?;
            let name = attribute.key.as_ref().to_owned();
            if attributes.len() == MAX_ATTRIBUTES || attributes.iter().any(|other| other.0 == name)
            {
                return Err(
                    self.error(&format!("duplicate attribute {name}, or too many attributes"))
                );
            }
            let value = &*attribute.value;
            let value = if value.contains('&') { self.unescape(value)? } else { value.to_owned() };
            attributes.push((name, value));
        }
        Ok(Element { name: start.name().as_ref().to_owned(), attributes })
    }

    /// Replaces the predefined XML entities and character references.
    fn unescape(&self, text: &str) -> Result<String, FormatError> {
        let unescaped =
            quick_xml::escape::unescape(text).map_err(|error| self.error(&error.to_string()))?;
        Ok(unescaped.into_owned())
    }

    /// Returns an error that states the line number.
    fn error(&self, problem: &str) -> FormatError {
        let position = (self.reader.buffer_position() as usize).min(self.text.len());
        let line =
            self.text.as_bytes()[..position].iter().filter(|byte| **byte == b'\n').count() + 1;
        reject("document", format!("line {line}"), problem, "save the map again in Tiled")
    }
}

impl Element {
    /// Returns the value of an attribute, or an empty string.
    fn text(&self, name: &str) -> &str {
        self.attributes
            .iter()
            .find(|attribute| attribute.0 == name)
            .map_or("", |attribute| &attribute.1)
    }

    /// Parses an integer attribute, with a default if it is missing.
    fn integer(&self, name: &str, default: u32) -> Result<u32, FormatError> {
        match self.text(name) {
            "" => Ok(default),
            text => text.parse().map_err(|_| self.reject(name, "not a whole number")),
        }
    }

    /// Parses a number attribute; 0 if it is missing.
    fn number(&self, name: &str) -> Result<f64, FormatError> {
        match self.text(name) {
            "" => Ok(0.0),
            text => finite(text).ok_or_else(|| self.reject(name, "not a number")),
        }
    }

    fn reject(&self, name: &str, problem: &str) -> FormatError {
        reject(
            format!("{}.{name}", self.name),
            self.text(name),
            problem,
            "save the map again in Tiled",
        )
    }
}

/// Parses a finite number.
fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
