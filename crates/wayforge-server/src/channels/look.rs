//! Looking at a channel: its map in any form, its history, its former maps.

use super::told::{HistoryList, HistoryView};
use super::{key, operation, refused, view};
use crate::access::Need;
use crate::api::{Answer, Api};
use crate::call::Call;
use crate::condition;
use crate::form::Form;
use crate::generate::{LABELS, respond, set};
use crate::openapi::Operation;
use crate::pages::json_response;
use crate::problem::{Kind, Problem};
use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use axum::response::Response;
use wayforge_api::handlers::Brush;
use wayforge_store::{Revision, StoredMap};

/// Adds the routes of one channel.
pub(super) fn routes(api: &mut Api, base: &'static str, suffix: &str) {
    for form in [None].into_iter().chain(Form::KEPT.map(Some)) {
        let ending = form.map(|form| format!(".{}", form.suffix())).unwrap_or_default();
        let name = form.map(Form::title).unwrap_or_default();
        let told =
            forms(operation(base, format!("getMap{suffix}{name}"), "The channel's map with its party"), form);
        api.on(Method::GET, &format!("{base}{ending}"), Need::Read, told, move |call| get(call, form));
    }
    let told = operation(base, format!("history{suffix}"), "Who did what, when; latest first")
        .query("before", "RevisionNumber", "Only what happened before this revision.")
        .query("limit", "PageLimit", "At most so many entries; 100 if left out.")
        .answer(200, "One page.", "application/json", Some("HistoryList"))
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
    let told = told
        .query("theme", "Theme", "The look of pictures.")
        .query("scale", "Scale", "The size of PNG pictures in percent.")
        .query("witness", "Witness", "Which of the routes that prove a level are shown in pictures.")
        .query("labels", "Flag", LABELS)
        .empty(304, "The caller has it already (`If-None-Match`).")
        .problem(&[Kind::NoMap, Kind::Limit, Kind::Busy, Kind::Unavailable]);
    match form {
        Some(form) => told.map_answer(200, &[form], "MapView"),
        None => told.map_answer(200, &Form::KEPT, "MapView").problem(&[Kind::NotAcceptable]),
    }
}

async fn get(call: Call, form: Option<Form>) -> Answer {
    let key = key(&call)?;
    let found = call.service.store.get(&key).await.map_err(refused)?;
    let map = found.ok_or_else(|| Problem::new(Kind::NoMap, format!("{key}: this channel has no map")))?;
    show(call, form, map).await
}

async fn former(call: Call) -> Answer {
    let key = key(&call)?;
    let text = call.param("revision").unwrap_or_default();
    let revision = text.parse().ok().filter(|number| (1..=999_999_999_999_999).contains(number));
    let revision = revision.map(Revision).ok_or_else(|| {
        Problem::new(Kind::Parameter, format!("revision {text}: not a revision; use a number from 1 up"))
            .field("revision")
            .value(text)
            .allowed("1 and up")
    })?;
    let map = call.service.store.former(&key, revision).await.map_err(refused)?;
    show(call, None, map).await
}

/// A map in the form that is asked for.
async fn show(call: Call, suffix: Option<Form>, map: StoredMap) -> Answer {
    let form = match suffix {
        Some(form) => form,
        None => Form::negotiate(call.header(&header::ACCEPT)?, &Form::KEPT)?,
    };
    let look = view::look(&call)?;
    let tag = view::form_tag(&map, form, look);
    if call.header(&header::IF_NONE_MATCH)?.is_some_and(|seen| condition::names(seen, &tag)) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        set(&mut response, header::ETAG, &tag);
        return Ok(response);
    }
    let body = match form {
        Form::Json => view::draw(&map, form, look, &mut Brush::default())?,
        _ => call.service.workers.draw(move |brush| view::draw(&map, form, look, brush)).await?,
    };
    let mut response = respond(form, body);
    set(&mut response, header::ETAG, &tag);
    set(&mut response, header::CACHE_CONTROL, "private, no-cache");
    if suffix.is_none() {
        set(&mut response, header::VARY, "Accept");
    }
    Ok(response)
}

async fn history(call: Call) -> Answer {
    let key = key(&call)?;
    let mut query = call.query();
    let before = query.number("before", 1, 999_999_999_999_999)?.map(Revision);
    let limit = query.number("limit", 1, 1000)?.unwrap_or(100) as u32;
    query.finish()?;
    let page = call.service.store.history(&key, before, limit).await.map_err(refused)?;
    json_response(&HistoryList {
        entries: page.items.iter().map(HistoryView::from).collect(),
        next: page.next.map(|revision| revision.0),
    })
}
