//! Plots: the card with its caption, grid lines and labels; round numbers along an axis; values in equal steps.

use crate::report::words::{number, whole};
use crate::search::Histogram;
use maud::{Markup, Render, html};

/// The width of every plot.
pub(crate) const WIDTH: f64 = 340.0;

/// Where the drawing of a plot lies within its picture.
pub(crate) struct Chart {
    pub(crate) height: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) floor: f64,
}

impl Chart {
    /// How wide the drawing is.
    pub(crate) fn width(&self) -> f64 {
        WIDTH - self.left - self.right
    }

    /// Where a share of the height lies.
    pub(crate) fn y(&self, share: f64) -> f64 {
        self.floor - (self.floor - self.top) * share
    }

    /// The card: its caption and `legend` above the drawing. `aria` describes it for readers who do not see it.
    pub(crate) fn card(
        &self,
        [name, about, aria]: [&str; 3],
        [legend, drawing, below]: [Markup; 3],
    ) -> Markup {
        html! {
            figure.plot {
                figcaption { h3 { (name) } " " span { (about) } }
                (legend)
                svg viewBox={ "0 0 " (WIDTH) " " (self.height) } role="img" aria-label=(aria) { (drawing) }
                (below)
            }
        }
    }

    /// Grid lines at values from the first to the last of `ticks`, named on the left with `unit`.
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

    /// A label below the drawing.
    pub(crate) fn label(&self, class: Option<&str>, x: f64, anchor: &str, label: &str) -> Markup {
        text(class, x, self.floor + 16.0, anchor, label)
    }
}

/// The first and the last of a list of ticks, which has two or more.
pub(crate) fn ends(ticks: &[f64]) -> (f64, f64) {
    (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0))
}

/// A text in a picture.
pub(crate) fn text(class: Option<&str>, x: f64, y: f64, anchor: &str, words: impl Render) -> Markup {
    html! { text class=[class] x=(px(x)) y=(px(y)) text-anchor=(anchor) { (words) } }
}

/// A length in a picture, with one decimal.
pub(crate) fn px(length: f64) -> String {
    format!("{length:.1}")
}

/// So wide a letter of an axis is at most, and so tall a line of them, with room around it.
const LETTER: f64 = 6.4;
const LINE: f64 = 14.0;

/// An axis from `low` to `high` with few round ticks; its ends are ticks.
pub(crate) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let step = round_step(((high - low) / 3.0).max(1e-3));
    let low = (low / step).floor() * step;
    let mut ticks = vec![low, low + step];
    while ticks.len() < 6 && ticks.last().is_some_and(|&tick| tick < high - step * 1e-6) {
        ticks.push(low + step * ticks.len() as f64);
    }
    ticks
}

/// A number on an axis, without zeros at its end.
pub(crate) fn tick_label(value: f64) -> String {
    let label = number((value * 1e6).round() / 1e6);
    match label.contains('.') {
        true => label.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => label,
    }
}

/// The place of a label, its text, and whether it marks the end of an axis.
pub(crate) type Label = (f64, String, bool);

/// The direction of an axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    Across,
    Up,
}

/// How wide a label is at most.
pub(crate) fn width(label: &str) -> f64 {
    label.chars().count() as f64 * LETTER
}

/// Removes labels that lie over others. Those that mark an end stay.
pub(crate) fn apart(labels: Vec<Label>, axis: Axis) -> Vec<Label> {
    let half = |label: &str| match axis {
        Axis::Across => (width(label) + 6.0) / 2.0,
        Axis::Up => LINE / 2.0,
    };
    let (ends, rest): (Vec<Label>, Vec<Label>) = labels.into_iter().partition(|label| label.2);
    let mut kept: Vec<Label> = Vec::new();
    for label in ends.into_iter().chain(rest) {
        if kept.iter().all(|other| (other.0 - label.0).abs() >= half(&other.1) + half(&label.1)) {
            kept.push(label);
        }
    }
    kept.sort_by(|a, b| a.0.total_cmp(&b.0));
    kept
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

/// Equal steps of whole numbers. What lies before the first counts with the first, what lies after the last with the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bins {
    pub(crate) first: i128,
    pub(crate) width: i128,
    pub(crate) count: usize,
    /// Whether there are values before the first and after the last.
    pub(crate) beyond: [bool; 2],
}

impl Bins {
    /// At most `most` steps that show nearly all of what is counted: half a hundredth at each end may lie beyond.
    pub(crate) fn of(histograms: &[&Histogram], most: usize) -> Bins {
        let met: Vec<&&Histogram> = histograms.iter().filter(|histogram| histogram.maps() > 0).collect();
        let end = |pick: fn(i64, i64) -> i64, read: &dyn Fn(&Histogram) -> i64| {
            met.iter().map(|histogram| read(histogram)).reduce(pick).unwrap_or(0)
        };
        let (least, largest) = (end(i64::min, &Histogram::least), end(i64::max, &Histogram::most));
        let few = i128::from(largest) - i128::from(least) < most as i128;
        let low = if few { least } else { end(i64::min, &|histogram| histogram.percentile(5)) };
        let high = if few { largest } else { end(i64::max, &|histogram| histogram.percentile(995)) };
        let grain = met.iter().map(|histogram| i128::from(histogram.width())).max().unwrap_or(1);
        let room = i128::from(high) - i128::from(low) + 1;
        let mut width =
            if room <= most as i128 { 1 } else { round_up((room + most as i128 - 1) / most as i128) };
        width = (width + grain - 1) / grain * grain;
        let steps = |width: i128| {
            let first = i128::from(low).div_euclid(width) * width;
            (first, ((i128::from(high) - first) / width + 1) as usize)
        };
        if steps(width).1 > most {
            width *= 2;
        }
        let (first, count) = steps(width);
        let beyond = [i128::from(least) < first, i128::from(largest) >= first + width * count as i128];
        Bins { first, width, count, beyond }
    }

    /// The step of a value.
    pub(crate) fn at(&self, value: i64) -> usize {
        ((i128::from(value) - self.first).div_euclid(self.width)).clamp(0, self.count as i128 - 1) as usize
    }

    /// Whether a step is an end that has values beyond it.
    pub(crate) fn is_end(&self, at: usize) -> bool {
        (at == 0 && self.beyond[0]) || (at + 1 == self.count && self.beyond[1])
    }

    /// How many values of a histogram fall into each step.
    pub(crate) fn counts(&self, histogram: &Histogram) -> Vec<u64> {
        let mut counts = vec![0; self.count];
        histogram.bins().for_each(|(value, times)| counts[self.at(value)] += times);
        counts
    }

    /// What a step holds, in words.
    pub(crate) fn name(&self, at: usize) -> String {
        let low = self.first + self.width * at as i128;
        let high = low + self.width - 1;
        match (at == 0 && self.beyond[0], at + 1 == self.count && self.beyond[1]) {
            (true, _) => format!("up to {}", whole(high)),
            (_, true) => format!("{} and more", whole(low)),
            _ if low == high => whole(low),
            _ => format!("{} to {}", whole(low), whole(high)),
        }
    }

    /// Labels along an axis of so many pixels a step: where they stand in steps, what they say, and whether they mark an end that has
    /// values beyond it. They do not lie over each other.
    pub(crate) fn labels(&self, pixels: f64, most: usize, axis: Axis) -> Vec<Label> {
        let step = round_up((self.count as i128 + most as i128 - 1) / most as i128).max(1) as usize;
        let value = |at: usize| self.first + self.width * at as i128;
        // Where it can be, ticks stand at round numbers.
        let round = self.width * step as i128;
        let start = (0..step.min(self.count)).find(|&at| value(at).rem_euclid(round) == 0).unwrap_or(0);
        let last = self.count - 1;
        // A step of several values is named where it begins.
        let aside = if self.width == 1 { 0.5 } else { 0.0 };
        let mut labels: Vec<Label> = (start..self.count)
            .step_by(step)
            .filter(|&at| !self.is_end(at))
            .map(|at| (at as f64 + aside, whole(value(at)), false))
            .collect();
        if self.beyond[0] {
            labels.push((0.5, format!("≤ {}", whole(value(0) + self.width - 1)), true));
        }
        if self.beyond[1] {
            labels.push((last as f64 + 0.5, format!("≥ {}", whole(value(last))), true));
        }
        let placed = labels.into_iter().map(|(at, label, end)| (at * pixels, label, end)).collect();
        apart(placed, axis).into_iter().map(|(at, label, end)| (at / pixels, label, end)).collect()
    }
}

/// The next number of 1, 2, 5, 10, 20, ...
pub(crate) fn round_up(number: i128) -> i128 {
    let mut power = 1_i128;
    loop {
        for step in [1, 2, 5] {
            if step * power >= number {
                return step * power;
            }
        }
        power *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = i64>) -> Histogram {
        let mut histogram = Histogram::default();
        values.into_iter().for_each(|value| histogram.add(value, 1));
        histogram
    }

    #[test]
    fn every_value_is_in_a_step_and_steps_are_few() {
        let lists: [Vec<i64>; 6] = [
            vec![4],
            (0..7).collect(),
            (-500..3000).collect(),
            (0..2000).chain([1_000_000]).collect(),
            vec![i64::MIN, 0, i64::MAX],
            (0..40_000).map(|n| n * 3).collect(),
        ];
        for values in lists {
            let histogram = of(values.clone());
            let bins = Bins::of(&[&histogram], 30);
            assert!(bins.count <= 30, "{bins:?}");
            assert_eq!(bins.counts(&histogram).iter().sum::<u64>(), values.len() as u64);
            assert!(
                (0..bins.count).all(|at| !bins.name(at).is_empty())
                    && bins.labels(20.0, 6, Axis::Across).len() <= 8
            );
        }
        let tail = Bins::of(&[&of((0..2000).chain([1_000_000]))], 30);
        assert!(tail.beyond[1] && tail.name(tail.count - 1).ends_with(" and more") && !tail.beyond[0]);
        // Only the end that has values beyond it is marked.
        let labels = tail.labels(12.0, 5, Axis::Across);
        let marked: Vec<&str> = labels.iter().filter(|label| label.2).map(|label| label.1.as_str()).collect();
        assert!(marked.len() == 1 && marked[0].starts_with("≥ "), "{labels:?}");
        let plain = Bins::of(&[&of(3..9)], 30).labels(12.0, 6, Axis::Up);
        assert!(plain.iter().all(|label| !label.2) && plain[0].1 == "3", "{plain:?}");
        let (small, large) = (of(0..5), of(100..120));
        let both = Bins::of(&[&small, &large], 30);
        assert_eq!(both.counts(&small).iter().sum::<u64>() + both.counts(&large).iter().sum::<u64>(), 25);
        assert_eq!(Bins::of(&[&of(3..9)], 30), Bins { first: 3, width: 1, count: 6, beyond: [false; 2] });
    }

    #[test]
    fn steps_are_round() {
        let steps = [0.3, 1.0, 2.3, 7.0, 140.0, 0.012].map(round_step);
        let wanted = [0.5, 1.0, 5.0, 10.0, 200.0, 0.02];
        assert!(steps.iter().zip(wanted).all(|(step, wanted)| (step - wanted).abs() < 1e-9), "{steps:?}");
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
    fn labels_keep_apart_and_firm_ones_stay() {
        let labels = [0.0, 10.0, 60.0, 75.0].map(|at| (at, "100".to_owned(), at == 75.0)).to_vec();
        let kept = apart(labels.clone(), Axis::Across);
        assert_eq!(kept.iter().map(|label| label.0).collect::<Vec<_>>(), [0.0, 75.0]);
        let kept = apart(labels, Axis::Up);
        assert_eq!(kept.iter().map(|label| label.0).collect::<Vec<_>>(), [0.0, 60.0, 75.0]);
    }
}
