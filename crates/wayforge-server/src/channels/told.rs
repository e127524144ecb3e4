//! The shapes of what goes in and out, and their schemas.

use crate::extract::MAX_REVISION;
use crate::openapi::{Outline, part};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use wayforge::{Digest, Family, Seed};
use wayforge_api::handlers::ask::{SeedInput, Whole, given, title, whole};
use wayforge_api::handlers::moves::MOVE_PATTERN;

/// A kept map in a list.
#[derive(Serialize, JsonSchema)]
pub(super) struct ListedView {
    /// The channel.
    pub(super) channel: String,
    /// How often the channel's map was changed; also the ETag.
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

/// A map to keep: generated here, or brought along.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MapRequest<'a> {
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Family")]
    pub(super) family: Option<Family>,
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "SeedInput")]
    pub(super) seed: Option<SeedInput>,
    #[serde(default, borrow, deserialize_with = "given")]
    #[schemars(with = "Map<String, Value>")]
    pub(super) config: Option<&'a RawValue>,
    /// How many rows ahead of the party are seen; all if left out.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "u16")]
    pub(super) fog: Option<Whole<u16>>,
    #[serde(default, borrow, deserialize_with = "given")]
    #[schemars(with = "Map<String, Value>")]
    pub(super) document: Option<&'a RawValue>,
}

/// A new seed for the same configuration.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReseedRequest {
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "SeedInput")]
    pub(super) seed: Option<SeedInput>,
}

/// A move of the party.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveRequest {
    /// COLUMN,ROW on an act map, or boss; north, east, south or west on a floor or a tower.
    #[schemars(regex(pattern = MOVE_PATTERN))]
    pub(super) r#move: String,
}

/// A former map to bring back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RestoreRequest {
    #[serde(deserialize_with = "whole")]
    #[schemars(range(min = 1, max = MAX_REVISION))]
    pub(super) revision: u64,
}

/// Adds the schemas.
pub(super) fn schemas(outline: &mut Outline) {
    outline.schema::<super::view::MapView>();
    outline.schema::<MapList>();
    outline.schema::<HistoryList>();
    outline.schema::<Imported>();
    outline.plain("Id", json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$" }));
    outline.plain("Tag", json!({ "type": "string", "pattern": "^\"[0-9]{1,15}\"$" }));
    outline.plain("JsonLines", json!({ "type": "string", "minLength": 1 }));
    outline.plain("ActorName", json!({ "type": "string", "pattern": "^[!-~]([ -~]{0,126}[!-~])?$" }));
    outline.plain("PageLimit", json!({ "type": "integer", "minimum": 1, "maximum": 1000 }));
    outline.plain("RevisionNumber", json!({ "type": "integer", "minimum": 1, "maximum": MAX_REVISION }));
    outline.schema::<ReseedRequest>();
    outline.schema::<MoveRequest>();
    outline.schema::<RestoreRequest>();
    let mut kinds = Vec::new();
    for family in Family::ALL {
        let name = format!("{}MapRequest", title(family));
        let without: &[(&str, &str)] = match family {
            Family::Act => &[("/properties", "document")],
            _ => &[("/properties", "document"), ("/properties", "fog")],
        };
        let config = format!("{family}.{}Config", title(family));
        let schema = outline.request::<MapRequest<'_>>(&name, &config, without);
        schema["properties"]["family"] = json!({ "const": family });
        schema["required"] = json!(["family"]);
        kinds.push(part(&name));
    }
    kinds.push(json!({
        "type": "object",
        "properties": { "document": part("AnyDocument") },
        "required": ["document"],
        "additionalProperties": false,
    }));
    let about = "A map to make, or a document to keep.";
    outline.plain("MapRequest", json!({ "description": about, "anyOf": kinds }));
}
