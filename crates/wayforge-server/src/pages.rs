//! Routes of the server itself: health, readiness, metrics, OpenAPI description, documentation.

use crate::access::RequiredAccess;
use crate::api::ApiRouter;
use crate::extract::State;
use crate::generate::respond;
use crate::openapi::Operation;
use crate::problem::{Problem, ProblemKind};
use axum::http::{Method, header};
use axum::response::IntoResponse;
use bytes::Bytes;
use serde::Serialize;
use std::sync::{Arc, OnceLock};

const TEXT: &str = "text/plain; charset=utf-8";
const PAGE: &str = include_str!("../page/index.html");
const SCRIPT: &str = include_str!("../page/page.js");
const STYLE: &str = include_str!("../page/page.css");
const ICON: &str = include_str!("../studio/mark.svg");

/// Content security policy: only resources of the same origin.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// Adds the routes. Returns the cell for the OpenAPI description, which is complete only after all
/// routes have been added.
pub(crate) fn routes(api: &mut ApiRouter) -> Arc<OnceLock<Bytes>> {
    let text = |id: &str, summary: &str, description: &str| {
        Operation::new("server", id, summary).response(200, description, "text/plain", Some("Text"))
    };
    let health = text("getHealth", "Check that the server runs", "The server runs.");
    api.route(Method::GET, "/healthz", RequiredAccess::None, health, async || {
        respond(TEXT, "ok\n")
    });
    let ready =
        text("getReadiness", "Check that the database accepts writes", "The server is ready.")
            .problem(&[ProblemKind::Unavailable]);
    api.route(Method::GET, "/readyz", RequiredAccess::None, ready, async |state: State| {
        state.readiness.check(&state.store).await?;
        Ok::<_, Problem>(respond(TEXT, "ready\n"))
    });
    let metrics = text("getMetrics", "Get metrics in Prometheus text format", "The metrics.");
    api.route(Method::GET, "/metrics", RequiredAccess::Token, metrics, async |state: State| {
        let text = state.metrics.render(state.workers.load(), state.unsent.total());
        respond("text/plain; version=0.0.4; charset=utf-8", text)
    });
    let description = Arc::new(OnceLock::<Bytes>::new());
    let operation = Operation::new("server", "getOpenApi", "Get this OpenAPI description")
        .response(200, "OpenAPI 3.1.", "application/json", None);
    let shared = Arc::clone(&description);
    api.route(Method::GET, "/openapi.json", RequiredAccess::None, operation, async move || {
        let headers = [(header::CONTENT_TYPE, "application/json")];
        (headers, shared.get().cloned().unwrap_or_default())
    });
    let files = [
        ("/docs", "getDocs", "text/html", "text/html; charset=utf-8", PAGE),
        (
            "/docs/page.js",
            "getDocsScript",
            "text/javascript",
            "text/javascript; charset=utf-8",
            SCRIPT,
        ),
        ("/docs/page.css", "getDocsStyle", "text/css", "text/css; charset=utf-8", STYLE),
        ("/docs/mark.svg", "getDocsIcon", "image/svg+xml", "image/svg+xml", ICON),
    ];
    for (path, id, media, content_type, content) in files {
        let operation = Operation::new("server", id, "Get the API documentation").response(
            200,
            "The page.",
            media,
            None,
        );
        api.route(Method::GET, path, RequiredAccess::None, operation, async move || {
            let headers =
                [(header::CONTENT_TYPE, content_type), (header::CONTENT_SECURITY_POLICY, POLICY)];
            (headers, content)
        });
    }
    description
}

/// Returns a JSON response that must not be cached.
pub(crate) fn no_store(value: impl Serialize) -> impl IntoResponse {
    ([(header::CACHE_CONTROL, "no-store")], axum::Json(value))
}
