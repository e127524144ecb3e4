//! Many maps at once, without the interpreter's lock: metrics as columns.

use crate::errors::Fault;
use crate::find::go_through;
use crate::values::{AnySeed, Whole, json_of};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wayforge::AnySpec;
use wayforge::InputError;
use wayforge::metric::{Catalogue, Term};
use wayforge_analysis::search::{Columns, Span, Waves, block_step};
use wayforge_api::bindings::parse_family;

/// The most rows of one answer.
const MAX_ROWS: i128 = 1 << 31;

/// The metrics of many maps: a `Table` of NumPy columns, one row a seed.
#[pyfunction]
#[pyo3(signature = (family, start, count, config=None, *, columns=None, threads=None))]
pub(crate) fn batch<'py>(
    py: Python<'py>,
    family: &str,
    start: AnySeed,
    count: Whole,
    config: Option<Bound<'py, PyAny>>,
    columns: Option<Vec<String>>,
    threads: Option<Whole>,
) -> PyResult<Bound<'py, PyAny>> {
    let subject = subject(py, family, config)?;
    let catalogue = subject.catalogue();
    let count: u64 = count.within("count", 0, MAX_ROWS)?;
    let terms: Vec<Term> = match columns {
        Some(names) => names.iter().map(|name| find_term(&catalogue, name)).collect::<Result<_, _>>()?,
        None => catalogue.terms().collect(),
    };
    let pool = pool(threads)?;
    let mut waves = Waves::new(&subject, Span::new(start.0).take(count)).by(block_step(&subject));
    let mut whole = Columns::new(terms.len(), 0);
    go_through(py, pool.as_ref(), |blocks| {
        waves.give(blocks);
        let wave = waves.advance(|worker, block| Columns::measure(worker, block, &terms));
        wave.map(|wave| wave.into_iter().for_each(|(_, part)| whole.append(part))).is_some()
    })?;
    let table = PyDict::new(py);
    table.set_item("seed", whole.seeds.into_pyarray(py))?;
    table.set_item("made", whole.made.into_pyarray(py))?;
    for (term, column) in terms.into_iter().zip(whole.values) {
        table.set_item(catalogue.name(term), column.into_pyarray(py))?;
    }
    py.import("wayforge._table")?.getattr("Table")?.call1((table,))
}

/// The metrics of a family under a configuration: name, unit, meaning and what they take.
#[pyfunction]
#[pyo3(signature = (family, config=None))]
pub(crate) fn metrics<'py>(
    py: Python<'py>,
    family: &str,
    config: Option<Bound<'py, PyAny>>,
) -> PyResult<Vec<(String, &'static str, &'static str)>> {
    let catalogue = subject(py, family, config)?.catalogue();
    let told = |term: Term| {
        let metric = catalogue.metric(term);
        (catalogue.name(term), metric.unit, metric.about)
    };
    Ok(catalogue.terms().map(told).collect())
}

pub(crate) fn subject(py: Python<'_>, family: &str, config: Option<Bound<'_, PyAny>>) -> PyResult<AnySpec> {
    let config = json_of(py, config)?;
    let family = parse_family(family).map_err(Fault::from)?;
    Ok(py.detach(|| AnySpec::from_json(family, &config)).map_err(Fault::from)?)
}

fn find_term(catalogue: &Catalogue, name: &str) -> Result<Term, Fault> {
    catalogue.terms().find(|&term| catalogue.name(term) == name).ok_or_else(|| {
        let names: Vec<String> = catalogue.terms().map(|term| catalogue.name(term)).collect();
        let remedy = format!("use {}", names.join(", "));
        InputError::new("columns", format!("\"{name}\""), "no such metric", remedy).into()
    })
}

pub(crate) fn pool(threads: Option<Whole>) -> Result<Option<rayon::ThreadPool>, Fault> {
    let Some(threads) = threads else { return Ok(None) };
    let count: usize = threads.within("threads", 1, 1024)?;
    rayon::ThreadPoolBuilder::new().num_threads(count).build().map(Some).map_err(|error| {
        InputError::new("threads", count, error.to_string(), "use fewer, or leave it out").into()
    })
}
