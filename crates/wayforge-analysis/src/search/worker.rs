//! Generates maps of one spec on one thread and evaluates them.

use std::borrow::Cow;
use std::time::{Duration, Instant};
use wayforge::metric::{Aim, Measure, Meter, Query, Term};
use wayforge::{AnyGenerator, AnySpec, Document, GenerationError, GeneratorVisitor, MapGenerator, Seed};

/// Number of seeds in one block of work. Divides [`BLOCK`](crate::search::BLOCK).
pub fn block_step(spec: &AnySpec) -> u64 {
    if spec.may_be_slow() { 1 } else { 256 }
}

/// Generates maps of one spec one after another, reusing its memory, and evaluates them.
pub struct Worker(AnyGenerator);

/// A function that is applied to a map of any family.
pub trait Visit {
    /// What it returns.
    type Out;

    /// Evaluates a map with the meter of its family.
    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) -> Self::Out;
}

impl Worker {
    /// Creates a worker for a spec.
    pub fn new(spec: &AnySpec) -> Worker {
        Worker(spec.generator())
    }

    /// Generates the map of a seed and evaluates it. Returns `None` if the seed has no map.
    ///
    /// ```
    /// use wayforge::{AnySpec, Family, Seed, metric::Measure};
    /// use wayforge_analysis::search::{Visit, Worker};
    /// struct Nothing;
    /// impl Visit for Nothing {
    ///     type Out = ();
    ///     fn visit<F: Measure>(&mut self, _: &mut F::Meter, _: &F) {}
    /// }
    /// let mut worker = Worker::new(&AnySpec::from_json(Family::Floor, b"{}")?);
    /// assert_eq!(worker.look(Seed::new(1), &mut Nothing), Some(()));
    /// # Ok::<(), wayforge::GenerateError>(())
    /// ```
    #[inline]
    pub fn look<V: Visit>(&mut self, seed: Seed, visit: &mut V) -> Option<V::Out> {
        struct Look<'a, V>(Seed, &'a mut V);
        impl<V: Visit> GeneratorVisitor for Look<'_, V> {
            type Output = Option<V::Out>;

            #[inline]
            fn visit<F: Measure>(self, generator: &mut F::Generator, meter: &mut F::Meter) -> Option<V::Out> {
                generator.try_generate(self.0).map(|map| self.1.visit(meter, map))
            }
        }
        self.0.visit(Look(seed, visit))
    }

    /// Returns the document of the seed's map, or `None` if the seed has no map.
    pub fn document(&mut self, seed: Seed) -> Option<Document> {
        struct ToDocument;
        impl Visit for ToDocument {
            type Out = Document;

            fn visit<F: Measure>(&mut self, _: &mut F::Meter, map: &F) -> Document {
                map.to_document()
            }
        }
        self.look(seed, &mut ToDocument)
    }

    /// Does the same as [`look`](Self::look) and records how the map was generated.
    pub(crate) fn try_look<V: Visit>(&mut self, seed: Seed, visit: &mut V) -> (Option<V::Out>, Trial) {
        struct TryLook<'a, V>(Seed, &'a mut V);
        impl<V: Visit> GeneratorVisitor for TryLook<'_, V> {
            type Output = (Option<V::Out>, Trial);

            fn visit<F: Measure>(self, generator: &mut F::Generator, meter: &mut F::Meter) -> Self::Output {
                let start = Instant::now();
                let generated = generator.generate(self.0);
                let mut trial = Trial { time: start.elapsed(), smooth: true, ..Trial::default() };
                let (out, error) = match generated {
                    Ok(map) => (Some(self.1.visit(meter, map)), None),
                    Err(error) => (None, Some(error)),
                };
                generator.rejections(&mut |rule, attempts| trial.add(rule, attempts));
                match error {
                    Some(error) if trial.refused.is_empty() => {
                        trial.refused.extend(error.conflicts().into_iter().map(|rule| (Cow::Owned(rule), 1)));
                    }
                    Some(_) => {}
                    None => trial.smooth = generator.without_backtracking(),
                }
                trial.mended = generator.repaired_rule();
                (out, trial)
            }
        }
        self.0.visit(TryLook(seed, visit))
    }

    /// Returns true if the seed has a map that a sieve accepts.
    #[inline]
    pub fn keeps(&mut self, seed: Seed, sieve: &Sieve) -> bool {
        struct Keeps<'a>(Seed, &'a Sieve);
        impl GeneratorVisitor for Keeps<'_> {
            type Output = bool;

            #[inline]
            fn visit<F: Measure>(self, generator: &mut F::Generator, meter: &mut F::Meter) -> bool {
                let Keeps(seed, Sieve { early, rest }) = self;
                let map = match early {
                    Some(early) => generator.generate_if(seed, |map| early.holds(meter, map)),
                    None => generator.try_generate(seed),
                };
                map.is_some_and(|map| rest.as_ref().is_none_or(|rest| rest.holds(meter, map)))
            }
        }
        self.0.visit(Keeps(seed, sieve))
    }

    /// Returns the distance of the seed's map from `aim`, if there is a map.
    pub fn distance(&mut self, seed: Seed, aim: &Aim) -> Option<u64> {
        self.look(seed, &mut Distance(aim))
    }

    /// Reads metrics of the seed's map into `row`. Returns false, and leaves `row` alone, if the seed has no map.
    pub fn measure(&mut self, seed: Seed, terms: &[Term], row: &mut [i64]) -> bool {
        self.look(seed, &mut Row { terms, row }).is_some()
    }
}

/// A condition in two parts: what can be read before a map is finished, and the rest.
///
/// A map that fails the first part need not be finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sieve {
    early: Option<Query>,
    rest: Option<Query>,
}

impl Sieve {
    /// Splits a condition on the maps of a spec.
    ///
    /// ```
    /// use wayforge::{AnySpec, Family, Seed, metric::Query};
    /// use wayforge_analysis::search::{Sieve, Worker};
    /// let spec = AnySpec::from_json(Family::Act, b"{}")?;
    /// let query = Query::parse("routes > 600 and min(elite) = 0", &spec.catalogue())?;
    /// let (mut worker, sieve) = (Worker::new(&spec), Sieve::new(&spec, query));
    /// let (terms, mut row) = (spec.catalogue().list("routes, min(elite)")?, [0; 2]);
    /// for seed in (0..500).map(Seed::new) {
    ///     let holds = worker.measure(seed.clone(), &terms, &mut row) && row[0] > 600 && row[1] == 0;
    ///     assert_eq!(worker.keeps(seed, &sieve), holds);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(spec: &AnySpec, query: Query) -> Sieve {
        let catalogue = spec.catalogue();
        let (early, rest) = query.split(|term| spec.reads_unfinished(&catalogue, term));
        Sieve { early, rest }
    }
}

struct Distance<'a>(&'a Aim);

impl Visit for Distance<'_> {
    type Out = u64;

    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) -> u64 {
        self.0.distance(meter, map)
    }
}

struct Row<'a> {
    terms: &'a [Term],
    row: &'a mut [i64],
}

impl Visit for Row<'_> {
    type Out = ();

    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) {
        for (value, &term) in self.row.iter_mut().zip(self.terms) {
            *value = meter.read(map, term);
        }
    }
}

/// How a map was generated, or why it was not.
#[derive(Default)]
pub(crate) struct Trial {
    /// How long it took.
    pub(crate) time: Duration,
    /// What attempts were refused by, and how many.
    pub(crate) refused: Vec<(Cow<'static, str>, u32)>,
    /// The rule that the accepted attempt broke before it was repaired.
    pub(crate) mended: Option<&'static str>,
    /// Whether nothing was taken back.
    pub(crate) smooth: bool,
}

impl Trial {
    /// Whether the first draw was the map.
    pub(crate) fn is_first_try(&self) -> bool {
        self.smooth && self.refused.is_empty() && self.mended.is_none()
    }

    fn add(&mut self, rule: &'static str, attempts: u32) {
        match self.refused.iter_mut().find(|(known, _)| known == rule) {
            Some((_, sum)) => *sum += attempts,
            None => self.refused.push((Cow::Borrowed(rule), attempts)),
        }
    }
}
