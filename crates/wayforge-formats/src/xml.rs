//! XML writer: one element per line, values escaped.

use quick_xml::Writer;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use quick_xml::name::QName;
use std::fmt::Display;
use std::io::{self, Write};
use wayforge_draw::Escaped;

/// Names and values of attributes.
pub(crate) type Attributes<'a> = [(&'a str, &'a dyn Display)];

/// Writes XML elements.
pub(crate) struct XmlWriter<'a>(Writer<&'a mut dyn Write>);

impl XmlWriter<'_> {
    /// Writes a document with the root element `name`.
    pub(crate) fn document(
        out: &mut dyn Write,
        name: &str,
        attributes: &Attributes<'_>,
        inside: impl FnOnce(&mut XmlWriter<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut xml = XmlWriter(Writer::new_with_indent(out, b' ', 1));
        xml.0.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        xml.element(name, attributes, inside)?;
        xml.raw().write_all(b"\n")
    }

    /// Writes an element whose content is written by `inside`.
    pub(crate) fn element(
        &mut self,
        name: &str,
        attributes: &Attributes<'_>,
        inside: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.0.write_event(Event::Start(start(name, attributes)))?;
        inside(self)?;
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }

    /// Writes an element without content.
    pub(crate) fn empty(&mut self, name: &str, attributes: &Attributes<'_>) -> io::Result<()> {
        self.0.write_event(Event::Empty(start(name, attributes)))
    }

    /// Writes text into the current element.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.0.write_event(Event::Text(BytesText::from_escaped(Escaped(text).to_string())))
    }

    /// Returns the underlying writer for text that needs no escaping. Call [`text`](Self::text)
    /// first: it suppresses the line break before the end tag.
    pub(crate) fn raw(&mut self) -> &mut dyn Write {
        self.0.get_mut()
    }
}

fn start<'a>(name: &'a str, attributes: &Attributes<'_>) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (name, value) in attributes {
        let value = Escaped(&value.to_string()).to_string();
        start.push_attribute(Attribute { key: QName(name), value: value.into() });
    }
    start
}
