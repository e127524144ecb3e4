//! Surveys of a configuration: metric distributions, placements, duplicate maps and failures.

mod drift;
mod histogram;
mod joint;
mod occupancy;
mod tally;
mod times;

pub use drift::{MetricDrift, drift};
pub use histogram::Histogram;
pub use joint::{JointCell, JointHistogram, MAX_SAMPLES};
pub use occupancy::Occupancy;
pub use times::GenerationTimes;

use crate::search::seed_range::SeedRange;
use crate::search::waves::Waves;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tally::{Job, Tally};
use wayforge::metric::{Budget, Term};
use wayforge::{AnySpec, Family, Seed};

/// Number of seeds in a block: few if maps may be slow, but enough to amortise counting placements.
/// Does not affect results.
fn block_len(spec: &AnySpec) -> u64 {
    if spec.may_be_slow() { 8 } else { 256 }
}
/// Maximum number of maps compared for duplicates. Each takes 48 bytes: three 128-bit digests.
pub const MAX_COMPARED_MAPS: usize = 2_000_000;
/// Maximum number of rule names counted separately.
const MAX_RULES: usize = 256;

/// Optional parts of a survey, in addition to metrics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SurveyPlan {
    /// Pairs of metrics for joint histograms.
    pub pairs: Vec<[Term; 2]>,
    /// True to count placements by cell and duplicate maps.
    pub occupancy: bool,
    /// True to collect the metrics of every map for [`Survey::take_rows`].
    pub rows: bool,
}

/// Survey of all seeds of a range.
///
/// The survey advances in waves. Between waves the caller can inspect and stop it. Memory is
/// bounded by the plan, independent of the number of seeds.
///
/// # Determinism
/// Results do not depend on the number of threads, except [`GenerationTimes`].
///
/// # Examples
///
/// ```
/// use wayforge::Family;
/// use wayforge_analysis::search::{SurveyPlan, SeedRange, Survey};
/// use wayforge::AnySpec;
/// let spec = AnySpec::from_json(Family::Floor, b"{}")?;
/// let plan = SurveyPlan { occupancy: true, ..SurveyPlan::default() };
/// let mut survey = Survey::new(&spec, SeedRange::from(1).take(1000), plan);
/// while survey.advance() {}
/// let results = survey.finish();
/// assert_eq!((results.seeds, results.maps), (1000, 1000));
/// assert!(results.metric("path").unwrap().histogram.min() >= 1);
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub struct Survey {
    job: Job,
    waves: Waves,
    /// Last processed seed.
    last: Seed,
    tally: Tally,
}

/// Metrics of one map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurveyRow {
    /// The seed.
    pub seed: Seed,
    /// Value of every term in catalogue order, or `None` if the seed has no map.
    pub values: Option<Vec<i64>>,
}

/// Results of a survey.
#[derive(Clone, Debug, PartialEq)]
pub struct SurveyResults {
    /// The family.
    pub family: Family,
    /// First seed of the shard. Sample offsets are relative to it.
    pub first: Seed,
    /// Last processed seed.
    pub last: Seed,
    /// Requested seeds.
    pub range: SeedRange,
    /// Number of processed seeds; less than the length of `range` if the survey was stopped.
    pub seeds: u64,
    /// Number of processed seeds with a map.
    pub maps: u64,
    /// Number of seeds whose first attempt succeeded: no rejected attempt, no repair, no
    /// backtracking.
    pub first_attempt: u64,
    /// Distribution of every metric of the family.
    pub metrics: Vec<MetricDistribution>,
    /// Joint histograms of the planned pairs.
    pub joints: Vec<JointHistogram>,
    /// Failed attempts by rule or constraint.
    pub failures: BTreeMap<String, RuleFailures>,
    /// Requested numbers, each with the number of maps that satisfy it.
    pub budgets: Vec<(Budget, u64)>,
    /// Placements by cell, if planned.
    pub occupancy: Option<Occupancy>,
    /// Names of all objects that can be on a cell, in the order of the planes of `occupancy`.
    pub planes: Vec<String>,
    /// Duplicate maps, if planned.
    pub duplicates: Option<Duplicates>,
}

/// Distribution of one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricDistribution {
    /// The metric.
    pub term: Term,
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Description, including its argument.
    pub description: String,
    /// Frequency of each value.
    pub histogram: Histogram,
}

/// Failures caused by one rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleFailures {
    /// Attempts rejected by the rule.
    pub rejected: u64,
    /// Attempts that violated the rule and were repaired.
    pub repaired: u64,
    /// Seeds without a map that had an attempt rejected by the rule.
    pub seeds_without_map: u64,
}

/// Number of distinct maps, exactly and up to symmetry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// Number of compared maps: the first [`MAX_COMPARED_MAPS`] at most.
    pub maps: u64,
    /// Number of distinct maps.
    pub distinct: u64,
    /// Number of distinct maps up to reflection.
    pub distinct_mirrored: u64,
    /// Number of distinct maps up to reflection and rotation.
    pub distinct_rotated: u64,
    /// Frequency of the most frequent map.
    pub max_count: u64,
}

impl Survey {
    /// Creates a survey of the seeds of `range`.
    pub fn new(spec: &AnySpec, range: SeedRange, plan: SurveyPlan) -> Survey {
        let terms = spec.catalogue().terms().collect();
        let range = range.without_text();
        let first = range.seeds().next().unwrap_or_else(|| range.first().clone());
        let last = first.clone();
        let job = Job { spec: spec.clone(), terms, plan, first, stop: Arc::default() };
        let (tally, waves) =
            (Tally::new(&job), Waves::new(spec, range).with_block_len(block_len(spec)));
        Survey { job, waves, last, tally }
    }

    /// Sets the number of blocks each thread processes per wave. Their counts are held in memory
    /// until the wave ends.
    pub fn set_blocks_per_thread(&mut self, blocks: usize) {
        self.waves.set_blocks_per_thread(blocks);
    }

    /// Stops after the maps in progress once `stop` is set, even within a block. The processed
    /// seeds are a prefix of the range.
    pub fn stop_on(mut self, stop: Arc<AtomicBool>) -> Survey {
        self.job.stop = stop;
        self
    }

    /// Processes the next wave, on all threads of the current Rayon pool. Returns false if no seed
    /// is left or the survey was stopped.
    pub fn advance(&mut self) -> bool {
        let wave = self.waves.advance(|worker, block| Tally::from_block(&self.job, worker, block));
        for (block, tally) in wave.into_iter().flatten() {
            let (seeds, len) = (tally.seeds, block.len());
            self.tally.merge(tally);
            if let Some(last) = block.seeds().take(seeds as usize).last() {
                self.last = last;
            }
            if seeds < len {
                // Later blocks may be further along. They are dropped, because the processed seeds
                // must form a prefix.
                return false;
            }
        }
        self.tally.seeds < self.waves.range().len() && !self.job.stop.load(Ordering::Relaxed)
    }

    /// Returns the number of processed seeds.
    pub fn seeds_done(&self) -> u64 {
        self.tally.seeds
    }

    /// Returns the number of processed seeds with a map.
    pub fn maps(&self) -> u64 {
        self.tally.maps
    }

    /// Returns the generation times.
    pub fn times(&self) -> &GenerationTimes {
        &self.tally.times
    }

    /// Takes the rows collected since the last call, if the plan includes rows.
    pub fn take_rows(&mut self) -> Vec<SurveyRow> {
        std::mem::take(&mut self.tally.rows)
    }

    /// Returns the results so far.
    pub fn finish(self) -> SurveyResults {
        let Survey { job: Job { spec, terms, plan, first, .. }, tally, waves, last } = self;
        let catalogue = spec.catalogue();
        let distribution = |(&term, histogram): (&Term, Histogram)| {
            let (name, description) = (catalogue.name(term), catalogue.describe(term));
            let unit = catalogue.metric(term).unit;
            MetricDistribution { term, name, unit, description, histogram }
        };
        let metrics: Vec<MetricDistribution> =
            terms.iter().zip(tally.histograms).map(distribution).collect();
        let with_count = |budget: Budget| {
            let metric = metrics.iter().find(|metric| metric.term == budget.term);
            let bins = metric.into_iter().flat_map(|metric| metric.histogram.bins());
            let satisfied = bins
                .filter(|&(value, _)| budget.is_satisfied_by(value))
                .map(|(_, times)| times)
                .sum();
            (budget, satisfied)
        };
        let budgets = spec.budgets().into_iter().map(with_count).collect();
        SurveyResults {
            family: spec.family(),
            first,
            last,
            range: waves.range().clone(),
            seeds: tally.seeds,
            maps: tally.maps,
            first_attempt: tally.first_attempt,
            budgets,
            metrics,
            joints: tally.joints,
            failures: tally.failures,
            occupancy: plan.occupancy.then_some(tally.occupancy),
            planes: catalogue.planes().to_vec(),
            duplicates: plan.occupancy.then(|| tally.digests.count()),
        }
    }
}

impl SurveyResults {
    /// Returns the metric called `name`.
    pub fn metric(&self, name: &str) -> Option<&MetricDistribution> {
        self.metrics.iter().find(|metric| metric.name == name)
    }

    /// Returns the metric of a term.
    pub fn metric_of(&self, term: Term) -> Option<&MetricDistribution> {
        self.metrics.iter().find(|metric| metric.term == term)
    }

    /// Returns the histogram of the metric called `name`, if there are maps.
    pub fn histogram(&self, name: &str) -> Option<&Histogram> {
        self.metric(name).map(|metric| &metric.histogram).filter(|histogram| histogram.count() > 0)
    }

    /// Drops the placements, which take most of the memory.
    pub fn without_occupancy(self) -> SurveyResults {
        SurveyResults { occupancy: None, ..self }
    }

    /// Returns true if all seeds were processed.
    pub fn is_complete(&self) -> bool {
        self.seeds == self.range.len()
    }

    /// Returns the seed at an offset from the first one.
    pub fn seed_at(&self, offset: u64) -> Seed {
        self.first.offset(offset)
    }
}
