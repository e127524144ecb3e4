//! LDtk's projects, in the format of version 1.5: an IntGrid layer says what each cell is, a tile layer shows it, entities stand on it.
//!
//! A map becomes [`Stage`]s (one for each level of the project) and a [`Kit`] of definitions; the writer emits both, the cells as
//! they are asked for.

mod definitions;
mod kit;
mod stages;

use crate::content::Content;
use crate::error::{FormatError, refuse};
use crate::files::Files;
use crate::tiled::MAX_SIDE;
use definitions::{definitions, header, iid};
use kit::{Field, Kit};
use serde_json::{Value, json};
use stages::{Stage, Thing};
use std::io::{self, Write};
use wayforge::grid::Pos;
use wayforge_draw::Theme;

/// Writes a project, and beside it the picture of its tiles.
pub(crate) fn write(
    content: &Content,
    name: &str,
    theme: Theme,
    files: &mut dyn Files,
) -> Result<(), FormatError> {
    if let Content::Water(water) = content {
        let size = water.size();
        if u32::from(size.width.max(size.height)) > MAX_SIDE {
            let remedy = format!("use at most {MAX_SIDE} a side; larger maps are OpenFront's");
            return Err(refuse("map", size, "larger than LDtk can show", remedy));
        }
    }
    let kit = Kit::of(content);
    let stages = stages::of(content, &kit);
    let sheet = kit.set.sheet(theme)?;
    let image = kit.set.image(theme);
    let out = files.create(name)?;
    project(&kit, &stages, &image, &sheet, out)?;
    files.create(&image)?.write_all(&sheet.png)?;
    Ok(())
}

fn project(
    kit: &Kit,
    stages: &[Stage<'_>],
    image: &str,
    sheet: &wayforge_draw::TileSheet,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = stages.first().map_or("", |stage| stage.name.as_str());
    let Value::Object(members) = header(kit, title) else { return Ok(()) };
    writeln!(out, "{{")?;
    for (name, value) in members {
        writeln!(out, "\"{name}\":{value},")?;
    }
    writeln!(out, "\"defs\":{},", definitions(kit, image, sheet))?;
    writeln!(out, "\"levels\":[")?;
    for (n, stage) in stages.iter().enumerate() {
        level(kit, stage, n, image, sheet.columns, out)?;
        writeln!(out, "{}", if n + 1 < stages.len() { "," } else { "" })?;
    }
    writeln!(out, "]}}")
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
    let uid = kit.level_uid(number);
    let at = |cells: u16| i64::from(cells) * side;
    let fields: Vec<Value> = kit
        .level_fields
        .iter()
        .filter_map(|field| {
            stage.fields.iter().find(|value| value.0 == field.name).map(|value| instance(field, &value.1))
        })
        .collect();
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
        Value::from(fields)
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
    let fields = definition.fields.iter().filter_map(|field| {
        let value = thing.fields.iter().find(|value| value.0 == field.name)?;
        Some(instance(field, &value.1))
    });
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
        "fieldInstances": fields.collect::<Vec<Value>>(),
    })
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
        "__type": field.of.outer(),
        "__value": value,
        "__tile": null,
        "defUid": field.uid,
        "realEditorValues": editor,
    })
}
