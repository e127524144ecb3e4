//! CORS headers, so that pages of other origins can request maps that are not stored.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Adds the headers of responses. Without `Access-Control-Allow-Credentials`, browsers send no
/// cookies or certificates.
pub(crate) fn allow(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let exposed = HeaderValue::from_static("ETag, Retry-After, Wayforge-Seed, X-Request-Id");
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
}

/// Responds to a preflight request.
pub(crate) async fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Accept, Authorization, Content-Type, If-None-Match, X-Request-Id",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    let mut response = (StatusCode::NO_CONTENT, headers).into_response();
    allow(&mut response);
    response
}
