//! `wayforge find`: seeds whose maps are wanted.

mod saved;

use crate::failure::Failure;
use crate::output::Output;
use crate::sweep::{Bar, Pace, SAVES, SweepArgs, stop_on_ctrl_c};
use clap::{Args, ValueEnum};
use saved::{Request, Saved};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wayforge::Seed;
use wayforge::metric::{Aim, Catalogue, Query, Term};
use wayforge_search::{Closest, Near, Search, Span, Subject};

/// The options of `wayforge find`.
#[derive(Args)]
pub(crate) struct FindArgs {
    #[command(flatten)]
    sweep: SweepArgs,
    /// What a map must be, as in "routes > 300 and min(elite) = 0"
    #[arg(long = "where", value_name = "CONDITION", required_unless_present_any = ["aim", "metrics"])]
    condition: Option<String>,
    /// What a map should come close to, as in "nodes=60, routes=200"; the closest seeds are found
    #[arg(long, value_name = "VALUES")]
    aim: Option<String>,
    /// How many seeds to find
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    count: u64,
    /// How many seeds to go through at most
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    limit: u64,
    /// Keep the state of the search in a file, and go on from there if it is there already
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// How seeds are written
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// List the metrics of the family instead
    #[arg(long, conflicts_with_all = ["condition", "aim", "resume"])]
    metrics: bool,
    /// Where to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Form {
    /// The seed and its metrics, one line each
    Text,
    /// JSON lines
    Json,
    /// Seeds alone
    Seeds,
}

/// Goes through seeds until enough are found, none is left, or ctrl-c.
pub(crate) fn run(args: FindArgs) -> Result<(), Failure> {
    let (subject, config) = args.sweep.subject()?;
    let catalogue = subject.catalogue();
    if args.metrics {
        return list_metrics(&catalogue, args.output.as_deref());
    }
    let (query, aim) = (args.query(&catalogue)?, args.aim(&catalogue)?);
    let mut terms = query.as_ref().map(Query::terms).unwrap_or_default();
    terms.extend(aim.iter().flat_map(Aim::terms));
    terms.sort_unstable();
    terms.dedup();
    let span = args.sweep.span(args.limit);
    let request = Request {
        maker: concat!("wayforge ", env!("CARGO_PKG_VERSION")).to_owned(),
        family: subject.family().name().to_owned(),
        config,
        condition: args.condition.clone(),
        aim: args.aim.clone(),
        seed: span.first().to_string(),
        count: args.count,
        limit: args.limit,
        shard: args.sweep.shard.to_string(),
    };
    let saved = args.resume.as_deref().map(|path| Saved::read(path, &request)).transpose()?.flatten();
    let pool = args.sweep.pool()?;
    let work = Work { args: &args, request, span, stop: stop_on_ctrl_c()? };
    // A place that cannot be written to is told before the work, not after it.
    let mut output = Output::open(args.output.as_deref())?;
    let (found, whole) = pool.install(|| work.go_through(&subject, query, aim, saved))?;
    let mut worker = subject.worker();
    let mut row = vec![0; terms.len()];
    for (seed, distance) in found {
        // Seeds alone need no map.
        if args.format != Form::Seeds {
            worker.measure(seed, &terms, &mut row);
        }
        output.write(args.line(&catalogue, seed, distance, &terms, &row).as_bytes())?;
    }
    output.finish()?;
    // What was stopped is not finished; what was looked for in vain is told apart by what is written.
    if whole { Ok(()) } else { Err(Failure::Check) }
}

/// A search under way.
struct Work<'a> {
    args: &'a FindArgs,
    request: Request,
    span: Span,
    stop: Arc<AtomicBool>,
}

/// Seeds with their distance from an aim, if there is one.
type Found = Vec<(Seed, Option<u64>)>;

impl Work<'_> {
    /// What was found, and whether the search came to its end.
    fn go_through(
        &self,
        subject: &Subject,
        query: Option<Query>,
        aim: Option<Aim>,
        saved: Option<Saved>,
    ) -> Result<(Found, bool), Failure> {
        let wanted = self.args.count as usize;
        let saved = saved.unwrap_or_default();
        if let Some(aim) = aim {
            let near =
                |&(seed, distance, place): &(u64, u64, u64)| Near { distance, place, seed: Seed(seed) };
            let mut search = Closest::new(subject, self.span, aim, query, wanted)
                .resume(saved.seeds, saved.found.iter().map(near).collect());
            let whole = self.advance(&mut search)?;
            return Ok((search.best().iter().map(|near| (near.seed, Some(near.distance))).collect(), whole));
        }
        let Some(query) = query else { return Ok((Vec::new(), true)) };
        let mut search = Search::new(subject, self.span, query, wanted)
            .resume(saved.seeds, saved.found.iter().map(|&(seed, _, _)| Seed(seed)).collect());
        let whole = self.advance(&mut search)?;
        Ok((search.found().iter().map(|&seed| (seed, None)).collect(), whole))
    }

    fn advance(&self, search: &mut impl Progress) -> Result<bool, Failure> {
        let note = |found: u64| format!("{found} of {} found", self.args.count);
        let mut bar = Bar::new(self.span.len(), search.seeds());
        bar.show(search.seeds(), || note(search.found()));
        let mut pace = Pace::default();
        loop {
            let more = pace.keep(|pieces| search.wave(pieces));
            bar.show(search.seeds(), || note(search.found()));
            let stopped = self.stop.load(Ordering::Relaxed);
            if let Some(path) = &self.args.resume
                && (stopped || !more || bar.is_time_to_save(SAVES))
            {
                search.saved().write(path, &self.request)?;
            }
            if !more || stopped {
                let end = match (&self.args.resume, more) {
                    (_, false) => String::new(),
                    (Some(path), true) => format!("; stopped, go on with --resume {}", path.display()),
                    (None, true) => "; stopped".to_owned(),
                };
                bar.finish(search.seeds(), &(note(search.found()) + &end));
                return Ok(!more);
            }
        }
    }
}

/// What both searches have: they go on wave by wave and can be kept.
trait Progress {
    fn wave(&mut self, pieces: usize) -> bool;
    fn seeds(&self) -> u64;
    fn found(&self) -> u64;
    fn saved(&self) -> Saved;
}

impl Progress for Search {
    fn wave(&mut self, pieces: usize) -> bool {
        self.give(pieces);
        Search::advance(self)
    }

    fn seeds(&self) -> u64 {
        self.seeds_done()
    }

    fn found(&self) -> u64 {
        Search::found(self).len() as u64
    }

    fn saved(&self) -> Saved {
        let found = Search::found(self).iter().map(|seed| (seed.0, 0, 0)).collect();
        Saved { seeds: self.seeds_done(), found }
    }
}

impl Progress for Closest {
    fn wave(&mut self, pieces: usize) -> bool {
        self.give(pieces);
        Closest::advance(self)
    }

    fn seeds(&self) -> u64 {
        self.seeds_done()
    }

    fn found(&self) -> u64 {
        self.best().len() as u64
    }

    fn saved(&self) -> Saved {
        let found = self.best().iter().map(|near| (near.seed.0, near.distance, near.place)).collect();
        Saved { seeds: self.seeds_done(), found }
    }
}

impl FindArgs {
    fn query(&self, catalogue: &Catalogue) -> Result<Option<Query>, Failure> {
        let parse = |text: &String| {
            Query::parse(text, catalogue)
                .map_err(|error| Failure::about(format!("--where \"{text}\""), error))
        };
        self.condition.as_ref().map(parse).transpose()
    }

    fn aim(&self, catalogue: &Catalogue) -> Result<Option<Aim>, Failure> {
        let parse = |text: &String| {
            Aim::parse(text, catalogue).map_err(|error| Failure::about(format!("--aim \"{text}\""), error))
        };
        self.aim.as_ref().map(parse).transpose()
    }

    fn line(
        &self,
        catalogue: &Catalogue,
        seed: Seed,
        distance: Option<u64>,
        terms: &[Term],
        row: &[i64],
    ) -> String {
        let metrics = terms.iter().zip(row).map(|(&term, &value)| (catalogue.name(term), value));
        match self.format {
            Form::Seeds => format!("{seed}\n"),
            Form::Text => {
                let told: Vec<String> = metrics.map(|(name, value)| format!("{name} {value}")).collect();
                let far = distance.map_or_else(String::new, |distance| format!("  distance {distance}"));
                format!("{seed:>20}{far}  {}\n", told.join("  "))
            }
            Form::Json => {
                let metrics: Map<String, Value> = metrics.map(|(name, value)| (name, value.into())).collect();
                let mut line = json!({ "seed": seed.to_string(), "metrics": metrics });
                if let Some(distance) = distance {
                    line["distance"] = distance.into();
                }
                format!("{line}\n")
            }
        }
    }
}

fn list_metrics(catalogue: &Catalogue, output: Option<&std::path::Path>) -> Result<(), Failure> {
    let mut output = Output::open(output)?;
    for metric in catalogue.metrics() {
        let takes = metric.takes.map_or_else(String::new, |what| format!("({what})"));
        let name = format!("{}{takes}", metric.name);
        output.write(format!("{name:<18} {:<12} {}\n", metric.unit, metric.about).as_bytes())?;
    }
    let things = catalogue.things();
    if !things.is_empty() {
        output.write(format!("\nIn parentheses: {}\n", things.join(", ")).as_bytes())?;
    }
    output.finish()
}
