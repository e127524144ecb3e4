//! A kept map as callers see it.

use super::told::{HistoryView, ListedView};
use crate::form::Form;
use crate::map::{Look, draw_floors, draw_map, draw_scene};
use crate::problem::{Kind, Problem};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use wayforge::{AnyMap, Run};
use wayforge_api::handlers::Brush;
use wayforge_draw::{FloorScene, Scene};
use wayforge_store::{HistoryEntry, Listed, Revision, StoredMap};

/// A kept map with its party.
#[derive(Serialize, JsonSchema)]
pub(super) struct MapView {
    /// The guild; null for a direct message.
    guild: Option<String>,
    #[serde(flatten)]
    map: ListedView,
    /// How far the party has come; null for families that are not played.
    party: Option<Party>,
    /// The map's document.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    document: Box<RawValue>,
}

/// How far a party has come.
#[derive(Serialize, JsonSchema)]
pub(super) struct Party {
    /// The save, as `wayforge play` reads it.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    progress: Box<RawValue>,
    /// The legal moves.
    moves: Vec<String>,
    /// True when the goal is reached.
    finished: bool,
}

/// The members that lists show, of a map with or without its document.
macro_rules! listed {
    ($map:expr) => {
        ListedView {
            channel: $map.key.channel.to_string(),
            revision: $map.revision.0,
            family: $map.family,
            algorithm: $map.algorithm.clone(),
            seed: $map.seed.clone(),
            digest: $map.digest,
            created: $map.created.to_string(),
            updated: $map.updated.to_string(),
        }
    };
}

/// The tag of a revision.
pub(super) fn tag(revision: Revision) -> String {
    format!("\"{revision}\"")
}

impl MapView {
    pub(super) fn of(map: &StoredMap) -> Result<MapView, Problem> {
        let party = match &map.progress {
            None => None,
            Some(progress) => {
                let run = map.run().map_err(damaged)?;
                Some(Party {
                    progress: RawValue::from_string(progress.clone()).map_err(damaged)?,
                    moves: run.moves().iter().map(ToString::to_string).collect(),
                    finished: run.is_finished(),
                })
            }
        };
        Ok(MapView {
            guild: map.key.guild.as_ref().map(ToString::to_string),
            map: listed!(map),
            party,
            document: RawValue::from_string(map.document.to_string()).map_err(damaged)?,
        })
    }
}

/// A kept map in a form: the party is drawn where it stands.
pub(crate) fn draw(map: &StoredMap, form: Form, look: Look, brush: &mut Brush) -> Result<Vec<u8>, Problem> {
    if form == Form::Json {
        return serde_json::to_vec(&MapView::of(map)?).map_err(damaged);
    }
    if map.progress.is_some() {
        return match map.run().map_err(damaged)? {
            Run::Act(play) => draw_scene(&Scene::of_play(&play), form, look, brush),
            Run::Climb(climb) => draw_floors(&FloorScene::of_climb(&climb), form, look, brush),
        };
    }
    let document = map.decode().map_err(damaged)?;
    draw_map(&AnyMap::decode_document(&document).map_err(damaged)?, form, look, brush)
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

impl From<&Listed> for ListedView {
    fn from(map: &Listed) -> ListedView {
        listed!(map)
    }
}

impl From<&HistoryEntry> for HistoryView {
    fn from(entry: &HistoryEntry) -> HistoryView {
        HistoryView {
            revision: entry.revision.0,
            at: entry.at.to_string(),
            actor: entry.actor.to_string(),
            event: entry.event.name(),
            detail: entry.event.detail(),
            family: entry.map.as_ref().map(|map| map.family),
            seed: entry.map.as_ref().map(|map| map.seed.clone()),
            digest: entry.map.as_ref().map(|map| map.digest),
        }
    }
}

fn damaged(error: impl std::fmt::Display) -> Problem {
    Problem::new(Kind::Damaged, error.to_string())
}
