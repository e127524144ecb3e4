//! CSV tables of surveys. All tables are deterministic except `times.csv`.

use crate::csv::{Csv, map_header};
use crate::report::{Report, Sweep};
use crate::search::{GenerationTimes, Histogram, SurveyResults, SurveyRow};
use wayforge::metric::Catalogue;

/// A CSV table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// File name.
    pub name: &'static str,
    /// Content, header first.
    pub text: String,
}

/// Column that summarises a distribution: its name and the function that computes it.
type Statistic = (&'static str, fn(&Histogram) -> String);

/// Columns of `metrics.csv` that summarise a distribution.
const STATISTICS: [Statistic; 10] = [
    ("maps", |histogram| histogram.count().to_string()),
    ("mean", |histogram| decimal(histogram.mean())),
    ("std_dev", |histogram| decimal(histogram.std_deviation())),
    ("min", |histogram| histogram.min().to_string()),
    ("p5", |histogram| histogram.percentile(50).to_string()),
    ("p25", |histogram| histogram.percentile(250).to_string()),
    ("p50", |histogram| histogram.percentile(500).to_string()),
    ("p75", |histogram| histogram.percentile(750).to_string()),
    ("p95", |histogram| histogram.percentile(950).to_string()),
    ("max", |histogram| histogram.max().to_string()),
];

/// Returns the header of the CSV table with one row per map.
pub fn map_table_header(catalogue: &Catalogue) -> Vec<u8> {
    map_header(&catalogue.terms().map(|term| catalogue.name(term)).collect::<Vec<_>>())
}

/// Returns rows of maps as CSV. `width` is the number of metrics; they are empty if a seed has no
/// map.
pub fn map_table_rows(rows: &[SurveyRow], width: usize) -> Vec<u8> {
    let mut csv = Csv::without_header();
    rows.iter().for_each(|row| csv.map_row(row.seed.number(), row.values.as_deref(), width));
    csv.into_bytes()
}

/// Survey with the first field of its rows: the name of the configuration, or the value of the
/// swept field.
type NamedSurvey<'a> = (&'a str, &'a SurveyResults, &'a GenerationTimes);

/// Function that writes the rows of one survey.
type WriteRows = fn(&mut Csv, &str, &SurveyResults);

/// Builds a table from the rows of all surveys.
fn table(
    name: &'static str,
    first: &str,
    columns: &[&str],
    all: &[NamedSurvey<'_>],
    write: WriteRows,
) -> Table {
    let mut csv = Csv::new((first, columns));
    all.iter().for_each(|(name, results, _)| write(&mut csv, name, results));
    Table { name, text: csv.into_text() }
}

/// Returns all tables of a report. The first column is the name of the configuration.
pub fn tables(report: &Report<'_>) -> Vec<Table> {
    let mut all: Vec<NamedSurvey<'_>> = vec![(&report.name, report.results, report.times)];
    all.extend(
        report.baseline.as_ref().map(|other| (other.name.as_str(), other.results, other.times)),
    );
    let table = |name, columns: &[&str], write| table(name, "configuration", columns, &all, write);
    let mut tables = vec![
        table("seeds.csv", &SEEDS, seeds),
        table("metrics.csv", &metric_columns(), metrics),
        table("histograms.csv", &["metric", "from", "to", "maps"], histograms),
        table("pairs.csv", &["x", "y", "x_from", "x_to", "y_from", "y_to", "maps", "seeds"], pairs),
        table("failures.csv", &FAILURES, failures),
        table("budgets.csv", &BUDGETS, budgets),
        table("placements.csv", &["object", "x", "y", "width", "height", "count"], placements),
        table("duplicates.csv", &DUPLICATES, duplicates),
        times("configuration", &all),
    ];
    if let Some(baseline) = &report.baseline {
        let mut csv =
            Csv::new(["metric", "distance", "mean_first", "mean_second", "cohens_d", "moved"]);
        for drift in &baseline.drifts {
            let (means, cohens_d) =
                (drift.means.map(|mean| mean.map(decimal)), drift.cohens_d.map(decimal));
            let moved = drift.exceeds(baseline.threshold);
            csv.row((&drift.name, decimal(drift.distance_f64()), means, cohens_d, moved));
        }
        tables.push(Table { name: "drift.csv", text: csv.into_text() });
    }
    tables
}

/// Returns all tables of a sweep. The first column is the value of the field.
pub fn sweep_tables(sweep: &Sweep) -> Vec<Table> {
    let all: Vec<NamedSurvey<'_>> = sweep
        .points
        .iter()
        .map(|point| (point.value.as_str(), &point.results, &point.times))
        .collect();
    let table = |name, columns: &[&str], write| table(name, &sweep.field, columns, &all, write);
    vec![
        table("sweep.csv", &metric_columns(), metrics),
        table("seeds.csv", &SEEDS, seeds),
        table("failures.csv", &FAILURES, failures),
        table("budgets.csv", &BUDGETS, budgets),
        table("duplicates.csv", &DUPLICATES, duplicates),
        times(&sweep.field, &all),
    ]
}

const SEEDS: [&str; 7] =
    ["first_seed", "last_seed", "shard", "seeds", "seeds_requested", "generated", "first_attempt"];
const FAILURES: [&str; 4] = ["rule", "rejected", "repaired", "seeds_without_map"];
const BUDGETS: [&str; 6] = ["metric", "requested", "mean", "min", "max", "as_requested"];
const TIMES: [&str; 6] = ["mean_ns", "p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "max_ns"];
const DUPLICATES: [&str; 5] =
    ["maps", "distinct", "distinct_mirrored", "distinct_rotated", "max_count"];

fn metric_columns() -> Vec<&'static str> {
    ["metric", "unit"].into_iter().chain(STATISTICS.map(|(name, _)| name)).collect()
}

/// Writes the processed seeds and success counts.
fn seeds(csv: &mut Csv, name: &str, results: &SurveyResults) {
    let SurveyResults { first, last, range, seeds, maps, first_attempt, .. } = results;
    // If no seed was processed, there is no first or last one.
    let [first, last] = [first, last].map(|seed| (*seeds > 0).then(|| seed.to_string()));
    csv.row((
        name,
        first,
        last,
        range.shard().to_string(),
        seeds,
        range.len(),
        maps,
        first_attempt,
    ));
}

fn metrics(csv: &mut Csv, name: &str, results: &SurveyResults) {
    for metric in &results.metrics {
        // Without maps, only the count (0) is known.
        let histogram = &metric.histogram;
        let is_known = |at: usize| at == 0 || histogram.count() > 0;
        let values = STATISTICS
            .iter()
            .enumerate()
            .map(|(at, (_, read))| is_known(at).then(|| read(histogram)));
        csv.row((name, &metric.name, metric.unit, values.collect::<Vec<_>>()));
    }
}

fn histograms(csv: &mut Csv, name: &str, results: &SurveyResults) {
    for metric in &results.metrics {
        let last_offset = metric.histogram.bin_width() - 1;
        for (value, maps) in metric.histogram.bins() {
            csv.row((name, &metric.name, value, value.saturating_add(last_offset), maps));
        }
    }
}

fn failures(csv: &mut Csv, name: &str, results: &SurveyResults) {
    for (rule, failures) in &results.failures {
        csv.row((name, rule, failures.rejected, failures.repaired, failures.seeds_without_map));
    }
}

fn budgets(csv: &mut Csv, name: &str, results: &SurveyResults) {
    for (budget, satisfied) in &results.budgets {
        let Some(metric) = results.metric_of(budget.term) else { continue };
        let histogram = results.histogram(&metric.name);
        let placed = histogram.map(|all| (decimal(all.mean()), all.min(), all.max(), satisfied));
        match placed {
            Some(placed) => csv.row((name, &metric.name, &budget.requested, placed)),
            None => csv.row((name, &metric.name, &budget.requested, [None::<u64>; 4])),
        }
    }
}

fn duplicates(csv: &mut Csv, name: &str, results: &SurveyResults) {
    if let Some(d) = &results.duplicates {
        csv.row((name, d.maps, d.distinct, d.distinct_mirrored, d.distinct_rotated, d.max_count));
    }
}

/// Builds `times.csv`, the only table that is not deterministic.
fn times(first: &str, all: &[NamedSurvey<'_>]) -> Table {
    let mut csv = Csv::new((first, TIMES));
    for (name, results, times) in all {
        let format = |nanos: f64| (results.maps > 0).then(|| format!("{nanos:.0}"));
        let parts = [500, 900, 990, 999].map(|thousandths| format(times.percentile(thousandths)));
        csv.row((name, format(times.mean()), parts, format(times.max() as f64)));
    }
    Table { name: "times.csv", text: csv.into_text() }
}

fn pairs(csv: &mut Csv, name: &str, results: &SurveyResults) {
    for joint in &results.joints {
        let [x, y] = [joint.x, joint.y]
            .map(|term| results.metric_of(term).map_or("", |metric| &metric.name));
        let last_offsets = joint.bin_widths().map(|width| width - 1);
        for ([from_x, from_y], cell) in joint.cells() {
            let to_x = from_x.saturating_add(last_offsets[0]);
            let to_y = from_y.saturating_add(last_offsets[1]);
            let seeds: Vec<String> =
                cell.samples.iter().map(|&offset| results.seed_at(offset).to_string()).collect();
            csv.row((name, x, y, from_x, to_x, from_y, to_y, cell.count, seeds.join(" ")));
        }
    }
}

fn placements(csv: &mut Csv, name: &str, results: &SurveyResults) {
    let Some(occupancy) = &results.occupancy else { return };
    let ([width, height], columns) = (occupancy.group(), occupancy.columns().max(1));
    for (plane, object) in results.planes.iter().enumerate() {
        for (at, &count) in
            occupancy.plane(plane).iter().enumerate().filter(|(_, count)| **count > 0)
        {
            let (x, y) = (at % columns * usize::from(width), at / columns * usize::from(height));
            csv.row((name, object, x, y, width, height, count));
        }
    }
}

/// Formats a number with six decimals. The values use only IEEE-exact operations (+, -, *, /,
/// sqrt), so they are equal on every machine.
fn decimal(value: f64) -> String {
    format!("{value:.6}")
}
