//! Which metrics moved from one configuration to another, and how far chance alone moves them.

use crate::report::Against;
use crate::report::bars::bar;
use crate::report::frame::{heads, table};
use crate::report::side::Side;
use crate::report::words::{number, whole};
use maud::{Markup, html};
use std::fmt;

/// Which metrics moved.
pub(crate) fn section(against: &Against<'_>, sides: &[Side<'_>]) -> Markup {
    let moved = against.moved().count();
    let threshold = against.threshold as f64 / 10_000.0;
    let summary = match moved {
        0 => format!("No metric moved by more than {threshold}."),
        1 => format!("One metric moved by more than {threshold}."),
        _ => format!("{moved} metrics moved by more than {threshold}."),
    };
    let still = against.shifts.iter().filter(|shift| shift.distance.0 == 0).count();
    let head = html! {
        tr {
            (heads(["metric", "distance"]))
            @for side in sides { th scope="col" { "average, " (side.label(sides)) } }
            (heads(["moved, in deviations"])) td {}
        }
    };
    let rows = html! {
        @for shift in against.shifts.iter().filter(|shift| shift.distance.0 > 0) {
            @let beyond = shift.is_beyond(against.threshold);
            tr class=[beyond.then_some("beyond")] {
                th scope="row" { (shift.name) }
                td { (bar(None, shift.share(), &format!("{:.4}", shift.share()))) }
                @for mean in shift.means { td { (mean.map_or_else(|| "–".to_owned(), number)) } }
                td { (shift.deviations.map_or_else(|| "–".to_owned(), |moved| format!("{moved:+.2}"))) }
                td { @if beyond { "moved" } }
            }
        }
    };
    html! {
        p class={ "verdict " (if moved == 0 { "still" } else { "moved" }) } { (summary) }
        @if let Some(noise) = against.noise() { p.notice { (noise.to_string()) } }
        p {
            "The distance is Kolmogorov’s: the largest difference between the shares of maps whose value does not exceed a \
             bound, 0 for the same distribution, 1 for ones that do not overlap. Both configurations made maps of the same \
             seeds."
        }
        (table(head, rows))
        p {
            (still) " of " (against.shifts.len()) (if still == 1 { " is" } else { " are" })
            " distributed exactly as before."
        }
        @for (only, side) in against.only.iter().zip(sides).filter(|(only, _)| !only.is_empty()) {
            p { "Only " (side.name) " has " (only.join(", ")) "." }
        }
    }
}

/// Kolmogorov's constant: the distance of two samples exceeds this times the root of (1/n + 1/m) once in a thousand cases.
const ONCE_IN_A_THOUSAND: f64 = 1.95;

/// Chance alone reaches beyond the threshold of a comparison.
///
/// Shown, it is the sentence that a reader needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The distance that chance alone does not exceed in 999 of 1000 cases.
    pub reach: f64,
    /// From how far on a metric counts as moved, in ten-thousandths of distance.
    pub threshold: u64,
    /// How many seeds would do; of a threshold of 0, no number.
    pub seeds: Option<u64>,
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (reach, threshold) = (self.reach, self.threshold as f64 / 10_000.0);
        write!(f, "With so few maps chance alone can move a metric by {reach:.3}, ")?;
        write!(f, "more than the threshold of {threshold}: ")?;
        match self.seeds {
            Some(seeds) => write!(f, "{} seeds would tell a change from chance.", whole(seeds.into())),
            None => write!(f, "no number of seeds would tell a change from chance."),
        }
    }
}

impl Against<'_> {
    /// What chance alone reaches, if that is more than the threshold: then a metric may have moved by chance.
    ///
    /// Two configurations with the same distributions are farther apart than that once in a thousand cases, for each metric.
    ///
    /// ```
    /// use wayforge::Family;
    /// use wayforge_analysis::report::Against;
    /// use wayforge_analysis::search::{Plan, Span, Survey};
    /// use wayforge::AnySpec;
    /// let subject = AnySpec::from_json(Family::Floor, b"{}")?;
    /// let mut survey = Survey::new(&subject, Span::from(1).take(100), Plan::default());
    /// while survey.advance() {}
    /// let times = survey.times().clone();
    /// let found = survey.finish();
    /// let against = |threshold| Against::new(&found, "same".into(), &subject, &found, &times, threshold);
    /// // 1.95 x sqrt(2 / 100) is 0.276.
    /// assert!(against(2_760).noise().is_none());
    /// assert_eq!(against(500).noise().and_then(|noise| noise.seeds), Some(3_042));
    /// # Ok::<(), wayforge::GenerateError>(())
    /// ```
    pub fn noise(&self) -> Option<Noise> {
        // Metrics are read off maps; where there are none, only shares of seeds are compared.
        let known = |[seeds, maps]: [u64; 2]| [seeds, if maps > 0 { maps } else { seeds }].map(|n| n as f64);
        let [[first, n], [second, m]] = [self.first, [self.found.seeds, self.found.maps]].map(known);
        if n == 0.0 || m == 0.0 {
            return None;
        }
        let threshold = self.threshold as f64 / 10_000.0;
        let reach = ONCE_IN_A_THOUSAND * (1.0 / n + 1.0 / m).sqrt();
        // Nothing is farther apart than 1.
        let reach = reach.min(1.0);
        let seeds = (self.threshold > 0).then(|| {
            let bound = ONCE_IN_A_THOUSAND / threshold;
            // As many maps come of a seed as here.
            let seeds = bound * bound * (first / n + second / m);
            // What is whole but for the last bit of a fraction is whole.
            (seeds - 1e-6).ceil() as u64
        });
        (reach > threshold).then_some(Noise { reach, threshold: self.threshold, seeds })
    }
}
