//! Changing a channel's map: every change names the revision that it saw, and stands in the history.

use super::view::{self, MapRequest, MoveRequest, ReseedRequest, RestoreRequest};
use super::{operation, refused};
use crate::access::Need;
use crate::api::Api;
use crate::extract::{Change, Json, JsonBytes, MAX_REVISION};
use crate::openapi::Operation;
use crate::pages::no_store;
use crate::problem::{Kind, Problem};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use wayforge::act::Fog;
use wayforge::run::Move;
use wayforge::{Document, Family};
use wayforge_api::handlers::ask::{not_made, read_object, weigh_document};
use wayforge_api::handlers::moves::no_move;
use wayforge_store::{NewMap, Revision, StoreError, StoredMap};

const SEEN: &str = "The revision that you saw: the ETag of the map.";

/// Adds the routes of one channel.
pub(super) fn routes(api: &mut Api, base: &'static str, suffix: &str) {
    let plain = |id: &str, about: &str| operation(base, format!("{id}{suffix}"), about);
    // A map that was deleted, or never was, cannot have been seen.
    let told = |id: &str, about: &str| changes(plain(id, about).header("If-Match", false, "Tag", SEEN));
    let done = |told: Operation| {
        told.answers(200, "The map as it stands now.", &[("application/json", Some("MapView"))], &["ETag"])
    };
    for (method, id) in [(Method::PUT, "putMap"), (Method::POST, "createMap")] {
        let about = "Put a map into the channel; with If-Match, in the place of the one that is there";
        let told = done(told(id, about))
            .answers(201, "The channel had no map.", &[("application/json", Some("MapView"))], &["ETag"])
            .json_body("MapRequest", true)
            // If-Match may name a map that is not there.
            .problem(&[Kind::NoMap, Kind::Config, Kind::Limit, Kind::NoSeedMap, Kind::Busy]);
        api.on(method, base, Need::Write, told, create);
    }
    let back = done(told("restore", "Bring a former map back, progress included"))
        .json_body("RestoreRequest", true)
        .problem(&[Kind::NoMap]);
    api.on(Method::POST, &format!("{base}/restore"), Need::Write, back, restore);
    let told = |id: &str, about: &str| {
        let told = plain(id, about).header("If-Match", true, "Tag", SEEN);
        changes(told).problem(&[Kind::Unconditional, Kind::NoMap])
    };
    let gone = told("deleteMap", "Take the map out of the channel; its history stays");
    api.on(Method::DELETE, base, Need::Write, gone.empty(204, "It is gone."), delete);
    let told = |id: &str, about: &str| done(told(id, about));
    let reset_told = told("reset", "The same map from the start");
    api.on(Method::POST, &format!("{base}/reset"), Need::Write, reset_told, reset);
    let reseed_told = told("reseed", "The map of the same configuration under another seed")
        .json_body("ReseedRequest", false)
        .problem(&[Kind::NoSeedMap]);
    api.on(Method::POST, &format!("{base}/reseed"), Need::Write, reseed_told, reseed);
    let move_told = told("move", "Move the party one step on")
        .json_body("MoveRequest", true)
        .problem(&[Kind::IllegalMove, Kind::Conflict]);
    api.on(Method::POST, &format!("{base}/move"), Need::Write, move_told, advance);
    let undo_told = told("undo", "Take the last step back").problem(&[Kind::Conflict]);
    api.on(Method::POST, &format!("{base}/undo"), Need::Write, undo_told, undo);
}

/// What all changes share.
fn changes(told: Operation) -> Operation {
    let about = "Who makes the change, for the history; the token if left out.";
    told.header("Wayforge-Actor", false, "ActorName", about).problem(&[Kind::Stale, Kind::Unavailable])
}

/// The response with the changed map.
type Answer = Result<Response, Problem>;

async fn create(change: Change, JsonBytes(body): JsonBytes) -> Answer {
    let Change { service, key, who, seen } = change;
    let map = service.draw(move |_, limits| new_map(&body, limits)).await?;
    let stored = service.store.create(&key, map, seen, &who).await;
    let status = if seen.is_none() { StatusCode::CREATED } else { StatusCode::OK };
    answer(stored).map(|response| (status, response).into_response())
}

fn new_map(body: &Bytes, limits: &crate::Limits) -> Result<NewMap, Problem> {
    let request: MapRequest<'_> = read_object(body)?;
    if let Some(document) = request.document.0 {
        let beside = [
            ("family", request.family.0.is_some()),
            ("seed", request.seed.0.is_some()),
            ("config", request.config.0.is_some()),
            ("fog", request.fog.0.is_some()),
        ];
        if let Some((field, _)) = beside.into_iter().find(|(_, given)| *given) {
            let detail = format!("{field}: a document is a whole map; leave one of them out");
            return Err(Problem::new(Kind::Body, detail).field(field).allowed("document alone"));
        }
        let inside = |problem: Problem| problem.inside("document");
        let text = document.get().as_bytes();
        let read = Document::decode(text).map_err(|error| inside(error.into()))?;
        weigh_document(&read, limits).map_err(inside)?;
        return NewMap::read(text).map_err(|error| inside(error.into()));
    }
    let Some(family) = request.family.0 else {
        let known = Family::ALL.map(Family::name).join(", ");
        let detail = format!("family: missing; use one of {known}, or bring a document");
        return Err(Problem::new(Kind::Body, detail).field("family").allowed(known));
    };
    if request.fog.0.is_some() && family != Family::Act {
        let detail = format!("fog: a {family} has no fog; leave it out");
        return Err(Problem::new(Kind::Config, detail).field("fog").allowed("only with act"));
    }
    request.config.config(family, limits)?;
    let map = NewMap::generate(family, request.config.json(), request.seed.seed()?).map_err(not_made)?;
    Ok(match request.fog.0 {
        Some(rows) => map.with_fog(Fog::Rows(rows.0)),
        None => map,
    })
}

async fn delete(change: Change) -> Result<StatusCode, Problem> {
    let gone = change.service.store.delete(&change.key, change.seen()?, &change.who).await;
    gone.map(|_| StatusCode::NO_CONTENT).map_err(refused)
}

async fn reset(change: Change) -> Answer {
    answer(change.service.store.reset(&change.key, change.seen()?, &change.who).await)
}

async fn reseed(change: Change, Json(request): Json<ReseedRequest>) -> Answer {
    let (seen, seed) = (change.seen()?, request.seed.seed()?);
    answer(change.service.store.reseed(&change.key, seen, seed, &change.who).await)
}

async fn advance(change: Change, Json(request): Json<MoveRequest>) -> Answer {
    let (seen, step) = (change.seen()?, request.r#move.parse::<Move>().map_err(no_move)?);
    answer(change.service.store.advance(&change.key, seen, step, &change.who).await)
}

async fn undo(change: Change) -> Answer {
    answer(change.service.store.undo(&change.key, change.seen()?, &change.who).await)
}

/// A deleted map is restored without `If-Match`.
async fn restore(change: Change, Json(RestoreRequest { revision }): Json<RestoreRequest>) -> Answer {
    if !(1..=MAX_REVISION).contains(&revision) {
        let detail = format!("revision: {revision} is no revision; use a number from 1 up");
        return Err(Problem::new(Kind::Body, detail).field("revision").allowed("1 and up"));
    }
    let Change { service, key, who, seen } = change;
    answer(service.store.restore(&key, seen, Revision(revision), &who).await)
}

/// The map as it stands now.
fn answer(map: Result<StoredMap, StoreError>) -> Answer {
    let map = map.map_err(refused)?;
    Ok(([(header::ETAG, view::tag(map.revision))], no_store(view::MapView::of(&map)?)).into_response())
}
