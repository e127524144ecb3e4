//! Wayforge for Python: what `wayforge/__init__.py` stands on.

mod batch;
mod errors;
mod find;
mod map;
mod nav;
mod run;
mod values;

use pyo3::prelude::*;
use pyo3::types::PyModule;
use wayforge::{DecodeError, SavedMap};
use wayforge_api::bindings::BindingError;

/// Validates a document, or a `MapFloor` without an envelope: every rule, and every place where one is broken.
#[pyfunction]
#[pyo3(signature = (document, reproduce=false))]
fn validate(py: Python<'_>, document: values::Text, reproduce: bool) -> PyResult<Py<PyAny>> {
    let judged =
        py.detach(|| -> Result<_, DecodeError> { SavedMap::decode(document.bytes())?.validate(reproduce) });
    map::report_of(py, &judged.map_err(|error| errors::raise(py, BindingError::from(error)))?)
}

/// Reads a document strictly: its shape, its configuration, its form and its digest must all be right. A `MapFloor` without an
/// envelope has no digest; without `config`, its configuration asks for what the floor holds.
#[pyfunction]
fn load(py: Python<'_>, document: values::Text) -> PyResult<map::Map> {
    map::Map::read(py, document.bytes())
}

/// The map of a seed under a configuration.
#[pyfunction]
#[pyo3(signature = (family, seed, config=None))]
fn generate(
    py: Python<'_>,
    family: &str,
    seed: values::AnySeed,
    config: Option<Bound<'_, PyAny>>,
) -> PyResult<map::Map> {
    map::Map::make(py, family, seed, config)
}

/// Mulberry32, as the document of floors describes it: a function that gives numbers in [0, 1).
#[pyclass(frozen, name = "Rng")]
struct Rng(std::sync::Mutex<Box<dyn FnMut() -> f64 + Send>>);

#[pymethods]
impl Rng {
    fn __call__(&self) -> f64 {
        let mut next = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        next()
    }
}

/// Mulberry32 from a seed.
#[pyfunction]
fn create_rng(seed: values::AnySeed) -> Rng {
    Rng(std::sync::Mutex::new(Box::new(wayforge::floor::compat::create_rng(seed.0))))
}

#[pymodule]
fn _wayforge(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add(module)?;
    module.add_class::<map::Map>()?;
    module.add_class::<run::Play>()?;
    module.add_class::<nav::Water>()?;
    module.add_class::<nav::Navigator>()?;
    module.add_class::<nav::Way>()?;
    module.add_class::<Rng>()?;
    module.add_function(wrap_pyfunction!(generate, module)?)?;
    module.add_function(wrap_pyfunction!(load, module)?)?;
    module.add_function(wrap_pyfunction!(validate, module)?)?;
    module.add_function(wrap_pyfunction!(create_rng, module)?)?;
    module.add_function(wrap_pyfunction!(batch::batch, module)?)?;
    module.add_function(wrap_pyfunction!(find::find, module)?)?;
    module.add_function(wrap_pyfunction!(find::closest, module)?)?;
    module.add_function(wrap_pyfunction!(batch::metrics, module)?)?;
    Ok(())
}
