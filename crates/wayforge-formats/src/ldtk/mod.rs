//! LDtk's projects, in the format of version 1.5: an IntGrid layer says what each cell is, a tile layer shows it, entities stand on it.
//!
//! A map becomes [`Stage`]s (one for each level of the project) and a [`Kit`] of definitions; the writer emits both, the cells as
//! they are asked for.

mod definitions;
mod kit;
mod stages;

use crate::content::Content;
use crate::error::FormatError;
use crate::registry::Target;
use crate::tiled::{check_side, comma};
use definitions::{Defaults, definitions, header, iid};
use kit::{Field, Kit};
use serde_json::{Value, json};
use stages::{Stage, Thing};
use std::io::{self, Write};
use wayforge::grid::Size;

/// Writes a project, and beside it the picture of its tiles.
pub(crate) fn write(content: &Content, to: Target<'_>) -> Result<(), FormatError> {
    if let Content::Water(water) = content {
        check_side(water, "LDtk")?;
    }
    let kit = Kit::of(content, to.theme);
    let stages = stages::of(content, &kit);
    let sheet = kit.set.sheet(to.theme)?;
    let out = to.files.create(to.name)?;
    let defaults = Defaults::new().map_err(io::Error::from)?;
    let title = stages.first().map_or("", |stage| stage.name.as_str());
    writeln!(out, "{{")?;
    for (name, value) in header(&defaults, &kit, title) {
        writeln!(out, "\"{name}\":{value},")?;
    }
    writeln!(out, "\"defs\":{},", definitions(&defaults, &kit, &sheet))?;
    writeln!(out, "\"levels\":[")?;
    for (n, stage) in stages.iter().enumerate() {
        level(&kit, stage, n, sheet.columns, out)?;
        writeln!(out, "{}", if n + 1 < stages.len() { "," } else { "" })?;
    }
    writeln!(out, "]}}")?;
    Ok(to.files.create(&kit.image)?.write_all(&sheet.png)?)
}

fn level(kit: &Kit, stage: &Stage<'_>, number: usize, columns: u32, out: &mut dyn Write) -> io::Result<()> {
    let (size, side) = (stage.size, kit.side);
    let uid = kit::LEVELS_FROM + number as i64;
    let at = |cells: u16| i64::from(cells) * side;
    let (name, iid, (x, y)) = (json!(stage.name), iid(&stage.name, "level"), stage.world);
    let (width, height) = (at(size.width), at(size.height));
    let fields = instances(&kit.level_fields, &stage.fields);
    write!(
        out,
        "{{\"identifier\":{name},\"iid\":\"{iid}\",\"uid\":{uid},\"worldX\":{x},\"worldY\":{y},\"worldDepth\":0,\"pxWid\":{width},\"pxHei\":{height},\
         \"__bgColor\":\"#F4ECD8\",\"bgColor\":null,\"useAutoIdentifier\":false,\"bgRelPath\":null,\"bgPos\":null,\"bgPivotX\":0.5,\
         \"bgPivotY\":0.5,\"__smartColor\":\"#A89878\",\"__bgPos\":null,\"externalRelPath\":null,\"__neighbours\":[],\"fieldInstances\":{fields},\
         \"layerInstances\":[",
    )?;
    for (n, (name, kind, layer)) in kit.layers().enumerate() {
        write!(out, "{}", if n > 0 { ",\n" } else { "" })?;
        layer_head(kit, stage, [name, kind], [uid, layer], out)?;
        match name {
            "Entities" => {
                write!(out, "\"intGridCsv\":[],\"gridTiles\":[],\"entityInstances\":[")?;
                for (n, thing) in stage.things.iter().enumerate() {
                    write!(out, "{}\n{}", comma(n), entity(kit, stage, thing, n))?;
                }
            }
            "Tiles" => {
                write!(out, "\"intGridCsv\":[],\"entityInstances\":[],\"gridTiles\":[")?;
                for (n, pos) in size.iter().enumerate() {
                    let tile = (stage.tile)(pos);
                    let (x, y) = (i64::from(tile % columns) * side, i64::from(tile / columns) * side);
                    let (px, py) = (at(pos.x), at(pos.y));
                    write!(out, "{}{{\"px\":[{px},{py}],\"src\":[{x},{y}],\"f\":0,", comma(n))?;
                    write!(out, "\"t\":{tile},\"d\":[{n}],\"a\":1}}")?;
                }
            }
            _ => {
                write!(out, "\"entityInstances\":[],\"gridTiles\":[],\"intGridCsv\":[")?;
                for (n, pos) in size.iter().enumerate() {
                    write!(out, "{}{}", comma(n), (stage.value)(pos))?;
                }
            }
        }
        write!(out, "]}}")?;
    }
    write!(out, "]}}")
}

/// What all layers begin with; the object stays open.
fn layer_head(
    kit: &Kit,
    stage: &Stage<'_>,
    [name, kind]: [&str; 2],
    [level, uid]: [i64; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    let (iid, side) = (iid(&stage.name, name), kit.side);
    let image = (name == "Tiles").then_some(&kit.image);
    let Size { width, height } = stage.size;
    let (tileset, image) = (json!(image.map(|_| kit::TILESET_UID)), json!(image));
    write!(
        out,
        "{{\"__identifier\":\"{name}\",\"__type\":\"{kind}\",\"__cWid\":{width},\"__cHei\":{height},\"__gridSize\":{side},\"__opacity\":1,\
         \"__pxTotalOffsetX\":0,\"__pxTotalOffsetY\":0,\"__tilesetDefUid\":{tileset},\"__tilesetRelPath\":{image},\"iid\":\"{iid}\",\"levelId\":{level},\
         \"layerDefUid\":{uid},\"pxOffsetX\":0,\"pxOffsetY\":0,\"visible\":true,\"optionalRules\":[],\"autoLayerTiles\":[],\"seed\":0,\
         \"overrideTilesetUid\":null,",
    )
}

fn entity(kit: &Kit, stage: &Stage<'_>, thing: &Thing, number: usize) -> Value {
    let definition = &kit.things[thing.kind];
    let side = kit.side;
    let (x, y) = (i64::from(thing.cell.x) * side, i64::from(thing.cell.y) * side);
    json!({
        "__identifier": definition.name,
        "__grid": [thing.cell.x, thing.cell.y],
        "__pivot": [0, 0],
        "__tags": [],
        "__tile": definitions::tile_rect(kit, definition.tile),
        "__smartColor": definition.colour,
        "__worldX": stage.world.0 + x,
        "__worldY": stage.world.1 + y,
        "iid": iid(&stage.name, &format!("entity {number}")),
        "width": side,
        "height": side,
        "defUid": kit.thing_uid(thing.kind),
        "px": [x, y],
        "fieldInstances": instances(&definition.fields, &thing.fields),
    })
}

/// The values of those fields that are given.
fn instances(fields: &[Field], given: &[(&'static str, kit::Given)]) -> Value {
    let value = |field: &Field| Some(instance(field, &given.iter().find(|value| value.0 == field.name)?.1));
    fields.iter().filter_map(value).collect()
}

/// A value of a field, for games (`__value`) and for the editor (`realEditorValues`).
fn instance(field: &Field, value: &kit::Given) -> Value {
    let (value, editor) = match value {
        kit::Given::Text(text) => (json!(text), vec![json!({"id": "V_String", "params": [text]})]),
        kit::Given::Int(number) => (json!(number), vec![json!({"id": "V_Int", "params": [number]})]),
        kit::Given::Cells(cells) => (
            cells.iter().map(|pos| json!({"cx": pos.x, "cy": pos.y})).collect(),
            cells.iter().map(|pos| json!({"id": "V_String", "params": [pos.to_string()]})).collect(),
        ),
    };
    json!({
        "__identifier": field.name,
        "__type": field.kind[0],
        "__value": value,
        "__tile": null,
        "defUid": field.uid,
        "realEditorValues": editor,
    })
}
