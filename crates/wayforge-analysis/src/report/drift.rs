//! Which metrics moved from one configuration to another.

use crate::report::Against;
use crate::report::bars::bar;
use crate::report::frame::{heads, table};
use crate::report::side::Side;
use crate::report::words::number;
use maud::{Markup, html};

/// Which metrics moved.
pub(crate) fn section(against: &Against<'_>, sides: &[Side<'_>]) -> Markup {
    let moved = against.shifts.iter().filter(|shift| shift.is_beyond(against.threshold)).count();
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
