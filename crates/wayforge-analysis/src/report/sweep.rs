//! The page of a configuration whose one field was given several values.

use crate::report::curves::{self, LINES, Line, Plot};
use crate::report::frame::document;
use crate::report::page::configuration;
use crate::report::side::{self, by_count};
use crate::report::tables::CLOCK;
use crate::report::words::{counted, unit, whole};
use crate::report::{Point, Sweep};
use crate::search::{Findings, Histogram, Refusals, Repeats};
use maud::html;
use std::collections::BTreeSet;
use wayforge::metric::Budget;
use wayforge::{AnySpec, Family};
use wayforge_draw::Theme;

/// The metric that stands with tries and not with the others.
const ATTEMPTS: &str = "attempts";
/// The most budgets that have a plot.
const MAX_BUDGETS: usize = 24;

/// Surveys along a field as one HTML page with curves.
///
/// * **Arguments.** Without a `theme` the page is light or dark as its reader's screen is.
pub fn sweep_page(sweep: &Sweep, subject: &AnySpec, name: &str, theme: Option<Theme>) -> String {
    let end = |point: Option<&Point>| point.map_or_else(String::new, |point| point.value.clone());
    let title = format!("{} from {} to {}", sweep.field, end(sweep.points.first()), end(sweep.points.last()));
    let about = sweep.points.first().map_or_else(String::new, |point| {
        let values = counted(sweep.points.len() as u64, "value", "values");
        format!("{name}: {values}, each on {}", side::seeds(&point.found))
    });
    let ((asked, as_asked), (varied, steady)) = (budgets(sweep), metrics(sweep));
    let values: Vec<&str> = sweep.points.iter().map(|point| point.value.as_str()).collect();
    let plots = |plots: &[Plot]| {
        html! {
            div.plots { @for plot in plots { (plot.card(&sweep.field, &values)) } }
            (curves::numbers(plots, &sweep.field, &values))
        }
    };
    let group = |about: &str, varied: &[Plot], all: &str, steady: &[String]| {
        html! {
            @if !varied.is_empty() { p { (about) } (plots(varied)) }
            @if !steady.is_empty() { p.steady { (all) ": " (steady.join(", ")) "." } }
        }
    };
    let tries = html! {
        (plots(&tries(sweep)))
        @if sweep.points.iter().all(|point| point.found.refusals.is_empty()) {
            p { "No attempt was refused or repaired." }
        }
    };
    let dashed = "Dashed is what was asked for; nine of ten maps lie in the band.";
    let budgets = html! {
        (group(dashed, &asked, "As asked, and the same all along", &as_asked))
        @if asked.is_empty() && as_asked.is_empty() {
            p { "The configuration asks for no certain numbers." }
        }
    };
    let averages = "Averages as a line; nine of ten maps lie in the band.";
    let metrics = group(averages, &varied, "The same on every map, all along", &steady);
    let sections = [
        ("tries", "Tries and failures", tries),
        ("budgets", "Asked and placed", budgets),
        ("metrics", "Metrics", metrics),
        ("repeats", "Maps that repeat", plots(&repeats(sweep))),
        ("time", "Time to make a map", html! { p { (CLOCK) } (plots(&times(sweep))) }),
        ("configuration", "Configuration", configuration(name, subject)),
    ];
    document(&title, &about, html! {}, theme, &[], &sections)
}

/// A line of what every point says.
fn line(sweep: &Sweep, name: &str, read: impl Fn(&Findings) -> Option<f64>) -> Line {
    let points = sweep.points.iter().map(|point| read(&point.found)).collect();
    Line { name: name.to_owned(), points, ..Line::default() }
}

/// A part of seeds in percent.
fn of_seeds(found: &Findings, part: u64) -> Option<f64> {
    Some(part as f64 * 100.0 / found.seeds.max(1) as f64)
}

fn plot(name: &str, about: &str, lines: Vec<Line>) -> Plot {
    Plot { name: name.to_owned(), about: about.to_owned(), whole: None, lines }
}

fn tries(sweep: &Sweep) -> Vec<Plot> {
    let share = |name: &str, about: &str, least: f64, part: fn(&Findings) -> u64| {
        let line = line(sweep, "", |found| of_seeds(found, part(found)));
        Plot { whole: Some(least), ..plot(name, about, vec![line]) }
    };
    let first = "seeds whose first try is the map, in percent";
    let mut plots = vec![
        share("first try", first, 100.0, |found| found.first_try),
        share("without a map", "seeds that have no map, in percent", 0.0, |found| found.seeds - found.maps),
    ];
    let attempts = measured(sweep, ATTEMPTS, "");
    if attempts.points.iter().any(Option::is_some) {
        let about = "made for a map, the accepted one included; nine of ten maps lie in the band";
        plots.push(plot(ATTEMPTS, about, vec![attempts]));
    }
    plots.extend(by_rule(
        sweep,
        "failures by rule",
        "attempts refused or repaired, for every 100 seeds",
        |refusals| refusals.refused + refusals.mended,
    ));
    plots.extend(by_rule(
        sweep,
        "without a map, by rule",
        "seeds that have no map and whose attempts broke the rule, in percent",
        |refusals| refusals.without,
    ));
    plots
}

/// How often each rule stood in the way, those that did most often.
fn by_rule(sweep: &Sweep, name: &str, about: &str, read: fn(&Refusals) -> u64) -> Option<Plot> {
    let refusals = sweep.points.iter().flat_map(|point| &point.found.refusals);
    let mut rules = by_count(refusals.map(|(rule, refusals)| (rule.as_str(), read(refusals))));
    rules.retain(|(_, sum)| *sum > 0);
    let more = rules.len().saturating_sub(LINES);
    let about = match more {
        0 => about.to_owned(),
        _ => format!("{about}; {more} more in failures.csv"),
    };
    let count = |found: &Findings, rule: &str| found.refusals.get(rule).map_or(0, read);
    let lines: Vec<Line> = rules
        .iter()
        .take(LINES)
        .map(|(rule, _)| line(sweep, rule, |found| of_seeds(found, count(found, rule))))
        .collect();
    (!lines.is_empty()).then(|| plot(name, &about, lines))
}

/// What maps have of a metric: the average, and a band.
fn measured(sweep: &Sweep, metric: &str, name: &str) -> Line {
    let band = sweep.points.iter().map(|point| {
        let met = point.found.histogram(metric)?;
        Some([met.percentile(50) as f64, met.percentile(950) as f64])
    });
    Line { band: band.collect(), ..line(sweep, name, |found| found.histogram(metric).map(Histogram::mean)) }
}

/// Every metric that varies along the field or from map to map; and the others with their value.
fn metrics(sweep: &Sweep) -> (Vec<Plot>, Vec<String>) {
    let (mut plots, mut same) = (Vec::new(), Vec::new());
    let Some(first) = sweep.points.first() else { return (plots, same) };
    for metric in first.found.metrics.iter().filter(|metric| metric.name != ATTEMPTS) {
        match value_of_all(sweep, &metric.name) {
            Some(Some(value)) => same.push(format!("{} {}", metric.name, whole(value.into()))),
            Some(None) => {}
            None => {
                let about = format!("{}, in {}", metric.about, metric.unit);
                plots.push(plot(&metric.name, &about, vec![measured(sweep, &metric.name, "")]));
            }
        }
    }
    (plots, same)
}

/// The value that every map has at every value of the field: `Some(None)` without maps, `None` if maps differ.
fn value_of_all(sweep: &Sweep, name: &str) -> Option<Option<i64>> {
    let mut all = sweep.points.iter().filter_map(|point| point.found.histogram(name));
    let Some(first) = all.next() else { return Some(None) };
    let value = first.least();
    let same = |met: &Histogram| met.is_constant() && met.least() == value;
    (same(first) && all.all(same)).then_some(Some(value))
}

/// What was asked for and placed: plots of what varies and of the share of maps that have it, and what every map has as asked.
fn budgets(sweep: &Sweep) -> (Vec<Plot>, Vec<String>) {
    let mut seen = BTreeSet::new();
    let names = sweep.points.iter().flat_map(|Point { found, .. }| {
        found.budgets.iter().filter_map(|(budget, _)| Some(found.metric_of(budget.term)?.name.as_str()))
    });
    let (mut plots, mut steady, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for name in names.filter(|name| seen.insert(*name)).take(MAX_BUDGETS) {
        let share = line(sweep, name, |found| {
            let met = budgets_of(found, name).map(|(_, met)| *met).min()?;
            (found.maps > 0).then(|| met as f64 * 100.0 / found.maps as f64)
        });
        let all_met = share.points.iter().flatten().all(|share| *share == 100.0);
        match value_of_all(sweep, name).flatten().filter(|_| all_met) {
            Some(value) => steady.push(format!("{name} {}", whole(value.into()))),
            None => plots.push(placed(sweep, name)),
        }
        if !all_met && shares.len() < LINES {
            shares.push(share);
        }
    }
    if !shares.is_empty() {
        let about = "maps that have what was asked for, in percent";
        plots.push(Plot { whole: Some(100.0), ..plot("as asked", about, shares) });
    }
    (plots, steady)
}

/// What is asked for of a metric, and how many maps have it.
fn budgets_of<'a>(found: &'a Findings, name: &'a str) -> impl Iterator<Item = &'a (Budget, u64)> {
    let term = found.metric(name).map(|metric| metric.term);
    found.budgets.iter().filter(move |(budget, _)| Some(budget.term) == term)
}

/// What maps have of a metric, and what was asked for.
fn placed(sweep: &Sweep, name: &str) -> Plot {
    type End = fn(&Budget) -> Option<i64>;
    let ends: [(&str, End); 3] = [
        ("asked", |budget| (budget.most == Some(budget.least)).then_some(budget.least)),
        ("at least", |budget| {
            (budget.most != Some(budget.least) && budget.least > 0).then_some(budget.least)
        }),
        ("at most", |budget| budget.most.filter(|most| *most != budget.least)),
    ];
    let mut lines = vec![measured(sweep, name, "placed")];
    for (word, end) in ends {
        let asked = line(sweep, word, |found| {
            budgets_of(found, name).find_map(|(budget, _)| end(budget)).map(|asked| asked as f64)
        });
        if asked.points.iter().any(Option::is_some) {
            lines.push(Line { asked: true, ..asked });
        }
    }
    let about = sweep.points.iter().find_map(|point| point.found.metric(name));
    plot(name, about.map_or("", |metric| metric.about.as_str()), lines)
}

fn repeats(sweep: &Sweep) -> Vec<Plot> {
    type Read = fn(&Repeats) -> u64;
    let reads: [(&str, Read); 3] = [
        ("the same", |repeats| repeats.different),
        ("or mirrored", |repeats| repeats.mirrored),
        ("or turned", |repeats| repeats.turned),
    ];
    let share = |read: Read| {
        move |found: &Findings| {
            let repeats = found.repeats.filter(|repeats| repeats.maps > 0)?;
            Some((repeats.maps - read(&repeats)) as f64 * 100.0 / repeats.maps as f64)
        }
    };
    // Act maps are never turned.
    let act = sweep.points.iter().any(|point| point.found.family == Family::Act);
    let mut lines: Vec<Line> = Vec::new();
    for (name, read) in reads.into_iter().take(if act { 2 } else { 3 }) {
        let line = line(sweep, name, share(read));
        match lines.last_mut().filter(|last| last.points == line.points) {
            // Lines that cover each other are one.
            Some(last) => last.name = format!("{}, {name}", last.name),
            None => lines.push(line),
        }
    }
    vec![plot("repeats", "maps that repeat an earlier one, in percent", lines)]
}

fn times(sweep: &Sweep) -> Vec<Plot> {
    // Where nothing was made, there is no time of making.
    let of = |point: &Point, thousandths| (point.found.maps > 0).then(|| point.times.percentile(thousandths));
    let longest = sweep.points.iter().filter_map(|point| of(point, 990)).fold(0.0, f64::max);
    let (size, _, unit) = unit(longest);
    let percentile = |name: &str, thousandths: u64| Line {
        name: name.to_owned(),
        points: sweep.points.iter().map(|point| Some(of(point, thousandths)? / size)).collect(),
        ..Line::default()
    };
    let lines = vec![percentile("50 %", 500), percentile("90 %", 900), percentile("99 %", 990)];
    let about = format!("within which so many maps are made, in {unit}");
    vec![plot("time", &about, lines)]
}
