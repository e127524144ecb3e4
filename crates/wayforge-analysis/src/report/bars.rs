//! Distribution of a metric as a bar chart. A second configuration is an outline over the bars.

use crate::report::chart::{Axis, Bins, Chart, Label, WIDTH, ends, px, ticks};
use crate::report::frame::{heads, row};
use crate::report::side::Side;
use crate::report::text::{integer, number, percent};
use crate::search::{Histogram, MetricDistribution};
use maud::{Markup, Render, html};
use std::fmt::Write;

const CHART: Chart = Chart { height: 128.0, left: 40.0, right: 8.0, top: 9.0, bottom: 104.0 };
/// Gap in pixels between the bars and an end bar that also contains all values beyond it.
const GAP: f64 = 7.0;
/// Maximum number of bars.
const MAX_BARS: usize = 36;

/// Horizontal and vertical scale of the bars.
struct BarAxis {
    bins: Bins,
    step: f64,
    top: f64,
}

impl BarAxis {
    /// Returns the left and right edge of a bar in pixels. A gap separates end bars that also
    /// contain all values beyond them.
    fn edges(&self, bin: usize) -> [f64; 2] {
        let Bins { count, beyond, .. } = self.bins;
        let before = if beyond[0] && bin > 0 { GAP } else { 0.0 };
        let after = if beyond[1] && bin + 1 == count { GAP } else { 0.0 };
        let left = CHART.left + self.step * bin as f64 + before + after;
        [left, left + self.step]
    }

    fn y(&self, share: f64) -> f64 {
        CHART.y(share / self.top)
    }
}

/// Renders a card with the distribution of one metric on all sides that have it.
pub(crate) fn card(metric: &MetricDistribution, sides: &[Side<'_>]) -> Markup {
    let with_maps: Vec<(&Side<'_>, &Histogram)> = sides
        .iter()
        .filter_map(|side| Some((side, side.results.histogram(&metric.name)?)))
        .collect();
    let histograms: Vec<&Histogram> = with_maps.iter().map(|(_, histogram)| *histogram).collect();
    let bins = Bins::new(&histograms, MAX_BARS);
    let counts: Vec<Vec<u64>> = histograms.iter().map(|histogram| bins.counts(histogram)).collect();
    let share = |which: usize, bin: usize| {
        counts[which][bin] as f64 / histograms[which].count().max(1) as f64
    };
    let cells = (0..with_maps.len()).flat_map(|which| (0..bins.count).map(move |bin| (which, bin)));
    let max_share = cells.map(|(which, bin)| share(which, bin)).fold(0.0, f64::max).max(1e-5);
    let scale = ticks(0.0, max_share * 100.0);
    let gaps = bins.beyond.iter().filter(|beyond| **beyond).count() as f64 * GAP;
    let step = (CHART.width() - gaps) / bins.count as f64;
    let axis = BarAxis { bins, step, top: ends(&scale).1 / 100.0 };
    let gap = if step > 4.0 { 1.0 } else { 0.0 };
    let shares = |bin: usize| {
        let shares = with_maps.iter().zip(&counts).map(|((side, histogram), counts)| {
            let share = percent(counts[bin], histogram.count());
            if sides.len() > 1 { format!("{share} of {}", side.name) } else { share }
        });
        shares.collect::<Vec<_>>().join(", ")
    };
    let label = |(position, label, end): Label| {
        let bin = (position as usize).min(bins.count - 1);
        let x = axis.edges(bin)[0] + axis.step * (position - bin as f64);
        // Labels that would cross the right edge are right-aligned to it.
        let half = label.chars().count() as f64 * 3.2;
        let (x, anchor) = if x + half > WIDTH { (WIDTH, "end") } else { (x, "middle") };
        CHART.label(end.then_some("end"), x, anchor, &label)
    };
    let drawing = html! {
        (CHART.grid(&scale, " %"))
        @for (which, (side, _)) in with_maps.iter().enumerate() {
            @if side.class == "first" {
                g.bars {
                    @for bin in (0..bins.count).filter(|&bin| counts[which][bin] > 0) {
                        @let [left, right] = axis.edges(bin);
                        @let height = (CHART.bottom - axis.y(share(which, bin))).max(0.8);
                        rect class=[axis.bins.is_end(bin).then_some("end")]
                            x=(px(left)) y=(px(CHART.bottom - height))
                            width=(px(right - left - gap)) height=(px(height)) {
                            title { (metric.name) " " (bins.describe(bin)) ": " (shares(bin)) }
                        }
                    }
                }
            } @else {
                (outline(&axis, |bin| share(which, bin)))
            }
        }
        path.axis d={ "M" (CHART.left) " " (CHART.bottom) "H" (WIDTH - CHART.right) } {}
        @for text in bins.labels(axis.step, 8, Axis::Horizontal) { (label(text)) }
    };
    let summaries: Vec<String> = with_maps
        .iter()
        .map(|(side, histogram)| summary(side, histogram, sides.len() > 1))
        .collect();
    let aria = format!("{} in {}: {}", metric.name, metric.unit, summaries.join("; "));
    let texts = [metric.name.as_str(), metric.description.as_str(), aria.as_str()];
    CHART.card(texts, [html! {}, drawing, statistics(metric.unit, &with_maps, sides)])
}

/// Renders the outline of a distribution. Ends with values beyond are separate paths.
fn outline(axis: &BarAxis, share: impl Fn(usize) -> f64) -> Markup {
    let bottom = CHART.bottom;
    let mut paths = [String::new(), String::new()];
    let is_end = |bin: &usize| axis.bins.is_end(*bin);
    let all: Vec<usize> = (0..axis.bins.count).collect();
    for run in all.chunk_by(|a, b| !is_end(a) && !is_end(b)) {
        let path = &mut paths[usize::from(is_end(&run[0]))];
        let _ = write!(path, "M{:.1} {bottom}", axis.edges(run[0])[0]);
        for &bin in run {
            let _ = write!(path, "V{:.1}H{:.1}", axis.y(share(bin)), axis.edges(bin)[1]);
        }
        let _ = write!(path, "V{bottom}");
    }
    let paths = ["other", "other end"].iter().zip(paths).filter(|(_, path)| !path.is_empty());
    html! {
        @for (class, path) in paths {
            path class=(class) d=(path) {}
        }
    }
}

/// Renders the statistics below a plot, one row per configuration.
fn statistics(unit: &str, with_maps: &[(&Side<'_>, &Histogram)], sides: &[Side<'_>]) -> Markup {
    html! {
        table.numbers {
            thead { tr { td {} (heads(["mean", "±", "min", "5 %", "50 %", "95 %", "max"])) } }
            tbody {
                @for (side, histogram) in with_maps {
                    @let name = if sides.len() > 1 { side.label(sides) } else { unit.render() };
                    @let [p5, p50, p95] = [50, 500, 950].map(|part| histogram.percentile(part));
                    @let parts = [histogram.min(), p5, p50, p95, histogram.max()];
                    @let numbers = [histogram.mean(), histogram.std_deviation()].map(number);
                    (row(name, numbers.into_iter().chain(parts.map(|part| integer(part.into())))))
                }
            }
        }
    }
}

fn summary(side: &Side<'_>, histogram: &Histogram, named: bool) -> String {
    let name = if named { format!("{} ", side.name) } else { String::new() };
    let [low, high] = [50, 950].map(|part| histogram.percentile(part));
    let (mean, min, max) = (number(histogram.mean()), histogram.min(), histogram.max());
    format!("{name}mean {mean}, 90 % from {low} to {high}, all from {min} to {max}")
}

/// Renders a percentage with a bar in the colour of its side.
pub(crate) fn share_bar(side: &Side<'_>, part: u64, all: u64) -> Markup {
    part_bar(side, part, all, &percent(part, all))
}

/// Renders a bar for a part of a whole in the colour of its side, with a label.
pub(crate) fn part_bar(side: &Side<'_>, part: u64, all: u64, label: &str) -> Markup {
    bar(Some(side), if all == 0 { 0.0 } else { part as f64 / all as f64 }, label)
}

/// Renders a bar for a share, with a label.
pub(crate) fn bar(side: Option<&Side<'_>>, share: f64, label: &str) -> Markup {
    let class = side.map_or_else(|| "bar".to_owned(), |side| format!("bar {}", side.class));
    let width = format!("width:{:.2}%", share * 100.0);
    html! { span class=(class) aria-hidden="true" { i style=(width) {} } " " (label) }
}
