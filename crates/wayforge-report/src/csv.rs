//! Everything that is counted as CSV: the same bytes each time.

use crate::{Report, Sweep};
use std::fmt::Write;
use wayforge::metric::Catalogue;
use wayforge_search::{Findings, Histogram, Row};

/// A table: the name of its file and what stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The name of its file.
    pub name: &'static str,
    /// Its lines, the names of its columns first.
    pub text: String,
}

/// A reading of a distribution.
type Reading = (&'static str, fn(&Histogram) -> String);

/// What a row says of a distribution.
const READINGS: [Reading; 10] = [
    ("maps", |histogram| histogram.maps().to_string()),
    ("mean", |histogram| decimal(histogram.mean())),
    ("deviation", |histogram| decimal(histogram.deviation())),
    ("least", |histogram| histogram.least().to_string()),
    ("p5", |histogram| histogram.percentile(50).to_string()),
    ("p25", |histogram| histogram.percentile(250).to_string()),
    ("p50", |histogram| histogram.percentile(500).to_string()),
    ("p75", |histogram| histogram.percentile(750).to_string()),
    ("p95", |histogram| histogram.percentile(950).to_string()),
    ("most", |histogram| histogram.most().to_string()),
];

/// The names of the columns of a table with a row for each map.
pub fn row_head(catalogue: &Catalogue) -> String {
    let mut line = "seed,made".to_owned();
    for term in catalogue.terms() {
        line.push(',');
        line.push_str(&field(&catalogue.name(term)));
    }
    line.push('\n');
    line
}

/// One map's row; without values if its seed has no map. `width` is how many metrics there are.
pub fn row_line(row: &Row, width: usize, into: &mut String) {
    let _ = write!(into, "{},{}", row.seed, row.values.is_some());
    match &row.values {
        Some(values) => values.iter().for_each(|value| {
            let _ = write!(into, ",{value}");
        }),
        None => into.extend(std::iter::repeat_n(',', width)),
    }
    into.push('\n');
}

/// Everything that a survey counted. Each row begins with the name of its configuration.
pub fn tables(report: &Report<'_>) -> Vec<Table> {
    let mut all = vec![(report.name.as_str(), report.found)];
    all.extend(report.against.as_ref().map(|against| (against.name.as_str(), against.found)));
    let table = |name: &'static str, head: &str, write: fn(&mut String, &str, &Findings)| {
        let mut text = format!("configuration,{head}\n");
        all.iter().for_each(|(name, found)| write(&mut text, &field(name), found));
        Table { name, text }
    };
    let readings = READINGS.map(|(name, _)| name).join(",");
    let mut tables = vec![
        table("seeds.csv", "first_seed,seeds,made,first_try", |text, name, found| {
            let _ =
                writeln!(text, "{name},{},{},{},{}", found.first, found.seeds, found.maps, found.first_try);
        }),
        table("metrics.csv", &format!("metric,unit,{readings}"), |text, name, found| {
            for metric in &found.metrics {
                let told = READINGS.map(|(_, read)| read(&metric.histogram)).join(",");
                let _ = writeln!(text, "{name},{},{},{told}", field(&metric.name), metric.unit);
            }
        }),
        table("histograms.csv", "metric,from,to,maps", |text, name, found| {
            for metric in &found.metrics {
                let wide = metric.histogram.width() - 1;
                for (value, maps) in metric.histogram.bins() {
                    let to = value.saturating_add(wide);
                    let _ = writeln!(text, "{name},{},{value},{to},{maps}", field(&metric.name));
                }
            }
        }),
        table("pairs.csv", "x,y,x_from,y_from,maps,seeds", pairs),
        table("failures.csv", "rule,refused,repaired,seeds_without_map", |text, name, found| {
            for (rule, refusals) in &found.refusals {
                let (refused, mended, without) = (refusals.refused, refusals.mended, refusals.without);
                let _ = writeln!(text, "{name},{},{refused},{mended},{without}", field(rule));
            }
        }),
        table("budgets.csv", "metric,asked,mean,least,most,as_asked", |text, name, found| {
            for (budget, met) in &found.budgets {
                let Some(metric) = found.metrics.iter().find(|metric| metric.term == budget.term) else {
                    continue;
                };
                let histogram = &metric.histogram;
                let (mean, least, most) = (decimal(histogram.mean()), histogram.least(), histogram.most());
                let _ = writeln!(
                    text,
                    "{name},{},{},{mean},{least},{most},{met}",
                    field(&metric.name),
                    field(&budget.asked)
                );
            }
        }),
        table("places.csv", "thing,x,y,width,height,count", places),
        table(
            "repeats.csv",
            "maps,different,different_mirrored,different_turned,most_frequent",
            |text, name, found| {
                if let Some(r) = &found.repeats {
                    let _ = writeln!(
                        text,
                        "{name},{},{},{},{},{}",
                        r.maps, r.different, r.mirrored, r.turned, r.most
                    );
                }
            },
        ),
    ];
    if let Some(against) = &report.against {
        let mut text = "metric,distance,mean_first,mean_second,deviations,moved\n".to_owned();
        for shift in &against.shifts {
            let deviations = shift.deviations.map_or_else(String::new, decimal);
            let [first, second] = shift.means.map(decimal);
            let moved = shift.is_beyond(against.threshold);
            let _ = writeln!(
                text,
                "{},{},{first},{second},{deviations},{moved}",
                field(&shift.name),
                decimal(shift.share())
            );
        }
        tables.push(Table { name: "drift.csv", text });
    }
    tables
}

/// Everything that was counted along a field.
pub fn sweep_tables(sweep: &Sweep) -> Vec<Table> {
    let readings = READINGS.map(|(name, _)| name).join(",");
    let mut text = format!("{},metric,unit,{readings}\n", field(&sweep.field));
    let mut seeds = format!("{},seeds,made,first_try\n", field(&sweep.field));
    for (value, found) in &sweep.points {
        let _ = writeln!(seeds, "{},{},{},{}", field(value), found.seeds, found.maps, found.first_try);
        for metric in &found.metrics {
            let told = READINGS.map(|(_, read)| read(&metric.histogram)).join(",");
            let _ = writeln!(text, "{},{},{},{told}", field(value), field(&metric.name), metric.unit);
        }
    }
    vec![Table { name: "sweep.csv", text }, Table { name: "seeds.csv", text: seeds }]
}

fn pairs(text: &mut String, name: &str, found: &Findings) {
    for joint in &found.joints {
        let metric =
            |term| found.metrics.iter().find(|metric| metric.term == term).map_or("", |metric| &metric.name);
        let (x, y) = (field(metric(joint.x)), field(metric(joint.y)));
        for ([from_x, from_y], cell) in joint.cells() {
            let seeds: Vec<String> = cell.places.iter().map(|&place| found.seed(place).to_string()).collect();
            let _ = writeln!(text, "{name},{x},{y},{from_x},{from_y},{},{}", cell.count, seeds.join(" "));
        }
    }
}

fn places(text: &mut String, name: &str, found: &Findings) {
    let Some(occupancy) = &found.occupancy else { return };
    let ([width, height], columns) = (occupancy.group(), occupancy.columns().max(1));
    for (plane, thing) in found.planes.iter().enumerate() {
        for (at, &count) in occupancy.plane(plane).iter().enumerate().filter(|(_, count)| **count > 0) {
            let (x, y) = (at % columns * usize::from(width), at / columns * usize::from(height));
            let _ = writeln!(text, "{name},{},{x},{y},{width},{height},{count}", field(thing));
        }
    }
}

/// Six decimals: the same on every machine, because only sums, products, quotients and roots are taken.
fn decimal(value: f64) -> String {
    format!("{value:.6}")
}

/// A field, quoted where it must be.
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
