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
use crate::tiled::check_side;
use definitions::{Defaults, definitions, header, iid};
use kit::{Field, Kit};
use serde_json::{Value, json};
use stages::{Stage, Thing};
use std::io::{self, Write};
use wayforge::grid::Pos;

/// Writes a project, and beside it the picture of its tiles.
pub(crate) fn write(content: &Content, to: Target<'_>) -> Result<(), FormatError> {
    if let Content::Water(water) = content {
        check_side(water, "LDtk")?;
    }
    let kit = Kit::of(content);
    let stages = stages::of(content, &kit);
    let sheet = kit.set.sheet(to.theme)?;
    let image = kit.set.image(to.theme);
    let out = to.files.create(to.name)?;
    let defaults = Defaults::new().map_err(io::Error::from)?;
    let title = stages.first().map_or("", |stage| stage.name.as_str());
    writeln!(out, "{{")?;
    for (name, value) in header(&defaults, &kit, title) {
        writeln!(out, "\"{name}\":{value},")?;
    }
    writeln!(out, "\"defs\":{},", definitions(&defaults, &kit, &image, &sheet))?;
    writeln!(out, "\"levels\":[")?;
    for (n, stage) in stages.iter().enumerate() {
        level(&kit, stage, n, &image, sheet.columns, out)?;
        writeln!(out, "{}", if n + 1 < stages.len() { "," } else { "" })?;
    }
    writeln!(out, "]}}")?;
    Ok(to.files.create(&image)?.write_all(&sheet.png)?)
}

fn level(
    kit: &Kit,
    stage: &Stage<'_>,
    number: usize,
    image: &str,
    columns: u32,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (size, side) = (stage.size, kit.side);
    let uid = kit::LEVELS_FROM + number as i64;
    let at = |cells: u16| i64::from(cells) * side;
    write!(
        out,
        "{{\"identifier\":{},\"iid\":\"{}\",\"uid\":{uid},\"worldX\":{},\"worldY\":{},\"worldDepth\":0,\"pxWid\":{},\"pxHei\":{},\
         \"__bgColor\":\"#F4ECD8\",\"bgColor\":null,\"useAutoIdentifier\":false,\"bgRelPath\":null,\"bgPos\":null,\"bgPivotX\":0.5,\
         \"bgPivotY\":0.5,\"__smartColor\":\"#A89878\",\"__bgPos\":null,\"externalRelPath\":null,\"__neighbours\":[],\"fieldInstances\":{},\
         \"layerInstances\":[",
        Value::from(stage.name.as_str()),
        iid(&stage.name, "level"),
        stage.world.0,
        stage.world.1,
        at(size.width),
        at(size.height),
        instances(&kit.level_fields, &stage.fields)
    )?;
    // From the top layer down, as LDtk lists them.
    layer_head(kit, stage, "Entities", uid, kit::ENTITIES_UID, None, out)?;
    write!(out, "\"intGridCsv\":[],\"gridTiles\":[],\"entityInstances\":[")?;
    for (n, thing) in stage.things.iter().enumerate() {
        write!(out, "{}\n{}", if n > 0 { "," } else { "" }, entity(kit, stage, thing, n))?;
    }
    writeln!(out, "]}},")?;
    if kit.shows_tiles {
        layer_head(kit, stage, "Tiles", uid, kit::TILES_UID, Some(image), out)?;
        write!(out, "\"intGridCsv\":[],\"entityInstances\":[],\"gridTiles\":[")?;
        for pos in size.iter() {
            let tile = (stage.tile)(pos);
            let (x, y) = (i64::from(tile % columns) * side, i64::from(tile / columns) * side);
            let comma = if pos == Pos::default() { "" } else { "," };
            write!(
                out,
                "{comma}{{\"px\":[{},{}],\"src\":[{x},{y}],\"f\":0,\"t\":{tile},\"d\":[{}],\"a\":1}}",
                at(pos.x),
                at(pos.y),
                size.index(pos)
            )?;
        }
        writeln!(out, "]}},")?;
    }
    layer_head(kit, stage, "Ground", uid, kit::GROUND_UID, None, out)?;
    write!(out, "\"entityInstances\":[],\"gridTiles\":[],\"intGridCsv\":[")?;
    for pos in size.iter() {
        write!(out, "{}{}", if pos == Pos::default() { "" } else { "," }, (stage.value)(pos))?;
    }
    write!(out, "]}}]}}")
}

/// What all layers begin with; the object stays open.
fn layer_head(
    kit: &Kit,
    stage: &Stage<'_>,
    name: &str,
    level: i64,
    uid: i64,
    image: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let kind = match name {
        "Ground" => "IntGrid",
        other => other,
    };
    let tileset = image.map(|_| kit::TILESET_UID);
    write!(
        out,
        "{{\"__identifier\":\"{name}\",\"__type\":\"{kind}\",\"__cWid\":{},\"__cHei\":{},\"__gridSize\":{},\"__opacity\":1,\
         \"__pxTotalOffsetX\":0,\"__pxTotalOffsetY\":0,\"__tilesetDefUid\":{},\"__tilesetRelPath\":{},\"iid\":\"{}\",\"levelId\":{level},\
         \"layerDefUid\":{uid},\"pxOffsetX\":0,\"pxOffsetY\":0,\"visible\":true,\"optionalRules\":[],\"autoLayerTiles\":[],\"seed\":0,\
         \"overrideTilesetUid\":null,",
        stage.size.width,
        stage.size.height,
        kit.side,
        json!(tileset),
        json!(image),
        iid(&stage.name, name)
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
        "__type": field.of.names()[0],
        "__value": value,
        "__tile": null,
        "defUid": field.uid,
        "realEditorValues": editor,
    })
}
