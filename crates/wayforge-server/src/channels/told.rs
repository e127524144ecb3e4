//! The shapes of what goes in and out, and their schemas.

use crate::openapi::Outline;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use wayforge::{Digest, Family, Seed};

/// A kept map in a list.
#[derive(Serialize, JsonSchema)]
pub(super) struct ListedView {
    /// The channel.
    pub(super) channel: String,
    /// How often the channel's map was changed.
    pub(super) revision: u64,
    /// The family.
    pub(super) family: Family,
    /// The algorithm that made it.
    pub(super) algorithm: String,
    /// Its seed.
    pub(super) seed: Seed,
    /// Its digest.
    pub(super) digest: Digest,
    /// When this map came to the channel.
    pub(super) created: String,
    /// When it was last changed.
    pub(super) updated: String,
}

/// One page of a guild's maps.
#[derive(Serialize, JsonSchema)]
pub(super) struct MapList {
    /// The maps by channel.
    pub(super) maps: Vec<ListedView>,
    /// What `after` asks the next page with; null on the last one.
    pub(super) next: Option<String>,
}

/// One change of a channel's map.
#[derive(Serialize, JsonSchema)]
pub(super) struct HistoryView {
    /// The revision that it led to.
    pub(super) revision: u64,
    /// When.
    pub(super) at: String,
    /// Who.
    pub(super) actor: String,
    /// What: `create`, `reset`, `reseed`, `move`, `undo`, `delete` or `restore`.
    pub(super) event: &'static str,
    /// The move, or the revision that was brought back.
    pub(super) detail: Option<String>,
    /// The family of the map that it led to; null if it was deleted.
    pub(super) family: Option<Family>,
    /// Its seed.
    pub(super) seed: Option<Seed>,
    /// Its digest.
    pub(super) digest: Option<Digest>,
}

/// One page of a channel's history.
#[derive(Serialize, JsonSchema)]
pub(super) struct HistoryList {
    /// The changes, latest first.
    pub(super) entries: Vec<HistoryView>,
    /// What `before` asks the next page with; null on the last one.
    pub(super) next: Option<u64>,
}

/// How much was taken in.
#[derive(Serialize, JsonSchema)]
pub(super) struct Imported {
    /// Channels, those without a map included.
    pub(super) channels: u64,
    /// Entries of their histories.
    pub(super) entries: u64,
    /// Documents.
    pub(super) documents: u64,
}

/// Adds the schemas.
pub(super) fn schemas(outline: &mut Outline) {
    outline.schema::<super::view::MapView>();
    outline.schema::<MapList>();
    outline.schema::<HistoryList>();
    outline.schema::<Imported>();
    let part = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    outline.plain("Id", json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$" }));
    outline.plain("Tag", json!({ "type": "string", "pattern": "^\"[0-9]{1,15}\"$" }));
    outline.plain("JsonLines", json!({ "type": "string", "minLength": 1 }));
    outline.plain("ActorName", json!({ "type": "string", "pattern": "^[!-~]([ -~]{0,126}[!-~])?$" }));
    outline.plain("PageLimit", json!({ "type": "integer", "minimum": 1, "maximum": 1000 }));
    outline.plain(
        "RevisionNumber",
        json!({ "type": "integer", "minimum": 1, "maximum": 999_999_999_999_999_u64 }),
    );
    outline.plain(
        "FogRows",
        json!({ "type": "integer", "minimum": 0, "maximum": 65535,
            "description": "How many rows ahead of the party are seen; all if left out." }),
    );
    outline.plain(
        "Move",
        json!({
            "type": "string",
            "pattern": "^((0|[1-9][0-9]{0,3}),(0|[1-9][0-9]{0,3})|boss|north|east|south|west)$",
            "description": "COLUMN,ROW on an act map, or boss; north, east, south or west on a floor or a tower.",
        }),
    );
    let made = |family: &str, title: &str| {
        let mut properties = json!({
            "family": { "const": family },
            "seed": part("SeedInput"),
            "config": part(&format!("{family}.{title}Config")),
        });
        if family == "act" {
            properties["fog"] = part("FogRows");
        }
        json!({ "type": "object", "properties": properties, "required": ["family"], "additionalProperties": false })
    };
    outline.plain(
        "MapRequest",
        json!({
            "description": "A map to make, or a document to keep.",
            "anyOf": [
                made("act", "Act"), made("level", "Level"), made("floor", "Floor"), made("tower", "Tower"),
                { "type": "object", "properties": { "document": part("AnyDocument") }, "required": ["document"],
                    "additionalProperties": false },
            ],
        }),
    );
    outline.plain(
        "ReseedRequest",
        json!({ "type": "object", "properties": { "seed": part("SeedInput") }, "additionalProperties": false }),
    );
    outline.plain(
        "MoveRequest",
        json!({
            "type": "object",
            "properties": { "move": part("Move") },
            "required": ["move"],
            "additionalProperties": false,
        }),
    );
    outline.plain(
        "RestoreRequest",
        json!({
            "type": "object",
            "properties": { "revision": part("RevisionNumber") },
            "required": ["revision"],
            "additionalProperties": false,
        }),
    );
}
