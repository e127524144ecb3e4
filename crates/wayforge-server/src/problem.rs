//! Renders RFC 9457 problem documents as axum responses.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
pub use wayforge_api::handlers::problem::{Problem, ProblemKind};

/// Creates the problem for an error response that axum itself created.
pub(crate) fn from_status(status: StatusCode) -> Problem {
    match status.as_u16() {
        404 => Problem::new(ProblemKind::NotFound, "this route does not exist; see /docs"),
        405 => Problem::new(
            ProblemKind::MethodNotAllowed,
            "the route does not support this method; see the Allow header",
        ),
        413 => Problem::new(ProblemKind::ContentTooLarge, "the body is too large"),
        415 => Problem::new(
            ProblemKind::UnsupportedMediaType,
            "the media type of the body is not supported",
        ),
        400..=499 => Problem::new(ProblemKind::InvalidBody, "the request cannot be parsed"),
        _ => Problem::new(ProblemKind::InternalError, "internal server error"),
    }
}

/// Creates the response to a request for `path`.
pub(crate) fn render(problem: &Problem, path: &str) -> Response {
    let mut response = Response::new(Body::from(problem.to_body(path)));
    *response.status_mut() =
        StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    for (name, value) in problem.headers() {
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value))
        {
            headers.insert(name, value);
        }
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
