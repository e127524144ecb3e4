//! Outermost middleware: request ids, metrics, logs, and the bodies of problem documents.

use crate::Service;
use crate::access::client_address;
use crate::problem::{Problem, ProblemKind, from_status, render};
use crate::rate_limit::Client;
use crate::request_id::{REQUEST_ID, request_id};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use tracing::Instrument;

/// Logs and measures a request, and renders every error response as a problem document.
///
/// Log lines that are written while the request is handled contain its id.
pub(crate) async fn observe(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    let id = request_id(request.headers());
    // Error is the only level at which the span exists whenever anything is logged.
    let span = tracing::error_span!("request", request_id = id.to_str().unwrap_or_default());
    let mut response = handle(service, request, next).instrument(span).await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

async fn handle(service: Arc<Service>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let _in_flight = CounterGuard::try_new(&service.metrics.in_flight, usize::MAX);
    let (parts, body) = request.into_parts();
    let client = Client::from_address(client_address(&service, &parts));
    let mut response = next.run(Request::from_parts(parts, body)).await;
    if response.status().is_client_error() || response.status().is_server_error() {
        response = render_problem(response, uri.path());
    }
    let (parts, body) = response.into_parts();
    response = match service.unsent.wrap(client, body) {
        Ok(body) => Response::from_parts(parts, body),
        Err(problem) => render(&problem, uri.path()),
    };
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let (status, duration) = (response.status(), start.elapsed());
    let route = route.as_ref().map_or("unknown", MatchedPath::as_str);
    service.metrics.record(route, method_name(&method), status.as_u16(), duration);
    let (path, micros) = (uri.path(), duration.as_micros() as u64);
    if status.is_server_error() {
        tracing::error!(%method, route, path, status = status.as_u16(), micros, "request failed");
    } else {
        tracing::debug!(%method, route, path, status = status.as_u16(), micros, "request handled");
    }
    response
}

/// Logs a panic and returns an internal server error.
pub(crate) fn handle_panic(panic: Box<dyn Any + Send + 'static>) -> Response {
    let message = panic.downcast_ref::<String>().cloned();
    let message = message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    tracing::error!(panic = message.unwrap_or_default(), "a request panicked");
    Problem::new(ProblemKind::InternalError, "internal server error").into_response()
}

/// Renders the problem of an error response and keeps its `Allow` and CORS headers.
fn render_problem(mut response: Response, path: &str) -> Response {
    let problem = response.extensions_mut().remove::<Problem>();
    let problem = problem.unwrap_or_else(|| from_status(response.status()));
    let mut rendered = render(&problem, path);
    for name in
        [header::ALLOW, header::ACCESS_CONTROL_ALLOW_ORIGIN, header::ACCESS_CONTROL_EXPOSE_HEADERS]
    {
        if let Some(value) = response.headers_mut().remove(&name) {
            rendered.headers_mut().insert(name, value);
        }
    }
    rendered
}

/// Returns the name of a standard method, or `other`, because clients can send any name.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Guard that increments a counter, and decrements it when dropped.
pub(crate) struct CounterGuard<'a>(&'a AtomicUsize);

impl CounterGuard<'_> {
    /// Increments the counter unless it has reached `max`.
    pub(crate) fn try_new(counter: &AtomicUsize, max: usize) -> Option<CounterGuard<'_>> {
        let guard = CounterGuard(counter);
        (counter.fetch_add(1, Ordering::Relaxed) < max).then_some(guard)
    }
}

impl Drop for CounterGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
