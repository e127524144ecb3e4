//! Writing TMX: Tiled's maps as XML.

use super::VERSION;
use super::plan::{Layer, Object, Plan, Property, Shape, Tileset, Value};
use std::io::{self, Write};
use wayforge::grid::Pos;

/// Writes a map; cells are written as they are asked for.
pub(crate) fn write(plan: &Plan<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (size, side) = (plan.size, plan.side);
    let objects: usize = plan.layers.iter().map(Layer::objects).sum();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<map version=\"{}\" tiledversion=\"{}\" orientation=\"orthogonal\" renderorder=\"right-down\" width=\"{}\" height=\"{}\" \
         tilewidth=\"{side}\" tileheight=\"{side}\" infinite=\"0\" nextlayerid=\"{}\" nextobjectid=\"{}\">",
        VERSION.0,
        VERSION.1,
        size.width,
        size.height,
        plan.layers.len() + 1,
        objects + 1
    )?;
    properties(&plan.properties, 1, out)?;
    tileset(&plan.tileset, side, out)?;
    let mut object = 0;
    for (id, layer) in (1..).zip(&plan.layers) {
        match layer {
            Layer::Tiles { name, visible, percent, cells } => {
                write!(
                    out,
                    " <layer id=\"{id}\" name=\"{name}\" width=\"{}\" height=\"{}\"",
                    size.width, size.height
                )?;
                if !visible {
                    write!(out, " visible=\"0\"")?;
                }
                if *percent != 100 {
                    write!(out, " opacity=\"0.{percent:02}\"")?;
                }
                writeln!(out, ">\n  <data encoding=\"csv\">")?;
                for y in 0..size.height {
                    for x in 0..size.width {
                        let comma = if (x + 1, y + 1) == (size.width, size.height) { "" } else { "," };
                        write!(out, "{}{comma}", cells(Pos { x, y }))?;
                    }
                    writeln!(out)?;
                }
                writeln!(out, "</data>\n </layer>")?;
            }
            Layer::Objects { name, colour, objects } => {
                write!(out, " <objectgroup")?;
                if let Some(colour) = colour {
                    write!(out, " color=\"{colour}\"")?;
                }
                writeln!(out, " id=\"{id}\" name=\"{name}\">")?;
                for thing in objects {
                    object += 1;
                    self::object(thing, object, side, out)?;
                }
                writeln!(out, " </objectgroup>")?;
            }
        }
    }
    writeln!(out, "</map>")
}

fn tileset(set: &Tileset, side: u32, out: &mut dyn Write) -> io::Result<()> {
    let Tileset { name, image, columns, rows, tiles } = set;
    let (count, width, height) = (tiles.len(), columns * side, rows * side);
    writeln!(
        out,
        " <tileset firstgid=\"1\" name=\"{name}\" tilewidth=\"{side}\" tileheight=\"{side}\" tilecount=\"{count}\" columns=\"{columns}\">"
    )?;
    writeln!(out, "  <image source=\"{}\" width=\"{width}\" height=\"{height}\"/>", Escaped(image))?;
    for (id, tile) in tiles.iter().enumerate() {
        writeln!(out, "  <tile id=\"{id}\" type=\"{}\">", tile.kind)?;
        properties(&tile.properties, 3, out)?;
        writeln!(out, "  </tile>")?;
    }
    writeln!(out, " </tileset>")
}

fn object(object: &Object, id: usize, side: u32, out: &mut dyn Write) -> io::Result<()> {
    let (x, y) = object.place(side);
    write!(out, "  <object id=\"{id}\"")?;
    if !object.name.is_empty() {
        write!(out, " name=\"{}\"", Escaped(&object.name))?;
    }
    write!(out, " type=\"{}\"", object.kind)?;
    match &object.shape {
        Shape::Tile(gid) => {
            writeln!(out, " gid=\"{gid}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\">")?
        }
        Shape::Cell => writeln!(out, " x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\">")?,
        Shape::Line(_) => writeln!(out, " x=\"{x}\" y=\"{y}\">")?,
    }
    properties(&object.properties, 3, out)?;
    if let Shape::Line(cells) = &object.shape {
        write!(out, "   <polyline points=\"")?;
        for (n, (x, y)) in object.points(cells, side).enumerate() {
            write!(out, "{}{x},{y}", if n > 0 { " " } else { "" })?;
        }
        writeln!(out, "\"/>")?;
    }
    writeln!(out, "  </object>")
}

fn properties(list: &[Property], depth: usize, out: &mut dyn Write) -> io::Result<()> {
    if list.is_empty() {
        return Ok(());
    }
    let space = " ".repeat(depth);
    writeln!(out, "{space}<properties>")?;
    for Property { name, value } in list {
        write!(out, "{space} <property name=\"{name}\"")?;
        match value {
            Value::Text(text) => writeln!(out, " value=\"{}\"/>", Escaped(text))?,
            Value::Int(number) => writeln!(out, " type=\"int\" value=\"{number}\"/>")?,
            Value::Bool(so) => writeln!(out, " type=\"bool\" value=\"{so}\"/>")?,
        }
    }
    writeln!(out, "{space}</properties>")
}

/// Text inside an attribute or an element.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use std::fmt::Write;
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\t' | '\n' | '\r' => write!(f, "&#{};", c as u32),
            // What XML cannot hold in any form.
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}'),
            c => f.write_char(c),
        })
    }
}
