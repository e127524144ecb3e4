//! Tests of report pages and tables.

mod golden;
mod pages;
mod tables;

use wayforge::AnySpec;
use wayforge::Family;
use wayforge_analysis::report::{Baseline, Report, Table, default_pairs};
use wayforge_analysis::search::{GenerationTimes, SeedRange, Survey, SurveyPlan, SurveyResults};

/// Floor configuration for which no seed has a map.
pub(super) const NO_MAPS: &str = r#"{"width":64,"height":64,"minPathLength":2650,"attempts":1}"#;

/// A configuration with its survey results.
pub(super) struct Surveyed {
    pub(super) spec: AnySpec,
    pub(super) results: SurveyResults,
    pub(super) times: GenerationTimes,
}

impl Surveyed {
    /// Surveys the first `count` seeds.
    pub(super) fn new(family: Family, config: &str, count: u64) -> Surveyed {
        let spec = AnySpec::from_json(family, config.as_bytes()).unwrap();
        let plan = SurveyPlan { pairs: default_pairs(&spec), occupancy: true, rows: false };
        let mut survey = Survey::new(&spec, SeedRange::from(1).take(count), plan);
        while survey.advance() {}
        let times = survey.times().clone();
        Surveyed { results: survey.finish(), spec, times }
    }

    pub(super) fn report(&self) -> Report<'_> {
        let Surveyed { spec, results, times } = self;
        Report { name: "first".to_owned(), spec, results, times, baseline: None }
    }

    pub(super) fn report_with_baseline<'a>(
        &'a self,
        other: &'a Surveyed,
        threshold: u64,
    ) -> Report<'a> {
        let Surveyed { spec, results, times } = other;
        let baseline =
            Baseline::new(&self.results, "second".to_owned(), spec, results, times, threshold);
        Report { baseline: Some(baseline), ..self.report() }
    }

    pub(super) fn point(&self) -> (SurveyResults, GenerationTimes) {
        (self.results.clone(), self.times.clone())
    }
}

/// Returns the text of a table.
pub(super) fn table<'a>(tables: &'a [Table], name: &str) -> &'a str {
    &tables.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("no {name}")).text
}

/// Splits a table without quoted fields into rows and fields.
pub(super) fn columns(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}
