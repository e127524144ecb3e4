//! What one thread counts, and how counts are put together.

use super::{COMPARED, Histogram, Joint, Occupancy, Plan, RULES, Refusals, Repeats, Row, Times};
use crate::search::span::Block;
use crate::search::waves::sort;
use crate::search::worker::{Trial, Visit, Worker};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wayforge::metric::{Forms, Imprint, Measure, Meter, Term};
use wayforge::{AnySpec, Seed};

/// Everything that is counted.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) seeds: u64,
    pub(super) maps: u64,
    pub(super) first_try: u64,
    pub(super) histograms: Vec<Histogram>,
    pub(super) joints: Vec<Joint>,
    pub(super) refusals: BTreeMap<String, Refusals>,
    pub(super) occupancy: Occupancy,
    pub(super) digests: Digests,
    pub(super) times: Times,
    pub(super) rows: Vec<Row>,
}

/// What all threads look at.
pub(super) struct Job {
    pub(super) subject: AnySpec,
    pub(super) terms: Vec<Term>,
    pub(super) plan: Plan,
    /// The seed that places are counted from.
    pub(super) first: Seed,
    pub(super) stop: Arc<AtomicBool>,
}

/// By which maps are compared.
#[derive(Default)]
pub(super) struct Digests([Vec<u128>; 3]);

impl Tally {
    pub(super) fn new(Job { subject, terms, plan, .. }: &Job) -> Tally {
        let planes = if plan.places { subject.catalogue().planes().len() } else { 0 };
        Tally {
            histograms: vec![Histogram::default(); terms.len()],
            joints: plan.pairs.iter().map(|&[x, y]| Joint::new(x, y)).collect(),
            occupancy: Occupancy::new(planes),
            ..Tally::default()
        }
    }

    /// Counts the maps of a block of seeds.
    pub(super) fn of(job: &Job, worker: &mut Worker, block: Block) -> Tally {
        let Job { terms, plan, first, stop, .. } = job;
        let mut tally = Tally::new(job);
        let len = block.len();
        let mut columns = vec![Vec::with_capacity(len as usize); terms.len()];
        let mut places = Vec::with_capacity(len as usize);
        let mut look = Look { terms, row: Vec::new(), imprint: plan.places.then(Imprint::default) };
        for seed in block.seeds().take_while(|_| !stop.load(Ordering::Relaxed)) {
            tally.seeds += 1;
            let place = seed.number().wrapping_sub(first.number());
            let (forms, trial) = worker.try_look(seed.clone(), &mut look);
            tally.times.add(trial.time);
            tally.note(&trial, forms.is_some());
            if plan.rows {
                tally.rows.push(Row { seed, values: forms.is_some().then(|| look.row.clone()) });
            }
            let Some(forms) = forms else { continue };
            tally.maps += 1;
            tally.first_try += u64::from(trial.is_first_try());
            places.push(place);
            columns.iter_mut().zip(&look.row).for_each(|(column, &value)| column.push(value));
            if let (Some(forms), Some(imprint)) = (forms, &look.imprint) {
                tally.digests.push(forms);
                tally.occupancy.add(imprint);
            }
        }
        for joint in &mut tally.joints {
            let column = |term| terms.iter().position(|known| *known == term).map(|at| &columns[at]);
            let (Some(xs), Some(ys)) = (column(joint.x), column(joint.y)) else { continue };
            for ((&x, &y), &place) in xs.iter().zip(ys).zip(&places) {
                joint.add([x, y], place);
            }
        }
        // Equal values are counted at once.
        for (histogram, column) in tally.histograms.iter_mut().zip(&mut columns) {
            column.sort_unstable();
            column.chunk_by(i64::eq).for_each(|same| histogram.add(same[0], same.len() as u64));
        }
        tally
    }

    fn note(&mut self, trial: &Trial, made: bool) {
        for (rule, refused) in &trial.refused {
            self.refusal(rule, |refusals| {
                refusals.refused += u64::from(*refused);
                refusals.without += u64::from(!made);
            });
        }
        if let Some(rule) = &trial.mended {
            self.refusal(rule, |refusals| refusals.mended += 1);
        }
    }

    fn refusal(&mut self, rule: &str, change: impl FnOnce(&mut Refusals)) {
        if let Some(refusals) = self.refusals.get_mut(rule) {
            change(refusals);
        } else {
            change(self.refusals.entry(rule.to_owned()).or_default());
        }
        // Rules of act maps have the names that their configuration gives them: there may be many, and the last in order are left out.
        while self.refusals.len() > RULES {
            self.refusals.pop_last();
        }
    }

    /// Takes over what was counted after this.
    pub(super) fn merge(&mut self, other: Tally) {
        self.seeds += other.seeds;
        self.maps += other.maps;
        self.first_try += other.first_try;
        self.histograms.iter_mut().zip(&other.histograms).for_each(|(mine, theirs)| mine.merge(theirs));
        self.joints.iter_mut().zip(&other.joints).for_each(|(mine, theirs)| mine.merge(theirs));
        for (rule, more) in &other.refusals {
            self.refusal(rule, |refusals| {
                refusals.refused += more.refused;
                refusals.mended += more.mended;
                refusals.without += more.without;
            });
        }
        self.occupancy.merge(&other.occupancy);
        self.digests.append(other.digests);
        self.times.merge(&other.times);
        self.rows.extend(other.rows);
    }
}

impl Digests {
    fn push(&mut self, forms: Forms) {
        for (list, digest) in self.0.iter_mut().zip([forms.same, forms.mirrored, forms.turned]) {
            list.push(digest);
        }
    }

    fn append(&mut self, other: Digests) {
        for (mine, mut theirs) in self.0.iter_mut().zip(other.0) {
            theirs.truncate(COMPARED - mine.len().min(COMPARED));
            mine.append(&mut theirs);
        }
    }

    /// How many are different.
    pub(super) fn count(self) -> Repeats {
        let maps = self.0[0].len() as u64;
        let [same, mirrored, turned] = self.0.map(|mut list| {
            sort(&mut list);
            let runs = list.chunk_by(u128::eq);
            runs.fold((0_u64, 0_u64), |(different, most), run| (different + 1, most.max(run.len() as u64)))
        });
        Repeats { maps, different: same.0, mirrored: mirrored.0, turned: turned.0, most: same.1 }
    }
}

/// Reads everything off a map.
struct Look<'a> {
    terms: &'a [Term],
    row: Vec<i64>,
    imprint: Option<Imprint>,
}

impl Visit for Look<'_> {
    type Out = Option<Forms>;

    fn visit<F: Measure>(&mut self, meter: &mut F::Meter, map: &F) -> Option<Forms> {
        self.row.clear();
        self.row.extend(self.terms.iter().map(|&term| meter.read(map, term)));
        self.imprint.as_mut().map(|imprint| {
            meter.imprint(map, imprint);
            imprint.forms()
        })
    }
}
