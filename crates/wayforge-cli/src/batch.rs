//! `wayforge batch`: the maps of many seeds in one file or folder.

mod file;
mod folder;
mod unfinished;

use crate::failure::{Context, Failure, reject};
use crate::format::OutputFormat::{self, Csv, Folder, Jsonl, Parquet};
use crate::number::at_least_one;
use crate::output::refuse_to_replace;
use crate::sweep::{Bar, Pace, SAVES, SweepArgs, stop_on_ctrl_c};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use unfinished::Unfinished;
use wayforge::AnySpec;
use wayforge_analysis::batch::{Form, Kept, Request};
use wayforge_analysis::search::{Block, Span, Waves, Worker};

/// The options of `wayforge batch`.
#[derive(Args)]
pub(crate) struct BatchArgs {
    #[command(flatten)]
    sweep: SweepArgs,
    /// Number of seeds, 1 or more
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    count: u64,
    /// Where to write: a .parquet, .jsonl or .csv file, or a folder (its name ends with /)
    #[arg(short, long, value_name = "PLACE")]
    output: PathBuf,
    /// What to write; by the suffix of the place if left out
    #[arg(long, value_parser = OutputFormat::among(&[Parquet, Jsonl, Csv, Folder]))]
    format: Option<OutputFormat>,
    /// The metrics to write, with commas between them; all if left out (wayforge find FAMILY --metrics lists them)
    #[arg(long, value_name = "NAMES", conflicts_with = "documents")]
    metrics: Option<String>,
    /// Write whole documents into JSON lines, one a line, instead of metrics; seeds that have no map are left out
    #[arg(long)]
    documents: bool,
    /// How many seconds of work may be lost if the power fails
    #[arg(long, value_name = "SECONDS", default_value_t = SAVES, value_parser = clap::value_parser!(u64).range(..=3600))]
    save_every: u64,
    /// Replace what is there, finished or not, if it was asked for differently
    #[arg(long)]
    force: bool,
}

/// Makes the maps and writes them; goes on where the same command was stopped.
pub(crate) fn run(args: BatchArgs) -> Result<(), Failure> {
    let (subject, _) = args.sweep.subject()?;
    let span = args.sweep.span(args.count);
    let format = args.format()?;
    if args.output == Path::new("-") {
        return reject(
            "--output -: a batch can be stopped and taken up again, which standard output cannot; name a file",
        );
    }
    refuse_to_replace(Some(&args.output), &[args.sweep.config()])?;
    let request = Request::new(&subject, span.clone(), args.form(format)?, args.metrics.as_deref())
        .about(if args.metrics.is_some() { "--metrics" } else { "--count" })?;
    let pool = args.sweep.pool()?;
    let opened = Unfinished::open(&args.output, &request, format == Folder, args.force)?;
    let Some((unfinished, kept)) = opened else { return Ok(()) };
    let stop = stop_on_ctrl_c()?;
    let whole = pool.install(|| match format {
        Folder => go_through(&args, &subject, span, &stop, folder::Folder::open(unfinished, &request, kept)?),
        _ => {
            go_through(&args, &subject, span, &stop, file::File::open(unfinished, &subject, &request, kept)?)
        }
    })?;
    if whole { Ok(()) } else { Err(Failure::Check) }
}

/// What is written, a block at a time.
trait Target: Sync {
    type Part: Send;

    /// How many seeds a block has.
    fn step(&self) -> u64;
    /// How many blocks a thread is given at most.
    fn most(&self) -> usize;
    /// What a block gives; on any thread.
    fn look(&self, worker: &mut Worker, block: Block) -> Result<Self::Part, Failure>;
    /// Takes the next block in.
    fn add(&mut self, part: Self::Part) -> Result<(), Failure>;
    /// Makes sure that what is done stays done; if it is to be put down, to the last block.
    fn save(&mut self, down: bool) -> Result<(), Failure>;
    /// How far it is.
    fn kept(&self) -> Kept;
    /// Moves what is complete to its place.
    fn finish(self) -> Result<(), Failure>;
}

/// Makes the maps of all seeds; returns false if it was stopped.
fn go_through<T: Target>(
    args: &BatchArgs,
    subject: &AnySpec,
    span: Span,
    stop: &AtomicBool,
    mut target: T,
) -> Result<bool, Failure> {
    let mut waves = Waves::new(subject, span.clone()).by(target.step());
    let mut seeds = waves.skip(target.kept().seeds);
    let mut bar = Bar::new(span.len(), seeds);
    let note = |target: &T| size(target.kept().bytes);
    bar.show(seeds, || note(&target));
    let mut pace = Pace::up_to(target.most());
    let mut advance = |target: &T| {
        pace.keep(|blocks| {
            waves.give(blocks);
            waves.advance(|worker, block| target.look(worker, block))
        })
    };
    while let Some(wave) = advance(&target) {
        for (block, part) in wave {
            target.add(part?)?;
            seeds += block.len();
        }
        bar.show(seeds, || note(&target));
        if stop.load(Ordering::Relaxed) && seeds < span.len() {
            target.save(true)?;
            bar.finish(seeds, "stopped, the same command goes on");
            return Ok(false);
        }
        if bar.is_time_to_save(args.save_every) {
            target.save(false)?;
        }
    }
    let Kept { made, .. } = target.kept();
    target.finish()?;
    let without = match seeds - made {
        0 => String::new(),
        1 => "; 1 seed has no map".to_owned(),
        without => format!("; {without} seeds have no map"),
    };
    bar.finish(seeds, &format!("{}{without}", args.output.display()));
    Ok(true)
}

impl BatchArgs {
    fn format(&self) -> Result<OutputFormat, Failure> {
        let text = self.output.as_os_str().to_string_lossy();
        let is_folder = text.ends_with(['/', std::path::MAIN_SEPARATOR])
            || self.output.is_dir()
            || unfinished::is_folder(&self.output);
        let suffix = self.output.extension().map(|suffix| suffix.to_string_lossy().to_lowercase());
        let named = match suffix.as_deref() {
            _ if is_folder => Some(Folder),
            Some("parquet") => Some(Parquet),
            Some("jsonl" | "ndjson") => Some(Jsonl),
            Some("csv") => Some(Csv),
            _ => None,
        };
        let refuse = |problem: &str| Err(Failure::about(self.output.display(), problem));
        match (self.format, named) {
            (None, None) => refuse(
                "unknown suffix; use .parquet, .jsonl or .csv, a folder with / at its end, or --format",
            ),
            // A folder that is there may be the beginning of one's name; that it is in the way is told later.
            (Some(asked), Some(named)) if asked != named && !is_folder && asked != Folder => refuse(
                "its suffix names another format than --format; leave --format out, or name another place",
            ),
            (Some(format), _) | (None, Some(format)) => Ok(format),
        }
    }

    fn form(&self, format: OutputFormat) -> Result<Form, Failure> {
        match format {
            Folder if self.metrics.is_some() => {
                reject("--metrics: a folder has documents; write a table, or leave it out")
            }
            Parquet | Csv if self.documents => {
                reject("--documents: a table has metrics; write .jsonl or a folder")
            }
            Parquet => Ok(Form::Parquet),
            Csv => Ok(Form::Csv),
            Jsonl if !self.documents => Ok(Form::JsonLines),
            _ => Ok(Form::Documents),
        }
    }
}

/// A size in the unit that suits it.
fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
