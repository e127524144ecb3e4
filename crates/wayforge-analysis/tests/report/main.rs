//! Tests of report pages and tables.

mod pages;
mod tables;

use wayforge::AnySpec;
use wayforge::Family;
use wayforge_analysis::report::{Baseline, Report, Table, default_pairs};
use wayforge_analysis::search::{GenerationTimes, SeedRange, Survey, SurveyPlan, SurveyResults};

/// Floor configuration for which no seed has a map.
pub(crate) const NO_MAPS: &str = r#"{"width":64,"height":64,"minPathLength":2650,"attempts":1}"#;

/// A configuration with its survey results.
pub(crate) struct Surveyed {
    pub(crate) spec: AnySpec,
    pub(crate) results: SurveyResults,
    pub(crate) times: GenerationTimes,
}

impl Surveyed {
    /// Surveys the first `count` seeds.
    pub(crate) fn new(family: Family, config: &str, count: u64) -> Surveyed {
        let spec = AnySpec::from_json(family, config.as_bytes()).unwrap();
        let plan = SurveyPlan { pairs: default_pairs(&spec), occupancy: true, rows: false };
        let mut survey = Survey::new(&spec, SeedRange::from(1).take(count), plan);
        while survey.advance() {}
        let times = survey.times().clone();
        Surveyed { results: survey.finish(), spec, times }
    }

    pub(crate) fn report(&self) -> Report<'_> {
        let Surveyed { spec, results, times } = self;
        Report { name: "first".to_owned(), spec, results, times, baseline: None }
    }

    pub(crate) fn report_with_baseline<'a>(
        &'a self,
        other: &'a Surveyed,
        threshold: u64,
    ) -> Report<'a> {
        let Surveyed { spec, results, times } = other;
        let baseline =
            Baseline::new(&self.results, "second".to_owned(), spec, results, times, threshold);
        Report { baseline: Some(baseline), ..self.report() }
    }

    pub(crate) fn point(&self) -> (SurveyResults, GenerationTimes) {
        (self.results.clone(), self.times.clone())
    }
}

/// Returns the text of a table.
pub(crate) fn table<'a>(tables: &'a [Table], name: &str) -> &'a str {
    &tables.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("no {name}")).text
}

/// Splits a table without quoted fields into rows and fields.
pub(crate) fn columns(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}
