//! The configurations of a page: one, or two beside each other.

use crate::report::Report;
use crate::report::words::{counted, whole};
use crate::search::{Findings, Times};
use maud::{Markup, Render, html};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use wayforge::{AnySpec, Family};

/// One configuration of a page and what was found of it.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) name: &'a str,
    pub(crate) subject: &'a AnySpec,
    pub(crate) found: &'a Findings,
    pub(crate) times: &'a Times,
    /// Whether it is the first or the second: the class of its colour.
    pub(crate) class: &'static str,
    /// What the ids of its small pictures begin with.
    pub(crate) prefix: char,
}

/// The colour of a cell, by the class of its side, and its strength.
pub(crate) type Shade = (&'static str, f64);

/// The configurations of a report.
pub(crate) fn sides<'a>(report: &'a Report<'_>) -> Vec<Side<'a>> {
    let Report { name, subject, found, times, against } = report;
    let mut sides = vec![Side { name, subject, found, times, class: "first", prefix: 'a' }];
    sides.extend(against.as_ref().map(|against| Side {
        name: &against.name,
        subject: against.subject,
        found: against.found,
        times: against.times,
        class: "second",
        prefix: 'b',
    }));
    sides
}

impl Side<'_> {
    /// Its name with its colour, if there are two.
    pub(crate) fn label(&self, sides: &[Side<'_>]) -> Markup {
        match sides.len() {
            1 => self.name.render(),
            // The name does not leave its colour at the end of a line.
            _ => html! { i class={ "key " (self.class) } {} "\u{a0}" (self.name) },
        }
    }
}

/// Which colour is which configuration, where there are two.
pub(crate) fn legend(sides: &[Side<'_>]) -> Markup {
    html! {
        @if sides.len() > 1 { p.legend.which { @for side in sides { span { (side.label(sides)) } " " } } }
    }
}

/// Everything that can stand on a cell in any of the configurations, each once: the colours of the page.
pub(crate) fn planes(sides: &[Side<'_>]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let planes = sides.iter().flat_map(|side| &side.found.planes);
    planes.filter(|plane| seen.insert(*plane)).cloned().collect()
}

/// Which seeds were gone through.
pub(crate) fn seeds(found: &Findings) -> String {
    let Findings { first, last, seeds, span, .. } = found;
    let ends = if first == last { first.to_string() } else { format!("{first} to {last}") };
    let count = counted(*seeds, "seed", "seeds");
    match span.shard() == crate::search::Shard::default() {
        true => format!("{count}, {ends}"),
        false => format!("{count} of shard {}, {ends}", span.shard()),
    }
}

/// What is to be known of a measurement that was stopped.
pub(crate) fn stopped(found: &Findings) -> Option<String> {
    let (done, all) = (whole(found.seeds.into()), whole(found.span.len().into()));
    (!found.is_whole()).then(|| format!("Stopped early: {done} of {all} seeds were gone through."))
}

/// Maps of a family as they are spoken of.
pub(crate) fn maps(family: Family, count: u64) -> String {
    let (one, several) = match family {
        Family::Act => ("act map", "act maps"),
        Family::Level => ("level", "levels"),
        Family::Floor => ("floor", "floors"),
        Family::Tower => ("tower", "towers"),
    };
    counted(count, one, several)
}

/// The sums of counts by key, the largest first, then in the order of keys.
pub(crate) fn by_count<K: Ord + Copy>(counts: impl Iterator<Item = (K, u64)>) -> Vec<(K, u64)> {
    let mut sums: BTreeMap<K, u64> = BTreeMap::new();
    counts.for_each(|(key, count)| *sums.entry(key).or_default() += count);
    let mut order: Vec<(K, u64)> = sums.into_iter().collect();
    order.sort_by_key(|&(key, count)| (Reverse(count), key));
    order
}
