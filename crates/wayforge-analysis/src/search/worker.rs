//! Generates maps of one spec on one thread and evaluates them.

use std::borrow::Cow;
use std::time::{Duration, Instant};
use wayforge::metric::{Measure, Meter, MetricTargets, Query, Term};
use wayforge::{
    AnyGenerator, AnySpec, Document, GenerationError, GeneratorVisitor, MapGenerator, Seed,
};

/// Returns the number of seeds that one thread processes at a time: 1 if maps may be slow to
/// generate, otherwise 256. Divides [`BLOCK_LEN`](crate::search::BLOCK_LEN).
pub fn default_block_len(spec: &AnySpec) -> u64 {
    if spec.may_be_slow() { 1 } else { 256 }
}

/// Generates maps of one spec one after another and evaluates them. Reuses its memory.
pub struct Worker(AnyGenerator);

/// Function that is applied to a map of any family.
pub trait MapVisitor {
    /// Result of the function.
    type Output;

    /// Evaluates a map with the meter of its family.
    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) -> Self::Output;
}

impl Worker {
    /// Creates a worker for a spec.
    pub fn new(spec: &AnySpec) -> Worker {
        Worker(spec.generator())
    }

    /// Generates the map of a seed and applies `visitor` to it. Returns `None` if the seed has no
    /// map.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::{AnySpec, Family, Seed, metric::Measure};
    /// use wayforge_analysis::search::{MapVisitor, Worker};
    /// struct Nothing;
    /// impl MapVisitor for Nothing {
    ///     type Output = ();
    ///     fn visit<F: Measure>(&mut self, _: &mut F::Meter, _: &F) {}
    /// }
    /// let mut worker = Worker::new(&AnySpec::from_json(Family::Floor, b"{}")?);
    /// assert_eq!(worker.visit(Seed::new(1), &mut Nothing), Some(()));
    /// # Ok::<(), wayforge::GenerateError>(())
    /// ```
    #[inline]
    pub fn visit<V: MapVisitor>(&mut self, seed: Seed, visitor: &mut V) -> Option<V::Output> {
        struct VisitMap<'a, V>(Seed, &'a mut V);
        impl<V: MapVisitor> GeneratorVisitor for VisitMap<'_, V> {
            type Output = Option<V::Output>;

            #[inline]
            fn visit<F: Measure>(
                self,
                generator: &mut F::Generator,
                meter: &mut F::Meter,
            ) -> Option<V::Output> {
                generator.try_generate(self.0).map(|map| self.1.visit(meter, map))
            }
        }
        self.0.visit(VisitMap(seed, visitor))
    }

    /// Returns the document of the seed's map, or `None` if the seed has no map.
    pub fn document(&mut self, seed: Seed) -> Option<Document> {
        struct ToDocument;
        impl MapVisitor for ToDocument {
            type Output = Document;

            fn visit<F: Measure>(&mut self, _: &mut F::Meter, map: &F) -> Document {
                map.to_document()
            }
        }
        self.visit(seed, &mut ToDocument)
    }

    /// Like [`visit`](Self::visit), and records how the map was generated.
    pub(crate) fn visit_with_outcome<V: MapVisitor>(
        &mut self,
        seed: Seed,
        visitor: &mut V,
    ) -> (Option<V::Output>, Outcome) {
        struct VisitWithOutcome<'a, V>(Seed, &'a mut V);
        impl<V: MapVisitor> GeneratorVisitor for VisitWithOutcome<'_, V> {
            type Output = (Option<V::Output>, Outcome);

            fn visit<F: Measure>(
                self,
                generator: &mut F::Generator,
                meter: &mut F::Meter,
            ) -> Self::Output {
                let start = Instant::now();
                let generated = generator.generate(self.0);
                let mut outcome = Outcome {
                    time: start.elapsed(),
                    without_backtracking: true,
                    ..Outcome::default()
                };
                let (output, error) = match generated {
                    Ok(map) => (Some(self.1.visit(meter, map)), None),
                    Err(error) => (None, Some(error)),
                };
                generator.rejections(&mut |rule, attempts| outcome.add(rule, attempts));
                match error {
                    Some(error) if outcome.rejected.is_empty() => {
                        outcome.rejected.extend(
                            error.conflicts().into_iter().map(|rule| (Cow::Owned(rule), 1)),
                        );
                    }
                    Some(_) => {}
                    None => outcome.without_backtracking = generator.without_backtracking(),
                }
                outcome.repaired = generator.repaired_rule();
                (output, outcome)
            }
        }
        self.0.visit(VisitWithOutcome(seed, visitor))
    }

    /// Returns true if the seed has a map that matches `query`.
    #[inline]
    pub fn matches(&mut self, seed: Seed, query: &StagedQuery) -> bool {
        struct Matches<'a>(Seed, &'a StagedQuery);
        impl GeneratorVisitor for Matches<'_> {
            type Output = bool;

            #[inline]
            fn visit<F: Measure>(self, generator: &mut F::Generator, meter: &mut F::Meter) -> bool {
                let Matches(seed, StagedQuery { early, rest }) = self;
                let map = match early {
                    Some(early) => generator.generate_if(seed, |map| early.matches(meter, map)),
                    None => generator.try_generate(seed),
                };
                map.is_some_and(|map| rest.as_ref().is_none_or(|rest| rest.matches(meter, map)))
            }
        }
        self.0.visit(Matches(seed, query))
    }

    /// Returns the distance of the seed's map from `targets`, if there is a map.
    pub fn distance(&mut self, seed: Seed, targets: &MetricTargets) -> Option<u64> {
        self.visit(seed, &mut &*targets)
    }

    /// Reads metrics of the seed's map into `row`. Returns false, and leaves `row` unchanged, if
    /// the seed has no map.
    pub fn measure(&mut self, seed: Seed, terms: &[Term], row: &mut [i64]) -> bool {
        self.visit(seed, &mut (terms, row)).is_some()
    }
}

/// A condition split into a part that can be evaluated on an unfinished map, and the rest.
///
/// Generation of a map stops early if the first part does not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagedQuery {
    early: Option<Query>,
    rest: Option<Query>,
}

impl StagedQuery {
    /// Splits a condition on the maps of a spec.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::{AnySpec, Family, Seed, metric::Query};
    /// use wayforge_analysis::search::{StagedQuery, Worker};
    /// let spec = AnySpec::from_json(Family::Act, b"{}")?;
    /// let query = Query::parse("routes > 600 and min(elite) = 0", &spec.catalogue())?;
    /// let (mut worker, query) = (Worker::new(&spec), StagedQuery::new(&spec, query));
    /// let (terms, mut row) = (spec.catalogue().parse_list("routes, min(elite)")?, [0; 2]);
    /// for seed in (0..500).map(Seed::new) {
    ///     let has_map = worker.measure(seed.clone(), &terms, &mut row);
    ///     let expected = has_map && row[0] > 600 && row[1] == 0;
    ///     assert_eq!(worker.matches(seed, &query), expected);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(spec: &AnySpec, query: Query) -> StagedQuery {
        let catalogue = spec.catalogue();
        let (early, rest) = query.split(|term| catalogue.metric(term).is_early);
        StagedQuery { early, rest }
    }
}

/// Computes the distance of a map from the targets.
impl MapVisitor for &MetricTargets {
    type Output = u64;

    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) -> u64 {
        self.distance(meter, map)
    }
}

/// Reads metrics into a row.
impl MapVisitor for (&[Term], &mut [i64]) {
    type Output = ();

    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) {
        let (terms, row) = self;
        for (value, &term) in row.iter_mut().zip(*terms) {
            *value = meter.read(map, term);
        }
    }
}

/// How a map was generated, or why it was not.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Generation time.
    pub(crate) time: Duration,
    /// Rules that rejected attempts, with the number of attempts.
    pub(crate) rejected: Vec<(Cow<'static, str>, u32)>,
    /// Rule that the accepted attempt violated before it was repaired.
    pub(crate) repaired: Option<&'static str>,
    /// True if the accepted attempt did not backtrack.
    pub(crate) without_backtracking: bool,
}

impl Outcome {
    /// Returns true if the first attempt succeeded without backtracking or repair.
    pub(crate) fn is_first_attempt(&self) -> bool {
        self.without_backtracking && self.rejected.is_empty() && self.repaired.is_none()
    }

    fn add(&mut self, rule: &'static str, attempts: u32) {
        match self.rejected.iter_mut().find(|(name, _)| name == rule) {
            Some((_, sum)) => *sum += attempts,
            None => self.rejected.push((Cow::Borrowed(rule), attempts)),
        }
    }
}
