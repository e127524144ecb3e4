//! Searches for seeds, without the GIL; Ctrl-C interrupts them.

use crate::batch::{parse_spec, thread_pool};
use crate::errors::PyWayforgeError;
use crate::values::{AnySeed, Integer};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use rayon::ThreadPool;
use wayforge::Seed;
use wayforge_analysis::search::{ClosestSearch, SeedRange, SeedSearch, WavePacer};
use wayforge_api::bindings::{parse_targets, parse_where};

/// Largest `count` of `closest`: all candidates stay in memory until the search ends.
const MAX_CLOSEST: i128 = 1 << 24;

/// Largest count and limit of a search.
const MAX_COUNT: i128 = u64::MAX as i128;

/// Find the first seeds whose maps satisfy a condition.
#[pyfunction]
#[pyo3(signature = (
    family, where_, count=Integer::from(1), config=None, *, start=AnySeed(Seed::new(0)),
    limit=Integer::from(1_000_000), threads=None,
))]
#[allow(clippy::too_many_arguments)] // Keyword arguments in Python.
pub(crate) fn find<'py>(
    py: Python<'py>,
    family: &str,
    where_: &str,
    count: Integer,
    config: Option<Bound<'py, PyAny>>,
    start: AnySeed,
    limit: Integer,
    threads: Option<Integer>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let count: usize = count.within("count", 0, MAX_COUNT)?;
    let limit: u64 = limit.within("limit", 0, MAX_COUNT)?;
    let spec = parse_spec(py, family, config)?;
    let query = parse_where(where_, &spec.catalogue()).map_err(PyWayforgeError::from)?;
    let pool = thread_pool(threads)?;
    let mut search = SeedSearch::new(&spec, SeedRange::new(start.0).take(limit), query, count);
    run_in_waves(py, pool.as_ref(), |blocks| {
        search.set_blocks_per_thread(blocks);
        search.advance()
    })?;
    let seeds: Vec<u64> = search.matches().iter().map(|seed| seed.number()).collect();
    Ok(seeds.into_pyarray(py))
}

/// Find the seeds whose maps are closest to target values, with their distances: a `Closest`.
#[pyfunction]
#[pyo3(signature = (
    family, targets, count=Integer::from(1), config=None, *, where_=None,
    start=AnySeed(Seed::new(0)), limit=Integer::from(1_000_000), threads=None,
))]
#[allow(clippy::too_many_arguments)] // Keyword arguments in Python.
pub(crate) fn closest<'py>(
    py: Python<'py>,
    family: &str,
    targets: &str,
    count: Integer,
    config: Option<Bound<'py, PyAny>>,
    where_: Option<&str>,
    start: AnySeed,
    limit: Integer,
    threads: Option<Integer>,
) -> PyResult<Bound<'py, PyAny>> {
    let spec = parse_spec(py, family, config)?;
    let catalogue = spec.catalogue();
    let count: usize = count.within("count", 0, MAX_CLOSEST)?;
    let limit: u64 = limit.within("limit", 0, MAX_COUNT)?;
    let query = where_
        .map(|text| parse_where(text, &catalogue))
        .transpose()
        .map_err(PyWayforgeError::from)?;
    let targets = parse_targets(targets, &catalogue).map_err(PyWayforgeError::from)?;
    let pool = thread_pool(threads)?;
    let mut search =
        ClosestSearch::new(&spec, SeedRange::new(start.0).take(limit), targets, query, count);
    run_in_waves(py, pool.as_ref(), |blocks| {
        search.set_blocks_per_thread(blocks);
        search.advance()
    })?;
    let (seeds, distances): (Vec<u64>, Vec<u64>) =
        search.best().iter().map(|candidate| (candidate.seed.number(), candidate.distance)).unzip();
    let found = (seeds.into_pyarray(py), distances.into_pyarray(py));
    py.import("wayforge._table")?.getattr("Closest")?.call1(found)
}

/// Runs waves of blocks until `wave` returns false.
///
/// Between waves, which [`WavePacer`] keeps short, pending Python signals are handled.
pub(crate) fn run_in_waves(
    py: Python<'_>,
    pool: Option<&ThreadPool>,
    mut wave: impl FnMut(usize) -> bool + Send,
) -> PyResult<()> {
    let mut pacer = WavePacer::default();
    loop {
        let more = py.detach(|| {
            pacer.run(|blocks| match pool {
                Some(pool) => pool.install(|| wave(blocks)),
                None => wave(blocks),
            })
        });
        py.check_signals()?;
        if !more {
            return Ok(());
        }
    }
}
