//! Wayforge for JavaScript: what `js/api.js` stands on. Configurations and answers cross as JSON, seeds as text, errors as the JSON of
//! a fault, which the module makes an exception of.

#[cfg(feature = "studio")]
pub mod answers;
pub mod floor;
pub mod many;
pub mod map;
pub mod nav;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wayforge::SavedMap;
use wayforge_api::bindings::{BindingError, BindingErrorKind};

/// What is thrown: a fault as JSON.
pub(crate) fn thrown(fault: impl Into<BindingError>) -> JsValue {
    let fault = fault.into();
    JsValue::from_str(&serde_json::to_string(&fault).unwrap_or_else(|_| fault.message.into_string()))
}

/// Anything as JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<String, JsValue> {
    serde_json::to_string(value).map_err(|error| thrown(BindingError::new(BindingErrorKind::Decode, error)))
}

/// Validates a document of any family or a `MapFloor` without an envelope; the report as JSON.
#[wasm_bindgen]
pub fn judge(document: &str, reproduce: bool) -> Result<String, JsValue> {
    let report = SavedMap::decode(document.as_bytes()).and_then(|saved| saved.validate(reproduce));
    json(&report.map_err(thrown)?)
}

/// The number of a seed.
#[wasm_bindgen]
pub fn seed_number(seed: &str) -> Result<u64, JsValue> {
    wayforge_api::bindings::parse_seed(seed).map(|seed| seed.number()).map_err(thrown)
}
