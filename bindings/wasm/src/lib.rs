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

/// An error of the library, which is thrown as JSON.
pub struct Fault(BindingError);

impl<E: Into<BindingError>> From<E> for Fault {
    fn from(error: E) -> Fault {
        Fault(error.into())
    }
}

impl From<Fault> for JsValue {
    fn from(Fault(fault): Fault) -> JsValue {
        JsValue::from_str(&serde_json::to_string(&fault).unwrap_or_else(|_| fault.message.into_string()))
    }
}

/// Anything as JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| BindingError::new(BindingErrorKind::Decode, error).into())
}

/// Validates a document of any family or a `MapFloor` without an envelope; the report as JSON.
#[wasm_bindgen]
pub fn judge(document: &str, reproduce: bool) -> Result<String, Fault> {
    json(&SavedMap::decode(document.as_bytes())?.validate(reproduce)?)
}

/// The number of a seed.
#[wasm_bindgen]
pub fn seed_number(seed: &str) -> Result<u64, Fault> {
    Ok(wayforge_api::bindings::parse_seed(seed)?.number())
}
