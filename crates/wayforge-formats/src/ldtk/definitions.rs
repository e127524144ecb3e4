//! The `defs` section and header of an LDtk project.

use super::project_defs::{CELLS, Field, ProjectDefs, TILESET_UID};
use serde_json::{Map, Value, json};
use wayforge::seed::fnv1a_64;
use wayforge_draw::TileSheet;

/// Members that have the same value in every project, by section.
pub(super) struct Defaults(Map<String, Value>);

impl Defaults {
    pub(super) fn new() -> serde_json::Result<Defaults> {
        serde_json::from_str(include_str!("defaults.json")).map(Defaults)
    }

    /// Returns the defaults of a section, extended by `members`.
    fn with(&self, section: &str, members: Value) -> Map<String, Value> {
        let mut object =
            self.0.get(section).and_then(Value::as_object).cloned().unwrap_or_default();
        if let Value::Object(members) = members {
            object.extend(members);
        }
        object
    }
}

/// Returns an id in UUID format derived from names, so that equal maps give equal bytes.
pub(super) fn iid(owner: &str, name: &str) -> String {
    let high = fnv1a_64(format!("{owner}/{name}").as_bytes());
    let low = fnv1a_64(format!("{name}\\{owner}").as_bytes());
    let digits = format!("{high:016x}{low:016x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// Returns the members of a project other than `defs` and `levels`.
pub(super) fn header(defaults: &Defaults, defs: &ProjectDefs, title: &str) -> Map<String, Value> {
    // New levels have 8 x 8 tiles.
    let (side, level_side) = (defs.side, 8 * defs.side);
    let members = json!({
        "iid": iid(title, "project"),
        "worldGridWidth": level_side,
        "worldGridHeight": level_side,
        "defaultLevelWidth": level_side,
        "defaultLevelHeight": level_side,
        "defaultGridSize": side,
        "defaultEntityWidth": side,
        "defaultEntityHeight": side,
        "dummyWorldIid": iid(title, "world"),
    });
    defaults.with("header", members)
}

/// Returns the `defs` section.
pub(super) fn definitions(defaults: &Defaults, defs: &ProjectDefs, sheet: &TileSheet) -> Value {
    let layers: Vec<_> =
        defs.layers().map(|(name, kind, uid)| layer(defaults, defs, name, kind, uid)).collect();
    let field = |field: &Field| self::field(defaults, field);
    let entities = defs.entities.iter().enumerate().map(|(n, entity)| {
        let members = json!({
            "identifier": entity.name,
            "uid": defs.entity_uid(n),
            "width": defs.side,
            "height": defs.side,
            "color": entity.colour,
            "renderMode": if entity.tile.is_some() { "Tile" } else { "Rectangle" },
            "tilesetId": entity.tile.map(|_| TILESET_UID),
            "tileRect": tile_rect(defs, entity.tile),
            "fieldDefs": entity.fields.iter().map(field).collect::<Vec<_>>(),
        });
        defaults.with("entity", members)
    });
    let tileset = json!({
        "__cWid": sheet.columns,
        "__cHei": sheet.rows,
        "uid": TILESET_UID,
        "relPath": defs.image,
        "pxWid": sheet.columns * sheet.side,
        "pxHei": sheet.rows * sheet.side,
        "tileGridSize": sheet.side,
    });
    json!({
        "layers": layers,
        "entities": entities.collect::<Vec<_>>(),
        "tilesets": [defaults.with("tileset", tileset)],
        "enums": [],
        "externalEnums": [],
        "levelFields": defs.level_fields.iter().map(field).collect::<Vec<_>>(),
    })
}

/// Returns the rectangle of a tile in the tileset image, which has eight columns.
pub(super) fn tile_rect(defs: &ProjectDefs, tile: Option<u32>) -> Value {
    tile.map_or(Value::Null, |tile| {
        let (x, y) = (i64::from(tile % 8) * defs.side, i64::from(tile / 8) * defs.side);
        json!({"tilesetUid": TILESET_UID, "x": x, "y": y, "w": defs.side, "h": defs.side})
    })
}

fn layer(
    defaults: &Defaults,
    defs: &ProjectDefs,
    name: &str,
    kind: &str,
    uid: i64,
) -> Map<String, Value> {
    let values = (1..).zip(&defs.values).filter(|_| kind == "IntGrid");
    let values = values.map(|(value, (name, colour))| {
        json!({"value": value, "identifier": name, "color": colour, "tile": null, "groupUid": 0})
    });
    let members = json!({
        "__type": kind,
        "identifier": name,
        "type": kind,
        "uid": uid,
        "gridSize": defs.side,
        "intGridValues": values.collect::<Vec<Value>>(),
        "tilesetDefUid": (kind == "Tiles").then_some(TILESET_UID),
    });
    defaults.with("layer", members)
}

fn field(defaults: &Defaults, field: &Field) -> Map<String, Value> {
    let array = field.kind == CELLS;
    let [outer, inner] = field.kind;
    let members = json!({
        "identifier": field.name,
        "__type": outer,
        "uid": field.uid,
        "type": inner,
        "isArray": array,
        "canBeNull": !array,
        "editorDisplayMode": if array { "PointPath" } else { "Hidden" },
    });
    defaults.with("field", members)
}
