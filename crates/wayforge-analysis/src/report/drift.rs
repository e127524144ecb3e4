//! Which metrics moved from one configuration to another.

use crate::report::Against;
use crate::report::side::Side;
use crate::report::words::{number, text};
use std::fmt::Write;

/// Which metrics moved.
pub(crate) fn write(page: &mut String, against: &Against<'_>, sides: &[Side<'_>]) {
    let moved = against.shifts.iter().filter(|shift| shift.is_beyond(against.threshold)).count();
    let threshold = against.threshold as f64 / 10_000.0;
    let verdict = match moved {
        0 => format!("No metric moved by more than {threshold}."),
        1 => format!("One metric moved by more than {threshold}."),
        _ => format!("{moved} metrics moved by more than {threshold}."),
    };
    let _ = write!(page, "<p class=\"verdict {}\">{verdict}</p>", if moved == 0 { "still" } else { "moved" });
    if let Some(noise) = against.noise() {
        let _ = writeln!(page, "<p class=\"notice\">{}</p>", text(&noise.to_string()));
    }
    page.push_str("<p>The distance is Kolmogorov’s: the largest difference between the shares of maps whose value does not exceed a bound, 0 for the same \
         distribution, 1 for ones that do not overlap. Both configurations made maps of the same seeds.</p>\
         <div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table><thead><tr><th scope=\"col\">metric</th><th scope=\"col\">distance</th>");
    for side in sides {
        let _ = write!(page, "<th scope=\"col\">average, {}</th>", side.label(sides));
    }
    page.push_str("<th scope=\"col\">moved, in deviations</th><td></td></tr></thead><tbody>");
    for shift in against.shifts.iter().filter(|shift| shift.distance.0 > 0) {
        let beyond = shift.is_beyond(against.threshold);
        let deviations = match shift.deviations {
            Some(moved) => format!("{moved:+.2}"),
            None => "–".to_owned(),
        };
        let _ = write!(
            page,
            "<tr{}><th scope=\"row\">{}</th><td><span class=\"bar\" aria-hidden=\"true\"><i style=\"width:{:.2}%\"></i></span> {:.4}</td><td>{}</td><td>{}</td><td>{deviations}</td><td>{}</td></tr>",
            if beyond { " class=\"beyond\"" } else { "" },
            text(&shift.name),
            shift.share() * 100.0,
            shift.share(),
            average(shift.means[0]),
            average(shift.means[1]),
            if beyond { "moved" } else { "" }
        );
    }
    page.push_str("</tbody></table></div>\n");
    let still = against.shifts.iter().filter(|shift| shift.distance.0 == 0).count();
    let are = if still == 1 { "is" } else { "are" };
    let _ = writeln!(page, "<p>{still} of {} {are} distributed exactly as before.</p>", against.shifts.len());
    for (only, side) in against.only.iter().zip(sides) {
        if !only.is_empty() {
            let _ = writeln!(page, "<p>Only {} has {}.</p>", text(side.name), text(&only.join(", ")));
        }
    }
}

fn average(mean: Option<f64>) -> String {
    mean.map_or_else(|| "–".to_owned(), number)
}
