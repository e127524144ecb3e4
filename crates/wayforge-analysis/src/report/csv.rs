//! Everything as CSV: what is counted is the same bytes each time, and what a clock said has a table of its own.

use crate::csv::{Csv, map_names};
use crate::report::{Report, Sweep};
use crate::search::{Findings, Histogram, Row, Times};
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

/// The names of the columns of a CSV table with one row per map.
pub fn row_head(catalogue: &Catalogue) -> Vec<u8> {
    map_names(&catalogue.terms().map(|term| catalogue.name(term)).collect::<Vec<_>>())
}

/// Rows of maps as CSV, without values where a seed has no map. `width` is the number of metrics.
pub fn row_lines(rows: &[Row], width: usize) -> Vec<u8> {
    let mut csv = Csv::without_names();
    rows.iter().for_each(|row| csv.map(row.seed.number(), row.values.as_deref(), width));
    csv.into_bytes()
}

/// Findings by the first field of their rows: the name of a configuration, or the value of a field.
type Named<'a> = (&'a str, &'a Findings, &'a Times);

/// Writes the rows of some findings.
type Write = fn(&mut Csv, &str, &Findings);

/// A table with a row, or several, for each of the findings.
fn table(name: &'static str, first: &str, columns: &[&str], all: &[Named<'_>], write: Write) -> Table {
    let mut csv = Csv::new((first, columns));
    all.iter().for_each(|(name, found, _)| write(&mut csv, name, found));
    Table { name, text: csv.into_text() }
}

/// Everything that a survey counted, and what a clock said in `times.csv`. Each row begins with the name of its configuration.
pub fn tables(report: &Report<'_>) -> Vec<Table> {
    let mut all: Vec<Named<'_>> = vec![(&report.name, report.found, report.times)];
    all.extend(report.against.as_ref().map(|other| (other.name.as_str(), other.found, other.times)));
    let table = |name, columns: &[&str], write| table(name, "configuration", columns, &all, write);
    let mut tables = vec![
        table("seeds.csv", &SEEDS, seeds),
        table("metrics.csv", &metric_columns(), metrics),
        table("histograms.csv", &["metric", "from", "to", "maps"], histograms),
        table("pairs.csv", &["x", "y", "x_from", "x_to", "y_from", "y_to", "maps", "seeds"], pairs),
        table("failures.csv", &FAILURES, failures),
        table("budgets.csv", &BUDGETS, budgets),
        table("places.csv", &["thing", "x", "y", "width", "height", "count"], places),
        table("repeats.csv", &REPEATS, repeats),
        times("configuration", &all),
    ];
    if let Some(against) = &report.against {
        let mut csv = Csv::new(["metric", "distance", "mean_first", "mean_second", "deviations", "moved"]);
        for shift in &against.shifts {
            let (means, deviations) =
                (shift.means.map(|mean| mean.map(decimal)), shift.deviations.map(decimal));
            let moved = shift.is_beyond(against.threshold);
            csv.row((&shift.name, decimal(shift.share()), means, deviations, moved));
        }
        tables.push(Table { name: "drift.csv", text: csv.into_text() });
    }
    tables
}

/// Everything that was counted along a field, and what a clock said in `times.csv`. Each row begins with the field's value.
pub fn sweep_tables(sweep: &Sweep) -> Vec<Table> {
    let all: Vec<Named<'_>> =
        sweep.points.iter().map(|point| (point.value.as_str(), &point.found, &point.times)).collect();
    let table = |name, columns: &[&str], write| table(name, &sweep.field, columns, &all, write);
    vec![
        table("sweep.csv", &metric_columns(), metrics),
        table("seeds.csv", &SEEDS, seeds),
        table("failures.csv", &FAILURES, failures),
        table("budgets.csv", &BUDGETS, budgets),
        table("repeats.csv", &REPEATS, repeats),
        times(&sweep.field, &all),
    ]
}

const SEEDS: [&str; 7] = ["first_seed", "last_seed", "shard", "seeds", "seeds_asked", "made", "first_try"];
const FAILURES: [&str; 4] = ["rule", "refused", "repaired", "seeds_without_map"];
const BUDGETS: [&str; 6] = ["metric", "asked", "mean", "least", "most", "as_asked"];
const TIMES: [&str; 6] = ["mean_ns", "p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "longest_ns"];
const REPEATS: [&str; 5] = ["maps", "different", "different_mirrored", "different_turned", "most_frequent"];

fn metric_columns() -> Vec<&'static str> {
    ["metric", "unit"].into_iter().chain(READINGS.map(|(name, _)| name)).collect()
}

/// Which seeds were gone through, of how many.
fn seeds(csv: &mut Csv, name: &str, found: &Findings) {
    let Findings { first, last, span, seeds, maps, first_try, .. } = found;
    // No seed has no first one.
    let [first, last] = [first, last].map(|seed| (*seeds > 0).then(|| seed.to_string()));
    csv.row((name, first, last, span.shard().to_string(), seeds, span.len(), maps, first_try));
}

fn metrics(csv: &mut Csv, name: &str, found: &Findings) {
    for metric in &found.metrics {
        // Of no map there is nothing to say but that there is none.
        let histogram = &metric.histogram;
        let some = |at: usize| at == 0 || histogram.maps() > 0;
        let told = READINGS.iter().enumerate().map(|(at, (_, read))| some(at).then(|| read(histogram)));
        csv.row((name, &metric.name, metric.unit, told.collect::<Vec<_>>()));
    }
}

fn histograms(csv: &mut Csv, name: &str, found: &Findings) {
    for metric in &found.metrics {
        let wide = metric.histogram.width() - 1;
        for (value, maps) in metric.histogram.bins() {
            csv.row((name, &metric.name, value, value.saturating_add(wide), maps));
        }
    }
}

fn failures(csv: &mut Csv, name: &str, found: &Findings) {
    for (rule, refusals) in &found.refusals {
        csv.row((name, rule, refusals.refused, refusals.mended, refusals.without));
    }
}

fn budgets(csv: &mut Csv, name: &str, found: &Findings) {
    for (budget, met) in &found.budgets {
        let Some(metric) = found.metric_of(budget.term) else { continue };
        let histogram = found.histogram(&metric.name);
        let placed = histogram.map(|all| (decimal(all.mean()), all.least(), all.most(), met));
        match placed {
            Some(placed) => csv.row((name, &metric.name, &budget.asked, placed)),
            None => csv.row((name, &metric.name, &budget.asked, [None::<u64>; 4])),
        }
    }
}

fn repeats(csv: &mut Csv, name: &str, found: &Findings) {
    if let Some(r) = &found.repeats {
        csv.row((name, r.maps, r.different, r.mirrored, r.turned, r.most));
    }
}

/// What a clock said: the only table that is not the same each time.
fn times(first: &str, all: &[Named<'_>]) -> Table {
    let mut csv = Csv::new((first, TIMES));
    for (name, found, times) in all {
        let whole = |nanos: f64| (found.maps > 0).then(|| format!("{nanos:.0}"));
        let parts = [500, 900, 990, 999].map(|thousandths| whole(times.percentile(thousandths)));
        csv.row((name, whole(times.mean()), parts, whole(times.most() as f64)));
    }
    Table { name: "times.csv", text: csv.into_text() }
}

fn pairs(csv: &mut Csv, name: &str, found: &Findings) {
    for joint in &found.joints {
        let [x, y] = [joint.x, joint.y].map(|term| found.metric_of(term).map_or("", |metric| &metric.name));
        let [wide, tall] = joint.widths().map(|width| width - 1);
        for ([from_x, from_y], cell) in joint.cells() {
            let (to_x, to_y) = (from_x.saturating_add(wide), from_y.saturating_add(tall));
            let seeds: Vec<String> = cell.places.iter().map(|&place| found.seed(place).to_string()).collect();
            csv.row((name, x, y, from_x, to_x, from_y, to_y, cell.count, seeds.join(" ")));
        }
    }
}

fn places(csv: &mut Csv, name: &str, found: &Findings) {
    let Some(occupancy) = &found.occupancy else { return };
    let ([width, height], columns) = (occupancy.group(), occupancy.columns().max(1));
    for (plane, thing) in found.planes.iter().enumerate() {
        for (at, &count) in occupancy.plane(plane).iter().enumerate().filter(|(_, count)| **count > 0) {
            let (x, y) = (at % columns * usize::from(width), at / columns * usize::from(height));
            csv.row((name, thing, x, y, width, height, count));
        }
    }
}

/// Six decimals: the same on every machine, because only sums, products, quotients and roots are taken.
fn decimal(value: f64) -> String {
    format!("{value:.6}")
}
