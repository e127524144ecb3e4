//! Changing a channel's map: every change names the revision that it saw, and stands in the history.

use super::{actor, key, must_have_seen, operation, refused, seen, view};
use crate::access::Need;
use crate::api::{Answer, Api};
use crate::call::Call;
use crate::form::Form;
use crate::generate::{respond, set};
use crate::map::{check_load, read_config};
use crate::openapi::Operation;
use crate::problem::{Kind, Problem};
use axum::http::{Method, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use wayforge::act::Fog;
use wayforge::run::Move;
use wayforge::{Document, Family};
use wayforge_api::handlers::ask::{
    SeedInput, Whole, given, not_made, random_seed, read_object, weigh_document, whole,
};
use wayforge_api::handlers::moves::no_move;
use wayforge_store::{NewMap, Revision, StoredMap};

const SEEN: &str = "The revision that you saw: the ETag of the map.";

/// Adds the routes of one channel.
pub(super) fn routes(api: &mut Api, base: &'static str, suffix: &str) {
    let plain = |id: &str, about: &str| operation(base, format!("{id}{suffix}"), about);
    // A map that was deleted, or never was, cannot have been seen.
    let told = |id: &str, about: &str| changes(plain(id, about).header("If-Match", "Tag", SEEN));
    let done = |told: Operation| {
        told.answers(200, "The map as it stands now.", &[("application/json", Some("MapView"))], &["ETag"])
    };
    for (method, id) in [(Method::PUT, "putMap"), (Method::POST, "createMap")] {
        let about = "Put a map into the channel; with If-Match, in the place of the one that is there";
        let told = done(told(id, about))
            .answers(201, "The channel had no map.", &[("application/json", Some("MapView"))], &["ETag"])
            .body("application/json", "MapRequest", true)
            // If-Match may name a map that is not there.
            .problem(&[Kind::NoMap, Kind::Config, Kind::Limit, Kind::NoSeedMap, Kind::Busy]);
        api.on(method, base, Need::Write, told, create);
    }
    api.on(
        Method::POST,
        &format!("{base}/restore"),
        Need::Write,
        done(told("restore", "Bring a former map back, progress included"))
            .body("application/json", "RestoreRequest", true)
            .problem(&[Kind::NoMap]),
        restore,
    );
    let told = |id: &str, about: &str| {
        let told = plain(id, about).required_header("If-Match", "Tag", SEEN);
        changes(told).problem(&[Kind::Unconditional, Kind::NoMap])
    };
    let gone = told("deleteMap", "Take the map out of the channel; its history stays");
    api.on(Method::DELETE, base, Need::Write, gone.empty(204, "It is gone."), delete);
    let told = |id: &str, about: &str| done(told(id, about));
    api.on(
        Method::POST,
        &format!("{base}/reset"),
        Need::Write,
        told("reset", "The same map from the start"),
        reset,
    );
    api.on(
        Method::POST,
        &format!("{base}/reseed"),
        Need::Write,
        told("reseed", "The map of the same configuration under another seed")
            .body("application/json", "ReseedRequest", false)
            .problem(&[Kind::NoSeedMap]),
        reseed,
    );
    api.on(
        Method::POST,
        &format!("{base}/move"),
        Need::Write,
        told("move", "Move the party one step on")
            .body("application/json", "MoveRequest", true)
            .problem(&[Kind::IllegalMove, Kind::Conflict]),
        advance,
    );
    api.on(
        Method::POST,
        &format!("{base}/undo"),
        Need::Write,
        told("undo", "Take the last step back").problem(&[Kind::Conflict]),
        undo,
    );
}

/// What all changes share.
fn changes(told: Operation) -> Operation {
    let about = "Who makes the change, for the history; the token if left out.";
    told.header("Wayforge-Actor", "ActorName", about).problem(&[Kind::Stale, Kind::Unavailable])
}

/// A map to keep: made here, or brought along.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish<'a> {
    #[serde(default, deserialize_with = "given")]
    family: Option<Family>,
    #[serde(default, deserialize_with = "given")]
    seed: Option<SeedInput>,
    #[serde(default, borrow, deserialize_with = "given")]
    config: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "given")]
    fog: Option<Whole<u16>>,
    #[serde(default, borrow, deserialize_with = "given")]
    document: Option<&'a RawValue>,
}

async fn create(mut call: Call) -> Answer {
    call.query().finish()?;
    let (key, seen, who) = (key(&call)?, seen(&call)?, actor(&call)?);
    let body = call.json().await?;
    let service = std::sync::Arc::clone(&call.service);
    let limits = service.limits.clone();
    let map = service.workers.run(move || new_map(&body, &limits)).await?;
    let stored = service.store.create(&key, map, seen, &who).await.map_err(refused)?;
    let status = if seen.is_none() { StatusCode::CREATED } else { StatusCode::OK };
    answer(status, &stored)
}

fn new_map(body: &Bytes, limits: &crate::Limits) -> Result<NewMap, Problem> {
    let wish: Wish<'_> = read_object(body)?;
    if let Some(document) = wish.document {
        let beside = [
            ("family", wish.family.is_some()),
            ("seed", wish.seed.is_some()),
            ("config", wish.config.is_some()),
            ("fog", wish.fog.is_some()),
        ];
        if let Some((field, _)) = beside.into_iter().find(|(_, there)| *there) {
            let detail = format!("{field}: a document is a whole map; leave one of them out");
            return Err(Problem::new(Kind::Body, detail).field(field).allowed("document alone"));
        }
        let inside = |problem: Problem| problem.inside("document");
        let text = document.get().as_bytes();
        let read = Document::decode(text).map_err(|error| inside(error.into()))?;
        weigh_document(&read, limits).map_err(inside)?;
        return NewMap::read(text).map_err(|error| inside(error.into()));
    }
    let Some(family) = wish.family else {
        let detail = "family: missing; use act, level, floor or tower, or bring a document";
        return Err(Problem::new(Kind::Body, detail).field("family").allowed("act, level, floor, tower"));
    };
    if wish.fog.is_some() && family != Family::Act {
        let detail = format!("fog: a {family} has no fog; leave it out");
        return Err(Problem::new(Kind::Config, detail).field("fog").allowed("only with act"));
    }
    let inside = |problem: Problem| problem.inside("config");
    let config = wish.config.map_or("{}", RawValue::get).as_bytes();
    read_config(family, config).and_then(|config| check_load(&config, limits)).map_err(inside)?;
    let seed = match wish.seed {
        Some(seed) => seed.0,
        None => random_seed()?,
    };
    let map = NewMap::forge(family, config, seed).map_err(not_made)?;
    Ok(match wish.fog {
        Some(rows) => map.with_fog(Fog::Rows(rows.0)),
        None => map,
    })
}

async fn delete(call: Call) -> Answer {
    call.query().finish()?;
    let (key, seen, who) = (key(&call)?, must_have_seen(&call)?, actor(&call)?);
    call.service.store.delete(&key, seen, &who).await.map_err(refused)?;
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    Ok(response)
}

async fn reset(call: Call) -> Answer {
    call.query().finish()?;
    let (key, seen, who) = (key(&call)?, must_have_seen(&call)?, actor(&call)?);
    answer(StatusCode::OK, &call.service.store.reset(&key, seen, &who).await.map_err(refused)?)
}

async fn reseed(mut call: Call) -> Answer {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Wish {
        #[serde(default, deserialize_with = "given")]
        seed: Option<SeedInput>,
    }
    call.query().finish()?;
    let (key, seen, who) = (key(&call)?, must_have_seen(&call)?, actor(&call)?);
    let wish: Wish = read_object(&call.json().await?)?;
    let seed = match wish.seed {
        Some(seed) => seed.0,
        None => random_seed()?,
    };
    answer(StatusCode::OK, &call.service.store.reseed(&key, seen, seed, &who).await.map_err(refused)?)
}

async fn advance(mut call: Call) -> Answer {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Wish {
        r#move: String,
    }
    call.query().finish()?;
    let (key, seen, who) = (key(&call)?, must_have_seen(&call)?, actor(&call)?);
    let wish: Wish = read_object(&call.json().await?)?;
    let step: Move = wish.r#move.parse().map_err(no_move)?;
    answer(StatusCode::OK, &call.service.store.advance(&key, seen, step, &who).await.map_err(refused)?)
}

async fn undo(call: Call) -> Answer {
    call.query().finish()?;
    let (key, seen, who) = (key(&call)?, must_have_seen(&call)?, actor(&call)?);
    answer(StatusCode::OK, &call.service.store.undo(&key, seen, &who).await.map_err(refused)?)
}

async fn restore(mut call: Call) -> Answer {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Wish {
        #[serde(deserialize_with = "whole")]
        revision: u64,
    }
    call.query().finish()?;
    // A map that was deleted is brought back without having seen one.
    let (key, seen, who) = (key(&call)?, seen(&call)?, actor(&call)?);
    let wish: Wish = read_object(&call.json().await?)?;
    if !(1..=999_999_999_999_999).contains(&wish.revision) {
        let detail = format!("revision: {} is no revision; use a number from 1 up", wish.revision);
        return Err(Problem::new(Kind::Body, detail).field("revision").allowed("1 and up"));
    }
    answer(
        StatusCode::OK,
        &call.service.store.restore(&key, seen, Revision(wish.revision), &who).await.map_err(refused)?,
    )
}

/// The map as it stands now.
fn answer(status: StatusCode, map: &StoredMap) -> Answer {
    let view = view::MapView::of(map)?;
    let refuse = |error| Problem::new(Kind::Internal, format!("the answer cannot be written: {error}"));
    let mut response = respond(Form::Json, serde_json::to_vec(&view).map_err(refuse)?);
    *response.status_mut() = status;
    set(&mut response, header::ETAG, &view::tag(map.revision));
    set(&mut response, header::CACHE_CONTROL, "no-store");
    Ok(response)
}
