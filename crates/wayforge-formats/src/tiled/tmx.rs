//! TMX writer: Tiled maps as XML.

use super::VERSION;
use super::tiled_map::{Layer, Object, Property, Shape, TiledMap, Tileset};
use crate::xml::{Attributes, XmlWriter};
use std::fmt::Display;
use std::io::{self, Write};
use wayforge::grid::Pos;

/// Writes a map. Cells are streamed.
pub(crate) fn write(map: &TiledMap<'_>, tileset: &Tileset, out: &mut dyn Write) -> io::Result<()> {
    let objects = |layer: &Layer<'_>| match layer {
        Layer::Tiles { .. } => 0,
        Layer::Objects { objects, .. } => objects.len(),
    };
    let objects: usize = map.layers.iter().map(objects).sum();
    let attributes: &Attributes<'_> = &[
        ("version", &VERSION.0),
        ("tiledversion", &VERSION.1),
        ("orientation", &"orthogonal"),
        ("renderorder", &"right-down"),
        ("width", &map.size.width),
        ("height", &map.size.height),
        ("tilewidth", &tileset.side),
        ("tileheight", &tileset.side),
        ("infinite", &0),
        ("nextlayerid", &(map.layers.len() + 1)),
        ("nextobjectid", &(objects + 1)),
    ];
    XmlWriter::document(out, "map", attributes, |xml| {
        properties(&map.properties, xml)?;
        write_tileset(tileset, xml)?;
        let mut ids = 1..;
        for (id, layer) in (1..).zip(&map.layers) {
            write_layer(map, layer, id, (&mut ids, tileset.side), xml)?;
        }
        Ok(())
    })
}

fn write_layer(
    map: &TiledMap<'_>,
    layer: &Layer<'_>,
    id: usize,
    (ids, side): (&mut impl Iterator<Item = usize>, u32),
    xml: &mut XmlWriter<'_>,
) -> io::Result<()> {
    let (width, height) = (map.size.width, map.size.height);
    match layer {
        Layer::Tiles { name, visible, cells } => {
            let all: &Attributes<'_> = &[
                ("id", &id),
                ("name", name),
                ("width", &width),
                ("height", &height),
                ("visible", &0),
            ];
            xml.element("layer", &all[..if *visible { 4 } else { 5 }], |xml| {
                xml.element("data", &[("encoding", &"csv")], |xml| {
                    xml.text("")?;
                    for y in 0..height {
                        writeln!(xml.raw())?;
                        for x in 0..width {
                            let comma = if (x + 1, y + 1) == (width, height) { "" } else { "," };
                            write!(xml.raw(), "{}{comma}", cells(Pos { x, y }))?;
                        }
                    }
                    writeln!(xml.raw())
                })
            })
        }
        Layer::Objects { name, colour, objects } => {
            let colour = colour.unwrap_or_default();
            let all: &Attributes<'_> = &[("color", &colour), ("id", &id), ("name", name)];
            xml.element("objectgroup", &all[usize::from(colour.is_empty())..], |xml| {
                objects
                    .iter()
                    .zip(ids)
                    .try_for_each(|(object, id)| write_object(object, id, side, xml))
            })
        }
    }
}

fn write_tileset(tileset: &Tileset, xml: &mut XmlWriter<'_>) -> io::Result<()> {
    let Tileset { name, image, columns, rows, side, tiles } = tileset;
    let attributes: &Attributes<'_> = &[
        ("firstgid", &1),
        ("name", name),
        ("tilewidth", side),
        ("tileheight", side),
        ("tilecount", &tiles.len()),
        ("columns", columns),
    ];
    xml.element("tileset", attributes, |xml| {
        let (width, height) = (columns * side, rows * side);
        xml.empty("image", &[("source", image), ("width", &width), ("height", &height)])?;
        for (id, tile) in tiles.iter().enumerate() {
            xml.element("tile", &[("id", &id), ("type", &tile.kind)], |xml| {
                properties(&tile.properties, xml)
            })?;
        }
        Ok(())
    })
}

fn write_object(object: &Object, id: usize, side: u32, xml: &mut XmlWriter<'_>) -> io::Result<()> {
    let (x, y) = object.position(side);
    let mut attributes: Vec<(&str, &dyn Display)> = vec![("id", &id)];
    if !object.name.is_empty() {
        attributes.push(("name", &object.name));
    }
    attributes.push(("type", &object.kind));
    if let Shape::Tile(gid) = &object.shape {
        attributes.push(("gid", gid));
    }
    attributes.extend([("x", &x as &dyn Display), ("y", &y)]);
    if !matches!(object.shape, Shape::Line(_)) {
        attributes.extend([("width", &side as &dyn Display), ("height", &side)]);
    }
    xml.element("object", &attributes, |xml| {
        properties(&object.properties, xml)?;
        let Shape::Line(cells) = &object.shape else { return Ok(()) };
        let points: Vec<String> =
            object.points(cells, side).map(|(x, y)| format!("{x},{y}")).collect();
        xml.empty("polyline", &[("points", &points.join(" "))])
    })
}

fn properties(list: &[Property], xml: &mut XmlWriter<'_>) -> io::Result<()> {
    if list.is_empty() {
        return Ok(());
    }
    xml.element("properties", &[], |xml| {
        list.iter().try_for_each(|Property { name, kind, value }| match *kind {
            "string" => xml.empty("property", &[("name", name), ("value", value)]),
            kind => xml.empty("property", &[("name", name), ("type", &kind), ("value", value)]),
        })
    })
}
