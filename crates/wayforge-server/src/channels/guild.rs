//! A guild as a whole: its maps in pages, and all of it as JSON lines.

use super::told::{Imported, ListedView, MapList};
use super::{guild_of, refused};
use crate::access::{Need, parameter};
use crate::api::{Answer, Api};
use crate::call::{Call, check_type};
use crate::openapi::Operation;
use crate::pages::json_response;
use crate::problem::{Kind, Problem};
use axum::body::Body;
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use std::sync::Arc;
use wayforge_store::Id;

/// What exports are.
const LINES: &str = "application/jsonl";

/// Adds the routes.
pub(super) fn routes(api: &mut Api) {
    for (base, suffix) in [("/v1/guilds/{guild}", ""), ("/v1/channels", "Direct")] {
        let told = |id: &str, about: &str| {
            let told =
                Operation::new("channels", format!("{id}{suffix}"), about).problem(&[Kind::Unavailable]);
            match suffix {
                "" => told.path("guild", "Id", "The guild."),
                _ => told,
            }
        };
        let list = told("listMaps", "The maps of a guild by channel")
            .query("after", "Id", "Only channels after this one.")
            .query("limit", "PageLimit", "At most so many maps; 100 if left out.")
            .answer(200, "One page.", "application/json", Some("MapList"))
            .problem(&[Kind::Config]);
        api.on(Method::GET, &format!("{base}/maps"), Need::Read, list, maps);
        let export = told("exportGuild", "All of a guild, histories included, as JSON lines").answer(
            200,
            "A line for every channel, entry and document.",
            LINES,
            None,
        );
        api.on(Method::GET, &format!("{base}/export"), Need::Read, export, send);
        let import = told("importGuild", "Take in what an export wrote: all of it or nothing")
            .body(LINES, "JsonLines", true)
            .answer(200, "How much was taken in.", "application/json", Some("Imported"))
            .problem(&[Kind::Config]);
        api.on(Method::POST, &format!("{base}/import"), Need::Write, import, take_in);
    }
}

async fn maps(call: Call) -> Answer {
    let guild = guild_of(&call)?;
    let mut query = call.query();
    let after =
        query.take("after")?.map(|after| Id::checked("after", &after)).transpose().map_err(parameter)?;
    let limit = query.number("limit", 1, 1000)?.unwrap_or(100) as u32;
    query.finish()?;
    let page = call.service.store.list(guild.as_ref(), after.as_ref(), limit).await.map_err(refused)?;
    json_response(&MapList {
        maps: page.items.iter().map(ListedView::from).collect(),
        next: page.next.map(|channel| channel.to_string()),
    })
}

/// Streams an export: a guild may be larger than what is held in memory.
async fn send(call: Call) -> Answer {
    call.query().finish()?;
    let guild = guild_of(&call)?;
    let (reader, mut writer) = tokio::io::duplex(64 << 10);
    let service = Arc::clone(&call.service);
    tokio::spawn(async move {
        // A caller who goes away closes the pipe, and the export ends with it.
        match service.store.export(guild.as_ref(), &mut writer).await {
            Ok(tally) => tracing::info!(channels = tally.channels, entries = tally.entries, "exported"),
            // The last line of an export counts what is before it: a file without one is known to be cut.
            Err(error) => tracing::error!(%error, "an export broke off"),
        }
    });
    let mut response = Response::new(Body::new(stream::Lines(reader)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(LINES));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

async fn take_in(mut call: Call) -> Answer {
    call.query().finish()?;
    let guild = guild_of(&call)?;
    let kind = call.header(&header::CONTENT_TYPE)?.map(str::to_owned);
    let bytes = call.bytes().await?;
    check_type(kind.as_deref(), LINES)?;
    if bytes.is_empty() {
        return Err(Problem::new(Kind::Body, "the body is empty; send what an export wrote").field("body"));
    }
    let tally = call.service.store.import(guild.as_ref(), &mut &bytes[..]).await.map_err(refused)?;
    json_response(&Imported { channels: tally.channels, entries: tally.entries, documents: tally.documents })
}

mod stream {
    //! What is read from a pipe, as a body.

    use bytes::Bytes;
    use hyper::body::{Body, Frame};
    use std::io;
    use std::pin::Pin;
    use std::task::{Context, Poll, ready};
    use tokio::io::{AsyncRead, DuplexStream, ReadBuf};

    pub(super) struct Lines(pub(super) DuplexStream);

    impl Body for Lines {
        type Data = Bytes;
        type Error = io::Error;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
            let mut buffer = [0; 16 << 10];
            let mut read = ReadBuf::new(&mut buffer);
            ready!(Pin::new(&mut self.0).poll_read(context, &mut read))?;
            Poll::Ready(match read.filled() {
                [] => None,
                filled => Some(Ok(Frame::data(Bytes::copy_from_slice(filled)))),
            })
        }
    }
}
