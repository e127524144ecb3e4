//! Maps of any family.

use crate::errors::Fault;
use crate::run::Play;
use crate::values::{AnySeed, Text, Whole, from_json, json_of};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use wayforge::{Document, Report, SavedMap};
use wayforge_api::bindings::{
    self, AnyMap, BindingError, BindingErrorKind, MapExt, parse_cell, parse_family, parse_fog, parse_theme,
};

/// A map of any family, with its document.
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

/// The map of a seed under a configuration.
#[pyfunction]
#[pyo3(signature = (family, seed, config=None))]
pub(crate) fn generate(
    py: Python<'_>,
    family: &str,
    seed: AnySeed,
    config: Option<Bound<'_, PyAny>>,
) -> PyResult<Map> {
    let config = json_of(py, config)?;
    let family = parse_family(family).map_err(Fault::from)?;
    let generated = py.detach(|| bindings::generate(family, seed.0, &config).map(Map::new));
    Ok(generated.map_err(Fault::from)?)
}

/// Reads a document strictly: its shape, its configuration, its form and its digest must all be right. A `MapFloor` without an
/// envelope has no digest; without `config`, its configuration asks for what the floor holds.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, document: Text) -> Result<Map, Fault> {
    Ok(py.detach(|| AnyMap::decode(&document.0).map(Map::new))?)
}

/// Validates a document, or a `MapFloor` without an envelope: every rule, and every place where one is broken.
#[pyfunction]
#[pyo3(signature = (document, reproduce=false))]
pub(crate) fn validate(py: Python<'_>, document: Text, reproduce: bool) -> PyResult<Py<PyAny>> {
    let report = py.detach(|| SavedMap::decode(&document.0).and_then(|saved| saved.validate(reproduce)));
    report_of(py, &report.map_err(Fault::from)?)
}

/// A report as Python's own class has it.
fn report_of(py: Python<'_>, report: &Report) -> PyResult<Py<PyAny>> {
    let text = serde_json::to_string(report).unwrap_or_default();
    let fields = from_json(py, &text)?;
    let class = py.import("wayforge._report")?.getattr("Report")?;
    Ok(class.call_method1("_from", (fields,))?.unbind())
}

#[pymethods]
impl Map {
    /// The family: act, level, floor or tower.
    #[getter]
    fn family(&self) -> &'static str {
        self.map.family().name()
    }

    /// The algorithm that made the map.
    #[getter]
    fn algorithm(&self) -> &str {
        &self.document.algorithm
    }

    /// The seed as text: what was given, or a number in digits.
    #[getter]
    fn seed(&self) -> String {
        self.document.seed.to_string()
    }

    /// The number that is derived from the seed.
    #[getter]
    fn seed_number(&self) -> u64 {
        self.document.seed.number()
    }

    /// The digest of the document.
    #[getter]
    fn digest(&self) -> String {
        self.document.digest.to_string()
    }

    /// The configuration in full, with every default written out.
    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.document.config)
    }

    /// The map itself, as the document keeps it.
    #[getter]
    fn map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.document.map)
    }

    /// The whole document as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.document.to_text())
    }

    /// The whole document as one line of JSON, the same bytes in every language.
    fn to_json(&self) -> String {
        self.document.to_text()
    }

    /// Every rule that was checked, and every place where one is broken.
    #[pyo3(signature = (reproduce=false))]
    fn validate(&self, py: Python<'_>, reproduce: bool) -> PyResult<Py<PyAny>> {
        let report = py.detach(|| wayforge::validate_document(&self.document, reproduce));
        report_of(py, &report.map_err(Fault::from)?)
    }

    /// What the routes of an act map meet, from a node (column, row) or from the start.
    #[pyo3(signature = (start=None))]
    fn routes<'py>(&self, py: Python<'py>, start: Option<(i64, i64)>) -> PyResult<Bound<'py, PyAny>> {
        let start = start.map(|(col, row)| parse_cell("start", [col, row])).transpose();
        let routes = py.detach(|| self.map.routes(start?));
        from_json(py, &routes.map_err(Fault::from)?)
    }

    /// Every metric of the map by its name.
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let metrics = py.detach(|| self.map.metrics());
        let dict = PyDict::new(py);
        for (name, value) in metrics {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// A run on the map: act maps, floors and towers are played.
    #[pyo3(signature = (fog=None))]
    fn play(&self, fog: Option<Whole>) -> Result<Play, Fault> {
        let rows = fog.map(|rows| rows.within("fog", 0, u16::MAX.into())).transpose()?;
        Ok(Play(self.map.play(parse_fog(rows)?)?))
    }

    /// The map as SVG.
    #[pyo3(signature = (theme="parchment", witness=false, labels=false))]
    fn svg(&self, py: Python<'_>, theme: &str, witness: bool, labels: bool) -> Result<String, Fault> {
        Ok(py.detach(|| self.map.svg(parse_theme(theme)?, witness, labels))?)
    }

    /// The map as PNG, at a scale in percent.
    #[pyo3(signature = (theme="parchment", scale=Whole::from(100), witness=false, labels=false))]
    fn png<'py>(
        &self,
        py: Python<'py>,
        theme: &str,
        scale: Whole,
        witness: bool,
        labels: bool,
    ) -> Result<Bound<'py, PyBytes>, Fault> {
        let draw_error = |Fault(error)| BindingError { kind: BindingErrorKind::Draw, ..error };
        let scale = scale.within("scale", 1, 1000).map_err(draw_error)?;
        let bytes = py.detach(|| self.map.png(parse_theme(theme)?, witness, labels, scale))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The map as text.
    fn ascii(&self) -> String {
        self.map.ascii()
    }

    fn _repr_svg_(&self, py: Python<'_>) -> Result<String, Fault> {
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
