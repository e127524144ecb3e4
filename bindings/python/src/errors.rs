//! Errors as exceptions: one class a kind, with the parts of the error as attributes.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wayforge_api::bindings::{BindingError, BindingErrorKind};

create_exception!(wayforge, WayforgeError, PyValueError, "An error with field, value, remedy and rules.");
create_exception!(wayforge, ConfigError, WayforgeError, "A configuration that cannot be used.");
create_exception!(wayforge, InputError, WayforgeError, "An argument that cannot be used.");
create_exception!(wayforge, DecodeError, WayforgeError, "Not a document, a save or a configuration.");
create_exception!(wayforge, GenerateError, WayforgeError, "A seed that has no map.");
create_exception!(wayforge, MoveError, WayforgeError, "A move that is not legal.");
create_exception!(wayforge, DrawError, WayforgeError, "A picture that cannot be drawn.");
create_exception!(wayforge, ExpressionError, WayforgeError, "An expression that is none.");

/// An error of the library, which Python sees as the exception of its kind.
pub(crate) struct Fault(pub(crate) BindingError);

impl<E: Into<BindingError>> From<E> for Fault {
    fn from(error: E) -> Fault {
        Fault(error.into())
    }
}

impl From<Fault> for PyErr {
    fn from(Fault(fault): Fault) -> PyErr {
        let new_err = match fault.kind {
            BindingErrorKind::Config => ConfigError::new_err,
            BindingErrorKind::Input => InputError::new_err,
            BindingErrorKind::Decode => DecodeError::new_err,
            BindingErrorKind::Generate => GenerateError::new_err,
            BindingErrorKind::Move => MoveError::new_err,
            BindingErrorKind::Draw => DrawError::new_err,
            BindingErrorKind::Expression => ExpressionError::new_err,
        };
        let error = new_err(fault.message.into_string());
        let set_attributes = |py: Python<'_>| -> PyResult<()> {
            let instance = error.value(py);
            instance.setattr("field", fault.field)?;
            instance.setattr("value", fault.value)?;
            instance.setattr("remedy", fault.remedy)?;
            instance.setattr("rules", fault.rules)
        };
        // An exception without its attributes is still the exception.
        Python::attach(set_attributes).err().unwrap_or(error)
    }
}
