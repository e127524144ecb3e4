//! Everything as CSV: what is counted is the same bytes each time, and what a clock said has a table of its own.

use crate::report::{Report, Sweep};
use crate::search::{Findings, Histogram, Row, Times};
use std::fmt::Write;
use wayforge::metric::Catalogue;

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

/// Everything that a survey counted, and what a clock said in `times.csv`. Each row begins with the name of its configuration.
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
        table("seeds.csv", SEEDS, |text, name, found| {
            let _ = writeln!(text, "{name},{}", seeds(found));
        }),
        table("metrics.csv", &format!("metric,unit,{readings}"), metrics),
        table("histograms.csv", "metric,from,to,maps", |text, name, found| {
            for metric in &found.metrics {
                let wide = metric.histogram.width() - 1;
                for (value, maps) in metric.histogram.bins() {
                    let to = value.saturating_add(wide);
                    let _ = writeln!(text, "{name},{},{value},{to},{maps}", field(&metric.name));
                }
            }
        }),
        table("pairs.csv", "x,y,x_from,x_to,y_from,y_to,maps,seeds", pairs),
        table("failures.csv", FAILURES, failures),
        table("budgets.csv", BUDGETS, budgets),
        table("places.csv", "thing,x,y,width,height,count", places),
        table("repeats.csv", REPEATS, repeats),
    ];
    let mut clocks = vec![(report.name.as_str(), report.found, report.times)];
    clocks
        .extend(report.against.as_ref().map(|against| (against.name.as_str(), against.found, against.times)));
    tables.push(times("configuration", clocks));
    if let Some(against) = &report.against {
        let mut text = "metric,distance,mean_first,mean_second,deviations,moved\n".to_owned();
        for shift in &against.shifts {
            let deviations = shift.deviations.map_or_else(String::new, decimal);
            let [first, second] = shift.means.map(|mean| mean.map_or_else(String::new, decimal));
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

/// Everything that was counted along a field, and what a clock said in `times.csv`. Each row begins with the field's value.
pub fn sweep_tables(sweep: &Sweep) -> Vec<Table> {
    let readings = READINGS.map(|(name, _)| name).join(",");
    let head = field(&sweep.field);
    let table = |name: &'static str, columns: &str, write: fn(&mut String, &str, &Findings)| {
        let mut text = format!("{head},{columns}\n");
        sweep.points.iter().for_each(|point| write(&mut text, &field(&point.value), &point.found));
        Table { name, text }
    };
    let clocks = sweep.points.iter().map(|point| (point.value.as_str(), &point.found, &point.times));
    vec![
        table("sweep.csv", &format!("metric,unit,{readings}"), metrics),
        table("seeds.csv", SEEDS, |text, value, found| {
            let _ = writeln!(text, "{value},{}", seeds(found));
        }),
        table("failures.csv", FAILURES, failures),
        table("budgets.csv", BUDGETS, budgets),
        table("repeats.csv", REPEATS, repeats),
        times(&head, clocks),
    ]
}

const SEEDS: &str = "first_seed,last_seed,shard,seeds,seeds_asked,made,first_try";
const FAILURES: &str = "rule,refused,repaired,seeds_without_map";
const BUDGETS: &str = "metric,asked,mean,least,most,as_asked";
const TIMES: &str = "mean_ns,p50_ns,p90_ns,p99_ns,p99_9_ns,longest_ns";
const REPEATS: &str = "maps,different,different_mirrored,different_turned,most_frequent";

/// Which seeds were gone through, of how many.
fn seeds(found: &Findings) -> String {
    let Findings { first, last, span, seeds, maps, first_try, .. } = found;
    // No seed has no first one.
    let [first, last] = [first, last].map(|seed| if *seeds > 0 { seed.to_string() } else { String::new() });
    format!("{first},{last},{},{seeds},{},{maps},{first_try}", span.shard(), span.len())
}

fn metrics(text: &mut String, name: &str, found: &Findings) {
    for metric in &found.metrics {
        // Of no map there is nothing to say but that there is none.
        let histogram = &metric.histogram;
        let some = |at: usize| at == 0 || histogram.maps() > 0;
        let told = READINGS.iter().enumerate();
        let told = told.map(|(at, (_, read))| if some(at) { read(histogram) } else { String::new() });
        let told = told.collect::<Vec<_>>().join(",");
        let _ = writeln!(text, "{name},{},{},{told}", field(&metric.name), metric.unit);
    }
}

fn failures(text: &mut String, name: &str, found: &Findings) {
    for (rule, refusals) in &found.refusals {
        let (refused, mended, without) = (refusals.refused, refusals.mended, refusals.without);
        let _ = writeln!(text, "{name},{},{refused},{mended},{without}", field(rule));
    }
}

fn budgets(text: &mut String, name: &str, found: &Findings) {
    for (budget, met) in &found.budgets {
        let Some(metric) = found.metrics.iter().find(|metric| metric.term == budget.term) else { continue };
        let histogram = &metric.histogram;
        let (what, asked) = (field(&metric.name), field(&budget.asked));
        let placed = match histogram.maps() {
            0 => ",,,".to_owned(),
            _ => format!("{},{},{},{met}", decimal(histogram.mean()), histogram.least(), histogram.most()),
        };
        let _ = writeln!(text, "{name},{what},{asked},{placed}");
    }
}

fn repeats(text: &mut String, name: &str, found: &Findings) {
    if let Some(r) = &found.repeats {
        let _ = writeln!(text, "{name},{},{},{},{},{}", r.maps, r.different, r.mirrored, r.turned, r.most);
    }
}

/// What a clock said: the only table that is not the same each time.
fn times<'a>(head: &str, rows: impl IntoIterator<Item = (&'a str, &'a Findings, &'a Times)>) -> Table {
    let mut text = format!("{head},{TIMES}\n");
    for (name, found, times) in rows {
        let part = |thousandths: u64| format!("{:.0}", times.percentile(thousandths));
        let told = match found.maps {
            0 => ",".repeat(TIMES.matches(',').count()),
            _ => {
                let [p50, p90, p99, p999] = [500, 900, 990, 999].map(part);
                format!("{:.0},{p50},{p90},{p99},{p999},{}", times.mean(), times.most())
            }
        };
        let _ = writeln!(text, "{},{told}", field(name));
    }
    Table { name: "times.csv", text }
}

fn pairs(text: &mut String, name: &str, found: &Findings) {
    for joint in &found.joints {
        let metric =
            |term| found.metrics.iter().find(|metric| metric.term == term).map_or("", |metric| &metric.name);
        let (x, y) = (field(metric(joint.x)), field(metric(joint.y)));
        let [wide, tall] = joint.widths().map(|width| width - 1);
        for ([from_x, from_y], cell) in joint.cells() {
            let (to_x, to_y) = (from_x.saturating_add(wide), from_y.saturating_add(tall));
            let seeds: Vec<String> = cell.places.iter().map(|&place| found.seed(place).to_string()).collect();
            let _ = write!(text, "{name},{x},{y},{from_x},{to_x},{from_y},{to_y}");
            let _ = writeln!(text, ",{},{}", cell.count, seeds.join(" "));
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
