//! What is best said in tables: tries, failures, budgets, repeats, times. Two configurations share their rows.

use crate::report::bars::{bar, share_bar};
use crate::report::side::Side;
use crate::report::words::{number, percent, text, time, whole};
use crate::search::{COMPARED, Refusals};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use wayforge::Family;

/// What is to be known first: names, and what each side says.
pub(crate) fn headline(sides: &[Side<'_>]) -> Vec<(&'static str, Vec<String>)> {
    type Read = fn(&Side<'_>) -> Option<String>;
    let act = sides.first().is_some_and(|side| side.found.family == Family::Act);
    let facts: [(&str, Read); 7] = [
        ("have a map", |side| Some(percent(side.found.maps, side.found.seeds))),
        ("at the first try", |side| Some(percent(side.found.first_try, side.found.seeds))),
        ("attempts, on average", |side| Some(number(side.histogram("attempts")?.mean()))),
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

/// How seeds came by their maps, and what stood in the way.
pub(crate) fn tries(page: &mut String, sides: &[Side<'_>]) {
    page.push_str("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table><thead><tr><td></td><th scope=\"col\">seeds</th><th scope=\"col\">with a map</th><th scope=\"col\">at the first try</th><th scope=\"col\">attempts, on average</th></tr></thead><tbody>");
    for side in sides {
        let found = side.found;
        let attempts =
            side.histogram("attempts").map_or_else(|| "–".to_owned(), |attempts| number(attempts.mean()));
        let _ = write!(
            page,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{attempts}</td></tr>",
            side.label(sides),
            whole(found.seeds.into()),
            share_bar(side, found.maps, found.seeds),
            share_bar(side, found.first_try, found.seeds)
        );
    }
    page.push_str("</tbody></table></div>\n");
    failures(page, sides);
}

fn failures(page: &mut String, sides: &[Side<'_>]) {
    type Read = fn(&Refusals) -> u64;
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    for (rule, refusals) in sides.iter().flat_map(|side| &side.found.refusals) {
        *sums.entry(rule).or_default() += refusals.refused + refusals.mended;
    }
    if sums.is_empty() {
        page.push_str("<p>No attempt was refused or repaired.</p>\n");
        return;
    }
    let columns: [(&str, Read); 4] = [
        ("all failures", |refusals| refusals.refused + refusals.mended),
        ("attempts refused", |refusals| refusals.refused),
        ("attempts repaired", |refusals| refusals.mended),
        ("seeds without a map", |refusals| refusals.without),
    ];
    page.push_str("<h3>Failures by rule</h3><div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>");
    heads(page, "rule", &columns.map(|(name, _)| name), sides);
    let of = |side: &Side<'_>, rule: &str| side.found.refusals.get(rule).copied().unwrap_or_default();
    let all: Vec<u64> =
        sides.iter().map(|side| side.found.refusals.values().map(columns[0].1).sum()).collect();
    let longest = all.iter().copied().max().unwrap_or(0);
    let mut rules: Vec<(&str, u64)> = sums.into_iter().collect();
    rules.sort_by_key(|&(rule, sum)| (Reverse(sum), rule));
    for (rule, _) in rules {
        let _ = write!(page, "<tr><th scope=\"row\">{}</th>", text(rule));
        for (column, (_, read)) in columns.iter().enumerate() {
            for (side, all) in sides.iter().zip(&all) {
                let count = read(&of(side, rule));
                let told = match (column, sides.len()) {
                    (0, 1) => share_bar(side, count, *all),
                    (0, _) => bar(side, count, longest, &whole(count.into())),
                    _ => whole(count.into()),
                };
                let _ = write!(page, "<td>{told}</td>");
            }
        }
        page.push_str("</tr>");
    }
    page.push_str("</tbody></table></div>\n");
}

/// The heads of a table whose columns each side has one of; the rows follow.
fn heads(page: &mut String, what: &str, columns: &[&str], sides: &[Side<'_>]) {
    if sides.len() == 1 {
        let _ = write!(page, "<thead><tr><th scope=\"col\">{what}</th>");
        columns.iter().for_each(|name| page.push_str(&format!("<th scope=\"col\">{name}</th>")));
    } else {
        let _ = write!(page, "<thead><tr><th scope=\"col\" rowspan=\"2\">{what}</th>");
        for name in columns {
            let _ = write!(page, "<th scope=\"colgroup\" colspan=\"{}\">{name}</th>", sides.len());
        }
        page.push_str("</tr><tr>");
        for side in columns.iter().flat_map(|_| sides) {
            let _ = write!(page, "<th scope=\"col\">{}</th>", side.label(sides));
        }
    }
    page.push_str("</tr></thead><tbody>");
}

/// What was asked for, beside what was placed.
pub(crate) fn budgets(page: &mut String, sides: &[Side<'_>]) {
    let mut seen = BTreeSet::new();
    let name = |side: &Side<'_>, term| side.subject.catalogue().name(term);
    let names: Vec<String> = sides
        .iter()
        .flat_map(|side| side.found.budgets.iter().map(|(budget, _)| name(side, budget.term)))
        .filter(|name| seen.insert(name.clone()))
        .collect();
    if names.is_empty() {
        page.push_str("<p>The configuration asks for no certain numbers.</p>\n");
        return;
    }
    page.push_str("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>");
    heads(page, "what", &["asked", "placed, on average", "least to most", "as asked"], sides);
    for what in &names {
        // What is asked for twice of one thing (at least and at most) has a row for each.
        let of = |side: &Side<'_>| -> Vec<usize> {
            (0..side.found.budgets.len())
                .filter(|&at| name(side, side.found.budgets[at].0.term) == *what)
                .collect()
        };
        let rows = sides.iter().map(|side| of(side).len()).max().unwrap_or(0);
        for row in 0..rows {
            let cells: Vec<[String; 4]> = sides
                .iter()
                .map(|side| {
                    let placed = side.histogram(what);
                    let budget = of(side).get(row).map(|&at| &side.found.budgets[at]);
                    let range = |least: i64, most: i64| match least == most {
                        true => whole(least.into()),
                        false => format!("{} to {}", whole(least.into()), whole(most.into())),
                    };
                    let none = || "–".to_owned();
                    [
                        budget.map_or_else(none, |(budget, _)| text(&budget.asked)),
                        placed.map_or_else(none, |placed| number(placed.mean())),
                        placed.map_or_else(none, |placed| range(placed.least(), placed.most())),
                        budget.map_or_else(none, |(_, met)| share_bar(side, *met, side.found.maps)),
                    ]
                })
                .collect();
            let _ = write!(page, "<tr><th scope=\"row\">{}</th>", text(what));
            for column in 0..4 {
                cells.iter().for_each(|side| page.push_str(&format!("<td>{}</td>", side[column])));
            }
            page.push_str("</tr>");
        }
    }
    page.push_str("</tbody></table></div>\n");
}

/// How many maps are the same.
pub(crate) fn repeats(page: &mut String, sides: &[Side<'_>]) {
    // Act maps are climbed and never turned.
    let act = sides.iter().any(|side| side.found.family == Family::Act);
    let ways = ["repeated", "repeated, or mirrored", "repeated, mirrored or turned"];
    let ways = if act { &ways[..2] } else { &ways[..] };
    page.push_str("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table><thead><tr><td></td><th scope=\"col\">maps compared</th>");
    ways.iter().for_each(|way| page.push_str(&format!("<th scope=\"col\">{way}</th>")));
    page.push_str("<th scope=\"col\">the most frequent map</th></tr></thead><tbody>");
    for side in sides {
        let Some(repeats) = &side.found.repeats else { continue };
        let _ = write!(
            page,
            "<tr><th scope=\"row\">{}</th><td>{}</td>",
            side.label(sides),
            whole(repeats.maps.into())
        );
        for (different, _) in [repeats.different, repeats.mirrored, repeats.turned].iter().zip(ways) {
            let _ = write!(page, "<td>{}</td>", share_bar(side, repeats.maps - different, repeats.maps));
        }
        let times = match repeats.most {
            0 => "–".to_owned(),
            1 => "once".to_owned(),
            times => format!("{} times", whole(times.into())),
        };
        let _ = write!(page, "<td>{times}</td></tr>");
    }
    page.push_str("</tbody></table></div>\n");
    if sides.iter().any(|side| side.found.maps > COMPARED as u64) {
        let _ = write!(page, "<p>The first {} maps are compared.</p>", whole(COMPARED as i128));
    }
}

/// What a clock says of this run.
pub(crate) fn times(page: &mut String, sides: &[Side<'_>]) {
    page.push_str("<p>Of this machine and this run; everything else on this page is the same each time.</p><div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table><thead><tr><td></td>");
    for head in ["mean", "50 %", "90 %", "99 %", "99.9 %", "longest"] {
        let _ = write!(page, "<th scope=\"col\">{head}</th>");
    }
    page.push_str("</tr></thead><tbody>");
    for side in sides {
        let times = side.times;
        let (name, mean) = (side.label(sides), made_in(side, times.mean()));
        let _ = write!(page, "<tr><th scope=\"row\">{name}</th><td>{mean}</td>");
        for thousandths in [500, 900, 990, 999] {
            let _ = write!(page, "<td>{}</td>", made_in(side, times.percentile(thousandths)));
        }
        let _ = write!(page, "<td>{}</td></tr>", made_in(side, times.most() as f64));
    }
    page.push_str("</tbody></table></div>\n");
}

/// A time of making; where nothing was made, there is none.
fn made_in(side: &Side<'_>, nanos: f64) -> String {
    if side.found.maps == 0 { "–".to_owned() } else { time(nanos) }
}
