//! Comparison with a baseline: the metrics that changed, and whether chance alone can explain the
//! change (two-sample Kolmogorov-Smirnov test).

use crate::report::Baseline;
use crate::report::bars::bar;
use crate::report::frame::{heads, table};
use crate::report::side::Side;
use crate::report::text::{integer, number};
use maud::{Markup, html};
use std::fmt;

/// Renders the table of changed metrics, with a sentence that counts those beyond the threshold.
pub(crate) fn section(baseline: &Baseline<'_>, sides: &[Side<'_>]) -> Markup {
    let moved = baseline.moved().count();
    let threshold = baseline.threshold as f64 / 10_000.0;
    let summary = match moved {
        0 => format!("No metric moved by more than {threshold}."),
        1 => format!("One metric moved by more than {threshold}."),
        _ => format!("{moved} metrics moved by more than {threshold}."),
    };
    let unchanged = baseline.drifts.iter().filter(|drift| drift.distance.0 == 0).count();
    let head = html! {
        tr {
            (heads(["metric", "distance"]))
            @for side in sides { th scope="col" { "mean, " (side.label(sides)) } }
            (heads(["change (Cohen’s d)"])) td {}
        }
    };
    let rows = html! {
        @for drift in baseline.drifts.iter().filter(|drift| drift.distance.0 > 0) {
            @let exceeds = drift.exceeds(baseline.threshold);
            tr class=[exceeds.then_some("beyond")] {
                th scope="row" { (drift.name) }
                td { (bar(None, drift.distance_f64(), &format!("{:.4}", drift.distance_f64()))) }
                @for mean in drift.means { td { (mean.map_or_else(|| "–".to_owned(), number)) } }
                td { (drift.cohens_d.map_or_else(|| "–".to_owned(), |d| format!("{d:+.2}"))) }
                td { @if exceeds { "moved" } }
            }
        }
    };
    html! {
        p class={ "result " (if moved == 0 { "unchanged" } else { "moved" }) } { (summary) }
        @if let Some(noise) = baseline.noise() { p.notice { (noise.to_string()) } }
        p {
            "The distance is the Kolmogorov-Smirnov statistic: the largest difference between the \
             two cumulative distributions. It is 0 for equal distributions and 1 for disjoint \
             ones. Both configurations used the same seeds."
        }
        (table(head, rows))
        p {
            (unchanged) " of " (baseline.drifts.len()) " metrics "
            (if unchanged == 1 { "has" } else { "have" }) " exactly the same distribution."
        }
        @for (metrics, side) in baseline.exclusive.iter().zip(sides) {
            @if !metrics.is_empty() { p { "Only " (side.name) " has " (metrics.join(", ")) "." } }
        }
    }
}

/// Critical value of the two-sample Kolmogorov-Smirnov test at significance 0.001: by chance, the
/// distance exceeds `1.95 * sqrt(1/n + 1/m)` once in a thousand cases.
const KS_CRITICAL_VALUE: f64 = 1.95;

/// Warning that chance alone can exceed the threshold of a comparison.
///
/// `Display` gives the sentence for the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Distance that chance alone stays below in 999 of 1000 cases.
    pub critical_distance: f64,
    /// Distance in ten-thousandths beyond which a metric counts as moved.
    pub threshold: u64,
    /// Number of seeds that would be enough, or `None` if the threshold is 0.
    pub seeds: Option<u64>,
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (distance, threshold) = (self.critical_distance, self.threshold as f64 / 10_000.0);
        write!(f, "With this few maps, chance alone can move a metric by {distance:.3}, ")?;
        write!(f, "more than the threshold of {threshold}: ")?;
        match self.seeds {
            Some(seeds) => {
                let seeds = integer(seeds.into());
                write!(f, "use {seeds} seeds to distinguish a change from chance.")
            }
            None => write!(f, "no number of seeds can distinguish a change from chance."),
        }
    }
}

impl Baseline<'_> {
    /// Returns a warning if chance alone can exceed the threshold.
    ///
    /// For equal distributions, each metric exceeds [`Noise::critical_distance`] once in a thousand
    /// cases.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::Family;
    /// use wayforge_analysis::report::Baseline;
    /// use wayforge_analysis::search::{SurveyPlan, SeedRange, Survey};
    /// use wayforge::AnySpec;
    /// let spec = AnySpec::from_json(Family::Floor, b"{}")?;
    /// let mut survey = Survey::new(&spec, SeedRange::from(1).take(100), SurveyPlan::default());
    /// while survey.advance() {}
    /// let times = survey.times().clone();
    /// let results = survey.finish();
    /// let baseline = |threshold| {
    ///     Baseline::new(&results, "same".into(), &spec, &results, &times, threshold)
    /// };
    /// // 1.95 x sqrt(2 / 100) is 0.276.
    /// assert!(baseline(2_760).noise().is_none());
    /// assert_eq!(baseline(500).noise().and_then(|noise| noise.seeds), Some(3_042));
    /// # Ok::<(), wayforge::GenerateError>(())
    /// ```
    pub fn noise(&self) -> Option<Noise> {
        // Metrics are sampled per map. Without maps, only shares of seeds are compared.
        let sample_sizes = |[seeds, maps]: [u64; 2]| {
            [seeds, if maps > 0 { maps } else { seeds }].map(|n| n as f64)
        };
        let [[first, n], [second, m]] =
            [self.first, [self.results.seeds, self.results.maps]].map(sample_sizes);
        if n == 0.0 || m == 0.0 {
            return None;
        }
        let threshold = self.threshold as f64 / 10_000.0;
        // The distance never exceeds 1.
        let critical_distance = (KS_CRITICAL_VALUE * (1.0 / n + 1.0 / m).sqrt()).min(1.0);
        let seeds = (self.threshold > 0).then(|| {
            let bound = KS_CRITICAL_VALUE / threshold;
            // Assumes the same rate of maps per seed as in these surveys.
            let seeds = bound * bound * (first / n + second / m);
            // Tolerates the rounding error of a result that should be an integer.
            (seeds - 1e-6).ceil() as u64
        });
        (critical_distance > threshold).then_some(Noise {
            critical_distance,
            threshold: self.threshold,
            seeds,
        })
    }
}
