//! The server's own pages: is it there, is it ready, what does it count, what can it do.

use crate::access::Need;
use crate::api::{Answer, Api};
use crate::call::Call;
use crate::openapi::Operation;
use crate::problem::{Kind, Problem};
use axum::body::Body;
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;
use std::sync::{Arc, OnceLock};

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
    api.on(Method::GET, "/healthz", Need::Nothing, text("health", "The server runs"), |_| async {
        Ok(typed("text/plain; charset=utf-8", "ok\n"))
    });
    let ready = text("ready", "The server can serve: its database answers").problem(&[Kind::Unavailable]);
    api.on(Method::GET, "/readyz", Need::Nothing, ready, ready_now);
    let metrics = text("metrics", "What the server counts, for Prometheus");
    api.on(Method::GET, "/metrics", Need::Token, metrics, |call: Call| async move {
        let text = call.service.metrics.render(call.service.workers.load());
        Ok(typed("text/plain; version=0.0.4; charset=utf-8", text))
    });
    let description = Arc::new(OnceLock::<Bytes>::new());
    let told = Operation::new("server", "openapi", "This description").answer(
        200,
        "OpenAPI 3.1.",
        "application/json",
        None,
    );
    let shared = Arc::clone(&description);
    api.on(Method::GET, "/openapi.json", Need::Nothing, told, move |_| {
        let text = shared.get().cloned().unwrap_or_default();
        async move { Ok(typed("application/json", text)) }
    });
    let files = [
        ("/docs", "docs", "text/html", "text/html; charset=utf-8", PAGE),
        ("/docs/page.js", "docsScript", "text/javascript", "text/javascript; charset=utf-8", SCRIPT),
        ("/docs/page.css", "docsStyle", "text/css", "text/css; charset=utf-8", STYLE),
    ];
    for (path, id, media, kind, content) in files {
        let told = Operation::new("server", id, "The readable page").answer(200, "The page.", media, None);
        api.on(Method::GET, path, Need::Nothing, told, move |_| async move {
            let mut response = typed(kind, content);
            let policy = HeaderValue::from_static(POLICY);
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
            Ok(response)
        });
    }
    description
}

async fn ready_now(call: Call) -> Answer {
    call.service.check().await?;
    Ok(typed("text/plain; charset=utf-8", "ready\n"))
}

fn typed(kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// A value as JSON that is not to be kept by caches.
pub(crate) fn json_response(value: &impl Serialize) -> Answer {
    let refuse = |error| Problem::new(Kind::Internal, format!("the answer cannot be written: {error}"));
    let body = serde_json::to_vec(value).map_err(refuse)?;
    let mut response = typed("application/json", body);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
