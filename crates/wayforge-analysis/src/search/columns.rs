//! Metric tables in columnar form.

use crate::search::seed_range::{Block, SeedRange};
use crate::search::waves::map_blocks;
use crate::search::worker::Worker;
use wayforge::AnySpec;
use wayforge::metric::Term;

/// Metrics of many maps: one column per term, one row per seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Seed of each row.
    pub seeds: Vec<u64>,
    /// True if the seed has a map. If not, its metrics are 0.
    pub generated: Vec<bool>,
    /// One column of metric values per term.
    pub values: Vec<Vec<i64>>,
}

/// Generates the map of every seed in `range` and measures `terms`, on all threads of the current
/// Rayon pool.
///
/// # Complexity
/// O(seeds * terms) memory: 9 bytes per seed, plus 8 per seed and term. Bound the range.
///
/// # Determinism
/// Rows are in seed order, independent of the number of threads.
///
/// # Examples
///
/// ```
/// use wayforge::Family;
/// use wayforge_analysis::search::{SeedRange, measure_seeds};
/// use wayforge::AnySpec;
/// let spec = AnySpec::from_json(Family::Floor, b"{}")?;
/// let path = spec.catalogue().terms().next().unwrap();
/// let table = measure_seeds(&spec, SeedRange::from(1).take(1000), &[path]);
/// assert_eq!((table.seeds.len(), table.values[0].len()), (1000, 1000));
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub fn measure_seeds(spec: &AnySpec, range: SeedRange, terms: &[Term]) -> Columns {
    let measure = |worker: &mut Worker, block| Columns::measure(worker, block, terms);
    let parts = map_blocks(spec, range.blocks().collect(), 1, measure);
    let mut table = Columns::new(terms.len(), 0);
    parts.into_iter().for_each(|part| table.append(part));
    table
}

impl Columns {
    /// Creates an empty table for `terms` terms with capacity for `rows` rows.
    pub fn new(terms: usize, rows: usize) -> Columns {
        Columns {
            seeds: Vec::with_capacity(rows),
            generated: Vec::with_capacity(rows),
            values: (0..terms).map(|_| Vec::with_capacity(rows)).collect(),
        }
    }

    /// Measures the seeds of one block with one worker.
    pub fn measure(worker: &mut Worker, block: Block, terms: &[Term]) -> Columns {
        let mut part = Columns::new(terms.len(), block.len() as usize);
        let mut row = vec![0; terms.len()];
        for seed in block.seeds() {
            let has_map = worker.measure(seed.clone(), terms, &mut row);
            part.seeds.push(seed.number());
            part.generated.push(has_map);
            let values = part.values.iter_mut().zip(&row);
            values.for_each(|(column, &value)| column.push(if has_map { value } else { 0 }));
        }
        part
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.seeds.len()
    }

    /// Returns the number of rows whose seed has a map.
    pub fn maps(&self) -> u64 {
        self.generated.iter().filter(|&&generated| generated).count() as u64
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.seeds.is_empty()
    }

    /// Appends the rows of `part`.
    pub fn append(&mut self, mut part: Columns) {
        self.seeds.append(&mut part.seeds);
        self.generated.append(&mut part.generated);
        for (column, rest) in self.values.iter_mut().zip(&mut part.values) {
            column.append(rest);
        }
    }
}
