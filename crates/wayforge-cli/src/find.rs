//! `wayforge find`: searches for seeds whose maps match a condition or come closest to targets.

mod checkpoint;
mod printer;

use crate::diff::truncate;
use crate::failure::{Context, Failure, reject};
use crate::format::FormatArg;
use crate::interrupt::stop_on_signal;
use crate::number::within;
use crate::output::{Output, reject_overwriting_input};
use crate::seed_range::{DEFAULT_SAVE_INTERVAL, SeedProgress, SeedRangeArgs, WavePacer};
use checkpoint::{Checkpoint, CheckpointFile, Request};
use clap::Args;
use printer::Printer;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wayforge::AnySpec;
use wayforge::Seed;
use wayforge::metric::{MetricTargets, Query};
use wayforge_analysis::search::{ClosestMatch, ClosestSearch, SeedRange, SeedSearch};

/// Maximum number of characters of a condition quoted in an error.
const MAX_QUOTED: usize = 200;
const FORMATS: [FormatArg; 3] = [FormatArg::Text, FormatArg::Json, FormatArg::Seeds];

/// Options of `wayforge find`.
#[derive(Args)]
pub(crate) struct FindArgs {
    #[command(flatten)]
    range: SeedRangeArgs,
    /// Find maps that meet this condition, e.g. "routes > 300 and min(elite) = 0"
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    condition: Option<String>,
    /// Return the seeds closest to these metric values, e.g. "nodes=60, routes=200"
    #[arg(long, value_name = "TARGETS", allow_hyphen_values = true)]
    closest: Option<String>,
    /// Number of seeds to find, 1 to 1000000
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1..=1_000_000))]
    count: u64,
    /// Maximum number of seeds to search, 1 or more
    #[arg(long, value_name = "N", default_value_t = 100_000_000, value_parser = within(1..))]
    limit: u64,
    /// Save checkpoints to a file, and resume from it if it exists; --limit may be raised, and
    /// without --closest also --count
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Output format: seeds with metrics as text or JSON lines, or seeds only
    #[arg(long, default_value = "text", value_parser = FormatArg::among(&FORMATS))]
    format: FormatArg,
    /// List the metrics of the family and exit
    #[arg(long, conflicts_with_all = ["condition", "closest", "resume"])]
    metrics: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Searches until enough seeds are found, the range is exhausted, or a signal arrives.
pub(crate) fn run(args: FindArgs) -> Result<(), Failure> {
    let (spec, config) = args.range.spec()?;
    let catalogue = spec.catalogue();
    if args.metrics {
        return printer::list_metrics(&catalogue, Output::open(args.output.as_deref())?);
    }
    if args.condition.is_none() && args.closest.is_none() {
        return reject(
            "nothing to search for; give a condition (--where \"path > 8\") or target values \
             (--closest \"path=8\"), or list the metrics (--metrics)",
        );
    }
    let quoted = |option: &str, text: &str| format!("{option} \"{}\"", truncate(text, MAX_QUOTED));
    let query = |text: &String| Query::parse(text, &catalogue).context(quoted("--where", text));
    let targets =
        |text: &String| MetricTargets::parse(text, &catalogue).context(quoted("--closest", text));
    let query = args.condition.as_ref().map(query).transpose()?;
    let targets = args.closest.as_ref().map(targets).transpose()?;
    let mut terms = query.as_ref().map(Query::terms).unwrap_or_default();
    terms.extend(targets.iter().flat_map(MetricTargets::terms));
    terms.sort_unstable();
    terms.dedup();
    let seeds = args.range.seeds(args.limit);
    let request = Request {
        created_by: concat!("wayforge ", env!("CARGO_PKG_VERSION")).to_owned(),
        family: spec.family().name().to_owned(),
        config,
        condition: args.condition.clone(),
        closest: args.closest.clone(),
        seed: seeds.first().to_string(),
        count: args.count,
        limit: args.limit,
        shard: args.range.shard.to_string(),
    };
    let inputs = [args.range.config(), args.resume.as_deref()];
    reject_overwriting_input(args.output.as_deref(), &inputs)?;
    reject_overwriting_input(args.resume.as_deref(), &[args.range.config()])?;
    let pool = args.range.thread_pool()?;
    // Open the output before the search, so that an unwritable path fails at once.
    let output = Output::open(args.output.as_deref())?;
    let (checkpoint_file, checkpoint) = match &args.resume {
        Some(path) => {
            let (file, checkpoint) = CheckpointFile::open(path, request)?;
            (Some(file), checkpoint)
        }
        None => (None, Checkpoint::default()),
    };
    let printer = Printer::new(output, args.format, &spec, terms);
    let stop = stop_on_signal()?;
    let mut job = SearchJob { count: args.count, seeds, checkpoint_file, printer, stop };
    let is_complete = pool.install(|| job.run(&spec, query, targets, checkpoint))?;
    // A stopped search without matches does not replace the output by an empty file.
    if is_complete || job.printer.seeds() > 0 {
        job.printer.finish()?;
    }
    // Exit code 1 means stopped by a signal. A complete search without matches succeeds.
    if is_complete { Ok(()) } else { Err(Failure::Check) }
}

/// A running search.
struct SearchJob {
    /// Requested number of seeds.
    count: u64,
    seeds: SeedRange,
    checkpoint_file: Option<CheckpointFile>,
    printer: Printer,
    stop: Arc<AtomicBool>,
}

/// A seed with its distance to the targets, if there are any.
type Match = (Seed, Option<u64>);

impl SearchJob {
    /// Runs the search from a checkpoint. Returns false if a signal stopped it.
    fn run(
        &mut self,
        spec: &AnySpec,
        query: Option<Query>,
        targets: Option<MetricTargets>,
        checkpoint: Checkpoint,
    ) -> Result<bool, Failure> {
        let count = self.count as usize;
        match (query, targets) {
            (query, Some(targets)) => {
                let closest = |(seed, distance, index)| ClosestMatch {
                    distance,
                    index,
                    seed: Seed::new(seed),
                };
                let search = ClosestSearch::new(spec, self.seeds.clone(), targets, query, count);
                let found = checkpoint.found.into_iter().map(closest).collect();
                self.run_waves(search.resume(checkpoint.seeds, found))
            }
            (Some(query), None) => {
                let search = SeedSearch::new(spec, self.seeds.clone(), query, count);
                let found = checkpoint.found.iter().map(|&(seed, ..)| Seed::new(seed)).collect();
                self.run_waves(search.resume(checkpoint.seeds, found))
            }
            (None, None) => Ok(true),
        }
    }

    fn run_waves(&mut self, mut search: impl ResumableSearch) -> Result<bool, Failure> {
        let count = self.count;
        let note = |found: u64| format!("{found} of {count} found");
        let mut progress = SeedProgress::new(self.seeds.len(), search.seeds());
        let mut pacer = WavePacer::default();
        let mut more = true;
        loop {
            let stopped = self.stop.load(Ordering::Relaxed);
            let found = search.final_matches(self.printer.seeds(), stopped || !more);
            let printed = if found.is_empty() {
                Ok(())
            } else {
                progress.suspend(|| self.printer.print(&found))
            };
            let left = search.estimate_seeds_left(count, self.seeds.len());
            progress.show_with_left(search.seeds(), left, || note(search.found()));
            if let Some(file) = &self.checkpoint_file
                && (stopped
                    || !more
                    || printed.is_err()
                    || progress.is_save_due(DEFAULT_SAVE_INTERVAL))
            {
                file.write(&search.checkpoint())?;
            }
            printed?;
            if !more || stopped {
                let end = match &self.checkpoint_file {
                    _ if !more => String::new(),
                    Some(file) => {
                        format!("; stopped, continue with --resume {}", file.path().display())
                    }
                    None => "; stopped".to_owned(),
                };
                progress.finish(search.seeds(), &(note(search.found()) + &end));
                return Ok(!more);
            }
            more = pacer.run(|blocks| search.run_wave(blocks));
        }
    }
}

/// Common interface of both searches: they run in waves and can be saved.
trait ResumableSearch {
    /// Runs one wave of `blocks` blocks per thread. Returns false at the end of the search.
    fn run_wave(&mut self, blocks: usize) -> bool;
    /// Returns the number of searched seeds.
    fn seeds(&self) -> u64;
    /// Returns the number of matches.
    fn found(&self) -> u64;
    fn checkpoint(&self) -> Checkpoint;
    /// Returns the final matches after the first `printed`. With `ended`, all matches are final.
    fn final_matches(&self, printed: usize, ended: bool) -> Vec<Match>;
    /// Estimates how many of `total` seeds remain to be searched until `count` match.
    fn estimate_seeds_left(&self, count: u64, total: u64) -> u64;
}

impl ResumableSearch for SeedSearch {
    fn run_wave(&mut self, blocks: usize) -> bool {
        self.set_blocks_per_thread(blocks);
        SeedSearch::advance(self)
    }

    fn seeds(&self) -> u64 {
        self.seeds_done()
    }

    fn found(&self) -> u64 {
        SeedSearch::matches(self).len() as u64
    }

    fn checkpoint(&self) -> Checkpoint {
        let found = self.all_matches().iter().map(|seed| (seed.number(), 0, 0)).collect();
        Checkpoint { seeds: self.seeds_done(), found }
    }

    fn final_matches(&self, printed: usize, _: bool) -> Vec<Match> {
        SeedSearch::matches(self).iter().skip(printed).map(|seed| (seed.clone(), None)).collect()
    }

    fn estimate_seeds_left(&self, count: u64, total: u64) -> u64 {
        let (seeds, found) =
            (u128::from(self.seeds_done()), u128::from(ResumableSearch::found(self)));
        let rest = total - self.seeds_done();
        let estimate = seeds * (u128::from(count) - found).max(1);
        estimate
            .checked_div(found)
            .map_or(rest, |estimate| rest.min(u64::try_from(estimate).unwrap_or(rest)))
    }
}

impl ResumableSearch for ClosestSearch {
    fn run_wave(&mut self, blocks: usize) -> bool {
        self.set_blocks_per_thread(blocks);
        ClosestSearch::advance(self)
    }

    fn seeds(&self) -> u64 {
        self.seeds_done()
    }

    fn found(&self) -> u64 {
        self.best().len() as u64
    }

    fn checkpoint(&self) -> Checkpoint {
        let found = self
            .best()
            .iter()
            .map(|closest| (closest.seed.number(), closest.distance, closest.index))
            .collect();
        Checkpoint { seeds: self.seeds_done(), found }
    }

    fn final_matches(&self, printed: usize, ended: bool) -> Vec<Match> {
        let best = if ended { self.best() } else { &[] };
        best.iter()
            .skip(printed)
            .map(|closest| (closest.seed.clone(), Some(closest.distance)))
            .collect()
    }

    fn estimate_seeds_left(&self, _: u64, total: u64) -> u64 {
        total - self.seeds_done()
    }
}
