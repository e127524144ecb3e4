//! The server's own pages: is it there, is it ready, what does it count, what can it do.

use crate::access::Need;
use crate::api::Api;
use crate::channels::refused;
use crate::extract::State;
use crate::generate::respond;
use crate::openapi::Operation;
use crate::problem::{Kind, Problem};
use axum::http::{Method, header};
use axum::response::IntoResponse;
use bytes::Bytes;
use serde::Serialize;
use std::sync::{Arc, OnceLock};

const TEXT: &str = "text/plain; charset=utf-8";
const PAGE: &str = include_str!("../page/index.html");
const SCRIPT: &str = include_str!("../page/page.js");
const STYLE: &str = include_str!("../page/page.css");

/// The page loads what stands beside it and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Adds the routes; the description is filled in when all routes are known.
pub(crate) fn routes(api: &mut Api) -> Arc<OnceLock<Bytes>> {
    let text = |id: &str, about: &str| {
        Operation::new("server", id, about).answer(200, about, "text/plain", Some("Text"))
    };
    api.on(Method::GET, "/healthz", Need::Nothing, text("health", "The server runs"), async || {
        respond(TEXT, "ok\n")
    });
    let ready = text("ready", "The server can serve: its database answers").problem(&[Kind::Unavailable]);
    api.on(Method::GET, "/readyz", Need::Nothing, ready, async |state: State| {
        state.store.ping().await.map_err(refused)?;
        Ok::<_, Problem>(respond(TEXT, "ready\n"))
    });
    let metrics = text("metrics", "What the server counts, for Prometheus");
    api.on(Method::GET, "/metrics", Need::Token, metrics, async |state: State| {
        let text = state.metrics.render(state.workers.load());
        respond("text/plain; version=0.0.4; charset=utf-8", text)
    });
    let description = Arc::new(OnceLock::<Bytes>::new());
    let told = Operation::new("server", "openapi", "This description").answer(
        200,
        "OpenAPI 3.1.",
        "application/json",
        None,
    );
    let shared = Arc::clone(&description);
    api.on(Method::GET, "/openapi.json", Need::Nothing, told, async move || {
        ([(header::CONTENT_TYPE, "application/json")], shared.get().cloned().unwrap_or_default())
    });
    let files = [
        ("/docs", "docs", "text/html", "text/html; charset=utf-8", PAGE),
        ("/docs/page.js", "docsScript", "text/javascript", "text/javascript; charset=utf-8", SCRIPT),
        ("/docs/page.css", "docsStyle", "text/css", "text/css; charset=utf-8", STYLE),
    ];
    for (path, id, media, kind, content) in files {
        let told = Operation::new("server", id, "The readable page").answer(200, "The page.", media, None);
        api.on(Method::GET, path, Need::Nothing, told, async move || {
            ([(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)], content)
        });
    }
    description
}

/// A value as JSON that is not to be cached.
pub(crate) fn no_store(value: impl Serialize) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], axum::Json(value))
}
