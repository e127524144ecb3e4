//! Writing TMJ: Tiled's maps as JSON.

use super::VERSION;
use super::plan::{Layer, Object, Plan, Property, Shape, Tileset};
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use wayforge::grid::Size;

/// Writes a map; cells are written as they are asked for.
pub(crate) fn write(plan: &Plan<'_>, set: &Tileset, out: &mut dyn Write) -> io::Result<()> {
    let (Size { width, height }, side) = (plan.size, set.side);
    write!(out, "{{\"compressionlevel\":-1,\n \"height\":{height},\n \"infinite\":false,\n \"layers\":[")?;
    let mut object = 0;
    for (id, layer) in (1..).zip(&plan.layers) {
        write!(out, "{}\n  ", comma(id - 1))?;
        match layer {
            Layer::Tiles { name, visible, cells } => {
                write!(out, "{{\"data\":[")?;
                for (n, pos) in plan.size.iter().enumerate() {
                    write!(out, "{}{}", comma(n), cells(pos))?;
                }
                write!(
                    out,
                    "],\"height\":{height},\"id\":{id},\"name\":\"{name}\",\"opacity\":1.00,\"type\":\"tilelayer\",\"visible\":{visible},\
                     \"width\":{width},\"x\":0,\"y\":0}}",
                )?;
            }
            Layer::Objects { name, colour, objects } => {
                let colour = colour.map_or(String::new(), |colour| format!("\"color\":\"{colour}\","));
                write!(out, "{{{colour}\"draworder\":\"topdown\",\"id\":{id},")?;
                write!(out, "\"name\":\"{name}\",\"objects\":[")?;
                for (n, thing) in objects.iter().enumerate() {
                    object += 1;
                    write!(out, "{}\n   {}", comma(n), self::object(thing, object, side))?;
                }
                write!(out, "],\"opacity\":1,\"type\":\"objectgroup\",\"visible\":true,\"x\":0,\"y\":0}}")?;
            }
        }
    }
    let (next_layer, next_object) = (plan.layers.len() + 1, object + 1);
    let (properties, tileset) = (properties(&plan.properties), tileset(set));
    let (version, editor) = VERSION;
    write!(
        out,
        "],\n \"nextlayerid\":{next_layer},\n \"nextobjectid\":{next_object},\n \"orientation\":\"orthogonal\",\n \"properties\":{properties},\n \
         \"renderorder\":\"right-down\",\n \"tiledversion\":\"{editor}\",\n \"tileheight\":{side},\n \"tilesets\":[{tileset}],\n \"tilewidth\":{side},\n \
         \"type\":\"map\",\n \"version\":\"{version}\",\n \"width\":{width}\n}}\n",
    )
}

fn tileset(set: &Tileset) -> Json {
    let side = set.side;
    let tiles = set.tiles.iter().enumerate();
    let tiles = tiles
        .map(|(id, tile)| json!({"id": id, "type": tile.kind, "properties": properties(&tile.properties)}));
    json!({
        "columns": set.columns,
        "firstgid": 1,
        "image": set.image,
        "imageheight": set.rows * side,
        "imagewidth": set.columns * side,
        "margin": 0,
        "name": set.name,
        "spacing": 0,
        "tilecount": set.tiles.len(),
        "tileheight": side,
        "tiles": tiles.collect::<Vec<Json>>(),
        "tilewidth": side,
    })
}

fn object(object: &Object, id: usize, side: u32) -> Json {
    let (x, y) = object.place(side);
    let side_or_none = if matches!(object.shape, Shape::Line(_)) { 0 } else { side };
    let mut json = json!({
        "height": side_or_none,
        "id": id,
        "name": object.name,
        "properties": properties(&object.properties),
        "rotation": 0,
        "type": object.kind,
        "visible": true,
        "width": side_or_none,
        "x": x,
        "y": y,
    });
    match &object.shape {
        Shape::Tile(gid) => json["gid"] = (*gid).into(),
        Shape::Cell => {}
        Shape::Line(cells) => {
            json["polyline"] = object.points(cells, side).map(|(x, y)| json!({"x": x, "y": y})).collect();
        }
    }
    json
}

fn properties(list: &[Property]) -> Json {
    let property = |Property { name, kind, value }: &Property| {
        let value = if *kind == "string" { json!(value) } else { value.parse().unwrap_or_default() };
        json!({"name": name, "type": kind, "value": value})
    };
    list.iter().map(property).collect()
}

/// What stands before the entry of a list with an index.
pub(crate) const fn comma(index: usize) -> &'static str {
    if index > 0 { "," } else { "" }
}
