//! Exact histograms of metric values with a bounded number of bins.

use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of bins. Beyond it, neighbouring values are merged.
const MAX_BINS: usize = 1 << 14;

/// Frequency of each value, exact up to a maximum number of bins.
///
/// If there are too many values, bins of 2, 4, 8, ... neighbouring values are merged: the smallest
/// power of two that respects the limit. The result does not depend on the order of insertion.
///
/// # Examples
///
/// ```
/// use wayforge_analysis::search::Histogram;
/// let mut histogram = Histogram::default();
/// [3, 1, 2, 2].map(|value| histogram.add(value, 1));
/// assert_eq!((histogram.count(), histogram.mean(), histogram.percentile(500)), (4, 2.0, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Number of low bits dropped from each value; a bin has 2^shift values.
    shift: u32,
    counts: BTreeMap<i64, u64>,
    count: u64,
    sum: i128,
    min: i64,
    max: i64,
}

impl Histogram {
    /// Adds `times` occurrences of a value.
    pub fn add(&mut self, value: i64, times: u64) {
        if times == 0 {
            return;
        }
        let is_first = self.count == 0;
        self.min = if is_first { value } else { self.min.min(value) };
        self.max = if is_first { value } else { self.max.max(value) };
        self.count += times;
        self.sum = self.sum.saturating_add(i128::from(value) * i128::from(times));
        *self.counts.entry(value >> self.shift).or_default() += times;
        self.enforce_bin_limit();
    }

    /// Adds all values of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        if other.count == 0 {
            return;
        }
        let is_first = self.count == 0;
        self.min = if is_first { other.min } else { self.min.min(other.min) };
        self.max = if is_first { other.max } else { self.max.max(other.max) };
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.coarsen(other.shift);
        for (&value, &times) in &other.counts {
            *self.counts.entry(value >> (self.shift - other.shift)).or_default() += times;
        }
        self.enforce_bin_limit();
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the smallest value, or 0 if the histogram is empty.
    pub fn min(&self) -> i64 {
        self.min
    }

    /// Returns the largest value, or 0 if the histogram is empty.
    pub fn max(&self) -> i64 {
        self.max
    }

    /// Returns true if all values are equal, or if there are none.
    pub fn is_constant(&self) -> bool {
        self.min == self.max
    }

    /// Returns the mean, or 0 if the histogram is empty.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// Returns the standard deviation of the binned values.
    pub fn std_deviation(&self) -> f64 {
        if self.count == 0 || self.is_constant() {
            return 0.0;
        }
        let mean = self.bins().map(|(value, times)| value as f64 * times as f64).sum::<f64>()
            / self.count as f64;
        let squares = self.bins().map(|(value, times)| {
            let difference = value as f64 - mean;
            difference * difference * times as f64
        });
        (squares.sum::<f64>() / self.count as f64).sqrt()
    }

    /// Returns the smallest value that `thousandths` per mille of all values do not exceed. If
    /// values were merged, returns the smallest value of its bin.
    pub fn percentile(&self, thousandths: u64) -> i64 {
        let target = u128::from(self.count) * u128::from(thousandths);
        let mut seen = 0_u128;
        for (value, times) in self.bins() {
            seen += u128::from(times) * 1000;
            if seen >= target {
                return value.clamp(self.min, self.max);
            }
        }
        self.max
    }

    /// Returns the number of neighbouring values per bin; 1 unless values were merged.
    pub fn bin_width(&self) -> i64 {
        1_i64.checked_shl(self.shift).unwrap_or(i64::MAX)
    }

    /// Returns the bins in ascending order: the smallest value of the bin and its frequency.
    pub fn bins(&self) -> impl Iterator<Item = (i64, u64)> {
        self.counts.iter().map(|(&value, &times)| (value << self.shift, times))
    }

    /// Returns the Kolmogorov-Smirnov distance as an exact fraction: the largest difference between
    /// the two cumulative distribution functions.
    ///
    /// The distance is 0 for equal distributions and 1 for disjoint ones. An empty histogram is at
    /// distance 1 from a non-empty one.
    pub fn kolmogorov_distance(&self, other: &Histogram) -> (u128, u128) {
        if self.count == 0 || other.count == 0 {
            return (u128::from(self.count != other.count), 1);
        }
        let (mut a, mut b) = (self.clone(), other.clone());
        a.coarsen(b.shift);
        b.coarsen(a.shift);
        let (na, nb) = (u128::from(a.count), u128::from(b.count));
        let values: BTreeSet<&i64> = a.counts.keys().chain(b.counts.keys()).collect();
        let (mut below_a, mut below_b, mut distance) = (0_u128, 0_u128, 0_u128);
        for value in values {
            below_a += u128::from(a.counts.get(value).copied().unwrap_or(0));
            below_b += u128::from(b.counts.get(value).copied().unwrap_or(0));
            distance = distance.max((below_a * nb).abs_diff(below_b * na));
        }
        (distance, na * nb)
    }

    fn coarsen(&mut self, shift: u32) {
        let Some(more) = shift.checked_sub(self.shift).filter(|&more| more > 0) else { return };
        let mut counts = BTreeMap::new();
        for (&value, &times) in &self.counts {
            *counts.entry(value >> more).or_default() += times;
        }
        (self.shift, self.counts) = (shift, counts);
    }

    fn enforce_bin_limit(&mut self) {
        while self.counts.len() > MAX_BINS {
            self.coarsen(self.shift + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_bins_do_not_depend_on_insertion_order() {
        let values: Vec<i64> =
            (0..3 * MAX_BINS as i64).map(|n| n * 7919 % 1_000_003 - 500_000).collect();
        let (mut up, mut down) = (Histogram::default(), Histogram::default());
        values.iter().for_each(|&value| up.add(value, 1));
        let parts: Vec<Histogram> = values
            .chunks(1000)
            .map(|part| {
                let mut histogram = Histogram::default();
                part.iter().for_each(|&value| histogram.add(value, 1));
                histogram
            })
            .collect();
        parts.iter().rev().for_each(|part| down.merge(part));
        assert_eq!(up, down);
        assert!(up.bin_width() > 1 && up.bins().count() <= MAX_BINS);
        assert_eq!(up.bins().map(|(_, times)| times).sum::<u64>(), values.len() as u64);
        assert_eq!(up.min(), *values.iter().min().unwrap());
        assert_eq!(up.mean(), values.iter().sum::<i64>() as f64 / values.len() as f64);
    }

    #[test]
    fn kolmogorov_distance_equals_direct_counting() {
        let histogram_of = |values: &[i64]| {
            let mut histogram = Histogram::default();
            values.iter().for_each(|&value| histogram.add(value, 1));
            histogram
        };
        let (a, b) = (histogram_of(&[1, 2, 3, 4]), histogram_of(&[3, 4, 5, 6]));
        // At 2 the cumulative shares are 2/4 and 0/4.
        assert_eq!(a.kolmogorov_distance(&b), (8, 16));
        assert_eq!(a.kolmogorov_distance(&a).0, 0);
        assert_eq!(histogram_of(&[1]).kolmogorov_distance(&histogram_of(&[2, 2])), (2, 2));
        assert_eq!(
            (
                histogram_of(&[]).kolmogorov_distance(&a),
                histogram_of(&[]).kolmogorov_distance(&histogram_of(&[]))
            ),
            ((1, 1), (0, 1))
        );
        assert_eq!(
            (a.percentile(0), a.percentile(250), a.percentile(251), a.percentile(1000)),
            (1, 1, 2, 4)
        );
        assert_eq!(histogram_of(&[2, 4]).std_deviation(), 1.0);
        let wide = histogram_of(&[i64::MIN, i64::MAX, 0]);
        assert!(wide.mean().is_finite() && wide.std_deviation().is_finite());
    }
}
