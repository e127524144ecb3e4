//! `wayforge measure`: measures all metrics of a configuration over many maps.
//!
//! Writes an HTML report and CSV tables. Compares two configurations (`--baseline`) or many values
//! of one field (`--sweep`).

mod folder;
mod sweep;
mod sweep_range;

use crate::choice::{Choice, choice};
use crate::failure::{Context, Failure, reject};
use crate::interrupt::stop_on_signal;
use crate::number::within;
use crate::output::{ClosedOutput, Output, reject_overwriting_input};
use crate::seed_range::{SeedProgress, SeedRangeArgs, WavePacer};
use clap::Args;
use folder::TableFolder;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use sweep_range::SweepRange;
use wayforge::metric::{Catalogue, Term};
use wayforge::{AnySpec, InputError};
use wayforge_analysis::report::{
    Baseline, Report, Table, default_pairs, map_table_header, map_table_rows, page, tables,
};
use wayforge_analysis::search::{GenerationTimes, SeedRange, Survey, SurveyPlan, SurveyResults};
use wayforge_draw::Theme;

/// Maximum number of metric pairs.
const MAX_PAIRS: usize = 12;
/// Maximum number of blocks per thread and wave. The counts of every block stay in memory until the
/// wave ends.
const MAX_BLOCKS: usize = 64;
/// Default distance above which a metric counts as moved, in ten-thousandths.
const DEFAULT_THRESHOLD: u64 = 500;

/// Options of `wayforge measure`.
#[derive(Args)]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    range: SeedRangeArgs,
    /// Number of seeds, 1 to 1000000000; with --sweep, for each value
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        value_parser = within(1..=1_000_000_000)
    )]
    count: u64,
    /// Pairs of metrics to plot, e.g. "walls:path, open:detour" [default: depends on the family]
    #[arg(long, value_name = "X:Y,...", conflicts_with = "sweep")]
    pairs: Option<String>,
    /// Compare with another configuration; exit with code 1 if a metric moved
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Kolmogorov-Smirnov distance above which a metric counts as moved, 0 to 1 [default: 0.05]
    #[arg(
        long,
        value_name = "DISTANCE",
        conflicts_with = "sweep",
        value_parser = sweep_range::parse_threshold
    )]
    threshold: Option<u64>,
    /// Plot all metrics over a range of values of one field, e.g. wallDensity=0:1:0.05 or
    /// pitfalls=0%:5%:0.5%
    #[arg(long, value_name = "FIELD=FROM:TO:STEP", conflicts_with = "baseline")]
    sweep: Option<SweepRange>,
    /// Do not write maps.csv, the table with one row per seed
    #[arg(long, conflicts_with = "sweep")]
    no_maps: bool,
    /// Colour theme of the report
    #[arg(long, default_value = "auto", value_parser = choice(&PAGE_THEMES))]
    theme: PageTheme,
    /// Write the report to a .html file and the CSV tables to a folder of the same name
    /// [default: standard output, no tables]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Theme of the report; `None` follows the reader's system setting.
type PageTheme = Option<Theme>;

const PAGE_THEMES: [Choice<PageTheme>; 3] = [
    ("auto", "Light or dark, following the system setting", None),
    ("parchment", "Dark ink on warm paper", Some(Theme::Parchment)),
    ("night", "Light lines on a dark background", Some(Theme::Night)),
];

/// Measures the maps and writes the report.
pub(crate) fn run(args: MeasureArgs) -> Result<(), Failure> {
    let (spec, config) = args.range.spec()?;
    let names = config_names(args.range.config(), args.baseline.as_deref());
    if args.threshold.is_some() && args.baseline.is_none() {
        return reject(
            "--threshold: nothing to compare with; name a configuration with --baseline",
        );
    }
    let inputs = [args.range.config(), args.baseline.as_deref()];
    reject_overwriting_input(args.output.as_deref(), &inputs)?;
    if args.baseline.is_some() && args.range.seeds(args.count).is_empty() {
        return reject("--baseline: nothing is compared without seeds; choose another shard");
    }
    let job = MeasureJob { pool: args.range.thread_pool()?, stop: stop_on_signal()?, args: &args };
    match &args.sweep {
        Some(range) => job.sweep(range, &spec, &config, &names[0]),
        None => job.report(&spec, names),
    }
}

/// Results of a survey.
struct SurveyOutcome {
    /// Number of completed seeds.
    seeds: u64,
    results: SurveyResults,
    times: GenerationTimes,
    /// False if a signal stopped the survey.
    is_complete: bool,
}

/// A running measurement.
struct MeasureJob<'a> {
    args: &'a MeasureArgs,
    pool: rayon::ThreadPool,
    stop: Arc<AtomicBool>,
}

impl MeasureJob<'_> {
    /// Measures one configuration, compares it with the baseline if there is one, and writes the
    /// report.
    fn report(&self, spec: &AnySpec, [name, baseline_name]: [String; 2]) -> Result<(), Failure> {
        let args = self.args;
        let pairs = match &args.pairs {
            Some(text) => parse_pairs(text, &spec.catalogue())?,
            None => default_pairs(spec),
        };
        let baseline = args.baseline.as_deref().map(|path| {
            let (baseline, _) = args.range.read_spec(Some(path))?;
            // Metrics are matched by name. A pair with a metric that the baseline lacks is an
            // error.
            let pairs = translate_pairs(&pairs, &spec.catalogue(), &baseline.catalogue())
                .context(path.display())?;
            Ok::<_, Failure>((baseline, pairs))
        });
        let baseline = baseline.transpose()?;
        let (folder, output) = self.open_outputs()?;
        let mut files: Vec<ClosedOutput> = Vec::new();
        let first = self.survey(spec, &pairs, folder.as_ref(), "maps.csv", &mut files)?;
        let second = match &baseline {
            Some((baseline, pairs)) if first.is_complete => Some(self.survey(
                baseline,
                pairs,
                folder.as_ref(),
                "maps-baseline.csv",
                &mut files,
            )?),
            _ => None,
        };
        let is_complete =
            first.is_complete && second.as_ref().is_none_or(|second| second.is_complete);
        if !is_complete && baseline.is_some() {
            // Ignore a closed standard error.
            let _ = writeln!(
                io::stderr(),
                "stopped before both configurations were measured; nothing is compared or written"
            );
            return Err(Failure::Check);
        }
        let comparison = baseline.as_ref().zip(second.as_ref()).map(|((baseline, _), second)| {
            Baseline::new(
                &first.results,
                baseline_name,
                baseline,
                &second.results,
                &second.times,
                self.threshold(),
            )
        });
        let report = Report {
            name,
            spec,
            results: &first.results,
            times: &first.times,
            baseline: comparison,
        };
        publish(folder.as_ref(), output, &page(&report, args.theme), &tables(&report), files)?;
        let has_moved = report
            .baseline
            .as_ref()
            .is_some_and(|baseline| self.print_moved(&first.results, baseline));
        if is_complete && !has_moved { Ok(()) } else { Err(Failure::Check) }
    }

    /// Surveys one configuration and writes the table of maps while it runs.
    fn survey(
        &self,
        spec: &AnySpec,
        pairs: &[[Term; 2]],
        folder: Option<&TableFolder>,
        file: &'static str,
        files: &mut Vec<ClosedOutput>,
    ) -> Result<SurveyOutcome, Failure> {
        let folder = folder.filter(|_| !self.args.no_maps);
        let mut table = folder.map(|folder| folder.open(file)).transpose()?;
        let seeds = self.args.range.seeds(self.args.count);
        let plan = SurveyPlan { pairs: pairs.to_vec(), occupancy: true, rows: table.is_some() };
        let catalogue = spec.catalogue();
        if let Some(table) = &mut table {
            table.write(&map_table_header(&catalogue))?;
        }
        let columns = catalogue.terms().count();
        let mut progress = SeedProgress::new(seeds.len(), 0);
        let outcome = self.run_waves(spec, seeds, plan, |survey| {
            progress.show(survey.seeds_done(), || format!("{} with a map", survey.maps()));
            table
                .as_mut()
                .map_or(Ok(()), |table| table.write(&map_table_rows(&survey.take_rows(), columns)))
        })?;
        let end = if outcome.is_complete { "" } else { "; stopped" };
        progress.finish(outcome.seeds, &format!("{} with a map{end}", outcome.results.maps));
        files.extend(table.map(Output::close).transpose()?);
        Ok(outcome)
    }

    /// Runs a survey until the last seed or a signal. Calls `after_wave` after each wave.
    fn run_waves(
        &self,
        spec: &AnySpec,
        seeds: SeedRange,
        plan: SurveyPlan,
        mut after_wave: impl FnMut(&mut Survey) -> Result<(), Failure>,
    ) -> Result<SurveyOutcome, Failure> {
        let total = seeds.len();
        let mut survey = Survey::new(spec, seeds, plan).stop_on(Arc::clone(&self.stop));
        let mut pacer = WavePacer::with_max(MAX_BLOCKS);
        loop {
            let more = self.pool.install(|| {
                pacer.run(|blocks| {
                    survey.set_blocks_per_thread(blocks);
                    survey.advance()
                })
            });
            after_wave(&mut survey)?;
            if !more {
                break;
            }
        }
        let (seeds, times) = (survey.seeds_done(), survey.times().clone());
        Ok(SurveyOutcome {
            seeds,
            results: self.pool.install(|| survey.finish()),
            times,
            is_complete: seeds == total,
        })
    }

    /// Opens the folder of tables and the report. The report is staged in that folder, which must
    /// be dropped after it.
    fn open_outputs(&self) -> Result<(Option<TableFolder>, Output), Failure> {
        let page = self.args.output.as_deref();
        let folder = page.map(TableFolder::for_page).transpose()?.flatten();
        let output = Output::open_staged_in(page, folder.as_ref().map(TableFolder::path))?;
        Ok((folder, output))
    }

    fn threshold(&self) -> u64 {
        self.args.threshold.unwrap_or(DEFAULT_THRESHOLD)
    }

    /// Prints the metrics that moved, on the stream that the report does not use. Returns true if
    /// any moved or nothing could be compared.
    fn print_moved(&self, first: &SurveyResults, baseline: &Baseline<'_>) -> bool {
        let mut lines = String::new();
        let is_empty = first.maps == 0 && baseline.results.maps == 0;
        if is_empty {
            lines += "neither configuration has a map for these seeds; nothing to compare\n";
        }
        for shift in baseline.moved() {
            let [first, second] = shift
                .means
                .map(|mean| mean.map_or_else(|| "none".to_owned(), |mean| format!("{mean:.3}")));
            lines += &format!(
                "moved: {}  distance {:.4}  mean {first} -> {second}\n",
                shift.name,
                shift.distance_f64()
            );
        }
        let threshold = self.threshold() as f64 / 10_000.0;
        if lines.is_empty() {
            lines = format!("no metric moved by more than {threshold}\n");
        }
        if let Some(noise) = baseline.noise() {
            let _ = writeln!(io::stderr(), "{noise}");
        }
        // Ignore a closed stream: the exit code also reports the result.
        let has_file = self.args.output.as_deref().is_some_and(|path| path != Path::new("-"));
        let _ = if has_file {
            io::stdout().write_all(lines.as_bytes())
        } else {
            io::stderr().write_all(lines.as_bytes())
        };
        is_empty || baseline.moved().next().is_some()
    }
}

/// Writes a report and its tables, and publishes them together with the closed `files`.
fn publish(
    folder: Option<&TableFolder>,
    mut output: Output,
    page: &str,
    tables: &[Table],
    mut files: Vec<ClosedOutput>,
) -> Result<(), Failure> {
    output.write(page.as_bytes())?;
    if let Some(folder) = folder {
        for table in tables {
            files.push(folder.write(table.name, table.text.as_bytes())?);
        }
    }
    let page = output.close()?;
    files.into_iter().try_for_each(ClosedOutput::publish)?;
    page.publish()?;
    folder.map_or(Ok(()), TableFolder::remove_stale_tables)
}

/// Returns the display names of the configuration and the baseline: file names, or paths if the
/// file names are equal.
fn config_names(config: Option<&Path>, baseline: Option<&Path>) -> [String; 2] {
    const DEFAULTS: &str = "defaults";
    let files = [config, baseline].map(|path| {
        path.and_then(Path::file_name).map_or(DEFAULTS.into(), |name| name.to_string_lossy())
    });
    let paths = [config, baseline]
        .map(|path| path.map_or(DEFAULTS.to_owned(), |path| path.display().to_string()));
    match paths {
        _ if files[0] != files[1] => files.map(Cow::into_owned),
        [config, baseline] if config == baseline => [config, format!("{baseline} (baseline)")],
        paths => paths,
    }
}

/// Parses pairs of metrics.
fn parse_pairs(text: &str, catalogue: &Catalogue) -> Result<Vec<[Term; 2]>, Failure> {
    let pairs = catalogue.parse_pairs(text).context(format!("--pairs \"{text}\""))?;
    if pairs.len() > MAX_PAIRS {
        let problem = format!("{} pairs; name at most {MAX_PAIRS}", pairs.len());
        return Err(Failure::new("--pairs", problem));
    }
    Ok(pairs)
}

/// Translates pairs of metrics to another catalogue by name.
fn translate_pairs(
    pairs: &[[Term; 2]],
    from: &Catalogue,
    to: &Catalogue,
) -> Result<Vec<[Term; 2]>, InputError> {
    let find = |term: Term| to.parse(&from.name(term));
    pairs.iter().map(|&[x, y]| Ok([find(x)?, find(y)?])).collect()
}
