//! The HTTP service's request handlers for the exported studio, without a server.

use wasm_bindgen::prelude::wasm_bindgen;
use wayforge_api::handlers::{LazyPainter, Limits, Response, dispatch};

/// Handles the studio's requests, one at a time.
#[wasm_bindgen]
pub struct RawService {
    limits: Limits,
    painters: LazyPainter,
}

/// HTTP response, or an RFC 9457 problem document.
#[wasm_bindgen]
pub struct RawResponse {
    status: u16,
    content_type: &'static str,
    body: Vec<u8>,
}

#[wasm_bindgen]
impl RawService {
    /// Creates a service with the default limits.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)] // JavaScript has no `Default`.
    pub fn new() -> RawService {
        // The only client is the page itself.
        let limits = Limits { client_unsent: 256 << 20, ..Limits::default() };
        RawService { limits, painters: LazyPainter::default() }
    }

    /// Handles a `POST` of `body` to `path` with the parameters in `query`.
    pub fn dispatch(&mut self, path: &str, query: &str, body: &str) -> RawResponse {
        match dispatch(path, query, body.as_bytes(), &self.limits, &mut self.painters) {
            Ok(Response { content_type, body }) => RawResponse { status: 200, content_type, body },
            Err(problem) => RawResponse {
                status: problem.status(),
                content_type: "application/problem+json",
                body: problem.to_body(path),
            },
        }
    }
}

#[wasm_bindgen]
impl RawResponse {
    /// HTTP status code.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Value of the `Content-Type` header.
    pub fn content_type(&self) -> String {
        self.content_type.to_owned()
    }

    /// Takes the body out of the response.
    pub fn take_body(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.body)
    }
}
