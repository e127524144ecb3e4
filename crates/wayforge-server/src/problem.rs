//! Problems as responses.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
pub use wayforge_api::handlers::problem::{Kind, Problem};

/// The problem that an empty response with an error status stands for: what the router refuses by itself.
pub(crate) fn of_status(status: StatusCode) -> Problem {
    match status.as_u16() {
        404 => Problem::new(Kind::NotFound, "there is no such route; /docs lists all of them"),
        405 => Problem::new(Kind::Method, "the route does not know this method; see the Allow header"),
        413 => Problem::new(Kind::TooLarge, "the body is too large"),
        415 => Problem::new(Kind::MediaType, "the body is not of a type that is read here"),
        400..=499 => Problem::new(Kind::Body, "the request cannot be read"),
        _ => Problem::new(Kind::Internal, "the server failed"),
    }
}

/// The response, with the path that was asked for.
pub(crate) fn render(problem: &Problem, path: &str) -> Response {
    let mut response = Response::new(Body::from(problem.to_body(path)));
    *response.status_mut() =
        StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    for (name, value) in problem.headers() {
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value))
        {
            headers.insert(name, value);
        }
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
