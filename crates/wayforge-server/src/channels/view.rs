//! Requests and responses about stored maps, and their schemas.

use crate::extract::MAX_REVISION;
use crate::form::Form;
use crate::map::{self, Look};
use crate::openapi::{Outline, part};
use crate::problem::{Kind, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use wayforge::{AnyMap, Digest, Family, Seed};
use wayforge_api::AnyScene;
use wayforge_api::handlers::Brush;
use wayforge_api::handlers::ask::{Given, SeedInput, Whole, title, whole};
use wayforge_api::handlers::moves::MOVE_PATTERN;
use wayforge_store::{HistoryEntry, Id, Listed, Revision, StoredMap, Tally};

/// One page of a guild's maps.
#[derive(Serialize, JsonSchema)]
pub(super) struct MapList {
    /// The maps by channel.
    pub(super) maps: Vec<Listed>,
    /// What `after` asks the next page with; null on the last one.
    #[schemars(with = "Option<String>")]
    pub(super) next: Option<Id>,
}

/// One change of a channel's map.
#[derive(Serialize, JsonSchema)]
pub(super) struct HistoryView {
    /// The revision that it led to.
    revision: u64,
    /// When.
    at: String,
    /// Who.
    actor: String,
    /// What: `create`, `reset`, `reseed`, `move`, `undo`, `delete` or `restore`.
    event: &'static str,
    /// The move, or the revision that was brought back.
    detail: Option<String>,
    /// The family of the map that it led to; null if it was deleted.
    family: Option<Family>,
    /// Its seed.
    seed: Option<Seed>,
    /// Its digest.
    digest: Option<Digest>,
}

/// One page of a channel's history.
#[derive(Serialize, JsonSchema)]
pub(super) struct HistoryList {
    /// The changes, latest first.
    pub(super) entries: Vec<HistoryView>,
    /// What `before` asks the next page with; null on the last one.
    pub(super) next: Option<u64>,
}

/// A map to keep: generated here, or brought along.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct MapRequest<'a> {
    pub(super) family: Given<Family>,
    pub(super) seed: Given<SeedInput>,
    #[serde(borrow)]
    #[schemars(with = "Map<String, Value>")]
    pub(super) config: Given<&'a RawValue>,
    /// How many rows ahead of the party are seen; all if left out.
    #[schemars(with = "u16")]
    pub(super) fog: Given<Whole<u16>>,
    #[serde(borrow)]
    #[schemars(with = "Map<String, Value>")]
    pub(super) document: Given<&'a RawValue>,
}

/// A new seed for the same configuration.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ReseedRequest {
    pub(super) seed: Given<SeedInput>,
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

/// A kept map with its party.
#[derive(Serialize, JsonSchema)]
pub(super) struct MapView {
    /// The guild; null for a direct message.
    #[schemars(with = "Option<String>")]
    guild: Option<Id>,
    #[serde(flatten)]
    map: Listed,
    /// How far the party has come; null for families that are not played.
    party: Option<Party>,
    /// The map's document.
    #[schemars(with = "Map<String, Value>")]
    document: Box<RawValue>,
}

/// How far a party has come.
#[derive(Serialize, JsonSchema)]
pub(super) struct Party {
    /// The save, as `wayforge play` reads it.
    #[schemars(with = "Map<String, Value>")]
    progress: Box<RawValue>,
    /// The legal moves.
    moves: Vec<String>,
    /// True when the goal is reached.
    finished: bool,
}

/// The tag of a revision.
pub(super) fn tag(revision: Revision) -> String {
    format!("\"{revision}\"")
}

impl MapView {
    pub(super) fn of(map: &StoredMap) -> Result<MapView, Problem> {
        let party = |progress: &String| {
            let run = map.run().map_err(damaged)?;
            Ok::<_, Problem>(Party {
                progress: RawValue::from_string(progress.clone()).map_err(damaged)?,
                moves: run.moves().iter().map(ToString::to_string).collect(),
                finished: run.is_finished(),
            })
        };
        Ok(MapView {
            guild: map.key.guild.clone(),
            map: map.listed.clone(),
            party: map.progress.as_ref().map(party).transpose()?,
            document: RawValue::from_string(map.document.to_string()).map_err(damaged)?,
        })
    }
}

/// A kept map in a form: the party is drawn where it stands.
pub(crate) fn draw(map: &StoredMap, form: Form, look: Look, brush: &mut Brush) -> Result<Vec<u8>, Problem> {
    if form == Form::Json {
        return serde_json::to_vec(&MapView::of(map)?).map_err(damaged);
    }
    let scene = match map.progress {
        Some(_) => AnyScene::of_run(&map.run().map_err(damaged)?, look.labels),
        None => {
            let document = map.decode().map_err(damaged)?;
            look.scene(&AnyMap::decode_document(&document).map_err(damaged)?)
        }
    };
    map::draw(&scene, form, look, brush)
}

/// The tag of a kept map in a form.
pub(super) fn form_tag(map: &StoredMap, form: Form, look: Look) -> String {
    match form {
        Form::Json => tag(map.revision),
        _ => {
            let picture = crate::generate::tag(map.digest, form, look);
            format!("\"{};{}", map.revision, &picture[1..])
        }
    }
}

impl From<HistoryEntry> for HistoryView {
    fn from(entry: HistoryEntry) -> HistoryView {
        HistoryView {
            revision: entry.revision.0,
            at: entry.at.to_string(),
            actor: entry.actor.to_string(),
            event: entry.event.name(),
            detail: entry.event.detail(),
            family: entry.map.as_ref().map(|map| map.family),
            digest: entry.map.as_ref().map(|map| map.digest),
            seed: entry.map.map(|map| map.seed),
        }
    }
}

fn damaged(error: impl std::fmt::Display) -> Problem {
    Problem::new(Kind::Damaged, error.to_string())
}

/// Adds the schemas.
pub(super) fn schemas(outline: &mut Outline) {
    outline.schema::<MapView>();
    outline.schema::<MapList>();
    outline.schema::<HistoryList>();
    outline.schema::<Tally>();
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
