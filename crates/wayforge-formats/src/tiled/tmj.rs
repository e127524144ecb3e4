//! TMJ writer: Tiled maps as JSON.

use super::VERSION;
use super::tiled_map::{Layer, Object, Property, Shape, TiledMap, Tileset};
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use wayforge::grid::Size;

/// Writes a map. Cells are streamed.
pub(crate) fn write(map: &TiledMap<'_>, tileset: &Tileset, out: &mut dyn Write) -> io::Result<()> {
    let (Size { width, height }, side) = (map.size, tileset.side);
    write!(
        out,
        "{{\"compressionlevel\":-1,\n \"height\":{height},\n \"infinite\":false,\n \"layers\":["
    )?;
    let mut object_id = 0;
    for (id, layer) in (1..).zip(&map.layers) {
        write!(out, "{}\n  ", comma(id - 1))?;
        match layer {
            Layer::Tiles { name, visible, cells } => {
                write!(out, "{{\"data\":[")?;
                for (n, pos) in map.size.iter().enumerate() {
                    write!(out, "{}{}", comma(n), cells(pos))?;
                }
                write!(
                    out,
                    "],\"height\":{height},\"id\":{id},\"name\":\"{name}\",\"opacity\":1.00,\
                    \"type\":\"tilelayer\",\"visible\":{visible},\
                     \"width\":{width},\"x\":0,\"y\":0}}",
                )?;
            }
            Layer::Objects { name, colour, objects } => {
                let colour =
                    colour.map_or(String::new(), |colour| format!("\"color\":\"{colour}\","));
                write!(out, "{{{colour}\"draworder\":\"topdown\",\"id\":{id},")?;
                write!(out, "\"name\":\"{name}\",\"objects\":[")?;
                for (n, object) in objects.iter().enumerate() {
                    object_id += 1;
                    write!(out, "{}\n   {}", comma(n), object_json(object, object_id, side))?;
                }
                write!(
                    out,
                    "],\"opacity\":1,\"type\":\"objectgroup\",\"visible\":true,\"x\":0,\"y\":0}}"
                )?;
            }
        }
    }
    let (next_layer, next_object) = (map.layers.len() + 1, object_id + 1);
    let (properties, tileset) = (properties_json(&map.properties), tileset_json(tileset));
    let (version, editor) = VERSION;
    write!(
        out,
        "],\n \"nextlayerid\":{next_layer},\n \"nextobjectid\":{next_object},\
         \n \"orientation\":\"orthogonal\",\n \"properties\":{properties},\n \
         \"renderorder\":\"right-down\",\n \"tiledversion\":\"{editor}\",\n \"tileheight\":{side},\
         \n \"tilesets\":[{tileset}],\n \"tilewidth\":{side},\n \
         \"type\":\"map\",\n \"version\":\"{version}\",\n \"width\":{width}\n}}\n",
    )
}

fn tileset_json(tileset: &Tileset) -> Json {
    let side = tileset.side;
    let tiles = tileset.tiles.iter().enumerate();
    let tiles = tiles.map(|(id, tile)| {
        let properties = properties_json(&tile.properties);
        json!({"id": id, "type": tile.kind, "properties": properties})
    });
    json!({
        "columns": tileset.columns,
        "firstgid": 1,
        "image": tileset.image,
        "imageheight": tileset.rows * side,
        "imagewidth": tileset.columns * side,
        "margin": 0,
        "name": tileset.name,
        "spacing": 0,
        "tilecount": tileset.tiles.len(),
        "tileheight": side,
        "tiles": tiles.collect::<Vec<Json>>(),
        "tilewidth": side,
    })
}

fn object_json(object: &Object, id: usize, side: u32) -> Json {
    let (x, y) = object.position(side);
    let object_side = if matches!(object.shape, Shape::Line(_)) { 0 } else { side };
    let mut json = json!({
        "height": object_side,
        "id": id,
        "name": object.name,
        "properties": properties_json(&object.properties),
        "rotation": 0,
        "type": object.kind,
        "visible": true,
        "width": object_side,
        "x": x,
        "y": y,
    });
    match &object.shape {
        Shape::Tile(gid) => json["gid"] = (*gid).into(),
        Shape::Cell => {}
        Shape::Line(cells) => {
            json["polyline"] =
                object.points(cells, side).map(|(x, y)| json!({"x": x, "y": y})).collect();
        }
    }
    json
}

fn properties_json(list: &[Property]) -> Json {
    let property = |Property { name, kind, value }: &Property| {
        let value =
            if *kind == "string" { json!(value) } else { value.parse().unwrap_or_default() };
        json!({"name": name, "type": kind, "value": value})
    };
    list.iter().map(property).collect()
}

/// Returns the separator before the list entry at `index`.
pub(crate) const fn comma(index: usize) -> &'static str {
    if index > 0 { "," } else { "" }
}
