//! Changing a channel's map: every change names the revision that it saw, and stands in the history.

use super::told::{MapRequest, MoveRequest, ReseedRequest, RestoreRequest};
use super::{operation, refused, view};
use crate::access::Need;
use crate::api::Api;
use crate::extract::{Change, IfMatch, Json, JsonBytes, MAX_REVISION, Seen};
use crate::openapi::Operation;
use crate::pages::no_store;
use crate::problem::{Kind, Problem};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use wayforge::act::Fog;
use wayforge::run::Move;
use wayforge::{Document, Family};
use wayforge_api::handlers::ask::{
    checked_config, config_of, not_made, read_object, seed_of, weigh_document,
};
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

async fn create(
    Change { service, key, who, seen: IfMatch(seen) }: Change<IfMatch>,
    JsonBytes(body): JsonBytes,
) -> Answer {
    let map = service.run(move |limits| new_map(&body, limits)).await?;
    let stored = service.store.create(&key, map, seen, &who).await;
    let status = if seen.is_none() { StatusCode::CREATED } else { StatusCode::OK };
    answer(stored).map(|response| (status, response).into_response())
}

fn new_map(body: &Bytes, limits: &crate::Limits) -> Result<NewMap, Problem> {
    let wish: MapRequest<'_> = read_object(body)?;
    if let Some(document) = wish.document {
        let beside = [
            wish.family.map(|_| "family"),
            wish.seed.map(|_| "seed"),
            wish.config.map(|_| "config"),
            wish.fog.map(|_| "fog"),
        ];
        if let Some(field) = beside.into_iter().flatten().next() {
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
        let known = Family::ALL.map(Family::name).join(", ");
        let detail = format!("family: missing; use one of {known}, or bring a document");
        return Err(Problem::new(Kind::Body, detail).field("family").allowed(known));
    };
    if wish.fog.is_some() && family != Family::Act {
        let detail = format!("fog: a {family} has no fog; leave it out");
        return Err(Problem::new(Kind::Config, detail).field("fog").allowed("only with act"));
    }
    checked_config(family, wish.config, limits)?;
    let seed = seed_of(wish.seed.as_ref())?;
    let map = NewMap::generate(family, config_of(wish.config), seed).map_err(not_made)?;
    Ok(match wish.fog {
        Some(rows) => map.with_fog(Fog::Rows(rows.0)),
        None => map,
    })
}

async fn delete(Change { service, key, who, seen: Seen(seen) }: Change<Seen>) -> Result<StatusCode, Problem> {
    service.store.delete(&key, seen, &who).await.map(|_| StatusCode::NO_CONTENT).map_err(refused)
}

async fn reset(Change { service, key, who, seen: Seen(seen) }: Change<Seen>) -> Answer {
    answer(service.store.reset(&key, seen, &who).await)
}

async fn reseed(
    Change { service, key, who, seen: Seen(seen) }: Change<Seen>,
    Json(request): Json<ReseedRequest>,
) -> Answer {
    let seed = seed_of(request.seed.as_ref())?;
    answer(service.store.reseed(&key, seen, seed, &who).await)
}

async fn advance(
    Change { service, key, who, seen: Seen(seen) }: Change<Seen>,
    Json(request): Json<MoveRequest>,
) -> Answer {
    let step: Move = request.r#move.parse().map_err(no_move)?;
    answer(service.store.advance(&key, seen, step, &who).await)
}

async fn undo(Change { service, key, who, seen: Seen(seen) }: Change<Seen>) -> Answer {
    answer(service.store.undo(&key, seen, &who).await)
}

/// A deleted map is restored without `If-Match`.
async fn restore(
    Change { service, key, who, seen: IfMatch(seen) }: Change<IfMatch>,
    Json(RestoreRequest { revision }): Json<RestoreRequest>,
) -> Answer {
    if !(1..=MAX_REVISION).contains(&revision) {
        let detail = format!("revision: {revision} is no revision; use a number from 1 up");
        return Err(Problem::new(Kind::Body, detail).field("revision").allowed("1 and up"));
    }
    answer(service.store.restore(&key, seen, Revision(revision), &who).await)
}

/// The map as it stands now.
fn answer(map: Result<StoredMap, StoreError>) -> Answer {
    let map = map.map_err(refused)?;
    Ok(([(header::ETAG, view::tag(map.revision))], no_store(view::MapView::of(&map)?)).into_response())
}
