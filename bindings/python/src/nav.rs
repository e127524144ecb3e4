//! Pathfinding on navigation grids, with NumPy arrays as input and output.

use crate::errors::PyWayforgeError;
use crate::values::{AnySeed, Integer};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, PoisonError};
use wayforge::InputError;
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::nav::{
    self, ArchipelagoConfig, ArchipelagoSpec, CorridorConfig, CorridorOptions, Options, Query,
};
use wayforge_api::bindings::{
    parse_cell, parse_coarse_rule, parse_connectivity, parse_metric, parse_preprocessing,
};

/// Navigation grid of open and blocked tiles.
#[pyclass(frozen, module = "wayforge")]
pub(crate) struct NavGrid(nav::NavGrid);

/// Shortest-path queries on a navigation grid.
#[pyclass(frozen, module = "wayforge")]
pub(crate) struct Navigator(Mutex<nav::Navigator>);

/// Path from a source to a target.
#[pyclass(frozen, module = "wayforge")]
pub(crate) struct Path {
    path: nav::Path,
    /// Length under the metric of the query.
    #[pyo3(get)]
    length: f64,
    /// Number of steps.
    #[pyo3(get)]
    steps: u32,
    /// Index of the source where the path starts.
    #[pyo3(get)]
    source: usize,
    /// Index of the target where the path ends.
    #[pyo3(get)]
    target: usize,
    /// Guarantee of the length: exact, shortest in region, or valid.
    #[pyo3(get)]
    guarantee: &'static str,
    /// Method that found the path.
    #[pyo3(get)]
    method: &'static str,
    /// Minimum magnitude that the search required, if the query has depths.
    #[pyo3(get)]
    depth: Option<u8>,
}

#[pymethods]
impl NavGrid {
    /// Create a grid from a two-dimensional array, which is not copied; true means open.
    #[new]
    fn new(open: &Bound<'_, PyAny>) -> Result<NavGrid, PyWayforgeError> {
        if let Ok(rows) = open.extract::<PyReadonlyArray2<'_, bool>>() {
            return read_rows(&rows, |open| open);
        }
        let rows = open.extract::<PyReadonlyArray2<'_, u8>>().map_err(|_| {
            let remedy = "use a two-dimensional NumPy array of bool or uint8";
            InputError::new("open", open.get_type(), "not a two-dimensional array", remedy)
        })?;
        read_rows(&rows, |open| open != 0)
    }

    /// Parse a drawing: `.` and `~` are open, `#` and `@` are blocked, and a digit is an open tile
    /// with that magnitude.
    #[staticmethod]
    fn from_text(text: &str) -> Result<NavGrid, PyWayforgeError> {
        Ok(NavGrid(nav::NavGrid::from_text(text)?))
    }

    /// Generate an archipelago: open water and islands.
    #[staticmethod]
    #[pyo3(signature = (
        seed, width=Integer::from(1024), height=Integer::from(768), *, land=Integer::from(30),
        scale=Integer::from(256), detail=Integer::from(6),
    ))]
    fn archipelago(
        py: Python<'_>,
        seed: AnySeed,
        width: Integer,
        height: Integer,
        land: Integer,
        scale: Integer,
        detail: Integer,
    ) -> Result<NavGrid, PyWayforgeError> {
        let spec = archipelago_spec([width, height, land, scale, detail])?;
        Ok(NavGrid(py.detach(|| nav::archipelago(seed.0, &spec))))
    }

    /// Return the digest of an archipelago's document, identical in every language.
    // PyO3 needs a literal signature on every function, so it is repeated.
    #[staticmethod]
    #[pyo3(signature = (
        seed, width=Integer::from(1024), height=Integer::from(768), *, land=Integer::from(30),
        scale=Integer::from(256), detail=Integer::from(6),
    ))]
    fn archipelago_digest(
        py: Python<'_>,
        seed: AnySeed,
        width: Integer,
        height: Integer,
        land: Integer,
        scale: Integer,
        detail: Integer,
    ) -> Result<String, PyWayforgeError> {
        let spec = archipelago_spec([width, height, land, scale, detail])?;
        Ok(py.detach(|| nav::archipelago_document(seed.0, &spec)).digest.to_string())
    }

    /// Number of rows and columns.
    #[getter]
    fn shape(&self) -> (u16, u16) {
        (self.0.size().height, self.0.size().width)
    }

    /// Number of open tiles.
    #[getter]
    fn tiles(&self) -> usize {
        self.0.open_count()
    }

    /// Return the tiles as an array of bool; true means open.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        to_rows(py, self.0.size(), |pos| self.0.is_open(pos))
    }

    /// Return the magnitudes as an array of uint8; 0 for tiles without one.
    fn magnitudes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        to_rows(py, self.0.size(), |pos| self.0.magnitude(pos))
    }

    fn __repr__(&self) -> String {
        format!("<wayforge.NavGrid {}, {} tiles>", self.0.size(), self.0.open_count())
    }
}

#[pymethods]
impl Navigator {
    /// Create a navigator with the given preprocessing.
    ///
    /// `factor`, `radius`, `max_expansions` (the guardrail) and `coarse_rule` configure the
    /// corridor of the methods restart, mask-f1, mask-f2, mask-optimal and components. None keeps
    /// the default of each method.
    #[new]
    #[pyo3(signature = (
        grid, preprocessing="none", *, connectivity=Integer::from(8), metric="steps",
        factor=None, radius=None, max_expansions=None, coarse_rule=None,
    ))]
    #[allow(clippy::too_many_arguments)] // Keyword arguments in Python.
    fn new(
        py: Python<'_>,
        grid: &NavGrid,
        preprocessing: &str,
        connectivity: Integer,
        metric: &str,
        factor: Option<Integer>,
        radius: Option<Integer>,
        max_expansions: Option<Integer>,
        coarse_rule: Option<&str>,
    ) -> Result<Navigator, PyWayforgeError> {
        let (preprocessing, connectivity, metric) = (
            parse_preprocessing(preprocessing)?,
            read_connectivity(&connectivity)?,
            parse_metric(metric)?,
        );
        let coarse_rule = coarse_rule.map(parse_coarse_rule).transpose()?;
        let number = |field: &str, value: Option<Integer>, min: i128| {
            value.map(|value| value.within(field, min, CorridorOptions::MAX.into())).transpose()
        };
        let corridor = CorridorConfig {
            factor: number("factor", factor, 1)?,
            radius: number("radius", radius, 0)?,
            max_expansions: number("max_expansions", max_expansions, 0)?,
            coarse_rule,
        };
        let options = corridor.apply(Options {
            preprocessing,
            connectivity,
            metric,
            ..Options::default()
        })?;
        Ok(Navigator(Mutex::new(py.detach(|| nav::Navigator::with_options(&grid.0, options))?)))
    }

    /// Find a shortest path from any source to any target; None if no path exists. Tiles are x, y.
    #[pyo3(signature = (
        sources, targets, *, connectivity=Integer::from(8), metric="steps", method="auto",
        depths=Vec::new(), smooth=false,
    ))]
    #[allow(clippy::too_many_arguments)] // Keyword arguments in Python.
    fn find(
        &self,
        py: Python<'_>,
        sources: Tiles,
        targets: Tiles,
        connectivity: Integer,
        metric: &str,
        method: &str,
        depths: Vec<Integer>,
        smooth: bool,
    ) -> Result<Option<Path>, PyWayforgeError> {
        let metric = parse_metric(metric)?;
        let depth = |(i, depth): (usize, &Integer)| depth.within(&format!("depths[{i}]"), 0, 255);
        let query = Query {
            depths: depths.iter().enumerate().map(depth).collect::<Result<_, _>>()?,
            sources: sources.to_cells("sources")?,
            targets: targets.to_cells("targets")?,
            connectivity: read_connectivity(&connectivity)?,
            metric,
            method: method.parse()?,
            smooth,
        };
        let found = py.detach(|| self.lock().find(&query))?;
        Ok(found.map(|path| Path {
            length: path.length(metric),
            steps: path.steps(),
            source: path.source,
            target: path.target,
            guarantee: path.guarantee.name(),
            method: path.method.name(),
            depth: path.depth,
            path,
        }))
    }

    /// Open or block tiles, and return the number of changed tiles.
    fn edit(&self, py: Python<'_>, tiles: Tiles, open: bool) -> Result<usize, PyWayforgeError> {
        let changes: Vec<(Pos, bool)> =
            tiles.to_cells("tiles")?.into_iter().map(|pos| (pos, open)).collect();
        Ok(py.detach(|| self.lock().edit(&changes))?)
    }

    /// Compute the number of steps from the nearest source to every tile; 2**32 - 1 if unreachable.
    #[pyo3(signature = (sources, *, connectivity=Integer::from(8)))]
    fn distance_field<'py>(
        &self,
        py: Python<'py>,
        sources: Tiles,
        connectivity: Integer,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let (sources, connectivity) =
            (sources.to_cells("sources")?, read_connectivity(&connectivity)?);
        let field = py
            .detach(|| self.lock().distance_field(&sources, connectivity))
            .map_err(PyWayforgeError::from)?;
        let shape = [usize::from(field.size().height), usize::from(field.size().width)];
        field.into_steps().into_pyarray(py).reshape(shape)
    }

    /// Current grid, with all edits.
    #[getter]
    fn grid(&self) -> NavGrid {
        NavGrid(self.lock().grid().clone())
    }
}

impl Navigator {
    fn lock(&self) -> MutexGuard<'_, nav::Navigator> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Path {
    /// Tiles from source to target: an array with the columns x and y.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u16>>> {
        let flat: Vec<u16> = self.path.tiles.iter().flat_map(|pos| [pos.x, pos.y]).collect();
        flat.into_pyarray(py).reshape([self.path.tiles.len(), 2])
    }

    /// Statistics of the search: visited, expansions, fallback.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stats = PyDict::new(py);
        stats.set_item("visited", self.path.stats.visited)?;
        stats.set_item("expansions", self.path.stats.expansions)?;
        stats.set_item("fallback", self.path.stats.fallback)?;
        Ok(stats)
    }

    fn __len__(&self) -> usize {
        self.path.tiles.len()
    }

    fn __repr__(&self) -> String {
        format!("<wayforge.Path of {} steps, {}>", self.steps, self.guarantee)
    }
}

/// Creates an array with one value per tile.
fn to_rows<'py, T: numpy::Element + Send>(
    py: Python<'py>,
    size: Size,
    number: impl Fn(Pos) -> T + Send,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let cells: Vec<T> = py.detach(|| size.iter().map(number).collect());
    cells.into_pyarray(py).reshape([usize::from(size.height), usize::from(size.width)])
}

/// Resolves the configuration of width, height, land, scale and detail.
fn archipelago_spec(numbers: [Integer; 5]) -> Result<ArchipelagoSpec, PyWayforgeError> {
    let [width, height, land, scale, detail] = numbers;
    let side = i128::from(nav::NavGrid::MAX_SIDE);
    let config = ArchipelagoConfig {
        width: width.within("width", 1, side)?,
        height: height.within("height", 1, side)?,
        land: land.within("land", 0, 100)?,
        scale: scale.within("scale", 2, 4096)?,
        detail: detail.within("detail", 0, 12)?,
    };
    Ok(config.resolve()?)
}

/// Parses 4 or 8.
fn read_connectivity(connectivity: &Integer) -> Result<nav::Connectivity, PyWayforgeError> {
    let unknown = |_| InputError::new("connectivity", &connectivity.text, "unknown", "use 4, 8");
    Ok(parse_connectivity(connectivity.within("connectivity", 4, 8).map_err(unknown)?)?)
}

/// Tiles as an argument: a pair, a list of pairs, or an array with two columns.
struct Tiles(Vec<[i64; 2]>);

impl<'a, 'py> FromPyObject<'a, 'py> for Tiles {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Tiles> {
        if let Ok((x, y)) = value.extract::<(i64, i64)>() {
            return Ok(Tiles(vec![[x, y]]));
        }
        if let Some(pairs) = read_pairs::<u16>(value)
            .or_else(|| read_pairs::<i64>(value))
            .or_else(|| read_pairs::<u32>(value))
            .or_else(|| read_pairs::<i32>(value))
        {
            return Ok(Tiles(pairs));
        }
        let pairs = value.extract::<Vec<(i64, i64)>>().map_err(|_| {
            let remedy = "use pairs x, y, or an array of integers with two columns";
            PyWayforgeError::from(InputError::new("tiles", value.get_type(), "not tiles", remedy))
        })?;
        Ok(Tiles(pairs.into_iter().map(|(x, y)| [x, y]).collect()))
    }
}

/// Reads an array with two columns, without copying it first.
fn read_pairs<T: numpy::Element + Copy + Into<i64>>(
    value: Borrowed<'_, '_, PyAny>,
) -> Option<Vec<[i64; 2]>> {
    let array = value.extract::<PyReadonlyArray2<'_, T>>().ok()?;
    if array.shape()[1] != 2 {
        return None;
    }
    Some(array.as_array().rows().into_iter().map(|row| [row[0].into(), row[1].into()]).collect())
}

impl Tiles {
    fn to_cells(&self, field: &str) -> Result<Vec<Pos>, PyWayforgeError> {
        let cell = |(i, &tile): (usize, &[i64; 2])| {
            let [x, y] = parse_cell(&format!("{field}[{i}]"), tile)?;
            Ok(Pos::new(x, y))
        };
        self.0.iter().enumerate().map(cell).collect()
    }
}

/// Builds a grid from an array.
fn read_rows<T: numpy::Element + Copy>(
    rows: &PyReadonlyArray2<'_, T>,
    is_open: impl Fn(T) -> bool,
) -> Result<NavGrid, PyWayforgeError> {
    let (height, width) = (rows.shape()[0], rows.shape()[1]);
    let max = usize::from(nav::NavGrid::MAX_SIDE);
    if !(1..=max).contains(&height) || !(1..=max).contains(&width) {
        let (shape, remedy) =
            (format!("{height} x {width}"), format!("use 1 to {max} rows and columns"));
        return Err(InputError::new("open", shape, "out of range", remedy).into());
    }
    let mut open = BitGrid::new(Size::new(width as u16, height as u16));
    for (y, row) in (0_u16..).zip(rows.as_array().rows()) {
        for (x, &cell) in (0_u16..).zip(row) {
            if is_open(cell) {
                open.insert(Pos::new(x, y));
            }
        }
    }
    Ok(NavGrid(nav::NavGrid::new(open)?))
}
