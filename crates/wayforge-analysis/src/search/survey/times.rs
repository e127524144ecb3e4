//! Generation times. The only part of a survey that depends on a clock.

use super::Histogram;
use std::time::Duration;

/// Distribution of generation times. Not deterministic, so it is separate from
/// [`SurveyResults`](super::SurveyResults).
#[derive(Clone, Debug, Default)]
pub struct GenerationTimes {
    /// Logarithmic bins of 1/8 octave, starting at one nanosecond.
    bins: Histogram,
    max: u64,
    sum: u128,
}

impl GenerationTimes {
    /// Adds the time of one seed.
    pub fn add(&mut self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.bins.add(((nanos.max(1) as f64).log2() * 8.0) as i64, 1);
        self.max = self.max.max(nanos);
        self.sum += u128::from(nanos);
    }

    pub(super) fn merge(&mut self, other: &GenerationTimes) {
        self.bins.merge(&other.bins);
        self.max = self.max.max(other.max);
        self.sum += other.sum;
    }

    /// Returns the time in nanoseconds that `thousandths` per mille of the seeds did not exceed,
    /// rounded up to 1/8 octave.
    pub fn percentile(&self, thousandths: u64) -> f64 {
        let bin = self.bins.percentile(thousandths);
        ((bin as f64 + 1.0) / 8.0).exp2().min(self.max as f64)
    }

    /// Returns the maximum in nanoseconds.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// Returns the mean in nanoseconds.
    pub fn mean(&self) -> f64 {
        if self.count() == 0 { 0.0 } else { self.sum as f64 / self.count() as f64 }
    }

    /// Returns the number of timed seeds, with or without a map.
    pub fn count(&self) -> u64 {
        self.bins.count()
    }
}
