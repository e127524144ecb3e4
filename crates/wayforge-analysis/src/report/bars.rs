//! How a metric is distributed, as bars; of a second configuration, as a line over them.

use crate::report::bins::Bins;
use crate::report::scale::{Way, tick_label, ticks};
use crate::report::side::Side;
use crate::report::words::{number, percent, text, whole};
use crate::search::{Histogram, Measured};
use std::fmt::Write;

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 128.0;
const FLOOR: f64 = 104.0;
const TOP: f64 = 9.0;
const LEFT: f64 = 40.0;
const RIGHT: f64 = 8.0;
/// What lies between the bars and one that stands for everything beyond them.
const GAP: f64 = 7.0;
/// The most bars of a plot.
const BARS: usize = 36;

/// Where bars stand.
struct Axis {
    bins: Bins,
    step: f64,
    top: f64,
}

impl Axis {
    /// Where a step begins, and where the one before it ends: they differ beside an end that has values beyond it.
    fn ends(&self, at: usize) -> [f64; 2] {
        let Bins { count, beyond, .. } = self.bins;
        let before = if beyond[0] && at > 0 { GAP } else { 0.0 };
        let after = if beyond[1] && at + 1 == count { GAP } else { 0.0 };
        let left = LEFT + self.step * at as f64 + before + after;
        [left, left + self.step]
    }

    fn y(&self, share: f64) -> f64 {
        FLOOR - (FLOOR - TOP) * share / self.top
    }

    fn is_end(&self, at: usize) -> bool {
        (at == 0 && self.bins.beyond[0]) || (at + 1 == self.bins.count && self.bins.beyond[1])
    }
}

/// A card with the distribution of one metric on all sides that have it.
pub(crate) fn write(page: &mut String, metric: &Measured, sides: &[Side<'_>]) {
    let met: Vec<(&Side<'_>, &Histogram)> =
        sides.iter().filter_map(|side| Some((side, side.histogram(&metric.name)?))).collect();
    let histograms: Vec<&Histogram> = met.iter().map(|(_, histogram)| *histogram).collect();
    let bins = Bins::of(&histograms, BARS);
    let counts: Vec<Vec<u64>> = histograms.iter().map(|histogram| bins.counts(histogram)).collect();
    let share = |which: usize, at: usize| counts[which][at] as f64 / histograms[which].maps().max(1) as f64;
    let most = (0..met.len()).flat_map(|which| (0..bins.count).map(move |at| (which, at)));
    let most = most.map(|(which, at)| share(which, at)).fold(0.0, f64::max).max(1e-5);
    let scale = ticks(0.0, most * 100.0);
    let gaps = bins.beyond.iter().filter(|beyond| **beyond).count() as f64 * GAP;
    let axis = Axis {
        bins,
        step: (WIDTH - LEFT - RIGHT - gaps) / bins.count as f64,
        top: scale.last().map_or(1.0, |top| top / 100.0),
    };
    let told: Vec<String> =
        met.iter().map(|(side, histogram)| told(side, histogram, sides.len() > 1)).collect();
    let _ = write!(
        page,
        "<figure class=\"plot\"><figcaption><h3>{}</h3> <span>{}</span></figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{} in {}: {}\">",
        text(&metric.name),
        text(&metric.about),
        text(&metric.name),
        text(metric.unit),
        text(&told.join("; ")),
    );
    for &value in &scale {
        let y = axis.y(value / 100.0);
        let _ = write!(
            page,
            "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{} %</text>",
            WIDTH - RIGHT,
            LEFT - 4.0,
            y + 4.0,
            tick_label(value)
        );
    }
    for (which, (side, _)) in met.iter().enumerate() {
        if side.class == "first" {
            page.push_str("<g class=\"bars\">");
            for at in (0..bins.count).filter(|&at| counts[which][at] > 0) {
                let [left, right] = axis.ends(at);
                let gap = if axis.step > 4.0 { 1.0 } else { 0.0 };
                let tall = (FLOOR - axis.y(share(which, at))).max(0.8);
                let shares = met.iter().enumerate().map(|(which, (side, histogram))| {
                    let share = percent(counts[which][at], histogram.maps());
                    if sides.len() > 1 { format!("{share} of {}", side.name) } else { share }
                });
                let _ = write!(
                    page,
                    "<rect{} x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"><title>{} {}: {}</title></rect>",
                    if axis.is_end(at) { " class=\"end\"" } else { "" },
                    FLOOR - tall,
                    right - left - gap,
                    text(&metric.name),
                    bins.name(at),
                    text(&shares.collect::<Vec<_>>().join(", ")),
                );
            }
            page.push_str("</g>");
        } else {
            line(page, &axis, |at| share(which, at));
        }
    }
    let _ = write!(page, "<path class=\"axis\" d=\"M{LEFT} {FLOOR}H{}\"/>", WIDTH - RIGHT);
    for (at, label, end) in bins.labels(axis.step, 8, Way::Across) {
        let step = (at as usize).min(bins.count - 1);
        let x = axis.ends(step)[0] + axis.step * (at - step as f64);
        // A label that would stand out over an edge is put inside.
        let half = label.chars().count() as f64 * 3.2;
        let (x, anchor) = if x + half > WIDTH { (WIDTH, "end") } else { (x, "middle") };
        let _ = write!(
            page,
            "<text{} x=\"{x:.1}\" y=\"{}\" text-anchor=\"{anchor}\">{label}</text>",
            if end { " class=\"end\"" } else { "" },
            FLOOR + 16.0
        );
    }
    page.push_str("</svg>\n");
    numbers(page, metric.unit, &met, sides);
    page.push_str("</figure>\n");
}

/// The outline of a distribution; ends that have values beyond them stand apart.
fn line(page: &mut String, axis: &Axis, share: impl Fn(usize) -> f64) {
    let mut runs = [String::new(), String::new()];
    let mut inside = false;
    for at in 0..axis.bins.count {
        let ([left, right], y) = (axis.ends(at), axis.y(share(at)));
        if axis.is_end(at) {
            if inside {
                let _ = write!(runs[0], "V{FLOOR}");
            }
            let _ = write!(runs[1], "M{left:.1} {FLOOR}V{y:.1}H{right:.1}V{FLOOR}");
        } else {
            let start = if inside { String::new() } else { format!("M{left:.1} {FLOOR}") };
            let _ = write!(runs[0], "{start}V{y:.1}H{right:.1}");
        }
        inside = !axis.is_end(at);
    }
    if inside {
        let _ = write!(runs[0], "V{FLOOR}");
    }
    for (class, path) in [("other", &runs[0]), ("other end", &runs[1])] {
        if !path.is_empty() {
            let _ = write!(page, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
}

/// The numbers behind a plot, one row for each configuration.
fn numbers(page: &mut String, unit: &str, met: &[(&Side<'_>, &Histogram)], sides: &[Side<'_>]) {
    page.push_str("<table class=\"numbers\"><thead><tr><td></td>");
    for head in ["mean", "±", "least", "5 %", "50 %", "95 %", "most"] {
        let _ = write!(page, "<th scope=\"col\">{head}</th>");
    }
    page.push_str("</tr></thead><tbody>");
    for (side, histogram) in met {
        let name = if sides.len() > 1 { side.label(sides) } else { text(unit) };
        let _ = write!(
            page,
            "<tr><th scope=\"row\">{name}</th><td>{}</td><td>{}</td>",
            number(histogram.mean()),
            number(histogram.deviation())
        );
        for value in [
            histogram.least(),
            histogram.percentile(50),
            histogram.percentile(500),
            histogram.percentile(950),
            histogram.most(),
        ] {
            let _ = write!(page, "<td>{}</td>", whole(value.into()));
        }
        page.push_str("</tr>");
    }
    page.push_str("</tbody></table>");
}

fn told(side: &Side<'_>, histogram: &Histogram, named: bool) -> String {
    format!(
        "{}{} on average, nine of ten from {} to {}, all from {} to {}",
        if named { format!("{} ", side.name) } else { String::new() },
        number(histogram.mean()),
        histogram.percentile(50),
        histogram.percentile(950),
        histogram.least(),
        histogram.most()
    )
}

/// A share in a table, with a bar beside it in the colour of its side.
pub(crate) fn share_bar(side: &Side<'_>, part: u64, all: u64) -> String {
    bar(side, part, all, &percent(part, all))
}

/// A bar for a part of something in the colour of its side, and words beside it.
pub(crate) fn bar(side: &Side<'_>, part: u64, all: u64, words: &str) -> String {
    let (share, class) = (if all == 0 { 0.0 } else { part as f64 * 100.0 / all as f64 }, side.class);
    format!(
        "<span class=\"bar {class}\" aria-hidden=\"true\"><i style=\"width:{share:.2}%\"></i></span> {words}"
    )
}
