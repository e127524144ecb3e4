//! How metrics follow a field of the configuration: averages as a line, nine of ten maps as a band.

use crate::Sweep;
use crate::words::{number, percent, text};
use std::fmt::Write;
use wayforge_search::{Findings, Measured};

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 150.0;
const LEFT: f64 = 46.0;
const FLOOR: f64 = 122.0;
const TOP: f64 = 10.0;

/// What is drawn of one point: the average and the band around it.
struct At {
    mean: f64,
    band: Option<[f64; 2]>,
}

pub(crate) fn write(page: &mut String, sweep: &Sweep) {
    let shares = |part: fn(&Findings) -> u64| -> Vec<Option<At>> {
        let share = |found: &Findings| part(found) as f64 * 100.0 / found.seeds.max(1) as f64;
        sweep.points.iter().map(|(_, found)| Some(At { mean: share(found), band: None })).collect()
    };
    page.push_str("<div class=\"plots\">\n");
    curve(page, sweep, "made", "seeds that have a map, in percent", &shares(|found| found.maps));
    curve(
        page,
        sweep,
        "first try",
        "seeds whose first try is the map, in percent",
        &shares(|found| found.first_try),
    );
    let Some((_, first)) = sweep.points.first() else { return };
    for metric in &first.metrics {
        let points: Vec<Option<&Measured>> = sweep
            .points
            .iter()
            .map(|(_, found)| found.metric(&metric.name).filter(|metric| metric.histogram.maps() > 0))
            .collect();
        let mut met = points.iter().flatten().map(|metric| &metric.histogram);
        let Some(one) = met.next() else { continue };
        if one.is_constant() && met.all(|other| other.is_constant() && other.least() == one.least()) {
            continue;
        }
        let points: Vec<Option<At>> = points
            .into_iter()
            .map(|metric| {
                metric.map(|metric| {
                    let histogram = &metric.histogram;
                    let band = [histogram.percentile(50) as f64, histogram.percentile(950) as f64];
                    At { mean: histogram.mean(), band: Some(band) }
                })
            })
            .collect();
        curve(page, sweep, &metric.name, &format!("{}, in {}", metric.about, metric.unit), &points);
    }
    page.push_str("</div>\n");
    table(page, sweep);
}

fn curve(page: &mut String, sweep: &Sweep, name: &str, about: &str, points: &[Option<At>]) {
    let values = || {
        points
            .iter()
            .flatten()
            .flat_map(|at| [Some(at.mean), at.band.map(|b| b[0]), at.band.map(|b| b[1])])
            .flatten()
    };
    let (low, high) =
        values().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return;
    }
    // A metric that begins near nothing is drawn from nothing, a share in percent up to everything.
    let low = if low >= 0.0 && low < high * 0.4 { 0.0 } else { low };
    let (low, high) =
        if points.iter().flatten().all(|at| at.band.is_none()) { (0.0, 100.0) } else { (low, high) };
    let step = round_step(((high - low) / 3.0).max(1e-3));
    let low = (low / step).floor() * step;
    let ticks: Vec<f64> = (0..=5).map(|n| low + step * f64::from(n)).collect();
    let ticks = &ticks[..=ticks.iter().position(|&tick| tick >= high - 1e-9).unwrap_or(5).max(1)];
    let high = ticks.last().copied().unwrap_or(high);
    let last = points.len().saturating_sub(1).max(1) as f64;
    let x = |at: usize| LEFT + (WIDTH - LEFT - 12.0) * at as f64 / last;
    let y = |value: f64| FLOOR - (FLOOR - TOP) * (value - low) / (high - low);
    let ends = [points.iter().flatten().next(), points.iter().flatten().next_back()];
    let told = ends.map(|end| end.map_or_else(String::new, |at| number(at.mean)));
    let _ = write!(
        page,
        "<figure class=\"plot\"><figcaption><h3>{}</h3> <span>{}</span></figcaption>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}: from {} to {} on average\">",
        text(name),
        text(about),
        text(name),
        told[0],
        told[1]
    );
    for &value in ticks {
        let _ = write!(
            page,
            "<path class=\"grid\" d=\"M{LEFT} {:.1}H{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            y(value),
            WIDTH - 12.0,
            LEFT - 5.0,
            y(value) + 4.0,
            tick_label(value)
        );
    }
    // Points without a map leave a gap.
    let mut line = String::new();
    let mut start = 0;
    while start < points.len() {
        let run = points[start..].iter().take_while(|at| at.is_some()).count();
        let there = || (start..start + run).filter_map(|at| points[at].as_ref().map(|point| (at, point)));
        let mut band = String::new();
        for (at, point) in there() {
            let _ = write!(line, "{}{:.1} {:.1}", if at == start { 'M' } else { 'L' }, x(at), y(point.mean));
            if let Some([low, _]) = point.band {
                let _ = write!(band, "{}{:.1} {:.1}", if at == start { 'M' } else { 'L' }, x(at), y(low));
            }
        }
        for (at, point) in there().collect::<Vec<_>>().into_iter().rev() {
            if let Some([_, high]) = point.band {
                let _ = write!(band, "L{:.1} {:.1}", x(at), y(high));
            }
        }
        if !band.is_empty() {
            let _ = write!(page, "<path class=\"band\" d=\"{band}z\"/>");
        }
        start += run.max(1);
    }
    let _ = write!(page, "<path class=\"curve\" d=\"{line}\"/><g class=\"points\">");
    for (at, point) in points.iter().enumerate() {
        let Some(point) = point else { continue };
        let _ = write!(
            page,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.6\"><title>{} {}: {}</title></circle>",
            x(at),
            y(point.mean),
            text(&sweep.field),
            text(&sweep.points[at].0),
            number(point.mean)
        );
    }
    page.push_str("</g>");
    let step = (points.len() / 6).max(1);
    for at in (0..points.len()).step_by(step) {
        let _ = write!(
            page,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(at),
            FLOOR + 16.0,
            text(&sweep.points[at].0)
        );
    }
    page.push_str("</svg></figure>\n");
}

fn table(page: &mut String, sweep: &Sweep) {
    let Some((_, first)) = sweep.points.first() else { return };
    let _ = write!(
        page,
        "<details><summary>All averages as a table</summary><div class=\"wide\"><table><thead><tr><th scope=\"col\">{}</th><th scope=\"col\">made</th><th scope=\"col\">first try</th>",
        text(&sweep.field)
    );
    for metric in &first.metrics {
        let _ = write!(page, "<th scope=\"col\">{}</th>", text(&metric.name));
    }
    page.push_str("</tr></thead><tbody>");
    for (value, found) in &sweep.points {
        let _ = write!(
            page,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td>",
            text(value),
            percent(found.maps, found.seeds),
            percent(found.first_try, found.seeds)
        );
        for metric in &first.metrics {
            let mean = found.metric(&metric.name).filter(|metric| metric.histogram.maps() > 0);
            let _ = write!(
                page,
                "<td>{}</td>",
                mean.map_or_else(|| "–".into(), |metric| number(metric.histogram.mean()))
            );
        }
        page.push_str("</tr>");
    }
    page.push_str("</tbody></table></div></details>\n");
}

/// The next of 1, 2, 5, 10, 20, ... and of their tenths and hundredths.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|step| step * power)
        .find(|&step| step >= least * 0.999)
        .unwrap_or(10.0 * power)
}

/// A number on an axis, without zeros at its end.
fn tick_label(value: f64) -> String {
    let label = number((value * 1e6).round() / 1e6);
    match label.contains('.') {
        true => label.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let steps = [0.3, 1.0, 2.3, 7.0, 140.0, 0.012].map(round_step);
        let wanted = [0.5, 1.0, 5.0, 10.0, 200.0, 0.02];
        assert!(steps.iter().zip(wanted).all(|(step, wanted)| (step - wanted).abs() < 1e-9), "{steps:?}");
        assert_eq!(
            [tick_label(12.5), tick_label(0.30000000000000004), tick_label(1200.0)],
            ["12.5", "0.3", "1,200"]
        );
    }
}
