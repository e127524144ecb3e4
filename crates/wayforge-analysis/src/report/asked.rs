//! What a configuration asks for along a field, beside what its maps have.

use crate::report::Sweep;
use crate::report::curves::{LINES, Line, Plot};
use crate::report::sweep::{line, measured, met, plot};
use crate::report::words::whole;
use crate::search::Findings;
use wayforge::metric::Budget;

/// The most things asked for that have a plot.
const MAX: usize = 24;

/// What was asked for and placed.
pub(crate) struct Asked {
    /// What varies, each with what was asked for; then the share of maps that have it.
    pub(crate) plots: Vec<Plot>,
    /// What every map has as it was asked for, always the same.
    pub(crate) steady: Vec<String>,
}

impl Asked {
    pub(crate) fn new(sweep: &Sweep) -> Asked {
        let mut names: Vec<&str> = Vec::new();
        for found in sweep.points.iter().map(|point| &point.found) {
            for (budget, _) in &found.budgets {
                let metric = found.metrics.iter().find(|metric| metric.term == budget.term);
                let name = metric.map(|metric| metric.name.as_str());
                names.extend(name.filter(|name| !names.contains(name)));
            }
        }
        let mut asked = Asked { plots: Vec::new(), steady: Vec::new() };
        let mut shares = Vec::new();
        for name in names.into_iter().take(MAX) {
            let share = line(sweep, name, |found| {
                let met = budgets(found, name).map(|(_, met)| *met).min()?;
                (found.maps > 0).then(|| met as f64 * 100.0 / found.maps as f64)
            });
            let all_met = share.points.iter().flatten().all(|share| *share == 100.0);
            match steady(sweep, name).filter(|_| all_met) {
                Some(value) => asked.steady.push(format!("{name} {}", whole(value.into()))),
                None => asked.plots.push(placed(sweep, name)),
            }
            if !all_met && shares.len() < LINES {
                shares.push(share);
            }
        }
        if !shares.is_empty() {
            let about = "maps that have what was asked for, in percent";
            asked.plots.push(Plot { whole: Some(100.0), ..plot("as asked", about, shares) });
        }
        asked
    }
}

/// What is asked for of a metric, and how many maps have it.
fn budgets<'a>(found: &'a Findings, name: &'a str) -> impl Iterator<Item = &'a (Budget, u64)> {
    let term = found.metric(name).map(|metric| metric.term);
    found.budgets.iter().filter(move |(budget, _)| Some(budget.term) == term)
}

/// The value that every map has at every value of the field.
fn steady(sweep: &Sweep, name: &str) -> Option<i64> {
    let mut values = sweep.points.iter().filter_map(|point| met(&point.found, name));
    let first = values.next().filter(|first| first.is_constant())?.least();
    values.all(|met| met.is_constant() && met.least() == first).then_some(first)
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
            budgets(found, name).find_map(|(budget, _)| end(budget)).map(|asked| asked as f64)
        });
        if asked.points.iter().any(Option::is_some) {
            lines.push(Line { asked: true, ..asked });
        }
    }
    let about = sweep.points.iter().find_map(|point| point.found.metric(name));
    plot(name, about.map_or("", |metric| metric.about.as_str()), lines)
}
