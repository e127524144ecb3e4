//! How a metric is distributed, as bars; of a second configuration, as a line over them.

use crate::report::chart::{Axis, Bins, Chart, Label, WIDTH, ends, px, ticks};
use crate::report::frame::{heads, row};
use crate::report::side::Side;
use crate::report::words::{number, percent, whole};
use crate::search::{Histogram, Measured};
use maud::{Markup, Render, html};
use std::fmt::Write;

const CHART: Chart = Chart { height: 128.0, left: 40.0, right: 8.0, top: 9.0, floor: 104.0 };
/// What lies between the bars and one that stands for everything beyond them.
const GAP: f64 = 7.0;
/// The most bars of a plot.
const BARS: usize = 36;

/// Where bars stand.
struct BarAxis {
    bins: Bins,
    step: f64,
    top: f64,
}

impl BarAxis {
    /// Where a step begins, and where the one before it ends: they differ beside an end that has values beyond it.
    fn ends(&self, at: usize) -> [f64; 2] {
        let Bins { count, beyond, .. } = self.bins;
        let before = if beyond[0] && at > 0 { GAP } else { 0.0 };
        let after = if beyond[1] && at + 1 == count { GAP } else { 0.0 };
        let left = CHART.left + self.step * at as f64 + before + after;
        [left, left + self.step]
    }

    fn y(&self, share: f64) -> f64 {
        CHART.y(share / self.top)
    }
}

/// A card with the distribution of one metric on all sides that have it.
pub(crate) fn card(metric: &Measured, sides: &[Side<'_>]) -> Markup {
    let met: Vec<(&Side<'_>, &Histogram)> =
        sides.iter().filter_map(|side| Some((side, side.found.histogram(&metric.name)?))).collect();
    let histograms: Vec<&Histogram> = met.iter().map(|(_, histogram)| *histogram).collect();
    let bins = Bins::of(&histograms, BARS);
    let counts: Vec<Vec<u64>> = histograms.iter().map(|histogram| bins.counts(histogram)).collect();
    let share = |which: usize, at: usize| counts[which][at] as f64 / histograms[which].maps().max(1) as f64;
    let most = (0..met.len()).flat_map(|which| (0..bins.count).map(move |at| (which, at)));
    let most = most.map(|(which, at)| share(which, at)).fold(0.0, f64::max).max(1e-5);
    let scale = ticks(0.0, most * 100.0);
    let gaps = bins.beyond.iter().filter(|beyond| **beyond).count() as f64 * GAP;
    let step = (CHART.width() - gaps) / bins.count as f64;
    let axis = BarAxis { bins, step, top: ends(&scale).1 / 100.0 };
    let gap = if step > 4.0 { 1.0 } else { 0.0 };
    let shares = |at: usize| {
        let shares = met.iter().zip(&counts).map(|((side, histogram), counts)| {
            let share = percent(counts[at], histogram.maps());
            if sides.len() > 1 { format!("{share} of {}", side.name) } else { share }
        });
        shares.collect::<Vec<_>>().join(", ")
    };
    let label = |(at, label, end): Label| {
        let step = (at as usize).min(bins.count - 1);
        let x = axis.ends(step)[0] + axis.step * (at - step as f64);
        // A label that would stand out over an edge is put inside.
        let half = label.chars().count() as f64 * 3.2;
        let (x, anchor) = if x + half > WIDTH { (WIDTH, "end") } else { (x, "middle") };
        CHART.label(end.then_some("end"), x, anchor, &label)
    };
    let drawing = html! {
        (CHART.grid(&scale, " %"))
        @for (which, (side, _)) in met.iter().enumerate() {
            @if side.class == "first" {
                g.bars {
                    @for at in (0..bins.count).filter(|&at| counts[which][at] > 0) {
                        @let [left, right] = axis.ends(at);
                        @let tall = (CHART.floor - axis.y(share(which, at))).max(0.8);
                        rect class=[axis.bins.is_end(at).then_some("end")] x=(px(left)) y=(px(CHART.floor - tall))
                            width=(px(right - left - gap)) height=(px(tall)) {
                            title { (metric.name) " " (bins.name(at)) ": " (shares(at)) }
                        }
                    }
                }
            } @else {
                (outline(&axis, |at| share(which, at)))
            }
        }
        path.axis d={ "M" (CHART.left) " " (CHART.floor) "H" (WIDTH - CHART.right) } {}
        @for one in bins.labels(axis.step, 8, Axis::Across) { (label(one)) }
    };
    let told: Vec<String> =
        met.iter().map(|(side, histogram)| told(side, histogram, sides.len() > 1)).collect();
    let aria = format!("{} in {}: {}", metric.name, metric.unit, told.join("; "));
    let texts = [metric.name.as_str(), metric.about.as_str(), aria.as_str()];
    CHART.card(texts, [html! {}, drawing, numbers(metric.unit, &met, sides)])
}

/// The outline of a distribution; ends that have values beyond them stand apart.
fn outline(axis: &BarAxis, share: impl Fn(usize) -> f64) -> Markup {
    let floor = CHART.floor;
    let mut paths = [String::new(), String::new()];
    let is_end = |at: &usize| axis.bins.is_end(*at);
    let all: Vec<usize> = (0..axis.bins.count).collect();
    for run in all.chunk_by(|a, b| !is_end(a) && !is_end(b)) {
        let path = &mut paths[usize::from(is_end(&run[0]))];
        let _ = write!(path, "M{:.1} {floor}", axis.ends(run[0])[0]);
        for &at in run {
            let _ = write!(path, "V{:.1}H{:.1}", axis.y(share(at)), axis.ends(at)[1]);
        }
        let _ = write!(path, "V{floor}");
    }
    html! {
        @for (class, path) in ["other", "other end"].iter().zip(paths).filter(|(_, path)| !path.is_empty()) {
            path class=(class) d=(path) {}
        }
    }
}

/// The numbers behind a plot, one row for each configuration.
fn numbers(unit: &str, met: &[(&Side<'_>, &Histogram)], sides: &[Side<'_>]) -> Markup {
    html! {
        table.numbers {
            thead { tr { td {} (heads(["mean", "±", "least", "5 %", "50 %", "95 %", "most"])) } }
            tbody {
                @for (side, met) in met {
                    @let name = if sides.len() > 1 { side.label(sides) } else { unit.render() };
                    @let parts = [met.least(), met.percentile(50), met.percentile(500), met.percentile(950), met.most()];
                    @let numbers = [met.mean(), met.deviation()].map(number);
                    (row(name, numbers.into_iter().chain(parts.map(|part| whole(part.into())))))
                }
            }
        }
    }
}

fn told(side: &Side<'_>, histogram: &Histogram, named: bool) -> String {
    let name = if named { format!("{} ", side.name) } else { String::new() };
    let [low, high] = [50, 950].map(|part| histogram.percentile(part));
    let (mean, least, most) = (number(histogram.mean()), histogram.least(), histogram.most());
    format!("{name}{mean} on average, nine of ten from {low} to {high}, all from {least} to {most}")
}

/// A share in a table, with a bar beside it in the colour of its side.
pub(crate) fn share_bar(side: &Side<'_>, part: u64, all: u64) -> Markup {
    part_bar(side, part, all, &percent(part, all))
}

/// A bar for a part of something in the colour of its side, and words beside it.
pub(crate) fn part_bar(side: &Side<'_>, part: u64, all: u64, words: &str) -> Markup {
    bar(Some(side), if all == 0 { 0.0 } else { part as f64 / all as f64 }, words)
}

/// A bar for a share, and words beside it.
pub(crate) fn bar(side: Option<&Side<'_>>, share: f64, words: &str) -> Markup {
    let class = side.map_or_else(|| "bar".to_owned(), |side| format!("bar {}", side.class));
    html! {
        span class=(class) aria-hidden="true" { i style=(format!("width:{:.2}%", share * 100.0)) {} } " " (words)
    }
}
