//! Surveys as pages and tables show them.

mod pages;
mod tables;

use wayforge::AnySpec;
use wayforge::Family;
use wayforge_analysis::report::{Against, Report, Table, usual_pairs};
use wayforge_analysis::search::{Findings, Plan, Span, Survey, Times};

/// A floor that no seed has.
pub(crate) const NONE: &str = r#"{"width":64,"height":64,"minPathLength":2650,"attempts":1}"#;

/// A configuration, and what was found of it.
pub(crate) struct Surveyed {
    pub(crate) subject: AnySpec,
    pub(crate) found: Findings,
    pub(crate) times: Times,
}

impl Surveyed {
    /// The first seeds of a configuration.
    pub(crate) fn new(family: Family, config: &str, count: u64) -> Surveyed {
        let subject = AnySpec::from_json(family, config.as_bytes()).unwrap();
        let plan = Plan { pairs: usual_pairs(&subject), places: true, rows: false };
        let mut survey = Survey::new(&subject, Span::from(1).take(count), plan);
        while survey.advance() {}
        let times = survey.times().clone();
        Surveyed { found: survey.finish(), subject, times }
    }

    pub(crate) fn report(&self) -> Report<'_> {
        let Surveyed { subject, found, times } = self;
        Report { name: "first".to_owned(), subject, found, times, against: None }
    }

    pub(crate) fn report_against<'a>(&'a self, other: &'a Surveyed, threshold: u64) -> Report<'a> {
        let Surveyed { subject, found, times } = other;
        let against = Against::new(&self.found, "second".to_owned(), subject, found, times, threshold);
        Report { against: Some(against), ..self.report() }
    }

    pub(crate) fn point(&self) -> (Findings, Times) {
        (self.found.clone(), self.times.clone())
    }
}

/// The text of a table.
pub(crate) fn table<'a>(tables: &'a [Table], name: &str) -> &'a str {
    &tables.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("no {name}")).text
}

/// The fields of a table, row by row; none of them has a comma.
pub(crate) fn columns(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}
