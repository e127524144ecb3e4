//! What Python hands over: seeds, texts and configurations.

use crate::errors::Fault;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyString};
use wayforge::{InputError, Seed};

/// A seed: an integer from -2**63 to 2**64 - 1, or text of at most 256 characters. A negative integer is the text of its digits,
/// as on the command line.
pub(crate) struct AnySeed(pub(crate) Seed);

impl<'a, 'py> FromPyObject<'a, 'py> for AnySeed {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<AnySeed> {
        if value.is_instance_of::<PyString>() {
            let seed = value.extract::<String>()?.parse();
            return Ok(AnySeed(seed.map_err(|error: InputError| Fault::from(error))?));
        }
        let Some(number) = index_of(value) else {
            let kind = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a seed is an int or a str, not {kind}")));
        };
        let negative = |_| number.extract::<i64>().map(|seed| Seed::from_text(&seed.to_string()));
        number.extract::<u64>().map(Seed::new).or_else(negative).map(AnySeed).map_err(|_| {
            let remedy = "use -9223372036854775808 to 18446744073709551615, or text";
            Fault::from(InputError::new("seed", &number, "out of range", remedy)).into()
        })
    }
}

/// An integer argument of any size; [`within`](Self::within) checks its range under the argument's name.
pub(crate) struct Whole {
    /// `None` beyond 64 bits.
    number: Option<i128>,
    pub(crate) text: String,
}

impl Whole {
    /// The number, if it lies in `min..=max`.
    ///
    /// # Errors
    /// A number out of range, with the argument's name and the range.
    pub(crate) fn within<T: TryFrom<i128>>(&self, field: &str, min: i128, max: i128) -> Result<T, Fault> {
        let number = self.number.filter(|number| (min..=max).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            InputError::new(field, &self.text, "out of range", format!("use {min} to {max}")).into()
        })
    }
}

impl From<i64> for Whole {
    fn from(number: i64) -> Whole {
        Whole { number: Some(number.into()), text: number.to_string() }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Whole {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Whole> {
        let Some(number) = index_of(value) else {
            return Err(PyTypeError::new_err(format!("an int, not {}", value.get_type().name()?)));
        };
        let signed = number.extract::<i64>().map(i128::from);
        let exact = signed.or_else(|_| number.extract::<u64>().map(i128::from)).ok();
        Ok(Whole { number: exact, text: number.to_string() })
    }
}

/// The `int` of a value that is one; NumPy's integers are, `bool` is not.
fn index_of<'py>(value: Borrowed<'_, 'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    match value.is_instance_of::<PyBool>() {
        true => None,
        false => value.call_method0("__index__").ok().filter(|index| index.is_instance_of::<PyInt>()),
    }
}

/// Text, or its bytes.
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
        Err(PyTypeError::new_err(format!("text is a str or bytes, not {}", value.get_type().name()?)))
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
