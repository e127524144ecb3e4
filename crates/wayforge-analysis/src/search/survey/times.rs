//! How long the making of maps took: the only thing here that a clock says.

use std::time::Duration;

/// Bins of an eighth of an octave, from a nanosecond to centuries.
const BINS: usize = 64 * 8;

/// How long maps took to make. No two runs are alike, so it stands apart from everything else.
#[derive(Clone, Debug)]
pub struct Times {
    bins: Vec<u64>,
    maps: u64,
    most: u64,
    sum: u128,
}

impl Default for Times {
    fn default() -> Times {
        Times { bins: vec![0; BINS], maps: 0, most: 0, sum: 0 }
    }
}

impl Times {
    pub(super) fn add(&mut self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let bin = ((nanos.max(1) as f64).log2() * 8.0) as usize;
        self.bins[bin.min(BINS - 1)] += 1;
        self.maps += 1;
        self.most = self.most.max(nanos);
        self.sum += u128::from(nanos);
    }

    pub(super) fn merge(&mut self, other: &Times) {
        for (sum, more) in self.bins.iter_mut().zip(&other.bins) {
            *sum += more;
        }
        self.maps += other.maps;
        self.most = self.most.max(other.most);
        self.sum += other.sum;
    }

    /// The time that so many thousandths of maps did not exceed, in nanoseconds, to an eighth of an octave.
    pub fn percentile(&self, thousandths: u64) -> f64 {
        let wanted = u128::from(self.maps) * u128::from(thousandths);
        let mut seen = 0;
        for (bin, &times) in self.bins.iter().enumerate() {
            seen += u128::from(times) * 1000;
            if seen >= wanted && seen > 0 {
                return ((bin as f64 + 1.0) / 8.0).exp2().min(self.most as f64);
            }
        }
        self.most as f64
    }

    /// The longest, in nanoseconds.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The average, in nanoseconds.
    pub fn mean(&self) -> f64 {
        if self.maps == 0 { 0.0 } else { self.sum as f64 / self.maps as f64 }
    }

    /// How many maps were made.
    pub fn maps(&self) -> u64 {
        self.maps
    }
}
