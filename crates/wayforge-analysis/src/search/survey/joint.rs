//! Joint histograms of two metrics (expressive range analysis, Smith & Whitehead 2010), with sample
//! seeds.

use std::collections::{BTreeMap, BTreeSet};
use wayforge::metric::Term;

/// Maximum number of distinct values per axis.
const MAX_VALUES: usize = 256;
/// Maximum number of sample maps per cell.
pub const MAX_SAMPLES: usize = 4;

/// Frequency of each pair of values of two metrics, with the first maps of each pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointHistogram {
    /// Metric on the horizontal axis.
    pub x: Term,
    /// Metric on the vertical axis.
    pub y: Term,
    shifts: [u32; 2],
    values: [BTreeSet<i64>; 2],
    cells: BTreeMap<[i64; 2], JointCell>,
}

/// One cell of a joint histogram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JointCell {
    /// Number of maps.
    pub count: u64,
    /// Offsets of the first maps of this cell from the first seed of the survey.
    pub samples: Vec<u64>,
}

impl JointCell {
    /// Adds the maps of another cell.
    pub fn merge(&mut self, other: &JointCell) {
        self.count += other.count;
        self.samples.extend(&other.samples);
        self.samples.sort_unstable();
        self.samples.dedup();
        self.samples.truncate(MAX_SAMPLES);
    }
}

impl JointHistogram {
    /// Creates an empty histogram.
    pub fn new(x: Term, y: Term) -> JointHistogram {
        JointHistogram { x, y, shifts: [0; 2], values: Default::default(), cells: BTreeMap::new() }
    }

    /// Counts the map of the seed at an offset.
    pub fn add(&mut self, values: [i64; 2], offset: u64) {
        self.add_cell(values, &JointCell { count: 1, samples: vec![offset] });
    }

    /// Adds all counts of another histogram.
    pub fn merge(&mut self, other: &JointHistogram) {
        for axis in 0..2 {
            self.coarsen(axis, other.shifts[axis]);
        }
        for (values, cell) in other.cells() {
            self.add_cell(values, cell);
        }
    }

    /// Returns the cells in ascending order, each with the smallest values of its bins.
    pub fn cells(&self) -> impl Iterator<Item = ([i64; 2], &JointCell)> {
        let [a, b] = self.shifts;
        self.cells.iter().map(move |(&[x, y], cell)| ([x << a, y << b], cell))
    }

    /// Returns the number of neighbouring values per bin on each axis.
    pub fn bin_widths(&self) -> [i64; 2] {
        self.shifts.map(|shift| 1_i64.checked_shl(shift).unwrap_or(i64::MAX))
    }

    fn add_cell(&mut self, values: [i64; 2], cell: &JointCell) {
        let key = [values[0] >> self.shifts[0], values[1] >> self.shifts[1]];
        self.cells.entry(key).or_default().merge(cell);
        for (axis, value) in key.into_iter().enumerate() {
            self.values[axis].insert(value);
            while self.values[axis].len() > MAX_VALUES {
                self.coarsen(axis, self.shifts[axis] + 1);
            }
        }
    }

    fn coarsen(&mut self, axis: usize, shift: u32) {
        let Some(more) = shift.checked_sub(self.shifts[axis]).filter(|&more| more > 0) else {
            return;
        };
        self.shifts[axis] = shift;
        self.values[axis] = self.values[axis].iter().map(|value| value >> more).collect();
        for (mut key, cell) in std::mem::take(&mut self.cells) {
            key[axis] >>= more;
            self.cells.entry(key).or_default().merge(&cell);
        }
    }
}
