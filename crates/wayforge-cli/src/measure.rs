//! `wayforge measure`: what a configuration really makes.

mod folder;
mod range;
mod values;

use crate::choice::{Choice, choice};
use crate::failure::{Context, Failure, reject};
use crate::output::{Output, Sealed, refuse_to_replace};
use crate::sweep::{Bar, Pace, SweepArgs, stop_on_ctrl_c};
use clap::Args;
use folder::Folder;
use range::Range;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use wayforge::AnySpec;
use wayforge::metric::{Catalogue, Term};
use wayforge_analysis::report::{Against, Report, Table, page, row_head, row_lines, tables, usual_pairs};
use wayforge_analysis::search::{Findings, Plan, Span, Survey, Times};
use wayforge_draw::Theme;

/// The most pairs of metrics.
const PAIRS: usize = 12;
/// The most pieces of seeds that a thread is given at a time: what each has counted is held until all are done.
const MAX_PIECES: usize = 64;
/// From which distance on a metric counts as moved, in ten-thousandths, unless somebody says otherwise.
const THRESHOLD: u64 = 500;

/// The options of `wayforge measure`.
#[derive(Args)]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    sweep: SweepArgs,
    /// How many seeds to go through; of each value with --sweep
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    count: u64,
    /// Pairs of metrics whose range is shown, as in "walls:path, open:detour"; those that suit the family if left out
    #[arg(long, value_name = "X:Y,...", conflicts_with = "values")]
    pairs: Option<String>,
    /// Compare with another configuration: exit code 1 if a metric moved
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Beyond which Kolmogorov distance a metric counts as moved, with --against: 0 to 1, with at most four decimals; 0.05 if left out
    #[arg(long, value_name = "DISTANCE", conflicts_with = "values", value_parser = range::threshold)]
    threshold: Option<u64>,
    /// Give a field of the configuration several values and draw curves, as in wallDensity=0:1:0.05 or pitfalls=0%:5%:0.5%
    #[arg(long = "sweep", value_name = "FIELD=FROM:TO:STEP", conflicts_with = "against")]
    values: Option<Range>,
    /// Leave out maps.csv, the table that has a row for every map
    #[arg(long, conflicts_with = "values")]
    no_maps: bool,
    /// The look of the page
    #[arg(long, default_value = "auto", value_parser = choice(&LOOKS))]
    theme: Look,
    /// The page to write, a .html file, with CSV in a folder beside it that has its name; standard output, and no CSV, if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The theme of a page; none for one that follows the reader's screen.
type Look = Option<Theme>;

const LOOKS: [Choice<Look>; 3] = [
    ("auto", "Light or dark, as the reader's screen is", None),
    ("parchment", "Ink on warm paper", Some(Theme::Parchment)),
    ("night", "Lights in the dark", Some(Theme::Night)),
];

/// Goes through the seeds and writes what was found.
pub(crate) fn run(args: MeasureArgs) -> Result<(), Failure> {
    let (subject, config) = args.sweep.subject()?;
    let names = names(args.sweep.config(), args.against.as_deref());
    if args.threshold.is_some() && args.against.is_none() {
        return reject("--threshold: nothing to compare with; name a configuration with --against");
    }
    refuse_to_replace(args.output.as_deref(), &[args.sweep.config(), args.against.as_deref()])?;
    if args.against.is_some() && args.sweep.span(args.count).is_empty() {
        return reject("--against: nothing is compared where there is no seed");
    }
    let work = Work { pool: args.sweep.pool()?, stop: stop_on_ctrl_c()?, args: &args };
    match &args.values {
        Some(range) => work.sweep(range, &subject, &config, &names[0]),
        None => work.survey(&subject, names),
    }
}

/// What a survey gave, and whether it came to its end.
struct Surveyed {
    seeds: u64,
    found: Findings,
    times: Times,
    whole: bool,
}

/// A measurement under way.
struct Work<'a> {
    args: &'a MeasureArgs,
    pool: rayon::ThreadPool,
    stop: Arc<AtomicBool>,
}

impl Work<'_> {
    fn survey(&self, subject: &AnySpec, [name, other_name]: [String; 2]) -> Result<(), Failure> {
        let args = self.args;
        let pairs = match &args.pairs {
            Some(text) => pairs(text, &subject.catalogue())?,
            None => usual_pairs(subject),
        };
        let other = args.against.as_deref().map(|path| {
            let (other, _) = args.sweep.subject_of(Some(path))?;
            // Names stand for the same in both; a metric that only the first has cannot be paired.
            let pairs =
                named_pairs(&pairs, &subject.catalogue(), &other.catalogue()).about(path.display())?;
            Ok::<_, Failure>((other, pairs))
        });
        let other = other.transpose()?;
        let (folder, output) = self.places()?;
        let mut files: Vec<Sealed> = Vec::new();
        let first = self.go_through(subject, &pairs, folder.as_ref(), "maps.csv", &mut files)?;
        let second = match &other {
            Some((other, pairs)) if first.whole => {
                Some(self.go_through(other, pairs, folder.as_ref(), "maps-against.csv", &mut files)?)
            }
            _ => None,
        };
        let whole = first.whole && second.as_ref().is_none_or(|second| second.whole);
        if !whole && other.is_some() {
            // Nothing can be done for a reader that has gone away.
            let _ =
                writeln!(io::stderr(), "stopped before both were measured: nothing is compared or written");
            return Err(Failure::Check);
        }
        let against = other.as_ref().zip(second.as_ref()).map(|((other, _), second)| {
            Against::new(&first.found, other_name, other, &second.found, &second.times, self.threshold())
        });
        let report = Report { name, subject, found: &first.found, times: &first.times, against };
        publish(folder.as_ref(), output, &page(&report, args.theme), &tables(&report), files)?;
        let moved = report.against.as_ref().is_some_and(|against| self.tell_moved(&first.found, against));
        if whole && !moved { Ok(()) } else { Err(Failure::Check) }
    }

    /// One survey; rows go to their table as they are made.
    fn go_through(
        &self,
        subject: &AnySpec,
        pairs: &[[Term; 2]],
        folder: Option<&Folder>,
        file: &'static str,
        files: &mut Vec<Sealed>,
    ) -> Result<Surveyed, Failure> {
        let folder = folder.filter(|_| !self.args.no_maps);
        let mut rows = folder.map(|folder| folder.open(file)).transpose()?;
        let span = self.args.sweep.span(self.args.count);
        let plan = Plan { pairs: pairs.to_vec(), places: true, rows: rows.is_some() };
        let catalogue = subject.catalogue();
        if let Some(rows) = &mut rows {
            rows.write(&row_head(&catalogue))?;
        }
        let width = catalogue.terms().count();
        let mut bar = Bar::new(span.len(), 0);
        let surveyed = self.run(subject, span, plan, |survey| {
            bar.show(survey.seeds_done(), || format!("{} with a map", survey.maps()));
            rows.as_mut().map_or(Ok(()), |rows| rows.write(&row_lines(&survey.take_rows(), width)))
        })?;
        let end = if surveyed.whole { "" } else { "; stopped" };
        bar.finish(surveyed.seeds, &format!("{} with a map{end}", surveyed.found.maps));
        files.extend(rows.map(Output::seal).transpose()?);
        Ok(surveyed)
    }

    /// Goes through seeds until none is left or ctrl-c; calls `after_wave` after each wave.
    fn run(
        &self,
        subject: &AnySpec,
        span: Span,
        plan: Plan,
        mut after_wave: impl FnMut(&mut Survey) -> Result<(), Failure>,
    ) -> Result<Surveyed, Failure> {
        let all = span.len();
        let mut survey = Survey::new(subject, span, plan).stop_on(Arc::clone(&self.stop));
        let mut pace = Pace::up_to(MAX_PIECES);
        loop {
            let more = self.pool.install(|| {
                pace.keep(|pieces| {
                    survey.give(pieces);
                    survey.advance()
                })
            });
            after_wave(&mut survey)?;
            if !more {
                break;
            }
        }
        let (seeds, times) = (survey.seeds_done(), survey.times().clone());
        Ok(Surveyed { seeds, found: self.pool.install(|| survey.finish()), times, whole: seeds == all })
    }

    /// The folder of tables, and where the page goes: what is not finished of it stands in the folder, which is dropped after it.
    fn places(&self) -> Result<(Option<Folder>, Output), Failure> {
        let page = self.args.output.as_deref();
        let folder = page.map(Folder::beside).transpose()?.flatten();
        let output = Output::open_by(page, folder.as_ref().map(Folder::path))?;
        Ok((folder, output))
    }

    fn threshold(&self) -> u64 {
        self.args.threshold.unwrap_or(THRESHOLD)
    }

    /// Says which metrics moved, where the page is not written; whether any did.
    fn tell_moved(&self, first: &Findings, against: &Against<'_>) -> bool {
        let mut lines = String::new();
        let empty = first.maps == 0 && against.found.maps == 0;
        if empty {
            lines += "neither configuration has a map of these seeds: nothing can be compared\n";
        }
        for shift in against.moved() {
            let [first, second] =
                shift.means.map(|mean| mean.map_or_else(|| "none".to_owned(), |mean| format!("{mean:.3}")));
            lines +=
                &format!("moved: {}  distance {:.4}  mean {first} -> {second}\n", shift.name, shift.share());
        }
        let threshold = self.threshold() as f64 / 10_000.0;
        if lines.is_empty() {
            lines = format!("no metric moved by more than {threshold}\n");
        }
        if let Some(noise) = against.noise() {
            let _ = writeln!(io::stderr(), "{noise}");
        }
        // Nothing can be done for a reader that has gone away; the exit code says it as well.
        let _ = match self.args.output.as_deref().is_some_and(|path| path != Path::new("-")) {
            true => std::io::stdout().write_all(lines.as_bytes()),
            false => std::io::stderr().write_all(lines.as_bytes()),
        };
        empty || against.moved().next().is_some()
    }
}

/// Writes a page and its tables; with `files` that are complete, they appear when all of them are.
fn publish(
    folder: Option<&Folder>,
    mut output: Output,
    page: &str,
    tables: &[Table],
    mut files: Vec<Sealed>,
) -> Result<(), Failure> {
    output.write(page.as_bytes())?;
    if let Some(folder) = folder {
        for table in tables {
            files.push(folder.write(table.name, table.text.as_bytes())?);
        }
    }
    let page = output.seal()?;
    files.into_iter().try_for_each(Sealed::publish)?;
    page.publish()?;
    folder.map_or(Ok(()), Folder::forget_others)
}

/// The names of the configuration and of the one it is compared with: of their files, or their paths where those are the same.
fn names(first: Option<&Path>, other: Option<&Path>) -> [String; 2] {
    const NONE: &str = "defaults";
    let files = [first, other]
        .map(|path| path.and_then(Path::file_name).map_or(NONE.into(), |name| name.to_string_lossy()));
    let paths = [first, other].map(|path| path.map_or(NONE.to_owned(), |path| path.display().to_string()));
    match paths {
        _ if files[0] != files[1] => files.map(Cow::into_owned),
        [path, other] if path == other => [path, format!("{other}, again")],
        paths => paths,
    }
}

/// Reads pairs of metrics.
fn pairs(text: &str, catalogue: &Catalogue) -> Result<Vec<[Term; 2]>, Failure> {
    let pairs = catalogue.pairs(text).about(format!("--pairs \"{text}\""))?;
    match pairs.len() <= PAIRS {
        true => Ok(pairs),
        false => Err(Failure::about("--pairs", format!("{} pairs; name at most {PAIRS}", pairs.len()))),
    }
}

/// The same pairs by their names in another catalogue.
fn named_pairs(pairs: &[[Term; 2]], from: &Catalogue, to: &Catalogue) -> Result<Vec<[Term; 2]>, String> {
    let find = |term: Term| to.parse(&from.name(term));
    pairs.iter().map(|&[x, y]| Ok([find(x)?, find(y)?])).collect()
}
