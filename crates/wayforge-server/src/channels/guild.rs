//! A guild as a whole: its maps in pages, and all of it as JSON lines.

use super::view::MapList;
use super::{operation, refused};
use crate::access::{Need, parameter};
use crate::api::Api;
use crate::extract::{Guild, NoParams, Params, State, typed_body};
use crate::pages::no_store;
use crate::problem::{Kind, Problem};
use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, header};
use axum::response::IntoResponse;
use bytes::BytesMut;
use futures_util::stream;
use tokio::io::AsyncReadExt;
use wayforge_store::Id;

/// The media type of exports.
const JSON_LINES: &str = "application/jsonl";

/// Adds the routes.
pub(super) fn routes(api: &mut Api) {
    for (base, suffix) in [("/v1/guilds/{guild}", ""), ("/v1/channels", "Direct")] {
        let told = |id: &str, about: &str| {
            operation(base, format!("{id}{suffix}"), about).problem(&[Kind::Unavailable])
        };
        let list = told("listMaps", "The maps of a guild by channel")
            .query("after", "Id", "Only channels after this one.")
            .query("limit", "PageLimit", "At most so many maps; 100 if left out.")
            .json("One page.", "MapList")
            .problem(&[Kind::Config]);
        api.on(Method::GET, &format!("{base}/maps"), Need::Read, list, maps);
        let export = told("exportGuild", "All of a guild, histories included, as JSON lines").answer(
            200,
            "A line for every channel, entry and document.",
            JSON_LINES,
            None,
        );
        api.on(Method::GET, &format!("{base}/export"), Need::Read, export, send);
        let import = told("importGuild", "Take in what an export wrote: all of it or nothing")
            .body(JSON_LINES, "JsonLines", true)
            .json("How much was taken in.", "Imported")
            .problem(&[Kind::Config]);
        api.on(Method::POST, &format!("{base}/import"), Need::Write, import, take_in);
    }
}

async fn maps(
    axum::extract::State(service): State,
    Guild(guild): Guild,
    Params(mut query): Params,
) -> Result<impl IntoResponse, Problem> {
    let after =
        query.take("after")?.map(|after| Id::checked("after", &after)).transpose().map_err(parameter)?;
    let limit = query.number("limit", 1, 1000)?.unwrap_or(100) as u32;
    query.finish()?;
    let page = service.store.list(guild.as_ref(), after.as_ref(), limit).await.map_err(refused)?;
    Ok(no_store(MapList { maps: page.items, next: page.next }))
}

/// Streams an export: a guild may be larger than what is held in memory.
async fn send(axum::extract::State(service): State, _: NoParams, Guild(guild): Guild) -> impl IntoResponse {
    let (reader, mut writer) = tokio::io::duplex(64 << 10);
    tokio::spawn(async move {
        // A caller who goes away closes the pipe, and the export ends with it.
        match service.store.export(guild.as_ref(), &mut writer).await {
            Ok(tally) => tracing::info!(channels = tally.channels, entries = tally.entries, "exported"),
            // The last line of an export counts what is before it: a file without one is known to be cut.
            Err(error) => tracing::error!(%error, "an export broke off"),
        }
    });
    let headers = [(header::CONTENT_TYPE, JSON_LINES), (header::CACHE_CONTROL, "no-store")];
    let chunks = stream::try_unfold(reader, async |mut reader| {
        let mut chunk = BytesMut::with_capacity(16 << 10);
        let read = reader.read_buf(&mut chunk).await?;
        Ok::<_, std::io::Error>((read > 0).then(|| (chunk.freeze(), reader)))
    });
    (headers, Body::from_stream(chunks))
}

async fn take_in(
    axum::extract::State(service): State,
    _: NoParams,
    Guild(guild): Guild,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    let bytes = typed_body(request, &service, JSON_LINES, true).await?;
    if bytes.is_empty() {
        return Err(Problem::new(Kind::Body, "the body is empty; send what an export wrote").field("body"));
    }
    Ok(no_store(service.store.import(guild.as_ref(), &mut &bytes[..]).await.map_err(refused)?))
}
