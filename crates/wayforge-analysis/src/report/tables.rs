//! Tables of a page: attempts, failures, budgets, duplicates and times. Two configurations share
//! the rows.

use crate::report::bars::{part_bar, share_bar};
use crate::report::frame::{heads, row, table};
use crate::report::side::{Side, are_graphs, by_count};
use crate::report::text::{integer, number, percent, time};
use crate::search::{Duplicates, MAX_COMPARED_MAPS, RuleFailures};
use maud::{Markup, Render, html};
use std::collections::BTreeSet;
use wayforge::metric::Budget;

/// Returns the headline values: a label and one value per side.
pub(crate) fn headline(sides: &[Side<'_>]) -> Vec<(&'static str, Vec<String>)> {
    type Read = fn(&Side<'_>) -> Option<String>;
    let symmetries = match are_graphs(sides) {
        true => "counting reflections",
        false => "counting reflections and rotations",
    };
    let columns: [(&str, Read); 7] = [
        ("have a map", |side| Some(percent(side.results.maps, side.results.seeds))),
        ("on the first attempt", |side| {
            Some(percent(side.results.first_attempt, side.results.seeds))
        }),
        ("attempts on average", |side| Some(number(side.results.histogram("attempts")?.mean()))),
        ("are duplicates", |side| {
            let all = side.results.duplicates.filter(|all| all.maps > 0)?;
            Some(percent(all.maps - all.distinct, all.maps))
        }),
        (symmetries, |side| {
            let all = side.results.duplicates.filter(|all| all.maps > 0)?;
            Some(percent(all.maps - all.distinct_rotated, all.maps))
        }),
        ("median time per seed", |side| Some(format_time(side, side.times.percentile(500)))),
        ("99th percentile", |side| Some(format_time(side, side.times.percentile(990)))),
    ];
    let entry = |(name, read): (&'static str, Read)| {
        let values: Vec<Option<String>> = sides.iter().map(read).collect();
        let is_known = values.iter().any(Option::is_some);
        let text = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
        is_known.then(|| (name, values.into_iter().map(text).collect()))
    };
    columns.into_iter().filter_map(entry).collect()
}

/// Note above generation times, which include seeds without a map.
pub(crate) const TIMING_NOTE: &str = "Measured on this machine in this run, including seeds \
    without a map. Everything else on this page is deterministic.";

/// Renders success rates, attempts and failures.
pub(crate) fn attempts(sides: &[Side<'_>]) -> Markup {
    let head = html! {
        tr { td {} (heads(["seeds", "with a map", "on the first attempt", "attempts on average"])) }
    };
    let rows = html! {
        @for side in sides {
            @let results = side.results;
            @let attempts = results.histogram("attempts").map(|all| number(all.mean()));
            @let attempts = attempts.unwrap_or_else(|| "–".to_owned());
            (row(side.label(sides), [
                integer(results.seeds.into()).render(),
                share_bar(side, results.maps, results.seeds),
                share_bar(side, results.first_attempt, results.seeds),
                attempts.render(),
            ]))
        }
    };
    html! { (table(head, rows)) (failures(sides)) }
}

fn failures(sides: &[Side<'_>]) -> Markup {
    type Read = fn(&RuleFailures) -> u64;
    let columns: [(&str, Read); 4] = [
        ("all failures", |failures| failures.rejected + failures.repaired),
        ("rejected attempts", |failures| failures.rejected),
        ("repaired attempts", |failures| failures.repaired),
        ("seeds without a map", |failures| failures.seeds_without_map),
    ];
    let failures = sides.iter().flat_map(|side| &side.results.failures);
    let rules = by_count(failures.map(|(rule, failures)| (rule.as_str(), columns[0].1(failures))));
    if rules.is_empty() {
        return html! { p { "No attempt was rejected or repaired." } };
    }
    let failures_of =
        |side: &Side<'_>, rule: &str| side.results.failures.get(rule).copied().unwrap_or_default();
    let sums = sides.iter().map(|side| side.results.failures.values().map(columns[0].1).sum());
    let max: u64 = sums.max().unwrap_or(0);
    let cell = |rule: &str, column: usize, side: &Side<'_>| {
        let count = columns[column].1(&failures_of(side, rule));
        match (column, sides.len()) {
            (0, 1) => share_bar(side, count, max),
            (0, _) => part_bar(side, count, max, &integer(count.into())),
            _ => integer(count.into()).render(),
        }
    };
    let cells: Vec<_> = (0..columns.len())
        .flat_map(|column| sides.iter().map(move |side| (column, side)))
        .collect();
    let rows = html! {
        @for (rule, _) in rules {
            (row(rule, cells.iter().map(|(column, side)| cell(rule, *column, side))))
        }
    };
    html! {
        h3 { "Failures by rule" }
        (table(side_heads("rule", &columns.map(|(name, _)| name), sides), rows))
    }
}

/// Renders a table header with one column per side for each entry of `columns`.
fn side_heads(first: &str, columns: &[&str], sides: &[Side<'_>]) -> Markup {
    if sides.len() == 1 {
        return html! { tr { (heads([first])) (heads(columns)) } };
    }
    html! {
        tr {
            th scope="col" rowspan="2" { (first) }
            @for name in columns { th scope="colgroup" colspan=(sides.len()) { (name) } }
        }
        tr { (heads(columns.iter().flat_map(|_| sides).map(|side| side.label(sides)))) }
    }
}

/// Renders requested and placed numbers.
pub(crate) fn budgets(sides: &[Side<'_>]) -> Markup {
    let mut seen = BTreeSet::new();
    let name = |side: &Side<'_>, term| side.spec.catalogue().name(term);
    let names: Vec<String> = sides
        .iter()
        .flat_map(|side| side.results.budgets.iter().map(|(budget, _)| name(side, budget.term)))
        .filter(|name| seen.insert(name.clone()))
        .collect();
    if names.is_empty() {
        return html! { p { "The configuration requests no specific numbers." } };
    }
    let range = |min: i64, max: i64| match [min, max].map(|end| integer(end.into())) {
        [min, max] if min == max => min,
        [min, max] => format!("{min} to {max}"),
    };
    let budgets_of = |side: &Side<'_>, metric: &str| -> Vec<(Budget, u64)> {
        let budgets = side.results.budgets.iter();
        budgets.filter(|(budget, _)| name(side, budget.term) == metric).cloned().collect()
    };
    let dash = || "–".render();
    let cells = |side: &Side<'_>, metric: &str, at: usize| {
        let placed = side.results.histogram(metric);
        let budget = budgets_of(side, metric).into_iter().nth(at);
        [
            budget.as_ref().map_or_else(dash, |(budget, _)| budget.requested.render()),
            placed.map_or_else(dash, |placed| number(placed.mean()).render()),
            placed.map_or_else(dash, |placed| range(placed.min(), placed.max()).render()),
            budget.map_or_else(dash, |(_, maps)| share_bar(side, maps, side.results.maps)),
        ]
    };
    let rows = html! {
        @for metric in &names {
            // A metric with both a minimum and a maximum has a row for each.
            @let counts = sides.iter().map(|side| budgets_of(side, metric).len());
            @for at in 0..counts.max().unwrap_or(0) {
                @let cells: Vec<_> = sides.iter().map(|side| cells(side, metric, at)).collect();
                (row(metric, (0..4).flat_map(|column| cells.iter().map(move |side| &side[column]))))
            }
        }
    };
    let columns = ["requested", "placed on average", "min to max", "as requested"];
    table(side_heads("metric", &columns, sides), rows)
}

/// Renders the shares of duplicate maps.
pub(crate) fn duplicates(sides: &[Side<'_>]) -> Markup {
    let equality = ["exact duplicates", "up to reflection", "up to reflection and rotation"];
    let equality = if are_graphs(sides) { &equality[..2] } else { &equality[..] };
    let head = html! {
        tr { td {} (heads(["maps compared"])) (heads(equality)) (heads(["most frequent map"])) }
    };
    let cells = |side: &Side<'_>, duplicates: &Duplicates| {
        let Duplicates { maps, distinct, distinct_mirrored, distinct_rotated, .. } = *duplicates;
        let mut cells = vec![integer(maps.into()).render()];
        let distinct = [distinct, distinct_mirrored, distinct_rotated].into_iter();
        let shares = distinct.take(equality.len()).map(|count| share_bar(side, maps - count, maps));
        cells.extend(shares);
        cells.push(match duplicates.max_count {
            0 => "–".render(),
            1 => "once".render(),
            times => html! { (integer(times.into())) " times" },
        });
        cells
    };
    let rows = html! {
        @for side in sides {
            @if let Some(duplicates) = &side.results.duplicates {
                (row(side.label(sides), cells(side, duplicates)))
            }
        }
    };
    html! {
        (table(head, rows))
        @if sides.iter().any(|side| side.results.maps > MAX_COMPARED_MAPS as u64) {
            p { "Only the first " (integer(MAX_COMPARED_MAPS as i128)) " maps are compared." }
        }
    }
}

/// Renders the mean, percentiles and maximum of the generation time.
pub(crate) fn times(sides: &[Side<'_>]) -> Markup {
    let head = html! { tr { td {} (heads(["mean", "50 %", "90 %", "99 %", "99.9 %", "max"])) } };
    let rows = html! {
        @for side in sides {
            @let times = side.times;
            @let [p50, p90, p99, p999] = [500, 900, 990, 999].map(|part| times.percentile(part));
            @let all = [times.mean(), p50, p90, p99, p999, times.max() as f64];
            (row(side.label(sides), all.map(|nanos| format_time(side, nanos))))
        }
    };
    html! { p { (TIMING_NOTE) } (table(head, rows)) }
}

/// Formats a generation time, or a dash if there is no map.
fn format_time(side: &Side<'_>, nanos: f64) -> String {
    if side.results.maps == 0 { "–".to_owned() } else { time(nanos) }
}
