//! `wayforge batch`: generates maps for many seeds into one file or folder.
//!
//! A stopped or killed batch continues when the same command runs again, and ends with the same
//! bytes.

mod file;
mod folder;
mod staging;

use crate::failure::{Context, Failure, reject};
use crate::format::FormatArg::{self, Csv, Folder, Jsonl, Parquet};
use crate::interrupt::stop_on_signal;
use crate::number::within;
use crate::output::reject_overwriting_input;
use crate::seed_range::{DEFAULT_SAVE_INTERVAL, SeedProgress, SeedRangeArgs, WavePacer};
use clap::Args;
use staging::Staging;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use wayforge::AnySpec;
use wayforge_analysis::batch::{BatchFormat, BatchRequest, Checkpoint};
use wayforge_analysis::search::{Block, SeedRange, Waves, Worker};

/// Options of `wayforge batch`.
#[derive(Args)]
pub(crate) struct BatchArgs {
    #[command(flatten)]
    range: SeedRangeArgs,
    /// Number of seeds, 1 or more
    #[arg(long, value_name = "N", value_parser = within(1..))]
    count: u64,
    /// Output path: a .parquet, .jsonl or .csv file, or a folder (ending with /)
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// Output format [default: by the suffix of the output path]
    #[arg(long, value_parser = FormatArg::among(&[Parquet, Jsonl, Csv, Folder]))]
    format: Option<FormatArg>,
    /// Comma-separated metrics to write, see `wayforge find FAMILY --metrics` [default: all]
    #[arg(long, value_name = "NAMES", conflicts_with = "documents")]
    metrics: Option<String>,
    /// Write documents instead of metrics as JSON lines; seeds without a map are omitted
    #[arg(long)]
    documents: bool,
    /// Seconds between checkpoints, 0 to 3600
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = DEFAULT_SAVE_INTERVAL,
        value_parser = within(0..=3600)
    )]
    save_every: u64,
    /// Replace existing output, and discard an unfinished batch with other options
    #[arg(long)]
    force: bool,
}

/// Generates and writes the maps. Continues a batch that the same command began.
pub(crate) fn run(args: BatchArgs) -> Result<(), Failure> {
    let (spec, _) = args.range.spec()?;
    let seeds = args.range.seeds(args.count);
    let format = args.format()?;
    if args.output == Path::new("-") {
        return reject("--output -: a batch is resumable and needs a file; name a file");
    }
    reject_overwriting_input(Some(&args.output), &[args.range.config()])?;
    let batch_format = args.batch_format(format)?;
    let request = BatchRequest::new(&spec, seeds.clone(), batch_format, args.metrics.as_deref())
        .context(if args.metrics.is_some() { "--metrics" } else { "--count" })?;
    let pool = args.range.thread_pool()?;
    let opened = Staging::open(&args.output, &request, format == Folder, args.force)?;
    let Some((staging, checkpoint)) = opened else { return Ok(()) };
    let stop = stop_on_signal()?;
    let is_complete = pool.install(|| {
        if format == Folder {
            let folder = folder::FolderTarget::open(staging, &request, checkpoint)?;
            process_seeds(&args, &spec, seeds, &stop, folder)
        } else {
            let file = file::FileTarget::open(staging, &spec, &request, checkpoint)?;
            process_seeds(&args, &spec, seeds, &stop, file)
        }
    })?;
    if is_complete { Ok(()) } else { Err(Failure::Check) }
}

/// Destination of a batch, written block by block.
trait BatchTarget: Sync {
    type BlockResult: Send;

    /// Returns the number of seeds per block.
    fn block_len(&self) -> u64;
    /// Returns the maximum number of blocks per thread and wave.
    fn max_blocks_per_thread(&self) -> usize;
    /// Generates the maps of a block. Called on worker threads.
    fn process(&self, worker: &mut Worker, block: Block) -> Result<Self::BlockResult, Failure>;
    /// Appends the next block.
    fn add(&mut self, result: Self::BlockResult) -> Result<(), Failure>;
    /// Writes a checkpoint. The last one before a stop includes every finished block.
    fn save(&mut self, is_last: bool) -> Result<(), Failure>;
    /// Returns the numbers of seeds, maps and bytes so far.
    fn totals(&self) -> Checkpoint;
    /// Completes the output and moves it to its final path.
    fn finish(self) -> Result<(), Failure>;
}

/// Generates the maps of all seeds. Returns false if a signal stopped it.
fn process_seeds<T: BatchTarget>(
    args: &BatchArgs,
    spec: &AnySpec,
    range: SeedRange,
    stop: &AtomicBool,
    mut target: T,
) -> Result<bool, Failure> {
    let mut waves = Waves::new(spec, range.clone()).with_block_len(target.block_len());
    let mut seeds = waves.skip(target.totals().seeds);
    let mut progress = SeedProgress::new(range.len(), seeds);
    let note = |target: &T| format_bytes(target.totals().bytes);
    progress.show(seeds, || note(&target));
    let mut pacer = WavePacer::with_max(target.max_blocks_per_thread());
    let mut run_wave = |target: &T| {
        pacer.run(|blocks| {
            waves.set_blocks_per_thread(blocks);
            waves.advance(|worker, block| target.process(worker, block))
        })
    };
    while let Some(wave) = run_wave(&target) {
        for (block, result) in wave {
            target.add(result?)?;
            seeds += block.len();
        }
        progress.show(seeds, || note(&target));
        if stop.load(Ordering::Relaxed) && seeds < range.len() {
            target.save(true)?;
            progress.finish(seeds, "stopped; run the same command to continue");
            return Ok(false);
        }
        if progress.is_save_due(args.save_every) {
            target.save(false)?;
        }
    }
    let maps = target.totals().maps;
    target.finish()?;
    let without_map = match seeds - maps {
        0 => String::new(),
        1 => "; 1 seed has no map".to_owned(),
        count => format!("; {count} seeds have no map"),
    };
    progress.finish(seeds, &format!("{}{without_map}", args.output.display()));
    Ok(true)
}

impl BatchArgs {
    fn format(&self) -> Result<FormatArg, Failure> {
        let text = self.output.as_os_str().to_string_lossy();
        let is_folder = text.ends_with(['/', std::path::MAIN_SEPARATOR])
            || self.output.is_dir()
            || staging::is_folder(&self.output);
        let suffix = self.output.extension().map(|suffix| suffix.to_string_lossy().to_lowercase());
        // Unlike the formats of single maps, these contain tables: .jsonl is not always documents.
        let by_path = match suffix.as_deref() {
            _ if is_folder => Some(Folder),
            Some("parquet") => Some(Parquet),
            Some("jsonl" | "ndjson") => Some(Jsonl),
            Some("csv") => Some(Csv),
            _ => None,
        };
        let reject = |problem: &str| Err(Failure::new(self.output.display(), problem));
        match (self.format, by_path) {
            (None, None) => reject(
                "unknown suffix; use .parquet, .jsonl or .csv, a folder ending with /, or --format",
            ),
            // An existing folder in place of a file is rejected later, by `Staging::open`.
            (Some(given), Some(by_path)) if given != by_path && !is_folder && given != Folder => {
                reject(
                    "the suffix does not match --format; leave out --format or change the suffix",
                )
            }
            (Some(format), _) | (None, Some(format)) => Ok(format),
        }
    }

    fn batch_format(&self, format: FormatArg) -> Result<BatchFormat, Failure> {
        match format {
            Folder if self.metrics.is_some() => {
                reject("--metrics: a folder contains documents; write a table, or leave it out")
            }
            Parquet | Csv if self.documents => {
                reject("--documents: a table contains metrics; write .jsonl or a folder")
            }
            Parquet => Ok(BatchFormat::Parquet),
            Csv => Ok(BatchFormat::Csv),
            Jsonl if !self.documents => Ok(BatchFormat::JsonLines),
            _ => Ok(BatchFormat::Documents),
        }
    }
}

/// Formats a number of bytes with a suitable unit.
fn format_bytes(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
