//! Faults as exceptions: one class a kind, with what the library says of it as attributes.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wayforge_api::bindings::{BindingError, BindingErrorKind};

create_exception!(
    wayforge,
    WayforgeError,
    PyValueError,
    "What Wayforge refuses: with field, value, remedy and rules."
);
create_exception!(wayforge, ConfigError, WayforgeError, "A configuration that cannot be used.");
create_exception!(wayforge, InputError, WayforgeError, "An argument that cannot be used.");
create_exception!(
    wayforge,
    DecodeError,
    WayforgeError,
    "Text that is not a document, a save or a configuration."
);
create_exception!(wayforge, GenerateError, WayforgeError, "A seed that has no map.");
create_exception!(wayforge, MoveError, WayforgeError, "A move that is not legal.");
create_exception!(wayforge, DrawError, WayforgeError, "A picture that cannot be drawn.");
create_exception!(wayforge, ExpressionError, WayforgeError, "An expression that is none.");

/// Puts the exceptions into the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("WayforgeError", py.get_type::<WayforgeError>())?;
    module.add("ConfigError", py.get_type::<ConfigError>())?;
    module.add("InputError", py.get_type::<InputError>())?;
    module.add("DecodeError", py.get_type::<DecodeError>())?;
    module.add("GenerateError", py.get_type::<GenerateError>())?;
    module.add("MoveError", py.get_type::<MoveError>())?;
    module.add("DrawError", py.get_type::<DrawError>())?;
    module.add("ExpressionError", py.get_type::<ExpressionError>())
}

/// The exception of a fault.
pub(crate) fn raise(py: Python<'_>, fault: impl Into<BindingError>) -> PyErr {
    let BindingError { kind, message, field, value, remedy, rules } = fault.into();
    let error = match kind {
        BindingErrorKind::Config => ConfigError::new_err(message.into_string()),
        BindingErrorKind::Input => InputError::new_err(message.into_string()),
        BindingErrorKind::Decode => DecodeError::new_err(message.into_string()),
        BindingErrorKind::Generate => GenerateError::new_err(message.into_string()),
        BindingErrorKind::Move => MoveError::new_err(message.into_string()),
        BindingErrorKind::Draw => DrawError::new_err(message.into_string()),
        BindingErrorKind::Expression => ExpressionError::new_err(message.into_string()),
    };
    let told = || -> PyResult<()> {
        let instance = error.value(py);
        instance.setattr("field", field)?;
        instance.setattr("value", value)?;
        instance.setattr("remedy", remedy)?;
        instance.setattr("rules", rules)
    };
    // An exception without its attributes is still the exception.
    told().err().unwrap_or(error)
}
