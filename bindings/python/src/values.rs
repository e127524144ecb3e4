//! What Python hands over: seeds, texts and configurations.

use crate::errors::raise;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyString};
use wayforge::{ConfigError, Seed};

/// A seed: a number from 0 to 2**64 - 1, or text of at most 256 characters.
pub(crate) struct AnySeed(pub(crate) Seed);

impl<'a, 'py> FromPyObject<'a, 'py> for AnySeed {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<AnySeed> {
        if value.is_instance_of::<PyString>() {
            let seed = value.extract::<String>()?.parse();
            return seed.map(AnySeed).map_err(|error: ConfigError| raise(value.py(), error));
        }
        // NumPy's integers are numbers too.
        let number = match value.is_instance_of::<PyBool>() {
            true => None,
            false => value.call_method0("__index__").ok().filter(|index| index.is_instance_of::<PyInt>()),
        };
        let Some(number) = number else {
            return Err(PyTypeError::new_err(format!(
                "a seed is an int or a str, not {}",
                value.get_type().name()?
            )));
        };
        number.extract::<u64>().map(|seed| AnySeed(Seed::new(seed))).map_err(|_| {
            let remedy = "use 0 to 18446744073709551615, or text";
            raise(value.py(), ConfigError::new("seed", number.to_string(), "out of range", remedy))
        })
    }
}

/// Text, or its bytes.
pub(crate) struct Text(Vec<u8>);

impl Text {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Text {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Text> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(Text(bytes.as_bytes().to_vec()));
        }
        match value.cast::<PyString>() {
            Ok(text) => Ok(Text(text.extract::<String>()?.into_bytes())),
            Err(_) => {
                Err(PyTypeError::new_err(format!("text is a str or bytes, not {}", value.get_type().name()?)))
            }
        }
    }
}

/// A configuration as JSON: text as it is, anything else by `json.dumps`.
pub(crate) fn json_of(py: Python<'_>, config: Option<Bound<'_, PyAny>>) -> PyResult<Vec<u8>> {
    let Some(config) = config else { return Ok(b"{}".to_vec()) };
    if let Ok(Text(text)) = config.extract() {
        return Ok(text);
    }
    let dumped = py.import("json")?.call_method1("dumps", (config,))?;
    Ok(dumped.extract::<String>()?.into_bytes())
}

/// JSON as what Python has for it.
pub(crate) fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
