//! Extension module of the Python package; `wayforge/__init__.py` re-exports it.

mod batch;
mod errors;
mod find;
mod map;
mod nav;
mod run;
mod values;

use pyo3::prelude::*;

/// Mulberry32 generator of the floor specification: each call returns a number in [0, 1).
#[pyclass(frozen, name = "Rng")]
struct Rng(std::sync::Mutex<Box<dyn FnMut() -> f64 + Send>>);

#[pymethods]
impl Rng {
    fn __call__(&self) -> f64 {
        let mut next = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        next()
    }
}

/// Create the Mulberry32 generator of the floor specification.
#[pyfunction]
fn create_rng(seed: values::AnySeed) -> Rng {
    Rng(std::sync::Mutex::new(Box::new(wayforge::floor::compat::create_rng(seed.0))))
}

#[pymodule]
mod _wayforge {
    #[pymodule_export]
    #[allow(non_upper_case_globals)] // Python's naming convention.
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::batch::{batch, metrics};
    #[pymodule_export]
    use crate::errors::{
        ConfigError, DecodeError, DrawError, ExpressionError, GenerateError, InputError, MoveError,
        WayforgeError,
    };
    #[pymodule_export]
    use crate::find::{closest, find};
    #[pymodule_export]
    use crate::map::{Map, generate, load, validate};
    #[pymodule_export]
    use crate::nav::{NavGrid, Navigator, Path};
    #[pymodule_export]
    use crate::run::Play;
    #[pymodule_export]
    use crate::{Rng, create_rng};
}
