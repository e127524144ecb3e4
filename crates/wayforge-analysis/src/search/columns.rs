//! Metrics of many maps as columns.

use crate::search::span::{Block, Span};
use crate::search::waves::each;
use crate::search::worker::Worker;
use wayforge::AnySpec;
use wayforge::metric::Term;

/// Metrics of many maps: one column a term, one row a seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// The seeds.
    pub seeds: Vec<u64>,
    /// Whether the seed has a map; where it has none, its metrics are 0.
    pub made: Vec<bool>,
    /// The metrics, a column for each term.
    pub values: Vec<Vec<i64>>,
}

/// Makes the map of every seed of a span and reads `terms` off it, on all threads of the pool it is called in.
///
/// * **Complexity.** Twelve bytes and more a seed: bound the span.
/// * **Determinism.** Rows stand in the order of their seeds, whatever the threads.
///
/// ```
/// use wayforge::Family;
/// use wayforge_analysis::search::{Span, columns};
/// use wayforge::AnySpec;
/// let subject = AnySpec::from_json(Family::Floor, b"{}")?;
/// let path = subject.catalogue().terms().next().unwrap();
/// let table = columns(&subject, Span::from(1).take(1000), &[path]);
/// assert_eq!((table.seeds.len(), table.values[0].len()), (1000, 1000));
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub fn columns(subject: &AnySpec, span: Span, terms: &[Term]) -> Columns {
    let measure = |worker: &mut Worker, block| Columns::measure(worker, block, terms);
    let parts = each(subject, span.blocks().collect(), 1, measure);
    let mut whole = Columns::new(terms.len(), 0);
    parts.into_iter().for_each(|part| whole.append(part));
    whole
}

impl Columns {
    /// No rows yet of so many terms, with room for some.
    pub fn new(terms: usize, rows: usize) -> Columns {
        Columns {
            seeds: Vec::with_capacity(rows),
            made: Vec::with_capacity(rows),
            values: (0..terms).map(|_| Vec::with_capacity(rows)).collect(),
        }
    }

    /// The rows of one block, by one worker.
    pub fn measure(worker: &mut Worker, block: Block, terms: &[Term]) -> Columns {
        let mut part = Columns::new(terms.len(), block.len() as usize);
        let mut row = vec![0; terms.len()];
        for seed in block.seeds() {
            let made = worker.measure(seed.clone(), terms, &mut row);
            part.seeds.push(seed.number());
            part.made.push(made);
            let values = part.values.iter_mut().zip(&row);
            values.for_each(|(column, &value)| column.push(if made { value } else { 0 }));
        }
        part
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.seeds.len()
    }

    /// How many rows have a map.
    pub fn maps(&self) -> u64 {
        self.made.iter().filter(|&&made| made).count() as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.seeds.is_empty()
    }

    /// Takes all rows away and keeps their memory.
    pub fn clear(&mut self) {
        self.seeds.clear();
        self.made.clear();
        self.values.iter_mut().for_each(Vec::clear);
    }

    /// Puts rows after those that are there.
    pub fn append(&mut self, mut part: Columns) {
        self.seeds.append(&mut part.seeds);
        self.made.append(&mut part.made);
        for (column, rest) in self.values.iter_mut().zip(&mut part.values) {
            column.append(rest);
        }
    }
}
