//! The one or two configurations that a page shows.

use crate::report::Report;
use crate::report::text::{count_noun, integer};
use crate::search::{GenerationTimes, Histogram, JointCell, SurveyResults};
use maud::{Markup, Render, html};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use wayforge::metric::MapShape;
use wayforge::{AnySpec, Family};

/// One configuration of a page with its results.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) name: &'a str,
    pub(crate) spec: &'a AnySpec,
    pub(crate) results: &'a SurveyResults,
    pub(crate) times: &'a GenerationTimes,
    /// CSS class of its colour: `first` or `second`.
    pub(crate) class: &'static str,
    /// Prefix of the ids of its thumbnails.
    pub(crate) prefix: char,
}

/// Colour of a cell: CSS class of its side, and opacity.
pub(crate) type Shade = (&'static str, f64);

/// Returns the configurations of a report.
pub(crate) fn sides<'a>(report: &'a Report<'_>) -> Vec<Side<'a>> {
    let Report { name, spec, results, times, baseline } = report;
    let mut sides = vec![Side { name, spec, results, times, class: "first", prefix: 'a' }];
    sides.extend(baseline.as_ref().map(|baseline| Side {
        name: &baseline.name,
        spec: baseline.spec,
        results: baseline.results,
        times: baseline.times,
        class: "second",
        prefix: 'b',
    }));
    sides
}

impl Side<'_> {
    /// Returns the share of the maps that are in a cell of a joint histogram.
    pub(crate) fn share(&self, cell: &JointCell) -> f64 {
        cell.count as f64 / self.results.maps.max(1) as f64
    }

    /// Renders the name, with a colour key if there are two configurations.
    pub(crate) fn label(&self, sides: &[Side<'_>]) -> Markup {
        match sides.len() {
            1 => self.name.render(),
            // A no-break space keeps the name beside its colour key.
            _ => html! { i class={ "key " (self.class) } {} "\u{a0}" (self.name) },
        }
    }
}

/// Renders the colour legend if there are two configurations.
pub(crate) fn legend(sides: &[Side<'_>]) -> Markup {
    html! {
        @if sides.len() > 1 {
            p.legend.which { @for side in sides { span { (side.label(sides)) } " " } }
        }
    }
}

/// Returns the names of all objects of any configuration, each once.
pub(crate) fn planes(sides: &[Side<'_>]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let planes = sides.iter().flat_map(|side| &side.results.planes);
    planes.filter(|plane| seen.insert(*plane)).cloned().collect()
}

/// Describes the processed seeds.
pub(crate) fn seeds(results: &SurveyResults) -> String {
    let SurveyResults { first, last, seeds, range, .. } = results;
    let ends = if first == last { first.to_string() } else { format!("{first} to {last}") };
    let count = count_noun(*seeds, "seed", "seeds");
    if range.shard() == crate::search::Shard::default() {
        format!("{count}, {ends}")
    } else {
        format!("{count} of shard {}, {ends}", range.shard())
    }
}

/// Returns the notice of a survey that was stopped early.
pub(crate) fn stopped(results: &SurveyResults) -> Option<String> {
    let (done, all) = (integer(results.seeds.into()), integer(results.range.len().into()));
    (!results.is_complete())
        .then(|| format!("Stopped early: {done} of {all} seeds were processed."))
}

/// Formats a number of maps with the noun of the family.
pub(crate) fn maps(family: Family, count: u64) -> String {
    count_noun(count, family.noun(), &format!("{}s", family.noun()))
}

/// Returns the value of a metric that all maps of all surveys share: `Some(None)` without maps,
/// `None` if maps differ.
pub(crate) fn common_value<'a>(
    surveys: impl Iterator<Item = &'a SurveyResults>,
    metric: &str,
) -> Option<Option<i64>> {
    let mut all = surveys.filter_map(|results| results.histogram(metric));
    let Some(first) = all.next() else { return Some(None) };
    let same = |other: &Histogram| other.is_constant() && other.min() == first.min();
    (same(first) && all.all(same)).then_some(Some(first.min()))
}

/// Returns true if maps are graphs, which are never rotated.
pub(crate) fn are_graphs(sides: &[Side<'_>]) -> bool {
    sides.iter().any(|side| side.results.family.shape() == MapShape::Graph)
}

/// Sums counts by key. Sorted by decreasing count, then by key.
pub(crate) fn by_count<K: Ord + Copy>(counts: impl Iterator<Item = (K, u64)>) -> Vec<(K, u64)> {
    let mut sums: BTreeMap<K, u64> = BTreeMap::new();
    counts.for_each(|(key, count)| *sums.entry(key).or_default() += count);
    let mut order: Vec<(K, u64)> = sums.into_iter().collect();
    order.sort_by_key(|&(key, count)| (Reverse(count), key));
    order
}
