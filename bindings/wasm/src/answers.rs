//! What the studio asks of the service, answered where the page is.

use wasm_bindgen::prelude::wasm_bindgen;
use wayforge_api::handlers::{Brush, Limits, Told, answer};

/// Answers requests one after another.
#[wasm_bindgen]
pub struct RawAnswers {
    limits: Limits,
    brush: Brush,
}

/// An answer, or a refusal.
#[wasm_bindgen]
pub struct RawAnswer {
    status: u16,
    content_type: &'static str,
    body: Vec<u8>,
}

#[wasm_bindgen]
impl RawAnswers {
    /// Somebody who answers within the limits of a studio.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)] // JavaScript has no defaults.
    pub fn new() -> RawAnswers {
        RawAnswers { limits: Limits::default(), brush: Brush::default() }
    }

    /// Answers a `POST` of `body` to `path` with the parameters in `query`.
    pub fn answer(&mut self, path: &str, query: &str, body: &str) -> RawAnswer {
        match answer(path, query, body.as_bytes(), &self.limits, &mut self.brush) {
            Ok(Told { content_type, body }) => RawAnswer { status: 200, content_type, body },
            Err(problem) => RawAnswer {
                status: problem.status(),
                content_type: "application/problem+json",
                body: problem.to_body(path),
            },
        }
    }
}

#[wasm_bindgen]
impl RawAnswer {
    /// The status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// What `Content-Type` says.
    pub fn content_type(&self) -> String {
        self.content_type.to_owned()
    }

    /// The body, taken out.
    pub fn take_body(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.body)
    }
}
