//! Seeds that are wanted, found without the interpreter's lock; ctrl-c is heard meanwhile.

use crate::batch::{pool, subject};
use crate::errors::Fault;
use crate::values::{AnySeed, Whole};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use rayon::ThreadPool;
use wayforge::Seed;
use wayforge_analysis::search::{Closest, Pace, Search, Span};
use wayforge_api::bindings::{parse_aim, parse_where};

/// The most seeds that the closest can be: all of them are held until the last seed is gone through.
const MAX_CLOSEST: i128 = 1 << 24;

/// Largest count and limit of a search.
const MAX: i128 = u64::MAX as i128;

/// The first seeds whose maps meet a condition.
#[pyfunction]
#[pyo3(signature = (family, where_, count=Whole::from(1), config=None, *, start=AnySeed(Seed::new(0)), limit=Whole::from(1_000_000), threads=None))]
#[allow(clippy::too_many_arguments)] // Python's callers name them.
pub(crate) fn find<'py>(
    py: Python<'py>,
    family: &str,
    where_: &str,
    count: Whole,
    config: Option<Bound<'py, PyAny>>,
    start: AnySeed,
    limit: Whole,
    threads: Option<Whole>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let count: usize = count.within("count", 0, MAX)?;
    let limit: u64 = limit.within("limit", 0, MAX)?;
    let subject = subject(py, family, config)?;
    let query = parse_where(where_, &subject.catalogue()).map_err(Fault::from)?;
    let pool = pool(threads)?;
    let mut search = Search::new(&subject, Span::new(start.0).take(limit), query, count);
    go_through(py, pool.as_ref(), |pieces| {
        search.give(pieces);
        search.advance()
    })?;
    let seeds: Vec<u64> = search.found().iter().map(|seed| seed.number()).collect();
    Ok(seeds.into_pyarray(py))
}

/// The seeds whose maps come closest to an aim, with their distances: a `Closest`.
#[pyfunction]
#[pyo3(signature = (family, aim, count=Whole::from(1), config=None, *, where_=None, start=AnySeed(Seed::new(0)), limit=Whole::from(1_000_000), threads=None))]
#[allow(clippy::too_many_arguments)] // Python's callers name them.
pub(crate) fn closest<'py>(
    py: Python<'py>,
    family: &str,
    aim: &str,
    count: Whole,
    config: Option<Bound<'py, PyAny>>,
    where_: Option<&str>,
    start: AnySeed,
    limit: Whole,
    threads: Option<Whole>,
) -> PyResult<Bound<'py, PyAny>> {
    let subject = subject(py, family, config)?;
    let catalogue = subject.catalogue();
    let count: usize = count.within("count", 0, MAX_CLOSEST)?;
    let limit: u64 = limit.within("limit", 0, MAX)?;
    let query = where_.map(|text| parse_where(text, &catalogue)).transpose().map_err(Fault::from)?;
    let aim = parse_aim(aim, &catalogue).map_err(Fault::from)?;
    let pool = pool(threads)?;
    let mut search = Closest::new(&subject, Span::new(start.0).take(limit), aim, query, count);
    go_through(py, pool.as_ref(), |pieces| {
        search.give(pieces);
        search.advance()
    })?;
    let (seeds, distances): (Vec<u64>, Vec<u64>) =
        search.best().iter().map(|near| (near.seed.number(), near.distance)).unzip();
    let found = (seeds.into_pyarray(py), distances.into_pyarray(py));
    py.import("wayforge._table")?.getattr("Closest")?.call1(found)
}

/// Goes on wave by wave until there is no more to do; between waves, which are short by the clock, Python is asked whether to stop.
pub(crate) fn go_through(
    py: Python<'_>,
    pool: Option<&ThreadPool>,
    mut wave: impl FnMut(usize) -> bool + Send,
) -> PyResult<()> {
    let mut pace = Pace::default();
    loop {
        let more = py.detach(|| {
            pace.keep(|pieces| match pool {
                Some(pool) => pool.install(|| wave(pieces)),
                None => wave(pieces),
            })
        });
        py.check_signals()?;
        if !more {
            return Ok(());
        }
    }
}
