//! Conversions of Python arguments: seeds, integers, text and configurations.

use crate::errors::PyWayforgeError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyString};
use wayforge::{InputError, Seed};

/// Seed: an integer from -2**63 to 2**64 - 1, or text of at most 256 characters.
///
/// A negative integer is treated as text, as on the command line.
pub(crate) struct AnySeed(pub(crate) Seed);

impl<'a, 'py> FromPyObject<'a, 'py> for AnySeed {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<AnySeed> {
        if value.is_instance_of::<PyString>() {
            let seed = value.extract::<String>()?.parse();
            return Ok(AnySeed(seed.map_err(|error: InputError| PyWayforgeError::from(error))?));
        }
        let Some(number) = to_int(value) else {
            let kind = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!("must be an int or a str, not {kind}")));
        };
        let negative = |_| number.extract::<i64>().map(|seed| Seed::from_text(&seed.to_string()));
        number.extract::<u64>().map(Seed::new).or_else(negative).map(AnySeed).map_err(|_| {
            let remedy = "use -9223372036854775808 to 18446744073709551615, or text";
            PyWayforgeError::from(InputError::new("seed", &number, "out of range", remedy)).into()
        })
    }
}

/// Integer argument of any size; [`within`](Self::within) checks its range.
pub(crate) struct Integer {
    /// `None` if it needs more than 64 bits.
    number: Option<i128>,
    pub(crate) text: String,
}

impl Integer {
    /// Returns the number if it is in `min..=max`.
    ///
    /// # Errors
    /// `InputError` with the field and the range if the number is out of range.
    pub(crate) fn within<T: TryFrom<i128>>(
        &self,
        field: &str,
        min: i128,
        max: i128,
    ) -> Result<T, PyWayforgeError> {
        let number = self.number.filter(|number| (min..=max).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            InputError::new(field, &self.text, "out of range", format!("use {min} to {max}")).into()
        })
    }
}

impl From<i64> for Integer {
    fn from(number: i64) -> Integer {
        Integer { number: Some(number.into()), text: number.to_string() }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Integer {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Integer> {
        let Some(number) = to_int(value) else {
            let kind = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!("must be an int, not {kind}")));
        };
        let signed = number.extract::<i64>().map(i128::from);
        let exact = signed.or_else(|_| number.extract::<u64>().map(i128::from)).ok();
        Ok(Integer { number: exact, text: number.to_string() })
    }
}

/// Converts a Python or NumPy integer to `int`. Returns `None` for other types and for `bool`.
fn to_int<'py>(value: Borrowed<'_, 'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    if value.is_instance_of::<PyBool>() {
        return None;
    }
    value.call_method0("__index__").ok().filter(|index| index.is_instance_of::<PyInt>())
}

/// `str` or `bytes`.
pub(crate) struct Text(pub(crate) Vec<u8>);

impl<'a, 'py> FromPyObject<'a, 'py> for Text {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Text> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(Text(bytes.as_bytes().to_vec()));
        }
        if value.is_instance_of::<PyString>() {
            return Ok(Text(value.extract::<String>()?.into_bytes()));
        }
        Err(PyTypeError::new_err(format!(
            "must be a str or bytes, not {}",
            value.get_type().name()?
        )))
    }
}

/// Converts a configuration to JSON: text unchanged, other values with `json.dumps`.
pub(crate) fn to_json(py: Python<'_>, config: Option<Bound<'_, PyAny>>) -> PyResult<Vec<u8>> {
    let Some(config) = config else { return Ok(b"{}".to_vec()) };
    if let Ok(Text(text)) = config.extract() {
        return Ok(text);
    }
    let dumped = py.import("json")?.call_method1("dumps", (config,))?;
    Ok(dumped.extract::<String>()?.into_bytes())
}

/// Parses JSON with `json.loads`.
pub(crate) fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
