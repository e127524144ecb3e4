//! What is best said in tables: tries, failures, budgets, repeats, times. Two configurations share their rows.

use crate::report::bars::{part_bar, share_bar};
use crate::report::frame::{heads, row, table};
use crate::report::side::{Side, by_count};
use crate::report::words::{number, percent, time, whole};
use crate::search::{COMPARED, Refusals, Repeats};
use maud::{Markup, Render, html};
use std::collections::BTreeSet;
use wayforge::Family;

/// What is to be known first: names, and what each side says.
pub(crate) fn headline(sides: &[Side<'_>]) -> Vec<(&'static str, Vec<String>)> {
    type Read = fn(&Side<'_>) -> Option<String>;
    let act = sides.first().is_some_and(|side| side.found.family == Family::Act);
    let facts: [(&str, Read); 7] = [
        ("have a map", |side| Some(percent(side.found.maps, side.found.seeds))),
        ("at the first try", |side| Some(percent(side.found.first_try, side.found.seeds))),
        ("attempts, on average", |side| Some(number(side.found.histogram("attempts")?.mean()))),
        ("repeat another", |side| {
            let repeats = side.found.repeats.filter(|repeats| repeats.maps > 0)?;
            Some(percent(repeats.maps - repeats.different, repeats.maps))
        }),
        (if act { "if mirrored" } else { "if mirrored or turned" }, |side| {
            let repeats = side.found.repeats.filter(|repeats| repeats.maps > 0)?;
            Some(percent(repeats.maps - repeats.turned, repeats.maps))
        }),
        ("half are made within", |side| Some(made_in(side, side.times.percentile(500)))),
        ("99 % are made within", |side| Some(made_in(side, side.times.percentile(990)))),
    ];
    let told = |(name, read): (&'static str, Read)| {
        let values: Vec<Option<String>> = sides.iter().map(read).collect();
        let known = values.iter().any(Option::is_some);
        known.then(|| {
            (name, values.into_iter().map(|value| value.unwrap_or_else(|| "–".to_owned())).collect())
        })
    };
    facts.into_iter().filter_map(told).collect()
}

/// What is said of times.
pub(crate) const CLOCK: &str =
    "Of this machine and this run; everything else on this page is the same each time.";

/// How seeds came by their maps, and what stood in the way.
pub(crate) fn tries(sides: &[Side<'_>]) -> Markup {
    let head = html! {
        tr { td {} (heads(["seeds", "with a map", "at the first try", "attempts, on average"])) }
    };
    let rows = html! {
        @for side in sides {
            @let found = side.found;
            @let attempts = side.found.histogram("attempts").map_or_else(|| "–".to_owned(), |all| number(all.mean()));
            (row(side.label(sides), [
                whole(found.seeds.into()).render(),
                share_bar(side, found.maps, found.seeds),
                share_bar(side, found.first_try, found.seeds),
                attempts.render(),
            ]))
        }
    };
    html! { (table(head, rows)) (failures(sides)) }
}

fn failures(sides: &[Side<'_>]) -> Markup {
    type Read = fn(&Refusals) -> u64;
    let columns: [(&str, Read); 4] = [
        ("all failures", |refusals| refusals.refused + refusals.mended),
        ("attempts refused", |refusals| refusals.refused),
        ("attempts repaired", |refusals| refusals.mended),
        ("seeds without a map", |refusals| refusals.without),
    ];
    let refusals = sides.iter().flat_map(|side| &side.found.refusals);
    let rules = by_count(refusals.map(|(rule, refusals)| (rule.as_str(), columns[0].1(refusals))));
    if rules.is_empty() {
        return html! { p { "No attempt was refused or repaired." } };
    }
    let of = |side: &Side<'_>, rule: &str| side.found.refusals.get(rule).copied().unwrap_or_default();
    let sums = sides.iter().map(|side| side.found.refusals.values().map(columns[0].1).sum());
    let longest: u64 = sums.max().unwrap_or(0);
    let cell = |rule: &str, column: usize, side: &Side<'_>| {
        let count = columns[column].1(&of(side, rule));
        match (column, sides.len()) {
            (0, 1) => share_bar(side, count, longest),
            (0, _) => part_bar(side, count, longest, &whole(count.into())),
            _ => whole(count.into()).render(),
        }
    };
    let places: Vec<_> =
        (0..columns.len()).flat_map(|column| sides.iter().map(move |side| (column, side))).collect();
    let rows = html! {
        @for (rule, _) in rules { (row(rule, places.iter().map(|(column, side)| cell(rule, *column, side)))) }
    };
    html! {
        h3 { "Failures by rule" }
        (table(side_heads("rule", &columns.map(|(name, _)| name), sides), rows))
    }
}

/// The heads of a table whose columns each side has one of.
fn side_heads(what: &str, columns: &[&str], sides: &[Side<'_>]) -> Markup {
    if sides.len() == 1 {
        return html! { tr { (heads([what])) (heads(columns)) } };
    }
    html! {
        tr {
            th scope="col" rowspan="2" { (what) }
            @for name in columns { th scope="colgroup" colspan=(sides.len()) { (name) } }
        }
        tr { (heads(columns.iter().flat_map(|_| sides).map(|side| side.label(sides)))) }
    }
}

/// What was asked for, beside what was placed.
pub(crate) fn budgets(sides: &[Side<'_>]) -> Markup {
    let mut seen = BTreeSet::new();
    let name = |side: &Side<'_>, term| side.subject.catalogue().name(term);
    let names: Vec<String> = sides
        .iter()
        .flat_map(|side| side.found.budgets.iter().map(|(budget, _)| name(side, budget.term)))
        .filter(|name| seen.insert(name.clone()))
        .collect();
    if names.is_empty() {
        return html! { p { "The configuration asks for no certain numbers." } };
    }
    let range = |least: i64, most: i64| match least == most {
        true => whole(least.into()),
        false => format!("{} to {}", whole(least.into()), whole(most.into())),
    };
    let of = |side: &Side<'_>, what: &str| -> Vec<usize> {
        let budgets = side.found.budgets.iter().enumerate();
        budgets.filter(|(_, (budget, _))| name(side, budget.term) == what).map(|(at, _)| at).collect()
    };
    let none = || "–".render();
    let cells = |side: &Side<'_>, what: &str, at: usize| {
        let placed = side.found.histogram(what);
        let budget = of(side, what).get(at).map(|&at| &side.found.budgets[at]);
        [
            budget.map_or_else(none, |(budget, _)| budget.asked.render()),
            placed.map_or_else(none, |placed| number(placed.mean()).render()),
            placed.map_or_else(none, |placed| range(placed.least(), placed.most()).render()),
            budget.map_or_else(none, |(_, met)| share_bar(side, *met, side.found.maps)),
        ]
    };
    let rows = html! {
        @for what in &names {
            // What is asked for twice of one thing (at least and at most) has a row for each.
            @for at in 0..sides.iter().map(|side| of(side, what).len()).max().unwrap_or(0) {
                @let cells: Vec<_> = sides.iter().map(|side| cells(side, what, at)).collect();
                (row(what, (0..4).flat_map(|column| cells.iter().map(move |side| &side[column]))))
            }
        }
    };
    table(side_heads("what", &["asked", "placed, on average", "least to most", "as asked"], sides), rows)
}

/// How many maps are the same.
pub(crate) fn repeats(sides: &[Side<'_>]) -> Markup {
    // Act maps are climbed and never turned.
    let act = sides.iter().any(|side| side.found.family == Family::Act);
    let ways = ["repeated", "repeated, or mirrored", "repeated, mirrored or turned"];
    let ways = if act { &ways[..2] } else { &ways[..] };
    let head =
        html! { tr { td {} (heads(["maps compared"])) (heads(ways)) (heads(["the most frequent map"])) } };
    let cells = |side: &Side<'_>, repeats: &Repeats| {
        let mut cells = vec![whole(repeats.maps.into()).render()];
        let different = [repeats.different, repeats.mirrored, repeats.turned].into_iter().take(ways.len());
        cells.extend(different.map(|different| share_bar(side, repeats.maps - different, repeats.maps)));
        cells.push(match repeats.most {
            0 => "–".render(),
            1 => "once".render(),
            times => html! { (whole(times.into())) " times" },
        });
        cells
    };
    let rows = html! {
        @for side in sides {
            @if let Some(repeats) = &side.found.repeats { (row(side.label(sides), cells(side, repeats))) }
        }
    };
    html! {
        (table(head, rows))
        @if sides.iter().any(|side| side.found.maps > COMPARED as u64) {
            p { "The first " (whole(COMPARED as i128)) " maps are compared." }
        }
    }
}

/// What a clock says of this run.
pub(crate) fn times(sides: &[Side<'_>]) -> Markup {
    let head = html! { tr { td {} (heads(["mean", "50 %", "90 %", "99 %", "99.9 %", "longest"])) } };
    let rows = html! {
        @for side in sides {
            @let [p50, p90, p99, p999] = [500, 900, 990, 999].map(|part| side.times.percentile(part));
            @let all = [side.times.mean(), p50, p90, p99, p999, side.times.most() as f64];
            (row(side.label(sides), all.map(|nanos| made_in(side, nanos))))
        }
    };
    html! { p { (CLOCK) } (table(head, rows)) }
}

/// A time of making; where nothing was made, there is none.
fn made_in(side: &Side<'_>, nanos: f64) -> String {
    if side.found.maps == 0 { "–".to_owned() } else { time(nanos) }
}
