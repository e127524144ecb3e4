//! WebAssembly exports behind the JavaScript package.
//!
//! `js/api.js` wraps these functions. Configurations and results are passed as JSON and seeds as
//! text. An error is thrown as JSON, which `js/api.js` turns into a `WayforgeError`.

pub mod batch;
pub mod floor;
pub mod map;
pub mod nav;
#[cfg(feature = "studio")]
pub mod service;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::SavedMap;
use wayforge_api::bindings::{BindingError, BindingErrorKind};

/// Error of the library, thrown as JSON.
pub struct ThrownError(BindingError);

impl<E: Into<BindingError>> From<E> for ThrownError {
    fn from(error: E) -> ThrownError {
        ThrownError(error.into())
    }
}

impl From<ThrownError> for JsValue {
    fn from(ThrownError(error): ThrownError) -> JsValue {
        JsValue::from_str(
            &serde_json::to_string(&error).unwrap_or_else(|_| error.message.into_string()),
        )
    }
}

/// Serialises a value as JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<String, ThrownError> {
    serde_json::to_string(value)
        .map_err(|error| BindingError::new(BindingErrorKind::Decode, error).into())
}

/// Validates a document of any family, or a bare `MapFloor`, and returns the report as JSON.
#[wasm_bindgen]
pub fn validate_document(document: &str, reproduce: bool) -> Result<String, ThrownError> {
    json(&SavedMap::decode(document.as_bytes())?.validate(reproduce)?)
}

/// Returns the 64-bit number of a seed.
#[wasm_bindgen]
pub fn seed_number(seed: &str) -> Result<u64, ThrownError> {
    Ok(wayforge_api::bindings::parse_seed(seed)?.number())
}
