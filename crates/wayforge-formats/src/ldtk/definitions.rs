//! The parts of a project that say what its levels are made of.

use super::kit::{CELLS, Field, Kit, TILESET_UID};
use serde_json::{Map, Value, json};
use wayforge::seed::fnv1a_64;
use wayforge_draw::TileSheet;

/// Members with the same value in every project, by the part they belong to.
pub(super) struct Defaults(Map<String, Value>);

impl Defaults {
    pub(super) fn new() -> serde_json::Result<Defaults> {
        serde_json::from_str(include_str!("defaults.json")).map(Defaults)
    }

    /// A part of a project: its defaults, and `members`.
    fn with(&self, part: &str, members: Value) -> Map<String, Value> {
        let mut whole = self.0.get(part).and_then(Value::as_object).cloned().unwrap_or_default();
        if let Value::Object(members) = members {
            whole.extend(members);
        }
        whole
    }
}

/// An id in the form of a UUID that depends on names only, so that the same map gives the same bytes.
pub(super) fn iid(one: &str, other: &str) -> String {
    let high = fnv1a_64(format!("{one}/{other}").as_bytes());
    let low = fnv1a_64(format!("{other}\\{one}").as_bytes());
    let digits = format!("{high:016x}{low:016x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// The members of a project other than its definitions and levels.
pub(super) fn header(defaults: &Defaults, kit: &Kit, title: &str) -> Map<String, Value> {
    let (side, eight) = (kit.side, 8 * kit.side);
    let members = json!({
        "iid": iid(title, "project"),
        "worldGridWidth": eight,
        "worldGridHeight": eight,
        "defaultLevelWidth": eight,
        "defaultLevelHeight": eight,
        "defaultGridSize": side,
        "defaultEntityWidth": side,
        "defaultEntityHeight": side,
        "dummyWorldIid": iid(title, "world"),
    });
    defaults.with("header", members)
}

pub(super) fn definitions(defaults: &Defaults, kit: &Kit, sheet: &TileSheet) -> Value {
    let layers: Vec<_> =
        kit.layers().map(|(name, kind, uid)| layer(defaults, kit, name, kind, uid)).collect();
    let field = |field: &Field| self::field(defaults, field);
    let things = kit.things.iter().enumerate().map(|(n, thing)| {
        let members = json!({
            "identifier": thing.name,
            "uid": kit.thing_uid(n),
            "width": kit.side,
            "height": kit.side,
            "color": thing.colour,
            "renderMode": if thing.tile.is_some() { "Tile" } else { "Rectangle" },
            "tilesetId": thing.tile.map(|_| TILESET_UID),
            "tileRect": tile_rect(kit, thing.tile),
            "fieldDefs": thing.fields.iter().map(field).collect::<Vec<_>>(),
        });
        defaults.with("entity", members)
    });
    let tileset = json!({
        "__cWid": sheet.columns,
        "__cHei": sheet.rows,
        "uid": TILESET_UID,
        "relPath": kit.image,
        "pxWid": sheet.columns * sheet.side,
        "pxHei": sheet.rows * sheet.side,
        "tileGridSize": sheet.side,
    });
    json!({
        "layers": layers,
        "entities": things.collect::<Vec<_>>(),
        "tilesets": [defaults.with("tileset", tileset)],
        "enums": [],
        "externalEnums": [],
        "levelFields": kit.level_fields.iter().map(field).collect::<Vec<_>>(),
    })
}

/// The rectangle of a tile in the picture; the sheets have eight columns.
pub(super) fn tile_rect(kit: &Kit, tile: Option<u32>) -> Value {
    tile.map_or(Value::Null, |tile| {
        let (x, y) = (i64::from(tile % 8) * kit.side, i64::from(tile / 8) * kit.side);
        json!({"tilesetUid": TILESET_UID, "x": x, "y": y, "w": kit.side, "h": kit.side})
    })
}

fn layer(defaults: &Defaults, kit: &Kit, name: &str, kind: &str, uid: i64) -> Map<String, Value> {
    let values = (1..).zip(&kit.values).filter(|_| kind == "IntGrid").map(|(value, (name, colour))| {
        json!({"value": value, "identifier": name, "color": colour, "tile": null, "groupUid": 0})
    });
    let members = json!({
        "__type": kind,
        "identifier": name,
        "type": kind,
        "uid": uid,
        "gridSize": kit.side,
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
