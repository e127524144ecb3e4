//! LDtk 1.5 projects: an IntGrid layer with the meaning of each cell, a tile layer, and entities.
//!
//! A map becomes one or more [`LdtkLevel`]s (levels of the project) and [`ProjectDefs`]. The writer
//! streams the cells without storing them.

mod definitions;
mod levels;
mod project_defs;

use crate::content::Content;
use crate::error::FormatError;
use crate::registry::Target;
use crate::tiled::{check_side, comma};
use definitions::{Defaults, definitions, header, iid};
use levels::{EntityInstance, LdtkLevel};
use project_defs::{Field, ProjectDefs};
use serde_json::{Value, json};
use std::io::{self, Write};
use wayforge::grid::Size;

/// Writes a project and its tileset image.
pub(crate) fn write(content: &Content, to: Target<'_>) -> Result<(), FormatError> {
    if let Content::NavGrid(grid) = content {
        check_side(grid, "LDtk")?;
    }
    let defs = ProjectDefs::from_content(content, to.theme);
    let levels = levels::levels_of(content, &defs);
    let sheet = defs.tileset.render(to.theme)?;
    let out = to.files.create(to.name)?;
    let defaults = Defaults::new().map_err(io::Error::from)?;
    let title = levels.first().map_or("", |level| level.name.as_str());
    writeln!(out, "{{")?;
    for (name, value) in header(&defaults, &defs, title) {
        writeln!(out, "\"{name}\":{value},")?;
    }
    writeln!(out, "\"defs\":{},", definitions(&defaults, &defs, &sheet))?;
    writeln!(out, "\"levels\":[")?;
    for (n, level) in levels.iter().enumerate() {
        write_level(&defs, level, n, sheet.columns, out)?;
        writeln!(out, "{}", if n + 1 < levels.len() { "," } else { "" })?;
    }
    writeln!(out, "]}}")?;
    Ok(to.files.create(&defs.image)?.write_all(&sheet.png)?)
}

fn write_level(
    defs: &ProjectDefs,
    level: &LdtkLevel<'_>,
    number: usize,
    columns: u32,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (size, side) = (level.size, defs.side);
    let uid = project_defs::FIRST_LEVEL_UID + number as i64;
    let pixels = |cells: u16| i64::from(cells) * side;
    let (name, iid, (x, y)) = (json!(level.name), iid(&level.name, "level"), level.world);
    let (width, height) = (pixels(size.width), pixels(size.height));
    let fields = field_instances(&defs.level_fields, &level.fields);
    write!(
        out,
        "{{\"identifier\":{name},\"iid\":\"{iid}\",\"uid\":{uid},\"worldX\":{x},\"worldY\":{y},\
         \"worldDepth\":0,\"pxWid\":{width},\"pxHei\":{height},\
         \"__bgColor\":\"#F4ECD8\",\"bgColor\":null,\"useAutoIdentifier\":false,\
         \"bgRelPath\":null,\"bgPos\":null,\"bgPivotX\":0.5,\
         \"bgPivotY\":0.5,\"__smartColor\":\"#A89878\",\"__bgPos\":null,\"externalRelPath\":null,\
         \"__neighbours\":[],\"fieldInstances\":{fields},\
         \"layerInstances\":[",
    )?;
    for (n, (name, kind, layer)) in defs.layers().enumerate() {
        write!(out, "{}", if n > 0 { ",\n" } else { "" })?;
        write_layer_header(defs, level, [name, kind], [uid, layer], out)?;
        match name {
            "Entities" => {
                write!(out, "\"intGridCsv\":[],\"gridTiles\":[],\"entityInstances\":[")?;
                for (n, instance) in level.entities.iter().enumerate() {
                    write!(out, "{}\n{}", comma(n), entity(defs, level, instance, n))?;
                }
            }
            "Tiles" => {
                write!(out, "\"intGridCsv\":[],\"entityInstances\":[],\"gridTiles\":[")?;
                for (n, pos) in size.iter().enumerate() {
                    let tile = (level.tile)(pos);
                    let (x, y) =
                        (i64::from(tile % columns) * side, i64::from(tile / columns) * side);
                    let (px, py) = (pixels(pos.x), pixels(pos.y));
                    write!(out, "{}{{\"px\":[{px},{py}],\"src\":[{x},{y}],\"f\":0,", comma(n))?;
                    write!(out, "\"t\":{tile},\"d\":[{n}],\"a\":1}}")?;
                }
            }
            _ => {
                write!(out, "\"entityInstances\":[],\"gridTiles\":[],\"intGridCsv\":[")?;
                for (n, pos) in size.iter().enumerate() {
                    write!(out, "{}{}", comma(n), (level.value)(pos))?;
                }
            }
        }
        write!(out, "]}}")?;
    }
    write!(out, "]}}")
}

/// Writes the common first members of a layer. The JSON object stays open.
fn write_layer_header(
    defs: &ProjectDefs,
    level: &LdtkLevel<'_>,
    [name, kind]: [&str; 2],
    [level_uid, uid]: [i64; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    let (iid, side) = (iid(&level.name, name), defs.side);
    let image = (name == "Tiles").then_some(&defs.image);
    let Size { width, height } = level.size;
    let (tileset, image) = (json!(image.map(|_| project_defs::TILESET_UID)), json!(image));
    write!(
        out,
        "{{\"__identifier\":\"{name}\",\"__type\":\"{kind}\",\"__cWid\":{width},\
         \"__cHei\":{height},\"__gridSize\":{side},\"__opacity\":1,\
         \"__pxTotalOffsetX\":0,\"__pxTotalOffsetY\":0,\"__tilesetDefUid\":{tileset},\
         \"__tilesetRelPath\":{image},\"iid\":\"{iid}\",\"levelId\":{level_uid},\
         \"layerDefUid\":{uid},\"pxOffsetX\":0,\"pxOffsetY\":0,\"visible\":true,\
         \"optionalRules\":[],\"autoLayerTiles\":[],\"seed\":0,\
         \"overrideTilesetUid\":null,",
    )
}

fn entity(
    defs: &ProjectDefs,
    level: &LdtkLevel<'_>,
    instance: &EntityInstance,
    number: usize,
) -> Value {
    let definition = &defs.entities[instance.kind];
    let side = defs.side;
    let (x, y) = (i64::from(instance.cell.x) * side, i64::from(instance.cell.y) * side);
    json!({
        "__identifier": definition.name,
        "__grid": [instance.cell.x, instance.cell.y],
        "__pivot": [0, 0],
        "__tags": [],
        "__tile": definitions::tile_rect(defs, definition.tile),
        "__smartColor": definition.colour,
        "__worldX": level.world.0 + x,
        "__worldY": level.world.1 + y,
        "iid": iid(&level.name, &format!("entity {number}")),
        "width": side,
        "height": side,
        "defUid": defs.entity_uid(instance.kind),
        "px": [x, y],
        "fieldInstances": field_instances(&definition.fields, &instance.fields),
    })
}

/// Returns the instances of all fields that have a value.
fn field_instances(fields: &[Field], values: &[(&'static str, project_defs::FieldValue)]) -> Value {
    let value = |field: &Field| {
        Some(field_instance(field, &values.iter().find(|value| value.0 == field.name)?.1))
    };
    fields.iter().filter_map(value).collect()
}

/// Returns a field instance with its value for games (`__value`) and for the editor
/// (`realEditorValues`).
fn field_instance(field: &Field, value: &project_defs::FieldValue) -> Value {
    let (value, editor) = match value {
        project_defs::FieldValue::Text(text) => {
            (json!(text), vec![json!({"id": "V_String", "params": [text]})])
        }
        project_defs::FieldValue::Int(number) => {
            (json!(number), vec![json!({"id": "V_Int", "params": [number]})])
        }
        project_defs::FieldValue::Cells(cells) => (
            cells.iter().map(|pos| json!({"cx": pos.x, "cy": pos.y})).collect(),
            cells
                .iter()
                .map(|pos| json!({"id": "V_String", "params": [pos.to_string()]}))
                .collect(),
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
