//! `wayforge find`: seeds whose maps are wanted.

mod saved;
mod told;

use crate::differ::shortened;
use crate::failure::{Context, Failure, reject};
use crate::format::OutputFormat;
use crate::output::{Output, refuse_to_replace};
use crate::sweep::{Bar, Pace, SAVES, SweepArgs, stop_on_ctrl_c};
use clap::Args;
use saved::{Place, Request, Saved};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use told::Told;
use wayforge::AnySpec;
use wayforge::Seed;
use wayforge::metric::{Aim, Query};
use wayforge_analysis::search::{Closest, Near, Search, Span};

/// The most characters of a condition that an error repeats.
const MAX_QUOTED: usize = 200;

/// The options of `wayforge find`.
#[derive(Args)]
pub(crate) struct FindArgs {
    #[command(flatten)]
    sweep: SweepArgs,
    /// What a map must be, as in "routes > 300 and min(elite) = 0"
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    condition: Option<String>,
    /// What a map should come close to, as in "nodes=60, routes=200"; the closest seeds are found
    #[arg(long, value_name = "VALUES", allow_hyphen_values = true)]
    aim: Option<String>,
    /// How many seeds to find
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    count: u64,
    /// How many seeds to go through at most
    #[arg(long, value_name = "N", default_value_t = 100_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Keep the state of the search in a file, and go on from there if it is there already; more may be asked for then
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// How seeds are written: with their metrics as text or as JSON lines, or seeds alone
    #[arg(long, default_value = "text", value_parser = OutputFormat::among(&[OutputFormat::Text, OutputFormat::Json, OutputFormat::Seeds]))]
    format: OutputFormat,
    /// List the metrics of the family instead
    #[arg(long, conflicts_with_all = ["condition", "aim", "resume"])]
    metrics: bool,
    /// Where to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Goes through seeds until enough are found, none is left, or ctrl-c.
pub(crate) fn run(args: FindArgs) -> Result<(), Failure> {
    let (subject, config) = args.sweep.subject()?;
    let catalogue = subject.catalogue();
    if args.metrics {
        return told::list_metrics(&catalogue, Output::open(args.output.as_deref())?);
    }
    if args.condition.is_none() && args.aim.is_none() {
        return reject(
            "nothing is asked for; say what maps must be (--where \"path > 8\") or should come close to (--aim \"path=8\"), \
             or list what there is (--metrics)",
        );
    }
    let quoted = |option: &str, text: &str| format!("{option} \"{}\"", shortened(text, MAX_QUOTED));
    let query = |text: &String| Query::parse(text, &catalogue).about(quoted("--where", text));
    let aim = |text: &String| Aim::parse(text, &catalogue).about(quoted("--aim", text));
    let query = args.condition.as_ref().map(query).transpose()?;
    let aim = args.aim.as_ref().map(aim).transpose()?;
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
    let inputs = [args.sweep.config(), args.resume.as_deref()];
    refuse_to_replace(args.output.as_deref(), &inputs)?;
    refuse_to_replace(args.resume.as_deref(), &[args.sweep.config()])?;
    let pool = args.sweep.pool()?;
    // A place that cannot be written to is told before the work, not after it.
    let output = Output::open(args.output.as_deref())?;
    let (place, saved) = match &args.resume {
        Some(path) => Place::open(path, request).map(|(place, saved)| (Some(place), saved))?,
        None => (None, Saved::default()),
    };
    let told = Told::new(output, args.format, &subject, terms);
    let mut work = Work { wanted: args.count, span, place, told, stop: stop_on_ctrl_c()? };
    let whole = pool.install(|| work.go_through(&subject, query, aim, saved))?;
    work.told.finish()?;
    // What was stopped is not finished; what was looked for in vain is told apart by what is written.
    if whole { Ok(()) } else { Err(Failure::Check) }
}

/// A search under way.
struct Work {
    wanted: u64,
    span: Span,
    place: Option<Place>,
    told: Told,
    stop: Arc<AtomicBool>,
}

/// A seed with its distance from an aim, if there is one.
type Found = (Seed, Option<u64>);

impl Work {
    /// Whether the search came to its end.
    fn go_through(
        &mut self,
        subject: &AnySpec,
        query: Option<Query>,
        aim: Option<Aim>,
        saved: Saved,
    ) -> Result<bool, Failure> {
        let wanted = self.wanted as usize;
        match (query, aim) {
            (query, Some(aim)) => {
                let near = |(seed, distance, place)| Near { distance, place, seed: Seed::new(seed) };
                let search = Closest::new(subject, self.span.clone(), aim, query, wanted);
                self.advance(search.resume(saved.seeds, saved.found.into_iter().map(near).collect()))
            }
            (Some(query), None) => {
                let search = Search::new(subject, self.span.clone(), query, wanted);
                let kept = saved.found.iter().map(|&(seed, _, _)| Seed::new(seed)).collect();
                self.advance(search.resume(saved.seeds, kept))
            }
            (None, None) => Ok(true),
        }
    }

    fn advance(&mut self, mut search: impl Progress) -> Result<bool, Failure> {
        let wanted = self.wanted;
        let note = |found: u64| format!("{found} of {wanted} found");
        let mut bar = Bar::new(self.span.len(), search.seeds());
        let mut pace = Pace::default();
        let mut more = true;
        loop {
            let stopped = self.stop.load(Ordering::Relaxed);
            let found = search.certain(self.told.seeds(), stopped || !more);
            let told = if found.is_empty() { Ok(()) } else { bar.aside(|| self.told.tell(&found)) };
            let likely = search.seeds_left(wanted, self.span.len());
            bar.show_with_left(search.seeds(), likely, || note(search.found()));
            if let Some(place) = &self.place
                && (stopped || !more || told.is_err() || bar.is_time_to_save(SAVES))
            {
                place.write(&search.saved())?;
            }
            told?;
            if !more || stopped {
                let end = match &self.place {
                    _ if !more => String::new(),
                    Some(place) => format!("; stopped, go on with --resume {}", place.path().display()),
                    None => "; stopped".to_owned(),
                };
                bar.finish(search.seeds(), &(note(search.found()) + &end));
                return Ok(!more);
            }
            more = pace.keep(|pieces| search.wave(pieces));
        }
    }
}

/// What both searches have: they go on wave by wave and can be kept.
trait Progress {
    fn wave(&mut self, pieces: usize) -> bool;
    fn seeds(&self) -> u64;
    fn found(&self) -> u64;
    fn saved(&self) -> Saved;
    /// What was found after the first `told` and cannot change any more; at the end everything.
    fn certain(&self, told: usize, ended: bool) -> Vec<Found>;
    /// How many seeds are likely to be gone through yet.
    fn seeds_left(&self, wanted: u64, all: u64) -> u64;
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
        let found = self.kept().iter().map(|seed| (seed.number(), 0, 0)).collect();
        Saved { seeds: self.seeds_done(), found }
    }

    fn certain(&self, told: usize, _: bool) -> Vec<Found> {
        Search::found(self).iter().skip(told).map(|seed| (seed.clone(), None)).collect()
    }

    fn seeds_left(&self, wanted: u64, all: u64) -> u64 {
        let (seeds, found) = (u128::from(self.seeds_done()), u128::from(Progress::found(self)));
        let rest = all - self.seeds_done();
        let likely = seeds * (u128::from(wanted) - found).max(1);
        likely.checked_div(found).map_or(rest, |likely| rest.min(u64::try_from(likely).unwrap_or(rest)))
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
        let found = self.best().iter().map(|near| (near.seed.number(), near.distance, near.place)).collect();
        Saved { seeds: self.seeds_done(), found }
    }

    fn certain(&self, told: usize, ended: bool) -> Vec<Found> {
        let best = if ended { self.best() } else { &[] };
        best.iter().skip(told).map(|near| (near.seed.clone(), Some(near.distance))).collect()
    }

    fn seeds_left(&self, _: u64, all: u64) -> u64 {
        all - self.seeds_done()
    }
}
