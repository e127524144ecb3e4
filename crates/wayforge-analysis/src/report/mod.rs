//! What a configuration really makes, to be looked at: surveys as one page that needs nothing else, and as CSV.
//!
//! [`page`] and [`sweep_page`] write HTML with plots in it as SVG; [`tables`] and [`sweep_tables`] write everything as CSV, the same
//! bytes each time: only what a clock said, `times.csv`, is another each time.
//!
//! ```
//! use wayforge::Family;
//! use wayforge_draw::Theme;
//! use wayforge_analysis::report::{Report, page};
//! use wayforge_analysis::search::{Plan, Span, Survey};
//! use wayforge::AnySpec;
//! let subject = AnySpec::from_json(Family::Floor, b"{}")?;
//! let pairs = wayforge_analysis::report::usual_pairs(&subject);
//! let mut survey = Survey::new(&subject, Span::from(1).take(500), Plan { pairs, places: true, rows: false });
//! while survey.advance() {}
//! let times = survey.times().clone();
//! let found = survey.finish();
//! let report = Report { name: "defaults".into(), subject: &subject, found: &found, times: &times, against: None };
//! assert!(page(&report, Some(Theme::Night)).starts_with("<!doctype html>"));
//! # Ok::<(), wayforge::GenerateError>(())
//! ```

mod bars;
mod chart;
mod csv;
mod curves;
mod drift;
mod frame;
mod heat;
mod page;
mod places;
mod side;
mod sweep;
mod tables;
mod thumb;
mod words;

pub use csv::{Table, row_head, row_lines, sweep_tables, tables};
pub use drift::Noise;
pub use page::page;
pub use sweep::sweep_page;

use crate::search::{Findings, Shift, Times};
use wayforge::metric::Term;
use wayforge::{AnySpec, Family};

/// A survey to be shown.
pub struct Report<'a> {
    /// What the configuration is called.
    pub name: String,
    /// What was surveyed.
    pub subject: &'a AnySpec,
    /// What was found.
    pub found: &'a Findings,
    /// What a clock said.
    pub times: &'a Times,
    /// Another configuration to compare it with.
    pub against: Option<Against<'a>>,
}

/// A second survey, of the same seeds, and how far it is from the first.
pub struct Against<'a> {
    /// What the configuration is called.
    pub name: String,
    /// What was surveyed.
    pub subject: &'a AnySpec,
    /// What was found.
    pub found: &'a Findings,
    /// What a clock said.
    pub times: &'a Times,
    /// How far each metric moved.
    pub shifts: Vec<Shift>,
    /// Beyond how far a metric counts as moved, in ten-thousandths of distance.
    pub threshold: u64,
    /// Metrics that only the first and only the second has.
    pub only: [Vec<String>; 2],
    /// Seeds and maps of the first.
    first: [u64; 2],
}

/// Surveys of a configuration whose one field was given several values.
pub struct Sweep {
    /// The field.
    pub field: String,
    /// Its values, and what was found of each.
    pub points: Vec<Point>,
}

/// One value of a field, and what was found of it.
pub struct Point {
    /// The value, as it is written.
    pub value: String,
    /// What was found.
    pub found: Findings,
    /// What a clock said.
    pub times: Times,
}

impl<'a> Against<'a> {
    /// Compares a second survey with the first.
    pub fn new(
        first: &Findings,
        name: String,
        subject: &'a AnySpec,
        found: &'a Findings,
        times: &'a Times,
        threshold: u64,
    ) -> Against<'a> {
        let only = |a: &Findings, b: &Findings| {
            let names = a.metrics.iter().map(|metric| metric.name.clone());
            names.filter(|name| b.metric(name).is_none()).collect()
        };
        let only = [only(first, found), only(found, first)];
        let shifts = crate::search::drift(first, found);
        Against { name, subject, found, times, shifts, threshold, only, first: [first.seeds, first.maps] }
    }

    /// The metrics that moved beyond the threshold, the farthest first.
    pub fn moved(&self) -> impl Iterator<Item = &Shift> {
        self.shifts.iter().filter(|shift| shift.is_beyond(self.threshold))
    }
}

/// Pairs of metrics that show the range of a family well.
pub fn usual_pairs(subject: &AnySpec) -> Vec<[Term; 2]> {
    let names: &[[&str; 2]] = match subject.family() {
        Family::Act => &[["nodes", "routes"], ["splits", "merges"]],
        Family::Level => &[["walls", "path"], ["dead_ends", "junctions"], ["branching", "detour"]],
        Family::Floor | Family::Tower => {
            &[["path", "junctions"], ["dead_ends", "branching"], ["path", "detour"]]
        }
    };
    let catalogue = subject.catalogue();
    let pair = |[x, y]: &[&str; 2]| Some([catalogue.parse(x).ok()?, catalogue.parse(y).ok()?]);
    names.iter().filter_map(pair).collect()
}
