//! Routes that read a channel: its map in several formats, its history and earlier revisions.

use super::view::{self, HistoryList};
use super::{operation, store_problem};
use crate::Service;
use crate::access::RequiredAccess;
use crate::api::ApiRouter;
use crate::extract::{Channel, NegotiationHeaders, QueryParams, RevisionInPath, State};
use crate::generate::{describe_render_options, respond, vary};
use crate::openapi::Operation;
use crate::output_format;
use crate::pages::no_store;
use crate::problem::{Problem, ProblemKind};
use crate::query::Query;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use wayforge_api::handlers::request::read_render_options;
use wayforge_formats::Format;
use wayforge_store::{Revision, StoredMap};

/// Adds the routes of one channel.
pub(super) fn routes(api: &mut ApiRouter, base: &'static str, suffix: &str) {
    for format in [None].into_iter().chain(output_format::STORED_MAP.map(Some)) {
        let ending = format
            .map(|format| format!(".{}", output_format::path_suffix(format)))
            .unwrap_or_default();
        let name = format.map(output_format::operation_suffix).unwrap_or_default();
        let id = format!("getMap{suffix}{name}");
        let operation = describe_formats(operation(base, id, "Get the map of a channel"), format);
        let path = format!("{base}{ending}");
        let handler =
            move |service, channel, headers, params| get(format, service, channel, headers, params);
        api.route(Method::GET, &path, RequiredAccess::Read, operation, handler);
    }
    let describe = |id: &str, summary: &str| operation(base, format!("{id}{suffix}"), summary);
    let operation = describe("getHistory", "List the changes of a channel's map, latest first")
        .query("before", "Revision", "Return only changes before this revision.")
        .query("limit", "PageLimit", "Maximum number of entries. [default: 100]")
        .json_response("One page.", "HistoryList")
        .problem(&[ProblemKind::InvalidConfig, ProblemKind::Unavailable]);
    api.route(Method::GET, &format!("{base}/history"), RequiredAccess::Read, operation, history);
    let operation = describe("getRevision", "Get the map of a channel at a revision")
        .path("revision", "Revision", "Revision of the map.")
        .example(1);
    let (operation, path) =
        (describe_formats(operation, None), format!("{base}/history/{{revision}}"));
    api.route(Method::GET, &path, RequiredAccess::Read, operation, get_revision);
}

/// Adds the parameters and responses of a map in one format, or in any format of stored maps.
fn describe_formats(operation: Operation, format: Option<Format>) -> Operation {
    let operation =
        describe_render_options(operation, None, "Scale of PNGs in percent. [default: 100]")
            .empty_response(304, "`If-None-Match` matches.")
            .problem(&[
                ProblemKind::MapNotFound,
                ProblemKind::LimitExceeded,
                ProblemKind::Busy,
                ProblemKind::Unavailable,
            ]);
    match format {
        Some(format) => operation.map_response(200, &[format], "MapView"),
        None => operation
            .map_response(200, &output_format::STORED_MAP, "MapView")
            .problem(&[ProblemKind::NotAcceptable]),
    }
}

async fn get(
    suffix: Option<Format>,
    axum::extract::State(service): State,
    Channel(key): Channel,
    headers: NegotiationHeaders,
    QueryParams(query): QueryParams,
) -> Result<Response, Problem> {
    let found = service.store.get(&key).await.map_err(store_problem)?;
    let map = found.ok_or_else(|| {
        Problem::new(ProblemKind::MapNotFound, format!("{key}: this channel has no map"))
    })?;
    respond_with_map(&service, suffix, headers, query, map).await
}

async fn get_revision(
    axum::extract::State(service): State,
    Channel(key): Channel,
    RevisionInPath(revision): RevisionInPath,
    headers: NegotiationHeaders,
    QueryParams(query): QueryParams,
) -> Result<Response, Problem> {
    let map = service.store.map_at(&key, revision).await.map_err(store_problem)?;
    respond_with_map(&service, None, headers, query, map).await
}

/// Responds with a map in the requested format.
async fn respond_with_map(
    service: &Arc<Service>,
    suffix: Option<Format>,
    headers: NegotiationHeaders,
    mut query: Query,
    map: StoredMap,
) -> Result<Response, Problem> {
    let format = headers.select(suffix, &output_format::STORED_MAP)?;
    let options = read_render_options(&mut query, None, 100, &service.limits)?;
    query.finish()?;
    let etag = view::format_etag(&map, format, options);
    if headers.matches(&etag) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, etag)]).into_response());
    }
    let body = match format {
        Format::Document => view::encode(service, map).await?,
        _ => service.draw(move |painter, _| view::draw(&map, format, options, painter)).await?,
    };
    let headers = [(header::ETAG, etag), (header::CACHE_CONTROL, "private, no-cache".to_owned())];
    Ok((headers, vary(suffix), respond(format.info().content_type, body)).into_response())
}

async fn history(
    axum::extract::State(service): State,
    Channel(key): Channel,
    QueryParams(mut query): QueryParams,
) -> Result<impl IntoResponse, Problem> {
    let before = query.number("before", 1, Revision::MAX.0)?.map(Revision);
    let limit = query.number("limit", 1, 1000)?.unwrap_or(100) as u32;
    query.finish()?;
    let page = service.store.history(&key, before, limit).await.map_err(store_problem)?;
    Ok(no_store(HistoryList { entries: page.items, next: page.next }))
}
