//! Per-block counts of a survey and their merging.

use super::{
    Duplicates, GenerationTimes, Histogram, JointHistogram, MAX_COMPARED_MAPS, MAX_RULES,
    Occupancy, RuleFailures, SurveyPlan, SurveyRow,
};
use crate::search::seed_range::Block;
use crate::search::waves::sort;
use crate::search::worker::{MapVisitor, Outcome, Worker};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wayforge::metric::{Measure, Meter, Placements, SymmetryDigests, Term};
use wayforge::{AnySpec, Seed};

/// Counts of a survey.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) seeds: u64,
    pub(super) maps: u64,
    pub(super) first_attempt: u64,
    pub(super) histograms: Vec<Histogram>,
    pub(super) joints: Vec<JointHistogram>,
    pub(super) failures: BTreeMap<String, RuleFailures>,
    pub(super) occupancy: Occupancy,
    pub(super) digests: Digests,
    pub(super) times: GenerationTimes,
    pub(super) rows: Vec<SurveyRow>,
}

/// Read-only input shared by all threads.
pub(super) struct Job {
    pub(super) spec: AnySpec,
    pub(super) terms: Vec<Term>,
    pub(super) plan: SurveyPlan,
    /// Seed that offsets are relative to.
    pub(super) first: Seed,
    pub(super) stop: Arc<AtomicBool>,
}

/// Digests of all compared maps: exact, up to reflection, up to reflection and rotation.
#[derive(Default)]
pub(super) struct Digests([Vec<u128>; 3]);

impl Tally {
    pub(super) fn new(Job { spec, terms, plan, .. }: &Job) -> Tally {
        let planes = if plan.occupancy { spec.catalogue().planes().len() } else { 0 };
        Tally {
            histograms: vec![Histogram::default(); terms.len()],
            joints: plan.pairs.iter().map(|&[x, y]| JointHistogram::new(x, y)).collect(),
            occupancy: Occupancy::new(planes),
            ..Tally::default()
        }
    }

    /// Counts the maps of a block.
    pub(super) fn from_block(job: &Job, worker: &mut Worker, block: Block) -> Tally {
        let Job { terms, plan, first, stop, .. } = job;
        let mut tally = Tally::new(job);
        let len = block.len();
        let mut columns = vec![Vec::with_capacity(len as usize); terms.len()];
        let mut offsets = Vec::with_capacity(len as usize);
        let mut reader = MapReader {
            terms,
            row: Vec::new(),
            placements: plan.occupancy.then(Placements::default),
        };
        for seed in block.seeds().take_while(|_| !stop.load(Ordering::Relaxed)) {
            tally.seeds += 1;
            let offset = seed.number().wrapping_sub(first.number());
            let (digests, outcome) = worker.visit_with_outcome(seed.clone(), &mut reader);
            tally.times.add(outcome.time);
            tally.add_outcome(&outcome, digests.is_some());
            if plan.rows {
                tally.rows.push(SurveyRow {
                    seed,
                    values: digests.is_some().then(|| reader.row.clone()),
                });
            }
            let Some(digests) = digests else { continue };
            tally.maps += 1;
            tally.first_attempt += u64::from(outcome.is_first_attempt());
            offsets.push(offset);
            columns.iter_mut().zip(&reader.row).for_each(|(column, &value)| column.push(value));
            if let (Some(digests), Some(placements)) = (digests, &reader.placements) {
                tally.digests.push(digests);
                tally.occupancy.add(placements);
            }
        }
        for joint in &mut tally.joints {
            let column =
                |term| terms.iter().position(|other| *other == term).map(|at| &columns[at]);
            let (Some(xs), Some(ys)) = (column(joint.x), column(joint.y)) else { continue };
            for ((&x, &y), &offset) in xs.iter().zip(ys).zip(&offsets) {
                joint.add([x, y], offset);
            }
        }
        // Sorting groups equal values, so each distinct value is added once.
        for (histogram, column) in tally.histograms.iter_mut().zip(&mut columns) {
            column.sort_unstable();
            column.chunk_by(i64::eq).for_each(|same| histogram.add(same[0], same.len() as u64));
        }
        tally
    }

    fn add_outcome(&mut self, outcome: &Outcome, has_map: bool) {
        for (rule, attempts) in &outcome.rejected {
            self.update_rule(rule, |failures| {
                failures.rejected += u64::from(*attempts);
                failures.seeds_without_map += u64::from(!has_map);
            });
        }
        if let Some(rule) = &outcome.repaired {
            self.update_rule(rule, |failures| failures.repaired += 1);
        }
    }

    fn update_rule(&mut self, rule: &str, change: impl FnOnce(&mut RuleFailures)) {
        if let Some(failures) = self.failures.get_mut(rule) {
            change(failures);
        } else {
            change(self.failures.entry(rule.to_owned()).or_default());
        }
        // Act maps may configure any number of rules. Beyond the limit, the alphabetically last
        // names are dropped.
        while self.failures.len() > MAX_RULES {
            self.failures.pop_last();
        }
    }

    /// Adds the counts of the next block.
    pub(super) fn merge(&mut self, other: Tally) {
        self.seeds += other.seeds;
        self.maps += other.maps;
        self.first_attempt += other.first_attempt;
        self.histograms
            .iter_mut()
            .zip(&other.histograms)
            .for_each(|(mine, theirs)| mine.merge(theirs));
        self.joints.iter_mut().zip(&other.joints).for_each(|(mine, theirs)| mine.merge(theirs));
        for (rule, more) in &other.failures {
            self.update_rule(rule, |failures| {
                failures.rejected += more.rejected;
                failures.repaired += more.repaired;
                failures.seeds_without_map += more.seeds_without_map;
            });
        }
        self.occupancy.merge(&other.occupancy);
        self.digests.append(other.digests);
        self.times.merge(&other.times);
        self.rows.extend(other.rows);
    }
}

impl Digests {
    fn push(&mut self, digests: SymmetryDigests) {
        for (list, digest) in
            self.0.iter_mut().zip([digests.exact, digests.mirrored, digests.rotated])
        {
            list.push(digest);
        }
    }

    fn append(&mut self, other: Digests) {
        for (mine, mut theirs) in self.0.iter_mut().zip(other.0) {
            theirs.truncate(MAX_COMPARED_MAPS - mine.len().min(MAX_COMPARED_MAPS));
            mine.append(&mut theirs);
        }
    }

    /// Counts distinct digests.
    pub(super) fn count(self) -> Duplicates {
        let maps = self.0[0].len() as u64;
        let [exact, mirrored, rotated] = self.0.map(|mut list| {
            sort(&mut list);
            let runs = list.chunk_by(u128::eq);
            runs.fold((0_u64, 0_u64), |(distinct, max), run| {
                (distinct + 1, max.max(run.len() as u64))
            })
        });
        Duplicates {
            maps,
            distinct: exact.0,
            distinct_mirrored: mirrored.0,
            distinct_rotated: rotated.0,
            max_count: exact.1,
        }
    }
}

/// Reads everything the survey needs from a map.
struct MapReader<'a> {
    terms: &'a [Term],
    row: Vec<i64>,
    placements: Option<Placements>,
}

impl MapVisitor for MapReader<'_> {
    type Output = Option<SymmetryDigests>;

    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) -> Option<SymmetryDigests> {
        self.row.clear();
        self.row.extend(self.terms.iter().map(|&term| meter.read(map, term)));
        self.placements.as_mut().map(|placements| {
            meter.collect_placements(map, placements);
            placements.symmetry_digests()
        })
    }
}
