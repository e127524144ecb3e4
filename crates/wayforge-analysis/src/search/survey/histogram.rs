//! How often each value of a metric was met.

use std::collections::{BTreeMap, BTreeSet};

/// The most values that are told apart; beyond, neighbouring ones are counted together.
const MAX: usize = 1 << 14;

/// How often each value was met, exactly, as long as there are not too many of them.
///
/// Values beyond the bound are counted together in twos, fours and so on, always the smallest power that keeps the bound: what comes out does
/// not depend on the order in which values were met.
///
/// ```
/// use wayforge_analysis::search::Histogram;
/// let mut histogram = Histogram::default();
/// [3, 1, 2, 2].map(|value| histogram.add(value, 1));
/// assert_eq!((histogram.maps(), histogram.mean(), histogram.percentile(500)), (4, 2.0, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Values are counted by what is left without these low bits.
    shift: u32,
    counts: BTreeMap<i64, u64>,
    maps: u64,
    sum: i128,
    least: i64,
    most: i64,
}

impl Histogram {
    /// Counts a value so many times.
    pub fn add(&mut self, value: i64, times: u64) {
        if times == 0 {
            return;
        }
        let fresh = self.maps == 0;
        self.least = if fresh { value } else { self.least.min(value) };
        self.most = if fresh { value } else { self.most.max(value) };
        self.maps += times;
        self.sum = self.sum.saturating_add(i128::from(value) * i128::from(times));
        *self.counts.entry(value >> self.shift).or_default() += times;
        self.keep_bound();
    }

    /// Counts everything that another one has counted.
    pub fn merge(&mut self, other: &Histogram) {
        if other.maps == 0 {
            return;
        }
        let fresh = self.maps == 0;
        self.least = if fresh { other.least } else { self.least.min(other.least) };
        self.most = if fresh { other.most } else { self.most.max(other.most) };
        self.maps += other.maps;
        self.sum = self.sum.saturating_add(other.sum);
        self.coarsen(other.shift);
        for (&value, &times) in &other.counts {
            *self.counts.entry(value >> (self.shift - other.shift)).or_default() += times;
        }
        self.keep_bound();
    }

    /// How many values were counted.
    pub fn maps(&self) -> u64 {
        self.maps
    }

    /// The least value; 0 if there is none.
    pub fn least(&self) -> i64 {
        self.least
    }

    /// The largest value; 0 if there is none.
    pub fn most(&self) -> i64 {
        self.most
    }

    /// Whether all values are the same.
    pub fn is_constant(&self) -> bool {
        self.least == self.most
    }

    /// The average.
    pub fn mean(&self) -> f64 {
        if self.maps == 0 { 0.0 } else { self.sum as f64 / self.maps as f64 }
    }

    /// The standard deviation, of values as they are counted.
    pub fn deviation(&self) -> f64 {
        if self.maps == 0 || self.is_constant() {
            return 0.0;
        }
        let middle =
            self.bins().map(|(value, times)| value as f64 * times as f64).sum::<f64>() / self.maps as f64;
        let squares = self.bins().map(|(value, times)| {
            let far = value as f64 - middle;
            far * far * times as f64
        });
        (squares.sum::<f64>() / self.maps as f64).sqrt()
    }

    /// The least value that so many thousandths of all do not exceed.
    pub fn percentile(&self, thousandths: u64) -> i64 {
        let wanted = u128::from(self.maps) * u128::from(thousandths);
        let mut seen = 0_u128;
        for (value, times) in self.bins() {
            seen += u128::from(times) * 1000;
            if seen >= wanted {
                return value.clamp(self.least, self.most);
            }
        }
        self.most
    }

    /// How many neighbouring values are counted together; 1 unless there are too many.
    pub fn width(&self) -> i64 {
        1_i64.checked_shl(self.shift).unwrap_or(i64::MAX)
    }

    /// Values and how often each was met, the least first. Of values that are counted together, the first.
    pub fn bins(&self) -> impl Iterator<Item = (i64, u64)> {
        self.counts.iter().map(|(&value, &times)| (value << self.shift, times))
    }

    /// The largest difference between the shares of values that do not exceed a bound, over all bounds (Kolmogorov's distance), as a
    /// fraction of whole numbers: 0 for equal distributions, 1 for ones that do not overlap. Nothing is as far as can be from something.
    pub fn distance(&self, other: &Histogram) -> (u128, u128) {
        if self.maps == 0 || other.maps == 0 {
            return (u128::from(self.maps != other.maps), 1);
        }
        let (mut a, mut b) = (self.clone(), other.clone());
        a.coarsen(b.shift);
        b.coarsen(a.shift);
        let (na, nb) = (u128::from(a.maps), u128::from(b.maps));
        let values: BTreeSet<&i64> = a.counts.keys().chain(b.counts.keys()).collect();
        let (mut below_a, mut below_b, mut far) = (0_u128, 0_u128, 0_u128);
        for value in values {
            below_a += u128::from(a.counts.get(value).copied().unwrap_or(0));
            below_b += u128::from(b.counts.get(value).copied().unwrap_or(0));
            far = far.max((below_a * nb).abs_diff(below_b * na));
        }
        (far, na * nb)
    }

    fn coarsen(&mut self, shift: u32) {
        let Some(more) = shift.checked_sub(self.shift).filter(|&more| more > 0) else { return };
        let mut counts = BTreeMap::new();
        for (&value, &times) in &self.counts {
            *counts.entry(value >> more).or_default() += times;
        }
        (self.shift, self.counts) = (shift, counts);
    }

    fn keep_bound(&mut self) {
        while self.counts.len() > MAX {
            self.coarsen(self.shift + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_values_are_counted_together_whatever_their_order() {
        let values: Vec<i64> = (0..3 * MAX as i64).map(|n| n * 7919 % 1_000_003 - 500_000).collect();
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
        assert!(up.width() > 1 && up.bins().count() <= MAX);
        assert_eq!(up.bins().map(|(_, times)| times).sum::<u64>(), values.len() as u64);
        assert_eq!(up.least(), *values.iter().min().unwrap());
        assert_eq!(up.mean(), values.iter().sum::<i64>() as f64 / values.len() as f64);
    }

    #[test]
    fn the_distance_is_that_of_plain_counting() {
        let of = |values: &[i64]| {
            let mut histogram = Histogram::default();
            values.iter().for_each(|&value| histogram.add(value, 1));
            histogram
        };
        let (a, b) = (of(&[1, 2, 3, 4]), of(&[3, 4, 5, 6]));
        // Up to 2 there are two of four, and none of four.
        assert_eq!(a.distance(&b), (8, 16));
        assert_eq!(a.distance(&a).0, 0);
        assert_eq!(of(&[1]).distance(&of(&[2, 2])), (2, 2));
        assert_eq!((of(&[]).distance(&a), of(&[]).distance(&of(&[]))), ((1, 1), (0, 1)));
        assert_eq!((a.percentile(0), a.percentile(250), a.percentile(251), a.percentile(1000)), (1, 1, 2, 4));
        assert_eq!(of(&[2, 4]).deviation(), 1.0);
        let wide = of(&[i64::MIN, i64::MAX, 0]);
        assert!(wide.mean().is_finite() && wide.deviation().is_finite());
    }
}
