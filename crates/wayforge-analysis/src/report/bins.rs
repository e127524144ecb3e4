//! Values in equal steps, as plots show them.

use crate::report::scale::{Way, apart};
use crate::search::Histogram;

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
        let mut first = i128::from(low).div_euclid(width) * width;
        let mut count = ((i128::from(high) - first) / width + 1) as usize;
        if count > most {
            width *= 2;
            first = i128::from(low).div_euclid(width) * width;
            count = ((i128::from(high) - first) / width + 1) as usize;
        }
        let beyond = [i128::from(least) < first, i128::from(largest) >= first + width * count as i128];
        Bins { first, width, count, beyond }
    }

    /// The step of a value.
    pub(crate) fn at(&self, value: i64) -> usize {
        ((i128::from(value) - self.first).div_euclid(self.width)).clamp(0, self.count as i128 - 1) as usize
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
        let whole = crate::report::words::whole;
        match (at == 0 && self.beyond[0], at + 1 == self.count && self.beyond[1]) {
            (true, _) => format!("up to {}", whole(high)),
            (_, true) => format!("{} and more", whole(low)),
            _ if low == high => whole(low),
            _ => format!("{} to {}", whole(low), whole(high)),
        }
    }

    /// Labels along an axis of so many pixels a step: where they stand in steps, what they say, and whether they mark an end that has
    /// values beyond it. They do not lie over each other.
    pub(crate) fn labels(&self, pixels: f64, most: usize, way: Way) -> Vec<(f64, String, bool)> {
        let whole = crate::report::words::whole;
        let step = round_up((self.count as i128 + most as i128 - 1) / most as i128).max(1) as usize;
        let value = |at: usize| self.first + self.width * at as i128;
        // Where it can be, ticks stand at round numbers.
        let round = self.width * step as i128;
        let start = (0..step.min(self.count)).find(|&at| value(at).rem_euclid(round) == 0).unwrap_or(0);
        let last = self.count - 1;
        let is_end = |at: usize| (at == 0 && self.beyond[0]) || (at == last && self.beyond[1]);
        // A step of several values is named where it begins.
        let aside = if self.width == 1 { 0.5 } else { 0.0 };
        let mut labels: Vec<(f64, String, bool)> = (start..self.count)
            .step_by(step)
            .filter(|&at| !is_end(at))
            .map(|at| (at as f64 + aside, whole(value(at)), false))
            .collect();
        if self.beyond[0] {
            labels.push((0.5, format!("≤ {}", whole(value(0) + self.width - 1)), true));
        }
        if self.beyond[1] {
            labels.push((last as f64 + 0.5, format!("≥ {}", whole(value(last))), true));
        }
        let placed = labels.into_iter().map(|(at, label, end)| (at * pixels, label, end)).collect();
        let kept = apart(placed, way, |end| *end);
        kept.into_iter().map(|(at, label, end)| (at / pixels, label, end)).collect()
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
                    && bins.labels(20.0, 6, Way::Across).len() <= 8
            );
        }
        let tail = Bins::of(&[&of((0..2000).chain([1_000_000]))], 30);
        assert!(tail.beyond[1] && tail.name(tail.count - 1).ends_with(" and more") && !tail.beyond[0]);
        // Only the end that has values beyond it is marked.
        let labels = tail.labels(12.0, 5, Way::Across);
        let marked: Vec<&str> = labels.iter().filter(|label| label.2).map(|label| label.1.as_str()).collect();
        assert!(marked.len() == 1 && marked[0].starts_with("≥ "), "{labels:?}");
        let plain = Bins::of(&[&of(3..9)], 30).labels(12.0, 6, Way::Up);
        assert!(plain.iter().all(|label| !label.2) && plain[0].1 == "3", "{plain:?}");
        let (small, large) = (of(0..5), of(100..120));
        let both = Bins::of(&[&small, &large], 30);
        assert_eq!(both.counts(&small).iter().sum::<u64>() + both.counts(&large).iter().sum::<u64>(), 25);
        assert_eq!(Bins::of(&[&of(3..9)], 30), Bins { first: 3, width: 1, count: 6, beyond: [false; 2] });
    }
}
