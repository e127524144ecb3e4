//! Ways over water, with NumPy arrays in and out.

use crate::errors::Fault;
use crate::values::{AnySeed, Whole};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, PoisonError};
use wayforge::InputError;
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::nav::{
    self, ArchipelagoConfig, ArchipelagoSpec, CorridorConfig, CorridorOptions, Options, Query,
};
use wayforge_api::bindings::{parse_cell, parse_coarse_rule, parse_metric, parse_moves, parse_prepare};

/// A grid of water and land.
#[pyclass(frozen, module = "wayforge")]
pub(crate) struct Water(nav::Water);

/// Finds ways over water.
#[pyclass(frozen, module = "wayforge")]
pub(crate) struct Navigator(Mutex<nav::Navigator>);

/// A way from a source to a target.
#[pyclass(frozen, module = "wayforge")]
pub(crate) struct Way {
    way: nav::Way,
    metric: nav::Metric,
}

#[pymethods]
impl Water {
    /// Water where an array of rows is true; it is read where it lies.
    #[new]
    fn new(open: &Bound<'_, PyAny>) -> Result<Water, Fault> {
        if let Ok(rows) = open.extract::<PyReadonlyArray2<'_, bool>>() {
            return read_rows(&rows, |open| open);
        }
        let rows = open.extract::<PyReadonlyArray2<'_, u8>>().map_err(|_| {
            let remedy = "give a NumPy array of two dimensions, bool or uint8";
            InputError::new("open", open.get_type(), "no array of rows", remedy)
        })?;
        read_rows(&rows, |open| open != 0)
    }

    /// Water from a drawing: `.` and `~` are water, `#` and `@` are land, a digit is water of that magnitude.
    #[staticmethod]
    fn from_text(text: &str) -> Result<Water, Fault> {
        Ok(Water(nav::Water::from_text(text)?))
    }

    /// An archipelago.
    #[staticmethod]
    #[pyo3(signature = (
        seed, width=Whole::from(1024), height=Whole::from(768), *, land=Whole::from(30), scale=Whole::from(256),
        detail=Whole::from(6),
    ))]
    fn archipelago(
        py: Python<'_>,
        seed: AnySeed,
        width: Whole,
        height: Whole,
        land: Whole,
        scale: Whole,
        detail: Whole,
    ) -> Result<Water, Fault> {
        let spec = archipelago_spec([width, height, land, scale, detail])?;
        Ok(Water(py.detach(|| nav::archipelago(seed.0, &spec))))
    }

    /// The digest of an archipelago's document, the same in every language.
    // PyO3 reads the signature of every function by itself, so it is written twice.
    #[staticmethod]
    #[pyo3(signature = (
        seed, width=Whole::from(1024), height=Whole::from(768), *, land=Whole::from(30), scale=Whole::from(256),
        detail=Whole::from(6),
    ))]
    fn archipelago_digest(
        py: Python<'_>,
        seed: AnySeed,
        width: Whole,
        height: Whole,
        land: Whole,
        scale: Whole,
        detail: Whole,
    ) -> Result<String, Fault> {
        let spec = archipelago_spec([width, height, land, scale, detail])?;
        Ok(py.detach(|| nav::archipelago_document(seed.0, &spec)).digest.to_string())
    }

    /// Rows and columns.
    #[getter]
    fn shape(&self) -> (u16, u16) {
        (self.0.size().height, self.0.size().width)
    }

    /// How many tiles are water.
    #[getter]
    fn tiles(&self) -> usize {
        self.0.tiles()
    }

    /// The rows as an array of bool.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        to_rows(py, self.0.size(), |pos| self.0.is_open(pos))
    }

    /// The magnitudes as an array of uint8; zero where there are none.
    fn magnitudes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        to_rows(py, self.0.size(), |pos| self.0.magnitude(pos))
    }

    fn __repr__(&self) -> String {
        format!("<wayforge.Water {}, {} tiles>", self.0.size(), self.0.tiles())
    }
}

#[pymethods]
impl Navigator {
    /// A navigator of a grid, prepared for many questions or for few.
    ///
    /// `factor`, `radius`, `max_expansions` (the guardrail) and `coarse_rule` set the corridor of the methods restart, mask-f1, mask-f2,
    /// mask-optimal and pieces; None keeps each method's default.
    #[new]
    #[pyo3(signature = (
        water, prepare="none", *, moves=Whole::from(8), metric="steps", factor=None, radius=None, max_expansions=None, coarse_rule=None,
    ))]
    #[allow(clippy::too_many_arguments)] // Python's callers name them.
    fn new(
        py: Python<'_>,
        water: &Water,
        prepare: &str,
        moves: Whole,
        metric: &str,
        factor: Option<Whole>,
        radius: Option<Whole>,
        max_expansions: Option<Whole>,
        coarse_rule: Option<&str>,
    ) -> Result<Navigator, Fault> {
        let (prepare, moves, metric) = (parse_prepare(prepare)?, read_moves(&moves)?, parse_metric(metric)?);
        let coarse_rule = coarse_rule.map(parse_coarse_rule).transpose()?;
        let number = |field: &str, value: Option<Whole>, min: i128| {
            value.map(|value| value.within(field, min, CorridorOptions::MAX.into())).transpose()
        };
        let corridor = CorridorConfig {
            factor: number("factor", factor, 1)?,
            radius: number("radius", radius, 0)?,
            max_expansions: number("max_expansions", max_expansions, 0)?,
            coarse_rule,
        };
        let options = corridor.apply(Options { prepare, moves, metric, ..Options::default() })?;
        Ok(Navigator(Mutex::new(py.detach(|| nav::Navigator::with(&water.0, options))?)))
    }

    /// The shortest way from any of the sources to any of the targets, or None. Tiles are x, y.
    #[pyo3(signature = (sources, targets, *, moves=Whole::from(8), metric="steps", method="auto", depths=Vec::new(), smooth=false))]
    #[allow(clippy::too_many_arguments)] // Python's callers name them.
    fn find(
        &self,
        py: Python<'_>,
        sources: Tiles,
        targets: Tiles,
        moves: Whole,
        metric: &str,
        method: &str,
        depths: Vec<Whole>,
        smooth: bool,
    ) -> Result<Option<Way>, Fault> {
        let metric = parse_metric(metric)?;
        let depth = |(i, depth): (usize, &Whole)| depth.within(&format!("depths[{i}]"), 0, 255);
        let query = Query {
            depths: depths.iter().enumerate().map(depth).collect::<Result<_, _>>()?,
            sources: sources.to_cells("sources")?,
            targets: targets.to_cells("targets")?,
            moves: read_moves(&moves)?,
            metric,
            method: method.parse()?,
            smooth,
        };
        Ok(py.detach(|| self.lock().find(&query))?.map(|way| Way { way, metric }))
    }

    /// Turns tiles to water or to land.
    ///
    /// Returns how many changed.
    fn edit(&self, py: Python<'_>, tiles: Tiles, open: bool) -> Result<usize, Fault> {
        let changes: Vec<(Pos, bool)> = tiles.to_cells("tiles")?.into_iter().map(|pos| (pos, open)).collect();
        Ok(py.detach(|| self.lock().edit(&changes))?)
    }

    /// The steps from the nearest source to every tile, as rows; 2**32 - 1 where no way leads.
    #[pyo3(signature = (sources, *, moves=Whole::from(8)))]
    fn distance_field<'py>(
        &self,
        py: Python<'py>,
        sources: Tiles,
        moves: Whole,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let (sources, moves) = (sources.to_cells("sources")?, read_moves(&moves)?);
        let field = py.detach(|| self.lock().distance_field(&sources, moves)).map_err(Fault::from)?;
        let shape = [usize::from(field.size().height), usize::from(field.size().width)];
        field.into_steps().into_pyarray(py).reshape(shape)
    }

    /// The grid as it stands.
    #[getter]
    fn water(&self) -> Water {
        Water(self.lock().water().clone())
    }
}

impl Navigator {
    fn lock(&self) -> MutexGuard<'_, nav::Navigator> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Way {
    /// Every tile from source to target as x, y: an array of two columns.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u16>>> {
        let flat: Vec<u16> = self.way.tiles.iter().flat_map(|pos| [pos.x, pos.y]).collect();
        flat.into_pyarray(py).reshape([self.way.tiles.len(), 2])
    }

    /// The length under the metric that was asked for.
    #[getter]
    fn length(&self) -> f64 {
        self.way.length(self.metric)
    }

    /// The number of steps.
    #[getter]
    fn steps(&self) -> u32 {
        self.way.steps()
    }

    /// Which of the sources it begins at.
    #[getter]
    fn source(&self) -> usize {
        self.way.source
    }

    /// Which of the targets it ends at.
    #[getter]
    fn target(&self) -> usize {
        self.way.target
    }

    /// What the length promises: exact, shortest in region, or valid.
    #[getter]
    fn guarantee(&self) -> &'static str {
        self.way.guarantee.name()
    }

    /// The method that found it.
    #[getter]
    fn method(&self) -> &'static str {
        self.way.method.name()
    }

    /// The least magnitude it kept to, if depths were asked for.
    #[getter]
    fn depth(&self) -> Option<u8> {
        self.way.depth
    }

    /// What the search did: visited, expansions, fallback.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        counts.set_item("visited", self.way.counts.visited)?;
        counts.set_item("expansions", self.way.counts.expansions)?;
        counts.set_item("fallback", self.way.counts.fallback)?;
        Ok(counts)
    }

    fn __len__(&self) -> usize {
        self.way.tiles.len()
    }

    fn __repr__(&self) -> String {
        format!("<wayforge.Way of {} steps, {}>", self.way.steps(), self.way.guarantee.name())
    }
}

/// An array with a number for every tile.
fn to_rows<'py, T: numpy::Element + Send>(
    py: Python<'py>,
    size: Size,
    number: impl Fn(Pos) -> T + Send,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let cells: Vec<T> = py.detach(|| size.iter().map(number).collect());
    cells.into_pyarray(py).reshape([usize::from(size.height), usize::from(size.width)])
}

/// The archipelago of width, height, land, scale and detail.
fn archipelago_spec(numbers: [Whole; 5]) -> Result<ArchipelagoSpec, Fault> {
    let [width, height, land, scale, detail] = numbers;
    let side = i128::from(nav::Water::MAX_SIDE);
    let config = ArchipelagoConfig {
        width: width.within("width", 1, side)?,
        height: height.within("height", 1, side)?,
        land: land.within("land", 0, 100)?,
        scale: scale.within("scale", 2, 4096)?,
        detail: detail.within("detail", 0, 12)?,
    };
    Ok(config.resolve()?)
}

/// 4 or 8 neighbours.
fn read_moves(moves: &Whole) -> Result<nav::Moves, Fault> {
    let unknown = |_| InputError::new("moves", &moves.text, "unknown", "use 4, 8");
    Ok(parse_moves(moves.within("moves", 4, 8).map_err(unknown)?)?)
}

/// Tiles as Python gives them: an array of two columns, or pairs.
struct Tiles(Vec<[i64; 2]>);

impl<'a, 'py> FromPyObject<'a, 'py> for Tiles {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Tiles> {
        if let Ok((x, y)) = value.extract::<(i64, i64)>() {
            return Ok(Tiles(vec![[x, y]]));
        }
        if let Some(pairs) = rows_of::<u16>(value)
            .or_else(|| rows_of::<i64>(value))
            .or_else(|| rows_of::<u32>(value))
            .or_else(|| rows_of::<i32>(value))
        {
            return Ok(Tiles(pairs));
        }
        let pairs = value.extract::<Vec<(i64, i64)>>().map_err(|_| {
            let remedy = "give pairs x, y, or an array of integers with two columns";
            Fault::from(InputError::new("tiles", value.get_type(), "no tiles", remedy))
        })?;
        Ok(Tiles(pairs.into_iter().map(|(x, y)| [x, y]).collect()))
    }
}

/// The rows of an array of two columns, read where it lies.
fn rows_of<T: numpy::Element + Copy + Into<i64>>(value: Borrowed<'_, '_, PyAny>) -> Option<Vec<[i64; 2]>> {
    let array = value.extract::<PyReadonlyArray2<'_, T>>().ok()?;
    if array.shape()[1] != 2 {
        return None;
    }
    Some(array.as_array().rows().into_iter().map(|row| [row[0].into(), row[1].into()]).collect())
}

impl Tiles {
    fn to_cells(&self, field: &str) -> Result<Vec<Pos>, Fault> {
        let cell = |(i, &tile): (usize, &[i64; 2])| {
            let [x, y] = parse_cell(&format!("{field}[{i}]"), tile)?;
            Ok(Pos::new(x, y))
        };
        self.0.iter().enumerate().map(cell).collect()
    }
}

fn read_rows<T: numpy::Element + Copy>(
    rows: &PyReadonlyArray2<'_, T>,
    is_open: impl Fn(T) -> bool,
) -> Result<Water, Fault> {
    let (height, width) = (rows.shape()[0], rows.shape()[1]);
    let most = usize::from(nav::Water::MAX_SIDE);
    if !(1..=most).contains(&height) || !(1..=most).contains(&width) {
        let (shape, remedy) = (format!("{height} x {width}"), format!("use 1 to {most} rows and columns"));
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
    Ok(Water(nav::Water::new(open)?))
}
