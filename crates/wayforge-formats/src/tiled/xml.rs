//! XML pulled piece by piece: no tree, few attributes, little depth, no entities of a file's own.

use crate::error::{FormatError, reject};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

/// The most attributes of an element.
const MAX_ATTRIBUTES: usize = 64;

/// What comes next inside an element.
enum Piece<'a> {
    Open(Element),
    Text(Cow<'a, str>),
    Close,
}

/// The beginning of an element.
pub(crate) struct Element {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
}

pub(crate) struct Xml<'a> {
    reader: Reader<&'a [u8]>,
    text: &'a str,
}

impl<'a> Xml<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Xml<'a>, FormatError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| reject("document", "bytes", error.to_string(), "save the map in UTF-8"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Ok(Xml { reader, text })
    }

    /// The element that the document is; it must be called `name`.
    pub(crate) fn root(&mut self, name: &str) -> Result<Element, FormatError> {
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
    pub(crate) fn children(
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
    pub(crate) fn skip(&mut self) -> Result<(), FormatError> {
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
    pub(crate) fn content(&mut self) -> Result<Cow<'a, str>, FormatError> {
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
    pub(crate) fn end(&mut self) -> Result<(), FormatError> {
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
    pub(crate) fn wrong(&self, problem: &str) -> FormatError {
        let at = (self.reader.buffer_position() as usize).min(self.text.len());
        let line = self.text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        reject("document", format!("line {line}"), problem, "save the map again in Tiled")
    }
}

impl Element {
    /// The attribute called `name`; empty if it is not there.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.attributes.iter().find(|attribute| attribute.0 == name).map_or("", |attribute| &attribute.1)
    }

    /// A whole number; `usual` if it is not there.
    pub(crate) fn whole(&self, name: &str, usual: u32) -> Result<u32, FormatError> {
        match self.text(name) {
            "" => Ok(usual),
            text => text.parse().map_err(|_| self.reject(name, "not a whole number")),
        }
    }

    /// A number; 0 if it is not there.
    pub(crate) fn number(&self, name: &str) -> Result<f64, FormatError> {
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
pub(crate) fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
