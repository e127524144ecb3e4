//! Routes that change a channel's map.
//!
//! A change names the revision that it is based on in `If-Match`, and adds an entry to the history.

use super::view::{self, MapRequest, MoveRequest, ReseedRequest, RestoreRequest};
use super::{operation, store_problem};
use crate::Service;
use crate::access::RequiredAccess;
use crate::api::ApiRouter;
use crate::extract::{ChangeRequest, Json, JsonBytes, parse_revision};
use crate::generate::respond;
use crate::openapi::{GENERATION_PROBLEMS, Operation};
use crate::problem::{Problem, ProblemKind};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde_json::json;
use wayforge::act::Fog;
use wayforge::run::Move;
use wayforge::{Document, Family, InputError};
use wayforge_api::FamilyOption;
use wayforge_api::handlers::illegal_move::unparsable_move;
use wayforge_api::handlers::map;
use wayforge_api::handlers::request::{check_document_cost, generation_problem, read_object};
use wayforge_store::{NewMap, Revision, StoreError, StoredMap};

const IF_MATCH: &str = "Revision that the change is based on: the ETag of the map, or * for any.";

/// Adds the routes of one channel.
pub(super) fn routes(api: &mut ApiRouter, base: &'static str, suffix: &str) {
    let plain = |id: &str, summary: &str| operation(base, format!("{id}{suffix}"), summary);
    // A channel without a map has no revision, so some routes do not require `If-Match`.
    let if_match =
        |operation: Operation, required| operation.header("If-Match", required, "Tag", IF_MATCH);
    let map_content = [("application/json", Some("MapView"))];
    let returns_map = |operation: Operation| {
        operation.responses(200, "The changed map.", &map_content, &["ETag"])
    };
    for (method, id) in [(Method::PUT, "putMap"), (Method::POST, "createMap")] {
        let summary = "Store a map in the channel; with If-Match, replace the existing one";
        let operation = returns_map(describe_change(if_match(plain(id, summary), false)))
            .responses(201, "The created map; the channel had none.", &map_content, &["ETag"])
            .json_body("MapRequest", true, json!({ "family": "act", "seed": 42 }))
            // With `If-Match`, the channel may have no map.
            .problem(&[ProblemKind::MapNotFound])
            .problem(&GENERATION_PROBLEMS);
        api.route(method, base, RequiredAccess::Write, operation, create);
    }
    let operation = plain("restore", "Restore the map of an earlier revision");
    let operation = returns_map(describe_change(if_match(operation, false).example("\"1\"")))
        .json_body("RestoreRequest", true, json!({ "revision": 1 }))
        .problem(&[ProblemKind::MapNotFound]);
    api.route(Method::POST, &format!("{base}/restore"), RequiredAccess::Write, operation, restore);
    let required = |id: &str, summary: &str| {
        describe_change(if_match(plain(id, summary), true).example("\"1\""))
            .problem(&[ProblemKind::PreconditionRequired, ProblemKind::MapNotFound])
    };
    let operation = required("deleteMap", "Delete the map of the channel; its history stays")
        .empty_response(204, "The map is deleted.");
    api.route(Method::DELETE, base, RequiredAccess::Write, operation, delete);
    let operation = returns_map(required("reset", "Restart the run on the same map"));
    api.route(Method::POST, &format!("{base}/reset"), RequiredAccess::Write, operation, reset);
    let summary = "Generate a map with another seed and the same configuration";
    let operation = returns_map(required("reseed", summary))
        .json_body("ReseedRequest", false, json!({ "seed": 43 }))
        .problem(&[ProblemKind::GenerationFailed]);
    api.route(Method::POST, &format!("{base}/reseed"), RequiredAccess::Write, operation, reseed);
    let operation = returns_map(required("move", "Move the party"))
        .json_body("MoveRequest", true, json!({ "move": "1,0" }))
        .problem(&[ProblemKind::IllegalMove, ProblemKind::Conflict]);
    api.route(Method::POST, &format!("{base}/move"), RequiredAccess::Write, operation, advance);
    let operation =
        returns_map(required("undo", "Undo the last move")).problem(&[ProblemKind::Conflict]);
    api.route(Method::POST, &format!("{base}/undo"), RequiredAccess::Write, operation, undo);
}

/// Adds the header and problems that all changes share.
fn describe_change(operation: Operation) -> Operation {
    let description = "Author of the change, for the history; the token if omitted.";
    operation
        .header("Wayforge-Actor", false, "ActorName", description)
        .problem(&[ProblemKind::PreconditionFailed, ProblemKind::Unavailable])
}

/// Response with the changed map.
type ChangeResponse = Result<Response, Problem>;

async fn create(change: ChangeRequest, JsonBytes(body): JsonBytes) -> ChangeResponse {
    let ChangeRequest { service, key, actor, revision } = change;
    let map = service.draw(move |_, limits| new_map(&body, limits)).await?;
    let stored = service.store.create(&key, map, revision, &actor).await;
    let status = if revision.is_none() { StatusCode::CREATED } else { StatusCode::OK };
    let response = respond_with_stored(&service, stored, revision).await?;
    Ok((status, response).into_response())
}

/// Generates or decodes the map of a request.
fn new_map(body: &Bytes, limits: &crate::Limits) -> Result<NewMap, Problem> {
    let request: MapRequest<'_> = read_object(body)?;
    if let Some(document) = request.document.0 {
        let others = [
            ("family", request.family.0.is_some()),
            ("seed", request.seed.0.is_some()),
            ("config", request.config.0.is_some()),
            ("fog", request.fog.0.is_some()),
        ];
        if let Some((field, _)) = others.into_iter().find(|(_, given)| *given) {
            let detail =
                format!("{field}: cannot be combined with document; leave one of them out");
            return Err(Problem::new(ProblemKind::InvalidBody, detail)
                .field(field)
                .allowed("document alone"));
        }
        let in_document = |problem: Problem| problem.in_member("document");
        let text = document.get().as_bytes();
        let decoded = Document::decode(text).map_err(|error| in_document(error.into()))?;
        check_document_cost(&decoded, limits).map_err(in_document)?;
        return NewMap::parse(text).map_err(|error| in_document(error.into()));
    }
    let Some(family) = request.family.0 else {
        let names = Family::ALL.map(Family::name).join(", ");
        let detail = format!("family: missing; use one of {names}, or send a document");
        return Err(Problem::new(ProblemKind::InvalidBody, detail).field("family").allowed(names));
    };
    if let Some(rows) = request.fog.0
        && !FamilyOption::Fog.is_supported_by(family)
    {
        let problem = format!("not supported for a {family}");
        return Err(InputError::new("fog", rows, problem, "leave it out").into());
    }
    let (config, _) = request.config.config(family, limits)?;
    let map = map::generate(&config, request.seed.seed()?, limits).map_err(generation_problem)?;
    let map = NewMap::from(&map);
    Ok(match request.fog.0 {
        Some(rows) => map.with_fog(Fog::Rows(rows)),
        None => map,
    })
}

async fn delete(change: ChangeRequest) -> Result<StatusCode, Problem> {
    let revision = change.required_revision()?;
    let deleted = change.service.store.delete(&change.key, revision, &change.actor).await;
    deleted.map(|_| StatusCode::NO_CONTENT).map_err(store_problem)
}

async fn reset(change: ChangeRequest) -> ChangeResponse {
    let revision = change.required_revision()?;
    let reset = change.service.store.reset(&change.key, revision, &change.actor).await;
    respond_with_stored(&change.service, reset, Some(revision)).await
}

async fn reseed(change: ChangeRequest, Json(request): Json<ReseedRequest>) -> ChangeResponse {
    let (revision, seed) = (change.required_revision()?, request.seed.seed()?);
    let store = &change.service.store;
    let reseeded = store.reseed(&change.key, revision, seed, &change.actor).await;
    respond_with_stored(&change.service, reseeded, Some(revision)).await
}

async fn advance(change: ChangeRequest, Json(request): Json<MoveRequest>) -> ChangeResponse {
    let revision = change.required_revision()?;
    let step = request.r#move.parse::<Move>().map_err(unparsable_move)?;
    let moved = change.service.store.advance(&change.key, revision, step, &change.actor).await;
    respond_with_stored(&change.service, moved, Some(revision)).await
}

async fn undo(change: ChangeRequest) -> ChangeResponse {
    let revision = change.required_revision()?;
    let undone = change.service.store.undo(&change.key, revision, &change.actor).await;
    respond_with_stored(&change.service, undone, Some(revision)).await
}

/// Restores the map of an earlier revision. If the current map is deleted, `If-Match` is omitted.
async fn restore(
    change: ChangeRequest,
    Json(RestoreRequest { revision }): Json<RestoreRequest>,
) -> ChangeResponse {
    let source = parse_revision(&revision.to_string())
        .map_err(|error| Problem::from_error(ProblemKind::InvalidBody, error))?;
    let ChangeRequest { service, key, actor, revision: current } = change;
    let restored = service.store.restore(&key, current, source, &actor).await;
    respond_with_stored(&service, restored, current).await
}

/// Creates the response with the changed map. `revision` is the one in `If-Match`, if any.
async fn respond_with_stored(
    service: &Service,
    map: Result<StoredMap, StoreError>,
    revision: Option<Revision>,
) -> ChangeResponse {
    let map = map.map_err(|error| match &error {
        StoreError::Conflict { current } if revision.is_none() => {
            let (key, etag) = (&current.key, view::etag(current.revision));
            let detail = format!(
                "{key}: this channel already has a map; to replace it, send If-Match: {etag}"
            );
            store_problem(error).with_detail(detail).field("If-Match").allowed(etag)
        }
        _ => store_problem(error),
    })?;
    let etag = view::etag(map.revision);
    let body = view::encode(service, map).await?;
    Ok(([(header::ETAG, etag)], respond("application/json", body)).into_response())
}
