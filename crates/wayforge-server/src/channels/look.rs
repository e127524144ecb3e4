//! Looking at a channel: its map in any form, its history, its former maps.

use super::view::{self, HistoryList, HistoryView};
use super::{operation, refused};
use crate::Service;
use crate::access::Need;
use crate::api::Api;
use crate::extract::{Channel, MAX_REVISION, Params, PathRevision, State, Wanted};
use crate::form::Form;
use crate::generate::{describe_look, respond, varied};
use crate::openapi::Operation;
use crate::pages::no_store;
use crate::problem::{Kind, Problem};
use crate::query::Query;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use wayforge_api::handlers::Brush;
use wayforge_api::handlers::ask::read_look;
use wayforge_store::{Revision, StoredMap};

/// Adds the routes of one channel.
pub(super) fn routes(api: &mut Api, base: &'static str, suffix: &str) {
    for form in [None].into_iter().chain(Form::KEPT.map(Some)) {
        let ending = form.map(|form| format!(".{}", form.suffix())).unwrap_or_default();
        let name = form.map(Form::title).unwrap_or_default();
        let told =
            forms(operation(base, format!("getMap{suffix}{name}"), "The channel's map with its party"), form);
        let path = format!("{base}{ending}");
        api.on(Method::GET, &path, Need::Read, told, move |service, channel, wanted, params| {
            get(form, service, channel, wanted, params)
        });
    }
    let told = operation(base, format!("history{suffix}"), "Who did what, when; latest first")
        .query("before", "RevisionNumber", "Only what happened before this revision.")
        .query("limit", "PageLimit", "At most so many entries; 100 if left out.")
        .json("One page.", "HistoryList")
        .problem(&[Kind::Config, Kind::Unavailable]);
    api.on(Method::GET, &format!("{base}/history"), Need::Read, told, history);
    let told =
        forms(
            operation(base, format!("getFormer{suffix}"), "The channel's map as it stood at a revision")
                .path("revision", "RevisionNumber", "The revision."),
            None,
        );
    api.on(Method::GET, &format!("{base}/history/{{revision}}"), Need::Read, told, former);
}

fn forms(told: Operation, form: Option<Form>) -> Operation {
    let told = describe_look(told, None, "The size of PNG pictures in percent.")
        .empty(304, "The caller has it already (`If-None-Match`).")
        .problem(&[Kind::NoMap, Kind::Limit, Kind::Busy, Kind::Unavailable]);
    match form {
        Some(form) => told.map_answer(200, &[form], "MapView"),
        None => told.map_answer(200, &Form::KEPT, "MapView").problem(&[Kind::NotAcceptable]),
    }
}

async fn get(
    suffix: Option<Form>,
    axum::extract::State(service): State,
    Channel(key): Channel,
    wanted: Wanted,
    Params(query): Params,
) -> Result<Response, Problem> {
    let found = service.store.get(&key).await.map_err(refused)?;
    let map = found.ok_or_else(|| Problem::new(Kind::NoMap, format!("{key}: this channel has no map")))?;
    show(&service, suffix, wanted, query, map).await
}

async fn former(
    axum::extract::State(service): State,
    Channel(key): Channel,
    PathRevision(revision): PathRevision,
    wanted: Wanted,
    Params(query): Params,
) -> Result<Response, Problem> {
    let map = service.store.former(&key, revision).await.map_err(refused)?;
    show(&service, None, wanted, query, map).await
}

/// A map in the form that is asked for.
async fn show(
    service: &Arc<Service>,
    suffix: Option<Form>,
    wanted: Wanted,
    mut query: Query,
    map: StoredMap,
) -> Result<Response, Problem> {
    let form = wanted.form(suffix, &Form::KEPT)?;
    let look = read_look(&mut query, None, 100, &service.limits)?;
    query.finish()?;
    let tag = view::form_tag(&map, form, look);
    if wanted.has(&tag) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
    }
    let body = match form {
        Form::Json => view::draw(&map, form, look, &mut Brush::default())?,
        _ => service.draw(move |brush, _| view::draw(&map, form, look, brush)).await?,
    };
    let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, "private, no-cache".to_owned())];
    Ok((headers, varied(suffix), respond(form.content_type(), body)).into_response())
}

async fn history(
    axum::extract::State(service): State,
    Channel(key): Channel,
    Params(mut query): Params,
) -> Result<impl IntoResponse, Problem> {
    let before = query.number("before", 1, MAX_REVISION)?.map(Revision);
    let limit = query.number("limit", 1, 1000)?.unwrap_or(100) as u32;
    query.finish()?;
    let page = service.store.history(&key, before, limit).await.map_err(refused)?;
    Ok(no_store(HistoryList {
        entries: page.items.into_iter().map(HistoryView::from).collect(),
        next: page.next.map(|revision| revision.0),
    }))
}
