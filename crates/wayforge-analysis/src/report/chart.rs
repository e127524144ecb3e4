//! Chart layout: cards, grid lines, axis ticks, labels and bins.

use crate::report::text::{integer, number};
use crate::search::Histogram;
use maud::{Markup, Render, html};

/// Width of every plot in pixels.
pub(crate) const WIDTH: f64 = 340.0;

/// Position of the plot area within the SVG, in pixels.
pub(crate) struct Chart {
    pub(crate) height: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

impl Chart {
    /// Returns the width of the plot area.
    pub(crate) fn width(&self) -> f64 {
        WIDTH - self.left - self.right
    }

    /// Returns the y coordinate of a share (0 to 1) of the plot height.
    pub(crate) fn y(&self, share: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * share
    }

    /// Renders a card: caption, `legend`, drawing and the content below it. `aria` is the text
    /// alternative.
    pub(crate) fn card(
        &self,
        [name, description, aria]: [&str; 3],
        [legend, drawing, below]: [Markup; 3],
    ) -> Markup {
        html! {
            figure.plot {
                figcaption { h3 { (name) } " " span { (description) } }
                (legend)
                svg viewBox={ "0 0 " (WIDTH) " " (self.height) } role="img" aria-label=(aria) {
                    (drawing)
                }
                (below)
            }
        }
    }

    /// Renders horizontal grid lines at `ticks`, labelled with `unit` on the left.
    pub(crate) fn grid(&self, ticks: &[f64], unit: &str) -> Markup {
        let (low, high) = ends(ticks);
        html! {
            @for &value in ticks {
                @let y = self.y((value - low) / (high - low));
                path.grid d={ "M" (self.left) " " (px(y)) "H" (px(WIDTH - self.right)) } {}
                (text(None, self.left - 4.0, y + 4.0, "end", tick_label(value) + unit))
            }
        }
    }

    /// Renders a label below the plot area.
    pub(crate) fn label(&self, class: Option<&str>, x: f64, anchor: &str, label: &str) -> Markup {
        text(class, x, self.bottom + 16.0, anchor, label)
    }
}

/// Returns the first and the last tick, or 0 and 1 if there are none.
pub(crate) fn ends(ticks: &[f64]) -> (f64, f64) {
    (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0))
}

/// Renders SVG text.
pub(crate) fn text(
    class: Option<&str>,
    x: f64,
    y: f64,
    anchor: &str,
    content: impl Render,
) -> Markup {
    html! { text class=[class] x=(px(x)) y=(px(y)) text-anchor=(anchor) { (content) } }
}

/// Formats a coordinate with one decimal.
pub(crate) fn px(length: f64) -> String {
    format!("{length:.1}")
}

/// Maximum width of a character and height of a line in axis labels, in pixels.
const CHAR_WIDTH: f64 = 6.4;
const LINE_HEIGHT: f64 = 14.0;

/// Returns 2 to 6 evenly spaced round ticks that cover `low` to `high`.
pub(crate) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let step = round_step(((high - low) / 3.0).max(1e-3));
    let low = (low / step).floor() * step;
    let mut ticks = vec![low, low + step];
    while ticks.len() < 6 && ticks.last().is_some_and(|&tick| tick < high - step * 1e-6) {
        ticks.push(low + step * ticks.len() as f64);
    }
    ticks
}

/// Formats a tick without trailing zeros.
pub(crate) fn tick_label(value: f64) -> String {
    let label = number((value * 1e6).round() / 1e6);
    if label.contains('.') {
        label.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        label
    }
}

/// Position of a label, its text, and whether it marks the end of an axis.
pub(crate) type Label = (f64, String, bool);

/// Direction of an axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    Horizontal,
    Vertical,
}

/// Returns the maximum width of a label in pixels.
pub(crate) fn label_width(label: &str) -> f64 {
    label.chars().count() as f64 * CHAR_WIDTH
}

/// Removes overlapping labels. Labels that mark an end are kept.
pub(crate) fn remove_overlaps(labels: Vec<Label>, axis: Axis) -> Vec<Label> {
    let half = |label: &str| match axis {
        Axis::Horizontal => (label_width(label) + 6.0) / 2.0,
        Axis::Vertical => LINE_HEIGHT / 2.0,
    };
    let (ends, rest): (Vec<Label>, Vec<Label>) = labels.into_iter().partition(|label| label.2);
    let mut shown: Vec<Label> = Vec::new();
    for label in ends.into_iter().chain(rest) {
        if shown.iter().all(|other| (other.0 - label.0).abs() >= half(&other.1) + half(&label.1)) {
            shown.push(label);
        }
    }
    shown.sort_by(|a, b| a.0.total_cmp(&b.0));
    shown
}

/// Rounds up to 1, 2 or 5 times a power of ten.
fn round_step(min: f64) -> f64 {
    let power = 10_f64.powf(min.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|step| step * power)
        .find(|&step| step >= min * 0.999)
        .unwrap_or(10.0 * power)
}

/// Equal-width bins of integers. The first and last bin also contain all values beyond them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bins {
    pub(crate) first: i128,
    pub(crate) width: i128,
    pub(crate) count: usize,
    /// Whether there are values before the first and after the last bin.
    pub(crate) beyond: [bool; 2],
}

impl Bins {
    /// Creates at most `max_bins` bins that cover all values except up to half a percent at each
    /// end.
    pub(crate) fn new(histograms: &[&Histogram], max_bins: usize) -> Bins {
        let non_empty: Vec<&&Histogram> =
            histograms.iter().filter(|histogram| histogram.count() > 0).collect();
        let end = |pick: fn(i64, i64) -> i64, read: &dyn Fn(&Histogram) -> i64| {
            non_empty.iter().map(|histogram| read(histogram)).reduce(pick).unwrap_or(0)
        };
        let (min, max) = (end(i64::min, &Histogram::min), end(i64::max, &Histogram::max));
        let fits = i128::from(max) - i128::from(min) < max_bins as i128;
        let low = if fits { min } else { end(i64::min, &|histogram| histogram.percentile(5)) };
        let high = if fits { max } else { end(i64::max, &|histogram| histogram.percentile(995)) };
        let source_width =
            non_empty.iter().map(|histogram| i128::from(histogram.bin_width())).max().unwrap_or(1);
        let values = i128::from(high) - i128::from(low) + 1;
        let mut width = if values <= max_bins as i128 {
            1
        } else {
            round_up((values + max_bins as i128 - 1) / max_bins as i128)
        };
        width = (width + source_width - 1) / source_width * source_width;
        let layout = |width: i128| {
            let first = i128::from(low).div_euclid(width) * width;
            (first, ((i128::from(high) - first) / width + 1) as usize)
        };
        if layout(width).1 > max_bins {
            width *= 2;
        }
        let (first, count) = layout(width);
        let beyond = [i128::from(min) < first, i128::from(max) >= first + width * count as i128];
        Bins { first, width, count, beyond }
    }

    /// Returns the index of the bin of a value.
    pub(crate) fn index_of(&self, value: i64) -> usize {
        ((i128::from(value) - self.first).div_euclid(self.width)).clamp(0, self.count as i128 - 1)
            as usize
    }

    /// Returns true if the bin is at an end of the axis and also contains values beyond it.
    pub(crate) fn is_end(&self, bin: usize) -> bool {
        (bin == 0 && self.beyond[0]) || (bin + 1 == self.count && self.beyond[1])
    }

    /// Counts the values of a histogram in each bin.
    pub(crate) fn counts(&self, histogram: &Histogram) -> Vec<u64> {
        let mut counts = vec![0; self.count];
        histogram.bins().for_each(|(value, times)| counts[self.index_of(value)] += times);
        counts
    }

    /// Describes the values of a bin.
    pub(crate) fn describe(&self, bin: usize) -> String {
        let low = self.first + self.width * bin as i128;
        let high = low + self.width - 1;
        match (bin == 0 && self.beyond[0], bin + 1 == self.count && self.beyond[1]) {
            (true, _) => format!("up to {}", integer(high)),
            (_, true) => format!("{} and more", integer(low)),
            _ if low == high => integer(low),
            _ => format!("{} to {}", integer(low), integer(high)),
        }
    }

    /// Returns non-overlapping labels of an axis with `pixels` per bin and about `max` ticks.
    /// Positions are in bins.
    pub(crate) fn labels(&self, pixels: f64, max: usize, axis: Axis) -> Vec<Label> {
        let step = round_up((self.count as i128 + max as i128 - 1) / max as i128).max(1) as usize;
        let value = |bin: usize| self.first + self.width * bin as i128;
        // Prefer round numbers for ticks.
        let round = self.width * step as i128;
        let start =
            (0..step.min(self.count)).find(|&bin| value(bin).rem_euclid(round) == 0).unwrap_or(0);
        let last = self.count - 1;
        // A bin of several values is labelled at its start, a bin of one value at its middle.
        let shift = if self.width == 1 { 0.5 } else { 0.0 };
        let mut labels: Vec<Label> = (start..self.count)
            .step_by(step)
            .filter(|&bin| !self.is_end(bin))
            .map(|bin| (bin as f64 + shift, integer(value(bin)), false))
            .collect();
        if self.beyond[0] {
            labels.push((0.5, format!("≤ {}", integer(value(0) + self.width - 1)), true));
        }
        if self.beyond[1] {
            labels.push((last as f64 + 0.5, format!("≥ {}", integer(value(last))), true));
        }
        let placed =
            labels.into_iter().map(|(bin, label, end)| (bin * pixels, label, end)).collect();
        remove_overlaps(placed, axis)
            .into_iter()
            .map(|(position, label, end)| (position / pixels, label, end))
            .collect()
    }
}

/// Rounds up to 1, 2 or 5 times a power of ten.
pub(crate) fn round_up(number: i128) -> i128 {
    let power = 10_i128.pow(number.max(1).ilog10());
    [1, 2, 5]
        .into_iter()
        .map(|step| step * power)
        .find(|&step| step >= number)
        .unwrap_or(10 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram_of(values: impl IntoIterator<Item = i64>) -> Histogram {
        let mut histogram = Histogram::default();
        values.into_iter().for_each(|value| histogram.add(value, 1));
        histogram
    }

    #[test]
    fn bins_are_few_and_contain_every_value() {
        let lists: [Vec<i64>; 6] = [
            vec![4],
            (0..7).collect(),
            (-500..3000).collect(),
            (0..2000).chain([1_000_000]).collect(),
            vec![i64::MIN, 0, i64::MAX],
            (0..40_000).map(|n| n * 3).collect(),
        ];
        for values in lists {
            let histogram = histogram_of(values.clone());
            let bins = Bins::new(&[&histogram], 30);
            assert!(bins.count <= 30, "{bins:?}");
            assert_eq!(bins.counts(&histogram).iter().sum::<u64>(), values.len() as u64);
            assert!(
                (0..bins.count).all(|bin| !bins.describe(bin).is_empty())
                    && bins.labels(20.0, 6, Axis::Horizontal).len() <= 8
            );
        }
        let tail = Bins::new(&[&histogram_of((0..2000).chain([1_000_000]))], 30);
        assert!(
            tail.beyond[1]
                && tail.describe(tail.count - 1).ends_with(" and more")
                && !tail.beyond[0]
        );
        // Only the end with values beyond it is marked.
        let labels = tail.labels(12.0, 5, Axis::Horizontal);
        let marked: Vec<&str> =
            labels.iter().filter(|label| label.2).map(|label| label.1.as_str()).collect();
        assert!(marked.len() == 1 && marked[0].starts_with("≥ "), "{labels:?}");
        let plain = Bins::new(&[&histogram_of(3..9)], 30).labels(12.0, 6, Axis::Vertical);
        assert!(plain.iter().all(|label| !label.2) && plain[0].1 == "3", "{plain:?}");
        let (small, large) = (histogram_of(0..5), histogram_of(100..120));
        let both = Bins::new(&[&small, &large], 30);
        assert_eq!(
            both.counts(&small).iter().sum::<u64>() + both.counts(&large).iter().sum::<u64>(),
            25
        );
        assert_eq!(
            Bins::new(&[&histogram_of(3..9)], 30),
            Bins { first: 3, width: 1, count: 6, beyond: [false; 2] }
        );
    }

    #[test]
    fn ticks_are_round_numbers() {
        let steps = [0.3, 1.0, 2.3, 7.0, 140.0, 0.012].map(round_step);
        let expected = [0.5, 1.0, 5.0, 10.0, 200.0, 0.02];
        assert!(
            steps.iter().zip(expected).all(|(step, expected)| (step - expected).abs() < 1e-9),
            "{steps:?}"
        );
        assert_eq!(
            [tick_label(12.5), tick_label(0.30000000000000004), tick_label(1200.0)],
            ["12.5", "0.3", "1,200"]
        );
        let labels = |low, high| ticks(low, high).into_iter().map(tick_label).collect::<Vec<_>>();
        assert_eq!(labels(0.0, 23.0), ["0", "10", "20", "30"]);
        assert_eq!(labels(0.0, 100.0), ["0", "50", "100"]);
        assert_eq!(labels(3.0, 3.0).len(), 2);
        for (low, high) in [(0.0, 1e-9), (-40.0, 17.0), (0.0, 1e15), (99.2, 99.9)] {
            let ticks = ticks(low, high);
            assert!(
                ticks[0] <= low && *ticks.last().unwrap() >= high - 1e-9 && ticks.len() <= 6,
                "{ticks:?}"
            );
        }
    }

    #[test]
    fn overlapping_labels_are_removed_except_ends() {
        let labels = [0.0, 10.0, 60.0, 75.0].map(|at| (at, "100".to_owned(), at == 75.0)).to_vec();
        let shown = remove_overlaps(labels.clone(), Axis::Horizontal);
        assert_eq!(shown.iter().map(|label| label.0).collect::<Vec<_>>(), [0.0, 75.0]);
        let shown = remove_overlaps(labels, Axis::Vertical);
        assert_eq!(shown.iter().map(|label| label.0).collect::<Vec<_>>(), [0.0, 60.0, 75.0]);
    }
}
