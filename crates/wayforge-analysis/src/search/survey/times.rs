//! How long the generation of maps took: the only thing here that a clock says.

use super::Histogram;
use std::time::Duration;

/// How long maps took to generate. No two runs are alike, so it stands apart from everything else.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// Bins of an eighth of an octave, from a nanosecond on.
    bins: Histogram,
    most: u64,
    sum: u128,
}

impl Times {
    pub(super) fn add(&mut self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.bins.add(((nanos.max(1) as f64).log2() * 8.0) as i64, 1);
        self.most = self.most.max(nanos);
        self.sum += u128::from(nanos);
    }

    pub(super) fn merge(&mut self, other: &Times) {
        self.bins.merge(&other.bins);
        self.most = self.most.max(other.most);
        self.sum += other.sum;
    }

    /// The time that so many thousandths of maps did not exceed, in nanoseconds, to an eighth of an octave.
    pub fn percentile(&self, thousandths: u64) -> f64 {
        let bin = self.bins.percentile(thousandths);
        ((bin as f64 + 1.0) / 8.0).exp2().min(self.most as f64)
    }

    /// The longest, in nanoseconds.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The average, in nanoseconds.
    pub fn mean(&self) -> f64 {
        if self.maps() == 0 { 0.0 } else { self.sum as f64 / self.maps() as f64 }
    }

    /// How many maps were generated.
    pub fn maps(&self) -> u64 {
        self.bins.maps()
    }
}
