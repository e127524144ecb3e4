//! The parts of a project that say what its levels are made of.

use super::kit::{ENTITIES_UID, Field, GROUND_UID, Kit, Of, TILES_UID, TILESET_UID};
use serde_json::{Value, json};
use wayforge::seed::fnv1a_64;
use wayforge_draw::TileSheet;

/// The version of the format.
const VERSION: &str = "1.5.3";

/// An id in the form of a UUID that depends on names only, so that the same map gives the same bytes.
pub(super) fn iid(one: &str, other: &str) -> String {
    let high = fnv1a_64(format!("{one}/{other}").as_bytes());
    let low = fnv1a_64(format!("{other}\\{one}").as_bytes());
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

/// The members of a project other than its definitions and levels.
pub(super) fn header(kit: &Kit, title: &str) -> Value {
    let side = kit.side;
    json!({
        "__header__": {
            "fileType": "LDtk Project JSON",
            "app": "LDtk",
            "doc": "https://ldtk.io/json",
            "schema": "https://ldtk.io/files/JSON_SCHEMA.json",
            "appAuthor": "Wayforge",
            "appVersion": VERSION,
            "url": "https://ldtk.io",
        },
        "iid": iid(title, "project"),
        "jsonVersion": VERSION,
        "appBuildId": 473703,
        "nextUid": 1_000_000,
        "identifierStyle": "Capitalize",
        "toc": [],
        "worldLayout": "Free",
        "worldGridWidth": 8 * side,
        "worldGridHeight": 8 * side,
        "defaultLevelWidth": 8 * side,
        "defaultLevelHeight": 8 * side,
        "defaultPivotX": 0,
        "defaultPivotY": 0,
        "defaultGridSize": side,
        "defaultEntityWidth": side,
        "defaultEntityHeight": side,
        "bgColor": "#40465B",
        "defaultLevelBgColor": "#F4ECD8",
        "minifyJson": false,
        "externalLevels": false,
        "exportTiled": false,
        "simplifiedExport": false,
        "imageExportMode": "None",
        "exportLevelBg": true,
        "pngFilePattern": null,
        "backupOnSave": false,
        "backupLimit": 10,
        "backupRelPath": null,
        "levelNamePattern": "Level_%idx",
        "tutorialDesc": null,
        "customCommands": [],
        "flags": [],
        "worlds": [],
        "dummyWorldIid": iid(title, "world"),
    })
}

pub(super) fn definitions(kit: &Kit, image: &str, sheet: &TileSheet) -> Value {
    let mut layers = vec![layer(kit, "Entities", ENTITIES_UID)];
    if kit.shows_tiles {
        layers.push(layer(kit, "Tiles", TILES_UID));
    }
    layers.push(layer(kit, "Ground", GROUND_UID));
    let things = kit.things.iter().enumerate().map(|(n, thing)| {
        json!({
            "identifier": thing.name,
            "uid": kit.thing_uid(n),
            "tags": [],
            "exportToToc": false,
            "allowOutOfBounds": false,
            "doc": null,
            "width": kit.side,
            "height": kit.side,
            "resizableX": false,
            "resizableY": false,
            "minWidth": null,
            "maxWidth": null,
            "minHeight": null,
            "maxHeight": null,
            "keepAspectRatio": false,
            "tileOpacity": 1,
            "fillOpacity": 0.08,
            "lineOpacity": 0,
            "hollow": false,
            "color": thing.colour,
            "renderMode": if thing.tile.is_some() { "Tile" } else { "Rectangle" },
            "showName": true,
            "tilesetId": thing.tile.map(|_| TILESET_UID),
            "tileRenderMode": "FitInside",
            "tileRect": tile_rect(kit, thing.tile),
            "uiTileRect": null,
            "nineSliceBorders": [],
            "maxCount": 0,
            "limitScope": "PerLevel",
            "limitBehavior": "MoveLastOne",
            "pivotX": 0,
            "pivotY": 0,
            "fieldDefs": thing.fields.iter().map(field).collect::<Vec<Value>>(),
        })
    });
    json!({
        "layers": layers,
        "entities": things.collect::<Vec<Value>>(),
        "tilesets": [{
            "__cWid": sheet.columns,
            "__cHei": sheet.rows,
            "identifier": "Tileset",
            "uid": TILESET_UID,
            "relPath": image,
            "embedAtlas": null,
            "pxWid": sheet.columns * sheet.side,
            "pxHei": sheet.rows * sheet.side,
            "tileGridSize": sheet.side,
            "spacing": 0,
            "padding": 0,
            "tags": [],
            "tagsSourceEnumUid": null,
            "enumTags": [],
            "customData": [],
            "savedSelections": [],
            "cachedPixelData": null,
        }],
        "enums": [],
        "externalEnums": [],
        "levelFields": kit.level_fields.iter().map(field).collect::<Vec<Value>>(),
    })
}

/// The rectangle of a tile in the picture; the sheets have eight columns.
pub(super) fn tile_rect(kit: &Kit, tile: Option<u32>) -> Value {
    tile.map_or(Value::Null, |tile| {
        let (x, y) = (i64::from(tile % 8) * kit.side, i64::from(tile / 8) * kit.side);
        json!({"tilesetUid": TILESET_UID, "x": x, "y": y, "w": kit.side, "h": kit.side})
    })
}

fn layer(kit: &Kit, name: &str, uid: i64) -> Value {
    let kind = if name == "Ground" { "IntGrid" } else { name };
    let values = (1..).zip(&kit.values).filter(|_| kind == "IntGrid").map(|(value, (name, colour))| {
        json!({"value": value, "identifier": name, "color": colour, "tile": null, "groupUid": 0})
    });
    json!({
        "__type": kind,
        "identifier": name,
        "type": kind,
        "uid": uid,
        "doc": null,
        "uiColor": null,
        "gridSize": kit.side,
        "guideGridWid": 0,
        "guideGridHei": 0,
        "displayOpacity": 1,
        "inactiveOpacity": 0.6,
        "hideInList": false,
        "hideFieldsWhenInactive": true,
        "canSelectWhenInactive": true,
        "renderInWorldView": true,
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "parallaxFactorX": 0,
        "parallaxFactorY": 0,
        "parallaxScaling": true,
        "requiredTags": [],
        "excludedTags": [],
        "autoTilesKilledByOtherLayerUid": null,
        "uiFilterTags": [],
        "useAsyncRender": false,
        "intGridValues": values.collect::<Vec<Value>>(),
        "intGridValuesGroups": [],
        "autoRuleGroups": [],
        "autoSourceLayerDefUid": null,
        "tilesetDefUid": if kind == "Tiles" { json!(TILESET_UID) } else { Value::Null },
        "tilePivotX": 0,
        "tilePivotY": 0,
        "biomeFieldUid": null,
    })
}

fn field(field: &Field) -> Value {
    let array = field.of == Of::Cells;
    json!({
        "identifier": field.name,
        "doc": null,
        "__type": field.of.outer(),
        "uid": field.uid,
        "type": field.of.inner(),
        "isArray": array,
        "canBeNull": !array,
        "arrayMinLength": null,
        "arrayMaxLength": null,
        "editorDisplayMode": if array { "PointPath" } else { "Hidden" },
        "editorDisplayScale": 1,
        "editorDisplayPos": "Above",
        "editorLinkStyle": "StraightArrow",
        "editorDisplayColor": null,
        "editorAlwaysShow": false,
        "editorShowInWorld": true,
        "editorCutLongValues": true,
        "editorTextSuffix": null,
        "editorTextPrefix": null,
        "useForSmartColor": false,
        "exportToToc": false,
        "searchable": false,
        "min": null,
        "max": null,
        "regex": null,
        "acceptFileTypes": null,
        "defaultOverride": null,
        "textLanguageMode": null,
        "symmetricalRef": false,
        "autoChainRef": true,
        "allowOutOfLevelRef": true,
        "allowedRefs": "OnlySame",
        "allowedRefsEntityUid": null,
        "allowedRefTags": [],
        "tilesetUid": null,
    })
}
