//! Metrics of many maps as NumPy columns, computed without the GIL.

use crate::errors::PyWayforgeError;
use crate::find::run_in_waves;
use crate::values::{AnySeed, Integer, to_json};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wayforge::AnySpec;
use wayforge::InputError;
use wayforge::metric::Term;
use wayforge_analysis::search::{Columns, SeedRange, Waves, default_block_len};
use wayforge_api::bindings::{parse_columns, parse_family};

/// Largest number of rows in a table.
const MAX_ROWS: i128 = 1 << 31;

/// Compute the metrics of many maps: a `Table` of NumPy columns with one row per seed.
#[pyfunction]
#[pyo3(signature = (family, start, count, config=None, *, columns=None, threads=None))]
pub(crate) fn batch<'py>(
    py: Python<'py>,
    family: &str,
    start: AnySeed,
    count: Integer,
    config: Option<Bound<'py, PyAny>>,
    columns: Option<Vec<String>>,
    threads: Option<Integer>,
) -> PyResult<Bound<'py, PyAny>> {
    let spec = parse_spec(py, family, config)?;
    let catalogue = spec.catalogue();
    let count: u64 = count.within("count", 0, MAX_ROWS)?;
    let terms = parse_columns(columns.as_deref(), &catalogue).map_err(PyWayforgeError::from)?;
    let pool = thread_pool(threads)?;
    let mut waves = Waves::new(&spec, SeedRange::new(start.0).take(count))
        .with_block_len(default_block_len(&spec));
    let mut rows = Columns::new(terms.len(), 0);
    run_in_waves(py, pool.as_ref(), |blocks| {
        waves.set_blocks_per_thread(blocks);
        let wave = waves.advance(|worker, block| Columns::measure(worker, block, &terms));
        wave.map(|wave| wave.into_iter().for_each(|(_, part)| rows.append(part))).is_some()
    })?;
    let table = PyDict::new(py);
    table.set_item("seed", rows.seeds.into_pyarray(py))?;
    table.set_item("generated", rows.generated.into_pyarray(py))?;
    for (term, column) in terms.into_iter().zip(rows.values) {
        table.set_item(catalogue.name(term), column.into_pyarray(py))?;
    }
    py.import("wayforge._table")?.getattr("Table")?.call1((table,))
}

/// List the metrics of a family under a configuration: name, unit and description.
#[pyfunction]
#[pyo3(signature = (family, config=None))]
pub(crate) fn metrics<'py>(
    py: Python<'py>,
    family: &str,
    config: Option<Bound<'py, PyAny>>,
) -> PyResult<Vec<(String, &'static str, &'static str)>> {
    let catalogue = parse_spec(py, family, config)?.catalogue();
    let entry = |term: Term| {
        let metric = catalogue.metric(term);
        (catalogue.name(term), metric.unit, metric.description)
    };
    Ok(catalogue.terms().map(entry).collect())
}

/// Resolves the configuration of a family.
pub(crate) fn parse_spec(
    py: Python<'_>,
    family: &str,
    config: Option<Bound<'_, PyAny>>,
) -> PyResult<AnySpec> {
    let config = to_json(py, config)?;
    let family = parse_family(family).map_err(PyWayforgeError::from)?;
    Ok(py.detach(|| AnySpec::from_json(family, &config)).map_err(PyWayforgeError::from)?)
}

/// Creates a pool with the given number of threads; `None` uses the global pool.
pub(crate) fn thread_pool(
    threads: Option<Integer>,
) -> Result<Option<rayon::ThreadPool>, PyWayforgeError> {
    let Some(threads) = threads else { return Ok(None) };
    let count: usize = threads.within("threads", 1, 1024)?;
    rayon::ThreadPoolBuilder::new().num_threads(count).build().map(Some).map_err(|error| {
        InputError::new("threads", count, error.to_string(), "use fewer, or leave it out").into()
    })
}
