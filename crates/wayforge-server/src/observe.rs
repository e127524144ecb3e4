//! Around every request: counts, logs, and problems written out. Whatever is refused, by whomever, leaves as a problem.

use crate::Service;
use crate::problem::{Kind, Problem, of_status, render};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The outermost layer.
pub(crate) async fn observe(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let _open = Counted::below(usize::MAX, &service.metrics.open);
    let mut response = next.run(request).await;
    if response.status().is_client_error() || response.status().is_server_error() {
        response = write_out(response, uri.path());
    }
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let (status, took) = (response.status(), start.elapsed());
    let route = route.as_ref().map_or("unknown", MatchedPath::as_str);
    service.metrics.answered(route, name(&method), status.as_u16(), took);
    let micros = took.as_micros() as u64;
    match status.is_server_error() {
        true => {
            tracing::error!(%method, route, path = uri.path(), status = status.as_u16(), micros, "failed")
        }
        false => {
            tracing::debug!(%method, route, path = uri.path(), status = status.as_u16(), micros, "answered")
        }
    }
    response
}

/// What a panic of ours becomes.
pub(crate) fn caught(panic: Box<dyn Any + Send + 'static>) -> Response {
    let told = panic.downcast_ref::<String>().cloned();
    let told = told.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    tracing::error!(panic = told.unwrap_or_default(), "a request panicked");
    Problem::new(Kind::Internal, "the server failed; this is our fault").into_response()
}

/// Writes the body of a problem, and keeps the header that belongs to it.
fn write_out(mut response: Response, path: &str) -> Response {
    let problem = response.extensions_mut().remove::<Problem>();
    let problem = problem.unwrap_or_else(|| of_status(response.status()));
    let mut written = render(&problem, path);
    if let Some(value) = response.headers_mut().remove(header::ALLOW) {
        written.headers_mut().insert(header::ALLOW, value);
    }
    written
}

/// Methods as words of ours: a client may invent others.
fn name(method: &Method) -> &'static str {
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

/// Counts something while it lives.
pub(crate) struct Counted<'a>(&'a AtomicUsize);

impl Counted<'_> {
    /// Counts one more, unless there are `most` already.
    pub(crate) fn below(most: usize, counter: &AtomicUsize) -> Option<Counted<'_>> {
        let counted = Counted(counter);
        (counter.fetch_add(1, Ordering::Relaxed) < most).then_some(counted)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
