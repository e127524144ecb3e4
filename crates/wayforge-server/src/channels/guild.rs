//! Routes of a guild: list of its maps, export and import.

use super::view::MapList;
use super::{operation, store_problem};
use crate::access::{RequiredAccess, invalid_parameter};
use crate::api::ApiRouter;
use crate::extract::{Guild, NoQueryParams, QueryParams, State, check_media_type};
use crate::pages::no_store;
use crate::problem::{Problem, ProblemKind};
use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, header};
use axum::response::IntoResponse;
use bytes::BytesMut;
use futures_util::stream;
use http_body_util::BodyExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tracing::Instrument;
use wayforge_store::Id;

/// Media type of exports.
const JSON_LINES: &str = "application/jsonl";

/// Adds the routes.
pub(super) fn routes(api: &mut ApiRouter) {
    for (base, suffix) in [("/v1/guilds/{guild}", ""), ("/v1/channels", "Direct")] {
        let describe = |id: &str, summary: &str| {
            operation(base, format!("{id}{suffix}"), summary).problem(&[ProblemKind::Unavailable])
        };
        let operation = describe("listMaps", "List the maps of a guild by channel")
            .query("after", "Id", "Return only maps of channels after this one.")
            .query("limit", "PageLimit", "Maximum number of maps. [default: 100]")
            .json_response("One page.", "MapList")
            .problem(&[ProblemKind::InvalidConfig]);
        api.route(Method::GET, &format!("{base}/maps"), RequiredAccess::Read, operation, list);
        let operation = describe("exportGuild", "Export a guild with its histories as JSON lines")
            .response(200, "One line per channel, history entry and document.", JSON_LINES, None);
        api.route(Method::GET, &format!("{base}/export"), RequiredAccess::Read, operation, export);
        let operation =
            describe("importGuild", "Import all channels of an export, or none if one fails")
                .body(JSON_LINES, "JsonLines", true)
                .json_response("Number of imported records.", "RecordCounts")
                .problem(&[
                    ProblemKind::InvalidConfig,
                    ProblemKind::LimitExceeded,
                    ProblemKind::Busy,
                    ProblemKind::InsufficientStorage,
                ])
                .streams();
        let path = format!("{base}/import");
        api.route(Method::POST, &path, RequiredAccess::Write, operation, import);
    }
}

async fn list(
    axum::extract::State(service): State,
    Guild(guild): Guild,
    QueryParams(mut query): QueryParams,
) -> Result<impl IntoResponse, Problem> {
    let after = query
        .take("after")?
        .map(|after| Id::checked("after", &after))
        .transpose()
        .map_err(invalid_parameter)?;
    let limit = query.number("limit", 1, 1000)?.unwrap_or(100) as u32;
    query.finish()?;
    let page =
        service.store.list(guild.as_ref(), after.as_ref(), limit).await.map_err(store_problem)?;
    Ok(no_store(MapList { maps: page.items, next: page.next }))
}

/// Streams an export, because a guild may be larger than memory.
async fn export(
    axum::extract::State(service): State,
    _: NoQueryParams,
    Guild(guild): Guild,
) -> impl IntoResponse {
    let (reader, mut writer) = tokio::io::duplex(64 << 10);
    let export = async move {
        // If the client disconnects, the pipe closes and the export fails.
        match service.store.export(guild.as_ref(), &mut writer).await {
            Ok(counts) => {
                tracing::info!(channels = counts.channels, entries = counts.entries, "exported")
            }
            // The last line of an export contains the number of records, so an import detects a
            // truncated file.
            Err(error) => tracing::error!(%error, "export failed"),
        }
    };
    tokio::spawn(export.in_current_span());
    let headers = [(header::CONTENT_TYPE, JSON_LINES), (header::CACHE_CONTROL, "no-store")];
    let chunks = stream::try_unfold(reader, async |mut reader| {
        let mut chunk = BytesMut::with_capacity(16 << 10);
        let read = reader.read_buf(&mut chunk).await?;
        Ok::<_, std::io::Error>((read > 0).then(|| (chunk.freeze(), reader)))
    });
    (headers, Body::from_stream(chunks))
}

async fn import(
    axum::extract::State(service): State,
    _: NoQueryParams,
    Guild(guild): Guild,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    check_media_type(request.headers(), JSON_LINES)?;
    let _permit = service.imports.try_acquire().map_err(|_| {
        let detail = "too many imports at the same time; try again in a moment";
        Problem::new(ProblemKind::Busy, detail).header("retry-after", "5")
    })?;
    // Larger than memory, so the store reads the body while it arrives.
    let (reader, mut writer) = tokio::io::duplex(64 << 10);
    let (mut body, pause) = (request.into_body(), service.limits.timeout / 2);
    let receive = async move {
        let mut is_empty = true;
        while let Some(frame) = tokio::time::timeout(pause, body.frame()).await.map_err(|_| {
            Problem::new(ProblemKind::RequestTimeout, "the body did not arrive in time")
                .header("connection", "close")
        })? {
            let frame = frame.map_err(|error| {
                let detail = format!("the body is incomplete: {error}");
                Problem::new(ProblemKind::InvalidBody, detail)
            })?;
            if let Ok(part) = frame.into_data() {
                is_empty &= part.is_empty();
                if writer.write_all(&part).await.is_err() {
                    // The store has rejected a line.
                    return Ok(());
                }
            }
        }
        if is_empty {
            let detail = "the body is empty; send an export";
            return Err(Problem::new(ProblemKind::InvalidBody, detail).field("body"));
        }
        Ok(())
    };
    let mut lines = BufReader::new(reader);
    let import = async {
        let imported = service.store.import(guild.as_ref(), &mut lines).await;
        drop(lines);
        imported
    };
    let (received, imported) = tokio::join!(receive, import);
    received?;
    Ok(no_store(imported.map_err(store_problem)?))
}
