//! Errors as exceptions: one class per kind, with the parts of the error as attributes.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wayforge_api::bindings::{BindingError, BindingErrorKind};

create_exception!(
    wayforge,
    WayforgeError,
    PyValueError,
    "Error of Wayforge: the field, its value, a remedy, and the conflicting rules."
);
create_exception!(wayforge, ConfigError, WayforgeError, "Invalid configuration.");
create_exception!(wayforge, InputError, WayforgeError, "Invalid argument.");
create_exception!(
    wayforge,
    DecodeError,
    WayforgeError,
    "Invalid text of a document, a saved run or a configuration."
);
create_exception!(wayforge, GenerateError, WayforgeError, "No map exists for the seed.");
create_exception!(wayforge, MoveError, WayforgeError, "Illegal move.");
create_exception!(
    wayforge,
    DrawError,
    WayforgeError,
    "The map cannot be drawn with these options."
);
create_exception!(wayforge, ExpressionError, WayforgeError, "Invalid expression.");

/// Error of the library, converted to the exception class of its kind.
pub(crate) struct PyWayforgeError(pub(crate) BindingError);

impl<E: Into<BindingError>> From<E> for PyWayforgeError {
    fn from(error: E) -> PyWayforgeError {
        PyWayforgeError(error.into())
    }
}

impl From<PyWayforgeError> for PyErr {
    fn from(PyWayforgeError(error): PyWayforgeError) -> PyErr {
        let new_err = match error.kind {
            BindingErrorKind::Config => ConfigError::new_err,
            BindingErrorKind::Input => InputError::new_err,
            BindingErrorKind::Decode => DecodeError::new_err,
            BindingErrorKind::Generate => GenerateError::new_err,
            BindingErrorKind::Move => MoveError::new_err,
            BindingErrorKind::Draw => DrawError::new_err,
            BindingErrorKind::Expression => ExpressionError::new_err,
            _ => WayforgeError::new_err,
        };
        let exception = new_err(error.message.into_string());
        let set_attributes = |py: Python<'_>| -> PyResult<()> {
            let instance = exception.value(py);
            instance.setattr("field", error.field)?;
            instance.setattr("value", error.value)?;
            instance.setattr("remedy", error.remedy)?;
            instance.setattr("rules", error.rules)
        };
        // If an attribute cannot be set, Python raises that error instead.
        Python::attach(set_attributes).err().unwrap_or(exception)
    }
}
