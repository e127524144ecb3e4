//! Which pairs of values two metrics have: the expressive range, with seeds to look at.

use std::collections::{BTreeMap, BTreeSet};
use wayforge::metric::Term;

/// The most values of one metric that are told apart.
const MAX: usize = 256;
/// How many maps of a pair of values are kept to be looked at: the first ones.
pub const SAMPLES: usize = 4;

/// How often pairs of values of two metrics were met, and by which maps first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The metric across.
    pub x: Term,
    /// The metric upwards.
    pub y: Term,
    shifts: [u32; 2],
    seen: [BTreeSet<i64>; 2],
    cells: BTreeMap<[i64; 2], Cell>,
}

/// One pair of values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// How often it was met.
    pub count: u64,
    /// The first maps that have it, by their places among the seeds.
    pub places: Vec<u64>,
}

impl Cell {
    /// Takes another one's maps as well.
    pub fn merge(&mut self, other: &Cell) {
        self.count += other.count;
        self.places.extend(&other.places);
        self.places.sort_unstable();
        self.places.dedup();
        self.places.truncate(SAMPLES);
    }
}

impl Joint {
    /// Nothing is counted yet.
    pub fn new(x: Term, y: Term) -> Joint {
        Joint { x, y, shifts: [0; 2], seen: Default::default(), cells: BTreeMap::new() }
    }

    /// Counts the map at a place.
    pub fn add(&mut self, values: [i64; 2], place: u64) {
        self.put(values, &Cell { count: 1, places: vec![place] });
    }

    /// Counts everything that another one has counted.
    pub fn merge(&mut self, other: &Joint) {
        for axis in 0..2 {
            self.coarsen(axis, other.shifts[axis]);
        }
        for (values, cell) in other.cells() {
            self.put(values, cell);
        }
    }

    /// Pairs of values and what was met there, in order. Of values that are counted together, the first.
    pub fn cells(&self) -> impl Iterator<Item = ([i64; 2], &Cell)> {
        let [a, b] = self.shifts;
        self.cells.iter().map(move |(&[x, y], cell)| ([x << a, y << b], cell))
    }

    /// How many neighbouring values of each metric are counted together.
    pub fn widths(&self) -> [i64; 2] {
        self.shifts.map(|shift| 1_i64.checked_shl(shift).unwrap_or(i64::MAX))
    }

    fn put(&mut self, values: [i64; 2], cell: &Cell) {
        let key = [values[0] >> self.shifts[0], values[1] >> self.shifts[1]];
        self.cells.entry(key).or_default().merge(cell);
        for (axis, value) in key.into_iter().enumerate() {
            self.seen[axis].insert(value);
            while self.seen[axis].len() > MAX {
                self.coarsen(axis, self.shifts[axis] + 1);
            }
        }
    }

    fn coarsen(&mut self, axis: usize, shift: u32) {
        let Some(more) = shift.checked_sub(self.shifts[axis]).filter(|&more| more > 0) else { return };
        self.shifts[axis] = shift;
        self.seen[axis] = self.seen[axis].iter().map(|value| value >> more).collect();
        for (mut key, cell) in std::mem::take(&mut self.cells) {
            key[axis] >>= more;
            self.cells.entry(key).or_default().merge(&cell);
        }
    }
}
