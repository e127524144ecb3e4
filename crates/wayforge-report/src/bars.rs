//! How a metric is distributed, as bars; of a second configuration, as a line over them.

use crate::bins::Bins;
use crate::words::{number, percent, text, whole};
use std::fmt::Write;
use wayforge_search::{Histogram, Measured};

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 118.0;
const FLOOR: f64 = 96.0;
const LEFT: f64 = 6.0;
/// The most bars of a plot.
const BARS: usize = 36;

/// A card with the distribution of one metric.
pub(crate) fn write(page: &mut String, metric: &Measured, against: Option<&Histogram>) {
    let histogram = &metric.histogram;
    let both: Vec<&Histogram> = [Some(histogram), against].into_iter().flatten().collect();
    let bins = Bins::of(&both, BARS);
    let shares: Vec<Vec<f64>> = both
        .iter()
        .map(|histogram| {
            let all = histogram.maps().max(1) as f64;
            bins.counts(histogram).into_iter().map(|count| count as f64 / all).collect()
        })
        .collect();
    let top = shares.iter().flatten().copied().fold(0.0, f64::max).max(1e-9);
    let step = (WIDTH - 2.0 * LEFT) / bins.count as f64;
    let (x, y) = (|at: usize| LEFT + step * at as f64, |share: f64| FLOOR - (FLOOR - 8.0) * share / top);
    let _ = write!(
        page,
        "<figure class=\"plot\"><figcaption><h3>{}</h3> <span>{}</span></figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
        text(&metric.name),
        text(metric.about),
        text(&told(&metric.name, metric.unit, histogram, against)),
    );
    page.push_str("<g class=\"bars\">");
    for (at, &share) in shares[0].iter().enumerate().filter(|(_, share)| **share > 0.0) {
        let gap = if step > 4.0 { 1.0 } else { 0.0 };
        let tall = (FLOOR - y(share)).max(0.8);
        let _ = write!(
            page,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"><title>{} {}: {:.2} %</title></rect>",
            x(at),
            FLOOR - tall,
            step - gap,
            bins.name(at),
            text(metric.unit),
            share * 100.0
        );
    }
    page.push_str("</g>");
    if let Some(line) = shares.get(1) {
        let mut path = format!("M{:.1} {FLOOR}", x(0));
        for (at, &share) in line.iter().enumerate() {
            let _ = write!(path, "V{:.1}H{:.1}", y(share), x(at + 1));
        }
        let _ = write!(page, "<path class=\"other\" d=\"{path}V{FLOOR}\"/>");
    }
    let _ = write!(page, "<path class=\"axis\" d=\"M{LEFT} {FLOOR}H{}\"/>", WIDTH - LEFT);
    for (at, label) in bins.ticks(5) {
        let middle = x(at) + step / 2.0;
        let anchor = if middle < 20.0 {
            "start"
        } else if middle > WIDTH - 20.0 {
            "end"
        } else {
            "middle"
        };
        let place = if anchor == "start" {
            LEFT
        } else if anchor == "end" {
            WIDTH - LEFT
        } else {
            middle
        };
        let _ = write!(
            page,
            "<text x=\"{place:.1}\" y=\"{}\" text-anchor=\"{anchor}\">{label}</text>",
            FLOOR + 15.0
        );
    }
    page.push_str("</svg>\n");
    numbers(page, metric.unit, &both);
    page.push_str("</figure>\n");
}

/// The numbers behind a plot, one row for each configuration.
fn numbers(page: &mut String, unit: &str, both: &[&Histogram]) {
    let key = |which: &str| format!("<i class=\"key {which}\"></i> {which}");
    let names = if both.len() > 1 { [key("first"), key("second")] } else { [text(unit), String::new()] };
    page.push_str("<table class=\"numbers\"><thead><tr><td></td>");
    for head in ["mean", "±", "least", "5 %", "50 %", "95 %", "most"] {
        let _ = write!(page, "<th scope=\"col\">{head}</th>");
    }
    page.push_str("</tr></thead><tbody>");
    for (histogram, name) in both.iter().zip(names) {
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

fn told(name: &str, unit: &str, histogram: &Histogram, against: Option<&Histogram>) -> String {
    let one = |histogram: &Histogram| {
        format!(
            "{} on average, nine of ten from {} to {}, all from {} to {}",
            number(histogram.mean()),
            histogram.percentile(50),
            histogram.percentile(950),
            histogram.least(),
            histogram.most()
        )
    };
    match against {
        Some(other) => {
            format!("{name} in {unit}: {}; the second configuration: {}", one(histogram), one(other))
        }
        None => format!("{name} in {unit}: {}", one(histogram)),
    }
}

/// A row of a table with a bar in it.
pub(crate) fn share_bar(part: u64, all: u64) -> String {
    let share = if all == 0 { 0.0 } else { part as f64 * 100.0 / all as f64 };
    format!(
        "<span class=\"bar\" aria-hidden=\"true\"><i style=\"width:{share:.2}%\"></i></span> {}",
        percent(part, all)
    )
}
