//! What a configuration really makes: how its metrics are distributed, what stands where, how often maps repeat, what fails.

mod drift;
mod histogram;
mod joint;
mod occupancy;
mod tally;
mod times;

pub use drift::{Shift, drift};
pub use histogram::Histogram;
pub use joint::{Cell, Joint, SAMPLES};
pub use occupancy::Occupancy;
pub use times::Times;

use crate::search::span::Span;
use crate::search::waves::Waves;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tally::{Job, Tally};
use wayforge::metric::{Budget, Term};
use wayforge::{AnySpec, Family, Seed};

/// How many seeds a thread goes through at a time: few of maps that may be slow to make, not too few for counting what stands where. It
/// changes nothing about what is found.
fn piece(spec: &AnySpec) -> u64 {
    if spec.may_be_slow() { 8 } else { 256 }
}
/// The most maps that are compared with each other: 48 bytes each are kept.
pub const COMPARED: usize = 2_000_000;
/// The most names of rules that are told apart.
const RULES: usize = 256;

/// What a survey looks at beyond metrics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Pairs of metrics whose values are counted together.
    pub pairs: Vec<[Term; 2]>,
    /// Whether it is counted what stands where, and which maps are the same.
    pub places: bool,
    /// Whether [`Survey::take_rows`] is asked for the metrics of every map.
    pub rows: bool,
}

/// A survey of all seeds of a span, a wave at a time: between waves it can be looked at and stopped.
///
/// * **Determinism.** What is found does not depend on threads, apart from [`Times`].
/// * **Memory.** Bounded by the plan, whatever the number of seeds.
///
/// ```
/// use wayforge::Family;
/// use wayforge_analysis::search::{Plan, Span, Survey};
/// use wayforge::AnySpec;
/// let subject = AnySpec::from_json(Family::Floor, b"{}")?;
/// let mut survey = Survey::new(&subject, Span::from(1).take(1000), Plan { places: true, ..Plan::default() });
/// while survey.advance() {}
/// let found = survey.finish();
/// assert_eq!((found.seeds, found.maps), (1000, 1000));
/// assert!(found.metric("path").unwrap().histogram.least() >= 1);
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub struct Survey {
    job: Job,
    waves: Waves,
    /// The last seed that was gone through.
    last: Seed,
    tally: Tally,
}

/// One map's metrics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The seed.
    pub seed: Seed,
    /// The value of every term of the catalogue in its order; nothing if the seed has no map.
    pub values: Option<Vec<i64>>,
}

/// What a survey found.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The family.
    pub family: Family,
    /// The first seed, of the shard if there are several: places are counted from it.
    pub first: Seed,
    /// The last seed that was gone through.
    pub last: Seed,
    /// The seeds that were to be gone through.
    pub span: Span,
    /// How many seeds were gone through: fewer than the span has, if it was stopped.
    pub seeds: u64,
    /// How many of them have a map.
    pub maps: u64,
    /// How many have one at the first try: no attempt was refused, nothing was repaired, nothing was taken back.
    pub first_try: u64,
    /// Every metric of the family.
    pub metrics: Vec<Measured>,
    /// The pairs of the plan.
    pub joints: Vec<Joint>,
    /// What attempts failed by, by rule or constraint.
    pub refusals: BTreeMap<String, Refusals>,
    /// What is asked for, and in how many maps it is what was placed.
    pub budgets: Vec<(Budget, u64)>,
    /// What stands where, if that was asked for.
    pub occupancy: Option<Occupancy>,
    /// The names of what can stand on a cell.
    pub planes: Vec<String>,
    /// How many maps are the same, if that was asked for.
    pub repeats: Option<Repeats>,
}

/// A metric and how its values are distributed.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The metric.
    pub term: Term,
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// What it says, with what it takes.
    pub about: String,
    /// How often it has which value.
    pub histogram: Histogram,
}

/// How often a rule stood in the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refusals {
    /// Attempts that were refused by it.
    pub refused: u64,
    /// Attempts that broke it and were repaired.
    pub mended: u64,
    /// Seeds that have no map; those whose attempts broke this rule.
    pub without: u64,
}

/// How many maps are different from each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// How many maps were compared: the first [`COMPARED`] at most.
    pub maps: u64,
    /// How many are different.
    pub different: u64,
    /// How many are different if mirror images count as the same.
    pub mirrored: u64,
    /// How many are different if they may be mirrored and turned.
    pub turned: u64,
    /// How often the most frequent map was met.
    pub most: u64,
}

impl Survey {
    /// A survey of the seeds of `span`.
    pub fn new(subject: &AnySpec, span: Span, plan: Plan) -> Survey {
        let terms = subject.catalogue().terms().collect();
        let span = span.numbers();
        let first = span.seeds().next().unwrap_or_else(|| span.first().clone());
        let last = first.clone();
        let job = Job { subject: subject.clone(), terms, plan, first, stop: Arc::default() };
        let (tally, waves) = (Tally::new(&job), Waves::new(subject, span).by(piece(subject)));
        Survey { job, waves, last, tally }
    }

    /// How many pieces each thread is given before the survey can be looked at again. What a piece has counted is held until then.
    pub fn give(&mut self, pieces: usize) {
        self.waves.give(pieces);
    }

    /// Ends after the maps under way once `stop` is set, also in the middle of a piece. What was gone through until then is a beginning
    /// of the seeds, and nothing comes after it.
    pub fn stop_on(mut self, stop: Arc<AtomicBool>) -> Survey {
        self.job.stop = stop;
        self
    }

    /// Goes through the next seeds, on all threads of the pool it is called in; false once none is left, or when it was stopped.
    pub fn advance(&mut self) -> bool {
        let wave = self.waves.advance(|worker, block| Tally::of(&self.job, worker, block));
        for (block, tally) in wave.into_iter().flatten() {
            let (seeds, len) = (tally.seeds, block.len());
            self.tally.merge(tally);
            if let Some(last) = block.seeds().take(seeds as usize).last() {
                self.last = last;
            }
            if seeds < len {
                // Others may have gone farther; without these seeds theirs are no beginning.
                return false;
            }
        }
        self.tally.seeds < self.waves.span().len() && !self.job.stop.load(Ordering::Relaxed)
    }

    /// How many seeds have been gone through.
    pub fn seeds_done(&self) -> u64 {
        self.tally.seeds
    }

    /// How many of them have maps.
    pub fn maps(&self) -> u64 {
        self.tally.maps
    }

    /// How long maps took to make.
    pub fn times(&self) -> &Times {
        &self.tally.times
    }

    /// The metrics of the maps that were made since it was last asked, if the plan wants them.
    pub fn take_rows(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.tally.rows)
    }

    /// What was found so far.
    pub fn finish(self) -> Findings {
        let Survey { job: Job { subject, terms, plan, first, .. }, tally, waves, last } = self;
        let catalogue = subject.catalogue();
        let measured = |(&term, histogram): (&Term, Histogram)| {
            let (name, about) = (catalogue.name(term), catalogue.about(term));
            Measured { term, name, unit: catalogue.metric(term).unit, about, histogram }
        };
        let metrics: Vec<Measured> = terms.iter().zip(tally.histograms).map(measured).collect();
        let with_met = |budget: Budget| {
            let metric = metrics.iter().find(|metric| metric.term == budget.term);
            let bins = metric.into_iter().flat_map(|metric| metric.histogram.bins());
            let met = bins.filter(|&(value, _)| budget.is_met(value)).map(|(_, times)| times).sum();
            (budget, met)
        };
        let budgets = subject.budgets().into_iter().map(with_met).collect();
        Findings {
            family: subject.family(),
            first,
            last,
            span: waves.span().clone(),
            seeds: tally.seeds,
            maps: tally.maps,
            first_try: tally.first_try,
            budgets,
            metrics,
            joints: tally.joints,
            refusals: tally.refusals,
            occupancy: plan.places.then_some(tally.occupancy),
            planes: catalogue.planes().to_vec(),
            repeats: plan.places.then(|| tally.digests.count()),
        }
    }
}

impl Findings {
    /// The metric called `name`.
    pub fn metric(&self, name: &str) -> Option<&Measured> {
        self.metrics.iter().find(|metric| metric.name == name)
    }

    /// The metric of a term.
    pub fn metric_of(&self, term: Term) -> Option<&Measured> {
        self.metrics.iter().find(|metric| metric.term == term)
    }

    /// The distribution of the metric called `name`, if there are maps.
    pub fn histogram(&self, name: &str) -> Option<&Histogram> {
        self.metric(name).map(|metric| &metric.histogram).filter(|histogram| histogram.maps() > 0)
    }

    /// The same without what stands where, for keeping many.
    pub fn without_places(self) -> Findings {
        Findings { occupancy: None, ..self }
    }

    /// Whether all seeds were gone through.
    pub fn is_whole(&self) -> bool {
        self.seeds == self.span.len()
    }

    /// The seed of a map by its place.
    pub fn seed(&self, place: u64) -> Seed {
        self.first.plus(place)
    }
}
