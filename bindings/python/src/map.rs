//! Maps of any family.

use crate::errors::PyWayforgeError;
use crate::run::Play;
use crate::values::{AnySeed, Integer, Text, from_json, to_json};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use wayforge::{Document, Report, SavedMap};
use wayforge_api::bindings::{
    self, AnyMap, BindingError, BindingErrorKind, MapExt, parse_cell, parse_family, parse_fog,
    parse_theme,
};

/// Map of any family, with its document.
#[pyclass(frozen, module = "wayforge")]
pub(crate) struct Map {
    map: AnyMap,
    document: Document,
}

impl Map {
    fn new(map: AnyMap) -> Map {
        let document = map.to_document();
        Map { map, document }
    }
}

/// Generate a map from a seed and a configuration.
#[pyfunction]
#[pyo3(signature = (family, seed, config=None))]
pub(crate) fn generate(
    py: Python<'_>,
    family: &str,
    seed: AnySeed,
    config: Option<Bound<'_, PyAny>>,
) -> PyResult<Map> {
    let config = to_json(py, config)?;
    let family = parse_family(family).map_err(PyWayforgeError::from)?;
    let generated = py.detach(|| bindings::generate(family, seed.0, &config).map(Map::new));
    Ok(generated.map_err(PyWayforgeError::from)?)
}

/// Decode a document. Its structure, configuration, canonical form and digest must be valid.
///
/// A bare `MapFloor` has no digest; if it has no `config`, the budgets are those that the floor
/// contains.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, document: Text) -> Result<Map, PyWayforgeError> {
    Ok(py.detach(|| AnyMap::decode(&document.0).map(Map::new))?)
}

/// Validate a document or a bare `MapFloor`, and report every violation of every rule.
#[pyfunction]
#[pyo3(signature = (document, reproduce=false))]
pub(crate) fn validate(py: Python<'_>, document: Text, reproduce: bool) -> PyResult<Py<PyAny>> {
    let report =
        py.detach(|| SavedMap::decode(&document.0).and_then(|saved| saved.validate(reproduce)));
    to_report(py, &report.map_err(PyWayforgeError::from)?)
}

/// Converts a report to the Python class `Report`.
fn to_report(py: Python<'_>, report: &Report) -> PyResult<Py<PyAny>> {
    let text = serde_json::to_string(report).unwrap_or_default();
    let fields = from_json(py, &text)?;
    let class = py.import("wayforge._report")?.getattr("Report")?;
    Ok(class.call_method1("_from", (fields,))?.unbind())
}

#[pymethods]
impl Map {
    /// Family: act, level, floor or tower.
    #[getter]
    fn family(&self) -> &'static str {
        self.map.family().name()
    }

    /// Name of the algorithm that generated the map.
    #[getter]
    fn algorithm(&self) -> &str {
        &self.document.algorithm
    }

    /// Seed as text: as given, or the decimal number.
    #[getter]
    fn seed(&self) -> String {
        self.document.seed.to_string()
    }

    /// 64-bit number derived from the seed.
    #[getter]
    fn seed_number(&self) -> u64 {
        self.document.seed.number()
    }

    /// Digest of the document.
    #[getter]
    fn digest(&self) -> String {
        self.document.digest.to_string()
    }

    /// Full configuration, including defaults.
    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.document.config)
    }

    /// Map as stored in the document.
    #[getter]
    fn map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.document.map)
    }

    /// Return the document as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.document.to_text())
    }

    /// Return the document as one line of JSON, identical in every language.
    fn to_json(&self) -> String {
        self.document.to_text()
    }

    /// Validate the map and report every violation of every rule.
    #[pyo3(signature = (reproduce=false))]
    fn validate(&self, py: Python<'_>, reproduce: bool) -> PyResult<Py<PyAny>> {
        let report = py.detach(|| wayforge::validate_document(&self.document, reproduce));
        to_report(py, &report.map_err(PyWayforgeError::from)?)
    }

    /// Analyse the routes of an act map, from a node (column, row) or from row 0.
    #[pyo3(signature = (start=None))]
    fn routes<'py>(
        &self,
        py: Python<'py>,
        start: Option<(i64, i64)>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let start = start.map(|(col, row)| parse_cell("start", [col, row])).transpose();
        let routes = py.detach(|| self.map.routes(start?));
        from_json(py, &routes.map_err(PyWayforgeError::from)?)
    }

    /// Compute every metric of the map, by name.
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let metrics = py.detach(|| self.map.metrics());
        let dict = PyDict::new(py);
        for (name, value) in metrics {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// Start a run on an act map, a floor or a tower.
    #[pyo3(signature = (fog=None))]
    fn play(&self, fog: Option<Integer>) -> Result<Play, PyWayforgeError> {
        let rows = fog.map(|rows| rows.within("fog", 0, u16::MAX.into())).transpose()?;
        Ok(Play(self.map.play(parse_fog(rows)?)?))
    }

    /// Draw the map as SVG.
    #[pyo3(signature = (theme="parchment", witness=false, labels=false))]
    fn svg(
        &self,
        py: Python<'_>,
        theme: &str,
        witness: bool,
        labels: bool,
    ) -> Result<String, PyWayforgeError> {
        Ok(py.detach(|| self.map.svg(parse_theme(theme)?, witness, labels))?)
    }

    /// Draw the map as PNG, at a scale in percent.
    #[pyo3(signature = (theme="parchment", scale=Integer::from(100), witness=false, labels=false))]
    fn png<'py>(
        &self,
        py: Python<'py>,
        theme: &str,
        scale: Integer,
        witness: bool,
        labels: bool,
    ) -> Result<Bound<'py, PyBytes>, PyWayforgeError> {
        let draw_error =
            |PyWayforgeError(error)| BindingError { kind: BindingErrorKind::Draw, ..error };
        let scale = scale.within("scale", 1, 1000).map_err(draw_error)?;
        let bytes = py.detach(|| self.map.png(parse_theme(theme)?, witness, labels, scale))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Draw the map as text.
    fn ascii(&self) -> String {
        self.map.ascii()
    }

    fn _repr_svg_(&self, py: Python<'_>) -> Result<String, PyWayforgeError> {
        self.svg(py, "parchment", false, false)
    }

    fn __str__(&self) -> String {
        self.map.ascii()
    }

    fn __repr__(&self) -> String {
        let Document { algorithm, seed, digest, .. } = &self.document;
        format!("<wayforge.Map {algorithm} seed {seed} {digest}>")
    }

    fn __eq__(&self, other: &Map) -> bool {
        self.document.digest == other.document.digest
    }

    fn __hash__(&self) -> u64 {
        self.document.digest.0[..8].iter().fold(0, |hash, &byte| hash << 8 | u64::from(byte))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.import("wayforge")?.getattr("load")?, (self.document.to_text(),)))
    }
}
