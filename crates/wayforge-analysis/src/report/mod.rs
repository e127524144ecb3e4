//! Survey reports: self-contained HTML pages and CSV tables.
//!
//! [`page`] and [`sweep_page`] render HTML with inline SVG plots. [`tables`] and [`sweep_tables`]
//! write all values as CSV. The output is deterministic, except generation times, which have their
//! own table `times.csv`. [`gallery`] renders pictures of maps with their metrics.
//!
//! # Examples
//!
//! ```
//! use wayforge::Family;
//! use wayforge_draw::Theme;
//! use wayforge_analysis::report::{Report, page};
//! use wayforge_analysis::search::{SurveyPlan, SeedRange, Survey};
//! use wayforge::AnySpec;
//! let spec = AnySpec::from_json(Family::Floor, b"{}")?;
//! let pairs = wayforge_analysis::report::default_pairs(&spec);
//! let plan = SurveyPlan { pairs, occupancy: true, rows: false };
//! let mut survey = Survey::new(&spec, SeedRange::from(1).take(500), plan);
//! while survey.advance() {}
//! let times = survey.times().clone();
//! let results = survey.finish();
//! let report = Report {
//!     name: "defaults".into(),
//!     spec: &spec,
//!     results: &results,
//!     times: &times,
//!     baseline: None,
//! };
//! assert!(page(&report, Some(Theme::Night)).starts_with("<!doctype html>"));
//! # Ok::<(), wayforge::GenerateError>(())
//! ```

mod bars;
mod chart;
mod csv;
mod curves;
mod drift;
mod frame;
mod gallery;
mod heat_map;
mod page;
mod placements;
mod side;
mod sweep;
mod tables;
mod text;
mod thumbnails;

pub use csv::{Table, map_table_header, map_table_rows, sweep_tables, tables};
pub use drift::Noise;
pub use gallery::{GalleryItem, Picture, gallery};
pub use page::page;
pub use sweep::sweep_page;

use crate::search::{GenerationTimes, MetricDrift, SurveyResults};
use wayforge::metric::Term;
use wayforge::{AnySpec, Family};

/// A survey to report.
pub struct Report<'a> {
    /// Name of the configuration.
    pub name: String,
    /// Surveyed configuration.
    pub spec: &'a AnySpec,
    /// Results of the survey.
    pub results: &'a SurveyResults,
    /// Generation times of the survey.
    pub times: &'a GenerationTimes,
    /// Second configuration to compare with.
    pub baseline: Option<Baseline<'a>>,
}

/// A second survey of the same seeds and its comparison with the first.
pub struct Baseline<'a> {
    /// Name of the configuration.
    pub name: String,
    /// Surveyed configuration.
    pub spec: &'a AnySpec,
    /// Results of the survey.
    pub results: &'a SurveyResults,
    /// Generation times of the survey.
    pub times: &'a GenerationTimes,
    /// Change of each metric, largest first.
    pub drifts: Vec<MetricDrift>,
    /// Distance in ten-thousandths beyond which a metric counts as moved.
    pub threshold: u64,
    /// Metrics that only the first survey has, and those that only the second has.
    pub exclusive: [Vec<String>; 2],
    /// Numbers of seeds and maps of the first survey.
    first: [u64; 2],
}

/// Surveys of a configuration with several values of one field.
pub struct Sweep {
    /// Name of the field.
    pub field: String,
    /// One survey per value.
    pub points: Vec<SweepPoint>,
}

/// Survey at one value of a field.
pub struct SweepPoint {
    /// The value as text.
    pub value: String,
    /// Results of the survey.
    pub results: SurveyResults,
    /// Generation times of the survey.
    pub times: GenerationTimes,
}

impl<'a> Baseline<'a> {
    /// Compares a second survey with the first.
    pub fn new(
        first: &SurveyResults,
        name: String,
        spec: &'a AnySpec,
        results: &'a SurveyResults,
        times: &'a GenerationTimes,
        threshold: u64,
    ) -> Baseline<'a> {
        let only_in = |a: &SurveyResults, b: &SurveyResults| {
            let names = a.metrics.iter().map(|metric| metric.name.clone());
            names.filter(|name| b.metric(name).is_none()).collect()
        };
        let exclusive = [only_in(first, results), only_in(results, first)];
        let drifts = crate::search::drift(first, results);
        Baseline {
            name,
            spec,
            results,
            times,
            drifts,
            threshold,
            exclusive,
            first: [first.seeds, first.maps],
        }
    }

    /// Returns the metrics that moved beyond the threshold, largest distance first.
    pub fn moved(&self) -> impl Iterator<Item = &MetricDrift> {
        self.drifts.iter().filter(|drift| drift.exceeds(self.threshold))
    }
}

/// Returns the pairs of metrics shown by default for the expressive range of a family.
pub fn default_pairs(spec: &AnySpec) -> Vec<[Term; 2]> {
    let names: &[[&str; 2]] = match spec.family() {
        Family::Act => &[["nodes", "routes"], ["splits", "merges"]],
        Family::Level => &[["walls", "path"], ["dead_ends", "junctions"], ["branching", "detour"]],
        Family::Floor | Family::Tower => {
            &[["path", "junctions"], ["dead_ends", "branching"], ["path", "detour"]]
        }
    };
    let catalogue = spec.catalogue();
    let pair = |[x, y]: &[&str; 2]| Some([catalogue.parse(x).ok()?, catalogue.parse(y).ok()?]);
    names.iter().filter_map(pair).collect()
}
