//! Generates maps of one spec on one thread and evaluates them.

use crate::search::trial::Trial;
use std::borrow::Cow;
use std::time::Instant;
use wayforge::metric::{Aim, Measure, Meter, Query, Term};
use wayforge::{
    AnyGenerator, AnySpec, Document, GenerationError, GeneratorVisitor, MapFamily, MapGenerator, Seed,
};

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
    fn visit<M: Meter>(&mut self, meter: &mut M, map: &M::Map) -> Self::Out;
}

impl Worker {
    /// Creates a worker for a spec.
    pub fn new(spec: &AnySpec) -> Worker {
        Worker(spec.generator())
    }

    /// Generates the map of a seed and evaluates it. Returns `None` if the seed has no map.
    ///
    /// ```
    /// use wayforge::{AnySpec, Family, Seed, metric::Meter};
    /// use wayforge_analysis::search::{Visit, Worker};
    /// struct Nothing;
    /// impl Visit for Nothing {
    ///     type Out = ();
    ///     fn visit<M: Meter>(&mut self, _: &mut M, _: &M::Map) {}
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
            fn visit<F: MapFamily + Measure>(
                self,
                generator: &mut F::Generator,
                meter: &mut F::Meter,
            ) -> Option<V::Out> {
                generator.try_generate(self.0).map(|map| self.1.visit(meter, map))
            }
        }
        self.0.visit(Look(seed, visit))
    }

    /// Returns the document of the seed's map, or `None` if the seed has no map.
    pub fn document(&mut self, seed: Seed) -> Option<Document> {
        struct ToDocument(Seed);
        impl GeneratorVisitor for ToDocument {
            type Output = Option<Document>;

            fn visit<F: MapFamily + Measure>(
                self,
                generator: &mut F::Generator,
                _: &mut F::Meter,
            ) -> Option<Document> {
                generator.try_generate(self.0).map(F::to_document)
            }
        }
        self.0.visit(ToDocument(seed))
    }

    /// Does the same as [`look`](Self::look) and records how the map was generated.
    pub(crate) fn try_look<V: Visit>(
        &mut self,
        seed: Seed,
        visit: &mut V,
        trial: &mut Trial,
    ) -> Option<V::Out> {
        struct TryLook<'a, V>(Seed, &'a mut V, &'a mut Trial);
        impl<V: Visit> GeneratorVisitor for TryLook<'_, V> {
            type Output = Option<V::Out>;

            fn visit<F: MapFamily + Measure>(
                self,
                generator: &mut F::Generator,
                meter: &mut F::Meter,
            ) -> Option<V::Out> {
                let TryLook(seed, visit, trial) = self;
                trial.clear();
                let start = Instant::now();
                let generated = generator.generate(seed);
                trial.time = start.elapsed();
                let (out, error) = match generated {
                    Ok(map) => (Some(visit.visit(meter, map)), None),
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
                out
            }
        }
        self.0.visit(TryLook(seed, visit, trial))
    }

    /// Returns true if the seed has a map that satisfies `query`.
    #[inline]
    pub fn holds(&mut self, seed: Seed, query: &Query) -> bool {
        self.look(seed, &mut Holds(query)).unwrap_or(false)
    }

    /// Returns true if the seed has a map that a sieve accepts.
    #[inline]
    pub fn keeps(&mut self, seed: Seed, sieve: &Sieve) -> bool {
        struct Keeps<'a>(Seed, &'a Sieve);
        impl GeneratorVisitor for Keeps<'_> {
            type Output = bool;

            #[inline]
            fn visit<F: MapFamily + Measure>(
                self,
                generator: &mut F::Generator,
                meter: &mut F::Meter,
            ) -> bool {
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
    /// let (mut worker, sieve) = (Worker::new(&spec), Sieve::new(&spec, query.clone()));
    /// assert!((0..500).map(Seed::new).all(|seed| worker.keeps(seed.clone(), &sieve) == worker.holds(seed, &query)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(spec: &AnySpec, query: Query) -> Sieve {
        let catalogue = spec.catalogue();
        let (early, rest) = query.split(|term| spec.reads_unfinished(&catalogue, term));
        Sieve { early, rest }
    }
}

struct Holds<'a>(&'a Query);

impl Visit for Holds<'_> {
    type Out = bool;

    #[inline]
    fn visit<M: Meter>(&mut self, meter: &mut M, map: &M::Map) -> bool {
        self.0.holds(meter, map)
    }
}

struct Distance<'a>(&'a Aim);

impl Visit for Distance<'_> {
    type Out = u64;

    fn visit<M: Meter>(&mut self, meter: &mut M, map: &M::Map) -> u64 {
        self.0.distance(meter, map)
    }
}

struct Row<'a> {
    terms: &'a [Term],
    row: &'a mut [i64],
}

impl Visit for Row<'_> {
    type Out = ();

    fn visit<M: Meter>(&mut self, meter: &mut M, map: &M::Map) {
        for (value, &term) in self.row.iter_mut().zip(self.terms) {
            *value = meter.read(map, term);
        }
    }
}
