//! Report page of a sweep over the values of one field.

use crate::report::curves::{self, Line, MAX_LINES, Plot};
use crate::report::frame::document;
use crate::report::page::configuration;
use crate::report::side::{self, by_count, common_value};
use crate::report::tables::TIMING_NOTE;
use crate::report::text::{count_noun, integer, time_unit};
use crate::report::{Sweep, SweepPoint};
use crate::search::{Duplicates, Histogram, RuleFailures, SurveyResults};
use maud::html;
use std::collections::BTreeSet;
use wayforge::AnySpec;
use wayforge::metric::{Budget, MapShape};
use wayforge_draw::Theme;

/// Metric that is plotted with the attempts and not with the other metrics.
const ATTEMPTS: &str = "attempts";
/// Maximum number of budgets with a plot.
const MAX_BUDGETS: usize = 24;

/// Renders a sweep as one HTML page with curves over the values of the field.
///
/// Without a `theme`, the page follows the reader's light or dark mode.
pub fn sweep_page(sweep: &Sweep, spec: &AnySpec, name: &str, theme: Option<Theme>) -> String {
    let end =
        |point: Option<&SweepPoint>| point.map_or_else(String::new, |point| point.value.clone());
    let title = format!(
        "{} from {} to {}",
        sweep.field,
        end(sweep.points.first()),
        end(sweep.points.last())
    );
    let subtitle = sweep.points.first().map_or_else(String::new, |point| {
        let values = count_noun(sweep.points.len() as u64, "value", "values");
        format!("{name}: {values}, each on {}", side::seeds(&point.results))
    });
    let ((varying_budgets, constant_budgets), (varying, constant)) =
        (budgets(sweep), metrics(sweep));
    let values: Vec<&str> = sweep.points.iter().map(|point| point.value.as_str()).collect();
    let plots = |plots: &[Plot]| {
        html! {
            div.plots { @for plot in plots { (plot.card(&sweep.field, &values)) } }
            (curves::value_table(plots, &sweep.field, &values))
        }
    };
    let group = |note: &str, varying: &[Plot], label: &str, constant: &[String]| {
        html! {
            @if !varying.is_empty() { p { (note) } (plots(varying)) }
            @if !constant.is_empty() { p.constant { (label) ": " (constant.join(", ")) "." } }
        }
    };
    let attempts = html! {
        (plots(&attempts(sweep)))
        @if sweep.points.iter().all(|point| point.results.failures.is_empty()) {
            p { "No attempt was rejected or repaired." }
        }
    };
    let budgets_note = "Dashed lines are requested values. The band contains 90 % of the maps.";
    let budgets = html! {
        (group(budgets_note, &varying_budgets, "As requested and constant", &constant_budgets))
        @if varying_budgets.is_empty() && constant_budgets.is_empty() {
            p { "The configuration requests no specific numbers." }
        }
    };
    let metrics_note = "Lines are means. The band contains 90 % of the maps.";
    let metrics = group(metrics_note, &varying, "Constant over all maps and values", &constant);
    let sections = [
        ("attempts", "Attempts and failures", attempts),
        ("budgets", "Requested vs placed", budgets),
        ("metrics", "Metrics", metrics),
        ("duplicates", "Duplicate maps", plots(&duplicates(sweep))),
        ("time", "Generation time", html! { p { (TIMING_NOTE) } (plots(&times(sweep))) }),
        ("configuration", "Configuration", configuration(name, spec)),
    ];
    document(&title, &subtitle, html! {}, theme, &[], &sections)
}

/// Builds a line with one value per survey.
fn line(sweep: &Sweep, name: &str, read: impl Fn(&SurveyResults) -> Option<f64>) -> Line {
    let points = sweep.points.iter().map(|point| read(&point.results)).collect();
    Line { name: name.to_owned(), points, ..Line::default() }
}

/// Returns a share of the seeds in percent.
fn percent_of_seeds(results: &SurveyResults, part: u64) -> Option<f64> {
    Some(part as f64 * 100.0 / results.seeds.max(1) as f64)
}

fn plot(name: &str, description: &str, lines: Vec<Line>) -> Plot {
    Plot { name: name.to_owned(), description: description.to_owned(), full_scale: None, lines }
}

fn attempts(sweep: &Sweep) -> Vec<Plot> {
    let share = |name: &str, description: &str, top: f64, part: fn(&SurveyResults) -> u64| {
        let line = line(sweep, "", |results| percent_of_seeds(results, part(results)));
        Plot { full_scale: Some(top), ..plot(name, description, vec![line]) }
    };
    let first = "seeds whose first attempt succeeds, in percent";
    let mut plots = vec![
        share("first attempt", first, 100.0, |results| results.first_attempt),
        share("without a map", "seeds without a map, in percent", 0.0, |results| {
            results.seeds - results.maps
        }),
    ];
    let attempts = mean_line(sweep, ATTEMPTS, "");
    if attempts.points.iter().any(Option::is_some) {
        let description =
            "attempts per map, including the accepted one; the band contains 90 % of the maps";
        plots.push(plot(ATTEMPTS, description, vec![attempts]));
    }
    plots.extend(by_rule(
        sweep,
        "failures by rule",
        "rejected or repaired attempts per 100 seeds",
        |failures| failures.rejected + failures.repaired,
    ));
    plots.extend(by_rule(
        sweep,
        "without a map, by rule",
        "seeds without a map whose attempts violated the rule, in percent",
        |failures| failures.seeds_without_map,
    ));
    plots
}

/// Plots the failures of the rules that fail most often, or returns `None` without failures.
fn by_rule(
    sweep: &Sweep,
    name: &str,
    description: &str,
    read: fn(&RuleFailures) -> u64,
) -> Option<Plot> {
    let failures = sweep.points.iter().flat_map(|point| &point.results.failures);
    let mut rules = by_count(failures.map(|(rule, failures)| (rule.as_str(), read(failures))));
    rules.retain(|(_, sum)| *sum > 0);
    let more = rules.len().saturating_sub(MAX_LINES);
    let description = match more {
        0 => description.to_owned(),
        _ => format!("{description}; {more} more in failures.csv"),
    };
    let count = |results: &SurveyResults, rule: &str| results.failures.get(rule).map_or(0, read);
    let lines: Vec<Line> = rules
        .iter()
        .take(MAX_LINES)
        .map(|(rule, _)| {
            line(sweep, rule, |results| percent_of_seeds(results, count(results, rule)))
        })
        .collect();
    (!lines.is_empty()).then(|| plot(name, &description, lines))
}

/// Builds a line with the mean of a metric and a band from the 5th to the 95th percentile.
fn mean_line(sweep: &Sweep, metric: &str, name: &str) -> Line {
    let band = sweep.points.iter().map(|point| {
        let histogram = point.results.histogram(metric)?;
        Some([histogram.percentile(50) as f64, histogram.percentile(950) as f64])
    });
    Line {
        band: band.collect(),
        ..line(sweep, name, |results| results.histogram(metric).map(Histogram::mean))
    }
}

/// Returns plots of all metrics that vary, and the constant ones as text.
fn metrics(sweep: &Sweep) -> (Vec<Plot>, Vec<String>) {
    let (mut plots, mut constant) = (Vec::new(), Vec::new());
    let results = || sweep.points.iter().map(|point| &point.results);
    let Some(first) = sweep.points.first() else { return (plots, constant) };
    for metric in first.results.metrics.iter().filter(|metric| metric.name != ATTEMPTS) {
        match common_value(results(), &metric.name) {
            Some(Some(value)) => {
                constant.push(format!("{} {}", metric.name, integer(value.into())))
            }
            Some(None) => {}
            None => {
                let description = format!("{}, in {}", metric.description, metric.unit);
                plots.push(plot(
                    &metric.name,
                    &description,
                    vec![mean_line(sweep, &metric.name, "")],
                ));
            }
        }
    }
    (plots, constant)
}

/// Compares requested and placed numbers. Returns plots of those that vary or were missed, and the
/// constant ones as text.
fn budgets(sweep: &Sweep) -> (Vec<Plot>, Vec<String>) {
    let mut seen = BTreeSet::new();
    let results = || sweep.points.iter().map(|point| &point.results);
    let names = results().flat_map(|results| {
        results
            .budgets
            .iter()
            .filter_map(|(budget, _)| Some(results.metric_of(budget.term)?.name.as_str()))
    });
    let (mut plots, mut constant, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for name in names.filter(|name| seen.insert(*name)).take(MAX_BUDGETS) {
        let share = line(sweep, name, |results| {
            let satisfied = budgets_of(results, name).map(|(_, satisfied)| *satisfied).min()?;
            (results.maps > 0).then(|| satisfied as f64 * 100.0 / results.maps as f64)
        });
        let all_satisfied = share.points.iter().flatten().all(|share| *share == 100.0);
        match common_value(results(), name).flatten().filter(|_| all_satisfied) {
            Some(value) => constant.push(format!("{name} {}", integer(value.into()))),
            None => plots.push(placed(sweep, name)),
        }
        if !all_satisfied && shares.len() < MAX_LINES {
            shares.push(share);
        }
    }
    if !shares.is_empty() {
        let description = "maps with the requested number, in percent";
        plots.push(Plot { full_scale: Some(100.0), ..plot("as requested", description, shares) });
    }
    (plots, constant)
}

/// Returns the budgets of a metric, each with the number of maps that satisfy it.
fn budgets_of<'a>(
    results: &'a SurveyResults,
    name: &'a str,
) -> impl Iterator<Item = &'a (Budget, u64)> {
    let term = results.metric(name).map(|metric| metric.term);
    results.budgets.iter().filter(move |(budget, _)| Some(budget.term) == term)
}

/// Plots the placed numbers of a metric with the requested bounds.
fn placed(sweep: &Sweep, name: &str) -> Plot {
    type Bound = fn(&Budget) -> Option<i64>;
    let bounds: [(&str, Bound); 3] = [
        ("requested", |budget| (budget.max == Some(budget.min)).then_some(budget.min)),
        ("at least", |budget| {
            (budget.max != Some(budget.min) && budget.min > 0).then_some(budget.min)
        }),
        ("at most", |budget| budget.max.filter(|max| *max != budget.min)),
    ];
    let mut lines = vec![mean_line(sweep, name, "placed")];
    for (label, bound) in bounds {
        let requested = line(sweep, label, |results| {
            budgets_of(results, name)
                .find_map(|(budget, _)| bound(budget))
                .map(|bound| bound as f64)
        });
        if requested.points.iter().any(Option::is_some) {
            lines.push(Line { is_requested: true, ..requested });
        }
    }
    let metric = sweep.points.iter().find_map(|point| point.results.metric(name));
    plot(name, metric.map_or("", |metric| metric.description.as_str()), lines)
}

fn duplicates(sweep: &Sweep) -> Vec<Plot> {
    type Read = fn(&Duplicates) -> u64;
    let reads: [(&str, Read); 3] = [
        ("exact", |duplicates| duplicates.distinct),
        ("up to reflection", |duplicates| duplicates.distinct_mirrored),
        ("up to reflection and rotation", |duplicates| duplicates.distinct_rotated),
    ];
    let share = |read: Read| {
        move |results: &SurveyResults| {
            let duplicates = results.duplicates.filter(|duplicates| duplicates.maps > 0)?;
            Some((duplicates.maps - read(&duplicates)) as f64 * 100.0 / duplicates.maps as f64)
        }
    };
    let is_graph = sweep.points.iter().any(|point| point.results.family.shape() == MapShape::Graph);
    let mut lines: Vec<Line> = Vec::new();
    for (name, read) in reads.into_iter().take(if is_graph { 2 } else { 3 }) {
        let line = line(sweep, name, share(read));
        match lines.last_mut().filter(|last| last.points == line.points) {
            // Lines with identical points are merged into one.
            Some(last) => last.name = format!("{}, {name}", last.name),
            None => lines.push(line),
        }
    }
    vec![plot("duplicates", "maps equal to an earlier one, in percent", lines)]
}

fn times(sweep: &Sweep) -> Vec<Plot> {
    // Without maps there is no generation time.
    let time = |point: &SweepPoint, thousandths| {
        (point.results.maps > 0).then(|| point.times.percentile(thousandths))
    };
    let max = sweep.points.iter().filter_map(|point| time(point, 990)).fold(0.0, f64::max);
    let (size, _, unit) = time_unit(max);
    let percentile = |name: &str, thousandths: u64| Line {
        name: name.to_owned(),
        points: sweep.points.iter().map(|point| Some(time(point, thousandths)? / size)).collect(),
        ..Line::default()
    };
    let lines = vec![percentile("50 %", 500), percentile("90 %", 900), percentile("99 %", 990)];
    let description = format!("percentiles of the time per seed in {unit}");
    vec![plot("time", &description, lines)]
}
