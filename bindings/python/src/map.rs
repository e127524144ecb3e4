//! Maps of any family.

use crate::errors::raise;
use crate::run::Play;
use crate::values::{AnySeed, Whole, from_json, json_of};
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use wayforge::{Document, Report};
use wayforge_api::bindings::{
    AnyMap, BindingError, BindingErrorKind, MapExt, generate, parse_cell, parse_family, parse_fog,
    parse_theme,
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

    pub(crate) fn make(
        py: Python<'_>,
        family: &str,
        seed: AnySeed,
        config: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Map> {
        let config = json_of(py, config)?;
        let family = parse_family(family).map_err(|fault| raise(py, fault))?;
        let made = py.detach(|| generate(family, seed.0, &config).map(Map::new));
        made.map_err(|error| raise(py, error))
    }

    pub(crate) fn read(py: Python<'_>, bytes: &[u8]) -> PyResult<Map> {
        py.detach(|| AnyMap::decode(bytes).map(Map::new)).map_err(|fault| raise(py, fault))
    }
}

/// A report as Python's own class has it.
pub(crate) fn report_of(py: Python<'_>, report: &Report) -> PyResult<Py<PyAny>> {
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
        let judged = py.detach(|| wayforge::validate_document(&self.document, reproduce));
        report_of(py, &judged.map_err(|error| raise(py, BindingError::from(error)))?)
    }

    /// What the routes of an act map meet, from a node (column, row) or from the start.
    #[pyo3(signature = (start=None))]
    fn routes<'py>(&self, py: Python<'py>, start: Option<(i64, i64)>) -> PyResult<Bound<'py, PyAny>> {
        let told = || -> Result<String, BindingError> {
            let start = start.map(|(col, row)| parse_cell("start", [col, row])).transpose()?;
            self.map.routes(start)
        };
        let text = py.detach(told).map_err(|fault| raise(py, fault))?;
        from_json(py, &text)
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
    fn play(&self, py: Python<'_>, fog: Option<Whole>) -> PyResult<Play> {
        let start = || {
            let rows = fog.map(|rows| rows.within("fog", 0, u16::MAX.into())).transpose()?;
            Ok(Play(self.map.play(parse_fog(rows)?)?))
        };
        start().map_err(|fault: BindingError| raise(py, fault))
    }

    /// The map as SVG.
    #[pyo3(signature = (theme="parchment", witness=false, labels=false))]
    fn svg(&self, py: Python<'_>, theme: &str, witness: bool, labels: bool) -> PyResult<String> {
        let draw = || self.map.svg(parse_theme(theme)?, witness, labels);
        py.detach(draw).map_err(|fault| raise(py, fault))
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
    ) -> PyResult<Bound<'py, PyBytes>> {
        let draw = || {
            let refuse = |error| BindingError { kind: BindingErrorKind::Draw, ..BindingError::from(error) };
            let scale = scale.within("scale", 1, 1000).map_err(refuse)?;
            self.map.png(parse_theme(theme)?, witness, labels, scale)
        };
        let bytes = py.detach(draw).map_err(|fault| raise(py, fault))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The map as text.
    fn ascii(&self) -> String {
        self.map.ascii()
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, "parchment", false, false)
    }

    fn __str__(&self) -> String {
        self.map.ascii()
    }

    fn __repr__(&self) -> String {
        format!(
            "<wayforge.Map {} seed {} {}>",
            self.document.algorithm, self.document.seed, self.document.digest
        )
    }

    fn __richcmp__(&self, other: &Map, op: CompareOp) -> Option<bool> {
        let equal = self.document.digest == other.document.digest;
        match op {
            CompareOp::Eq => Some(equal),
            CompareOp::Ne => Some(!equal),
            _ => None,
        }
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = std::collections::hash_map::DefaultHasher::new();
        self.document.digest.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.import("wayforge")?.getattr("load")?, (self.document.to_text(),)))
    }
}
